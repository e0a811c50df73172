"""Boards of any size as text: rows of symbols as people and other programs write them.

A row is a line, or stands between slashes. Its cells are words between spaces or commas, if there are as many in each
row, else characters; or they stand between the signs ``+`` of a frame, and what is drawn between them is not read:

    +-+-+ +
    |3|2 1
    +-+ + +

Above the rows, a line may state their number and that of the columns. If it may be a row as well, the board is refused,
so that nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Self, TypeAlias

from exactcover import ParameterError, read_data
from exactcover.model.text_form import NumberedText
from exactcover.pictures import format_count
from problems.boards import CellEncoder, parse_size
from problems.grid_lines import Token
from problems.grid_text import is_file_name

Rows: TypeAlias = str | tuple[str | tuple[str | int | None, ...], ...]
"""A text, or a list of rows, each as text or as a list of cells."""

BLANK = "."
HOLE = "#"
_BLANKS = {"", "-", "_", ".", "~", " ", "\N{MIDDLE DOT}"}
_SIZE = re.compile(r"\s*(\d{1,4})\s*[ xX×,]\s*(\d{1,4})\s*")
_FRAME = re.compile(r"[+\s|-]*\+[+\s|-]*")
_COMMENT = re.compile(r"\s*#\s.*[A-Za-z]{2}")  # a sign alone may be a blocked cell
_MOST_CELLS = 1 << 20


@dataclass(frozen=True)
class SymbolRows:
    """The cells of a board, row by row; the symbol of an empty one is ``.``."""

    parameter: str
    rows: Sequence[Sequence[Token]]
    symbols: Sequence[Sequence[str]]

    @property
    def size(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return len(self.rows), len(self.rows[0])

    @property
    def places(self) -> dict[tuple[int, int], str]:
        """The symbols that are not blank, by row and column from 1."""
        cells = self.cells.items()
        return {cell: symbol for cell, symbol in cells if symbol != BLANK}

    @property
    def cells(self) -> dict[tuple[int, int], str]:
        """All symbols, by row and column from 1."""
        return {(row, column): one for row, line in enumerate(self.symbols, 1) for column, one in enumerate(line, 1)}

    @cached_property
    def holes(self) -> frozenset[tuple[int, int]]:
        """The holes, by row and column from 1."""
        return frozenset(cell for cell, symbol in self.cells.items() if symbol == HOLE)

    @cached_property
    def open(self) -> list[tuple[int, int]]:
        """The other cells, by row and column from 1."""
        return [cell for cell in self.cells if cell not in self.holes]

    def write(self, symbols: Mapping[tuple[int, int], str]) -> list[str]:
        """Return the rows of a board of this size, with its holes and some symbols, by row and column from 1."""
        rows, columns = self.size
        symbols = dict.fromkeys(self.holes, HOLE) | {**symbols}
        longest = max(map(len, symbols.values()), default=1)
        between = "" if longest == 1 else " "
        written = {cell: f"{symbol:>{longest}}" for cell, symbol in symbols.items()}
        blank = f"{BLANK:>{longest}}"
        lines = range(1, rows + 1)
        return [between.join(written.get((row, k), blank) for k in range(1, columns + 1)) for row in lines]

    def refuse(self, cell: tuple[int, int], message: str) -> ParameterError:
        """Return a mistake in a cell."""
        row, column = cell
        path = self.rows[row - 1][column - 1].path
        return ParameterError((self.parameter, *path), f"row {row}, column {column}: {message}")


Read: TypeAlias = Callable[[str], str | None]
"""Returns the symbol that a text means; None if it means none."""


def read_rows(
    given: Rows,
    parameter: str,
    read: Read,
    expected: str,
    *,
    comments: bool = True,
    size: tuple[int, int] | None = None,
) -> SymbolRows:
    """Return the cells of a board: a text, a list of rows, the name of a file, or ROWSxCOLUMNS for an empty board.

    `read` returns the symbol that a text means, or None; it is not asked for blanks. What a cell may hold is
    `expected`, in words. Lines above the rows may be `comments`, which begin with # and a space. A text that can be
    read in several ways is read so that it has the `size`, if that is known, and refused otherwise.
    """
    if isinstance(given, str) and re.fullmatch(r"\s*\d+\s*[xX×]\s*\d+\s*", given):
        rows, columns = parse_size(given, parameter)
        if rows * columns > _MOST_CELLS:
            raise ParameterError(parameter, f"the board {given.strip()} is too large")
        empty = [[Token((), "")] * columns] * rows
        return SymbolRows(parameter, empty, [[BLANK] * columns] * rows)
    if isinstance(given, str) and is_file_name(given):
        text = read_data(given, parameter)
        try:
            return read_rows(f"{text}\n", parameter, read, expected, comments=comments)
        except ParameterError as error:
            raise ParameterError(parameter, f"{given}: {error.message}") from None
    lines = _list_lines(given, comments=comments)
    if not lines:
        raise ParameterError(parameter, f"there are no rows; expected rows of {expected or 'symbols'}, or ROWSxCOLUMNS")

    def find(text: str) -> str | None:
        return BLANK if text in _BLANKS else read(text)

    if len(lines) == 1 and size is None and isinstance(given, str):
        _check_row(parameter, lines[0], find)
    boards = list[SymbolRows]()
    for sized in (True, False):
        for rows_of_cells in _read_each_way(lines, sized=sized, is_column=size is not None and size[1] == 1):
            symbols = [[one for cell in row if (one := find(cell.text)) is not None] for row in rows_of_cells]
            sizes = {len(row) for row in (*symbols, *rows_of_cells)}
            if len(sizes) == 1:
                boards.append(SymbolRows(parameter, rows_of_cells, symbols))
                break
    boards = [board for board in boards if board.size == size] or boards
    if len(boards) > 1:
        message = "this may be the size of the board or a row of it; leave the size out"
        raise ParameterError((parameter, *lines[0].path), message)
    if not boards:
        _check_size(parameter, lines)
        is_sized = any(True for _ in _read_each_way(lines, sized=True))
        raise _explain(parameter, next(_read_each_way(lines, sized=is_sized)), find, expected)
    return boards[0]


@dataclass(frozen=True)
class _Row:
    """A row as text, or as cells, with what leads to its start in the parameter."""

    path: tuple[int, ...]
    text: str
    cells: Sequence[Token] | None = None

    def token(self, start: int, stop: int) -> Token:
        *outer, offset = self.path
        text = self.text[start:stop]
        return Token((*outer, offset + start + len(text) - len(text.lstrip())), text.strip())


def _list_lines(given: Rows, *, comments: bool) -> list[_Row]:
    """Return the rows that are not blank, without comments above them."""
    if not isinstance(given, str):
        return [
            _Row((number, 0), row)
            if isinstance(row, str)
            else _Row((number,), "", [Token((number, k), _write(one)) for k, one in enumerate(row)])
            for number, row in enumerate(given)
        ]
    text = given.expandtabs(1).replace("\r", " ")
    rows, start = list[_Row](), 0
    for line in text.replace("/", "\n").split("\n"):
        rows.append(_Row((start,), line))
        start += len(line) + 1
    kept = [row for row in rows if row.text.strip()]
    above = next((k for k, row in enumerate(kept) if not (comments and _COMMENT.match(row.text))), len(kept))
    return kept[above:]


def _write(cell: str | int | None) -> str:
    return "" if cell is None else str(cell).strip()


def _read_each_way(
    lines: Sequence[_Row], *, sized: bool, is_column: bool = False
) -> Iterator[Sequence[Sequence[Token]]]:
    """Yield the cells in each way of reading the rows, below a line with their size or without it."""
    if sized:
        size, lines = _SIZE.fullmatch(lines[0].text), lines[1:]
        if size is not None and lines and int(size[1]) == len(lines):
            found = ([read(line) for line in lines] for read in _choose_ways(lines, is_column=is_column))
            yield from (rows for rows in found if all(len(row) == int(size[2]) for row in rows))
    elif any(line.cells is not None for line in lines):
        yield [_read_words(line) if line.cells is None else line.cells for line in lines]
    elif _is_frame(lines):
        yield _read_frame(lines)
    else:
        yield from ([read(line) for line in lines] for read in _choose_ways(lines, is_column=is_column))


def _choose_ways(lines: Sequence[_Row], *, is_column: bool) -> Sequence[Callable[[_Row], list[Token]]]:
    """Return how lines may be read, the most likely way first."""
    if is_column or any(re.search(r"[,;]", line.text) for line in lines):
        return (_read_words,)
    words = {len(_read_words(line)) for line in lines}
    if words == {1}:
        return (_read_characters,)
    return (_read_words, _read_characters) if len(words) == 1 else (_read_characters, _read_words)


def _read_characters(line: _Row) -> list[Token]:
    return [line.token(k, k + 1) for k, one in enumerate(line.text) if not one.isspace()]


def _read_words(line: _Row) -> list[Token]:
    if re.search(r"[,;]", line.text):
        stops = [-1, *(match.start() for match in re.finditer(r"[,;]", line.text)), len(line.text)]
        return [line.token(start + 1, stop) for start, stop in pairwise(stops)]
    return [line.token(*match.span()) for match in re.finditer(r"\S+", line.text)]


def _is_frame(lines: Sequence[_Row]) -> bool:
    """Return whether every other line has the signs of a frame, all at the same places, and no cell is outside."""
    borders, between = lines[::2], lines[1::2]
    corners = [[match.start() for match in re.finditer(r"\+", line.text)] for line in borders]
    return (
        len(lines) % 2 == 1
        and all(_FRAME.fullmatch(line.text) for line in borders)
        and len(corners[0]) > 1
        and all(places == corners[0] for places in corners)
        and all(set(line.text[: corners[0][0]] + line.text[corners[0][-1] :]) <= set(" |-") for line in between)
    )


def _read_frame(lines: Sequence[_Row]) -> list[list[Token]]:
    """Return what stands between the signs of a frame."""
    corners = [match.start() for match in re.finditer(r"\+", lines[0].text)]
    return [[line.token(start + 1, stop) for start, stop in pairwise(corners)] for line in lines[1::2]]


def _check_row(parameter: str, line: _Row, find: Read) -> None:
    """Refuse a row whose words are no cells, but may be rows; and one in which two signs part cells."""
    words = line.text.split()
    may_be_rows = len({*map(len, words)}) == 1 < min(len(words), len(words[0])) and None in map(find, words)
    signs = {*line.text} & {*",;"}
    if len(signs) > 1 or (may_be_rows and not signs):
        message = "this may be one row or several; put slashes between rows, or blanks between all cells"
        raise ParameterError((parameter, *line.path), message)


def _check_size(parameter: str, lines: Sequence[_Row]) -> None:
    """Refuse a line above rows of one length that states another size."""
    size = _SIZE.fullmatch(lines[0].text)
    rows = next(_read_each_way(lines[1:], sized=False)) if size is not None and len(lines) > 2 else []
    if (
        size is None
        or len({len(row) for row in rows}) != 1
        or not {len(rows), len(rows[0])} & {*map(int, size.groups())}
    ):
        return
    wanted = f"{format_count(int(size[1]), 'row')} of {format_count(int(size[2]), 'cell')}"
    if (len(rows), len(rows[0])) != (int(size[1]), int(size[2])):
        message = f"the first line states {wanted}; got {len(rows)} of {len(rows[0])}"
        raise ParameterError((parameter, *lines[0].path), message)


def _explain(parameter: str, rows: Sequence[Sequence[Token]], find: Read, expected: str) -> ParameterError:
    """Return the first mistake in rows that are no board."""
    found = SymbolRows(parameter, rows, ())
    for row, line in enumerate(rows, 1):
        for column, cell in enumerate(line, 1):
            if find(cell.text) is None:
                return found.refuse((row, column), f"{cell.text!r} is not {expected}")
    number, row_of_cells = next(pair for pair in enumerate(rows, 1) if len(pair[1]) != len(rows[0]))
    size = format_count(len(rows[0]), "cell")
    path = row_of_cells[0].path if row_of_cells else ()
    message = f"row {number}: expected {size}, as in row 1, got {len(row_of_cells)}"
    return ParameterError((parameter, *path), message)


@dataclass(frozen=True)
class BoardEncoder(CellEncoder):
    """A family whose instances are boards, which one of its parameters holds."""

    board_parameter: ClassVar[str] = "board"

    def instances(self, lines: Iterable[str]) -> Iterator[str]:
        """Split a stream of lines into boards, with blank lines between them; or each is a line with slashes."""
        return split_boards(lines)

    def parse(self, text: str) -> Self:
        return replace(self, **{self.board_parameter: f"{text}\n"})  # which is never the name of a file


def split_boards(lines: Iterable[str], *, comments: bool = True) -> Iterator[str]:
    """Split a stream of lines into boards: blank lines stand between them, or each is one line with slashes.

    Lines that begin with # and a space are comments if words stand in them, unless there are no `comments`.
    """
    kept: list[str] = []
    start = 0
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        if kept and (not text.strip() or "/" in text):
            yield NumberedText("\n".join(kept), start)
            kept = []
        if "/" in text:
            yield NumberedText(text, number)
        elif text.strip() and not (comments and _COMMENT.match(text)):
            start = start if kept else number
            kept.append(text)
    if kept:
        yield NumberedText("\n".join(kept), start)


def write_frame(
    cells: Sequence[Sequence[str]], above: Mapping[tuple[int, int], str], before: Mapping[tuple[int, int], str]
) -> str:
    """Return a board in a frame, which :func:`read_rows` reads, with what is drawn between its cells.

    The characters `above` cells, and `before` them, are by row and column from 0; those that are missing are blank.

    >>> print(write_frame(["3."], {(0, 0): "-", (1, 0): "-"}, {(0, 0): "|", (0, 1): "|"}))
    +-+ +
    |3|.
    +-+ +
    """
    width = max(len(one) for row in cells for one in row)
    lines = []
    for row in range(len(cells) + 1):
        signs = [above.get((row, column), " ") for column in range(len(cells[0]))]
        borders = [sign * width if sign == "-" else f"{sign:^{width}}" for sign in signs]
        lines.append("+".join(["", *borders, ""]))
        if row < len(cells):
            inside = [f"{before.get((row, column), ' ')}{one:^{width}}" for column, one in enumerate(cells[row])]
            lines.append(("".join(inside) + before.get((row, len(cells[0])), " ")).rstrip())
    return "\n".join(lines)


def write_table(words: Mapping[tuple[int, int], object], size: tuple[int, int]) -> str:
    """Return lines with a word for each cell of a board."""
    rows, columns = (range(1, number + 1) for number in size)
    return "".join(" ".join(str(words.get((row, column), BLANK)) for column in columns) + "\n" for row in rows)
