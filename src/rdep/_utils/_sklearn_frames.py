"""Private names of scikit-learn (1.9) that recognise data frames and take rows of anything."""

from sklearn.utils import _safe_indexing
from sklearn.utils._dataframe import is_pandas_df, is_polars_df

__all__ = ["_safe_indexing", "is_pandas_df", "is_polars_df"]
