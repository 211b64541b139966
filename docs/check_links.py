"""Check that all links inside a built site lead somewhere: ``python check_links.py FOLDER``.

Pages, pictures, styles and scripts must be there, and so must the anchors that links name. Links to
other sites are not followed.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """What a page refers to, and the anchors it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.references: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif name in ("href", "src"):
                self.references.append(value)
            elif name == "srcset":
                self.references += [part.split()[0] for part in value.split(",")]


def broken_links(site: Path) -> list[str]:
    """A line for each reference that leads nowhere."""
    site = site.resolve()
    pages = {
        path: _Page(path.read_text("utf-8"))
        for path in sorted(site.rglob("*.html"))
        if "_static" not in path.parts  # a theme leaves templates there
    }
    broken = []
    for path, page in pages.items():
        for reference in page.references:
            parts = urlsplit(reference)
            if parts.scheme or parts.netloc:
                continue
            target = path
            if parts.path:
                start = site if parts.path.startswith("/") else path.parent
                target = (start / unquote(parts.path).lstrip("/")).resolve()
                if target.is_dir():
                    target /= "index.html"
            where = f"{path.relative_to(site)}: {reference}"
            if not target.is_relative_to(site) or not target.is_file():
                broken.append(f"{where}: no such file")
            elif parts.fragment and target in pages:
                anchor = unquote(parts.fragment)
                if anchor not in pages[target].anchors and anchor != "top":
                    broken.append(f"{where}: no such anchor")
    return list(dict.fromkeys(broken))


def main() -> None:
    site = Path(sys.argv[1])
    if not list(site.rglob("*.html")):
        sys.exit(f"{site} has no pages: build the site first")
    broken = broken_links(site)
    if broken:
        sys.exit("\n".join([*broken, f"{len(broken)} links lead nowhere"]))
    print("All internal links resolve.")


if __name__ == "__main__":
    main()
