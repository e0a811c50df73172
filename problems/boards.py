"""Boards of square cells as text, and the names of their cells. Rows and columns count from 1."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from exactcover import ParameterError

__all__ = ["Board", "Cell", "cell_name", "parse_cell", "parse_size"]

Cell: TypeAlias = tuple[int, int]
"""(row, column), both from 1."""

_SIDE_LIMIT = 10_000


def cell_name(cell: Cell) -> str:
    """Return the name of a cell.

    Examples
    --------
    >>> cell_name((2, 10))
    'r2c10'
    """
    return f"r{cell[0]}c{cell[1]}"


def parse_cell(name: str) -> Cell | None:
    """Return the cell of that name, or None if it is no such name.

    Examples
    --------
    >>> parse_cell("r2c10")
    (2, 10)
    """
    match = re.fullmatch(r"r(\d{1,9})c(\d{1,9})", name, re.ASCII)
    return (int(match[1]), int(match[2])) if match else None


def parse_size(text: str, parameter: str) -> tuple[int, int]:
    """Return (rows, columns) of a text like ``6x10``.

    Raises
    ------
    ParameterError
        If it is anything else, or a side is 0 or more than 10,000.
    """
    match = re.fullmatch(r"\s*(\d{1,9})\s*[xX×]\s*(\d{1,9})\s*", text, re.ASCII)
    if not match:
        raise ParameterError(parameter, f"{text!r} is no size; expected ROWSxCOLUMNS, like 6x10")
    rows, columns = int(match[1]), int(match[2])
    if not (1 <= rows <= _SIDE_LIMIT and 1 <= columns <= _SIDE_LIMIT):
        raise ParameterError(parameter, f"the size {text.strip()} is out of range; sides go from 1 to {_SIDE_LIMIT}")
    return rows, columns


@dataclass(frozen=True)
class Board:
    """Cells to cover, cells that may stay free, and blocked ones.

    Attributes
    ----------
    required, optional, blocked
        Disjoint tuples of cells; every other place is no part of the board.
    """

    required: tuple[Cell, ...]
    optional: tuple[Cell, ...] = ()
    blocked: tuple[Cell, ...] = ()

    @classmethod
    def parse(cls, text: str, holes: Iterable[Cell] = (), parameter: str = "board") -> Board:
        """Read a size (``6x10``) or a drawing.

        In a drawing ``.`` is a cell to cover, ``?`` one that may stay free, ``#`` a blocked one, and a
        space or ``_`` none at all. `holes` are blocked too.

        Raises
        ------
        ParameterError
            If the text is neither, the board has no cell, or a hole is no cell of it.

        Examples
        --------
        >>> Board.parse("..#\\n.?.").optional
        ((2, 2),)
        """
        kinds: dict[Cell, str] = {}
        lines = text.strip("\r\n").splitlines()
        if len(lines) > 1 or set(text) & set(".?#_"):
            strange = next((one for line in lines for one in line if one not in ".?#_ "), None)
            if strange is not None:
                raise ParameterError(parameter, f"{strange!r} means nothing in a drawing; use . ? # and space or _")
            for row, line in enumerate(lines, 1):
                kinds.update({(row, column): kind for column, kind in enumerate(line, 1) if kind in ".?#"})
        else:
            rows, columns = parse_size(text, parameter)
            kinds = {(row, column): "." for row in range(1, rows + 1) for column in range(1, columns + 1)}
        for position, hole in enumerate(dict.fromkeys(holes)):
            if kinds.get(hole, "#") == "#":
                raise ParameterError(("holes", position), f"row {hole[0]}, column {hole[1]} is no cell of the board")
            kinds[hole] = "#"
        board = cls(*(tuple(cell for cell, kind in kinds.items() if kind == wanted) for wanted in ".?#"))
        if not board.required and not board.optional:
            raise ParameterError(parameter, "the board has no cell to cover")
        return board

    def components(self) -> Iterator[tuple[list[Cell], list[Cell]]]:
        """Yield the connected parts of the board, each as (required, optional) cells."""
        import networkx as nx  # slow to import

        graph: nx.Graph[Cell] = nx.Graph()
        graph.add_nodes_from([*self.required, *self.optional])
        for row, column in [*self.required, *self.optional]:
            for neighbor in ((row + 1, column), (row, column + 1)):
                if neighbor in graph:
                    graph.add_edge((row, column), neighbor)
        optional = set(self.optional)
        for part in nx.connected_components(graph):
            yield sorted(part - optional), sorted(part & optional)

    def along_short_side(self) -> list[Cell]:
        """Return the required cells so that neighbors in the list are neighbors across the narrow way.

        Searches that break ties in this order fill the board from one end, with a short front.
        """
        tall = max((row for row, _ in self.required), default=0) >= max(
            (column for _, column in self.required), default=0
        )
        return sorted(self.required, key=lambda cell: cell if tall else cell[::-1])
