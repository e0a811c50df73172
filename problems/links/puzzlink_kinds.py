"""Puzzles as boards of puzz.link: which kind has which rules, and the letters of its board.

A grid belongs to a kind if its constraints are those of the kind, and nothing else. What is written is read again, so
that a board which means something else is refused.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from exactcover import Encoder, ParameterError
from problems.boards import cell_name, find_components, list_cells
from problems.grid import Grid, read_constraint
from problems.grids.board import Place
from problems.grids.clues import Around, Between, First, Hitori, Kakuro, Lamps, Runs, Sums, Visible
from problems.grids.constraints import Beside, Constraint, Count, Differ, Number, Once, Only, Ripple
from problems.grids.lines import Dots, Less
from problems.grids.shapes import Fillomino, Islands, Rectangles, Ships, Tents
from problems.links.pzpr_text import (
    ANY,
    APART,
    FILLED,
    NONE,
    NORINORI,
    PLAIN,
    SEA,
    SHIPS,
    find_room,
    list_sides,
    write_corners,
    write_fleet,
    write_kakuro,
    write_marks,
    write_numbers,
    write_packed,
    write_walls,
    write_words,
)
from problems.masyu import Masyu
from problems.numberlink import Numberlink
from problems.row_text import HOLE
from problems.slitherlink import Slitherlink
from problems.squares import split_side
from problems.sudoku import Sudoku

Written: TypeAlias = tuple[str, str, Place, str]
"""A kind, its flags, the numbers of rows and columns, and the letters of the board."""


def write_board(encoder: Encoder) -> Written:
    """Return the kind, the flags, the size and the letters of the puzzle of an encoder."""
    if isinstance(encoder, Grid):
        return StatedGrid(encoder).write()
    for family, write in _FAMILIES.items():
        if isinstance(encoder, family):
            return write(encoder)
    raise ParameterError("problem", f"such links hold no puzzles like those of {type(encoder).__name__.lower()}")


def split_cells(text: str) -> list[list[str]]:
    """Return the cells of a board as families write it."""
    rows = text.splitlines()
    return [row.split() for row in rows] if any(" " in row.strip() for row in rows) else [[*row] for row in rows]


def _size(rows: Sequence[Sequence[str]]) -> Place:
    return len(rows), len(rows[0])


def _list_numbers(rows: Sequence[Sequence[str]]) -> list[int]:
    return [NONE if one == "." else int(one) for row in rows for one in row]


def _write_sudoku(sudoku: Sudoku) -> Written:
    side = sudoku.side
    box = "{}x{}".format(*split_side(side))
    if sudoku.regions or sudoku.diagonals or sudoku.extra or sudoku.cages or sudoku.sums or sudoku.thermometers:
        raise ParameterError("problem", "such links have plain Sudokus only; try f-puzzles or SudokuPad")
    if (sudoku.box and sudoku.box != box) or (len({*split_side(side)}) > 1 and side != 6):
        raise ParameterError("box", f"such links have only boxes of the usual size, and 2x3; got {sudoku.box or box}")
    numbers = [NONE] * side**2
    for row, column, symbol in sudoku.givens():
        numbers[(row - 1) * side + column - 1] = sudoku.alphabet.index(symbol) + 1
    return "sudoku", "", (side, side), write_numbers(numbers)


def _write_slitherlink(slitherlink: Slitherlink) -> Written:
    rows = split_cells(slitherlink.unparse(slitherlink.givens()))
    return "slither", "", _size(rows), write_corners(_list_numbers(rows))


def _write_masyu(masyu: Masyu) -> Written:
    rows = split_cells(masyu.unparse(masyu.givens()))
    return "mashu", "", _size(rows), write_packed([".WB".index(one) for row in rows for one in row], 3, 3)


def _write_numberlink(numberlink: Numberlink) -> Written:
    rows = split_cells(numberlink.unparse(()))
    if numberlink.kind != "numberlink" or any(one == HOLE for row in rows for one in row):
        raise ParameterError("problem", "there is no Zip in such links, and no Numberlink with blocked cells")
    symbols = [one for row in rows for one in row if one != "."]
    if not all(one.isdecimal() for one in symbols):
        numbers = {one: str(number) for number, one in enumerate(dict.fromkeys(symbols), 1)}
        rows = [[numbers.get(one, ".") for one in row] for row in rows]
    return ("arukone" if numberlink.fill else "numlin"), "", _size(rows), write_numbers(_list_numbers(rows))


_FAMILIES: Mapping[type[Encoder], Callable[[Any], Written]] = {
    Sudoku: _write_sudoku,
    Slitherlink: _write_slitherlink,
    Masyu: _write_masyu,
    Numberlink: _write_numberlink,
}


class StatedGrid:
    """A grid whose constraints are taken one by one."""

    def __init__(self, grid: Grid) -> None:
        self.board = grid.board
        self.givens = grid.decode(grid.stated_givens)
        self.left = [*grid.stated_constraints]
        self.words = [next(iter(one)) for one in grid.constraints]
        self.size = self.board.size
        self.holes = {*self.places} - {*self.board.cells}

    @property
    def places(self) -> list[Place]:
        """All places of the board, row by row."""
        return list_cells(self.size)

    def write(self) -> Written:
        """Return the first kind whose rules are those of the grid."""
        stated, (rows, columns) = [*self.left], self.size
        for kind, needed, write in _KINDS:
            if {type(one) for one in stated} >= needed:
                letters = write(self)
                if letters is not None and not self.left:
                    frame = int(kind == "kakuro")  # its first row and column are outside of boards there
                    return kind, "", (rows - frame, columns - frame), letters
                self.left = [*stated]
        words = ", ".join(dict.fromkeys(self.words))
        raise ParameterError(
            "constraints", f"no kind of puzzles in such links has just these rules, symbols and givens: {words}"
        )

    def take(self, kind: type[Constraint]) -> Any:
        """Take the first constraint of a kind; None if there is none."""
        found = next((one for one in self.left if type(one) is kind), None)
        if found is not None:
            self.left.remove(found)
        return found

    def take_equal(self, wanted: Constraint) -> bool:
        """Take a constraint, if it is stated."""
        if wanted not in self.left:
            return False
        self.left.remove(wanted)
        return True

    def take_all(self, wanted: Sequence[Mapping[str, Any]]) -> bool:
        """Take constraints as they stand in files, if all are stated."""
        return all(self.take_equal(read_constraint(one, ())) for one in wanted)

    def has(self, one: Any, where: str) -> bool:
        """Return whether a constraint is about some groups of cells, and no others."""
        stated = one.where if isinstance(one.where, str) else " ".join(one.where)
        return sorted(stated.replace(",", " ").split()) == sorted(where.split())

    def marks_all(self, of: str) -> bool:
        """Return whether these symbols are all that cells can be marked with."""
        return {*self.board.read_symbols(of, ())} == {*self.board.kinds}

    def is_plain(self, *, empty: bool) -> bool:
        """Return whether there are no givens and holes, and whether cells may be empty as wanted."""
        return not (self.givens or self.holes) and bool(self.board.empty) == empty and len(self.board.kinds) < 2

    def list_givens(self) -> list[int]:
        """Return the number of each cell."""
        values, givens = self.board.values, self.givens
        return [values[givens[place]] if place in givens else NONE for place in self.places]

    def write_givens(self) -> str:
        """Return the letters of the givens, which may be missing."""
        return write_numbers(self.list_givens()) if self.givens else ""

    def numbers_from_one(self) -> bool:
        """Return whether the symbols are numbers from 1, and no cell may be empty."""
        return not self.board.empty and self.board.symbols == tuple(map(str, range(1, len(self.board.symbols) + 1)))

    def is_latin(self) -> bool:
        """Return whether the board is a square without holes, with a number from 1 for each column."""
        rows, columns = self.size
        return rows == columns == len(self.board.symbols) and self.numbers_from_one() and not self.holes

    def write_walls(self) -> str:
        """Return the letters of the walls between regions."""
        letters = self.board.letters
        if any(cell not in letters for cell in self.board.cells) or not self._hang_together():
            raise ParameterError("regions", "puzz.link has only regions that hang together, and that all cells are in")
        sides = list_sides(self.size)
        return write_walls({(one, other) for one, other in sides if letters.get(one) != letters.get(other)}, self.size)

    def _hang_together(self) -> bool:
        groups = (cells for _, cells in self.board.find_groups("regions", ()))
        return all(len([*find_components(cells, self.board.around)]) == 1 for cells in groups)

    def write_clues(self, one: Any, sides: Sequence[str], read: Callable[[str], int] = int) -> str:
        """Return the letters of the clues on some sides."""
        found = list[int]()
        for side in sides:
            lines = self.size[0 if side in ("left", "right") else 1]
            clues = self.board.read_clues(getattr(one, side, ""), lines, ())
            found += [read(clue) if clue else NONE for clue in clues]
        return write_numbers(found)

    def take_counts(self, of: Sequence[str]) -> str | None:
        """Take the numbers above columns and before rows, and return their letters; None if they say more."""
        found = dict[str, list[str]]()
        for one in [one for one in self.left if type(one) is Count]:
            side = next((where for where in ("columns", "rows") if self.has(one, where)), "")
            if not side or side in found or {*self.board.read_symbols(one.of, ())} != {*of}:
                return None
            lines = self.size[side == "columns"]
            times = one.list_times()
            clues = times * lines if len(times) == 1 else self.board.read_clues(times, lines, ())
            if not all(clue.isdecimal() or clue in ("", ".") for clue in clues):
                return None
            found[side] = clues
            self.left.remove(one)
        clues = [clue for side, lines in (("columns", self.size[1]), ("rows", self.size[0]))
                 for clue in found.get(side, [""] * lines)]  # fmt: skip
        return write_numbers(int(clue) if clue.isdecimal() else NONE for clue in clues)


def _write_star_battle(board: StatedGrid) -> str | None:
    one, is_kind = board.take(Count), board.take_equal(Differ("king")) and board.is_plain(empty=True)
    is_kind = is_kind and board.has(one, "rows columns regions") and board.marks_all(one.of)
    return f"{one.times}/{board.write_walls()}" if is_kind and str(one.times).isdecimal() else None


def _write_tents(board: StatedGrid) -> str | None:
    tents, counts = board.take(Tents), board.take_counts(board.board.kinds)
    is_plain = board.is_plain(empty=True) and board.marks_all(tents.of)
    if not board.take_equal(Differ("king")) or counts is None or not is_plain:
        return None
    trees = {*tents.list_trees(board.board)}
    return counts + write_marks(place in trees for place in board.places)


def _write_nonogram(board: StatedGrid) -> str | None:
    runs, found = board.take(Runs), {"columns": [], "rows": []}  # type: ignore[var-annotated]
    for side, (_, cells), lengths in runs.list_runs(board.board):
        own, places = [*reversed(lengths or ())], -(-len(cells) // 2)
        if lengths is None or len(own) > places:
            return None
        found[side] += [*own, *[NONE] * (places - len(own))]
    if not (found["columns"] and found["rows"] and board.is_plain(empty=True) and board.marks_all(runs.of)):
        return None
    return write_numbers([*found["columns"], *found["rows"]])


def _write_shikaku(board: StatedGrid) -> str | None:
    numbers = _list_sizes(board, board.take(Rectangles))
    return None if board.holes or board.board.symbols else write_numbers(numbers)


def _list_sizes(board: StatedGrid, one: Any) -> list[int]:
    numbers = board.board.read_table(one.numbers, ("numbers",)) if one.numbers else {}
    return [int(numbers.get(place, NONE)) for place in board.places]


def _write_norinori(board: StatedGrid) -> str | None:
    return board.write_walls() if board.take_all(NORINORI) and board.is_plain(empty=True) else None


def _write_nurikabe(board: StatedGrid) -> str | None:
    islands = board.take(Islands)
    is_sea = board.board.kinds == (FILLED,) and islands.of in ("", FILLED) and board.take_all(SEA)
    return write_numbers(_list_sizes(board, islands)) if is_sea and board.is_plain(empty=True) else None


def _write_light_up(board: StatedGrid) -> str | None:
    lamps, around = board.take(Lamps), board.take(Around)
    clues = board.board.read_table(around.clues, ("clues",)) if around else {}
    is_kind = not around or (around.neighbors == "adjacent" and not around.own and around.of in ("", lamps.of))
    is_kind = is_kind and bool(board.board.empty) and len(board.board.kinds) == 1 and board.marks_all(lamps.of)
    is_kind = is_kind and clues.keys() <= board.holes and {*clues.values()} <= {*"01234"}
    if not is_kind or board.givens:
        return None
    numbers = [int(clues.get(one, ANY)) if one in board.holes else NONE for one in board.places]
    return write_corners(numbers)


def _write_hitori(board: StatedGrid) -> str | None:
    hitori = board.take(Hitori)
    numbers = board.board.read_table(hitori.numbers, ("numbers",))
    is_kind = {*board.board.symbols} == {FILLED, PLAIN} and board.board.empty in ("", PLAIN) and not board.holes
    is_kind = is_kind and hitori.of == FILLED and not board.givens and board.take_all(APART)
    if not (is_kind and all(one.isdecimal() for one in numbers.values())):
        return None
    return write_words(int(numbers.get(place, NONE)) for place in board.places)


def _write_fillomino(board: StatedGrid) -> str | None:
    board.take(Fillomino)
    numbers = board.list_givens()  # those that the constraint gives are among them
    most = max(find_room(numbers, board.board.size[1]), *numbers)
    if not board.numbers_from_one() or board.holes:
        return None
    if len(board.board.symbols) < most:
        message = f"hidden numbers may be as great as there is room for; expected symbols from 1 to {most}"
        raise ParameterError("symbols", message)
    return write_numbers(numbers)


def _write_skyscrapers(board: StatedGrid) -> str | None:
    once, visible = board.take(Once), board.take(Visible)
    if not (board.has(once, "rows columns") and board.is_latin()):
        return None
    clues = board.write_clues(visible, ("top", "bottom", "left", "right"))
    return clues + board.write_givens()


def _write_plain_grid(board: StatedGrid) -> str | None:
    side, once = board.size[0], board.take(Once)
    height, width = split_side(side)
    if not (board.is_latin() and board.has(once, f"rows columns {height}x{width}") and (height == width or side == 6)):
        return None
    return write_numbers(board.list_givens())


def _write_kropki(board: StatedGrid) -> str | None:
    once, dots = board.take(Once), board.take(Dots)
    if not (board.has(once, "rows columns") and board.is_latin() and dots.all) or board.givens:
        return None
    drawn = {frozenset(pair): kind for kind, pairs in ((1, dots.white), (2, dots.black))
             for pair in (board.board.read_cells(text, ()) for text in pairs)}  # fmt: skip
    pairs = list_sides(board.size)
    if not drawn.keys() <= {*map(frozenset, pairs)} or len(drawn) < len(dots.white) + len(dots.black):
        return None
    return write_packed([drawn.get(frozenset(pair), 0) for pair in pairs], 3, 3)


def _write_regions_of_numbers(
    rule: Constraint, *, falls: bool = False, may_have_holes: bool = True
) -> Callable[[StatedGrid], str | None]:
    """Return what writes boards whose regions hold the numbers from 1, with one more rule."""

    def write(board: StatedGrid) -> str | None:
        is_kind = board.has(board.take(Number), "regions") and board.numbers_from_one() and board.take_equal(rule)
        if not is_kind or (board.holes and not may_have_holes):
            return None
        letters, less = board.board.letters, board.take(Less)
        below = {frozenset(((row + 1, column), (row, column))) for row, column in letters
                 if falls and letters.get((row + 1, column)) == letters[row, column]}  # fmt: skip
        pairs = [board.board.read_cells(text.replace("<", " "), ()) for text in less.pairs] if less else []
        if {*map(frozenset, pairs)} != below or any(len(pair) != 2 or pair[0] < pair[1] for pair in pairs):
            return None
        empty = write_packed([place in board.holes for place in board.places], 2, 5) if board.holes else ""
        return board.write_walls() + write_numbers(board.list_givens()) + empty

    return write


def _write_letters(board: StatedGrid) -> str | None:
    once, first, letters = board.take(Once), board.take(First), board.board.kinds
    usual = tuple(string.ascii_uppercase[: len(letters)])
    if letters != usual or not board.board.empty or not board.has(once, "rows columns") or board.holes:
        return None
    if board.board.empty in board.givens.values():
        return None
    clues = board.write_clues(first, ("top", "bottom", "left", "right"), lambda clue: letters.index(clue) + 1)
    return f"{len(letters)}/{clues}{board.write_givens()}"


def _write_doppelblock(board: StatedGrid) -> str | None:
    between, symbols = board.take(Between), board.board.symbols
    *numbers, block = symbols
    counts = {one.of: one for one in board.left if type(one) is Count and board.has(one, "rows columns")}
    wanted = {one: 2 if one == block else 1 for one in symbols}
    if not (board.size == (len(symbols) + 1,) * 2 and {of: one.times for of, one in counts.items()} == wanted):
        return None
    is_numbered = numbers == [str(number) for number in range(1, len(symbols))]
    if between.of != block or not is_numbered or board.board.empty or board.holes or block in board.givens.values():
        return None
    board.left = [one for one in board.left if one not in counts.values()]
    return board.write_clues(between, ("top", "left")) + board.write_givens()


def _write_battleships(board: StatedGrid) -> str | None:
    ships, only = board.take(Ships), board.take(Only)
    counts = board.take_counts(board.board.kinds)
    order = [board.board.empty, *(ships.parts.get(part, "") for part in
                                  ("top", "bottom", "left", "right", "middle", "alone"))]  # fmt: skip
    if counts is None or {*order[1:]} != {*board.board.kinds} or len({*order}) < len(SHIPS) or board.holes:
        return None
    if only and {*board.board.read_symbols(only.symbols, ())} != {*order[1:]}:
        return None
    parts = {*board.board.read_cells(only.cells, ())} if only else set()
    givens = board.givens
    numbers = [order.index(givens[one]) if one in givens else ANY if one in parts else NONE for one in board.places]
    return f"{counts}{write_numbers(numbers)}/{write_fleet(ships.fleet)}"


def _write_kakuro(board: StatedGrid) -> str | None:
    """Write a board whose first row and column hold sums only."""
    kakuro, sums, (rows, columns) = board.take(Kakuro), board.take(Sums), board.size
    totals = {(place, name.partition(" ")[0]): total for place, name, _, total in kakuro.list_runs(board.board)}
    if board.givens or board.board.symbols != tuple("123456789") or min(board.size) < 2:
        return None
    frame = [place for place in board.places if 1 in place]
    if not board.holes.issuperset(frame):
        return None
    plain = [name for place in sorted(board.holes) for name in _list_plain_runs(board, place, totals)]
    stated = {frozenset(board.board.read_cells(text, ())) for text in sums.lines} if sums else set()
    if sums and (sums.repeat or any(str(total).strip() for total in sums.lines.values())):
        return None
    if {frozenset(board.board.read_cells(text, ())) for text in plain} != stated:
        return None

    sums = {place: tuple(totals.get((place, name), NONE) for name in ("below", "right")) for place in board.holes}
    black = {(row - 1, column - 1): (below, right) for (row, column), (below, right) in sums.items()}
    return write_kakuro(rows - 1, columns - 1, black)


def _list_plain_runs(board: StatedGrid, place: Place, totals: Mapping[tuple[Place, str], int]) -> list[str]:
    """Return the runs of several cells behind a hole that have no sum."""
    found = list[str]()
    for name, (down, right) in (("below", (1, 0)), ("right", (0, 1))):
        own, cell = list[Place](), (place[0] + down, place[1] + right)
        while cell in board.places and cell not in board.holes:
            own.append(cell)
            cell = cell[0] + down, cell[1] + right
        found += [" ".join(map(cell_name, own))] if len(own) > 1 and (place, name) not in totals else []
    return found


_KINDS: Sequence[tuple[str, set[type[Constraint]], Callable[[StatedGrid], str | None]]] = (
    ("shikaku", {Rectangles}, _write_shikaku),
    ("nurikabe", {Islands}, _write_nurikabe),
    ("hitori", {Hitori}, _write_hitori),
    ("lightup", {Lamps}, _write_light_up),
    ("fillomino", {Fillomino}, _write_fillomino),
    ("norinori", {Count, Beside}, _write_norinori),
    ("nonogram", {Runs}, _write_nonogram),
    ("kakuro", {Kakuro}, _write_kakuro),
    ("battleship", {Ships}, _write_battleships),
    ("tents", {Tents, Differ}, _write_tents),
    ("starbattle", {Count, Differ}, _write_star_battle),
    ("ripple", {Number, Ripple}, _write_regions_of_numbers(Ripple(), may_have_holes=False)),
    ("suguru", {Number, Differ}, _write_regions_of_numbers(Differ("king"))),
    ("cojun", {Number, Differ}, _write_regions_of_numbers(Differ("adjacent"), falls=True)),
    ("doppelblock", {Count, Between}, _write_doppelblock),
    ("skyscrapers", {Once, Visible}, _write_skyscrapers),
    ("easyasabc", {Once, First}, _write_letters),
    ("kropki", {Once, Dots}, _write_kropki),
    ("sudoku", {Once}, _write_plain_grid),
)
"""The kinds, the constraints without which a grid is not of one, and what writes its letters, or returns None."""
