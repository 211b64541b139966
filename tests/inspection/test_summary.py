"""Summaries and representations of the estimators."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.svm import SVC

from rdep import (
    BaggingOrdering,
    BoxesOrdering,
    DEPClassifier,
    EnsembleOrdering,
    MorphologicalPerceptron,
    RDEPClassifier,
    SignedOrdering,
)
from rdep.datasets import load_ripley
from rdep.exceptions import DegenerateFitWarning

MEMBERS = [("round", SVC()), ("straight", SVC(kernel="linear"))]
ESTIMATORS = [
    MorphologicalPerceptron("erosion"),
    DEPClassifier(C=0.1),
    EnsembleOrdering(),
    EnsembleOrdering(MEMBERS),
    BaggingOrdering(n_estimators=2, random_state=0),
    SignedOrdering(),
    BoxesOrdering(),
    RDEPClassifier("ensemble"),
    RDEPClassifier(EnsembleOrdering(MEMBERS), DEPClassifier(margin=0.1)),
]


@pytest.fixture(scope="module")
def ripley():
    X, _, y, _ = load_ripley()
    return X, y


def cells(text, first):
    """The numbers of a line of a table, and its words, by the line's first word."""
    (line,) = [line for line in text.splitlines() if line.split() and line.startswith(first)]
    return line[len(first) :].split()


def test_a_dep_tells_its_weights_by_feature_and_how_training_ended():
    import pandas as pd

    X, _, y, _ = load_ripley()
    X = pd.DataFrame(X * [1, -1], columns=["width", "depth"])
    model = DEPClassifier(monotonic_cst={"depth": -1}).fit(X, y)
    text = model.summary()
    for j, name in enumerate(X.columns):
        w, d_sign, d_side, m, e_sign, e_side = cells(text, name)
        assert float(w) == pytest.approx(model.dilation_weights_[j], rel=1e-3)
        assert float(m) == pytest.approx(model.erosion_weights_[j], rel=1e-3)
        assert (d_sign, e_sign) == (("<", "≥"), (">", "≤"))[j]
        # What the table says of the boxes is what the operators do at their sides.
        turn = model.orientation_[j]
        assert turn * float(d_side) + model.dilation_weights_[j] == pytest.approx(0, abs=1e-3)
        assert turn * float(e_side) + model.erosion_weights_[j] == pytest.approx(0, abs=1e-3)
    assert f"β = {model.beta_:.4g}" in text
    assert cells(text, "status") == ["converged", "converged"]
    objectives = [float(number) for number in cells(text, "objective")]
    assert objectives == pytest.approx(
        [model.dilation_result_.objective, model.erosion_result_.objective], rel=1e-5
    )


def test_the_share_at_the_boundary():
    """Negatives at 0 and 1, a positive at 2: to the letter of the paper the greatest is at zero."""
    with pytest.warns(DegenerateFitWarning, match="25% of the training"):
        model = MorphologicalPerceptron(margin=0.0).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    assert model.result_.boundary_share == 0.25
    assert cells(model.summary(), "at the boundary")[0] == "25.0%"


def test_beta_and_its_interval():
    X, y = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]], [0, 0, 1, 1]
    assert "β = 0.5, the midpoint of [0, 1]" in DEPClassifier().fit(X, y).summary()
    assert "β = 0.25, as given" in DEPClassifier(beta=0.25).fit(X, y).summary()


def test_an_r_dep_names_its_members(ripley):
    model = RDEPClassifier(EnsembleOrdering(MEMBERS)).fit(*ripley)
    text = model.summary()
    assert text.startswith("RDEPClassifier on 2 members of EnsembleOrdering, 0 negative and 1")
    assert float(cells(text, "straight")[0]) == pytest.approx(
        model.dep_.dilation_weights_[1], rel=1e-3
    )


def test_many_features_are_cut_short_and_said_so():
    random = np.random.RandomState(0)
    X = random.normal(size=(40, 30))
    model = DEPClassifier().fit(X, X[:, 0] > 0)
    text = model.summary()
    assert "x19 " in text
    assert "x20 " not in text
    assert "… and 10 more: summary(max_features=30) shows all" in text
    assert "x29 " in model.summary(max_features=30)


def test_more_classes_one_after_the_other():
    X, y = load_iris(return_X_y=True)
    text = RDEPClassifier("ensemble").fit(X, y).summary()
    assert [line for line in text.splitlines() if "against" in line] == [
        f"{label} against the rest" for label in range(3)
    ]
    for label in range(3):
        title = f"RDEPClassifier on 3 members of EnsembleOrdering, the rest negative and {label} "
        assert f"{label} against the rest\n\n{title}positive\n" in text


def test_an_iteration_limit_is_told(ripley):
    with pytest.warns(Warning, match="max_iter=1"):
        model = MorphologicalPerceptron(max_iter=1).fit(*ripley)
    assert cells(model.summary(), "status") == ["iteration", "limit"]


def test_nothing_to_tell_before_a_fit():
    with pytest.raises(NotFittedError):
        DEPClassifier().summary()


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_representations(ripley, estimator):
    """repr makes the estimator again; the page says whether it is fitted."""
    import rdep

    estimator = clone(estimator)
    names = {**vars(rdep), "SVC": SVC}
    again = eval(repr(estimator), names)
    assert repr(again) == repr(estimator)
    assert {k: str(v) for k, v in again.get_params().items()} == {
        k: str(v) for k, v in estimator.get_params().items()
    }
    assert "<span>Not fitted</span>" in estimator._repr_html_()
    before = repr(estimator)
    page = estimator.fit(*ripley)._repr_html_()
    assert repr(estimator) == before
    assert "<span>Fitted</span>" in page
    assert type(estimator).__name__ in page


@pytest.mark.parametrize(("members", "named"), [(None, ["rbf", "poly"]), (MEMBERS, ["straight"])])
def test_an_ensemble_shows_its_members_side_by_side(members, named):
    page = EnsembleOrdering(members)._repr_html_()
    assert "sk-parallel-item" in page
    for name in named:
        assert f"<label>{name}</label>" in page
