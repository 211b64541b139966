"""Lags of time series: their definition, alignment with targets, and bad input."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from rdep import DEPRegressor, LagFeatures

SERIES = np.random.default_rng(0).normal(size=30).cumsum()


@pytest.mark.parametrize(("lags", "horizon"), [(3, 1), ([0, 2, 7], 4), ([4], 1)])
def test_pairs_are_those_of_the_definition(lags, horizon):
    X, y = LagFeatures(lags).pairs(SERIES, horizon=horizon)
    own = range(lags) if isinstance(lags, int) else lags
    pairs = [
        ([SERIES[t - lag] for lag in own], SERIES[t + horizon])
        for t in range(max(own), len(SERIES) - horizon)
    ]
    assert X.tolist() == [row for row, _ in pairs]
    assert y.tolist() == [target for _, target in pairs]


def test_every_time_has_a_row_and_the_future_is_in_none():
    lags = LagFeatures(4).fit(SERIES)
    rows = lags.transform(SERIES)
    assert rows.shape == (30, 4)
    assert np.isnan(rows).sum() == 3 + 2 + 1
    for end in (5, 17):
        np.testing.assert_array_equal(lags.transform(SERIES[:end]), rows[:end])
    np.testing.assert_array_equal(lags.transform(SERIES[-4:])[-1], rows[-1])


def test_several_series_with_names():
    frame = pd.DataFrame({"a": SERIES, "b": SERIES**2})
    lags = LagFeatures([0, 3])
    X, y = lags.pairs(frame, frame["b"], horizon=2)
    assert lags.get_feature_names_out().tolist() == ["a_lag0", "a_lag3", "b_lag0", "b_lag3"]
    np.testing.assert_array_equal(X[:, 2:], LagFeatures([0, 3]).pairs(frame["b"], horizon=2)[0])
    np.testing.assert_array_equal(y, SERIES[5:] ** 2)
    assert list(lags.set_output(transform="pandas").transform(frame).columns[:1]) == ["a_lag0"]


def test_an_autoregression_is_recovered():
    series = [1.0, 0.5]
    for _ in range(40):
        series.append(0.9 * series[-1] - 0.5 * series[-2] + 0.1)
    model = LinearRegression().fit(*LagFeatures(2).pairs(series))
    np.testing.assert_allclose(model.coef_, [0.9, -0.5], atol=1e-8)


def test_a_dep_with_slope_one_shifts_with_the_series():
    lags = LagFeatures(4)
    model, moved = (
        DEPRegressor(slope=1.0).fit(*lags.pairs(SERIES + level)) for level in (0.0, 64.0)
    )
    X = lags.transform(SERIES)[3:]
    np.testing.assert_allclose(model.predict(X + 64.0), model.predict(X) + 64.0)
    np.testing.assert_allclose(moved.predict(X + 64.0), model.predict(X) + 64.0)


@pytest.mark.parametrize(
    ("lags", "call", "message"),
    [
        (31, lambda lags: lags.fit(SERIES), "n_samples=30 values, but the largest lag is 30"),
        (5, lambda lags: lags.fit(SERIES).transform(SERIES[:4]), "at least 5 values"),
        (5, lambda lags: lags.pairs(SERIES, horizon=26), r"horizon=26 need at least 31"),
        (5, lambda lags: lags.pairs(SERIES, horizon=0), "horizon must be an integer"),
        (5, lambda lags: lags.pairs(np.ones((30, 2))), "2 series: pass the one to forecast"),
        (5, lambda lags: lags.pairs(SERIES, SERIES[1:]), "inconsistent numbers of samples"),
        ([0, -1], lambda lags: lags.fit(SERIES), "different integers from 0 on"),
        ([1, 1], lambda lags: lags.fit(SERIES), "different integers from 0 on"),
        ([0.5], lambda lags: lags.fit(SERIES), "different integers from 0 on"),
        (0, lambda lags: lags.fit(SERIES), "'lags' parameter"),
        (2, lambda lags: lags.pairs([1.0, 2.0, np.inf, 3.0]), "infinity"),
        (2, lambda lags: lags.pairs([1.0, 2.0, np.nan, 3.0]), "NaN"),
    ],
)
def test_bad_input(lags, call, message):
    with pytest.raises(ValueError, match=message):
        call(LagFeatures(lags))
