"""Type aliases of arrays and paths."""

import os

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]
StrPath = str | os.PathLike[str]  # a path that open() accepts
