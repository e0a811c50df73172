"""Sudoku in all its forms: boxes, regions, diagonals, and several grids that overlap."""

from collections.abc import Iterable

from oracles import latin_squares
from problems import Samurai, Sudoku


def test_sudoku_has_its_items_in_order() -> None:
    problem = Sudoku().problem()
    assert (len(problem.labels), len(problem.primary), len(problem.secondary)) == (729, 324, 0)
    assert [str(problem.items[place]) for place in (0, 80, 81, 161, 162, 243, 323)] == [
        "r1c1", "r9c9", "1 in row 1", "9 in row 9", "1 in column 1", "1 in box 1", "9 in box 9"
    ]  # fmt: skip
    assert str(problem.labels[728]) == "r9c9=9"


def grids_without_repeats(parts: Iterable[Iterable[tuple[int, int]]]) -> set[tuple[str, ...]]:
    """Latin squares of order 4 in which no symbol occurs twice in any of these sets of cells, by brute force."""
    sets = [*map(list, parts)]
    return {one for one in latin_squares(4) if all(len({one[r][c] for r, c in own}) == len(own) for own in sets)}


def test_sudoku_with_other_regions(installed_engine: str) -> None:
    drawn = "AAAB ACBB CCDB CDDD"
    places = {(row, column): one for row, line in enumerate(drawn.split()) for column, one in enumerate(line)}
    wanted = grids_without_repeats([place for place in places if places[place] == one] for one in "ABCD")
    puzzle = Sudoku(regions=drawn)
    assert {*map(puzzle.decode, puzzle.solve(engine=installed_engine))} == wanted


def test_sudoku_with_diagonals_and_extra_regions(installed_engine: str) -> None:
    boxes = {f"{r}{c}": {(2 * r + i, 2 * c + j) for i in (0, 1) for j in (0, 1)} for r in (0, 1) for c in (0, 1)}
    diagonals = {"falling": {(k, k) for k in range(4)}, "rising": {(k, 3 - k) for k in range(4)}}
    puzzle = Sudoku(box="2x2", diagonals=True)
    wanted = grids_without_repeats((boxes | diagonals).values())
    assert {*map(puzzle.decode, puzzle.solve(engine=installed_engine))} == wanted
    some = {"centre": {(1, 1), (1, 2), (2, 1), (2, 2)}, "three": {(0, 0), (1, 1), (3, 3)}}
    puzzle = Sudoku(box="2x2", extra=(".... .AA. .AA. ....", ("B...", ".B..", "....", "...B")))
    problem = puzzle.problem()
    wanted = grids_without_repeats((boxes | some).values())
    assert {*map(puzzle.decode, problem.solve(engine=installed_engine))} == wanted
    assert len(problem.secondary) == 4  # a symbol may be missing in the region of three cells


def test_samurai_of_two_small_squares() -> None:
    """Each of the 288 squares of side 4 has twelve others with the same box."""
    two = Samurai(box="2x2", corners=((1, 1), (3, 3)))
    assert two.problem().count() == 288 * 12
    assert Samurai(box="2x2", corners=((1, 1),)).problem().count() == 288
    apart = Samurai(box="2x2", corners=((1, 1), (1, 5)), grid="1234....\n....\n....\n....")
    assert apart.problem().count(given=apart.givens()) == 288 // 24 * 288
    rows = two.decode(next(two.problem().solve()))
    assert [len(row) for row in rows] == [4, 4, 6, 6, 6, 6]
    assert rows[4][:2] == "__"
    blanks = Samurai(box="2x2", corners=((1, 1),), grid="1xx2\nxxxx\nX3__")
    assert [str(entry) for entry in blanks.givens()] == ["r1c1=1", "r1c4=2", "r3c2=3"]


def test_the_box_comes_from_the_grid() -> None:
    rows = tuple("." * 25 for _ in range(25))
    for grid in (rows, "".join(rows), tuple((0,) * 25 for _ in range(25))):
        puzzle = Sudoku(grid=grid)
        assert (puzzle.side, puzzle.frame()) == (25, Sudoku(box="5x5").frame())
    assert (Sudoku().side, Sudoku(grid="." * 16).count()) == (9, 288)
