"""Test whether the advice of the warning on degenerate fits helps the paper's models.

``python -m benchmarks.degenerate`` fits the paper's DEP and its r-DEPs on data sets where they
warn, then the same models with each parameter that the warning advises, alone and all together. It
writes whether the warning remains, and balanced accuracies, means of five folds, to
results/degenerate/table.csv. RDEP_DATA_DIR names the folder of the data sets.
"""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, RDEPClassifier
from rdep.exceptions import DegenerateFitWarning

from .measure import is_trial, output, some
from .problems import data_dir, load

# Models and data sets on which they warn. ERA has nine classes, the others have two.
MODELS = {
    "DEP": lambda: make_pipeline(StandardScaler(), DEPClassifier.paper()),
    "ensemble r-DEP": lambda: RDEPClassifier.paper("ensemble", random_state=0),
    "bagging r-DEP": lambda: RDEPClassifier.paper("bagging", random_state=0),
}
CASES = (
    *(("DEP", name) for name in ("Colic", "Credit-g", "Cylinder Bands", "MOFN-3-7-10", "Monks-2")),
    *(("DEP", name) for name in ("Thoracic Surgery", "Tic-Tac-Toe", "Titanic")),
    *(("ensemble r-DEP", name) for name in ("Egg-Eye-State", "Hill-Valley", "Titanic", "ERA")),
    *(("bagging r-DEP", name) for name in ("Titanic", "ERA")),
)
AS_IT_IS, TOGETHER, REDUCED = "as it is", "together", "RDEPClassifier"
_ROWS = 1500


def advice(estimator, X, y) -> dict:
    """The parameters that a fit advises by a warning; empty if it does not warn."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clone(estimator).fit(X, y)
    found = [entry.message for entry in caught]
    told = [message for message in found if isinstance(message, DegenerateFitWarning)]
    return told[0].settings if told else {}


def changed(estimator, settings: dict):
    """The same estimator with parameters of its last step set."""
    prefix = f"{estimator.steps[-1][0]}__" if hasattr(estimator, "steps") else ""
    return clone(estimator).set_params(**{prefix + k: value for k, value in settings.items()})


def candidates(model: str, settings: dict) -> dict:
    """The model as it is, with each parameter of the advice, with all of them, and an r-DEP."""
    estimator = MODELS[model]()
    alone = {name: changed(estimator, {name: settings[name]}) for name in settings}
    others = {REDUCED: RDEPClassifier(random_state=0)} if model == "DEP" else {}
    return {AS_IT_IS: estimator, **alone, TOGETHER: changed(estimator, settings), **others}


def measured(cases=CASES, only: tuple[str, ...] = ()):
    """One row for each case and each change: whether it still warns, and its accuracy."""
    for model, dataset in some(cases):
        X, y = _data(dataset)
        for change, candidate in candidates(model, advice(MODELS[model](), X, y)).items():
            if only and change not in only:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                scores = cross_val_score(
                    candidate,
                    X,
                    y,
                    cv=StratifiedKFold(5, shuffle=True, random_state=0),
                    scoring="balanced_accuracy",
                )
            yield {
                "model": model,
                "data set": dataset,
                "change": change,
                "warns": bool(advice(candidate, X, y)),
                "balanced accuracy": float(np.mean(scores)),
            }


def _data(name: str):
    if name != "ERA" or is_trial():
        X, y = load(name)
    else:
        folder = data_dir()
        frame = pd.read_csv(folder / "regression" / "ERA.tsv.gz", sep="\t")
        X, y = frame.drop(columns="target").to_numpy(float), frame["target"].to_numpy().astype(int)
    if len(y) > _ROWS:
        chosen = np.random.default_rng(0).choice(len(y), _ROWS, replace=False)
        X, y = X[chosen], y[chosen]
    return X, y


def gains(rows) -> pd.DataFrame:
    """Balanced accuracy gained by each change, by model and data set."""
    frame = pd.DataFrame(rows).pivot(
        index=["model", "data set"], columns="change", values="balanced accuracy"
    )
    return frame.sub(frame[AS_IT_IS], axis=0).drop(columns=AS_IT_IS)


def main(_: list[str] | None = None) -> None:
    rows = []
    for row in measured():
        rows.append(row)
        print(*row.values(), flush=True)
    pd.DataFrame(rows).round(4).to_csv(output("degenerate") / "table.csv", index=False)
    print("\ngained\n", gains(rows).round(3).to_string())


if __name__ == "__main__":
    main()
