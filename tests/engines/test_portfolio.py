"""The portfolio of ways to count: which one wins, that the number is right whichever does, and that stops are obeyed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given

from commands import StopWhen
from exactcover import Problem, SearchOptions, Status, StoppedError
from exactcover.control.options import COUNT
from exactcover.control.stop import Stop, Stopped
from exactcover.errors import EngineUnavailableError
from problems import Langford, Polyomino, Queens
from strategies import problems

native = pytest.importorskip("exactcover._native")

from exactcover.engines.pace import Pace  # noqa: E402 - the portfolio needs native code
from exactcover.engines.portfolio import Portfolio  # noqa: E402
from exactcover.engines.strategies import CountingStrategy  # noqa: E402

STRATEGIES = ("auto", "search", "sweep", "memo")


def count(problem: Problem, stop: Stop | None = None, **options: Any) -> tuple[int, str]:
    """Return the number of solutions, and the name of the strategy that has found it."""
    search = problem.search(COUNT, SearchOptions(engine="diagram", symmetry=False, **options), stop=stop)
    return search.count(), str(search.statistics.details.get("strategy"))


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(problem=problems())
def test_the_number_is_right_whichever_strategy_wins(strategy: str, problem: Problem) -> None:
    assert count(problem, strategy=strategy)[0] == len(list(problem.solve(engine="sets")))


@pytest.mark.parametrize("strategy", STRATEGIES[1:])
def test_the_strategy_that_is_asked_for_wins(strategy: str) -> None:
    assert count(Langford(n=7).problem(), strategy=strategy) == (52, strategy)


def test_a_board_that_no_search_can_visit_is_not_searched() -> None:
    number, winner = count(Polyomino("16x16", "dominoes", copies="any").problem())
    assert number == 2444888770250892795802079170816
    assert winner in ("sweep", "memo")


def test_a_sweep_without_room_leaves_the_count_to_a_memo() -> None:
    problem = Polyomino("12x12", "dominoes", copies="any").problem()
    assert count(problem, strategy="sweep") == (53060477521960000, "sweep")
    assert count(problem, strategy="sweep", memory=1 << 16) == (53060477521960000, "memo")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_stop_in_the_middle_is_obeyed_and_never_taken_for_an_answer(strategy: str) -> None:
    problem, number = Queens(n=8).problem(), 92
    stopped = 0
    for polls in (1, 2, 3, 5, 8, 13, 21, 34, 55, 1_000_000):
        polled = itertools.count(1)
        stop = StopWhen(lambda polled=polled, polls=polls: next(polled) >= polls)  # type: ignore[misc]
        try:
            assert count(problem, stop, strategy=strategy)[0] == number
        except StoppedError as error:
            stopped += 1
            assert error.status is Status.TIMEOUT
            assert 0 <= error.at_least <= number
    assert 0 < stopped < 10


class Scripted(CountingStrategy):
    """A strategy that needs a number of steps, and says how many are left as it likes."""

    def __init__(self, name: str, steps: float, *, estimate: float | None = None, hopeless: bool = False) -> None:
        super().__init__(Pace())
        self.name = name  # type: ignore[misc]
        self.left, self._estimate, self._hopeless, self.taken = steps, estimate, hopeless, 0

    def step(self, seconds: float) -> bool:
        self.left, self.taken = self.left - 1, self.taken + 1
        return self.left > 0

    def estimate_left(self) -> float:
        return self.left if self._estimate is None else self._estimate

    def is_hopeless(self, most: Callable[[], int]) -> bool:
        return self._hopeless

    def total(self) -> int:
        return 7 if self.left <= 0 else 0

    def memory(self) -> int:
        return 0

    @property
    def nodes(self) -> int:
        return self.taken

    @property
    def details(self) -> Mapping[str, int | str]:
        return {}


def make_portfolio(*strategies: Scripted, stop: Stop | None = None, patience: float = 0.0) -> Portfolio:
    return Portfolio([lambda one=one: one for one in strategies], patience, lambda: 1 << 30, stop or Stop())  # type: ignore[misc]


def test_the_strategy_that_expects_to_end_first_wins() -> None:
    slow, fast = Scripted("slow", math.inf, estimate=1000.0), Scripted("fast", 50)
    portfolio = make_portfolio(slow, fast)
    assert portfolio.count() == 7
    assert portfolio.details["strategy"] == "fast"
    assert portfolio.explored() == 1.0


def test_a_strategy_whose_estimate_was_wrong_still_wins() -> None:
    """Every strategy gets a share of the time, whatever it expects."""
    promising, modest = Scripted("promising", math.inf, estimate=1e-9), Scripted("modest", 20, estimate=math.inf)
    portfolio = Portfolio([lambda: modest, lambda: promising], -1.0, lambda: 1 << 30, Stop())
    assert portfolio.count() == 7
    assert portfolio.details["strategy"] == "modest"


def test_a_hopeless_strategy_is_left_for_another() -> None:
    hopeless, other = Scripted("hopeless", math.inf, estimate=1.0, hopeless=True), Scripted("other", 9)
    portfolio = make_portfolio(hopeless, other, patience=math.inf)
    assert portfolio.count() == 7
    assert (portfolio.details["strategy"], portfolio.nodes) == ("other", hopeless.taken + 9)


def test_a_count_goes_on_where_it_was_stopped() -> None:
    strategy, polled = Scripted("only", 200), itertools.count(1)
    stop = StopWhen(lambda: next(polled) == 50)
    portfolio = make_portfolio(strategy, stop=stop)
    with pytest.raises(Stopped):
        portfolio.count()
    taken = strategy.taken
    assert 0 < taken < 200
    stop._requested = None
    assert portfolio.count() == 7
    assert strategy.taken == 200


def test_strategies_that_cannot_be_made_are_left_out_and_named_if_none_is_left() -> None:
    def refuse() -> CountingStrategy:
        raise native.TooLargeError("too many items for this test")

    portfolio = Portfolio([refuse, lambda: Scripted("other", 3)], math.inf, lambda: 1 << 30, Stop())
    assert portfolio.count() == 7
    with pytest.raises(EngineUnavailableError, match=r"too large .*for this test; too many items"):
        Portfolio([refuse, refuse], math.inf, lambda: 1 << 30, Stop()).count()
