import sys

from hypothesis import given

from exactcover import Problem, exact_covers
from exactcover.algorithm_x import Cover
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
