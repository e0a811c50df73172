"""Numberlink: paths that join equal symbols; and Zip: one path that meets numbers in order."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, pairwise, permutations
from typing import Literal, TypeAlias

from exactcover import Colored, Item, ParameterError, Picture, Stop, StoppedError, pictures
from exactcover.pictures import format_count
from exactcover.rules import Paths
from problems.boards import cell_name, group_cells
from problems.layouts import count_solutions, drop_clues, find_solution, grow_paths, turn_path
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
from problems.row_text import HOLE, BoardEncoder, Rows, SymbolRows, read_rows

_IN, _OUT = "in", "out"  # notes on the ways of stops
_LETTERS = string.ascii_uppercase
_MOST_NUMBERS = 999
_MOST_TRIES = 300  # of paths that cover the board
_TURNS = 20  # of a path for each of its cells; little is left of it then
_STRENGTH = 0.6  # of the colors of ends


def _read_symbol(text: str) -> str | None:
    if text.isdecimal():
        return str(int(text)) if re.fullmatch(r"\d{1,3}", text, re.ASCII) else None
    return text if text == HOLE or (len(text) == 1 and text.isalpha()) else None


Edge: TypeAlias = tuple[str, str]


_EXAMPLES = {"numberlink": "A..../.B.../...B./.CAD./..CD.", "zip": "1..3/..../2..4"}


@dataclass(frozen=True)
class Numberlink(LineEncoder, BoardEncoder):
    """Join each two cells with the same symbol by a path, so that no two paths meet.

    The lines between two cells are secondary items. The options of a cell say which two of them are drawn; an end has
    one. In Zip, one path meets all numbers in order. There, a number is both the end of a path and the beginning of the
    next one, and its options say on which side each of them lies. Numberlink is also known as Arukone and Flow Free.

    Examples
    --------
    >>> Numberlink("A.B/.../A.B", fill=False).count(), Numberlink("1..3/..../2..4", kind="zip").count()
    (7, 3)
    """

    board: Rows = ""
    """The symbols, row by row: a text, a list of rows, or the name of a file. Letters or numbers, each in two cells;
    blanks are . - or _, and # is a cell that no path enters. Put spaces or commas between cells if numbers have two
    digits. In Zip, the numbers from 1 on, each in one cell. ROWSxCOLUMNS is a board for new layouts. By default a small
    example."""

    kind: Literal["numberlink", "zip"] = "numberlink"
    """Whether paths join equal symbols, or one path meets the numbers in order (zip), from the first to the last."""

    fill: bool = True
    """Whether every cell must be on a path."""

    def __post_init__(self) -> None:
        self._stops  # noqa: B018 - reports mistakes now

    @cached_property
    def _cells(self) -> SymbolRows:
        return read_rows(
            self.board or _EXAMPLES[self.kind], "board", _read_symbol, "a letter, a number, # or . for a blank"
        )

    @cached_property
    def _symbols(self) -> dict[Place, str]:
        return {cell: symbol for cell, symbol in self._cells.places.items() if symbol != HOLE}

    @cached_property
    def _network(self) -> Network:
        return make_grid(*self._cells.size, without=self._cells.holes)

    @cached_property
    def _stops(self) -> dict[str, list[str]]:
        """The cells with each symbol: two ends of a path, or a stop."""
        found = group_cells(self._symbols)
        wanted = 1 if self.kind == "zip" else 2
        for symbol, cells in found.items():
            if len(cells) != wanted:
                times = "once" if len(cells) == 1 else f"{len(cells)} times"
                message = f"{symbol} stands {times}; expected {'once' if wanted == 1 else 'twice'}"
                raise self._cells.refuse(cells[min(wanted, len(cells) - 1)], message)
        if self.kind == "zip":
            found = self._order_stops(found)
        if len(found) == 1 and wanted == 1:
            raise ParameterError("board", "expected two numbers at least")
        return {symbol: [cell_name(cell) for cell in cells] for symbol, cells in found.items()}

    def _order_stops(self, found: Mapping[str, list[Place]]) -> dict[str, list[Place]]:
        order = [str(number) for number in range(1, len(found) + 1)]
        for symbol, (cell,) in found.items():
            if symbol not in order:
                missing = next((number for number in order if number not in found), "")
                raise self._cells.refuse(cell, f"got {symbol}, but no {missing}; numbers count from 1")
        return {symbol: found[symbol] for symbol in order}

    @cached_property
    def _passed(self) -> dict[str, int]:
        """The number of each stop of Zip that is neither the first nor the last, by its cell."""
        last = len(self._stops) if self.kind == "zip" else 0
        return {cell: number for cell, number in self._ends.items() if 1 < number < last}

    @cached_property
    def _ends(self) -> dict[str, int]:
        """The cells where a path begins or ends, with a number for the path; in Zip that of the stop."""
        return {cell: number for number, cells in enumerate(self._stops.values(), 1) for cell in cells}

    def primary(self) -> Iterator[str]:
        return iter(self._network.neighbors)

    def secondary(self) -> Iterator[str]:
        yield from self._network.edges.values()
        yield from (f"way into {cell}" for cell in self._passed)

    def options(self) -> Iterator[tuple[LinesAt, list[Item]]]:
        for cell in self._network.neighbors:
            if cell not in self._ends and not self.fill:
                yield from self._network.pass_through(cell, (0,))
            if cell in self._passed:
                yield from self._pass_stop(cell)
            elif cell in self._ends and self.kind == "zip":
                yield from self._leave_stop(cell)
            else:
                yield from self._network.pass_through(cell, (2 - (cell in self._ends),))

    def _leave_stop(self, cell: str) -> Iterator[tuple[LinesAt, list[Item]]]:
        for label, items in self._network.pass_through(cell, (1,)):
            if self._may_go(cell, label.ways[0], is_in := self._ends[cell] > 1):
                yield label._replace(notes=(_IN if is_in else _OUT,)), items

    def _pass_stop(self, cell: str) -> Iterator[tuple[LinesAt, list[Item]]]:
        for label, items in self._network.pass_through(cell, (2,)):
            for ways in permutations(label.ways):
                if all(self._may_go(cell, way, is_in) for way, is_in in zip(ways, (True, False), strict=True)):
                    yield LinesAt(cell, ways, (_IN, _OUT)), [*items, Colored(f"way into {cell}", ways[0])]

    def _may_go(self, cell: str, way: str, is_in: bool) -> bool:
        """Return whether a path may come in to a stop, or go out, on the side of another one."""
        other = self._ends.get(self._network.neighbors[cell][way])
        return other is None or other == self._ends[cell] + (-1 if is_in else 1)

    @cached_property
    def _lit(self) -> dict[Edge, object]:
        """What stands for a line on each edge. In Zip, each stop is two vertices, one to come in and one to go out."""
        if self.kind != "zip":
            return dict(self._network.lit)
        lit: dict[Edge, object] = {
            edge: lit
            for edge, lit in self._network.lit.items()
            if edge[0] not in self._ends and edge[1] not in self._ends
        }
        for label, _ in self.options():
            for way, note in zip(label.ways, label.notes, strict=False):
                other = self._network.neighbors[label.place][way]
                if other in self._ends:
                    other = f"{other} {_OUT if note == _IN else _IN}"
                edge = (f"{label.place} {note}", other)
                if edge[::-1] not in lit:  # else, the other stop says the same
                    lit.setdefault(edge, []).append(label)  # type: ignore[attr-defined]
        return lit

    @cached_property
    def _pairs(self) -> list[tuple[str, str]]:
        stops = list(self._stops.values())
        if self.kind == "zip":
            return [(f"{one[0]} {_OUT}", f"{other[0]} {_IN}") for one, other in pairwise(stops)]
        return [(one, other) for one, other in stops]

    def rules(self) -> list[Paths]:
        return [] if self.impossible() else [Paths(self._lit, self._pairs)]

    def impossible(self) -> str | None:
        if not self._stops:
            return "the board has no symbols to join; `generate --new-layouts` makes some"
        known = {vertex for edge in self._lit for vertex in edge}
        end = next((end for pair in self._pairs for end in pair if end not in known), None)
        return None if end is None else f"no path can leave {end.partition(' ')[0]}"

    def unparse(self, solution: Iterable[LinesAt]) -> str:
        """Return the symbols in rows; in a frame with the paths, if there are any."""
        lines = self._network.locate_lines(solution)
        return frame_cells(self._cells.symbols, lines) if lines else "\n".join(self._cells.write(self._cells.places))

    def lay_out(self, generator: random.Random, stop: Stop | None = None) -> Numberlink:
        """Return the board with other symbols, which leave one solution.

        In Zip, none of the numbers between the first and the last could be left out.
        """
        return self._lay_path(generator, stop) if self.kind == "zip" else self._lay_paths(generator, stop)

    def _lay_path(self, generator: random.Random, stop: Stop | None) -> Numberlink:
        """Return a board of Zip with as few numbers as possible."""
        path = turn_path(self._find_path(generator, stop), _TURNS, generator)
        if len(path) > _MOST_NUMBERS:
            raise ParameterError("board", f"expected at most {_MOST_NUMBERS} cells to be numbered")

        def state(inner: Iterable[Place]) -> Numberlink:
            return self._number([cell] for cell in (path[0], *inner, path[-1]))

        return state(drop_clues(path[1:-1], state, generator, stop))

    def _find_path(self, generator: random.Random, stop: Stop | None) -> tuple[Place, ...]:
        """Return a path through all cells, whose colors alternate as those of a chessboard."""
        colors = [[cell for cell in self._cells.open if sum(cell) % 2 == color] for color in (0, 1)]
        more, fewer = sorted(colors, key=len, reverse=True)
        can_alternate = len(self._cells.open) > 1 and len(more) - len(fewer) <= 1
        for _ in range(_MOST_TRIES * can_alternate):
            ends = generator.sample(more, 2) if len(more) > len(fewer) else [*map(generator.choice, colors)]
            laid = replace(self._number([end] for end in ends), fill=True)
            with suppress(ParameterError):  # there is none between these ends
                (path,) = laid.decode(find_solution(laid, generator, stop)).values()
                return path
        raise ParameterError("board", "no path is found through all cells")

    def _lay_paths(self, generator: random.Random, stop: Stop | None) -> Numberlink:
        """Return a board of Numberlink."""
        for shortest in [3] * _MOST_TRIES + [2] * _MOST_TRIES:  # large boards hardly avoid short ones
            if stop is not None and stop.status is not None:
                raise StoppedError(stop.status)
            paths = grow_paths(self._cells.open, generator)
            if all(len(path) >= shortest for path in paths):
                laid = self._number((path[0], path[-1]) for path in paths)
                if count_solutions(laid, stop) == 1:
                    return laid
        raise ParameterError("board", "no symbols are found that leave one solution; try a board of another size")

    def _number(self, cells: Iterable[Iterable[Place]]) -> Numberlink:
        """Return the board with a symbol for some cells each."""
        places = [*cells]
        names = [*_LETTERS] if self.kind != "zip" and len(places) <= len(_LETTERS) else map(str, count(1))
        symbols = {cell: name for name, some in zip(names, places, strict=False) for cell in some}
        return self.parse("\n".join(self._cells.write(symbols)))

    def decode(self, solution: Iterable[LinesAt]) -> dict[str, tuple[Place, ...]]:
        """Return the cells of each path in order, as rows and columns from 1, by its symbol; in Zip, by its first."""
        symbols = {cell_name(cell): symbol for cell, symbol in self._symbols.items()}
        ways = trace(self._network.find_lines(solution))
        order = list(self._stops)
        found = {}
        for way in sorted(ways, key=lambda way: order.index(symbols[way[0]]) if way[0] in symbols else len(order)):
            if way[0] in symbols:
                places = way if self.kind != "zip" or symbols[way[0]] == order[0] else way[::-1]
                found[symbols[places[0]]] = tuple((row + 1, column + 1) for row, column in map(place_of_point, places))
        return found

    def describe_rules(self) -> str:
        fill = " Every cell is on a path." if self.kind != "zip" else ", through every cell"
        if self.kind == "zip":
            return f"Draw one path that meets the numbers in order{fill * self.fill}."
        return f"Join each two equal symbols by a path through the sides of cells. No two paths meet.{fill * self.fill}"

    def draw(self, solution: Iterable[LinesAt]) -> Picture:
        size = format_count(len(self._pairs), "path") if self.kind != "zip" else "one path"
        rows, columns = self._cells.size
        options = list(solution)
        shapes = draw_cells((rows, columns), options, self._looks, {} if self.kind == "zip" else self._tint(options))
        texts = (
            pictures.Text(row - 1, column - 1, symbol, strong=True) for (row, column), symbol in self._symbols.items()
        )
        return Picture(f"{size} on a board of {rows} x {columns} cells", (*shapes, *texts), grid=True)

    def _tint(self, options: Iterable[LinesAt]) -> dict[str, int]:
        """Return the tint of each cell on a path with an end."""
        tints = {}
        for way in trace(self._network.find_lines(options)):
            number = self._ends.get(way[0], self._ends.get(way[-1]))
            tints.update(dict.fromkeys(way, number - 1) if number else {})
        return tints

    @cached_property
    def _looks(self) -> dict[Place, pictures.Cell]:
        """The cells of a picture that are not blank."""
        looks = {}
        for (row, column), symbol in self._cells.places.items():
            place = row - 1, column - 1
            if symbol == HOLE:
                looks[place] = pictures.Cell(*place, "", pictures.BLOCKED)
            else:
                tint = 0 if self.kind == "zip" else self._ends[cell_name((row, column))] - 1
                looks[place] = pictures.Cell(*place, "", tint, _STRENGTH)
        return looks
