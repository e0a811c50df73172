"""Masyu: one loop through the pearls on a board, of which white ones lie on straight lines and black ones on turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, TypeAlias

from exactcover import Colored, Item, Picture, pictures
from exactcover.rules import Loop
from problems.boards import cell_name, place_of_cell
from problems.lines import (
    LineEncoder,
    LinesAt,
    Network,
    Place,
    draw_cells,
    frame_cells,
    make_grid,
    place_of_point,
    trace,
)
from problems.row_text import BLANK, BoardEncoder, Rows, SymbolRows, read_rows
from problems.squares import Entry

_WHITE, _BLACK = "W", "B"
_SPELLINGS = dict.fromkeys("wo1○", _WHITE) | dict.fromkeys("b2*●", _BLACK)
_STRAIGHT, _TURN, _NONE = "straight", "turn", "none"  # the colors of the ways through cells
_PEARL, _LEFT_OUT = "pearl in ", "cells left out"

Label: TypeAlias = LinesAt | Entry


def _read_pearl(text: str) -> str | None:
    return BLANK if text == "?" else _SPELLINGS.get(text.lower())


def _describe_way(ways: tuple[str, ...]) -> str:
    """Return the color of the way through a cell."""
    return _NONE if not ways else _STRAIGHT if set(ways) in ({"up", "down"}, {"left", "right"}) else _TURN


@dataclass(frozen=True)
class Masyu(LineEncoder, BoardEncoder):
    """Draw one closed loop through all pearls, straight through white ones and with a turn on black ones.

    Before or behind a white pearl, in the next cell, the loop turns; before and behind a black one, it goes straight.
    The lines between two cells are secondary items. The way through a cell is one, too, with the colors straight, turn
    and none, by which a pearl sees the cells beside it. In a board without any pearl, all cells have the options of
    pearls, so that its solutions show all places where pearls may lie.

    Examples
    --------
    >>> Masyu(".W../..../B.../....").count()
    6
    """

    board_parameter: ClassVar[str] = "pearls"

    pearls: Rows = "5x5"
    """The pearls, row by row: a text, a list of rows, or the name of a file. W, o or 1 is a white pearl, B, * or 2 a
    black one; blanks are . - _ or ?. ROWSxCOLUMNS for a board without pearls. Generated puzzles have pearls in the same
    cells."""

    def __post_init__(self) -> None:
        self._cells  # noqa: B018 - reports mistakes now

    @cached_property
    def _cells(self) -> SymbolRows:
        return read_rows(self.pearls, "pearls", _read_pearl, "a pearl, W or B, or . for a blank")

    @cached_property
    def _network(self) -> Network:
        return make_grid(*self._cells.size)

    @cached_property
    def _pearled(self) -> dict[str, Place]:
        """The cells that may have a pearl, by name."""
        return {cell_name(cell): cell for cell in self._cells.places or self._cells.cells}

    @cached_property
    def _seen(self) -> frozenset[str]:
        """The cells whose ways pearls see."""
        return frozenset(other for cell in self._pearled for other in self._network.neighbors[cell].values())

    def primary(self) -> Iterator[str]:
        items = (*self._network.neighbors, *(f"{_PEARL}{cell}" for cell in self._pearled))
        yield from sorted(items, key=place_of_point)  # a sweep has few states in this order

    def secondary(self) -> Iterator[str]:
        yield from self._network.edges.values()
        yield from (f"way through {cell}" for cell in self._network.neighbors if cell in self._seen)
        yield from (f"color of {cell}" for cell in self._pearled)

    def options(self) -> Iterator[tuple[Label, list[Item]]]:
        for cell, neighbors in self._network.neighbors.items():
            for label, items in self._network.pass_through(cell, (0, 2)):
                way = _describe_way(label.ways)
                items += [Colored(f"way through {cell}", way)] * (cell in self._seen)
                if cell not in self._pearled:
                    yield label, items
                    continue
                for notes, pearl in _list_notes(way):
                    beside = [Colored(f"way through {neighbors[side]}", note)
                              for side, note in zip(label.ways, notes, strict=False)]  # fmt: skip
                    yield label._replace(notes=notes), [*items, *beside, Colored(f"color of {cell}", pearl)]
        for cell, place in self._pearled.items():
            for pearl in (_WHITE, _BLACK, BLANK):
                yield Entry(*place, pearl), [f"{_PEARL}{cell}", Colored(f"color of {cell}", pearl)]

    def rules(self) -> list[Loop]:
        return [Loop(self._network.lit)]

    def impossible(self) -> str | None:
        return None if min(self._cells.size) > 1 else "a loop needs two rows and two columns"

    def givens(self) -> list[Entry]:
        return [Entry(*cell, pearl) for cell, pearl in self._cells.places.items()]

    def boards(self) -> Masyu:
        """Return the encoder of long loops, which make good puzzles."""
        return self if self._cells.places else _LongLoop(self.pearls)

    def unparse(self, solution: Iterable[Label]) -> str:
        """Return the pearls in rows; in a frame with the loop, once all of it is known."""
        solution = tuple(solution)
        rows = self._cells.write({(one.row, one.column): one.symbol for one in solution if isinstance(one, Entry)})
        known = {one.place for one in solution if isinstance(one, LinesAt)}
        if not known.issuperset(self._network.neighbors):
            return "\n".join(rows)
        return frame_cells(rows, self._network.locate_lines(solution))

    def decode(self, solution: Iterable[Label]) -> tuple[Place, ...]:
        """Return the cells of the loop in order, as rows and columns from 1."""
        names = next(iter(trace(self._network.find_lines(solution))), ())
        return tuple((row + 1, column + 1) for row, column in map(place_of_point, names))

    def describe_rules(self) -> str:
        return (
            "Draw one closed loop through the middles of cells and through all pearls. It goes straight through a "
            "white pearl and turns in the cell before or behind it; it turns on a black pearl and goes straight before "
            "and behind it."
        )

    def place_of(self, item: Item) -> Place | None:
        return place_of_cell(str(item).removeprefix(_PEARL))

    def draw(self, solution: Iterable[Label]) -> Picture:
        solution, (rows, columns) = tuple(solution), self._cells.size
        pearls = [one for one in solution if isinstance(one, Entry) and one.symbol != BLANK]
        discs = (
            pictures.Disc(row - 1, column - 1, "○" if pearl == _WHITE else "●", hollow=pearl == _WHITE)
            for row, column, pearl in pearls
        )
        lines = (one for one in solution if isinstance(one, LinesAt))
        title = f"a loop through {pictures.format_count(len(pearls), 'pearl')} on {rows} x {columns} cells"
        return Picture(title, (*draw_cells((rows, columns), lines), *discs), grid=True)


def _list_notes(way: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the ways beside a cell as far as they matter, each with the pearl that may lie there."""
    if way == _NONE:
        yield (), BLANK
        return
    turning, passing = (_WHITE, BLANK) if way == _STRAIGHT else (BLANK, _BLACK)
    yield (_TURN,), turning
    yield (_STRAIGHT, _TURN), turning
    yield (_STRAIGHT, _STRAIGHT), passing


class _LongLoop(Masyu):
    """A board without pearls whose loop passes most cells."""

    def primary(self) -> Iterator[str]:
        yield from (*super().primary(), _LEFT_OUT)

    def multiplicity(self) -> dict[str, tuple[int, int]]:
        return {_LEFT_OUT: (0, len(self._pearled) // 4)}

    def options(self) -> Iterator[tuple[Label, list[Item]]]:
        for label, items in super().options():
            is_left_out = isinstance(label, LinesAt) and not label.ways
            yield label, [*items, *[_LEFT_OUT] * is_left_out]
