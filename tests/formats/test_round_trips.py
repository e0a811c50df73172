"""Every format gives the same problem back, whatever the names are, or its writer refuses the problem."""

import random

import pytest

from odd_names import REFUSALS, ROUND_TRIPS, find_difference, make_odd_problem


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_odd_names_come_back_or_are_refused(name: str) -> None:
    chance = random.Random(f"odd {name}")
    kept = 0
    for _ in range(150):
        problem = make_odd_problem(chance)
        try:
            difference = find_difference(problem, name)
        except REFUSALS:
            continue
        assert difference is None, f"{problem.options!r}: {difference}"
        kept += 1
    assert kept >= 15  # the writer does not refuse too much
