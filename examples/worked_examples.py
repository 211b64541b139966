"""The paper's worked examples: printed and computed results, and a picture.

Run it with ``make demo``, or ``python examples/worked_examples.py [FILE.png [DATA ...]]``; DATA is
``ripley`` or ``double_moon``.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

from rdep.datasets import load_ripley, make_double_moon
from rdep.display import BoundariesDisplay, ReducedSpaceDisplay, RegionsDisplay
from rdep_experiment.paper._worked_examples import format_table, worked_examples

TITLES = {"ripley": "Ripley", "double_moon": "Double-moon"}
DATA = {"ripley": load_ripley, "double_moon": make_double_moon}


def draw(path: Path, examples, names=tuple(DATA)) -> None:
    fitted = {(example.dataset, example.classifier): example for example in examples}
    size = (13.5, 0.5 + 3.8 * len(names))
    figure, axes = plt.subplots(len(names), 3, figsize=size, layout="constrained", squeeze=False)
    for (left, middle, right), name in zip(axes, names, strict=True):
        X_train, X_test, y_train, y_test = DATA[name]()
        dep, rdep = fitted[name, "dep"], fitted[name, "ensemble_rdep"]
        RegionsDisplay.from_estimator(dep.model, X_test, y_test, ax=left, legend=False)
        left.set_title(f"{TITLES[name]}: DEP, test {dep.computed.test:.2f}")
        ReducedSpaceDisplay.from_estimator(rdep.model, X_train, y_train, ax=middle, legend=False)
        middle.set_title(f"{TITLES[name]}: reduced space of the ensemble r-DEP")
        BoundariesDisplay.from_estimator(rdep.model, X_test, y_test, ax=right, legend=False)
        right.set_title(f"{TITLES[name]}: ensemble r-DEP, test {rdep.computed.test:.2f}")
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=5)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=100)


def main() -> None:
    examples = list(worked_examples())
    print("Accuracies and weights of this package, with those of the paper in brackets.\n")
    print(format_table(examples))
    path, *names = sys.argv[1:] or ["build/worked-examples.png"]
    draw(Path(path), examples, names or tuple(DATA))
    print(f"\nPicture: {path}")


if __name__ == "__main__":
    main()
