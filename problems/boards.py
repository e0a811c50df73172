"""Boards as text, and the names of their cells. Rows, columns and layers count from 1."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from exactcover import ParameterError
from exactcover.errors import nearest
from problems.lattices import SQUARES, STICKS, Lattice, Place, Point, shifted

if TYPE_CHECKING:
    import networkx as nx  # slow to import

__all__ = ["Board", "Joined", "cell_name", "connected", "drawing_of", "parse_cell", "parse_size", "read_drawing"]

Joined: TypeAlias = Literal["", "columns", "rows", "both"]
"""Which opposite ends of a board are joined: columns for a cylinder, both for a torus."""

_SIDE_LIMIT = 10_000
_MOST_CELLS = 25_000_000
_STICKS = {"-": ".", "|": ".", "+": " "}


def cell_name(cell: Place) -> str:
    """Return the name of a cell.

    Examples
    --------
    >>> cell_name((2, 10)), cell_name((3, 2, 1))
    ('r2c10', 'z3r2c1')
    """
    *layer, row, column = cell
    return f"r{row}c{column}" if not layer else f"z{layer[0]}r{row}c{column}"


def parse_cell(name: str) -> Place | None:
    """Return the cell of that name, or None if it is no such name.

    Examples
    --------
    >>> parse_cell("r2c10"), parse_cell("z3r2c1")
    ((2, 10), (3, 2, 1))
    """
    match = re.fullmatch(r"(?:z(\d{1,9}))?r(\d{1,9})c(\d{1,9})", name, re.ASCII)
    return tuple(int(part) for part in match.groups() if part is not None) if match else None


def parse_size(text: str, parameter: str | tuple[str | int, ...]) -> tuple[int, int]:
    """Return (rows, columns) of a text like ``6x10``.

    Raises
    ------
    ParameterError
        If it is anything else, or a side is 0 or more than 10,000.
    """
    rows, columns = _sides(text, parameter)
    return rows, columns


def _sides(text: str, parameter: str | tuple[str | int, ...], layered: bool = False) -> tuple[int, ...]:
    sides = re.split(r"\s*[xX×]\s*", text.strip())
    if len(sides) != 2 + layered or not all(re.fullmatch(r"\d{1,9}", side, re.ASCII) for side in sides):
        wanted = "LAYERSxROWSxCOLUMNS, like 3x3x3" if layered else "ROWSxCOLUMNS, like 6x10"
        raise ParameterError(parameter, f"{text!r} is no size; expected {wanted}")
    return _within_limits(text, map(int, sides), parameter)


def _within_limits(text: str, sides: Iterable[int], parameter: str | tuple[str | int, ...]) -> tuple[int, ...]:
    found = tuple(sides)
    if not all(1 <= side <= _SIDE_LIMIT for side in found):
        raise ParameterError(parameter, f"the size {text.strip()} is out of range; sides go from 1 to {_SIDE_LIMIT}")
    return found


def read_drawing(text: str, lattice: Lattice) -> dict[Place, str]:
    """Return the character at each place of a drawing that is no blank.

    Rows end with a line break or ``/``; a blank line between rows begins a new layer, where the lattice has layers.
    """
    rows = text.replace("/", "\n").strip("\r\n").split("\n")
    if lattice is STICKS:
        rows = ["".join(_STICKS.get(one, one) for one in row) for row in rows]
    if not lattice.layered:
        drawn: dict[Place, str] = {
            (number, column): one for number, row in enumerate(rows, 1) for column, one in enumerate(row, 1)
        }
    else:
        drawn, layer, above = {}, 1, 0
        for number, row in enumerate(rows):
            if not row.strip():
                layer, above = layer + (number > above), number + 1
            drawn |= {(layer, number - above + 1, column): one for column, one in enumerate(row, 1)}
    return {place: one for place, one in drawn.items() if one not in " _\r"}


def drawing_of(graph: nx.Graph[tuple[int, int]]) -> str:
    """Return the drawing of a board of squares that is given as a graph, whose nodes are (row, column) from 0.

    Raises
    ------
    ValueError
        If a node is no pair of whole numbers from 0, or an edge joins squares that do not touch.

    Examples
    --------
    >>> import networkx as nx
    >>> drawing_of(nx.grid_2d_graph(2, 3))
    '...\\n...'
    """
    for node in graph:
        if not (
            isinstance(node, tuple) and len(node) == 2 and all(isinstance(part, int) and part >= 0 for part in node)
        ):
            raise ValueError(f"node {node!r} is no pair of whole numbers from 0")
    for one, other in graph.edges:
        if other not in SQUARES.around(one):
            raise ValueError(f"the squares {one} and {other} do not touch")
    rows, columns = (1 + max((node[k] for node in graph), default=-1) for k in (0, 1))
    return "\n".join(
        "".join("." if (row, column) in graph else "_" for column in range(columns)) for row in range(rows)
    )


@dataclass(frozen=True)
class Board:
    """Cells to cover, cells that may stay free, and blocked ones.

    Attributes
    ----------
    required, optional, blocked
        Disjoint tuples of cells; every other place is no part of the board.
    lattice
        What the cells are.
    points
        The point of every cell.
    periods
        Vectors after which the board begins anew, where opposite ends of it are joined.
    """

    required: tuple[Place, ...]
    optional: tuple[Place, ...] = ()
    blocked: tuple[Place, ...] = ()
    lattice: Lattice = SQUARES
    points: dict[Place, Point] = field(default_factory=dict, compare=False)
    periods: tuple[Point, ...] = ()

    @classmethod
    def parse(
        cls,
        board: str | Sequence[str],
        holes: Iterable[Place] = (),
        lattice: Lattice = SQUARES,
        joined: Joined = "",
        parameter: str = "board",
    ) -> Board:
        """Read a size (``6x10``), a form with a size (``triangle 10``), or a drawing; or a list of rows or layers.

        In a drawing ``.`` is a cell to cover, ``?`` one that may stay free, ``#`` a blocked one, and a space or ``_``
        none at all. `holes` are blocked too.

        Raises
        ------
        ParameterError
            If the text is none of these, the board has no cell, a hole is no cell of it, or ends of a drawing are to
            be joined.

        Examples
        --------
        >>> Board.parse("..#\\n.?.").optional
        ((2, 2),)
        """
        text, periods = _drawn(board, lattice, joined, parameter)
        kinds = read_drawing(text, lattice)
        strange = next((cell for cell, one in kinds.items() if one not in ".?#"), None)
        if strange is not None:
            message = f"{kinds[strange]!r} means nothing in a drawing; use {_characters(lattice)}"
            path = (parameter,) if isinstance(board, str) else (parameter, strange[0] - 1)
            raise ParameterError(path, f"{_spelled(strange)}: {message}")
        for position, hole in enumerate(dict.fromkeys(holes)):
            if len(hole) != 2 + lattice.layered:
                wanted = "[layer, row, column]" if lattice.layered else "[row, column]"
                raise ParameterError(("holes", position), f"expected {wanted}, got {list(hole)}")
            if kinds.get(hole, "#") == "#":
                raise ParameterError(("holes", position), f"{_spelled(hole)} is no cell of the board")
            kinds[hole] = "#"
        required, optional, blocked = (tuple(cell for cell in kinds if kinds[cell] == kind) for kind in ".?#")
        if not required and not optional:
            raise ParameterError(parameter, "the board has no cell to cover")
        try:
            points = lattice.points(list(kinds))
        except ValueError as error:
            message = f"{_spelled(error.args[0])} lies between {lattice.cells}, for the places of others do not fit"
            raise ParameterError(parameter, message) from None
        return cls(required, optional, blocked, lattice, points, periods)

    @property
    def free(self) -> tuple[Place, ...]:
        """The cells that pieces may take."""
        return (*self.required, *self.optional)

    @cached_property
    def at(self) -> dict[Point, Place]:
        """The cell at a point, where pieces may take it; for points as :meth:`reduced` gives them."""
        return {self.reduced(self.points[cell]): cell for cell in self.free}

    @cached_property
    def names(self) -> dict[Place, str]:
        """The name of every cell that pieces may take."""
        return {cell: cell_name(cell) for cell in self.free}

    @cached_property
    def _strides(self) -> list[int]:
        """By what to multiply the coordinates of a point for numbers that are all different, also around the board."""
        lows, highs = ([pick(line) for line in zip(*self.points.values(), strict=True)] for pick in (min, max))
        strides = [1]
        for low, high in zip(lows[:0:-1], highs[:0:-1], strict=True):
            strides.append(strides[-1] * (4 * (high - low) + 1024))
        return strides[::-1]

    def code(self, point: Point) -> int:
        """Return a point as one number; the sum of two is that of their numbers."""
        return sum([part * stride for part, stride in zip(point, self._strides, strict=True)])

    @cached_property
    def by_code(self) -> dict[int, Place]:
        """The cell of each such number, where pieces may take it."""
        return {self.code(self.points[cell]): cell for cell in self.free}

    def reduced(self, point: Point) -> Point:
        """Return the point that stands for all which are the same on a board with joined ends."""
        for period in self.periods:
            leading = next(k for k, part in enumerate(period) if part)
            point = shifted(point, period, -(point[leading] // period[leading]))
        return point

    def around(self, cell: Place) -> Iterator[Place]:
        """Yield the cells that touch one, where pieces may take them."""
        for place in map(self.reduced, self.lattice.around(self.points[cell])):
            if place in self.at:
                yield self.at[place]

    def components(self) -> Iterator[tuple[list[Place], list[Place]]]:
        """Yield the connected parts of the board, each as (required, optional) cells."""
        import networkx as nx  # slow to import

        optional = set(self.optional)
        graph: nx.Graph[Place] = nx.Graph()
        graph.add_nodes_from(self.free)
        graph.add_edges_from((cell, other) for cell in self.free for other in self.around(cell))
        for part in nx.connected_components(graph):
            yield sorted(part - optional), sorted(part & optional)

    def along_short_side(self) -> list[Place]:
        """Return the required cells so that neighbors in the list are neighbors across the narrow way.

        Searches that break ties in this order fill the board from one end, with a short front.
        """
        if not self.required:
            return []
        extents = [max(line) for line in zip(*self.required, strict=True)]
        axes = sorted(range(len(extents)), key=lambda axis: -extents[axis])
        return sorted(self.required, key=lambda cell: [cell[axis] for axis in axes])


def connected(points: Sequence[Point], lattice: Lattice) -> bool:
    """Whether some cells hang together."""
    import networkx as nx  # slow to import

    graph: nx.Graph[Point] = nx.Graph()
    graph.add_nodes_from(points)
    graph.add_edges_from((cell, other) for cell in points for other in lattice.around(cell) if other in graph)
    return nx.is_connected(graph)


def _characters(lattice: Lattice) -> str:
    return ("- | for sticks, + for corners, ? #" if lattice is STICKS else ". ? #") + " and space or _"


def _spelled(cell: Place) -> str:
    *layer, row, column = cell
    return f"{f'layer {layer[0]}, ' if layer else ''}row {row}, column {column}"


def _drawn(
    board: str | Sequence[str], lattice: Lattice, joined: Joined, parameter: str
) -> tuple[str, tuple[Point, ...]]:
    """Return a board as a drawing, and its periods."""
    if isinstance(board, str) and not _is_drawing(board):
        return _sketched(board, lattice, joined, parameter)
    if joined:
        raise ParameterError("joined", "only a board that is given by its size can have joined ends")
    if isinstance(board, str):
        return board, ()
    if not lattice.layered:
        return "\n".join(board), ()
    layers = [one if _is_drawing(one) else _sketched(one, SQUARES, "", parameter)[0] for one in board]
    return "\n\n".join(layer.strip("\r\n") for layer in layers), ()


def _is_drawing(text: str) -> bool:
    return len(text.strip("\r\n").splitlines()) > 1 or bool(set(text) & set(".?#_+-|/")) or not text.strip()


def _sketched(text: str, lattice: Lattice, joined: Joined, parameter: str) -> tuple[str, tuple[Point, ...]]:
    """Return the drawing of a board that is given by its size, or by a form and a size; and its periods."""
    word, *rest = text.split(maxsplit=1)
    if not word.isalpha():
        sides = _sides(text, parameter, lattice.layered)
        _check_area(text, math.prod(sides), parameter)
        periods = lattice.periods(sides)
        names = {"": (), "both": ("rows", "columns")}.get(joined, (joined,))
        return lattice.sketch("", sides, joined), tuple(periods[name] for name in names)
    if word not in lattice.forms:
        known = f"forms are {', '.join(lattice.forms)}" if lattice.forms else "expected a size or a drawing"
        raise ParameterError(parameter, f"there is no form {word!r}{nearest(word, lattice.forms)} ({known})")
    if joined:
        raise ParameterError("joined", "only a board that is given by its size can have joined ends")
    if not rest or not re.fullmatch(r"\d{1,9}", rest[0].strip(), re.ASCII):
        raise ParameterError(parameter, f"{text!r} is no board; expected {word} and a number, like {word} 5")
    (side,) = _within_limits(text, [int(rest[0])], parameter)
    _check_area(text, side ** (2 + lattice.layered), parameter)
    return lattice.sketch(word, [side]), ()


def _check_area(text: str, cells: int, parameter: str) -> None:
    if cells > _MOST_CELLS:
        raise ParameterError(
            parameter, f"a board of {text.strip()} is too large; boards have {_MOST_CELLS:,} cells at most"
        )
