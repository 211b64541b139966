"""Draw the rooms and their imports: ``python -m tools.room_picture``.

The picture is computed from the sources: a room is a folder of ``src/rdep``, or another package
beside it. Each room is below all rooms that it imports; rooms with the same shade are on one line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

ROOT = Path(__file__).parents[1]
LIBRARY = "rdep"
PICTURE = ROOT / "docs" / "images" / "rooms.png"
DOT, BAR, SHADES, GREY = "#0072B2", "#b5d9f0", ("#f2f2f2", "#ffffff"), "#666666"


@dataclass
class Room:
    """Size of a room, and the rooms that it imports."""

    n_files: int = 0
    n_lines: int = 0
    imports: set[str] = field(default_factory=set)


def read_rooms(source: Path) -> dict[str, Room]:
    """Read all rooms in a folder of packages, by name."""
    rooms: dict[str, Room] = {}
    for path in sorted(source.rglob("*.py")):
        module = path.relative_to(source).with_suffix("").parts
        name = _room(module)
        if name:
            room = rooms.setdefault(name, Room())
            text = path.read_text("utf-8")
            room.n_files += 1
            room.n_lines += text.count("\n")
            room.imports |= {_room(target) for target in _imported(text, module)} - {name}
    for room in rooms.values():
        room.imports &= rooms.keys()
    return rooms


def _room(module: tuple[str, ...]) -> str:
    """Room of a module or of a name in it; empty for modules that are in no room."""
    if module[0] != LIBRARY:
        return module[0]
    return module[1] if len(module) > 2 else ""


def _imported(text: str, module: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Full names of all imports in a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((*alias.name.split("."), "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module[: len(module) - node.level] if node.level else ()
            named = tuple(node.module.split(".")) if node.module else ()
            yield from ((*base, *named, alias.name) for alias in node.names)


def lines_of(rooms: dict[str, Room]) -> dict[str, int]:
    """Line of each room: below its imports, just above the first room that imports it."""
    lines: dict[str, int] = {}

    def place(name: str, importers: tuple[str, ...] = ()) -> int:
        if name in importers:
            raise ValueError(f"rooms import each other: {' → '.join([*importers, name])}")
        if name not in lines:
            above = [place(target, (*importers, name)) for target in rooms[name].imports]
            lines[name] = 1 + max(above, default=-1)
        return lines[name]

    for name in sorted(rooms, key=place, reverse=True):
        users = [lines[user] for user, room in rooms.items() if name in room.imports]
        lines[name] = min(users, default=lines[name] + 1) - 1
    return lines


def draw(rooms: dict[str, Room]) -> Figure:
    """Draw a row and a column for each room, and a dot if the room of the row imports the other."""
    lines = lines_of(rooms)
    order = sorted(rooms, key=lambda name: (lines[name], name))
    figure = Figure(figsize=(9, 0.8 + 0.3 * len(order)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 5))
    for axes in (left, right):
        _draw_lines(axes, [lines[name] for name in order])
    _draw_sizes(left, [rooms[name] for name in order])
    _draw_imports(right, order, rooms)
    left.set_yticks(range(len(order)), order, fontsize=11)
    return figure


def _draw_lines(axes: Axes, lines: list[int]) -> None:
    for row, line in enumerate(lines):
        axes.axhspan(row - 0.5, row + 0.5, color=SHADES[line % 2], linewidth=0, zorder=0)
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _draw_sizes(axes: Axes, rooms: list[Room]) -> None:
    axes.barh(range(len(rooms)), [room.n_lines for room in rooms], height=0.6, color=BAR)
    for row, room in enumerate(rooms):
        text = f" {room.n_lines:,} lines, {room.n_files} files"
        axes.text(0, row, text, va="center", fontsize=9)
    axes.set_xticks([])
    axes.set_title("size", fontsize=11, color=GREY)


def _draw_imports(axes: Axes, order: list[str], rooms: dict[str, Room]) -> None:
    arrows = [
        (column, row)
        for row, name in enumerate(order)
        for column, target in enumerate(order)
        if target in rooms[name].imports
    ]
    axes.scatter(*zip(*arrows, strict=True), s=42, color=DOT, zorder=3)
    for place, name in enumerate(order):
        axes.add_patch(Rectangle((place - 0.5, place - 0.5), 1, 1, color="#cccccc", linewidth=0))
        axes.text(place + 0.6, place, name, va="center", fontsize=9, color=GREY)
        axes.vlines(place, place, len(order) - 0.5, color="#dddddd", linewidth=0.6, zorder=1)
    axes.set_xlim(-0.6, len(order) + 3)
    axes.set_xticks([])
    axes.set_title(
        "imports: a dot in a room's row, below the room imported", fontsize=11, color=GREY
    )


def main() -> None:
    """Draw the rooms of this checkout."""
    draw(read_rooms(ROOT / "src")).savefig(PICTURE, dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
