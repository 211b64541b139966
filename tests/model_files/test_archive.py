"""The archive of a model file: its format, and the names of classes in it."""

import json
import zipfile
from importlib import import_module

import pytest

from rdep import (
    BaggingOrdering,
    BoxesOrdering,
    DEPClassifier,
    DEPClassifierCV,
    EnsembleOrdering,
    MixedOrdering,
    RDEPClassifier,
    RitterSussnerClassifier,
    SignedOrdering,
    all_estimators,
)
from rdep.datasets import load_ripley
from rdep.model_files import load_model, read_description, save_model
from rdep.model_files._archive import FORMAT

from .forgery import forged

X, _, Y, _ = load_ripley()
X, Y = X[::3], Y[::3]

ORDERINGS = [
    EnsembleOrdering(),
    BaggingOrdering(n_estimators=2, random_state=0),
    MixedOrdering(cv=3, random_state=0),
    MixedOrdering(max_svc_samples=0, random_state=0),
    SignedOrdering(),
    BoxesOrdering(),
]
MODELS = {
    **{name: kind() for name, kind in all_estimators("classifier")},
    **{f"r-DEP by {type(ordering).__name__}": RDEPClassifier(ordering) for ordering in ORDERINGS},
    "joint training": DEPClassifier(joint=True),
    "r-DEP with the perceptron of 1996": RDEPClassifier("ensemble", dep=RitterSussnerClassifier()),
    "r-DEP with a chosen C": RDEPClassifier("ensemble", dep=DEPClassifierCV(Cs=[0.1, 0.01])),
}


def test_every_ordering_is_among_the_models():
    assert {type(ordering) for ordering in ORDERINGS} == {
        kind for _, kind in all_estimators("ordering")
    }


def named_classes(node):
    """Dotted names of all classes and functions that a skops tree refers to."""
    if isinstance(node, dict):
        if "__module__" in node:
            yield f"{node['__module__']}.{node['__class__']}"
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from named_classes(item)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
def test_a_file_names_classes_of_this_package_by_their_public_names(tmp_path, name):
    path = tmp_path / "model.rdep"
    model = MODELS[name].fit(X, Y)
    save_model(model, path)
    with zipfile.ZipFile(path) as archive:
        names = set(named_classes(json.loads(archive.read("schema.json"))))
    own = {name for name in names if name.partition(".")[0] == "rdep"}
    assert f"rdep.{type(model).__name__}" in own
    for dotted in own:
        package, _, attribute = dotted.rpartition(".")
        assert not any(part.startswith("_") for part in dotted.split(".")), dotted
        assert getattr(import_module(package), attribute).__name__ == attribute
        assert attribute in import_module(package).__all__


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """The bytes of a sound model file."""
    path = tmp_path_factory.mktemp("model") / "sound.rdep"
    save_model(DEPClassifier().fit(X, Y), path)
    return path.read_bytes()


def in_format(content, number, **more):
    """The same file, as one of another format by rdep 7.0."""

    def change(description):
        description["format"] = number
        description["versions"]["rdep"] = "7.0"
        description.update(more)

    return forged(content, change_description=change)


def test_a_file_says_its_format(tmp_path, content):
    path = tmp_path / "model.rdep"
    path.write_bytes(content)
    assert read_description(path)["format"] == FORMAT
    path.write_bytes(in_format(content, FORMAT))
    assert load_model(path).versions["rdep"] == "7.0"


@pytest.mark.parametrize("look", [load_model, read_description])
def test_a_newer_format_is_refused_with_the_advice_to_upgrade(tmp_path, content, look):
    path = tmp_path / "model.rdep"
    path.write_bytes(in_format(content, FORMAT + 1, what_this_version_does_not_know=1))
    with pytest.raises(ValueError, match="a newer format .* upgrade"):
        look(path)


@pytest.mark.parametrize("look", [load_model, read_description])
@pytest.mark.parametrize("number", [1, 2])
def test_formats_before_the_first_release_are_refused(tmp_path, content, look, number):
    path = tmp_path / "model.rdep"
    path.write_bytes(in_format(content, number))
    with pytest.raises(ValueError, match=f"in format {number}, .* fit the model again"):
        look(path)


@pytest.mark.parametrize("number", ["2", 2.0, True, 0, -1, None])
def test_a_format_that_is_no_number_of_one_is_refused(tmp_path, content, number):
    path = tmp_path / "model.rdep"
    path.write_bytes(in_format(content, number))
    with pytest.raises(ValueError, match="is damaged: its format is"):
        load_model(path)


def test_unknown_keys_of_this_format_are_refused(tmp_path, content):
    path = tmp_path / "model.rdep"
    path.write_bytes(in_format(content, FORMAT, surplus=1))
    with pytest.raises(ValueError, match="its description lacks"):
        load_model(path)
