"""Fitted models as ONNX graphs of standard operators.

All arithmetic that this package writes is in double precision, so that labels are the same as
here. (The converters of skl2onnx compute SVCs and the values of trees in single precision, and have
no double-precision kernels for imputers and polynomials to run on; they serve other members.)
"""

from ._exporting import to_onnx

__all__ = ["to_onnx"]
