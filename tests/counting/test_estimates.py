"""What a count says of its progress: honest, or nothing."""

import pytest

from commands import StopWhen
from exactcover import StoppedError
from exactcover.engines.base import ENGINES
from problems import Polyomino, Queens

pytestmark = pytest.mark.skipif("diagram" not in ENGINES, reason="counts in C++")


def test_a_few_parts_of_a_large_count_are_a_small_share_of_it() -> None:
    """Of 30 queens, two parts of 55 take a moment, and the whole some 10^17 seconds."""
    stop = StopWhen(lambda: int(search.statistics.details.get("counted", 0)) >= 2)  # parts, which are done
    search = Queens(n=30).problem().solve(stop=stop)
    with pytest.raises(StoppedError) as stopped:
        search.count()
    assert stopped.value.statistics.explored < 1e-9


def test_a_count_that_ends_says_so_and_who_was_first() -> None:
    search = Polyomino("12x12", "dominoes", copies="any").problem().solve()
    assert search.count() == 53060477521960000
    statistics = search.statistics
    assert (statistics.explored, statistics.engine, statistics.details["strategy"]) == (1.0, "diagram", "sweep")
