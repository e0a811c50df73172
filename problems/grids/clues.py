"""Constraints of grid puzzles by numbers and signs: in cells, along lines, and beside the board."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any, ClassVar, TypeAlias

from exactcover import ParameterError, pictures
from problems.boards import cell_name, list_cells
from problems.grids.board import GridBoard, Group, Place, split_line
from problems.grids.constraints import Clues, Constraint, read_number, state_total
from problems.grids.drawing import draw_lines, draw_sign, join_symbols, write_beside, write_corners, write_in_corners
from problems.row_text import BLANK, Rows, write_table

State: TypeAlias = tuple[int, int]
"""A state of an automaton."""

_SIDES = ("left", "right", "top", "bottom")
_ARROWS = {(-1, -1): "↖", (-1, 0): "↑", (-1, 1): "↗", (0, 1): "→", (1, 1): "↘", (1, 0): "↓", (1, -1): "↙", (0, -1): "←"}


@dataclass(frozen=True)
class Sums(Constraint):
    """The numbers along a line make what it says, as in a cage."""

    lines: Mapping[str, int | str]
    repeat: bool = True
    blank = ""

    def state(self, board: GridBoard) -> None:
        for text, total in self.lines.items():
            cells, path = board.read_cells(text, ("lines", text)), ("lines", text)
            state_total(board, f"sum of {text}", cells, str(total), path, repeat=self.repeat)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        beside = defaultdict[Place, list[str]](list)
        for text, total in self.lines.items():
            cells = board.read_cells(text, ())
            step = (cells[1][0] - cells[0][0], cells[1][1] - cells[0][1]) if len(cells) > 1 else (0, 1)
            before = cells[0][0] - step[0], cells[0][1] - step[1]
            if before not in board.known and step in _ARROWS:
                beside[before].append(f"{total}{_ARROWS[step]}")
            elif len(cells) == 2:
                yield draw_sign(cells[0], cells[1], str(total))
            else:
                yield from draw_lines([cells])
                yield from write_corners({text: cells[:1]}, {text: str(total)})
        for (row, column), words in beside.items():
            yield pictures.Cell(row - 1, column - 1, None, pictures.PAGE)
            yield pictures.Text(row - 1, column - 1, " ".join(words))

    def describe(self, board: GridBoard) -> str:
        return super().describe(board) + " They differ." * (not self.repeat)

    def has_clues(self) -> bool:
        return all(str(total).isdecimal() for total in self.lines.values())  # others say more than a solution shows

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        return {"lines": {text: _add(board, symbols, board.read_cells(text, ())) for text in self.lines}}

    def list_bare(self, board: GridBoard) -> list[dict[str, Any]]:
        lines = (" ".join(map(cell_name, board.read_cells(text, ()))) for text in self.lines)
        return [] if self.repeat else [{"once": {"where": tuple(lines)}}]


@dataclass(frozen=True)
class Kakuro(Constraint):
    """The numbers to the right of a sum, or below it, up to the next hole are different and have that sum.

    The sums stand in the holes: below and to the right as ``16\\23``; one alone as ``16\\`` or ``\\23``.
    """

    sums: Rows

    def list_runs(self, board: GridBoard) -> Iterator[tuple[Place, str, tuple[Place, ...], int]]:
        """Yield the hole of each sum, the name of its run, the cells, and the sum."""
        known = board.known
        for (row, column), word in board.read_table(self.sums, ("sums",)).items():
            match = re.fullmatch(r"(\d{0,3})\\(\d{0,3})", word)
            if word == "\\" and (row, column) not in known:
                continue
            if match is None or (row, column) in known:
                where = "is not in a hole" if match else "is not a pair of sums; expected one such as 16\\23"
                raise ParameterError(("sums",), f"row {row}, column {column}: {word!r} {where}")
            for total, (down, right), name in ((match[1], (1, 0), "below"), (match[2], (0, 1), "right of")):
                own = list[Place]()
                while (place := (row + down * (len(own) + 1), column + right * (len(own) + 1))) in known:
                    own.append(place)
                if total:
                    yield (row, column), f"{name} {cell_name((row, column))}", tuple(own), int(total)

    def state(self, board: GridBoard) -> None:
        for place, name, cells, total in self.list_runs(board):
            if not cells:
                raise ParameterError(
                    ("sums",), f"row {place[0]}, column {place[1]}: there is no cell for the sum {total}"
                )
            state_total(board, f"sum {name}", cells, str(total), ("sums",), repeat=False)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        words = board.read_table(self.sums, ("sums",))
        for (row, column), name, _, total in self.list_runs(board):
            sign = words.pop((row, column), "")  # both sums, with the first of them
            left, top = (column - 0.97, row - 0.35) if name.startswith("below") else (column - 0.5, row - 0.97)
            left, right = (left + 0.11, left + 0.34) if total < 10 else (left, left + 0.45)  # digits are equally large
            outline = ((left, top), (right, top), (right, top + 0.32), (left, top + 0.32))
            yield pictures.Tile(outline, None, pictures.BLOCKED, text=str(total), sign=sign)

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        words, runs = board.read_table(self.sums, ("sums",)), list(self.list_runs(board))
        for place in {place: None for place, *_ in runs}:
            both = {name.split()[0]: _add(board, symbols, cells) for at, name, cells, _ in runs if at == place}
            words[place] = f"{both.get('below', '')}\\{both.get('right', '')}"
        return {"sums": write_table(words, board.size)}

    def list_bare(self, board: GridBoard) -> list[dict[str, Any]]:
        return [{"once": {"where": tuple(" ".join(map(cell_name, cells)) for _, _, cells, _ in self.list_runs(board))}}]


def _add(board: GridBoard, symbols: Mapping[Place, str], cells: Iterable[Place]) -> int:
    return sum(board.values[symbols[cell]] for cell in cells)


@dataclass(frozen=True)
class _Beside(Constraint):
    """Clues beside a board, in fields with the names of sides."""

    blank = "."

    def measure(self, board: GridBoard, line: Sequence[str]) -> int | str:
        """Return the clue beside a line that holds these symbols, as it is seen from there."""
        raise NotImplementedError

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        found = dict[str, Any]()
        for side in (side for side in _SIDES if getattr(self, side, "")):
            lines = ([symbols.get(cell, board.empty) for cell in cells] for _, cells in _list_lines(board, side))
            found[side] = " ".join(str(self.measure(board, line)) for line in lines)
        return found

    def list_clues(self, board: GridBoard) -> Iterator[tuple[str, Group, str]]:
        """Yield the side, the line as it is seen from there, and the clue, of all clues."""
        for side in _SIDES:
            lines = _list_lines(board, side)
            clues = board.read_clues(getattr(self, side, ""), len(lines), (side,))
            yield from ((side, line, clue) for line, clue in zip(lines, clues, strict=True) if clue)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        for side in _SIDES:
            clues = board.read_clues(getattr(self, side, ""), len(_list_lines(board, side)), ())
            yield from write_beside(board.size, side, [[clue] for clue in clues])


def _list_lines(board: GridBoard, side: str) -> list[Group]:
    """Return the lines of a board as they are seen from a side."""
    groups = board.find_groups("rows" if side in ("left", "right") else "columns", ())
    return groups if side in ("left", "top") else [Group(name, cells[::-1]) for name, cells in groups]


@dataclass(frozen=True)
class _FourSides(_Beside):
    left: Clues = ""
    right: Clues = ""
    top: Clues = ""
    bottom: Clues = ""


@dataclass(frozen=True)
class Visible(_FourSides):
    """A number beside a line says how many symbols are seen from there; a greater one hides those behind it."""

    def measure(self, board: GridBoard, line: Sequence[str]) -> int | str:
        return len({*accumulate((board.values[symbol] for symbol in line), max, initial=0)} - {0}) or "."

    def state(self, board: GridBoard) -> None:
        values = board.values
        for side, (name, cells), clue in self.list_clues(board):
            number = read_number(clue, (side,))

            def look(state: State, one: str, number: int = number) -> State | None:
                most, seen = state
                after = (values[one], seen + 1) if values[one] > most else state
                return after if after[1] <= number else None

            ends = {(value, number) for value in values.values()}
            board.scan(f"seen from the {side} in {name}", cells, (0, 0), look, ends.__contains__)


@dataclass(frozen=True)
class First(_FourSides):
    """A symbol beside a line is the first one that is seen from there."""

    def measure(self, board: GridBoard, line: Sequence[str]) -> str:
        return next((symbol for symbol in line if symbol != board.empty), ".")

    def state(self, board: GridBoard) -> None:
        for side, (name, cells), clue in self.list_clues(board):
            if clue not in board.kinds:
                raise ParameterError((side,), f"{clue!r} is not one of the symbols {' '.join(board.kinds)}")

            def look(state: str, one: str, clue: str = clue, empty: str = board.empty) -> str | None:
                return state if state or one == empty else one if one == clue else None

            board.scan(f"first from the {side} in {name}", cells, "", look, bool)


@dataclass(frozen=True)
class Between(_Beside):
    """A number beside a line is the sum of what stands between two symbols."""

    of: str
    left: Clues = ""
    top: Clues = ""

    def measure(self, board: GridBoard, line: Sequence[str]) -> int | str:
        ends = [place for place, symbol in enumerate(line) if symbol in board.read_symbols(self.of, ("of",))]
        between = line[ends[0] + 1 : ends[1]] if len(ends) == 2 else []
        return sum(board.values[symbol] for symbol in between) if len(ends) == 2 else "."

    def state(self, board: GridBoard) -> None:
        ends, values = {*board.read_symbols(self.of, ("of",))}, board.values
        for side, (name, cells), clue in self.list_clues(board):
            total = read_number(clue, (side,))

            def add(state: State, one: str, total: int = total) -> State | None:
                seen, found = state
                if one in ends:
                    return (seen + 1, found) if seen < 2 and (seen == 0 or found == total) else None
                found += values[one] if seen == 1 else 0
                return (seen, found) if found <= total else None

            board.scan(f"between {self.of} in {name}", cells, (0, 0), add, (2, total).__eq__)

    def describe(self, board: GridBoard) -> str:
        return f"A number beside a line is the sum of what stands between its two symbols {self.of}."


@dataclass(frozen=True)
class XSums(_FourSides):
    """A number beside a line is the sum of the first symbols there, as many as the first one says."""

    def measure(self, board: GridBoard, line: Sequence[str]) -> int | str:
        values = [board.values[symbol] for symbol in line]
        return sum(values[: values[0]]) if values and values[0] <= len(values) else "."

    def state(self, board: GridBoard) -> None:
        values = board.values
        for side, (name, cells), clue in self.list_clues(board):
            total = read_number(clue, (side,))

            def add(state: State, one: str, total: int = total) -> State | None:
                left, rest = state if state != (-1, 0) else (values[one], total)
                if not left:
                    return 0, rest
                return (left - 1, rest - values[one]) if values[one] <= rest else None

            board.scan(f"first sum from the {side} in {name}", cells, (-1, 0), add, (0, 0).__eq__)


@dataclass(frozen=True)
class Quadruples(Constraint):
    """Symbols at a corner stand in the four cells around it, each as often as it is stated.

    A corner is named by the cell above it and to its left.
    """

    corners: Mapping[str, str | int]

    def read(self, board: GridBoard) -> dict[Place, tuple[str, ...]]:
        """Return the symbols at each corner."""
        found = {}
        for text, symbols in self.corners.items():
            cells, (rows, columns) = board.read_cells(text, ("corners", text)), board.size
            if len(cells) != 1 or cells[0][0] == rows or cells[0][1] == columns:
                raise ParameterError(("corners", text), f"{text!r} is not the cell above a corner and to its left")
            found[cells[0]] = board.read_symbols(str(symbols), ("corners", text), repeat=True)
        return found

    def state(self, board: GridBoard) -> None:
        for (row, column), symbols in self.read(board).items():
            near = [(row + down, column + right) for down in (0, 1) for right in (0, 1)]
            for symbol in dict.fromkeys(symbols):
                entries = [(cell, symbol) for cell in near if cell in board.known]
                board.count(f"{symbol} at the corner of {cell_name((row, column))}", entries, symbols.count(symbol), 4)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        for (row, column), symbols in self.read(board).items():
            yield draw_sign((row, column), (row + 1, column + 1), join_symbols(symbols))


@dataclass(frozen=True)
class Around(Constraint):
    """A number says how many of the cells around it hold a symbol."""

    clues: Rows
    of: str = ""
    neighbors: str = "king"
    own: bool = False
    """Whether its own cell counts too; if not, it holds no such symbol."""
    blank: ClassVar[str | None] = BLANK

    def state(self, board: GridBoard) -> None:
        symbols = board.read_symbols(self.of, ("of",))
        for cell, clue in board.read_table(self.clues, ("clues",)).items():
            times = read_number(clue, ("clues",), f"{cell_name(cell)}: ")
            near = [*board.around(cell, self.neighbors, ("neighbors",)), *[cell] * (self.own and cell in board.known)]
            board.count(
                f"around {cell_name(cell)}", [(one, symbol) for one in near for symbol in symbols], times, times
            )
            if not self.own and cell in board.known:
                for symbol in symbols:
                    board.forbid(cell, symbol)

    def describe(self, board: GridBoard) -> str:
        near = {"king": "around it", "adjacent": "beside it", "diagonal": "that touch its own at a corner"}
        where = near.get(self.neighbors, "a knight's move away") + ", with its own," * self.own
        symbols = " or ".join(board.read_symbols(self.of, ()))
        text = f"A number says how many of the cells {where} hold {symbols}."
        numbered = board.read_table(self.clues, ("clues",))
        return text if self.own or board.known.isdisjoint(numbered) else f"{text} Its own cell holds none."

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from write_in_corners(board.read_table(self.clues, ("clues",)))

    def list_stated(self, board: GridBoard, names: Iterable[str]) -> dict[str, Any]:
        table = board.read_table(self.clues, ("clues",))
        return {"clues": write_table(table, board.size)}

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        """Return the numbers of all cells that may have one.

        If there are holes, and no number stands elsewhere, these are the holes.
        """
        table, counted = board.read_table(self.clues, ("clues",)), {*board.read_symbols(self.of, ("of",))}
        filled = {cell for cell, symbol in symbols.items() if symbol in counted}
        numbered = {*table}
        holes = [cell for cell in list_cells(board.size) if cell not in board.known]
        in_holes = holes and numbered.isdisjoint(board.known)
        places = holes if in_holes else [cell for cell in board.cells if self.own or cell not in filled]
        near = {cell: {*board.around(cell, self.neighbors), *[cell] * self.own} for cell in places}
        return {"clues": write_table({cell: len(own & filled) for cell, own in near.items()}, board.size)}


@dataclass(frozen=True)
class Lamps(Constraint):
    """Lamps light their rows and columns up to the next hole. Every cell is lit, and no lamp lights another."""

    of: str = ""

    def state(self, board: GridBoard) -> None:
        lamps = board.read_symbols(self.of, ("of",))
        sights = {cell: [self._find_sight(board, cell, step) for step in ((0, 1), (1, 0))] for cell in board.cells}
        for line in dict.fromkeys(line for lines in sights.values() for line in lines):
            name = f"lamps from {cell_name(line[0])} to {cell_name(line[-1])}"
            board.count(name, [(cell, one) for cell in line for one in lamps], 0, 1)
        for cell, lines in sights.items():
            lit = dict.fromkeys(one for line in lines for one in line)
            board.count(f"light on {cell_name(cell)}", [(one, lamp) for one in lit for lamp in lamps], 1, len(lit))

    def _find_sight(self, board: GridBoard, cell: Place, step: Place) -> tuple[Place, ...]:
        """Return the cells of the line in a direction that holds a cell, between holes."""
        line = [cell]
        while (before := (line[0][0] - step[0], line[0][1] - step[1])) in board.known:
            line.insert(0, before)
        while (behind := (line[-1][0] + step[0], line[-1][1] + step[1])) in board.known:
            line.append(behind)
        return tuple(line)


@dataclass(frozen=True)
class Hitori(Constraint):
    """In no row and no column, two cells with the same number are left unshaded."""

    numbers: Rows
    of: str = ""
    """The symbol of a shaded cell; by default the only one."""

    def state(self, board: GridBoard) -> None:
        shaded = board.read_symbols(self.of, ("of",))
        plain = [one for one in board.symbols if one not in shaded]
        numbers = board.read_table(self.numbers, ("numbers",))
        for name, cells in (*board.find_groups("rows", ()), *board.find_groups("columns", ())):
            alike: dict[str, list[Place]] = {}
            for cell in cells:
                if (word := numbers.get(cell)) is not None:
                    alike.setdefault(str(int(word)) if word.isdecimal() else word, []).append(cell)
            for number, own in alike.items():
                board.count(f"{number} in {name}", [(cell, one) for cell in own for one in plain], 0, 1)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from write_in_corners(board.read_table(self.numbers, ("numbers",)))


@dataclass(frozen=True)
class Positions(Constraint):
    """A number beside a line is the sum of the positions of its filled cells, from the left or from the top."""

    rows: Clues = ()
    columns: Clues = ()
    of: str = ""

    def state(self, board: GridBoard) -> None:
        filled = board.read_symbols(self.of, ("of",))
        for side in ("rows", "columns"):
            groups = board.find_groups(side, ())
            clues = board.read_clues(getattr(self, side), len(groups), (side,))
            for (name, cells), clue in zip(groups, clues, strict=True):
                if not clue:
                    continue
                places = [cell[side == "rows"] for cell in cells]

                def step(state: State, one: str, places: Sequence[int] = places) -> State | None:
                    number, left = state
                    left -= places[number] if one in filled else 0
                    return (number + 1, left) if left >= 0 else None

                start = 0, read_number(clue, (side,))
                board.scan(f"positions of {name}", cells, start, step, (len(cells), 0).__eq__)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        for side, where in (("rows", "left"), ("columns", "top")):
            clues = board.read_clues(getattr(self, side), len(board.find_groups(side, ())), (side,))
            yield from write_beside(board.size, where, [[clue] if clue else [] for clue in clues])

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        filled = {*board.read_symbols(self.of, ("of",))}

        def add(cells: Sequence[Place], axis: int) -> int:
            return sum(cell[axis] for cell in cells if symbols.get(cell) in filled)

        sides = [side for side in ("rows", "columns") if getattr(self, side)]
        groups = {side: board.find_groups(side, ()) for side in sides}
        return {side: " ".join(str(add(cells, side == "rows")) for _, cells in groups[side]) for side in sides}


@dataclass(frozen=True)
class Runs(Constraint):
    """Numbers beside a line say how long its runs of filled cells are, in order."""

    rows: Clues = ()
    columns: Clues = ()
    of: str = ""

    def list_runs(self, board: GridBoard) -> Iterator[tuple[str, Group, list[int] | None]]:
        """Yield each line that has a clue: its side, its cells, and its runs, or None for any."""
        for side in ("rows", "columns"):
            stated, groups = getattr(self, side), board.find_groups(side, ())
            clues = (
                [one.strip() for one in stated.split(",")]
                if isinstance(stated, str) and stated
                else [*map(str, stated)]
            )
            if clues and len(clues) != len(groups):
                wanted = pictures.format_count(len(groups), side[:-1])
                raise ParameterError((side,), f"expected the runs of {wanted}, got {len(clues)}")
            for number, (group, clue) in enumerate(zip(groups, clues, strict=False)):
                path = (side,) if isinstance(stated, str) else (side, number)
                runs = None if clue == "?" else [read_number(word, path) for word in clue.split()]
                yield side, group, runs if runs is None else [run for run in runs if run]

    def state(self, board: GridBoard) -> None:
        filled = {*board.read_symbols(self.of, ("of",))}
        for _, (name, cells), runs in self.list_runs(board):
            if runs is None:
                continue
            holes = {*accumulate(map(len, split_line(cells)))}  # numbers of cells before a hole, or the end
            if sum(runs) + len(runs) > len(cells) + len(holes):
                board.conflicts.append(f"{name} is too short for its runs")
                continue

            def step(
                state: tuple[int, int, int], one: str, runs: Sequence[int] = tuple(runs), holes: Set[int] = holes
            ) -> tuple[int, int, int] | None:
                number, done, length = state
                if length and (number in holes or one not in filled):
                    if length != runs[done]:
                        return None
                    done, length = done + 1, 0
                if one not in filled:
                    return number + 1, done, 0
                return (number + 1, done, length + 1) if done < len(runs) and length < runs[done] else None

            ends = {(len(cells), len(runs), 0), (len(cells), len(runs) - 1, runs[-1] if runs else 0)}
            board.scan(f"runs of {name}", cells, (0, 0, 0), step, ends.__contains__)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        for side, where in (("rows", "left"), ("columns", "top")):
            lines = [
                ["?"] if runs is None else [*map(str, runs or [0])]
                for one, _, runs in self.list_runs(board)
                if one == side
            ]
            yield from write_beside(board.size, where, lines)

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        filled = {*board.read_symbols(self.of, ("of",))}

        def write(cells: Sequence[Place]) -> str:
            runs = (run for own in split_line(cells) for run in groupby(own, lambda cell: symbols.get(cell) in filled))
            return " ".join(str(len([*run])) for is_filled, run in runs if is_filled) or "0"

        sides = [side for side in ("rows", "columns") if getattr(self, side)]
        return {side: tuple(write(cells) for _, cells in board.find_groups(side, ())) for side in sides}
