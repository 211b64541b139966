"""Model files: what comes back, and what is refused without running anything."""

import io
import os
import pickle
import random
import subprocess
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest
import skops.io
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedGroupKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from rdep import (
    BaggingOrdering,
    DEPClassifier,
    DEPClassifierCV,
    EnsembleOrdering,
    LinearDEPClassifier,
    MixedOrdering,
    MorphologicalPerceptron,
    RDEPClassifier,
    all_estimators,
)
from rdep.datasets import load_ripley
from rdep.model_files import load_model, read_description, save_model, skops_types
from rdep.model_files._archive import CHECKSUM, DESCRIPTION

from .forgery import forged, json_node, node

X, X_TEST, Y, _ = load_ripley()


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """The bytes of a sound model file."""
    path = tmp_path_factory.mktemp("model") / "sound.rdep"
    save_model(RDEPClassifier("ensemble").fit(X, Y), path)
    return path.read_bytes()


@pytest.fixture
def marker(tmp_path):
    """A file that hostile code would leave behind."""
    path = tmp_path / "code-has-run"
    yield path
    assert not path.exists()


@pytest.mark.parametrize(
    "model",
    [
        MorphologicalPerceptron("erosion"),
        DEPClassifier(),
        LinearDEPClassifier(),
        RDEPClassifier("ensemble"),
        RDEPClassifier("bagging", random_state=0),
        RDEPClassifier(MixedOrdering(max_svc_samples=0), random_state=0),
        RDEPClassifier("signed"),
        RDEPClassifier("boxes"),
        RDEPClassifier("bagging", random_state=np.random.RandomState(0)),
        RDEPClassifier(EnsembleOrdering([("a", LogisticRegression())], cv=3)),
        RDEPClassifier(BaggingOrdering(SGDClassifier(random_state=0), random_state=0)),
        RDEPClassifier(EnsembleOrdering(cv=3, stack=True)),
        RDEPClassifier("ensemble", dep=DEPClassifier(joint=True)),
        RDEPClassifier("ensemble", dep=DEPClassifierCV(Cs=[0.1, 0.01])),
        make_pipeline(StandardScaler(), DEPClassifier()),
    ],
    ids=[
        "perceptron",
        "dep",
        "linear dep",
        "ensemble",
        "bagging",
        "large",
        "signed",
        "boxes",
        "bagging by a generator",
        "cross-fitted",
        "other members",
        "stack",
        "joint",
        "chosen C",
        "pipeline",
    ],
)
def test_a_model_comes_back_as_it_was(tmp_path, model):
    model.fit(X, Y)
    save_model(model, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep")
    assert type(back.estimator) is type(model)
    assert np.array_equal(back.estimator.decision_function(X_TEST), model.decision_function(X_TEST))
    assert back.schema.classes == (0, 1)
    assert back.versions["rdep"] == read_description(tmp_path / "model.rdep")["versions"]["rdep"]
    assert [path.name for path in tmp_path.iterdir()] == ["model.rdep"]


def test_more_than_two_classes_and_names_come_back(tmp_path):
    frame, y = load_iris(return_X_y=True, as_frame=True)
    model = RDEPClassifier("ensemble").fit(frame, y)
    save_model(model, tmp_path / "iris.rdep")
    back = load_model(tmp_path / "iris.rdep")
    assert np.array_equal(back.estimator.predict(frame), model.predict(frame))
    assert back.schema.names == list(frame.columns)
    assert back.estimator.estimators_[0].dep_.dilation_result_.converged


def test_what_a_search_found_is_stored(tmp_path):
    search = GridSearchCV(DEPClassifier(), {"C": [0.001, 1.0]}, cv=2).fit(X, Y)
    save_model(search, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep").estimator
    assert repr(back) == repr(search.best_estimator_)
    assert np.array_equal(back.decision_function(X_TEST), search.decision_function(X_TEST))


def test_the_same_model_makes_the_same_file_in_every_process(tmp_path, content):
    """Addresses of objects, hashes of texts and the time are others each time."""
    code = (
        "import sys\n"
        "from rdep import RDEPClassifier\n"
        "from rdep.datasets import load_ripley\n"
        "from rdep.model_files import save_model\n"
        "X, _, y, _ = load_ripley()\n"
        "save_model(RDEPClassifier('ensemble').fit(X, y), sys.argv[1])\n"
    )
    path = tmp_path / "again.rdep"
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-c", code, path], env=environment, check=True)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda schema: schema["classes"].reverse(), "has the classes 1, 0, the model has 0, 1"),
        (lambda schema: schema["columns"].pop(), "has 1 columns, the model takes 2"),
    ],
)
def test_a_schema_that_is_not_the_models_is_refused(tmp_path, content, change, message):
    path = tmp_path / "model.rdep"
    path.write_bytes(forged(content, change_description=lambda about: change(about["schema"])))
    with pytest.raises(ValueError, match=f"could not be loaded .*{message}"):
        load_model(path)


def test_a_file_is_a_skops_archive(tmp_path, content):
    trusted = skops.io.get_untrusted_types(data=content)
    assert all(name.startswith("rdep.") for name in trusted)
    assert isinstance(skops.io.loads(content, trusted=trusted), RDEPClassifier)


SEVERAL = {
    "calibrated": CalibratedClassifierCV(DEPClassifier(), cv=2),
    "calibrated as one": CalibratedClassifierCV(DEPClassifier(), cv=2, ensemble=False),
    "drawn": RDEPClassifier(BaggingOrdering(n_estimators=2, random_state=0)),
}


@pytest.mark.parametrize("name", [*dict(all_estimators()), *SEVERAL])
@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
def test_skops_needs_no_other_types_than_those_listed(name):
    model = SEVERAL.get(name) or dict(all_estimators())[name]()
    short = {"random_state": 0, "cv": 2, "ordering": "signed", "n_landmarks": 20}
    known = {} if name in SEVERAL else model.get_params(deep=False)
    if name == "RDEPRegressor":
        del short["ordering"]  # it has members of its own
    model.set_params(**{own: short[own] for own in short.keys() & known}).fit(X[::8], Y[::8])
    back = skops.io.loads(skops.io.dumps(model), trusted=skops_types())
    method = "predict" if hasattr(model, "predict") else "transform"
    # The first rows of LagFeatures are NaN.
    assert np.array_equal(getattr(back, method)(X), getattr(model, method)(X), equal_nan=True)


@pytest.mark.parametrize("cv", [GroupKFold(2), StratifiedGroupKFold(2)])
def test_folds_by_groups_come_back(tmp_path, cv):
    model = RDEPClassifier(EnsembleOrdering(cv=cv)).fit(X, Y, groups=np.arange(len(Y)) % 9)
    save_model(model, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep")
    assert np.array_equal(back.predict(X_TEST), model.predict(X_TEST))
    assert repr(back.estimator) == repr(model)


def test_members_that_a_safe_file_cannot_hold_are_refused_when_saved(tmp_path):
    neighbours = EnsembleOrdering([("a", KNeighborsClassifier(algorithm="kd_tree"))])
    model = RDEPClassifier(neighbours).fit(X, Y)
    with pytest.raises(ValueError, match="KDTree, which"):
        save_model(model, tmp_path / "model.rdep")
    function = make_pipeline(FunctionTransformer(np.sign), DEPClassifier()).fit(X, Y)
    with pytest.raises(ValueError, match="holds more than data"):
        save_model(function, tmp_path / "model.rdep")
    assert not any(tmp_path.iterdir())


def test_only_classifiers_of_this_package(tmp_path, content):
    other = LogisticRegression().fit(X, Y)
    with pytest.raises(ValueError, match="LogisticRegression is not a classifier"):
        save_model(other, tmp_path / "model.rdep")
    with zipfile.ZipFile(io.BytesIO(skops.io.dumps(other))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    (tmp_path / "model.rdep").write_bytes(forged(content, replace_member=members))
    with pytest.raises(ValueError, match="LogisticRegression is not a classifier"):
        load_model(tmp_path / "model.rdep")


def test_a_pickle_only_on_request_and_with_a_warning(tmp_path):
    model = DEPClassifier().fit(X, Y)
    path = tmp_path / "model.pickle"
    with pytest.warns(UserWarning, match="a pickle runs code"):
        save_model(model, path, pickle=True)
    with pytest.raises(ValueError, match="is a Python pickle"):
        load_model(path)
    with pytest.raises(ValueError, match="is a Python pickle"):
        read_description(path)
    with pytest.warns(UserWarning, match="whatever code it contains"):
        back = load_model(path, allow_pickle=True)
    assert np.array_equal(back.estimator.predict(X_TEST), model.predict(X_TEST))


class Evil:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


def set_parameter(**nodes):
    """A change that puts nodes in place of parameters of the classifier."""

    def change(tree):
        tree["content"]["content"].update(nodes)

    return change


COMMAND = json_node("touch code-has-run")
ARGUMENTS = node("TupleNode", "builtins", "tuple", content=[COMMAND])
HOSTILE_TREES = {
    "a function": node("FunctionNode", "os", "system", content="system"),
    "a method": node(
        "MethodNode", "os", "system", content={"func": "system", "obj": COMMAND}
    ),
    "an operator": node(
        "OperatorFuncNode", "operator", "methodcaller", attrs=ARGUMENTS
    ),
    "a partial": node(
        "PartialNode", "functools", "partial",
        content={"func": COMMAND, "args": ARGUMENTS, "kwds": ARGUMENTS, "namespace": COMMAND},
    ),
    "a constructor": node(
        "ConstructorFromReduceNode", "subprocess", "Popen", content=ARGUMENTS
    ),
    "a foreign object": node("ObjectNode", "subprocess", "Popen", content=ARGUMENTS),
    "a foreign type": node("TypeNode", "subprocess", "Popen"),
    "another class of this package": node(
        "ObjectNode", "rdep_experiment.run._workers", "Task", content=ARGUMENTS
    ),
    "an unknown node": node("NoSuchNode", "os", "system"),
}  # fmt: skip


@pytest.mark.parametrize("hostile", HOSTILE_TREES)
def test_a_hostile_archive_is_refused(tmp_path, content, marker, monkeypatch, hostile):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "model.rdep"
    path.write_bytes(forged(content, set_parameter(n_jobs=HOSTILE_TREES[hostile])))
    with pytest.raises(ValueError, match="is refused: it (contains|holds more than data)"):
        load_model(path)


def test_the_hostile_archives_would_have_been_sound(tmp_path, content):
    """Without the hostile node the forgery loads: the refusals above are for that node."""
    path = tmp_path / "model.rdep"
    path.write_bytes(forged(content, set_parameter(n_jobs=json_node(3))))
    assert load_model(path).estimator.n_jobs == 3


def test_old_protocols_are_refused(tmp_path, content):
    path = tmp_path / "model.rdep"
    path.write_bytes(forged(content, lambda tree: tree.update(protocol=0)))
    with pytest.raises(ValueError, match="an old protocol"):
        load_model(path)


def test_a_pickle_inside_an_array_is_refused(tmp_path, content, marker):
    buffer = io.BytesIO()
    np.save(buffer, np.array([Evil(marker)], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        arrays = [name for name in archive.namelist() if name.endswith(".npy")]
    path = tmp_path / "model.rdep"
    path.write_bytes(forged(content, replace_member={name: buffer.getvalue() for name in arrays}))
    with pytest.raises(ValueError, match="could not be loaded"):
        load_model(path)


@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_a_hostile_pickle_is_refused(tmp_path, marker, protocol):
    path = tmp_path / "model.rdep"
    path.write_bytes(pickle.dumps(Evil(marker), protocol=protocol))
    with pytest.raises(ValueError, match="is a Python pickle|is not a model file"):
        load_model(path)


def test_an_archive_that_unpacks_to_more_than_it_is_is_refused(tmp_path, content):
    path = tmp_path / "bomb.rdep"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(DESCRIPTION, b" " * 50_000_000)
        archive.writestr(CHECKSUM, b"0")
    assert path.stat().st_size < 100_000
    for look in (load_model, read_description):
        with pytest.raises(ValueError, match="uncompressed size exceeds"):
            look(path)


def test_a_tree_too_deep_to_walk_is_refused(tmp_path, content):
    path = tmp_path / "deep.rdep"
    deep = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    path.write_bytes(forged(content, replace_member={"schema.json": deep}))
    with pytest.raises(ValueError, match="proper skops archive"):
        load_model(path)


@pytest.mark.parametrize("kept", [0, 1, 100, 0.5, 0.99, -1])
def test_a_file_cut_off_is_refused(tmp_path, content, kept):
    path = tmp_path / "model.rdep"
    path.write_bytes(content[: int(kept * len(content)) if isinstance(kept, float) else kept])
    with pytest.raises(ValueError, match="is not a model file of rdep, or it is cut off|damaged"):
        load_model(path)


def test_a_changed_file_is_refused_or_the_change_is_without_effect(tmp_path, content):
    path = tmp_path / "model.rdep"
    path.write_bytes(content)
    expected = load_model(path).estimator.decision_function(X_TEST)
    rng = random.Random(0)
    n_refused = 0
    for _ in range(60):
        changed = bytearray(content)
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        path.write_bytes(changed)
        try:
            model = load_model(path)
        except ValueError:
            n_refused += 1
        else:  # a date in the archive, say
            assert np.array_equal(model.estimator.decision_function(X_TEST), expected)
    assert n_refused > 40


def test_another_checksum_is_named(tmp_path, content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    path = tmp_path / "model.rdep"
    for changed in ("schema.json", DESCRIPTION):
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in members.items():
                archive.writestr(name, data + b" " if name == changed else data)
        with pytest.raises(ValueError, match=f"is damaged: the checksum of {changed} is wrong"):
            load_model(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda about: about.pop("schema"),
        lambda about: about.update(versions=["rdep"]),
        lambda about: about.update(format="1"),
        lambda about: about["schema"].pop("columns"),
        lambda about: about.update(probe_scores=["a"]),
        lambda about: about["schema"]["columns"][0].update(kind="category"),
    ],
)
def test_a_description_that_makes_no_sense_is_refused(tmp_path, content, change):
    path = tmp_path / "model.rdep"
    path.write_bytes(forged(content, change_description=change))
    with pytest.raises(ValueError, match="is damaged|could not be loaded"):
        load_model(path)


def test_other_versions_that_score_the_same_load(tmp_path, content):
    path = tmp_path / "model.rdep"
    other = {"rdep": "0.0.1", "scikit-learn": "1.6.0"}
    path.write_bytes(forged(content, change_description=lambda about: about.update(versions=other)))
    assert load_model(path).versions == other


def test_other_versions_that_score_differently_say_so(tmp_path, content):
    def older(description):
        description["versions"]["scikit-learn"] = "1.0.0"
        description["probe_scores"][0] += 0.001

    path = tmp_path / "model.rdep"
    path.write_bytes(forged(content, change_description=older))
    with pytest.raises(ValueError, match="saved with scikit-learn 1.0.0"):
        load_model(path)


def test_a_file_that_is_none(tmp_path):
    with pytest.raises(FileNotFoundError, match="model file .* does not exist"):
        load_model(tmp_path / "nothing.rdep")
    (tmp_path / "text.rdep").write_text("hello")
    with pytest.raises(ValueError, match="not a model file"):
        load_model(tmp_path / "text.rdep")
    with zipfile.ZipFile(tmp_path / "other.rdep", "w") as archive:
        archive.writestr("a.txt", "hello")
    with pytest.raises(ValueError, match="not a model file"):
        load_model(tmp_path / "other.rdep")


def test_nothing_is_left_of_a_model_that_cannot_be_saved(tmp_path):
    path = tmp_path / "model.rdep"
    path.write_text("the earlier one")
    model = DEPClassifier().fit(X, Y)
    broken = replace(load_saved(model, tmp_path), summary={"object": object()})
    with pytest.raises(TypeError):
        save_model(broken, path)
    assert path.read_text() == "the earlier one"


def load_saved(model, folder):
    save_model(model, folder / "sound.rdep")
    return load_model(folder / "sound.rdep")
