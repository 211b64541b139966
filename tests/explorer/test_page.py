import json
import warnings

import numpy as np
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.decomposition import PCA
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
        "calibrated": CalibratedClassifierCV(dep, cv=2),
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
        assert found["live"] == (name != "calibrated"), name
        assert found["whatIf"] == (name not in ("between", "turned", "members", "calibrated")), name


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
  const cells = [...document.querySelectorAll(".matrix td")].map((cell) =>
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
    assert moved >= 5
