"""Label images."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from rdep import RDEPClassifier
from rdep.images import classify, labelled_pixels

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_label_images_are_the_classifiers_predictions(dtype, n_classes):
    image = RNG.integers(0, 256, (20, 30, 3)).astype(dtype)
    labels = (1 + image[..., 0].astype(int) * n_classes // 256).astype(np.int16)
    labels[::2] = 0
    classifier = RDEPClassifier("ensemble").fit(*labelled_pixels(image, labels))
    result = classify(image, classifier)
    expected = classifier.predict(image.reshape(-1, 3).astype(float)).reshape(20, 30)
    assert result.dtype == np.int16
    assert np.array_equal(result, expected)
    assert (result == labels)[1::2].mean() > 0.9


def test_stacks_and_many_channels():
    stack = RNG.normal(size=(2, 8, 9, 120))
    labels = np.where(stack[..., 0] > 0, 2, 1)
    classifier = RDEPClassifier("ensemble").fit(*labelled_pixels(stack, labels))
    result = classify(stack, classifier)
    assert np.array_equal(result[1], classify(stack[1], classifier))


def test_bad_classifiers():
    image = np.zeros((3, 3, 2))
    with pytest.raises(NotFittedError):
        classify(image, RDEPClassifier("ensemble"))
    with pytest.raises(ValueError, match="no method predict"):
        classify(image, "bayes")
    fitted = RDEPClassifier("ensemble").fit(RNG.normal(size=(10, 3)), np.arange(10) % 2)
    with pytest.raises(ValueError, match="pixels of 3 channels"):
        classify(image, fitted)
