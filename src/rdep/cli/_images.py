"""Commands around images: order, filter, classify."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from .._utils._imports import optional
from ._app import App, app
from ._options import MODEL_FILES, parse_settings, require
from ._terminal import leaving_nothing_behind, warnings_on_stderr, working

if TYPE_CHECKING:
    from numpy.typing import NDArray

image = App(help="Order, filter and classify the pixels of images.", no_args_is_help=True)
app.add_typer(image, name="image")

_ENDINGS = (".png", ".tif", ".tiff", ".npy")
_TIFF = (".tif", ".tiff")
_READERS = ("imageio", "tifffile")

FilterName = Literal[
    "erosion", "dilation", "opening", "closing", "median", "vector_median",
    "opening_by_reconstruction", "closing_by_reconstruction", "area_opening", "area_closing",
    "gradient", "white_tophat", "black_tophat",
]  # fmt: skip
_RESIDUES = ("gradient", "white_tophat", "black_tophat")

Picture = Annotated[
    Path, typer.Argument(help="Image, stack or volume: PNG, TIFF or NumPy's .npy.", metavar="IMAGE")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="File to write: PNG, TIFF or .npy.")]
Ordering = Annotated[
    str | None,
    typer.Option(
        help="`lexicographic`, `pca`, `condorcet` (majorities of the channels), `marginal`, or a "
        "file written by `rdep image order`. Without it, strokes are needed."
    ),
]
Foreground = Annotated[
    list[str] | None,
    typer.Option(
        help="Pixels of the foreground: a mask file, or a box `TOP,LEFT,HEIGHT,WIDTH`. May be "
        "repeated."
    ),
]
Background = Annotated[
    list[str] | None, typer.Option(help="Pixels of the background, in the same way.")
]
ChannelAxis = Annotated[
    str,
    typer.Option(
        help="Axis of the channels: a number, or `none` for grey images. By default the last one "
        "of an array with three axes or more."
    ),
]
Preview = Annotated[
    Path | None, typer.Option(help="PNG to write with the input and the result side by side.")
]
MaxPixels = Annotated[
    int, typer.Option(min=1, help="Maximum number of pixels of each class to learn from.")
]


@image.command()
def order(
    picture: Picture,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Ordering to write, with the ending .skops.")
    ],
    foreground: Foreground = None,
    background: Background = None,
    values: Annotated[
        Path | None, typer.Option(help="TIFF or .npy to write with the value ρ of each pixel.")
    ] = None,
    preview: Preview = None,
    channel_axis: ChannelAxis = "auto",
    max_pixels: MaxPixels = 1000,
) -> None:
    """Learn an ordering of pixels from strokes and write it to a file.

    With a foreground and a background, pixels are ordered by a support vector machine. With a
    foreground only, they are ordered by their Mahalanobis distance to it.

    Examples
    --------
        rdep image order tissue.png --foreground brown.png --background 10,20,40,40 -o brown.skops

        rdep image order scene.npy --foreground 5,5,20,20 -o roof.skops --values roof.tif
    """
    require("image order", *_READERS, extra="images")
    require("image order", *MODEL_FILES)
    from .._utils._files import check_output
    from ..images import order_values

    skops = optional("skops.io", "an ordering in a file", "cli")
    if output.suffix != ".skops":
        raise ValueError(f"the name {str(output)!r} is not that of an ordering: end it in .skops")
    for place, endings in ((values, (*_TIFF, ".npy")), (preview, (".png",))):
        _check(place, endings, picture)
    check_output(output, [picture])
    pixels, axis = _read(picture, channel_axis)
    with warnings_on_stderr(), leaving_nothing_behind(), working(f"Ordering {picture}"):
        learned = _learned(pixels, axis, foreground, background, max_pixels)
        _write_bytes(output, skops.dumps(learned))
        if values is not None or preview is not None:
            rho = order_values(pixels, learned, channel_axis=axis)
            if values is not None:
                _write(values, rho.astype("float32"))
            if preview is not None:
                _write_preview(preview, pixels, rho, axis)
    typer.echo(f"Ordering: {output}")


@image.command("filter")
def filter_(
    picture: Picture,
    output: Output,
    name: Annotated[FilterName, typer.Option("--filter", "-f", help="The filter.")],
    ordering: Ordering = None,
    foreground: Foreground = None,
    background: Background = None,
    radius: Annotated[
        int | None, typer.Option(min=1, help="Radius of a disk; 1 by default.")
    ] = None,
    size: Annotated[
        int | None, typer.Option(min=1, help="Side of a square, in place of a disk.")
    ] = None,
    area: Annotated[
        int, typer.Option(min=1, help="Number of pixels, for area_opening and area_closing.")
    ] = 64,
    iterations: Annotated[
        int,
        typer.Option(min=1, help="Repetitions of an erosion, dilation, opening or closing."),
    ] = 1,
    residue: Annotated[
        Literal["distance", "rho"],
        typer.Option(help="Differences of a gradient or top-hat: distances, or differences of ρ."),
    ] = "distance",
    preview: Preview = None,
    channel_axis: ChannelAxis = "auto",
    max_pixels: MaxPixels = 1000,
) -> None:
    """Filter an image in an ordering of its pixels, without new colours.

    Each image of a stack is filtered on its own.

    Examples
    --------
        rdep image filter photo.png -f opening --radius 3 --ordering pca -o opened.png

        rdep image filter tissue.tif -f closing --size 5 --ordering brown.skops -o closed.tif

        rdep image filter photo.png -f vector_median --size 3 -o clean.png --preview beside.png
    """
    require("image filter", *_READERS, extra="images")
    import numpy as np

    from .. import images

    _check(output, _ENDINGS, picture)
    _check(preview, (".png",), picture)
    if radius is not None and size is not None:
        raise ValueError("--radius and --size are two ways to say one thing: leave one out")
    pixels, axis = _read(picture, channel_axis)
    with warnings_on_stderr(), leaving_nothing_behind(), working(f"Filtering {picture}"):
        options: dict[str, Any] = {"channel_axis": axis}
        if name.startswith("area"):
            options |= {"area_threshold": area, "connectivity": _CROSS}
        elif size is not None:
            options["footprint"] = np.ones((size, size))
        else:
            options["footprint"] = _disk(radius or 1)
        if name in _RESIDUES:
            options["residue"] = residue
        if iterations > 1:
            if name not in ("erosion", "dilation", "opening", "closing"):
                raise ValueError(f"--iterations does not go with --filter {name}: leave it out")
            options["iterations"] = iterations
        if name != "vector_median":
            options["ordering"] = _chosen(
                ordering, pixels, axis, foreground, background, max_pixels
            )
        elif ordering or foreground or background:
            raise ValueError("--filter vector_median needs no ordering: leave the strokes out")
        result = getattr(images, name)(pixels, **options)
        _write(output, result)
        if preview is not None:
            _write_preview(preview, pixels, result, axis)
    typer.echo(f"Image: {output}")


@image.command()
def classify(
    picture: Picture,
    output: Output,
    labels: Annotated[
        Path | None,
        typer.Option(help="Labels of some pixels, 0 for the others: PNG, TIFF or .npy."),
    ] = None,
    box: Annotated[
        list[str] | None,
        typer.Option(help="Labelled box `CLASS:TOP,LEFT,HEIGHT,WIDTH`. May be repeated."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Parameter of RDEPClassifier."),
    ] = None,
    preview: Preview = None,
    channel_axis: ChannelAxis = "auto",
    max_pixels: MaxPixels = 1000,
) -> None:
    """Label every pixel of an image by an r-DEP fitted on the labelled ones.

    Examples
    --------
        rdep image classify tissue.png --labels strokes.png -o classes.png --preview beside.png

        rdep image classify scene.npy --box 1:5,5,20,20 --box 2:60,10,15,30 -o classes.npy
    """
    require("image classify", *_READERS, extra="images")
    import numpy as np

    from .. import images
    from ..perceptrons import RDEPClassifier

    _check(output, _ENDINGS, picture)
    _check(preview, (".png",), picture)
    pixels, axis = _read(picture, channel_axis)
    shape = _pixel_shape(pixels, axis)
    given = np.zeros(shape, dtype=np.int64)
    if labels is not None:
        given = _read_mask(labels, shape, "--labels").astype(np.int64)
    for text in box or ():
        label, _, corner = text.partition(":")
        if not label.isdigit() or label == "0":
            raise ValueError(f"--box {text!r} should read CLASS:TOP,LEFT,HEIGHT,WIDTH")
        given[_box(corner, shape, "--box")] = int(label)
    classes = np.unique(given[given > 0])
    if len(classes) < 2:
        raise ValueError(
            f"the labels have {len(classes)} classes, but a classifier needs two or more: mark "
            "pixels of each class in the file of --labels, or by --box"
        )
    with warnings_on_stderr(), leaving_nothing_behind(), working(f"Classifying {picture}"):
        X, y = images.labelled_pixels(pixels, given, channel_axis=axis)
        random = np.random.default_rng(0)
        rows = np.concatenate(
            [random.permutation(np.flatnonzero(y == label))[:max_pixels] for label in classes]
        )
        model = RDEPClassifier(**parse_settings(settings or ())).fit(X[rows], y[rows])
        result = images.classify(pixels, model, channel_axis=axis)
        small = np.uint8 if classes.max() < 256 else np.uint16
        _write(output, result.astype(small))
        if preview is not None:
            _write_preview(preview, pixels, result, axis)
    counts = ", ".join(f"{label}: {(result == label).mean():.1%}" for label in classes)
    typer.echo(f"Classes: {counts}\nImage: {output}")


_CROSS = ((0, 1, 0), (1, 1, 1), (0, 1, 0))


def _disk(radius: int) -> NDArray:
    import numpy as np

    steps = np.arange(-radius, radius + 1)
    return np.add.outer(steps**2, steps**2) <= radius**2


def _check(place: Path | None, endings: tuple[str, ...], picture: Path) -> None:
    from .._utils._files import check_output

    if place is None:
        return
    if place.suffix.lower() not in endings:
        raise ValueError(f"the name {str(place)!r} has no ending among {', '.join(endings)}")
    check_output(place, [picture])


def _read(path: Path, channel_axis: str) -> tuple[NDArray, int | None]:
    """Read pixels, and find the axis of their channels."""
    pixels = _read_array(path)
    if channel_axis == "auto":
        axis: int | None = -1 if pixels.ndim > 2 else None
        is_file = path.suffix.lower() != ".npy"
        if axis == -1 and is_file and pixels.shape[-1] in (2, 4):
            typer.echo(
                f"rdep: {path} has {pixels.shape[-1]} channels: the last one is taken for opacity "
                "and left out; --channel-axis -1 keeps it",
                err=True,
            )
            pixels = pixels[..., :-1]
    elif channel_axis.lower() == "none":
        axis = None
    else:
        try:
            axis = int(channel_axis)
        except ValueError as error:
            raise ValueError(
                f"--channel-axis {channel_axis!r} should be a number or none"
            ) from error
    return pixels, axis


def _read_array(path: Path) -> NDArray:
    import numpy as np

    ending = path.suffix.lower()
    if ending not in _ENDINGS:
        raise ValueError(f"{path} is no image: its ending must be one of {', '.join(_ENDINGS)}")
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist")
    try:
        if ending == ".npy":
            return np.load(path, allow_pickle=False)
        if ending in _TIFF:
            import tifffile

            return np.asarray(tifffile.imread(path))
        import imageio.v3

        return np.asarray(imageio.v3.imread(path.read_bytes()))
    except Exception as error:
        raise ValueError(f"{path} cannot be read as an image: {error}") from error


def _read_mask(path: Path, shape: tuple[int, ...], option: str) -> NDArray:
    mask = _read_array(path)
    if mask.shape[:-1] == shape:
        colours = mask[..., :3]
        if (colours != colours[..., :1]).any():
            raise ValueError(
                f"{option} {path} is a colour image: save it as grey levels, 0 for no mark"
            )
        mask = mask[..., 0]
    if mask.shape != shape:
        raise ValueError(
            f"{option} {path} has {' × '.join(map(str, mask.shape))} pixels, but the image has "
            f"{' × '.join(map(str, shape))}: both must have the same size"
        )
    return mask


def _pixel_shape(pixels: NDArray, axis: int | None) -> tuple[int, ...]:
    if axis is None:
        return pixels.shape
    if not -pixels.ndim <= axis < pixels.ndim:
        raise ValueError(f"--channel-axis {axis}: the image has {pixels.ndim} axes")
    kept = range(pixels.ndim)
    return tuple(pixels.shape[k] for k in kept if k != axis % pixels.ndim)


def _box(text: str, shape: tuple[int, ...], option: str) -> tuple[Any, ...]:
    try:
        top, left, height, width = (int(part) for part in text.split(","))
    except ValueError as error:
        raise ValueError(
            f"{option} {text!r} is neither a file nor a box TOP,LEFT,HEIGHT,WIDTH"
        ) from error
    inside = top >= 0 and left >= 0 and top + height <= shape[-2] and left + width <= shape[-1]
    if not inside or min(height, width) < 1:
        raise ValueError(f"{option} {text} is not within the {shape[-2]} × {shape[-1]} pixels")
    return (..., slice(top, top + height), slice(left, left + width))


def _strokes(given: list[str] | None, shape: tuple[int, ...], option: str) -> NDArray | None:
    import numpy as np

    if not given:
        return None
    mask = np.zeros(shape, dtype=bool)
    for text in given:
        if Path(text).suffix.lower() in _ENDINGS:
            mask |= _read_mask(Path(text), shape, option) > 0
        else:
            mask[_box(text, shape, option)] = True
    if not mask.any():
        raise ValueError(f"{option} marks no pixel: mark some")
    return mask


def _learned(pixels, axis, foreground, background, max_pixels: int) -> Any:
    from ..images import DistanceOrdering, SupervisedOrdering

    shape = _pixel_shape(pixels, axis)
    high, low = (
        _strokes(foreground, shape, "--foreground"),
        _strokes(background, shape, "--background"),
    )
    if high is None:
        raise ValueError(
            "strokes are missing: mark the foreground by --foreground, as a mask file or a box "
            "TOP,LEFT,HEIGHT,WIDTH, and the background by --background"
        )
    if low is None:
        return DistanceOrdering("mahalanobis").fit_image(pixels, high, channel_axis=axis)
    ordering = SupervisedOrdering(max_pixels=max_pixels, random_state=0)
    return ordering.fit_masks(pixels, high, low, channel_axis=axis)


def _chosen(name, pixels, axis, foreground, background, max_pixels: int) -> Any:
    from .._registry import names_in
    from ..images import CondorcetOrdering, LexicographicOrdering, PCAOrdering

    if name is None:
        return _learned(pixels, axis, foreground, background, max_pixels)
    if foreground or background:
        raise ValueError("--ordering and strokes are two ways to say one thing: leave one out")
    if name == "marginal":
        return name
    if name == "lexicographic":
        return LexicographicOrdering()
    if name == "pca":
        return PCAOrdering().fit_image(pixels, channel_axis=axis)
    if name == "condorcet":
        return CondorcetOrdering(random_state=0).fit_image(pixels, channel_axis=axis)
    if not name.endswith(".skops"):
        raise ValueError(
            f"--ordering {name!r} should be lexicographic, pca, condorcet, marginal, or a file "
            "ending in .skops that `rdep image order` wrote"
        )
    require("image filter", *MODEL_FILES)
    skops = optional("skops.io", "an ordering in a file", "cli")
    if not Path(name).exists():
        raise FileNotFoundError(f"{name} does not exist")
    kinds = names_in("rdep.images")
    try:
        return skops.load(name, trusted=[f"rdep.images.{kind}" for kind in kinds])
    except Exception as error:
        raise ValueError(f"{name} cannot be read as an ordering: {error}") from error


def _write(path: Path, array: NDArray) -> None:
    import numpy as np

    file = io.BytesIO()
    ending = path.suffix.lower()
    if ending == ".npy":
        np.save(file, array)
    elif ending in _TIFF:
        import tifffile

        colours = array.ndim > 2 and array.shape[-1] in (3, 4) and array.dtype.kind == "u"
        tifffile.imwrite(file, array, photometric="rgb" if colours else "minisblack")
    else:
        _check_png(path, array)
        import imageio.v3

        imageio.v3.imwrite(file, array, extension=".png")
    _write_bytes(path, file.getvalue())


def _check_png(path: Path, array: NDArray) -> None:
    grey = array.ndim == 2
    fits = array.dtype.name in ("uint8", "bool") or (grey and array.dtype.name == "uint16")
    if not fits or not (grey or (array.ndim == 3 and array.shape[-1] == 3)):
        raise ValueError(
            f"{path}: a PNG cannot hold an array of shape {array.shape} and dtype {array.dtype}: "
            "use the ending .tif or .npy"
        )


def _write_bytes(path: Path, content: bytes) -> None:
    from .._utils._files import write_atomically

    write_atomically(path, content)


def _write_preview(path: Path, pixels: NDArray, result: NDArray, axis: int | None) -> None:
    """Write the first images of both beside each other, each stretched to its own range."""
    import numpy as np

    shape = _pixel_shape(pixels, axis)
    before = pixels[..., np.newaxis] if axis is None else np.moveaxis(pixels, axis, -1)
    after = result
    if result.ndim == pixels.ndim and axis is not None:
        after = np.moveaxis(result, axis, -1)
    elif result.shape[: len(shape)] == shape:
        after = result.reshape(*shape, -1)
    _write(path, np.concatenate([_shown(before), _shown(after)], axis=1))


def _shown(pixels: NDArray) -> NDArray:
    import numpy as np

    while pixels.ndim > 3:
        pixels = pixels[0]
    pixels = pixels[..., [0, 1, 2] if pixels.shape[-1] >= 3 else [0, 0, 0]]
    if pixels.dtype == np.uint8 and pixels.max() > 30:
        return pixels
    pixels = pixels.astype(np.float64)
    low, high = np.quantile(pixels, [0.002, 0.998])
    low, high = (pixels.min(), pixels.max()) if low == high else (low, high)
    return np.clip((pixels - low) / (high - low or 1) * 255, 0, 255).astype(np.uint8)
