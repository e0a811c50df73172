"""What holds for each bundled family: it conforms, its numbers are the published ones, and it refuses parameters."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from exactcover import Encoder, ParameterError
from exactcover.testing import check_encoder
from problems import (
    Coloring,
    Costas,
    Crossword,
    Design,
    Districts,
    EdgeMatching,
    Langford,
    Latin,
    Loops,
    Masyu,
    Matching,
    Numberlink,
    Options,
    Polycube,
    Polyhex,
    Polyiamond,
    Polyomino,
    Polysphere,
    Polystick,
    Queens,
    Rectangles,
    Roster,
    Samurai,
    Slitherlink,
    Staffing,
    Sudoku,
)

POLYFORM = {"rejected": [{"board": "x"}, {"pieces": "none"}]}
CASES: list[tuple[type[Encoder], list[dict[str, Any]], dict[str, Any]]] = [
    (Crossword, [{}, {"grid": ["..", ".#"], "words": ["ab", "ac"]}], {}),
    (Design, [{}, {"points": 4, "block": 3, "together": 2, "times": 2}], {}),
    (Costas, [{"n": 4}], {}),
    (Districts, [{"board": "2x3", "districts": 2}, {"board": ["..", ".#"], "districts": 2, "sizes": [1, 2]}], {"counts": [15, 2]}),
    (EdgeMatching, [{"board": "2x2", "tiles": ["aabb", "abab", "aabb", "abba", "aaaa"], "border": ""}, {"board": "1x2", "tiles": ["aAbB", "AbBa"], "agree": "case", "border": ""}], {}),
    (Matching, [{"graph": [["a", "b"], ["b", 3], [3, "d"]]}, {"graph": "grid 2 3"}], {}),
    (Coloring, [{"graph": "cycle 5"}, {"graph": "complete 4", "of": "edges"}], {}),
    (Langford, [{"n": 3}, {"n": 4, "kind": "Nickerson"}], {"counts": [2, 6], "rejected": [{"kind": "other"}]}),
    (Latin, [{"n": 3}, {"n": 4, "mate": "1234 2143 3412 4321"}, {"n": 3, "grid": "1.. ... ..."}], {"counts": [12, 48, 4], "rejected": [{"n": 0}, {"n": 36}]}),
    (Loops, [{"board": "2x2"}, {"graph": "cube", "visit": "all"}, {"graph": "cube", "of": "paths", "ends": [0, 1]}], {"counts": [13, 6, 15]}),
    (Slitherlink, [{"clues": "2x2"}, {"clues": "3.../..../...2"}], {"counts": [13, 90]}),
    (Masyu, [{"pearls": "3x3"}, {"pearls": ["....", ".W..", "....", "...."]}], {"counts": [13, 56]}),
    (Numberlink, [{}, {"board": "A.B/.../A.B", "fill": False}, {"board": "1..3/..../2..4", "kind": "zip"}], {"rejected": [{"kind": "other"}, {"board": "A"}]}),
    (Roster, [{}], {}),
    (Samurai, [{"box": "2x2", "corners": [[1, 1], [3, 3]], "grid": "1..\n.2."}], {}),
    (Polyomino, [{"board": "3x4", "pieces": "trominoes", "copies": 2},
                 {"board": ["..", ".?"], "pieces": ["trominoes.V"]}], POLYFORM),
    (Polycube, [{"board": "2x2x2", "pieces": "dicubes", "copies": 4},
                {"board": ["2x2", "..\n.?"], "pieces": ["tetracubes.A", "tricubes.V"]}], POLYFORM),
    (Polyhex, [{"board": "hexagon 2", "pieces": {"Y": "tetrahexes.Y", "A": ".#/#.#"}}], POLYFORM),
    (Polyiamond, [{"board": "triangle 3", "pieces": "triamonds", "copies": "any", "holes": [[1, 3]]}], POLYFORM),
    (Polystick, [{"board": "3x3", "pieces": "disticks.V", "copies": "any"},
                 {"board": "3x2", "pieces": "tristicks"}], POLYFORM),
    (Polysphere, [{"board": "pyramid 2", "pieces": "dominoes", "copies": [0, 2]},
                  {"board": ["2x2", "."], "pieces": {"A": "#/#//#"}, "copies": 1}], POLYFORM),
    (Staffing, [
        {}, {"days": 7, "run": 3, "fair": {"late": 2, "total": 1}}, {"patterns": ["early early - late late - -"]},
        {"people": ["who,hours,total hours", "Ann,30-38.5,", "Bob,,60", "Cid,,"], "days": 8, "fair": {"hours": 2}},
        {"start": "2026-12-01", "run": [2, 4], "days_off": 2, "requests": ["who,1", "Ann,late"]},
    ], {}),
]  # fmt: skip


@pytest.mark.parametrize(("family", "cases", "more"), CASES, ids=[case[0].__name__ for case in CASES])
def test_the_conformance_kit_passes(family: type[Encoder], cases: list[dict[str, Any]], more: dict[str, Any]) -> None:
    check_encoder(family, cases, **more)


SMALL_KILLER = Sudoku(
    box="2x3",
    cages="AAB... .AB..C DDB..C .D...C ...... ......",
    sums={"A": 11, "B": 8, "C": 11, "D": 11},
    thermometers=("r4c4 r3c4 r2c4", "r5c1 r6c2 r5c3", "r6c6 r5c6"),
)
PUBLISHED: list[tuple[Encoder, int]] = [
    (Design(9), 840),  # OEIS A030128
    (Design(8, 4, 3), 30),
    (Design(7, 4, 2, 2), 30),  # complements of Fano planes
    *((Costas(n), count) for n, count in enumerate([2, 4, 12, 40], 2)),  # A008404
    *((Langford(n), 2 * pairs) for n, pairs in {4: 1, 7: 26}.items()),  # A014552
    *((Langford(n, "Nickerson"), count) for n, count in enumerate([1, 0, 0, 6, 10, 0, 0, 504], 1)),  # A004075
    *((Districts(f"{n}x{n}", n, n), count) for n, count in ((2, 2), (3, 10), (5, 4006), (6, 451206))),
    *((Districts("4x4", 4, sizes), count)
      for sizes, count in {"3-5": 1953, "2-6": 8849, "1-7": 29069, "any": 62741}.items()),
    (Districts("5x5", 5, "4-6"), 193128),
    (Districts("6x6", 2, 18), 80518),
    *((Loops(f"{side}x{side}"), count)  # A140517
      for side, count in {1: 1, 2: 13, 4: 9349, 5: 1222363, 6: 487150371}.items()),
    *((Loops(f"{side}x{side}", visit="all"), count)  # A003763; none for odd numbers of points
      for side, count in {1: 1, 3: 6, 5: 1072, 7: 4638576, 4: 0}.items()),
    (Loops(graph="petersen", visit="all"), 0),
    (Matching("icosahedron"), 125),
    *((Matching(f"hypercube {n}"), count) for n, count in ((1, 1), (2, 2), (3, 9), (5, 589185))),  # A005271
    *((Matching(f"grid 4 {n}"), count) for n, count in enumerate([1, 5, 11, 36, 95, 281, 781], 1)),  # A005178
    (Matching("heawood"), 24),
    *((Matching(f"bipartite {n} {n}"), math.factorial(n)) for n in range(1, 7)),
    *((Coloring(f"cycle {n}", 3), 2**n + 2 * (-1) ** n) for n in range(3, 9)),
    *((Coloring(f"complete {n}", n), math.factorial(n)) for n in range(1, 6)),
    *((Coloring(f"bipartite {n} {n}", n, "edges"), count)  # Latin squares
      for n, count in enumerate([1, 2, 12, 576], 1)),
    (Coloring("complete 6", 5, "edges"), 6 * 120),  # A000438: 1-factorizations of K6, with labelled colors
    (Coloring("petersen", 3, "edges"), 0),  # a snark
    *((Rectangles(f"{n}x{n}", {f"{k}x{k}": "any" for k in range(1, n + 1)}), count)
      for n, count in enumerate([1, 2, 6, 40, 472, 10668], 1)),  # A045846
    *((Rectangles(f"3x{n}", {f"{k}x{k}": "any" for k in range(1, 4)}), count)
      for n, count in enumerate([1, 3, 6, 13, 28, 60, 129], 1)),  # A002478
    (Sudoku(grid="123456" + "." * 30, box="2x3"), 28200960 // 720),
    (SMALL_KILLER, 396),  # as CP-SAT counts
    (Polyiamond("hexagon 1", "diamonds", "any"), 2),  # plane partitions in a box: A008793
    (Polyiamond("hexagon 2", "diamonds", "any"), 20),
    (Polyiamond("hexagon 4", "diamonds", "any"), 232848),
    (Polyomino("4x4", "dominoes", "any", joined="both"), 272),  # A335586
    (Polyomino("diamond 3", "dominoes", "any"), 64),  # Aztec diamond: Elkies et al.
    *((Polyomino(board, "trominoes.V", "any"), count)  # A351322
      for board, count in {"4x6": 18, "5x6": 72, "6x9": 4312}.items()),
    (Polyomino("4x8", ("tetrominoes.T", "tetrominoes.S"), "any"), 44),  # A233139
    (Polyomino("4x8", ("tetrominoes.L", "tetrominoes.T"), "any"), 386),  # A233191
    (Polyomino("4x8", ("tetrominoes.L", "tetrominoes.O"), "any"), 1063),  # A226322
    (Polyomino("4x3", "trominoes", "any"), 23),  # A233339
    (Polyomino("4x6", "trominoes", "any"), 939),
    (Polyomino("3x3", ("monominoes", "dominoes", "trominoes")), 48),  # Polyform Puzzler: 6 of 8
    (Polyiamond("3x12"), 0),  # Polyform Puzzler
    (Polyhex("triangle 7"), 0),
    (Polyomino("4x5", "tetrominoes"), 0),  # by coloring
]  # fmt: skip


@pytest.mark.parametrize(("encoder", "count"), PUBLISHED, ids=str)
def test_published_numbers(encoder: Encoder, count: int) -> None:
    """Those of bundled files are tested with these."""
    assert encoder.count() == count


@pytest.mark.parametrize(("encoder", "reason"), [
    (Design(8), "the number of blocks would be 28 / 3, which is not a whole number"),
    (Design(6, 3, 2), "the number of blocks through 1 point would be 5 / 2, which is not a whole number"),
    (Districts("2x3", 4, 2), "4 districts of 2 cells cannot have 6 cells together"),
    (Districts("1x2", 3), "3 districts of 1 cell cannot have 2 cells together"),
    (Districts("3x3", 2, "1-4"), "2 districts of 1 to 4 cells cannot have 9 cells together"),
    (EdgeMatching("2x2", ("aaaa",)), "1 tile cannot cover 4 cells"),
    (Matching("path 5"), "the component of the graph that contains 0 has an odd number of vertices, 5"),
    (Masyu("1x5"), "a loop needs two rows and two columns"),
    (Numberlink("A#A", fill=False), "no path can leave r1c1"),
    (Numberlink("132", kind="zip"), "no path can leave r1c1"),
    (Numberlink("2x3"), "the board has no symbols to join; `generate --new-layouts` makes some"),
    (Numberlink("2x3", "zip", fill=False), "the board has no symbols to join; `generate --new-layouts` makes some"),
    (Options({"a": ("x*3",)}, multiplicities={"x": (5, 9)}),
     "item 'x' must be covered 5 times, but all options cover it 3 times"),
    (Polyomino("6x9"), "the pieces cover 60 cells, but the board has 54 cells to cover"),
    (Polyomino("3x3", "dominoes", copies="any"),
     "the part of the board at r1c1 has 9 cells to cover, and no sum of piece sizes equals that (piece sizes: 2)"),
    (Polyomino("...#...\n.######", "dominoes", copies="any"),
     "the part of the board at r1c5 has 3 cells to cover, and no sum of piece sizes equals that (piece sizes: 2)"),
    (Rectangles("2x3", {"1x2": 1}), "the pieces cover 2 cells, but the board has 6 cells to cover"),
], ids=str)  # fmt: skip
def test_what_cannot_be_is_proved_without_a_search(encoder: Encoder, reason: str, installed_engine: str) -> None:
    search = encoder.solve(engine=installed_engine)
    assert (list(search), search.reason) == ([], reason)


@pytest.mark.parametrize(("make", "path", "message"), [
    (lambda: Crossword("3x"), None, "is not allowed in a grid; use . # and letters"),
    (lambda: Crossword("aß"), ("grid", 1), "'ß' is not allowed in a grid; use . # and letters"),
    (lambda: Crossword(("..", ".ŉ")), ("grid", 1, 1), "'ŉ' is not allowed in a grid; use . # and letters"),
    (lambda: Crossword("1x1"), None, "the grid has no slot for a word of two or more letters"),
    (lambda: Crossword("2x3", symmetric=True), None, "expected a grid that is symmetric about its main diagonal"),
    (lambda: Crossword(words=("a b",)), None, "'a b' is not a word; use letters only"),
    (lambda: Design(5, 6), None, "expected 2 to 5 points, got 6"),
    (lambda: Design(99, 9), None, "more than 5,000,000 blocks of 9 points are possible; use fewer points"),
    (lambda: Districts("2x2", 0), ("districts",), "expected at least 1, got 0"),
    (lambda: Districts("2x2", 2, "few"), ("sizes",), "a range such as 2-3, or any; got 'few'"),
    (lambda: Districts("2x2", 2, (3, 2)), ("sizes",), "expected [low, high] with 0 <= low <= high, got [3, 2]"),
    (lambda: Districts("2x2", 2, 0), ("sizes",), "expected sizes of at least 1"),
    (lambda: Districts("A.B/..C", 2), ("districts",), "3 letters for 2 districts"),
    (lambda: Districts("##"), ("board",), "the board has no cells"),
    (lambda: Districts("..\n.+"), ("board", 4), "row 2, column 2: '+' is not a cell; use . for a cell"),
    (lambda: EdgeMatching(tiles="macmahon"), None, "'macmahon' is not a set of tiles; expected macmahon 1 to macmahon 8"),
    (lambda: EdgeMatching(tiles=("abc",)), None, "'abc' is not a valid tile; expected four characters, one for each edge"),
    (lambda: EdgeMatching(border="ab"), None, "expected one character or none, got 'ab'"),
    (lambda: Matching("petersn"), None, "there is no graph called 'petersn'; did you mean 'petersen'"),
    (lambda: Matching("complete"), None, "'complete' is not a valid graph; expected complete NUMBER"),
    (lambda: Matching("complete 99999"), None, "has more than 5,000 vertices"),
    (lambda: Matching("none.txt"), None, "none.txt cannot be read: No such file or directory"),
    (lambda: Matching((("a", "a"),)), None, "the edge a - a is a loop"),
    (lambda: Matching((("a", "b"), ("b", "a"))), None, "the edge b - a is listed twice"),
    (lambda: Matching(()), None, "the graph has no vertices; expected at least one edge"),
    (lambda: Latin(n=2, grid=("12", "2x")), ("grid", 1), "row 2, column 2: expected one of 12., got 'x'"),
    (lambda: Loops(board="3x3", graph="cube"), ("graph",), "expected a board or a graph, not both"),
    (lambda: Loops(board="3"), ("board",), "expected ROWSxCOLUMNS"),
    (lambda: Loops(ends=("r1c1", "r2c2")), ("ends",), "cycles have no ends; state of: paths"),
    (lambda: Loops(of="paths", ends=("r1c1", "r9c9")), ("ends", 1), "'r9c9' is not a point from r1c1 to r4c4"),
    (lambda: Loops(graph="cube", of="paths", ends=(0, 9)), ("ends", 1), "'9' is not a vertex with an edge"),
    (lambda: Loops(of="paths", ends=("r1c1", "r1c1")), ("ends", 1), "the ends must differ; both are 'r1c1'"),
    (lambda: Loops(graph="nonsense"), ("graph",), "there is no graph called 'nonsense'"),
    (lambda: Options({"a": (1,)}, multiplicities={"2": 3}), ("multiplicities",), "multiplicity names '2', which is not an item; expected a primary item"),
    (lambda: Options({"a": (1,)}, cost={"b": 3}), ("cost",), "costs name 'b', which is not an option"),
    (lambda: Options({"a": (1,)}, given=("b",)), ("given", 0), "no option is labeled 'b'"),
    (lambda: Polyomino(copies=(2, 1)), ("copies",), "expected [low, high] with 0 <= low <= high, got [2, 1]"),
    (lambda: Polyomino(copies={"XX": 2}), ("copies", "XX"), "there is no piece 'XX'; did you mean 'X'?"),
    (lambda: Polyomino(copies={"X": (3, 2)}), ("copies", "X"), "expected [low, high] with 0 <= low <= high, got [3, 2]"),
    (lambda: Polyomino(pieces={}), ("pieces",), "there are no pieces; expected a set, pieces of sets, or drawings"),
    (lambda: Polyomino("..\n.x"), ("board", 4), "row 2, column 2: 'x' is not allowed in a drawing; use . ? #, and space or _"),
    (lambda: Polyomino(("...", "..x")), ("board", 1, 2), "row 2, column 3: 'x' is not allowed in a drawing; use . ? #, and space or _"),
    (lambda: Polycube(("2x2", "..\n.x")), ("board", 1, 4), "layer 2, row 2, column 2: 'x' is not allowed in a drawing; use . ? #, and space or _"),
    (lambda: Polyomino("0x5"), ("board",), "the size 0x5 is out of range; each side must be from 1 to 10,000"),
    (lambda: Polyomino("###"), ("board",), "the board has no cell to cover"),
    (lambda: Polyomino("6x10", holes=((7, 1),)), ("holes", 0), "row 7, column 1 is not a cell of the board"),
    (lambda: Polyomino(pieces="tetrominoes.Q"), ("pieces", 0), "the set tetrominoes has no piece 'Q' (its pieces are I, L, O, S, T)"),
    (lambda: Polyomino(placed=("Q r1c1",)), ("placed", 0), "there is no piece 'Q'"),
    (lambda: Polyomino(placed=("I r1c1 r2c2",)), ("placed", 0), "piece I cannot be placed on r1c1 r2c2"),
    (lambda: Polyomino(placed=("I here",)), ("placed", 0), "'I here' is not a valid placement; expected I r1c1 r1c2 ..."),
    (lambda: Queens(n=4, placed=((1, 1), (5, 1))), ("placed", 1), "row 5, column 1 is not on the 4 x 4 board"),
    (lambda: Queens(n=4, blocked=((0, 1),)), ("blocked", 0), "row 0, column 1 is not on the 4 x 4 board"),
    (lambda: Queens(n=4, placed=((2, 1),), blocked=((2, 1),)), ("placed", 0), "row 2, column 1 is blocked"),
    (lambda: Rectangles("2x3", {"1x2": 7}), ("pieces", "1x2"), "7 pieces are too many for a board of 6 cells"),
    (lambda: Rectangles("2x3", {"1x2": 1, "2x1": 1}), ("pieces", "2x1"), "the rectangle 2x1 is listed twice"),
    (lambda: Roster(("who,shift,cost",)), None, "expected a first line with who, shift, cost, and at least one task"),
    (lambda: Roster(("who,shift,cost,a", "x,y,z,1")), None, "row 2, column 3: the cost 'z' is not a number of at least 0"),
    (lambda: Roster(("who,shift,cost,a", "x,y,-1,1")), None, "row 2, column 3: the cost '-1' is not a number of at least 0"),
    (lambda: Roster(("who,shift,cost,a", "x,y,1,1", "x,y,1,1")), None, "row 3: the assignment x: y is listed twice"),
    (lambda: Roster(("who,shift,cost,a", "x,y,1")), None, "row 2: expected 4 cells, got 3"),
    (lambda: Roster(("who,shift,cost,a", "x,y,1e400000,1")), None, "row 2, column 3: the cost '1e400000' has more than"),
    (lambda: Roster(("who,shift,cost,a", f"x,y,{'9' * 200_000},1")), None, "table:2: invalid CSV: field larger than"),
    (lambda: Roster(("who,shift,cost,a,b,a",)), None, "row 1, column 6: two columns have the name 'a'"),
    (lambda: Roster(needs={"dya": 2}), None, "the table has no task 'dya'; did you mean 'day'?"),
    (lambda: Roster(must=("Ann", "Ann")), ("must", 1), "'Ann' is listed twice"),
    (lambda: Roster(must=("Zed",)), None, "the table has no person 'Zed'"),
    (lambda: Sudoku(box="1x2", symbols="a "), ("symbols",), "white space cannot be used as a symbol"),
    (lambda: Sudoku(grid="123"), ("grid", 0), "'123' is not a row of a Sudoku"),
    (lambda: Sudoku(box="2x2", grid="5" * 16), ("grid", 0), "row 1, column 1: '5' is not one of the symbols 1234; use 0 or . for a blank"),
    (lambda: Sudoku(box="2x2", grid=("." * 4, "...5", "." * 4, "." * 4)), ("grid", 1, 3), "row 2, column 4: '5' is not one of the symbols 1234; use 0 or . for a blank"),
    (lambda: Sudoku(symbols="ABCDEFGHI", grid="." * 22 + "z" + "." * 58), ("grid", 22), "row 3, column 5: 'z' is not one of the symbols ABCDEFGHI; use 0 or . for a blank"),
    (lambda: Samurai(box="2x2", grid=("", "5")), ("grid", 1, 0), "row 2, column 1: '5' is not one of the symbols 1234"),
    (lambda: Sudoku(grid=("." * 12,) * 12), ("grid", 0, 0), "a grid of 12 rows of 12 cells has no square boxes; set box, such as 3x4"),
    (lambda: Sudoku(grid=("." * 7,) * 7), ("grid", 0, 0), "a grid of 7 rows of 7 cells has no square boxes; set regions"),
    (lambda: Sudoku(grid=("12",)), ("grid", 0, 0), "'12' is not a row of a Sudoku"),
    (lambda: Sudoku(grid=((10,) * 9,) * 9), ("grid", 0, 0), "row 1, column 1: expected 1 to 9, or 0 for a blank, got 10"),
    (lambda: Sudoku(box="3"), ("box",), "'3' is not a valid size; expected ROWSxCOLUMNS, like 6x10"),
    (lambda: Sudoku(symbols="11"), ("symbols",), "expected 9 different symbols for boxes of 3x3"),
    (lambda: Polyhex("5"), ("board",), "'5' is not a valid size; expected ROWSxCOLUMNS, like 6x10"),
    (lambda: Polycube("3x3"), ("board",), "'3x3' is not a valid size; expected LAYERSxROWSxCOLUMNS, like 3x3x3"),
    (lambda: Polyhex("hexagn 3"), ("board",), "there is no shape 'hexagn'; did you mean 'hexagon'? (a board is ROWSxCOLUMNS, a drawing, or one of these shapes with a size: triangle, hexagon)"),
    (lambda: Polyhex("hexagon"), ("board",), "'hexagon' is not a valid board; expected hexagon and a number, like hexagon 5"),
    (lambda: Polystick("triangle 3"), ("board",), "there is no shape 'triangle' (a board is ROWSxCOLUMNS or a drawing)"),
    (lambda: Polyhex("..\n."), ("board",), "row 1, column 2 cannot hold a hexagon; check the spacing of the drawing"),
    (lambda: Polystick("+-+\n|x|"), ("board", 5), "row 2, column 2: 'x' is not allowed in a drawing; use - | for sticks, + for corners, ? #, and space or _"),
    (lambda: Polyomino("...\n...", joined="rows"), ("joined",), "only a board given by its size can have joined edges"),
    (lambda: Polyhex("triangle 3", joined="rows"), ("joined",), "only a board given by its size can have joined edges"),
    (lambda: Polycube(holes=((2, 2),)), ("holes", 0), "expected [layer, row, column], got [2, 2]"),
    (lambda: Polycube(holes=((1, 2, 4),)), ("holes", 0), "layer 1, row 2, column 4 is not a cell of the board"),
    (lambda: Polycube(pieces="pentacube"), ("pieces", 0),
     "there is no set 'pentacube'; did you mean 'pentacubes'? (the sets are monocubes, dicubes, tricubes, tetracubes, "
     "pentacubes, soma, monominoes, dominoes, trominoes, tetrominoes, pentominoes, hexominoes, heptominoes)"),
    (lambda: Polyhex(pieces={"A": "##"}), ("pieces", "A"), "piece A: its hexagons do not line up; check the spacing of the drawing"),
    (lambda: Polystick(pieces={"A": "+ -"}), ("pieces", "A"), "piece A: its sticks do not line up; check the spacing of the drawing"),
    (lambda: Polyomino(takes={"X": "r9c9"}), ("takes", "X"), "'r9c9' is not a cell of the board; expected names like r6c10"),
    (lambda: Polyomino(avoids={"X": ""}), ("avoids", "X"), "'' is not a cell of the board; expected names like r6c10"),
    (lambda: Polyomino(takes={"X": "r2c2", "Y": "r2c2"}), ("takes", "Y"), "r2c2 is reserved for both X and Y"),
    (lambda: Polyomino(takes={"Q": "r2c2"}), ("takes", "Q"), "there is no piece 'Q'"),
    (lambda: Polyiamond("9999x9999"), ("board",), "the board 9999x9999 is too large; a board has at most 25,000,000 cells"),
    (lambda: Polycube("pyramid 999"), ("board",), "the board pyramid 999 is too large; a board has at most 25,000,000 cells"),
    (lambda: Polyomino(board=()), ("board",), "the board has no cell to cover"),
    (lambda: Polysphere(pieces=("tetraspheres.X",)), ("pieces", 0), "the set tetraspheres has no piece 'X' (its pieces are 1 to 25)"),
    (lambda: Sudoku(box="2x2", cages="AA.. .... .... ....", sums={"A": 3, "B": 4}), ("sums", "B"), "the drawing of cages has no cage 'B'"),
    (lambda: Sudoku(box="2x2", cages="AA.. .... .... ....", sums={"A": 8}), ("sums", "A"), "cage A: 2 different symbols cannot have the sum 8; expected 3 to 7"),
    (lambda: Sudoku(box="2x2", cages="AAAA A... .... ....", sums={"A": 8}), ("sums", "A"), "cage A has 5 cells, but there are 4 symbols"),
    (lambda: Sudoku(box="2x2", cages="AA", sums={"A": 8}), ("cages",), "expected 4 rows, got 1"),
    (lambda: Sudoku(box="2x2", thermometers=("r1c1 r1c5",)), ("thermometers", 0), "r1c5 is not on the board; expected r1c1 to r4c4"),
    (lambda: Sudoku(box="2x2", thermometers=("r1c1",)), ("thermometers", 0), "expected at least 2 cells, got 1"),
    (lambda: Sudoku(box="2x2", thermometers=("r1c1 r1c3",)), ("thermometers", 0), "r1c1 and r1c3 do not touch"),
    (lambda: Sudoku(box="2x2", thermometers=("r1c1 r1c2 r1c1",)), ("thermometers", 0), "r1c1 occurs twice"),
    (lambda: Sudoku(box="6x6", cages=("A" * 18 + "." * 18, *["." * 36] * 35), sums={"A": 333}), None, "more than 20,000 combinations of symbols have the sum of cage A"),
    (lambda: Samurai(corners=((2, 1),)), None, "expected the upper left cell of a box of 3x3, got row 2, column 1"),
    (lambda: Samurai(corners=()), None, "there are no squares; expected at least one"),
    (lambda: Samurai("x", box="4x4", corners=((1, 1),)), None, "row 1, column 1: 'x' is not one of the symbols"),
    (lambda: Samurai(" " * 9 + "1"), None, "row 1, column 10: '1' is outside all squares"),
    (lambda: Sudoku(regions="AAAA BBBB CCCC").problem(), None, "row 1: expected 3 cells, got 4"),
    (lambda: Sudoku(regions="AAA BBC CCC").problem(), None, "expected 3 regions of 3 cells; region B has 2 cells"),
    (lambda: Sudoku(regions="AAA AAA AAA").problem(), None, "expected 3 regions of 3 cells; region A has 9 cells"),
    (lambda: Sudoku(box="2x2", extra=("AAAA A... .... ....",)).problem(), None, "region A has more than 4 cells"),
    (lambda: Sudoku(regions="ABC ABC ABC", grid="12").problem(), None, "expected 9 cells, got 2; a 3x3 puzzle"),
    (lambda: Numberlink("AB./..A"), ("board", 1), "row 1, column 2: B stands once; expected twice"),
    (lambda: Numberlink("AA./..A"), ("board", 6), "row 2, column 3: A stands 3 times; expected twice"),
    (lambda: Numberlink("1.3", kind="zip"), ("board", 2), "row 1, column 3: got 3, but no 2; numbers count from 1"),
    (lambda: Numberlink("1.1", kind="zip"), ("board", 2), "row 1, column 3: 1 stands 2 times; expected once"),
    (lambda: Numberlink("1..", kind="zip"), ("board",), "expected two numbers at least"),
    (lambda: Numberlink("A+A"), ("board", 1), "row 1, column 2: '+' is not a letter, a number, # or . for a blank"),
    (lambda: Slitherlink("3.2\n.5."), ("clues", 5), "row 2, column 2: '5' is not a number from 0 to 4, or . for"),
    (lambda: Slitherlink("3.2\n.0"), ("clues", 4), "row 2: expected 3 cells, as in row 1, got 2"),
    (lambda: Slitherlink(("3.2", ".x.")), ("clues", 1, 1), "row 2, column 2: 'x' is not a number"),
    (lambda: Slitherlink(((3, 1), (2, 7))), ("clues", 1, 1), "row 2, column 2: '7' is not a number"),
    (lambda: Slitherlink(" \n"), ("clues",), "there are no rows; expected rows of a number"),
    (lambda: Slitherlink("2 2\n2 2\n2 2"), ("clues", 0), "this may be the size of the board or a row of it"),
    (lambda: Slitherlink("3 4\n2 2 . .\n. . . ."), ("clues", 0), "the first line states 3 rows of 4 cells; got 2 of 4"),
    (lambda: Slitherlink("9999x9999"), ("clues",), "the board 9999x9999 is too large"),
    (lambda: Slitherlink("0x5"), ("clues",), "the size 0x5 is out of range"),
    (lambda: Masyu("W.\n.X"), ("pearls", 4), "row 2, column 2: 'X' is not a pearl, W or B, or . for a blank"),
    (lambda: Latin(n=3, grid="12 21"), None, "expected 3 rows, got 2"),
    (lambda: Latin(n=3, grid="123 12 123"), None, "row 2: expected 3 cells, got 2"),
    (lambda: Latin(n=3, grid="124 ... ..."), None, "expected one of 123., got '4'"),
    (lambda: Latin(n=3, mate="123 123 231"), None, "column 1, 112, does not hold every symbol exactly once"),
    (lambda: Slitherlink("3.. ... 2.1"), ("clues", 0), "this may be one row or several"),
    (lambda: Masyu(".,.,B;.,B,W"), ("pearls", 0), "this may be one row or several"),
    (lambda: Slitherlink("00,32"), ("clues", 0), "row 1, column 1: '00' is not a number from 0 to 4"),
    (lambda: Slitherlink("2 2\n3 1\n2 7"), ("clues", 10), "row 2, column 2: '7' is not a number"),
])  # fmt: skip
def test_parameters_are_refused(make: Callable[[], Encoder], path: tuple[object, ...] | None, message: str) -> None:
    """Each with the place of what is refused, where the constructor knows it."""
    with pytest.raises(ParameterError) as caught:
        make()
    assert message in caught.value.message
    assert path is None or caught.value.path == path
