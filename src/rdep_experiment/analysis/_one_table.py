"""Classifiers compared on one data set, over the folds of its cross-validation."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from rdep._utils._imports import optional

from . import _statistics as statistics
from . import _tables as tables

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = optional("pandas", "the analysis of scores", "cli")


def fold_scores(rows: Iterable[tables.Row], protocol: tables.RunDescription) -> pd.DataFrame:
    """Main metric, folds × classifiers, for the classifiers with all folds."""
    (dataset,) = protocol["datasets"]
    cells = tables.successful_folds(tables.within(protocol, rows))
    expected = protocol["n_folds"] * protocol["repeats"]
    columns = {}
    for classifier in protocol["classifiers"]:
        folds = cells.get((dataset, classifier), {})
        scores = [row["scores"][protocol["metric"]] for row in folds.values()]
        if len(scores) == expected and None not in scores:
            columns[classifier] = scores
    return pd.DataFrame(columns, dtype=float)


def corrected_resampled_t(
    scores: pd.DataFrame, n_folds: int, confidence: float = 0.95
) -> pd.DataFrame:
    r"""Two-sided corrected resampled t-test of all pairs of classifiers on one data set.

    Training sets of different folds overlap. The differences :math:`d_1, \dots, d_k` of two
    classifiers over all folds and repeats are therefore not independent, and an ordinary t-test
    finds differences that do not exist. Nadeau and Bengio replace the variance of the mean by

    .. math:: \left(\frac1k + \frac{n_{test}}{n_{train}}\right) \hat\sigma^2, \qquad
              \frac{n_{test}}{n_{train}} = \frac{1}{n_{folds} - 1}

    with k - 1 degrees of freedom. Holm's correction accounts for the number of pairs.

    Parameters
    ----------
    scores : pandas.DataFrame
        Scores, folds (of all repeats) × classifiers.
    n_folds : int
        Number of folds of one cross-validation.
    confidence : float, default=0.95
        Confidence level of each single interval.

    Returns
    -------
    pandas.DataFrame
        One row for each pair, the better classifier first: ``difference`` of the means, its
        interval from ``low`` to ``high``, ``p`` and ``holm_p``.

    References
    ----------
    C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.

    R. R. Bouckaert and E. Frank, "Evaluating the replicability of significance tests for comparing
    learning algorithms", PAKDD 2004.
    """
    count = len(scores)
    order = scores.mean().sort_values(ascending=False, kind="stable").index
    quantile = stats.t.ppf((1 + confidence) / 2, count - 1)
    records = []
    for first, second in combinations(order, 2):
        differences = statistics.differences(scores, first, second)
        mean, error = differences.mean(), 0.0
        if np.ptp(differences) == 0:  # there is no variance to divide by
            p_value = 1.0 if mean == 0 else 0.0
        else:
            error = np.sqrt((1 / count + 1 / (n_folds - 1)) * differences.var(ddof=1))
            p_value = 2 * stats.t.sf(abs(mean) / error, count - 1)
        half = quantile * error
        records.append((first, second, mean, mean - half, mean + half, p_value))
    frame = pd.DataFrame(records, columns=["first", "second", "difference", "low", "high", "p"])
    frame["holm_p"] = statistics.holm(frame["p"].to_numpy(float))
    return frame
