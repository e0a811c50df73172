"""Parts of a count that stand for others: what is known of the whole never exceeds the truth."""

import math
from fractions import Fraction

from exactcover import Problem
from exactcover.counting.direct import DirectCount, Part, Tally
from exactcover.model.matrix import Matrix
from scripted import Scripted


class Finding(Scripted):
    """A leaf that finds a solution in each slice."""

    def found(self) -> int:
        return self.taken

    total = found


def begin(tally: Tally, slices: int, taken: int) -> Part:
    """Return a part with as many solutions as slices, some of which are taken."""

    def start(matrix: Matrix) -> DirectCount:
        return DirectCount([Finding("leaf", slices)], lambda: 1 << 30)

    matrix = Problem({"A": [1]}).matrix
    part = Part(tally, start, None, Fraction(1), 0.5, matrix=matrix)
    for _ in range(taken):
        turn = part.direct.next_turn()
        assert turn is not None
        turn.end(1.0, more=turn.leaf.work(1))
    return part


def test_a_bound_stays_below_the_number_when_parts_are_merged() -> None:
    tally = Tally()
    one, other = begin(tally, 10, 9), begin(tally, 10, 8)
    assert tally.found() == tally.nodes == 17
    one.merge(other)
    assert tally.found() == 18
    assert tally.bound == 17
    one.finish(10)
    assert tally.total == tally.found() == 20
    assert tally.bound == 18
    assert not tally.begun_total
    assert math.isclose(tally.begun, 0.0, abs_tol=1e-12) and math.isclose(tally.explored, 1.0)


def test_what_a_dropped_count_has_found_is_remembered() -> None:
    tally = Tally()
    part = begin(tally, 10, 4)
    part.drop_direct()
    assert tally.found() == 0
    assert tally.bound == 4
    assert not tally.begun_total
