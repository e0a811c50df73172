import sys
from collections.abc import Mapping

import pytest
from hypothesis import given

from exactcover import Colored, Problem, Weighted
from exactcover.algorithm_x import Cover, Level, exact_covers
from oracles import brute_force
from strategies import problems

ARTICLE = {"a": [4], "b": [1, 4], "c": [1, 2], "d": [1, 3], "e": [2, 3, 4], "f": [3], "g": [2, 4]}


def test_the_articles_table_has_its_two_covers() -> None:
    assert list(exact_covers(ARTICLE)) == [("a", "c", "f"), ("d", "g")]


def test_a_solution_of_thousands_of_options_hits_no_recursion_limit() -> None:
    deep = sys.getrecursionlimit() + 100
    assert next(exact_covers({number: [number] for number in range(deep)})) == tuple(range(deep))


def test_the_order_depends_on_the_order_of_options_alone() -> None:
    letters = {chr(ord("z") - number): items for number, items in enumerate(ARTICLE.values())}
    covers = [[list(letters).index(label) for label in cover] for cover in exact_covers(letters)]
    assert covers == [[0, 2, 5], [3, 6]]


@given(problems())
def test_it_is_the_definition(problem: Problem) -> None:
    if set(problem.primary) <= {entry for items in problem.options.values() for entry in items}:
        covers = list(exact_covers(problem.options, problem.secondary, problem.multiplicity))
        assert len(covers) == len(set(covers))
        assert set(map(frozenset, covers)) == brute_force(problem)


@pytest.mark.parametrize("entry", [Colored("a", "red"), Weighted("s", 2)])
def test_colors_and_weights_have_their_kinds_of_items(entry: Colored | Weighted) -> None:
    with pytest.raises(ValueError, match="only secondary items have colors, and only primary ones weights"):
        list(exact_covers({"A": ["b", entry]}, secondary=["s"]))


def test_an_option_may_cover_an_item_no_time() -> None:
    assert list(exact_covers({"A": [Weighted("a", 0)], "B": ["a"]})) == [("B",)]


def test_deselect_undoes_select() -> None:
    cover = Cover([{0: None, 2: 1}, {1: None, 2: 1}, {0: None, 1: None, 2: 2}], primary=[0, 1])
    before = {item: set(options) for item, options in cover.live.items()}
    for option in range(3):
        cover.deselect(option, cover.select(option))
        assert cover.live == before
        assert cover.uncovered == {0, 1}


def test_explored_rises_from_nothing_to_all() -> None:
    cover = Cover([{item: None} for item in range(4) for _ in range(2)], primary=range(4))
    shares = [cover.explored() for _ in cover]
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.1 < 0.9 < shares[-1] < 1


def test_explored_adds_up_the_children_behind() -> None:
    cover = Cover([], primary=[])
    cover.levels = [Level(0, [0, 1, 2, 3], tried=4), Level(1, [4], tried=1), Level(2, [], tried=0)]
    assert cover.explored() == 3 / 4 + 1 / 4 / 2


def test_an_item_of_hundreds_of_options() -> None:
    assert list(exact_covers({number: ["item"] for number in range(300)})) == [(number,) for number in range(300)]


def alone(*numbers: int) -> list[dict[int, None]]:
    """Return options of one item each, as many for item k as the k-th number says."""
    return [{item: None} for item, number in enumerate(numbers) for _ in range(number)]


def test_an_item_needs_fewer_choices_the_more_often_it_must_be_covered() -> None:
    cover = Cover(alone(3, 3, 3, 1), range(4), {1: (2, 2), 2: (0, 2), 3: (2, 2)})
    assert [cover.degree(item) for item in range(4)] == [3, 2, 4, 0]
    cover.select(6)
    assert cover.degree(2) == 3  # it needs none: one of the two left, or none of them


@pytest.mark.parametrize(
    ("numbers", "multiplicity", "preferred", "failures", "heuristic", "item", "choices"),
    [
        ((3, 2, 2), {}, (), {}, "mrv", 1, 2),
        ((3, 2, 2), {0: (2, 2)}, (), {}, "mrv", 0, 2),
        ((3, 4, 1), {1: (4, 4)}, (), {}, "mrv", 1, 1),
        ((3, 2, 2), {}, (), {}, "leftmost", 0, 3),
        ((3, 2, 2), {}, (0, 2), {}, "mrv", 2, 2),
        ((3, 2, 1), {}, (0,), {}, "mrv", 2, 1),
        ((3, 2, 0), {}, (0,), {}, "mrv", 2, 0),
        ((1,), {0: (2, 2)}, (), {}, "mrv", 0, 0),
        ((2,), {0: (4, 4)}, (), {}, "mrv", 0, 0),
        ((2, 2, 2), {}, (), {0: 0, 1: 1, 2: 2}, "weighted", 2, 2),
        ((2, 2, 3), {}, (), {0: 1, 1: 1, 2: 2}, "weighted", 0, 2),
    ],
)
def test_which_item_is_branched_on(
    numbers: tuple[int, ...],
    multiplicity: Mapping[int, tuple[int, int]],
    preferred: tuple[int, ...],
    failures: dict[int, int],
    heuristic: str,
    item: int,
    choices: int,
) -> None:
    cover = Cover(alone(*numbers), range(len(numbers)), multiplicity, preferred=set(preferred), heuristic=heuristic)
    cover.failures.update(failures)
    level = cover.branch()
    assert (level.item, len(level.choices)) == (item, choices)
    assert cover.failures[item] == failures.get(item, 0) + (choices == 0)


def test_colors_are_compared_by_value() -> None:
    cover = Cover([{0: None, 2: int("1000")}, {1: None, 2: int("1000")}, {1: None, 2: 7}], primary=range(2))
    assert list(cover) == [(0, 1)]


def test_nodes_are_noted_in_preorder() -> None:
    cover = Cover([{0: None}, {0: None, 1: None}, {1: None}], primary=range(2))
    nodes: list[tuple[int, int, int]] = []
    cover.note = lambda depth, choices, item: nodes.append((depth, choices, item))
    assert list(cover) == [(0, 2), (1,)]
    assert nodes == [(0, 2, 0), (1, 1, 1), (2, -1, -1), (1, -1, -1)]
