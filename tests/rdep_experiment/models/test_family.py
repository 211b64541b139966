"""Committed rows that are not computed again are those of the models in their suites."""

import pytest

from rdep._registry import classifiers, resolve
from rdep_experiment._reproduce import read_run
from rdep_experiment._suite import find_suite
from rdep_experiment.models._names import MEASURED
from rdep_experiment.run._cells import Task, run_fold
from rdep_experiment.run._protocol import Protocol
from rdep_experiment.run._sources import Source

from ...places import RESULTS

# Models of this package with committed rows of which none changes with the defaults. Rows of the
# linear DEP in the family suite were computed before a change of training.
COMPARED = {
    "paper": ("dep", "ensemble_rdep", "bagging_rdep"),
    "extended": (
        *("rdep", "positive_stack", "rdep_signed", "rdep_boxes", "dep_default", "linear_dep"),
        *("box_score", "dep", "ensemble_rdep", "bagging_rdep"),
    ),
    "family": (
        *("slmp", "slmp_box", "mpc_published", "mpc_ccp", "dendrites_divide", "hlm_elm"),
        *("perceptron", "dep_cv", "rdep", "competitive", "dendrites", "elm"),
    ),
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
        # A score that is missing is one of probabilities, which the classifier did not have yet.
        known = {k: v for k, v in committed[row["classifier"]].items() if v is not None}
        assert "balanced_accuracy" in known
        assert {k: row["scores"][k] for k in known} == pytest.approx(known, abs=1e-12), row


@pytest.mark.parametrize("name", MEASURED)
def test_outside_such_suites_a_classifier_has_its_defaults(name):
    """`rdep evaluate --classifiers rdep` is what a user would fit."""
    current = Protocol().classifier(name, 3, None)
    assert current.get_params(deep=False) == {
        **resolve(classifiers()[name])().get_params(deep=False),
        "random_state": 3,
    }
    measured = Protocol(measured=True).classifier(name, 3, None)
    assert type(measured) is type(current)
    assert repr(measured) != repr(current)
