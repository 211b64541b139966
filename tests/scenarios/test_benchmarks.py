"""Every benchmark runs; what counts as a ratio, which peers it needs, and its report."""

import re
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from itertools import product

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier

from benchmarks import peers
from benchmarks.certified import stumps_certified
from benchmarks.measure import TRIAL, Comparison, in_turn
from benchmarks.report import write_report

from ..places import ROOT

# Seconds each even on few rows: forests by cross-validation, processes of their own, clusters.
SLOW = {
    ("__main__", "million"), ("__main__", "many-rows"),
    ("__main__", "one-row"), ("__main__", "onnx"),
    ("growth", "many"),
    ("combiners", None), ("members", None),
    ("distributed", "bytes"), ("distributed", "overhead"), ("linear_dep", "ordering"),
    ("degenerate", None), ("forecasting", None),
    ("scale", "equal"), ("scale", "memory"), ("scale", "dask"), ("scale", "accuracy"),
}  # fmt: skip
# Packages that a benchmark compares with, or is about, and that are not in the lock.
PEERS = {
    "cvxpy", "dccp", "interpret", "lightgbm", "pystreed", "sklearn_morpho", "statsmodels", "torch",
}  # fmt: skip


def runnable():
    """Each benchmark that can be run with ``python -m``, and each part of those that have some."""
    for path in sorted((ROOT / "benchmarks").glob("*.py")):
        if 'if __name__ == "__main__":' in path.read_text("utf-8"):
            for part in parts_of(path.stem):
                marks = [pytest.mark.slow] if (path.stem, part) in SLOW else []
                yield pytest.param(path.stem, part, marks=marks)


def parts_of(name):
    try:
        return getattr(import_module(f"benchmarks.{name}"), "PARTS", [None])
    except ImportError:  # the test says of what
        return [None]


def arguments(name, part):
    if part is None:
        return []
    return ["--only", part] if name == "__main__" else [part]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "part"), runnable())
def test_every_benchmark_runs_on_few_rows(name, part, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(TRIAL, "40")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # for processes that are started
    try:
        import_module(f"benchmarks.{name}").main(arguments(name, part))
    except ModuleNotFoundError as error:
        if error.name not in PEERS:
            raise
        pytest.skip(f"{error.name} is not installed")
    except SystemExit as error:
        if not re.search("not (installed|built)", str(error.code)):
            raise
        pytest.skip(error.code)
    assert capsys.readouterr().out


def test_slow_benchmarks_are_there():
    assert {param.values for param in runnable()} >= SLOW


def test_a_ratio_is_that_of_medians():
    comparison = Comparison("g", "w", "p", [1.0, 2.0, 9.0], [10.0, 8.0, 9.0], at_least=4.5)
    assert comparison.ratio == pytest.approx(4.5)
    assert comparison.range == pytest.approx((1.0, 10.0))
    assert comparison.met
    comparison.at_least = 4.6
    assert not comparison.met


def test_at_most_bounds_our_time_by_theirs():
    comparison = Comparison("g", "w", "p", [1.2], [1.0], at_most=1.25)
    assert comparison.met
    comparison.at_most = 1.15
    assert not comparison.met


def test_both_run_in_turn(monkeypatch):
    monkeypatch.setattr("gc.collect", lambda: None)  # a second for all that other tests left
    calls = []
    ours, theirs, mine, other = in_turn(
        lambda: calls.append("a") or "ours", lambda: calls.append("b") or "theirs", 4
    )
    assert "".join(calls) == "abbaabba"
    assert (len(ours), len(theirs), mine, other) == (4, 4, "ours", "theirs")


def test_the_report_tells_what_is_outside_its_bound(tmp_path):
    rows = [
        Comparison("g", "good", "p", [1.0], [50.0], at_least=30).record(),
        Comparison("g", "poor", "p", [1.0], [20.0], at_least=30).record(),
    ]
    growth = {"growth with": "m", "sizes": [1, 10], "seconds": [[1.0], [12.0]]}
    growth |= {"exponent": 1.08, "at most": 1.2, "met": True}
    million = {"wall seconds": 1.0, "GiB at the peak": 0.5}
    results = {
        "highs": rows,
        "growth": [growth],
        "million": million,
        "versions": {"python": "3"},
    }
    write_report(results, ["highs"], tmp_path)
    table = (tmp_path / "table.md").read_text()
    outside = [line for line in table.splitlines() if "outside" in line]
    assert len(outside) == 1
    assert "poor" in outside[0]
    assert (tmp_path / "ratios.png").stat().st_size > 1000
    assert (tmp_path / "growth.png").stat().st_size > 1000


def without(missing, monkeypatch):
    """As if one package were not installed, and all others were."""

    def version(package):
        if package == missing:
            raise PackageNotFoundError(package)
        return "1.0"

    monkeypatch.setattr(peers, "version", version)


@pytest.mark.parametrize("part", peers.PEERS)
def test_a_part_without_its_peer_is_refused(part, monkeypatch):
    extra, packages = peers.PEERS[part]
    for package in packages:
        without(package, monkeypatch)
        with pytest.raises(SystemExit, match=rf"'{part}' compares with {package}.*rdep\[{extra}\]"):
            peers.require_peers(["growth", part])
        peers.require_peers(["growth", "highs"])


@pytest.mark.parametrize("part", ["highs", *peers.PEERS])
def test_versions_are_recorded_of_what_a_part_uses(part, monkeypatch):
    without("what no part uses", monkeypatch)
    packages = peers.PEERS[part].packages if part in peers.PEERS else ()
    assert set(peers.versions(part)) == {"python", *peers.OWN, *packages}


def test_the_command_fails_before_it_measures_where_a_peer_is_missing(tmp_path, monkeypatch):
    missing = peers.Peers("bench-none", ("no-such-package",))
    monkeypatch.setitem(peers.PEERS, "highs", missing)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=r"no-such-package, .* pip install 'rdep\[bench-none\]'"):
        import_module("benchmarks.__main__").main(["--only", "highs", "--output", "out"])
    assert not list(tmp_path.iterdir())


def reachable(value, radius, cuts):
    """The ends of a range of a feature, and the numbers at and just above the cuts inside it."""
    inside = cuts[(cuts >= value - radius) & (cuts <= value + radius)]
    above = np.nextafter(inside.astype(np.float32), np.float32(np.inf)).astype(float)
    above = above[above <= value + radius]
    return np.unique([value - radius, value, value + radius, *inside, *above])


@pytest.mark.parametrize("seed", range(4))
def test_the_verifier_of_stumps_agrees_with_all_predictions_in_reach(seed):
    """A prediction changes only at cuts, so a grid of the cuts and the ends sees all of them."""
    rng = np.random.default_rng(seed)
    n = 2 + seed % 2
    y = np.arange(60) % 2
    # Numbers with few digits are the same in single precision, which trees compare.
    X = np.round(8 * (rng.normal(size=(60, n)) + 0.8 * y[:, None])) / 8
    model = GradientBoostingClassifier(n_estimators=12, max_depth=1, random_state=0).fit(X, y)
    trees = [tree.tree_ for tree in model.estimators_[:, 0] if tree.tree_.node_count == 3]
    cuts = [
        np.array([t.threshold[0] for t in trees if t.feature[0] == j], dtype=float)
        for j in range(n)
    ]
    radii = [0.0, 0.0625, 0.064, 0.32, 1.0]  # some end at cuts, some just beyond
    shares = []
    for radius in radii:
        survives = []
        for x, of_class in zip(X[:25], y, strict=False):
            grid = [reachable(value, radius, own) for value, own in zip(x, cuts, strict=True)]
            survives.append((model.predict(list(product(*grid))) == of_class).all())
        shares.append(np.mean(survives))
    assert stumps_certified(model, X[:25], y[:25], radii) == pytest.approx(shares)
    assert shares[0] == model.score(X[:25], y[:25])
    assert shares[0] > shares[-1]
