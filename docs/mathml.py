"""Formulas as MathML, which browsers draw themselves: no script, no network.

Docutils translates; Sphinx itself has renderers for images and for scripts only.
"""

import re
from html import escape

from docutils.nodes import SkipNode
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util.logging import getLogger

# Commands that Docutils does not know. Brackets grow by themselves in MathML.
_OTHERWISE = {r"\\iff\b": r"\\Longleftrightarrow", r"\\[bB]igg?\b": ""}


def inline(writer, node) -> None:
    writer.body.append(_translate(node, as_block=False))
    raise SkipNode


def block(writer, node) -> None:
    writer.body.append(writer.starttag(node, "div", CLASS="formula"))
    writer.body.append(_translate(node, as_block=True))
    writer.body.append("</div>")
    raise SkipNode


def _translate(node, as_block: bool) -> str:
    tex = node.astext()
    for command, replacement in _OTHERWISE.items():
        tex = re.sub(command, replacement, tex)
    try:
        return tex2mathml(tex, as_block=as_block)
    except MathError as error:
        getLogger(__name__).warning("formula: %s", error, location=node)
        return f"<code>{escape(tex)}</code>"


def setup(app) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
