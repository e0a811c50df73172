"""Constraints of grid puzzles along lines, and of pairs of cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from typing import Any, ClassVar

from exactcover import ParameterError, pictures
from problems.boards import cell_name
from problems.grids.board import GridBoard, Place, Where, split_words
from problems.grids.constraints import Constraint
from problems.grids.drawing import (
    draw_arrows,
    draw_dot,
    draw_lines,
    draw_marks,
    draw_sign,
    draw_thermometers,
    outline_areas,
)


@dataclass(frozen=True)
class Thermometers(Constraint):
    """Along a thermometer, symbols ascend from the bulb on."""

    lines: tuple[str, ...]
    slow: bool = False
    """Whether a symbol may also be equal to the one before."""

    def state(self, board: GridBoard) -> None:
        for number, text in enumerate(self.lines):
            cells = board.read_line(text, ("lines", number))
            if self.slow:
                for one, other in pairwise(cells):
                    board.relate(f"thermometer {number + 1}, {cell_name(other)}", one, other, partial(_lies_before, 0))
                continue
            if len(cells) > len(board.kinds):
                message = f"expected at most {pictures.format_count(len(board.kinds), 'cell')}, got {len(cells)}"
                raise ParameterError(("lines", number), message)
            _ascend(board, f"thermometer {number + 1}", cells)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from draw_thermometers(_read_lines(board, self.lines))

    def describe(self, board: GridBoard) -> str:
        return "Along a thermometer, symbols never descend from the bulb on." if self.slow else super().describe(board)


def _ascend(board: GridBoard, name: str, cells: Sequence[Place]) -> None:
    for start, one in enumerate(cells):
        for distance, other in enumerate(cells[start + 1 :], 1):
            where = f"{name}, cells {start + 1} and {start + distance + 1}"
            board.relate(where, one, other, partial(_lies_before, distance))


def _lies_before(distance: int, one: int, other: int) -> bool:
    return one + distance <= other


@dataclass(frozen=True)
class Less(Constraint):
    """The symbol on the side of the point of a sign < is less."""

    pairs: tuple[str, ...]
    blank = ""

    def state(self, board: GridBoard) -> None:
        for number, text in enumerate(self.pairs):
            cells = board.read_line(text.replace("<", " "), ("pairs", number))
            _ascend(board, f"sign {number + 1}", cells)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        for text in self.pairs:
            for one, other in pairwise(board.read_cells(text.replace("<", " "), ())):
                down, right = other[0] - one[0], other[1] - one[1]
                yield draw_sign(one, other, ("∧" if down > 0 else "∨") if down else "<" if right > 0 else ">")

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        values = {cell: board.values[symbols[cell]] for cell in board.cells}
        ordered = (sorted(pair, key=values.__getitem__) for pair in board.pairs("adjacent", ()))
        return {"pairs": tuple(_name_pair(one, other) for one, other in ordered if values[one] != values[other])}


@dataclass(frozen=True)
class Relation(Constraint):
    """A constraint of pairs of cells."""

    def list_pairs(self, board: GridBoard, argument: str) -> Iterator[tuple[Place, Place]]:
        """Yield the cells that follow each other in each line of an argument."""
        for number, text in enumerate(getattr(self, argument)):
            yield from pairwise(board.read_line(text, (argument, number)))

    def relate(self, board: GridBoard, argument: str, may: Callable[[int, int], bool]) -> None:
        """State which numbers the cells of these pairs may hold together."""
        for one, other in self.list_pairs(board, argument):
            board.relate(f"{cell_name(one)} and {cell_name(other)}", one, other, may)

    def relate_others(
        self,
        board: GridBoard,
        marked: Iterable[tuple[Place, Place]],
        what: str,
        may: Callable[[int, int], bool],
        symbols: Sequence[str] = (),
    ) -> None:
        """State which numbers neighbors without a mark may hold together; `what` is the mark in names of items."""
        drawn = set(map(frozenset, marked))
        for one, other in board.pairs("adjacent", ()):
            if frozenset((one, other)) not in drawn:
                board.relate(f"no {what} between {cell_name(one)} and {cell_name(other)}", one, other, may, symbols)


@dataclass(frozen=True)
class Lines(Relation):
    """A constraint along lines of a color, by which its words call them."""

    lines: tuple[str, ...]
    color: ClassVar[str] = "gray"

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from draw_lines(_read_lines(board, self.lines), self.color)


@dataclass(frozen=True)
class Same(Relation):
    """Cells with the sign = between them hold the same symbol."""

    pairs: tuple[str, ...]
    mark: ClassVar[str] = "="
    blank = ""

    def state(self, board: GridBoard) -> None:
        for one, other in self.list_pairs(board, "pairs"):
            board.equate(f"{cell_name(one)} and {cell_name(other)}", one, other, equal=self.mark == "=")

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        for cells in _read_lines(board, self.pairs):
            yield from (draw_sign(one, other, self.mark) for one, other in pairwise(cells))

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        is_own = self.mark == "="
        pairs = board.pairs("adjacent", ())
        return {"pairs": tuple(_name_pair(*pair) for pair in pairs if (symbols[pair[0]] == symbols[pair[1]]) is is_own)}


@dataclass(frozen=True)
class Unlike(Same):
    """Cells with a cross between them hold different symbols."""

    mark: ClassVar[str] = "×"


@dataclass(frozen=True)
class Dots(Relation):
    """A white dot between two cells: their numbers follow each other. A black one: one is twice the other."""

    white: tuple[str, ...] = ()
    black: tuple[str, ...] = ()
    all: bool = False
    """Whether all dots are drawn, so that no other neighbors are in such a relation."""

    def state(self, board: GridBoard) -> None:
        self.relate(board, "white", _follow)
        self.relate(board, "black", _double)
        if self.all:
            drawn = chain(self.list_pairs(board, "white"), self.list_pairs(board, "black"))
            self.relate_others(board, drawn, "dot", lambda a, b: not _follow(a, b) and not _double(a, b), board.kinds)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        for texts, is_black in ((self.white, False), (self.black, True)):
            for cells in _read_lines(board, texts):
                yield from (draw_dot(one, other, is_black=is_black) for one, other in pairwise(cells))

    def find_clues(self, board: GridBoard, symbols: Mapping[Place, str]) -> dict[str, Any]:
        found: dict[str, list[str]] = {"white": [], "black": []}
        for one, other in board.pairs("adjacent", ()):
            values = board.values[symbols[one]], board.values[symbols[other]]
            if _follow(*values) or _double(*values):
                found["white" if _follow(*values) else "black"].append(_name_pair(one, other))
        return {name: tuple(pairs) for name, pairs in found.items()}

    def describe(self, board: GridBoard) -> str:
        rest = " All dots are drawn." if self.all else ""
        return f"{super().describe(board)}{rest}"


def _follow(one: int, other: int) -> bool:
    return abs(one - other) == 1


def _double(one: int, other: int) -> bool:
    return one != other and (one == 2 * other or other == 2 * one)


@dataclass(frozen=True)
class Whispers(Lines):
    """Along a line, neighbors differ by at least so much."""

    color: ClassVar[str] = "green"
    by: int = 5

    def state(self, board: GridBoard) -> None:
        self.relate(board, "lines", lambda one, other: abs(one - other) >= self.by)

    def describe(self, board: GridBoard) -> str:
        return f"Along a green line, neighbors differ by at least {self.by}."


@dataclass(frozen=True)
class Palindromes(Lines):
    """A gray line reads the same from both ends."""

    def state(self, board: GridBoard) -> None:
        for number, text in enumerate(self.lines):
            cells = board.read_line(text, ("lines", number))
            for one, other in zip(cells[: len(cells) // 2], reversed(cells), strict=False):
                board.equate(f"palindrome {number + 1}, {cell_name(one)}", one, other)


@dataclass(frozen=True)
class Renban(Constraint):
    """A purple line, or a region, holds numbers that follow each other, each once, in any order."""

    where: Where

    def state(self, board: GridBoard) -> None:
        order = sorted(board.kinds, key=board.values.__getitem__)
        for name, cells in board.find_groups(self.where, ("where",)):
            if not cells:
                continue
            spans = [order[k : k + len(cells)] for k in range(len(order) - len(cells) + 1)]
            runs = [span for span in spans if board.values[span[-1]] - board.values[span[0]] == len(cells) - 1]
            board.choose_symbols(f"run of {name}", cells, runs)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        groups = board.find_groups(self.where, ())
        yield from draw_lines([group.cells for group in groups if group.name.startswith("cells ")], "purple")


@dataclass(frozen=True)
class Arrows(Constraint):
    """The numbers along an arrow add up to the one in its circle, whose digits may stand in several cells.

    The first cell is the circle, or all before a sign >, as in ``r1c1 r1c2 > r2c2 r3c3``.
    """

    lines: tuple[str, ...]

    def split(self, board: GridBoard, number: int) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
        """Return the cells of the circle, and those along the arrow."""
        text, path = self.lines[number], ("lines", number)
        head, sign, tail = text.partition(">")
        if not sign:
            cells = board.read_line(text, path)
            return cells[:1], cells[1:]
        both = board.read_line(head, path, 1), board.read_line(tail, path, 1)
        if not {*both[0]}.isdisjoint(both[1]):
            raise ParameterError(path, "a cell is both in the circle and on the arrow")
        return both

    def state(self, board: GridBoard) -> None:
        values = board.values
        for number in range(len(self.lines)):
            head, tail = self.split(board, number)

            def read(state: tuple[int, int], one: str, size: int = len(head)) -> tuple[int, int] | None:
                done, left = state
                if done < size:
                    return done + 1, int(f"{left}{values[one]}")
                return (done, left - values[one]) if left >= values[one] else None

            board.scan(f"arrow {number + 1}", (*head, *tail), (0, 0), read, (len(head), 0).__eq__)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        both = [self.split(board, number) for number in range(len(self.lines))]
        yield from draw_arrows([(*head[-1:], *tail) for head, tail in both])
        yield from draw_lines([head for head, _ in both if len(head) > 1])


@dataclass(frozen=True)
class Inside(Constraint):
    """What stands along a line between two circles lies between what stands at its ends."""

    lines: tuple[str, ...]
    ends_are_round: ClassVar[bool] = True

    def state(self, board: GridBoard) -> None:
        for number, text in enumerate(self.lines):
            first, *inner, last = board.read_line(text, ("lines", number))

            def look(state: tuple[int, ...], one: str) -> tuple[int, ...] | None:
                value = board.values[one]
                if len(state) < 2:
                    return tuple(sorted((*state, value))) if self._may_end(*state, value) else None
                return state if self._may_hold(state[0], state[1], value) else None

            start: tuple[int, ...] = ()
            name = f"{type(self).__name__.lower()} line {number + 1} and its ends"
            board.scan(name, [first, last, *inner], start, look, bool)

    def _may_end(self, *ends: int) -> bool:
        return bool(ends)

    def _may_hold(self, low: int, high: int, value: int) -> bool:
        return low < value < high

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        lines = _read_lines(board, self.lines)
        yield from draw_lines(lines)
        ends = [*dict.fromkeys(end for cells in lines for end in (cells[0], cells[-1]))]
        yield from draw_marks(ends, are_round=self.ends_are_round)


@dataclass(frozen=True)
class Outside(Inside):
    """What stands along a line between two squares is less, or greater, than both of them."""

    by: int = 4
    ends_are_round: ClassVar[bool] = False

    def describe(self, board: GridBoard) -> str:
        return (
            "What stands along a line between two squares is less, or greater, than both of them. "
            f"These differ by at least {self.by}."
        )

    def _may_end(self, *ends: int) -> bool:
        return len(ends) < 2 or abs(ends[0] - ends[1]) >= self.by

    def _may_hold(self, low: int, high: int, value: int) -> bool:
        return not low <= value <= high


@dataclass(frozen=True)
class Entropic(Lines):
    """Of three cells in a row along an orange line, one holds a low number, one a middle one, and one a high one."""

    color: ClassVar[str] = "orange"

    def state(self, board: GridBoard) -> None:
        for number, text in enumerate(self.lines):
            cells = board.read_line(text, ("lines", number))
            for one, other in chain(pairwise(cells), zip(cells, cells[2:], strict=False)):
                board.relate(f"line {number + 1}, {cell_name(one)} and {cell_name(other)}", one, other,
                             lambda a, b: self._group(board, a) != self._group(board, b), board.kinds)  # fmt: skip

    def _group(self, board: GridBoard, value: int) -> int:
        order = sorted(board.values[one] for one in board.kinds)
        return order.index(value) * 3 // len(order)


@dataclass(frozen=True)
class Modular(Entropic):
    """Three cells in a row along a turquoise line hold numbers with different rests by three."""

    color: ClassVar[str] = "turquoise"

    def _group(self, board: GridBoard, value: int) -> int:
        return value % 3


@dataclass(frozen=True)
class RegionSums(Lines):
    """The parts of a blue line in each region have equal sums."""

    color: ClassVar[str] = "blue"
    where: Where = "regions"

    def state(self, board: GridBoard) -> None:
        area_of = {cell: name for name, cells in board.find_groups(self.where, ("where",)) for cell in cells}
        for number, text in enumerate(self.lines):
            cells = board.read_line(text, ("lines", number))
            ends = [area_of.get(one) != area_of.get(other) for one, other in pairwise(cells)] + [True]

            def add(state: tuple[int, int, int], one: str, ends: Sequence[bool] = ends) -> tuple[int, int, int] | None:
                place, total, found = state
                found += board.values[one]
                if total >= 0 and (found > total or (ends[place] and found < total)):
                    return None
                return (place + 1, found if total < 0 else total, 0) if ends[place] else (place + 1, total, found)

            board.scan(f"sums of line {number + 1}", cells, (0, -1, 0), add, bool)


@dataclass(frozen=True)
class Clones(Constraint):
    """Two groups of cells hold the same symbols, place by place."""

    groups: tuple[str, ...]
    """The cells of both, such as r1c1 r1c2 = r5c4 r5c5."""

    def split(self, board: GridBoard, number: int) -> list[tuple[Place, ...]]:
        """Return the cells of both groups."""
        path = ("groups", number)
        both = [board.read_cells(part, path) for part in self.groups[number].split("=")]
        if len(both) != 2 or len(both[0]) != len(both[1]) or not both[0]:
            raise ParameterError(path, "expected two groups of as many cells, as `r1c1 r1c2 = r5c4 r5c5`")
        return both

    def state(self, board: GridBoard) -> None:
        for number in range(len(self.groups)):
            for one, other in zip(*self.split(board, number), strict=True):
                if one != other:
                    board.equate(f"{cell_name(one)} and {cell_name(other)} are equal", one, other)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        for number in range(len(self.groups)):
            yield from outline_areas(dict(zip("AB", self.split(board, number), strict=True)), {})


@dataclass(frozen=True)
class Unmarked(Relation):
    """Neighbors without a mark do not make some totals: a sum, as 10, a difference, as 1-, or 2/ and 6x."""

    totals: str
    marked: tuple[str, ...] = ()
    makes: ClassVar[dict[str, Callable[[int, int, int], bool]]] = {
        "+": lambda total, one, other: one + other == total,
        "x": lambda total, one, other: one * other == total,
        "-": lambda total, one, other: abs(one - other) == total,
        "/": lambda total, one, other: 0 < max(one, other) == total * min(one, other),
    }

    def state(self, board: GridBoard) -> None:
        found = [re.fullmatch(r"(\d{1,6})([-+x/]?)", word, re.ASCII) for word in split_words(self.totals)]
        tests = [partial(self.makes[match[2] or "+"], int(match[1])) for match in found if match]
        if not tests or len(tests) < len(found):
            raise ParameterError(("totals",), f"{self.totals!r} are no totals; expected some such as 10, 1- or 2/")
        marked = self.list_pairs(board, "marked")
        self.relate_others(board, marked, "mark", lambda a, b: not any(makes(a, b) for makes in tests))

    def describe(self, board: GridBoard) -> str:
        makes = {"-": "differ by {}", "/": "are one {} times the other", "x": "have the product {}"}
        words = [
            makes.get(word[-1], "have the sum {}").format(word.rstrip("+-/x")) for word in split_words(self.totals)
        ]
        return f"No neighbors without a mark between them {' or '.join(words)}."


def _name_pair(one: Place, other: Place) -> str:
    return f"{cell_name(one)} {cell_name(other)}"


def _read_lines(board: GridBoard, lines: Sequence[str]) -> list[tuple[Place, ...]]:
    return [board.read_cells(text, ()) for text in lines]
