"""The drawings in links of penpa-edit: boards of squares, with numbers, symbols, borders and lists of cells."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from itertools import chain, pairwise, product
from typing import Any

from exactcover import ParameterError
from problems.boards import cell_name, list_cells
from problems.grids.board import Place
from problems.links.fpuzzles import read_json, read_title
from problems.links.pzpr_text import Side

_MOST_BYTES = 1 << 22  # of the text behind the letters
_MOST_SIDE = 100
_FRAME = 4  # unused rows and columns around a board
_CODES = {
    "Z": "z", "9": '"qa"', "Q": '"pu_q"', "A": '"pu_a"', "G": '"grid"', "M": '"edit_mode"', "S": '"surface"',
    "L": '"line"', "E": '"lineE"', "W": '"wall"', "C": '"cage"', "N": '"number"', "Y": '"symbol"', "P": '"special"',
    "B": '"board"', "R": '"command_redo"', "U": '"command_undo"', "8": '"command_replay"', "1": '"numberS"',
    "F": '"freeline"', "2": '"freelineE"', "T": '"thermo"', "3": '"arrows"', "D": '"direction"', "0": '"squareframe"',
    "5": '"polygon"', "4": '"deletelineE"', "6": '"killercages"', "7": '"nobulbthermo"', "_": '"__a"', "O": "null",
}  # fmt: skip
_MAPPINGS = ("surface", "number", "numberS", "symbol", "line", "lineE", "wall", "cage", "freeline", "freelineE",
             "deletelineE")  # fmt: skip
_LISTS = ("thermo", "arrows", "direction", "squareframe", "polygon", "killercages", "nobulbthermo")
_KINDS = ("cell", "vertex", "below", "right")
_CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right")
_BORDERS, _THIN = (2, 21), (12, 13, 80)  # styles of lines between cells; thin ones only help to count
_DARK = (1, 4)  # colors of cells that often are blocked
_WHITE = 7  # the style of numbers in them
_CIRCLED = (5, 6, 7, 11)  # styles of numbers
_SIGNS = {"\n": "%2D", ",": "%2C", "&": "%2E", "=": "%2F"}  # codes of signs in rules
_LEGEND = "8"  # the mode of long texts
_TOOLS = {
    "edit_mode": "surface", "surface": ["", 1], "line": ["1", 3], "lineE": ["1", 3], "wall": ["", 3], "cage": ["1", 10],
    "number": ["1", 2], "symbol": ["circle_L", 2], "special": ["thermo", ""], "board": ["", ""], "move": ["1", ""],
    "combi": ["battleship", ""], "sudoku": ["1", 9], "multicolor": ["", 1],
}  # fmt: skip
"""What the page begins to draw with."""


@dataclass
class Drawing:
    """What is drawn on a board.

    Tags are the names of kinds, and the rules are in words. Numbers are what is written in cells and beside the board;
    texts are longer, and explain, by the kind of point that they are at. Small numbers stand in corners of cells.
    Symbols have a style and a shape, and are on a cell, or on the side to its right or below it; walls are borders
    between two cells. Lists of cells are cages, thermometers and arrows. What is left out states no rule.
    """

    size: Place
    title: str | None = None
    tags: tuple[str, ...] = ()
    rules: str = ""
    numbers: dict[Place, str] = field(default_factory=dict)
    texts: dict[tuple[str, Place], str] = field(default_factory=dict)
    corners: dict[tuple[Place, str], str] = field(default_factory=dict)
    symbols: dict[tuple[str, Place], tuple[int, str]] = field(default_factory=dict)
    dark: set[Place] = field(default_factory=set)
    walls: set[Side] = field(default_factory=set)
    lists: dict[str, list[list[Place]]] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)

    @property
    def places(self) -> list[Place]:
        """The cells of the board, row by row."""
        return list_cells(self.size)

    def check_square(self) -> int:
        """Return the side of a square board."""
        rows, columns = self.size
        if rows != columns:
            raise ParameterError("link", f"expected a square board, got {rows}x{columns}")
        return rows

    def check_taken(self) -> None:
        """Refuse what is drawn and was not taken: it belongs to a variant."""
        left = [f"{text[:20]!r} in {_name(place)}" for place, text in self.numbers.items()]
        left += [f"{text[:20]!r} in a corner of {_name(place)}" for (place, _), text in self.corners.items()]
        left += [f"the symbol {shape} on {_name(place)}" for (_, place), (_, shape) in self.symbols.items()]
        left += [f"a dark cell at {_name(place)}" for place in sorted(self.dark)]
        left += [f"a border at {_name(place)}" for place, _ in sorted(self.walls)]
        left += [name for name, cells in self.lists.items() if cells]
        if left:
            raise ParameterError("link", f"{left[0]} does not belong to such puzzles, so it cannot be stated")
        if self.texts:
            self.left_out["texts"] = None


def _name(place: Place) -> str:
    return cell_name(place) if min(place) > 0 else "the margin"


class _Points:
    """The numbers of the points of a board with margins: cells, corners and sides."""

    def __init__(self, size: Place, margins: tuple[int, int, int, int]) -> None:
        self.size, (self.top, self.bottom, self.left, self.right) = size, margins
        self.height, self.width = (size[0] + self.top + self.bottom + _FRAME, size[1] + self.left + self.right + _FRAME)
        self.total = self.height * self.width

    def locate(self, point: object) -> tuple[str, Place]:
        """Return what a point is, and the cell to which it belongs."""
        number = int(point) if isinstance(point, str) and re.fullmatch("0|[1-9][0-9]{0,6}", point) else point
        if type(number) is not int or not 0 <= number < 12 * self.total:
            raise _refuse(f"the point {str(point)[:20]!r}")
        block, cell = divmod(number, self.total)
        kind = _KINDS[block] if block < 4 else "side"
        if 4 <= block < 8:
            cell, corner = divmod(number - 4 * self.total, 4)
            kind = _CORNERS[corner]
        row, column = divmod(cell, self.width)
        return kind, (row - 1 - self.top, column - 1 - self.left)

    def number(self, kind: str, place: Place) -> int:
        """Return the number of a point."""
        cell = (place[0] + 1 + self.top) * self.width + place[1] + 1 + self.left
        if kind in _CORNERS:
            return 4 * self.total + 4 * cell + _CORNERS.index(kind)
        return _KINDS.index(kind) * self.total + cell

    def list_steps(self) -> list[int]:
        """Return the number of the first cell of the board, and the steps from each cell to the next."""
        cells = [self.number("cell", place) for place in list_cells(self.size)]
        return [cells[0], *(last - one for one, last in pairwise(cells))]

    def find_middle(self) -> int:
        """Return the number of the point in the middle of the board with its margins."""
        height, width = self.height - _FRAME, self.width - _FRAME
        kind = {(1, 1): 0, (0, 0): 1, (0, 1): 2, (1, 0): 3}[height % 2, width % 2]
        return kind * self.total + (2 + (height - 1) // 2) * self.width + 2 + (width - 1) // 2


def _refuse(what: str) -> ParameterError:
    return ParameterError("link", f"{what} in the drawing cannot be read")


def read_drawing(letters: str) -> Drawing:
    """Return the drawing in the letters of a link; what cannot be stated is refused."""
    lines = _expand(letters).split("\n")
    header = lines[0].split(",")
    if header[0] not in ("square", "sudoku", "kakuro"):
        raise ParameterError("link", f"a board of the kind {header[0][:20]!r} cannot be stated; expected squares")
    numbers = [int(one) if re.fullmatch("[0-9]{1,3}", one) else -1 for one in header[1:7]]
    margins: Any = read_json(lines[1]) if len(lines) > 5 else None
    is_margins = isinstance(margins, list) and len(margins) == 4 and all(type(one) is int for one in margins)
    if len(numbers) < 6 or not is_margins or not all(0 <= one < _MOST_SIDE for one in margins):
        raise _refuse("the size of the board")
    columns, rows = numbers[0] - margins[2] - margins[3], numbers[1] - margins[0] - margins[1]
    if not (1 <= rows <= _MOST_SIDE and 1 <= columns <= _MOST_SIDE):
        raise _refuse("the size of the board")
    if numbers[3:] != [0, 1, 1]:
        raise ParameterError("link", "a board that is turned or mirrored cannot be stated")
    points = _Points((rows, columns), tuple(margins))
    cells = read_json(lines[5])
    steps = [one for one in cells if type(one) is int] if isinstance(cells, list) else []
    if steps != points.list_steps():
        raise ParameterError("link", "a board with holes, or cells beside it, cannot be stated")
    title = re.sub("^Title: ", "", header[15]).replace("%2C", ",") if len(header) > 15 else ""
    tags = read_json(lines[17]) if len(lines) > 17 and lines[17] else []
    names = tuple(one for one in tags if isinstance(one, str)) if isinstance(tags, list) else ()
    drawing = Drawing((rows, columns), read_title(title), names)
    author, source, drawing.rules = ([*header[16:19], "", "", ""])[:3]
    texts = {"author": author.removeprefix("Author:"), "source": source}
    drawing.left_out |= dict.fromkeys(name for name, text in texts.items() if text.strip())
    for sign, code in _SIGNS.items():
        drawing.rules = drawing.rules.replace(code, sign)
    _read_parts(drawing, points, read_json(lines[3]))
    return drawing


def _expand(letters: str) -> str:
    """Return the text of a drawing."""
    letters = letters.replace(" ", "+").rstrip("=")
    try:
        packed = base64.b64decode(letters + "=" * (-len(letters) % 4), validate=True)
        machine = zlib.decompressobj(-15)
        text = machine.decompress(packed, _MOST_BYTES).decode()
        if not machine.eof:
            raise ValueError("it is too long, or ends early")
    except (ValueError, zlib.error) as error:
        raise ParameterError("link", f"the drawing in the link cannot be decompressed: {error}") from None
    return re.sub(r"z([Z9QAGMSLEWCNYPBRU81F2T3D05467_O])", lambda match: _CODES[match[1]], text)


def _read_parts(drawing: Drawing, points: _Points, parts: Any) -> None:
    if not isinstance(parts, dict):
        raise _refuse("what")
    for name in _MAPPINGS:
        if not isinstance(parts.get(name) or {}, dict):
            raise _refuse(name)
    found: Mapping[str, Mapping[str, Any]] = {name: parts.get(name) or {} for name in _MAPPINGS}
    strange = next((key for key, value in parts.items() if value and not key.startswith("command_")
                    and key not in (*_MAPPINGS, *_LISTS)), None)  # fmt: skip
    if strange is not None:
        raise _refuse(strange[:20])
    for point, color in found["surface"].items():
        kind, place = points.locate(point)
        if color in _DARK and kind == "cell":
            drawing.dark.add(place)
        else:
            drawing.left_out["colors"] = None
    for name in ("line", "wall", "freeline", "freelineE", "deletelineE"):
        if found[name]:
            raise ParameterError("link", f"lines ({name}) in the drawing cannot be stated")
    for point, value in found["number"].items():
        _read_number(drawing, points, point, value)
    for point, value in found["numberS"].items():
        text = value[0] if isinstance(value, list) and value else None
        kind, place = points.locate(point)
        if not isinstance(text, str | int) or kind not in _CORNERS:
            raise _refuse("numberS")
        drawing.corners[place, kind] = str(text).strip()
    for point, value in found["symbol"].items():
        kind, place = points.locate(point)
        is_symbol = isinstance(value, list) and len(value) > 1 and type(value[0]) is int and isinstance(value[1], str)
        if not is_symbol or kind not in ("cell", "below", "right"):
            raise _refuse(f"the symbol on {_name(place)}")
        drawing.symbols[kind, place] = value[0], value[1][:20]
    _read_borders(drawing, points, found["lineE"])
    for name in _LISTS:
        drawing.lists[name] = [*_read_lists(points, name, parts.get(name) or [])]
    if not found["cage"].keys() <= {*_write_cages(drawing, points)}:
        raise ParameterError("link", "dashed lines (cage) that are no cages cannot be stated")


def _read_number(drawing: Drawing, points: _Points, point: str, value: Any) -> None:
    kind, place = points.locate(point)
    if not isinstance(value, list) or len(value) < 3 or not isinstance(value[0], str | int):
        raise _refuse(f"the number in {_name(place)}")
    text, mode = str(value[0]).strip(), str(value[2])
    if mode == _LEGEND:
        drawing.texts[kind, place] = text
    elif mode not in ("1", "5", "6", "10", "11") or kind != "cell":
        raise _refuse(f"the number in {_name(place)}")
    elif text:
        drawing.numbers[place] = text
    elif value[1] in _CIRCLED:
        raise _refuse(f"the circle without a number in {_name(place)}")


def _read_borders(drawing: Drawing, points: _Points, lines: Mapping[str, Any]) -> None:
    inside = {*drawing.places}
    for ends, style in lines.items():
        located = [points.locate(point) for point in ends.split(",")]
        if style not in (*_BORDERS, *_THIN) or len(located) != 2 or any(kind != "vertex" for kind, _ in located):
            raise _refuse("a line between cells")
        (row, column), (down, right) = sorted(place for _, place in located)
        if (down - row, right - column) not in ((0, 1), (1, 0)):
            raise _refuse("a line between cells")
        if style in _THIN:
            drawing.left_out["thin lines"] = None
            continue
        cell, other = ((row, right), (row + 1, right)) if down == row else ((down, column), (down, column + 1))
        if {cell, other} <= inside:  # else it is the frame
            drawing.walls.add((cell, other))


def _read_lists(points: _Points, name: str, found: Any) -> Iterator[list[Place]]:
    for own in found if isinstance(found, list) else [0]:
        if not isinstance(own, list):
            raise _refuse(name)
        located = [points.locate(point) for point in own]
        if any(kind != "cell" for kind, _ in located):
            raise _refuse(name)
        cells = [place for _, place in located]
        is_line = name in ("thermo", "arrows")
        far = any(max(abs(a - c), abs(b - d)) > 1 for (a, b), (c, d) in pairwise(cells)) and is_line
        if far or len({*cells}) < len(cells) or (is_line and len(cells) == 1):
            raise ParameterError(
                "link", f"{name} in the drawing has cells twice, or too few, or some that do not touch"
            )
        if cells:
            yield cells


def write_drawing(drawing: Drawing) -> str:
    """Return the letters of a link with a drawing."""
    rows, columns = drawing.size
    beside = [(1, 1), drawing.size, *drawing.numbers, *(place for _, place in [*drawing.texts, *drawing.symbols])]
    heights, widths = zip(*beside, strict=True)
    margins = 1 - min(heights), max(heights) - rows, 1 - min(widths), max(widths) - columns
    rules = "".join(_SIGNS.get(sign, sign) for sign in drawing.rules)
    points = _Points(drawing.size, margins)
    height, width, middle = points.height - _FRAME, points.width - _FRAME, points.find_middle()
    header = ["square", width, height, 38, 0, 1, 1, (width + 1) * 38, (height + 1) * 38, middle, middle, 0, 0, 0, 0,
              f"Title: {(drawing.title or '').replace(',', '%2C')}", "Author: ", "", rules, "OFF", "false"]  # fmt: skip
    empty: dict[str, Any] = {f"command_{one}": {"__a": []} for one in ("redo", "undo", "replay")}
    empty |= {name: {} for name in _MAPPINGS} | {name: [] for name in _LISTS}
    mode = {"qa": "pu_a", "grid": ["1", "2", "1"], "pu_q": _TOOLS, "pu_a": _TOOLS}
    parts = empty | _write_parts(drawing, points)
    begin, end = [margins, mode, parts, empty, points.list_steps()], [mode, "x", 0, empty, empty, {}, drawing.tags]
    values = [*begin, [], {}, "x", "x", [3, 2, 3], *end]
    lines = [",".join(map(str, header)), *(json.dumps(one, separators=(",", ":")) for one in values), "false"]
    text = "\n".join(lines)
    for code, word in _CODES.items():  # the first one is z itself
        text = text.replace(word, f"z{code}")
    machine = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(machine.compress(text.encode()) + machine.flush()).decode()


def _write_parts(drawing: Drawing, points: _Points) -> dict[str, Any]:
    def pairs(items: Iterable[tuple[int, Any]]) -> dict[str, Any]:
        return {str(number): value for number, value in sorted(items, key=lambda pair: pair[0])}

    borders = {}
    for (row, column), (below, _) in sorted(drawing.walls):
        one = (row, column - 1) if below > row else (row - 1, column)
        borders[f"{points.number('vertex', one)},{points.number('vertex', (row, column))}"] = 2
    numbers = [(place, [text, _WHITE if place in drawing.dark else 1, "1"]) for place, text in drawing.numbers.items()]
    texts = [(points.number(*key), [text, 1, _LEGEND]) for key, text in drawing.texts.items()]
    return {
        "surface": pairs((points.number("cell", place), _DARK[-1]) for place in drawing.dark),
        "number": pairs([*((points.number("cell", place), value) for place, value in numbers), *texts]),
        "numberS": pairs((points.number(kind, place), [text, 1]) for (place, kind), text in drawing.corners.items()),
        "symbol": pairs((points.number(kind, place), [style, shape, 1])
                        for (kind, place), (style, shape) in drawing.symbols.items()),
        "lineE": borders,
        "cage": _write_cages(drawing, points),
        **{name: [[points.number("cell", place) for place in own] for own in lists]
           for name, lists in drawing.lists.items()},
    }  # fmt: skip


def _write_cages(drawing: Drawing, points: _Points) -> dict[str, int]:
    outlines = chain.from_iterable(_outline({*own}) for own in drawing.lists.get("killercages", ()))
    return {",".join(str(points.number(*end)) for end in ends): 10 for ends in outlines}


_CORNERS_AT = {(-1, -1): "top-left", (-1, 1): "top-right", (1, -1): "bottom-left", (1, 1): "bottom-right"}


def _outline(cells: Set[Place]) -> Iterator[tuple[tuple[str, Place], tuple[str, Place]]]:
    """Yield the lines around a cage, between corners within cells, and from cell to cell."""
    for cell in sorted(cells):
        for axis, side in product((0, 1), (-1, 1)):
            across = (side, 0) if axis == 0 else (0, side)
            along = (0, 1) if axis == 0 else (1, 0)
            ends = [(across[0] + sign * along[0], across[1] + sign * along[1]) for sign in (-1, 1)]
            after = _add(cell, along)
            is_open = _add(cell, across) not in cells
            if is_open:
                yield (_CORNERS_AT[ends[0]], cell), (_CORNERS_AT[ends[1]], cell)
            if after in cells and (is_open or _add(after, across) not in cells):
                yield (_CORNERS_AT[ends[1]], cell), (_CORNERS_AT[ends[0]], after)


def _add(cell: Place, step: Place) -> Place:
    return cell[0] + step[0], cell[1] + step[1]
