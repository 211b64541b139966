"""Suites with data and classifiers of one's own."""

from rdep_experiment._reproduce import Choice, read_run, reproduce, rewrite_report
from rdep_experiment.run._protocol import Protocol


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


def test_a_report_is_of_the_last_request_or_of_everything(tmp_path):
    """Parts that were computed one after the other, reported as one."""
    for datasets, classifiers in ((["Ripley"], ["dep"]), (["Double-Moon"], ["linear_svc", "dep"])):
        choice = Choice("quick", datasets=datasets, classifiers=classifiers)
        command = f"rdep reproduce --datasets {','.join(datasets)} --output 'my results'"
        reproduce(choice, tmp_path, Protocol(n_folds=3), command=command)

    def reported():
        lines = (tmp_path / "table.csv").read_text().splitlines()[1:]
        return [tuple(line.split(",")[:2]) for line in lines if line.split(",")[2]]

    last = [("Double-Moon", "linear_svc"), ("Double-Moon", "dep")]
    rewrite_report(tmp_path)
    assert reported() == last
    assert read_run(tmp_path)[2] == command
    rewrite_report(tmp_path, everything=True)
    assert sorted(reported()) == sorted([("Ripley", "dep"), *last])
    rewrite_report(tmp_path)  # as it was noted
    assert sorted(reported()) == sorted([("Ripley", "dep"), *last])
    assert read_run(tmp_path)[2] == "rdep reproduce --output 'my results'"
