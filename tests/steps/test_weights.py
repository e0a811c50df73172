"""Weights of items show that there is no solution, and never where there is one."""

import pytest
from hypothesis import given, settings

from classics import dominoes
from exactcover import Problem, SearchOptions, Status
from exactcover.control.options import COUNT
from exactcover.steps.weights import find_weights
from oracles import brute_force
from strategies import problems


@given(problems(most_options=8, most_primary=8))
@settings(max_examples=300, deadline=None)
def test_weights_are_proofs(problem: Problem) -> None:
    found = find_weights(problem.matrix)
    if found is None:
        return
    assert not brute_force(problem)
    matrix = problem.matrix
    for option in range(len(matrix)):
        total = sum(found.weights.get(item, 0) for item, _ in matrix.option(option))
        assert total % found.modulus == 0 if found.modulus else total == 0
    total = sum(weight * matrix.bounds(item)[0] for item, weight in found.weights.items())
    assert total == found.total
    assert total % found.modulus if found.modulus else total
    assert all(matrix.bounds(item)[0] == matrix.bounds(item)[1] for item in found.weights)


def test_a_board_that_lacks_two_cells_of_one_color() -> None:
    found = find_weights(dominoes(8, (0, 0), (7, 7)).matrix)
    assert found is not None
    assert (found.modulus, found.total, sorted(set(found.weights.values()))) == (0, 2, [-1, 1])
    assert find_weights(dominoes(8, (0, 0), (0, 7)).matrix) is None


@pytest.mark.parametrize(("size", "modulus"), [(2, 2), (3, 3), (5, 5), (7, 7)])
def test_a_modulus_is_found(size: int, modulus: int) -> None:
    items = range(size + 1)
    problem = Problem({skipped: [item for item in items if item != skipped] for skipped in items})
    found = find_weights(problem.matrix)
    assert found is not None
    assert found.modulus == modulus


def test_work_is_bounded() -> None:
    assert find_weights(dominoes(20, (0, 0), (19, 19)).matrix, most_work=100) is None


def test_a_search_ends_with_the_reason() -> None:
    problem = dominoes(30, (0, 0), (29, 29))
    search = problem.solve()
    assert list(search) == []
    assert search.status is Status.UNSATISFIABLE
    assert search.reason is not None
    assert "each option weighs 0, but all that must be covered weighs 2" in search.reason
    search = problem.search(COUNT, SearchOptions(reduce=True))
    assert search.count() == 0
    assert search.reason is not None


def test_the_reason_for_an_odd_number() -> None:
    search = Problem({"A": [1, 2], "B": [2, 3], "C": [1, 3]}).solve(engine="sets")
    assert list(search) == []
    assert (
        search.reason == "each option covers an even number of 3 items, but they must be covered an odd number of times"
    )
