"""DEPs fitted by passes over blocks, against DEPs fitted to arrays."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from rdep import DEPClassifier
from rdep._base._passes import ListOfBlocks
from rdep.exceptions import DegenerateFitWarning
from rdep.model_files import load_model, save_model
from rdep.perceptrons import _dep_passes, fit_dep_by_passes
from rdep.training import _passes


def overlapping(m=4000, n=3, seed=0):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(m) < 0.3, 1.0, -1.0)
    return rng.normal(size=(m, n)) + 0.8 * y[:, None], y


def objective(dep, name):
    return getattr(dep, f"{name}_result_").objective


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"class_weight": "balanced", "margin": 0.25},
        {"class_weight": {"no": 3.0}, "beta_loss": "squared_hinge"},
        {"beta": 0.3, "n_init": "auto"},
        {"reference": "zero", "C": 0.1},
    ],
)
def test_it_is_the_fit_to_arrays(parameters):
    X, signs = overlapping()
    X = np.column_stack([X, np.full(len(X), 0.5)])  # the last feature is ignored
    weights = np.random.default_rng(1).integers(0, 3, len(X)).astype(float)
    passes = ListOfBlocks.of_arrays(X, signs, weights, n_rows=300)
    classes = np.array(["no", "yes"])
    # All rows are in the sample: both start at the same point.
    dep = fit_dep_by_passes(DEPClassifier(**parameters), passes, classes, n_start=10_000)
    peer = DEPClassifier(**parameters).fit(X, np.where(signs > 0, "yes", "no"), weights)
    for name in ("dilation", "erosion"):
        assert objective(dep, name) == pytest.approx(objective(peer, name), rel=1e-12)
        ours, theirs = (getattr(model, f"{name}_weights_") for model in (dep, peer))
        assert np.allclose(ours, theirs, rtol=0, atol=1e-12)
        result = getattr(dep, f"{name}_result_")
        assert len(result.kept) == result.n_iter
        assert result.converged
        assert result.boundary_share == pytest.approx(
            getattr(peer, f"{name}_result_").boundary_share, abs=1e-12
        )
    assert dep.beta_ == pytest.approx(peer.beta_, abs=1e-10)
    assert dep.beta_interval_ == pytest.approx(peer.beta_interval_, abs=1e-10)
    assert dep.prior_ == pytest.approx(peer.prior_, rel=1e-12)
    assert np.allclose(dep.decision_function(X), peer.decision_function(X), atol=1e-10)
    assert np.array_equal(dep.predict(X), peer.predict(X))
    assert "DEPClassifier" in str(dep.summary())


def test_from_a_sample_it_ends_where_a_descent_on_all_rows_ends():
    X, signs = overlapping(30_000)
    passes = ListOfBlocks.of_arrays(X, signs, n_rows=1000)
    dep = fit_dep_by_passes(DEPClassifier(), passes, [-1, 1], n_start=2000)
    for name, weights in (("dilation", dep.dilation_weights_), ("erosion", dep.erosion_weights_)):
        result = getattr(dep, f"{name}_result_")
        assert result.start_samples == 2000
        assert max(result.kept) < len(X) / 5
        start = dict.fromkeys(("dilation", "erosion"), result.weights)
        assert result.history[-1] < result.history[0]
        peer = DEPClassifier(escape=False)
        peer.classes_, peer.n_features_in_ = np.array([-1, 1]), X.shape[1]
        peer._fit_binary(X, signs, None, start=start)
        assert objective(peer, name) == pytest.approx(result.objective, rel=1e-12)
        assert np.allclose(getattr(peer, f"{name}_weights_"), weights, atol=1e-12)


def test_objectives_are_those_of_the_formula():
    X, signs = overlapping(3000)
    weight = np.random.default_rng(4).uniform(0, 2, len(X))
    passes = ListOfBlocks.of_arrays(X, signs, weight, n_rows=400)
    dep = fit_dep_by_passes(DEPClassifier(C=0.05, margin=0.2), passes, [-1, 1], n_start=500)
    share = np.where(signs > 0, *(weight / weight[signs == s].sum() for s in (1, -1)))
    squares = (X - np.average(X, axis=0, weights=weight)) ** 2
    margin = 0.2 * np.sqrt(np.average(squares, axis=0, weights=weight).mean())
    dilated = (X + dep.dilation_weights_).max(axis=1)
    eroded = (X + dep.erosion_weights_).min(axis=1)

    def loss(values):
        return share @ np.maximum(margin - signs * values, 0)

    for weights, values, reference, result in (
        (dep.dilation_weights_, dilated, -X[signs < 0].max(axis=0) - margin, dep.dilation_result_),
        (dep.erosion_weights_, eroded, margin - X[signs > 0].min(axis=0), dep.erosion_result_),
    ):
        objective = loss(values) + 0.05 * np.abs(weights - reference).sum()
        assert result.objective == pytest.approx(objective, rel=1e-12)
        assert len(result.kept) <= 3
    losses = [loss(b * dilated + (1 - b) * eroded) for b in np.linspace(0, 1, 2001)]
    assert loss(dep.beta_ * dilated + (1 - dep.beta_) * eroded) <= min(losses) + 1e-12


def test_it_does_not_depend_on_the_blocks():
    X, signs = overlapping(10_000)
    fits = [
        fit_dep_by_passes(
            DEPClassifier(), ListOfBlocks.of_arrays(X, signs, n_rows=n), [-1, 1], n_start=1000
        )
        for n in (700, 10_000)
    ]
    for name in ("dilation_weights_", "erosion_weights_", "beta_"):
        assert np.allclose(*(getattr(fit, name) for fit in fits), rtol=1e-10, atol=1e-12)


def test_raw_features_never_end_above_the_sample():
    rng = np.random.default_rng(2)
    signs = np.where(rng.random(20_000) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(20_000, 10)) + 0.3 * signs[:, None]
    passes = ListOfBlocks.of_arrays(X, signs, n_rows=2000)
    dep = fit_dep_by_passes(DEPClassifier(), passes, [-1, 1], n_start=1000)
    for result in (dep.dilation_result_, dep.erosion_result_):
        assert (np.diff(result.history) <= 1e-12).all()
        assert result.history[-1] < result.history[0]
        assert result.converged


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"weighting": "distance"}, "weighting='distance' needs all rows in memory"),
        ({"joint": True}, "joint=True needs"),
        ({"solver": "highs"}, "solver='highs' needs"),
        ({"monotonic_cst": "auto"}, "monotonic_cst='auto' needs"),
        ({"monotonic_cst": np.ones(3)}, "monotonic_cst=array.*needs"),
        ({"beta_holdout": 0.2}, "beta_holdout=0.2 needs"),
    ],
)
def test_what_needs_memory_is_refused(parameters, message):
    X, signs = overlapping(100)
    passes = ListOfBlocks.of_arrays(X, signs)
    with pytest.raises(ValueError, match=message):
        fit_dep_by_passes(DEPClassifier(**parameters), passes, [-1, 1])


def test_rows_that_cannot_be_trained_on_are_named():
    X, signs = overlapping(100)
    with pytest.raises(ValueError, match="no row of positive weight is of the positive class"):
        fit_dep_by_passes(DEPClassifier(), ListOfBlocks.of_arrays(X, -np.ones(100)), [-1, 1])
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="values are missing"):
        fit_dep_by_passes(DEPClassifier(), ListOfBlocks.of_arrays(X, signs), [-1, 1])


def test_too_many_ties_are_an_error_that_names_the_memory():
    rng = np.random.default_rng(3)
    signs = np.where(rng.random(4000) < 0.5, 1.0, -1.0)
    X = rng.integers(0, 4, size=(4000, 8)) + (signs > 0)[:, None]
    passes = ListOfBlocks.of_arrays(X.astype(float), signs, n_rows=1000)
    with pytest.raises(ValueError, match="needs more memory.*max_kept"):
        fit_dep_by_passes(DEPClassifier(), passes, [-1, 1], n_start=500, max_kept=50)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateFitWarning)
        dep = fit_dep_by_passes(DEPClassifier(), passes, [-1, 1], n_start=500)
    assert dep.dilation_result_.converged


def test_a_descent_that_needs_more_passes_warns(monkeypatch):
    monkeypatch.setattr(_passes, "MOST_PASSES", 1)
    monkeypatch.setattr(_dep_passes, "MOST_PASSES", 1)
    rng = np.random.default_rng(2)
    signs = np.where(rng.random(20_000) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(20_000, 10)) + 0.3 * signs[:, None]
    passes = ListOfBlocks.of_arrays(X, signs, n_rows=2000)
    with pytest.warns(ConvergenceWarning, match="still descending after 1 passes: .*max_kept"):
        dep = fit_dep_by_passes(DEPClassifier(beta=0.5), passes, [-1, 1], n_start=1000)
    assert dep.dilation_result_.status == "iteration limit"
    assert dep.dilation_result_.history[-1] < dep.dilation_result_.history[0]


def test_model_files_keep_the_record(tmp_path):
    X, signs = overlapping(1000)
    passes = ListOfBlocks.of_arrays(X, signs, n_rows=300)
    dep = fit_dep_by_passes(DEPClassifier(), passes, ["no", "yes"])
    save_model(dep, tmp_path / "dep.rdep")
    loaded = load_model(tmp_path / "dep.rdep").estimator
    assert tuple(loaded.dilation_result_.kept) == dep.dilation_result_.kept
    assert np.array_equal(loaded.predict(X), dep.predict(X))
