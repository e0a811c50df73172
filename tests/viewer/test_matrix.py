"""Any problem can be drawn as its matrix, or as a bipartite graph, with a solution marked."""

from collections import Counter

import pytest

from exactcover import Colored, Problem, Weighted
from exactcover.errors import ProblemError
from exactcover.formats.registry import SOLUTIONS
from exactcover.formats.solution_tables import WriterSettings
from exactcover.pictures import PAPER, SHADED, Picture
from exactcover.viewer.matrix_page import MAX_COLUMNS, MAX_ROWS, GraphDrawer, MatrixDrawer


def read(picture: Picture | None) -> dict[tuple[int | None, int | None], tuple[int | None, str]]:
    assert picture is not None
    return {(tile.row, tile.column): (tile.tint, tile.text) for tile in picture.tiles if tile.row is not None}


def test_every_entry_is_drawn_and_those_of_the_solution_are_marked() -> None:
    table = {"A": [1, Colored("x", "red")], "B": [1, 2], "C": [2]}
    problem = Problem(table, secondary=["x"])  # type: ignore[arg-type]
    cells = read(MatrixDrawer(problem).draw(["A", "C"]))
    for row, label in enumerate(problem.labels, 1):
        covered = {item.item if isinstance(item, Colored) else item for item in problem.options[label]}
        for column, item in enumerate(problem.items):
            tint, _ = cells[row, column]
            assert tint is not None
            assert (tint >= 0) == (item in covered and label != "B")
            assert (tint == SHADED) == (item in covered and label == "B")
        assert cells[row, len(problem.items)][1] == label
    assert cells[1, 2][1] == "red"


def test_an_entry_with_a_weight_is_drawn() -> None:
    problem = Problem([("A", [Weighted("a", 2)]), ("B", ["a"])], multiplicity={"a": 2})
    cells = read(MatrixDrawer(problem).draw(["A"]))
    assert cells[1, 0][0] == 0
    assert cells[2, 0][0] == SHADED


def test_of_many_options_only_those_of_the_solution_are_drawn() -> None:
    problem = Problem({k: [k // 2] for k in range(2 * MAX_ROWS)})
    drawer = MatrixDrawer(problem)
    assert not drawer.is_whole
    solution = list(range(0, 2 * MAX_ROWS, 2))
    cells = read(drawer.draw(solution))
    assert {row for row, _ in cells} == set(range(1, MAX_ROWS + 1))
    assert sum(tint is not None and tint >= 0 for tint, _ in cells.values()) == 2 * MAX_ROWS  # entries and labels


def test_a_matrix_that_is_too_wide_is_refused_before_the_search() -> None:
    problem = Problem({"A": range(MAX_COLUMNS + 1)})
    assert MatrixDrawer(problem).draw(["A"]) is None
    writer = SOLUTIONS["svg"].load_writer()
    with pytest.raises(ProblemError, match=r"it has 151 items, and at most 150 are drawn"):
        writer(None, problem, None, None, WriterSettings("wide", {}, render=str))


PROBLEM = Problem({"A": [1, 4], "B": [1, 2], "C": [2, 3]}, secondary=[3, 4])


def test_every_entry_is_an_edge_and_those_of_the_solution_are_marked() -> None:
    picture = GraphDrawer(PROBLEM).draw(["A", "C"])
    assert picture is not None
    edges = [tile for tile in picture.tiles if tile.region is None]
    assert len(edges) == sum(len(items) for items in PROBLEM.options.values()) == 6
    assert Counter((tile.tint, tile.strength) for tile in edges) == {(0, 1): 2, (2, 1): 2, (10, 0.5): 2}
    nodes = {tile.text: tile for tile in picture.tiles if tile.region is not None}
    tints = {"A": 0, "B": PAPER, "C": 2, "1": 0, "2": 2, "3": 2, "4": 0}
    assert {text: tile.tint for text, tile in nodes.items()} == tints
    for tile in edges:  # from the right side of an option to the left side of an item
        (left, _), (right, _) = tile.outline[0], tile.outline[1]
        assert abs(left - nodes["A"].outline[1][0]) < 0.1
        assert abs(right - nodes["1"].outline[0][0]) < 0.1


def test_items_that_may_stay_uncovered_are_shaded() -> None:
    picture = GraphDrawer(PROBLEM).draw(())
    assert picture is not None
    shaded = {tile.text for tile in picture.tiles if tile.tint == SHADED}
    assert shaded == {"3", "4"}


def test_a_graph_that_is_too_large_is_not_drawn() -> None:
    drawer = GraphDrawer(Problem({"A": range(MAX_COLUMNS + 1)}))
    assert not drawer.fits
    assert drawer.draw(["A"]) is None
