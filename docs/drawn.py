"""Pictures that the code of a page draws.

A page that shows ``drawn/NAME.png`` saves ``NAME.png`` in one of its Python snippets. Before Sphinx
reads the page, its snippets run in the folder ``drawn`` beside it.
"""

import contextlib
import doctest
import io
import os
import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot

FOLDER = "drawn"
_PICTURE = re.compile(rf"\]\({FOLDER}/([\w-]+\.png)\)")
_SNIPPET = re.compile(r"^```pycon\n(.*?)^```", re.DOTALL | re.MULTILINE)


def pictures(text: str) -> list[str]:
    """Names of the pictures that a page shows and its code draws."""
    return _PICTURE.findall(text)


def draw(text: str, folder: Path) -> None:
    """Run all snippets of a page in this folder, which then holds its pictures."""
    folder.mkdir(exist_ok=True)
    names: dict = {}
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        for snippet in _SNIPPET.findall(text):
            for example in doctest.DocTestParser().get_examples(snippet):
                exec(compile(example.source, str(folder), "single"), names)
    pyplot.close("all")
    missing = [name for name in pictures(text) if not (folder / name).is_file()]
    if missing:
        raise FileNotFoundError(f"{folder}: no snippet of the page draws {', '.join(missing)}")


def _on_read(app, docname, source) -> None:
    if pictures(source[0]):
        draw(source[0], Path(os.fspath(app.env.doc2path(docname))).parent / FOLDER)


def setup(app) -> dict[str, bool]:
    app.connect("source-read", _on_read)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
