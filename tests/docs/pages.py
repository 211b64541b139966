"""The documentation's Markdown pages as doctests."""

import doctest
import re
from pathlib import Path

from ..places import DOCS

PAGES = sorted(
    path
    for path in DOCS.rglob("*.md")
    if "```pycon" in path.read_text("utf-8") and "auto_examples" not in path.parts
)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_FENCE = re.compile(r"^```(\w*)")


def snippets(page: Path) -> doctest.DocTest:
    """All Python of a page, one after the other, at the lines where it stands."""
    lines, language = [], None
    for line in page.read_text("utf-8").splitlines():
        fence = _FENCE.match(line)
        if fence:
            language = fence[1] if language is None else None
        # Blank lines end what is expected, as a fence does.
        lines.append(line if language == "pycon" and not fence else "")
    name = str(page.relative_to(DOCS))
    return doctest.DocTestParser().get_doctest("\n".join(lines), {}, name, str(page), 0)


def commands(page: Path) -> list[str]:
    """All that a page says to type into a shell."""
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines() if line]
