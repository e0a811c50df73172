"""The direct count beside the count of parts: how much time it gets."""

from collections.abc import Callable

import pytest

from exactcover.control.policy import DEFAULT_POLICY
from exactcover.counting.count import Rival
from exactcover.counting.direct import DirectCount
from scripted import Scripted

SLICE = 0.01  # seconds


def make_rival(slices: int, risk: float = 1.0) -> Rival:
    """Return a rival whose direct count needs a number of slices, and with a gain of 10."""
    return Rival(DirectCount([Scripted("direct", slices)], lambda: 1 << 30), 10.0, DEFAULT_POLICY, risk)


def take_turns(rival: Rival, spent: float, explored: float) -> None:
    """Let the rival take the turns that are due."""
    while (turn := rival.next_turn(spent, explored)) is not None:
        assert isinstance(turn.leaf, Scripted)
        more = turn.leaf.work(1)
        turn.leaf.spent += SLICE
        turn.end(SLICE, more=more)


def share_of_time(rival: Rival, seconds: float, explored: Callable[[float], float]) -> float:
    """Let parts run for some seconds in short turns; return the share of the whole time that the rival got."""
    spent = 0.0
    while spent < seconds:
        spent += SLICE
        take_turns(rival, spent, explored(spent))
    return rival.direct.spent / (rival.direct.spent + spent)


@pytest.mark.parametrize(("slices", "risk", "explored", "least", "most"), [
    (100_000, 1, lambda spent: spent / 100, 0.05, 0.2),  # while the parts make progress
    (100_000, 0, lambda spent: spent / 100, 0.0, 0.0),  # and take no risk
    (100_000, 1, lambda spent: 0.001, 0.4, 1.0),  # once they are stuck
    (100_000, 0, lambda spent: 0.001, 0.4, 1.0),
    (2_000, 1, lambda spent: spent / 40, 0.3, 1.0),  # if they take 40 seconds, instead of 20 seconds by a gain of 10
], ids=["progress", "no risk", "stuck", "stuck without risk", "late"])  # fmt: skip
def test_its_time_depends_on_the_progress_of_the_parts(
    slices: int, risk: float, explored: Callable[[float], float], least: float, most: float
) -> None:
    assert least <= share_of_time(make_rival(slices, risk=risk), 10.0, explored) <= most


def test_late_parts_are_compared_with_a_new_estimate_whenever_its_time_has_doubled() -> None:
    """After its first turn, the direct count expects 0.1 seconds. When it knows better, the parts are not late."""
    rival = make_rival(10_000)
    turn = rival.direct.next_turn()
    assert turn is not None and isinstance(turn.leaf, Scripted)
    turn.leaf.taken = 1_000
    turn.leaf.spent += SLICE
    turn.end(SLICE, more=True)
    take_turns(rival, 1.0, 0.9)
    assert rival.direct.spent < 0.7, "at once, it would get 1.5 seconds, which is more than half of the time"


def test_it_gets_little_time_if_the_parts_are_known_to_end_sooner() -> None:
    rival, spent = make_rival(100_000), 0.0
    while spent < 10.0:
        spent += SLICE
        while (turn := rival.next_turn(spent, 0.001, left=1.0)) is not None:
            turn.leaf.spent += SLICE
            turn.end(SLICE, more=turn.leaf.work(1))
    assert rival.direct.spent / (rival.direct.spent + spent) <= 0.2


def test_a_turn_that_would_be_too_short_is_not_taken() -> None:
    rival = make_rival(100)
    assert rival.next_turn(0.01, 0.001) is None
    assert rival.direct.spent == 0.0
