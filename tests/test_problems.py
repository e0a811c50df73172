"""The built-in encoders: what they yield, refuse and draw."""

import importlib.metadata
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import problems
from exactcover import Encoder, ParameterError, Status, find_encoders
from exactcover.config.configuration import read_file
from exactcover.encoders.finding import find_configs
from exactcover.pictures import contact_sheet, render
from exactcover.testing import check_config
from oracles import brute_force
from problems import Latin, Options, Polycube, Polyomino, Queens, Rectangles, Samurai, Sudoku
from problems.boards import Board
from problems.pieces import named_pieces, orientations

ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."


def test_the_articles_rectangle(engine: str) -> None:
    """Its nine options in its order; its solutions are {7, 8} and {5, 9}."""
    problem = Rectangles().problem()
    cells = {f"r{row}c{column}": 3 * row + column - 3 for row in (1, 2) for column in (1, 2, 3)}
    items = [sorted(cells.get(str(item), {"1x2": 7, "2x2": 8}.get(str(item), 0)) for item in option)
             for option in problem.options.values()]  # fmt: skip
    assert items == [
        [1, 2, 7], [2, 3, 7], [4, 5, 7], [5, 6, 7], [1, 4, 7], [2, 5, 7], [3, 6, 7], [1, 2, 4, 5, 8], [2, 3, 5, 6, 8]
    ]  # fmt: skip
    found = {frozenset(position + 1 for position in one) for one in problem.solve(engine=engine).positions()}
    assert found == {frozenset({7, 8}), frozenset({5, 9})}


def test_equal_rectangles_are_not_told_apart(engine: str) -> None:
    for pieces, count in [({"1x2": 3}, 3), ({"1x2": 1, "1x1": 4}, 7), ({"1x1": 6}, 1), ({"1x2": 2, "1x1": 2}, 11)]:
        assert Rectangles("2x3", pieces).problem().count(engine=engine) == count
    assert Rectangles("6x6", {"1x2": 18}).problem().count() == 6728
    mixed = [solution for solution in Rectangles("3x4", {"1x2": "any", "1x1": "any"}).problem().solve(engine=engine)
             if [len(place.cells) for place in solution].count(2) == 3]  # fmt: skip
    assert Rectangles("3x4", {"1x2": 3, "1x1": 6}).problem().count(engine=engine) == len(mixed)
    assert Rectangles("3x4", {"1x2": 3, "1x1": 5, "1x3": 0}).problem().count(engine=engine) == 0
    dominoes = Rectangles("4x4", {"1x2": 8})
    assert dominoes.problem().count(engine=engine) == 36
    assert Rectangles("4x4", {"1x2": "any"}).problem().count(engine=engine) == 36
    assert Rectangles("4x4", {"2x2": 2, "1x2": "any", "1x4": 0}).problem().count(engine=engine) > 0


def test_sudoku_has_its_items_in_order() -> None:
    problem = Sudoku().problem()
    assert (len(problem.labels), len(problem.primary), len(problem.secondary)) == (729, 324, 0)
    assert [str(problem.items[place]) for place in (0, 80, 81, 161, 162, 243, 323)] == [
        "r1c1", "r9c9", "1 in row 1", "9 in row 9", "1 in column 1", "1 in box 1", "9 in box 9"
    ]  # fmt: skip
    assert str(problem.labels[728]) == "r9c9=9"


@pytest.mark.parametrize("grid", [
    ESCARGOT,
    ESCARGOT.replace(".", "0"),
    ESCARGOT.replace(".", " - "),
    tuple(ESCARGOT[start : start + 9] for start in range(0, 81, 9)),
    tuple(tuple(int(one.replace(".", "0")) for one in ESCARGOT[start : start + 9]) for start in range(0, 81, 9)),
])  # fmt: skip
def test_a_sudoku_in_every_form(engine: str, grid: str) -> None:
    puzzle = Sudoku(grid=grid)
    solutions = list(puzzle.problem().solve(given=puzzle.givens(), engine=engine))
    assert [puzzle.decode(one) for one in solutions] == [
        ("162857493", "534129678", "789643521", "475312986", "913586742", "628794135", "356478219", "241935867",
         "897261354")
    ]  # fmt: skip


def test_contradicting_givens_are_named(engine: str) -> None:
    puzzle = Sudoku(grid="5...5" + "." * 76)
    search = puzzle.problem().solve(given=puzzle.givens(), engine=engine)
    assert list(search) == []
    assert search.status is Status.UNSATISFIABLE
    assert search.reason == "the givens 'r1c1=5' and 'r1c5=5' exclude each other: both take item '5 in row 1'"


def test_boxes_of_any_shape(engine: str) -> None:
    for box, side in (("2x3", 6), ("3x2", 6), ("1x5", 5), ("4x4", 16), ("5x5", 25)):
        empty = Sudoku(box=box)
        solution = next(empty.problem().solve(engine=engine))
        rows = empty.decode(solution)
        assert len(rows) == side
        assert all(len(set(row)) == side for row in rows)
        assert empty.draw(solution).rows == side


def test_queens_have_6n_minus_2_items_from_the_middle_outwards() -> None:
    problem = Queens(n=8).problem()
    assert len(problem.items) == 6 * 8 - 2
    assert problem.primary[:6] == ("row 4", "column 4", "row 5", "column 5", "row 3", "column 3")


def test_placed_queens_stay(engine: str) -> None:
    board = Queens(n=8, placed=((1, 5),))
    solutions = list(board.problem().solve(given=board.givens(), engine=engine))
    assert len(solutions) == 18
    assert all(board.decode(one)[0] == 5 for one in solutions)


@pytest.mark.parametrize(("squares", "free", "one_sided", "fixed"), [
    (1, 1, 1, 1), (2, 1, 1, 2), (3, 2, 2, 6), (4, 5, 7, 19), (5, 12, 18, 63), (6, 35, 60, 216)
])  # fmt: skip
def test_the_sets_are_complete(squares: int, free: int, one_sided: int, fixed: int) -> None:
    """Numbers of polyominoes: OEIS A000105, A000988, A001168."""
    name = ["monominoes", "dominoes", "trominoes", "tetrominoes", "pentominoes", "hexominoes"][squares - 1]
    pieces = named_pieces(name)
    assert len(pieces) == free
    assert len(named_pieces(f"one-sided {name}")) == one_sided
    assert sum(len(orientations(shape)) for shape, _ in pieces.values()) == fixed


def test_pentominoes_by_their_letters() -> None:
    assert "".join(named_pieces("pentominoes")) == "FILNPTUVWXYZ"
    assert len(orientations(named_pieces("pentominoes")["X"][0])) == 1
    assert len(orientations(named_pieces("pentominoes")["F"][0])) == 8


def test_optional_cells_and_own_pieces(engine: str) -> None:
    """An L on three required cells and one that may stay free."""
    tiling = Polyomino("..\n.?", {"L": "##/#"}, copies="any")
    assert tiling.problem().count(engine=engine) == 1
    assert Polyomino("?.\n.?", {"D": "##"}, copies="any").problem().count(engine=engine) == 4 - 2
    for board in ("..?\n???", "????", ".???"):
        ranged = Polyomino(board, ("dominoes", "monominoes"), copies=(0, 6)).problem()
        free = Polyomino(board, ("dominoes", "monominoes"), copies="any").problem()
        assert free.count(engine=engine) == ranged.count()


def test_own_pieces_by_reference() -> None:
    assert Polyomino("2x2", {"square": "tetrominoes.O"}).problem().count() == 1
    with pytest.raises(ParameterError, match="is a whole set; expected one piece"):
        Polyomino("2x2", {"square": "tetrominoes"})


def test_placed_pieces_stay(engine: str) -> None:
    tiling = Polyomino("3x20", placed=("U r1c1 r2c1 r3c1 r1c2 r3c2",))
    problem = tiling.problem()
    found = list(problem.solve(given=tiling.givens(), engine=engine))
    everything = [one for one in problem.solve(engine=engine) if tiling.givens()[0] in one]
    assert found == everything or sorted(found) == sorted(everything)
    assert 0 < len(found) < 8


@pytest.mark.parametrize(
    ("encoder", "proof"),
    [
        (lambda: Polyomino("6x9"), "the pieces cover 60 cells, but the board has 54 cells to cover"),
        (lambda: Polyomino("3x3", "dominoes", copies="any"),
         "the part of the board at r1c1 has 9 cells to cover, and no choice of pieces adds up to that (piece sizes: 2)"),
        (lambda: Polyomino("...#...\n.######", "dominoes", copies="any"),
         "the part of the board at r1c5 has 3 cells to cover, and no choice of pieces adds up to that (piece sizes: 2)"),
        (lambda: Rectangles("2x3", {"1x2": 1}), "the pieces cover 2 cells, but the board has 6 cells to cover"),
    ],
)  # fmt: skip
def test_areas_that_cannot_fit_are_a_proof(engine: str, encoder: Callable[[], Encoder], proof: str) -> None:
    search = encoder().problem().solve(engine=engine)
    assert list(search) == []
    assert search.reason == proof


@given(
    st.lists(st.text(".?# ", min_size=1, max_size=4), min_size=1, max_size=3),
    st.lists(
        st.sampled_from(["trominoes.V", "trominoes.I", "dominoes", "monominoes"]), min_size=1, max_size=2, unique=True
    ),
)
def test_the_proof_by_areas_never_lies(rows: list[str], pieces: list[str]) -> None:
    board = "\n".join(rows)
    if not {".", "?"} & set(board):
        return
    for copies in (1, "any", 2, (0, 2)):
        tiling = Polyomino(board, tuple(pieces), copies=copies)
        problem = tiling.problem()
        if tiling.impossible() and len(problem.labels) <= 12:
            assert brute_force(problem) == set()


@pytest.mark.parametrize(
    ("make", "path", "message"),
    [
        (lambda: Queens(n=-1), ("n",), "expected at least 0, got -1"),
        (lambda: Polyomino(copies=(2, 1)), ("copies",), "expected 0 <= at least <= at most, got [2, 1]"),
        (lambda: Polyomino(copies={"XX": 2}), ("copies", "XX"), "there is no piece 'XX'; did you mean 'X'?"),
        (lambda: Polyomino(copies={"X": (3, 2)}), ("copies", "X"), "expected 0 <= at least <= at most, got [3, 2]"),
        (lambda: Options({"a": (1,)}, multiplicities={"2": 3}), ("multiplicities",),
         "multiplicity names '2', which is no item; expected a primary item"),
        (lambda: Options({"a": (1,)}, cost={"b": 3}), ("cost",), "costs name 'b', which is no option"),
        (lambda: Polyomino(pieces={}), ("pieces",), "there are no pieces; expected a set, pieces of sets, or drawings"),
        (lambda: Polyomino("..\n.x"), ("board",), "row 2, column 2: 'x' is not allowed in a drawing; use . ? #, and space or _"),
        (lambda: Sudoku(box="1x2", symbols="a "), ("symbols",), "white space cannot be used as a symbol"),
        (lambda: Rectangles("2x3", {"1x2": 7}), ("pieces", "1x2"), "7 pieces are too many for a board of 6 cells"),
        (lambda: Queens(n=4, placed=((1, 1), (5, 1))), ("placed", 1), "row 5, column 1 is not on the 4 x 4 board"),
        (lambda: Sudoku(grid="123"), ("grid",), "expected 81 cells for boxes of 3x3, found 3"),
        (lambda: Sudoku(grid="A" * 81), ("grid",), "row 1, column 1: 'A' is not one of the symbols 123456789; use 0 or . for a blank"),
        (lambda: Sudoku(grid=("." * 9, "...x.....")), ("grid", 1), "row 2, column 4: 'x' is not one of the symbols 123456789; use 0 or . for a blank"),
        (lambda: Sudoku(grid="." * 22 + "x" + "." * 58), ("grid",), "row 3, column 5: 'x' is not one of the symbols 123456789; use 0 or . for a blank"),
        (lambda: Polyomino(("...", "..x")), ("board", 1), "row 2, column 3: 'x' is not allowed in a drawing; use . ? #, and space or _"),
        (lambda: Polycube(("2x2", "..\n.x")), ("board", 1), "layer 2, row 2, column 2: 'x' is not allowed in a drawing; use . ? #, and space or _"),
        (lambda: Samurai(grid=("", "x")), ("grid", 1), "row 2, column 1: 'x' is not one of the symbols 123456789"),
        (lambda: Latin(n=2, grid=("12", "2x")), ("grid", 1), "row 2, column 2: expected one of 12., got 'x'"),
        (lambda: Sudoku(grid=("12",)), ("grid", 0), "row 1: expected 9 cells, found 2"),
        (lambda: Sudoku(grid=((10,) * 9,)), ("grid", 0, 0), "row 1, column 1: expected 1 to 9, or 0 for a blank, got 10"),
        (lambda: Sudoku(box="3"), ("box",), "'3' is not a valid size; expected ROWSxCOLUMNS, like 6x10"),
        (lambda: Sudoku(symbols="11"), ("symbols",), "expected 9 different symbols for boxes of 3x3"),
        (lambda: Polyomino("0x5"), ("board",), "the size 0x5 is out of range; each side must be from 1 to 10,000"),
        (lambda: Polyomino("###"), ("board",), "the board has no cell to cover"),
        (lambda: Polyomino("6x10", holes=((7, 1),)), ("holes", 0), "row 7, column 1 is not a cell of the board"),
        (lambda: Polyomino(pieces="tetrominoes.Q"), ("pieces", 0), "the set tetrominoes has no piece 'Q' (its pieces are I, L, O, S, T)"),
        (lambda: Polyomino(pieces={"A": "#.#"}), ("pieces", "A"),
         "piece A is not connected; its squares must join along their sides"),
        (lambda: Polyomino(placed=("Q r1c1",)), ("placed", 0), "there is no piece 'Q'"),
        (lambda: Polyomino(placed=("I r1c1 r2c2",)), ("placed", 0), "piece I cannot be placed on r1c1 r2c2"),
        (lambda: Polyomino(placed=("I here",)), ("placed", 0), "'I here' is not a valid placement; expected I r1c1 r1c2 ..."),
        (lambda: Rectangles("2x3", {"1x2": 1, "2x1": 1}), ("pieces", "2x1"), "the rectangle 2x1 is listed twice"),
        (lambda: Options({"a": (1,)}, given=("b",)), ("given", 0), "no option is labelled 'b'"),
    ],
)  # fmt: skip
def test_parameters_that_make_no_sense(make: Callable[[], Encoder], path: tuple[object, ...], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make()
    assert (caught.value.path, str(caught.value)) == (path, message)


def test_copies_are_not_told_apart(engine: str) -> None:
    assert Polyomino("5x10", "pentominoes.Y", copies=10).problem().count(engine=engine) == 10
    assert Polyomino("4x4", "dominoes", copies=(7, 9)).problem().count(engine=engine) == 36
    assert Polyomino("4x4", "dominoes", copies=(0, 7)).problem().count(engine=engine) == 0
    tray = Polyomino("??????", "dominoes", copies=2)
    assert tray.problem().count(engine=engine) == 6
    assert all(len(solution) == 2 for solution in tray.problem().solve(engine=engine))
    assert Polyomino("????", "dominoes", copies=(0, 2)).problem().count(engine=engine) == 1 + 3 + 1
    several = Polyomino("3x4", ("trominoes", "dominoes", "monominoes"), copies={"I": 0, "V": 2, "O": "any"})
    bare = Polyomino("3x4", ("trominoes", "dominoes", "monominoes"), copies="any")
    found = [Counter(placement.piece for placement in solution) for solution in bare.problem().solve(engine=engine)]
    wanted = sum(one["V"] == 2 and one["I"] == 0 and one["dominoes.I"] == 1 for one in found)
    assert several.problem().count(engine=engine) == wanted > 0


def test_options_may_be_colored() -> None:
    table = Options({"a": (1, "s:red"), "b": (2, "s:red"), "c": (2, "s:blue"), "d": ("12:30",)}, optional=("s",))
    assert list(table.problem().solve()) == [("a", "b", "d")]


def test_boards_are_ordered_along_their_short_side() -> None:
    assert Board.parse("2x3").along_short_side()[:3] == [(1, 1), (2, 1), (1, 2)]
    assert Board.parse("3x2").along_short_side()[:3] == [(1, 1), (1, 2), (2, 1)]


@pytest.mark.parametrize("name", list(find_encoders()))
def test_every_encoder_has_a_config_and_a_stable_order(name: str) -> None:
    assert any(f"problem: {name}\n" in path.read_text("utf-8") for path in find_configs().values())


@pytest.mark.parametrize("path", find_configs().values(), ids=lambda path: path.name)
def test_every_config_gives_what_it_states(path: Path) -> None:
    check_config(path)
    encoder = read_file(path).encoder
    problem = encoder.problem()
    assert problem.fingerprint() == encoder.problem().fingerprint()
    picture = encoder.draw(next(problem.solve(given=encoder.givens())))
    assert (picture is None) == isinstance(encoder, Options)
    if picture is not None:
        render(picture)
        contact_sheet([picture])


def test_the_distribution_announces_all() -> None:
    points = importlib.metadata.distribution("exactcover").entry_points.select(group="exactcover.problems")
    assert {point.name for point in points} == {name.lower() for name in problems.__all__} - {"configs"}
