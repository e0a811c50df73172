"""Links of puzz.link and of the other sites that show puzzles with pzpr: a kind, a size, and letters."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import unquote

from exactcover import Encoder, ParameterError
from exactcover.formats.links import Linked, Written
from problems.boards import cell_name, draw_letters, find_components, list_cells
from problems.grid import Grid
from problems.grids.board import Place
from problems.links.fpuzzles import choose_family
from problems.links.pzpr_text import (
    ANY,
    APART,
    FILLED,
    NONE,
    NORINORI,
    PLAIN,
    SEA,
    SHIPS,
    Body,
    Rule,
    Side,
    find_room,
    list_sides,
    read_fleet,
)
from problems.squares import split_side

_FEW = 2_000  # options with which a Fillomino is still read and solved soon
Found: TypeAlias = tuple[str, dict[str, Any]]
"""The name of a family, and parameters."""

_LINK = re.compile(r"https?://[^/?#]+/(?:[\w.-]+/)*(?:p|p\.html|pzpr\.html)\?(.*)", re.IGNORECASE | re.DOTALL)
_MOST_SIDE, _MOST_CELLS = 128, 4096
_LETTERS = string.ascii_letters + string.digits + "".join(map(chr, range(0xC0, 0x250)))
_ALIASES = {"masyu": "mashu", "pearl": "mashu", "building": "skyscrapers", "slitherlink": "slither", "akari": "lightup",
            "numberlink": "numlin", "hakyukoka": "ripple", "hakyuu": "ripple", "skyscraper": "skyscrapers"}  # fmt: skip
STAR, TENT, LAMP, NOTHING = "★", "▲", "●", "x"
PARTS = {"alone": "o", "left": "<", "right": ">", "top": "^", "bottom": "v", "middle": "m"}


@dataclass(frozen=True)
class Board:
    """A board in a link: letters between the kind and the size, the size, and the letters behind it.

    `left_out` names what of it is not stated.
    """

    flags: str
    rows: int
    columns: int
    body: Body = field(compare=False)
    left_out: list[str] = field(default_factory=list, compare=False)

    @property
    def count(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    @property
    def size(self) -> str:
        """The size as boards have it."""
        return f"{self.rows}x{self.columns}"

    def split(self, values: Sequence[Any]) -> list[list[Any]]:
        """Return values in rows."""
        return [[*values[start : start + self.columns]] for start in range(0, self.count, self.columns)]

    def read_numbers(self, count: int) -> list[int]:
        """Return numbers in the body, and NONE; the sign ? for a number that is not told is refused."""
        values = self.body.read_numbers(count)
        if ANY in values:
            raise ParameterError("link", "the sign ? for a number cannot be stated")
        return values

    def show(self, values: Iterable[int], write: Callable[[int], str] = str) -> list[list[str]]:
        """Return numbers in rows, each as a word; a dot for those below 0."""
        return self.split([write(one) if one >= 0 else "." for one in values])

    def read_table(self) -> list[list[str]]:
        """Return the rows of numbers in the body, each as a word, or a dot."""
        return self.show(self.read_numbers(self.count))

    def read_givens(self, write: Callable[[int], str] = str) -> list[list[str]]:
        """Return the rows of numbers behind clues, which are left out if there are none."""
        return self.show(self.read_numbers(self.count) if self.body.text else [NONE] * self.count, write)

    def read_clues(self, *sides: int, write: Callable[[int], str] = str) -> Iterator[list[str]]:
        """Yield the clues of some sides of the board, each with so many lines."""
        values = self.read_numbers(sum(sides))
        for lines in sides:
            yield [write(one) if one >= 0 else "." for one in values[:lines]]
            values = values[lines:]

    def check_square(self) -> int:
        """Return the side of a square board."""
        if self.rows != self.columns:
            raise ParameterError("link", f"expected a square board, got {self.size}")
        return self.rows


def read(link: str) -> Linked | None:
    """Return the puzzle of a link to puzz.link, or to a site that has the same links; None for other links."""
    match = _LINK.match(link)
    if match is None:
        return None
    address, *behind = re.split("[&#]", re.sub(r"^(?:\w+=\w*&)*", "", match[1]), maxsplit=1)
    parts = unquote(address).split("/")
    variant = next((part for part in parts[:2] if part.startswith("v:")), "")
    parts = [part for number, part in enumerate(parts) if number > 1 or not part.startswith("v:")]
    kind = re.sub(r"_(?:edit|play)$", "", parts.pop(0))
    kind = _ALIASES.get(kind, kind)
    if kind == "pzprv3" or not kind:
        raise ParameterError("link", "expected KIND/COLUMNS/ROWS/BOARD behind the question mark")
    if kind not in KINDS:
        raise ParameterError("link", f"puzzles of the kind {kind[:40]!r} cannot be stated; expected {', '.join(KINDS)}")
    flags = "" if parts and parts[0].isdecimal() else parts.pop(0) if parts else ""
    if variant or flags not in ("", *_FLAGS.get(kind, ())):
        raise ParameterError("link", f"the variant {(variant or flags)[:40]!r} of {kind} cannot be stated")
    if len(parts) < 2 or not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts[:2]):
        raise ParameterError("link", "expected the numbers of columns and rows behind the kind")
    columns, rows = map(int, parts[:2])
    if not (1 <= rows <= _MOST_SIDE and 1 <= columns <= _MOST_SIDE and rows * columns <= _MOST_CELLS):
        raise ParameterError(
            "link", f"a board of {rows} x {columns} cells cannot be read; expected 1 to {_MOST_CELLS:,}"
        )
    body = Body("/".join(parts[2:]).removesuffix("/"))
    board = Board(flags, rows, columns, body)
    problem, params = KINDS[kind](board)
    body.end()
    board.left_out.extend(f"{one[:40]!r} behind the board" for one in behind if one)
    return Linked(problem, params, None, tuple(board.left_out))


def write(encoder: Encoder, title: str | None = None) -> Written:
    """Return a link to puzz.link with the puzzle of an encoder; it has no place for a title."""
    from problems.links.puzzlink_kinds import write_board  # only for those who write
    from problems.links.round_trip import check_link  # only for those who write

    def check_same(again: Encoder) -> None:
        if write_board(again) != (kind, flags, (rows, columns), letters):
            raise ParameterError("link", "it would mean another puzzle")

    kind, flags, (rows, columns), letters = write_board(encoder)
    link = f"https://puzz.link/p?{'/'.join([kind, *[flags] * bool(flags), str(columns), str(rows), letters])}"
    return check_link(link, encoder, title, read, check_same)


def find_regions(walls: Container[Side], size: Place, holes: Collection[Place] = ()) -> dict[Place, str]:
    """Return the letter of the region of each cell, in the order of their first cells."""
    near: dict[Place, list[Place]] = {cell: [] for cell in list_cells(size)}
    for one, other in list_sides(size):
        if (one, other) not in walls:
            near[one].append(other)
            near[other].append(one)
    areas = [*find_components((cell for cell in near if cell not in holes), near.__getitem__)]
    if len(areas) > len(_LETTERS):
        raise ParameterError("link", f"there are more than {len(_LETTERS)} regions")
    return {cell: letter for area, letter in zip(areas, _LETTERS, strict=False) for cell in sorted(area)}


def _read_sudoku(board: Board) -> Found:
    side = board.check_square()
    height, width = split_side(side)
    if height != width and side != 6:
        raise ParameterError("link", f"a sudoku of side {side} has no usual boxes")
    where, cells = f"rows columns {height}x{width}", board.read_table()
    strange = next((one for row in cells for one in row if one != "." and not 1 <= int(one) <= side), None)
    if strange is not None:
        raise ParameterError("link", f"the number {strange} is not from 1 to {side}")
    return choose_family(side, {"cells": cells, "constraints": [{"once": where}]}, ())


def _make_grid(board: Board, symbols: str, constraints: Iterable[Rule], **more: Any) -> Found:
    empty = {"empty": NOTHING} if symbols.endswith(NOTHING) else {}
    return "grid", {"cells": board.size, "symbols": symbols, **empty, **more, "constraints": [*constraints]}


def _read_regions(board: Board) -> list[str]:
    """Return the drawing of the regions that walls in the body leave."""
    size = board.rows, board.columns
    return draw_letters(find_regions(board.body.read_walls(size), size), size)


def _read_star_battle(board: Board) -> Found:
    stars = board.body.read_until("/")
    if not re.fullmatch(r"[1-9][0-9]?", stars):
        raise ParameterError("link", f"expected a number of stars, got {stars[:12]!r}")
    rules: list[Rule] = [{"count": {"where": "rows columns regions", "times": int(stars)}}, {"differ": "king"}]
    return _make_grid(board, f"{STAR}{NOTHING}", rules, regions=_read_regions(board))


def _read_nonogram(board: Board) -> Found:
    lengths = [-(-board.rows // 2)] * board.columns + [-(-board.columns // 2)] * board.rows
    values, lines = board.read_numbers(sum(lengths)), list[str]()
    for length in lengths:
        numbers = [str(one) for one in values[:length] if one != NONE]
        lines.append(" ".join(reversed(numbers)) or "0")
        values = values[length:]
    runs = {"columns": lines[: board.columns], "rows": lines[board.columns :]}
    return _make_grid(board, f"{FILLED}{NOTHING}", [{"runs": runs}])


def _list_counts(board: Board, of: str = "") -> list[dict[str, Any]]:
    """Return the constraints of numbers above columns and before rows."""
    found: list[dict[str, Any]] = []
    for where, clues in zip(("columns", "rows"), board.read_clues(board.columns, board.rows), strict=True):
        if set(clues) != {"."}:
            found.append({"count": {"where": where, "times": clues} | ({"of": of} if of else {})})
    return found


def _read_tents(board: Board) -> Found:
    counts = _list_counts(board)
    trees = board.split(["T" if one else "." for one in board.body.read_marks(board.count)])
    return _make_grid(board, f"{TENT}{NOTHING}", [{"tents": trees}, {"differ": "king"}, *counts])


def _read_light_up(board: Board) -> Found:
    """Return a board whose numbers stand in holes."""
    values = board.body.read_corners(board.count)
    cells = board.split(["." if one == NONE else "#" for one in values])
    clues = {"clues": board.show(values), "neighbors": "adjacent"}
    return _make_grid(board, f"{LAMP}{NOTHING}", [{"lamps": LAMP}, {"around": clues}], cells=cells)


def _read_fillomino(board: Board) -> Found:
    """Return a board with as great numbers as its cells without one have room for, if areas can lie in few ways."""
    values = board.read_numbers(board.count)
    numbers, room = board.show(values), find_room(values, board.columns)
    most = max(1, *values)

    def make(most: int) -> Found:
        return _make_grid(board, f"1-{most}", [{"fillomino": {"numbers": numbers}}])

    while most < room and _has_few_options(make(most + 1)):
        most += 1
    if most < room:
        board.left_out.append(f"hidden numbers greater than {most}")
    return make(most)


def _has_few_options(found: Found) -> bool:
    try:
        return len(Grid(**found[1]).board.options) <= _FEW
    except ParameterError:  # there are far too many
        return False


def _read_sides(board: Board, write: Callable[[int], str] = str) -> dict[str, list[str]]:
    """Return the clues on the four sides of a board, without sides that have none."""
    clues = board.read_clues(*[board.columns] * 2, *[board.rows] * 2, write=write)
    found = dict(zip(("top", "bottom", "left", "right"), clues, strict=True))
    return {side: clues for side, clues in found.items() if set(clues) != {"."}}


def _read_skyscrapers(board: Board) -> Found:
    side, clues = board.check_square(), _read_sides(board)
    rules: list[Rule] = [{"once": "rows columns"}, {"visible": clues}]
    return _make_grid(board, f"1-{side}", rules, cells=board.read_givens())


def _read_letters(board: Board) -> Found:
    number = board.body.read_until("/")
    if not re.fullmatch(r"[1-9][0-9]?", number) or int(number) > 26:
        raise ParameterError("link", f"expected a number of letters, got {number[:12]!r}")
    letters = string.ascii_uppercase[: int(number)]

    def show(value: int) -> str:
        if not 1 <= value <= len(letters):
            raise ParameterError("link", f"the letter {value} is not one of the first {len(letters)}")
        return letters[value - 1]

    clues = _read_sides(board, show)
    rules: list[Rule] = [{"once": "rows columns"}, {"first": clues}]
    return _make_grid(board, f"{letters}{NOTHING}", rules, cells=board.read_givens(show))


def _read_regions_of_numbers(
    *rules: Rule, falls: bool = False, may_have_holes: bool = True
) -> Callable[[Board], Found]:
    """Return what reads boards whose regions hold the numbers from 1; those above others in a region may be greater."""

    def read_board(board: Board) -> Found:
        size = board.rows, board.columns
        walls = board.body.read_walls(size)
        numbers = board.read_numbers(board.count)
        empty = board.body.read_packed(board.count, 2, 5) if board.body.text else []
        if any(empty) and not may_have_holes:
            raise ParameterError("link", "holes in a board of this kind cannot be stated")
        places = list_cells(size)
        holes = {place for place, is_hole in zip(places, empty, strict=False) if is_hole}
        letters = find_regions(walls, size, holes)
        sizes = [*letters.values()]
        most = max(map(sizes.count, {*sizes}), default=0)
        words = zip(places, numbers, strict=True)
        cells = board.split(["#" if place in holes else "." if one == NONE else str(one) for place, one in words])
        pairs = [f"{cell_name((row + 1, column))} {cell_name((row, column))}" for row, column in letters
                 if falls and letters.get((row + 1, column)) == letters[row, column]]  # fmt: skip
        less = [{"less": pairs}] if pairs else []
        return _make_grid(board, f"1-{most}", [{"number": "regions"}, *rules, *less],
                          cells=cells, regions=draw_letters(letters, size))  # fmt: skip

    return read_board


def _read_kakuro(board: Board) -> Found:
    """Return a board with one more row above it and column to its left, for sums."""
    black = board.body.read_kakuro(board.rows, board.columns)
    sums, plain = dict[Place, str](), list[str]()
    for (row, column), totals in black.items():
        words = list[str]()
        for total, (down, right) in zip(totals, ((1, 0), (0, 1)), strict=True):
            last = row, column
            while (after := (last[0] + down, last[1] + right)) not in black and max(
                after[0] - board.rows, after[1] - board.columns
            ) <= 0:
                last = after
            length = last[0] - row + last[1] - column
            words.append(str(total) if total > 0 and length else "")
            if length > 1 and total <= 0:
                plain.append(
                    f"{cell_name((row + down + 1, column + right + 1))}-{cell_name((last[0] + 1, last[1] + 1))}"
                )
        sums[row, column] = "\\".join(words) if any(words) else "#"
    rows, columns = range(board.rows + 1), range(board.columns + 1)
    cells = ["".join("#" if (row, column) in black else "." for column in columns) for row in rows]
    table = [[sums.get((row, column), ".") for column in columns] for row in rows]
    more = [{"sums": {"lines": dict.fromkeys(plain, ""), "repeat": False}}] if plain else []
    return "grid", {"cells": cells, "symbols": "1-9", "constraints": [{"kakuro": table}, *more]}


def _read_kropki(board: Board) -> Found:
    side = board.check_square()
    dots = board.body.read_packed(2 * side * (side - 1), 3, 3)
    names = [f"{cell_name(one)} {cell_name(other)}" for one, other in list_sides((side, side))]
    white, black = ([name for name, dot in zip(names, dots, strict=True) if dot == kind] for kind in (1, 2))
    rules: list[Rule] = [{"once": "rows columns"}, {"dots": {"white": white, "black": black, "all": True}}]
    return _make_grid(board, f"1-{side}", rules)


def _read_doppelblock(board: Board) -> Found:
    side = board.check_square()
    if not 3 <= side <= 32:
        raise ParameterError(
            "link", f"a board of {board.size} has no room for two black cells and a number in each line"
        )
    clues = dict(zip(("top", "left"), board.read_clues(side, side), strict=True))
    numbers = [str(number) for number in range(1, side - 1)]
    rules: list[Rule] = [{"count": {"where": "rows columns", "of": FILLED, "times": 2}}]
    rules += [{"count": {"where": "rows columns", "of": number, "times": 1}} for number in numbers]
    rules += [{"between": {"of": FILLED, **clues}}]
    return "grid", {"cells": board.read_givens(), "symbols": [*numbers, FILLED], "constraints": rules}


def _read_battleships(board: Board) -> Found:
    board.body.text, slash, fleet = board.body.text.partition("/")
    counts = _list_counts(board, SHIPS[1:])
    numbers = board.body.read_numbers(board.count)
    board.body.end()
    if any(one >= len(SHIPS) for one in numbers):
        raise ParameterError("link", "parts of bent ships cannot be stated")
    places = list_cells((board.rows, board.columns))
    parts = [cell_name(place) for place, one in zip(places, numbers, strict=True) if one == ANY]
    only = [{"only": {"symbols": SHIPS[1:], "cells": " ".join(parts)}}] if parts else []
    cells = board.split([SHIPS[one] if one >= 0 else "." for one in numbers])
    rules = [{"ships": {"fleet": read_fleet(fleet if slash else ""), "parts": PARTS}}, *counts, *only]
    return "grid", {"cells": cells, "symbols": f"{SHIPS[1:]}{SHIPS[0]}", "empty": SHIPS[0], "constraints": rules}


KINDS: dict[str, Callable[[Board], Found]] = {
    "sudoku": _read_sudoku,
    "slither": lambda board: ("slitherlink", {"clues": board.show(board.body.read_corners(board.count))}),
    "mashu": lambda board: (
        "masyu",
        {"pearls": board.show(board.body.read_packed(board.count, 3, 3), ".WB".__getitem__)},
    ),
    "numlin": lambda board: ("numberlink", {"board": board.read_table(), "fill": False}),
    "arukone": lambda board: ("numberlink", {"board": board.read_table(), "fill": board.flags != "e"}),
    "starbattle": _read_star_battle,
    "kakuro": _read_kakuro,
    "nonogram": _read_nonogram,
    "tents": _read_tents,
    "shikaku": lambda board: _make_grid(board, "none", [{"rectangles": board.read_table()}]),
    "norinori": lambda board: _make_grid(board, f"{FILLED}{NOTHING}", NORINORI, regions=_read_regions(board)),
    "nurikabe": lambda board: _make_grid(board, f"{FILLED}{NOTHING}", [{"islands": board.read_table()}, *SEA]),
    "hitori": lambda board: _make_grid(
        board,
        f"{FILLED}{PLAIN}",
        [{"hitori": {"numbers": board.show(board.body.read_words(board.count)), "of": FILLED}}, *APART],
        empty=PLAIN,
    ),
    "lightup": _read_light_up,
    "fillomino": _read_fillomino,
    "skyscrapers": _read_skyscrapers,
    "battleship": _read_battleships,
    "ripple": _read_regions_of_numbers({"ripple": "rows columns"}, may_have_holes=False),
    "suguru": _read_regions_of_numbers({"differ": "king"}),
    "cojun": _read_regions_of_numbers({"differ": "adjacent"}, falls=True),
    "kropki": _read_kropki,
    "easyasabc": _read_letters,
    "doppelblock": _read_doppelblock,
}
"""What reads the board of each kind."""

_FLAGS: Mapping[str, Sequence[str]] = {"arukone": ("e",)}
