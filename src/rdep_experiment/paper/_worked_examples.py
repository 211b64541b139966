"""The paper's Examples 4 to 7: printed and computed results.

Everything follows the paper exactly: ``margin=0``, and in the r-DEPs ρ(x) is standardised but the
features are not. The paper does not state the seeds of its double-moon data and of its bagging;
both are 0 here. Classifiers whose names end in ``_inverted`` are trained on exchanged labels.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files

from sklearn.base import BaseEstimator, clone
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.svm import SVC

from rdep.datasets import TrainTestSplit, load_ripley, make_double_moon
from rdep.exceptions import DirectionWarning
from rdep.orderings import BaggingOrdering, EnsembleOrdering
from rdep.perceptrons import DEPClassifier, RDEPClassifier

DATASETS: dict[str, Callable[[], TrainTestSplit]] = {
    "ripley": load_ripley,
    "double_moon": make_double_moon,
}

_INVERTED = "_inverted"
_SVCS = [("rbf", SVC()), ("linear", SVC(kernel="linear"))]

CLASSIFIERS: dict[str, BaseEstimator] = {
    "dep": DEPClassifier.paper(margin=0.0),
    "ensemble_rdep": RDEPClassifier.paper(
        EnsembleOrdering(_SVCS), scale_input=False, dep__margin=0.0
    ),
    "rbf_svc": SVC(),
    "linear_svc": SVC(kernel="linear"),
    "voting_svc": VotingClassifier(_SVCS),
    "bagging_rdep": RDEPClassifier.paper(
        BaggingOrdering(n_estimators=2, random_state=0), scale_input=False, dep__margin=0.0
    ),
    "bagging_svc": BaggingClassifier(SVC(), n_estimators=2, random_state=0),
}


@dataclass(frozen=True)
class ExampleResult:
    """One line of the paper's examples, as printed or as computed."""

    train: float
    test: float
    w: tuple[float, ...] | None = None
    m: tuple[float, ...] | None = None
    beta: float | None = None


@dataclass(frozen=True)
class WorkedExample:
    """A worked example: the paper's printed result, if there is one, and the computed result."""

    number: int
    dataset: str
    classifier: str
    printed: ExampleResult | None
    computed: ExampleResult
    model: BaseEstimator
    note: str | None = None


def worked_examples() -> Iterator[WorkedExample]:
    """Fit every classifier of Examples 4 to 7.

    Yields
    ------
    WorkedExample
        The printed and the computed result of each classifier.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.
    """
    table = json.loads(files(__package__).joinpath("worked_examples.json").read_text("utf-8"))
    data = {name: load() for name, load in DATASETS.items()}
    for row in table["rows"]:
        number, dataset, classifier = (row.pop(key) for key in ("example", "dataset", "classifier"))
        X_train, X_test, y_train, y_test = data[dataset]
        if classifier.endswith(_INVERTED):
            y_train, y_test = 1 - y_train, 1 - y_test
        model = _fit(classifier, X_train, y_train)
        yield WorkedExample(
            number=number,
            dataset=dataset,
            classifier=classifier,
            printed=ExampleResult(**row) if row else None,
            computed=ExampleResult(
                model.score(X_train, y_train), model.score(X_test, y_test), **_weights(model)
            ),
            model=model,
            note=table["notes"].get(str(number)),
        )


def format_table(examples: list[WorkedExample]) -> str:
    """Format the examples as text: computed numbers, with the paper's numbers in brackets."""
    lines = []
    heading = None
    for example in examples:
        if heading != (example.number, example.dataset):
            heading = (example.number, example.dataset)
            title = f"Example {example.number}: {example.dataset.replace('_', '-')}"
            lines += ["", f"{title:26}{'training':>16}{'test':>16}    weights"]
            lines += [f"  {example.note}"] if example.note else []
        printed, computed = example.printed, example.computed
        weights = "   ".join(
            f"{name} = {shown(getattr(computed, name))} ({shown(getattr(printed, name))})"
            for name in ("w", "m", "beta")
            if getattr(printed, name, None) is not None
        )
        name = example.classifier.replace("_", " ")
        scores = "".join(
            f"{getattr(computed, part):10.2f} ({_or_dash(printed, part)})".ljust(17)
            for part in ("train", "test")
        )
        lines.append(f"  {name:24}{scores:34}    {weights}".rstrip())
    return "\n".join(lines[1:])


def _fit(classifier: str, X, y) -> BaseEstimator:
    if classifier.startswith("rbf_svc_"):
        members = clone(CLASSIFIERS["bagging_svc"]).fit(X, y).estimators_
        return members[int(classifier[-1]) - 1]
    with warnings.catch_warnings():
        # The paper deliberately shows a DEP on features that fall with the class.
        warnings.simplefilter("ignore", DirectionWarning)
        return clone(CLASSIFIERS[classifier.removesuffix(_INVERTED)]).fit(X, y)


def _weights(model: BaseEstimator) -> dict:
    dep = getattr(model, "dep_", model)
    if not isinstance(dep, DEPClassifier):
        return {}
    return {
        "w": tuple(dep.dilation_weights_.tolist()),
        "m": tuple(dep.erosion_weights_.tolist()),
        "beta": dep.beta_,
    }


def _or_dash(printed: ExampleResult | None, part: str) -> str:
    return "–" if printed is None else shown(getattr(printed, part))


def shown(value) -> str:
    """Format a number or a vector with the paper's number of decimals."""
    if isinstance(value, float):
        return f"{value:.2f}"
    return "[" + ", ".join(f"{number:.2f}" for number in value) + "]"
