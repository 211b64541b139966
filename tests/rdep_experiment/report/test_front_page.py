"""The readable front from rows that are known by hand."""

import pytest

from rdep_experiment.analysis._front import against_the_best, front, n_numbers
from rdep_experiment.report._front_page import write_front

SCORES = {"score_4": 0.9, "tree_4": 0.8, "tree_depth_4": 0.85, "figs_4": 0.95, "ebm": 0.97}
CONDITIONS = {"score_4": 4, "tree_4": 4, "tree_depth_4": 3, "figs_4": 4, "ebm": 900}


def row(dataset, fold, classifier, score):
    return {
        "dataset": dataset,
        "repeat": 0,
        "fold": fold,
        "classifier": classifier,
        "status": "ok",
        "scores": {"balanced_accuracy": score},
        "n_conditions": CONDITIONS[classifier] - (fold == 1 and classifier == "score_4"),
        **({"n_terms": 2} if classifier == "score_4" else {}),
        "warnings": [],
    }


@pytest.fixture
def run():
    rows = [
        row(dataset, fold, classifier, score - shift)
        for dataset, shift in (("one", 0.0), ("two", 0.1))
        for fold in range(2)
        for classifier, score in SCORES.items()
    ]
    protocol = {
        "suite": "readable",
        "metric": "balanced_accuracy",
        "datasets": ["one", "two", "three"],
        "classifiers": list(SCORES),
        "repeats": 1,
        "n_folds": 2,
    }
    # Of the third data set one classifier has no row: it is left out of the means of all.
    rows += [row("three", fold, name, 0.5) for fold in range(2) for name in SCORES if name != "ebm"]
    return rows, protocol


def test_means_are_over_complete_data_sets(run):
    found = front(*run).set_index("model")
    assert found.loc["score", "score"] == pytest.approx(0.85)
    assert found.loc["score", "mean_conditions"] == pytest.approx(3.5)
    assert found.loc["score", "most_conditions"] == 4
    assert found["n_datasets"].unique().tolist() == [2]
    assert found.loc["ebm", "mean_conditions"] == 900


def test_the_best_of_each_kind_is_compared(run):
    beside = against_the_best(*run)
    by_kind = beside[beside["counted"] == "conditions"].set_index("kind")
    assert by_kind.loc["tree", "best"] == "tree_depth_4"
    assert by_kind.loc["tree", "difference"] == pytest.approx(0.05)
    assert by_kind.loc["rule list", "difference"] == pytest.approx(-0.05)
    assert by_kind["better_on"].tolist() == [2, 0, 0]
    assert by_kind["worse_on"].tolist() == [0, 2, 2]


def test_the_best_of_all_rivals_may_be_a_sparse_linear_model(run, monkeypatch, tmp_path):
    """At each size every model of others takes part, whatever its kind."""
    rows, protocol = run
    monkeypatch.setitem(CONDITIONS, "sparse_logistic_4", 4)
    rows += [
        row(dataset, fold, "sparse_logistic_4", 0.96 - shift)
        for dataset, shift in (("one", 0.0), ("two", 0.1))
        for fold in range(2)
    ]
    protocol["classifiers"].append("sparse_logistic_4")
    beside = against_the_best(rows, protocol)
    line = beside[beside["counted"] == "conditions"].set_index("kind").loc["all rivals"]
    assert line["best"] == "sparse_logistic_4"
    assert line["difference"] == pytest.approx(-0.06)
    header = {"protocol": protocol, "command": "", "formats": ()}
    page = write_front(rows, header, tmp_path).read_text("utf-8")
    for text in (page, (tmp_path / "front.md").read_text("utf-8")):
        assert (
            "Best of all models by number of conditions: 4: Sparse logistic regression (0.9100)."
            in text
        )
        assert "all rivals: Sparse logistic regression" in text


def test_the_page_has_table_picture_and_what_is_missing(run, tmp_path):
    rows, protocol = run
    header = {"protocol": protocol, "command": "rdep reproduce", "formats": ("png",)}
    page = write_front(rows, header, tmp_path).read_text("utf-8")
    assert "<svg" in page
    assert "three, ebm: 0 of 2 folds" in page
    assert "0.8500" in page
    text = (tmp_path / "front.md").read_text("utf-8")
    assert "| **Box score** | 0.8500 (3.5 / 6.5) |" in text
    assert "+0.0500" in text
    assert (tmp_path / "figures" / "front.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("model", "n_conditions", "n_terms", "expected"),
    [
        ("tree", 3, None, 7),  # three thresholds and four leaves
        ("figs", 4, 2, 10),  # two trees have six leaves
        ("score", 4, 2, 7),  # four bounds or coefficients, points of two boxes, an intercept
        ("score", 4, None, None),
        ("sparse_logistic", 4, None, 5),
        ("ebm", 900, None, None),
    ],
)
def test_numbers_to_read_are_counted_by_hand(model, n_conditions, n_terms, expected):
    assert n_numbers(model, n_conditions, n_terms) == expected


def test_by_numbers_a_smaller_model_of_others_may_be_the_best(run):
    """The score has 6.5 numbers on average; a tree of three nodes has seven."""
    beside = against_the_best(*run)
    by_numbers = beside[beside["counted"] == "numbers"]
    assert len(by_numbers) == 0
    rows, protocol = run
    for row in rows:
        if row["classifier"] == "score_4":
            row["n_terms"] = 3
    beside = against_the_best(rows, protocol)
    by_numbers = beside[beside["counted"] == "numbers"].set_index("kind")
    assert by_numbers.loc["tree", "best"] == "tree_depth_4"
    assert "rule list" not in by_numbers.index


def test_without_a_complete_data_set_the_page_says_so(run, tmp_path):
    rows, protocol = run
    write_front(rows[:3], {"protocol": protocol, "command": ""}, tmp_path)
    assert "No data set is complete" in (tmp_path / "front.md").read_text("utf-8")
