"""Orderings of the features themselves, against plain arithmetic and plain DEPs."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from rdep import BoxesOrdering, DEPClassifier, RDEPClassifier, SignedOrdering
from rdep.datasets import load_ripley

ORDERINGS = [SignedOrdering(), BoxesOrdering()]
NAMES = ["signed", "boxes"]


@pytest.mark.parametrize("ordering", ORDERINGS, ids=NAMES)
def test_ranges_are_of_the_samples_with_weight(ordering):
    X = np.array([[1.0, -2.0], [3.0, 0.0], [99.0, 99.0], [2.0, 5.0]])
    ordering.fit(X, [0, 1, 0, 0], sample_weight=[1, 2, 0, 1])
    assert ordering.data_min_.tolist() == [1, -2]
    assert ordering.data_max_.tolist() == [3, 5]


def test_names():
    X, y = pd.DataFrame({"age": [1.0, 2.0, 1.5], "income": [5.0, 3.0, 4.0]}), [0, 1, 0]
    signed, boxes = (ordering.fit(X, y) for ordering in (SignedOrdering(), BoxesOrdering()))
    assert signed.get_feature_names_out().tolist() == ["age", "-income"]
    assert boxes.get_feature_names_out().tolist() == ["age", "income", "-age", "-income"]
    frame = BoxesOrdering().set_output(transform="pandas").fit_transform(X, y)
    assert frame["-age"].tolist() == [-1, -2, -1.5]
    boxes.fit(X.to_numpy(), y)
    assert boxes.get_feature_names_out().tolist() == ["x0", "x1", "-x0", "-x1"]
    assert boxes.get_feature_names_out(["a", "b"]).tolist() == ["a", "b", "-a", "-b"]


@pytest.mark.parametrize("ordering", ORDERINGS, ids=NAMES)
def test_three_classes_are_refused(ordering):
    with pytest.raises(ValueError, match="y has 3"):
        ordering.fit(*load_iris(return_X_y=True))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("load", ["ripley", "cancer"])
def test_negating_features_of_the_data_changes_no_prediction(cancer, name, load):
    X, y = cancer if load == "cancer" else load_ripley()[::2]
    X = np.asarray(X)
    signs = np.where(np.arange(X.shape[1]) % 2, 1.0, -1.0)
    expected = RDEPClassifier(name).fit(X, y).predict(X)
    assert np.array_equal(RDEPClassifier(name).fit(X * signs, y).predict(X * signs), expected)


@pytest.mark.parametrize("ordering", [*NAMES, *ORDERINGS], ids=str)
@pytest.mark.parametrize("class_weight", ["balanced", {0: 3.0, 1: 1.0}], ids=str)
def test_class_weights_are_the_deps(ordering, class_weight):
    X, _, y, _ = load_ripley()
    rdep = RDEPClassifier(ordering, class_weight=class_weight).fit(X, y)
    dep = DEPClassifier(margin=0.25, class_weight=class_weight).fit(rdep.reduced_space(X), y)
    expected = dep.decision_function(rdep.reduced_space(X))
    np.testing.assert_allclose(rdep.decision_function(X), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_explanations_and_summaries_go_by_feature_names(cancer, name):
    model = RDEPClassifier(name).fit(*cancer)
    known = {*cancer[0].columns, *("-" + column for column in cancer[0].columns)}
    reasons = model.explain(cancer[0])
    assert {*reasons.dilation_by, *reasons.erosion_by} <= known
    first = "mean radius" if name == "boxes" else "-mean radius"
    assert f"\n{first} " in model.summary()


@pytest.mark.parametrize("name", NAMES)
def test_more_than_two_classes(name):
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = RDEPClassifier(name).fit(X, y)
    assert model.score(X, y) > 0.8
    assert "petal length (cm)" in model.estimators_[2].explain(X).names
