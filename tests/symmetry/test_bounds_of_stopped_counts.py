"""A count that is stopped knows all that any of its parts has found, and no more than there is."""

from collections.abc import Callable

import pytest

from exactcover import Problem, Status, StoppedError
from exactcover.control.options import SearchOptions
from exactcover.control.policy import CountingPolicy
from exactcover.control.stop import Stop
from exactcover.model.matrix import native
from exactcover.search.search import Search
from policies import start_search
from problems import Polyomino, Queens

pytestmark = pytest.mark.skipif(native is None, reason="remainders are made in C++")


class Watch(Stop):
    """Notes at each poll how many solutions are known, and stops at a poll after the first ones are."""

    def __init__(self, polls: int | None) -> None:
        super().__init__()
        self.search: Search | None = None
        self.known: list[int] = []
        self.left = polls

    @property
    def status(self) -> Status | None:
        if self._requested is None and self.search is not None:
            self.known.append(self.search.statistics.solutions)
            if self.left is not None and self.known[-1]:
                self.left -= 1
                if self.left < 0:
                    self.request(Status.TIMEOUT)
        return self._requested


def watch(
    problem: Problem, options: SearchOptions, polls: int | None, policy: CountingPolicy
) -> tuple[Watch, int, bool]:
    """Count with a watch; return it, the number or the bound, and whether the count was stopped."""
    stop = Watch(polls)
    stop.search = search = start_search(problem, policy, options, stop=stop)
    try:
        return stop, search.count(), False
    except StoppedError as error:
        assert search.statistics.solutions == error.at_least
        return stop, error.at_least, True


@pytest.mark.parametrize("build", [lambda: Queens(n=9).problem(), lambda: Polyomino(board="3x20").problem()])
@pytest.mark.parametrize("options", [SearchOptions(), SearchOptions(symmetry=True), SearchOptions(distinct=True)])
def test_a_bound_never_shrinks_and_is_never_lost(build: Callable[[], Problem], options: SearchOptions) -> None:
    problem = build()
    number = problem.count() if not options.distinct else problem.count(distinct=True)
    for patience in (1.0, 1e-4):  # of the parts, before they are reduced
        policy = CountingPolicy(reduction_seconds=patience)
        for polls in (0, 20, None):
            stop, bound, stopped = watch(problem, options, polls, policy)
            assert stop.known == sorted(stop.known)
            assert (stopped and 0 < bound <= number) or bound == number
            assert bound >= max(stop.known, default=0)


def test_a_bound_outlives_the_run_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactcover.steps.reduction.is_much_smaller", lambda *_: True)
    problem = Queens(n=11).problem()
    stop, bound, stopped = watch(problem, SearchOptions(symmetry=False), 3, CountingPolicy(reduction_seconds=0))
    assert stop.known == sorted(stop.known)
    assert stopped
    assert 0 < bound < problem.count()
