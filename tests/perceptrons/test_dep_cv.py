"""C and margin by cross-validation."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_val_score

from rdep import DEPClassifier, DEPClassifierCV, EnsembleOrdering, RDEPClassifier
from rdep.datasets import load_ripley
from rdep.exceptions import DegenerateFitWarning


@pytest.fixture(scope="module")
def ripley():
    X, _, y, _ = load_ripley()
    return X, y


@pytest.mark.parametrize(("C", "margin"), [(0.3, 0.25), (0.01, 1e-6)])
def test_a_single_candidate_is_a_plain_cross_validation(ripley, C, margin):
    X, y = ripley
    model = DEPClassifierCV(Cs=[C], margins=[margin], cv=4).fit(X, y)
    plain = DEPClassifier(C=C, margin=margin)
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    expected = cross_val_score(plain, X, y, cv=folds, scoring="balanced_accuracy")
    np.testing.assert_array_equal(model.scores_[:, 0, 0], expected)
    plain.fit(X, y)
    np.testing.assert_array_equal(model.dep_.dilation_weights_, plain.dilation_weights_)
    np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(X))
    assert (model.C_, model.margin_) == (C, margin)


def test_the_best_mean_wins_and_the_stiffer_of_equals(ripley):
    X, y = ripley
    model = DEPClassifierCV().fit(X, y)
    mean = model.scores_.mean(axis=0)
    assert mean.shape == (len(model.margins), len(model.Cs))
    place = list(model.margins).index(model.margin_), list(model.Cs).index(model.C_)
    assert mean[place] == mean.max()
    # Far beyond any data all candidates are alike: the reference itself.
    same = DEPClassifierCV(Cs=[1e3, 1e4, 1e5], margins=[0.1]).fit(X, y)
    assert np.ptp(same.scores_, axis=2).max() == 0
    assert same.C_ == 1e5


def test_the_order_of_candidates_does_not_matter(ripley):
    X, y = ripley
    forth = DEPClassifierCV(Cs=[1, 0.1, 0.01], margins=[0.25, 1e-6]).fit(X, y)
    back = DEPClassifierCV(Cs=[0.01, 1, 0.1], margins=[1e-6, 0.25]).fit(X, y)
    assert (forth.C_, forth.margin_) == (back.C_, back.margin_)
    np.testing.assert_array_equal(forth.scores_[:, 0, 0], back.scores_[:, 1, 1])
    np.testing.assert_array_equal(forth.dep_.dilation_weights_, back.dep_.dilation_weights_)


def test_the_path_ends_at_minimisers_of_their_own_majorisers(ripley):
    """Wherever a path starts from, its end is certified like any other fit."""
    X, y = ripley
    model = DEPClassifierCV(Cs=[1, 0.1, 0.01, 0.001], margins=[0.25]).fit(X, y)
    for result in (model.dep_.dilation_result_, model.dep_.erosion_result_):
        assert result.converged
        assert abs(result.certificate) < 1e-9


def test_weights_and_folds_of_ones_own(ripley):
    X, y = ripley
    weights = np.where(np.arange(len(y)) % 5 == 0, 0.0, 1.0)
    kept = weights > 0
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    weighted = DEPClassifierCV(cv=cv, n_jobs=1).fit(X, y, weights)
    without = DEPClassifierCV(cv=cv).fit(X[kept], y[kept])
    np.testing.assert_allclose(weighted.scores_, without.scores_, rtol=1e-12)
    np.testing.assert_allclose(weighted.decision_function(X), without.decision_function(X))


def test_names_and_signs_reach_the_folds(ripley):
    X, y = ripley
    frame = pd.DataFrame(X, columns=["a", "b"])
    named = DEPClassifierCV(DEPClassifier(monotonic_cst={"a": -1}), Cs=[0.1], margins=[0.1]).fit(
        frame, y
    )
    placed = DEPClassifierCV(DEPClassifier(monotonic_cst=[-1, 1]), Cs=[0.1], margins=[0.1]).fit(
        X, y
    )
    np.testing.assert_array_equal(named.scores_, placed.scores_)
    assert list(named.feature_names_in_) == ["a", "b"]


def test_an_rdep_chooses_among_several(ripley):
    X, y = ripley
    ordering = EnsembleOrdering(cv=5)
    model = RDEPClassifier(ordering, DEPClassifierCV(Cs=[0.1, 0.01], margins=[1e-6, 0.25])).fit(
        X, y
    )
    assert isinstance(model.dep_, DEPClassifierCV)
    reduced = RDEPClassifier(ordering).fit(X, y)
    values = reduced.ordering_scaler_.transform(
        reduced.ordering_.fit_transform(reduced.input_scaler_.transform(X), y)
    )
    inside = DEPClassifierCV(Cs=[0.1, 0.01], margins=[1e-6, 0.25]).fit(values, y)
    np.testing.assert_array_equal(inside.scores_, model.dep_.scores_)
    assert balanced_accuracy_score(y, model.predict(X)) > 0.8


def test_it_warns_of_the_fit_that_is_kept_and_of_none_on_the_way():
    with pytest.warns(DegenerateFitWarning, match="sample is predicted") as caught:
        DEPClassifierCV(Cs=[1.0, 0.1]).fit(np.ones((30, 2)), np.arange(30) % 2)
    assert len(caught) == 1


def test_no_folds_given_means_five(ripley):
    X, y = ripley
    assert DEPClassifierCV(Cs=[0.1], margins=[0.1], cv=None).fit(X, y).scores_.shape == (5, 1, 1)


@pytest.mark.parametrize("wrong", [[], [-1.0], 0.1, [[0.1]]])
def test_candidates_that_are_none(ripley, wrong):
    with pytest.raises(ValueError, match="Cs"):
        DEPClassifierCV(Cs=wrong).fit(*ripley)
