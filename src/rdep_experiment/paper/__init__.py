"""Reproduction of the paper's worked examples and figures."""

from ._figures import draw_paper_figures
from ._worked_examples import worked_examples

__all__ = ["draw_paper_figures", "worked_examples"]
