"""A stop inside another one obeys both limits."""

from exactcover import Stop
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop


def test_the_smaller_limit_on_memory_holds() -> None:
    outer = Stop()
    inner = InnerStop(outer)
    assert (inner.memory, outer.memory) == (None, None)
    outer.limit(memory=1 << 40)
    assert inner.memory == 1 << 40, "also a limit that is set later"
    inner.limit(memory=1 << 30)
    assert (inner.memory, outer.memory) == (1 << 30, 1 << 40)
    inner.limit(memory=1 << 20)
    assert inner.memory == 1 << 30, "a limit is set once"


def test_an_inner_limit_stops_though_the_outer_one_is_larger() -> None:
    inner = InnerStop(Stop(memory=1 << 50))
    inner.limit(memory=1)
    held = bytearray(b"x" * (1 << 27))  # more than the allowance
    assert inner.status is Status.MEMORY
    del held
