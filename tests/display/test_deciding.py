"""Which coordinate decides where, against explain at every point of the grid."""

import numpy as np
import pytest

from rdep.display import DecidingDisplay


def points_of(display):
    return np.stack(np.meshgrid(display.x0, display.x1), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize("operator", ["larger", "dilation", "erosion"])
@pytest.mark.parametrize("kind", ["dep", "rdep"])
def test_it_is_explain_on_the_plane(ripley, kind, operator, request):
    model = request.getfixturevalue(kind)
    display = DecidingDisplay.from_estimator(model, *ripley, operator=operator, grid_resolution=30)
    explained = model.explain(points_of(display))
    assert display.decision.ravel() == pytest.approx(explained.decision)
    for place, dilation_by, erosion_by, dilation_share, erosion_share in zip(
        display.deciding.ravel(), explained.dilation_by, explained.erosion_by,
        explained.dilation_share, explained.erosion_share, strict=True,
    ):  # fmt: skip
        by_dilation = ("dilation", dilation_by)
        by_erosion = ("erosion", erosion_by)
        larger = by_dilation if abs(dilation_share) >= abs(erosion_share) else by_erosion
        expected = {"larger": larger, "dilation": by_dilation, "erosion": by_erosion}[operator]
        assert display.labels[place] == expected


def test_the_larger_share_fixes_the_sign(ripley, dep):
    display = DecidingDisplay.from_estimator(dep, *ripley, grid_resolution=40)
    explained = dep.explain(points_of(display))
    shares = np.where(
        np.abs(explained.dilation_share) >= np.abs(explained.erosion_share),
        explained.dilation_share, explained.erosion_share,
    )  # fmt: skip
    clear = np.abs(explained.decision) > 1e-12
    assert np.array_equal((shares > 0)[clear], (explained.decision > 0)[clear])


def test_a_cut_through_named_features(cancer, wide_dep):
    X, y = cancer
    display = DecidingDisplay.from_estimator(
        wide_dep, X, y, features=("mean area", "mean radius"), grid_resolution=20
    )
    full = np.tile(np.median(X.to_numpy(), axis=0), (400, 1))
    full[:, [3, 0]] = points_of(display)
    assert display.decision.ravel() == pytest.approx(wide_dep._decide(full))
    assert display.feature_names == ("mean area", "mean radius")


def test_an_unknown_operator(ripley, dep):
    with pytest.raises(ValueError, match="erosion, got 'sum'"):
        DecidingDisplay.from_estimator(dep, *ripley, operator="sum")
