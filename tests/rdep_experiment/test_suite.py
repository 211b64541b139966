"""A suite is one file: found by its name, without the estimators behind it."""

import subprocess
import sys
from importlib import import_module

import pytest

from rdep.datasets import paper_datasets
from rdep_experiment import suites
from rdep_experiment._reproduce import Choice, read_run, reproduce, rewrite_report
from rdep_experiment._suite import all_suites, find_suite, known_suite
from rdep_experiment.models import is_known
from rdep_experiment.models._family import MEASURED as MEASURED_MAKERS
from rdep_experiment.models._names import MEASURED, MODULES

SMALLEST = '''
"""Two support vector classifiers on the embedded data sets."""

from rdep_experiment import Embedded, Protocol, Suite

SUITE = Suite(
    name="the-smallest",
    summary="two support vector classifiers on the embedded data sets",
    data=Embedded(),
    classifiers=("linear_svc", "rbf_svc"),
    protocol=Protocol(n_folds=2),
)
'''


@pytest.fixture
def smallest(tmp_path, monkeypatch):
    """The folder of suites with one file more."""
    (tmp_path / "the_smallest.py").write_text(SMALLEST)
    monkeypatch.setattr(suites, "__path__", [*suites.__path__, str(tmp_path)])
    yield find_suite("the-smallest")
    sys.modules.pop("rdep_experiment.suites.the_smallest", None)


def test_adding_a_suite_is_adding_a_file(tmp_path, smallest):
    assert smallest in all_suites()
    out = tmp_path / "out"
    outcome = reproduce(Choice("the-smallest", ["Ripley"]), out, smallest.protocol)
    assert (outcome.n_computed, outcome.n_failed) == (4, 0)
    assert {row["classifier"] for row in outcome.rows} == {"linear_svc", "rbf_svc"}
    assert "the-smallest" in (out / "report.html").read_text("utf-8")
    # A run of a suite that is not here any more is reported all the same.
    (tmp_path / "the_smallest.py").unlink()
    assert known_suite("the-smallest") is None
    (out / "report.html").unlink()
    assert rewrite_report(out, everything=True).exists()
    assert read_run(out)[1]["classifiers"] == ["linear_svc", "rbf_svc"]


def test_every_suite_has_the_name_of_its_file():
    assert {suite.name for suite in all_suites()} == {
        *("quick", "paper", "extended", "fresh", "keel", "new", "costs", "family", "networks"),
        *("readable", "readable-fresh", "readable-keel", "regression", "regression-choosing"),
    }
    for suite in all_suites():
        assert find_suite(suite.name) is suite
    with pytest.raises(ValueError, match="did you mean 'extended'"):
        find_suite("extendet")


def test_suites_have_classifiers_and_data_sets_that_there_are():
    for suite in all_suites():
        assert len(suite.classifiers) == len(set(suite.classifiers)), suite.name
        assert all(is_known(name, suite.protocol.task) for name in suite.classifiers), suite.name
        assert suite.data.names, suite.name
    assert len(find_suite("paper").data.names) == len(paper_datasets()) == 30
    assert len(find_suite("family").data.names) == 29
    assert len(find_suite("new").data.names) == 18


def test_every_name_has_a_maker_and_every_maker_a_name():
    for module, names in MODULES.items():
        makers = import_module(f"rdep_experiment.models.{module}").MAKERS
        assert sorted(makers) == sorted(names), module
    assert sorted(MEASURED_MAKERS) == sorted(MEASURED)


def loaded_by(*parts):
    """Modules of ours and scikit-learn's that a new interpreter has loaded after each part."""
    report = (
        "import sys; print('loaded', *(name for name in sys.modules "
        "if name.split('.')[0] in ('rdep', 'rdep_experiment', 'sklearn', 'numpy')))"
    )
    command = [sys.executable, "-c", "\n".join(f"{part}\n{report}" for part in parts)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = run.stdout.splitlines()
    return [line.split()[1:] for line in lines if line.startswith("loaded ")]


def test_suites_reports_and_a_quick_run_import_little(tmp_path):
    """The process that is asked imports no estimator; cells are computed in others."""
    arguments = [
        "rdep", "reproduce", "--suite", "quick", "--datasets", "Ripley",
        "--classifiers", "dep", "--folds", "2", "--output", str(tmp_path),
    ]  # fmt: skip
    suites, report, run = loaded_by(
        "from rdep_experiment._suite import all_suites; all_suites()",
        "import rdep_experiment.report._page, rdep_experiment.report._front_page",
        # Its only thread forks, so that packages are imported once.
        "from rdep_experiment.run import _workers; _workers._START_METHOD = 'fork'\n"
        f"import sys; sys.argv = {arguments}\n"
        "from rdep.cli import app; app(standalone_mode=False)",
    )
    assert not {"numpy", "sklearn"} & set(suites)
    estimators = ("rdep.perceptrons", "rdep.orderings", "rdep.hyperboxes", "rdep.networks")
    assert not [name for name in report if name.startswith(estimators)]
    ours = [name for name in run if name.split(".")[0] in ("rdep", "rdep_experiment")]
    assert "rdep_experiment.run._runner" in ours
    assert (tmp_path / "report.html").exists()
    assert len(ours) < 90, ours
