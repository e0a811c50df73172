"""Solutions that are nearly the cheapest: within a margin, up to a gap, and those that differ in chosen options."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover import Goal, Margin, Problem, ProblemError, Status
from exactcover.algorithm_x import item_of
from exactcover.control.options import make_margin
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.base import ENGINES
from exactcover.engines.cursor import SerialRun
from exactcover.model.costs import cost_of_units
from exactcover.search.query import Query, prepare
from exactcover.search.serial_runs import DifferentRun
from oracles import solve_matrix
from strategies import COSTS, priced

ABLE = [name for name in ("native", "sets", "bounds") if name in ENGINES]
SMALL = Problem(
    {"A": [1], "B": [2], "C": [1, 2], "D": [1], "E": [1, 2]}, costs={"A": 2, "B": 2, "C": 3, "D": 5, "E": 3}
)


def everything(problem: Problem) -> set[frozenset[Any]]:
    """Return all solutions, as the core finds them."""
    return {frozenset(solution) for solution in problem.solve(engine="sets")}


def costs_of(problem: Problem) -> list[Any]:
    return sorted(problem.cost(solution) for solution in everything(problem))


@given(
    problem=priced(prices=COSTS), way=st.sampled_from(ABLE), margin=st.sampled_from(["0", "1", "2.5", "10%", "200%"])
)
def test_all_solutions_within_a_margin(problem: Problem, way: str, margin: str) -> None:
    costs = costs_of(problem)
    search = problem.cheapest(within=margin, engine=way)
    found = list(search)
    assert search.status is (Status.OPTIMAL if costs else Status.UNSATISFIABLE)
    share = Fraction(margin.rstrip("%"))
    least = Fraction(costs[0]) if costs else Fraction()
    most = least + (abs(least) * share / 100 if "%" in margin else share)
    assert [problem.cost(solution) for solution in found] == [cost for cost in costs if cost <= most]
    assert len({*map(frozenset, found)}) == len(found)
    assert all(map(problem.verify, found))
    assert search.ties == costs.count(costs[0]) if costs else not search.ties


@given(problem=priced(prices=COSTS), way=st.sampled_from(ABLE), data=st.data())
def test_the_cheapest_that_differ_in_chosen_options(problem: Problem, way: str, data: st.DataObject) -> None:
    items = data.draw(st.sets(st.sampled_from(problem.items), max_size=2)) if problem.items else set()
    labels = data.draw(st.sets(st.sampled_from(problem.labels), max_size=2)) if problem.labels else set()
    matter = {label for label, row in problem.options.items() if items & {*map(item_of, row)}}
    matter |= labels - {*problem.items}
    if not items and not labels:
        return
    least: dict[frozenset[Any], Any] = {}
    for solution in everything(problem):
        part, cost = frozenset(solution) & matter, problem.cost(solution)
        least[part] = min(least.get(part, cost), cost)
    wanted = data.draw(st.integers(1, 6))
    search = problem.cheapest(wanted, differing=[*items, *(labels - {*problem.items})], engine=way)
    found = list(search)
    assert [problem.cost(solution) for solution in found] == sorted(least.values())[:wanted]
    assert len({frozenset(solution) & matter for solution in found}) == len(found)
    assert all(map(problem.verify, found))


@given(problem=priced(prices=COSTS), way=st.sampled_from(ABLE), gap=st.sampled_from(["0", "1", "10%", "80%"]))
def test_a_gap_is_kept_and_told(problem: Problem, way: str, gap: str) -> None:
    costs = costs_of(problem)
    search = problem.cheapest(gap=gap, engine=way)
    found = list(search)
    assert len(found) == min(1, len(costs))
    if not costs:
        assert search.status is Status.UNSATISFIABLE
        return
    cost, statistics = problem.cost(found[0]), search.statistics
    assert statistics.best == cost
    assert statistics.bound is not None and statistics.bound <= costs[0] <= cost
    assert search.status is (Status.OPTIMAL if statistics.gap == 0 else Status.GAP)
    share = Fraction(gap.rstrip("%"))
    assert Fraction(cost) - Fraction(statistics.bound) <= (abs(Fraction(cost)) * share / 100 if "%" in gap else share)
    assert search.status is not Status.OPTIMAL or cost == costs[0]


@given(problem=priced(prices=COSTS), data=st.data())
def test_what_a_preparation_takes_from_costs_is_known(problem: Problem, data: st.DataObject) -> None:
    """Each solution costs what it costs in the prepared matrix, and what is paid besides."""
    solutions = everything(problem)
    givens = sorted(map(problem.position, next(iter(sorted(solutions, key=sorted)), ())))
    given = tuple(data.draw(st.lists(st.sampled_from(givens), unique=True))) if givens else ()
    prepared = prepare(problem, Query(Goal("cheapest", 1), given=given), Stop())
    if prepared.reason is not None:
        return
    matrix = prepared.matrix
    for solution in solve_matrix(matrix):
        total = sum(matrix.costs[option] for option in solution) + prepared.paid
        assert cost_of_units(total, problem.cost_units) == problem.cost_of(prepared.lift(solution))


def test_the_arguments_of_the_cheapest() -> None:
    assert [SMALL.cost(one) for one in SMALL.cheapest(2, within=1)] == [3, 3]
    assert SMALL.search(Goal("cheapest", 1, gap=Margin(50, percent=True))).within is None
    mistakes: list[dict[str, Any]] = [{"gap": 1, "k": 2}, {"gap": 1, "within": 1}]
    for wrong in mistakes:
        with pytest.raises(ValueError, match="a gap is for one solution"):
            SMALL.cheapest(**wrong)
    for margin in (-1, "1%%", "x", True, None, Decimal("NaN"), "1" * 200, b"1"):
        with pytest.raises(ValueError, match="expected an amount of cost or a percentage"):
            make_margin(margin)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="within is for the cheapest solutions, and the goal is 'all'"):
        Goal("all", within=Margin(1))
    with pytest.raises(ProblemError, match="nothing"):
        SMALL.cheapest(differing=["nothing"])


def test_all_solutions_are_alike_in_an_item_without_options() -> None:
    problem = Problem({"A": ["a"], "B": ["a"]}, primary=["a", "b"], multiplicity={"b": (0, 1)}, costs={"B": 1})
    assert list(problem.cheapest(3, differing=["b"])) == [("A",)]


def test_a_bound_is_not_claimed_by_what_differs_before_it_is_proved() -> None:

    class StoppedRun(SerialRun):
        bound = 2

        def __next__(self) -> tuple[int, ...]:
            if self._delivered:
                raise Stopped(Status.TIMEOUT)
            self._delivered = 1
            return (0,)

    matrix = Problem({"A": [1], "B": [1]}, costs={"A": 5, "B": 4}).matrix
    run = DifferentRun(matrix, [0, 1], 2, lambda part: StoppedRun())
    assert next(run) == (0,)
    assert (run.best, run.bound) == (5, 2)
    with pytest.raises(Stopped):
        next(run)


@pytest.mark.parametrize("way", ABLE)
def test_a_stop_during_the_search_for_others_is_not_an_answer(way: str) -> None:
    stop = Stop()
    search = SMALL.cheapest(within=5, engine=way, stop=stop)
    stop.request()
    assert list(search) == []
    assert search.status is Status.INTERRUPTED
