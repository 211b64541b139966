"""Array types by the names that the code uses."""

import os

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]
StrPath = str | os.PathLike[str]  # a file, as open() takes it
