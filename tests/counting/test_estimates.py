"""What a count says of its progress: honest, or nothing."""

import pytest

from exactcover import Problem, Search, Stop, StoppedError
from exactcover.engines.base import ENGINES
from problems import Polyomino, Queens

pytestmark = pytest.mark.skipif("diagram" not in ENGINES, reason="counts in C++")


class StopWhenSplit(Stop):
    """Stops when a count that it watches has been split into parts, two of which are done."""

    search: Search

    def poll(self) -> None:
        details = self.search.statistics.details
        if int(details.get("counted", 0)) >= 2:
            self.request()
        super().poll()


def stop_when_split(problem: Problem) -> StoppedError:
    stop = StopWhenSplit()
    stop.search = search = problem.solve(stop=stop)
    with pytest.raises(StoppedError) as stopped:
        search.count()
    return stopped.value


def test_a_few_parts_of_a_large_count_are_a_small_share_of_it() -> None:
    """Of 30 queens, two parts of 55 take a moment, and the whole some 10^17 seconds."""
    stopped = stop_when_split(Queens(n=30).problem())
    assert stopped.statistics.explored < 1e-9


def test_a_count_that_ends_says_so() -> None:
    search = Polyomino("8x8", "dominoes", copies="any").problem().solve()
    assert search.count() == 12988816
    assert search.statistics.explored == 1.0
