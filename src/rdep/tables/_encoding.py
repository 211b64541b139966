"""Categories as columns of zeros and ones, named as people read them."""

from __future__ import annotations

import numpy as np
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.validation import check_is_fitted

# No category is called so: in a table an empty cell is a missing one.
MISSING_CATEGORY = ""


def encoded_name(column: str, category: str) -> str:
    """Name of the feature that is 1 where a column holds a category."""
    if category == MISSING_CATEGORY:
        return f"{column} is missing"
    return f"{column}={category}"


class CategoryEncoder(OneHotEncoder):
    """A :class:`~sklearn.preprocessing.OneHotEncoder` whose features read ``colour=red``.

    The empty category stands for missing values; its feature reads ``colour is missing``. The class
    exists for these names: a ``feature_name_combiner`` is a function, which no safe model file can
    hold. Parameters and attributes are those of the ``OneHotEncoder``.

    Examples
    --------
    >>> import pandas as pd
    >>> from rdep.tables import CategoryEncoder
    >>> frame = pd.DataFrame({"colour": ["red", "blue", ""]})
    >>> CategoryEncoder().fit(frame).get_feature_names_out().tolist()
    ['colour is missing', 'colour=blue', 'colour=red']
    """

    __module__ = "rdep.tables"

    def get_feature_names_out(self, input_features=None):
        """Names of the features.

        Parameters
        ----------
        input_features : array-like of str or None, default=None
            Names of the columns; None takes those seen in the fit.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self)
        columns = self.feature_names_in_ if input_features is None else input_features
        return np.array(
            [
                encoded_name(column, category)
                for column, categories in zip(columns, self.categories_, strict=True)
                for category in categories
            ],
            dtype=object,
        )
