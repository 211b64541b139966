"""Models spelled out parameter by parameter give the rows that are committed."""

import inspect

import pytest

from rdep._registry import classifiers, resolve
from rdep.orderings import BaggingOrdering, EnsembleOrdering
from rdep.perceptrons import DEPClassifier
from rdep_experiment._reproduce import read_run
from rdep_experiment._suite import find_suite
from rdep_experiment.models import _measured
from rdep_experiment.models._names import MEASURED
from rdep_experiment.models._sharing import FitCache
from rdep_experiment.run._cells import Task, run_fold
from rdep_experiment.run._protocol import Protocol
from rdep_experiment.run._sources import Source

from ...places import RESULTS

# Models of this package. Other rows of the extended suite, and those of the linear DEP in the
# family suite, were computed before a change of training and are replaced when computed again.
COMPARED = {
    "paper": ("dep", "ensemble_rdep", "bagging_rdep"),
    "extended": (
        *("dep", "ensemble_rdep", "bagging_rdep", "boxes_rdep", "svc_rdep", "recommended_rdep"),
        *("linear_dep", "balanced_members", "cross_fitted", "balanced_beta", "even_weights"),
        *("mixed_members", "with_choice"),
    ),
    "family": (
        *("slmp", "slmp_box", "mpc_published", "mpc_ccp", "dendrites_divide", "hlm_elm"),
        *("perceptron", "dep_cv", "rdep", "competitive", "dendrites", "elm"),
    ),
    "readable": ("score_8", "signed_dep_8", "boxes_dep_8", "mpc_8", "sparse_linear_dep_16"),
}


@pytest.mark.parametrize("suite", COMPARED)
def test_committed_rows_are_those_of_the_measured_models(data_dir, suite):
    committed = {
        row["classifier"]: row["scores"]
        for row in read_run(RESULTS / suite)[0]
        if row["dataset"] == "Haberman" and (row["repeat"], row["fold"]) == (0, 0)
    }
    source = Source("Haberman", data_dir=str(data_dir / "openml"))
    dataset = source.load()
    task = Task(source, find_suite(suite).protocol, 0, 0, COMPARED[suite], dataset.sha256)
    computed = [row for kind, row in run_fold(dataset, task) if kind == "row"]
    assert [row["classifier"] for row in computed] == list(COMPARED[suite])
    for row in computed:
        assert row["task"] == "classification"
        assert row["scores"] == pytest.approx(committed[row["classifier"]], abs=1e-12), row


SEEDS = {"random_state", "n_jobs", "verbose"}


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (DEPClassifier, _measured.DEP),
        (DEPClassifier, _measured.RECOMMENDED_DEP),
        (EnsembleOrdering, {"estimators": None, **_measured.ENSEMBLE}),
        (BaggingOrdering, {"estimator": None, **_measured.BAGGING}),
        (resolve("LinearDEPClassifier"), _measured.LINEAR_DEP),
        (resolve("CompetitiveClassifier"), _measured.COMPETITIVE),
        (resolve("DendriteClassifier"), _measured.DENDRITES),
        (resolve("MorphologicalELMClassifier"), _measured.ELM),
        (resolve("BoxScoreClassifier"), _measured.SCORE),
    ],
)
def test_no_parameter_is_left_to_a_default(kind, parameters):
    assert set(inspect.signature(kind).parameters) - SEEDS == set(parameters)


@pytest.mark.parametrize("name", MEASURED)
def test_outside_such_suites_a_classifier_has_its_defaults(name):
    """`rdep evaluate --classifiers rdep` is what a user would fit."""
    current = Protocol().classifier(name, 3, FitCache())
    expected = resolve(classifiers()[name])().get_params(deep=False)
    seed = {"random_state": 3} if "random_state" in expected else {}
    assert current.get_params(deep=False) == expected | seed
    measured = Protocol(measured=True).classifier(name, 3, FitCache())
    assert type(measured) is type(current)
