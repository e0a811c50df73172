"""The lines of a picture: outlines around regions, and thin lines inside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from exactcover.pictures.shapes import BLOCKED, Cell, Corner, Edge, Picture, Tile

__all__ = ["Side", "Stroke", "list_strokes"]

_COLORED = 0.25  # the least strength of a color that counts as one


class Stroke(NamedTuple):
    """How a line looks: whether it is an outline, whether it is between colors, its opacity, and whether it is wide."""

    outline: bool
    colored: bool
    strength: float = 1.0
    wide: bool = False


Side = tuple[Corner, Corner]
"""The ends of a line, the left or upper one first."""


def list_strokes(picture: Picture) -> dict[Stroke, list[Side]]:
    """Return the lines of a picture by their look, thin lines first; each line is as long as possible."""
    found: dict[Stroke, dict[Side, None]] = defaultdict(dict)
    for stroke, side in (*_list_cell_lines(picture), *_list_tile_lines(picture)):
        found[stroke].setdefault(side)
    return {stroke: list(_join(found[stroke])) for stroke in sorted(found)}


def _list_cell_lines(picture: Picture) -> Iterator[tuple[Stroke, Side]]:
    cells = picture.cells
    for (row, column), cell in sorted(cells.items()):
        for down, right in ((0, -1), (-1, 0), (0, 1), (1, 0)):
            other = cells.get((row + down, column + right))
            if other is not None and down + right > 0:
                continue  # the other cell draws it
            stroke = _choose_stroke(picture, cell, other)
            if stroke is not None:
                x, y = column + (right > 0), row + (down > 0)
                yield stroke, ((x, y), (x + (down != 0), y + (right != 0)))
    for edge in picture.named_edges:
        places = [(edge.row, edge.column), (edge.row - (not edge.down), edge.column - edge.down)]
        near = [cell for cell in map(cells.get, places) if cell is not None]
        stroke = Stroke(True, any(_is_colored(picture, one) for one in near), edge.strength)
        yield stroke, _find_ends(edge)


def _find_ends(edge: Edge) -> Side:
    return (edge.column, edge.row), (edge.column + (not edge.down), edge.row + edge.down)


def _choose_stroke(picture: Picture, one: Cell | Tile, other: Cell | Tile | None) -> Stroke | None:
    """Return the look of the line between two places, or None if there is no line."""
    if other is None or one.region != other.region:
        colored = any(shape is not None and _is_colored(picture, shape) for shape in (one, other))
        return Stroke(True, colored and other is not None, wide=picture.grid and isinstance(one, Cell))
    tints = picture.tint(one), picture.tint(other)
    if (tints[0] != tints[1] and not picture.grid) or tints == (BLOCKED, BLOCKED):
        return None  # shades tell the places apart
    return Stroke(False, _is_colored(picture, one) or _is_colored(picture, other))


def _is_colored(picture: Picture, shape: Cell | Tile) -> bool:
    return picture.tint(shape) >= 0 and picture.strength(shape) >= _COLORED


def _list_tile_lines(picture: Picture) -> Iterator[tuple[Stroke, Side]]:
    owners: dict[Side, list[Tile]] = defaultdict(list)
    for tile in picture.tiles:
        corners = [(round(x, 3), round(y, 3)) for x, y in tile.outline]
        for one, other in pairwise([*corners, corners[0]]):
            owners[min(one, other), max(one, other)].append(tile)
    for side, tiles in owners.items():
        bordered = [tile for tile in tiles if tile.region is not None]
        if bordered and any(sum(other.region == tile.region for other in bordered) == 1 for tile in bordered):
            colored = any(_is_colored(picture, tile) for tile in tiles)
            yield Stroke(True, colored and len(tiles) > 1), side
        elif len(bordered) == 2 and all(tile.row is not None for tile in bordered):
            stroke = _choose_stroke(picture, *bordered)
            if stroke is not None:
                yield stroke, side


def _join(sides: Iterable[Side]) -> Iterator[Side]:
    """Join lines along an axis that lie end to end."""
    remaining = set(sides)
    for side in sorted(remaining, key=lambda side: (side[0][0] == side[1][0], side[0][1], side[0][0])):
        if side not in remaining:
            continue
        remaining.remove(side)
        (x, y), end = side
        along = (end[0] - x, end[1] - y)
        while 0 in along and (following := (end, (end[0] + along[0], end[1] + along[1]))) in remaining:
            remaining.remove(following)
            end = following[1]
        yield (x, y), end
