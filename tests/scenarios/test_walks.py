"""Straight walks: what a prediction passes through, and what an estimator inherits."""

import sys

import pytest
from sklearn.datasets import make_moons
from sklearn.svm import SVC
from sklearn.utils import get_tags

from rdep import BaggingOrdering, DEPClassifier, RDEPClassifier, all_estimators, orderings

from ..places import SOURCE


def entered(call):
    """The files of the package that a call passes through."""
    files = set()

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(str(SOURCE)):
            files.add(frame.f_code.co_filename[len(str(SOURCE)) + 1 :])

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return files


@pytest.mark.parametrize("ordering", ["ensemble", "bagging"])
def test_a_prediction_constructs_no_estimator(monkeypatch, ordering):
    X, y = make_moons(40, noise=0.2, random_state=0)
    model = RDEPClassifier.paper(ordering, random_state=0).fit(X, y)
    made = []
    construct = SVC.__init__

    def counted(self, *args, **kwargs):
        made.append(self)
        construct(self, *args, **kwargs)

    monkeypatch.setattr(SVC, "__init__", counted)
    SVC()
    assert len(made) == 1
    model.predict(X)
    get_tags(model)
    assert len(made) == 1


def test_a_prediction_writes_no_report():
    X, y = make_moons(40, noise=0.2, random_state=0)
    for model in (DEPClassifier(), RDEPClassifier.paper()):
        model.fit(X, y)
        files = entered(lambda model=model: model.predict(X))
        assert any(file.startswith("perceptrons") for file in files)
        assert not [file for file in files if file.startswith("inspection")]


@pytest.mark.parametrize("name", orderings.ORDERINGS)
def test_a_class_of_orderings_knows_whether_its_members_take_sparse_samples(name):
    kind = getattr(orderings, orderings.ORDERINGS[name])
    ordering = kind()
    if name == "bagging":
        members = [ordering._template()]
    else:
        members = [member for _, member in ordering._named()] if hasattr(ordering, "_named") else []
    takes_sparse = bool(members) and all(get_tags(m).input_tags.sparse for m in members)
    assert kind._takes_sparse == get_tags(ordering).input_tags.sparse == takes_sparse
    assert get_tags(RDEPClassifier(name, scale_input=False)).input_tags.sparse == takes_sparse


def test_nothing_but_results_is_left_of_a_bagging():
    X, y = make_moons(40, noise=0.2, random_state=0)
    ordering = BaggingOrdering(cv="oob", random_state=0).fit(X, y)
    private = {name for name in vars(ordering) if name.startswith("_")}
    assert private == {"_names", "_rows_in_use"}


def test_estimators_have_five_ancestors_of_ours_at_most():
    ours = {
        name: [base for base in kind.__mro__[1:] if base.__module__.startswith("rdep")]
        for name, kind in all_estimators()
    }
    assert {name: bases for name, bases in ours.items() if len(bases) > 5} == {}
    assert len(ours["DEPClassifier"]) == 5
