"""Code shared by the families that fill a square with symbols."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from exactcover import Item, ParameterError, TextForm, pictures
from problems.boards import CellEncoder, list_cells, parse_cell, parse_size, place_of_cell

if TYPE_CHECKING:
    from exactcover.reasons import Deduction

EXCHANGED = "if two symbols are in no given, exchanging them makes another solution"
"""The reason why all symbols but one are among the givens of a puzzle with one solution."""


_LAST = {"cell": ("naked single", 2.3), "box": ("hidden single", 1.2), "region": ("hidden single", 1.2)}
_OTHER_LAST = ("hidden single", 1.5)
_BLOCKS = {"box": ("pointing", 2.6), "region": ("pointing", 2.6), "row": ("claiming", 2.8), "column": ("claiming", 2.8)}
_WORDS = {2: "pair", 3: "triple", 4: "quadruple"}
_NAKED, _HIDDEN = {2: 3.0, 3: 3.6, 4: 5.0}, {2: 3.4, 3: 4.0, 4: 5.4}
_FISH = {2: ("X-wing", 3.2), 3: ("swordfish", 3.8), 4: ("jellyfish", 5.2)}
_MIXED, _CHAIN = 3.0, 1.6  # what subsets of several kinds, and chains, are harder than in puzzles without houses


class Entry(NamedTuple):
    """A symbol in a cell, rows and columns from 1; as text ``r1c5=7``."""

    row: int
    column: int
    symbol: str

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}={self.symbol}"


def parse_box(text: str, max_side: int) -> tuple[int, int]:
    """Return (rows, columns) for the size of a box, like ``3x3``, in a square of at most this side."""
    height, width = parse_size(text, "box")
    if height * width > max_side:
        message = f"boxes of {text} make a square of side {height * width}; the maximum is {max_side}"
        raise ParameterError("box", message)
    return height, width


def split_side(side: int) -> tuple[int, int]:
    """Return the numbers of rows and columns of the usual box of a square: as equal as they can be.

    >>> split_side(9), split_side(6)
    ((3, 3), (2, 3))
    """
    height = next(height for height in range(math.isqrt(side), 0, -1) if side % height == 0)
    return height, side // height


def number_boxes(side: int) -> dict[tuple[int, int], int]:
    """Return the number of the usual box of each cell of a square, from 0; cells row by row."""
    height, width = split_side(side)
    cells = list_cells((side, side))
    return {(row, column): (row - 1) // height * height + (column - 1) // width for row, column in cells}


def move_lines(
    side: int,
    list_lines: Callable[[int, int], Iterable[Item]],
    kept: Collection[tuple[int, int]] = (),
    *,
    mirrors: bool = True,
) -> Iterator[dict[Item, Item]]:
    """Yield where lines of a square go by its rotations, and with `mirrors` by its reflections.

    Lines are known by their cells on the border, and each must go to one of them. Motions map the cells that are `kept`
    onto themselves.
    """
    sides, border = range(1, side + 1), (1, side)
    on_line = defaultdict[Item, set[tuple[int, int]]](set)
    for cell in (*product(border, sides), *product(sides, border)):
        for line in list_lines(*cell):
            on_line[line].add(cell)
    line_of = {frozenset(own): line for line, own in on_line.items()}
    for down, across, turn in product((False, True), repeat=3):

        def move(cell: tuple[int, int], down: bool = down, across: bool = across, turn: bool = turn) -> tuple[int, int]:
            row, column = side + 1 - cell[0] if down else cell[0], side + 1 - cell[1] if across else cell[1]
            return (column, row) if turn else (row, column)

        if (mirrors or turn == (down != across)) and {*map(move, kept)} == {*kept}:
            yield {line: line_of[frozenset(map(move, own))] for own, line in line_of.items()}


def is_blank(character: str, symbols: str) -> bool:
    """Return whether a character that is not a symbol stands for a blank.

    Letters do unless there are letters among the symbols, where they would be typing mistakes. Digits other than 0
    never do.

    >>> is_blank("x", "123456789"), is_blank("x", "ABCD"), is_blank("9", "1234"), is_blank("0", "1234")
    (True, False, False, True)
    """
    if character.isalpha():
        return not any(map(str.isalpha, symbols))
    return character == "0" or not character.isalnum()


def make_text_form(
    cells: Iterable[tuple[int, int]], symbols: str, layouts: Sequence[str], blanks: str, *, any_case: bool = False
) -> TextForm:
    """Return the text form of a grid: each character stands for a symbol in its cell, in the order of the cells.

    In `any_case`, a lower-case letter stands for the symbol that is its upper-case letter.
    """
    characters = {symbol.lower(): symbol for symbol in symbols} if any_case else {}
    characters |= {symbol: symbol for symbol in symbols}
    options = [{character: Entry(*cell, symbol) for character, symbol in characters.items()} for cell in cells]
    return TextForm(layouts, options, blanks)


def label_symbols(entries: Iterable[Entry], given: Collection[Entry]) -> Iterator[pictures.Text]:
    """Yield the symbols as labels for a picture, cell by cell; givens are strong."""
    for entry in sorted(entries):
        yield pictures.Text(entry.row - 1, entry.column - 1, entry.symbol, entry in given)


def shade_cells(regions: Mapping[tuple[int, int], str], given: Iterable[Entry]) -> dict[tuple[int, int], pictures.Cell]:
    """Return the cells of a picture, each with the name of its region; those of givens are shaded."""
    shaded = {(entry.row, entry.column) for entry in given}
    tints = {cell: pictures.SHADED if cell in shaded else pictures.PAPER for cell in regions}
    return {cell: pictures.Cell(cell[0] - 1, cell[1] - 1, regions[cell], tint) for cell, tint in tints.items()}


class SymbolEncoder(CellEncoder):
    """A family that fills cells with symbols, whose techniques have the names that they have in Sudokus."""

    def name_technique(self, deduction: Deduction) -> tuple[str, float] | None:
        """Return the name and the difficulty that a technique has among those who solve Sudokus.

        References
        ----------
        N. Juillerat, "Sudoku Explainer", 2007, for the difficulties of those with a name.
        """
        truths, links = ([_Truth.of(item) for item in items] for items in (deduction.truths, deduction.links))
        kinds = {truth.kind for truth in truths}
        if deduction.kind.value in ("subset", "chain") and kinds & {"cage", "other"}:
            return "", deduction.difficulty + (_MIXED if links else _CHAIN)
        match deduction.kind.value:
            case "last" if not isinstance(deduction.chosen[0], Entry) or len(deduction.chosen) > 1:
                return None  # the way in which a cage has its sum, or several symbols
            case "last" if not kinds & {"cage", "other"}:
                return _LAST.get(truths[0].kind, _OTHER_LAST)
            case "block":
                return _BLOCKS.get(truths[0].kind)
            case "subset":
                return _name_subset(deduction, truths, links) or ("mixed subset", deduction.difficulty + _MIXED)
            case "chain":
                return _name_closed_chain(deduction, truths) or _name_chain(deduction, truths)
        return None


class _Truth(NamedTuple):
    """The kind of an item, its symbol and its house: ``("row", "7", "row 3")`` for ``7 in row 3``."""

    kind: str
    symbol: str
    house: str

    @classmethod
    def of(cls, item: Item) -> _Truth:
        symbol, _, house = str(item).partition(" in ")
        if not house or " " in symbol:  # such as ``seen from the left in row 3``
            return cls("other" if parse_cell(str(item)) is None else "cell", "", "")
        return cls(house.removeprefix("the ").split(" ")[0], symbol, house)


def _name_subset(deduction: Deduction, truths: Sequence[_Truth], links: Sequence[_Truth]) -> tuple[str, float] | None:
    size, kinds = len(truths), {truth.kind for truth in truths}
    if kinds == {"cell"}:
        if not _are_in_line(deduction.truths) and len({link.house for link in links}) > 1:
            return None
        return f"naked {_WORDS[size]}", _NAKED[size]
    if len({truth.house for truth in truths}) == 1:
        return f"hidden {_WORDS[size]}", _HIDDEN[size]
    others = {link.kind for link in links}
    if len({truth.symbol for truth in (*truths, *links)}) > 1 or len(kinds) > 1 or len(others) > 1:
        return None
    if kinds | others == {"row", "column"}:
        return _FISH[size]
    return f"{kinds.pop()} {_WORDS[size]}", _FISH[size][1]


def _are_in_line(cells: Iterable[Item]) -> bool:
    """Return whether cells lie in one row or one column."""
    places = [place for cell in cells if (place := place_of_cell(cell)) is not None]
    return any(len({place[k] for place in places}) == 1 for k in (0, 1))


def _name_closed_chain(deduction: Deduction, truths: Sequence[_Truth]) -> tuple[str, float] | None:
    """Return the name of a subset each of whose items has two options, which is found as a chain; None for others."""
    size, kinds = len(truths), {truth.kind for truth in truths}
    labels = [Entry(*label) for own in deduction.holders for label in own if isinstance(label, Entry)]
    symbols, rows, columns = ({label[k] for label in labels} for k in (2, 0, 1))
    if size not in _WORDS or len(labels) != deduction.size:
        return None
    if kinds == {"cell"} and len(symbols) == size and _are_in_line(deduction.truths):
        return f"naked {_WORDS[size]}", _NAKED[size]
    if kinds in ({"row"}, {"column"}) and len({truth.symbol for truth in truths}) == 1:
        return _FISH[size] if len(columns if kinds == {"row"} else rows) == size else None
    if "cell" not in kinds and len({truth.house for truth in truths}) == 1:
        return (f"hidden {_WORDS[size]}", _HIDDEN[size]) if len({label[:2] for label in labels}) == size else None
    return None


def _name_chain(deduction: Deduction, truths: Sequence[_Truth]) -> tuple[str, float]:
    size, kinds, difficulty = len(truths), {truth.kind for truth in truths}, deduction.difficulty + _CHAIN
    is_plain = deduction.size == 2 * size  # each truth has two options
    if kinds == {"cell"} and size == 3 and deduction.size <= 7:
        return ("XY-wing", 4.2) if is_plain else ("XYZ-wing", 4.4)
    if len({truth.symbol for truth in truths}) == 1 and "cell" not in kinds:
        return _name_chain_of_symbol(size, kinds, is_plain=is_plain), difficulty
    if not is_plain:
        return "dynamic chain", difficulty
    if size == 3 and [truth.kind for truth in truths[:2]] == ["cell", "cell"] and truths[2].kind != "cell":
        one, other = ({str(label)[-1] for label in own} for own in deduction.holders[:2])
        return ("W-wing" if one == other else "forcing chain"), difficulty
    return ("XY-chain" if kinds == {"cell"} else "forcing chain"), difficulty


def _name_chain_of_symbol(size: int, kinds: set[str], *, is_plain: bool) -> str:
    """Return the name of a chain whose truths are places of one symbol."""
    is_fish = len(kinds) == 1 and kinds <= {"row", "column"}
    if not is_plain:
        name = f"finned {_FISH[size][0]}" if is_fish and size in _FISH else "X-chain"
        is_rectangle = size == 2 and kinds in ({"box", "row"}, {"box", "column"})
        return "empty rectangle" if is_rectangle else name
    if size == 2:
        return "skyscraper" if is_fish else "two-string kite" if kinds == {"row", "column"} else "turbot fish"
    return "X-chain"
