"""Latin squares with givens, and orthogonal mates of a given square."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Annotated

from annotated_types import Ge, Le

from exactcover import ParameterError, Picture, TextForm
from problems.boards import draw_letters, list_cells, read_letters, split_rows
from problems.squares import EXCHANGED, Entry, SymbolEncoder, label_symbols, make_text_form, shade_cells

_SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Latin(SymbolEncoder):
    """Fill a square so that each row and column holds every symbol once, or find orthogonal mates of such a square.

    Two Latin squares are orthogonal if each pair of symbols, one from each square, meets in exactly one cell.

    References
    ----------
    OEIS A002860; D. E. Knuth, *The Art of Computer Programming* 4A, section 7 (Euler's squares).

    Examples
    --------
    >>> Latin(n=4).problem().count()
    576
    >>> Latin(n=4, mate="1234 2143 3412 4321").problem().count()
    48
    """

    n: Annotated[int, Ge(1), Le(35)] = 5
    """The number of rows, columns and symbols. The symbols are 1 to 9, then A to Z."""

    grid: str | tuple[str, ...] = ""
    """The rows, as a list or separated by spaces or /, with . for a cell without a given. Empty for no givens."""

    mate: str | tuple[str, ...] = ""
    """The rows of a Latin square to which the solutions must be orthogonal. Empty for no such square."""

    diagonals: bool = False
    """Whether both diagonals must also hold every symbol once."""

    def __post_init__(self) -> None:
        self._given, self._mate  # noqa: B018 - reports mistakes now

    @property
    def _symbols(self) -> str:
        return _SYMBOLS[: self.n]

    @cached_property
    def _given(self) -> tuple[Entry, ...]:
        cells = self._read(self.grid, "grid", self._symbols + ".")
        return tuple(Entry(*cell, symbol) for cell, symbol in cells.items() if symbol != ".")

    @cached_property
    def _mate(self) -> dict[tuple[int, int], str]:
        cells = self._read(self.mate, "mate", self._symbols)
        if not cells:
            return {}
        for axis, number in product((0, 1), range(1, self.n + 1)):
            line = "".join(symbol for cell, symbol in cells.items() if cell[axis] == number)
            if len(set(line)) < self.n:
                kind = ("row", "column")[axis]
                raise ParameterError("mate", f"{kind} {number}, {line}, does not hold every symbol exactly once")
        return cells

    def _read(self, square: str | tuple[str, ...], parameter: str, allowed: str) -> dict[tuple[int, int], str]:
        cells = read_letters(square, (self.n, self.n), (parameter,)) if split_rows(square) else {}
        for (row, column), symbol in cells.items():
            if symbol not in allowed:
                message = f"row {row}, column {column}: expected one of {allowed}, got {symbol!r}"
                raise ParameterError((parameter,) if isinstance(square, str) else (parameter, row - 1), message)
        return cells

    def options(self) -> Iterator[tuple[Entry, list[str]]]:
        for row, column in list_cells((self.n, self.n)):
            for symbol in self._symbols:
                items = [f"r{row}c{column}", f"{symbol} in row {row}", f"{symbol} in column {column}"]
                if self._mate:
                    items.append(f"{self._mate[row, column]} with {symbol}")
                if self.diagonals and row == column:
                    items.append(f"{symbol} in the falling diagonal")
                if self.diagonals and row + column == self.n + 1:
                    items.append(f"{symbol} in the rising diagonal")
                yield Entry(row, column, symbol), items

    def fewest_clues(self) -> tuple[int, str]:
        return self.n - 1, EXCHANGED

    def givens(self) -> tuple[Entry, ...]:
        return self._given

    def parse(self, text: str) -> Latin:
        """Return this encoder with a square that is written as for `grid`, or as the cells of all rows in one word."""
        words = text.replace("/", " ").split()
        if self.n > 1 and len(words) == 1 and len(words[0]) == self.n**2:
            return replace(self, grid=tuple(words[0][k : k + self.n] for k in range(0, self.n**2, self.n)))
        return replace(self, grid=text)

    def unparse(self, solution: Iterable[Entry]) -> str:
        between = "" if not isinstance(self.grid, str) else "/" if "/" in self.grid else " "
        return between.join(self.decode(solution))

    def text_form(self) -> TextForm:
        layouts = [between.join([TextForm.PLACE * self.n] * self.n) for between in ("", " ", "/")]
        return make_text_form(list_cells((self.n, self.n)), self._symbols, layouts, ".")

    def frame(self) -> Hashable:
        return self.n, self.mate, self.diagonals

    def decode(self, solution: Iterable[Entry]) -> tuple[str, ...]:
        """Return the rows, with . for empty cells."""
        symbols = {(row, column): symbol for row, column, symbol in solution}
        return tuple(draw_letters(symbols, (self.n, self.n)))

    def describe_rules(self) -> str:
        rules = ["Fill the square so that each row and column holds every symbol once."]
        rules += ["So does each diagonal."] * self.diagonals
        rules += ["Each symbol meets each color once."] * bool(self._mate)
        return " ".join(rules)

    def draw(self, solution: Iterable[Entry]) -> Picture:
        """Return the square; the symbols of the mate, if any, are shown as colors."""
        given, entries = set(self._given), tuple(solution)
        cells = shade_cells(dict.fromkeys(list_cells((self.n, self.n)), ""), given.intersection(entries))
        cells |= {cell: replace(cells[cell], tint=self._symbols.index(one)) for cell, one in self._mate.items()}
        title = f"Latin square of order {self.n}" + (", orthogonal to the one in colors" if self._mate else "")
        return Picture(title, (*cells.values(), *label_symbols(entries, given)), grid=True)
