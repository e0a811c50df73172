"""Graphs, designs, Costas arrays, edge matching, crosswords, rosters, Samurai: against brute force and published numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest

from exactcover import Encoder, ParameterError
from exactcover.config.configuration import read_file
from exactcover.pictures import render
from exactcover.testing import check_encoder
from problems import (
    CONFIGS,
    Coloring,
    Costas,
    Crossword,
    Design,
    EdgeMatching,
    Matching,
    Options,
    Rectangles,
    Roster,
    Samurai,
    Sudoku,
)
from problems.graphs import read_graph

PUBLISHED: list[tuple[str, Callable[[], Encoder], int]] = [
    ("matchings of the icosahedron", lambda: Matching("icosahedron"), 125),
    *((f"matchings of the hypercube {n}", lambda n=n: Matching(f"hypercube {n}"), count)  # OEIS A005271
      for n, count in enumerate([1, 2, 9, 272, 589185], 1)),
    *((f"dominoes on a grid 4x{n}", lambda n=n: Matching(f"grid 4 {n}"), count)  # OEIS A005178
      for n, count in enumerate([1, 5, 11, 36, 95, 281, 781], 1)),
    ("matchings of the Heawood graph", lambda: Matching("heawood"), 24),
    *((f"matchings of K{n},{n}", lambda n=n: Matching(f"bipartite {n} {n}"), count)  # n!
      for n, count in enumerate([1, 2, 6, 24, 120, 720], 1)),
    *((f"colorings of a cycle of {n}", lambda n=n: Coloring(f"cycle {n}", 3), 2**n + 2 * (-1) ** n) for n in range(3, 9)),
    *((f"colorings of K{n} in {n} colors", lambda n=n: Coloring(f"complete {n}", n), count)
      for n, count in enumerate([1, 2, 6, 24, 120], 1)),
    *((f"colorings of K{n},{n}'s edges", lambda n=n: Coloring(f"bipartite {n} {n}", n, "edges"), count)  # Latin squares
      for n, count in enumerate([1, 2, 12, 576], 1)),
    ("1-factorizations of K6, labelled colors", lambda: Coloring("complete 6", 5, "edges"), 6 * 120),  # OEIS A000438
    ("Petersen graph is no snark's exception", lambda: Coloring("petersen", 3, "edges"), 0),
    ("Fano planes", lambda: Design(7), 30),  # OEIS A030128
    ("triples of nine points", lambda: Design(9), 840),
    ("quadruples of eight points", lambda: Design(8, 4, 3), 30),
    ("biplane of seven points", lambda: Design(7, 4, 2, 2), 30),  # complements of Fano planes
    *((f"Costas arrays {n}", lambda n=n: Costas(n), count) for n, count in enumerate([2, 4, 12, 40, 116], 2)),  # A008404
    *((f"squares in a square of {n}", lambda n=n: Rectangles(f"{n}x{n}", {f"{k}x{k}": "any" for k in range(1, n + 1)}), count)
      for n, count in enumerate([1, 2, 6, 40, 472, 10668], 1)),  # OEIS A045846
    *((f"squares in 3x{n}", lambda n=n: Rectangles(f"3x{n}", {f"{k}x{k}": "any" for k in range(1, 4)}), count)
      for n, count in enumerate([1, 3, 6, 13, 28, 60, 129], 1)),  # OEIS A002478
    ("six by six Sudoku, boxes 2x3, first row given", lambda: Sudoku(grid="123456" + "." * 30, box="2x3"), 28200960 // 720),
]  # fmt: skip


@pytest.mark.parametrize(("name", "make", "count"), PUBLISHED, ids=[row[0] for row in PUBLISHED])
def test_published_numbers(name: str, make: Callable[[], Encoder], count: int) -> None:
    encoder = make()
    assert encoder.problem().count(given=encoder.givens()) == count


def test_matchings_by_networkx(engine: str) -> None:
    for text in ("petersen", "cube", "grid 3 4", "wheel 6", "path 5"):
        graph = read_graph(text)
        edges = list(graph.edges)
        size = len(graph) // 2
        wanted = {
            frozenset(map(frozenset, some))
            for some in itertools.combinations(edges, size)
            if nx.is_perfect_matching(graph, set(some))
        }
        found = {frozenset(map(frozenset, one)) for one in Matching(text).problem().solve(engine=engine)}
        assert found == wanted


@pytest.mark.parametrize("of", ["vertices", "edges"])
def test_colorings_by_brute_force(of: str, engine: str) -> None:
    pairs = (("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"))
    encoder = Coloring(pairs, 3, of)  # type: ignore[arg-type]
    things = ["a", "b", "c", "d"] if of == "vertices" else pairs
    rivals = [(0, 1), (1, 2), (0, 2), (2, 3)] if of == "vertices" else [
        (i, j) for i, j in itertools.combinations(range(4), 2) if set(pairs[i]) & set(pairs[j])
    ]  # fmt: skip
    wanted = sum(all(c[i] != c[j] for i, j in rivals) for c in itertools.product(range(3), repeat=len(things)))
    problem = encoder.problem()
    assert problem.count(engine=engine) == wanted
    assert problem.count(engine=engine, distinct=True) <= wanted
    assert set(encoder.decode(next(problem.solve(engine=engine)))) == {
        one if isinstance(one, str) else " - ".join(sorted(one)) for one in things
    }


def test_graphs_from_files(tmp_path: Path) -> None:
    (tmp_path / "square.txt").write_text("# a square\na b\nb, c\nc d  # with a word\n\nd a\n")
    nx.write_graphml(nx.cycle_graph(4), tmp_path / "square.graphml")
    for name in ("square.txt", "square.graphml"):
        (tmp_path / "square.yaml").write_text(f"# A square\nproblem: matching\nparams: {{graph: {name}}}\n")
        assert read_file(tmp_path / "square.yaml").encoder.problem().count() == 2
        assert Matching(str(tmp_path / name)).problem().count() == 2


def laid_by_brute_force(rows: int, columns: int, tiles: list[str]) -> int:
    """Lay tile after tile in every turn."""

    def count(laid: list[str], left: list[str]) -> int:
        if len(laid) == rows * columns:
            return 1
        row, column = divmod(len(laid), columns)
        total = 0
        for tile in sorted(set(left)):
            rest = [*left]
            rest.remove(tile)
            for edges in {tile[k:] + tile[:k] for k in range(4)}:
                if (row == 0 or laid[-columns][2] == edges[0]) and (column == 0 or laid[-1][1] == edges[3]):
                    total += count([*laid, edges], rest)
        return total

    return count([], tiles)


def test_edges_agree(engine: str) -> None:
    for rows, columns, tiles in (
        (2, 3, ["aaaa", "aaab", "aabb", "abab", "abbb", "bbbb"]),
        (2, 2, ["abca", "abca", "bbca", "ccab"]),
        (1, 3, ["abcd", "dcba", "aaaa"]),
    ):
        encoder = EdgeMatching(f"{rows}x{columns}", tuple(tiles), border="")
        problem = encoder.problem()
        assert problem.count(engine=engine) == laid_by_brute_force(
            rows, columns, [min(t[k:] + t[:k] for k in range(4)) for t in tiles]
        )
        problem.permutations()
    assert EdgeMatching("2x3", "macmahon 2", "").problem().count(engine=engine) == 416
    assert EdgeMatching("1x1", ("abcd", "aaaa"), "a").problem().count(engine=engine) == 1


def test_heads_meet_tails() -> None:
    two = EdgeMatching("1x2", ("xAxx", "xxxa"), border="", agree="case", rotate=False).problem()
    assert two.count() == 1
    assert EdgeMatching("1x2", ("xAxx", "xxxA"), border="", agree="case", rotate=False).problem().count() == 0
    turned = EdgeMatching("2x2", ("ABab", "ABab", "ABab", "ABab"), border="", agree="case").problem()
    assert turned.permutations()
    with turned.solve(distinct=True) as search:
        list(search)
    assert search.classes is not None and search.classes.total == turned.count()


def test_crosswords_by_brute_force(engine: str) -> None:
    words = ["BIT", "ICE", "TEN", "BAT", "ATE", "TEA", "EAT", "ANT", "NET", "ICY"]
    wanted = {
        rows
        for rows in itertools.permutations(words, 3)
        if all("".join(column) in words for column in zip(*rows, strict=True))
    }
    distinct = {rows for rows in wanted if len({*rows, *map("".join, zip(*rows, strict=True))}) == 6}
    symmetric = {rows for rows in wanted if tuple(map("".join, zip(*rows, strict=True))) == rows}
    for encoder, expected in (
        (Crossword("3x3", tuple(words)), distinct),
        (Crossword("3x3", tuple(words), symmetric=True), symmetric),
        (Crossword(".../.../...", tuple(words), repeat=True), {
            rows for rows in itertools.product(words, repeat=3)
            if all("".join(column) in words for column in zip(*rows, strict=True))
        }),
        (Crossword("B../.../...", tuple(words), symmetric=True), {rows for rows in symmetric if rows[0][0] == "B"}),
    ):  # fmt: skip
        problem = encoder.problem()
        assert {encoder.decode(one) for one in problem.solve(engine=engine)} == expected
        problem.permutations()
    assert symmetric


def test_blocked_cells_part_words() -> None:
    encoder = Crossword(("..#", "...", "#.."), ("to", "ox", "tor", "end", "we", "woe", "or", "de"))
    for solution in encoder.problem().solve():
        rows = encoder.decode(solution)
        assert rows[0][2] == rows[2][0] == "#"
        assert len(solution) == 6


def test_the_cheapest_roster_by_brute_force() -> None:
    lines = (CONFIGS / "shifts.csv").read_text().splitlines()
    encoder = Roster(tuple(lines), needs={"Mo early": 2, "Tu early": (1, 2)}, must=("Ann",))
    rows = [line.split(",") for line in lines[1:]]
    people = sorted({row[0] for row in rows})
    costs = []
    for chosen in itertools.product(*([None, *(row for row in rows if row[0] == name)] for name in people)):
        taken = [row for row in chosen if row]
        done = [sum(bool(row[k]) for row in taken) for k in range(3, 9)]
        if (
            done[0] == 2
            and 1 <= done[2] <= 2
            and all(done[k] == 1 for k in (1, 3, 4, 5))
            and any(row[0] == "Ann" for row in taken)
        ):
            costs.append(sum(int(row[2]) for row in taken))
    problem = encoder.problem()
    assert sorted(costs) == sorted(int(problem.cost(one)) for one in problem.solve())
    assert problem.cost(next(problem.cheapest())) == min(costs)


def test_samurai_of_two_small_squares(engine: str) -> None:
    """Each of the 288 squares of side 4 has twelve others with the same box."""
    two = Samurai(box="2x2", corners=((1, 1), (3, 3)))
    assert two.problem().count(engine=engine) == 288 * 12
    assert Samurai(box="2x2", corners=((1, 1),)).problem().count(engine=engine) == 288
    apart = Samurai(box="2x2", corners=((1, 1), (1, 5)), grid="1234....\n....\n....\n....")
    assert apart.problem().count(given=apart.givens()) == 288 // 24 * 288
    rows = two.decode(next(two.problem().solve()))
    assert [len(row) for row in rows] == [4, 4, 6, 6, 6, 6]
    assert rows[4][:2] == "__"


def test_packings_of_all_numbers_of_squares_add_up(engine: str) -> None:
    """With so many squares of each side, over all such numbers, there are as many as with any: OEIS A045846."""
    sides = range(1, 5)
    numbers = itertools.product(*(range(16 // side**2 + 1) for side in sides))
    total = sum(
        Rectangles("4x4", {f"{side}x{side}": often for side, often in zip(sides, some, strict=True)})
        .problem()
        .count(engine=engine)
        for some in numbers
        if sum(often * side**2 for side, often in zip(sides, some, strict=True)) == 16
    )
    assert total == 40


def test_options_from_a_table(tmp_path: Path) -> None:
    (tmp_path / "crews.csv").write_text("crew,cost,mo,tu\nAnn,3,x,\nBob,1,,x\nCid,5,x,x\n")
    file = tmp_path / "crews.yaml"
    file.write_text("# Crews\nproblem: options\nparams: {table: crews.csv, given: [Bob]}\n")
    encoder = read_file(file).encoder
    problem = encoder.problem()
    assert list(problem.solve(given=encoder.givens())) == [("Ann", "Bob")]
    assert [problem.full().cost(one) for one in problem.full().cheapest(2)] == [4, 5]
    (tmp_path / "crews.csv").write_text("crew,mo\nAnn,x\nAnn,x\n")
    with pytest.raises(ParameterError, match="Ann"):
        Options(str(tmp_path / "crews.csv"))
    with pytest.raises(ParameterError, match="already defines this; remove it here"):
        Options("crews.csv", cost={"Ann": 3})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Matching("petersn"), "no graph is called 'petersn'; did you mean 'petersen'"),
        (lambda: Matching("complete"), "'complete' is not a valid graph; expected complete NUMBER"),
        (lambda: Matching("complete 99999"), "has more than 5,000 vertices"),
        (lambda: Matching("none.txt"), "none.txt cannot be read: No such file or directory"),
        (lambda: Matching((("a", "a"),)), "the edge a - a is a loop"),
        (lambda: Matching((("a", "b"), ("b", "a"))), "the edge b - a is listed twice"),
        (lambda: Matching(()), "the graph has no vertices; expected at least one edge"),
        (lambda: Design(5, 6), "expected 2 to 5 points, got 6"),
        (lambda: Design(99, 9), "more than 5,000,000 blocks of 9 points are possible; use fewer points"),
        (lambda: EdgeMatching(tiles="macmahon"), "'macmahon' is not a set of tiles; expected macmahon 1 to macmahon 8"),
        (
            lambda: EdgeMatching(tiles=("abc",)),
            "'abc' is not a valid tile; expected four characters, one for each edge",
        ),
        (lambda: EdgeMatching(border="ab"), "expected one character or none, got 'ab'"),
        (lambda: Crossword("3x"), "is not allowed in a grid; use . # and letters"),
        (lambda: Crossword("1x1"), "the grid has no slot for a word of two or more letters"),
        (lambda: Crossword("2x3", symmetric=True), "expected a grid that is symmetric about its main diagonal"),
        (lambda: Crossword(words=("a b",)), "'a b' is not a word; use letters only"),
        (lambda: Roster(("who,shift,cost",)), "expected a first line with who, shift, cost, and at least one task"),
        (lambda: Roster(("who,shift,cost,a", "x,y,z,1")), "row 2: 'z' is not a valid cost; expected a number"),
        (lambda: Roster(("who,shift,cost,a", "x,y,-1,1")), "row 2: a cost must be 0 or more, not -1"),
        (lambda: Roster(("who,shift,cost,a", "x,y,1,1", "x,y,1,1")), "row 3: the assignment x: y is listed twice"),
        (lambda: Roster(("who,shift,cost,a", "x,y,1")), "row 2: expected 4 cells, found 3"),
        (lambda: Roster(needs={"dya": 2}), "the table has no task 'dya'; did you mean 'day'?"),
        (lambda: Roster(must=("Zed",)), "the table has no person 'Zed'"),
        (lambda: Samurai(corners=((2, 1),)), "expected the upper left cell of a box of 3x3, got row 2, column 1"),
        (lambda: Samurai(corners=()), "there are no squares; expected at least one"),
        (lambda: Samurai("x"), "row 1, column 1: 'x' is not one of the symbols 123456789"),
        (lambda: Samurai(" " * 9 + "1"), "row 1, column 10: '1' is outside all squares"),
    ],
)
def test_parameters_that_make_no_sense(make: Callable[[], Encoder], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make()
    assert message in str(caught.value)


def test_what_cannot_be_is_proved() -> None:
    assert (
        Matching("path 5").impossible() == "the component of the graph that contains 0 has an odd number of vertices, 5"
    )
    assert Design(8).impossible() == "the number of blocks would be 28 / 3, which is not a whole number"
    assert (
        Design(6, 3, 2).impossible()
        == "the number of blocks through 1 point would be 5 / 2, which is not a whole number"
    )
    assert Design(8).problem().count() == 0
    assert EdgeMatching("2x2", ("aaaa",)).impossible() == "1 tiles cannot cover 4 cells"


CASES: dict[type[Encoder], list[dict[str, object]]] = {
    Matching: [{"graph": "cube"}, {"graph": [["a", "b"], ["b", 3], [3, "d"]]}, {"graph": "grid 2 3"}],
    Coloring: [{"graph": "cycle 5"}, {"graph": "complete 4", "of": "edges"}],
    Design: [{}, {"points": 4, "block": 3, "together": 2, "times": 2}],
    Costas: [{"n": 4}],
    EdgeMatching: [{"board": "2x2", "tiles": ["aabb", "abab", "aabb", "abba", "aaaa"], "border": ""},
                   {"board": "1x2", "tiles": ["aAbB", "AbBa"], "agree": "case", "border": ""}],
    Crossword: [{}, {"grid": ["..", ".#"], "words": ["ab", "ac"]}],
    Roster: [{}],
    Samurai: [{"box": "2x2", "corners": [[1, 1], [3, 3]], "grid": "1..\n.2."}],
}  # fmt: skip


@pytest.mark.parametrize("family", CASES)
def test_all_that_the_toolkit_asks(family: type[Encoder]) -> None:
    check_encoder(family, CASES[family])


def test_a_roster_is_drawn_as_a_plan() -> None:
    table = ("who,shift,cost,Mo early,Mo late,Tu early", "Ann,all,5,x,,x", "Bob,double,2.50,x,x,", "Cid,off,1,,,x")
    plan = Roster(table)
    chosen = [label for label in plan.problem().labels if label.who != "Cid"]
    assert render(plan.draw(chosen)).split("\n") == [
        "┌─────────────────────────────────────────────────────────────┐",
        "│                  Mo          Tu        shift        cost    │",
        "│            ┌────────────────────────────────────────────────┤",
        "│    Ann     │   early       early        all          5      │",
        "│    Bob     │ early late                double       2.50    │",
        "│    Cid     │                                                │",
        "└────────────┴────────────────────────────────────────────────┘",
        "2 people for 3 tasks, total cost 7.50",
    ]
    days = Roster(("who,shift,cost,Mo,Tu", "Ann,early,5,x,x", "Bob,late,0,,x"))
    lines = render(days.draw(list(days.problem().labels)[:1])).split("\n")
    assert lines[3].replace("│", "").split() == ["Ann", "early", "early", "5"]
    assert lines[-1] == "1 person for 2 tasks, total cost 5"
