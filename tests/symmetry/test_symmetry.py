"""One solution of each class: published numbers, and classes counted by brute force."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import combinations, pairwise, permutations, product
from math import factorial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import invoke
from exactcover import Colored, Encoder, Problem, ProblemError, SearchOptions, Symmetry
from exactcover.model.matrix import native
from exactcover.rules import Connected, Loop, Paths, Regions
from exactcover.symmetry.find_classes import find_automorphisms
from exactcover.symmetry.permutations import closure
from oracles import automorphisms
from problems import (
    Coloring,
    Design,
    EdgeMatching,
    Loops,
    Matching,
    Polycube,
    Polyiamond,
    Polyomino,
    Queens,
    Rectangles,
)
from ruled import Ruled, color_cells, ruled_problems, solve_by_definition
from strategies import symmetric_problems


def brute_force_classes(problem: Problem, engine: str, **givens: Any) -> set[frozenset[frozenset[object]]]:
    """Put each solution together with all that the symmetries make of it; those that are named, if they are complete."""
    found = (
        closure(problem.permutations(), len(problem.labels))
        if problem.symmetries_complete
        else dict.fromkeys(map(tuple, automorphisms(problem, **givens)))
    )
    group = list(found)
    fixed = [{problem.position(label) for label in labels} for labels in givens.values()]
    group = [one for one in group if all({one[k] for k in some} == some for some in fixed)]
    return {
        frozenset(frozenset(problem.labels[one[k]] for k in solution) for one in group)
        for solution in problem.solve(engine=engine, **givens).positions()
    }


@given(problem=st.booleans().flatmap(symmetric_problems), data=st.data())
def test_one_of_each_class(engine: str, problem: Problem, data: st.DataObject) -> None:
    labels = st.lists(st.sampled_from(problem.labels), max_size=1) if problem.labels else st.just([])
    some: dict[str, Any] = {"given": data.draw(labels), "without": data.draw(labels)}
    for chosen in ({}, some):
        classes = brute_force_classes(problem, engine, **chosen)
        search = problem.solve(options=SearchOptions(engine=engine, distinct=True), **chosen)
        found = list(search)
        assert len(found) == len(classes) == problem.count(engine=engine, distinct=True, **chosen)
        assert all(sum(frozenset(solution) in one for solution in found) == 1 for one in classes)
        if search.classes is not None:
            assert search.classes.total == problem.count(engine=engine, **chosen)
            assert search.classes.symmetric is not None and search.classes.symmetric <= len(found)


PUBLISHED: list[tuple[str, Callable[[], Problem], int, int]] = [
    *((f"queens {n}", lambda n=n: Queens(n=n).problem(), count, total) for n, count, total in [
        (1, 1, 1), (2, 0, 0), (3, 0, 0), (4, 1, 2), (5, 2, 10), (6, 1, 4), (7, 6, 40), (8, 12, 92), (9, 46, 352),
        (10, 92, 724)]),
    ("solid pentominoes 2x3x10", lambda: Polycube("2x3x10", "pentominoes").problem(), 12, 96),
]  # fmt: skip
"""Classes and solutions in all, beside those that configurations state. Queens: OEIS A002562 and A000170; tilings: Polyform Puzzler."""


@pytest.mark.parametrize(("name", "make", "classes", "total"), PUBLISHED, ids=[row[0] for row in PUBLISHED])
def test_published_numbers(name: str, make: Callable[[], Problem], classes: int, total: int) -> None:
    search = make().solve(options=SearchOptions(distinct=True))
    assert search.count() == classes
    assert search.classes is None or search.classes.total == total


@pytest.mark.parametrize(
    "make",
    [lambda: Queens(n=8).problem(), lambda: Polyomino("5x8", "tetrominoes.L", "any").problem()],
    ids=["queens 8", "L"],
)
def test_breaking_symmetry_saves_nodes(make: Callable[[], Problem]) -> None:
    pytest.importorskip("exactcover._native")
    problem = make()
    group = len(closure(problem.permutations(), len(problem.labels)))
    whole, broken = (problem.solve(engine="native", options=SearchOptions(reduce=False, distinct=distinct))
                     for distinct in (False, True))  # fmt: skip
    assert whole.count() > broken.count() > 0
    assert broken.statistics.nodes <= 3 * whole.statistics.nodes / group


@pytest.mark.parametrize(
    "encoder",
    [
        Polyomino("5x5", "one-sided tetrominoes"),
        Polyomino("4x5", "tetrominoes"),
        Polyomino("4x6", "tetrominoes", rotate=False, copies="any"),
        Polyomino("..\n..?", {"a": "##", "b": "##", "c": "#"}),
        Rectangles("3x4", {"1x2": 4, "2x2": 1}, rotate=False),
        Polyomino("4x4", "dominoes", copies="any"),
        Queens(n=7),
    ],
    ids=str,
)
def test_symmetries_of_encoders_are_automorphisms(encoder: Encoder) -> None:
    problem = encoder.problem()
    assert len(brute_force_classes(problem, "auto")) == problem.count(distinct=True)


@pytest.fixture(params=["native", "python"])
def finder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where automorphisms are found: in C++, or in Python as without a compiler."""
    if request.param == "python":
        monkeypatch.setattr("exactcover.symmetry.find_classes.native", None)
    elif native is None:
        pytest.skip("there is no native module")
    return str(request.param)


@pytest.mark.usefixtures("finder")
@given(problem=symmetric_problems(), data=st.data())
def test_automorphisms_of_random_problems(problem: Problem, data: st.DataObject) -> None:
    numbers = st.sets(st.integers(0, len(problem.labels) - 1), max_size=2) if problem.labels else st.just(set())
    chosen, excluded = data.draw(numbers), data.draw(numbers)
    found = find_automorphisms(problem.matrix, chosen, excluded)
    labels = [[problem.labels[number] for number in some] for some in (chosen, excluded)]
    assert set(closure(found.generators, len(problem.labels))) == set(map(tuple, automorphisms(problem, *labels)))


@pytest.mark.usefixtures("finder")
@pytest.mark.parametrize(
    ("make", "group"),
    [
        (lambda: Queens(n=8), 8),
        (lambda: Polyiamond("hexagon 2", "diamonds", "any"), 12),
        (lambda: Matching("petersen"), 120),
        (lambda: Matching("dodecahedron"), 120),
        (lambda: Coloring("cycle 5"), 60),  # with swaps of the three colors
        (lambda: Design(7), 5040),
    ],
)  # fmt: skip
def test_symmetries_that_nobody_named(make: Callable[[], Encoder], group: int) -> None:
    """Orders of automorphism groups, elementary or in F. Harary, Graph Theory (1969)."""
    problem = make().problem()
    found = closure(find_automorphisms(problem.matrix).generators, len(problem.labels))
    assert len(found) == group
    assert set(closure(problem.permutations(), len(problem.labels))) <= set(found)


@pytest.mark.usefixtures("finder")
@given(ruled=ruled_problems())
def test_symmetries_keep_rules_about_graphs(ruled: Ruled) -> None:
    problem, _ = ruled
    solutions = {frozenset(map(problem.position, solution)) for solution in solve_by_definition(ruled)}
    group = find_automorphisms(problem.matrix, problem.given_positions, problem.excluded_positions)
    for generator in group.generators:
        assert {frozenset(generator[option] for option in solution) for solution in solutions} == solutions
    try:
        images = closure(group.generators, len(problem.labels))
    except ProblemError:  # there are too many to list
        return
    classes = {frozenset(frozenset(image[k] for k in solution) for image in images) for solution in solutions}
    assert problem.count(distinct=True) == len(classes)


@pytest.mark.usefixtures("finder")
@pytest.mark.parametrize(
    ("rule", "order"),
    [
        (lambda on: Loop(on), 24),
        (lambda on: Paths(on, [("a", "b")]), 4),
        (lambda on: Paths(on, [("a", "b"), ("c", "d")]), 8),
        (lambda on: Paths(on, [("a", None)]), 6),
        (lambda on: Connected(list(combinations(on, 2)), on), 720),
        (lambda on: Connected(list(pairwise(on)), on), 2),
    ],
)
def test_symmetries_are_those_of_the_graphs_of_rules(rule: Callable[[Any], Any], order: int) -> None:
    edges = list(combinations("abcd", 2))
    stated = rule({edge: Colored(f"{edge}?", 1) for edge in edges})
    assert find_automorphisms(color_cells(edges, stated).matrix).order == order


@pytest.mark.usefixtures("finder")
@pytest.mark.parametrize(("sizes", "order"), [(None, 16), ((1, 3), 16), ({"x": (1, 2), "y": (2, 3)}, 8)])
def test_colors_of_regions_are_exchanged_if_their_sizes_are_equal(sizes: Any, order: int) -> None:
    ring = [*pairwise("abcd"), ("d", "a")]
    rule = Regions(ring, {cell: f"{cell}?" for cell in "abcd"}, "xy", sizes=sizes)
    assert find_automorphisms(color_cells("abcd", rule, colors="xy").matrix).order == order


def test_loops_up_to_the_symmetries_of_the_square() -> None:
    assert [Loops(f"{n}x{n}").problem().count(distinct=True) for n in (1, 2, 3)] == [1, 4, 43]
    rule = Loop({edge: Colored(f"{edge}?", 1) for edge in combinations("abc", 2)})
    stated = color_cells(rule.switches, rule, symmetries=[{}], symmetries_complete=True)
    with pytest.raises(ProblemError, match="symmetries that are stated does not know rules about graphs"):
        stated.count(distinct=True)


def test_classes_without_named_symmetries(engine: str) -> None:
    problem = Matching("cube").problem()
    assert len(brute_force_classes(problem, engine)) == problem.count(engine=engine, distinct=True) == 2
    first = problem.labels[0]
    assert len(brute_force_classes(problem, engine, given=[first])) == problem.count(distinct=True, given=[first])


def test_named_symmetries_are_a_start_unless_they_are_complete() -> None:
    options = {(item, side): [item] for item in "pq" for side in "ab"}
    swap = {"p": "q", "q": "p"}
    assert Problem(options, symmetries=[swap]).count(distinct=True) == 1
    assert Problem(options, symmetries=[swap], symmetries_complete=True).count(distinct=True) == 3
    assert Problem(options, symmetries_complete=True).count(distinct=True) == 4

    assert Problem(options, preferred=["p"]).count(distinct=True) == 1
    nothing: list[dict[Any, Any]] = [{}, {"unknown": "item", "item": "unknown"}]
    assert Problem(options, symmetries=nothing).permutations() == []
    assert Problem(options, symmetries=nothing).count(distinct=True) == 1


@pytest.mark.parametrize(
    "encoder",
    [
        EdgeMatching("1x2", ("abcb", "acab"), border=""),
        EdgeMatching("2x2", ("abca", "aacb", "cbaa", "caab"), border="a", rotate=False),
        EdgeMatching("2x2", ("aabc", "aacb", "aabc", "aacb"), border="a"),
        EdgeMatching("1x3", ("abad", "acab", "adac"), border="", rotate=False),
        EdgeMatching("2x2", ("aAbB", "AaBb", "abAB", "bABa"), border="", agree="case"),
        EdgeMatching("1x3", ("abca", "bcab", "cabc"), border=""),
        EdgeMatching("1x2", ("abcc", "bcaa", "cabb"), border=""),
    ],
    ids=str,
)
def test_all_that_keeps_the_tiles_of_an_edge_matching_puzzle_counts(encoder: EdgeMatching) -> None:
    """Every motion of the board with every permutation of the characters is tried."""
    problem, tiles = encoder.problem(), Counter(map(encoder._canonical_tile, encoder.tiles))
    solutions = [frozenset(solution) for solution in problem.solve()]
    rows, columns = map(int, encoder.board.split("x"))
    letters = sorted({edge for tile in encoder.tiles for edge in tile})
    symmetries = []
    for quarters, mirror, order in product(range(4), (False, True), permutations(letters)):
        table = dict(zip(letters, order, strict=True))
        keeps_case = all(a.islower() == b.islower() and table[a.swapcase()] == b.swapcase() for a, b in table.items()
                         ) if encoder.agree == "case" else True  # fmt: skip
        if not keeps_case or (quarters % 2 and rows != columns) or table.get(encoder.border, "") != encoder.border:
            continue
        move = partial(moved_tile, quarters=quarters, mirror=mirror, table=table, size=(rows, columns))
        if Counter(encoder._canonical_tile(move((tile, 1, 1))[0]) for tile in encoder.tiles) == tiles:
            symmetries.append(move)
    orbits = {frozenset(frozenset(map(move, solution)) for move in symmetries) for solution in solutions}
    assert problem.count(distinct=True) == len(orbits) > 0


def moved_tile(
    laid: tuple[str, int, int], *, quarters: int, mirror: bool, table: dict[str, str], size: tuple[int, int]
) -> tuple[str, int, int]:
    (edges, row, column), (height, width) = laid, size
    edges = "".join(table[edge] for edge in edges)
    if mirror:
        edges, column = edges[0] + edges[3] + edges[2] + edges[1], width + 1 - column
    for _ in range(quarters):
        edges, row, column, height, width = edges[3] + edges[:3], column, height + 1 - row, width, height
    return edges, row, column


def test_equal_pieces_may_be_swapped_and_givens_break_symmetry() -> None:
    tiling, board = Polyomino("1x5", {"a": "##", "b": "##", "c": "#"}).problem(), Queens(n=8).problem()
    assert (tiling.count(), tiling.count(distinct=True)) == (6, 2)
    assert (board.count(given=["r1c1"]), board.count(given=["r1c1"], distinct=True)) == (4, 2)


@pytest.mark.parametrize(
    ("symmetry", "message"),
    [
        ({1: 3}, "maps item '1' to '3', which is not an item of the same kind"),
        ({1: "s"}, "maps item '1' to 's', which is not an item of the same kind"),
        ({1: 2}, "maps two items to '2'"),
        ({1: 4, 4: 1}, "maps item '1' to '4', which has another multiplicity"),
        ({1: 2, 2: 1}, "maps option 'A' to something that is not an option of the same cost"),
        (Symmetry({}, {"A": "D", "D": "D"}), "a symmetry maps option"),
        (Symmetry({}, {"A": "gone", "D": "A"}), "no option is labeled"),
        (Symmetry({}, {"A": "C", "C": "A"}), "a symmetry maps option"),
    ],
)
def test_maps_that_are_no_symmetries(symmetry: dict[object, object] | Symmetry, message: str) -> None:
    options: dict[str, list[object]] = {"A": [1], "B": [2, "s"], "C": [1, 2, 4], "D": [1]}
    problem = Problem(options, secondary=["s"], multiplicity={4: (0, 1)}, symmetries=[symmetry])
    with pytest.raises(ProblemError, match=message):
        problem.count(distinct=True)
    assert problem.count() == 3


@pytest.mark.parametrize(("complete", "classes", "order"), [(True, 10, factorial(9)), (False, 1, 512 * factorial(9))])
def test_a_group_that_is_too_large_to_list(complete: bool, classes: int, order: int) -> None:
    items = list(range(9))
    swaps = [{k: k + 1, k + 1: k} for k in items[:-1]]
    options = {(k, side): [k] for k in items for side in (0, 1)}
    problem = Problem(options, symmetries=swaps, symmetries_complete=complete)
    if native is not None:
        search = problem.solve(options=SearchOptions(distinct=True))
        assert len(list(search)) == problem.count(distinct=True) == classes
        assert search.classes is not None
        assert (search.classes.total, search.classes.order) == (512, order)
    else:
        with pytest.raises(ProblemError, match="there are more than 10,000 symmetries"):
            problem.count(distinct=True)


@pytest.mark.parametrize("how", [{"seed": 3}, {"reduce": True}, {"jobs": 2}, {"heuristic": "leftmost"}], ids=str)
def test_however_it_is_searched(how: dict[str, Any]) -> None:
    options = SearchOptions(distinct=True, **how)
    problem = Queens(n=7).problem()
    classes = brute_force_classes(problem, "sets")
    found = list(problem.solve(options=options))
    assert all(sum(frozenset(solution) in one for solution in found) == 1 for one in classes)
    assert len(found) == len(classes) == 6


def test_the_command_line() -> None:
    printed = invoke("count", "queens", "n=8", "--distinct")
    assert (printed.returncode, printed.stdout) == (0, "12\n")
    said = "92 solutions in all; 8 symmetries, including mirror images; 1 distinct solution is symmetric\n"
    assert printed.stderr == said
    assert invoke("solve", "queens", "n=5", "--distinct", "--all", "-q").stdout.count("\n\n") == 1
