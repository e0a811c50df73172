"""Simulate a run on many workers, and print how much of their time goes to searching.

    python benchmarks/scale.py [--workers 10 100] [STORE]

The simulation uses the scheduler of runs itself, with a clock of its own. The sizes of cubes come from the store of a
finished run, or are drawn at random. A cube that takes longer than its time is divided, as a worker would do. Each
exchange of a worker with the coordinator takes some milliseconds, the coordinator handles one message at a time, some
workers are slow, and now and then a worker dies and its cube is searched again. The exit status is 1 if a part of the
tree was never searched.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from exactcover import CoverError
from exactcover.control.policy import DEFAULT_RUN_POLICY
from exactcover.engines.cursor import ROOT
from exactcover.runs.cube import Child, Cube, CubeOutcome
from exactcover.runs.cube_scheduler import CubeScheduler
from exactcover.runs.store import Store

RATE = 10_000_000.0  # nodes in a second of a worker
LATENCY = 0.02  # seconds for a message
MESSAGE = 0.0004  # seconds in which the coordinator stores an outcome
SLOW, SLOWNESS = 0.05, 3.0  # the share of workers that are slow, and by what factor
DEATHS = 1 / 20_000  # deaths per second of work
HOURS = 0.5  # of work for each worker
PARTS = 12  # of a cube that is divided


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[10, 100, 1_000, 10_000])
    parser.add_argument("store", type=Path, nargs="?", help="file of a finished run")
    options = parser.parse_args()
    shape = None
    if options.store is not None:
        try:
            shape = _read_sizes(options.store)
        except CoverError as error:
            parser.error(str(error))
        if not shape:
            parser.error(f"{options.store}: no part of this run was searched to its end")
    print("workers  hours of work  cubes    makespan h  ideal h  efficiency")
    for workers in options.workers:
        simulation = Simulation(workers, random.Random(workers), shape)
        makespan = simulation.run()
        ideal = simulation.ideal()
        print(
            f"{workers:7,}  {simulation.total / RATE / 3600:13,.0f}  {simulation.cubes:7,}"
            f"  {makespan / 3600:10.3f}  {ideal / 3600:7.3f}  {ideal / makespan:10.3f}",
            flush=True,
        )
        if simulation.left:
            print(f"{simulation.left:,} cubes were never searched", file=sys.stderr)
            return 1
    return 0


def _read_sizes(path: Path) -> list[float]:
    """Return the nodes of the cubes of a finished run, relative to their estimates."""
    records = Store(path, writable=False).records("WHERE state = 'done'")
    return [record.nodes / record.cube.estimate for record in records if record.nodes and not record.children]


class Simulation:
    """One run. Sizes of subtrees are known to the simulation, and only estimated by the scheduler."""

    def __init__(self, workers: int, generator: random.Random, shape: Sequence[float] | None) -> None:
        self._workers, self._random = workers, generator
        number = DEFAULT_RUN_POLICY.cubes_per_worker * workers * 2
        mean = HOURS * 3600 * RATE * workers / number
        self._sizes: dict[tuple[int, ...], float] = {}
        cubes: list[Cube] = []
        for k in range(number):
            estimate = mean * generator.uniform(0.2, 1.8)
            wrong = generator.choice(shape) if shape else generator.lognormvariate(-0.5, 1)
            self._sizes[k,] = estimate * wrong
            cubes.append(Cube((k,), estimate=estimate))
        self.total = sum(self._sizes.values())
        self.cubes = 0
        self._speeds = [1 / SLOWNESS if generator.random() < SLOW else 1.0 for _ in range(workers)]
        self._scheduler = CubeScheduler(cubes, workers)

    @property
    def left(self) -> int:
        """The number of cubes that are not searched yet."""
        return len(self._sizes)

    def ideal(self) -> float:
        """Return the time if every worker always searched, and none died."""
        return self.total / RATE / sum(self._speeds)

    def run(self) -> float:
        """Return the time until the last outcome is stored."""
        events: list[tuple[float, int, Cube | None, float]] = [(0.0, k, None, 0.0) for k in range(self._workers)]
        idle: list[int] = []
        now = free = 0.0  # `free`: when the coordinator has handled its messages
        while events:
            time, worker, cube, seconds = heapq.heappop(events)
            now = free = max(time, free) + (MESSAGE if cube is not None else 0.0)
            if cube is not None:
                self._finish(worker, cube, seconds)
            idle.append(worker)
            while idle and self._scheduler:
                heapq.heappush(events, self._start(idle.pop(), now))
        return now

    def _start(self, worker: int, now: float) -> tuple[float, int, Cube, float]:
        cube, seconds = self._scheduler.hand_out(now)
        needed = self._sizes[cube.path] / RATE / self._speeds[worker]
        return now + 2 * LATENCY + min(needed, seconds), worker, cube, seconds

    def _finish(self, worker: int, cube: Cube, seconds: float) -> None:
        self.cubes += 1
        rate = RATE * self._speeds[worker]
        size = self._sizes.pop(cube.path)
        searched = min(size, seconds * rate)
        if self._random.random() < DEATHS * searched / rate:
            self._sizes[cube.path] = size
            self._scheduler.give_back(cube.path)
            return
        left = size - searched
        shares = [self._random.expovariate(1) ** 2 for _ in range(PARTS)] if left > 1 else []
        sizes = [left * share / math.fsum(shares) for share in shares]
        for number, part in enumerate(sizes):
            self._sizes[(*cube.path, number)] = part
        children = tuple(Child(ROOT, max(1.0, part * self._random.lognormvariate(-0.5, 1))) for part in sizes)
        self._scheduler.complete(
            CubeOutcome(cube.path, "", nodes=int(searched), seconds=searched / rate, children=children)
        )


if __name__ == "__main__":
    sys.exit(main())
