"""Tables that need a word of explanation, through every command."""

import warnings

import numpy as np
import pandas as pd
import pytest

from .tables import HEADER, ROWS

WAYS = [
    ({"sep": "~"}, ["--sep", "~"]),
    ({"sep": "\t", "decimal": ","}, ["--sep", "tab", "--decimal", ","]),
    ({"encoding": "utf-16-le"}, ["--encoding", "utf-16-le"]),
    ({"na_rep": "n.a."}, ["--na-values", "n.a."]),
    ({"na_rep": "-999"}, ["--na-values", "-1", "--na-values", "-999"]),
]


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    age = np.round(rng.normal(40, 9, 60), 2)
    colour = rng.choice(["red", "größer"], 60)
    left = np.where(age + 5 * (colour == "red") > 42, "yes", "no")
    return pd.DataFrame({"age": age, "colour": colour, "left": left}).mask(
        rng.random((60, 3)) < [0.1, 0, 0]
    )


@pytest.mark.parametrize(("written", "options"), WAYS, ids=lambda way: " ".join(map(str, way)))
def test_fit_predict_and_explain(tmp_path, run, frame, written, options):
    frame.to_csv(tmp_path / "plain.csv", index=False)
    frame.to_csv(tmp_path / "odd.csv", index=False, **written)
    fit = ["-t", "left", "--estimator", "dep", "--set", "monotonic_cst=auto"]
    code, _, errors = run("fit", "plain.csv", *fit, "-o", "plain.rdep")
    assert (code, errors) == (0, "")
    code, _, errors = run("fit", "odd.csv", *fit, "-o", "odd.rdep", *options)
    assert (code, errors) == (0, "")
    for command in ("predict", "explain"):
        expected = run(command, "plain.rdep", "plain.csv")
        assert expected[0] == 0
        assert run(command, "odd.rdep", "odd.csv", *options) == expected
        assert run(command, "odd.rdep", "plain.csv") == expected


@pytest.mark.usefixtures("kept_processes", "pages_only")
def test_evaluate(tmp_path, run, frame):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame.to_csv(tmp_path / "odd.csv", index=False, sep="~", encoding="utf-16-le")
        code, out, errors = run(
            "evaluate", "odd.csv", "-t", "left", "-o", "report", "--classifiers", "dep",
            "--folds", "2", "--sep", "~", "--encoding", "utf-16-le",
        )  # fmt: skip
    assert code == 0, errors
    assert "balanced_accuracy" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sep", ";;"], "rdep: --sep ';;' must be one ASCII character"),
        (["--decimal", "x"], "rdep: --decimal x must be '.' or ','"),
        (["--encoding", "klingon"], "rdep: --encoding klingon is not known"),
    ],
)
def test_options_that_cannot_be_meant(tmp_path, run, options, message):
    code, out, errors = run("fit", "no.csv", "-t", "y", "-o", "m.rdep", *options)
    assert (code, out) == (2, "")
    assert errors.startswith(message)


def test_remarks_at_prediction_are_made_once(tmp_path, churn, run):
    rows = ["1e9,red,no", ",red,no", "30,,no", "2e9,,no"]
    (tmp_path / "new.csv").write_text("\n".join([f",{HEADER}", *(f"0,{r}" for r in rows + ROWS)]))
    code, out, errors = run("predict", "churn.rdep", "new.csv")
    assert code == 0
    assert len(out.splitlines()) == 1 + len(rows + ROWS)
    lines = errors.splitlines()
    assert all(line.startswith("rdep: warning: ") for line in lines)
    assert [any(word in line for line in lines) for word in ("no name", "1e+09", "row 3")] == [
        True, True, True,
    ]  # fmt: skip
    assert len(lines) == 3
