"""What is run: variants of the protocol, and mistakes in it."""

from importlib.util import find_spec

import pytest

from rdep_experiment._reproduce import Choice
from rdep_experiment._suite import find_suite
from rdep_experiment.models._names import PAPER
from rdep_experiment.models._sharing import FitCache
from rdep_experiment.run._progress import Progress
from rdep_experiment.run._protocol import Protocol, choose, import_classifier
from rdep_experiment.run._runner import Request, run
from rdep_experiment.run._sources import Source


def test_own_classifiers_are_compared_besides_those_asked_for():
    protocol = Protocol(extra={"mine": "a:b"})
    assert protocol.chosen_classifiers(["rbf_svc"], PAPER) == ("rbf_svc", "mine")
    assert protocol.chosen_classifiers(["mine", "dep"], PAPER) == ("dep", "mine")
    assert protocol.chosen_classifiers(None, PAPER) == (*PAPER, "mine")


def test_special_classifiers_can_be_asked_for_but_are_not_offered():
    protocol = Protocol()
    assert protocol.chosen_classifiers(["positive_stack", "tree_4", "dep_default"], PAPER) == (
        "dep_default",
        "positive_stack",
        "tree_4",
    )
    with pytest.raises(ValueError, match="unknown classifier") as refused:
        protocol.chosen_classifiers(["zzzz"], PAPER)
    assert "rbf_svc" in str(refused.value)
    assert "positive_stack" not in str(refused.value)


def test_variants_of_the_protocol(tmp_path, table):
    scores = {}
    for name, protocol in {
        "fold": Protocol(n_folds=3, impute="fold", metrics=("balanced_accuracy", "roc_auc")),
        "letter": Protocol(n_folds=3, margin=0.0),
    }.items():
        source = Source("small", file=str(table), target="answer")
        asked = Request(tmp_path / name, (source,), ("dep",), protocol=protocol, repeats=2)
        outcome = run(asked, Progress())
        assert len(outcome.rows) == 6
        scores[name] = outcome.rows[0]["scores"]
        assert {row["seed"] for row in outcome.rows} == {1, 2}
    assert set(scores["fold"]) == {"balanced_accuracy", "roc_auc"}
    assert set(scores["letter"]) == {"balanced_accuracy"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Protocol(impute="median"), "unknown imputation"),
        (lambda: Protocol(metrics=("balanced_acuracy",)), "did you mean 'balanced_accuracy'"),
        (lambda: Protocol(metrics=("accuracy", "accuracy")), "named twice"),
        (lambda: Protocol(split="clusters"), "unknown split"),
        (lambda: Protocol(calibrate="platt"), "unknown calibration"),
        (lambda: Protocol(extra={"dep": "a:b"}), "the name 'dep' is taken"),
        (lambda: choose(["rbf"], ["rbf_svc", "dep"], "classifier"), "did you mean 'rbf_svc'"),
        (lambda: import_classifier("numpy"), "package.module:name"),
        (lambda: import_classifier("numpy:nothing"), "could not be imported"),
        (lambda: import_classifier("builtins:dict"), "not a classifier"),
        (lambda: Choice("paper", datasets=["Titanik"]).sources(), "did you mean 'Titanic'"),
        (lambda: Choice("quick", datasets=["Titanic"]).sources(), "known: Ripley"),
    ],
)
def test_mistakes_are_explained(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_the_networks_suite_holds_one_fifth_out_with_the_published_seeds():
    protocol = find_suite("networks").protocol.changed(n_folds=10)
    assert (protocol.split, protocol.n_folds, protocol.seed) == ("held out", 1, 42)


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed")
def test_the_networks_suite_without_pytorch_is_refused_before_any_work():
    with pytest.raises(ImportError, match=r"pip install 'rdep\[torch\]'"):
        Protocol().classifier("min_max_plus_adam", 0, FitCache())
