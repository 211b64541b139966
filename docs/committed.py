"""Committed results inside pages that a forge shows well, too.

The pages have plain Markdown links to files under ``results``. In the built site a paragraph that
is nothing but a link to a Markdown file becomes the text of that file, without its title, and a
link to a run's report leads to the copy of it in the site.
"""

import re
from pathlib import Path

_UP = r"\((?:\.\./)+results/"
_ALONE = re.compile(rf"^\[[^\]]+\]{_UP}([\w/-]+\.md)\)$", re.MULTILINE)
_REPORT = re.compile(rf"\[([^\]]+)\]{_UP}(\w+)/report\.html\)")
_TITLE = re.compile(r"\A# .*\n+")


def insert(text: str, results: Path, to_root: str) -> tuple[str, list[Path]]:
    """The page as the site needs it, and the files that it depends on."""
    files = [results / name for name in _ALONE.findall(text)]
    text = _ALONE.sub(lambda link: _TITLE.sub("", (results / link[1]).read_text("utf-8")), text)
    return _REPORT.sub(rf'<a href="{to_root}\2/report.html">\1</a>', text), files


def _on_read(app, docname, source) -> None:
    results = Path(app.srcdir).parent / "results"
    source[0], files = insert(source[0], results, "../" * docname.count("/"))
    for path in files:
        app.env.note_dependency(path)


def setup(app) -> dict[str, bool]:
    app.connect("source-read", _on_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
