"""Both forms of the descent: the same steps, the same errors, and nothing that crashes."""

import importlib.util
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from rdep import DEPClassifier, show_versions
from rdep.training import (
    OPERATORS,
    REFERENCES,
    DilationProblem,
    Objective,
    Procedure,
    TrainingSet,
    _descend,
    _train,
)
from rdep.training._linear_program import solve_majoriser

from ..needs import cannot_run
from ..problems import random_problems, random_samples
from ..real_data import load
from .majoriser.adversarial import adversarial_problem

CORE = _descend._core
FORMS = ["NumPy", "compiled"]


def use(form, monkeypatch):
    if form == "compiled" and CORE is None:
        if os.environ.get("RDEP_PURE_PYTHON", "0") in ("", "0"):
            pytest.skip("the extension was not built")
        pytest.skip("RDEP_PURE_PYTHON is set")
    monkeypatch.setattr(_descend, "_core", CORE if form == "compiled" else None)


@pytest.fixture(params=FORMS)
def form(request, monkeypatch):
    use(request.param, monkeypatch)
    return request.param


@pytest.fixture
def both(monkeypatch):
    """A function that descends in both forms."""

    def descend(problem, start, procedure):
        traces = []
        for form in FORMS:
            use(form, monkeypatch)
            traces.append(_descend.descend(problem, start, procedure))
        return traces

    return descend


@pytest.mark.parametrize("escape", [False, True])
def test_the_end_minimises_its_majoriser_for_highs(form, escape):
    for case in random_problems(32, seed=21, m=(10, 120)):
        problem = case.problem
        start = np.zeros(problem.n_features)
        trace = _descend.descend(problem, start, Procedure(escape=escape))
        _, optimum = solve_majoriser(problem, trace.at.deciding_features())
        assert trace.status == "converged"
        assert trace.objective == pytest.approx(optimum, rel=1e-9, abs=1e-15)
        assert trace.objective == pytest.approx(problem.at(trace.at.u).objective, rel=1e-13)
        assert trace.certificate >= -problem.slope_tolerance
        assert (np.diff(trace.history) < 0).all()


@pytest.mark.parametrize(
    "procedure",
    [
        Procedure(),
        Procedure(escape=True),
        Procedure(max_iter=2),
        Procedure(tol=0.1),
        Procedure(escape=True, max_iter=4),
        Procedure(escape=True, tol=0.1),
    ],
)
def test_both_forms_take_the_same_steps(both, procedure):
    # The second have more samples than the compiled form looks at a time, or keeps near.
    cases = [*random_problems(24, seed=22), *random_problems(4, seed=23, m=(600, 2600))]
    for number, case in enumerate(cases):
        problem = case.problem
        start = np.zeros(problem.n_features)
        if number % 3 == 0:
            start = np.random.default_rng(number).normal(size=problem.n_features)
        numpy, compiled = both(problem, start, procedure)
        assert compiled.history == pytest.approx(numpy.history, rel=1e-12, abs=1e-18)
        assert (compiled.status, compiled.n_iter) == (numpy.status, numpy.n_iter)
        assert compiled.escapes == numpy.escapes
        assert compiled.certificate == pytest.approx(numpy.certificate, abs=1e-12)
        assert np.array_equal(compiled.at.negatives, problem.at(compiled.at.u).negatives)
        assert np.array_equal(compiled.at.positives, problem.at(compiled.at.u).positives)


def random_fit(seed):
    """Any reference, C and margin; with equal penalties many directions are equally steep."""
    rng = np.random.default_rng([77, seed])
    m, n = int(rng.integers(20, 200)), int(rng.integers(1, 10))
    X, decimals = rng.normal(size=(m, n)), rng.integers(4)
    if decimals in (1, 2):
        X = np.round(X, 2 - decimals)
    signs = np.where(rng.random(m) < 0.4, 1.0, -1.0)
    signs[:2] = 1, -1
    X += 0.7 * (signs > 0)[:, None]
    objective = Objective(
        C=float(rng.choice([0, 0.001, 0.01, 0.1, 1.0])),
        weighting=rng.choice(["distance", ""]) or None,
        reference=str(rng.choice(REFERENCES)),
        margin=float(rng.choice([0, 1e-6, 0.1, 0.5, 1])),
    )
    procedure = Procedure(escape=bool(rng.integers(2)))
    samples = TrainingSet.from_samples(X, signs)
    problem = DilationProblem.from_training_set(samples, OPERATORS[seed % 2], objective)
    return problem, np.zeros(n), procedure


def assert_same_ends(numpy, compiled):
    assert compiled.objective == pytest.approx(numpy.objective, rel=1e-12, abs=1e-15)
    assert compiled.at.u == pytest.approx(numpy.at.u, abs=1e-9)


# In all of them, rounding of sums has more than one choice.
@pytest.mark.parametrize("seed", [745, 804, 1090, 1462, 2849, 2971, 3562, 3579, 3956, 5045])
def test_of_equally_steep_directions_both_forms_choose_the_same(both, seed):
    assert_same_ends(*both(*random_fit(seed)))


@pytest.mark.slow
def test_both_forms_end_at_the_same_weights(both):
    for seed in range(1200):
        assert_same_ends(*both(*random_fit(seed)))


def test_both_forms_agree_where_ties_are_annealed(both):
    for seed in range(80):
        problem, start = adversarial_problem(seed)
        numpy, compiled = both(problem, start, Procedure())
        scale = problem.negative_penalties.sum() + problem.positive_penalties.sum() + problem.C
        assert compiled.objective == pytest.approx(
            numpy.objective, rel=1e-9, abs=1e-12 * scale * problem.largest
        )


def test_a_step_limit_leads_to_the_numpy_form_and_highs(monkeypatch):
    use("compiled", monkeypatch)
    monkeypatch.setattr(_descend, "STEP_LIMIT", 1)
    monkeypatch.setattr("rdep.training._ccp.STEP_LIMIT", 1)
    X, signs = random_samples(np.random.default_rng(0), 200, 5, "continuous")
    problem = DilationProblem.from_training_set(
        TrainingSet.from_samples(X, signs), "dilation", Objective()
    )
    procedure = Procedure(escape=True)
    trace = _descend.descend(problem, np.zeros(5), procedure)
    assert trace.fallbacks > 0
    use("NumPy", monkeypatch)
    numpy = _descend.descend(problem, np.zeros(5), procedure)
    assert (trace.history, trace.escapes) == (numpy.history, numpy.escapes)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
@pytest.mark.parametrize("margin", [1e-6, 0.25])
def test_both_forms_predict_the_same_on_the_papers_data(data_dir, monkeypatch, margin):
    from sklearn.preprocessing import StandardScaler

    from rdep.datasets import paper_datasets

    for entry in paper_datasets():
        X, y = load(data_dir, entry.name)
        X = StandardScaler().fit_transform(X)
        models = []
        for form in FORMS:
            use(form, monkeypatch)
            models.append(DEPClassifier.paper(margin=margin).fit(X, y))
        numpy, compiled = models
        for name in ("dilation_result_", "erosion_result_"):
            objectives = [getattr(model, name).objective for model in models]
            assert objectives[0] == pytest.approx(objectives[1], rel=1e-12, abs=1e-18), entry.name
        assert np.array_equal(numpy.predict(X), compiled.predict(X)), entry.name


# Fuzz: what arrays may look like.


def layouts(X):
    yield "rows", X
    yield "columns", np.asfortranarray(X)
    yield "reversed", X[::-1, ::-1][::-1, ::-1]
    yield "strided", np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3]
    yield "single precision", X.astype(np.float32).astype(np.float64)
    yield "swapped bytes", X.astype(X.dtype.newbyteorder())
    frozen = X.copy()
    frozen.flags.writeable = False
    yield "read-only", frozen
    unaligned = np.zeros(X.nbytes + 1, dtype=np.uint8)[1:].view(np.float64).reshape(X.shape)
    unaligned[...] = X
    yield "unaligned", unaligned


@pytest.mark.parametrize("shape", [(2, 1), (3, 1), (40, 1), (2, 70), (60, 3), (30, 130)])
def test_layouts_do_not_matter(form, shape):
    rng = np.random.default_rng(7)
    X = np.round(rng.normal(size=shape), 1).astype(np.float32).astype(np.float64)
    y = np.arange(shape[0]) % 2
    kept = X.copy()
    expected = DEPClassifier.paper(escape=True, margin=0.1).fit(X, y)
    for name, given in layouts(X):
        model = DEPClassifier.paper(escape=True, margin=0.1).fit(given, y)
        assert np.array_equal(model.dilation_weights_, expected.dilation_weights_), name
        assert np.array_equal(model.erosion_weights_, expected.erosion_weights_), name
    assert np.array_equal(X, kept)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values_are_refused(form, value):
    X, y = np.zeros((6, 2)), np.arange(6) % 2
    X[3, 1] = value
    with pytest.raises(ValueError, match="contains infinity"):
        DEPClassifier().fit(X, y)


def test_a_hundred_thousand_features(form):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 100_000)), np.arange(12) % 2
    result = DEPClassifier.paper().fit(X, y).dilation_result_
    assert result.converged


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of sums of infinities, in NumPy
def test_the_core_itself_survives_any_numbers(monkeypatch):
    """Nothing gets there unchecked; it must not crash or hang all the same."""
    use("compiled", monkeypatch)
    rng = np.random.default_rng(3)
    odd = [0.0, -0.0, 1e-320, 1e308, -1e308, np.inf, -np.inf, np.nan]
    for number in range(300):
        most = 1200 if number % 10 == 9 else 40
        n, m, p = rng.integers(1, 8), rng.integers(1, most), rng.integers(1, most)
        arrays = [rng.normal(size=shape) for shape in ((n, m), (n, p), m, p, n, n)]
        for array in arrays:
            where = rng.random(array.shape) < 0.05 * (number % 4)
            array[where] = rng.choice(odd, size=where.sum())
        CORE.descend(
            *arrays, lambda *at, p=p: np.zeros(p, dtype=np.intp),
            0.01, 1e-14, 1e-13, 1.0, 20, 0.0, 200, number % 2, 1e-12, 1e-14,
        )  # fmt: skip


def test_the_core_refuses_shapes_that_do_not_fit(monkeypatch):
    use("compiled", monkeypatch)
    arrays = [np.ones(shape) for shape in ((3, 5), (3, 4), 5, 4, 3, 3)]
    numbers = (0.01, 1e-14, 1e-13, 1.0, 20, 0.0, 200, True, 1e-12, 1e-14)

    def decide(*at):
        return np.zeros(4, dtype=np.intp)

    assert CORE.descend(*arrays, decide, *numbers) is not None
    for place in range(6):
        for shape in ((3, 6), (2, 5), (0, 0)) if place < 2 else (0, 7):
            wrong = list(arrays)
            wrong[place] = np.ones(shape)
            with pytest.raises(ValueError, match="features|penalties"):
                CORE.descend(*wrong, decide, *numbers)
    with pytest.raises(ValueError, match="finite"):
        CORE.descend(*arrays, decide, 0.01, np.nan, *numbers[2:])
    with pytest.raises(ValueError, match="does not exist"):
        CORE.descend(*arrays, lambda *at: np.full(4, 3), *numbers)
    with pytest.raises(ValueError, match="one feature"):
        CORE.descend(*arrays, lambda *at: np.zeros(3, dtype=np.intp), *numbers)


def test_an_interrupt_is_answered_and_leaves_the_estimator_as_it_was(form, monkeypatch):
    if threading.current_thread() is not threading.main_thread() or sys.platform == "win32":
        cannot_run("signals reach the main thread only")
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200_000)
    X = rng.normal(size=(200_000, 10)) + 0.5 * (2 * y - 1)[:, None]
    model = DEPClassifier.paper().fit(X[:100], y[:100])
    before = dict(vars(model))
    sent = []

    def interrupt():
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.1, interrupt)

    def descend(*given):
        timer.start()  # the first of two descents, which takes several times as long
        return _descend.descend(*given)

    monkeypatch.setattr(_train, "descend", descend)
    try:
        with pytest.raises(KeyboardInterrupt):
            model.fit(X, y)
    finally:
        timer.cancel()
    waited = time.process_time() - sent[0]
    assert vars(model) == before
    assert waited < 5.0  # CPU seconds, whatever else the machine does


def test_the_environment_chooses_the_form_and_it_is_told(monkeypatch, capsys):
    script = (
        "import rdep; from rdep.training import _descend; rdep.show_versions(); "
        "print(_descend._core)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "RDEP_PURE_PYTHON": "1"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("training"))
    assert line.split(None, 1)[1] == "NumPy (RDEP_PURE_PYTHON is set)"
    assert done.stdout.splitlines()[-1] == "None"
    built = importlib.util.find_spec("rdep.training._compiled") is not None
    for unset in ("0", ""):
        monkeypatch.setenv("RDEP_PURE_PYTHON", unset)
        show_versions()
        (line,) = (line for line in capsys.readouterr().out.splitlines() if line[:8] == "training")
        assert ("compiled" in line) == built
