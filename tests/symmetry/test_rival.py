"""The direct count beside the count of parts: how much time it gets, and what happens when it ends or is stopped."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from exactcover.control.statistics import Status
from exactcover.control.stop import Stopped
from exactcover.symmetry.rival import Rival


class Attempts:
    """A patience whose attempts take exactly the time that they are given, on a clock of their own."""

    def __init__(self, part: Any, needed: float) -> None:
        self._part, self._needed = part, needed
        self.stopped = False

    def attempt(self, seconds: float, work: Callable[[], object]) -> bool:
        if self.stopped:
            raise Stopped(Status.TIMEOUT)
        self._part.spent += seconds
        work()
        return bool(self._part.spent >= self._needed)


def make_rival(needed: float, gain: float = 10.0) -> tuple[Rival, Any, Attempts]:
    """Return a rival whose direct count needs some seconds, with its part and its patience."""
    part: Any = SimpleNamespace(spent=0.0)
    patience = Attempts(part, needed)
    part.run = SimpleNamespace(count=lambda: 0, explored=lambda: min(1.0, part.spent / needed))
    part.patience = patience
    return Rival(part, gain), part, patience


def share_of_time(rival: Rival, part: Any, seconds: float, explored: Callable[[float], float]) -> float:
    """Let parts run for some seconds in short turns; return the share of the whole time that the rival got."""
    spent = 0.0
    while spent < seconds:
        spent += 0.01
        assert not rival.take_turn(spent, explored(spent))
    return float(part.spent / (part.spent + spent))


def test_it_gets_little_time_while_the_parts_make_progress() -> None:
    rival, part, _ = make_rival(needed=1000.0)
    assert 0.05 < share_of_time(rival, part, 10.0, lambda spent: spent / 100) <= 0.2


def test_it_gets_most_of_the_time_once_the_parts_are_stuck() -> None:
    rival, part, _ = make_rival(needed=1000.0)
    assert share_of_time(rival, part, 10.0, lambda spent: 0.001) > 0.4


def test_it_gets_more_time_if_the_parts_take_longer_than_predicted() -> None:
    """A direct count of 20 seconds with a gain of 10 should take the parts 2 seconds, and they take 40."""
    rival, part, _ = make_rival(needed=20.0)
    assert share_of_time(rival, part, 10.0, lambda spent: spent / 40) > 0.3


def test_a_turn_that_would_be_too_short_is_not_taken() -> None:
    rival, part, _ = make_rival(needed=1.0)
    assert not rival.take_turn(0.01, 0.001)
    assert part.spent == 0.0


def test_it_says_when_the_direct_count_is_done() -> None:
    rival, part, _ = make_rival(needed=0.5)
    spent = 0.0
    while not rival.take_turn(spent, 0.0):
        spent += 0.1
        assert spent < 10.0, "it never ended"
    assert part.spent >= 0.5


def test_a_stop_in_its_turn_is_passed_on() -> None:
    rival, _, patience = make_rival(needed=100.0)
    patience.stopped = True
    with pytest.raises(Stopped):
        rival.take_turn(10.0, 0.1)
