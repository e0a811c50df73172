"""Grids of symbols as people and other programs write them, split into cells by one reader.

A line is read in several ways: as words, as characters, as fields between commas, or in the columns of a frame. A way
fits if it finds a square. If several ways fit and differ, the text is refused, so that nothing is ever guessed.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Self, TypeAlias

from exactcover import ConfigError, ParameterError, pictures
from exactcover.model.text_form import NumberedText
from problems import grid_lines
from problems.grid_lines import DIGITS, FACT, MAX_SIDE, Line, Shape, Token, find_blanks, grid_error, is_blank_cell

Cell: TypeAlias = str | int | None
Grid: TypeAlias = str | tuple[Cell | tuple[Cell, ...], ...]
_FILE = re.compile(r"[^\n]*\.(txt|sd[kmx]|ss|spf|sud|[ct]sv|jsonl?|opensudoku|md|dat|dzn|xml|html|tex|py)", re.I)
_MAX_TEXT = 1 << 17  # characters of a grid
_MAX_LINES = MAX_SIDE**2  # without a blank line
_SHOWN = 40  # characters of a line that is not a row
_LONGEST_NUMBER = 9  # digits
_FEW_CELLS = 0.2  # the share of the cells that may be missing or too many in a guess
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_PLAIN = re.compile(r"\s*([0-9A-Za-z.*?_~-]+)\s*")
_RULER = re.compile(r"(?=.*([+=]|[*.:'`]-|-[*.:'`]))(?=.*(--|==|:-|[+*]))[\s|+=*:.'`,~_-]*")
_DASHES = re.compile(r"(?=.*(--|__))[\s|_-]*")
_SECTION = re.compile(r"\s*\[\s*([A-Za-z]{2,})\s*\]\s*")
_WORDS = re.compile(r"[^\s,;:\"'<>=|&(){}\[\]]{16,}")


@dataclass
class CellGrid:
    """The cells of one grid, or the mistake that prevents reading it."""

    lines: Sequence[Line] = ()  # on which it stands
    cells: Sequence[Sequence[Token]] = ()  # row by row; none if the word is all of them
    word: str = ""
    symbols: str = ""
    is_line: bool = False  # all cells stand on one line
    is_spaced: bool = False  # something separates the cells of a row
    are_numbers: bool = False
    borders: frozenset[int] | None = frozenset()  # how many cells are left of those drawn; None if rows differ
    fault: ParameterError | None = None
    ends: bool = False  # the stream: nothing after the mistake is read

    @property
    def line(self) -> int:
        """The number of its first line, from 1."""
        return self.lines[0].number if self.lines else 1

    @cached_property
    def rows(self) -> Sequence[Sequence[Token]]:
        """The cells, row by row."""
        start = self.lines[0].start + self.lines[0].text.find(self.word) if self.word else 0
        return self.cells or _arrange([Token((start + k,), one) for k, one in enumerate(self.word)])

    def compact(self) -> str:
        """Return the grid in the plainest of its forms: words or characters, in one line or one line per row."""
        blank = next(one for one in ".0-_*?#~" if one not in self.symbols)
        if not self.cells:
            return "".join(one if one.isalnum() or one in self.symbols else blank for one in self.word)
        blanks = {one.text for row in self.rows for one in row if is_blank_cell(one.text, self.symbols)}
        blanks -= set("0xX") if len(find_blanks(blanks, self.symbols, 0)) > 1 else set()  # symbols, beside a blank
        rows = [[blank if one.text in blanks else one.text for one in row] for row in self.rows]
        between = " " if self.is_spaced else ""
        return (between if self.is_line else "\n").join(between.join(row) for row in rows)


class GridText(NumberedText):
    """An instance of a stream, as a text, with the grid that was read there."""

    grid: CellGrid

    @classmethod
    def of(cls, grid: CellGrid) -> Self:
        """Return the plainest text of a grid; if something about it is to be checked, a text that says what."""
        if grid.fault is not None:
            text = f"{grid.fault.message}\n"
        else:
            text = grid.compact() if grid.borders == frozenset() else "\n".join(one.text.rstrip() for one in grid.lines)
        self = cls(text, grid.line)
        self.grid = grid
        return self

    def line_at(self, place: int) -> int:
        return max((one.number for one in self.grid.lines if one.start <= place), default=self.line)


def is_file_name(grid: str) -> bool:
    """Return whether a text is the name of a file, such as ``puzzle.txt``, rather than a grid."""
    return _FILE.fullmatch(grid) is not None


def read_grid(grid: Grid, side: int = 0, symbols: str = "") -> CellGrid:
    """Return the cells of a grid: a text, a list of lines, a list of rows of cells, or a list of all cells.

    The side is 0, and the symbols are an empty text, if they are not known. The grid may be empty. If it is not one
    grid, or if it can be read in more than one way, it is refused with a `ParameterError`.
    """
    if not grid or (isinstance(grid, str) and not grid.strip()):
        return CellGrid(is_line=isinstance(grid, str))
    if isinstance(grid, GridText):
        if grid.grid.fault is not None:
            raise grid.grid.fault
        return grid.grid
    if isinstance(grid, str):
        return _read_cells(grid, side, symbols)
    if all(isinstance(row, str) and len(row) > 1 for row in grid):
        return _read_rows([str(row) for row in grid], side, symbols)
    values = [row if isinstance(row, list | tuple) else (row,) for row in grid]
    if len({one for row in values for one in row if one in (None, 0, -1)}) > 1:
        raise grid_error("None, 0 and -1 may all be blanks; use one of them", side)
    rows: list[Sequence[Token]] = [
        [Token((number, column), "" if one in (None, 0, -1) else str(one)) for column, one in enumerate(row)]
        for number, row in enumerate(values)
    ]
    if {len(row) for row in rows} == {1}:
        joined = next((row[0] for row in rows if row[0].text.isdecimal() and int(row[0].text) > len(rows)), None)
        if joined is not None:
            raise grid_error(f"{joined.text} may be a row; put rows in quotes", len(rows), *joined.path)
        rows = _arrange([Token(row[0].path[:1], row[0].text) for row in rows])
    wanted = side or (len(rows) if len(rows) in map(len, rows) else _guess_side(sum(map(len, rows))))
    for number, row in enumerate(rows):
        if len(row) != wanted:
            message = f"row {number + 1}: expected {pictures.format_count(wanted, 'cell')}, got {len(row)}"
            raise grid_error(message, wanted, number)
    if len(rows) != wanted:
        raise grid_error(f"expected {pictures.format_count(wanted, 'row')}, got {len(rows)}", wanted)
    are_numbers = any(isinstance(one, int) for row in values for one in row)
    return CellGrid(cells=rows, symbols=symbols, is_spaced=are_numbers, are_numbers=are_numbers)


def _read_rows(rows: Sequence[str], side: int, symbols: str) -> CellGrid:
    """Return the cells of a list of lines, with places that are positions in the list and in a line."""
    starts = list(accumulate((len(row) + 1 for row in rows), initial=0))

    def locate(offset: int) -> tuple[int, int]:
        row = bisect_right(starts, offset) - 1
        return row, offset - starts[row]

    try:
        found = _read_cells("\n".join(rows), side, symbols)
    except ParameterError as error:
        path = [place for at in error.path[1:] for place in locate(int(at))]
        raise ParameterError(("grid", *path), error.message) from None
    cells = [[Token(locate(one.path[0]), one.text) for one in row] for row in found.rows]
    return replace(found, cells=cells, is_line=False)


def _read_cells(text: str, side: int = 0, symbols: str = "") -> CellGrid:
    """Return the cells of a text that contains one grid."""
    if len(text) > _MAX_TEXT:
        raise grid_error(f"the text has {len(text):,} characters; expected one grid", side)
    found = []
    for grid in split_grids(_LINE.findall(text), side, symbols, alone=True):
        if grid.fault is not None:
            raise grid.fault
        found.append(grid)
    if not found:
        raise grid_error("there is no grid", side)
    if len({one.compact().replace("\n", "") for one in found}) > 1:
        places = ", ".join(str(one.line) for one in found[:3]) + (", ..." if len(found) > 3 else "")
        ways = "problem=1 chooses the first of a file; the verb batch reads all"
        several = f"{len(found):,} grids begin on lines {places}; expected one ({ways})"
        raise grid_error(several, len(found[0].rows), *found[1].rows[0][0].path)
    return found[0]


def split_grids(lines: Iterable[str], side: int = 0, symbols: str = "", *, alone: bool = False) -> Iterator[CellGrid]:
    """Yield the grids in a stream of lines, each when the next one begins or the reader of lines would have to wait.

    So no grid is answered before a rule that follows it. The lines have their ends; with `alone`, they contain one
    grid, so that a single line is all of it. The side and the symbols are as for :func:`read_grid`.
    """
    splitter, held, is_empty = _Splitter(Shape(side, symbols, alone)), list[CellGrid](), True
    start, must_wait = 0, getattr(lines, "must_wait", bool)  # which returns False
    try:
        for number, line in enumerate(chain(lines, (None,)), 1):
            mark = number == 1 and line is not None and line.startswith("\ufeff")  # of the order of bytes
            found = list(splitter.end() if line is None else splitter.add(Line(start + mark, line[mark:], number)))
            start += len(line or "")
            is_empty = is_empty and not found
            if last := [one for one in found if one.ends]:
                yield from last[:1] * max(1, sum(one.fault is None for one in [*held, *found]))
                return
            if found or splitter.has_begun or line is None:
                yield from held
                held = found
            if line is None or (held and must_wait()):
                yield from held
                held = []
    except ConfigError:  # the lines end in a mistake; what came before is answered
        yield from held
        raise
    if is_empty and splitter.omitted is not None:
        yield _refuse(splitter.omitted, _name_line(splitter.omitted, side), side)


class _Splitter:
    """Gathers lines until they are a grid, or cannot become one; grids in rows end at a blank line or a heading."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._is_plain = not all(one.isalnum() or one in "+/" for one in shape.symbols)  # a mark may be a symbol
        self.omitted: Line | None = None  # the first line that is neither a comment nor part of a grid
        self._bands: list[list[Line]] = [[]]  # the lines that may be rows, between blank lines
        self._array: list[Line] = []  # since a bracket was opened
        self._depth = 0
        self._heading: Line | None = None  # above the lines
        self._was_ruler = self._skips = self._is_lost = False
        self._refused: dict[tuple[int, int], CellGrid] = {}  # since a heading, by lines and cells of a band

    @property
    def has_begun(self) -> bool:
        """True if there are lines that may be rows."""
        return bool(self._bands[0])

    def end(self) -> Iterator[CellGrid]:
        """Yield the grids that end with the last line."""
        yield from self._end_array() if self._array else ()
        yield from self._add_break()
        yield from self._close()

    def add(self, given: Line) -> Iterator[CellGrid]:
        """Yield the grids that end with a line or before it."""
        plain = None if self._array or self._skips else _PLAIN.fullmatch(given.text)
        if plain and self._shape.is_grid(plain[1]) and not self._shape.holds_candidates(len(plain[1])):
            yield from self._close()
            yield CellGrid([given], word=plain[1], symbols=self._shape.symbols, is_line=True)
            return
        if self._is_plain:
            yield from self._add_row(given) if given.text.strip() else self._close()
            return
        line, has_comment = grid_lines.clean_line(given)
        section = _SECTION.fullmatch(line.text)
        self._skips = grid_lines.OTHER_KEY.match(section[1]) is not None if section else self._skips
        is_array = bool(self._array) or (section is None and grid_lines.opens_array(line))
        if not (self._skips or is_array) and (rule := grid_lines.find_rule(line)):
            yield from self._close()
            yield self._refuse_rule(line, rule, ends=True)
            return
        if section is not None:
            yield from self._close()
        if section or self._skips or (given.text.strip() and not line.text.strip()):
            self.omitted = self.omitted or (given if given.text.strip() and not has_comment else None)
        else:
            yield from self._add_clean(line)

    def _add_clean(self, line: Line) -> Iterator[CellGrid]:
        words = line.text.split("/")
        if {len(word.strip()) for word in words} == {len(words)}:  # rows between slashes
            line = line._replace(text=line.text.replace("/", " "))
        if self._array or grid_lines.opens_array(line):
            self._array.append(line)
            self._depth += len(re.findall(r"[\[{]", line.text)) - len(re.findall(r"[\]}]", line.text))
            if self._depth <= 0 or line.start - self._array[0].start > _MAX_TEXT:
                yield from self._end_array()
        elif line.text.strip() in ("", ",", ";"):
            yield from self._add_break()
        elif _RULER.fullmatch(line.text) or (_DASHES.fullmatch(line.text) and self._is_outside(line)):
            if self._was_ruler:  # one frame ends, and another begins
                yield from self._close()
            if not self.has_begun:
                self._refused.clear()
            self._was_ruler = True
        else:
            yield from self._add_cells(line)

    def _is_outside(self, line: Line) -> bool:
        """Return whether a line has no bars, unlike the rows of a frame before it."""
        return bool(self._bands[-1]) and "|" in self._bands[-1][-1].text and "|" not in line.text

    def _add_cells(self, line: Line) -> Iterator[CellGrid]:
        """Take on a grid, a row or a heading."""
        whole = _find_whole_word(line, self._shape)
        words, cells = re.split(r"[\s|,;]+", line.text.strip()), self._shape.side**2
        size = len(words) if len(words) > 3 else max(map(len, words))
        if whole is not None:
            yield from self._close()
            yield whole
        elif grid_lines.PROGRAM.search(line.text):
            yield from self._close()
            message = f"{_name_line(line, self._shape.side)}; no grid is read from a program"
            yield _refuse(line, message, self._shape.side, ends=True)
        elif grid_lines.is_text(line, self._shape, self._heading):
            if [bool(re.fullmatch(r"[\s_-]{3,64}", one.text)) for one in self._bands[0]] == [True]:  # above it
                self._bands = [[]]
            yield from self._close()
            self._refused.clear()
            self._heading = line
            self.omitted = self.omitted or line
        elif size > MAX_SIDE or abs(size - cells) < _FEW_CELLS * cells:
            yield from self._close()  # a grid on one line, of which cells are missing or too many
            yield from self._add_row(line)
            yield from self._close()
        else:
            yield from self._add_row(line)

    def _add_row(self, line: Line) -> Iterator[CellGrid]:
        if self._was_ruler and self._is_outside(line):  # a frame has ended
            yield from self._close()
        self._was_ruler = False
        if len(self._bands[-1]) <= _MAX_LINES:
            self._bands[-1].append(line)

    def _add_break(self) -> Iterator[CellGrid]:
        """A blank line ends a grid, or a band of its boxes; after a mistake, two blank lines end a grid in bands."""
        self._was_ruler = False
        *others, last = self._bands
        if not last:
            self._is_lost = self._is_lost and bool(others)
        if not last or (len(last) == 1 and not others and grid_lines.SIZE.fullmatch(last[0].text)):
            yield from self._close() if others else ()
            return
        sides = {len(cells) for read in grid_lines.READINGS.values() if (cells := read(self._bands[0][0]))}
        height, rows = len(last), sum(map(len, self._bands))
        is_even = height == len(self._bands[0])  # else, all are refused
        is_band = any(side % height == 0 and 1 < height < side and self._shape.is_usual(side) for side in sides)
        if is_even and is_band and not self._is_lost and rows < max(sides) and self._find()[0].fault is not None:
            self._bands.append([])
        else:
            yield from self._close()

    def _end_array(self) -> Iterator[CellGrid]:
        lines, self._array, self._depth = self._array, [], 0
        self._refused.clear()
        rows, key = grid_lines.split_array(lines)
        line, rule = next(((one, rule) for one in lines if (rule := grid_lines.find_rule(one))), (lines[0], key))
        if rule:
            yield from self._close()
            yield self._refuse_rule(line, rule, ends=lines[0].text.lstrip()[:1] not in ("[", "{"))  # else a document
            return
        is_whole = len(rows) != 1  # else, one of several arrays, or a grid on one line
        self.omitted = self.omitted or (lines[0] if is_whole else None)
        yield from self._close() if is_whole else ()
        for row in rows:
            yield from self._add_cells(row)
        yield from self._close() if is_whole else ()

    def _refuse_rule(self, line: Line, name: str, *, ends: bool) -> CellGrid:
        message = f"{name!r} may be a rule or an order of cells; state it in parameters, as in a YAML file"
        return _refuse(line, message, self._shape.side, ends=ends)

    def _close(self) -> Iterator[CellGrid]:
        """Yield the grids in the lines so far."""
        if self._bands[0]:
            grids = self._find()
            self._is_lost = grids[0].fault is not None
            for band in filter(None, self._bands if self._is_lost else ()):
                cells = sum(len(re.sub(r"[\s|,;]", "", line.text)) for line in band)
                self._refused.setdefault((len(band), cells), grids[0])
            self._bands, self._heading = [[]], None
            yield from grids

    def _find(self) -> list[CellGrid]:
        """Return the grids in the lines so far, or one that says what is wrong."""
        grids = _find_grids([line for band in self._bands for line in band], self._shape)
        side, is_line = len(grids[0].rows), grids[0].is_line
        if grids[0].fault is not None:
            return grids
        if self._heading is not None and grid_lines.may_be_row(self._heading, side):
            return [_refuse(self._heading, "this may be a row, or name columns, as well as be a heading", side)]
        halves = [one for (height, cells), one in self._refused.items()  # of two grids in bands
                  if (height > is_line and abs(2 * height - side) <= 2)
                  or side**2 <= 4 * (cells % side**2) <= 3 * side**2]  # fmt: skip
        return halves[:1] if halves and len(self._bands) == 1 else grids


def _refuse(line: Line, message: str, side: int, start: int = 0, *, ends: bool = False) -> CellGrid:
    return CellGrid([line], fault=grid_error(message, side, start or line.start), ends=ends)


def _find_whole_word(line: Line, shape: Shape) -> CellGrid | None:
    """Return the grid that is one word of a line, between other words; of two, the one with blanks."""
    found: list[list[Token]] = []
    rest = line.text
    for match in _WORDS.finditer(line.text):
        cells = [Token((line.start + k,), line.text[k]) for k in range(*match.span())]
        if line.text.lstrip().startswith(":"):  # HoDoKu marks what is placed with +
            cells = [one for one in cells if one.text != "+"]
        if shape.is_grid([one.text for one in cells]):
            found.append(cells)
            rest = rest[: match.start()].ljust(match.end()) + rest[match.end() :]
    if not found:
        return None
    full = [own for own in found if not any(is_blank_cell(one.text, shape.symbols) for one in own)]
    cells = next((own for own in found if own not in full), found[0])
    others = [len(own) for own in found if own is not cells and not (own in full and _solves(own, cells))]
    others += map(len, grid_lines.CELLS.findall(rest))
    side = math.isqrt(len(cells))
    if others:
        message = f"a grid of {len(cells)} cells stands beside one of {others[0]}, no solution; expected one grid"
        return _refuse(line, message, side)
    if full == found == [cells] and re.search(r"[\d.*]", rest):
        return _refuse(line, "this may be the solution of a grid that is not read", side, cells[0].path[0])
    if shape.holds_candidates(len(cells)):
        return _join_candidates(cells, line)
    return CellGrid([line], _arrange(cells), symbols=shape.symbols, is_line=True)


def _solves(full: Sequence[Token], cells: Sequence[Token]) -> bool:
    pairs = zip(full, cells, strict=False)
    return len(full) == len(cells) and all(one.text == two.text or is_blank_cell(two.text) for one, two in pairs)


def _arrange(cells: Sequence[Token]) -> list[Sequence[Token]]:
    """Return the rows of a square."""
    side = math.isqrt(len(cells))
    return [cells[row * side : (row + 1) * side] for row in range(side)]


def _join_candidates(cells: list[Token], line: Line) -> CellGrid:
    """Make a grid of nine places for each cell, which hold its candidates."""
    joined = []
    for k in range(0, len(cells), 9):
        own = [(place, one) for place, one in enumerate(cells[k : k + 9], 1) if not is_blank_cell(one.text)]
        if len(own) not in (1, 9) or any(one.text != str(place) for place, one in own):
            message = "expected one candidate or all nine in each cell; grids with other candidates are not read"
            return _refuse(line, message, len(DIGITS), cells[k].path[0])
        joined.append(own[0][1] if len(own) == 1 else Token(cells[k].path, "."))
    return CellGrid([line], _arrange(joined), is_line=True)


def _read_facts(lines: Sequence[Line], shape: Shape) -> CellGrid:
    """Return the grid of cells that are named, such as ``r1c2=5``; rows and columns count from 1."""
    side = shape.side or len(DIGITS)
    rows = [[Token((lines[0].start,), "") for _ in range(side)] for _ in range(side)]
    for line in lines:
        for match in FACT.finditer(line.text):
            row, column = int(match[1]) - 1, int(match[2]) - 1
            if not (0 <= row < side and 0 <= column < side and rows[row][column].text in ("", match[3])):
                message = f"{match[0]} is given twice, or not a cell from r1c1 to r{side}c{side}"
                return _refuse(line, message, side, line.start + match.start())
            rows[row][column] = Token((line.start + match.start(3),), match[3])
    return CellGrid(lines, rows, symbols=shape.symbols, is_spaced=side > len(DIGITS))


def _find_grids(given: Sequence[Line], shape: Shape) -> list[CellGrid]:
    """Return the grids in some lines, all of one size; or one that says what is wrong."""
    if len(given) > _MAX_LINES:
        message = f"more than {_MAX_LINES:,} lines without a blank one; write one between grids"
        return [_refuse(given[0], message, shape.side)]
    if all(grid_lines.is_facts(line.text) for line in given):
        return [_read_facts(given, shape)]
    lines = _drop_rulers(given)
    bare = grid_lines.drop_labels(lines)
    found: dict[tuple[str, ...], list[CellGrid]] = {}
    for own in [lines] if bare == lines else [lines, bare]:
        for grids in _read_each_way(own, shape):
            cells = (one.text for grid in grids for row in grid.rows for one in row)
            key = tuple("" if is_blank_cell(one, shape.symbols) else one for one in cells)
            found.setdefault(key, grids)
    usual = {key: grids for key, grids in found.items() if shape.is_usual(len(grids[0].rows))}
    found = usual or found  # else, names of rows and columns may be cells, too
    if len(found) > 1:
        side = len(next(iter(found.values()))[0].rows)
        return [_refuse(lines[0], f"the lines can be read in {len(found)} ways", side)]
    for grids in found.values():
        return _find_doubts(lines, grids) or grids
    return [CellGrid(lines, fault=_explain(lines, shape))]


def _find_doubts(lines: Sequence[Line], grids: Sequence[CellGrid]) -> list[CellGrid]:
    """Return a mistake if the first row may name the columns, or if one stands twice where a row may be too many."""
    rows = [row for grid in grids for row in grid.rows]
    texts, side = [[cell.text for cell in row] for row in rows], len(rows[0])
    has_names = len(lines) == len(rows) and side == grid_lines.names_columns(lines[0]) == len(
        re.findall(r"\w+", lines[0].text)
    )
    if has_names and any(map(is_blank_cell, chain(*texts))):
        return [_refuse(lines[0], "this row may name the columns, and then a row is missing", side)]
    for one, other, row in zip(texts, texts[1:], rows[1:], strict=False):
        if one == other and (len(grids) > 1 or len(lines) == len(rows) + 1):
            at = next(line for line in reversed(lines) if line.start <= row[0].path[0])
            return [_refuse(at, "this row stands twice; write a blank line between grids", side)]
    return []


def _drop_rulers(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines without rulers of dashes; where a dash may be a blank, a line that looks like a row is one."""
    dashes = [k for k, line in enumerate(lines) if _DASHES.fullmatch(line.text)]
    rows = [line for k, line in enumerate(lines) if k not in dashes]
    if not rows or not any(mark in line.text for line in rows for mark in "-_"):
        return rows or lines
    shapes = {re.sub(r"[^\s|]", "-", line.text.strip()) for line in rows}
    return [line for k, line in enumerate(lines) if k not in dashes or line.text.strip().replace("_", "-") in shapes]


def _read_each_way(lines: Sequence[Line], shape: Shape) -> Iterator[list[CellGrid]]:
    """Yield the grids that each way of reading finds."""
    for name, read in grid_lines.READINGS.items():
        rows: list[Sequence[Token]] = [cells for line in lines if (cells := read(line))]
        if len(rows) == len(lines) and not (name == "characters" and any(map(grid_lines.joins_words, lines))):
            yield from _make_grids(rows, lines, shape, is_spaced=name != "characters")
    yield from (grids for rows in _read_columns(lines) for grids in _make_grids(rows, lines, shape))


def _make_grids(
    rows: Sequence[Sequence[Token]], lines: Sequence[Line], shape: Shape, *, is_spaced: bool = False
) -> Iterator[list[CellGrid]]:
    """Yield the grids of which these are the rows, if they are squares of symbols."""
    is_line = len(rows) == 1 and shape.is_whole(len(rows[0]))
    rows = _arrange(rows[0]) if is_line else rows
    side = len(rows[0])
    cells = [one for row in rows for one in row]
    if any(len(one.text) > _LONGEST_NUMBER for one in cells if one.text.isdecimal()):
        return
    numbers = [int(one.text) for one in cells if len(one.text) > 1 and one.text.isdecimal()]
    is_square = side == len(rows) or (shape.is_usual(side) and len(rows) % side == 0)
    if not is_square or not (side == shape.side or 3 < side <= MAX_SIDE) or any(len(row) != side for row in rows):
        return
    if not shape.accepts((one.text for one in cells), side) or any(number > side for number in numbers):
        return
    is_spaced = is_spaced and not any(one.text.isalpha() and not is_blank_cell(one.text) for one in cells)
    is_spaced = is_spaced and (not is_line or bool(numbers))
    grids = []
    for k in range(0, len(rows), side):
        own, at = rows[k : k + side], lines if is_line else lines[k : k + side]
        borders = frozenset[int]() if is_line else _find_borders(at, own)
        grids.append(CellGrid(at, own, "", shape.symbols, is_line, is_spaced, borders=borders))
    yield grids


def _find_borders(lines: Sequence[Line], rows: Sequence[Sequence[Token]]) -> frozenset[int] | None:
    found: set[frozenset[int]] = set()
    for line, row in zip(lines, rows, strict=True):
        bars = [line.start + k for k, one in enumerate(line.text) if one == "|"]
        found.add(frozenset(sum(bar > one.path[0] for one in row) for bar in bars) - {0, len(row)})
    return found.pop() if len(found) == 1 else None


def _read_columns(lines: Sequence[Line]) -> Iterator[list[list[Token]]]:
    """Yield the rows of a closed frame in which empty cells are spaces, once for each spacing of cells that fits."""
    texts = [line.text.rstrip() for line in lines]
    bars = sorted({match.start() for text in texts for match in re.finditer(r"\|", text)})
    if any("\t" in text or [k for k, one in enumerate(text) if one == "|"] != bars for text in texts):
        return
    gaps = [(left + 1, right - left - 1) for left, right in pairwise(bars) if right - left > 1]
    marks = sum(len(re.sub(r"[\s|]", "", text)) for text in texts)
    for step, first, extra in ((0, 0, 0), (1, 0, 0), (2, 1, 1), (2, 0, -1), (2, 0, 0), (2, 1, 0), (3, 1, 0)):
        if step and any((width - extra) % step for _, width in gaps):
            continue
        places = [(left + first + step * k if step else left, 1 if step else width) for left, width in gaps
                  for k in range((width - extra) // step if step else 1)]  # fmt: skip
        if len(places) and len(lines) % len(places) == 0:
            rows = [
                [Token((line.start + at,), line.text[at : at + width].strip()) for at, width in places]
                for line in lines
            ]
            if marks == sum(len(one.text) for row in rows for one in row):
                yield rows


def _name_line(line: Line, size: int, wanted: str = "row") -> str:
    """Return that a line is not a row or a grid of so many cells; 0 if it is not known how many."""
    of = f"{wanted} of {pictures.format_count(size, 'cell')}" if size else "row of a Sudoku"
    shown = text if len(text := line.text.strip()) <= _SHOWN else f"{text[:_SHOWN]}..."
    return f"{shown!r} is not a {of}"


def _explain(lines: Sequence[Line], shape: Shape) -> ParameterError:
    """Return the mistake in lines that are not a grid; where their side is not clear, it shows the line as it is."""
    found = grid_lines.read_most_alike(lines, shape)
    most, times = Counter(map(len, found)).most_common(1)[0]
    is_line = len(lines) == 1 and (most > MAX_SIDE or shape.alone or most == shape.side**2)
    cells, root = [one for row in found for one in row], math.isqrt(most)
    odd = [k for k, row in enumerate(found) if not grid_lines.are_cells(row, lines[k])]
    if not (shape.side or is_line or odd) and root**2 == most and root > max(3, len(lines)):
        return grid_error(f"a line of {most} cells may be a row or a grid; set box", root, lines[0].start)
    is_square = most > 3 and times == len(lines) and most - 1 <= times <= most + 1
    is_side = is_square and not shape.is_usual(times)  # else, a row more or less is likely
    is_side = is_side or (shape.is_usual(most) and (is_square or 3 * times > 2 * len(lines) > 2))
    side = shape.side or (_guess_side(most) if is_line and not odd else 0)
    side = side or most * (is_side and 2 * len(odd) < len(lines))
    size, rows, wanted = (side**2, 1, "grid") if is_line else (side, side, "row")
    if odd or not side:
        line = lines[odd[0] if odd else 0]
        return grid_error(_name_line(line, size, wanted), side, line.start)
    wrong = next((k for k, row in enumerate(found) if len(row) != size), None)
    if wrong is not None:
        message = f"expected {pictures.format_count(size, 'cell')}, got {len(found[wrong])}"
        return grid_error(message if is_line else f"row {wrong + 1}: {message}", side, lines[wrong].start)
    if len(lines) != rows:
        message = f"expected {pictures.format_count(rows, 'row')}, got {len(lines)}"
        message += "; write a blank line between puzzles" if len(lines) > rows + 1 else ""
        return grid_error(message, side, lines[min(rows, len(lines) - 1)].start)
    blanks = sorted(find_blanks((one.text for one in cells), shape.symbols, side) - {""})
    if len(blanks) > 1:
        message = f"{blanks[0]} and {blanks[1]} may both be blanks; use one of them, or set symbols"
        return grid_error(message, side, lines[0].start)
    return _explain_symbols(cells, side)


def _explain_symbols(cells: Sequence[Token], side: int) -> ParameterError:
    """Return the first mistake in cells of which some are no symbols."""
    strange = [k for k, one in enumerate(cells) if not (is_blank_cell(one.text) or one.text.isalpha())
               and not (one.text.isdecimal() and int(one.text) <= side)]  # fmt: skip
    place = strange[0] if strange else 0
    text = cells[place].text
    message = f"{text!r} is not a symbol; {grid_lines.STRANGE if text.isalnum() else 'use 0 or . for a blank'}"
    if text.isdecimal():
        message = f"expected 1 to {side}, or 0 for a blank, got {text}"
        message += "; pencil marks are not read" if list(text) == sorted(text) else ""
    return grid_error(f"row {place // side + 1}, column {place % side + 1}: {message}", side, *cells[place].path)


def _guess_side(cells: int) -> int:
    """Return the side of the board with square boxes that has about as many cells, or 0 if there is none."""
    root = min(max(round(cells**0.25), 2), math.isqrt(MAX_SIDE))
    return root**2 if abs(cells - root**4) <= _FEW_CELLS * root**4 else 0
