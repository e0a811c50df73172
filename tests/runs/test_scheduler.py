"""The scheduler: it hands out each cube once, and how good its forecasts are."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.runs.cube import Cube, CubeOutcome
from exactcover.runs.cube_scheduler import CubeScheduler

RATE = 1000.0  # nodes in a second


def outcome(cube: Cube, nodes: float) -> CubeOutcome:
    return CubeOutcome(cube.path, "", nodes=int(nodes), seconds=nodes / RATE)


@given(st.lists(st.floats(1, 1e6), min_size=1, max_size=40), st.integers(1, 9))
def test_every_cube_is_handed_out_once(estimates: list[float], workers: int) -> None:
    scheduler = CubeScheduler([Cube((k,), estimate=size) for k, size in enumerate(estimates)], workers)
    seen = []
    while scheduler:
        cube, seconds = scheduler.hand_out(0.0)
        assert 0.5 <= seconds <= 30
        seen.append(cube.path)
        assert scheduler.complete(outcome(cube, cube.estimate))
        assert not scheduler.complete(outcome(cube, cube.estimate))  # it comes twice
    assert sorted(seen) == [(k,) for k in range(len(estimates))]


@pytest.mark.parametrize("seed", range(8))
def test_the_time_left_is_within_a_factor_of_two_from_a_tenth_on(seed: int) -> None:
    """Cubes of different sizes, with estimates that are wrong by a common factor and by chance."""
    generator = random.Random(seed)
    sizes = [generator.lognormvariate(6, 0.8) for _ in range(400)]
    bias = generator.choice([0.2, 1.0, 5.0])
    cubes = [
        Cube((k,), estimate=max(1.0, bias * size * generator.lognormvariate(0, 0.7))) for k, size in enumerate(sizes)
    ]
    scheduler, now, done = CubeScheduler(cubes, 1), 0.0, 0.0
    total = sum(sizes)
    while scheduler:
        cube, _ = scheduler.hand_out(now)
        size = sizes[cube.path[0]]
        now, done = now + size / RATE, done + size
        scheduler.complete(outcome(cube, size))
        left = scheduler.forecast(now).seconds_left
        if 0.1 < done / total < 0.95:
            assert left is not None
            assert 0.5 < left / ((total - done) / RATE) < 2.0
