import re

import numpy as np
import pandas as pd
import pytest

from rdep.guarantees import NoCertificateError
from rdep.guarantees._tables import robustness
from rdep.tables import fit_table

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "income": rng.normal(2000, 500, 120).round(2),
            "children": rng.integers(0, 5, 120),
            "colour": rng.choice(["red", "green", "blue"], 120),
        }
    )
    score = frame["income"] / 500 - frame["children"] + 2.0 * (frame["colour"] == "red")
    frame["paid"] = np.where(score > 2.5, "yes", "no")
    return frame


@pytest.mark.parametrize("estimator", ["dep", "linear_dep", "box_score", "rdep"])
def test_changes_in_words_change_the_prediction(tmp_path, frame, estimator):
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    settings = {"ordering": "boxes"} if estimator == "rdep" else {}
    settings |= {"monotonic_cst": "auto"} if estimator == "dep" else {}
    model = fit_table(str(path), "paid", estimator=estimator, **settings)
    rows = frame.drop(columns="paid")[:8]
    found = robustness(model, rows)
    assert found["prediction"].tolist() == model.predict(rows).tolist()
    assert found["radius_is_exact"].all()
    widths = np.ptp(frame[["income", "children"]].to_numpy(dtype=float), axis=0)
    rng = np.random.default_rng(0)
    steps = rng.choice([-1.0, 1.0], (100, 8, 2)) * found["radius"].to_numpy()[:, None] * widths
    moved = pd.concat([rows] * 100, ignore_index=True)
    moved[["income", "children"]] += steps.reshape(-1, 2) * (1 - 1e-6)
    assert model.predict(moved).tolist() == found["prediction"].tolist() * 100
    assert (found["counterfactual"] != "").any()
    for i, text in enumerate(found["counterfactual"]):
        moved = rows[i : i + 1].astype({"income": float})
        for column, value in re.findall(r"(income|children) \S+ → (\S+?)(?:,|$)", text):
            assert column != "children" or float(value) == round(float(value))
            # Six digits are shown: go a little farther in the same direction.
            old = float(moved[column].iloc[0])
            moved[column] = float(value) + (0.02 if float(value) > old else -0.02) * (
                column == "income"
            )
        for old, new in re.findall(r"colour=(\w+) → colour=(\w+)", text):
            assert rows["colour"][i] == old
            moved["colour"] = new
        if text:
            assert model.predict(moved)[0] != found["prediction"][i], text


def test_bounds_have_no_counterfactual(tmp_path, frame):
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    model = fit_table(str(path), "paid", ordering="ensemble")
    found = robustness(model, frame.drop(columns="paid")[:3])
    assert not found["radius_is_exact"].any()
    assert (found["radius"] > 0).all()
    assert (found["counterfactual"] == "").all()


def test_calibrated_models_have_no_certificate(tmp_path, frame):
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    model = fit_table(str(path), "paid", estimator="dep", calibrate="sigmoid")
    with pytest.raises(NoCertificateError, match="no certificate for a HeldOutCalibration"):
        robustness(model, frame.drop(columns="paid")[:3])
