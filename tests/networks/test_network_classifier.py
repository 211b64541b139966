"""Networks as classifiers: training, weights, warm start, files, ONNX, bad input."""

import warnings

import numpy as np
import onnx
import pytest
import torch
from onnxruntime import InferenceSession
from sklearn.base import clone
from sklearn.datasets import load_iris, make_circles
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from torch import nn

from rdep import DEPClassifier, all_estimators
from rdep.datasets import load_ripley
from rdep.display import LossDisplay
from rdep.model_files import load_model, save_model
from rdep.networks import MorphologicalNetworkClassifier
from rdep.networks._network_classifier import ARCHITECTURES
from rdep.networks.layers import DEP, MaxPlus, MinPlus, dep_classifier, dep_layer
from rdep.onnx import to_onnx

QUICK = {"units": (8,), "max_epochs": 5, "random_state": 0}


@pytest.fixture(scope="module")
def ripley():
    return load_ripley()


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), np.array(["setosa", "versicolor", "virginica"])[y]


def quick(architecture="dense", **parameters):
    return MorphologicalNetworkClassifier(architecture, **{**QUICK, **parameters})


WEIGHTS = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)
BATCHES = "repeated rows come into other batches, and other samples are held out, than with weights"


def expected_failures(estimator):
    return dict.fromkeys(WEIGHTS, BATCHES)


@parametrize_with_checks(
    [MorphologicalNetworkClassifier(units=(16,), max_epochs=60, random_state=0)],
    expected_failed_checks=expected_failures,
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


CORRELATIONAL = MorphologicalNetworkClassifier(
    "min-max-plus", optimiser="correlational", units=(16,), max_epochs=60, random_state=0,
    early_stopping=False,
)  # fmt: skip


@pytest.mark.slow
@parametrize_with_checks([CORRELATIONAL], expected_failed_checks=expected_failures)
def test_scikit_learns_checks_of_correlational_training(estimator, check):
    check(estimator)


def test_it_is_registered():
    assert dict(all_estimators("classifier"))["MorphologicalNetworkClassifier"]


@pytest.mark.parametrize(
    ("architecture", "parameters"),
    [(name, {}) for name in ARCHITECTURES if name != "dep"]
    + [("min-max-plus", {"optimiser": "correlational"}), ("dense", {"units": (8, 8)}),
       ("dense", {"temperature": 0.1}), ("dense", {"loss": "squared"})],
)  # fmt: skip
def test_every_architecture_learns(ripley, architecture, parameters):
    """A linear classifier has 0.89 on these samples, the best possible one 0.92."""
    X, X_test, y, y_test = ripley
    scaler = StandardScaler().fit(X)
    network = MorphologicalNetworkClassifier(
        architecture, **{"units": (16,), "max_epochs": 60, "random_state": 0, **parameters}
    ).fit(scaler.transform(X), y)
    assert network.score(scaler.transform(X_test), y_test) > 0.83
    assert network.loss_curve_[-1] < network.loss_curve_[0]


def test_a_dense_network_solves_what_no_line_does():
    X, y = make_circles(300, noise=0.05, factor=0.4, random_state=0)
    network = quick(units=(8,), max_epochs=100).fit(X, y)
    assert network.score(X, y) > 0.95


def test_a_dense_network_has_as_many_parameters_as_published(iris):
    network = quick(units=(10,)).fit(*iris)
    assert sum(values.size for values in network.weights_.values()) == 10 * (4 + 1) + 10 * 3


def test_decision_values_are_those_of_the_module(iris, ripley):
    for X, y in (iris, ripley[::2]):
        network = quick().fit(X, y)
        with torch.no_grad():
            values = network.module().double()(torch.from_numpy(np.asarray(X))).numpy()
        expected = values if values.shape[1] > 2 else values[:, 1] - values[:, 0]
        np.testing.assert_allclose(network.decision_function(X), expected, atol=1e-12)
        shares = np.exp(values) / np.exp(values).sum(1, keepdims=True)
        np.testing.assert_allclose(network.predict_proba(X), shares, atol=1e-9)


def test_equal_seeds_give_equal_weights_and_leave_the_users_generator_alone(ripley):
    X, _, y, _ = ripley
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    first, second = quick().fit(X, y), quick().fit(X, y)
    assert torch.equal(torch.rand(1), expected)
    for name, values in first.weights_.items():
        np.testing.assert_array_equal(values, second.weights_[name])
    other = quick(random_state=1).fit(X, y)
    assert any((values != other.weights_[name]).any() for name, values in first.weights_.items())


def test_the_best_weights_of_the_validation_are_kept(ripley):
    X, _, y, _ = ripley
    network = quick(max_epochs=60, learning_rate=0.3, n_iter_no_change=3, units=(32,)).fit(X, y)
    curve = network.validation_loss_curve_
    assert network.best_epoch_ == np.argmin(curve) + 1
    assert network.n_iter_ == len(curve) == network.best_epoch_ + 3  # stopped 3 epochs later
    # Trained that long and no longer, it has the same weights.
    again = clone(network).set_params(max_epochs=network.best_epoch_).fit(X, y)
    for name, values in network.weights_.items():
        np.testing.assert_array_equal(values, again.weights_[name])


@pytest.mark.parametrize("score", ["accuracy", "balanced_accuracy"])
def test_validation_by_a_score(ripley, score):
    X, _, y, _ = ripley
    network = quick(validation_score=score).fit(X, y)
    assert network.best_epoch_ == np.argmax(network.validation_score_curve_) + 1


def test_a_warm_start_goes_on_where_the_fit_before_ended(ripley):
    X, _, y, _ = ripley
    network = quick(warm_start=True, early_stopping=False, max_epochs=20).fit(X, y)
    first = network.loss_curve_
    assert network.fit(X, y).loss_curve_[0] < first[len(first) // 2]
    with pytest.raises(ValueError, match="do not fit the network"):
        network.fit(X[:, :1], y)
    assert network.predict(X).shape == y.shape  # the failed fit has changed nothing


def test_a_class_that_weighs_more_is_predicted_more_often(ripley):
    X, _, y, _ = ripley
    shares = [
        (quick(class_weight=weights, max_epochs=30).fit(X, y).predict(X) == 1).mean()
        for weights in ({0: 10}, None, {1: 10})
    ]
    assert shares[0] < shares[1] < shares[2]


def test_weights_of_classes_and_samples_are_the_same(ripley):
    X, _, y, _ = ripley
    by_class = quick(class_weight={1: 3.0}).fit(X, y)
    by_sample = quick().fit(X, y, np.where(y == 1, 3.0, 1.0))
    for name, values in by_class.weights_.items():
        np.testing.assert_allclose(values, by_sample.weights_[name], atol=1e-6)


def test_samples_with_zero_weight_are_ignored(ripley):
    X, _, y, _ = ripley
    more, labels = np.vstack([X, 100 + X[:5]]), np.concatenate([y, 1 - y[:5]])
    weights = np.concatenate([np.ones(len(X)), np.zeros(5)])
    expected, found = quick().fit(X, y), quick().fit(more, labels, weights)
    np.testing.assert_array_equal(found.decision_function(X), expected.decision_function(X))


def test_correlational_training_keeps_the_maxima_of_rows_at_zero(ripley):
    X, _, y, _ = ripley
    module = quick("min-max-plus", optimiser="correlational").fit(X, y).module()
    for layer in module:
        if isinstance(layer, MinPlus):
            assert layer.weight.amin(1).abs().max() < 1e-6
        elif isinstance(layer, MaxPlus):
            assert layer.weight.amax(1).abs().max() < 1e-6


def test_beta_stays_between_0_and_1(ripley):
    X, _, y, _ = ripley
    beta = quick("dep", learning_rate=0.5, max_epochs=20).fit(X, y).weights_["0.beta"]
    assert ((beta >= 0) & (beta <= 1)).all()


def test_as_many_threads_as_asked_for_and_as_before_afterwards(ripley):
    X, _, y, _ = ripley
    seen = []

    class Counting(nn.Linear):
        def forward(self, x):
            seen.append(torch.get_num_threads())
            return super().forward(x)

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        quick(Counting(2, 2), n_jobs=2, max_epochs=1).fit(X, y)
        assert set(seen[1:]) == {2}
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


def test_a_module_of_the_user_is_trained_from_its_weights_and_left_as_it_is(ripley):
    X, _, y, _ = ripley
    torch.manual_seed(0)
    module = nn.Sequential(MaxPlus(2, 6, bias=True), nn.Linear(6, 2))
    before = {name: value.clone() for name, value in module.state_dict().items()}
    network = quick(module, learning_rate=1e-9, max_epochs=1).fit(X, y)
    assert all(torch.equal(value, before[name]) for name, value in module.state_dict().items())
    for name, values in network.weights_.items():
        np.testing.assert_allclose(values, before[name].numpy(), atol=1e-6)


def test_state_goes_out_and_in(ripley, tmp_path):
    X, _, y, _ = ripley
    trained, other = quick().fit(X, y), quick(random_state=3).fit(X, y)
    torch.save(trained.state_dict(), tmp_path / "state.pt")
    other.load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    np.testing.assert_array_equal(other.decision_function(X), trained.decision_function(X))
    with pytest.raises(ValueError, match="do not fit the network"):
        other.load_state_dict({"nothing": torch.zeros(1)})


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_model_files_hold_arrays_only(iris, tmp_path, architecture):
    X, y = iris
    network = make_pipeline(StandardScaler(), quick(architecture)).fit(X, y)
    save_model(network, tmp_path / "network.rdep")
    loaded = load_model(tmp_path / "network.rdep").estimator
    np.testing.assert_array_equal(loaded.decision_function(X), network.decision_function(X))


def test_a_module_of_the_user_is_no_array(ripley, tmp_path):
    X, _, y, _ = ripley
    network = quick(nn.Linear(2, 2)).fit(X, y)
    with pytest.raises(ValueError, match="safe model file cannot hold"):
        save_model(network, tmp_path / "network.rdep")


ONNX_CASES = [
    *((name, {}) for name in ARCHITECTURES),
    ("dense", {"units": (5, 4)}),
    ("dense", {"units": (1,)}),
    ("dense", {"temperature": 0.5}),
    ("hybrid-box-linear", {"units": (5, 4), "temperature": 0.5}),
]


@pytest.mark.parametrize("data", ["iris", "ripley"])
@pytest.mark.parametrize(("architecture", "parameters"), ONNX_CASES)
def test_onnx_gives_the_same(request, data, architecture, parameters):
    X, y = request.getfixturevalue(data) if data == "iris" else load_ripley()[::2]
    network = quick(architecture, **parameters).fit(X, y)
    session = InferenceSession(to_onnx(network).SerializeToString())
    prediction, score = session.run(None, {"X": np.asarray(X, dtype=float)})
    expected = network.decision_function(X)
    np.testing.assert_allclose(score.reshape(expected.shape), expected, rtol=0, atol=1e-10)
    np.testing.assert_array_equal(prediction, network.predict(X))


def test_a_layer_that_is_not_known_has_no_onnx(ripley):
    X, _, y, _ = ripley
    network = quick(nn.Sequential(nn.Linear(2, 2), nn.GELU())).fit(X, y)
    with pytest.raises(ValueError, match="layer GELU cannot be written"):
        to_onnx(network)


@pytest.mark.filterwarnings("ignore")  # PyTorch's exporter has warnings of its own
@pytest.mark.parametrize("architecture", ["dense", "hybrid-linear-box", "max-min-plus", "dep"])
def test_onnx_by_pytorch_gives_the_same(iris, architecture, tmp_path):
    X, y = iris
    network = quick(architecture).fit(X, y)
    module, path = network.module().double(), tmp_path / "torch.onnx"
    torch.onnx.export(module, (torch.from_numpy(X),), path, dynamo=True, verbose=False)
    (theirs,) = InferenceSession(onnx.load(path).SerializeToString()).run(
        None, {InferenceSession(path).get_inputs()[0].name: X}
    )
    _, ours = InferenceSession(to_onnx(network).SerializeToString()).run(None, {"X": X})
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-6)


def test_the_loss_is_drawn(ripley):
    X, _, y, _ = ripley
    network = quick().fit(X, y)
    display = LossDisplay.from_estimator(network)
    np.testing.assert_array_equal(display.ax_.lines[0].get_ydata(), network.loss_curve_)
    np.testing.assert_array_equal(display.ax_.lines[1].get_ydata(), network.validation_loss_curve_)
    alone = LossDisplay.from_estimator(quick(early_stopping=False).fit(X, y))
    assert len(alone.ax_.lines) == 1
    with pytest.raises(TypeError, match="does not draw a DEPClassifier"):
        LossDisplay.from_estimator(DEPClassifier().fit(X, y))


class TestConversion:
    """A DEP by CCP as a layer, a layer as a DEP."""

    def test_there_and_back(self, ripley):
        X, X_test, y, _ = ripley
        dep = DEPClassifier().fit(X, y)
        layer = dep_layer(dep)
        with torch.no_grad():
            np.testing.assert_allclose(
                layer(torch.from_numpy(X_test)).numpy()[:, 0], dep.decision_function(X_test)
            )
        back = dep_classifier(layer, dep.classes_)
        np.testing.assert_array_equal(back.decision_function(X_test), dep.decision_function(X_test))
        np.testing.assert_array_equal(back.dilation_weights_, dep.dilation_weights_)
        assert "β = " in back.summary()
        assert back.explain(X_test[:2]) is not None

    def test_with_more_than_two_classes(self, iris):
        X, y = iris
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            dep = DEPClassifier().fit(X, y)
        layer = dep_layer(dep)
        assert layer.out_features == 3
        back = dep_classifier(layer, dep.classes_)
        np.testing.assert_array_equal(back.decision_function(X), dep.decision_function(X))

    def test_fine_tuning_lowers_the_loss_from_where_ccp_ended(self, ripley):
        X, _, y, _ = ripley
        dep = DEPClassifier().fit(X, y)
        signs = 2 * y - 1

        def loss(model):
            return np.maximum(0, 1 - signs * model.decision_function(X)).mean()

        tuned = MorphologicalNetworkClassifier(
            dep_layer(dep), loss="hinge", early_stopping=False, max_epochs=30, learning_rate=0.01,
            random_state=0,
        ).fit(X, y)  # fmt: skip
        assert tuned.loss_curve_[0] < 1.1 * loss(dep)
        assert loss(tuned) < loss(dep)
        back = dep_classifier(tuned.module(), tuned.classes_)
        np.testing.assert_allclose(back.decision_function(X), tuned.decision_function(X))

    def test_files_and_onnx_of_what_was_a_layer(self, ripley, tmp_path):
        X, _, y, _ = ripley
        model = dep_classifier(dep_layer(DEPClassifier(beta=0.4).fit(X, y)), [0, 1])
        assert model.beta == pytest.approx(0.4)
        save_model(model, tmp_path / "dep.rdep")
        loaded = load_model(tmp_path / "dep.rdep").estimator
        np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
        session = InferenceSession(to_onnx(model).SerializeToString())
        np.testing.assert_array_equal(session.run(None, {"X": X})[0], model.predict(X))

    def test_negated_features_are_refused(self, ripley):
        X, _, y, _ = ripley
        dep = DEPClassifier(monotonic_cst=[1, -1]).fit(X, y)
        with pytest.raises(ValueError, match="negates some features"):
            dep_layer(dep)

    def test_outputs_that_do_not_fit_the_classes(self):
        with pytest.raises(ValueError, match="layer of 2 outputs"):
            dep_classifier(DEP(3, 2), [0, 1])


class TestBadInput:
    def test_one_class(self, ripley):
        X, *_ = ripley
        with pytest.raises(ValueError, match="one class only"):
            quick().fit(X, np.zeros(len(X)))

    def test_a_module_that_does_not_take_the_features(self, ripley):
        X, _, y, _ = ripley
        with pytest.raises(ValueError, match="samples with 2 features"):
            quick(MaxPlus(3, 2)).fit(X, y)

    def test_a_module_with_other_outputs(self, ripley, iris):
        X, _, y, _ = ripley
        with pytest.raises(ValueError, match=r"\(n, 5\), but \(n, 2\) or \(n, 1\) is needed"):
            quick(MaxPlus(2, 5)).fit(X, y)
        with pytest.raises(ValueError, match=r"\(n, 1\), but \(n, 3\) is needed for 3 classes"):
            quick(MaxPlus(4, 1)).fit(*iris)

    def test_a_batch_larger_than_the_data(self, ripley):
        X, _, y, _ = ripley
        with pytest.warns(UserWarning, match="batch_size=999 exceeds .* samples, 212"):
            large = quick(batch_size=999).fit(X, y)
        np.testing.assert_array_equal(
            large.decision_function(X), quick(batch_size=212).fit(X, y).decision_function(X)
        )

    def test_a_loss_that_is_not_a_number_stops_training(self, ripley):
        """The third layer breaks in the third epoch; the best weights before that are kept."""
        X, _, y, _ = ripley

        class Breaking(nn.Linear):
            calls = 0

            def forward(self, x):
                if self.training:
                    Breaking.calls += 1
                return super().forward(x) * (torch.nan if Breaking.calls > 14 else 1)

        module = nn.Sequential(MaxPlus(2, 4), nn.Tanh(), Breaking(4, 2))
        network = quick(module, max_epochs=50)  # 7 batches in an epoch, and one call before
        message = (
            r"the loss became nan in epoch 2, first in layer '2' \(Breaking\): training stopped"
        )
        with pytest.warns(ConvergenceWarning, match=message):
            network.fit(X, y)
        assert network.n_iter_ == len(network.loss_curve_) == 1
        assert all(np.isfinite(values).all() for values in network.weights_.values())
        Breaking.calls = 0
        expected = quick(Breaking(4, 2)).set_params(architecture=module, max_epochs=1).fit(X, y)
        for name, values in network.weights_.items():
            np.testing.assert_array_equal(values, expected.weights_[name])

    def test_huge_samples_are_not_trained_on_silently(self, ripley):
        X, _, y, _ = ripley
        with pytest.warns(ConvergenceWarning, match=r"in epoch 1, first in layer '0\.\w+"):
            network = quick().fit(1e39 * X, y)
        assert all(np.isfinite(values).all() for values in network.weights_.values())

    def test_correlational_training_without_max_plus_layers(self, ripley):
        X, _, y, _ = ripley
        with pytest.raises(ValueError, match="max-plus and min-plus layers"):
            quick("mrl", optimiser="correlational").fit(X, y)

    def test_too_few_samples_to_hold_some_out(self):
        X, y = np.arange(6.0).reshape(3, 2), [0, 1, 1]
        with pytest.raises(ValueError, match="cannot hold out"):
            quick().fit(X, y)
        assert quick(early_stopping=False).fit(X, y).predict(X).shape == (3,)

    @pytest.mark.parametrize("units", [(), (0,), (4, -1)])
    def test_units(self, ripley, units):
        X, _, y, _ = ripley
        with pytest.raises(ValueError, match="units must be"):
            quick(units=units).fit(X, y)

    def test_interrupting(self, ripley):
        X, _, y, _ = ripley

        class Interrupting(nn.Linear):
            def forward(self, x):
                if len(x) > 2:
                    raise KeyboardInterrupt
                return super().forward(x)

        network = quick(Interrupting(2, 2))
        with pytest.raises(KeyboardInterrupt):
            network.fit(X, y)
        assert not hasattr(network, "weights_")
