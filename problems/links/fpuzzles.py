"""Links of f-puzzles: variants of Sudoku, each rule a field of a JSON document."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias
from urllib.parse import unquote

from exactcover import Encoder, ParameterError
from exactcover.formats.links import Linked, Written
from problems.boards import cell_name, draw_letters, group_cells, list_cells
from problems.grid import Grid
from problems.grids.board import Place
from problems.links.fpuzzles_fields import STEPS, write_puzzle
from problems.links.lz_string import compress, decompress
from problems.squares import number_boxes, split_side

Path: TypeAlias = tuple[str | int, ...]
Stated: TypeAlias = dict[str, Any]
"""A constraint as it stands in files: a word and its arguments."""
Split: TypeAlias = Callable[[list[Place]], list[list[Place]]]
"""Returns the lines that state a line, which may cross itself."""

MOST_CHARACTERS = 1 << 20
_MOST_SIDE = 32
_MOST_ITEMS = 4096  # lines, cages and clues
_LETTERS = string.ascii_letters + string.digits

_LEFT_OUT = (  # drawings, texts, and what is for players and other solvers
    "author", "line", "text", "circle", "rectangle", "cage", "solution", "successMessage", "msgcorrect", "fogofwar",
    "foglight", "disabledlogic", "truecandidatesoptions",
)  # fmt: skip
_MARKS = ("c", "cArray", "highlight", "highlightArray", "centerPencilMarks", "cornerPencilMarks")
SPOKEN = "rules that only its text states"
_KEYS = {
    **dict.fromkeys(("killercage", "difference", "ratio", "xv"), ("cells", "value")),
    **dict.fromkeys(("sandwichsum", "xsum", "skyscraper"), ("cell", "value")),
    **dict.fromkeys(("even", "odd", "minimum", "maximum"), ("cell",)),
    "extraregion": ("cells",),
    "littlekillersum": ("cell", "cells", "direction", "value"),
    "arrow": ("cells", "lines"),
    "whispers": ("lines", "value"),
    "quadruple": ("cells", "values"),
    "clone": ("cells", "cloneCells"),
}
"""The keys of the objects in each field; in others, they are lines."""
_LOOKS = re.compile("[a-z]+C|width|height|size|angle|opacity|isNewConstraint|fromConstraint")
"""Keys of objects that are about looks: colors, sizes, and the tool with which something was drawn."""


def read(link: str) -> Linked | None:
    """Return the puzzle of a link to f-puzzles; None for other links."""
    match = re.match(r"https?://(?:www\.)?f-puzzles\.com/[^?]*\?(.*)", link, re.IGNORECASE | re.DOTALL)
    if match is None:
        return None
    body = re.search(r"(?:^|&)load=([^&#]*)", match[1])
    if body is None:
        message = "the link holds no puzzle, only its name on another site; open it, and export a link with ?load="
        raise ParameterError("link", message)
    return read_puzzle(read_body(body[1]))


def read_body(body: str) -> Any:
    """Return the JSON value in the letters of a link."""
    try:
        text = decompress(unquote(body).replace(" ", "+").strip(), MOST_CHARACTERS)
    except ValueError as error:
        raise ParameterError("link", f"the puzzle in the link cannot be decompressed: {error}") from None
    return read_json(text)


def read_json(text: str) -> Any:
    """Return the value of a JSON text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ParameterError("link", "the text in the link is not JSON, or too deeply nested") from None


class _Puzzle:
    """The fields of a puzzle, whose kinds are checked when they are read."""

    def __init__(self, data: Any) -> None:
        if not isinstance(data, dict):
            raise ParameterError("link", "the text in the link is no puzzle; expected a JSON object")
        self.data: dict[str, Any] = data
        size, grid = data.get("size"), data.get("grid")
        if type(size) is not int or not 1 <= size <= _MOST_SIDE:
            raise ParameterError("size", f"expected a number from 1 to {_MOST_SIDE}")
        self.size: int = size
        is_grid = isinstance(grid, list) and len(grid) == size
        if not is_grid or not all(isinstance(row, list) and len(row) == size for row in grid):  # type: ignore[union-attr]
            raise ParameterError("grid", f"expected {size} rows of {size} cells")
        self.grid: list[list[dict[str, Any]]] = grid  # type: ignore[assignment]
        for row, column in self.places():
            if not isinstance(self.grid[row - 1][column - 1], dict):
                raise ParameterError(("grid", row - 1, column - 1), "expected an object")
        self.left_out: dict[str, None] = {}
        self.box = split_side(size)
        self._items = 0

    def places(self) -> list[Place]:
        """Return all cells."""
        return list_cells((self.size, self.size))

    def is_set(self, field: str) -> bool:
        """Return whether a field that is true or false is true."""
        found = self.data.get(field)
        if not isinstance(found, bool | None):
            raise ParameterError(field, "expected true or false")
        return bool(found)

    def list_items(self, field: str) -> Iterator[tuple[Path, dict[str, Any]]]:
        """Yield the objects in a field, with their paths."""
        found = self.data.get(field) or []
        if not isinstance(found, list):
            raise ParameterError(field, "expected a list")
        self._items += len(found)
        if self._items > _MOST_ITEMS:
            raise ParameterError(field, f"there are more than {_MOST_ITEMS:,} lines, cages and clues")
        for number, item in enumerate(found):
            if not isinstance(item, dict):
                raise ParameterError((field, number), "expected an object")
            known = _KEYS.get(field, ("lines",))
            for key, value in item.items():
                if not (_is_unset(value) or key in known or _LOOKS.fullmatch(key)):
                    message = f"this key cannot be stated; expected {' and '.join(known)}"
                    raise ParameterError((field, number, key[:40]), message)
            yield (field, number), item

    def read_place(self, found: Any, path: Path, outside: int = 0) -> Place:
        """Return the row and the column of a cell, which may lie so far outside of the board."""
        match = re.fullmatch(r"[Rr](-?\d{1,2})[Cc](-?\d{1,2})", found) if isinstance(found, str) else None
        place = (int(match[1]), int(match[2])) if match else (-1, -1)
        if not all(1 - outside <= part <= self.size + outside for part in place):
            raise ParameterError(path, f"expected a cell from R1C1 to R{self.size}C{self.size}")
        return place

    def read_cells(self, item: Mapping[Any, Any], path: Path, key: str | int = "cells") -> list[Place]:
        """Return the cells in a list."""
        found = item.get(key) or []
        if not isinstance(found, list):
            raise ParameterError((*path, key), "expected a list of cells")
        return [self.read_place(one, (*path, key, number)) for number, one in enumerate(found)]

    def list_lines(
        self, field: str, split: Split = lambda cells: [cells]
    ) -> Iterator[tuple[list[Place], Mapping[str, Any]]]:
        """Yield the lines of two or more cells in a field, each split, with the objects that they belong to."""
        for path, item in self.list_items(field):
            for number, cells in enumerate(self.read_lines(item, path)):
                for part in split(cells) if len(cells) > 1 else ():
                    _check_once(part, (*path, "lines", number))
                    yield part, item

    def read_lines(self, item: Mapping[str, Any], path: Path) -> list[list[Place]]:
        """Return the lines of an object."""
        lines = item.get("lines") or []
        if not isinstance(lines, list):
            raise ParameterError((*path, "lines"), "expected a list of lines")
        self._items += len(lines)
        return [self.read_cells({number: line}, (*path, "lines"), number) for number, line in enumerate(lines)]

    def list_values(self, field: str, default: int | None = None) -> Iterator[tuple[Mapping[str, Any], Path, int]]:
        """Yield the objects in a field that have a number, or all if there is a default."""
        for path, item in self.list_items(field):
            value = read_number(item.get("value"), (*path, "value"), default)
            if value is not None:
                yield item, path, value

    def list_pairs(self, field: str, default: int | None = None) -> Iterator[tuple[str, int]]:
        """Yield the pairs of cells in a field, each with its number."""
        for item, path, value in self.list_values(field, default):
            cells = self.read_cells(item, path)
            if len(cells) != 2:
                raise ParameterError((*path, "cells"), "expected two cells")
            yield write_cells(cells), value


def _is_unset(value: Any) -> bool:
    """Return whether a value says nothing."""
    return value in (None, "", [], {}, False)


def _check_once(cells: Sequence[Place], path: Path) -> None:
    """Refuse cells one of which occurs twice."""
    twice = next((cell for number, cell in enumerate(cells) if cell in cells[:number]), None)
    if twice is not None:
        raise ParameterError(path, f"{cell_name(twice).upper()} occurs twice, so this cannot be stated")


def write_cells(cells: Iterable[Place]) -> str:
    """Return the names of cells as constraints have them."""
    return " ".join(map(cell_name, cells))


def read_number(found: Any, path: Path, default: int | None = None) -> int | None:
    """Return a number, which may be a text; the default if there is none."""
    if found is None or found == "":
        return default
    text = str(found) if type(found) is int else found
    if not isinstance(text, str) or not re.fullmatch(r"\s*\d{1,4}\s*", text, re.ASCII):
        raise ParameterError(path, "expected a number from 0 to 9999; nothing else can be stated")
    return int(text)


def pack(pairs: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
    """Return mappings with all pairs; more than one if a key has several values."""
    found: list[dict[str, Any]] = []
    for key, value in pairs:
        place = next((one for one in found if one.get(key, value) == value), None)
        if place is None:
            found.append({key: value})
        else:
            place[key] = value
    return found


def read_puzzle(data: Any) -> Linked:
    """Return the puzzle that a document of f-puzzles states."""
    puzzle = _Puzzle(data)
    for field, value in puzzle.data.items():
        if _is_unset(value) or field in ("size", "grid", "title", "ruleset", *chain(*_FIELDS)):
            continue
        if field not in _LEFT_OUT:
            raise ParameterError(str(field)[:40], "this rule of the link cannot be stated")
        puzzle.left_out[field] = None
    params = _read_board(puzzle) | _read_instructions(puzzle)
    others = [(fields, one) for fields, read_field in _FIELDS.items() for one in read_field(puzzle)]
    problem, params = choose_family(puzzle.size, params, [one for _, one in others])
    if problem == "grid":
        _check_grid(puzzle, params, [fields for fields, _ in others])
    return Linked(problem, params, read_title(puzzle.data.get("title")), tuple(puzzle.left_out))


def _check_grid(puzzle: _Puzzle, params: Mapping[str, Any], origins: Sequence[tuple[str, ...]]) -> None:
    """Name the fields that state what is wrong with a grid; they are the origins of its last constraints."""
    try:
        Grid(**params)
    except ParameterError as error:
        numbers = [part for part in error.path[1:2] if error.path[0] == "constraints" and isinstance(part, int)]
        place = numbers[0] - len(params["constraints"]) + len(origins) if numbers else -1
        fields = origins[place] if place >= 0 else ("grid",)
        raise ParameterError(" and ".join(field for field in fields if field in puzzle.data), error.message) from None


def _read_instructions(puzzle: _Puzzle) -> dict[str, str]:
    """Return the rules in words as a parameter of a grid, if there are any."""
    found = puzzle.data.get("ruleset") or ""
    if not isinstance(found, str):
        raise ParameterError("ruleset", "expected a text")
    if not found.strip():
        return {}
    puzzle.left_out[SPOKEN] = None
    return {"instructions": found.encode("utf-8", "replace").decode()}


def read_title(found: Any) -> str | None:
    """Return a title as one line."""
    words = "".join(one if one.isprintable() else " " for one in found).split() if isinstance(found, str) else ()
    return " ".join(words)[:200] or None


def choose_family(side: int, params: dict[str, Any], others: Sequence[Stated]) -> tuple[str, dict[str, Any]]:
    """Return the family of a puzzle and its parameters: a Sudoku if there are only usual rules."""
    base, *more = params["constraints"]
    where, cells = str(base["once"]).split(), params["cells"]
    sizes = {letter: "".join(params.get("regions", ())).count(letter) for letter in "".join(params.get("regions", ()))}
    is_usual = len(where) == 3 and set(sizes.values()) <= {side} and "." not in sizes
    if others or more or not is_usual or not 2 <= side <= 9 or "instructions" in params:
        if all(one == "." for row in cells for one in row):
            params["cells"] = f"{side}x{side}"
        return "grid", {**params, "constraints": [*params["constraints"], *others]}
    own: dict[str, Any] = {"regions": params["regions"]} if "regions" in params else {"box": where[2]}
    return "sudoku", {"grid": ["".join(map(str, row)) for row in cells], **own}


def _read_board(puzzle: _Puzzle) -> dict[str, Any]:
    """Return the cells, the regions and what cells may hold, as parameters of a grid."""
    cells: list[list[Any]] = [["."] * puzzle.size for _ in range(puzzle.size)]
    candidates: dict[str, list[Place]] = {}
    for row, column in puzzle.places():
        cell, path = puzzle.grid[row - 1][column - 1], ("grid", row - 1, column - 1)
        for key, value in cell.items():
            if _is_unset(value) or key in ("value", "given", "region", "givenPencilMarks"):
                continue
            if key not in _MARKS:
                raise ParameterError((*path, str(key)[:40]), "this mark of a cell cannot be stated")
            puzzle.left_out[f"{key} of cells"] = None
        if cell.get("given"):
            cells[row - 1][column - 1] = _read_symbol(puzzle, cell.get("value"), (*path, "value"))
        elif cell.get("value") not in (None, ""):
            puzzle.left_out["entries of a player"] = None
        marks = cell.get("givenPencilMarks") or []
        if marks and not cell.get("given"):
            if not isinstance(marks, list):
                raise ParameterError((*path, "givenPencilMarks"), "expected a list of symbols")
            symbols = {_read_symbol(puzzle, one, (*path, "givenPencilMarks", k)): None for k, one in enumerate(marks)}
            candidates.setdefault(" ".join(map(str, symbols)), []).append((row, column))
    regions = _read_regions(puzzle)
    (height, width), is_usual = puzzle.box, regions == number_boxes(puzzle.size)
    groups = "" if not regions or (is_usual and height == 1) else f" {height}x{width}" if is_usual else " regions"
    params: dict[str, Any] = {"cells": cells}
    if groups == " regions":
        letters = dict(zip(dict.fromkeys(regions.values()), _LETTERS, strict=False))
        if len(letters) < len(set(regions.values())):
            raise ParameterError("grid", f"there are more than {len(_LETTERS)} regions")
        drawn = {cell: letters[region] for cell, region in regions.items()}
        params["regions"] = draw_letters(drawn, (puzzle.size, puzzle.size))
    only = [{"only": {"symbols": symbols, "cells": write_cells(own)}} for symbols, own in candidates.items()]
    return params | {"constraints": [{"once": f"rows columns{groups}"}, *only]}


def _read_symbol(puzzle: _Puzzle, found: Any, path: Path) -> int:
    value = read_number(found, path)
    if value is None or not 1 <= value <= puzzle.size:
        raise ParameterError(path, f"expected a number from 1 to {puzzle.size}")
    return value


def _read_regions(puzzle: _Puzzle) -> dict[Place, int]:
    """Return the number of the region of each cell that lies in one."""
    found = dict[Place, int]()
    for (row, column), usual in number_boxes(puzzle.size).items():
        region = puzzle.grid[row - 1][column - 1].get("region", usual)
        if type(region) not in (int, type(None)):
            raise ParameterError(("grid", row - 1, column - 1, "region"), "expected a number")
        if region is not None and region >= 0:
            found[row, column] = region
    return found


# Fields: each yields the constraints that a field states.


def _read_diagonals(puzzle: _Puzzle) -> Iterator[Stated]:
    last = puzzle.size
    lines = {"diagonal-": f"r1c1-r{last}c{last}", "diagonal+": f"r{last}c1-r1c{last}"}
    chosen = [line for field, line in lines.items() if puzzle.is_set(field)]
    if chosen:
        yield {"once": "diagonals" if len(chosen) == 2 else chosen[0]}


def _read_moves(puzzle: _Puzzle) -> Iterator[Stated]:
    moves = [word for field, word in (("antiking", "king"), ("antiknight", "knight")) if puzzle.is_set(field)]
    if moves:
        yield {"differ": " ".join(moves)}
    if puzzle.is_set("nonconsecutive"):
        marked = [pair for pair, _ in puzzle.list_pairs("difference", 1)]
        yield (
            {"unmarked": {"totals": "1-", "marked": marked}}
            if marked
            else {"differ": {"neighbors": "adjacent", "by": 2}}
        )


def _read_disjoint_groups(puzzle: _Puzzle) -> Iterator[Stated]:
    if not puzzle.is_set("disjointgroups"):
        return
    if any("region" in cell for row in puzzle.grid for cell in row):
        raise ParameterError("disjointgroups", "this rule cannot be stated for regions that are no boxes")
    height, width = puzzle.box
    groups = group_cells({(row, column): (row % height, column % width) for row, column in puzzle.places()})
    yield {"once": [write_cells(cells) for cells in groups.values()]}


def _read_extra_regions(puzzle: _Puzzle) -> Iterator[Stated]:
    found = [cells for path, item in puzzle.list_items("extraregion") if (cells := puzzle.read_cells(item, path))]
    if found:
        yield {"once": [write_cells(dict.fromkeys(cells)) for cells in found]}


def _read_cages(puzzle: _Puzzle) -> Iterator[Stated]:
    """Yield layers of cages that do not overlap."""
    layers: list[tuple[dict[Place, str], dict[str, int]]] = []
    for path, item in puzzle.list_items("killercage"):
        total, cells = read_number(item.get("value"), (*path, "value")), puzzle.read_cells(item, path)
        layer = next((one for one in layers if one[0].keys().isdisjoint(cells)
                      and len({*one[0].values()}) < len(_LETTERS)), None)  # fmt: skip
        if layer is None:
            layers.append(layer := ({}, {}))
        if cells:
            letter = _LETTERS[len({*layer[0].values()})]
            layer[0].update(dict.fromkeys(cells, letter))
            layer[1].update({} if total is None else {letter: total})
    for letters, totals in layers:
        if letters:
            areas = "\n".join(draw_letters(letters, (puzzle.size, puzzle.size)))
            yield {"cages": {"areas": areas, "totals": totals}}


def _read_diagonal_sums(puzzle: _Puzzle) -> Iterator[Stated]:
    sums = list[tuple[str, int]]()
    for item, path, total in puzzle.list_values("littlekillersum"):
        row, column = puzzle.read_place(item.get("cell"), (*path, "cell"), outside=1)
        if str(item.get("direction")) not in STEPS:
            raise ParameterError((*path, "direction"), f"expected {', '.join(STEPS)}")
        down, right = STEPS[item["direction"]]
        ends = [(row + k * down, column + k * right) for k in range(1, puzzle.size + 1)]
        cells = [cell for cell in ends if all(1 <= part <= puzzle.size for part in cell)]
        if not cells:
            raise ParameterError(path, "this clue points away from the board")
        sums.append(("-".join(map(cell_name, dict.fromkeys((cells[0], cells[-1])))), total))
    yield from ({"sums": lines} for lines in pack(sums))


def _read_arrows(puzzle: _Puzzle) -> Iterator[Stated]:
    lines = list[str]()
    for path, item in puzzle.list_items("arrow"):
        circle = puzzle.read_cells(item, path)
        for number, cells in enumerate(puzzle.read_lines(item, path)):
            if len(cells) < 2:
                continue
            if not circle or cells[0] not in circle:
                raise ParameterError((*path, "lines", number), "the arrow does not begin in its circle")
            is_plain = len(circle) == 1
            lines.append(write_cells(cells) if is_plain else f"{write_cells(circle)} > {write_cells(cells[1:])}")
    if lines:
        yield {"arrows": lines}


def _read_dots(puzzle: _Puzzle) -> Iterator[Stated]:
    differences, ratios = [*puzzle.list_pairs("difference", 1)], [*puzzle.list_pairs("ratio", 2)]
    white, black = [pair for pair, by in differences if by == 1], [pair for pair, by in ratios if by == 2]
    if white or black:
        yield {"dots": {"white": white, "black": black}}
    others = [(pair, f"{by}-") for pair, by in differences if by != 1]
    others += [(pair, f"{by}/") for pair, by in ratios if by != 2]
    yield from ({"sums": lines} for lines in pack(others))


def _list_signs(puzzle: _Puzzle) -> Iterator[tuple[str, int]]:
    """Yield the pairs with X and V, and their sums."""
    for path, item in puzzle.list_items("xv"):
        sign, cells = str(item.get("value") or "").upper(), puzzle.read_cells(item, path)
        if sign not in ("", "X", "V") or len(cells) != 2:
            raise ParameterError(path, "expected two cells with X or V")
        if sign:
            yield write_cells(cells), 10 if sign == "X" else 5


def _read_negative(puzzle: _Puzzle) -> Iterator[Stated]:
    stated = puzzle.data.get("negative") or []
    for word in stated if isinstance(stated, list) else [stated]:
        if word == "xv":
            yield {"unmarked": {"totals": "5 10", "marked": [pair for pair, _ in _list_signs(puzzle)]}}
        elif word == "ratio":
            ratios = [*puzzle.list_pairs("ratio", 2)]
            totals = sorted({by for _, by in ratios} or {2})
            yield {"unmarked": {"totals": " ".join(f"{by}/" for by in totals), "marked": [pair for pair, _ in ratios]}}
        else:
            raise ParameterError("negative", f"this rule of the link cannot be stated for {str(word)[:40]!r}")


def _read_lines(
    field: str, word: str, split: Split = lambda cells: [cells], **more: bool
) -> Callable[[_Puzzle], Iterator[Stated]]:
    def read_field(puzzle: _Puzzle) -> Iterator[Stated]:
        lines = [write_cells(cells) for cells, _ in puzzle.list_lines(field, split)]
        if lines:
            yield {word: {"lines": lines, **more} if more else lines}

    return read_field


def _open_loop(cells: Sequence[Place]) -> list[list[Place]]:
    """Return lines without a cell twice that have the same neighbors, and the same three cells in a row."""
    parts = [[*cells[:2]]]
    for cell in cells[2:]:
        parts += [parts[-1][-2:]] if cell in parts[-1] else []
        parts[-1].append(cell)
    return parts


def _read_whispers(puzzle: _Puzzle) -> Iterator[Stated]:
    found: dict[int, list[str]] = {}
    for cells, item in puzzle.list_lines("whispers", _open_loop):
        by = read_number(item.get("value"), ("whispers", "value"), 5)
        found.setdefault(by or 0, []).append(write_cells(cells))
    yield from ({"whispers": {"lines": lines, "by": by}} for by, lines in found.items())


def _read_region_sums(puzzle: _Puzzle) -> Iterator[Stated]:
    lines = [write_cells(cells) for cells, _ in puzzle.list_lines("regionsumline")]
    if lines:
        is_usual = not any("region" in cell for row in puzzle.grid for cell in row)
        yield {"regionsums": {"lines": lines, "where": "{}x{}".format(*puzzle.box) if is_usual else "regions"}}


def _read_marks(field: str) -> Callable[[_Puzzle], Iterator[Stated]]:
    def read_field(puzzle: _Puzzle) -> Iterator[Stated]:
        cells = [puzzle.read_place(item.get("cell"), path) for path, item in puzzle.list_items(field)]
        if cells:
            yield {field: write_cells(dict.fromkeys(cells))}

    return read_field


def _read_extremes(puzzle: _Puzzle) -> Iterator[Stated]:
    pairs = list[str]()
    for field in ("minimum", "maximum"):
        marked = {puzzle.read_place(item.get("cell"), path): None for path, item in puzzle.list_items(field)}
        for row, column in marked:
            near = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
            near = [one for one in near if one not in marked and all(1 <= part <= puzzle.size for part in one)]
            ends = [((row, column), one) for one in near]
            pairs += [write_cells(two if field == "minimum" else two[::-1]) for two in ends]
    if pairs:
        yield {"less": pairs}


def _read_quadruples(puzzle: _Puzzle) -> Iterator[Stated]:
    corners = list[tuple[str, str]]()
    for path, item in puzzle.list_items("quadruple"):
        cells, values = puzzle.read_cells(item, path), item.get("values") or []
        if not isinstance(values, list):
            raise ParameterError((*path, "values"), "expected a list of symbols")
        if not values:
            continue
        row, column = min(cells, default=(0, 0))
        if sorted(cells) != [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]:
            raise ParameterError((*path, "cells"), "expected the four cells around a corner")
        symbols = [_read_symbol(puzzle, one, (*path, "values", number)) for number, one in enumerate(values)]
        corners.append((cell_name((row, column)), " ".join(map(str, symbols))))
    yield from ({"quadruples": one} for one in pack(corners))


def _read_clones(puzzle: _Puzzle) -> Iterator[Stated]:
    groups = list[str]()
    for path, item in puzzle.list_items("clone"):
        both = [puzzle.read_cells(item, path, key) for key in ("cells", "cloneCells")]
        if len(both[0]) != len(both[1]):
            raise ParameterError(path, "expected as many cells as cloneCells")
        groups += [" = ".join(map(write_cells, both))] if both[0] else []
    if groups:
        yield {"clones": groups}


def _read_sides(field: str, word: str, *, is_mirrored: bool = False) -> Callable[[_Puzzle], Iterator[Stated]]:
    """Return what reads the clues beside the board, which may be the same from both sides."""

    def read_field(puzzle: _Puzzle) -> Iterator[Stated]:
        last, found = puzzle.size, dict[str, list[str]]()
        for item, path, value in puzzle.list_values(field):
            row, column = puzzle.read_place(item.get("cell"), (*path, "cell"), outside=1)
            sides = {"left": column == 0, "right": column > last, "top": row == 0, "bottom": row > last}
            if sum(sides.values()) != 1:
                raise ParameterError((*path, "cell"), "expected a cell beside the board, and not at its corner")
            side, place = next(one for one, is_there in sides.items() if is_there), column - 1
            if side in ("left", "right"):
                side, place = "left" if is_mirrored else side, row - 1
            side = "top" if is_mirrored and side == "bottom" else side
            clues = found.setdefault(side, ["."] * last)
            if clues[place] not in (".", str(value)):
                raise ParameterError(path, f"there are two clues for this line: {clues[place]} and {value}")
            clues[place] = str(value)
        if found:
            more = {"of": f"1 {last}"} if word == "between" else {}
            yield {word: more | {side: " ".join(clues) for side, clues in found.items()}}

    return read_field


_FIELDS: dict[tuple[str, ...], Callable[[_Puzzle], Iterator[Stated]]] = {
    ("diagonal-", "diagonal+"): _read_diagonals,
    ("antiking", "antiknight", "nonconsecutive"): _read_moves,
    ("disjointgroups",): _read_disjoint_groups,
    ("extraregion",): _read_extra_regions,
    ("killercage",): _read_cages,
    ("littlekillersum",): _read_diagonal_sums,
    ("arrow",): _read_arrows,
    ("thermometer",): _read_lines("thermometer", "thermometers"),
    ("slowthermometer",): _read_lines("slowthermometer", "thermometers", _open_loop, slow=True),
    ("difference", "ratio"): _read_dots,
    ("xv",): lambda puzzle: ({"sums": lines} for lines in pack(_list_signs(puzzle))),
    ("negative",): _read_negative,
    ("palindrome",): _read_lines("palindrome", "palindromes"),
    ("renban",): _read_lines("renban", "renban", lambda cells: [[*dict.fromkeys(cells)]]),
    ("whispers",): _read_whispers,
    ("betweenline",): _read_lines("betweenline", "inside"),
    ("lockout",): _read_lines("lockout", "outside"),
    ("regionsumline",): _read_region_sums,
    ("entropicline",): _read_lines("entropicline", "entropic", _open_loop),
    ("modularline",): _read_lines("modularline", "modular", _open_loop),
    ("even",): _read_marks("even"),
    ("odd",): _read_marks("odd"),
    ("minimum", "maximum"): _read_extremes,
    ("quadruple",): _read_quadruples,
    ("clone",): _read_clones,
    ("sandwichsum",): _read_sides("sandwichsum", "between", is_mirrored=True),
    ("xsum",): _read_sides("xsum", "xsums"),
    ("skyscraper",): _read_sides("skyscraper", "visible"),
}
"""The functions that read fields, alone or together, in the order of the constraints."""


def write(encoder: Encoder, title: str | None = None) -> Written:
    """Return a link to f-puzzles with the puzzle of an encoder, and its title."""
    return write_body(encoder, title, "https://www.f-puzzles.com/?load={}".format, read)


def write_body(
    encoder: Encoder, title: str | None, make_link: Callable[[str], str], read_link: Callable[[str], Linked | None]
) -> Written:
    """Return the link that is made of the letters in which links keep the puzzle of an encoder."""
    from problems.links.round_trip import check_link  # only for those who write

    letters = compress(json.dumps(write_puzzle(encoder, title), separators=(",", ":")))
    return check_link(make_link(letters), encoder, title, read_link, write_puzzle)
