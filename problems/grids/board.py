"""The board of a grid puzzle, and the items and options by which constraints are stated.

A cell holds one symbol; that is the option :class:`Entry`. A constraint says what must hold in one of these ways, each
of which becomes items and options here, so that constraints themselves know nothing of covers:

- :meth:`GridBoard.count`: so many of some entries;
- :meth:`GridBoard.relate`: two cells, and which symbols they may hold together;
- :meth:`GridBoard.scan`: a row of cells, which is read from its begin to its end, as by a finite automaton;
- :meth:`GridBoard.choose_symbols`: cells, and the sets of different symbols that they may hold;
- :meth:`GridBoard.mark`: a property of the place of a symbol;
- :meth:`GridBoard.choose`: one of several options, each with symbols that some cells must hold;
- :meth:`GridBoard.place`: shapes, and symbols that they demand;
- :meth:`GridBoard.grow`: areas of known sizes and unknown form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise, product
from typing import NamedTuple, TypeAlias, TypeVar

from exactcover import Colored, Item, Label, ParameterError, pictures
from exactcover.errors import nearest
from exactcover.rules import Connected, Regions, Rule
from problems.boards import cell_name, group_cells, parse_cell, read_letters
from problems.row_text import HOLE, Rows, read_rows
from problems.squares import Entry

Place: TypeAlias = tuple[int, int]
"""A row and a column, from 1."""
Where: TypeAlias = str | tuple[str, ...]
"""Groups of cells: words such as rows, columns, regions, diagonals, board and 3x3; cells; or a drawing with letters."""
S = TypeVar("S", bound=Hashable)
H = TypeVar("H", bound=Hashable)

NEIGHBORS: Mapping[str, Sequence[Place]] = {
    "adjacent": ((0, 1), (1, 0)),
    "diagonal": ((1, 1), (1, -1)),
    "king": ((0, 1), (1, 0), (1, 1), (1, -1)),
    "knight": ((1, 2), (2, 1), (2, -1), (1, -2)),
}
"""The steps to half of the neighbors of a cell; the others are the opposite ones."""
_LISTED = 40  # ways to fill cells, up to which each is an option; nonograms take twice as long with 0 or 100
_MOST_WAYS = 200_000  # options of a scan
BOX = re.compile(r"(\d{1,3})x(\d{1,3})")
_WORDS = ("rows", "columns", "regions", "diagonals", "board")


class Group(NamedTuple):
    """Cells with a name, such as ``row 3``."""

    name: str
    cells: tuple[Place, ...]


class Chosen(NamedTuple):
    """One way in which a constraint may hold, as text ``cage A: 1 2 6``."""

    what: str
    how: str

    def __str__(self) -> str:
        return f"{self.what}: {self.how}"


class Placed(NamedTuple):
    """Cells that a shape covers, as text ``domino 0-1: r1c1 r1c2``."""

    what: str
    cells: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.what}: {' '.join(self.cells)}"


@dataclass
class GridBoard:
    """The cells and symbols of a puzzle, and the items and options of its constraints.

    Cells come row by row, without holes; those in a region have letters. The symbol `empty` is that of an empty cell;
    it is an empty text if there is none. Cells are left uncovered for it, unless a constraint must see it.
    """

    size: Place
    cells: Sequence[Place]
    symbols: tuple[str, ...]
    empty: str = ""
    letters: Mapping[Place, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.boxes: dict[Place, str] = {}  # the box of each cell, if a constraint names boxes
        self.primary: dict[Item, tuple[int, int]] = {}
        self.secondary: dict[Item, None] = {}
        self.covered: dict[tuple[Place, str], list[Item]] = {}
        self.options: list[tuple[Label, list[Item]]] = []
        self.together: list[tuple[str, ...]] = []  # symbols whose cells hang together
        self.areas: list[tuple[Mapping[Place, Item], Sequence[str]]] = []  # items of cells, and their colors
        self.layer = 1
        self.shaped: dict[Item, None] = {}  # items of cells, each of which a shape covers
        self.names = Counter[str]()  # how often each name was asked for
        self.forbidden: set[tuple[Place, str]] = set()
        self.given: dict[Place, str] = {}  # symbols that constraints give
        self.seen: set[Place] = set()  # cells whose symbol is the color of an item
        self.conflicts: list[str] = []

    # What constraints ask about the board.

    @cached_property
    def known(self) -> frozenset[Place]:
        """The cells, as a set."""
        return frozenset(self.cells)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The symbols that are not that of an empty cell."""
        return tuple(one for one in self.symbols if one != self.empty)

    @cached_property
    def values(self) -> dict[str, int]:
        """The number of each symbol; if none is a number, its position from 1. One that is no number, or empty, is 0.

        Beside numbers, one symbol may be none; numbers below 0 or with a point are refused.
        """
        numbers = {one: int(one) for one in self.kinds if one.isdecimal() and one.isascii()}
        others = [one for one in self.kinds if one not in numbers]
        strange = [one for one in others if re.fullmatch(r"[-+\u2212]?\d*[.,/]?\d+", one)]
        strange += others[1:] if numbers else []
        if strange:
            message = (
                f"the symbol {strange[0]!r} has no number; expected whole numbers from 0 on, beside one other symbol"
            )
            raise ParameterError((), message)
        values = numbers or {one: number for number, one in enumerate(others, 1)}
        return {one: values.get(one, 0) for one in self.symbols}

    def read_symbols(self, text: str, path: tuple[str | int, ...], *, repeat: bool = False) -> tuple[str, ...]:
        """Return the symbols in a text, by default each once; the only one that is not empty for an empty text."""
        if not text and len(self.kinds) == 1:
            return self.kinds
        found = tuple(split_words(text))
        if any(one not in self.symbols for one in found) and all(one in self.symbols for one in "".join(found)):
            found = tuple("".join(found))
        for one in found:
            if one not in self.symbols:
                message = f"{one!r} is not one of the symbols {' '.join(self.symbols)}{nearest(one, self.symbols)}"
                raise ParameterError(path, message)
        if not found:
            where = f", as in {path[-1]}: {self.symbols[0]}" if path and self.symbols else ""
            raise ParameterError(path, f"expected some of the symbols {' '.join(self.symbols)}{where}")
        return found if repeat else tuple(dict.fromkeys(found))

    def read_cells(self, text: str, path: tuple[str | int, ...]) -> tuple[Place, ...]:
        """Return cells, written like ``r1c1 r1c2``, ``r1c1-r1c4`` for a line, or ``r1c1:r2c2`` for a block."""
        found: list[Place] = []
        for word in split_words(text):
            one, sign, other = word.partition(":" if ":" in word else "-")
            (top, left), (row, column) = (self._read_cell(name, word, path) for name in (one, other if sign else one))
            if sign == ":":
                (top, row), (left, column) = sorted((top, row)), sorted((left, column))
                found += product(range(top, row + 1), range(left, column + 1))
                continue
            down, right = row - top, column - left
            if down and right and abs(down) != abs(right):
                message = "is no straight line of cells; expected two ends, like r1c1-r1c4, or a block, like r1c1:r2c2"
                raise ParameterError(path, f"{word!r} {message}")
            steps = range(max(abs(down), abs(right)) + 1)
            line = [(top + k * _sign(down), left + k * _sign(right)) for k in steps]
            found += line[1:] if found and found[-1] == line[0] and len(line) > 1 else line
        if not found:
            raise ParameterError(path, "expected cells, such as r1c1 r1c2")
        for cell in found:
            if cell not in self.known:
                raise ParameterError(path, f"{cell_name(cell)} is a hole of the board")
        if len(set(found)) < len(found):
            twice = next(cell for number, cell in enumerate(found) if cell in found[:number])
            raise ParameterError(path, f"{cell_name(twice)} occurs twice")
        return tuple(found)

    def _read_cell(self, name: str, word: str, path: tuple[str | int, ...]) -> Place:
        parts = parse_cell(name)
        if parts is None or len(parts) != 2:
            raise ParameterError(path, f"{word!r} is not a cell; expected r1c1 to {cell_name(self.size)}")
        if not all(1 <= part <= side for part, side in zip(parts, self.size, strict=True)):
            raise ParameterError(path, f"{name} is not on the board; expected r1c1 to {cell_name(self.size)}")
        return parts[0], parts[1]

    def read_line(self, text: str, path: tuple[str | int, ...], least: int = 2) -> tuple[Place, ...]:
        """Return the cells of a line, each of which touches the one before."""
        cells = self.read_cells(text, path)
        if len(cells) < least:
            raise ParameterError(path, f"expected at least {pictures.format_count(least, 'cell')}, got {len(cells)}")
        for one, other in pairwise(cells):
            if max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 1:
                raise ParameterError(path, f"{cell_name(one)} and {cell_name(other)} do not touch")
        return cells

    def find_groups(self, where: Where, path: tuple[str | int, ...]) -> list[Group]:
        """Return groups of cells: those that words name, cells, or the letters of a drawing."""
        if not isinstance(where, str):
            return [group for k, one in enumerate(where) for group in self.find_groups(one, (*path, k))]
        words = split_words(where)
        if "\n" in where.strip() or "/" in where:
            return self.read_areas(where, path)
        if words and all(parse_cell(one) for word in words for one in re.split("[-:]", word)):
            return [Group(f"cells {' and '.join(words)}", self.read_cells(where, path))]
        if not words:
            raise ParameterError(path, f"expected {', '.join(_WORDS)}, 3x3 for boxes, cells, or a drawing")
        return [group for word in words for group in self._find_named(word, path)]

    def _find_named(self, word: str, path: tuple[str | int, ...]) -> list[Group]:
        rows, columns = self.size
        box = BOX.fullmatch(word)
        if word in ("rows", "columns"):
            axis = 0 if word == "rows" else 1
            lines: dict[int, list[Place]] = {line: [] for line in range(1, self.size[axis] + 1)}
            for cell in self.cells:
                lines[cell[axis]].append(cell)
            return [Group(f"{word[:-1]} {line}", tuple(cells)) for line, cells in lines.items()]
        if word == "regions":
            if not self.letters:
                raise ParameterError(path, "there are no regions; draw them with a letter for each cell, as regions")
            return _collect(self.letters, "region")
        if word == "diagonals":
            if rows != columns:
                raise ParameterError(path, f"a board of {rows} x {columns} cells has no two diagonals")
            both = [("falling", [(k, k) for k in range(1, rows + 1)]),
                     ("rising", [(rows + 1 - k, k) for k in range(1, rows + 1)])]  # fmt: skip
            return [Group(f"the {name} diagonal", tuple(c for c in cells if c in self.known)) for name, cells in both]
        if word == "board":
            return [Group("the board", tuple(self.cells))]
        if box is not None:
            height, width = int(box[1]), int(box[2])
            if not height or not width or rows % height or columns % width:
                raise ParameterError(path, f"boxes of {word} do not fill a board of {rows} x {columns} cells")
            across = columns // width
            numbers = {(r, c): str((r - 1) // height * across + (c - 1) // width + 1) for r, c in self.cells}
            self.boxes = self.boxes or numbers
            return _collect(numbers, "box")
        near = nearest(word, _WORDS)
        raise ParameterError(
            path, f"unknown cells {word!r}{near}; expected {', '.join(_WORDS)}, 3x3 for boxes, or cells"
        )

    def read_drawing(self, drawing: Where, path: tuple[str | int, ...]) -> dict[Place, str]:
        """Return the letter of each cell of a drawing that has one; its size is that of the board."""
        drawn = read_letters(drawing, self.size, path)
        return {cell: drawn[cell] for cell in self.cells if drawn[cell] != "."}

    def read_areas(self, drawing: Where, path: tuple[str | int, ...], kind: str = "area") -> list[Group]:
        """Return the cells of each letter of a drawing."""
        return _collect(self.read_drawing(drawing, path), kind)

    def read_table(self, table: Rows, path: tuple[str | int, ...]) -> dict[Place, str]:
        """Return the words of a table of the size of the board, by their cells, without blanks and holes.

        Holes of the board may have other words.
        """
        try:
            rows = read_rows(table, str(path[0]), lambda word: word, "", comments=False, size=self.size)
        except ParameterError as error:
            raise ParameterError(path, error.message) from None
        if rows.size != self.size:
            wanted = f"{pictures.format_count(self.size[0], 'row')} of {pictures.format_count(self.size[1], 'cell')}"
            raise ParameterError(path, f"expected {wanted}, got {rows.size[0]} of {rows.size[1]}")
        for (row, column), word in rows.places.items():
            if word == HOLE and (row, column) in self.known:
                raise ParameterError(path, f"row {row}, column {column}: {HOLE!r} is not a hole of the board")
        return {place: word for place, word in rows.places.items() if word != HOLE}

    def pairs(self, word: str, path: tuple[str | int, ...]) -> Iterator[tuple[Place, Place]]:
        """Yield the pairs of neighbors in a sense: adjacent, diagonal, king or knight; each once."""
        for row, column in self.cells:
            for down, right in find_steps(word, path):
                if (row + down, column + right) in self.known:
                    yield (row, column), (row + down, column + right)

    def around(self, cell: Place, word: str = "adjacent", path: tuple[str | int, ...] = ()) -> list[Place]:
        """Return the neighbors of a cell in such a sense, row by row."""
        steps = sorted(step for d, r in find_steps(word, path) for step in ((d, r), (-d, -r)))
        return [(cell[0] + d, cell[1] + r) for d, r in steps if (cell[0] + d, cell[1] + r) in self.known]

    def read_clues(self, clues: str | Sequence[str | int], number: int, path: tuple[str | int, ...]) -> list[str]:
        """Return one clue for each of some lines; an empty text for those without one."""
        words = split_words(clues) if isinstance(clues, str) else [str(one).strip() for one in clues]
        if not words:
            return [""] * number
        if len(words) != number:
            raise ParameterError(path, f"expected {pictures.format_count(number, 'clue')}, got {len(words)}")
        return ["" if one in (".", "?", "-", "_", "") else one for one in words]

    # What constraints state.

    def count(self, name: str, entries: Iterable[tuple[Place, str]], low: int, high: int) -> None:
        """State that at least `low` and at most `high` of some entries stand in a solution."""
        entries, name = list(entries), self._name(name)
        if low > high or low > len(entries):
            self.conflicts.append(f"{name}: {low} of {len(entries)} cannot be")
            return
        if low == 0 and high >= len(entries):
            return
        if high == 0:
            for entry in entries:
                self.forbid(*entry)
            return
        if high == 1 and low == 0:
            self.secondary[name] = None
        else:
            self.primary[name] = (low, high)
        for cell, symbol in entries:
            self.covered.setdefault((cell, symbol), []).append(name)
            if symbol == self.empty:
                self.seen.add(cell)

    def relate(
        self, name: str, one: Place, other: Place, may: Callable[[int, int], bool], symbols: Sequence[str] = ()
    ) -> None:
        """State which numbers two cells may hold together, if both hold one of the symbols; by default of all.

        For each symbol of the first cell, an item is covered by it, and by the symbols of the other one that it
        excludes.
        """
        symbols = symbols or self.symbols
        self._relate(name, one, other, symbols, lambda own, last: may(self.values[own], self.values[last]))

    def equate(self, name: str, one: Place, other: Place, *, equal: bool = True, symbols: Sequence[str] = ()) -> None:
        """State that two cells hold the same symbol, or different ones, if both hold one of the symbols."""
        self._relate(name, one, other, symbols or self.symbols, lambda own, last: (own == last) == equal)

    def _relate(
        self, name: str, one: Place, other: Place, symbols: Sequence[str], may: Callable[[str, str], bool]
    ) -> None:
        for symbol in symbols:
            excluded = [last for last in symbols if not may(symbol, last)]
            if excluded:
                entries = [(one, symbol), *((other, last) for last in excluded)]
                self.count(f"{name}: {symbol} in {cell_name(one)}", entries, 0, 1)

    def scan(
        self,
        name: str,
        cells: Sequence[Place],
        start: S,
        step: Callable[[S, str], S | None],
        accepts: Callable[[S], bool],
    ) -> None:
        """State that a row of cells is accepted by an automaton.

        A `step` leads from the state before a cell that holds a symbol to the one behind it; to None if this must not
        be. The state behind the last cell is one that it `accepts`.
        """
        name = self._name(name)
        layers: list[dict[S, list[tuple[str, S]]]] = []
        states: dict[S, None] = {start: None}
        total, size = 0, len(self.symbols)
        for _ in cells:
            layer = {
                state: [(one, after) for one in self.symbols if (after := step(state, one)) is not None]
                for state in states
            }
            layers.append(layer)
            states = dict.fromkeys(after for moves in layer.values() for _, after in moves)
            total += len(states)
            if total > _MOST_WAYS:
                raise ParameterError((), f"{name} can be filled in too many ways")
        ways: dict[S, int] = {state: 1 for state in states if accepts(state)}
        free: list[Set[S]] = [{*ways}]  # the states before each cell, and at the end, from which all is accepted
        for number, layer in reversed([*enumerate(layers)]):
            layers[number] = layer = {
                state: left
                for state, moves in layer.items()
                if (left := [(one, after) for one, after in moves if after in ways])
            }
            wide = [state for state, moves in layer.items() if len(moves) == size]
            free.insert(0, {state for state in wide if all(after in free[0] for _, after in layer[state])})
            ways = {
                state: 1 if state in free[0] else sum(ways[after] for _, after in moves)
                for state, moves in layer.items()
            }
        if start not in ways:
            self.conflicts.append(f"{name} cannot be filled")
        elif ways[start] <= _LISTED:
            self.choose(name, _list_ways(cells, layers, free, start))
        else:
            self._link(name, cells, layers)

    def _name(self, name: str) -> str:
        """Return the name, with a number if it was returned before."""
        self.names[name] += 1
        return name if self.names[name] == 1 else self._name(f"{name} ({self.names[name]})")

    def _link(self, name: str, cells: Sequence[Place], layers: Sequence[Mapping[S, Sequence[tuple[str, S]]]]) -> None:
        """State the moves of an automaton as options at each cell; colors are its states between them."""
        numbers: dict[S, int] = {}  # the colors of states
        behind: dict[S, list[Item]] = {}
        for number, (cell, layer) in enumerate(zip(cells, layers, strict=True), 1):
            place, item, is_last = f"{name}, cell {number}", f"{name} before cell {number + 1}", number == len(cells)
            self.primary[place] = (1, 1)
            if not is_last:
                self.secondary[item] = None
            before, behind, held = behind, {}, {symbol: self.color(cell, symbol) for symbol in self.symbols}
            for state, moves in layer.items():
                own, earlier = numbers.setdefault(state, len(numbers)), before.get(state, ())
                for symbol, after in moves:
                    if after not in behind:
                        color = numbers.setdefault(after, len(numbers))
                        behind[after] = [] if is_last else [Colored(item, color)]
                    items = [place, held[symbol], *earlier, *behind[after]]
                    self.options.append((Chosen(place, f"{symbol}, way {own}"), items))

    def choose(
        self,
        name: str,
        options: Iterable[tuple[str, Mapping[Place, str], Sequence[Item]]],
        times: tuple[int, int] = (1, 1),
    ) -> None:
        """State that one of several options, or as many as stated, are chosen.

        Each option is given as its text, the symbols that it demands of cells, and further items that it covers.
        """
        name = self._name(name)
        self.primary[name] = times
        for text, cells, items in options:
            demanded = [self.color(cell, symbol) for cell, symbol in cells.items()]
            self.options.append((Chosen(name, text), [name, *demanded, *items]))

    def place(
        self,
        name: str,
        ways: Iterable[tuple[Sequence[Place], Mapping[Place, str]]],
        times: tuple[int, int] | None = (1, 1),
        *,
        covering: bool = False,
        apart: bool = False,
    ) -> None:
        """State that a shape is placed, as often as stated; None for any number of times.

        Each way is given as the cells of the shape, and the symbols that it demands. Shapes that are `covering` cover
        each cell once. If they are `apart`, two of this name do not share a side.
        """
        name = self._name(name)
        if times is not None:
            self.primary[name] = times
        if covering:
            self.shaped.update(dict.fromkeys(map(self._area_of, self.cells)))
        for cells, symbols in ways:
            items: list[Item] = [self.color(cell, symbol) for cell, symbol in symbols.items()]
            if covering:
                items += map(self._area_of, cells)
            if apart:
                ends = [(cell, one) for cell in cells for one in self.around(cell) if one not in cells]
                sides = [f"{name} in {' or '.join(map(cell_name, sorted(pair)))}" for pair in ends]
                items += sides
                self.secondary.update(dict.fromkeys(sides))
            self.options.append((Placed(name, tuple(map(cell_name, cells))), [name] * (times is not None) + items))

    def grow(self, areas: Mapping[str, tuple[int, Collection[Place]]], inside: str, outside: str) -> None:
        """State that each area consists of so many of its cells, which hang together, and that no two share a side.

        Cells of areas hold the symbol `inside`, and all others `outside`.
        """
        holders: dict[Place, list[str]] = {cell: [] for cell in self.cells}
        again = f" ({len(self.areas) + 1})" * bool(self.areas)
        areas = {f"{name}{again}": one for name, one in areas.items()}
        for name, (size, cells) in areas.items():
            self.primary[f"cells of {name}"] = (size, size)
            if len(cells) < size:
                self.conflicts.append(f"{name} has room for {pictures.format_count(len(cells), 'cell')} only")
            for cell in cells:
                holders[cell].append(name)
        sides: dict[tuple[Place, str], list[Item]] = {}
        for one, other in self.pairs("adjacent", ()):
            for name in holders[one]:
                side = f"{name} in {cell_name(one)}, another area in {cell_name(other)}"
                self.secondary[side] = None
                sides.setdefault((one, name), []).append(side)
                for last in holders[other]:
                    sides.setdefault((other, last), []).extend([side] * (last != name))
        owners: dict[Place, Item] = {cell: f"area with {cell_name(cell)}{again}" for cell in self.cells}
        self.secondary |= dict.fromkeys(owners.values())
        self.areas.append((owners, [*areas]))
        for cell, names in holders.items():
            ways: list[tuple[str, Mapping[Place, str], Sequence[Item]]] = [(outside, {cell: outside}, ())]
            for name in names:
                items = [Colored(owners[cell], name), f"cells of {name}", *sides.get((cell, name), ())]
                ways.append((name, {cell: inside}, items))
            self.choose(f"what is at {cell_name(cell)}", ways)

    def give(self, cell: Place, symbol: str) -> None:
        """State that a cell holds a symbol, which is shown as given."""
        self.given[cell] = symbol
        self.allow(cell, (symbol,))

    def allow(self, cell: Place, symbols: Collection[str]) -> None:
        """State that a cell holds one of some symbols."""
        for one in self.symbols:
            if one not in symbols:
                self.forbid(cell, one)

    def leave_uncovered(self, cell: Place, symbol: str) -> None:
        """State that no covering shape lies on a cell if it holds this symbol."""
        self.covered.setdefault((cell, symbol), []).append(self._area_of(cell))
        self.shaped[self._area_of(cell)] = None
        if symbol == self.empty:
            self.seen.add(cell)

    def _area_of(self, cell: Place) -> str:
        """Return the item of a cell that covering shapes cover."""
        name = f"area of {cell_name(cell)}" if self.layer < 2 else f"area {self.layer} of {cell_name(cell)}"
        return name if self.symbols or self.layer > 1 else cell_name(cell)

    def begin_layer(self) -> None:
        """Let the shapes of the next constraint lie above those of the ones before."""
        self.layer += any(self._area_of(cell) in self.shaped for cell in self.cells)

    def mark(self, item: str, colors: Mapping[tuple[Place, str], H]) -> dict[H, Colored]:
        """Let symbols of cells give an item these colors; return what says that it has each of them."""
        found = {color: Colored(item, color) for color in colors.values()}
        if item not in self.secondary:
            self.secondary[item] = None
            for entry, color in colors.items():
                self.covered.setdefault(entry, []).append(found[color])
        return found

    def choose_symbols(self, name: str, cells: Sequence[Place], sets: Iterable[Sequence[str]]) -> None:
        """State that cells hold different symbols, which are one of several sets.

        A set covers the items of the symbols that it lacks, and a cell that of its symbol; so each of these items is
        covered exactly once.
        """
        name = self._name(name)
        items = {symbol: self._name(f"{symbol} in {name}") for symbol in self.kinds}
        self.primary[name] = (1, 1)
        self.primary.update(dict.fromkeys(items.values(), (1, 1)))
        for cell in cells:
            for symbol in self.kinds:
                self.covered.setdefault((cell, symbol), []).append(items[symbol])
        for symbols in sets:
            missing = [item for symbol, item in items.items() if symbol not in symbols]
            self.options.append((Chosen(name, " ".join(symbols)), [name, *missing]))

    def forbid(self, cell: Place, symbol: str) -> None:
        """State that a cell does not hold a symbol."""
        self.forbidden.add((cell, symbol))
        if symbol == self.empty:
            self.seen.add(cell)

    def color(self, cell: Place, symbol: str) -> Colored:
        """Return what says that a cell holds a symbol."""
        self.seen.add(cell)
        return Colored(f"symbol of {cell_name(cell)}", symbol)

    def list_primary(self) -> Iterator[Item]:
        """Yield the primary items: cells, and what constraints state."""
        self._show_empty()
        yield from (cell_name(cell) for cell in self.cells if self.symbols and self._holds_always(cell))
        yield from self.primary
        yield from self.shaped

    def list_secondary(self) -> Iterator[Item]:
        """Yield the secondary items."""
        self._show_empty()
        yield from (cell_name(cell) for cell in self.cells if not self._holds_always(cell))
        yield from self.secondary
        yield from (f"symbol of {cell_name(cell)}" for cell in self.cells if cell in self.seen)

    def list_options(self) -> Iterator[tuple[Label, list[Item]]]:
        """Yield the options of the cells, and those of constraints."""
        self._show_empty()
        for cell in self.cells:
            name, is_seen = cell_name(cell), cell in self.seen
            for symbol in self.symbols:
                if (cell, symbol) not in self.forbidden and (is_seen or symbol != self.empty):
                    color = [self.color(cell, symbol)] if is_seen else []
                    yield Entry(*cell, symbol), [name, *self.covered.get((cell, symbol), ()), *color]
        yield from self.options

    def find_conflict(self) -> str | None:
        """Return a reason why nothing can hold all constraints, if it is known without a search."""
        lost = (f"no cell can hold {' or '.join(symbols)}" for symbols in self.together if not self._switch(symbols))
        return next(chain(self.conflicts, lost), None)

    def list_rules(self) -> list[Rule]:
        """Return the rules about graphs."""
        edges: list[tuple[Place, ...]] = [*self.pairs("adjacent", ()), *((cell,) for cell in self.cells)]
        joined = [Connected(edges, switches) for symbols in self.together if (switches := self._switch(symbols))]
        return [*joined, *(Regions(edges, *area) for area in self.areas)]

    def _switch(self, symbols: Sequence[str]) -> dict[Place, Colored | list[Colored]]:
        """Return what says of each cell that it holds one of some symbols, if it can."""
        on = {cell: [self.color(cell, one) for one in symbols if (cell, one) not in self.forbidden]
              for cell in self.cells}  # fmt: skip
        return {cell: own if len(own) > 1 else own[0] for cell, own in on.items() if own}

    def _show_empty(self) -> None:
        """Let cells be empty by an option of their own, if one of their symbols covers no primary item beside them."""
        if self.empty:
            for cell, symbol in product(self.cells, self.kinds):
                if self.primary.keys().isdisjoint(self.covered.get((cell, symbol), ())):
                    self.seen.add(cell)

    def _holds_always(self, cell: Place) -> bool:
        """Return whether one of the options of a cell must be chosen."""
        return not self.empty or cell in self.seen


def _list_ways(
    cells: Sequence[Place], layers: Sequence[Mapping[S, Sequence[tuple[str, S]]]], free: Sequence[Set[S]], start: S
) -> Iterator[tuple[str, Mapping[Place, str], Sequence[Item]]]:
    """Yield the ways to fill the first cells, up to where the others do not matter any more."""
    waiting: list[tuple[tuple[str, ...], S]] = [((), start)]
    while waiting:
        word, state = waiting.pop()
        if state in free[len(word)]:
            filled = dict(zip(cells, word, strict=False))
            if all(filled[cell] == one for cell, one in zip(cells, word, strict=False)):  # a cell may occur twice
                yield " ".join(word), filled, ()
        else:
            waiting += [((*word, one), after) for one, after in reversed(layers[len(word)][state])]


def split_line(cells: Sequence[Place]) -> list[Sequence[Place]]:
    """Return the parts of a line of cells between its holes, each of whose cells touches the next.

    >>> split_line([(1, 1), (1, 2), (1, 4)])
    [[(1, 1), (1, 2)], [(1, 4)]]
    """
    ends = [k for k, ((a, b), (c, d)) in enumerate(pairwise(cells), 1) if max(abs(a - c), abs(b - d)) > 1]
    return [cells[start:end] for start, end in pairwise([0, *ends, len(cells)])]


def split_words(text: str | Sequence[str]) -> list[str]:
    """Return the words between blanks and commas, unless they are stated one by one."""
    return text.replace(",", " ").split() if isinstance(text, str) else [*text]


def find_steps(word: str, path: tuple[str | int, ...]) -> Sequence[Place]:
    """Return the steps to half of the neighbors of a cell."""
    if word not in NEIGHBORS:
        message = f"unknown neighbors {word!r}{nearest(word, NEIGHBORS)}; expected {', '.join(NEIGHBORS)}"
        raise ParameterError(path, message)
    return NEIGHBORS[word]


def _collect(letters: Mapping[Place, str], kind: str) -> list[Group]:
    """Return the cells of each letter, in the order of their first cells."""
    return [Group(f"{kind} {letter}", tuple(cells)) for letter, cells in group_cells(letters).items()]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
