import json
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler

from rdep import (
    BoxScoreClassifier,
    CompetitiveClassifier,
    DEPClassifier,
    DEPClassifierCV,
    LinearDEPClassifier,
    MorphologicalPerceptron,
    RDEPClassifier,
    RitterSussnerClassifier,
)
from rdep.explorer import apply_edits, to_html
from rdep.tables import TableModel

from ..real_tables import frame_of
from .browser import driven
from .tables import KINDS, fitted, table

MODELS = {
    "dep": DEPClassifier(monotonic_cst="auto"),
    "signed": RDEPClassifier("signed"),
    "boxes": RDEPClassifier("boxes"),
    "score": BoxScoreClassifier(8),
    "competitive": CompetitiveClassifier(),
    "linear": LinearDEPClassifier(),
}
# What Python and the page decide about each row.
DECISIONS = """
  const { page, differences } = explorer;
  const warned = document.querySelector("[role=alert]") !== null;
  return { codes: [...page.codes], differences, warned, live: Boolean(page.form),
    whatIf: Boolean(page.form) && !page.columns.some((column) => column.derived),
    text: document.body.textContent.length, title: document.title, images: document.images.length };
"""


def page_decides(model, X, y, seen):
    table = TableModel.of(model)
    expected = np.searchsorted(np.array(table.schema.classes), table.predict(X))
    assert seen["codes"] == expected.tolist()
    assert seen["differences"] == 0
    assert not seen["warned"]
    assert seen["images"] == 0
    assert seen["title"] != "1"


def ignoring(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


def test_the_page_decides_like_predict_on_numbers(tmp_path):
    sources = {"iris": load_iris(), "cancer": load_breast_cancer(), "wine": load_wine()}
    fits = {
        f"{source}-{kind}": (ignoring(model, data.data, data.target_names[data.target]), data.data)
        for source, data in sources.items()
        for kind, model in (
            (kind, type(model)(**model.get_params(deep=False))) for kind, model in MODELS.items()
        )
    }
    pages = {name: to_html(model, X) for name, (model, X) in fits.items()}
    for name, seen in driven(pages, DECISIONS, tmp_path).items():
        page_decides(*fits[name], None, seen)
        assert seen["live"]
        assert seen["whatIf"]


def test_the_page_decides_like_predict_on_tables_with_categories_and_gaps(tmp_path):
    fits, pages = {}, {}
    for number, classes in enumerate([("no", "yes"), ("no", 'a "quoted" <b>yes</b>'), (1, 2, 3)]):
        frame = table(number, classes=classes)
        for kind in KINDS:
            name = f"{number}-{kind}"
            fits[name] = fitted(frame, kind, tmp_path), frame.drop(columns="bought")
            pages[name] = to_html(*fits[name], frame.bought)
    for name, seen in driven(pages, DECISIONS, tmp_path).items():
        page_decides(*fits[name], None, seen)
        assert seen["live"]
        assert seen["whatIf"]


# How a model decides by probabilities, and the classes of its table.
BY_PROBABILITY = {
    "sigmoid": ({"calibrate": "sigmoid"}, 2),
    "isotonic": ({"calibrate": "isotonic"}, 2),
    "half": ({"calibrate": "sigmoid", "threshold": 0.5, "positive": "no"}, 2),
    "balanced": ({"calibrate": "isotonic", "threshold": "balanced"}, 2),
    "cost": ({"calibrate": "sigmoid", "cost": {"fn": 5, "fp": 1}}, 2),
    "all": ({"calibrate": "isotonic", "threshold": 0.0}, 2),
    "three": ({"calibrate": "sigmoid"}, 3),
}
PROBABILITIES = DECISIONS.replace("return {", "return { probabilities,").replace(
    "const warned",
    """const { probabilityOf, scores } = explorer;
  const probabilities = page.classes.length === 2
    ? Array.from(scores(page), (value) => probabilityOf(page, value)) : null;
  const warned""",
)


@pytest.mark.parametrize("kind", KINDS)
def test_calibrated_models_and_thresholds_are_live(kind, tmp_path):
    fits, pages = {}, {}
    for way, (options, n_classes) in BY_PROBABILITY.items():
        frame = table(31, classes=("maybe", "no", "yes")[-n_classes:])
        fits[way] = fitted(frame, kind, tmp_path, **options), frame.drop(columns="bought")
        pages[way] = to_html(*fits[way], frame.bought)
    for way, seen in driven(pages, PROBABILITIES, tmp_path).items():
        model, X = fits[way]
        page_decides(model, X, None, seen)
        assert seen["live"] == (kind != "competitive" or way != "three")
        if seen["probabilities"]:
            expected = model.predict_proba(X)[:, 1]
            np.testing.assert_allclose(seen["probabilities"], expected, rtol=1e-9, atol=1e-12)
    assert set(model.predict(X)) > {"no"}


def test_a_threshold_on_the_own_probabilities_is_live(tmp_path):
    frame = table(32)
    X = frame.drop(columns="bought")
    fits = {
        f"{kind}-{positive}": fitted(frame, kind, tmp_path, threshold=0.8, positive=positive)
        for kind in ("score", "members")
        for positive in ("no", "yes")
    }
    pages = {name: to_html(model, X, frame.bought) for name, model in fits.items()}
    for name, seen in driven(pages, PROBABILITIES, tmp_path).items():
        page_decides(fits[name], X, None, seen)
        assert seen["live"]
        assert (np.bincount(seen["codes"])[int(name.endswith("yes"))]) < 120
        expected = fits[name].predict_proba(X)[:, 1]
        np.testing.assert_allclose(seen["probabilities"], expected, rtol=1e-9, atol=1e-12)


def test_other_models_have_pages_too(tmp_path):
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:200, :6], y[:200]
    dep = DEPClassifier(monotonic_cst="auto")
    models = {
        "cv": DEPClassifierCV(),
        "perceptron": MorphologicalPerceptron(),
        "ritter": RitterSussnerClassifier(),
        "ritter-boxes": RitterSussnerClassifier(boxes=True),
        "first": CompetitiveClassifier(ties="first"),
        "scaled": make_pipeline(StandardScaler(), RobustScaler(), BoxScoreClassifier(4)),
        "between": make_pipeline(MinMaxScaler(), dep),
        "turned": make_pipeline(PCA(3), LinearDEPClassifier()),
        "members": RDEPClassifier.paper(),
        "copies": CalibratedClassifierCV(dep, cv=2),
        "calibrated": CalibratedClassifierCV(make_pipeline(StandardScaler(), dep), ensemble=False),
        "threshold": FixedThresholdClassifier(
            dep, threshold=0.5, response_method="decision_function"
        ),
        "other-side": FixedThresholdClassifier(
            dep, threshold=0.5, response_method="decision_function", pos_label=0
        ),
    }
    fits = {name: (ignoring(model, X, y), X) for name, model in models.items()}
    seen = driven(
        {name: to_html(model, X, y) for name, (model, X) in fits.items()}, DECISIONS, tmp_path
    )
    for name, found in seen.items():
        page_decides(*fits[name], None, found)
        assert found["live"] == (name != "copies"), name
        assert found["whatIf"] == (name not in ("between", "turned", "members", "copies")), name


def test_members_of_several_classes(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = ignoring(RDEPClassifier.paper(), X, y)
    (seen,) = driven({"members": to_html(model, X, y)}, DECISIONS, tmp_path).values()
    page_decides(model, X, y, seen)
    assert seen["live"]


# Drag the first handle half way across its figure, with other edits where the model has them.
EDITS = """
  const { page } = explorer;
  const changedCodes = () => JSON.stringify([...page.codes]);
  const before = changedCodes();
  const handle = document.querySelector(".handle");
  if (handle) {
    const box = handle.ownerSVGElement.getBoundingClientRect();
    const event = (type, clientX) =>
      new window.PointerEvent(type, { clientX, pointerId: 1, bubbles: true });
    handle.dispatchEvent(event("pointerdown", 0));
    handle.dispatchEvent(event("pointermove", box.left + 0.3 * box.width));
    handle.dispatchEvent(event("pointermove", box.left + 0.55 * box.width));
    handle.dispatchEvent(event("pointerup", 0));
    const last = [...document.querySelectorAll(".handle")].pop();
    const key = { key: "ArrowLeft", shiftKey: true, bubbles: true };
    last.dispatchEvent(new window.KeyboardEvent("keydown", key));
  }
  for (const label of ["points of box 1", "points of every row", "constant of dilation 1"]) {
    const input = document.querySelector(`input[aria-label="${label}"]`);
    if (!input) continue;
    input.value = input.valueAsNumber + 0.75;
    input.dispatchEvent(new window.Event("change"));
  }
  let saved = null;
  window.URL.createObjectURL = (blob) => { saved = blob; return "blob:nothing"; };
  window.HTMLAnchorElement.prototype.click = () => {};
  const press = (text) =>
    [...document.querySelectorAll("button")].find((each) => each.textContent === text).click();
  press("Save edits");
  const text = await saved.text();
  const codes = [...page.codes];
  const cells = [...document.querySelectorAll(".board ~ details tbody td")].map((cell) =>
    Number(cell.textContent));
  const shown = document.querySelector(".figure b").textContent;
  const moved = before !== changedCodes();
  press("Reset");
  return { text, codes, cells, shown, moved, back: before === changedCodes() };
"""


def test_edits_in_the_page_are_those_of_the_edited_model(tmp_path):
    frame = table(3)
    X, fits = frame.drop(columns="bought"), {}
    for kind in KINDS:
        fits[kind] = fitted(frame, kind, tmp_path)
    costs = {"calibrate": "isotonic", "cost": {"fn": 3, "fp": 2}}
    fits["score, costs"] = fitted(frame, "score", tmp_path, **costs)
    fits["dep, costs"] = fitted(frame, "dep", tmp_path, **costs)
    pages = {kind: to_html(model, X, frame.bought) for kind, model in fits.items()}
    moved = 0
    for kind, seen in driven(pages, EDITS, tmp_path).items():
        model = fits[kind]
        before = model.predict(X)
        edited = apply_edits(model, json.loads(seen["text"]))
        predicted = edited.predict(X)
        assert predicted.tolist() == np.array(["no", "yes"])[seen["codes"]].tolist(), kind
        assert (model.predict(X) == before).all()
        expected = pd.crosstab(frame.bought, predicted).reindex(
            index=["no", "yes"], columns=["no", "yes"], fill_value=0
        )
        assert seen["cells"] == expected.to_numpy().ravel().tolist()
        recalls = np.diag(expected) / expected.sum(axis=1)
        assert seen["shown"].startswith(f"{recalls.mean():.3f}")
        assert seen["moved"] == bool((predicted != before).any())
        assert seen["back"]
        moved += seen["moved"]
        assert len(edited.summary["edits"]) == len(json.loads(seen["text"])["edits"])
        if model.summary["rules"]:
            assert edited.summary["rules"] != model.summary["rules"]
    assert moved >= 7


# Smallest changes of a few rows, and the class at random points of planes beside the region there.
FLIPS = """
  const { page, flips, regions, classExpressions, decideOne, featuresOf } = explorer;
  const cells = (i) => page.columns.map((column) => column.values[i]);
  const found = [];
  for (let i = 0; i < page.n; i += Math.ceil(page.n / 12)) {
    for (const { column, value, code } of flips(page, cells(i))) {
      found.push({ row: i, column: column.index, value, code });
    }
  }
  const numbers = page.columns.filter((column) => !column.categories);
  const inside = (cell, [u, v]) => cell.every(([a, b], k) => {
    const [c, d] = cell[(k + 1) % cell.length];
    return (c - a) * (v - b) - (d - b) * (u - a) >= 0;
  });
  let [agree, differ, outside, ties] = [0, 0, 0, 0];
  let seed = 1;
  const random = () => { seed = (seed * 16807) % 2147483647; return seed / 2147483647; };
  for (const i of [3, 50]) {
    const [a, b] = [numbers[0], numbers[1]];
    const range = ({ values }) => {
      const known = values.filter((v) => !Number.isNaN(v));
      return [Math.min(...known), Math.max(...known)];
    };
    const [[l, r], [d, t]] = [range(a), range(b)];
    const all = regions(classExpressions(page, cells(i), a.index, b.index),
      [[l, d], [r, d], [r, t], [l, t]]);
    for (let k = 0; k < 300; k++) {
      const point = [l + (r - l) * random(), d + (t - d) * random()];
      const row = cells(i);
      [row[a.index], row[b.index]] = point;
      const { code } = decideOne(page, featuresOf(page, row));
      const here = all.find(({ cell }) => inside(cell, point));
      if (!here) outside++;
      else if (here.label === -1) ties++;
      else if (here.label === code) agree++;
      else differ++;
    }
  }
  return { found, agree, differ, outside, ties };
"""


def changed(X, row, column, value):
    categories = ["blue", "</script><b>green</b>", "red"]
    rows = X.iloc[[row]].copy()
    if X.columns[column] == "colour":
        rows["colour"] = sorted(categories)[value]
    else:
        rows[X.columns[column]] = float(value)
    return rows


def test_flips_and_planes_are_those_of_the_model(tmp_path):
    fits, pages = {}, {}
    for number, classes in enumerate([("no", "yes"), ("one", "three", "two")]):
        frame = table(number + 20, classes=classes)
        for kind in KINDS:
            name = f"{number}-{kind}"
            fits[name] = fitted(frame, kind, tmp_path), frame.drop(columns="bought"), classes
            pages[name] = to_html(*fits[name][:2], frame.bought)
        for kind in ("signed", "score"):
            name = f"{number}-{kind}-calibrated"
            model = fitted(frame, kind, tmp_path, calibrate="sigmoid")
            fits[name] = model, frame.drop(columns="bought"), classes
            pages[name] = to_html(*fits[name][:2], frame.bought)
    for name, seen in driven(pages, FLIPS, tmp_path).items():
        model, X, classes = fits[name]
        assert seen["differ"] == 0, (name, seen["differ"])
        assert seen["outside"] <= 2, name
        assert not seen["ties"] or "competitive" in name
        assert seen["agree"] >= 300, name
        assert len(seen["found"]) >= 5, name
        for flip in seen["found"]:
            before = model.predict(X.iloc[[flip["row"]]])[0]
            rows = changed(X, flip["row"], flip["column"], flip["value"])
            after = model.predict(rows)[0]
            assert after == classes[flip["code"]] != before
            column = X.columns[flip["column"]]
            start = X.iloc[flip["row"]][column]
            if column == "colour" or pd.isna(start):
                continue
            # No smaller change of this column flips: a grid between, up to the rounding of values.
            span = np.ptp(X[column].dropna()) / 150
            reach = abs(flip["value"] - start) - span
            if reach > 0:
                grid = np.repeat(rows.index[:1], 41)
                nearer = X.loc[grid].copy()
                ends = X[column].min() - 37 * span, X[column].max() + 37 * span
                nearer[column] = (start + np.linspace(-reach, reach, 41)).clip(*ends)
                assert (model.predict(nearer) == before).all(), (name, flip)


CURVE = """
  const { page, rocCurve, cheapest, scores } = explorer;
  const curve = rocCurve(scores(page), page.y);
  const set = (id, value) => {
    const input = document.getElementById(id);
    input.value = value;
    input.dispatchEvent(new window.Event("change"));
  };
  set("fn", 5);
  const best = cheapest(curve, 5, 1);
  const press = (text) =>
    [...document.querySelectorAll("button")].find((each) => each.textContent === text).click();
  press("Take the cheapest");
  const wrong = [...page.codes].map((code, i) => code - page.y[i]);
  set("fp", -1);
  const said = document.getElementById("threshold-section").textContent;
  return { area: curve.area, cost: best.cost, threshold: best.threshold, wrong,
    refused: said.includes("Costs are 0 or more") };
"""


def test_threshold_and_costs(tmp_path):
    frame = table(9)
    X, y = frame.drop(columns="bought"), frame.bought
    fits = {kind: fitted(frame, kind, tmp_path) for kind in ("score", "dep", "competitive")}
    pages = {kind: to_html(model, X, y) for kind, model in fits.items()}
    for kind, seen in driven(pages, CURVE, tmp_path).items():
        values, truth = fits[kind].decision_function(X), (y == "yes").to_numpy()
        assert seen["area"] == pytest.approx(roc_auc_score(truth, values), abs=1e-9)
        costs = [
            5 * (truth & (values < at)).sum() + (~truth & (values >= at)).sum()
            for at in [*values, np.inf]
        ]
        assert seen["cost"] == min(costs)
        wrong = np.array(seen["wrong"])
        assert 5 * (wrong == -1).sum() + (wrong == 1).sum() == min(costs)
        assert seen["refused"]


FRONT = """
  const { page } = explorer;
  const slider = document.getElementById("front");
  const before = [...page.codes];
  slider.value = 0;
  slider.dispatchEvent(new window.Event("input"));
  const other = [...page.codes];
  const save = [...document.querySelectorAll("button")]
    .find((each) => each.textContent === "Save edits");
  const disabled = save.disabled;
  slider.value = slider.max;
  slider.dispatchEvent(new window.Event("input"));
  return { other, disabled, back: [...page.codes].every((code, i) => code === before[i]) };
"""


def test_front_of_box_scores(tmp_path):
    X, y = load_breast_cancer(return_X_y=True)
    model = BoxScoreClassifier(4).fit(X, y)
    (seen,) = driven({"front": to_html(model, X, y, front=[1, 4])}, FRONT, tmp_path).values()
    assert seen["other"] == BoxScoreClassifier(1).fit(X, y).predict(X).tolist()
    assert seen["disabled"]
    assert seen["back"]
    with pytest.raises(ValueError, match="front is for a BoxScoreClassifier"):
        to_html(RDEPClassifier("signed").fit(X, y), X, y, front=[2])


# With categories and gaps: the first four.
TEN = {
    "credit-approval-1": "class",
    "colic-2": "surgical_lesion",
    "cylinder-bands-2": "band_type",
    "credit-g-1": "class",
    "diabetes-1": "class",
    "ilpd-1": "Class",
    "banknote-authentication-1": "Class",
    "blood-transfusion-service-center-1": "Class",
    "haberman-1": "Survival_status",
    "ionosphere-1": "class",
}


@pytest.mark.slow
def test_the_page_decides_like_predict_on_ten_data_sets(tmp_path, data_dir):
    fits, pages = {}, {}
    for name, target in TEN.items():
        frame = frame_of(data_dir, name)
        frame = frame.sample(min(len(frame), 700), random_state=1).reset_index(drop=True)
        for kind in KINDS:
            model = fitted(frame, kind, tmp_path, target)
            X = frame[model.schema.names]
            fits[f"{name}-{kind}"] = model, X
            pages[f"{name}-{kind}"] = to_html(model, X, frame[target])
    assert len(pages) == 60
    for name, seen in driven(pages, DECISIONS, tmp_path, milliseconds=200_000).items():
        page_decides(*fits[name], None, seen)
        assert seen["live"]
        assert seen["whatIf"]
