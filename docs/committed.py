"""Committed results inside pages that a forge shows well, too.

The pages have plain Markdown links to files under ``results``. In the built site a paragraph that
is nothing but a link to a Markdown file becomes the text of that file, without its title.
"""

import re
from pathlib import Path

_UP = r"\((?:\.\./)+results/"
_ALONE = re.compile(rf"^\[[^\]]+\]{_UP}([\w/-]+\.md)\)$", re.MULTILINE)
_TITLE = re.compile(r"\A# .*\n+")


def insert(text: str, results: Path) -> tuple[str, list[Path]]:
    """The page as the site needs it, and the files that it depends on."""
    files = [results / name for name in _ALONE.findall(text)]
    text = _ALONE.sub(lambda link: _TITLE.sub("", (results / link[1]).read_text("utf-8")), text)
    return text, files


def _on_read(app, docname, source) -> None:
    results = Path(app.srcdir).parent / "results"
    source[0], files = insert(source[0], results)
    for path in files:
        app.env.note_dependency(path)


def setup(app) -> dict[str, bool]:
    app.connect("source-read", _on_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
