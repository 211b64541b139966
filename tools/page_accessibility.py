"""Check pages of ``rdep explore`` by axe-core: ``python -m tools.page_accessibility AXE PAGE …``.

AXE is the file ``axe.min.js`` of the package axe-core (``npm install axe-core`` in any folder).
Each page is opened in Chromium, light at 1,200 pixels and dark at 400 pixels. Every violation of
WCAG 2.2 AA or of good practice is printed; the exit code is their number.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.explorer.browser import driven

WAYS = {"light": 1200, "dark": 400}
SCRIPT = """
  document.querySelectorAll("details").forEach((each) => { each.open = true; });
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const { violations } = await window.axe.run(document, { runOnly: { type: "tag", values: tags } });
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html.slice(0, 200))]);
"""


def with_axe(page: str, axe: str, way: str) -> str:
    """The page with the script, which its policy would refuse, and in one colour scheme."""
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    if way == "dark":
        page = page.replace("(prefers-color-scheme: dark)", "all")
    script = axe.replace("</script", "<\\/script")
    return page.replace("</body>", f"<script>{script}</script></body>")


def violations(axe: str, pages: dict[str, str], way: str) -> dict[str, list]:
    made = {name: with_axe(page, axe, way) for name, page in pages.items()}
    with TemporaryDirectory() as folder:
        return driven(made, SCRIPT, Path(folder), width=WAYS[way], milliseconds=60_000)


def main(arguments: list[str] | None = None) -> int:
    axe, *names = map(Path, sys.argv[1:] if arguments is None else arguments)
    pages = {name.stem: name.read_text("utf-8") for name in names}
    number = 0
    for way in WAYS:
        for name, found in violations(axe.read_text("utf-8"), pages, way).items():
            number += len(found)
            print(f"{name}, {way}, {WAYS[way]} px: {json.dumps(found) if found else 'none'}")
    return number


if __name__ == "__main__":
    sys.exit(main())
