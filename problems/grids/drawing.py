"""What the rules of grid puzzles draw on a board: outlines, lines, bulbs, dots, signs, and numbers beside it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, pairwise

from exactcover import pictures
from exactcover.pictures import Corner, Tile
from problems.boards import group_cells
from problems.grids.board import Place

Line = Sequence[Place]

COLORS = {"gray": pictures.BLOCKED, "green": 4, "purple": 2, "orange": 7, "turquoise": 0, "blue": 6}
"""The tints of lines."""
_STRENGTH, _GLASS, _INK, _STRONG = 0.24, 0.3, 0.45, 0.7  # of colors
_INSET = 0.07  # of the outline of an area, in sides of a cell
_LETTER, _HEIGHT = 0.19, 0.3  # the size of a small number, in sides of a cell
_BULB, _TUBE, _THREAD = 0.38, 0.13, 0.05  # the radius of a bulb, and half the width of a tube and of a line
_DOT, _SIGN, _MARK, _FILLED = 0.13, 0.2, 0.4, 0.62


def middle_of(cell: Place) -> Corner:
    """Return the middle of a cell in pictures."""
    return cell[1] - 0.5, cell[0] - 0.5


def color_areas(areas: Mapping[str, Line]) -> dict[Place, pictures.Cell]:
    """Return cells for a picture, in colors by which areas that touch can be told apart."""
    area_of = {cell: name for name, cells in areas.items() for cell in cells}
    neighbors: dict[str, set[str]] = {name: set() for name in areas}
    for (row, column), name in area_of.items():
        beside = [area_of.get((row + down, column + right)) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        neighbors[name] |= {other for other in beside if other not in (None, name)}
    tints = pictures.tell_apart(neighbors)
    return {
        (row, column): pictures.Cell(row - 1, column - 1, "", tints[name], _STRENGTH)
        for (row, column), name in area_of.items()
    }


def outline_areas(areas: Mapping[str, Line], numbers: Mapping[str, str]) -> Iterator[pictures.Dashes]:
    """Yield the outline of each area, inside its cells, with a gap for its number, if it has one."""
    for name, own in areas.items():
        cells, first, number = set(own), min(own), numbers.get(name, "")
        gaps = {(-1, 0): _INSET + _LETTER * len(number), (0, -1): _HEIGHT + _INSET} if number else {}
        sides = []
        for row, column in own:
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


def write_corners(areas: Mapping[str, Line], numbers: Mapping[str, str]) -> Iterator[Tile]:
    """Yield the number of each area that has one, in a corner of its first cell."""
    for name, cells in areas.items():
        if numbers.get(name):
            row, column = min(cells)
            left, top = column - 0.97, row - 0.97
            right, bottom = left + _LETTER * len(numbers[name]), top + _HEIGHT
            outline = ((left, top), (right, top), (right, bottom), (left, bottom))
            yield Tile(outline, None, pictures.PAPER, 0.0, text=numbers[name], sign=numbers[name])


def write_in_corners(words: Mapping[Place, str]) -> Iterator[Tile]:
    """Yield words in a corner of their cells."""
    yield from write_corners({str(cell): (cell,) for cell in words}, {str(cell): word for cell, word in words.items()})


def join_symbols(symbols: Sequence[str]) -> str:
    """Return symbols as a short text; those of several characters stand apart."""
    return ("" if all(len(one) == 1 for one in symbols) else " ").join(symbols)


def write_letters(letters: Mapping[Place, str]) -> Iterator[Tile]:
    """Yield the letter of each region, by which hints call it, in a corner of its first cell."""
    areas = group_cells(letters)
    yield from (replace(tile, sign="") for tile in write_corners(areas, {letter: letter for letter in areas}))


def draw_thermometers(lines: Sequence[Line]) -> Iterator[Tile]:
    """Yield bulbs and tubes; they lie under the symbols."""
    for cells in lines:
        centers = [*map(middle_of, cells)]
        outlines = [pictures.polygon(centers[0], _BULB, 24)]
        for one, other in pairwise(centers):
            outlines += [_outline_tube(one, other, _TUBE), pictures.polygon(other, _TUBE, 12)]
        yield from (Tile(outline, None, pictures.BLOCKED, _GLASS) for outline in outlines)


def draw_lines(lines: Sequence[Line], color: str = "gray") -> Iterator[Tile]:
    """Yield lines through the middles of cells, gray ones thin; `color` is one of `COLORS`."""
    half, strength = (_THREAD, _INK) if color == "gray" else (2 * _THREAD, _STRONG)
    for cells in lines:
        for one, other in pairwise(map(middle_of, cells)):
            yield Tile(_outline_tube(one, other, half), None, COLORS[color], strength)


def draw_arrows(lines: Sequence[Line]) -> Iterator[Tile]:
    """Yield arrows, with a circle at their begin."""
    for cells in lines:
        yield Tile(pictures.polygon(middle_of(cells[0]), _MARK, 32), None, pictures.BLOCKED, _GLASS)
        yield from draw_lines([cells])
        (x, y), tip = (middle_of(cell) for cell in cells[-2:])
        turn = math.atan2(tip[0] - x, y - tip[1]) / (2 * math.pi)
        yield Tile(pictures.polygon(tip, _SIGN, 3, turn), None, pictures.BLOCKED, _INK)


def _outline_tube(one: Corner, other: Corner, half: float) -> tuple[Corner, ...]:
    """Return a rectangle around the line between two points."""
    across, down = other[0] - one[0], other[1] - one[1]
    length = math.hypot(across, down)
    x, y = -down / length * half, across / length * half
    return tuple((point[0] + sign * x, point[1] + sign * y) for point, sign in
                 ((one, -1), (other, -1), (other, 1), (one, 1)))  # fmt: skip


def draw_marks(cells: Line, *, are_round: bool) -> Iterator[Tile]:
    """Yield gray circles or squares in cells."""
    for cell in cells:
        corners, turn, radius = (24, 0.0, _MARK) if are_round else (4, 0.125, 0.5)
        yield Tile(pictures.polygon(middle_of(cell), radius, corners, turn), None, pictures.BLOCKED, _GLASS)


def draw_dot(one: Place, other: Place, *, is_black: bool) -> Tile:
    """Return a dot between two cells."""
    tint = pictures.BLOCKED if is_black else pictures.PAPER
    return Tile(
        pictures.polygon(_between(one, other), _DOT, 24), f"dot {one} {other}", tint, sign="●" if is_black else "○"
    )


def draw_sign(one: Place, other: Place, text: str) -> Tile:
    """Return a sign between two cells, with more room for a longer text."""
    radius = _SIGN + _LETTER / 4 * max(0, len(text) - 1)
    return Tile(pictures.polygon(_between(one, other), radius, 24), None, pictures.PAPER, text=text, sign=text)


def _between(one: Place, other: Place) -> Corner:
    (x, y), (u, v) = middle_of(one), middle_of(other)
    return (x + u) / 2, (y + v) / 2


def write_beside(size: Place, side: str, clues: Sequence[Sequence[str]]) -> Iterator[pictures.Shape]:
    """Yield the clues of rows (to the left or right) or columns (at the top or bottom), the last one nearest to it."""
    for number, words in enumerate(clues):
        for away, word in enumerate(reversed(words) if side in ("left", "top") else words, 1):
            if word:
                place = {"left": (number, -away), "right": (number, size[1] - 1 + away),
                         "top": (-away, number), "bottom": (size[0] - 1 + away, number)}[side]  # fmt: skip
                yield pictures.Cell(*place, None, pictures.PAGE)
                yield pictures.Text(*place, word)


def set_apart(size: Place, groups: Iterable[Iterable[pictures.Shape]]) -> Iterator[pictures.Shape]:
    """Yield groups of shapes; what stands beside the board is moved beyond what stands there of earlier groups."""
    taken: set[Place] = set()
    for group in groups:
        shapes = [(shape, *_find_side(shape, size)) for shape in group]
        beside = [(shape.row, shape.column, down, right) for shape, down, right in shapes
                  if isinstance(shape, pictures.Cell | pictures.Text) and (down or right)]  # fmt: skip
        reach = ({(row + k * down, column + k * right) for row, column, down, right in beside} for k in count())
        away, places = next((k, places) for k, places in enumerate(reach) if taken.isdisjoint(places))
        taken |= places
        yield from (shift(shape, away * down, away * right) for shape, down, right in shapes)


def _find_side(shape: pictures.Shape, size: Place) -> Place:
    """Return the step away from the board of what stands beside it."""
    if not isinstance(shape, pictures.Cell | pictures.Text):
        return 0, 0
    down, right = ((place >= end) - (place < 0) for place, end in zip((shape.row, shape.column), size, strict=True))
    return down, right


def write_middles(words: Mapping[Place, str]) -> Iterator[pictures.Text]:
    """Yield words in the middle of cells."""
    for (row, column), word in words.items():
        yield pictures.Text(row - 1, column - 1, word, strong=True)


def fill_cell(cell: Place, strength: float = 1.0) -> Tile:
    """Return a dark square in a cell."""
    return Tile(pictures.polygon(middle_of(cell), _FILLED, 4, 0.125), None, pictures.BLOCKED, strength)


def shift(shape: pictures.Shape, down: int, right: int) -> pictures.Shape:
    """Return a shape at another place."""
    if isinstance(shape, pictures.Tile):
        return replace(shape, outline=tuple((x + right, y + down) for x, y in shape.outline))
    if isinstance(shape, pictures.Dashes):
        return pictures.Dashes(tuple(((x + right, y + down), (u + right, v + down)) for (x, y), (u, v) in shape.sides))
    return replace(shape, row=shape.row + down, column=shape.column + right)
