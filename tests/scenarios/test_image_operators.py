"""Operators on grey images of four types, images and volumes, against SciPy and scikit-image."""

import numpy as np
import pytest
from scipy import ndimage
from skimage import morphology

from rdep import images

DTYPES = (np.uint8, np.int16, np.float32, bool)
SHAPES = {"image": (13, 17), "volume": (5, 6, 7)}


def pictures(seed=0, low=0, high=12):
    for dtype in DTYPES:
        for shape in SHAPES.values():
            image = np.random.default_rng(seed).integers(low, high, shape)
            yield (image > high // 2 if dtype is bool else image).astype(dtype)


def orderings(image):
    yield "marginal"
    yield image
    yield images.LexicographicOrdering()
    yield lambda X: X[:, 0]


def each_way(function, image, *arguments, **options):
    """Results of a function in every ordering, which are all the same on a grey image."""
    for ordering in orderings(image):
        yield function(image, *arguments, ordering=ordering, channel_axis=None, **options)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (images.erosion, ndimage.grey_erosion),
        (images.dilation, ndimage.grey_dilation),
        (images.opening, ndimage.grey_opening),
        (images.closing, ndimage.grey_closing),
    ],
    ids=["erosion", "dilation", "opening", "closing"],
)
@pytest.mark.parametrize("iterations", [1, 2])
def test_sizes_and_iterations(ours, theirs, iterations):
    for image in pictures():
        size = (3, 2, 3)[: image.ndim]
        if iterations == 1:
            expected = theirs(image, size=size)
        else:
            first, second = (
                (ndimage.grey_erosion, ndimage.grey_dilation)
                if theirs in (ndimage.grey_erosion, ndimage.grey_opening)
                else (ndimage.grey_dilation, ndimage.grey_erosion)
            )
            expected = first(first(image, size=size), size=size)
            if theirs in (ndimage.grey_opening, ndimage.grey_closing):
                expected = second(second(expected, size=size), size=size)
        for result in each_way(ours, image, size=size, iterations=iterations):
            assert np.array_equal(result, expected)
            assert result.dtype == image.dtype


RESIDUES = {
    "gradient": ndimage.morphological_gradient,
    "white_tophat": ndimage.white_tophat,
    "black_tophat": ndimage.black_tophat,
    "morphological_laplace": ndimage.morphological_laplace,
}


@pytest.mark.parametrize("residue", ["rho", "distance"])
@pytest.mark.parametrize("name", RESIDUES)
def test_residues(name, residue):
    for image in pictures():
        size = (3,) * image.ndim
        expected = RESIDUES[name](image.astype(float), size=size)
        for result in each_way(getattr(images, name), image, size=size, residue=residue):
            assert np.array_equal(result, expected)


@pytest.mark.parametrize("connectivity", [1, None])
@pytest.mark.parametrize("name", ["local_maxima", "local_minima"])
def test_regional_extrema(name, connectivity):
    for image in pictures(high=4):
        near = ndimage.generate_binary_structure(image.ndim, connectivity or image.ndim)
        expected = getattr(morphology, name)(image, footprint=near)
        for result in each_way(getattr(images, name), image, connectivity=near):
            assert np.array_equal(result, expected)
        flat = np.zeros_like(image)
        for result in each_way(getattr(images, name), flat, connectivity=near):
            assert not result.any()


@pytest.mark.parametrize("h", [1, 3, 11, 50])
@pytest.mark.parametrize("name", ["h_maxima", "h_minima"])
def test_extrema_of_a_height(name, h):
    for image in pictures(low=0, high=12):
        if image.dtype == bool:
            continue  # scikit-image subtracts no booleans
        near = np.ones((3,) * image.ndim)
        expected = getattr(morphology, name)(image.astype(int), h, footprint=near)
        for result in each_way(getattr(images, name), image, h, connectivity=near):
            assert np.array_equal(result, expected)


@pytest.mark.parametrize("connectivity", [1, 2])
@pytest.mark.parametrize("name", ["area_opening", "area_closing"])
def test_areas(name, connectivity):
    for image in pictures(high=5):
        near = ndimage.generate_binary_structure(image.ndim, connectivity)
        expected = getattr(morphology, name)(image.astype(int), 9, connectivity)
        for result in each_way(getattr(images, name), image, 9, connectivity=near):
            assert np.array_equal(result, expected)


@pytest.mark.parametrize("name", ["diameter_opening", "diameter_closing"])
def test_diameters(name):
    for image in pictures(high=5):
        near = ndimage.generate_binary_structure(image.ndim, 1)
        expected = getattr(morphology, name)(image.astype(int), 4)
        for result in each_way(getattr(images, name), image, 4, connectivity=near):
            assert np.array_equal(result, expected)


@pytest.mark.parametrize("iterations", [1, 3])
def test_geodesic_operators(iterations):
    for image in pictures():
        other = image[::-1]
        low, high = np.minimum(image, other), np.maximum(image, other)
        size = (3,) * image.ndim
        grown, shrunk = low, high
        for _ in range(iterations):
            grown = np.minimum(ndimage.grey_dilation(grown, size=size), high)
            shrunk = np.maximum(ndimage.grey_erosion(shrunk, size=size), low)
        for ordering in ("marginal", images.LexicographicOrdering(), np.stack([low, high])):
            options = {"size": size, "iterations": iterations, "channel_axis": None}
            result = images.geodesic_dilation(low, high, ordering=ordering, **options)
            assert np.array_equal(result, grown)
            if isinstance(ordering, np.ndarray):
                ordering = ordering[::-1]
            result = images.geodesic_erosion(high, low, ordering=ordering, **options)
            assert np.array_equal(result, shrunk)


def test_geodesic_dilations_end_in_the_reconstruction():
    image = np.random.default_rng(0).integers(0, 256, (9, 11, 3), dtype=np.uint8)
    order = {"ordering": images.LexicographicOrdering([1])}
    marker = images.erosion(image, size=5, **order)
    grown = images.geodesic_dilation(marker, image, size=3, iterations=60, **order)
    assert np.array_equal(grown, images.reconstruction(marker, image, **order))


def test_hit_or_miss():
    hit = np.array([[0, 1, 0], [0, 1, 1], [0, 0, 0]])
    miss = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0]])
    image = np.random.default_rng(0).random((30, 40)) < 0.6
    image[[0, -1]] = image[:, [0, -1]] = False
    expected = ndimage.binary_hit_or_miss(image, hit, miss)
    for dtype in DTYPES:
        for result in each_way(images.hit_or_miss, image.astype(dtype), hit, miss):
            assert np.array_equal(result[1:-1, 1:-1], expected[1:-1, 1:-1])
    assert expected[1:-1, 1:-1].any()
    colours = image[..., np.newaxis] * np.array([1, 0, 2])
    result = images.hit_or_miss(colours, hit, miss, ordering=images.LexicographicOrdering())
    assert np.array_equal(result[1:-1, 1:-1], expected[1:-1, 1:-1])


@pytest.mark.parametrize("method", ["opening", "closing"])
def test_the_granulometric_curve_is_the_sum_of_what_scipys_openings_remove(method):
    for image in pictures():
        sizes = [(side,) * image.ndim for side in (2, 3, 5)]
        filters = {"opening": ndimage.grey_opening, "closing": ndimage.grey_closing}
        expected = [np.abs(filters[method](image, size=size) * 1.0 - image).sum() for size in sizes]
        footprints = [np.ones(size) for size in sizes]
        options = {"method": method, "mode": "reflect"}
        for residue in ("rho", "distance"):
            for curve in each_way(
                images.granulometry, image, footprints, residue=residue, **options
            ):
                assert np.array_equal(np.ravel(curve), expected)


@pytest.mark.parametrize("by_reconstruction", [True, False])
def test_profiles_are_openings_and_closings_beside_each_other(by_reconstruction):
    for image in pictures():
        footprints = [np.ones((side,) * image.ndim) for side in (2, 3)]
        pairs = (
            (images.opening_by_reconstruction, images.closing_by_reconstruction)
            if by_reconstruction
            else (images.opening, images.closing)
        )
        opened, closed = (
            [f(image, each, ordering="marginal", channel_axis=None) for each in footprints]
            for f in pairs
        )
        expected = np.stack([*closed[::-1], image, *opened], axis=-1)
        for profile in each_way(
            images.morphological_profile, image, footprints, by_reconstruction=by_reconstruction
        ):
            assert np.array_equal(profile, expected)


@pytest.mark.parametrize("mode", ["reflect", "nearest", "mirror", "wrap", "constant"])
def test_vector_medians_of_grey_images_are_medians(mode):
    for image in pictures():
        size = (3,) * image.ndim
        expected = ndimage.median_filter(image, size=size, mode=mode, cval=0)
        result = images.vector_median(image, size=size, mode=mode, channel_axis=None)
        assert np.array_equal(result, expected)
        assert result.dtype == image.dtype


def test_vector_medians_by_brute_force():
    image = np.random.default_rng(0).integers(0, 256, (7, 9, 3), dtype=np.uint8)
    stack = np.stack([image, image[::-1]])
    padded = np.pad(image, [(1, 1), (1, 1), (0, 0)], mode="symmetric").astype(float)
    expected = np.empty_like(image)
    for i, j in np.ndindex(image.shape[:2]):
        window = padded[i : i + 3, j : j + 3].reshape(-1, 3)
        sums = [np.linalg.norm(window - pixel, axis=1).sum() for pixel in window]
        expected[i, j] = window[np.argmin(sums)]
    assert np.array_equal(images.vector_median(image, np.ones((3, 3))), expected)
    assert np.array_equal(images.vector_median(stack, np.ones((3, 3)))[0], expected)


def test_columns_have_no_difference():
    image = np.random.default_rng(0).integers(0, 256, (7, 9, 3), dtype=np.uint8)
    by_two = images.LexicographicOrdering([1, 0])
    for function in (images.gradient, images.granulometry):
        arguments = (image, [np.ones((3, 3))]) if function is images.granulometry else (image,)
        with pytest.raises(ValueError, match="compares 2 columns, which have no difference"):
            function(*arguments, ordering=by_two, residue="rho")


def test_differences_of_rho_tell_only_what_the_ordering_tells():
    image = np.array([[[0, 0], [0, 9], [3, 0], [3, 5]]], dtype=np.uint8)
    red = images.LexicographicOrdering()
    by_rho = images.gradient(image, size=(1, 3), ordering=red, residue="rho")
    assert by_rho.tolist() == [[0, 3, 3, 0]]
    ranked = images.RankedImage.of(image, red)
    assert np.array_equal(images.gradient(ranked, size=(1, 3), residue="rho"), by_rho)


IMAGE = np.zeros((4, 5, 3), dtype=np.uint8)
FIRST = images.LexicographicOrdering()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: images.h_maxima(IMAGE, 0, ordering=FIRST), "h is 0, but must be a positive"),
        (lambda: images.area_opening(IMAGE, 0, ordering=FIRST), "area_threshold is 0"),
        (lambda: images.diameter_closing(IMAGE, 1.5, ordering=FIRST), "diameter_threshold is 1.5"),
        (lambda: images.h_minima(IMAGE, "1", ordering=FIRST), "h is '1', but must be a positive"),
        (
            lambda: images.erosion(IMAGE, ordering=lambda X: np.array(["a"] * len(X))),
            "must be real numbers, not <U1",
        ),
        (
            lambda: images.erosion(IMAGE, ordering=images.PCAOrdering),
            r"the class PCAOrdering is no ordering: pass PCAOrdering\(",
        ),
        (
            lambda: images.reconstruction(images.RankedImage.of(IMAGE, FIRST), IMAGE),
            "marker and mask are ranked together",
        ),
        (lambda: images.gradient(IMAGE, ordering=FIRST, residue="x"), "must be 'distance' or"),
        (lambda: images.granulometry(IMAGE, [], ordering=FIRST, method="x"), "method is 'x'"),
        (lambda: images.vector_median(IMAGE, mode="ignore"), "needs an ordering"),
        (
            lambda: images.hit_or_miss(IMAGE, [[1, 1]], [[0, 1]], ordering=FIRST),
            "no common pixel",
        ),
        (
            lambda: images.hit_or_miss(IMAGE, [[1, 0]], [[0, 1]], ordering=FIRST, mode="min"),
            "needs pixels beyond the border",
        ),
        (
            lambda: images.geodesic_dilation(IMAGE, IMAGE, ordering=FIRST, mode="constant"),
            "the mask limits the marker",
        ),
        (
            lambda: images.opening(images.RankedImage.of(IMAGE, FIRST), ordering=FIRST),
            "leave ordering and channel_axis out",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
