"""The documentation's Markdown pages as doctests."""

import doctest
import re
from pathlib import Path

from _pytest.doctest import _get_checker  # of pytest's option NUMBER, which has no public name

from ..places import DOCS, ROOT

NETWORKS, TUTORIAL = DOCS / "guide" / "networks.md", DOCS / "tutorial.md"
PAGES = sorted(
    path
    for path in DOCS.rglob("*.md")
    if "```pycon" in path.read_text("utf-8")
    and "auto_examples" not in path.parts
    # The first needs PyTorch; the second is run together with its commands.
    and path not in (NETWORKS, TUTORIAL)
)
# Numbers are compared to the digits that a page shows.
_NUMBER = doctest.register_optionflag("NUMBER")
_OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | _NUMBER
_FENCE = re.compile(r"^```(\w*)")


def snippets(page: Path) -> doctest.DocTest:
    """All Python of a page, one snippet after the other, with the page's line numbers."""
    lines, language = [], None
    for line in page.read_text("utf-8").splitlines():
        fence = _FENCE.match(line)
        if fence:
            language = fence[1] if language is None else None
        # A blank line would end the expected output, as a fence does: within one it is output.
        inside = language == "pycon" and not fence
        lines.append((line or "<BLANKLINE>") if inside else "")
    name = str(page.relative_to(ROOT))
    return doctest.DocTestParser().get_doctest("\n".join(lines), {}, name, str(page), 0)


def failures(test: doctest.DocTest) -> str:
    """What differs from what a page shows; nothing where all is as shown."""
    report: list[str] = []
    runner = doctest.DocTestRunner(checker=_get_checker(), optionflags=_OPTIONS)
    runner.run(test, out=report.append)
    return "".join(report)


def not_drawn(page: Path, folder: Path) -> list[str]:
    """The pictures of a page that its snippets, run in the folder, have not drawn."""
    shown = re.findall(r"\]\(drawn/([^)]+)\)", page.read_text("utf-8"))
    return [name for name in shown if not (folder / name).is_file()]


def commands(page: Path) -> list[str]:
    """All that a page says to type into a shell."""
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines() if line]
