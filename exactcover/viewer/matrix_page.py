"""Pictures of any problem: its matrix, or its bipartite graph of options and items, with a solution marked."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from exactcover.algorithm_x import Colored, Item, Label, item_of
from exactcover.pictures import PAGE, PAPER, SHADED, Picture, Shape, Tile, format_count, printable
from exactcover.pictures.palette import PIECES
from exactcover.pictures.text import count_columns
from exactcover.problem import Problem

MAX_ROWS, MAX_COLUMNS = 60, 150
"""The largest size of a matrix that is drawn; of more options, only those of the solution are drawn."""

_LETTER, _PADDING = 0.24, 0.36  # width of a letter and of the space around a label, in sides of a cell
_LONGEST = 36  # letters of a label
_WIDEST = 3.0  # width of a column
_STEP = 1.25  # from one node to the next below it, in sides of a cell
_AROUND = 0.5  # the space around the text of a node
_FAINT = 10, 0.5  # tint and strength of edges of options that are not chosen
_THIN, _THICK = 0.03, 0.07  # half the width of an edge


class AbstractDrawer(ABC):
    """Draws solutions of any problem, by its options and items."""

    name: ClassVar[str]  # of the kind of picture: "matrix" or "graph"

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._items = [*problem.primary, *problem.secondary]
        self.is_whole = len(problem.labels) <= MAX_ROWS  # whether pictures show all options, not only a solution's

    @property
    def fits(self) -> bool:
        """True if there are few enough items."""
        return 0 < len(self._items) <= MAX_COLUMNS

    def draw(self, solution: Sequence[Label]) -> Picture | None:
        """Return a picture with the options of a solution marked, or None if it is too large."""
        problem, chosen = self._problem, set(solution)
        options = [label for label in problem.labels if self.is_whole or label in chosen]
        if not self.fits or len(options) > MAX_ROWS:
            return None
        size = f"{format_count(len(problem.labels), 'option')} and {format_count(len(self._items), 'item')}"
        title = f"{self.name} of {size}, with {format_count(len(chosen), 'option')} chosen"
        return Picture(title, tuple(self.draw_shapes(options, chosen)), grid=True)

    @abstractmethod
    def draw_shapes(self, options: Sequence[Label], chosen: Collection[Label]) -> Iterator[Shape]:
        """Yield the shapes of options, of which some are chosen."""


class MatrixDrawer(AbstractDrawer):
    """Draws solutions of one problem: one row per option, one column per item, secondary items on the right.

    Examples
    --------
    >>> drawer = MatrixDrawer(Problem({"A": [1], "B": [2], "C": [1, 2]}))
    >>> drawer.draw(["C"]).title
    'matrix of 3 options and 2 items, with 1 option chosen'
    >>> sum(tile.tint >= 0 for tile in drawer.draw(["C"]).tiles)
    3
    """

    name = "matrix"

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        names = [printable(str(item)) for item in self._items]
        longest = max(map(count_columns, names), default=1)
        self._width = min(_WIDEST, max(1.0, longest * _LETTER + 0.2))
        self._columns = {
            item: (number, name) for number, (item, name) in enumerate(zip(self._items, names, strict=True))
        }

    def draw_shapes(self, options: Sequence[Label], chosen: Collection[Label]) -> Iterator[Shape]:
        labels = [printable(str(label)) for label in options]
        self._left = 0.1 + max((measure(label, _PADDING) for label in labels), default=0.0)
        for number, name in self._columns.values():
            yield Tile(self._outline(0, number), None, PAGE, text=name)
        for row, (label, text) in enumerate(zip(options, labels, strict=True), 1):
            yield from self._draw_row(row, label, text, marked=label in chosen)

    def _draw_row(self, row: int, label: Label, text: str, *, marked: bool) -> Iterator[Shape]:
        tint = self._problem.position(label) % len(PIECES)
        start = self._left - 0.1 - measure(text, _PADDING)
        corners = (start, row), (self._left - 0.1, row), (self._left - 0.1, row + 1), (start, row + 1)
        beside = len(self._columns)  # a place of its own, so that a mark can replace it
        yield Tile(corners, None, tint if marked else PAGE, row=row, column=beside, text=text)
        covered = self._read(label)
        for item, (number, _) in self._columns.items():
            region = ("option", row) if marked and item in covered else "matrix"
            full = (tint if marked else SHADED) if item in covered else PAPER
            outline = self._outline(row, number)
            yield Tile(outline, region, full, row=row, column=number, text=covered.get(item, ""))

    def _read(self, label: Label) -> Mapping[object, str]:
        """Return the items of an option with the texts of their colors."""
        entries = self._problem.options[label]
        return {item_of(one): printable(str(one.color)) if isinstance(one, Colored) else "" for one in entries}

    def _outline(self, row: int, number: int) -> tuple[tuple[float, float], ...]:
        gap = 0.4 if number >= len(self._problem.primary) and self._problem.primary else 0.0
        left, right = (self._left + gap + self._width * (number + more) for more in (0, 1))
        return (left, row), (right, row), (right, row + 1), (left, row + 1)


def measure(text: str, padding: float) -> float:
    """Return the width of a text with the space around it, in sides of a cell."""
    return _LETTER * min(_LONGEST, count_columns(text)) + padding


class GraphDrawer(AbstractDrawer):
    """Draws solutions of one problem: an edge joins each option to the items that it covers.

    Items that may stay uncovered are shaded.

    Examples
    --------
    >>> from exactcover import Problem
    >>> drawer = GraphDrawer(Problem({"A": [1], "B": [2], "C": [1, 2]}))
    >>> drawer.draw(["C"]).title
    'graph of 3 options and 2 items, with 1 option chosen'
    """

    name = "graph"

    def draw_shapes(self, options: Sequence[Label], chosen: Collection[Label]) -> Iterator[Shape]:
        wide, narrow = (max(map(_measure, names), default=0.0) for names in (options, self._items))
        middle = _STEP * max(len(options), len(self._items)) / 2
        start = wide + max(3.0, 0.8 * middle)  # of the items
        places = {item: middle + _STEP * (k - (len(self._items) - 1) / 2) for k, item in enumerate(self._items)}
        tints: dict[Item, int] = {}
        nodes: list[Shape] = []
        for marked in (False, True):  # edges that are marked lie above the others
            for k, label in enumerate(options):
                if (label in chosen) is not marked:
                    continue
                tint = self._problem.position(label) % len(PIECES)
                height = middle + _STEP * (k - (len(options) - 1) / 2)
                nodes.append(_draw_box(wide - _measure(label), wide, height, label, tint if marked else PAPER))
                for entry in self._problem.options[label]:
                    item = item_of(entry)
                    yield _draw_edge((wide, height), (start, places[item]), tint if marked else None)
                    if marked:
                        tints[item] = tint
        for number, (item, height) in enumerate(places.items()):
            plain = PAPER if number < len(self._problem.primary) else SHADED
            nodes.append(_draw_box(start, start + narrow, height, item, tints.get(item, plain)))
        yield from nodes


def _measure(name: object) -> float:
    """Return the width of a node."""
    return measure(printable(str(name)), _AROUND)


def _draw_box(left: float, right: float, height: float, name: object, tint: int) -> Tile:
    top, bottom = height - 0.42, height + 0.42
    corners = (left, top), (right, top), (right, bottom), (left, bottom)
    return Tile(corners, ("node", left, height), tint, text=printable(str(name)))


def _draw_edge(one: tuple[float, float], other: tuple[float, float], tint: int | None) -> Tile:
    half = _THIN if tint is None else _THICK
    across, down = other[0] - one[0], other[1] - one[1]
    length = math.hypot(across, down)
    x, y = -half * down / length, half * across / length
    ends = (one, 1), (other, 1), (other, -1), (one, -1)
    corners = tuple((point[0] + sign * x, point[1] + sign * y) for point, sign in ends)
    return Tile(corners, None, *(_FAINT if tint is None else (tint, 1.0)))
