"""Constraints of grid puzzles that place shapes: ships, tents, dominoes, rectangles, and areas of any form."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations_with_replacement, count
from typing import Any, ClassVar

from exactcover import ParameterError, pictures
from exactcover.pictures import format_count
from problems.boards import cell_name, find_components
from problems.grids.board import GridBoard, Place, split_words
from problems.grids.constraints import Constraint
from problems.grids.drawing import write_middles
from problems.row_text import Rows, write_table

_MOST_AREAS = 50_000  # ways in which areas can lie
_MOST_WORK = 500_000  # steps to list them
_TOO_MANY = "areas can lie in too many ways; state more numbers, or smaller ones"
_PARTS = ("alone", "left", "right", "top", "bottom", "middle")


@dataclass(frozen=True)
class Ships(Constraint):
    """Place the fleet: so many straight ships of each length, which do not touch, not even at a corner."""

    fleet: Mapping[int, int]
    parts: Mapping[str, str] = field(default_factory=dict)
    """The symbols of a ship of one cell (alone), of ends (left, right, top, bottom), and of what lies between (middle);
    by default the only symbol."""

    def state(self, board: GridBoard) -> None:
        if not board.empty:
            raise ParameterError((), "ships need an empty symbol; state empty")
        strange = next((part for part in self.parts if part not in _PARTS), None)
        if strange is not None:
            raise ParameterError(("parts", strange), f"unknown part {strange!r}; expected {', '.join(_PARTS)}")
        show = cache(partial(self._read_part, board))
        near = {cell: board.around(cell, "king") for cell in board.cells}
        for length, times in sorted(self.fleet.items(), reverse=True):
            if length < 1 or times < 1:
                raise ParameterError(("fleet",), f"{times} ships of {length} cells cannot be")
            ways = []
            for row, column in board.cells if length <= max(board.size) else ():
                for down, right in ((0, 1), (1, 0))[: 1 if length == 1 else 2]:
                    own = [(row + k * down, column + k * right) for k in range(length)]
                    if board.known.issuperset(own):
                        parts = [show(part) for part in _list_parts(length, is_upright=bool(down))]
                        water = {one: board.empty for cell in own for one in near[cell]}
                        ways.append((own, water | dict(zip(own, parts, strict=True))))
            if len(ways) < times:
                board.conflicts.append(f"there is no room for {format_count(times, 'ship')} of {length}")
            board.place(f"ship of {length}", ways, (times, times), covering=True)
        for cell in board.cells:
            board.leave_uncovered(cell, board.empty)

    def describe(self, board: GridBoard) -> str:
        fleet = ", ".join(f"{times} of length {length}" for length, times in self.fleet.items())
        ends = " ".join(self.parts[part] for part in _PARTS if part in self.parts and part not in ("alone", "middle"))
        shown = {
            "is a ship of one cell": self.parts.get("alone"),
            "are ends of ships": ends,
            "lies between ends": self.parts.get("middle"),
        }
        words = ", ".join(f"{symbols} {what}" for what, symbols in shown.items() if symbols)
        parts = f" {words}." if words else ""
        return f"Place the ships: {fleet}. They do not touch, not even at a corner.{parts}"

    def _read_part(self, board: GridBoard, part: str) -> str:
        """Return the symbol of a part of a ship."""
        symbol, *more = board.read_symbols(self.parts.get(part, ""), ("parts",))
        if more:
            raise ParameterError(("parts",), f"expected one symbol for {part}")
        return symbol


def _list_parts(length: int, *, is_upright: bool) -> list[str]:
    """Return the parts of a ship, from its left or upper end on."""
    first, last = ("top", "bottom") if is_upright else ("left", "right")
    return ["alone"] if length == 1 else [first, *["middle"] * (length - 2), last]


@dataclass(frozen=True)
class Tents(Constraint):
    """Each tree has a tent beside it, and each tent belongs to one tree."""

    trees: Rows
    of: str = ""

    def list_trees(self, board: GridBoard) -> list[Place]:
        """Return the cells with trees."""
        return [*board.read_table(self.trees, ("trees",))]

    def state(self, board: GridBoard) -> None:
        tent, *more = board.read_symbols(self.of, ("of",))
        if more:
            raise ParameterError(("of",), f"expected one symbol for tents, got {self.of!r}")
        trees = self.list_trees(board)
        for tree in trees:
            if tree in board.known:
                board.forbid(tree, tent)
            near = [cell for cell in board.around(tree) if cell not in trees]
            board.place(f"tent of {cell_name(tree)}", (([cell], {cell: tent}) for cell in near), covering=True)
        for cell in board.cells:
            for symbol in board.symbols:
                if symbol != tent:
                    board.leave_uncovered(cell, symbol)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from write_middles(dict.fromkeys(self.list_trees(board), "♣"))


@dataclass(frozen=True)
class Dominoes(Constraint):
    """The board is cut into the dominoes of a set."""

    set: str | tuple[str, ...] = "all"
    """The dominoes, as pairs of symbols such as 0-1 or 01; all for one of each pair."""
    numbers: Rows = ""
    needs_symbols: ClassVar[bool] = False
    """The symbols of all cells, if they are known; then the board needs none."""

    def _list_set(self, kinds: Sequence[str]) -> dict[tuple[str, str], int]:
        """Return how often each domino is there."""
        words = split_words(self.set)
        if words == ["all"]:
            return dict.fromkeys(combinations_with_replacement(kinds, 2), 1)
        found: dict[tuple[str, str], int] = {}
        for word in words:
            halves = word.split("-") if "-" in word else [*word]
            if len(halves) != 2 or not {*halves} <= {*kinds}:
                message = f"{word!r} is no domino; expected two of {' '.join(kinds)}, such as {kinds[0]}-{kinds[-1]}"
                raise ParameterError(("set",), message)
            one, other = sorted(halves, key=kinds.index)
            found[one, other] = found.get((one, other), 0) + 1
        return found

    def _read_numbers(self, board: GridBoard) -> dict[Place, str]:
        """Return the symbols that are known, without those in holes."""
        numbers = board.read_table(self.numbers, ("numbers",)) if self.numbers else {}
        blank = next((cell for cell in board.cells if numbers and cell not in numbers), None)
        if blank is not None:
            raise ParameterError(("numbers",), f"{cell_name(blank)} has no number")
        return {cell: numbers[cell] for cell in board.cells if numbers}

    def state(self, board: GridBoard) -> None:
        numbers = self._read_numbers(board)
        if not numbers and not board.kinds:
            raise ParameterError((), "without symbols on the board, numbers must be stated")
        kinds = sorted({*numbers.values()}, key=lambda word: (len(word), word)) if numbers else board.kinds
        dominoes, pairs = self._list_set(kinds), list(board.pairs("adjacent", ()))
        held, cells = sum(dominoes.values()), len(board.cells)
        if 2 * held != cells:
            board.conflicts.append(f"{held} dominoes do not cover {format_count(cells, 'cell')}")
        for (one, other), times in dominoes.items():
            ways: list[tuple[Sequence[Place], dict[Place, str]]] = []
            for pair in pairs:
                for own in (pair, pair[::-1])[: 1 if one == other else 2]:
                    if not numbers:
                        ways.append((own, {own[0]: one, own[1]: other}))
                    elif (numbers[own[0]], numbers[own[1]]) == (one, other):
                        ways.append((own, {}))
            board.place(f"domino {one}-{other}", ways, (times, times), covering=True)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from write_middles(self._read_numbers(board))

    def describe(self, board: GridBoard) -> str:
        if self.set == "all":
            return "The board is cut into dominoes, one for each pair of symbols; two equal symbols are a pair, too."
        each = self._list_set(board.kinds or self.list_symbols(board)).items()
        words = (f"{one}-{other}" + f" ({times} times)" * (times > 1) for (one, other), times in each)
        return f"The board is cut into these dominoes: {', '.join(words)}."

    def has_clues(self) -> bool:
        return bool(self.numbers)

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        return {"numbers": write_table(symbols, board.size)}

    def list_bare(self, board: GridBoard) -> list[dict[str, Any]]:
        return [{"dominoes": {"set": self.set}}]

    def list_symbols(self, board: GridBoard) -> Sequence[str]:
        return sorted({*self._read_numbers(board).values()}, key=lambda word: (len(word), word))


@dataclass(frozen=True)
class Rectangles(Constraint):
    """The board is cut into rectangles, each with one number, which is that of its cells."""

    numbers: Rows
    needs_symbols: ClassVar[bool] = False

    def state(self, board: GridBoard) -> None:
        clues = _read_sizes(board, self.numbers)
        if (total := sum(clues.values())) != len(board.cells):
            cells = format_count(len(board.cells), "cell")
            board.conflicts.append(f"the numbers of rectangles add up to {total}, and the board has {cells}")
        for (row, column), area in clues.items():
            ways = list[tuple[list[Place], dict[Place, str]]]()
            for height in (height for height in range(1, area + 1) if area % height == 0):
                width = area // height
                if height > board.size[0] or width > board.size[1]:
                    continue
                for top in range(row - height + 1, row + 1):
                    for left in range(column - width + 1, column + 1):
                        own = [(top + down, left + right) for down in range(height) for right in range(width)]
                        if board.known.issuperset(own) and sum(cell in clues for cell in own) == 1:
                            ways.append((own, {}))
            board.place(f"rectangle of {cell_name((row, column))}", ways, covering=True)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from _write_sizes(board, self.numbers)


@dataclass(frozen=True)
class Fillomino(Constraint):
    """Each number says how many cells hang together by their sides and hold it."""

    numbers: Rows = ""
    """The numbers that are known. With more of them, areas can lie in fewer ways, which are listed."""

    def state(self, board: GridBoard) -> None:
        if board.empty:
            raise ParameterError((), "every cell holds a number, so there is no empty symbol")
        clues = {cell: str(size) for cell, size in _read_sizes(board, self.numbers).items()}
        for cell, word in clues.items():
            if word not in board.symbols:
                message = f"{cell_name(cell)}: {word} is not one of the symbols {' '.join(board.symbols)}"
                raise ParameterError(("numbers",), message)
            board.give(cell, word)
        near, work, ways = {cell: board.around(cell) for cell in board.cells}, count(), count()
        for symbol, size in board.values.items():
            laid = list[tuple[Sequence[Place], dict[Place, str]]]()
            for number, start in enumerate(board.cells if size else ()):
                allowed = {cell for cell in board.cells[number:] if clues.get(cell, symbol) == symbol}
                for own in _list_areas(near, start, size, allowed, work):
                    if next(ways) == _MOST_AREAS:
                        raise ParameterError((), _TOO_MANY)
                    beside = {one for cell in own for one in near[cell]}.difference(own)
                    if not any(clues.get(cell) == symbol for cell in beside):
                        laid.append((own, dict.fromkeys(own, symbol)))
            board.place(f"area of {symbol}", laid, None, covering=True, apart=True)


@dataclass(frozen=True)
class Islands(Constraint):
    """Each number lies in an island of so many cells, each island has one number, and islands touch at corners only."""

    numbers: Rows
    of: str = ""
    """The symbol of the sea; by default the only one."""

    def state(self, board: GridBoard) -> None:
        sea, *more = board.read_symbols(self.of, ("of",))
        land = [one for one in board.symbols if one not in (sea, *more)]
        if more or len(land) != 1:
            raise ParameterError(("of",), f"expected one symbol for the sea, beside one for land; got {self.of!r}")
        clues = _read_sizes(board, self.numbers)
        areas = dict[str, tuple[int, Collection[Place]]]()
        for start, size in clues.items():
            beside = {one for cell in clues if cell != start for one in (cell, *board.around(cell))}
            found = layer = [start]
            for _ in range(size - 1):
                near = dict.fromkeys(one for cell in layer for one in board.around(cell))
                layer = [cell for cell in near if cell not in beside and cell not in found]
                found = [*found, *layer]
            areas[f"island {cell_name(start)}"] = size, found
            board.forbid(start, sea)
        board.grow(areas, land[0], sea)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from _write_sizes(board, self.numbers)

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        """Return the sizes of islands, each in the middle of its cells."""
        land = [cell for cell in board.cells if symbols.get(cell) not in board.read_symbols(self.of, ("of",))]
        areas = map(sorted, find_components(land, board.around))
        sizes = {area[len(area) // 2]: len(area) for area in areas}
        return {"numbers": write_table(sizes, board.size)}


def _read_sizes(board: GridBoard, table: Rows) -> dict[Place, int]:
    """Return the numbers of cells that a drawing states."""
    words = board.read_table(table, ("numbers",)) if table else {}
    for (row, column), word in words.items():
        if not re.fullmatch(r"[1-9]\d{0,3}", word, re.ASCII):
            raise ParameterError(("numbers",), f"row {row}, column {column}: {word!r} is not a number")
    sizes = {cell: int(word) for cell, word in words.items()}
    hole = next((cell for cell in sizes if cell not in board.known), None)
    if hole is not None:
        raise ParameterError(("numbers",), f"{cell_name(hole)} is a hole of the board")
    return sizes


def _write_sizes(board: GridBoard, table: Rows) -> Iterator[pictures.Shape]:
    yield from write_middles({cell: str(size) for cell, size in _read_sizes(board, table).items()})


def _list_areas(
    neighbors: Mapping[Place, Sequence[Place]], start: Place, size: int, allowed: Collection[Place], work: Iterator[int]
) -> Iterator[tuple[Place, ...]]:
    """Yield the sets of so many allowed cells that hang together and contain a cell, each once.

    References
    ----------
    D. H. Redelmeier, "Counting polyominoes: yet another attack", *Discrete Mathematics* 36 (1981).
    """
    waiting: list[tuple[tuple[Place, ...], tuple[Place, ...], frozenset[Place]]] = []
    parts = find_components(allowed, neighbors.__getitem__)
    if any(start in part and len(part) >= size for part in parts):
        waiting.append(((), (start,), frozenset((start,))))
    while waiting:
        if next(work) == _MOST_WORK:
            raise ParameterError((), _TOO_MANY)
        held, (*untried, cell), seen = waiting.pop()
        if untried:
            waiting.append((held, (*untried,), seen))
        own = (*held, cell)
        if len(own) == size:
            yield own
            continue
        near = [one for one in neighbors[cell] if one in allowed and one not in seen]
        if untried or near:
            waiting.append((own, (*untried, *near), seen.union(near)))
