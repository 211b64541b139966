"""Report of a fit on a table: the page of its model, with what its held-out rows tell."""

from __future__ import annotations

from typing import Any

from ..scoring import Answers, Scored, importance_of_parts
from ..tables import TableModel, TrainingTable
from ._page import to_html


def fit_report(model: TableModel, table: TrainingTable, answers: Answers, **options: Any) -> str:
    """Make the page of a model on the table that it was fitted on.

    Held-out rows give its score, its confusion matrix, its curves and the importance of columns.

    Parameters
    ----------
    model : TableModel
        The model.
    table : TrainingTable
        Its table.
    answers : Answers
        Copies of the model and the rows that they were not fitted on.
    **options
        As in :func:`to_html`.

    Returns
    -------
    str
        The content of the file.
    """
    return to_html(
        model,
        table.frame,
        table.y,
        importance=importance_of_parts(answers.copies) if answers.copies else None,
        held_out=answers.scored if isinstance(answers.scored, Scored) else None,
        **options,
    )
