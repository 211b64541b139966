"""Export of fitted models as ONNX graphs of standard operators.

All arithmetic that this package writes is in double precision, so that predictions equal those of
the classifiers themselves. (The converters of skl2onnx compute SVCs and the values of trees in
single precision, and have no double-precision kernels for imputers and polynomials; they are used
for other members.)
"""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._exporting import to_onnx as to_onnx
    from ._registering import register_converters as register_converters
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_exporting": ("to_onnx",),
            "_registering": ("register_converters",),
        },
    )

__all__ = [
    "register_converters",
    "to_onnx",
]
