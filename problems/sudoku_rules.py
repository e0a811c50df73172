"""Rules for groups of cells of a Sudoku: killer cages and thermometers."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from exactcover import ParameterError, pictures
from exactcover.errors import nearest
from problems.boards import parse_cell

__all__ = [
    "Cage",
    "Combination",
    "Place",
    "color_cages",
    "draw_thermometers",
    "outline_cages",
    "read_cages",
    "read_thermometers",
    "thermometer_items",
    "write_sums",
]

Place = tuple[int, int]
"""A row and a column, from 1."""

_MAX_COMBINATIONS = 20_000  # of a cage
_CAGE_STRENGTH, _GLASS = 0.24, 0.3  # of colors
_INSET = 0.07  # of the outline of a cage, in sides of a cell
_LETTER, _SUM_HEIGHT = 0.19, 0.3  # the size of a sum, in sides of a cell
_BULB, _TUBE = 0.38, 0.13  # the radius of a bulb, and half the width of a tube, in sides of a cell


class Combination(NamedTuple):
    """The symbols in a cage; as text ``cage A: 1 2 6``."""

    cage: str
    symbols: str

    def __str__(self) -> str:
        return f"cage {self.cage}: {' '.join(self.symbols)}"


@dataclass(frozen=True)
class Cage:
    """Cells that hold different symbols with a given sum.

    Exactly one of its combinations is chosen. A combination covers the items of the symbols that it lacks, and a cell
    covers the item of its symbol; so each of these items is covered exactly once.
    """

    name: str
    cells: tuple[Place, ...]
    sum: int
    combinations: tuple[str, ...]

    def item(self, symbol: str) -> str:
        """Return the item that a symbol is in the cage, or known to be missing."""
        return f"{symbol} in cage {self.name}"

    def options(self, symbols: str) -> Iterator[tuple[Combination, list[str]]]:
        """Yield the combinations with their items."""
        for chosen in self.combinations:
            missing = [self.item(symbol) for symbol in symbols if symbol not in chosen]
            yield Combination(self.name, chosen), [f"cage {self.name}", *missing]


def read_cages(cells: Mapping[Place, str], sums: Mapping[str, int], symbols: str) -> list[Cage]:
    """Return the cages in the order of their first cells; a digit counts its number, another symbol its position.

    Parameters
    ----------
    cells
        The letter of each cell in a cage.
    sums
        The sum of each cage, by letter.
    symbols
        All symbols in order.

    Raises
    ------
    ParameterError
        If a cage has no sum or a sum no cage; or no combination of symbols has the sum, or too many have.
    """
    names = list(dict.fromkeys(cells.values()))
    unknown = next((name for name in sums if name not in names), None)
    if unknown is not None:
        near = nearest(unknown, names)
        raise ParameterError(("sums", unknown), f"the drawing of cages has no cage {unknown!r}{near}")
    values = [int(symbol) if symbols.isdecimal() else number for number, symbol in enumerate(symbols, 1)]
    cages: list[Cage] = []
    for name in names:
        if name not in sums:
            raise ParameterError("sums", f"cage {name!r} has no sum")
        own = tuple(cell for cell, letter in cells.items() if letter == name)
        cages.append(
            Cage(name, own, sums[name], tuple(_list_combinations(name, len(own), sums[name], symbols, values)))
        )
    return cages


def _list_combinations(name: str, size: int, total: int, symbols: str, values: Sequence[int]) -> list[str]:
    """Return the sets of `size` symbols with a given sum, in the order of the symbols."""
    order = sorted(range(len(values)), key=values.__getitem__)
    if size > len(order):
        message = f"cage {name!r} has {pictures.format_count(size, 'cell')}, but there are {len(order)} symbols"
        raise ParameterError("cages", message)
    least, most = (sum(values[k] for k in some) for some in (order[:size], order[len(order) - size :]))
    found: list[tuple[int, ...]] = []

    def extend(chosen: tuple[int, ...], start: int, left: int) -> None:
        need = size - len(chosen)
        if not need:
            found.extend([chosen] if not left else [])
            if len(found) > _MAX_COMBINATIONS:
                message = f"more than {_MAX_COMBINATIONS:,} combinations of symbols have the sum of cage {name!r}"
                raise ParameterError(("sums", name), message)
            return
        for place in range(start, len(order) - need + 1):
            if sum(values[k] for k in order[place : place + need]) > left:
                return
            if values[order[place]] + sum(values[k] for k in order[len(order) - need + 1 :]) >= left:
                extend((*chosen, order[place]), place + 1, left - values[order[place]])

    if least <= total <= most:
        extend((), 0, total)
    if not found:
        message = f"{pictures.format_count(size, 'different symbol')} cannot have the sum {total}"
        raise ParameterError(("sums", name), f"cage {name!r}: {message}; expected {least} to {most}")
    return sorted("".join(symbols[k] for k in sorted(chosen)) for chosen in found)


def read_thermometers(texts: Sequence[str], side: int) -> list[list[Place]]:
    """Return the cells of each thermometer from its bulb, written like ``r1c1 r1c2 r2c3``.

    Raises
    ------
    ParameterError
        If a cell is not in the square, or in a thermometer twice; two cells that follow each other do not touch; or a
        thermometer has less than two cells, or more than there are symbols.
    """
    found: list[list[Place]] = []
    for number, text in enumerate(texts):
        path = ("thermometers", number)
        cells: list[Place] = []
        for word in text.split():
            parts = parse_cell(word)
            if parts is None or len(parts) != 2 or not all(1 <= part <= side for part in parts):
                raise ParameterError(path, f"{word!r} is not a cell of the square; expected r1c1 to r{side}c{side}")
            place = parts[0], parts[1]
            if place in cells:
                raise ParameterError(path, f"{word} occurs twice")
            cells.append(place)
        if not 2 <= len(cells) <= side:
            cells_found = pictures.format_count(len(cells), "cell")
            raise ParameterError(path, f"expected 2 to {side} cells, got {cells_found}")
        for one, other in pairwise(cells):
            if max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 1:
                names = "r{}c{} and r{}c{}".format(*one, *other)
                raise ParameterError(path, f"{names} do not touch")
        found.append(cells)
    return found


def thermometer_items(thermometers: Sequence[Sequence[Place]], symbols: str) -> dict[Place, dict[str, list[str]]]:
    """Return the secondary items that each cell of a thermometer covers, by its symbol.

    The first of two cells at a distance of d holds a symbol at least d before that of the second. For each threshold,
    there is an item that the first covers if its symbol is not before the threshold, and the second if its symbol is
    less than d behind it. So they share an item if, and only if, they may not stand together.
    """
    found: dict[Place, dict[str, list[str]]] = {}
    for number, cells in enumerate(thermometers, 1):
        for start, one in enumerate(cells):
            for distance, other in enumerate(cells[start + 1 :], 1):
                name = f"thermometer {number}, cells {start + 1} and {start + distance + 1}"
                items = [f"{name}: {symbol}" for symbol in symbols]
                for value, symbol in enumerate(symbols):
                    found.setdefault(one, {}).setdefault(symbol, []).extend(items[: value + 1])
                    found.setdefault(other, {}).setdefault(symbol, []).extend(items[max(0, value - distance + 1) :])
    return found


def color_cages(cages: Sequence[Cage]) -> dict[Place, pictures.Cell]:
    """Return cells for a picture, in colors by which cages that touch can be told apart."""
    cage_of = {cell: cage.name for cage in cages for cell in cage.cells}
    neighbors: dict[str, set[str]] = {cage.name: set() for cage in cages}
    for (row, column), name in cage_of.items():
        beside = [cage_of.get((row + down, column + right)) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        neighbors[name] |= {other for other in beside if other not in (None, name)}
    tints = pictures.tell_apart(neighbors)
    return {
        (row, column): pictures.Cell(row - 1, column - 1, "", tints[name], _CAGE_STRENGTH)
        for (row, column), name in cage_of.items()
    }


def draw_thermometers(thermometers: Sequence[Sequence[Place]]) -> Iterator[pictures.Tile]:
    """Yield bulbs and tubes; they lie under the symbols."""
    for cells in thermometers:
        centers = [(column - 0.5, row - 0.5) for row, column in cells]
        outlines = [pictures.polygon(centers[0], _BULB, 24)]
        for one, other in pairwise(centers):
            outlines += [_outline_tube(one, other), pictures.polygon(other, _TUBE, 12)]
        yield from (pictures.Tile(outline, None, pictures.BLOCKED, _GLASS) for outline in outlines)


def _outline_tube(one: pictures.Corner, other: pictures.Corner) -> tuple[pictures.Corner, ...]:
    """Return a rectangle around the line between two points."""
    across, down = other[0] - one[0], other[1] - one[1]
    length = math.hypot(across, down)
    x, y = -down / length * _TUBE, across / length * _TUBE
    return tuple((point[0] + sign * x, point[1] + sign * y) for point, sign in
                 ((one, -1), (other, -1), (other, 1), (one, 1)))  # fmt: skip


def outline_cages(cages: Sequence[Cage]) -> Iterator[pictures.Dashes]:
    """Yield the outline of each cage, inside its cells, with a gap for its sum."""
    for cage in cages:
        cells, first = set(cage.cells), min(cage.cells)
        gaps = {(-1, 0): _INSET + _LETTER * len(str(cage.sum)), (0, -1): _SUM_HEIGHT + _INSET}
        sides = []
        for row, column in cage.cells:
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                if (row + down, column + right) in cells:
                    continue
                starts, ends = (_find_reach(cells, (row, column), (down, right), turn) for turn in (-1, 1))
                if (row, column) == first and (down, right) in gaps:
                    starts = 0.5 - gaps[down, right]
                x, y = column - 0.5 + right * (0.5 - _INSET), row - 0.5 + down * (0.5 - _INSET)
                across, along = abs(down), abs(right)
                sides.append(((x - across * starts, y - along * starts), (x + across * ends, y + along * ends)))
        yield pictures.Dashes(tuple(sides))


def _find_reach(cells: Collection[Place], cell: Place, side: Place, turn: int) -> float:
    """Return how far from its middle the outline at a side of a cell goes, before or after (`turn` is -1 or 1)."""
    (row, column), (down, right) = cell, side
    beside = row + abs(right) * turn, column + abs(down) * turn
    if beside not in cells:
        return 0.5 - _INSET
    return 0.5 + _INSET if (beside[0] + down, beside[1] + right) in cells else 0.5


def write_sums(cages: Sequence[Cage], looks: Mapping[Place, pictures.Cell]) -> Iterator[pictures.Tile]:
    """Yield the sum of each cage, in a corner of its first cell; `looks` are the cells of the picture."""
    for cage in cages:
        row, column = min(cage.cells)
        left, top = column - 0.97, row - 0.97
        right, bottom = left + _LETTER * len(str(cage.sum)), top + _SUM_HEIGHT
        look = looks[row, column]
        outline = ((left, top), (right, top), (right, bottom), (left, bottom))
        yield pictures.Tile(outline, None, look.tint, look.strength, text=str(cage.sum))
