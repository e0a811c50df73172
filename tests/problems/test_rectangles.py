"""Rectangles in a rectangle: the article's example, and published numbers."""

from problems import Rectangles


def test_the_articles_rectangle(installed_engine: str) -> None:
    """Its nine options in its order; its solutions are {7, 8} and {5, 9}."""
    problem = Rectangles().problem()
    cells = {f"r{row}c{column}": 3 * row + column - 3 for row in (1, 2) for column in (1, 2, 3)}
    items = [sorted(cells.get(str(item), {"1x2": 7, "2x2": 8}.get(str(item), 0)) for item in option)
             for option in problem.options.values()]  # fmt: skip
    assert items == [
        [1, 2, 7], [2, 3, 7], [4, 5, 7], [5, 6, 7], [1, 4, 7], [2, 5, 7], [3, 6, 7], [1, 2, 4, 5, 8], [2, 3, 5, 6, 8]
    ]  # fmt: skip
    found = {frozenset(position + 1 for position in one) for one in problem.solve(engine=installed_engine).positions()}
    assert found == {frozenset({7, 8}), frozenset({5, 9})}


def test_equal_rectangles_are_not_told_apart(installed_engine: str) -> None:
    for pieces, count in [({"1x2": 3}, 3), ({"1x2": 1, "1x1": 4}, 7), ({"1x1": 6}, 1), ({"1x2": 2, "1x1": 2}, 11)]:
        assert Rectangles("2x3", pieces).problem().count(engine=installed_engine) == count
    assert Rectangles("6x6", {"1x2": 18}).problem().count() == 6728
    mixed = [solution for solution in Rectangles("3x4", {"1x2": "any", "1x1": "any"}).problem().solve(engine=installed_engine)
             if [len(place.cells) for place in solution].count(2) == 3]  # fmt: skip
    assert Rectangles("3x4", {"1x2": 3, "1x1": 6}).problem().count(engine=installed_engine) == len(mixed)
    assert Rectangles("3x4", {"1x2": 3, "1x1": 5, "1x3": 0}).problem().count(engine=installed_engine) == 0
    assert Rectangles("4x4", {"1x2": 8}).problem().count(engine=installed_engine) == 36
    assert Rectangles("4x4", {"1x2": "any"}).problem().count(engine=installed_engine) == 36
    assert Rectangles("4x4", {"2x2": 2, "1x2": "any", "1x4": 0}).problem().count(engine=installed_engine) > 0
