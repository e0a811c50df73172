"""The order and the time of cubes, and a forecast of what is left: the part of a coordinator that needs no clock.

Times are arguments, so that a simulation can use the same code.
"""

from __future__ import annotations

import heapq
import math
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from exactcover.control.policy import DEFAULT_RUN_POLICY, RunPolicy
from exactcover.runs.cube import Cube, CubeOutcome, CubePath, pack_path

MAX_ATTEMPTS = 3
"""The number of failed searches after which a cube is set aside."""

MAX_RATE = 1e18
"""The most nodes in a second that a worker may seem to visit, because clocks are coarse."""


@dataclass(frozen=True)
class Forecast:
    """The estimated progress of a run.

    Attributes
    ----------
    share
        The estimated share of the work that is done, from 0 to 1.
    rate
        The number of nodes that one worker visits in a second.
    seconds_left
        The estimated time left, or None if nothing is known yet.
    spread
        The standard error of that time.
    """

    share: float
    rate: float
    seconds_left: float | None
    spread: float | None


class CubeScheduler:
    """The cubes that are open or being searched.

    Unless they are searched in the order of the tree (`in_order`), their order looks random: then those that are done
    are a fair sample, and what they took tells what the others will take.
    """

    def __init__(
        self,
        cubes: Iterable[Cube],
        workers: int,
        *,
        in_order: bool = False,
        done_nodes: int = 0,
        done_seconds: float = 0.0,
        policy: RunPolicy = DEFAULT_RUN_POLICY,
    ) -> None:
        self.workers, self._policy = workers, policy
        self._in_order = in_order
        self._open: list[tuple[int, CubePath, Cube]] = []
        self.searched: dict[CubePath, tuple[Cube, float]] = {}
        self._estimate_open = self._estimate_searched = self._starts = 0.0  # sums over cubes, kept up to date
        self._nodes, self._seconds = done_nodes, done_seconds
        self._pairs = _Pairs()
        for cube in cubes:
            self._push(cube)

    def __bool__(self) -> bool:
        """Return whether there is an open cube."""
        return bool(self._open)

    @property
    def open(self) -> int:
        """The number of open cubes that nobody searches."""
        return len(self._open)

    def first_left(self) -> CubePath | None:
        """Return the first path, in the order of the tree, of a cube that is open or being searched."""
        return min([*self.searched, *(path for _, path, _ in self._open)], default=None)

    def _push(self, cube: Cube) -> None:
        self._estimate_open += cube.estimate
        key = 0 if self._in_order else zlib.crc32(pack_path(cube.path))
        heapq.heappush(self._open, (key, cube.path, cube))

    def hand_out(self, now: float) -> tuple[Cube, float]:
        """Return the next cube, and the seconds after which its worker should divide it."""
        cube = heapq.heappop(self._open)[2]
        self._estimate_open -= cube.estimate
        self._estimate_searched += cube.estimate
        self._starts += now
        self.searched[cube.path] = cube, now
        rate = self.rate
        left = self._nodes_left(now)
        policy = self._policy
        shortest = max(policy.shortest_turn, policy.message_seconds * self.workers)
        seconds = left / rate / (policy.turns_left * self.workers) if rate else shortest
        return cube, min(max(seconds, shortest), policy.longest_turn)

    def complete(self, outcome: CubeOutcome) -> bool:
        """Take an outcome; return False if it is not of a cube that is being searched, such as one that comes twice."""
        if outcome.path not in self.searched:
            return False
        cube = self._take_back(outcome.path)
        self._nodes += outcome.nodes
        self._seconds += outcome.seconds
        left = sum(child.estimate for child in outcome.children)
        self._pairs.add(cube.estimate, outcome.nodes + left)
        for child in outcome.cubes():
            self._push(child)
        return True

    def fail(self, path: CubePath) -> tuple[Cube, bool]:
        """Note that the search of a cube has failed; return the cube, and whether it is set aside for good."""
        cube = self._take_back(path)
        final = cube.attempts + 1 >= MAX_ATTEMPTS
        if not final:
            self._push(replace(cube, attempts=cube.attempts + 1))
        return cube, final

    def give_back(self, path: CubePath) -> None:
        """Note that a cube was not searched, through no fault of its own."""
        self._push(self._take_back(path))

    def _take_back(self, path: CubePath) -> Cube:
        """Return a cube that is not searched any more."""
        cube, start = self.searched.pop(path)
        self._estimate_searched -= cube.estimate
        self._starts -= start
        return cube

    @property
    def rate(self) -> float:
        """The number of nodes that one worker visits in a second, or 0 if that is not known."""
        return min(self._nodes / self._seconds, MAX_RATE) if self._seconds > 0 else 0.0

    def _nodes_left(self, now: float) -> float:
        """Return the estimated number of nodes that have not been visited."""
        estimate = max(0.0, self._estimate_open) + max(0.0, self._estimate_searched)
        return max(estimate * self._pairs.ratio - self._nodes_under_way(now), 0.0)

    def _nodes_under_way(self, now: float) -> float:
        """Return how many nodes have been visited in cubes that are being searched."""
        visited = max(0.0, len(self.searched) * now - self._starts) * self.rate
        return min(visited, max(0.0, self._estimate_searched) * self._pairs.ratio)

    def forecast(self, now: float) -> Forecast:
        """Return how far the run has come."""
        left, rate = self._nodes_left(now), self.rate
        nodes = self._nodes + self._nodes_under_way(now)
        share = nodes / (nodes + left) if nodes + left > 0 else 1.0
        if not rate or (not self._open and not self.searched):
            return Forecast(share, rate, None, None)
        seconds = left / rate / max(1, min(self.workers, len(self._open) + len(self.searched)))
        return Forecast(share, rate, seconds, seconds * self._pairs.error(len(self._open) + len(self.searched)))


class _Pairs:
    """Statistics that compare the real sizes of cubes with their estimates."""

    def __init__(self) -> None:
        self._number = 0
        self._estimates = self._sizes = self._squares = self._products = self._size_squares = 0.0

    def add(self, estimate: float, size: float) -> None:
        self._number += 1
        self._estimates += estimate
        self._sizes += size
        self._squares += estimate * estimate
        self._products += estimate * size
        self._size_squares += size * size

    @property
    def ratio(self) -> float:
        """The size of all cubes together, divided by their estimates."""
        return self._sizes / self._estimates if self._estimates > 0 else 1.0

    def error(self, left: int) -> float:
        """Return the relative standard error of an estimate of this many other cubes."""
        if self._number < 2:
            return 1.0
        ratio = self.ratio
        deviations = self._size_squares - 2 * ratio * self._products + ratio * ratio * self._squares
        variance = max(0.0, deviations) / (self._number - 1)
        mean = self._sizes / self._number
        if mean <= 0:
            return 1.0
        return math.sqrt(variance * (1 / self._number + 1 / max(1, left))) / mean
