"""Weights of items show that there is no solution, and never where there is one."""

from dataclasses import replace

import pytest
from hypothesis import given

from classics import dominoes
from commands import StopWhen
from exactcover import Problem, SearchOptions, Status
from exactcover.control.options import COUNT, Goal
from exactcover.control.policy import CountingPolicy
from exactcover.control.stop import Stop, Stopped
from exactcover.model.matrix import native
from exactcover.steps.weights import find_weights
from oracles import brute_force
from policies import start_search
from problems import Polyomino
from strategies import problems

if native is not None:
    from exactcover import _native
    from native_problems import arrays

pytestmark = pytest.mark.skipif(native is None, reason="weights are found in C++")


@given(problems(most_options=8, most_primary=8))
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


@given(problems(most_options=8, most_primary=6))
def test_weights_are_found_where_there_are_any(problem: Problem) -> None:
    """They are, exactly if what must be covered is not a sum of whole multiples of options (primes up to 13).

    Items that need more options than there are show by themselves that there is no solution.
    """
    matrix = problem.matrix
    bounds = enumerate(map(matrix.bounds, range(matrix.primary)))
    fixed = [item for item, (low, high) in bounds if low == high <= len(matrix)]
    rows = [[sum(item == other for other, _ in matrix.option(k)) for item in fixed] for k in range(len(matrix))]
    is_sum = is_whole_combination(rows, [matrix.bounds(item)[0] for item in fixed])
    assert (find_weights(matrix) is None) is is_sum


def test_large_numbers_of_times_have_no_weights_and_others_are_refused_in_c() -> None:
    problem = Problem({"A": [1], "B": [2]}, multiplicity={1: 1 << 40, 2: 3})
    assert find_weights(problem.matrix) is None
    finder = _native.WeightFinder(1, 1, *arrays([[0]]), [(0, 1)])
    assert finder.find(2, 32, 100) is None
    for prime, most in ((2, 33), (1, 1), (0, 1), ((1 << 61) - 1, 2), (1 << 63, 1)):
        with pytest.raises(ValueError, match="prime"):
            finder.find(prime, most, 100)
    for needed in ((1, 1), (0, 1 << 32)):
        with pytest.raises(ValueError, match="fit"):
            _native.WeightFinder(1, 1, *arrays([[0]]), [needed])


def test_an_elimination_is_stopped() -> None:
    matrix = Polyomino("14x15", "hexominoes").problem().matrix
    with pytest.raises(Stopped):
        find_weights(matrix, stop=StopWhen(lambda: True))


def is_whole_combination(rows: list[list[int]], target: list[int]) -> bool:
    """Whether integers times rows add up to the target, by Euclid's algorithm on each column."""
    rows, target = [list(row) for row in rows], list(target)
    for column in range(len(target)):
        live = [row for row in rows if row[column]]
        while len(live) > 1:
            least = min(live, key=lambda row: abs(row[column]))
            for row in live:
                if row is not least:
                    factor = row[column] // least[column]
                    row[:] = [a - factor * b for a, b in zip(row, least, strict=True)]
            live = [row for row in live if row[column]]
        if live:
            factor, rest = divmod(target[column], live[0][column])
            if rest:
                return False
            target = [a - factor * b for a, b in zip(target, live[0], strict=True)]
            rows = [row for row in rows if row is not live[0]]
        elif target[column]:
            return False
    return True


def test_powers_of_primes() -> None:
    for board, piece, modulus in (("10x10", "L", 4), ("10x14", "L", 4), ("10x10", "T", 8), ("6x6", "T", 8)):
        found = find_weights(Polyomino(board, f"tetrominoes.{piece}", copies="any").problem().matrix)
        assert found is not None and found.modulus == modulus


def test_a_search_for_a_solution_that_takes_long_is_ended_by_weights() -> None:
    board = Polyomino("14x14", "tetrominoes.T", copies="any").problem()
    for options in (SearchOptions(), SearchOptions(nodes=1 << 22)):
        search = board.solve(limit=1, options=options)
        assert list(search) == []
        assert search.status is Status.UNSATISFIABLE
    assert search.reason == (
        "if 98 items weigh 1 and 98 items weigh 5, each option weighs a multiple of 8, "
        "but all that must be covered weighs 588"
    )


def test_a_second_look_may_take_more_work() -> None:
    problem = Polyomino("10x10", "tetrominoes.L", copies="any").problem()
    impatient = CountingPolicy(weights_begin=1, weight_work=100, second_look=100_000)
    search = start_search(problem, impatient, goal=Goal("first", 1))
    assert list(search) == []
    assert search.reason is not None


def test_a_board_that_lacks_two_cells_of_one_color() -> None:
    found = find_weights(dominoes(8, (0, 0), (7, 7)).matrix)
    assert found is not None
    assert (found.modulus, found.total, sorted(set(found.weights.values()))) == (0, 2, [-1, 1])
    assert find_weights(dominoes(8, (0, 0), (0, 7)).matrix) is None
    assert find_weights(dominoes(20, (0, 0), (19, 19)).matrix, most_work=100) is None, "work is bounded"


def test_a_search_ends_with_the_reason() -> None:
    problem = dominoes(30, (0, 0), (29, 29))
    search, counting = problem.solve(), problem.search(COUNT, SearchOptions(reduce=True))
    assert (list(search), search.status, counting.count()) == ([], Status.UNSATISFIABLE, 0)
    for reason in (search.reason, counting.reason):
        assert "each option weighs 0, but all that must be covered weighs 2" in str(reason)
    odd = Problem({"A": [1, 2], "B": [2, 3], "C": [1, 3]}).solve(engine="sets")
    assert list(odd) == []
    assert odd.reason == "each option covers an even number of 3 items, but they must be covered an odd number of times"


@given(problem=problems(most_options=12, most_primary=5))
def test_demands_that_exceed_limits_are_a_proof(problem: Problem) -> None:
    pytest.importorskip("highspy")
    from exactcover.engines.programs import find_imbalance

    matrix = problem.matrix
    found = find_imbalance(matrix, Stop())
    if found is None:
        return
    assert not brute_force(problem)
    total = {**found.demands, **{item: -weight for item, weight in found.limits.items()}}
    rests = [sum(total.get(item, 0) for item, _ in matrix.option(option)) for option in range(len(matrix))]
    bounds = [matrix.bounds(item) if item < matrix.primary else (0, 1) for item in range(matrix.items)]
    needed = sum(weight * bounds[item][0] for item, weight in found.demands.items())
    available = sum(weight * bounds[item][1] for item, weight in found.limits.items())
    assert found.needed == needed > available + sum(rest for rest in rests if rest > 0)
    for item in total if matrix.items == matrix.primary else ():  # without any one item, nothing is imbalanced
        fewer = {k: matrix.bounds(k) if k in total and k != item else (0, 99) for k in range(matrix.items)}
        assert find_imbalance(replace(matrix, multiplicity=fewer), Stop()) is None
