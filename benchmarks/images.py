"""Time and memory of morphology on colour images.

Run with ``python benchmarks/images.py``, on one thread: ``OMP_NUM_THREADS=1``. Prints

- a dilation of four megapixels with 5 × 5 pixels, its ordering given, beside SciPy's grey dilation
  of the three channels: at most 3 times its time is wanted;
- the RBF ordering beside ``SVC.decision_function``: at least 8 times as fast is wanted;
- the memory that each needs at its peak, beyond the image.
"""

import statistics
import time
import tracemalloc

import numpy as np
from scipy import ndimage
from skimage import data
from sklearn.svm import SVC

from rdep.images import LexicographicOrdering, classify, dilation, order_values, rank_image

REPEATS = 7
SIDE = 2048
FOOTPRINT = np.ones((5, 5), dtype=bool)


def photograph():
    """A real one, four times in each direction, with noise: 820,000 different colours."""
    tiled = np.tile(data.astronaut(), (4, 4, 1)).astype(int)
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


def medians(*works):
    """Seconds of each, measured in turn so that a busy machine disturbs all alike."""
    seconds = [[] for _ in works]
    for _ in range(REPEATS):
        for work, times in zip(works, seconds, strict=True):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
    return [statistics.median(times) for times in seconds]


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


def compare_dilations():
    print(f"Dilation of {SIDE} x {SIDE} RGB pixels, 5 x 5, ordering given (wanted: at most 3)")
    photo = photograph()
    noise = np.random.default_rng(0).integers(0, 256, photo.shape, dtype=np.uint8)
    cases = {
        "photograph, RBF values": (photo, order_values(photo, noisy_svc(photo, 300))),
        "photograph, sum of channels (ties)": (photo, photo.sum(axis=-1)),
        "photograph, ranks": (photo, rank_image(photo, LexicographicOrdering())),
        "noise, random values": (noise, np.random.default_rng(1).normal(size=(SIDE, SIDE))),
    }
    for name, (image, rho) in cases.items():
        ours, theirs = medians(
            lambda image=image, rho=rho: dilation(image, FOOTPRINT, ordering=rho),
            lambda image=image: grey_dilations(image),
        )
        peak = peak_megabytes(lambda image=image, rho=rho: dilation(image, FOOTPRINT, ordering=rho))
        print(
            f"  {name:36}{ours:7.2f} s, SciPy's three {theirs:5.2f} s: "
            f"{ours / theirs:5.2f} times; peak {peak:4.0f} MB"
        )


def compare_orderings():
    print("RBF ordering beside SVC.decision_function (wanted: at least 8 times as fast)")
    photo = photograph()[:512, :512]
    cube = np.random.default_rng(0).normal(size=(128, 256, 100)).astype(np.float32)
    for name, image, n_pixels in (
        ("RGB, floating point", photo.astype(np.float32), 100),
        ("RGB, floating point", photo.astype(np.float32), 1000),
        ("RGB, bytes", photo, 1000),
        ("100 channels", cube, 1000),
    ):
        svc = noisy_svc(image, n_pixels)
        some = image[: len(image) // 8]
        samples = some.reshape(-1, image.shape[-1]).astype(float)
        ours, theirs = medians(
            lambda some=some, svc=svc: order_values(some, svc),
            lambda samples=samples, svc=svc: svc.decision_function(samples),
        )
        print(
            f"  {name:20}{len(svc.support_):5} support vectors, {len(samples):6} pixels: "
            f"{theirs:6.3f} s against {ours:6.3f} s: {theirs / ours:5.1f} times as fast"
        )


def memory():
    print("Peak memory of a hyperspectral cube, beyond the cube itself but with the result")
    cube = np.random.default_rng(0).normal(size=(512, 512, 200)).astype(np.float32)
    svc = noisy_svc(cube[:64], 300)
    for name, work in (
        ("order_values", lambda: order_values(cube, svc)),
        ("classify", lambda: classify(cube, svc)),
        ("dilation, ordering given", lambda: dilation(cube, ordering=cube[..., 0])),
    ):
        print(f"  {name:26}{peak_megabytes(work):6.0f} MB; the cube has {cube.nbytes / 1e6:.0f} MB")


if __name__ == "__main__":
    compare_dilations()
    compare_orderings()
    memory()
