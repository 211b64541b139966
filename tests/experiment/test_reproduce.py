"""Suites with data and classifiers of one's own."""

from rdep.experiment._reproduce import Choice, reproduce
from rdep.experiment.run._protocol import Protocol


def test_own_data_and_classifiers_join_a_suite(tmp_path, table):
    choice = Choice(
        "quick", datasets=["ripley"], classifiers=["mine", "dep"], tables=((table, "answer"),)
    )
    protocol = Protocol(extra={"mine": "sklearn.naive_bayes:GaussianNB"}, n_folds=3)
    outcome = reproduce(choice, tmp_path / "out", protocol)
    assert {(row["dataset"], row["classifier"]) for row in outcome.rows} == {
        (dataset, name) for dataset in ("Ripley", "small") for name in ("dep", "mine")
    }
    assert "small,mine," in (tmp_path / "out" / "table.csv").read_text()
