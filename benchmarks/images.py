"""Time and memory of morphology on colour and hyperspectral images."""

from __future__ import annotations

import tracemalloc
from contextlib import contextmanager, suppress

import numpy as np
from scipy import ndimage
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from sklearn.svm import SVC

from rdep.images import (
    LexicographicOrdering,
    RankedImage,
    _irregularity,
    _ranks,
    _regions,
    _runs,
    area_opening,
    classify,
    dilation,
    erosion,
    irregularity_index,
    opening,
    opening_by_reconstruction,
    order_values,
    rank_image,
)

from .measure import Comparison, cpu_seconds, in_turn, sized

SIDE = 2048
FOOTPRINT = np.ones((5, 5), dtype=bool)


def photograph():
    """A real one, four times in each direction, with noise: 820,000 different colours."""
    from skimage import data

    side = sized(SIDE)
    tiled = np.tile(data.astronaut(), (4, 4, 1))[:side, :side].astype(int)
    noise = np.random.default_rng(0).integers(-6, 7, tiled.shape)
    return np.clip(tiled + noise, 0, 255).astype(np.uint8)


def noisy_svc(image, n_pixels):
    """An SVC most of whose pixels are support vectors, as in images whose classes overlap."""
    rng = np.random.default_rng(0)
    X = image.reshape(-1, image.shape[-1])
    X = X[rng.choice(len(X), n_pixels, replace=False)].astype(float)
    brightness = X.mean(axis=1)
    noise = rng.normal(scale=brightness.std(), size=n_pixels)
    return SVC().fit(X, brightness + noise > np.median(brightness))


def peak_megabytes(work):
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def grey_dilations(image):
    return [
        ndimage.grey_dilation(image[..., channel], footprint=FOOTPRINT)
        for channel in range(image.shape[-1])
    ]


def dilations(repeats):
    """A dilation of four megapixels, its ordering given, beside SciPy's on three channels."""
    photo = photograph()
    noise = np.random.default_rng(0).integers(0, 256, photo.shape, dtype=np.uint8)
    cases = {
        "photograph, RBF values": (photo, order_values(photo, noisy_svc(photo, 300))),
        "photograph, sum of channels (ties)": (photo, photo.sum(axis=-1)),
        "photograph, ranks": (photo, rank_image(photo, LexicographicOrdering())),
        "noise, random values": (noise, np.random.default_rng(1).normal(size=photo.shape[:2])),
    }
    for name, (image, rho) in cases.items():

        def work(image=image, rho=rho):
            return dilation(image, FOOTPRINT, ordering=rho)

        ours, theirs, _, _ = in_turn(work, lambda image=image: grey_dilations(image), repeats)
        yield Comparison(
            "images",
            f"dilation {SIDE} x {SIDE} RGB, 5 x 5, {name}",
            "SciPy's grey dilation of three channels",
            ours,
            theirs,
            at_most=3.0,
            answers={"megabytes at the peak, beyond the image": peak_megabytes(work)},
        )


def disks(repeats):
    """Erosions over disks, marginal and by given ranks, beside scikit-image's on three channels."""
    from skimage import morphology

    photo = photograph()
    ranks = rank_image(photo, LexicographicOrdering())
    for radius in (1, 5, 15):
        disk = morphology.disk(radius)

        def channel_by_channel(disk=disk):
            channels = [morphology.erosion(photo[..., c], disk) for c in range(3)]
            return np.stack(channels, axis=-1)

        for ordering, name, least in (("marginal", "marginal", 1.0), (ranks, "given ranks", None)):
            ours, theirs, result, expected = in_turn(
                lambda disk=disk, ordering=ordering: erosion(photo, disk, ordering=ordering),
                channel_by_channel,
                repeats,
            )
            yield Comparison(
                "images",
                f"erosion {SIDE} x {SIDE} RGB, disk({radius}), {name}",
                "scikit-image's erosion of three channels",
                ours,
                theirs,
                at_least=least,
                answers_agree=name != "marginal" or np.array_equal(result, expected),
            )


@contextmanager
def pure():
    """Filter without the compiled form."""
    cores = [(module, module.core) for module in (_irregularity, _ranks, _regions, _runs)]
    for module, _ in cores:
        module.core = None
    try:
        yield
    finally:
        for module, core in cores:
            module.core = core


def by_channels(photo, footprint):
    """Nanoseconds a pixel of erosions of three channels; of OpenCV's only if it is installed."""
    from skimage import morphology

    peers = {
        "scikit-image": lambda: [morphology.erosion(photo[..., c], footprint) for c in range(3)]
    }
    with suppress(ImportError):
        import cv2

        cv2.setNumThreads(1)
        flat = footprint.astype(np.uint8)
        peers["OpenCV"] = lambda: cv2.erode(photo, flat)
    return {
        f"{name}'s three channels, ns a pixel": cpu_seconds(work)[0] * 1e9 / photo[..., 0].size
        for name, work in peers.items()
    }


def ranked(repeats):
    """Erosions of a ranked image, in both forms, as a multiple of NumPy's look-up of colours."""
    from skimage import morphology

    photo = photograph()
    image = RankedImage.of(photo, LexicographicOrdering())
    cases = (
        ("disk(1)", morphology.disk(1), 1.4),
        ("disk(5)", morphology.disk(5), 1.6),
        ("disk(15)", morphology.disk(15), 2.3),
        ("square(31)", np.ones((31, 31)), 1.4),
    )

    def look_up():
        return np.take(image.colours, image.ranks, axis=0)

    for name, footprint, bar in cases:

        def numpy_form(footprint=footprint):
            with pure():
                return erosion(image, footprint)

        forms = {"NumPy form": (numpy_form, None)}
        if _runs.core is not None:
            forms["compiled"] = (lambda footprint=footprint: erosion(image, footprint), bar)
        expected = numpy_form()
        others = by_channels(photo, footprint)
        for form, (work, at_most) in forms.items():
            ours, theirs, result, _ = in_turn(work, look_up, repeats)
            yield Comparison(
                "images",
                f"erosion {SIDE} x {SIDE} RGB, {name}, ranked image, {form}",
                "NumPy's look-up from ranks to colours",
                ours,
                theirs,
                at_most=at_most,
                answers={"ns a pixel": min(ours) * 1e9 / image.ranks.size, **others},
                answers_agree=np.array_equal(result, expected),
            )


def ranking(repeats):
    """Ranks of a photograph beside ``np.unique`` of its pixels as integers."""
    photo = photograph()

    def work():
        return RankedImage.of(photo, LexicographicOrdering())

    def unique():
        codes = photo[..., 0].astype(np.uint32) << 16 | photo[..., 1].astype(np.uint32) << 8
        return np.unique(codes | photo[..., 2])

    ours, theirs, result, expected = in_turn(work, unique, repeats)
    yield Comparison(
        "images",
        f"ranks {SIDE} x {SIDE} RGB, lexicographic",
        "np.unique of pixels as integers",
        ours,
        theirs,
        at_most=1.3,
        answers={"bytes a pixel at the peak": 1e6 * peak_megabytes(work) / photo[..., 0].size},
        answers_agree=len(result.colours) == len(expected),
    )


def regions(repeats):
    """Area openings and openings by reconstruction beside scikit-image."""
    from skimage import morphology

    photo = photograph()[:1024, :1024]
    image = RankedImage.of(photo, LexicographicOrdering())
    disk, square = morphology.disk(3), np.ones((3, 3))

    def area():
        return image.look_up(morphology.area_opening(image.ranks, 64))

    def channels():
        return [
            morphology.reconstruction(
                morphology.erosion(photo[..., c], disk), photo[..., c], footprint=square
            )
            for c in range(3)
        ]

    for name, work, peer, theirs_are, agree in (
        ("area opening, 64", lambda: area_opening(image, 64), area, "its area opening", True),
        (
            "opening by reconstruction, disk(3)",
            lambda: opening_by_reconstruction(image, disk),
            channels,
            "its reconstruction of three channels",
            False,
        ),
    ):
        ours, theirs, result, expected = in_turn(work, peer, repeats)
        yield Comparison(
            "images",
            f"{name}, 1024 x 1024 RGB, ranked image",
            f"scikit-image: {theirs_are}",
            ours,
            theirs,
            at_least=1.0,
            answers={"nanoseconds a pixel": min(ours) * 1e9 / image.ranks.size},
            answers_agree=not agree or np.array_equal(result, expected),
        )


def match_all_pixels(image, result, window=16):
    """The irregularity index by its definition: all pixels of each window are matched."""
    moved = needed = 0.0
    for top in range(0, len(image), window):
        for left in range(0, image.shape[1], window):
            before, after = (
                each[top : top + window, left : left + window].reshape(-1, 3).astype(float)
                for each in (image, result)
            )
            distances = cdist(before, after)
            moved += np.trace(distances)
            needed += distances[linear_sum_assignment(distances)].sum()
    return 1 - needed / moved


def irregularity(repeats):
    """The irregularity index, of a sixteenth of a megapixel so that the peer ends."""
    from skimage import data, morphology

    side = sized(256)
    photo = data.astronaut()[:side, :side]
    noisy = photograph()[:side, :side]
    order = {"ordering": LexicographicOrdering()}
    work = {
        "dilation by disk(1)": lambda image: dilation(image, morphology.disk(1), **order),
        "dilation by disk(3)": lambda image: dilation(image, morphology.disk(3), **order),
        "opening by 9 x 9": lambda image: opening(image, size=9, **order),
    }
    for name, image in (("photograph", photo), ("photograph with noise", noisy)):
        for operator, function in work.items():
            result = function(image)
            ours, theirs, index, expected = in_turn(
                lambda image=image, result=result: irregularity_index(image, result),
                lambda image=image, result=result: match_all_pixels(image, result),
                repeats,
            )
            with pure():
                numpy_form = in_turn(
                    lambda image=image, result=result: irregularity_index(image, result),
                    lambda: None,
                    1,
                )[0]
            yield Comparison(
                "images",
                f"irregularity index {side} x {side} RGB, {name}, {operator}, window 16",
                "matching of all pixels of each window",
                ours,
                theirs,
                at_least=1.0,
                answers={
                    "index": index,
                    "seconds a megapixel": min(ours) * 1e6 / result[..., 0].size,
                    "in the NumPy form": min(numpy_form) * 1e6 / result[..., 0].size,
                },
                answers_agree=bool(np.isclose(index, expected, rtol=1e-10)),
            )


def orderings(repeats):
    """The RBF ordering of an image's pixels beside ``SVC.decision_function``."""
    photo = photograph()[:512, :512]
    cube = np.random.default_rng(0).normal(size=(sized(128), sized(256), 100)).astype(np.float32)
    for name, image, n_pixels in (
        ("RGB, floating point", photo.astype(np.float32), 100),
        ("RGB, floating point", photo.astype(np.float32), 1000),
        ("RGB, bytes", photo, 1000),
        ("100 channels", cube, 1000),
    ):
        svc = noisy_svc(image, n_pixels)
        some = image[: len(image) // 8]
        samples = some.reshape(-1, image.shape[-1]).astype(float)
        ours, theirs, values, expected = in_turn(
            lambda some=some, svc=svc: order_values(some, svc),
            lambda samples=samples, svc=svc: svc.decision_function(samples),
            2 * repeats,
        )
        error = np.abs(values.ravel() - expected).max() / np.abs(expected).max()
        yield Comparison(
            "images",
            f"RBF ordering, {name}, {len(svc.support_)} support vectors",
            "SVC.decision_function",
            ours,
            theirs,
            at_least=8,
            answers={"largest difference, relative": float(error)},
            answers_agree=bool(error <= 1e-10),
            remark="agree: to 1e-10 of the largest value",
        )


def memory():
    """Peak memory in megabytes on a hyperspectral cube, with the result but without the cube."""
    cube = np.random.default_rng(0).normal(size=(sized(512), sized(512), 200)).astype(np.float32)
    svc = noisy_svc(cube[:64], 300)
    return {
        "the cube itself": cube.nbytes / 1e6,
        "order_values": peak_megabytes(lambda: order_values(cube, svc)),
        "classify": peak_megabytes(lambda: classify(cube, svc)),
        "dilation, ordering given": peak_megabytes(lambda: dilation(cube, ordering=cube[..., 0])),
    }
