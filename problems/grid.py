"""Grids of symbols under constraints that are data: most pencil puzzles, each stated in a few lines."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from textwrap import shorten
from typing import Any, ClassVar

from exactcover import Item, Label, ParameterError, Picture, Stop, StoppedError, pictures
from exactcover.errors import nearest
from exactcover.rules import Rule
from problems.boards import cell_name, place_of_cell
from problems.grids import clues, constraints, lines, shapes
from problems.grids.board import Chosen, GridBoard, Place, Placed, split_words
from problems.grids.constraints import Cages, Constraint, Count, list_signs, make_total
from problems.grids.drawing import fill_cell, set_apart, shift, write_letters
from problems.layouts import (
    count_solutions,
    cut_rectangles,
    find_solution,
    grow_cages,
    grow_regions,
    leave_out,
    list_areas,
    list_clues,
    move_cell,
    name_areas,
    redraw_regions,
    write_layout,
)
from problems.row_text import BLANK, HOLE, BoardEncoder, Rows, SymbolRows, read_rows, split_boards, write_table
from problems.squares import Entry, SymbolEncoder, label_symbols

_MOST_SYMBOLS = 400
_MOST_ENTRIES = 1_000_000  # symbols in cells
_LONGEST_NAME = 70  # of a constraint, in characters
_MOST_TRIES = 500  # of solutions, until the clues of one determine it
_FEW_TRIES = 50  # of those where clues can be left out; what all of them leave open, others hardly settle
_MOST_MOVES = 200  # of cells between regions, until a layout has one solution
_EMOJI = "\ufe0f"  # behind a sign that is to be shown in colors
_FILLED = "■"  # is drawn as a dark cell
_TINT = 0.45  # of dark cells where clues stand in cells

CONSTRAINTS: dict[str, type[Constraint]] = {
    "once": constraints.Once,
    "number": constraints.Number,
    "count": constraints.Count,
    "balance": constraints.Balance,
    "differ": constraints.Differ,
    "never": constraints.Never,
    "distinct": constraints.Distinct,
    "ripple": constraints.Ripple,
    "together": constraints.Together,
    "beside": constraints.Beside,
    "path": constraints.Path,
    "only": constraints.Only,
    "even": constraints.Even,
    "odd": constraints.Odd,
    "cages": constraints.Cages,
    "sums": clues.Sums,
    "kakuro": clues.Kakuro,
    "thermometers": lines.Thermometers,
    "less": lines.Less,
    "same": lines.Same,
    "unlike": lines.Unlike,
    "dots": lines.Dots,
    "whispers": lines.Whispers,
    "palindromes": lines.Palindromes,
    "renban": lines.Renban,
    "arrows": lines.Arrows,
    "inside": lines.Inside,
    "outside": lines.Outside,
    "entropic": lines.Entropic,
    "modular": lines.Modular,
    "regionsums": lines.RegionSums,
    "clones": lines.Clones,
    "unmarked": lines.Unmarked,
    "visible": clues.Visible,
    "first": clues.First,
    "between": clues.Between,
    "xsums": clues.XSums,
    "quadruples": clues.Quadruples,
    "around": clues.Around,
    "hitori": clues.Hitori,
    "lamps": clues.Lamps,
    "positions": clues.Positions,
    "runs": clues.Runs,
    "ships": shapes.Ships,
    "tents": shapes.Tents,
    "dominoes": shapes.Dominoes,
    "rectangles": shapes.Rectangles,
    "fillomino": shapes.Fillomino,
    "islands": shapes.Islands,
}
"""The class of each constraint, by its word in files."""


@dataclass(frozen=True)
class Grid(SymbolEncoder, BoardEncoder):
    """Fill the cells of a board with symbols so that all constraints hold.

    Each cell has an option for each symbol. Constraints add items that these options cover, and options of their own.

    Examples
    --------
    >>> futoshiki = Grid("4x4", constraints=[{"once": "rows columns"}, {"less": ["r1c1 r1c2", "r3c2 r2c2"]}])
    >>> futoshiki.count()
    144
    >>> stars = Grid("8x8", symbols="*x", empty="x", constraints=[{"count": {"where": "rows columns", "times": 1}},
    ...                                                           {"differ": "king"}])
    >>> stars.count()
    5242
    """

    board_parameter: ClassVar[str] = "cells"

    cells: Rows = "9x9"
    """The symbols that are given, row by row: a text, a list of rows, or the name of a file, with . for a blank and #
    for a hole. ROWSxCOLUMNS for none."""

    symbols: str | tuple[str | int, ...] = ""
    """The symbols in order: characters, words, or a range such as 0-6; none if only shapes
    are placed. By default, the numbers from 1 to the longer side."""

    empty: str = ""
    """The symbol of a cell that holds nothing, if there may be such cells."""

    regions: str | tuple[str, ...] = ""
    """The rows of a drawing with a letter for each region; . for cells in none."""

    constraints: tuple[Mapping[str, Any], ...] = ()
    """What must hold: a list, each entry a word and its arguments, which the documents about grids explain. The words
    are around, arrows, balance, beside, between, cages, clones, count, differ, distinct, dominoes, dots, entropic,
    even, fillomino, first, hitori, inside, islands, kakuro, lamps, less, modular, never, number, odd, once, only,
    outside, palindromes, path, positions, quadruples, rectangles, regionsums, renban, ripple, runs, same, ships, sums,
    tents, thermometers, together, unlike, unmarked, visible, whispers, xsums."""

    instructions: str = ""
    """The rules as players read them; by default a sentence for each constraint."""

    def __post_init__(self) -> None:
        self.board  # noqa: B018 - reports mistakes now

    @cached_property
    def _symbols(self) -> tuple[str, ...]:
        stated = _drop_selectors(self.symbols)
        if stated == "none":
            return ()
        if not stated:
            side = max(self._read_cells(None).size)
            if side > _MOST_SYMBOLS:
                raise ParameterError("symbols", f"expected symbols for a board of side {side}; state them")
            return tuple(map(str, range(1, side + 1)))
        span = re.fullmatch(r"\s*(\d{1,9})\s*-\s*(\d{1,9})\s*", stated) if isinstance(stated, str) else None
        if span:
            found = tuple(map(str, range(int(span[1]), int(span[2]) + 1)[: _MOST_SYMBOLS + 1]))
        elif isinstance(stated, str):
            words = split_words(stated)
            found = tuple(words) if len(words) > 1 else tuple("".join(words))
        else:
            found = tuple(str(one).strip() for one in stated)
        if not 1 <= len(found) <= _MOST_SYMBOLS:
            raise ParameterError("symbols", f"expected 1 to {_MOST_SYMBOLS} symbols, such as 0-6; got {stated!s:.40}")
        twice = next((one for number, one in enumerate(found) if one in found[:number]), None)
        if twice is not None:
            raise ParameterError("symbols", f"{twice!r} occurs twice")
        others = (BLANK, HOLE, "-", "_", "~", "")
        strange = next((one for one in found if one in others or re.search(r"[/,;\s]", one)), None)
        if strange is not None:
            raise ParameterError("symbols", f"{strange!r} cannot be a symbol; it stands for something else in boards")
        return found

    def _read_cells(self, symbols: tuple[str, ...] | None) -> SymbolRows:
        def read(text: str) -> str | None:
            return text if symbols is None or text == HOLE or text in symbols else None

        words = f"one of the symbols {' '.join(symbols)}, " if symbols else ""
        known = "" if symbols is None else f"{words}. for a blank, or # for a hole"
        return read_rows(_drop_selectors(self.cells), "cells", read, known, comments=False)

    @cached_property
    def _cells(self) -> SymbolRows:
        return self._read_cells(self._symbols)

    @cached_property
    def stated_constraints(self) -> list[Constraint]:
        """The constraints, in order."""
        stated = _drop_selectors(self.constraints)
        return [read_constraint(one, ("constraints", number)) for number, one in enumerate(stated)]

    @cached_property
    def board(self) -> GridBoard:
        """The board, with everything that the constraints state."""
        if self.empty and self.empty not in self._symbols:
            raise ParameterError("empty", f"{self.empty!r} is not one of the symbols {' '.join(self._symbols)}")
        places, cells = self._cells.places.items(), self._cells.open
        if not cells:
            raise ParameterError("cells", "the board has no cells")
        board = GridBoard(self._cells.size, cells, self._symbols, self.empty)
        if len(cells) * len(self._symbols) > _MOST_ENTRIES:
            raise ParameterError(
                "cells", f"the board is too large: {len(cells):,} cells, {len(self._symbols):,} symbols"
            )
        board.seen |= {cell for cell, symbol in places if symbol == self.empty}
        if self.regions:
            board.letters = board.read_drawing(self.regions, ("regions",))
        for number, (constraint, stated) in enumerate(zip(self.stated_constraints, self.constraints, strict=True)):
            try:
                if constraint.needs_symbols and not board.symbols:
                    raise ParameterError((), "this needs symbols on the board")
                by = getattr(constraint, "by", 1)  # how far symbols lie apart
                if by < 1:
                    raise ParameterError(("by",), f"expected 1 or more, got {by}")
                board.begin_layer()
                constraint.state(board)
            except ParameterError as error:
                ((word, value),) = stated.items()
                is_named = isinstance(value, Mapping) and error.path[:1] and error.path[0] in value
                path = ("constraints", number, word, *error.path[0 if is_named else 1 :])
                raise ParameterError(path, f"{word}: {error.message}") from None
        return board

    def primary(self) -> Iterator[Item]:
        return self.board.list_primary()

    def secondary(self) -> Iterator[Item]:
        return self.board.list_secondary()

    def multiplicity(self) -> dict[Item, tuple[int, int]]:
        return {item: times for item, times in self.board.primary.items() if times != (1, 1)}

    def options(self) -> Iterator[tuple[Label, list[Item]]]:
        return self.board.list_options()

    def rules(self) -> list[Rule]:
        return self.board.list_rules()

    def givens(self) -> list[Entry]:
        """Return the symbols that are given, apart from those that no solution can hold."""
        return [one for one in self.stated_givens if ((one.row, one.column), one.symbol) not in self.board.forbidden]

    @cached_property
    def stated_givens(self) -> list[Entry]:
        """The symbols that are given."""
        places = self.board.given | self._cells.places
        return [Entry(*cell, symbol) for cell, symbol in sorted(places.items()) if symbol != HOLE]

    def impossible(self) -> str | None:
        givens = set(self.givens())
        wrong = next((one for one in self.stated_givens if one not in givens), None)
        if wrong is not None:
            return f"{cell_name((wrong.row, wrong.column))} must not hold {wrong.symbol}"
        return self.board.find_conflict()

    def instances(self, lines: Iterable[str]) -> Iterator[str]:
        return split_boards(lines, comments=False)

    def frame(self) -> Hashable:
        kept = sorted(pair for pair in self._cells.places.items()
                      if pair[1] in (HOLE, self.empty) or pair in self.board.forbidden)  # fmt: skip
        stated = json.dumps([self.constraints, self.regions], default=str)
        return self._cells.size, tuple(kept), self._symbols, self.empty, stated

    def unparse(self, solution: Iterable[Label]) -> str:
        """Return the symbols in rows, with . for cells that hold nothing."""
        symbols = {(one.row, one.column): one.symbol for one in solution if isinstance(one, Entry)}
        return "\n".join(self._cells.write(symbols))

    def lay_out(self, generator: random.Random, stop: Stop | None = None) -> Grid:
        """Return a puzzle with other cages, or else regions that count symbols, or else rectangles, clues, or regions.

        Regions that count symbols are drawn around a solution; others keep their sizes. Clues are those of a random
        solution, of which none can be left out, if the puzzle allows for fewer.
        """
        place = next((k for k, one in enumerate(self.stated_constraints) if isinstance(one, Cages)), None)
        bare = replace(self, cells=tuple(self._cells.write({})))
        if place is not None:
            return bare._draw_cages(place, generator, stop)
        for one in self.stated_constraints if self.regions else ():
            if isinstance(one, Count) and "regions" in split_words(str(one.where)) and not one.has_clues():
                return bare._draw_counted_regions(one, generator, stop)
        if any(isinstance(one, shapes.Rectangles) for one in self.stated_constraints):
            return bare._draw_rectangles(generator, stop)
        names_pairs = any(isinstance(one, lines.Unmarked) for one in self.stated_constraints)
        if not names_pairs and any(one.has_clues() for one in self.stated_constraints):
            return bare._draw_clues(generator, stop)
        if not self.regions:
            raise ParameterError("constraints", "this puzzle has no cages, regions or clues that can be drawn anew")
        return replace(bare, regions=redraw_regions(self.board.letters, self._cells.size, generator))

    def _draw_cages(self, place: int, generator: random.Random, stop: Stop | None) -> Grid:
        """Return the puzzle with other cages in place of those of one constraint."""
        others, own, board = [*self.constraints], self.stated_constraints[place], self.board
        del others[place]
        assert isinstance(own, Cages)
        found = find_solution(replace(self, constraints=tuple(others)), generator, stop)
        symbols = {(one.row, one.column): one.symbol for one in found if isinstance(one, Entry)}
        sizes, signs = [*map(len, own.read_cages(board).values())], list_signs(own.totals.values())
        cages = name_areas(grow_cages(symbols, sizes, generator, repeat=own.repeat))
        totals = {
            letter: make_total([board.values[symbols[cell]] for cell in cage], signs, generator)
            for letter, cage in cages.items()
        }
        areas = write_layout(cages, self._cells.size)
        others.insert(place, {"cages": {"areas": areas, "totals": totals, "repeat": own.repeat}})
        return replace(self, constraints=tuple(others))

    def _draw_counted_regions(self, count: Count, generator: random.Random, stop: Stop | None) -> Grid:
        """Return the puzzle with other regions, in which symbols are counted; moved until no other solution is left."""
        times, symbols = str(count.times), self.board.read_symbols(count.of, ())
        if not times.isdecimal() or times == "0":
            raise ParameterError("constraints", "regions can be drawn anew if all of them count the same number")
        without = tuple(one for one in map(_leave_out_regions, self.constraints) if one)
        found = find_solution(replace(self, regions="", constraints=without), generator, stop)

        def find_cells(solution: Iterable[Label]) -> list[Place]:
            return [(one.row, one.column) for one in solution if isinstance(one, Entry) and one.symbol in symbols]

        cells = find_cells(found)
        generator.shuffle(cells)
        region = grow_regions(self.board.cells, cells, int(times), generator)
        for _ in range(_MOST_MOVES):
            laid = replace(self, regions=write_layout(name_areas(list_areas(region)), self._cells.size))
            search = laid.solve(limit=2, stop=stop)
            other = next((one for one in search if {*one} != {*found}), ())
            if search.status.stopped:
                raise StoppedError(search.status)
            wrong = find_cells(other)
            moved = generator.sample(wrong, len(wrong))
            if not any(cell not in cells and move_cell(region, cell, generator) for cell in moved):
                break
        return laid

    def _draw_rectangles(self, generator: random.Random, stop: Stop | None) -> Grid:
        """Return the puzzle with the areas of other rectangles, which the numbers determine, if such ones are found."""
        for _ in range(_MOST_TRIES):
            areas = cut_rectangles(self.board.cells, generator)
            numbers = write_table({generator.choice(own): len(own) for own in areas}, self.board.size)
            stated = ({"rectangles": numbers} if "rectangles" in one else one for one in self.constraints)
            laid = replace(self, constraints=tuple(stated))
            if count_solutions(laid, stop) == 1:
                break
        return laid

    def _draw_clues(self, generator: random.Random, stop: Stop | None) -> Grid:
        """Return the puzzle with the clues of a random solution: of the first one that they determine, if one is found.

        Of clues that a puzzle need not have, none is left that could be left out then.
        """
        board, bare = self.board, list[Mapping[str, Any]]()
        for one, stated in zip(self.stated_constraints, self.constraints, strict=True):
            bare += one.list_bare(board) if one.has_clues() else [stated]
        has_optional = any(one.blank is not None for one in self.stated_constraints if one.has_clues())
        found: tuple[int, list[dict[str, Any]]] | None = None
        for _ in range(_FEW_TRIES if has_optional else _MOST_TRIES):
            symbols = self._find_symbols(tuple(bare), generator, stop)
            clues = [one.find_clues(board, symbols) if one.has_clues() else {} for one in self.stated_constraints]
            number = count_solutions(self._state_clues(clues, []), stop)
            found = (number, clues) if number else found
            if number == 1:
                break
        if found is None:
            raise ParameterError("constraints", "no clues are found that have a solution")
        number, clues = found
        return self._state_clues(clues, self._choose_left_out(clues, number == 1, generator, stop))

    def _choose_left_out(
        self, clues: Sequence[dict[str, Any]], is_only: bool, generator: random.Random, stop: Stop | None
    ) -> list[tuple[int, str, int | str]]:
        """Return the clues to leave out, each by the number of its constraint, its argument and its place there.

        As many are left as there were, if givens are needed in any case.
        """
        left = list[tuple[int, str, int | str]]()
        for number, (one, own) in enumerate(zip(self.stated_constraints, clues, strict=True)):
            if not own or one.blank is None:
                continue
            optional = list_clues(own, one.blank)
            generator.shuffle(optional)
            before = len(list_clues(one.list_stated(self.board, own), one.blank))
            for name, place in optional if is_only else optional[before:]:
                more = [*left, (number, name, place)]
                if not is_only or count_solutions(self._state_clues(clues, more), stop) == 1:
                    left = more
        return left

    def _find_symbols(
        self, bare: tuple[Mapping[str, Any], ...], generator: random.Random, stop: Stop | None
    ) -> dict[Place, str]:
        """Return random symbols that satisfy some constraints."""
        if not bare:
            return {cell: generator.choice(self.board.symbols) for cell in self.board.cells}
        symbols = self._symbols or tuple(one for own in self.stated_constraints for one in own.list_symbols(self.board))
        solution = find_solution(replace(self, constraints=bare, symbols=symbols), generator, stop)
        return dict.fromkeys(self.board.cells, self.empty) | self.decode(solution)

    def _state_clues(self, clues: Sequence[dict[str, Any]], left_out: Collection[tuple[int, str, int | str]]) -> Grid:
        """Return the puzzle with other clues, some of which are left out again."""
        stated = list[Mapping[str, Any]]()
        for number, (one, own, before) in enumerate(zip(self.stated_constraints, clues, self.constraints, strict=True)):
            ((word, _),) = before.items()
            fewer = leave_out(own, {(name, place) for k, name, place in left_out if k == number}, one.blank or "")
            rest = {each.name: value for each in fields(one) if (value := getattr(one, each.name)) != each.default}
            if one.blank != "" or not own or any(fewer.values()):
                stated.append({word: {**rest, **fewer}} if own else before)
        return replace(self, constraints=tuple(stated))

    def decode(self, solution: Iterable[Label]) -> dict[Place, str]:
        """Return the symbol of each cell that holds one, by its row and column from 1."""
        return {(one.row, one.column): one.symbol for one in sorted(e for e in solution if isinstance(e, Entry))}

    def describe_rules(self) -> str:
        own = " ".join(self.instructions.split())
        return own or " ".join(dict.fromkeys(one.describe(self.board) for one in self.stated_constraints))

    def constraint_names(self) -> Sequence[str]:
        texts = (f"{word}: {json.dumps(value, ensure_ascii=False)}" for one in self.constraints
                 for word, value in one.items())  # fmt: skip
        texts = (re.sub(r'(\\n)?"', "", text).replace(r"\n", " / ") for text in texts)
        return [shorten(text, _LONGEST_NAME, placeholder=" ...") for text in texts]

    def keep_constraints(self, kept: Collection[int]) -> Grid:
        return replace(self, constraints=tuple(self.constraints[number] for number in sorted(kept)))

    def place_of(self, item: Item) -> Place | None:
        place = place_of_cell(item)
        return None if place is None else (place[0] + self._offset[0], place[1] + self._offset[1])

    def describe(self, item: Item) -> str:
        if isinstance(item, tuple) and len(item) == 2 and all(isinstance(part, int) for part in item):
            return cell_name(item)
        if isinstance(item, tuple):  # a cell of an area
            return f"{item[1]} at {cell_name(item[0])}"
        name = re.sub(r": \S+ in r\d+c\d+$", "", str(item))  # a relation of two cells has an item for each symbol
        name = name.removeprefix("symbol of ")
        return name.replace("area of ", "what lies on ") if self._symbols else name

    def describe_option(self, label: Label) -> str:
        if isinstance(label, Entry) and label.symbol == self.empty:
            return f"nothing on {cell_name((label.row, label.column))}"
        return str(label)

    def is_shown(self, label: Label) -> bool:
        """Return whether an option is a symbol or a shape, but not the only symbol that its cell may hold."""
        if not isinstance(label, Entry):
            return not isinstance(label, Chosen)
        cell, forbidden = (label.row, label.column), self.board.forbidden
        return any((cell, one) not in forbidden for one in self.board.symbols if one != label.symbol)

    def draw(self, solution: Iterable[Label]) -> Picture:
        given, solution = {*self.givens()}, tuple(solution)
        entries = [one for one in solution if isinstance(one, Entry) and one.symbol != self.empty]
        looks: dict[Place, dict[str, Any]] = {}
        if not self.empty:
            areas = {place_of_cell(cell): str(one) for one in solution if isinstance(one, Placed) for cell in one.cells}
            looks |= {place: {"region": area, "tint": None} for place, area in areas.items() if place}
        ground = (replace(one, **looks.get((one.row, one.column), {})) if isinstance(one, pictures.Cell) else one
                  for one in self._ground)  # fmt: skip
        filled = (fill_cell((one.row, one.column), self._strength) for one in entries if one.symbol == _FILLED)
        symbols: tuple[pictures.Shape, ...] = (*filled, *label_symbols(entries, given))
        title = f"{pictures.format_count(len(self.board.cells), 'cell')}, {pictures.format_count(len(given), 'given')}"
        return Picture(title, tuple(shift(shape, *self._offset) for shape in (*ground, *symbols)), grid=True)

    @cached_property
    def _offset(self) -> Place:
        """The numbers of rows above the board and of columns to its left, which hold clues."""
        cells = [shape for shape in self._ground if isinstance(shape, pictures.Cell)]
        return -min(0, *(cell.row for cell in cells)), -min(0, *(cell.column for cell in cells))

    @cached_property
    def _strength(self) -> float:
        """The strength of dark cells: less if clues stand in cells, which must be seen."""
        has_clues = any(isinstance(shape, pictures.Tile) and shape.text and shape.sign for shape in self._ground)
        return _TINT if has_clues else 1.0

    @cached_property
    def _ground(self) -> tuple[pictures.Shape, ...]:
        """The shapes that are drawn without any symbol; the cells of givens are shaded."""
        board, cells = self.board, dict[Place, pictures.Cell]()
        for row, column in self._cells.cells:
            symbol = self._cells.places.get((row, column))
            tint = pictures.BLOCKED if symbol == HOLE else pictures.SHADED if symbol else pictures.PAPER
            region = HOLE if symbol == HOLE else (board.letters or board.boxes).get((row, column), "")
            cells[row, column] = pictures.Cell(row - 1, column - 1, region, tint)
        drawn = [*set_apart(board.size, (one.draw(board) for one in self.stated_constraints))]
        texts = {shape.outline[0] for shape in drawn if isinstance(shape, pictures.Tile) and shape.text}
        letters = [shape for shape in write_letters(board.letters) if shape.outline[0] not in texts]
        return (*cells.values(), *letters, *drawn)


def _leave_out_regions(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return a count without the regions in which it counts; nothing if there is nothing else."""
    ((word, value),) = stated.items()
    if word != "count" or "regions" not in (words := split_words(str(value["where"]))):
        return dict(stated)
    where = " ".join(one for one in words if one != "regions")
    return {word: {**value, "where": where}} if where else {}


def read_constraint(stated: Mapping[str, Any], path: tuple[str | int, ...]) -> Constraint:
    """Return the constraint that a mapping of one word to its arguments states.

    Arguments are a mapping, or the value of the first one alone; or nothing, if all have defaults.
    """
    if len(stated) != 1:
        word, *others = map(str, stated or [""])
        names = [one.name for one in fields(CONSTRAINTS[word])] if word in CONSTRAINTS else []
        hint = f"; write `{word}: {{{names[0]}: ..., {others[0]}: ...}}`" if {*others[:1]} & {*names} else ""
        raise ParameterError(path, f"expected one constraint, as `word: arguments`, got {len(stated)}{hint}")
    ((word, value),) = stated.items()
    kind = CONSTRAINTS.get(str(word))
    if kind is None:
        near = nearest(str(word), CONSTRAINTS)
        known = "" if near else f" (constraints: {', '.join(CONSTRAINTS)})"
        raise ParameterError((*path, word), f"unknown constraint {word!r}{near}{known}")
    types = {one.name: str(one.type) for one in fields(kind)}
    names = [*types]
    is_first = isinstance(value, Mapping) and "Mapping" in types[names[0]] and not any(key in names for key in value)
    is_named = value in (None, {}) or (isinstance(value, Mapping) and not is_first)
    arguments: dict[Any, Any] = dict(value or {}) if is_named else {names[0]: value}
    arguments = {name: _fit(one, types.get(name, "")) for name, one in arguments.items()}
    strange = next((name for name in arguments if name not in names), None)
    if strange is not None:
        message = f"{word!r} has no argument {strange!r}{nearest(strange, names)} (arguments: {', '.join(names)})"
        raise ParameterError((*path, word, strange), message)
    try:
        return kind(**arguments)
    except ParameterError as error:
        raise ParameterError((*path, word, *error.path[0 if is_named else 1 :]), f"{word}: {error.message}") from None
    except TypeError:
        missing = next(name for name in names if name not in arguments)
        raise ParameterError((*path, word), f"{word}: missing argument {missing!r}") from None


def _drop_selectors(value: Any) -> Any:
    """Return a value without the selectors of emoji in its texts, so that a sign is one character."""
    if isinstance(value, str):
        return value.replace(_EMOJI, "")
    if isinstance(value, Mapping):
        return {_drop_selectors(key): _drop_selectors(one) for key, one in value.items()}
    return type(value)(map(_drop_selectors, value)) if isinstance(value, list | tuple) else value


def _fit(value: Any, kind: str) -> Any:
    """Return a value as an argument of a kind may be: one line is a list of lines, and several cells are one text."""
    if not kind or "int" in kind or "bool" in kind:
        return value
    value = _spell(value)
    if kind == "tuple[str, ...]" and isinstance(value, str):
        return (value,)
    if kind == "str" and isinstance(value, tuple) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    return value


def _spell(value: Any) -> Any:
    """Return a whole number as text, and a list with those in it as texts; anything else as it is."""
    if isinstance(value, list | tuple):
        return tuple(map(_spell, value))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value
