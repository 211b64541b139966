"""Predictions do not depend on how a table is cut into blocks."""

import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, RDEPClassifier
from rdep.datasets import load_ripley
from rdep.tables import Schema, TableModel, _csv, fit_table
from rdep.tables import _scoring as scoring
from rdep.tables._blocks import Block
from rdep.tables._scoring import explanations, predictions, score_table

from ..real_tables import frame_of, write_sample


@pytest.mark.parametrize("compute", [predictions, explanations])
def test_blocks_of_any_size_give_the_same(tmp_path, data_dir, monkeypatch, compute):
    table = write_sample(data_dir, "credit-g-1", tmp_path / "credit.csv", n_rows=400)
    model = fit_table(str(table), "class", "paper")
    assert score_table(compute, model, str(table), tmp_path / "whole.csv") == 400
    monkeypatch.setattr(_csv, "_BLOCK_BYTES", 8192)
    monkeypatch.setattr(_csv, "_BYTES_PER_CELL", 1)
    monkeypatch.setattr(scoring, "_ROWS", 37)
    assert score_table(compute, model, str(table), tmp_path / "parts.csv") == 400
    whole, parts = (pd.read_csv(tmp_path / f"{name}.csv") for name in ("whole", "parts"))
    assert whole["prediction"].tolist() == parts["prediction"].tolist()
    pd.testing.assert_frame_equal(whole, parts, rtol=0, atol=1e-11)
    frame = frame_of(data_dir, "credit-g-1").sample(400, random_state=1)
    assert whole["prediction"].tolist() == model.estimator.predict(frame).tolist()


def test_progress_tells_the_share_of_the_rows_that_are_done(tmp_path, monkeypatch):
    """Between the ends of two blocks it grows with the rows."""
    table = pa.table({"a": [1, 2] * 4, "b": ["x", "y"] * 4})
    parquet = tmp_path / "table.parquet"
    pa.parquet.write_table(table, parquet)
    model = fit_table(str(parquet), "b", "dep")
    blocks = [Block(table, 1, 0.5, "table"), Block(table, 9, 1.0, "table")]
    monkeypatch.setattr(scoring, "read_blocks", lambda *arguments: iter(blocks))
    monkeypatch.setattr(scoring, "_ROWS", 4)
    seen = []
    output = tmp_path / "out.csv"
    score_table(predictions, model, "table", output, progress=lambda b: seen.append(b.share))
    assert seen == [0.25, 0.5, 0.75, 1.0]


def test_what_is_kept_must_be_there_and_gets_a_name_of_its_own(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("score,b\n" + "1,x\n2,y\n" * 5)
    model = fit_table(str(path), "b", "dep")
    with pytest.raises(ValueError, match="has no column 'c' to keep"):
        score_table(predictions, model, str(path), tmp_path / "out.csv", keep=["c"])
    assert not (tmp_path / "out.csv").exists()
    with pytest.warns(UserWarning, match="column 'score' of .* is kept as 'kept_score'"):
        score_table(predictions, model, str(path), tmp_path / "out.csv", keep=["score"])
    written = pd.read_csv(tmp_path / "out.csv")
    assert written.columns.tolist() == ["kept_score", "prediction", "score"]
    assert written["kept_score"].tolist() == [1, 2] * 5
    with pytest.raises(ValueError, match="'b' cannot be kept twice"):
        score_table(predictions, model, str(path), tmp_path / "twice.csv", keep=["b,b"])


@pytest.mark.parametrize("classifier", [DEPClassifier(), RDEPClassifier("boxes")], ids=repr)
def test_explanations_behind_steps_of_ones_own(classifier):
    X, _, y, _ = load_ripley()
    pipeline = make_pipeline(StandardScaler(), classifier).fit(X, y)
    frame = pd.DataFrame(X, columns=["x0", "x1"])
    reasons = explanations(TableModel(pipeline, Schema.from_estimator(pipeline)), frame)
    assert set(reasons["dilation_by"]) <= {"x0", "x1", "-x0", "-x1"}


@pytest.mark.parametrize("estimator", ["perceptron", "ritter_sussner"])
def test_one_operator_is_not_explained_by_two_coordinates(tmp_path, estimator):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n" + "1,x\n2,y\n" * 5)
    model = fit_table(str(path), "b", estimator)
    with pytest.raises(ValueError, match="cannot be explained by two coordinates: fit an r-DEP"):
        score_table(explanations, model, str(path), tmp_path / "out.csv")


def test_explanations_of_three_classes_name_the_columns(tmp_path):
    frame, species = load_iris(return_X_y=True, as_frame=True)
    frame.assign(species=species).to_csv(tmp_path / "iris.csv", index=False)
    model = fit_table(str(tmp_path / "iris.csv"), "species", "rdep", ordering="boxes")
    reasons = explanations(model, frame)
    assert {name.removeprefix("-") for name in reasons["dilation_by"]} <= set(frame.columns)
    scores = predictions(model, frame)[[f"score_{k}" for k in range(3)]].max(axis=1)
    assert reasons["decision"].to_numpy() == pytest.approx(scores.to_numpy(), abs=1e-9)
    assert reasons["prediction"].tolist() == predictions(model, frame)["prediction"].tolist()
    assert (reasons["runner_up_decision"] <= reasons["decision"]).all()
    assert set(reasons["runner_up"]) == {0, 1, 2}
    assert model.summary["rules"].count(" against the rest, value ") == 3
