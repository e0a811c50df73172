"""The work on one cube, which any process can do that has the package: a function from a task to an outcome.

A cube that takes longer than its time is divided: the outcome counts what was searched, and names what is left.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import socket
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from exactcover.control.memory import half_of_free_memory, resident_memory
from exactcover.control.policy import DEFAULT_RUN_POLICY, RunPolicy
from exactcover.control.recorder import NodeBuffer, Observers
from exactcover.control.stop import InnerStop, Stop
from exactcover.counting.direct import SubtreeCount
from exactcover.engines.base import ENGINES
from exactcover.engines.cursor import Cursor, Subtree
from exactcover.engines.leaves import SearchLeaf
from exactcover.errors import EngineUnavailableError
from exactcover.runs.cube import (
    MAX_NODES,
    Child,
    Cube,
    CubeOutcome,
    mark_subtree,
    pack_nodes,
    pack_solutions,
    sum_digests,
)
from exactcover.runs.run_problem import SearchProblem

PROBES = 16
"""Random paths from which the size of a subtree is estimated."""

_LOOK = 0.02  # seconds between two looks at the time and the flag
_MAX_LISTED = 1 << 17  # solutions in one outcome, about


@dataclass(frozen=True)
class CubeTask:
    """A cube, and everything that is needed to search it in another process."""

    cube: Cube
    problem: bytes = field(repr=False)  # a SearchProblem, pickled and compressed
    engine: str
    listing: bool = False  # whether solutions are listed, not only counted
    cheapest: int = 0  # the number of cheapest solutions that are wanted; 0 for all solutions
    ceiling: int | None = None  # the cost that they must stay below
    seconds: float = 30.0  # after which the search ends and the cube is divided
    timeout: float | None = None  # seconds after which the search of the cube fails
    memory: int | None = None  # bytes after which it fails
    flag: str = ""  # a file whose existence asks for the cube, see coordinator.Flag; or an empty text
    policy: RunPolicy = DEFAULT_RUN_POLICY  # decides which searches are worth dividing


def search_cube(task: CubeTask, is_requested: Callable[[], bool] | None = None) -> CubeOutcome:
    """Search a cube, until its flag exists or `is_requested` says so; return what was found and what is left.

    Raise ``Stopped`` if the cube exceeds its timeout or its memory.
    """
    stop = Stop(task.timeout, task.memory)
    loaded = _load(task.problem, task.engine, stop)
    is_requested = is_requested or partial(os.path.exists, task.flag)
    return _CubeSearch(task, is_requested, loaded, stop).run()


class _CubeSearch:
    """The search of one cube."""

    def __init__(self, task: CubeTask, is_requested: Callable[[], bool], loaded: _Loaded, stop: Stop) -> None:
        self._task, self._is_requested, self._stop = task, is_requested, stop
        self._problem, self._search, self._buffer = loaded.problem, loaded.search, loaded.nodes
        if self._buffer is not None:
            self._buffer.take()  # those of a search that failed
        self._start_time, self._start_nodes = time.perf_counter(), self._search.nodes
        self._start_solutions = self._search.solutions
        self._listed, self._digest, self._blocks = 0, 0, list[bytes]()
        self._other_count = self._other_nodes = 0  # what ways besides the search have found and visited

    @property
    def _seconds(self) -> float:
        return time.perf_counter() - self._start_time

    @property
    def _nodes(self) -> int:
        return self._search.nodes - self._start_nodes + self._other_nodes

    @property
    def _solutions(self) -> int:
        return self._search.solutions - self._start_solutions + self._other_count

    def run(self) -> CubeOutcome:
        """Search until nothing is left, or the time is over."""
        rest = self._search_cheapest() if self._task.cheapest else self._search_all(self._begin())
        tree = b"" if self._buffer is None else pack_nodes(self._buffer)
        children = tuple(Child(subtree, estimate_nodes(self._search, subtree)) for subtree in rest)
        return CubeOutcome(
            self._task.cube.path,
            mark_subtree(self._task.cube.subtree),
            self._listed if self._task.cheapest else self._solutions,
            self._nodes,
            self._seconds,
            children,
            self._digest % (1 << 128),
            tuple(self._blocks),
            name_worker(),
            resident_memory(),
            tree,
        )

    def _take(self) -> None:
        """Take what was found, and pack it at once, so that a cube can be handed back at any moment."""
        listed = [self._problem.lift(solution) for solution in self._search.take()]
        self._listed += len(listed)
        self._digest += sum_digests(listed)
        self._blocks += pack_solutions(listed)

    def _begin(self) -> list[Subtree]:
        """Search a part of the cube at least, so that every cube makes progress; return its remaining subtrees."""
        subtree = self._task.cube.subtree
        if not self._problem.any_way or self._task.listing:
            return self._search_subtree(subtree)
        leaf = SearchLeaf(lambda: self._search, subtree)
        count = SubtreeCount(self._problem.matrix, subtree, leaf, self._find_memory, self._stop)
        while count.advance(_LOOK) and not self._must_end():
            if self._is_over() and count.is_led_by_search:
                break
        self._other_nodes = count.nodes - leaf.nodes
        found, rest = count.end()
        self._other_count = found - leaf.total()
        return rest

    def _find_memory(self) -> int:
        """Return about how many bytes ways beside the search may hold; all processors may hold as much."""
        return self._task.memory or half_of_free_memory() // (os.cpu_count() or 1)

    def _search_all(self, todo: list[Subtree]) -> list[Subtree]:
        """Search subtrees in the order of the tree; return those that are left."""
        while todo and not (self._is_over() and self._is_large(todo[0])):
            todo[:0] = self._search_subtree(todo.pop(0))
        return todo

    def _search_subtree(self, subtree: Subtree) -> list[Subtree]:
        """Search a subtree; return its remaining subtrees."""
        begun = self._seconds
        self._search.begin(subtree)
        more, rest = True, list[Subtree]()
        while more:
            more = self._search.advance(listing=self._task.listing)
            if self._task.listing:
                self._take()
            is_small = self._seconds - begun <= self._task.policy.small_subtree
            if more and self._is_over() and (self._must_end() or not is_small):
                rest = [left for level in reversed(self._search.divide()) for left in level]
                self._take()
                break
        return rest

    def _is_over(self) -> bool:
        """Return whether it is time to divide the cube."""
        return self._seconds > self._task.seconds or self._must_end()

    def _must_end(self) -> bool:
        """Return whether even small subtrees have to be handed back."""
        late = self._seconds > self._task.seconds + self._task.policy.late_seconds
        return late or self._listed >= _MAX_LISTED or self._is_requested()

    def _is_large(self, subtree: Subtree) -> bool:
        """Return whether a subtree is worth an own cube."""
        if self._must_end():
            return True
        small = self._task.policy.small_subtree * self._nodes / max(self._seconds, 1e-9)
        return estimate_nodes(self._search, subtree) > small

    def _search_cheapest(self) -> list[Subtree]:
        """Search for the cheapest solutions; if the time is over, return all parts of the cube."""
        subtree = self._task.cube.subtree
        self._search.begin(subtree, self._task.cheapest, self._task.ceiling)
        while self._search.advance():
            if self._is_over():
                self._take()
                return self._search.children(subtree)
        self._take()
        return []


def name_worker() -> str:
    """Return the name of this process."""
    return f"{socket.gethostname()}:{os.getpid()}"


def estimate_nodes(search: Cursor, subtree: Subtree, probes: int = PROBES) -> float:
    """Return the estimated number of nodes of a subtree, at least 1 and at most :data:`MAX_NODES`."""
    total = 0.0
    for seed in range(probes):
        share = 1.0
        for children, nodes, _ in search.probe(subtree, seed):
            share *= children
            total += share * nodes
    return min(max(1.0, total / probes), MAX_NODES)


def make_search(engine: str, problem: SearchProblem, stop: Stop, nodes: NodeBuffer | None = None) -> Cursor:
    """Return a search of subtrees, which keeps the nodes that it visits in a buffer, if there is one.

    Raise ``EngineUnavailableError`` if the engine is not installed here, or cannot divide a search.
    """
    if engine not in ENGINES or not ENGINES[engine].divides:
        raise EngineUnavailableError(
            f"the engine {engine!r} is not installed on this worker, or cannot search cubes of this problem"
        )
    return ENGINES[engine].cursor(problem.matrix, stop, observers=Observers(log=nodes))


class _CurrentStop(InnerStop):
    """The stop of the task under way, behind one object that a search can keep."""

    def replace(self, stop: Stop) -> None:
        self._outer, self._requested = stop, None


class _Loaded(threading.local):
    """The problem that this thread searched last, because loading takes longer than many a cube."""

    key: tuple[str, str] | None = None
    problem: SearchProblem
    search: Cursor
    nodes: NodeBuffer | None
    stop: _CurrentStop


_loaded = _Loaded()


def _load(data: bytes, engine: str, stop: Stop) -> _Loaded:
    """Return the problem and a search of it, which are kept until another problem comes."""
    key = hashlib.sha256(data).hexdigest(), engine
    if _loaded.key != key:
        _loaded.key = None
        _loaded.stop = _CurrentStop(stop)
        _loaded.problem = pickle.loads(zlib.decompress(data))
        _loaded.nodes = NodeBuffer() if _loaded.problem.records else None
        _loaded.search = make_search(engine, _loaded.problem, _loaded.stop, _loaded.nodes)
        _loaded.key = key
    _loaded.stop.replace(stop)
    return _loaded
