"""The corrected resampled t-test, against SciPy's t-test and by simulation."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rdep_experiment.analysis._one_table import corrected_resampled_t, fold_scores

from .test_tables import fail, made_run


def test_it_is_students_test_with_a_larger_variance():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.normal([0.8, 0.7, 0.75], 0.05, (20, 3)), columns=["a", "b", "c"])
    found = corrected_resampled_t(scores, n_folds=10)
    assert next(zip(found["first"], found["second"], strict=True)) == ("a", "c")
    for test in found.itertuples():
        student = stats.ttest_rel(scores[test.first], scores[test.second])
        # 20 folds: the variance of the mean is (1/20 + 1/9) instead of 1/20.
        t = student.statistic / np.sqrt(1 + 20 / 9)
        assert test.p == pytest.approx(2 * stats.t.sf(abs(t), 19))
        assert test.p > student.pvalue
        assert test.difference == pytest.approx((scores[test.first] - scores[test.second]).mean())
        assert (test.low > 0) == (test.p < 0.05)
    assert (found["holm_p"] >= found["p"]).all()


def test_it_rejects_true_hypotheses_about_as_often_as_it_says():
    """Two equally good classifiers, cross-validated: Student's test rejects more often."""
    rng = np.random.default_rng(1)
    n_folds, n_samples, rejected, naive = 10, 200, 0, 0
    for _ in range(150):
        # Each predicts the sign of a mean that it estimates from its own half of the features.
        X = rng.normal(0.1, 1.0, (n_samples, 2))
        y = rng.choice([-1, 1], n_samples)
        X *= y[:, None]
        folds = np.array_split(rng.permutation(n_samples), n_folds)
        scores = np.empty((n_folds, 2))
        for k, test in enumerate(folds):
            train = np.setdiff1d(np.arange(n_samples), test)
            direction = np.sign(X[train].mean(axis=0))
            scores[k] = (X[test] * direction > 0).mean(axis=0)
        frame = pd.DataFrame(scores, columns=["a", "b"])
        rejected += corrected_resampled_t(frame, n_folds)["p"].iloc[0] < 0.05
        difference = scores[:, 0] - scores[:, 1]
        naive += difference.std() > 0 and stats.ttest_1samp(difference, 0).pvalue < 0.05
    assert rejected / 150 < 0.06
    assert rejected < naive


def test_constant_differences():
    scores = pd.DataFrame({"a": [0.5, 0.6, 0.7], "b": [0.4, 0.5, 0.6], "c": [0.5, 0.6, 0.7]})
    found = corrected_resampled_t(scores, 3).set_index(["first", "second"])
    assert found.loc[("a", "c"), "p"] == 1.0
    assert found.loc[("a", "b"), "p"] == 0.0


def test_a_classifier_with_a_failed_fold_is_left_out():
    means = pd.DataFrame({"dep": [0.6], "rbf_svc": [0.7]}, index=["mine"])
    rows, header = made_run(means, n_folds=4)
    assert list(fold_scores(rows, header["protocol"])["dep"]) == [
        row["scores"]["balanced_accuracy"] for row in rows[:4]
    ]
    fail(rows[1])
    assert list(fold_scores(rows, header["protocol"]).columns) == ["rbf_svc"]
