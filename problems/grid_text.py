"""Grids of symbols as people and other programs write them, split into cells by one reader.

A line is read in several ways: as words, as characters, as fields between commas, or in the columns of a frame. A way
fits if it finds a square. If several ways fit and differ, the text is refused, so that nothing is ever guessed.
"""

from __future__ import annotations

import math
import re
import string
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeAlias

from exactcover import ParameterError, pictures

__all__ = ["MAX_SIDE", "CellGrid", "Grid", "Token", "is_blank_cell", "is_file_name", "read_grid", "split_grids"]

Cell: TypeAlias = str | int | None
Grid: TypeAlias = str | tuple[Cell | tuple[Cell, ...], ...]

MAX_SIDE = 64
_FILES = (".txt", ".sdk", ".sdm", ".ss", ".spf", ".sud", ".csv", ".tsv", ".json", ".opensudoku")
_SQUARES = frozenset(root**2 for root in range(2, 9))  # the sides of boards with square boxes
_MAX_TEXT = 1 << 17  # characters of a grid
_MAX_HEADING = 200  # characters
_MAX_LINES = 4 * MAX_SIDE  # that are looked at together
_FEW_CELLS = 0.2  # the share of the cells that may be missing or too many in a guess
_BLANKS = ".-_*?~#·•∙□…–—"
_NOTHING = {"", "-1", "null", "none", "nil", "nan"}
_CANDIDATES, _DIGITS = 729, "123456789"
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: " ", 0xA0: " "}
_FRAME = dict.fromkeys(range(0x2500, 0x2580), "+") | dict.fromkeys(map(ord, "─━═╌╍┄┅┈┉╴╶╸╺╼╾"), "=")
_CLEAN = _WIDE | _FRAME | dict.fromkeys(map(ord, "│┃║╎╏┆┇┊┋╵╷╹╻╽╿"), "|")

_LABEL = re.compile(r"\s*[\[(]?(r?\w{1,2})[\])]?[:.|,;]?", re.I)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_PLAIN = re.compile(r"\s*([0-9A-Za-z.*?_~-]+)\s*")
_COMMENT = re.compile(r"\s*(#|%|!|//\s|/\*|;\s+[A-Za-z]{3}|--\s+[A-Za-z])")
_TRAILING = re.compile(r"\s(#|//|%|--\s)")
_RULER = re.compile(r"(?=.*([+=]|[*.:'`]-|-[*.:'`]))(?=.*(--|==|[+*]))[\s|+=*:.'`,~_-]*")
_DASHES = re.compile(r"(?=.*(--|__))[\s|_-]*")
_OTHER_ORDER = re.compile(r"(?i)\b(columns|boxes|blocks)\b(?=[\"':, ])")
_SECTION = re.compile(r"\s*\[\s*([A-Za-z]+)\s*\]\s*")
_NAME = re.compile(
    r"\s*(puzzles?|quiz(zes)?|grids?|sudokus?|boards?|problems?)\W*\d*\W*|\s*<.*|\s*[A-Za-z][A-Za-z ]*[:=][^|]*", re.I
)
_PROSE = re.compile(r"(?=.*[A-Za-z]{2}.*[a-z])(?=.*\w[\s,;:]+\w).*[A-Za-z]{3}.*")
_WORD = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^\s|,;\"']+)")
_WORDS = re.compile(r"[^\s,;:\"'<>=|&(){}\[\]]{65,}")
_FACT = re.compile(
    r"\b(?:constraint\s+)?(?:r(\d{1,2})c(\d{1,2})\s*=\s*|"
    r"\w+\s*[(\[]\s*(\d{1,2})\s*,\s*(\d{1,2})\s*(?:,|[)\]]\s*=+)\s*)(\w{1,2})\b"
)


class Token(NamedTuple):
    """The text of a cell, and the positions that lead to it in the grid as it is given."""

    path: tuple[int, ...]
    text: str


@dataclass
class CellGrid:
    """The cells of one grid, or what is wrong with it.

    Attributes
    ----------
    line
        The number of its first line, from 1.
    text
        Its text as it was found.
    cells
        The cells, row by row; none if the text itself is all of them.
    is_line, is_spaced, are_numbers
        Whether all cells stand on one line, whether something separates those of a row, and whether they are numbers.
    borders
        The numbers of cells to the left of the borders between boxes; None if they differ between rows.
    fault
        The mistake that prevents reading it.
    """

    line: int = 1
    text: str = ""
    cells: Sequence[Sequence[Token]] = ()
    symbols: str = ""
    is_line: bool = False
    is_spaced: bool = False
    are_numbers: bool = False
    borders: frozenset[int] | None = frozenset()
    fault: ParameterError | None = None
    start: int = 0

    @cached_property
    def rows(self) -> Sequence[Sequence[Token]]:
        """The cells, row by row."""
        return self.cells or _arrange([Token((self.start + k,), one) for k, one in enumerate(self.text)])

    def compact(self) -> str:
        """Return the grid in the plainest of its forms: words or characters, in one line or one line per row."""
        blank = next(one for one in ".0-_*?#~" if one not in self.symbols)
        if not self.cells:
            return self.text.translate({ord(one): blank for one in _BLANKS if one not in self.symbols})
        blanks = {one.text for row in self.rows for one in row if is_blank_cell(one.text, self.symbols)}
        blanks -= set("0xX") if len(_find_blanks(blanks, self.symbols, 0)) > 1 else set()  # symbols, beside a blank
        rows = [[blank if one.text in blanks else one.text for one in row] for row in self.rows]
        return ("" if self.is_line else "\n").join((" " if self.is_spaced else "").join(row) for row in rows)


class _Line(NamedTuple):
    """A line, of the same length as before all kinds of frames and of digits became those of ASCII."""

    start: int
    text: str
    number: int


def is_blank_cell(text: str, symbols: str = "") -> bool:
    """Return whether a text stands for an empty cell, if it is not one of the symbols.

    Examples
    --------
    >>> [is_blank_cell(one) for one in ("0", ".", "x", "--", "null", "a", "9")]
    [True, True, True, True, True, False, False]
    """
    if text in symbols:
        return not text
    if text in ("x", "X"):
        return text.lower() not in symbols.lower()
    same = len(set(text)) == 1 and len(text) <= 3
    return text.strip().lower() in _NOTHING or (same and text[0] in f"{_BLANKS}0".replace("#" * (len(text) > 1), ""))


def _find_blanks(cells: Iterable[str], symbols: str, side: int) -> set[str]:
    """Return the kinds of blanks in some cells; beside letters, but not beside numbers, 0 and X may be symbols."""
    cells = list(cells)
    has_letters = side > len(_DIGITS) and not any(len(one) > 1 and one.isdecimal() for one in cells)
    kinds = {one[:1] if one in "000---___***???" else one for one in cells if is_blank_cell(one, symbols)}
    return kinds - set("0xX") if has_letters else kinds


def _may_be_cell(text: str) -> bool:
    return len(text) <= 1 or is_blank_cell(text) or (text.isascii() and text.isdecimal() and len(text) <= 3)


def _unquote(match: re.Match[str], line: _Line) -> Token:
    group = next(k for k in (1, 2, 3) if match[k] is not None)
    return Token((line.start + match.start(group),), match[group].strip())


def _read_words(line: _Line) -> list[Token] | None:
    if re.search(r"[,;]\s*[,;]|^\s*[,;]|\t\t|^\t|[,;]\s*$", line.text):
        return None  # with empty cells
    found = [_unquote(match, line) for match in _WORD.finditer(line.text)]
    return found if len(found) > 1 and all(_may_be_cell(one.text) for one in found) else None


def _read_characters(line: _Line) -> list[Token] | None:
    text = line.text.strip(",; \t\r\n")
    if re.search(r"[,;]\s*[,;]|\t\t|^\t", text):
        return None
    return [Token((line.start + k,), one) for k, one in enumerate(line.text) if one not in " \t\r\n|,;\"'"]


def _read_fields(line: _Line) -> list[Token] | None:
    mark = next((one for one in "\t;," if one in line.text), None)
    if mark is None:
        return None
    found, start = [], line.start
    for part in line.text.rstrip("\r\n").split(mark):
        found.append(Token((start + len(part) - len(part.lstrip()),), part.strip().strip("\"'")))
        start += len(part) + 1
    return found if all(_may_be_cell(one.text) for one in found) else None


def _read_ended_fields(line: _Line) -> list[Token] | None:
    """Return fields each of which ends with a separator."""
    found = _read_fields(line)
    return found[:-1] if found and not found[-1].text else found


def _read_begun_fields(line: _Line) -> list[Token] | None:
    """Return fields each of which begins with a separator."""
    found = _read_fields(line)
    return found[1:] if found and not found[0].text else found


def _read_first_word(line: _Line) -> list[Token] | None:
    words = line.text.split(None, 1)
    if len(words) < 2 or len(words[0]) < 4:
        return None
    if not re.search("[a-z(]", words[1]):
        return None  # more cells rather than a comment
    start = line.start + line.text.index(words[0])
    return [Token((start + k,), one) for k, one in enumerate(words[0])]


_READINGS: dict[str, Callable[[_Line], list[Token] | None]] = {
    "words": _read_words,
    "characters": _read_characters,
    "fields": _read_fields,
    "ended fields": _read_ended_fields,
    "begun fields": _read_begun_fields,
    "first word": _read_first_word,
}


def is_file_name(grid: str) -> bool:
    """Return whether a text is the name of a file rather than a grid.

    Examples
    --------
    >>> is_file_name("puzzle.txt"), is_file_name("53..7")
    (True, False)
    """
    return "\n" not in grid and grid.lower().endswith(_FILES)


def read_grid(grid: Grid, side: int = 0, symbols: str = "") -> CellGrid:
    """Return the cells of a grid: a text, a list of lines, a list of rows of cells, or a list of all cells.

    Parameters
    ----------
    grid
        The grid; nothing, if it is empty.
    side, symbols
        As for :func:`read_cells`.

    Raises
    ------
    ParameterError
        If it is not one grid, or if it can be read in more than one way.
    """
    if not grid or (isinstance(grid, str) and not grid.strip()):
        return CellGrid(is_line=isinstance(grid, str))
    if isinstance(grid, str):
        return read_cells(grid, side, symbols)
    if all(isinstance(row, str) and len(row) > 1 for row in grid):
        return _read_rows([str(row) for row in grid], side, symbols)
    values = [row if isinstance(row, list | tuple) else (row,) for row in grid]
    if len({one for row in values for one in row if one in (None, 0, -1)}) > 1:
        raise ParameterError("grid", "None, 0 and -1 may all be blanks; use one of them")
    rows: list[Sequence[Token]] = [
        [Token((number, column), "" if one in (None, 0, -1) else str(one)) for column, one in enumerate(row)]
        for number, row in enumerate(values)
    ]
    if {len(row) for row in rows} == {1}:
        rows = _arrange([Token(row[0].path[:1], row[0].text) for row in rows])
    wanted = side or (len(rows) if len(rows) in map(len, rows) else _guess_side(sum(map(len, rows))))
    wrong = next((number for number, row in enumerate(rows) if len(row) != wanted), None)
    if wrong is not None or len(rows) != wanted:
        unit, got, path = ("row", len(rows), ()) if wrong is None else ("cell", len(rows[wrong]), (wrong,))
        message = f"expected {pictures.format_count(wanted, unit)}, got {got}; {_show_form(wanted)}"
        raise ParameterError(("grid", *path), message if wrong is None else f"row {wrong + 1}: {message}")
    are_numbers = any(isinstance(one, int) for row in values for one in row)
    return CellGrid(cells=rows, symbols=symbols, is_spaced=are_numbers, are_numbers=are_numbers)


def _read_rows(rows: Sequence[str], side: int, symbols: str) -> CellGrid:
    """Return the cells of a list of lines, with places that are positions in the list and in a line."""
    starts = list(accumulate((len(row) + 1 for row in rows), initial=0))

    def locate(offset: int) -> tuple[int, int]:
        row = bisect_right(starts, offset) - 1
        return row, offset - starts[row]

    try:
        found = read_cells("\n".join(rows), side, symbols)
    except ParameterError as error:
        raise ParameterError(
            ("grid", *(place for at in error.path[1:] for place in locate(int(at)))), error.message
        ) from None
    cells = [[Token(locate(one.path[0]), one.text) for one in row] for row in found.rows]
    return replace(found, cells=cells, is_line=False)


def read_cells(text: str, side: int = 0, symbols: str = "") -> CellGrid:
    """Return the cells of a text that contains one grid.

    Parameters
    ----------
    text
        The text, at most of 131,072 characters.
    side
        The number of rows, or 0 if it is not known.
    symbols
        The symbols, or an empty text for the usual ones.

    Raises
    ------
    ParameterError
        If the text contains no grid or several, or if it can be read in more than one way.
    """
    if len(text) > _MAX_TEXT:
        raise ParameterError("grid", f"the text has {len(text):,} characters; expected one grid")
    found = []
    for grid in split_grids(_LINE.findall(text), side, symbols, alone=True):
        if grid.fault is not None:
            raise grid.fault
        found.append(grid)
    if len({one.compact().replace("\n", "") for one in found}) != 1:
        places = ", ".join(str(one.line) for one in found[:3]) + (", ..." if len(found) > 3 else "")
        several = f"{len(found):,} grids begin on lines {places}; expected one (the verb batch reads many)"
        raise ParameterError("grid", several if found else f"there is no grid; {_show_form(side or 9)}")
    return found[0]


def split_grids(lines: Iterable[str], side: int = 0, symbols: str = "", *, alone: bool = False) -> Iterator[CellGrid]:
    """Yield the grids in a stream of lines, each as soon as its last line has come.

    Parameters
    ----------
    lines
        The lines with their ends.
    side, symbols
        As for :func:`read_cells`.
    alone
        Whether the lines contain one grid, so that a single line is all of it.
    """
    splitter = _Splitter(_Shape(side, symbols, alone))
    start = 0
    for number, line in enumerate(lines, 1):
        mark = number == 1 and line.startswith("\ufeff")  # of the order of bytes
        yield from splitter.add(_Line(start + mark, line[mark:], number))
        start += len(line)
    yield from splitter.end()


class _Shape(NamedTuple):
    """What is known about grids before they are read."""

    side: int
    symbols: str
    alone: bool = False

    def is_usual(self, side: int) -> bool:
        return side in _SQUARES or side == self.side > 1

    def is_whole(self, cells: int, *, alone: bool = False) -> bool:
        """Whether this many cells on one line are a whole grid rather than a row; `alone` if there is no other line."""
        side = math.isqrt(cells)
        return side**2 == cells and 1 < side <= MAX_SIDE and (side == self.side or cells > MAX_SIDE or alone)

    def accepts(self, cells: Sequence[Token], side: int) -> bool:
        """Whether all cells may be symbols or blanks of one kind; a few letters may be mistakes, and so may numbers."""
        if len(_find_blanks((one.text for one in cells), self.symbols, side)) > 1:
            return False
        has_letters = any(map(str.isalpha, self.symbols)) if self.symbols else side > len(_DIGITS)
        others = [one.text for one in cells if not is_blank_cell(one.text, self.symbols) and not one.text.isdecimal()]
        strange = [one for one in others if one not in self.symbols and not (one.isalpha() or one in "+/")]
        return not strange and (has_letters or 2 * len(others) <= len(cells))


class _Splitter:
    """Gathers lines until they are a grid, or cannot become one."""

    def __init__(self, shape: _Shape) -> None:
        self._shape = shape
        self._is_plain = not all(one.isalnum() or one in "+/" for one in shape.symbols)  # a mark may be a symbol
        self._lines: list[_Line] = []
        self._breaks: list[int] = []  # how many of the lines stand before blank lines
        self._dashes: list[int] = []  # the positions of lines that are rulers, unless a dash is a blank
        self._counts: set[tuple[str, int]] = set()  # ways of reading, and how many cells they find in every line
        self._array: list[_Line] = []  # lines since a bracket was opened
        self._depth = 0
        self._was_ruler = self._skips = False

    def add(self, line: _Line) -> Iterator[CellGrid]:
        """Take on a line; yield the grids that it completes."""
        other = _OTHER_ORDER.search(line.text[:_MAX_HEADING])
        if other is not None:
            message = f"{other[0]!r} says that the cells are not in rows; {_show_form(self._shape.side or 9)}"
            yield CellGrid(line.number, line.text.strip(), fault=ParameterError(("grid", line.start), message))
            return
        plain = None if self._lines or self._array or self._skips else _PLAIN.fullmatch(line.text)
        if (
            plain is not None
            and self._shape.is_whole(len(plain[1]))
            and len(plain[1]) > 3
            and set(plain[1]) - set("-_*")
            and len(_find_blanks(set(plain[1]), self._shape.symbols, math.isqrt(len(plain[1])))) <= 1
        ):
            start = line.start + plain.start(1)
            if len(plain[1]) != _CANDIDATES or self._shape.side == math.isqrt(_CANDIDATES):
                yield CellGrid(line.number, plain[1], symbols=self._shape.symbols, is_line=True, start=start)
            else:
                yield _join_candidates([Token((start + k,), one) for k, one in enumerate(plain[1])], line)
            return
        if self._is_plain:
            yield from self._add_row(line) if line.text.strip() else self.end()
            return
        trailing = _TRAILING.search(line.text)
        has_words = trailing is not None and any(map(str.isalpha, line.text[trailing.end() :]))
        comment = _COMMENT.match(line.text) or (trailing if has_words else None)
        cleaned = line.text.translate(_CLEAN)
        line = line._replace(text=cleaned[: comment.start()].ljust(len(cleaned)) if comment else cleaned)
        section = _SECTION.fullmatch(line.text)
        if section is not None:
            yield from self.end()
            self._skips = section[1].lower() != "puzzle"
        elif not self._skips:
            yield from self._add_clean(line, is_comment=comment is not None)

    def _add_clean(self, line: _Line, *, is_comment: bool) -> Iterator[CellGrid]:
        words = line.text.split("/")
        if {len(word.strip()) for word in words} == {len(words)}:  # rows between slashes
            line = line._replace(text=line.text.replace("/", " "))
        if self._array or (any(one in line.text for one in "[{") and not _is_facts(line.text)):
            self._array.append(line)
            self._depth += len(re.findall(r"[\[{]", line.text)) - len(re.findall(r"[\]}]", line.text))
            if self._depth <= 0 or line.start - self._array[0].start > _MAX_TEXT:
                yield from self._end_array()
        elif not line.text.strip():
            yield from () if is_comment else self._add_break()
        elif _RULER.fullmatch(line.text):
            if self._was_ruler and self._lines:  # one frame ends, and another begins
                yield from self.end()
            self._was_ruler = True
        elif (whole := _find_whole_word(line, self._shape)) is not None:
            yield from self.end()
            yield whole
        elif self._is_heading(line):
            yield from self.end()
        elif (
            min(len(cells) for read in (_read_words, _read_characters) if (cells := read(line) or line.text)) > MAX_SIDE
        ):
            yield from self.end()  # a grid on one line, of which cells are missing or too many
            self._lines = [line]
            yield from self.end()
        else:
            yield from self._add_row(line)

    def _is_heading(self, line: _Line) -> bool:
        """Whether a line is a name, a note or the head of a table rather than a row."""
        text = line.text.strip()
        if len(text) > _MAX_HEADING or _is_facts(text):
            return False
        sizes = {len(word) for word in re.findall(r"\w+", text)}
        is_prose = (
            _PROSE.fullmatch(text) and len(sizes) > 1 and 2 * sum(map(str.isalpha, text)) > len("".join(text.split()))
        )
        return _NAME.fullmatch(text) is not None or bool(is_prose)

    def _add_row(self, line: _Line) -> Iterator[CellGrid]:
        if self._was_ruler and self._lines and "|" in self._lines[-1].text and "|" not in line.text:
            yield from self.end()  # a frame has ended
        self._was_ruler = False
        if self._breaks and len(self._lines) - self._breaks[-1] >= self._breaks[0]:  # too long to be a band
            behind = self._lines[self._breaks[-1] :]
            self._lines = self._lines[: self._breaks[-1]]
            yield from self.end()
            for one in behind:
                yield from self._add_row(one)
        if len(self._lines) >= _MAX_LINES:
            yield from self.end()
        self._lines.append(line)
        if _DASHES.fullmatch(line.text):
            self._dashes.append(len(self._lines) - 1)
        else:
            counts = {
                name: len(cells) for name in ("words", "characters", "fields") if (cells := _READINGS[name](line))
            }
            usual = {one for one in counts.items() if self._shape.is_usual(one[1]) and _is_regular(line)}
            self._counts = usual & self._counts if len(self._lines) - len(self._dashes) > 1 else usual
        is_open = self._breaks or self._shape.alone or _names_columns(self._lines[0])
        if not is_open and self._count_rows() in dict(self._counts).values():
            yield from self.end()

    def _count_rows(self) -> int:
        """Return how many of the lines are rows; 0 if dashes stand where there may be rulers as well as empty rows."""
        if not any("-" in line.text for k, line in enumerate(self._lines) if k not in self._dashes):
            return len(self._lines) - len(self._dashes)
        band = math.isqrt(max(dict(self._counts).values(), default=0)) + 1
        return len(self._lines) if not self._dashes or any((k + 1) % band for k in self._dashes) else 0

    def _add_break(self) -> Iterator[CellGrid]:
        """A blank line ends a grid, or a band of its boxes."""
        self._was_ruler = False
        if not self._lines:
            return
        grids = self._find()
        band = len(self._lines) - (self._breaks[-1] if self._breaks else 0)
        sides = {len(cells) for read in _READINGS.values() if (cells := read(self._lines[0]))}
        is_band = any(side % band == 0 and 1 < band < side and self._shape.is_usual(side) for side in sides)
        if grids[0].fault is not None and is_band and band == (self._breaks or [band])[0]:
            self._breaks.append(len(self._lines))
        elif band:
            self._clear()
            yield from grids

    def _end_array(self) -> Iterator[CellGrid]:
        lines, self._array, self._depth = self._array, [], 0
        rows = _split_array(lines)
        if rows and self._lines:
            yield from self.end()
        for row in rows:
            whole = _find_whole_word(row, self._shape)
            if whole is not None:
                yield whole
            else:
                self._lines.append(row)
        if rows:
            yield from self.end()

    def end(self) -> Iterator[CellGrid]:
        """Yield the grids in the lines that remain."""
        if self._array:
            yield from self._end_array()
        grids = self._find() if self._lines else []
        self._clear()
        yield from grids

    def _clear(self) -> None:
        self._lines, self._breaks, self._dashes, self._counts = [], [], [], set()

    def _find(self) -> list[CellGrid]:
        """Return the grids in the lines so far, or one that says what is wrong."""
        rows = [line for k, line in enumerate(self._lines) if k not in self._dashes]
        grids = _find_grids(rows or self._lines, self._lines, self._shape)
        if rows and self._dashes and any(mark in line.text for line in rows for mark in "-_"):
            all_rows = _find_grids(self._lines, self._lines, self._shape)  # empty ones are dashes
            return grids if all_rows[0].fault is not None else all_rows
        return grids


def _is_regular(line: _Line) -> bool:
    """Whether no cell of a row can be a space: words have like gaps or end at like distances, as between all bars."""
    parts = [part.strip() for part in line.text.strip().strip("|").split("|")]
    words = [part.split() for part in parts]
    are_single = all(" ".join(own) == " ".join(part.split(" ")) for own, part in zip(words, parts, strict=True))
    if len(parts) > 1:
        cells = max(len(words[0]), len(parts[0]))
        return are_single and len({(len(one), len(words[0])) for one in words}) == 1 and cells > 1
    ends = [match.end() for match in re.finditer(r"\S+", line.text)]
    return are_single or len({after - before for before, after in pairwise(ends)}) == 1


def _find_whole_word(line: _Line, shape: _Shape) -> CellGrid | None:
    """Return the grid that is one word of a line, between other words; of two, the one with blanks."""
    found: list[list[Token]] = []
    for match in _WORDS.finditer(line.text):
        cells = [Token((line.start + k,), line.text[k]) for k in range(*match.span())]
        if line.text.lstrip().startswith(":"):  # HoDoKu marks what is placed with +
            cells = [one for one in cells if one.text != "+"]
        if len(cells) > MAX_SIDE and shape.is_whole(len(cells)) and shape.accepts(cells, math.isqrt(len(cells))):
            found.append(cells)
    puzzles = [cells for cells in found if any(is_blank_cell(one.text, shape.symbols) for one in cells)]
    if not found or all({one.text for one in cells} <= set("-_*") for cells in found):
        return None
    if len(puzzles or found) > 1:
        message = f"{len(puzzles or found)} grids stand on one line; expected one"
        return CellGrid(line.number, line.text.strip(), fault=ParameterError(("grid", *found[1][0].path), message))
    return _make_whole((puzzles or found)[0], shape, line)


def _arrange(cells: Sequence[Token]) -> list[Sequence[Token]]:
    """Return the rows of a square."""
    side = math.isqrt(len(cells))
    return [cells[row * side : (row + 1) * side] for row in range(side)]


def _make_whole(cells: list[Token], shape: _Shape, line: _Line) -> CellGrid:
    if len(cells) == _CANDIDATES and shape.side != math.isqrt(_CANDIDATES):
        return _join_candidates(cells, line)
    return CellGrid(line.number, line.text.strip(), _arrange(cells), shape.symbols, is_line=True)


def _join_candidates(cells: list[Token], line: _Line) -> CellGrid:
    """Make a grid of nine places for each cell, which hold its candidates."""
    grid = CellGrid(line.number, line.text.strip(), is_line=True)
    joined = []
    for k in range(0, _CANDIDATES, 9):
        own = [(place, one) for place, one in enumerate(cells[k : k + 9], 1) if not is_blank_cell(one.text)]
        if len(own) not in (1, 9) or any(one.text != str(place) for place, one in own):
            message = "expected one candidate or all nine in each cell; grids with other candidates are not read"
            grid.fault = ParameterError(("grid", *cells[k].path), message)
            return grid
        joined.append(own[0][1] if len(own) == 1 else Token(cells[k].path, "."))
    grid.cells = _arrange(joined)
    return grid


def _split_array(lines: Sequence[_Line]) -> list[_Line]:
    """Return the rows of an array as programs write it, without keys and what stands before the first bracket."""
    text = "".join(line.text for line in lines)
    first, depth, rows, is_answer = lines[0], 0, [], False
    for match in re.finditer(r"([\[{])|[\]}]|[^\[\]{}]+", text):
        if len(match[0]) == 1 and match[0] in "[]{}":
            depth += 1 if match[1] else -1
            continue
        key = re.fullmatch(r"[\s,]*(?:.*,\s*)?[\"']?(\w+)[\"']?\s*[:=]\s*", match[0], re.DOTALL)
        is_answer = re.search("solution|solved|answer|candidate", key[1], re.I) is not None if key else is_answer
        if key or depth < 1 or is_answer:
            continue
        part, offset = match[0], match.start()
        lines_inside = [one for one in part.split("\n") if one.strip(" ,;|\t\r")]
        mark = "\n" if all(len(_WORD.findall(one)) > 1 for one in lines_inside) else ""
        mark = (
            mark if len(lines_inside) > 1 else "|" if part.lstrip().startswith("|") else ";" if ";;" not in part else ""
        )
        for piece in part.split(mark) if mark else [part.replace("\n", " ")]:
            if piece.strip(" ,;|\t\r\n"):
                shown = piece.replace("\n", " ").rstrip(" ,;|\t\r")
                lead = len(shown) - len(shown.lstrip(" ,;|\t\r"))
                place = first.start + offset + lead
                number = first.number + text.count("\n", 0, offset + lead)
                rows.append(_Line(place, shown[lead:], number))
            offset += len(piece) + len(mark)
    return [row for row in rows if len(row.text.strip("\"' ")) > 1]


def _is_facts(text: str) -> bool:
    return bool(_FACT.search(text)) and not re.sub(r"[\s.,;\])]", "", _FACT.sub("", text))


def _read_facts(lines: Sequence[_Line], shape: _Shape, text: str) -> CellGrid:
    """Return the grid of cells that are named, such as ``r1c2=5`` or ``cell(1,2,5)``; rows and columns count from 1."""
    side = shape.side or len(_DIGITS)
    grid = CellGrid(lines[0].number, text, symbols=shape.symbols)
    rows = [[Token((lines[0].start,), "") for _ in range(side)] for _ in range(side)]
    grid.cells = rows
    places = []
    for line in lines:
        for match in _FACT.finditer(line.text):
            row, column = (int(match[k] or match[k + 2]) for k in (1, 2))
            path = ("grid", line.start + match.start())
            places += [row, column] if match[3] else [side]
            if not (1 <= row <= side and 1 <= column <= side):
                grid.fault = ParameterError(path, f"there is no cell r{row}c{column}; expected r1c1 to r{side}c{side}")
                return grid
            if rows[row - 1][column - 1].text not in ("", match[5]):
                grid.fault = ParameterError(path, f"cell r{row}c{column} is given twice")
                return grid
            rows[row - 1][column - 1] = Token((line.start + match.start(5),), match[5])
    if side not in places:
        message = f"rows and columns may count from 0 or from 1, as none is {side}; write cells like r1c2=5"
        grid.fault = ParameterError(("grid", lines[0].start), message)
    return grid


def _find_grids(lines: Sequence[_Line], given: Sequence[_Line], shape: _Shape) -> list[CellGrid]:
    """Return the grids in some lines, all of one size; or one that says what is wrong."""
    text = "".join(line.text.rstrip("\r\n") + "\n" for line in given).rstrip("\n")
    if all(_is_facts(line.text) for line in lines):
        return [_read_facts(lines, shape, text)]
    for own in (lines, _drop_labels(lines)):
        for is_strict in (True, False):
            found: dict[tuple[str, ...], list[CellGrid]] = {}
            for grids in _read_each_way(own, shape, strict=is_strict):
                cells = (one.text for grid in grids for row in grid.rows for one in row)
                key = tuple("" if is_blank_cell(one, shape.symbols) else one for one in cells)
                found.setdefault(key, grids)
            if len(found) > 1:
                message = f"the lines can be read in {len(found)} ways; {_show_form(shape.side or len(lines))}"
                return [CellGrid(lines[0].number, text, fault=ParameterError(("grid", lines[0].start), message))]
            if found:
                (grids,) = found.values()
                grids[0].text = text if len(grids) == 1 else grids[0].compact()
                return grids
    return [CellGrid(lines[0].number, text, fault=_explain(lines, shape))]


def _read_each_way(lines: Sequence[_Line], shape: _Shape, *, strict: bool) -> Iterator[list[CellGrid]]:
    """Yield the grids that each way of reading finds; with `strict`, only if no number is larger than the side."""
    for name, read in _READINGS.items():
        rows: list[Sequence[Token]] = [cells for line in lines if (cells := read(line))]
        if not rows or len(rows) < len(lines):
            continue
        is_line = len(rows) == 1 and shape.is_whole(len(rows[0]), alone=shape.alone)
        if is_line:
            rows = _arrange(rows[0])
        yield from _make_grids(
            rows, lines, shape, strict=strict, is_line=is_line, is_spaced=name.endswith(("words", "fields"))
        )
    yield from (grids for rows in _read_columns(lines) for grids in _make_grids(rows, lines, shape, strict=strict))


def _make_grids(
    rows: Sequence[Sequence[Token]],
    lines: Sequence[_Line],
    shape: _Shape,
    *,
    strict: bool,
    is_line: bool = False,
    is_spaced: bool = False,
) -> Iterator[list[CellGrid]]:
    """Yield the grids of which these are the rows, if they are squares of symbols."""
    side = len(rows[0]) if rows else 0
    cells = [one for row in rows for one in row]
    numbers = [int(one.text) for one in cells if len(one.text) > 1 and one.text.isdecimal()]
    is_square = side == len(rows) or (shape.is_usual(side) and len(rows) % side == 0)
    if not is_square or not 1 <= side <= MAX_SIDE or any(len(row) != side for row in rows):
        return
    if not shape.accepts(cells, side) or (strict and any(number > side for number in numbers)):
        return
    is_spaced = is_spaced and not any(one.text.isalpha() and not is_blank_cell(one.text) for one in cells)
    grids = []
    for k in range(0, len(rows), side):
        line = lines[0 if is_line else k]
        grid = CellGrid(
            line.number,
            line.text,
            rows[k : k + side],
            shape.symbols,
            is_line,
            is_spaced and (not is_line or bool(numbers)),
        )
        if not is_line:
            grid.borders = _find_borders(lines[k : k + side], grid.rows)
        grids.append(grid)
    yield grids


def _find_borders(lines: Sequence[_Line], rows: Sequence[Sequence[Token]]) -> frozenset[int] | None:
    found = {
        frozenset(
            sum(line.start + match.start() > one.path[0] for one in row) for match in re.finditer(r"\|", line.text)
        )
        - {0, len(row)}
        for line, row in zip(lines, rows, strict=True)
    }
    return found.pop() if len(found) == 1 else None


def _read_columns(lines: Sequence[_Line]) -> Iterator[list[list[Token]]]:
    """Yield the rows of a frame in which empty cells are spaces, once for each spacing of cells that fits."""
    texts = [line.text.rstrip() for line in lines]
    bars = sorted({match.start() for text in texts for match in re.finditer(r"\|", text)})
    if any("\t" in text for text in texts) or len(bars) < 2:
        if not bars and {len(line.text.rstrip("\r\n")) for line in lines} == {len(lines)}:
            yield [[Token((line.start + k,), line.text[k].strip()) for k in range(len(lines))] for line in lines]
        return
    if any(text[: bars[0]].strip() for text in texts):
        bars.insert(0, bars[0] - (bars[1] - bars[0]))
    if any(text[bars[-1] + 1 :].strip() for text in texts):
        bars.append(bars[-1] + (bars[-1] - bars[-2]))
    gaps = [(left + 1, right - left - 1) for left, right in pairwise(bars) if right - left > 1]
    for step, first, extra in ((0, 0, 0), (1, 0, 0), (2, 1, 1), (2, 0, -1), (2, 0, 0), (2, 1, 0), (3, 1, 0)):
        if step and any((width - extra) % step for _, width in gaps):
            continue
        places = [(left + first + step * k if step else left, 1 if step else width) for left, width in gaps
                  for k in range((width - extra) // step if step else 1)]  # fmt: skip
        if len(places) and len(lines) % len(places) == 0 and (bars[0] >= -1):
            rows = [[(place, line.text[max(place, 0) : place + width]) for place, width in places] for line in lines]
            marks = sum(1 for text in texts for one in text if not one.isspace() and one != "|")
            if marks == sum(len(text.strip()) for row in rows for _, text in row):
                yield [[_cut_token(line, place, text) for place, text in row]
                       for line, row in zip(lines, rows, strict=True)]  # fmt: skip


def _cut_token(line: _Line, place: int, text: str) -> Token:
    indent = len(text) - len(text.lstrip()) if text.strip() else 0
    return Token((line.start + place + indent,), text.strip())


def _names_columns(line: _Line) -> bool:
    """Whether a line may name the columns: by letters, or by numbers from 0 or from 1."""
    heads = "".join(re.findall(r"\w", line.text))
    names = string.ascii_uppercase, string.digits, string.digits[1:]
    return len(heads) > 1 and any(heads == one[: len(heads)] for one in names)


def _drop_labels(lines: Sequence[_Line]) -> Sequence[_Line]:
    """Return the lines without the names of rows and columns, if there are any."""
    has_heads = _names_columns(lines[0]) and len(lines) == len(re.findall(r"\w", lines[0].text)) + 1
    lines = lines[has_heads:]
    for first in (0, 1):
        words = [_LABEL.match(line.text) for line in lines[first:]]
        names = [match[1].lower().lstrip("r") for match in words if match]
        count = len(names)
        numbers = [[str(start + k) for k in range(count)] for start in (0, 1)]
        if 3 < count == len(lines) - first and names in (*numbers, list(string.ascii_lowercase[:count])):
            ends = [match.end() for match in words if match]
            labeled = zip(lines[first:], ends, strict=True)
            return [line._replace(text=line.text[end:], start=line.start + end) for line, end in labeled]
    return lines


def _explain(lines: Sequence[_Line], shape: _Shape) -> ParameterError:
    """Return the mistake in lines that are not a grid: the row or the number of rows or cells that is wrong."""
    found = [_read_words(line) or _read_fields(line) or _read_characters(line) or [] for line in lines]
    counts = [len(cells) for cells in found]
    most = Counter(counts).most_common(1)[0][0]
    is_line = len(lines) == 1 and (most > MAX_SIDE or shape.alone)
    side = shape.side or (_guess_side(most) if is_line else most if shape.is_usual(most) else len(_DIGITS))
    cells = [one for row in found for one in row]
    wrong = next((k for k, count in enumerate(counts) if count != side), None)
    blanks = sorted(_find_blanks((one.text for one in cells), shape.symbols, side) - {""})
    if len(blanks) > 1 and (wrong is None or (is_line and most == side**2)):
        message = f"{blanks[0]} and {blanks[1]} may both be blanks; use one of them, or set symbols"
        return ParameterError(("grid", lines[0].start), message)
    if is_line:
        odd = next((one for one in cells if not (one.text.isalnum() or is_blank_cell(one.text))), None)
        if most == side**2 and odd is not None:
            return ParameterError(("grid", *odd.path), f"{odd.text!r} is not a symbol; use 0 or . for a blank")
        wanted = pictures.format_count(side**2, "cell")
        return ParameterError(("grid", lines[0].start), f"expected {wanted}, got {most}; {_show_form(side)}")
    if wrong is None:
        message = f"expected {pictures.format_count(side, 'row')}, got {len(lines)}"
        return ParameterError(("grid", lines[-1].start), f"{message}; {_show_form(side)}")
    words = [_unquote(match, lines[wrong]) for match in _WORD.finditer(lines[wrong].text)]
    strange = next((k for k, one in enumerate(words) if not _may_be_cell(one.text)), None)
    if strange is not None and len(words) == side:
        message = f"row {wrong + 1}, column {strange + 1}: {words[strange].text!r} is not a symbol"
        return ParameterError(("grid", *words[strange].path), f"{message}; use 0 or . for a blank")
    message = f"row {wrong + 1}: expected {pictures.format_count(side, 'cell')}, got {counts[wrong]}"
    return ParameterError(("grid", lines[wrong].start), f"{message}; {_show_form(side)}")


def _guess_side(cells: int) -> int:
    """Return the side of the board with square boxes that has about as many cells, or 9 if there is none."""
    root = min(max(round(cells**0.25), 2), math.isqrt(MAX_SIDE))
    return root**2 if abs(cells - root**4) <= _FEW_CELLS * root**4 else len(_DIGITS)


def _show_form(side: int) -> str:
    """Return the plainest form of a grid in words."""
    example = ("12" if side <= len(_DIGITS) else "AB").ljust(side, ".")
    return f"write {pictures.format_count(side, 'line')} like {example}"
