import numpy as np
import pytest

from rdep import DEPClassifier, RDEPClassifier
from rdep.datasets import load_ripley
from rdep.guarantees import certified_accuracy, robustness_radius

TRAIN, TEST, Y_TRAIN, Y_TEST = load_ripley()


@pytest.mark.parametrize("model", [DEPClassifier(), RDEPClassifier("boxes")])
def test_it_is_the_accuracy_under_the_worst_change(model):
    """At radius 0 the accuracy; elsewhere no attack on samples leaves less than it says."""
    model.fit(TRAIN, Y_TRAIN)
    scale = TRAIN.std(axis=0)
    asked = [0.0, 0.1, 0.3]
    found = certified_accuracy(model, TEST, Y_TEST, asked, scale=scale)
    assert found[0] == model.score(TEST, Y_TEST)
    rng = np.random.default_rng(0)
    for radius, share in zip(asked[1:], found[1:], strict=True):
        survives = model.predict(TEST) == Y_TEST
        corners = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
        for step in [*corners, *rng.uniform(-1, 1, (200, 2))]:
            survives &= model.predict(TEST + radius * (1 - 1e-9) * scale * step) == Y_TEST
        assert share <= survives.mean() + 1e-12
        assert share >= survives.mean() - 0.03  # 200 attacks in the plane find nearly all
    assert (np.diff(found) < 0).all()


def test_a_sample_on_the_boundary_counts_at_radius_zero():
    dep = DEPClassifier().fit([[0.0, 1], [1, 0], [2, 3], [3, 2]], [0, 0, 1, 1])
    x = np.array([[1.0, 1.5]])
    x -= dep._decide(x)
    assert robustness_radius(dep, x).radii[0] == 0
    assert certified_accuracy(dep, x, [1], [0, 1e-9]).tolist() == [1, 0]


def test_bad_input_is_refused():
    dep = DEPClassifier().fit(TRAIN, Y_TRAIN)
    with pytest.raises(ValueError, match="radii must be numbers that are not negative"):
        certified_accuracy(dep, TEST, Y_TEST, [-1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        certified_accuracy(dep, TEST, Y_TEST[:3], [0])
