"""Any problem can be drawn as a bipartite graph, with a solution marked."""

from collections import Counter

from exactcover import Problem
from exactcover.pictures import PAPER, SHADED
from exactcover.viewer.matrix_page import MAX_COLUMNS, GraphDrawer

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
