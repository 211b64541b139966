"""Trees in model files: they come back as they were, and hostile ones never predict."""

import copy
import io
import json
import signal
import subprocess
import sys
import zipfile

import numpy as np
import pytest
import skops.io
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rdep import BaggingOrdering, EnsembleOrdering, RDEPClassifier
from rdep.datasets import load_ripley
from rdep.model_files import load_model, save_model
from rdep.model_files._files import check_contents

from .forgery import forged, json_node

X, X_TEST, Y, _ = load_ripley()

MEMBERS = [
    ("forest", RandomForestClassifier(3, random_state=0)),
    ("extra", ExtraTreesClassifier(3, random_state=0)),
    ("tree", DecisionTreeClassifier(max_leaf_nodes=9, ccp_alpha=0.01, random_state=0)),
    ("bagging", BaggingClassifier(n_estimators=3, random_state=0)),
    ("boosting", HistGradientBoostingClassifier(max_iter=3, random_state=0)),
    ("pipeline", make_pipeline(StandardScaler(), RandomForestClassifier(3, random_state=0))),
]


@pytest.mark.parametrize(
    "model",
    [
        RDEPClassifier(random_state=0),
        RDEPClassifier(EnsembleOrdering(MEMBERS, cv=3)),
        RDEPClassifier(BaggingOrdering(MEMBERS[0][1], n_estimators=3, random_state=0, cv=3)),
    ],
    ids=["mixed", "ensemble", "bagging"],
)
def test_trees_come_back_as_they_were(tmp_path, model):
    model.fit(X, Y)
    save_model(model, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep").estimator
    assert np.array_equal(back.decision_function(X_TEST), model.decision_function(X_TEST))


def test_trees_of_more_than_two_classes_come_back(tmp_path):
    iris, y = load_iris(return_X_y=True)
    model = RDEPClassifier(EnsembleOrdering([MEMBERS[0], MEMBERS[4]])).fit(iris, y)
    save_model(model, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep").estimator
    assert np.array_equal(back.decision_function(iris), model.decision_function(iris))


def test_trees_that_cannot_be_checked_are_refused_when_saved(tmp_path):
    members = [("a", GradientBoostingClassifier(n_estimators=3)), ("b", LogisticRegression())]
    model = RDEPClassifier(EnsembleOrdering(members, cv=3)).fit(X, Y)
    with pytest.raises(ValueError, match="cannot hold GradientBoostingClassifier"):
        save_model(model, tmp_path / "model.rdep")
    codes = np.column_stack([np.arange(len(X)) % 4, X])
    boosting = HistGradientBoostingClassifier(max_iter=3, categorical_features=[0])
    with pytest.raises(ValueError, match="with categorical features"):
        check_contents(boosting.fit(codes, Y))


def sound():
    forest, boosting = (
        RandomForestClassifier(1, random_state=0),
        HistGradientBoostingClassifier(max_iter=2),
    )
    ordering = EnsembleOrdering([("forest", forest), ("boosting", boosting)])
    return RDEPClassifier(ordering, scale_input=False, scale_ordering=False).fit(X, Y)


def members_of(archive):
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        return {name: file.read(name) for name in file.namelist()}


def of_tree(change, expected):
    """A change of the forest's first tree, and a part of the message that it must lead to."""

    def apply(model):
        change(model.ordering_.estimators_[0].estimators_[0])

    return apply, expected


def of_boosting(change, expected):
    def apply(model):
        change(model.ordering_.estimators_[1])

    return apply, expected


def at(name, place, value):
    """A change of the nodes of a tree, by the name of scikit-learn's array of them."""
    return lambda owner: getattr(owner.tree_, name).__setitem__(place, value)


def field(name, place, value):
    return lambda owner: owner._predictors[1][0].nodes[name].__setitem__(place, value)


def nodes(change):
    def apply(owner):
        owner._predictors[1][0].nodes = change(owner._predictors[1][0].nodes)

    return apply


def attribute(name, value):
    return lambda owner: vars(owner).update({name: value})


def stray(place):
    """A tree where none belongs."""

    def apply(model):
        model.C = place(model.ordering_.estimators_[0].estimators_[0].tree_)

    return apply, "outside of a decision tree"


def stray_predictor(model):
    model.margin = [model.ordering_.estimators_[1]._predictors[0][0]]


def array_of(tree):
    array = np.empty((1, 1), dtype=object)
    array[0, 0] = {"a": tree}
    return array


def gradient_boosting(model):
    boosting = GradientBoostingClassifier(n_estimators=2).fit(X, Y)
    boosting.estimators_[0, 0].tree_ = None
    model.ordering_.estimators_[1] = boosting


NO_TREE, NO_FEATURE = "do not form a tree", "a feature that does not exist"
OTHER = "is not in the state of a fitted estimator"
FAR = 2**40
HOSTILE_MODELS = {
    "tree: child out of range": of_tree(at("children_left", 0, FAR), NO_TREE),
    "tree: child before the first": of_tree(at("children_left", 0, -FAR), NO_TREE),
    "tree: cycle": of_tree(at("children_right", 0, 0), NO_TREE),
    "tree: two parents": of_tree(at("children_right", 0, 1), NO_TREE),
    "tree: one child": of_tree(at("children_right", 0, -1), "one child only"),
    "tree: feature out of range": of_tree(at("feature", 0, FAR), NO_FEATURE),
    "tree: feature one too great": of_tree(at("feature", 0, 2), NO_FEATURE),
    "tree: feature below 0": of_tree(at("feature", 0, -FAR), NO_FEATURE),
    "tree: for more features": of_tree(attribute("n_features_in_", 3), "other classes or features"),
    "tree: for other classes": of_tree(attribute("n_classes_", 3), "other classes or features"),
    "tree: any number of features": of_tree(attribute("n_features_in_", None), "no valid number"),
    "tree: no tree": of_tree(attribute("tree_", [1]), "without nodes"),
    "tree: a method replaced": of_tree(
        attribute("_validate_X_predict", np.float32), "replaces methods"
    ),
    "boosting: child out of range": of_boosting(field("left", 0, 2**31), NO_TREE),
    "boosting: cycle": of_boosting(field("right", 0, 0), NO_TREE),
    "boosting: two parents": of_boosting(field("right", 0, 1), NO_TREE),
    "boosting: a leaf with children": of_boosting(field("is_leaf", 0, 1), NO_TREE),
    "boosting: no leaves": of_boosting(field("is_leaf", slice(None), 0), NO_TREE),
    "boosting: feature out of range": of_boosting(field("feature_idx", 0, FAR), NO_FEATURE),
    "boosting: feature below 0": of_boosting(field("feature_idx", 0, -FAR), NO_FEATURE),
    "boosting: categories": of_boosting(field("is_categorical", 0, 1), "splits by categories"),
    "boosting: truncated": of_boosting(nodes(lambda array: array[:-1]), NO_TREE),
    "boosting: no nodes": of_boosting(nodes(lambda array: array[:0]), "no valid nodes"),
    "boosting: a matrix of nodes": of_boosting(nodes(lambda a: a[None]), "no valid nodes"),
    "boosting: numbers for nodes": of_boosting(nodes(lambda array: array["value"]), "ValueError"),
    "boosting: fewer fields": of_boosting(
        nodes(lambda array: array[["value", "left"]].copy()), "ValueError"
    ),
    "boosting: text for nodes": of_boosting(nodes(lambda array: "abc"), "ValueError"),
    "boosting: as if on bins": of_boosting(attribute("_in_fit", True), OTHER),
    "boosting: baseline": of_boosting(attribute("_baseline_prediction", np.zeros((1, 2))), OTHER),
    "boosting: no list": of_boosting(attribute("_predictors", "abc"), OTHER),
    "boosting: no trees": of_boosting(
        attribute("_predictors", [["abc"]]), "objects other than trees"
    ),
    "boosting: a preprocessor": of_boosting(
        attribute("_preprocessor", StandardScaler()), "with categorical features"
    ),
    "boosting: any number of features": of_boosting(
        attribute("n_features_in_", np.array([2])), "no valid number"
    ),
    "stray: as a parameter": stray(lambda tree: tree),
    "stray: in a list": stray(lambda tree: [[tree]]),
    "stray: in an array": stray(array_of),
    "stray: in an estimator": stray(lambda tree: LogisticRegression(C=(tree,))),
    "stray: the class": stray(type),
    "stray: of boosting": (stray_predictor, "outside of a decision tree"),
    "gradient boosting": (gradient_boosting, "cannot hold GradientBoostingClassifier"),
}


def array_changed(name, change):
    def apply(tree, arrays):
        file = tree["content"]["content"][name]["file"]
        arrays[file] = saved(change(np.load(io.BytesIO(arrays[file]))))

    return apply


def number_changed(name, value):
    def apply(tree, arrays):
        tree["content"]["content"][name] = json_node(value)

    return apply


def argument_changed(position, value):
    def apply(tree, arrays):
        arguments = tree["__reduce__"]["args"]["content"]
        if isinstance(value, list):
            arrays[arguments[position]["file"]] = saved(np.array(value))
        else:
            arguments[position] = json_node(value)

    return apply


def both(*changes):
    def apply(tree, arrays):
        for change in changes:
            change(tree, arrays)

    return apply


def saved(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def without_last(array):
    return array[:-1]


def without_any(array):
    return array[:0]


def without_fields(array):
    return array[["left_child", "right_child"]].copy()


# Changes of what the file says of the first tree: its state and its constructor's arguments.
HOSTILE_FILES = {
    "file: nodes truncated": (array_changed("nodes", without_last), "Wrong shape for value"),
    "file: all truncated": (
        both(array_changed("nodes", without_last), array_changed("values", without_last)),
        NO_TREE,
    ),
    "file: no nodes": (
        both(array_changed("nodes", without_any), array_changed("values", without_any)),
        "without nodes",
    ),
    "file: no state": (lambda tree, arrays: tree["content"].update(content={}), "without nodes"),
    "file: nodes with fewer fields": (array_changed("nodes", without_fields), "dtype"),
    "file: nodes of numbers": (array_changed("nodes", lambda a: a["feature"]), "ValueError"),
    "file: values in single precision": (
        array_changed("values", lambda array: array.astype(np.float32)),
        "dtype",
    ),
    "file: values of fewer classes": (
        array_changed("values", lambda array: array[:, :, :1].copy()),
        "Wrong shape for value",
    ),
    "file: fewer nodes than it says": (number_changed("node_count", 10**9), "ValueError"),
    "file: fewer nodes counted": (number_changed("node_count", 2), NO_TREE),
    "file: a negative number of nodes": (number_changed("node_count", -3), "without nodes"),
    "file: deeper than it says": (number_changed("max_depth", 0), "deeper than its recorded depth"),
    "file: endlessly deep": (number_changed("max_depth", 2**62), "deeper than its recorded depth"),
    "file: features below 0": (argument_changed(0, -1), "other classes or features"),
    "file: too many features": (argument_changed(0, 2**62), "other classes or features"),
    "file: features beyond numbers": (argument_changed(0, 2**70), "OverflowError"),
    "file: no outputs": (
        both(argument_changed(2, 0), array_changed("values", lambda a: a[:, :0].copy())),
        "other classes or features",
    ),
    "file: outputs below 0": (argument_changed(2, -1), "ValueError"),
    "file: more outputs than classes": (argument_changed(2, 10**6), "ValueError"),
    "file: endless outputs": (argument_changed(2, 2**62), "ValueError"),
    "file: no classes": (argument_changed(1, [0]), "Wrong shape for value"),
    "file: classes below 0": (argument_changed(1, [-2]), "Wrong shape for value"),
    "file: endless classes": (argument_changed(1, [2**62]), "Wrong shape for value"),
    "file: classes unlike the greatest": (argument_changed(1, [1, 2]), "other classes or features"),
}
# A count beyond the nodes is cut to what there is, so that the file is as good as the sound one.
HARMLESS = {"file: fewer nodes than it says"}

# Unchecked, a hostile file may end the process, or have it walk in circles: in a child.
LOAD = """
import json, os, signal, sys
import rdep.model_files._files

def load(path):
    try:
        rdep.model_files.load_model(path)
        return "loaded"
    except Exception as error:
        return f"{type(error).__name__}: {error}"

def load_unchecked(path):
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    signal.alarm(60)
    rdep.model_files._files.check_contents = lambda model: None
    os._exit(int(load(path) != "loaded"))

unchecked, checked = json.load(sys.stdin)
for path in unchecked:
    print(json.dumps(load_unchecked(path)), flush=True)
for path in checked:
    print(json.dumps(load(path)), flush=True)
"""
UNCHECKED = (
    "sound", "tree: feature out of range", "boosting: feature out of range", "gradient boosting",
)  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Hostile files by name, all with checksums that fit."""
    folder = tmp_path_factory.mktemp("hostile")
    model = sound()
    save_model(model, folder / "sound.rdep")
    content = (folder / "sound.rdep").read_bytes()
    paths = {"sound": folder / "sound.rdep"}
    for number, (name, (change, _)) in enumerate({**HOSTILE_MODELS, **HOSTILE_FILES}.items()):
        paths[name] = folder / f"{number}.rdep"
        if name in HOSTILE_MODELS:
            changed = copy.deepcopy(model)
            change(changed)
            arrays = members_of(skops.io.dumps(changed))
        else:
            arrays = members_of(content)
            schema = json.loads(arrays["schema.json"])
            change(first_tree(schema), arrays)
            arrays["schema.json"] = json.dumps(schema).encode()
            arrays = {key: data for key, data in arrays.items() if not key.startswith("rdep.")}
        paths[name].write_bytes(forged(content, replace_member=arrays))
    return paths


def first_tree(schema):
    if isinstance(schema, dict) and schema.get("__loader__") == "TreeNode":
        return schema
    parts = schema.values() if isinstance(schema, dict) else schema
    found = (first_tree(part) for part in parts if isinstance(part, dict | list))
    return next((tree for tree in found if tree), None)


@pytest.fixture(scope="module")
def outcomes(files):
    """What loading files unchecked led to, and loading all of them; in a process of its own."""
    unchecked = [str(files[name]) for name in UNCHECKED]
    process = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LOAD],
        input=json.dumps([unchecked, list(map(str, files.values()))]),
        capture_output=True,
        text=True,
        check=False,
    )
    found = list(map(json.loads, process.stdout.splitlines()))
    codes, found = found[: len(unchecked)], found[len(unchecked) :]
    assert process.returncode == 0, f"loading {list(files)[len(found)]!r} ended the process"
    return dict(zip(UNCHECKED, codes, strict=True)), dict(zip(files, found, strict=True))


@pytest.mark.parametrize("name", [*HOSTILE_MODELS, *HOSTILE_FILES])
def test_a_hostile_tree_is_refused(outcomes, name):
    _, refusals = outcomes
    expected = {**HOSTILE_MODELS, **HOSTILE_FILES}[name][1]
    if name in HARMLESS:
        assert refusals[name] == "loaded"
    else:
        assert refusals[name].startswith("ValueError: ")
        assert expected in refusals[name]
    assert refusals["sound"] == "loaded"


def test_the_hostile_trees_are_hostile(outcomes):
    codes, _ = outcomes
    assert codes["sound"] == 0
    # Memory that is not there, or is no memory; in some versions they walk in circles instead.
    ends = {-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGALRM}
    assert {codes[name] for name in UNCHECKED[1:]} <= ends
