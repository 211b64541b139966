"""Where files stand: tests mirror the sources, name for name."""

from pathlib import Path

from ..places import LABORATORY, ROOT, SOURCE

TESTS = ROOT / "tests"
# Whole stories, those of the command among them, and tests of what is not in the package.
NO_MODULE = {"scenarios", "cli", "fuzz", "docs", "tools"}
MIRRORED = sorted(
    path.relative_to(TESTS)
    for path in TESTS.rglob("test_*.py")
    if path.relative_to(TESTS).parts[0] not in NO_MODULE
)
PRIVATE_ROOMS = {"base": "_base", "utils": "_utils"}


def module_of(test):
    """The module, private or not, or the room that a test module is named after."""
    room, *rest = test.parent.parts or ("",)
    inside = LABORATORY if room == LABORATORY.name else SOURCE / PRIVATE_ROOMS.get(room, room)
    folder = inside.joinpath(*rest)
    name = test.stem.removeprefix("test_")
    if name == folder.name:  # what all modules of a room have in common
        return folder
    places = [folder / file for file in (f"{name}.py", f"_{name}.pyx", f"_{name}.py")]
    return next(filter(Path.exists, places), places[-1])


def test_every_test_module_has_the_module_it_is_named_after():
    assert MIRRORED
    assert [test.as_posix() for test in MIRRORED if not module_of(test).exists()] == []
