"""Constraints of grid puzzles along lines, and of pairs of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from exactcover import ParameterError, pictures
from problems.boards import cell_name
from problems.grids.board import GridBoard, Place, Where
from problems.grids.constraints import Constraint
from problems.grids.drawing import draw_arrows, draw_dot, draw_lines, draw_sign, draw_thermometers

__all__ = ["Arrows", "Dots", "Less", "Palindromes", "Renban", "Same", "Thermometers", "Unlike", "Whispers"]


@dataclass(frozen=True)
class Thermometers(Constraint):
    """Along a thermometer, symbols ascend from the bulb on."""

    lines: tuple[str, ...]

    def state(self, board: GridBoard) -> None:
        for number, text in enumerate(self.lines):
            cells = board.read_line(text, ("lines", number))
            if len(cells) > len(board.kinds):
                message = f"expected at most {pictures.format_count(len(board.kinds), 'cell')}, got {len(cells)}"
                raise ParameterError(("lines", number), message)
            _ascend(board, f"thermometer {number + 1}", cells)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from draw_thermometers(_read_lines(board, self.lines))


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

    def state(self, board: GridBoard) -> None:
        for number, text in enumerate(self.pairs):
            cells = board.read_line(text.replace("<", " "), ("pairs", number))
            _ascend(board, f"sign {number + 1}", cells)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        for text in self.pairs:
            for one, other in pairwise(board.read_cells(text.replace("<", " "), ())):
                down, right = other[0] - one[0], other[1] - one[1]
                yield draw_sign(one, other, ("∧" if down > 0 else "∨") if down else "<" if right > 0 else ">")


@dataclass(frozen=True)
class Relation(Constraint):
    """A constraint of pairs of cells."""

    def draw_pairs(self, board: GridBoard, pairs: Sequence[str], mark: str) -> Iterator[pictures.Shape]:
        """Yield a sign for each pair of cells."""
        for cells in _read_lines(board, pairs):
            yield from (draw_sign(one, other, mark) for one, other in pairwise(cells))

    def relate(self, board: GridBoard, name: str, pairs: Sequence[str], may: Callable[[int, int], bool]) -> None:
        """State a relation between the cells of each pair, and between those that follow each other in a line."""
        for number, text in enumerate(pairs):
            for one, other in pairwise(board.read_line(text, (name, number))):
                board.relate(f"{cell_name(one)} and {cell_name(other)}", one, other, may)


@dataclass(frozen=True)
class Same(Relation):
    """Cells with the sign = between them hold the same symbol."""

    pairs: tuple[str, ...]

    def state(self, board: GridBoard) -> None:
        self.relate(board, "pairs", self.pairs, lambda one, other: one == other)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from self.draw_pairs(board, self.pairs, "=")


@dataclass(frozen=True)
class Unlike(Relation):
    """Cells with a cross between them hold different symbols."""

    pairs: tuple[str, ...]

    def state(self, board: GridBoard) -> None:
        self.relate(board, "pairs", self.pairs, lambda one, other: one != other)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from self.draw_pairs(board, self.pairs, "×")


@dataclass(frozen=True)
class Dots(Relation):
    """A white dot between two cells: their numbers follow each other. A black one: one is twice the other."""

    white: tuple[str, ...] = ()
    black: tuple[str, ...] = ()
    all: bool = False
    """Whether all dots are drawn, so that no other neighbors are in such a relation."""

    def state(self, board: GridBoard) -> None:
        self.relate(board, "white", self.white, _follow)
        self.relate(board, "black", self.black, _double)
        if self.all:
            drawn = {
                frozenset(pair) for text in (*self.white, *self.black) for pair in pairwise(board.read_cells(text, ()))
            }
            for one, other in board.pairs("adjacent", ()):
                if frozenset((one, other)) not in drawn:
                    board.relate(f"no dot between {cell_name(one)} and {cell_name(other)}", one, other,
                                 lambda a, b: not _follow(a, b) and not _double(a, b))  # fmt: skip

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        for texts, is_black in ((self.white, False), (self.black, True)):
            for cells in _read_lines(board, texts):
                yield from (draw_dot(one, other, is_black=is_black) for one, other in pairwise(cells))

    def describe(self) -> str:
        rest = " All dots are drawn." if self.all else ""
        return f"{super().describe()}{rest}"


def _follow(one: int, other: int) -> bool:
    return abs(one - other) == 1


def _double(one: int, other: int) -> bool:
    return one == 2 * other or other == 2 * one


@dataclass(frozen=True)
class Whispers(Relation):
    """Along a line, neighbors differ by at least so much."""

    lines: tuple[str, ...]
    by: int = 5

    def state(self, board: GridBoard) -> None:
        self.relate(board, "lines", self.lines, lambda one, other: abs(one - other) >= self.by)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from draw_lines(_read_lines(board, self.lines))

    def describe(self) -> str:
        return f"Along a line, neighbors differ by at least {self.by}."


@dataclass(frozen=True)
class Palindromes(Constraint):
    """A line reads the same from both ends."""

    lines: tuple[str, ...]

    def state(self, board: GridBoard) -> None:
        for number, text in enumerate(self.lines):
            cells = board.read_line(text, ("lines", number))
            for one, other in zip(cells[: len(cells) // 2], reversed(cells), strict=False):
                board.relate(f"palindrome {number + 1}, {cell_name(one)}", one, other, int.__eq__)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from draw_lines(_read_lines(board, self.lines))


@dataclass(frozen=True)
class Renban(Constraint):
    """A line, or a region, holds numbers that follow each other, each once, in any order."""

    where: Where

    def state(self, board: GridBoard) -> None:
        order = sorted(board.kinds, key=board.values.__getitem__)
        for name, cells in board.find_groups(self.where, ("where",)):
            spans = [order[k : k + len(cells)] for k in range(len(order) - len(cells) + 1)]
            runs = [span for span in spans if board.values[span[-1]] - board.values[span[0]] == len(cells) - 1]
            board.choose_symbols(f"run of {name}", cells, runs)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        groups = board.find_groups(self.where, ())
        yield from draw_lines([group.cells for group in groups if group.name.startswith("cells ")])


@dataclass(frozen=True)
class Arrows(Constraint):
    """The numbers along an arrow add up to the one in its circle."""

    lines: tuple[str, ...]

    def state(self, board: GridBoard) -> None:
        values, least = board.values, min(board.values.values())
        for number, text in enumerate(self.lines):
            cells = board.read_line(text, ("lines", number))

            def subtract(left: int | None, one: str) -> int | None:
                if left is None:
                    return values[one]
                return left - values[one] if left >= values[one] or least < 0 else None

            board.scan(f"arrow {number + 1}", cells, _BEGIN, _with_begin(subtract), lambda left: left == 0)

    def draw(self, board: GridBoard) -> Iterator[pictures.Shape]:
        yield from draw_arrows(_read_lines(board, self.lines))


_BEGIN = -1


def _with_begin(step: Callable[[int | None, str], int | None]) -> Callable[[int, str], int | None]:
    return lambda state, one: step(None if state == _BEGIN else state, one)


def _read_lines(board: GridBoard, lines: Sequence[str]) -> list[tuple[Place, ...]]:
    return [board.read_cells(text, ()) for text in lines]
