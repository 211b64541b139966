"""One page, in one file, to look at a model, to try it and to edit it."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._edits import apply_edits as apply_edits
    from ._page import check_has_classes as check_has_classes
    from ._page import to_html as to_html
    from ._report import fit_report as fit_report
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_edits": ("apply_edits",),
            "_page": ("check_has_classes", "to_html"),
            "_report": ("fit_report",),
        },
    )

__all__ = ["apply_edits", "to_html"]
