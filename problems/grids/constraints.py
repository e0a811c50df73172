"""Constraints of grid puzzles: what must hold in rows, regions, cages and other groups of cells, and of neighbors.

To add one, write a class with a docstring that says what holds, its arguments as fields, and `state`; and give it a
word in ``problems/grid.py``. If its arguments say what a solution shows, `find_clues` makes those of another one.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, count, pairwise, product
from operator import itemgetter
from typing import Any, ClassVar

from exactcover import ParameterError, pictures, read_parameters
from exactcover.errors import nearest
from exactcover.pictures import format_count
from problems.boards import cell_name
from problems.grids.board import BOX, GridBoard, Group, Place, Where, find_steps, split_line, split_words
from problems.grids.drawing import (
    draw_lines,
    draw_marks,
    join_symbols,
    outline_areas,
    write_beside,
    write_corners,
    write_in_corners,
)

Clues = str | tuple[str | int, ...]
_BLOCK = ((0, 0), (0, 1), (1, 0), (1, 1))
_MAX_CALLS = 200_000  # of sets that are tried
_MAX_SETS = 20_000  # of symbols in a cage
_ANY_TIMES = 10**9
_MOST_LETTERS = 5  # in the corner of a cell


@dataclass(frozen=True)
class Constraint:
    """What must hold on the board of a grid puzzle."""

    needs_symbols: ClassVar[bool] = True
    blank: ClassVar[str | None] = None
    """What stands for a clue that is left out: an empty text if it is no more mentioned, None if all are needed."""

    def __post_init__(self) -> None:
        read_parameters(self)

    def state(self, board: GridBoard) -> None:
        """State it on a board; the path of a ``ParameterError`` begins with the argument that does not suit it."""
        raise NotImplementedError

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        """Yield what is drawn below the symbols."""
        yield from ()

    def describe(self, board: GridBoard) -> str:
        """Return it in words, for those who play."""
        return (type(self).__doc__ or "").partition("\n")[0]

    def has_clues(self) -> bool:
        """Return whether it says what its solution shows, so that it can be made for any solution."""
        return type(self).find_clues is not Constraint.find_clues

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        """Return those of its arguments that say what a solution shows, as they are for these symbols of cells.

        They are words in a text, lines in a tuple, or keys of a mapping, so that each can be left out.
        """
        raise NotImplementedError

    def list_stated(self, board: GridBoard, names: Iterable[str]) -> dict[str, Any]:
        """Return some of its arguments as they are stated, in the form of those of `find_clues`."""
        return {name: getattr(self, name) for name in names}

    def list_bare(self, board: GridBoard) -> list[dict[str, Any]]:
        """Return the constraints that hold also without its clues."""
        return []

    def list_symbols(self, board: GridBoard) -> Sequence[str]:
        """Return the symbols of which its clues consist, if the board has none."""
        return ()


@dataclass(frozen=True)
class Once(Constraint):
    """Every symbol stands once in each group of cells; no symbol twice where cells are fewer."""

    where: Where

    def state(self, board: GridBoard) -> None:
        for group in board.find_groups(self.where, ("where",)):
            if not board.empty:
                _check_room(board, group)
            state_once(board, group)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        if "diagonals" in _words(self.where):
            yield from draw_lines([group.cells for group in board.find_groups("diagonals", ())])

    def describe(self, board: GridBoard) -> str:
        groups = board.find_groups(self.where, ("where",))
        fewer = any(len(group.cells) < len(board.kinds) for group in groups)
        return f"Every symbol stands once in {_each(self.where)}{'; no symbol twice where cells are fewer' * fewer}."


def state_once(board: GridBoard, group: Group) -> None:
    """State that cells hold every symbol once; no symbol twice if there are fewer cells."""
    least = int(len(group.cells) >= len(board.kinds))
    for symbol in board.kinds:
        board.count(f"{symbol} in {group.name}", [(cell, symbol) for cell in group.cells], least, 1)


def _check_room(board: GridBoard, group: Group) -> None:
    """Refuse a group with more cells than symbols."""
    if len(group.cells) > len(board.kinds):
        cells, held = format_count(len(group.cells), "cell"), format_count(len(board.kinds), "symbol")
        raise ParameterError(("where",), f"{group.name} has {cells} for {held}")


@dataclass(frozen=True)
class Number(Constraint):
    """A region of k cells holds the first k symbols, each once."""

    where: Where = "regions"

    def state(self, board: GridBoard) -> None:
        for group in board.find_groups(self.where, ("where",)):
            _check_room(board, group)
            name, cells = group
            for position, symbol in enumerate(board.kinds):
                times = int(position < len(cells))
                board.count(f"{symbol} in {name}", [(cell, symbol) for cell in cells], times, times)


@dataclass(frozen=True)
class Count(Constraint):
    """Some symbols stand so many times in each row, column, region, or other group of cells."""

    where: Where
    times: int | Clues
    of: str = ""

    def state(self, board: GridBoard) -> None:
        groups = board.find_groups(self.where, ("where",))
        symbols, times = board.read_symbols(self.of, ("of",)), self.list_times()
        is_one = isinstance(self.times, int | str) and len(times) == 1
        clues = times * len(groups) if is_one else board.read_clues(times, len(groups), ("times",))
        for (name, cells), clue in zip(groups, clues, strict=True):
            if clue not in ("", "."):
                low, high = _read_range(clue, ("times",))
                entries = [(cell, symbol) for cell in cells for symbol in symbols]
                board.count(f"{' or '.join(symbols)} in {name}", entries, low, high)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        times = self.list_times()
        clues = ["" if one == "." else one for one in times] if len(times) > 1 else []
        is_drawn = not all(_name_groups(self.where))
        groups = board.find_groups(self.where, ("where",)) if is_drawn or self.where == "regions" else []
        if len(held := [cell for group in groups for cell in group.cells]) > len({*held}):
            return  # outlines of groups that overlap cannot be told apart
        if self.where in ("rows", "columns") and clues:
            yield from write_beside(board.size, "left" if self.where == "rows" else "top", [[one] for one in clues])
        shown = clues if len(clues) == len(groups) else [str(self.times)] * len(groups) if is_drawn else []
        for group, one in zip(groups, shown, strict=False):
            yield from outline_areas({group.name: group.cells} if is_drawn else {}, {})
            yield from write_corners({"": group.cells}, {"": f"{group.name.split()[-1]}: {one}" if one else ""})

    def has_clues(self) -> bool:
        return len(self.list_times()) > 1

    def list_times(self) -> list[str]:
        """Return how often symbols stand in all groups, or in each of them."""
        stated = str(self.times) if isinstance(self.times, int) else self.times
        return split_words(stated) if isinstance(stated, str) else [*map(str, stated)]

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        own, groups = board.read_symbols(self.of, ("of",)), board.find_groups(self.where, ("where",))
        return {"times": " ".join(str(sum(symbols.get(cell) in own for cell in cells)) for _, cells in groups)}

    def describe(self, board: GridBoard) -> str:
        times = self.list_times()
        often = times[0] if len(times) == 1 else ""
        return f"{_name_symbols(board, self.of, 'A symbol')} stands {_say_times(often)} in {_each(self.where)}."


@dataclass(frozen=True)
class Balance(Constraint):
    """All symbols stand equally often."""

    where: Where

    def state(self, board: GridBoard) -> None:
        for name, cells in board.find_groups(self.where, ("where",)):
            times, rest = divmod(len(cells), len(board.symbols))
            if rest:
                held = format_count(len(board.symbols), "symbol")
                message = f"{name} has {format_count(len(cells), 'cell')}, which {held} cannot share equally"
                raise ParameterError(("where",), message)
            for symbol in board.symbols:
                board.count(f"{symbol} in {name}", [(cell, symbol) for cell in cells], times, times)

    def describe(self, board: GridBoard) -> str:
        return f"All symbols stand equally often in {_each(self.where)}."


_NEAR = {"king": "touch, also at a corner,", "adjacent": "share a side", "knight": "are a knight's move apart",
         "diagonal": "touch at a corner"}  # fmt: skip


@dataclass(frozen=True)
class Differ(Constraint):
    """Neighbors hold different symbols, which lie at least so many steps apart."""

    neighbors: str | tuple[str, ...]
    by: int = 1

    def state(self, board: GridBoard) -> None:
        if not self.list_neighbors():
            raise ParameterError(("neighbors",), f"expected neighbors: {', '.join(_NEAR)}")
        for word in self.list_neighbors():
            pairs = list(board.pairs(word, ("neighbors",)))
            if word == "king" and self.by == 1:
                self._separate(board)
                continue
            for one, other in pairs:
                name = f"{cell_name(one)} and {cell_name(other)}"
                if self.by == 1:
                    board.equate(name, one, other, equal=False, symbols=board.kinds)
                else:
                    board.relate(name, one, other, self._may, board.kinds)

    def list_neighbors(self) -> Sequence[str]:
        """Return the words for the kinds of neighbors."""
        return split_words(self.neighbors)

    def _may(self, one: int, other: int) -> bool:
        return abs(one - other) >= self.by

    def _separate(self, board: GridBoard) -> None:
        """State that no two of up to four cells that meet in a corner hold the same symbol."""
        corners = dict.fromkeys((row + down, column + right) for row, column in board.cells for down, right in _BLOCK)
        for row, column in corners:
            block = [(row - down, column - right) for down, right in _BLOCK]
            for symbol in board.kinds if len(board.known.intersection(block)) > 1 else ():
                entries = [(cell, symbol) for cell in block if cell in board.known]
                board.count(f"{symbol} around the corner above r{row}c{column}", entries, 0, 1)

    def describe(self, board: GridBoard) -> str:
        by = "hold different symbols" if self.by == 1 else f"hold symbols at least {self.by} apart"
        if len(board.kinds) == 1:
            by = f"do not both hold {board.kinds[0]}"
        return " ".join(f"Cells that {_NEAR.get(word, word)} {by}." for word in self.list_neighbors())


@dataclass(frozen=True)
class Never(Constraint):
    """Some sequences of symbols stand nowhere."""

    patterns: str | tuple[str, ...]
    where: Where = "rows columns"

    def state(self, board: GridBoard) -> None:
        if not self._list_patterns():
            raise ParameterError(("patterns",), "expected patterns, such as 111")
        for k, pattern in enumerate(self._list_patterns()):
            rows = [_split_pattern(row.split(), board.symbols) for row in pattern.split("/")]
            if not pattern.strip("./ "):
                raise ParameterError(("patterns", k), f"{pattern!r} is no pattern; expected symbols, such as 111")
            strange = next((one for row in rows for one in row if one not in (".", *board.symbols)), None)
            if strange is not None:
                hint = "" if " " in pattern else "; symbols of several characters stand apart"
                message = f"{strange!r} is not one of the symbols {' '.join(board.symbols)}, or . for any{hint}"
                raise ParameterError(("patterns", k), message)
            for own in self._list_lines(board, len(rows[0])) if len(rows) == 1 else self._list_blocks(board, rows):
                symbols = chain.from_iterable(rows)
                entries = [(cell, one) for cell, one in zip(own, symbols, strict=True) if one != "."]
                board.count(f"{pattern} from {cell_name(own[0])} to {cell_name(own[-1])}", entries, 0, len(entries) - 1)

    def _list_patterns(self) -> Sequence[str]:
        return self.patterns.split() if isinstance(self.patterns, str) else self.patterns

    def _list_lines(self, board: GridBoard, length: int) -> Iterator[Sequence[Place]]:
        """Yield the sequences of so many cells, each of which touches the next."""
        for _, cells in board.find_groups("rows columns" if self._is_anywhere() else self.where, ("where",)):
            for own in split_line(cells):
                yield from (own[start : start + length] for start in range(len(own) - length + 1))

    def _list_blocks(self, board: GridBoard, rows: Sequence[Sequence[str]]) -> Iterator[Sequence[Place]]:
        """Yield the cells of each block of the form of a pattern: on the whole board, or inside of a group."""
        where: Where = "board" if self._is_anywhere() else self.where
        groups = [frozenset(cells) for _, cells in board.find_groups(where, ("where",))]
        blocks = [[(top + down, left + right) for down, line in enumerate(rows) for right in range(len(line))]
                  for top, left in board.cells]  # fmt: skip
        inside = [own for own in blocks if any(cells.issuperset(own) for cells in groups)]
        if not inside and any(map(board.known.issuperset, blocks)):
            raise ParameterError(("where",), "a block of these rows lies in none of these groups of cells")
        yield from inside

    def _is_anywhere(self) -> bool:
        """Return whether it holds on the whole board: in rows, and in columns."""
        words = {*_words(self.where)}
        return words == {"rows", "columns"} or "board" in words

    def describe(self, board: GridBoard) -> str:
        patterns = ", ".join(self._list_patterns()).replace("/", " above ")
        if self.where == type(self).where:
            return f"Nowhere stands: {patterns}."
        named = list(filter(None, _name_groups(self.where)))
        return (
            f"In no {' or '.join(named)} stands: {patterns}." if named else f"In some lines never stands: {patterns}."
        )


def _split_pattern(words: Sequence[str], symbols: Collection[str]) -> list[str]:
    """Return the symbols of a row of a pattern; one word is one of them, or one symbol a character."""
    return list("".join(words)) if len(words) == 1 and words[0] not in symbols else [*words]


@dataclass(frozen=True)
class Distinct(Constraint):
    """No two rows, and no two columns, are equal."""

    where: Where = "rows columns"

    def state(self, board: GridBoard) -> None:
        groups = board.find_groups(self.where, ("where",))
        for one, other in combinations(groups, 2):
            if one.cells and len(one.cells) == len(other.cells) and one.name.split()[0] == other.name.split()[0]:
                cells = [*chain.from_iterable(zip(one.cells, other.cells, strict=True))]
                board.scan(f"{one.name} or {other.name}", cells, "same", _compare, "differ".__eq__)

    def describe(self, board: GridBoard) -> str:
        names = dict.fromkeys(_name_many(name) for name in _name_groups(self.where))
        return f"No two {', and no two '.join(names)}{',' * (len(names) > 1)} are equal."


def _compare(state: str, symbol: str) -> str:
    if state == "differ":
        return state
    return f"after {symbol}" if state == "same" else "same" if state == f"after {symbol}" else "differ"


@dataclass(frozen=True)
class Cages(Constraint):
    """The symbols of a cage differ, and make what it says.

    A total is a sum, as 12 or 12+; a product, as 12x; or, of the greatest number and the others, a difference, as 3-,
    or a quotient, as 2/; or 12? for any of them. It may also be <12 or >12 for sums, = for equal symbols, or missing.
    """

    areas: Where
    totals: Mapping[str, int | str] = field(default_factory=dict)
    repeat: bool = False

    def state(self, board: GridBoard) -> None:
        cages = self.read_cages(board)
        unknown = next((name for name in self.totals if name not in cages), None)
        if unknown is not None:
            message = f"the drawing of cages has no cage {unknown!r}{nearest(unknown, [*cages])}"
            raise ParameterError(("totals", unknown), message)
        for letter, cells in cages.items():
            total = str(self.totals.get(letter, "")).strip()
            state_total(board, f"cage {letter}", cells, total, ("totals", letter), repeat=self.repeat)

    def read_cages(self, board: GridBoard) -> dict[str, tuple[Place, ...]]:
        """Return the cells of each cage."""
        groups = board.read_areas(self.areas, ("areas",), "cage")
        return {group.name.removeprefix("cage "): group.cells for group in groups}

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        cages, totals = self.read_cages(board), {name: str(total) for name, total in self.totals.items()}
        yield from outline_areas(cages, totals)
        yield from write_corners(cages, totals)

    def describe(self, board: GridBoard) -> str:
        differ = [] if self.repeat else ["The symbols of a cage differ."]
        return " ".join([*differ, *["The symbols of a cage make its number."] * bool(self.totals)])


def state_total(
    board: GridBoard, name: str, cells: Sequence[Place], total: str, path: tuple[str | int, ...], *, repeat: bool
) -> None:
    """State what cells make, and whether they may hold a symbol several times."""
    if total in ("≠", "!="):
        total, repeat = "", False
    if not repeat and len(cells) > len(board.kinds) and not board.empty:
        message = f"{name} has {format_count(len(cells), 'cell')}, but there are {len(board.kinds)} symbols"
        raise ParameterError(path, message)
    plain = re.fullmatch(r"(\d{1,9})\+?", total, re.ASCII)
    if plain is not None and not repeat and not board.empty:
        board.choose_symbols(name, cells, _list_sets(board, name, len(cells), int(plain[1]), path))
        return
    if not repeat:
        for symbol in board.kinds:
            board.count(f"{symbol} in {name}", [(cell, symbol) for cell in cells], 0, 1)
    if total:
        board.scan(name, cells, *_read_total(total, board, path))


def _list_sets(
    board: GridBoard, name: str, size: int, total: int, path: tuple[str | int, ...]
) -> list[tuple[str, ...]]:
    """Return the sets of `size` symbols whose numbers have a sum, in the order of the symbols."""
    values, order = board.values, sorted(board.kinds, key=board.values.__getitem__)
    least, most = (sum(values[one] for one in some) for some in (order[:size], order[len(order) - size :]))
    found: list[tuple[str, ...]] = []

    calls = count()

    def extend(chosen: tuple[str, ...], start: int, left: int) -> None:
        need = size - len(chosen)
        if next(calls) > _MAX_CALLS:
            raise ParameterError(path, f"too many combinations of symbols must be tried for the sum of {name}")
        if not need:
            found.extend([chosen] if not left else [])
            if len(found) > _MAX_SETS:
                raise ParameterError(path, f"more than {_MAX_SETS:,} combinations of symbols have the sum of {name}")
            return
        for place in range(start, len(order) - need + 1):
            if sum(values[one] for one in order[place : place + need]) > left:
                return
            own = values[order[place]]
            if own + sum(values[one] for one in order[len(order) - need + 1 :]) >= left:
                extend((*chosen, order[place]), place + 1, left - own)

    if least <= total <= most:
        extend((), 0, total)
    if not found:
        message = f"{format_count(size, 'different symbol')} cannot have the sum {total}"
        raise ParameterError(path, f"{name}: {message}; expected {least} to {most}")
    position = {one: number for number, one in enumerate(board.kinds)}
    return sorted(tuple(sorted(chosen, key=position.__getitem__)) for chosen in found)


Scan = tuple[Any, Callable[[Any, str], Any], Callable[[Any], bool]]
_Made = tuple[int, int, int]  # the greatest of some numbers, their sum and their product; 0 or 1 if it does not matter


def _read_total(text: str, board: GridBoard, path: tuple[str | int, ...]) -> Scan:
    """Return the automaton that accepts cells which make what a text says: its start, its steps, and its ends."""
    values = board.values
    if text == "=":
        return "", (lambda state, one: one if state in ("", one) else None), bool
    match = re.fullmatch(r"([<>]?)\s*(\d{1,9})\s*([-+x*×/:÷−?]?)", text, re.ASCII)
    if match is None or (match[1] and match[3]):
        message = (
            "expected a number such as 12, or one with a sign: 12+, 12x, 3-, 2/, 12? for any of them, <12, >12; = or ≠"
        )
        raise ParameterError(path, f"{text!r} is no total; {message}")
    total, sign = int(match[2]), _SIGNS[match[1] or match[3]]

    def make(state: _Made, one: str) -> _Made | None:
        most, added, product = state
        value = values[one]
        if sign in "-/?":
            most = max(most, value)
        if sign not in "x/":
            added += value
        if sign in "x/?":
            product *= value
        if sign == "+" and added > total:
            return None
        if sign == "x" and (total % product if product else total):
            return None
        return most, added, product

    ends: Mapping[str, Callable[[int, int, int], bool]] = {
        "+": lambda most, added, product: added == total,
        "<": lambda most, added, product: added < total,
        ">": lambda most, added, product: added > total,
        "x": lambda most, added, product: product == total,
        "-": lambda most, added, product: 2 * most - added == total,
        "/": lambda most, added, product: most > 0 and most**2 == total * product,
    }
    return (0, 0, 1), make, lambda made: any(ends[one](*made) for one in ("+x-/" if sign == "?" else sign))


def make_total(values: Sequence[int], signs: Collection[str], generator: random.Random) -> str:
    """Return what some numbers make, by one of these signs that suits them; a sum if none does."""
    rest = sum(values) - max(values)
    made = {"x": math.prod(values)}
    if len(values) == 2:
        made["-"] = max(values) - rest
        if rest and max(values) % rest == 0:
            made["/"] = max(values) // rest
    if len(values) == 1 or not (fitting := [sign for sign in signs if sign == "+" or sign in made]):
        return str(sum(values))
    sign = generator.choice(fitting)
    return f"{made.get(sign, sum(values))}{sign}"


def list_signs(totals: Iterable[int | str]) -> list[str]:
    """Return the signs of totals, in order; none if they are plain sums."""
    return sorted({_SIGNS[text[-1]] for text in map(str, totals) if text[-1:] in _SIGNS} & {*"+-x/"})


_SIGNS = dict(zip("+-x*×/:÷−<>?", "+-xxx///-<>?", strict=True)) | {"": "+"}


@dataclass(frozen=True)
class Only(Constraint):
    """Some cells hold some symbols only."""

    symbols: str
    cells: str

    def state(self, board: GridBoard) -> None:
        allowed = board.read_symbols(self.symbols, ("symbols",))
        for cell in board.read_cells(self.cells, ("cells",)):
            board.allow(cell, allowed)

    def describe(self, board: GridBoard) -> str:
        return f"{self.cells}: one of {self.symbols}."

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        cells, symbols = board.read_cells(self.cells, ()), board.read_symbols(self.symbols, ("symbols",))
        text = join_symbols(symbols)
        text = text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 1]}…"
        yield from write_in_corners(dict.fromkeys(cells, text))


@dataclass(frozen=True)
class Even(Constraint):
    """A gray square holds an even number."""

    cells: str
    rest: ClassVar[int] = 0
    blank = ""

    def state(self, board: GridBoard) -> None:
        allowed = [symbol for symbol in board.symbols if board.values[symbol] % 2 == self.rest]
        for cell in board.read_cells(self.cells, ("cells",)):
            board.allow(cell, allowed)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from draw_marks(board.read_cells(self.cells, ()), are_round=bool(self.rest))

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        own = (cell for cell in board.cells if board.values[symbols[cell]] % 2 == self.rest)
        return {"cells": " ".join(map(cell_name, own))}


@dataclass(frozen=True)
class Odd(Even):
    """A gray circle holds an odd number."""

    rest: ClassVar[int] = 1


@dataclass(frozen=True)
class Ripple(Constraint):
    """Between two equal numbers in a line, at least so many cells lie as the number says."""

    where: Where = "rows columns"

    def state(self, board: GridBoard) -> None:
        for name, cells in board.find_groups(self.where, ("where",)):
            for symbol in board.kinds:
                reach = board.values[symbol] + 1
                for start in range(len(cells) - 1):
                    near = [(cell, symbol) for cell in cells[start : start + reach]]
                    if start == 0 or start + reach <= len(cells):
                        board.count(f"{symbol} in {name} from {cell_name(cells[start])}", near, 0, 1)

    def describe(self, board: GridBoard) -> str:
        where = " or ".join(dict.fromkeys(name or "area that is drawn" for name in _name_groups(self.where)))
        return f"Between two equal numbers in a {where}, at least so many cells lie as the number says."


@dataclass(frozen=True)
class Together(Constraint):
    """All cells with one of some symbols hang together by their sides; there is at least one."""

    of: str = ""

    def state(self, board: GridBoard) -> None:
        board.together.append(board.read_symbols(self.of, ("of",)))
        board.seen.update(board.cells)

    def describe(self, board: GridBoard) -> str:
        return f"All cells with {_name_symbols(board, self.of)} hang together by their sides."


@dataclass(frozen=True)
class Beside(Constraint):
    """Each cell with one of some symbols has so many neighbors with one of them."""

    of: str = ""
    times: int | str = 1
    neighbors: str = "adjacent"

    def state(self, board: GridBoard) -> None:
        symbols, (low, high) = board.read_symbols(self.of, ("of",)), _read_range(str(self.times), ("times",))

        def step(state: int, one: str) -> int | None:
            """Count neighbors behind the cell itself; -1 before it, and -2 if it holds none of the symbols."""
            if state < 0:
                return -2 if state == -2 or one not in symbols else 0
            return state + (one in symbols) if state + (one in symbols) <= high else None

        for cell in board.cells:
            near = board.around(cell, self.neighbors, ("neighbors",))
            board.scan(f"beside {cell_name(cell)}", [cell, *near], -1, step, lambda state: state == -2 or state >= low)

    def describe(self, board: GridBoard) -> str:
        one, near = _name_symbols(board, self.of), _NEAR.get(self.neighbors, self.neighbors)
        return f"Of the cells that {near} with one that holds {one}, {self.times} hold {one}, too."


@dataclass(frozen=True)
class Path(Constraint):
    """Each number stands once, and next to the number that follows it."""

    neighbors: str = "king"

    def describe(self, board: GridBoard) -> str:
        near = _NEAR.get(self.neighbors, self.neighbors).rstrip(",")
        return f"Each number stands once. The cells of two numbers that follow each other {near}."

    def state(self, board: GridBoard) -> None:
        steps = find_steps(self.neighbors, ("neighbors",))
        numbers = sorted(board.kinds, key=board.values.__getitem__)
        for symbol in board.kinds:
            board.count(f"{symbol} on the board", [(cell, symbol) for cell in board.cells], 1, 1)
        for axis, measure in _AXES.items():  # they tell together whether cells are neighbors, so options are few
            lengths = {abs(measure(step)) for step in steps}
            places = sorted({measure(cell) for cell in board.cells})
            moves = [(one, other) for one, other in product(places, repeat=2) if abs(one - other) in lengths]
            if len(moves) == len(places) ** 2:
                continue
            at = {symbol: board.mark(f"{axis} of {symbol}", {(cell, symbol): measure(cell) for cell in board.cells})
                  for symbol in board.kinds}  # fmt: skip
            for low, high in pairwise(numbers):
                items = {f"{one} and {other}": [at[low][one], at[high][other]] for one, other in moves}
                board.choose(f"{axis}s of {low} and {high}", ((text, {}, own) for text, own in items.items()))


_AXES: Mapping[str, Callable[[Place], int]] = {
    "row": itemgetter(0), "column": itemgetter(1), "chessboard color": lambda cell: sum(cell) % 2
}  # fmt: skip


def read_number(text: str, path: tuple[str | int, ...], where: str = "") -> int:
    """Return the number that a text is; `where` it stands begins the message that it is none."""
    if not text.isdecimal() or len(text) > 9:
        raise ParameterError(path, f"{where}{text!r} is not a whole number from 0 on")
    return int(text)


def _read_range(text: str, path: tuple[str | int, ...]) -> tuple[int, int]:
    """Return the least and the greatest number of times; without an end, any greater one may be."""
    low, sign, high = text.partition("-")
    if not low.isdecimal() or not (high or low).isdecimal():
        message = (
            f"{text!r} is not a number of times; expected one such as 2, a range such as 1-2, or 1- for at least one"
        )
        raise ParameterError(path, message)
    least, most = read_number(low, path), read_number(high or low, path) if high or not sign else _ANY_TIMES
    if least > most:
        raise ParameterError(path, f"{text!r} is an empty range")
    return least, most


def _say_times(times: str) -> str:
    if times.endswith("-"):
        return f"at least {_say_times(times[:-1])}"
    return {"": "as often as the numbers say", "1": "once"}.get(times, f"{times} times")


def _words(where: Where) -> list[str]:
    return [word for one in ([where] if isinstance(where, str) else where) for word in split_words(one)]


def _name_symbols(board: GridBoard, symbols: str, every: str = "a symbol") -> str:
    """Return in words some symbols that a constraint states."""
    found = board.read_symbols(symbols, ("of",))
    return " or ".join(found) if len(found) == 1 or {*found} != {*board.kinds} else every


_SINGLE = {"rows": "row", "columns": "column", "regions": "region", "diagonals": "long diagonal", "board": "board"}


def _name_groups(where: Where) -> list[str]:
    """Return what each word calls one of its groups; an empty text for cells or a drawing."""
    return [f"box of {word}" if BOX.fullmatch(word) else _SINGLE.get(word, "") for word in _words(where)]


def _name_many(name: str) -> str:
    return name.replace("box", "boxes") if name.startswith("box") else f"{name}s" if name else "areas that are drawn"


def _each(where: Where) -> str:
    """Return groups of cells in words."""
    names = _name_groups(where) or [""]
    *rest, last = [*filter(None, names), *["area that is drawn"] * (not all(names))]
    return f"each {', '.join(rest)} and {last}" if rest else "the whole board" if last == "board" else f"each {last}"
