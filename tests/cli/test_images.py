"""Images as a user has them: a PNG, a TIFF of 16 bits, a stack in NumPy's format."""

import imageio.v3
import numpy as np
import pytest
import tifffile
from scipy import ndimage

from rdep.images import (
    CondorcetOrdering,
    LexicographicOrdering,
    PCAOrdering,
    SupervisedOrdering,
    closing,
    median,
    opening,
    order_values,
    vector_median,
)

RNG = np.random.default_rng(0)
BOXES = ("--foreground", "12,10,8,12", "--background", "26,2,12,30")
DISK = ndimage.generate_binary_structure(2, 1)


def picture(full=255, dtype=np.uint8):
    image = np.full((40, 36, 3), (0.16, 0.47, 0.16)) + RNG.uniform(0, 0.08, (40, 36, 3))
    image[10:22, 8:28] = (0.78, 0.23, 0.2)
    return (image * full).astype(dtype)


def strokes():
    high, low = np.zeros((2, 40, 36), dtype=bool)
    high[12:20, 10:22], low[26:38, 2:32] = True, True
    return high, low


def test_a_png(run, tmp_path):
    image = picture()
    imageio.v3.imwrite(tmp_path / "photo.png", image)
    high, _ = strokes()
    imageio.v3.imwrite(tmp_path / "red.png", (high * 255).astype(np.uint8))
    code, out, errors = run(
        "image", "order", "photo.png", "--foreground", "red.png", "--background", "26,2,12,30",
        "-o", "red.skops", "--values", "rho.npy", "--preview", "order.png",
    )  # fmt: skip
    assert (code, out, errors) == (0, "Ordering: red.skops\n", "")
    ordering = SupervisedOrdering(max_pixels=1000, random_state=0).fit_masks(image, *strokes())
    expected = order_values(image, ordering).astype(np.float32)
    assert np.array_equal(np.load(tmp_path / "rho.npy"), expected)
    code, out, errors = run(
        "image", "filter", "photo.png", "-f", "opening", "--ordering", "red.skops",
        "-o", "opened.png", "--preview", "beside.png",
    )  # fmt: skip
    assert (code, out, errors) == (0, "Image: opened.png\n", "")
    opened = imageio.v3.imread(tmp_path / "opened.png")
    assert np.array_equal(opened, opening(image, DISK, ordering=ordering))
    beside = imageio.v3.imread(tmp_path / "beside.png")
    assert np.array_equal(beside, np.concatenate([image, opened], axis=1))
    assert imageio.v3.imread(tmp_path / "order.png").shape == (40, 72, 3)


def test_a_tiff_of_sixteen_bits(run, tmp_path):
    image = picture(4095, np.uint16)
    tifffile.imwrite(tmp_path / "cells.tif", image, photometric="rgb")
    code, _, errors = run(
        "image", "filter", "cells.tif", "-f", "closing", "--size", "4", "--ordering", "pca",
        "-o", "closed.tif", "--iterations", "2", "--preview", "beside.png",
    )  # fmt: skip
    assert (code, errors) == (0, "")
    expected = closing(image, size=4, iterations=2, ordering=PCAOrdering().fit_image(image))
    closed = tifffile.imread(tmp_path / "closed.tif")
    assert closed.dtype == np.uint16
    assert np.array_equal(closed, expected)
    code, _, errors = run(
        "image", "filter", "cells.tif", "-f", "median", "--ordering", "condorcet", "-o", "by.npy"
    )
    assert (code, errors) == (0, "")
    votes = CondorcetOrdering(random_state=0).fit_image(image)
    assert np.array_equal(np.load(tmp_path / "by.npy"), median(image, DISK, ordering=votes))
    code, _, errors = run("image", "classify", "cells.tif", "--box", "1:12,10,8,12", "--box",
                          "2:26,2,12,30", "-o", "classes.png")  # fmt: skip
    assert code == 0, errors
    assert (imageio.v3.imread(tmp_path / "classes.png")[12:20, 10:22] == 1).all()
    code, _, errors = run(
        "image", "filter", "cells.tif", "-f", "gradient", "--ordering", "pca", "-o", "edges.png"
    )
    assert code == 2
    assert "a PNG cannot hold an array of shape (40, 36) and dtype float64" in errors
    assert not (tmp_path / "edges.png").exists()


def test_a_stack_in_numpys_format(run, tmp_path):
    stack = np.stack([picture(), picture()[::-1]])
    np.save(tmp_path / "stack.npy", stack)
    code, _, errors = run("image", "filter", "stack.npy", "-f", "area_opening", "--area", "9",
                          "--ordering", "lexicographic", "-o", "out.npy")  # fmt: skip
    assert (code, errors) == (0, "")
    assert np.load(tmp_path / "out.npy").shape == stack.shape
    code, _, _ = run("image", "filter", "stack.npy", "-f", "vector_median", "-o", "median.npy")
    assert code == 0
    assert np.array_equal(np.load(tmp_path / "median.npy"), vector_median(stack, DISK))
    code, _, _ = run("image", "order", "stack.npy", *BOXES[:2], "-o", "near.skops")
    assert code == 0
    labels = np.zeros((2, 40, 36), dtype=np.uint8)
    labels[0, 12:20, 10:22], labels[1, 2:10, 2:30] = 1, 2
    np.save(tmp_path / "labels.npy", labels)
    code, out, _ = run(
        "image", "classify", "stack.npy", "--labels", "labels.npy", "-o", "classes.npy",
        "--preview", "beside.png",
    )  # fmt: skip
    assert code == 0
    assert out.startswith("Classes: 1: ")
    classes = np.load(tmp_path / "classes.npy")
    assert (classes[labels > 0] == labels[labels > 0]).all()
    grey = stack[..., 0]
    np.save(tmp_path / "grey.npy", grey)
    code, _, errors = run("image", "filter", "grey.npy", "-f", "opening", "--ordering", "marginal",
                          "--channel-axis", "none", "-o", "out.npy")  # fmt: skip
    assert code == 0, errors
    expected = opening(grey, DISK, ordering=LexicographicOrdering(), channel_axis=None)
    assert np.array_equal(np.load(tmp_path / "out.npy"), expected)


def test_opacity_is_left_out_with_a_word(run, tmp_path):
    image = picture()
    opaque = np.concatenate([image, np.full((40, 36, 1), 255, np.uint8)], axis=2)
    imageio.v3.imwrite(tmp_path / "photo.png", opaque)
    code, _, errors = run("image", "filter", "photo.png", "-f", "erosion", "--ordering",
                          "lexicographic", "-o", "out.png")  # fmt: skip
    assert code == 0
    assert "has 4 channels: the last one is taken for opacity" in errors
    assert imageio.v3.imread(tmp_path / "out.png").shape == (40, 36, 3)


FILTER = ("image", "filter", "photo.png", "-f", "opening", "-o", "out.png")
CLASSIFY = ("image", "classify", "photo.png", "-o", "out.png")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (FILTER, "strokes are missing: mark the foreground by --foreground"),
        ((*FILTER, "--ordering", "best"), "should be lexicographic, pca, condorcet, marginal"),
        ((*FILTER, "--ordering", "none.skops"), "none.skops does not exist"),
        ((*FILTER, "--ordering", "pca", *BOXES), "leave one out"),
        ((*FILTER, "--radius", "2", "--size", "3"), "--radius and --size"),
        ((*FILTER, "--foreground", "1,2,3", *BOXES[2:]), "neither a file nor a box"),
        ((*FILTER, "--foreground", "30,30,20,20", *BOXES[2:]), "not within the 40 × 36 pixels"),
        ((*FILTER, "--foreground", "small.png", *BOXES[2:]), "has 5 × 5 pixels, but the image has"),
        ((*FILTER, "--foreground", "photo.png", *BOXES[2:]), "is a colour image"),
        ((*FILTER, "--foreground", "black.png", *BOXES[2:]), "--foreground marks no pixel"),
        ((*FILTER, *BOXES[:2], "--background", BOXES[1]), "the masks overlap in 96 pixels"),
        ((*FILTER, "--ordering", "pca", "--channel-axis", "x"), "should be a number or none"),
        ((*FILTER[:-1], "out.jpg", "--ordering", "pca"), "has no ending among .png"),
        ((*FILTER[:2], "text.png", *FILTER[3:], "--ordering", "pca"), "cannot be read as an image"),
        ((*FILTER[:2], "none.png", *FILTER[3:], "--ordering", "pca"), "none.png does not exist"),
        ((*FILTER[:4], "median", *FILTER[5:], "--ordering", "pca", "--iterations", "2"), "leave"),
        ((*CLASSIFY, "--box", "1:12,10,8,12"), "the labels have 1 classes"),
        ((*CLASSIFY, "--box", "a:12,10,8,12"), "should read CLASS:TOP,LEFT"),
        ((*CLASSIFY, "--labels", "small.png"), "both must have the same size"),
    ],
)
def test_mistakes(run, tmp_path, arguments, message):
    imageio.v3.imwrite(tmp_path / "photo.png", picture())
    imageio.v3.imwrite(tmp_path / "small.png", np.ones((5, 5), np.uint8))
    imageio.v3.imwrite(tmp_path / "black.png", np.zeros((40, 36), np.uint8))
    (tmp_path / "text.png").write_text("no image")
    before = sorted(tmp_path.iterdir())
    code, out, errors = run(*arguments)
    assert (code, out) == (2, "")
    assert errors.startswith("rdep: ")
    assert message in errors
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("command", ["order", "filter", "classify"])
def test_help_has_examples(run, command):
    code, out, _ = run("image", command, "--help")
    assert code == 0
    assert f"rdep image {command} " in out.split("Example")[1]
