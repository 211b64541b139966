"""Classifiers by name, and their parameters."""

import pytest

from rdep import BaggingOrdering, DEPClassifier, DEPClassifierCV, RDEPClassifier
from rdep._registry import classifiers
from rdep.tables import fit_table
from rdep.tables._estimators import make_estimator


@pytest.mark.parametrize(
    ("name", "parameters", "meant"),
    [
        ("rdep", {}, RDEPClassifier()),
        ("paper", {}, RDEPClassifier.paper()),
        ("paper", {"ordering": "bagging"}, RDEPClassifier.paper("bagging")),
        ("dep", {"C": 0.5}, DEPClassifier(C=0.5)),
        ("dep_cv", {"Cs": [0.1, 0.01]}, DEPClassifierCV(Cs=[0.1, 0.01])),
        (
            "rdep",
            {"ordering__n_estimators": 3, "ordering": "bagging", "dep__C": 0.5},
            RDEPClassifier(BaggingOrdering(n_estimators=3), DEPClassifier(C=0.5, margin=0.25)),
        ),
    ],
)
def test_names_and_parameters(name, parameters, meant):
    made = make_estimator(name, parameters)
    assert type(made) is type(meant)
    assert repr(made.get_params()) == repr(meant.get_params())


@pytest.mark.parametrize("name", classifiers())
def test_every_registered_classifier_has_its_defaults(name):
    made = make_estimator(name, {})
    assert type(made).__name__ == classifiers()[name]
    assert repr(made) == f"{type(made).__name__}()"


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("papper", {}, "unknown estimator 'papper'; did you mean 'paper'"),
        ("svc", {}, "unknown estimator 'svc'; known: paper, "),
        (
            "rdep",
            {"C": 1},
            r"RDEPClassifier has no parameter 'C'; did you mean .*'dep__C'\? It has ",
        ),
        ("rdep", {"dep__margins": 1}, r"did you mean 'dep__margin'"),
        ("rdep", {"n_job": 1}, r"did you mean 'n_jobs'\?"),
        ("rdep", {"zzzzzz": 1}, r"has no parameter 'zzzzzz'\. It has class_weight, dep, "),
        (
            "rdep",
            {"zzzzzz": 1},
            "; dep__: beta, beta_holdout, .*; ordering__: boosting, class_weight, ",
        ),
        ("rdep", {"ordering": "boxes", "ordering__cv": 3}, "has no parameter 'ordering__cv'"),
        ("dep", {"ordering": "bagging"}, "DEPClassifier has no parameter 'ordering'"),
        ("dep", {"C": -1.0}, "The 'C' parameter of DEPClassifier must be .* Got -1.0 instead"),
        ("rdep", {"dep__C": "much"}, "The 'C' parameter of DEPClassifier must be .* Got 'much'"),
        ("rdep", {"ordering__cv": 0.5}, "The 'cv' parameter of MixedOrdering must be"),
        ("dep_cv", {"Cs": 0.5}, "The 'Cs' parameter of DEPClassifierCV must be an array-like"),
    ],
)
def test_mistakes_are_found_before_the_table_is_read(name, parameters, message):
    with pytest.raises(ValueError, match=message):
        fit_table("no such table.csv", "y", name, **parameters)
