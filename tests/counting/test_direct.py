"""The direct count in several ways: which one wins, that the number is right whichever does, and that stops are obeyed."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from commands import StopAfter
from exactcover import Problem, SearchOptions, Status, StoppedError
from exactcover.control.options import COUNT
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop, Stopped
from exactcover.counting.direct import DirectCount
from exactcover.counting.scheduler import Scheduler
from exactcover.engines.base import ENGINES
from exactcover.engines.leaves import TooLargeError
from exactcover.errors import EngineUnavailableError
from problems import Langford, Polyomino, Queens
from scripted import Scripted, Ticking
from strategies import problems

native = pytest.mark.skipif("diagram" not in ENGINES, reason="counts in C++")

STRATEGIES = ("auto", "search", "sweep", "memo")


def count(problem: Problem, stop: Stop | None = None, **options: Any) -> tuple[int, str]:
    """Return the number of solutions, and the name of the way in which it was found."""
    search = problem.search(COUNT, SearchOptions(engine="diagram", symmetry=False, **options), stop=stop)
    return search.count(), str(search.statistics.details.get("strategy"))


@native
@given(problem=problems())
def test_the_number_is_right_whichever_way_wins(problem: Problem) -> None:
    expected = len(list(problem.solve(engine="sets")))
    for strategy in STRATEGIES:
        for jobs in (1, 2):
            assert count(problem, strategy=strategy, jobs=jobs)[0] == expected


@native
@pytest.mark.parametrize("strategy", STRATEGIES[1:])
def test_the_way_that_is_asked_for_wins(strategy: str) -> None:
    assert count(Langford(n=7).problem(), strategy=strategy) == (52, strategy)


@native
def test_a_sweep_without_room_leaves_the_count_to_a_memo() -> None:
    problem = Polyomino("12x12", "dominoes", copies="any").problem()
    assert count(problem, strategy="sweep") == (53060477521960000, "sweep")
    assert count(problem, strategy="sweep", memory=1 << 16) == (53060477521960000, "memo")


@native
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_stop_in_the_middle_is_obeyed_and_never_taken_for_an_answer(strategy: str, jobs: int) -> None:
    problem, number = Queens(n=8).problem(), 92
    stopped = 0
    for polls in (0, 1, 2, 4, 7, 12, 20, 33, 54, 1_000_000):
        try:
            assert count(problem, StopAfter(polls), strategy=strategy, jobs=jobs)[0] == number
        except StoppedError as error:
            stopped += 1
            assert error.status is Status.TIMEOUT
            assert 0 <= error.at_least <= number
    assert 0 < stopped < 10


def make_count(*leaves: Scripted, delay: float = 0.0, policy: CountingPolicy = DEFAULT_POLICY) -> DirectCount:
    for leaf in leaves:
        leaf.find_delay = lambda: delay
    return DirectCount(leaves, lambda: 1 << 30, policy=policy)


def run(direct: DirectCount, stop: Stop | None = None) -> int:
    Scheduler(stop or Stop(), clock=Ticking()).run(direct)
    return direct.solutions


@pytest.mark.parametrize(("endless", "winner", "delay"), [
    ({"estimate": 1000.0}, {}, 0.0),
    ({"estimate": 1e-9}, {"estimate": math.inf}, -1.0),
    ({"estimate": 1.0, "hopeless": True}, {}, math.inf),
], ids=["expects more", "expects too little", "hopeless"])  # fmt: skip
def test_the_way_that_ends_first_wins(endless: dict[str, Any], winner: dict[str, Any], delay: float) -> None:
    """Every way gets a share of the time, whatever it expects, unless it is hopeless."""
    other, first = Scripted("endless", math.inf, **endless), Scripted("winner", 20, **winner)
    direct = make_count(first, other, delay=delay)
    assert run(direct) == 7
    assert (direct.details["strategy"], direct.nodes) == ("winner", other.taken + first.taken)


def test_a_count_goes_on_where_it_was_stopped() -> None:
    leaf = Scripted("only", 200)
    direct = make_count(leaf)
    with pytest.raises(Stopped):
        run(direct, StopAfter(49))
    assert 0 < leaf.taken < 200
    assert (run(direct), leaf.taken) == (7, 200)


def test_ways_for_which_the_problem_is_too_large_are_left_out_and_named_if_none_is_left() -> None:
    def refuse() -> None:
        raise TooLargeError("too many items for this test")

    def make_refusing() -> Scripted:
        return Scripted("refusing", 3, do=refuse)

    assert run(make_count(make_refusing(), Scripted("other", 3), delay=math.inf)) == 7
    with pytest.raises(EngineUnavailableError, match=r"too large .*for this test; too many items"):
        run(make_count(make_refusing(), make_refusing(), delay=math.inf))


def test_a_spare_thread_takes_another_way_beside_the_best_one() -> None:
    best, other = Scripted("best", 50), Scripted("other", 60)
    direct = make_count(best, other, policy=replace(DEFAULT_POLICY, strategy_patience=0))
    begin = direct.next_turn()
    assert begin is not None and direct.spare_turn() is None, "the other one has not begun"
    begin.end(1.0, more=True)
    first = direct.next_turn()
    assert first is not None and direct.next_turn() is None, "one turn at a time, unless a thread is idle"
    second = direct.spare_turn()
    assert second is not None and {first.leaf, second.leaf} == {best, other}
    assert direct.spare_turn() is None
    first.end(1.0, more=False)
    assert direct.is_done and second.seconds == 0.0, "what is not needed any more ends soon"
    second.end(1.0, more=True)
    assert direct.spent == 3.0


@pytest.mark.parametrize("do", [MemoryError, RuntimeError])
def test_a_failure_in_a_thread_is_raised(do: Callable[[], Exception]) -> None:
    def fail() -> None:
        raise do()

    policy = CountingPolicy(threads_seconds=0)
    leaf = Scripted("failing", 100, do=lambda: None if leaf.taken < 10 else fail())
    with pytest.raises(do):  # type: ignore[call-overload]
        Scheduler(Stop(), 2, policy).run(make_count(leaf, policy=policy))
