"""The lines of a grid of symbols as people and other programs write them: cells, labels, headings, comments, arrays."""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from exactcover import ParameterError

MAX_SIDE, DIGITS = 64, "123456789"
_SQUARES = frozenset(root**2 for root in range(2, 9))  # the sides of boards with square boxes
STRANGE = "set symbols if it is one; cages, regions and pencil marks in a grid are not read"
_BLANKS = ".-_*?~#·•∙□…–—"
_NOTHING = {"", "-1", "null", "none", "nil", "nan"}
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: " ", 0xA0: " "}
_FRAME = dict.fromkeys(range(0x2500, 0x2580), "+") | dict.fromkeys(map(ord, "─━═╌╍┄┅┈┉╴╶╸╺╼╾"), "=")
_CLEAN = _WIDE | _FRAME | dict.fromkeys(map(ord, "│┃║╎╏┆┇┊┋╵╷╹╻╽╿"), "|")
_LABEL = re.compile(r"\s*(?:\|\s*)?[\[(]?(?:row\s*|r(?=\d))?(\w{1,2})[\])]?[:.|,;\t]?", re.I)
_BULLET = re.compile(r"\s*[->]\s")
SIZE = re.compile(r"\s*\d{1,2}([\s,x]+\d{1,2})?\s*")
_FENCE = re.compile(r"\s*(`{3}\w*|[\"']{3}\W*|\\[a-z]+\s*\{.*)\s*")
_TAG = re.compile(
    r"\[/?(?:code|pre|quote|spoiler|size|font|color)\b[^\]]*\]|</?(?:pre|code|p|br|div)\b[^>]*>|/\*[^*\n]*\*/", re.I
)
_SOLUTION = re.compile(r"[\"'<]?\b(?:solution|solved|answer)s?[\"']?\s*[:=>]\s*[\"']?[1-9A-Za-z]{16,}[\"']?", re.I)
_COMMENT = re.compile(r"\s*(#|%|!|//(?=\s|[A-Za-z]{3})|/\*|;\s+[A-Za-z]{3}|--\s+[A-Za-z])")
_TRAILING = re.compile(r"\s(#|//|%|--\s)")
_NAME = re.compile(r"<.*|[A-Za-z][A-Za-z ]*[:=][^|]*|[a-z]\w*\([^()]*\)\s*(?::-|=>)")
_TEXT_WORD = re.compile(r"(?<!\w)(?!(?:x+|null|none|nil|nan)(?![^\W\d_]))[^\W\d_]{3,}", re.I)
_CODE = re.compile(r"\w\(|:-|[\[\]{}\\=]|[,;(]$")
_UNREAD = re.compile(  # subscripts, types, sizes, and values of keys that are neither cells nor rows
    r"(?<=\w)(?:\[\d*\])+|(?<!\[)\[+[A-Za-z]\w*(?:(?:;\s*\d+\s*\])+|\]+(?=\s*=))|(?<=[;\[] )\.{3}(?=\s*\n)|"
    r"[\"'](?:dimension|size)s?[\"']\s*:\s*\[\s*(\d+)\s*,\s*\1\s*\]|"
    r"[\"']\w+[\"']\s*:\s*(?:-?[\d.]+|true|false|null|\"\"|\"[^\"\n]{0,99}[A-Za-z]{2}[^\"\n]{0,99}\")\s*(?=[,}])",
    re.I,
)
_KEY = re.compile(r"[\"']?(\w{1,40})[\"']?\s*[:=]\s*$")
_PUZZLE_KEY = re.compile(r"puzzle|quiz|grid|board|sudoku|value|question|mission", re.I)
OTHER_KEY = re.compile(
    r"state|solution|solved|answer|pencil|mark|candidate|history|note|comment|hint|tag|date|colou?r", re.I
)
RULE = re.compile(  # a word for one, or for another order of cells, without a value that says there is none
    r"(?<![A-Za-z])((?:(?:anti|arrow|betweenline|cage|chaos|diagonal|disjoint|extra\W?region|asterisk|girandola|"
    r"greater|hyper\W?sudoku|inequal|irregular|jigsaw|killer|kropki|littlekill|nonconsec|palindrom|quadrup|region|renban|sandwich|skyscraper|thermo|variant|whisper|windoku)"
    r"\w*|sudoku\W?x|(?:block|box(?:e)?|column|constraint|extra|piece|rule|shape|sum|zone)s?(?=[\"']?\s*[:=]))(?!\w))"
    r"(?![\"']?\s*[:=]\s*(?:\"\"|''|[A-Za-z]+\.\w+\(|[\"']?(?:0|false|no|none|null|off|\[\s*\]|\{\s*\})[\"']?\s*(?:[,;}>/]|$)))",
    re.I,
)
_WORD = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^\s|,;\"']+)")
CELLS = re.compile(r"[\w.*?~-]{40,}")  # so many characters are cells, whatever stands around them
_OPEN_CELLS = re.compile(r"\.{4,}\w+")  # a row, but no word of a sentence
FACT = re.compile(r"\br(\d{1,2})c(\d{1,2})\s*=\s*(\w{1,2})\b")


PROGRAM = re.compile(  # calls without an array, rules of Prolog, and words that begin lines of programs
    r"(?:^|=)\s*[\w.]+\([^()\[\]{}]*\)(?!\s*(?::-|=>)\s*$)|\w\(\s*$|:-(?!\s*$)|\*/|^\s*\w[\w ]*\{\s*$|\)\s*\{|"
    r"^\s*(?:import|from|using|#?include|def|class|package|module)\s+[\w.<\"]"
)


class Token(NamedTuple):
    """The text of a cell, and the positions that lead to it in the grid as it is given."""

    path: tuple[int, ...]
    text: str


class Line(NamedTuple):
    """A line, of the same length as before all kinds of frames and of digits became those of ASCII."""

    start: int
    text: str
    number: int


@lru_cache(1 << 12)  # for rows, a third of the time
def is_blank_cell(text: str, symbols: str = "") -> bool:
    """Return whether a text such as ``0``, ``.``, ``--`` or ``null`` stands for an empty cell, if it is no symbol."""
    if text in symbols:
        return not text
    if text in ("x", "X"):
        return text.lower() not in symbols.lower()
    same = len(set(text)) == 1 and len(text) <= 3
    return text.strip().lower() in _NOTHING or (same and text[0] in f"{_BLANKS}0".replace("#" * (len(text) > 1), ""))


def find_blanks(cells: Iterable[str], symbols: str, side: int) -> set[str]:
    """Return the kinds of blanks in some cells; beside letters, but not beside numbers, 0 and X may be symbols."""
    cells = list(cells)
    has_letters = side > len(DIGITS) and not any(len(one) > 1 and one.isdecimal() for one in cells)
    kinds = {one[:1] if one in "000---___***???" else one for one in cells if is_blank_cell(one, symbols)}
    return kinds - set("0xX") if has_letters else kinds


def _find_words(line: Line) -> list[Token]:
    found = [(match.lastindex or 0, match) for match in _WORD.finditer(line.text)]
    return [Token((line.start + match.start(group),), match[group].strip()) for group, match in found]


def _read_characters(line: Line) -> list[Token]:
    """Return the characters of a line as cells."""
    return [Token((line.start + k,), one) for k, one in enumerate(line.text) if one not in " \t\r\n|,;\"'"]


def _read_fields(line: Line) -> list[Token] | None:
    """Return the cells between separators, which may be empty; None if there is no separator."""
    mark = next((one for one in "\t;," if one in line.text), None)
    if mark is None:
        return None
    found, start = [], line.start
    for part in line.text.rstrip("\r\n").split(mark):
        found.append(Token((start + len(part) - len(part.lstrip()),), part.strip().strip("\"'")))
        start += len(part) + 1
    return found


def are_cells(cells: Sequence[Token], line: Line) -> bool:
    """Return whether the texts of a line may be symbols, numbers, candidates or blanks."""
    texts, longest = [one.text for one in cells], 3 if len(cells) < len(DIGITS) else MAX_SIDE
    is_joined = joins_words(line) and all(len(one) < 2 for one in texts)
    return not is_joined and all(is_blank_cell(one) or (one.isalnum() and len(one) <= longest) for one in texts)


READINGS: dict[str, Callable[[Line], list[Token] | None]] = {
    "words": _find_words, "characters": _read_characters, "fields": _read_fields,
}  # fmt: skip


class Shape(NamedTuple):
    """The facts about grids that are known before they are read."""

    side: int
    symbols: str
    alone: bool = False

    def is_usual(self, side: int) -> bool:
        return side in _SQUARES or side == self.side > 1

    def is_whole(self, cells: int) -> bool:
        """Return whether this many cells on one line are a whole grid rather than a row."""
        side = math.isqrt(cells)
        is_square = side**2 == cells and 1 < side <= MAX_SIDE
        return is_square and (side == self.side or cells > MAX_SIDE or (self.alone and side > 3))

    def holds_candidates(self, cells: int) -> bool:
        """Return whether this many cells on one line are the candidates of the usual board, nine for each cell."""
        return cells == len(DIGITS) ** 3 and self.side != math.isqrt(cells)

    def accepts(self, cells: Iterable[str], side: int) -> bool:
        """Return whether all cells may be symbols or blanks of one kind; letters or numbers may be mistakes."""
        kinds = set(cells)
        others = [one for one in kinds if not (one.isalpha() or one.isdecimal() or is_blank_cell(one, self.symbols))]
        return len(find_blanks(kinds, self.symbols, side)) < 2 and all(one in f"+/{self.symbols}" for one in others)

    def is_grid(self, cells: Sequence[str]) -> bool:
        """Return whether the cells of a line are a grid rather than a ruler or a row; fewer may be two rows."""
        size = len(cells)
        is_whole = size > MAX_SIDE and self.is_whole(size) and not set(cells) <= set("-_*")
        return is_whole and self.accepts(cells, math.isqrt(size))


def clean_line(given: Line) -> tuple[Line, bool]:
    """Return a line in ASCII, with spaces for a comment, tags and a solution, and whether it has a comment."""
    trailing = _TRAILING.search(given.text)
    has_words = trailing is not None and any(map(str.isalpha, given.text[trailing.end() :]))
    comment = _COMMENT.match(given.text) or (trailing if has_words else None)
    text = given.text.translate(_CLEAN)
    text = text[: comment.start()].ljust(len(text)) if comment else text
    for pattern in (_TAG, _SOLUTION):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return given._replace(text=text), comment is not None


def find_rule(line: Line) -> str:
    """Return a word for a rule, or for another order of cells, in a line; empty if there is none."""
    found = RULE.search(line.text)
    return found[1] if found else ""


def is_text(line: Line, shape: Shape, before: Line | None = None) -> bool:
    """Return whether a line is a name, a note or the head of a table rather than a row, by its words and cells."""
    text = line.text.strip()
    if CELLS.search(text) or _OPEN_CELLS.fullmatch(text):
        return False
    chars = re.sub(r"[\s|,;]", "", text)
    is_row = len(chars) >= len(DIGITS) and shape.is_usual(len(chars)) and not joins_words(line)
    are_cells = all(is_row and (one.isalnum() or one in f"{_BLANKS}+/") for one in chars)
    are_cells = are_cells or all(one in shape.symbols or is_blank_cell(one, shape.symbols) for one in chars)
    if before is not None and line.number == before.number + 1 and chars.isalpha():  # one more row of a drawing
        are_cells = are_cells or len(chars) == len(re.sub(r"[\s|,;]", "", before.text))
    is_code = _CODE.search(text) and not re.search(r"\w[\s,;:]+\w", text)
    are_words = 3 * sum(map(len, _TEXT_WORD.findall(text))) > len(chars) and not (are_cells or is_code)
    return are_words or bool(_NAME.fullmatch(text) or _FENCE.fullmatch(text))


def may_be_row(heading: Line, side: int) -> bool:
    """Return whether a heading names as many columns as a grid has, or may have its first row behind the name."""
    columns = re.split(r"[,;|\t]", heading.text.strip().strip("|"))
    *names, last = re.split(r"[:=(>\"']|(?<=[A-WYZa-wyz]{3})\s", heading.text.rstrip(" \"',;)\r\n"))
    cells = re.findall(r"\w", last) if "," in last else list("".join(last.split()))
    is_row = bool(names) and len(cells) == side and not all(map(str.isalpha, cells))
    return is_row or (len(columns) == side and all(re.fullmatch(r"\s*[A-Za-z]{3,}\s*", name) for name in columns))


def is_facts(text: str) -> bool:
    """Return whether a text only names cells and their symbols."""
    return bool(FACT.search(text)) and not re.sub(r"[\s.,;\])]", "", FACT.sub("", text))


def opens_array(line: Line) -> bool:
    """Return whether a line begins an array of a program."""
    return any(one in line.text for one in "[{") and not (is_facts(line.text) or _FENCE.fullmatch(line.text))


def joins_words(line: Line) -> bool:
    """Return whether the characters of a line are cells only if words of different lengths are joined."""
    sizes = {len(word) for word in re.findall(r"[^\s|,;\"']+", line.text)}
    return len(sizes) > 1 and max(sizes) > 2


def names_columns(line: Line) -> int:
    """Return how many columns a line names, by letters, or by numbers from 0 or from 1; 0 if it does not."""
    words = re.findall(r"\w+", line.text)
    names = list(words[0]) if len(words) == 1 else [re.sub(r"^[A-Za-z_]+(?=\d)", "", one).upper() for one in words]
    return len(names) if _are_series(names) else 0


def _are_series(names: list[str]) -> bool:
    numbers = ([str(start + k) for k in range(len(names))] for start in (0, 1))
    return names in (*numbers, list(string.ascii_uppercase[: len(names)]))


def _states_size(line: Line, rows: int) -> bool:
    """Return whether a line states the side of a grid with these rows, the size of its boxes or the number of grids."""
    numbers = [int(one) for one in re.findall(r"\d+", line.text)] if SIZE.fullmatch(line.text) else [0]
    first, last = numbers[0], numbers[-1]
    return first > 0 and (first * last == rows or first == last == rows or (len(numbers) == 1 and rows % first == 0))


def drop_labels(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines without bullets, a size, and the names of rows and columns, if there are any."""
    has_heads = len(lines) > 1 and (names_columns(lines[0]) == len(lines) - 1 or _states_size(lines[0], len(lines) - 1))
    lines = lines[has_heads:]
    for first, pattern in ((0, _BULLET), (0, _LABEL), (1, _LABEL)):
        found = [match for line in lines[first:] if (match := pattern.match(line.text))]
        if not found or len(found) < len(lines) - first:
            continue
        if pattern is _BULLET or (len(found) > 3 and _are_series([match[1].upper() for match in found])):
            pairs = [(line, match.end()) for line, match in zip(lines[first:], found, strict=True)]
            return [line._replace(text=line.text[end:], start=line.start + end) for line, end in pairs]
    return lines


def split_array(lines: Sequence[Line]) -> tuple[list[Line], str]:
    """Return the rows of an array as programs write it, and the key of an array beside them that may be a rule."""
    text = _UNREAD.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), "".join(line.text for line in lines))
    key, keys = "", []
    rows: list[tuple[str, Line]] = []
    for match in re.finditer(r"([\[{])|[\]}]|[^\[\]{}]+", text):
        if match[0] in "[{":
            keys.append(key)
        elif match[0] in "]}":
            key = keys.pop() if keys else ""
        else:
            found = _KEY.search(match[0])
            if keys and not OTHER_KEY.search(key):
                part = match[0][: found.start()] if found else match[0]
                number = lines[0].number + text.count("\n", 0, match.start())
                rows += ((key, row) for row in _split_part(Line(lines[0].start + match.start(), part, number)))
            key = found[1] if found else key
    if not any(_PUZZLE_KEY.search(key) for key, _ in rows) or any(_CODE.search(row.text) for _, row in rows):
        return [row for _, row in rows], ""
    others = (key for key, _ in rows if not _PUZZLE_KEY.search(key))
    return [row for key, row in rows if _PUZZLE_KEY.search(key)], next(filter(None, others), "")


def _split_part(line: Line) -> Iterator[Line]:
    """Yield the rows in the innermost brackets of an array."""
    mark, offset = _find_mark(line.text), 0
    for piece in line.text.split(mark) if mark else [line.text]:
        shown = piece.replace("\n", " ").rstrip(" ,;|\t\r")
        lead = len(shown) - len(shown.lstrip(" ,;|\t\r"))
        if len(shown[lead:].strip("\"' ")) > 1:
            number = line.number + line.text.count("\n", 0, offset + lead)
            yield Line(line.start + offset + lead, shown[lead:], number)
        offset += len(piece) + len(mark)


def _find_mark(part: str) -> str:
    """Return the separator of the rows in the innermost brackets of an array; nothing if they are one row."""
    lines = [one for one in part.split("\n") if one.strip(" ,;|\t\r")]
    if len(lines) > 1:
        return "\n" if all(len(re.findall(r"[^\s|,;]+", one)) > 1 for one in lines) else ""
    return "|" if part.lstrip().startswith("|") else ";" if ";;" not in part else ""


def read_most_alike(lines: Sequence[Line], shape: Shape) -> list[list[Token]]:
    """Return the cells of each line, whatever they are, in the way that finds the most usual rows of one length."""
    ways = (lambda line: found if len(found := _find_words(line)) > 3 else None, _read_fields, _read_characters)
    found = [[read(line) or _read_characters(line) for line in lines] for read in ways]
    most = [Counter(map(len, rows)).most_common(1)[0] for rows in found]
    return max(zip(found, most, strict=True), key=lambda one: (shape.is_usual(one[1][0]), one[1][1]))[0]


def grid_error(message: str, side: int, *path: int) -> ParameterError:
    """Return a mistake at a place in a grid, with two plain forms of a grid of that side; 0 if it is not known."""
    size = side or len(DIGITS)
    example = ("2.1" if size <= len(DIGITS) else "B.A").ljust(size, ".")[:size]
    form = f"a {size}x{size} puzzle may be {size} rows like {example}, or one line of {size**2} cells"
    form += "" if side else "; a 4x4 puzzle 4 rows like 2.1., a 16x16 puzzle 16 rows like B.A............."
    return ParameterError(("grid", *path), f"{message}; {form}")
