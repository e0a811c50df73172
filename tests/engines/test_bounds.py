"""The engine `bounds`: its prices are exact whatever the relaxation says, and its search finds the cheapest solutions."""

import itertools
import math
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from classics import partitioning
from commands import StopWhen, run_script
from exactcover import EngineUnavailableError, Problem, Status, Stop
from exactcover.control.policy import BranchingPolicy
from exactcover.control.stop import Stopped
from exactcover.engines.base import ENGINES
from exactcover.model.matrix import Matrix
from oracles import solve_matrix
from strategies import priced

pytestmark = pytest.mark.skipif("bounds" not in ENGINES, reason="HiGHS or the native module is not installed")
if "bounds" in ENGINES:
    import numpy

    from exactcover.engines import relaxation
    from exactcover.engines.bounds import PriceSearch
    from exactcover.engines.branching import Splits
    from exactcover.engines.relaxation import DualPrices, find_prices, make_exact
    from exactcover.steps.soft import add_slack


def assert_valid(prices: "DualPrices", matrix: Matrix) -> None:
    """Compute everything anew, in whole numbers of any size."""
    each = prices.prices.tolist()
    for option, rest in enumerate(prices.reduced_costs.tolist()):
        assert rest == matrix.costs[option] * prices.scale - sum(each[item] for item, _ in matrix.option(option)) >= 0
    fixed = [item for item in range(matrix.primary) if len({*matrix.capped(item)}) == 1]
    assert {item for item, price in enumerate(each) if price} <= {*fixed}
    assert prices.paid == sum(each[item] * matrix.capped(item)[0] for item in fixed)


def test_a_count_without_options() -> None:
    assert Problem({}, primary=["p"], multiplicity={"p": (0, 1)}).count(engine="bounds") == 1


@given(problem=priced(), data=st.data())
def test_prices_are_exact_whatever_the_relaxation_says(problem: Problem, data: st.DataObject) -> None:
    matrix = problem.matrix
    assume(any(matrix.costs))
    numbers = st.floats(-1e20, 1e20) | st.sampled_from([0.0, 0.1, math.nan, math.inf, -math.inf])
    duals = data.draw(st.lists(numbers, min_size=matrix.items, max_size=matrix.items))
    assert_valid(make_exact(matrix, duals, [0.0] * len(matrix), 1 + sum(matrix.costs)), matrix)
    assert_valid(find_prices(matrix, Stop(), sum(matrix.costs)), matrix)


POLICIES = [BranchingPolicy(), *(BranchingPolicy(few, few, few, leaf_nodes=1, dive_nodes=1) for few in (1.0, 3.0))]
"""The usual one, and some by which small problems are divided."""


@pytest.mark.parametrize("policy", POLICIES, ids=["usual", "few", "some"])
@given(problem=priced(), wanted=st.integers(1, 5), most_nodes=st.sampled_from([1, 2, 100]))
def test_the_search_by_prices_finds_the_cheapest(
    policy: BranchingPolicy, problem: Problem, wanted: int, most_nodes: int
) -> None:
    everything = [sorted(map(problem.labels.index, solution)) for solution in problem.solve(engine="sets")]
    matrix, bounds = problem.matrix, []
    assume(any(matrix.costs))
    slack = add_slack(matrix)
    assert slack.matrix.first_underfilled() is None or not everything
    search = PriceSearch(slack.matrix, wanted, Stop(), most_nodes, policy=policy)
    while search.advance():
        bounds.append(search.bound)
    found = [[option for option in solution if option < len(matrix)] for solution in search.cheapest]
    assert all(solution in everything for solution in found)
    assert len({*map(tuple, found)}) == len(found)
    costs = sorted(map(problem.cost_of, everything))
    assert [*map(problem.cost_of, found)] == costs[:wanted]
    assert bounds == sorted(bounds)
    assert not found or search.bound >= problem.cost_units * costs[len(found) - 1]  # so the others are not cheaper


@pytest.mark.parametrize("huge", [1e9, -1e9])
def test_duals_that_are_too_large_still_bound_what_solutions_cost(huge: float) -> None:
    """The relaxation of a node without solutions has huge prices, of which a share proves that there are none."""
    matrix = Problem({"A": [1, 2], "B": [2, 3], "C": [1, 3]}, costs={"A": 1, "B": 1, "C": 1}).matrix
    allowed = numpy.array([True, True, False])
    found = make_exact(matrix, [huge, 1.0 - huge, huge], [0.0] * 3, 1000, allowed)
    assert (found.reduced_costs[allowed] >= 0).all()
    assert found.paid > 100 * found.scale if huge > 0 else found.paid < 0


def test_large_prices_of_both_signs_bound_what_solutions_cost() -> None:
    matrix = Problem({"A": [1, 2]}, costs={"A": 10}).matrix
    found = make_exact(matrix, [-5000.0, 5010.0], [0.0], 1000)
    assert found.paid == 10 * found.scale


def roster(people: int, days: int, seed: int) -> Problem:
    """Return a random roster, whose solutions cost about the same: shifts are covered twice, and people rest at night."""
    chance = random.Random(seed)
    costs: dict[str, int] = {}
    rows: dict[str, list[str]] = {}
    for who, day, shift in itertools.product(range(people), range(days), "el"):
        night = day if shift == "l" else day - 1
        rows[f"{who} {day}{shift}"] = [f"day {day}{shift}", f"week {who}", f"{who} on {day}", f"night {night} of {who}"]
        costs[f"{who} {day}{shift}"] = chance.choice([0, 0, 0, 1])
    bounds = {f"day {day}{shift}": (3, 3) for day in range(days) for shift in "el"}
    bounds |= {f"week {who}": (0, 6 * days // people + 1) for who in range(people)}
    others = dict.fromkeys(item for row in rows.values() for item in row if item not in bounds)
    return Problem(rows, primary=list(bounds), secondary=list(others), multiplicity=bounds, costs=costs)


@pytest.mark.parametrize("seed", range(2))
def test_rosters_whose_solutions_cost_about_the_same(seed: int) -> None:
    problem = roster(12, 7, seed)
    search = problem.cheapest(engine="bounds")
    (found,) = search
    (theirs,) = problem.cheapest(engine="cpsat")
    assert problem.verify(found)
    assert problem.cost(found) == problem.cost(theirs)
    assert search.statistics.nodes < 3_000_000


@given(problem=priced())
def test_every_solution_has_one_with_slack_options_of_the_same_cost(problem: Problem) -> None:
    slack = add_slack(problem.matrix)
    solutions = [tuple(map(problem.labels.index, solution)) for solution in problem.solve()]
    completed = {tuple(sorted(solution)) for solution in slack.complete(solutions)}
    assert {tuple(sorted(solution)) for solution in solve_matrix(slack.matrix)} == completed
    assert len(completed) == len(solutions)


def test_what_the_plain_search_cannot_do() -> None:
    """Of 60 items in 3,000 options the plain search needs half a minute."""
    problem = partitioning(60, 3000, 1)
    search = problem.cheapest(2)
    costs = [problem.cost(solution) for solution in search]
    assert search.statistics.engine == "bounds"
    assert search.statistics.details["prices"]
    assert search.status is Status.OPTIMAL
    assert costs == sorted(costs)
    assert search.statistics.nodes < 10**7
    again = problem.cheapest(2)
    assert list(again) == list(problem.cheapest(2))
    assert again.statistics.nodes == search.statistics.nodes  # by work, never by the clock


def test_problems_without_a_solution() -> None:
    parity = Problem(
        [(k, [a, b]) for k, (a, b) in enumerate((a, b) for a in range(21) for b in range(a))], costs={0: 1}
    )
    search = parity.cheapest(engine="bounds")  # every option has two of 21 items
    assert (list(search), search.status) == ([], Status.UNSATISFIABLE)


def test_a_stop_is_obeyed_in_the_relaxation_and_keeps_what_is_known() -> None:
    problem = partitioning(60, 3000, 1)
    slack = add_slack(problem.matrix)
    searches: list[PriceSearch] = []
    stop = StopWhen(lambda: any(one.is_divided for one in searches))
    search = PriceSearch(slack.matrix, 1, stop, 10)
    searches.append(search)
    with pytest.raises(Stopped):
        while search.advance():
            pass
    assert search.prices <= 5


def test_a_search_that_is_stopped_says_how_much_cheaper_a_solution_may_be() -> None:
    problem = partitioning(60, 3000, 2)
    done = problem.cheapest()
    (best,) = map(problem.cost, done)
    assert (done.status, done.gap) == (Status.OPTIMAL, 0)
    stop = StopWhen(lambda: "prices" in search.statistics.details and search.statistics.details["prices"] != 1)
    search = problem.cheapest(engine="bounds", stop=stop)
    (found,) = search
    assert search.status is Status.TIMEOUT
    assert search.gap is not None
    assert problem.cost(found) - search.gap <= best <= problem.cost(found)
    assert Problem({"A": [1]}, costs={"A": 1}).cheapest(engine="native").gap is None


@pytest.mark.parametrize("error", [MemoryError("HiGHS needs 336 MB"), ImportError("No module named 'numpy'")])
def test_without_memory_for_highs_the_plain_search_goes_on(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str, size: int) -> None:
        raise error

    problem = partitioning(42, 400, 1)
    (expected,) = problem.cheapest(engine="native")
    monkeypatch.setattr(relaxation, "reserve_for_library", fail)
    search = problem.cheapest(engine="bounds")
    assert [problem.cost(solution) for solution in search] == [problem.cost(expected)]
    assert search.status is Status.OPTIMAL
    assert search.statistics.nodes > 1 << 15


def test_it_refuses_what_it_cannot_do() -> None:
    with pytest.raises(EngineUnavailableError, match="it searches only for the cheapest solutions"):
        list(Problem({"A": [1]}).solve(engine="bounds"))
    dear = Problem({"A": [1], "B": [1]}, costs={"A": 10**20, "B": 1})
    with pytest.raises(EngineUnavailableError, match="its costs are too large"):
        list(dear.cheapest(engine="bounds"))
    assert list(dear.cheapest()) == [("B",)]


def test_nothing_is_printed() -> None:
    script = (
        "from exactcover import Problem, Stop; from exactcover.engines.relaxation import find_prices;"
        "print(find_prices(Problem({'A': [1, 2], 'B': [1], 'C': [2]}, costs={'A': 5, 'B': 1, 'C': 2}).matrix, Stop(), 8).paid)"
    )
    done = run_script(script)
    assert (int(done.stdout) >> 16, done.stderr) == (3, "")


def test_without_highs_others_search() -> None:
    script = (
        "import importlib.util as u; find = u.find_spec;"
        "u.find_spec = lambda name: None if name == 'highspy' else find(name);"
        "from exactcover import Problem; p = Problem({'A': [1], 'B': [1]}, costs={'A': 2, 'B': 1});"
        "s = p.cheapest(); print(list(s), s.statistics.engine); list(p.cheapest(engine='bounds'))"
    )
    done = run_script(script)
    assert done.stdout == "[('B',)] native\n"
    assert "engine 'bounds' needs HiGHS; install it with: python -m pip install highspy" in done.stderr


@given(problem=priced(), data=st.data())
def test_the_ways_to_divide_lose_no_solution(problem: Problem, data: st.DataObject) -> None:
    matrix = problem.matrix
    shares = data.draw(st.lists(st.sampled_from([0.0, 0.3, 0.5, 1.0]), min_size=len(matrix), max_size=len(matrix)))
    allowed = numpy.array(data.draw(st.lists(st.booleans(), min_size=len(matrix), max_size=len(matrix))), bool)
    solutions = [[*map(problem.labels.index, solution)] for solution in problem.solve()]
    solutions = [solution for solution in solutions if allowed[solution].all()]
    splits = Splits(matrix)
    by_item = splits.divide_by_item(allowed)
    ways = [way.children for way in splits.list_ways(allowed, numpy.array(shares))]
    for way in [*ways, *([by_item] if by_item else [])]:
        assert all(sum(children[solution].all() for children in way) == 1 for solution in solutions)
        assert all((children <= allowed).all() and not (children == allowed).all() for children in way)


@pytest.mark.parametrize("options", [[], [0], [0, 0], [0, 1]])
def test_what_is_no_solution_is_not_believed(options: list[int]) -> None:
    assert not Problem({"A": [1], "B": [1, 2], "C": [2]}).matrix.is_solution(options)
