"""Tilings on all lattices: sets of pieces, boards, joined ends, wishes."""

import itertools
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover import Encoder, ParameterError, SearchOptions
from exactcover.config.configuration import read_file
from exactcover.errors import FormatWarning
from oracles import brute_force
from problems import Polycube, Polyhex, Polyiamond, Polyomino, Polysphere, Polystick
from problems.boards import Board, drawing_of
from problems.lattices import CUBES, HEXAGONS, SPHERES, SQUARES, STICKS, TRIANGLES, Lattice
from problems.pieces import named_pieces, orientations


@pytest.mark.parametrize(("lattice", "sets", "free", "fixed"), [
    (SQUARES, "monominoes dominoes trominoes tetrominoes pentominoes hexominoes heptominoes",
     [1, 1, 2, 5, 12, 35, 108], [1, 2, 6, 19, 63, 216, 760]),  # OEIS A000105, A001168
    (CUBES, "monocubes dicubes tricubes tetracubes pentacubes", [1, 1, 2, 8, 29], [1, 3, 15, 86, 534]),  # A000162, A001931
    (HEXAGONS, "monohexes dihexes trihexes tetrahexes pentahexes", [1, 1, 3, 7, 22], [1, 3, 11, 44, 186]),  # A000228, A001207
    (TRIANGLES, "moniamonds diamonds triamonds tetriamonds pentiamonds hexiamonds heptiamonds",
     [1, 1, 1, 3, 4, 12, 24], [2, 3, 6, 14, 36, 94, 250]),  # A000577, A001420
    (STICKS, "monosticks disticks tristicks tetrasticks", [1, 2, 5, 16], [2, 6, 22, 88]),  # A019988, A096267
    (SPHERES, "monospheres dispheres trispheres", [1, 1, 4], [1, 6, 50]),
])  # fmt: skip
def test_sets_are_complete(lattice: Lattice, sets: str, free: list[int], fixed: list[int]) -> None:
    pieces = [named_pieces(name, lattice) for name in sets.split()]
    assert [len(some) for some in pieces] == free
    ways = [[orientations(shape, lattice, reflect=not lattice.layered) for shape, _ in own.values()] for own in pieces]
    assert [sum(map(len, own)) for own in ways] == fixed


@pytest.mark.parametrize(("lattice", "sets", "counts"), [
    (SQUARES, "trominoes tetrominoes pentominoes hexominoes", [2, 7, 18, 60]),  # OEIS A000988
    (HEXAGONS, "trihexes tetrahexes pentahexes", [3, 10, 33]),  # A006535
    (TRIANGLES, "tetriamonds pentiamonds hexiamonds heptiamonds", [4, 6, 19, 43]),  # A006534
    (STICKS, "disticks tristicks tetrasticks", [2, 7, 25]),  # A151537
])  # fmt: skip
def test_one_sided_sets(lattice: Lattice, sets: str, counts: list[int]) -> None:
    found = [named_pieces(f"one-sided {name}", lattice) for name in sets.split()]
    assert [len(some) for some in found] == counts
    assert not any(two_sided for some in found for _, two_sided in some.values())


def covers(board: Board, size: int) -> int:
    """How many ways to part a board into connected pieces of one size each, by brute force on its graph."""
    cells = list(board.free)
    graph: nx.Graph[tuple[int, ...]] = nx.Graph()
    graph.add_nodes_from(cells)
    graph.add_edges_from((one, other) for one, other in itertools.combinations(cells, 2)
                         if board.points[other] in board.lattice.neighbors(board.points[one]))  # fmt: skip
    parts = [set(part) for part in itertools.combinations(cells, size) if nx.is_connected(graph.subgraph(part))]

    def count(left: set[tuple[int, ...]]) -> int:
        if not left:
            return 1
        first = min(left)
        return sum(count(left - part) for part in parts if first in part and part <= left)

    return count(set(cells))


@pytest.mark.parametrize(("encoder", "size"), [
    (Polyomino("3x4", "trominoes", "any"), 3),
    (Polyhex("3x4", "trihexes", "any"), 3),
    (Polyhex("hexagon 2", "monohexes", "any"), 1),
    (Polyiamond("hexagon 1", "triamonds", "any"), 3),
    (Polyiamond("triangle 3", "triamonds", "any"), 3),
    (Polyiamond("2x4", "tetriamonds", "any"), 4),
    (Polycube("2x2x3", "tricubes", "any"), 3),
    (Polysphere("pyramid 2", ("monospheres",), "any"), 1),
    (Polysphere("2x2x2", "dispheres", "any"), 2),
    (Polysphere("2x2x3", "trispheres", "any"), 3),
], ids=lambda value: type(value).__name__ if isinstance(value, Encoder) else str(value))  # fmt: skip
def test_all_pieces_of_a_size_are_all_connected_parts(encoder: Polyomino, size: int, installed_engine: str) -> None:
    assert encoder.problem().count(engine=installed_engine) == covers(encoder._board, size)


@pytest.mark.parametrize("encoder", [
    Polyomino("4x4", "dominoes", "any", joined="both"),
    Polyomino("3x4", "trominoes", "any", joined="columns"),
    Polyhex("3x4", "dihexes", "any", joined="both"),
    Polyhex("3x3", "trihexes.A", "any", joined="rows"),
    Polyiamond("3x2", "diamonds", "any", joined="both"),
    Polyiamond("2x3", "triamonds", "any", joined="columns"),
    Polystick("3x3", "disticks.V", "any", joined="both"),
    Polystick("2x4", "disticks", "any", joined="columns"),
    Polycube("2x2x4", "dicubes", "any", joined="columns"),
    Polysphere("1x4x4", "dispheres", "any", joined="both"),
], ids=lambda encoder: f"{type(encoder).__name__} {encoder.joined}")  # fmt: skip
def test_boards_with_joined_ends(encoder: Polyomino) -> None:
    """Every cell has its full number of neighbors around a torus; symmetries act, and classes add up."""
    problem = encoder.problem()
    problem.permutations()
    assert problem.count(distinct=True) <= problem.count()
    with problem.solve(options=SearchOptions(distinct=True)) as search:
        list(search)
    assert search.classes is not None and search.classes.total == problem.count()
    if encoder.joined == "both":
        board = encoder._board
        around = {len({board.at[board.wrap(one)] for one in board.lattice.neighbors(point)} - {cell})
                  for cell, point in board.points.items() if board.lattice is not SPHERES}  # fmt: skip
        assert len(around) <= 1


def test_a_cylinder_is_wrapped_once() -> None:
    ring = Polyomino("1x5", {"bar": "###"}, "any", joined="columns")
    assert [len(option) for option in ring.problem().options.values()] == [3] * 5
    assert len(Polyomino("1x3", {"bar": "###"}, "any", joined="columns").problem().labels) == 1
    assert len(Polyomino("1x2", {"bar": "###"}, "any", joined="columns").problem().labels) == 0


def test_sticks_do_not_cross(installed_engine: str) -> None:
    cross = "+ + +\n  |\n+-+-+\n  |\n+ + +"
    assert Polystick(cross, "disticks.I", 2).problem().count(engine=installed_engine) == 0
    assert Polystick(cross, "disticks.V", 2).problem().count(engine=installed_engine) == 2
    assert Polystick(cross, "tetrasticks.X", 1).problem().count(engine=installed_engine) == 1


def test_flat_pieces_may_be_turned_over_in_space() -> None:
    bent = "##/.#/.#"
    assert len(Polycube("1x3x3", {"L": bent}).problem().labels) == len(Polyomino("3x3", {"L": bent}).problem().labels)
    chiral = {"A": "tetracubes.A"}
    one, both = (len(Polycube("2x2x2", chiral, reflect=reflect).problem().labels) for reflect in (False, True))
    assert both == 2 * one


@given(
    st.lists(st.text(".?", min_size=3, max_size=3), min_size=2, max_size=3),
    st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), max_size=3),
    st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), max_size=3),
)
def test_cells_that_pieces_take_and_avoid(
    rows: list[str], taken: list[tuple[int, int]], avoided: list[tuple[int, int]]
) -> None:
    """The solutions are those of the bare tiling that grant the wishes."""
    pieces = {"D": "dominoes.I", "V": "trominoes.V", "O": "monominoes.O"}
    cells = {(row, column) for row in range(1, len(rows) + 1) for column in range(1, 4)}
    takes, avoids = ({(r, c) for r, c in some if (r, c) in cells} for some in (taken, avoided))
    bare = Polyomino(tuple(rows), pieces, (0, 2))
    text = " ".join(f"r{r}c{c}" for r, c in takes)
    wishes = Polyomino(
        tuple(rows), pieces, (0, 2),
        takes={"D": text} if takes else {},
        avoids={"V": " ".join(f"r{r}c{c}" for r, c in avoids)} if avoids else {},
    )  # fmt: skip
    if len(bare.problem().labels) > 40:
        return
    wanted = {
        solution
        for solution in map(frozenset, bare.problem().solve())
        if takes <= {cell for piece, covered in solution if piece == "D" for cell in covered}
        and not avoids & {cell for piece, covered in solution if piece == "V" for cell in covered}
    }
    problem = wishes.problem()
    assert {frozenset(solution) for solution in problem.solve()} == wanted
    problem.permutations()
    if len(problem.labels) <= 12:
        assert len(brute_force(problem)) == len(wanted)


def test_boards_from_graphs() -> None:
    ring = nx.grid_2d_graph(3, 3)
    ring.remove_node((1, 1))
    assert drawing_of(ring) == "...\n._.\n..."
    assert Polyomino(drawing_of(ring), "dominoes", "any").problem().count() == 2
    with pytest.raises(ValueError, match="is not a pair"):
        drawing_of(nx.path_graph(3))
    with pytest.raises(ValueError, match="do not touch"):
        drawing_of(nx.Graph([((0, 0), (2, 2))]))


@pytest.mark.parametrize(("name", "pieces"), [
    ("moniamonds", "O"), ("diamonds", "I"), ("triamonds", "I"), ("tetriamonds", "CIT"), ("pentiamonds", "CIJY"),
    ("dispheres", "I"), ("trispheres", "AILV"),
])  # fmt: skip
def test_small_pieces_have_letters(name: str, pieces: str) -> None:
    assert "".join(named_pieces(name, SPHERES if "spheres" in name else TRIANGLES)) == pieces


def test_own_pieces_of_one_shape_are_worth_a_hint() -> None:
    message = r"pieces 'A' and 'B' have the same shape; solutions that differ by swapping them are counted separately \(use copies instead\)"
    with pytest.warns(FormatWarning, match=message) as caught:
        assert Polyomino("2x3", {"A": "##/#", "B": ".#/##"}).problem().count() == 4
    assert len(caught) == 1
    Polyomino("2x4", {"L": "###/#", "J": "###/..#"}, reflect=False)
    Polyomino("2x3", {"A": "##/#"}, copies=2)


def test_the_families_page_lists_the_names_of_pieces() -> None:
    page = (Path(__file__).parents[2] / "docs" / "families.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    stated = {name: own for key, *rest in rows for name, own in zip(key.split(", "), rest[0].split("; "), strict=False)}
    for lattice, sets in (
        (SQUARES, "tetrominoes pentominoes hexominoes heptominoes"),
        (CUBES, "tetracubes soma pentacubes"),
        (HEXAGONS, "trihexes tetrahexes pentahexes hexahexes"),
        (TRIANGLES, "tetriamonds pentiamonds hexiamonds heptiamonds"),
        (STICKS, "tristicks tetrasticks"),
        (SPHERES, "tetraspheres"),
    ):
        for name in sets.split():
            names = list(named_pieces(name, lattice))
            assert stated[name] == (" ".join(names) if names[0] != "1" else f"1 to {len(names)}")


@pytest.mark.parametrize("copies", ["2-3", "2 to 3", "2..3", (2, 3), [2, 3]])
def test_copies_may_be_a_range(copies: Any, tmp_path: Path) -> None:
    file, stated = tmp_path / "range.yaml", list(copies) if isinstance(copies, tuple) else copies
    file.write_text(f"problem: polyomino\nparams: {{board: 2x3, pieces: {{I: '##'}}, copies: {{I: {stated}}}}}\n")
    for encoder in (Polyomino("2x3", {"I": "##"}, copies={"I": copies}), read_file(file).encoder):
        assert (encoder.problem().multiplicity["I"], encoder.count()) == ((2, 3), 3)
    with pytest.raises(ParameterError, match=r"copies\.I: expected .* a range such as 2-3, or any; got '2-'"):
        Polyomino("2x3", {"I": "##"}, copies={"I": "2-"})
