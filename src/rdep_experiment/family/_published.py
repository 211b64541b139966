"""Published scores of the family: data files with their sources."""

from __future__ import annotations

import io
from importlib.resources import files
from typing import TYPE_CHECKING

from rdep._utils._imports import optional

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = optional("pandas", "the published scores", "cli")


def published_scores() -> pd.DataFrame:
    """Balanced accuracies of morphological models on the paper's data sets, means of 5 folds.

    Returns
    -------
    pandas.DataFrame
        Data sets × classifiers, by the names of the suite ``family``.

    References
    ----------
    github.com/httplups/morphological-networks, 2021.
    """
    text = read("morphological_networks_2021.csv")
    return pd.read_csv(io.StringIO(text), comment="#", index_col="dataset")


def published_splits() -> pd.DataFrame:
    """Accuracies of the competitive layer on ten splits of data sets of PMLB.

    Returns
    -------
    pandas.DataFrame
        One row for each data set, training and split, with the boxes and the penalty chosen.

    References
    ----------
    I. Cunha and M. E. Valle, "Morphological perceptron with competitive layer: training using
    convex-concave procedure", arXiv:2509.05697, 2025; tables of github.com/mevalle/MPCL-CCP.
    """
    return pd.read_csv(io.StringIO(read("mpcl_ccp_2026.csv")), comment="#")


def read(name: str) -> str:
    """The text of a data file."""
    return files(__package__).joinpath("published", name).read_text("utf-8")
