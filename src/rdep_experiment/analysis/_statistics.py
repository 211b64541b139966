"""Statistical comparison of classifiers over multiple data sets.

Every function takes the means of the classifiers, data sets × classifiers, without missing values:
a missing cell is refused, since omitting its data set would change the comparison.

References
----------
J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine
Learning Research 7, 2006.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import stats

from rdep._utils._imports import optional
from rdep._utils._typing import Array

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
else:
    pd = optional("pandas", "the analysis of scores", "cli")

# Minimum for tests: even five equal signs have probability 1/16 by chance.
FEWEST_DATASETS = 5

# Scores are means of ratios: differences beyond this decimal are due to rounding.
_DECIMALS = 12


@dataclass(frozen=True)
class PairedTests:
    """Test of every pair of classifiers.

    Attributes
    ----------
    p_values : pandas.DataFrame
        p-value of each pair.
    beats : pandas.DataFrame
        Whether the row's classifier is significantly better than the column's.
    """

    p_values: pd.DataFrame
    beats: pd.DataFrame


@dataclass(frozen=True)
class FriedmanTest:
    """Friedman's test, with the critical difference of average ranks by Nemenyi's test.

    Attributes
    ----------
    statistic, p_value : float
        Friedman's chi-square statistic and its p-value.
    ranks : pandas.Series
        Average rank of each classifier.
    critical_difference : float
        Minimum difference of average ranks for significance.
    confidence : float
        Confidence level of the critical difference.
    """

    statistic: float
    p_value: float
    ranks: pd.Series
    critical_difference: float
    confidence: float


class Posterior(NamedTuple):
    """Probabilities that the first is better, both are practically equal, the second is better."""

    left: float
    rope: float
    right: float


@dataclass(frozen=True)
class Hasse:
    """Hasse diagram: a relation without the pairs that follow by transitivity.

    Attributes
    ----------
    graph : networkx.DiGraph
        The graph, with edges from the better to the worse. All edges belong to the relation.
    non_transitive : tuple of tuples
        Paths (a, b, …, z) in the graph for which a is *not* related to z, so that the diagram
        suggests more than the relation states.
    cycles : tuple of tuples
        Classifiers that are all above each other. If there are any, the relation is not an order,
        and the graph keeps every pair of it.
    """

    graph: nx.DiGraph
    non_transitive: tuple[tuple[str, ...], ...]
    cycles: tuple[tuple[str, ...], ...]


def ranks(means: pd.DataFrame) -> pd.Series:
    """Average rank of each classifier: 1 is best, equal scores share their ranks."""
    _require_complete(means)
    return means.round(_DECIMALS).rank(axis=1, ascending=False).mean()


def win_tie_loss(means: pd.DataFrame) -> pd.DataFrame:
    """Numbers of data sets on which the first classifier of each pair wins, ties and loses."""
    _require_complete(means)
    pairs = list(permutations(means.columns, 2))
    signs = [np.sign(differences(means, *pair)) for pair in pairs]
    return pd.DataFrame(
        [[int((sign == outcome).sum()) for outcome in (1, 0, -1)] for sign in signs],
        index=pd.MultiIndex.from_tuples(pairs, names=["first", "second"]),
        columns=["wins", "ties", "losses"],
    )


def one_sided_t(means: pd.DataFrame, confidence: float = 0.99) -> PairedTests:
    """Student's one-sided paired t-test of all pairs, without correction, as in the paper.

    Its relation is always transitive: the t of a sum of differences is at least the smaller t of
    both, because means are additive and standard deviations are subadditive.

    Parameters
    ----------
    means : pandas.DataFrame
        Mean scores, data sets × classifiers.
    confidence : float, default=0.99
        Confidence level of each test.

    Returns
    -------
    PairedTests
        p-values, and the pairs with a significant difference.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.
    """
    _require_testable(means)
    p_values = _square(means, 1.0)
    for first, second in permutations(means.columns, 2):
        difference = differences(means, first, second)
        # A constant difference has no variance to divide by.
        if np.ptp(difference) == 0:
            p_values.loc[first, second] = 0.0 if difference[0] > 0 else 1.0
        else:
            test = stats.ttest_1samp(difference, 0.0, alternative="greater")
            p_values.loc[first, second] = test.pvalue
    return PairedTests(p_values, p_values < 1 - confidence)


def wilcoxon_holm(means: pd.DataFrame, confidence: float = 0.99) -> PairedTests:
    """Wilcoxon's signed-rank test of all pairs, two-sided, with Holm's correction.

    Zero differences are evidence for equality: their ranks are split between both signs. The
    p-values are the corrected ones.

    Parameters
    ----------
    means : pandas.DataFrame
        Mean scores, data sets × classifiers.
    confidence : float, default=0.99
        Confidence level of all tests together.

    Returns
    -------
    PairedTests
        Corrected p-values, and the pairs with a significant difference.

    References
    ----------
    J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine
    Learning Research 7, 2006.
    """
    _require_testable(means)
    pairs = list(combinations(means.columns, 2))
    raw, signs = [], []
    for pair in pairs:
        difference = differences(means, *pair)
        raw.append(signed_rank(difference))
        signs.append(np.sign(difference) @ stats.rankdata(np.abs(difference)))
    p_values = _square(means, 1.0)
    beats = _square(means, False)
    for (first, second), p_value, sign in zip(pairs, holm(np.array(raw)), signs, strict=True):
        p_values.loc[first, second] = p_values.loc[second, first] = p_value
        beats.loc[first, second] = p_value < 1 - confidence and sign > 0
        beats.loc[second, first] = p_value < 1 - confidence and sign < 0
    return PairedTests(p_values, beats)


def two_sided_t(difference: Array) -> float:
    """Student's two-sided p-value; constant differences, without variance, are a special case."""
    if np.ptp(difference) == 0:
        return float(difference[0] == 0)
    return float(stats.ttest_1samp(difference, 0.0).pvalue)


def signed_rank(difference: Array) -> float:
    """Wilcoxon's two-sided p-value; zeros are split between both signs."""
    if not difference.any():
        return 1.0
    return float(stats.wilcoxon(difference, zero_method="zsplit").pvalue)


def holm(p_values: Array) -> Array:
    """P-values corrected for their number by Holm's step-down procedure."""
    order = np.argsort(p_values)
    remaining = len(p_values) - np.arange(len(p_values))
    corrected = np.empty(len(p_values))
    corrected[order] = np.minimum(1, np.maximum.accumulate(p_values[order] * remaining))
    return corrected


def friedman(means: pd.DataFrame, confidence: float = 0.95) -> FriedmanTest:
    """Friedman's test of all classifiers at once, with Nemenyi's critical difference.

    Parameters
    ----------
    means : pandas.DataFrame
        Mean scores, data sets × classifiers.
    confidence : float, default=0.95
        Confidence level of the critical difference.

    Returns
    -------
    FriedmanTest
        The test, the average ranks and the critical difference.

    References
    ----------
    J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine
    Learning Research 7, 2006.
    """
    _require_testable(means)
    n_datasets, n_classifiers = means.shape
    if n_classifiers < 3:
        raise ValueError(
            f"Friedman's test compares at least 3 classifiers, got {n_classifiers}: "
            "use one_sided_t or wilcoxon_holm."
        )
    rounded = means.round(_DECIMALS)
    if (rounded.nunique(axis=1) == 1).all():
        statistic, p_value = 0.0, 1.0
    else:
        statistic, p_value = stats.friedmanchisquare(*rounded.to_numpy().T)
    return FriedmanTest(
        float(statistic),
        float(p_value),
        ranks(means),
        critical_difference(n_classifiers, n_datasets, confidence),
        confidence,
    )


def critical_difference(n_classifiers: int, n_datasets: int, confidence: float = 0.95) -> float:
    """Critical difference of average ranks by Nemenyi's test."""
    studentized = stats.studentized_range.ppf(confidence, n_classifiers, np.inf)
    return float(studentized * np.sqrt(n_classifiers * (n_classifiers + 1) / (12 * n_datasets)))


def bayesian_signed_rank(
    x: Array, y: Array, rope: float = 0.01, samples: int = 50_000, seed: int = 0
) -> Posterior:
    r"""Bayesian signed-rank test: probabilities that ``x`` is better, practically equal, or worse.

    The weights of the differences :math:`z_i = x_i - y_i` follow a Dirichlet process whose prior is
    one additional observation :math:`z_0 = 0` of strength 0.5. Each sample of weights counts for
    the largest of

    .. math:: \theta_{left} = \sum_{i,j} w_i w_j [z_i + z_j > 2 \, rope], \quad
              \theta_{right} = \sum_{i,j} w_i w_j [z_i + z_j < -2 \, rope], \quad
              \theta_{rope} = 1 - \theta_{left} - \theta_{right},

    where a sum on the bound counts half.

    Parameters
    ----------
    x, y : arrays of shape (n_datasets,)
        Mean scores of the two classifiers on the same data sets.
    rope : float, default=0.01
        Half-width of the region of practical equivalence; positive.
    samples : int, default=50000
        Number of Monte Carlo samples.
    seed : int, default=0
        Seed of the samples.

    Returns
    -------
    Posterior
        The three probabilities.

    References
    ----------
    A. Benavoli, F. Mangili, G. Corani, M. Zaffalon and F. Ruggeri, "A Bayesian Wilcoxon signed-rank
    test based on the Dirichlet process", ICML 2014.

    A. Benavoli, G. Corani, J. Demšar and M. Zaffalon, "Time for a change: a tutorial for comparing
    multiple classifiers through Bayesian analysis", Journal of Machine Learning Research 18, 2017.
    """
    z = np.round(np.asarray(x, dtype=float) - np.asarray(y, dtype=float), _DECIMALS)
    if not np.isfinite(z).all():
        raise ValueError("Scores are missing: pass both classifiers' scores on all data sets.")
    _require_enough(len(z))
    if rope <= 0:
        raise ValueError(f"rope must be positive, the largest negligible difference; got {rope}.")
    z = np.concatenate([[0.0], z])
    # Both sides are rounded, so that 0.01 + 0.01 is on the bound of 2 · 0.01.
    sums = np.round(z[:, None] + z, _DECIMALS)
    bound = np.round(2 * rope, _DECIMALS)
    strength = np.ones(len(z))
    strength[0] = 0.5
    weights = np.random.default_rng(seed).dirichlet(strength, samples)
    theta = np.empty((samples, 3))
    theta[:, 0] = np.sum(weights @ np.heaviside(sums - bound, 0.5) * weights, axis=1)
    theta[:, 2] = np.sum(weights @ np.heaviside(-sums - bound, 0.5) * weights, axis=1)
    theta[:, 1] = 1 - theta[:, 0] - theta[:, 2]
    return Posterior(*(np.bincount(theta.argmax(axis=1), minlength=3) / samples).tolist())


def hasse(relation: pd.DataFrame) -> Hasse:
    """Hasse diagram of a relation "row beats column"; no pair is added to the relation.

    Parameters
    ----------
    relation : pandas.DataFrame of bool
        The relation, as in ``PairedTests.beats``.

    Returns
    -------
    Hasse
        The diagram, with the paths and cycles that it does not represent faithfully.
    """
    nx = optional("networkx", "a Hasse diagram", "cli")
    itself = [name for name in relation.index if relation.loc[name, name]]
    if itself:
        raise ValueError(
            f"The relation must be irreflexive, but it has {itself} on its diagonal: set it False."
        )
    pairs = [pair for pair in permutations(relation.index, 2) if relation.loc[pair]]
    graph = nx.DiGraph()
    graph.add_nodes_from(relation.index)
    graph.add_edges_from(pairs)
    cycles = tuple(
        tuple(name for name in relation.index if name in component)
        for component in nx.strongly_connected_components(graph)
        if len(component) > 1
    )
    if not cycles:
        graph.remove_edges_from(set(graph.edges) - set(nx.transitive_reduction(graph).edges))
    non_transitive = tuple(
        tuple(nx.shortest_path(graph, first, last))
        for first, last in permutations(relation.index, 2)
        if not relation.loc[first, last] and nx.has_path(graph, first, last)
    )
    return Hasse(graph, non_transitive, cycles)


def differences(means: pd.DataFrame, first: str, second: str) -> Array:
    return np.round((means[first] - means[second]).to_numpy(dtype=float), _DECIMALS)


def _square(means: pd.DataFrame, value: float | bool) -> pd.DataFrame:
    return pd.DataFrame(value, index=list(means.columns), columns=list(means.columns))


def _require_testable(means: pd.DataFrame) -> None:
    _require_complete(means)
    _require_enough(len(means))


def _require_complete(means: pd.DataFrame) -> None:
    gaps = [
        f"{dataset} / {classifier}"
        for dataset, row in means.isna().iterrows()
        for classifier in means.columns[row.to_numpy()]
    ]
    if gaps:
        raise ValueError(
            f"Scores are missing for {', '.join(gaps)}, and data sets are not dropped silently. "
            "Complete the run, or pass complete data sets only and say so."
        )


def _require_enough(n_datasets: int) -> None:
    if n_datasets < FEWEST_DATASETS:
        raise ValueError(
            f"Tests need at least {FEWEST_DATASETS} data sets, got {n_datasets}: run more of them."
        )
