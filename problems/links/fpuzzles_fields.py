"""Puzzles as documents of f-puzzles: which field states which constraint of a grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from exactcover import Encoder, ParameterError
from problems.boards import cell_name, group_cells
from problems.grid import Grid
from problems.grids import clues, constraints, lines
from problems.grids.board import Place
from problems.grids.constraints import Constraint
from problems.squares import number_boxes
from problems.sudoku import Sudoku

STEPS = {"UR": (-1, 1), "UL": (-1, -1), "DR": (1, 1), "DL": (1, -1)}
_FOUR = ((0, 0), (0, 1), (1, 0), (1, 1))


def name_cells(cells: Iterable[Place]) -> list[str]:
    """Return cells as f-puzzles names them."""
    return [cell_name(cell).upper() for cell in cells]


def write_puzzle(encoder: Encoder, title: str | None = None) -> dict[str, Any]:
    """Return the document that states the puzzle of an encoder; rules without a field are refused."""
    if isinstance(encoder, Sudoku):
        encoder = _make_grid(encoder)
    if not isinstance(encoder, Grid):
        name = type(encoder).__name__.lower()
        raise ParameterError("problem", f"puzzles of {name} cannot be written, only those of sudoku and grid")
    texts = {"title": title, "ruleset": encoder.instructions}
    return _Document(encoder).write() | {field: text for field, text in texts.items() if text}


def _make_grid(sudoku: Sudoku) -> Grid:
    """Return a Sudoku as a grid of numbers."""
    side, numbers = sudoku.side, {one: number for number, one in enumerate(sudoku.alphabet, 1)}
    is_compared = sudoku.cages or sudoku.sums or sudoku.thermometers
    if is_compared and any(one.isdecimal() and one != str(numbers[one]) for one in numbers):
        raise ParameterError("symbols", "f-puzzles has the numbers from 1 only")
    cells = [["."] * side for _ in range(side)]
    for row, column, symbol in sudoku.givens():
        cells[row - 1][column - 1] = str(numbers[symbol])
    drawings = ["\n".join(drawing.split() if isinstance(drawing, str) else drawing) for drawing in
                (sudoku.regions, *sudoku.extra, sudoku.cages)]  # fmt: skip
    root = math.isqrt(side)
    rules: list[Mapping[str, Any]] = [{"once": ["rows columns", drawings[0] or sudoku.box or f"{root}x{root}"]}]
    rules += [{"once": "diagonals"}] * sudoku.diagonals
    rules += [{"once": drawing} for drawing in drawings[1:-1]]
    rules += [{"cages": {"areas": drawings[-1], "totals": sudoku.sums}}] if drawings[-1] else []
    rules += [{"thermometers": sudoku.thermometers}] if sudoku.thermometers else []
    return Grid(tuple(map(tuple, cells)), constraints=tuple(rules))


class _Document:
    """A document that is written, and the grid that it shall state."""

    def __init__(self, grid: Grid) -> None:
        self.board = grid.board
        self.words = [next(iter(one)) for one in grid.constraints]
        self.givens = grid.decode(grid.stated_givens)
        rows, columns = self.board.size
        self.size = rows
        symbols = tuple(str(number) for number in range(1, rows + 1))
        if rows != columns or len(self.board.cells) != rows * columns or self.board.empty:
            raise ParameterError("cells", "f-puzzles has square boards without holes only, each cell with a number")
        if self.board.symbols != symbols:
            raise ParameterError("symbols", f"f-puzzles has the numbers from 1 to {rows} only")
        self.fields: dict[str, Any] = {}
        self.regions: dict[Place, int] | None = None
        self.lines: set[str] = set()
        self.candidates: dict[Place, list[int]] = {}
        self.constraints = grid.stated_constraints

    def write(self) -> dict[str, Any]:
        """Return the document. Regions are known before what refers to them, and marks before what is not marked."""
        order = {constraints.Once: 0, lines.Unmarked: 2}
        for number, constraint in sorted(enumerate(self.constraints), key=lambda pair: order.get(type(pair[1]), 1)):
            add = _WRITERS.get(type(constraint))
            what = "this rule" if add is None else add(self, constraint)
            if what is not None:
                message = f"{self.words[number]}: f-puzzles cannot state {what}"
                raise ParameterError(("constraints", number), message)
        if len(self.lines) < 2 * self.size:
            raise ParameterError(
                "constraints", "f-puzzles has puzzles only whose rows and columns hold every number once"
            )
        return {"size": self.size, "grid": self._write_cells(), **self.fields}

    def _write_cells(self) -> list[list[dict[str, Any]]]:
        usual = number_boxes(self.size)
        rows = list[list[dict[str, Any]]]()
        for row in range(1, self.size + 1):
            rows.append([])
            for column in range(1, self.size + 1):
                cell, place = dict[str, Any](), (row, column)
                if place in self.givens:
                    cell = {"value": int(self.givens[place]), "given": True}
                region = (self.regions or {}).get(place)
                cell |= {} if region == usual[place] else {"region": region}
                cell |= {"givenPencilMarks": self.candidates[place]} if place in self.candidates else {}
                rows[-1].append(cell)
        return rows

    def add(self, field: str, *items: Mapping[str, Any]) -> None:
        """Add objects to a field."""
        if items:
            self.fields.setdefault(field, []).extend(items)

    def read(self, texts: Iterable[str]) -> list[tuple[Place, ...]]:
        """Return the cells of lines as they are stated."""
        return [self.board.read_cells(text, ()) for text in texts]

    def add_lines(self, field: str, texts: Iterable[str], **more: Any) -> None:
        """Add lines to a field, each as an object."""
        self.add(field, *({"lines": [name_cells(cells)], **more} for cells in self.read(texts)))


def _add_groups(document: _Document, one: constraints.Once) -> None:
    board, size = document.board, document.size
    diagonals = {frozenset((k, k) for k in range(1, size + 1)): "diagonal-",
                 frozenset((size + 1 - k, k) for k in range(1, size + 1)): "diagonal+"}  # fmt: skip
    groups = board.find_groups(one.where, ())
    areas = [group for group in groups if group.name.split()[0] in ("box", "region", "area")]
    cells = [cell for group in areas for cell in group.cells]
    is_partition = document.regions is None and areas and len(cells) == len({*cells})
    if is_partition:
        document.regions = {cell: number for number, group in enumerate(areas) for cell in group.cells}
        usual = number_boxes(size)
        pairs = {(document.regions.get(cell), usual[cell]) for cell in usual}
        if len(pairs) == size and len(cells) == len(usual):  # they are the usual boxes
            document.regions = usual
    for group in groups:
        if group.name.split()[0] in ("row", "column"):
            document.lines.add(group.name)
        elif frozenset(group.cells) in diagonals:
            document.fields[diagonals[frozenset(group.cells)]] = True
        elif not (is_partition and group in areas):
            document.add("extraregion", {"cells": name_cells(group.cells)})


def _add_moves(document: _Document, one: constraints.Differ) -> str | None:
    words = one.list_neighbors()
    fields = {("king", 1): "antiking", ("diagonal", 1): "antiking", ("knight", 1): "antiknight",
              ("adjacent", 1): "", ("adjacent", 2): "nonconsecutive"}  # fmt: skip
    for word in words:
        field = fields.get((word, one.by))
        if field is None:
            return f"that {word} neighbors differ by {one.by}"
        if field == "nonconsecutive" and any(
            isinstance(other, lines.Dots) and other.white for other in document.constraints
        ):
            return "white dots between neighbors that differ by 2"
        document.fields |= {field: True} if field else {}
    return None


def _add_candidates(document: _Document, one: constraints.Only) -> str | None:
    symbols = [int(symbol) for symbol in document.board.read_symbols(one.symbols, ())]
    for cell in document.board.read_cells(one.cells, ()):
        if cell in document.candidates or cell in document.givens:
            return f"several facts about what {cell_name(cell)} holds"
        document.candidates[cell] = symbols
    return None


def _add_cages(document: _Document, one: constraints.Cages) -> str | None:
    for name, cells in document.board.read_areas(one.areas, (), "cage"):
        total = str(one.totals.get(name.removeprefix("cage "), "")).strip().removesuffix("+")
        if one.repeat or not (total.isdecimal() or not total):
            return f"the total {total} of {name}" if total else "cages in which numbers may repeat"
        document.add("killercage", {"cells": name_cells(cells)} | ({"value": total} if total else {}))
    return None


def _add_sums(document: _Document, one: clues.Sums) -> str | None:
    for text, stated in one.lines.items():
        cells, total = document.board.read_cells(text, ()), str(stated).strip().removesuffix("+")
        value, names = total[:-1], name_cells(cells)
        if len(cells) == 2 and document.board.around(cells[0]).count(cells[1]):
            if total[-1:] in ("-", "/") and value.isdecimal():
                document.add("difference" if total[-1] == "-" else "ratio", {"cells": names, "value": value})
            elif total in ("5", "10"):
                document.add("xv", {"cells": names, "value": "V" if total == "5" else "X"})
            elif total.isdecimal():
                document.add("killercage", {"cells": names, "value": total})
            else:
                return f"the total {total} of {text}"
        elif not one.repeat and (total.isdecimal() or not total):
            document.add("killercage", {"cells": names} | ({"value": total} if total else {}))
        elif total.isdecimal() and (clue := _find_diagonal(document, cells)):
            document.add("littlekillersum", {**clue, "cells": names, "value": total})
        else:
            return f"the total {total} of {text}"
    return None


def _find_diagonal(document: _Document, cells: Sequence[Place]) -> dict[str, str] | None:
    """Return the place and the direction of the clue of a whole diagonal; None for other cells."""
    known = set(document.board.cells)
    for name, (down, right) in STEPS.items():
        before, after = (cells[0][0] - down, cells[0][1] - right), (cells[-1][0] + down, cells[-1][1] + right)
        steps = all(other == (one[0] + down, one[1] + right) for one, other in pairwise(cells))
        if steps and before not in known and after not in known:
            return {"cell": f"R{before[0]}C{before[1]}", "direction": name}
    return None


def _add_dots(document: _Document, one: lines.Dots) -> str | None:
    if one.all:
        return "that all dots are drawn, as it reads dots that are missing otherwise"
    for field, texts in (("difference", one.white), ("ratio", one.black)):
        pairs = [pair for cells in document.read(texts) for pair in pairwise(cells)]
        document.add(field, *({"cells": name_cells(pair)} for pair in pairs))
    return None


def _add_arrows(document: _Document, one: lines.Arrows) -> None:
    for number in range(len(one.lines)):
        head, tail = one.split(document.board, number)
        document.add("arrow", {"lines": [name_cells((head[-1], *tail))], "cells": name_cells(head)})


def _add_whispers(document: _Document, one: lines.Whispers) -> None:
    document.add_lines("whispers", one.lines, **({} if one.by == 5 else {"value": str(one.by)}))


def _add_renban(document: _Document, one: lines.Renban) -> None:
    groups = document.board.find_groups(one.where, ())
    document.add("renban", *({"lines": [name_cells(group.cells)]} for group in groups))


def _add_outside(document: _Document, one: lines.Outside) -> str | None:
    document.add_lines("lockout", one.lines)
    return None if one.by == 4 else f"lines whose ends differ by {one.by}"


def _add_region_sums(document: _Document, one: lines.RegionSums) -> str | None:
    groups = {frozenset(group.cells) for group in document.board.find_groups(one.where, ())}
    if groups != {*map(frozenset, group_cells(document.regions or {}).values())}:
        return "sums in what is not a region"
    document.add_lines("regionsumline", one.lines)
    return None


def _add_unmarked(document: _Document, one: lines.Unmarked) -> str | None:
    """State that all marks are there; marks are the fields that are known by now."""
    fields = document.fields
    marked = {frozenset(pair) for cells in document.read(one.marked) for pair in pairwise(name_cells(cells))}
    ratios = {str(item.get("value", 2)) + "/" for item in fields.get("ratio", ())} or {"2/"}
    kinds = {"difference": {"1-"}, "xv": {"5", "10"}, "ratio": ratios}
    field = next((field for field, known in kinds.items() if known == {*one.totals.split()}), None)
    if field is None or marked != {frozenset(item["cells"]) for item in fields.get(field, ())}:
        return f"that neighbors without these marks do not make {one.totals}"
    if field == "difference":
        fields["nonconsecutive"] = True
    else:
        fields.setdefault("negative", []).append(field)
    return None


def _add_marks(field: str) -> Callable[[_Document, Any], None]:
    return lambda document, one: document.add(
        field, *({"cell": name} for name in name_cells(document.board.read_cells(one.cells, ())))
    )


def _add_quadruples(document: _Document, one: clues.Quadruples) -> None:
    for (row, column), symbols in one.read(document.board).items():
        near = name_cells((row + down, column + right) for down, right in _FOUR)
        document.add("quadruple", {"cells": near, "values": [int(symbol) for symbol in symbols]})


def _add_clones(document: _Document, one: lines.Clones) -> None:
    for number in range(len(one.groups)):
        cells, others = map(name_cells, one.split(document.board, number))
        document.add("clone", {"cells": cells, "cloneCells": others})


def _add_sides(field: str) -> Callable[[_Document, Any], str | None]:
    def add(document: _Document, one: Any) -> str | None:
        last = document.size
        if field == "sandwichsum" and {*document.board.read_symbols(one.of, ())} != {"1", str(last)}:
            return f"sums between {one.of}"
        ends = {"left": "R{}C0", "right": f"R{{}}C{last + 1}", "top": "R0C{}", "bottom": f"R{last + 1}C{{}}"}
        for side, name in ends.items():
            for number, clue in enumerate(document.board.read_clues(getattr(one, side, ""), last, ()), 1):
                document.add(field, *[{"cell": name.format(number), "value": clue}] * bool(clue))
        return None

    return add


_WRITERS: dict[type[Constraint], Callable[[_Document, Any], str | None]] = {
    constraints.Once: _add_groups,
    constraints.Differ: _add_moves,
    constraints.Only: _add_candidates,
    constraints.Cages: _add_cages,
    constraints.Even: _add_marks("even"),
    constraints.Odd: _add_marks("odd"),
    clues.Sums: _add_sums,
    clues.Visible: _add_sides("skyscraper"),
    clues.Between: _add_sides("sandwichsum"),
    clues.XSums: _add_sides("xsum"),
    clues.Quadruples: _add_quadruples,
    lines.Thermometers: lambda document, one: document.add_lines(
        "slowthermometer" if one.slow else "thermometer", one.lines
    ),
    lines.Less: lambda document, one: document.add_lines("thermometer", (text.replace("<", " ") for text in one.pairs)),
    lines.Dots: _add_dots,
    lines.Arrows: _add_arrows,
    lines.Whispers: _add_whispers,
    lines.Palindromes: lambda document, one: document.add_lines("palindrome", one.lines),
    lines.Renban: _add_renban,
    lines.Inside: lambda document, one: document.add_lines("betweenline", one.lines),
    lines.Outside: _add_outside,
    lines.Entropic: lambda document, one: document.add_lines("entropicline", one.lines),
    lines.Modular: lambda document, one: document.add_lines("modularline", one.lines),
    lines.RegionSums: _add_region_sums,
    lines.Clones: _add_clones,
    lines.Unmarked: _add_unmarked,
}
"""What writes each constraint; it returns what cannot be stated, if anything."""
