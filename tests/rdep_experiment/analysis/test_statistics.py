"""Statistics against SciPy, baycomp, brute force and tables in the literature."""

from itertools import combinations, permutations, product

import baycomp
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rdep_experiment.analysis import _statistics as statistics
from rdep_experiment.analysis._tables import published


@pytest.fixture(scope="module")
def means():
    return published()[0]


def random_means(seed, n_datasets=12, n_classifiers=5, decimals=None):
    rng = np.random.default_rng(seed)
    values = rng.random((n_datasets, 1)) + 0.1 * rng.normal(size=(n_datasets, n_classifiers))
    values += np.linspace(0, 0.2, n_classifiers)
    names = list("abcdefgh"[:n_classifiers])
    return pd.DataFrame(values if decimals is None else values.round(decimals), columns=names)


def related(names, pairs):
    relation = pd.DataFrame(False, index=list(names), columns=list(names))
    for first, second in pairs:
        relation.loc[first, second] = True
    return relation


TESTS = [
    statistics.ranks,
    statistics.win_tie_loss,
    statistics.one_sided_t,
    statistics.wilcoxon_holm,
    statistics.friedman,
]


@pytest.mark.parametrize("function", TESTS)
def test_missing_cells_are_refused_by_name(means, function):
    gaps = means.copy()
    gaps.loc["Sick", "dep"] = np.nan
    gaps.loc["Banana", "rbf_svc"] = np.nan
    with pytest.raises(
        ValueError, match=r"Banana / rbf_svc, Sick / dep, and data sets are not dropped"
    ):
        function(gaps)


@pytest.mark.parametrize("function", TESTS[2:])
def test_four_data_sets_are_too_few(means, function):
    with pytest.raises(ValueError, match="at least 5 data sets, got 4"):
        function(means.iloc[:4])
    function(means.iloc[:5])


def test_the_bayesian_test_refuses_too():
    with pytest.raises(ValueError, match="at least 5"):
        statistics.bayesian_signed_rank(np.ones(4), np.ones(4))
    with pytest.raises(ValueError, match="missing"):
        statistics.bayesian_signed_rank(np.full(6, np.nan), np.ones(6))
    with pytest.raises(ValueError, match="rope"):
        statistics.bayesian_signed_rank(np.ones(6), np.ones(6), rope=0)


def test_the_papers_hasse_diagram(means):
    beats = statistics.one_sided_t(means, confidence=0.99).beats
    won = {name: set(beats.columns[beats.loc[name]]) for name in beats.index}
    assert won["bagging_rdep"] >= {"linear_svc", "rbf_svc", "poly_svc", "svc_ensemble", "dep"}
    assert won["ensemble_rdep"] >= {"svc_ensemble", "poly_svc", "dep"}
    assert won["dep"] == set()
    assert not any(beats["bagging_rdep"])
    assert not any(beats["ensemble_rdep"])


@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_t_is_scipys(confidence):
    means = random_means(3)
    result = statistics.one_sided_t(means, confidence)
    for a, b in permutations(means.columns, 2):
        expected = stats.ttest_rel(means[a], means[b], alternative="greater").pvalue
        assert result.p_values.loc[a, b] == pytest.approx(expected, rel=1e-9)
        assert result.beats.loc[a, b] == (expected < 1 - confidence)


@pytest.mark.parametrize("seed", range(10))
def test_the_relation_of_t_is_transitive(seed):
    beats = statistics.one_sided_t(random_means(seed, 6, 7), confidence=0.8).beats
    assert beats.any(axis=None)
    assert statistics.hasse(beats).non_transitive == ()


def test_equal_and_shifted_columns_need_no_variance():
    base = random_means(1, n_datasets=20, n_classifiers=1)["a"]
    noise = 1e-16 * np.arange(len(base))
    means = pd.DataFrame({"a": base, "same": base, "rounded": base + noise, "up": base + 0.1})
    student = statistics.one_sided_t(means)
    wilcoxon = statistics.wilcoxon_holm(means)
    for a, b in permutations(["a", "same", "rounded"], 2):
        assert student.p_values.loc[a, b] == wilcoxon.p_values.loc[a, b] == 1
        assert not student.beats.loc[a, b]
        assert not wilcoxon.beats.loc[a, b]
    assert student.beats.loc["up", "a"]
    assert not student.beats.loc["a", "up"]
    assert wilcoxon.beats.loc["up", "a"]


def test_wilcoxon_is_scipys_before_holms_correction():
    means = random_means(5, n_datasets=30, n_classifiers=2)
    result = statistics.wilcoxon_holm(means, confidence=0.95)
    expected = stats.wilcoxon(means["b"], means["a"])
    assert result.p_values.loc["a", "b"] == pytest.approx(expected.pvalue)
    assert result.beats.loc["b", "a"] == (expected.pvalue < 0.05)
    assert not result.beats.loc["a", "b"]


@pytest.mark.parametrize("seed", range(20))
def test_holm_rejects_as_its_step_down_procedure(seed):
    rng = np.random.default_rng(seed)
    p_values = (rng.random(8) ** 4).round(2 if seed % 2 else 8)
    for level in rng.random(20):
        rejected = np.zeros(8, dtype=bool)
        for step, k in enumerate(np.argsort(p_values)):
            if p_values[k] >= level / (8 - step):
                break
            rejected[k] = True
        assert ((statistics.holm(p_values) < level) == rejected).all()


def test_holm_never_adds_a_win(means):
    corrected = statistics.wilcoxon_holm(means).beats
    for a, b in permutations(means.columns, 2):
        if corrected.loc[a, b]:
            test = stats.wilcoxon(
                (means[a] - means[b]).round(12), zero_method="zsplit", alternative="greater"
            )
            assert test.pvalue < 0.01
    # Baggings are not told apart from each other's kernels once all pairs are tested.
    assert not corrected.loc["bagging_rdep", "svc_bagging"]


def test_ranks_by_counting():
    means = random_means(2, n_datasets=7, n_classifiers=4, decimals=1)
    expected = {
        a: np.mean(
            [
                1
                + sum(row[b] > row[a] for b in means)
                + sum(row[b] == row[a] for b in means) / 2
                - 0.5
                for _, row in means.iterrows()
            ]
        )
        for a in means
    }
    assert statistics.ranks(means).to_dict() == pytest.approx(expected)


def test_wins_ties_and_losses_by_counting():
    means = random_means(2, n_datasets=9, n_classifiers=3, decimals=1)
    counts = statistics.win_tie_loss(means)
    assert len(counts) == 6
    for a, b in counts.index:
        pairs = list(zip(means[a], means[b], strict=True))
        expected = [sum(x > y for x, y in pairs), sum(x == y for x, y in pairs)]
        assert counts.loc[(a, b)].tolist() == [*expected, 9 - sum(expected)]


def test_friedman_is_scipys_and_equal_classifiers_are_equal():
    means = random_means(4)
    result = statistics.friedman(means)
    expected = stats.friedmanchisquare(*means.to_numpy().T)
    assert (result.statistic, result.p_value) == pytest.approx(tuple(expected))
    same = pd.DataFrame(dict.fromkeys("xyz", means["a"]))
    assert statistics.friedman(same).p_value == 1
    with pytest.raises(ValueError, match="at least 3 classifiers"):
        statistics.friedman(means[["a", "b"]])


@pytest.mark.parametrize(
    ("n_classifiers", "q_95", "q_90"),
    [
        (2, 1.960, 1.645),
        (3, 2.343, 2.052),
        (5, 2.728, 2.459),
        (8, 3.031, 2.780),
        (10, 3.164, 2.920),
    ],
)
def test_critical_differences_of_demsars_table(n_classifiers, q_95, q_90):
    """Demšar (JMLR 2006), Table 5(a), printed with three decimals."""
    scale = np.sqrt(n_classifiers * (n_classifiers + 1) / (6 * 30))
    for confidence, q in ((0.95, q_95), (0.90, q_90)):
        found = statistics.critical_difference(n_classifiers, 30, confidence)
        assert found / scale == pytest.approx(q, abs=1.5e-3)


@pytest.mark.parametrize("pair", [("bagging_rdep", "rbf_svc"), ("dep", "linear_svc")])
def test_bayesian_probabilities_are_baycomps(means, pair):
    # Off the grid of two decimals, where no sum lies on a bound by rounding alone.
    noise = np.random.default_rng(0).normal(scale=1e-3, size=30)
    x, y = means[pair[0]].to_numpy() + noise, means[pair[1]].to_numpy()
    ours = statistics.bayesian_signed_rank(x, y, rope=0.01)
    theirs = baycomp.SignedRankTest.probs(x, y, rope=0.01, random_state=1)
    assert ours == pytest.approx(theirs, abs=0.02)
    assert sum(ours) == pytest.approx(1)


def test_sums_on_the_bound_of_the_rope_count_half():
    """Multiples of 1/64 are exact: baycomp sees the same ties."""
    x = np.array([1, 1, 2, 0, -1, 1, 3, 1]) / 64
    ours = statistics.bayesian_signed_rank(x, np.zeros(8), rope=1 / 64)
    theirs = baycomp.SignedRankTest.probs(x, np.zeros(8), rope=1 / 64, random_state=1)
    assert ours == pytest.approx(theirs, abs=0.02)
    inside = statistics.bayesian_signed_rank(x, np.zeros(8), rope=1.001 / 64)
    outside = statistics.bayesian_signed_rank(x, np.zeros(8), rope=0.999 / 64)
    assert inside.left + 0.1 < ours.left < outside.left - 0.1


def test_rounding_of_decimals_does_not_leave_the_bound():
    """0.86 − 0.85 is a little more than 0.01."""
    x, y = np.full(10, 0.86), np.full(10, 0.85)
    exact = statistics.bayesian_signed_rank(np.full(10, 1 / 64), np.zeros(10), rope=1 / 64)
    assert statistics.bayesian_signed_rank(x, y, rope=0.01) == exact


def test_bayesian_extremes_and_symmetry():
    x = np.linspace(0.5, 0.9, 20)
    assert statistics.bayesian_signed_rank(x, x) == (0, 1, 0)
    assert statistics.bayesian_signed_rank(x + 0.2, x).left > 0.999
    y = x + 0.015 * np.sin(np.arange(20))
    forth, back = statistics.bayesian_signed_rank(x, y), statistics.bayesian_signed_rank(y, x)
    assert forth == pytest.approx(back[::-1], abs=1e-12)
    assert forth == statistics.bayesian_signed_rank(x, y)
    assert forth != statistics.bayesian_signed_rank(x, y, seed=1)


def test_a_chain_loses_its_shortcut():
    diagram = statistics.hasse(related("abc", ["ab", "bc", "ac"]))
    assert set(diagram.graph.edges) == {("a", "b"), ("b", "c")}
    assert diagram.non_transitive == diagram.cycles == ()


def test_a_missing_pair_is_said_not_invented():
    diagram = statistics.hasse(related("abcd", ["ab", "bc", "cd", "bd"]))
    assert set(diagram.graph.edges) == {("a", "b"), ("b", "c"), ("c", "d")}
    assert set(diagram.non_transitive) == {("a", "b", "c"), ("a", "b", "c", "d")}


@pytest.mark.parametrize("pairs", [["ab", "ba"], ["ab", "bc", "ca"]])
def test_circles_are_said_and_kept(pairs):
    diagram = statistics.hasse(related("abc", pairs))
    assert set(diagram.graph.edges) == {tuple(pair) for pair in pairs}
    assert diagram.cycles == (tuple(sorted(set("".join(pairs)))),)


def test_nothing_beats_itself():
    with pytest.raises(ValueError, match="diagonal"):
        statistics.hasse(related("ab", ["aa"]))


def test_every_order_of_four_is_reduced_to_its_covering_pairs():
    """All relations between 4 that go down, by brute force: a pair goes if a detour exists."""
    names = "abcd"
    downward = list(combinations(names, 2))
    for chosen in product([False, True], repeat=len(downward)):
        pairs = {pair for pair, keep in zip(downward, chosen, strict=True) if keep}
        diagram = statistics.hasse(related(names, pairs))
        edges = set(diagram.graph.edges)
        assert edges <= pairs

        def reaches(a, b, steps):
            return (a, b) in steps or any((a, m) in steps and reaches(m, b, steps) for m in names)

        detours = {(a, b) for a, b in pairs if reaches(a, b, pairs - {(a, b)})}
        assert edges == pairs - detours
        implied = {(a, b) for a, b in downward if reaches(a, b, pairs)}
        assert {(path[0], path[-1]) for path in diagram.non_transitive} == implied - pairs
