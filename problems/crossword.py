"""Crosswords to fill from a list of words, including word squares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import getitem
from typing import ClassVar, NamedTuple, TypeAlias

from exactcover import Colored, Encoder, Item, ParameterError, Picture, pictures, read_data
from problems.boards import cell_name, draw_letters, list_cells, parse_size, split_rows


class PlacedWord(NamedTuple):
    """A word at its place in the grid; as text ``OPERA across from r1c1``."""

    word: str
    across: bool
    row: int
    column: int

    def __str__(self) -> str:
        return f"{self.word} {_slot_name(self[1:])}"

    def cells(self) -> Iterator[tuple[int, int, str]]:
        """Yield the row, column and letter of each cell."""
        for number, letter in enumerate(self.word):
            yield self.row + (0 if self.across else number), self.column + (number if self.across else 0), letter


Slot: TypeAlias = tuple[bool, int, int]
"""A place for a word: whether it runs across, and the row and column of its first cell."""


def _slot_name(slot: Slot) -> str:
    across, row, column = slot
    return f"{'across' if across else 'down'} from {cell_name((row, column))}"


@dataclass(frozen=True)
class Crossword(Encoder):
    """Fill a grid with words, across and down.

    Cells are secondary items, and letters are their colors. A square grid without blocked cells gives word squares.

    References
    ----------
    D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, on word squares and color controls.

    Examples
    --------
    >>> square = Crossword(grid="3x3", words=("BIT", "ICE", "TEN"), symmetric=True)
    >>> [square.decode(solution) for solution in square.problem().solve()]
    [('BIT', 'ICE', 'TEN')]
    """

    symmetries_complete: ClassVar[bool] = True

    grid: str | tuple[str, ...] = "4x4"
    """ROWSxCOLUMNS, or a drawing, as text or a list of rows: . for an open cell, # for a blocked cell, a letter for a
    cell with this letter."""

    words: str | tuple[str, ...] = ("AREA", "DEAR", "LADY", "LEAD", "ALOE", "DATE", "YEAR")
    """A list of words, or a file with one word per line, relative to the YAML file. Case is ignored."""

    repeat: bool = False
    """Whether a word may be used more than once."""

    symmetric: bool = False
    """Whether the grid reads the same across and down; the grid must be symmetric about its main diagonal."""

    def __post_init__(self) -> None:
        self._cells, self._words, self._slots  # noqa: B018 - reports mistakes now

    @cached_property
    def _cells(self) -> dict[tuple[int, int], str]:
        """The letter, or ``.``, of every cell that is not blocked."""
        rows: Sequence[str]
        if isinstance(self.grid, str) and re.fullmatch(r"\s*\d+\s*[xX×]\s*\d+\s*", self.grid):
            height, width = parse_size(self.grid, "grid")
            rows = ["." * width] * height
        else:
            rows = split_rows(self.grid)
        cells = {(row, column): one for row, line in enumerate(rows, 1) for column, one in enumerate(line, 1)}
        letters = {one for one in cells.values() if one.isalpha() and len(one.upper()) == 1}
        strange = next(((cell, one) for cell, one in cells.items() if one not in {*".#", *letters}), None)
        if strange is not None:
            (row, _), one = strange
            line, given = ((), self.grid) if isinstance(self.grid, str) else ((row - 1,), self.grid[row - 1])
            path = ("grid", *line, given.index(one))
            raise ParameterError(path, f"{one!r} is not allowed in a grid; use . # and letters")
        found = {cell: one.upper() for cell, one in cells.items() if one != "#"}
        if self.symmetric and any(found.get((column, row)) != one for (row, column), one in found.items()):
            raise ParameterError("symmetric", "expected a grid that is symmetric about its main diagonal")
        return found

    @cached_property
    def _words(self) -> list[str]:
        from_file = isinstance(self.words, str)
        words = read_data(self.words, "words").split() if isinstance(self.words, str) else self.words
        for position, word in enumerate(words):
            if not word.isalpha():
                path = ("words",) if from_file else ("words", position)
                raise ParameterError(path, f"{word!r} is not a word; use letters only")
        if not words:
            raise ParameterError("words", "there are no words; expected at least one")
        return list(dict.fromkeys(word.upper() for word in words))

    @cached_property
    def _slots(self) -> dict[Slot, int]:
        """The slots for words of at least two letters, and their lengths."""
        slots: dict[Slot, int] = {}
        for across in (True, False) if not self.symmetric else (True,):
            down, right = (0, 1) if across else (1, 0)
            for row, column in self._cells:
                if (row - down, column - right) in self._cells:
                    continue
                length = 1
                while (row + length * down, column + length * right) in self._cells:
                    length += 1
                if length > 1:
                    slots[across, row, column] = length
        if not slots:
            raise ParameterError("grid", "the grid has no slot for a word of two or more letters")
        return slots

    def _item(self, row: int, column: int) -> str:
        return cell_name((min(row, column), max(row, column)) if self.symmetric else (row, column))

    def primary(self) -> Iterator[str]:
        return map(_slot_name, self._slots)

    def secondary(self) -> Iterator[str]:
        yield from dict.fromkeys(self._item(*cell) for cell in self._cells)
        if not self.repeat:
            yield from (f"word {word}" for word in self._words)

    def options(self) -> Iterator[tuple[PlacedWord, list[Item]]]:
        by_length: dict[int, list[tuple[str, list[Item]]]] = {}
        for word in self._words:
            by_length.setdefault(len(word), []).append((word, [] if self.repeat else [f"word {word}"]))
        letters = {letter for word in self._words for letter in word}
        colored = {cell: {one: Colored(self._item(*cell), one) for one in letters} for cell in self._cells}
        for slot, length in self._slots.items():
            name, cells = _slot_name(slot), [cell[:2] for cell in PlacedWord("." * length, *slot).cells()]
            fixed = [(place, one) for place, cell in enumerate(cells) if (one := self._cells[cell]) != "."]
            choices = [colored[cell] for cell in cells]
            for word, itself in by_length.get(length, ()):
                if any(word[place] != one for place, one in fixed):
                    continue
                items = [*map(getitem, choices, word)]
                if self.symmetric:  # a word may cross itself
                    items = [*dict.fromkeys(items)]
                    if len({one.item for one in items}) < len(items):
                        continue
                yield PlacedWord(word, *slot), [name, *itself, *items]

    def additions(self) -> Iterator[tuple[list[str], str]]:
        """Yield a word that is not in the list for each slot; words that cross it decide its letters."""
        for slot, length in self._slots.items():
            name = _slot_name(slot)
            yield [name], f"add a word of {pictures.format_count(length, 'letter')} to the list, {name}"

    def symmetries(self) -> Iterator[dict[Item, Item]]:
        """Yield the swap of rows and columns, if it leaves the grid unchanged."""
        if not self.symmetric and all(self._cells.get((c, r)) == one for (r, c), one in self._cells.items()):
            cells: dict[Item, Item] = {cell_name((r, c)): cell_name((c, r)) for r, c in self._cells}
            yield cells | {_slot_name((a, r, c)): _slot_name((not a, c, r)) for a, r, c in self._slots}

    def decode(self, solution: Iterable[PlacedWord]) -> tuple[str, ...]:
        """Return the rows, with # for blocked cells and . for cells without a letter."""
        letters = dict.fromkeys(self._cells, ".") | self._letters(solution)
        return tuple(draw_letters(letters, self._size, "#"))

    def _letters(self, solution: Iterable[PlacedWord]) -> dict[tuple[int, int], str]:
        letters = {(row, column): letter for entry in solution for row, column, letter in entry.cells()}
        return letters | (
            {(column, row): letter for (row, column), letter in letters.items()} if self.symmetric else {}
        )

    def draw(self, solution: Iterable[PlacedWord]) -> Picture:
        letters = self._letters(solution)
        texts = (
            pictures.Text(row - 1, column - 1, letter, self._cells[row, column] != ".")
            for (row, column), letter in sorted(letters.items())
        )
        words, size = pictures.format_count(len(self._slots), "word"), " x ".join(map(str, self._size))
        return Picture(f"{words} in a grid of {size}", (*self._ground, *texts), grid=True)

    @cached_property
    def _size(self) -> tuple[int, int]:
        rows, columns = (max(cell[k] for cell in self._cells) for k in (0, 1))
        return rows, columns

    @cached_property
    def _ground(self) -> tuple[pictures.Cell, ...]:
        """The cells without letters."""
        return tuple(
            pictures.Cell(row - 1, column - 1, "", pictures.PAPER if (row, column) in self._cells else pictures.BLOCKED)
            for row, column in list_cells(self._size)
        )
