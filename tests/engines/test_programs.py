"""The engines `highs` and `cpsat`: each of their solutions is checked, and who says that there is no better one."""

import math
import random
import sys
from decimal import Decimal
from itertools import count
from typing import Any

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classics import langford, partitioning, seating, set_cover
from commands import StopWhen, run_script, wait_until
from exactcover import EngineUnavailableError, Label, Problem, Status, Stop, Weighted
from exactcover.engines import programs, worker_process
from exactcover.engines.base import ENGINES
from exactcover.model.linear import state_linear_model
from oracles import assert_each_once, brute_force
from problems import Queens, Staffing
from strategies import COSTS, priced, problems

SOLVERS = {"highs": "HiGHS", "cpsat": "CP-SAT"}


@pytest.fixture(params=SOLVERS)
def solver(request: pytest.FixtureRequest) -> str:
    if request.param not in ENGINES:
        pytest.skip(f"{SOLVERS[request.param]} is not installed")
    return str(request.param)


AGES = (21, 22, 25, 27, 30, 31, 34, 38, 41, 45, 46, 52, 55, 60)


def find_cheapest(problem: Problem, **how: Any) -> tuple[Any, str, str | None]:
    """Return the least cost, the status and the proof."""
    search = problem.cheapest(**how)
    found = [problem.cost(solution) for solution in search]
    return (found[0] if found else None), search.status.value, search.proof


@given(problem=priced(most_options=12, prices=COSTS), wanted=st.integers(1, 4))
def test_the_cheapest_are_those_of_the_definition(solver: str, problem: Problem, wanted: int) -> None:
    search = problem.cheapest(wanted, engine=solver)
    found, everything = list(search), brute_force(problem)
    assert len({frozenset(one) for one in found} & everything) == len(found)
    assert [*map(problem.cost, found)] == sorted(map(problem.cost, everything))[:wanted]
    ending = Status.OPTIMAL if len(found) == wanted else Status.COMPLETE if found else Status.UNSATISFIABLE
    assert search.status is ending


@pytest.mark.parametrize("large", [1 << 20, 1 << 62, 1 << 200])
@pytest.mark.parametrize("chosen", ["auto", "cpsat"])
def test_solutions_within_a_cost_of_several_ranks(chosen: str, large: int) -> None:
    if chosen != "auto" and chosen not in ENGINES:
        pytest.skip(f"{chosen} is not installed")
    problem = Problem({"A": [1], "B": [1], "C": [2], "D": [2]}, costs={"A": 0, "B": large, "C": 0, "D": 1})
    for within, costs in [(0, [0]), (1, [0, 1]), (large, [0, 1, large]), (large + 1, [0, 1, large, large + 1])]:
        search = problem.cheapest(10, engine=chosen, within=within)
        assert [*map(problem.cost, search)] == costs
        assert search.status in (Status.OPTIMAL, Status.COMPLETE)


@given(problem=problems(most_options=12))
def test_all_solutions_are_those_of_the_definition(solver: str, problem: Problem) -> None:
    assert_each_once(problem.solve(engine=solver), brute_force(problem))


@given(problem=priced(most_options=12, prices=COSTS), margin=st.integers(0, 9))
def test_all_within_a_margin(problem: Problem, margin: int) -> None:
    """HiGHS, whose tolerances are too wide for limits of costs, refuses."""
    pytest.importorskip("ortools")
    costs = sorted(map(problem.cost, brute_force(problem)))
    found = [problem.cost(one) for one in problem.cheapest(within=margin, engine="cpsat")]
    assert found == [cost for cost in costs if cost <= costs[0] + margin]
    with pytest.raises(EngineUnavailableError, match="'highs' does not support within"):
        problem.cheapest(within=margin, engine="highs")


def make_cover(chance: random.Random) -> Problem:
    """Return a small problem each of whose items must be covered once, may be covered twice, or any number of times."""
    items = range(chance.randint(6, 8))
    parts = {k: chance.sample(items, chance.randint(1, 4)) for k in range(13)}
    return Problem(parts, primary=items, multiplicity={item: (1, chance.choice([1, 2, None])) for item in items})


def test_costs_of_two_ranks_are_right_or_refused() -> None:
    """Large costs with small differences, which the tolerances of HiGHS may hide."""
    pytest.importorskip("highspy")
    for number in range(8):
        chance = random.Random(number)
        plain, large = make_cover(chance), 1 << chance.choice([12, 20, 24, 31])
        costs = {k: len(part) * large + chance.randint(0, 3) for k, part in plain.options.items()}
        problem = plain.derive(plain.options.items(), costs=costs)
        expected = sorted(map(problem.cost, brute_force(problem)))[:3]
        try:
            assert [problem.cost(one) for one in problem.cheapest(3, engine="highs")] == expected
        except EngineUnavailableError as error:
            assert large > 1 << 20 and "costs are too large" in str(error)
        assert [problem.cost(one) for one in problem.cheapest(3)] == expected


def test_ranks_of_costs_are_minimized_one_after_another(solver: str) -> None:
    """Costs that are beyond the precision of each solver together, but not if one rank after another is minimized."""
    for number in range(8):
        chance = random.Random(number)
        plain = make_cover(chance)
        costs = {k: chance.choice([chance.randint(0, 9), chance.randint(1, 3) << 70]) for k in plain.labels}
        problem = plain.derive(plain.options.items(), costs=costs)
        expected = sorted(map(problem.cost, brute_force(problem)))[:3]
        search = problem.cheapest(3, engine=solver)
        try:
            assert [problem.cost(one) for one in search] == expected
        except EngineUnavailableError:  # where taxes of items leave no rank that is a multiple of a unit
            assert any(problem.multiplicity.get(item, (1, 1)) == (1, 1) for item in problem.primary)
            continue
        assert search.statistics.bound == (expected[0] if expected else None) or not expected


def plan_of_hours() -> Problem:
    """Return a plan with too few people, whose best effort ranks hours and shifts that stay open before unequal shares."""
    weeks = ("30-38.5", "20-30", "32-40")
    people = ("who,hours,free", *(f"P{k},{weeks[k % 3]},{k + 1}" for k in range(6)))
    shifts = ("shift,hours,needs,weekend", "early,6-14,2,1", "late,14-21:30,2,1", "night,21:30-6:15,1,1")
    return Staffing(people, shifts, fair={"hours": Decimal("0.0007"), "total": 3}).problem()


def test_a_best_effort_for_hours_takes_two_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stays open is minimized first, and what that costs then; both at once would exceed what HiGHS may add up."""
    pytest.importorskip("highspy")
    effort, solve, units = plan_of_hours().best_effort(), programs.ProgramRun._solve, list[int]()

    def note(run: programs.ProgramRun, rows: Any, costs: Any, unit: int, *others: Any) -> Any:
        units.append(unit)
        return solve(run, rows, costs, unit, *others)

    monkeypatch.setattr(programs.ProgramRun, "_solve", note)
    search = effort.cheapest()
    (found,) = search
    assert (search.status, search.proof, search.statistics.engine) == (Status.OPTIMAL, "exact", "highs")
    assert len(units) == 2 and units[0] > 1000 * units[1]
    assert search.statistics.nodes < 1 << 12
    monkeypatch.setattr(programs.HighsEngine, "most_cost", 1 << 60)
    (at_once,) = effort.cheapest()
    assert len(units) == 3
    assert effort.price(found) == effort.price(at_once)


def test_a_search_that_is_left_frees_its_process_for_others(solver: str) -> None:
    script = ENGINES[solver].script  # type: ignore[attr-defined]
    for _ in range(5):
        search = Queens(n=6).problem().solve(engine=solver, limit=1)
        assert next(search) and search.status is Status.LIMIT
        assert len(worker_process._idle[script]) >= 1
    before = len(psutil.Process().children())
    for _ in range(5):
        search = Queens(n=6).problem().solve(engine=solver)
        assert next(search)
        del search
    assert len(psutil.Process().children()) <= before + 1


@pytest.mark.parametrize(
    ("problem", "least", "proof"),
    [
        (set_cover(40, 150, 150, 11), 142, "exact"),
        (set_cover(40, 150, 2, 11), 167, "HiGHS"),
        (set_cover(50, 250, 250, 3), 164, "HiGHS"),
        (seating(AGES, 4), 26, "exact"),
    ],
    ids=["cover", "twice", "large", "seating"],
)
def test_ranges_are_left_to_highs_with_the_best_solution_so_far(problem: Problem, least: int, proof: str) -> None:
    """The prices of items that are covered a fixed number of times say next to nothing here.

    Where dual prices of all rows bound the cost by the least one, they prove it in whole numbers.
    """
    pytest.importorskip("highspy")
    search = problem.cheapest()
    (found,) = search
    assert problem.verify(found)
    assert (problem.cost(found), search.status, search.proof) == (least, Status.OPTIMAL, proof)
    assert search.statistics.best == search.statistics.bound == least
    assert find_cheapest(problem, engine="highs") == (least, "optimal", proof)


@given(problem=priced(most_options=12), chance=st.randoms(use_true_random=False))
def test_any_prices_of_rows_bound_every_cost(problem: Problem, chance: random.Random) -> None:
    matrix = problem.matrix
    rows = state_linear_model(matrix).rows
    bound = programs.find_bound(rows, matrix.costs, [chance.uniform(-9, 9) for _ in rows])
    costs = [problem.cost(one) * problem.cost_units for one in brute_force(problem)]
    assert bound <= min(costs, default=math.inf)


def test_partitions_are_not() -> None:
    problem = partitioning(30, 2000, 5)
    ours, theirs = find_cheapest(problem), find_cheapest(problem, engine="highs")
    assert (ours[0], ours[1:]) == (theirs[0], ("optimal", "exact"))


def test_a_small_search_needs_nobody() -> None:
    least = find_cheapest(set_cover(6, 9, 9, 11), engine="native")[0]
    assert find_cheapest(set_cover(6, 9, 9, 11)) == (least, "optimal", "exact")


def test_no_later_solution_is_lost(solver: str) -> None:
    """HiGHS 1.16 loses the second one here, by a rule of its presolve."""
    options: dict[Label, list[Any]] = {
        0: [Weighted("p3", 2), Weighted("p2", 3), Weighted("p1", 2), Weighted("p0", 2)],
        1: ["p0"],
        2: ["p1", "p0"],
        3: ["p2", "p1", "p0"],
        4: [Weighted("p2", 3), Weighted("p0", 3), Weighted("p3", 2)],
    }
    soft = {"p0": (2, None), "p1": (2, 4), "p2": (1, None), "p3": (3, 1)}
    bounds, costs = {"p0": (0, 2), "p2": (2, 5)}, {0: 1, 1: 6, 2: 5, 3: 2, 4: 4}
    primary = ["p0", "p1", "p2", "p3"]
    problem = Problem(options, primary=primary, multiplicity=bounds, costs=costs, soft=soft)
    found = problem.cheapest(4, engine=solver)
    assert [problem.price(one) + problem.cost(one) for one in found] == [6, 6, 7, 10]


def test_costs_are_counted_in_their_greatest_unit() -> None:
    pytest.importorskip("highspy")
    costs = {"A": 3 << 40, "B": 1 << 40, "C": 1 << 41}
    problem = Problem({"A": [1, 2], "B": [1], "C": [2]}, multiplicity={1: (1, 2)}, costs=costs)
    search = problem.cheapest(engine="highs")
    assert problem.cost(next(search)) == search.statistics.best == search.statistics.bound == 3 << 40


def test_costs_beyond_the_precision_of_a_solver_are_refused() -> None:
    pytest.importorskip("highspy")
    costs = {name: (1 << 30) + number for number, name in enumerate("ABCD")}
    problem = Problem({name: [1] for name in costs}, multiplicity={1: (1, 4)}, costs=costs)
    with pytest.raises(EngineUnavailableError, match="'highs' cannot search this problem: its costs are too large"):
        next(problem.cheapest(engine="highs"))
    assert find_cheapest(problem) == (1 << 30, "optimal", "exact")


def test_a_stopped_search_gives_the_best_so_far(solver: str) -> None:
    problem = set_cover(60, 400, 3, 2)
    search = problem.cheapest(engine=solver, stop=StopWhen(lambda: search.statistics.best is not None))
    found = list(search)
    statistics = search.statistics
    assert [bool(problem.verify(one)) for one in found] == [True]
    assert (search.status, search.proof, statistics.best) == (Status.TIMEOUT, None, problem.cost(found[0]))
    assert 0 <= (statistics.bound or 0) <= problem.cost(next(problem.cheapest(engine=solver)))


@pytest.mark.parametrize("answer", [("best", [0], 1), ("best", [], 1), ("failure", "unknown", 1)], ids=str)
def test_what_is_no_solution_is_not_believed(answer: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """A search by name gives up; one that was free to choose goes on by itself."""
    pytest.importorskip("highspy")
    monkeypatch.setattr(programs, "wait_for_answer", lambda *_, **__: answer)
    search = set_cover(16, 60, 60, 11).cheapest(engine="highs")
    assert (list(search), search.status) == ([], Status.MEMORY)
    assert "HiGHS gave up" in str(search.shortage)
    least = find_cheapest(set_cover(16, 60, 60, 11), engine="native")[0]
    assert find_cheapest(set_cover(16, 60, 60, 11)) == (least, "optimal", "exact")


def test_a_search_goes_on_where_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("highspy")
    expected = find_cheapest(set_cover(40, 150, 2, 11))[0]
    monkeypatch.setattr(worker_process, "_idle", {})
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert find_cheapest(set_cover(40, 150, 2, 11)) == (expected, "optimal", "exact")
    search = set_cover(6, 9, 9, 11).cheapest(engine="highs")
    assert (list(search), search.status) == ([], Status.MEMORY)
    assert "the process of HiGHS cannot be started" in str(search.shortage)


def test_a_process_serves_one_problem_after_another_and_ends_at_a_stop(solver: str) -> None:
    script = ENGINES[solver].script  # type: ignore[attr-defined]
    assert len(list(Queens(n=6).problem().solve(engine=solver))) == 4
    idle = worker_process._idle[script][-1]
    assert len(list(Queens(n=5).problem().solve(engine=solver))) == 10
    assert idle is worker_process._idle[script][-1]
    process = psutil.Process(idle.process.pid)
    polls = count()
    search = langford(17).solve(
        engine=solver, stop=StopWhen(lambda: search.statistics.engine == solver and next(polls) > 9)
    )  # which has no solution
    assert (list(search), search.status) == ([], Status.TIMEOUT)
    wait_until(lambda: not process.is_running())


def test_an_interrupt_ends_a_search_and_later_ones_reach_python(solver: str) -> None:
    script = f"""
import signal
from exactcover import Stop
from classics import langford, seating, set_cover
from problems import Queens

class Interrupting(Stop):
    polls = 0
    def poll(self):
        self.polls += search.statistics.engine == {solver!r}
        if self.polls == 9:
            signal.raise_signal(signal.SIGINT)
        super().poll()

search = langford(17).solve(engine={solver!r}, stop=Interrupting())  # which has no solution, and is hard
try:
    next(search, None)
except KeyboardInterrupt:
    print(search.status.value)
print(len(list(Queens(n=4).problem().solve(limit=2, engine={solver!r}))))
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
"""
    done = run_script(script)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n2\ninterrupted\n", "")


def test_a_process_that_is_killed_is_no_answer(solver: str) -> None:
    class Killing(Stop):
        def poll(self) -> None:
            run = search._run
            if isinstance(run, programs.ProgramRun) and run._worker is not None:
                run._worker.process.kill()

    search = langford(17).solve(engine=solver, stop=Killing())
    assert (list(search), search.status) == ([], Status.MEMORY)
    assert f"the process of {SOLVERS[solver]} has ended" in str(search.shortage)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(60))
def test_larger_problems_as_by_a_plain_search(solver: str, number: int) -> None:
    chance = random.Random(number)
    problem = set_cover(chance.randint(8, 14), chance.randint(16, 24), chance.randint(2, 24), number)
    costs = [problem.cost(one) for one in problem.cheapest(3, engine="native")]
    assert [problem.cost(one) for one in problem.cheapest(3, engine=solver)] == costs
