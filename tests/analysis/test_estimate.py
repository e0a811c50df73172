"""Estimates: of just what each engine counts, right on the average, and honest about what is not known."""

import math
from collections.abc import Callable
from functools import partial

import pytest

from classics import matchings
from commands import StopAfter, invoke
from exactcover import EngineUnavailableError, Problem, SearchOptions
from exactcover.analysis.estimate import Estimate, estimate, format_number
from exactcover.control.options import Goal
from exactcover.control.policy import CountingPolicy
from exactcover.engines.base import ENGINES
from policies import start_search
from problems import Crossword, Polyomino, Queens, Sudoku


def multiple() -> Problem:
    """Items that may be covered several times, or not at all."""
    pairs = {(a, b): [a, b] for a in range(6) for b in range(a)}
    return Problem(pairs, multiplicity={0: (1, 2), 1: (0, 2), 2: (2, 2), 3: (0, 3), 5: (1, 3)})


def preferred() -> Problem:
    queens = Queens(n=6).problem()
    return queens.derive(queens.options.items(), preferred=queens.primary[3:5])


def priced() -> Problem:
    pairs = {(a, b): [a, b] for a in range(8) for b in range(a)}
    return Problem(pairs, costs={pair: 3 * sum(pair) + 1 for pair in pairs})


FAMILIES: dict[str, Callable[[], Problem]] = {
    "matchings": partial(matchings, 8),
    "queens": Queens(n=7).problem,
    "dominoes": Polyomino("4x5", "dominoes", copies="any").problem,
    "no solution": Polyomino("4x5", "tetrominoes").problem,
    "sudoku": Sudoku(box="2x2").problem,
    "colors": Crossword("3x3", ("abc", "bca", "cab", "aab", "bba", "acc"), repeat=True).problem,
    "multiplicities": multiple,
    "preferred": preferred,
    "costs": priced,
}


@pytest.mark.parametrize("family", FAMILIES)
def test_probes_are_right_on_the_average(tree_engine: str, family: str) -> None:
    """The nodes and solutions that a listing on the same engine reports are within four standard errors."""
    problem = FAMILIES[family]()
    whole = SearchOptions(reduce=False, engine=tree_engine)
    search = start_search(problem, CountingPolicy(weight_work=0), whole, goal=Goal("all"))  # weights would end it
    solutions, nodes = len(list(search)), search.statistics.nodes
    check(estimate(problem, probes=300, engine=tree_engine, timed=False), nodes, solutions)


def check(seen: Estimate, nodes: int, solutions: int) -> None:
    assert seen.nodes is not None and seen.nodes_spread is not None
    assert abs(seen.nodes - nodes) <= 4 * seen.nodes_spread + 1e-9 * nodes
    if solutions == 0:
        assert not seen.solutions
    else:
        assert seen.solutions is not None and seen.solutions_spread is not None
        assert abs(seen.solutions - solutions) <= 4 * seen.solutions_spread + 1e-9 * solutions


def test_probes_of_a_regular_tree_say_exactly_what_a_listing_visits(tree_engine: str) -> None:
    seen = estimate(matchings(8), probes=3, engine=tree_engine, timed=False)
    assert (seen.nodes, seen.nodes_spread, seen.solutions) == (253, 0, 105)


def test_the_spread_is_that_of_single_probes(tree_engine: str) -> None:
    """Single probes with different seeds have the same mean and the same spread as many probes with one seed."""
    problem = Queens(n=7).problem()
    many = estimate(problem, probes=500, engine=tree_engine, timed=False)
    found = [estimate(problem, probes=1, seed=seed, engine=tree_engine, timed=False).nodes or 0 for seed in range(100)]
    mean = sum(found) / len(found)
    deviation = math.sqrt(sum((one - mean) ** 2 for one in found) / (len(found) - 1))
    assert many.nodes is not None and many.nodes_spread is not None
    assert abs(mean - many.nodes) <= 4 * deviation / math.sqrt(len(found))
    assert many.nodes_spread * math.sqrt(500) == pytest.approx(deviation, rel=0.2)


def test_planes_and_what_is_left_of_them_are_counted_alike(tree_engine: str) -> None:
    """A problem that the native engine searches by planes."""
    if tree_engine == "sets":
        pytest.skip("has no planes")
    problem = Sudoku().problem()
    rows = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
    given = Sudoku().parse(rows).givens()[:-2]
    search = problem.solve(engine=tree_engine, given=given, options=SearchOptions(reduce=False))
    solutions, nodes = len(list(search)), search.statistics.nodes
    assert nodes > 50
    check(estimate(problem, given=given, engine=tree_engine, probes=60, timed=False), nodes, solutions)


def test_costs_do_not_matter(tree_engine: str) -> None:
    assert estimate(priced(), engine=tree_engine) == estimate(Problem(priced().options), engine=tree_engine)
    large = Problem({"A": [1], "B": [1]}, costs={"A": 2**70})
    assert estimate(large, engine=tree_engine).solutions == 2


def test_no_solution_is_known_only_where_it_is_proved(tree_engine: str) -> None:
    proved = estimate(Polyomino("4x5", "tetrominoes").problem(), engine=tree_engine)
    assert (proved.solutions, proved.solutions_spread, proved.doubts) == (0, 0, ())
    unproved = estimate(Polyomino("4x5", "tetrominoes").problem(), engine=tree_engine, timed=False)
    assert (unproved.solutions, unproved.solutions_spread) == (None, None)
    assert unproved.doubts == ("no probe found a solution, so nothing is known about the number of solutions",)
    hard = estimate(Polyomino(board="6x10").problem(), engine=tree_engine, probes=1, timed=False)
    assert (hard.successes, hard.solutions) == (0, None)


def test_givens_that_clash_leave_nothing() -> None:
    seen = estimate(Problem({"A": [1], "B": [1]}), given=["A", "B"])
    assert (seen.nodes, seen.nodes_spread, seen.solutions, seen.solutions_spread, seen.seconds) == (0, 0, 0, 0, 0)


def test_one_probe_has_no_spread() -> None:
    seen = estimate(Queens(n=8).problem(), probes=1, seed=3)
    assert seen.nodes_spread is None and "one probe gives no standard error" in seen.doubts


def test_a_probe_that_outweighs_all_others_is_told() -> None:
    problem = Queens(n=12).problem()
    doubts = [estimate(problem, probes=8, seed=seed, timed=False).doubts for seed in range(40)]
    assert any("one probe accounts for most" in doubt for some in doubts for doubt in some)
    assert any(not some for some in doubts)


def test_numbers_beyond_every_float() -> None:
    """500 items with ten options each."""
    problem = Problem(((item, choice), [item]) for item in range(500) for choice in range(10))
    seen = estimate(problem, probes=3, engine="native")
    assert (seen.solutions, seen.solutions_spread) == (10**500, 0)
    assert isinstance(seen.nodes, int) and isinstance(seen.seconds, int)
    assert (format_number(seen.solutions), format_number(seen.nodes)) == ("1.00e+500", "1.11e+500")


def test_a_stop_ends_a_deep_probe(tree_engine: str) -> None:
    """Inside of it, so that nothing is known."""
    problem = Problem(((item, choice), [item]) for item in range(300) for choice in range(30))
    looks = 50 if tree_engine == "sets" else 12
    stop = StopAfter(10**9)
    estimate(problem, probes=1, engine=tree_engine, stop=stop, timed=False)
    assert 10**9 - stop.left > looks
    stopped = estimate(problem, engine=tree_engine, stop=StopAfter(10**9 - stop.left - 3))
    assert stopped == Estimate(0, 0, None, None, None, None, None, ("there was no time for a probe",))


def test_seconds_are_those_of_a_search_that_ended_or_in_proportion(tree_engine: str) -> None:
    ended = estimate(Queens(n=6).problem(), engine=tree_engine)
    assert ended.seconds is not None and 0 < ended.seconds < 10
    long = estimate(Polyomino(board="6x10").problem(), engine=tree_engine, probes=3)
    assert long.seconds is not None and long.seconds > ended.seconds
    assert estimate(Queens(n=6).problem(), engine=tree_engine, timed=False).seconds is None


def test_engines_without_a_tree_say_so() -> None:
    if "native" in ENGINES:
        with pytest.raises(EngineUnavailableError, match="no tree"):
            estimate(Queens(n=6).problem(), engine="diagram")


def test_a_count_that_is_much_shorter_than_a_listing() -> None:
    told = invoke("estimate", "polyomino", "board=8x8", "pieces=dominoes", "copies=any", "--probes", "50").stdout
    shown = dict(line.split(maxsplit=1) for line in told.splitlines())
    assert shown["listing"].startswith("about ")
    assert shown["counting"].endswith(" (measured)")
    seen = estimate(Queens(n=30).problem(), probes=10)
    assert seen.seconds is not None and not seen.counted
    assert estimate(Queens(n=5).problem(), probes=10).counted
