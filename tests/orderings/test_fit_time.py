"""The rough estimate before a long fit, and what it advises."""

import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

from rdep import DEPClassifier, EnsembleOrdering, RDEPClassifier
from rdep.cli._fit_time import said_before
from rdep.perceptrons import long_fit
from rdep.tables import Column, Schema


def said(classifier, n_rows, classes=("no", "yes")):
    columns = (*(Column(f"x{k}", "number") for k in range(8)), Column("c", "category", ("a", "b")))
    return " ".join(said_before(classifier, Schema(columns, classes), n_rows))


def seconds(text):
    number, unit = text.partition(" will take about ")[2].split()[:2]
    return float(number) * {"seconds": 1, "minutes": 60, "hours": 3600}[unit.rstrip(",;.")]


def test_readable_models_are_fitted_soon():
    for classifier in (DEPClassifier(), RDEPClassifier("boxes"), RDEPClassifier("signed")):
        assert said(classifier, 1_000_000) == ""


def test_small_tables_need_no_word():
    for classifier in (RDEPClassifier(), RDEPClassifier("ensemble")):
        assert said(classifier, 1000) == ""


def test_more_rows_folds_or_classes_take_longer():
    few, many = (seconds(said(RDEPClassifier("ensemble"), n)) for n in (50_000, 200_000))
    assert many > 10 * few
    three = seconds(said(RDEPClassifier("ensemble"), 200_000, ("a", "b", "c")))
    assert three == pytest.approx(3 * many, rel=0.5)
    folds = seconds(said(RDEPClassifier("ensemble").set_params(ordering__cv=5), 200_000))
    assert folds > 3 * many
    bagging = seconds(said(RDEPClassifier("bagging"), 200_000))
    assert bagging == pytest.approx(10 / 3 * many, rel=0.5)  # ten SVCs instead of three


def test_many_rows_with_svcs_are_advised_to_take_the_mixed_ordering():
    assert "with --ordering mixed about" in said(RDEPClassifier("ensemble"), 200_000)
    assert "--ordering mixed" not in said(RDEPClassifier(), 1_000_000)


def test_members_that_scale_are_announced():
    mixed = RDEPClassifier()
    text = said(mixed, 2001)
    assert "with more than 2,000 rows, landmarks take the place of the SVC" in text
    assert "--set ordering__max_svc_samples=none" in text
    assert "landmarks" not in said(mixed, 2000)
    mixed.set_params(ordering__max_svc_samples=None)
    assert "landmarks" not in said(mixed, 100_000)
    assert seconds(said(mixed, 100_000)) > 3 * seconds(said(RDEPClassifier("mixed"), 100_000))


def test_a_forest_out_of_bag_and_fewer_trees_take_less():
    def of(member):
        return seconds(
            said(RDEPClassifier(EnsembleOrdering([("member", member)], cv=5)), 1_000_000)
        )

    plain = of(RandomForestClassifier())
    assert of(RandomForestClassifier(oob_score=True)) < plain / 4
    assert of(RandomForestClassifier(50)) == pytest.approx(plain / 2, rel=0.1)
    boosting = of(HistGradientBoostingClassifier(max_iter=1000))
    assert of(HistGradientBoostingClassifier(max_iter=500)) == pytest.approx(boosting / 2, rel=0.2)


def test_python_is_told_of_minutes_in_its_own_words():
    model = RDEPClassifier()
    assert long_fit(model, 1000, 20, 2) is None
    assert long_fit(DEPClassifier(), 1_000_000, 20, 2) is None
    warning = long_fit(model, 500_000, 30, 2)
    assert warning.seconds > 60
    assert str(warning).startswith("fitting on 500,000 samples will take about ")
    assert "with ordering=" not in str(warning)
    assert "verbose=1" in str(warning)
    assert long_fit(model, 500_000, 30, 3).seconds == pytest.approx(3 * warning.seconds)
    with_svcs = RDEPClassifier("ensemble")
    assert "with ordering='mixed' about" in str(long_fit(with_svcs, 500_000, 30, 2))


def test_wide_tables_are_announced():
    """Most of their time is in boosted trees."""
    warning = long_fit(RDEPClassifier(), 300, 3000, 2, at_least=10)
    assert 10 < warning.seconds < 30
    assert long_fit(RDEPClassifier(), 300, 100, 2, at_least=10) is None
