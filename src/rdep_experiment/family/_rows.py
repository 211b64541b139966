"""One result of a published table, beside what is computed here."""

from __future__ import annotations

from typing import Any


def result(
    source: str,
    data: str,
    quantity: str,
    published: float | None,
    ours: float | None,
    note: str = "",
) -> dict[str, Any]:
    """A row: where the number is from, of which data, which quantity, theirs and ours."""
    return {
        "source": source, "data": data, "quantity": quantity,
        "published": published, "ours": ours, "note": note,
    }  # fmt: skip
