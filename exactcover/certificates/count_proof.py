"""Proofs of numbers of solutions: what a count consists of, as steps of a certificate.

A count goes down level by level, and gives up some of its attempts; a proof is written from the top down. So what is
seen of a count is kept, and written when the number is known.

The solver knows how often items may be covered, so clauses are about options alone, and about the colors of items.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from typing import Any, TypeAlias

from exactcover.certificates.writer import DEAD_END, MAX_IN_MEMORY, ONE_SOLUTION, CertificateWriter, NodeSpool
from exactcover.control.options import SearchOptions
from exactcover.control.policy import CountingPolicy
from exactcover.control.stop import Stop, WorkClock
from exactcover.counting.count import Count, CountSetup
from exactcover.counting.direct import CountObserver, DirectCount, Origins, Part
from exactcover.counting.scheduler import Scheduler, TimedTask
from exactcover.engines.base import ENGINES
from exactcover.engines.sat_solver import SatSolver
from exactcover.model.clauses import state_bounds
from exactcover.model.matrix import Matrix, native
from exactcover.model.model import Model
from exactcover.steps.reduction import find_dead_options
from exactcover.steps.step import Lift, StepResult, Weights, compose, drop_costs, find_kept, restrict
from exactcover.steps.weights import find_weights
from exactcover.symmetry.remainders import Remainder, Symmetries
from exactcover.symmetry.splitting import Branch, ChainSplit, ItemSplit, Split

FORCED_CHOICES = {"by": "force"}
"""The step that comes before those of a branch that forces choices; without a remainder there are no others."""

_SECONDS_PER_PROPAGATION = 2e-6  # by the clock of work, which charges about twice the time
_SECONDS_PER_LITERAL = 1e-6  # to begin
_MAX_LITERALS = 1 << 26  # of the clauses and bounds of a problem

_BLOCK = 1 << 20  # bytes of nodes that are copied at once
_SECONDS_BEFORE_CLAUSES = 0.1  # that a count may take without a solution before clauses are learned
_LEAST_TURN = 0.01  # seconds of a count beside them
_MEMORY = 1 << 31  # bytes that a count may hold by default; half of the memory of a machine would depend on it


def describe_split(remainder: Remainder, split: Split, symmetries: Symmetries) -> dict[str, Any]:
    """Return the step for a split; those of its branches follow."""
    items, options = remainder.item_origins, remainder.option_origins
    if isinstance(split, ItemSplit) and split.bounds[0] < split.bounds[1]:
        return {"by": "cases", "item": items[split.item]}
    maps = [
        [(options[k], options[image]) for k, image in enumerate(images) if k != image]
        for images, _ in symmetries.generators()
    ]
    maps = [pairs for pairs in maps if pairs]
    if isinstance(split, ItemSplit):
        return {"by": "symmetry", "item": items[split.item], "maps": maps}
    item = items[split.item] if isinstance(split, ChainSplit) else None
    links = split.links if isinstance(split, ChainSplit) else ((split.first,),)
    return {"by": "orbits", "item": item, "first": [options[first] for first, *_ in links], "maps": maps}


class Refutation:
    """An attempt to prove that a matrix has no solution, which goes on in turns."""

    def __init__(self, matrix: Matrix, stop: Stop) -> None:
        self._matrix, self._stop = matrix, stop
        clauses, bounds, self._colors, self._supports = state_bounds(matrix, stop)
        self._size = len(clauses) + len(bounds)
        self._solver = SatSolver(clauses + self._supports, bounds)
        self.is_refuted: bool | None = None  # None if that is not known yet

    @staticmethod
    def fits(matrix: Matrix) -> bool:
        """Return whether what is needed is installed, and the matrix is not too large."""
        return native is not None and find_spec("pysat") is not None and len(matrix.entries) < _MAX_LITERALS

    @property
    def spent(self) -> float:
        """The seconds that it has taken, about, as a clock of work would charge."""
        return _SECONDS_PER_LITERAL * self._size + _SECONDS_PER_PROPAGATION * self._solver.propagations

    def search_on(self) -> None:
        """Search for a while."""
        is_known, chosen = self._solver.search_on((), 0, self._stop)
        if is_known:
            self.is_refuted = chosen is None

    def write(self, writer: CertificateWriter, items: Sequence[int], options: Sequence[int]) -> None:
        """Write the proof, in the numbers of the items and options of the problem."""
        matrix, poll = self._matrix, self._stop.poll
        arrays = matrix.starts, matrix.entries, matrix.colors
        bounds = matrix.capped_bounds()
        trimmer = native.ClauseTrimmer(matrix.items, matrix.primary, *arrays, *bounds, self._colors, poll)
        trimmer.add(self._supports)
        trimmer.add(self._solver.read_proof(self._stop))
        self.close()
        names = [*options, *range(writer.options, writer.options + len(self._colors))]
        writer.add_step("clauses", colors=[[items[item], color] for item, color in self._colors])
        writer.add_nodes(trimmer.write(items, names))

    def close(self) -> None:
        """Forget everything."""
        self._solver.close()


@dataclass(frozen=True)
class Root:
    """The matrix that is counted; its options are some of a problem's options, in their order."""

    matrix: Matrix  # without costs; its origins are the items of the problem
    origins: Origins  # the part of the problem that it is

    @property
    def items(self) -> list[int]:
        """The item of the problem that each item is."""
        return [self.matrix.origin(item) for item in range(self.matrix.items)]

    @classmethod
    def of(cls, model: Model) -> Root | None:
        """Return the residual problem of the givens of a model; None if these exclude each other."""
        matrix = drop_costs(model.matrix).matrix
        given, without = model.given_positions, model.excluded_positions
        if not given and not without:  # nothing changes, so the matrix need not be made anew
            return cls(matrix, Origins(range(len(matrix)), matrix.primary))
        left = restrict(matrix, given, without)
        kept = find_kept(left.lift, len(left.matrix))
        return None if left.reason is not None else cls(left.matrix, Origins(kept, matrix.primary))


def count_with_proof(
    root: Root,
    writer: CertificateWriter,
    options: SearchOptions,
    stop: Stop,
    policy: CountingPolicy,
    *,
    plain: bool = False,
    hopeless: bool = False,
) -> int:
    """Return the number of solutions, and write the steps that prove it.

    `plain` allows only rules that hold for the quotients of symmetries, too. If a search has shown that there is no
    solution (`hopeless`), more work may be spent on weights.
    """
    plain = plain or bool(root.matrix.rules)  # a checker that merges states would need to know what rules remember
    weigh_seconds = policy.root_patience * policy.seconds_per_entry * len(root.matrix.entries)
    weight_work = policy.weight_work * (policy.second_look if hopeless else 1)
    clock = WorkClock()
    scheduler = Scheduler(stop, clock=clock)
    with closing(_Recorder(options, stop, policy, plain=plain)) as recorder:
        setup = CountSetup(
            recorder.start,
            stop,
            reduce=None if plain else partial(_reduce, work=weight_work, stop=stop),
            weigh=None if plain else partial(find_weights, most_work=weight_work, stop=stop),
            components=not plain,
            symmetry=not plain and native is not None and options.symmetry is not False,
            eager=options.symmetry is True,
            # No other proof is as short as weights, and symmetries take longer to check than to find.
            policy=replace(policy, weigh_seconds=weigh_seconds, glance=1),
            observer=recorder,
        )
        count = Count(root.matrix, setup, root.origins)
        if not plain and _refute(root, count, scheduler, clock, writer, stop):
            return 0
        scheduler.run(count)
        recorder.write(count.root, writer)
        return count.solutions


def _refute(
    root: Root, count: Count, scheduler: Scheduler, clock: WorkClock, writer: CertificateWriter, stop: Stop
) -> bool:
    """Learn clauses while a count goes on and finds no solution; return whether they are the proof, and write it.

    Each of the two has the same share of the work.
    """
    scheduler.run(TimedTask(count, clock.read, _SECONDS_BEFORE_CLAUSES))
    if count.is_done or count.solutions or not Refutation.fits(root.matrix):
        return False
    with closing(Refutation(root.matrix, stop)) as refutation:
        while not count.is_done and not count.solutions and refutation.is_refuted is None:
            ahead = refutation.spent - clock.read()
            if ahead > 0:
                scheduler.run(TimedTask(count, clock.read, max(_LEAST_TURN, ahead)))
            else:
                refutation.search_on()
        if count.is_done or not refutation.is_refuted:
            return False
        refutation.write(writer, root.items, root.origins.options)
        return True


@dataclass(frozen=True)
class _Drops(StepResult):
    """A matrix without options that lead nowhere, and these options, round by round."""

    rounds: Sequence[Sequence[int]] = ()


def _reduce(matrix: Matrix, work: int, stop: Stop) -> StepResult:
    """Look for weights, and leave out options that lead nowhere until there are none."""
    weights = find_weights(matrix, work, stop)
    if weights is not None:
        return StepResult(matrix, tuple, weights)
    lifts, rounds, left = list[Lift](), list[Sequence[int]](), matrix
    while left.first_underfilled() is None and (dead := find_dead_options(left, stop)):
        rounds.append(compose(lifts)(dead))
        smaller = restrict(left, (), dead)
        lifts.append(smaller.lift)
        left = smaller.matrix
    return _Drops(left, compose(lifts), rounds=rounds)


class _RecordedCount(DirectCount):
    """A direct count whose nodes are recorded. Work is its clock, and its memory does not depend on the machine."""

    def __init__(
        self, matrix: Matrix, options: SearchOptions, stop: Stop, policy: CountingPolicy, *, plain: bool
    ) -> None:
        self.spool = NodeSpool(skips_leaves=not plain)
        engine = ENGINES.get("diagram", ENGINES["sets"])
        strategy = SearchOptions(strategy="search" if matrix.rules else options.strategy)
        leaves = engine.leaves(matrix, stop, strategy, policy, self.spool)
        super().__init__(leaves, lambda: options.memory or _MEMORY, policy=policy)

    def close(self) -> None:
        super().close()
        self.spool.close()


_Line: TypeAlias = "dict[str, Any] | range | Part"
"""A step, the range of the last step's nodes in the file of all trees, or a part, whose lines stand here."""


class _Recorder(CountObserver):
    """Keeps the proof of each part, as lines, until it is closed; parameters as for :func:`count_with_proof`."""

    def __init__(self, options: SearchOptions, stop: Stop, policy: CountingPolicy, *, plain: bool) -> None:
        self._start = partial(_RecordedCount, options=options, stop=stop, policy=policy, plain=plain)
        self._file = tempfile.SpooledTemporaryFile(max_size=MAX_IN_MEMORY)  # noqa: SIM115  # closed at the end
        self._spools: list[NodeSpool] = []
        self._reductions: dict[Part, list[_Line]] = {}
        self._lines: dict[Part, list[_Line]] = {}
        self._merged: dict[Part, tuple[Part, Sequence[tuple[int, int]]]] = {}

    def start(self, matrix: Matrix) -> DirectCount:
        """Start a direct count."""
        direct = self._start(matrix)
        self._spools.append(direct.spool)
        return direct

    def close(self) -> None:
        """Forget everything."""
        self._file.close()
        for spool in self._spools:
            spool.close()

    # -- notes ---------------------------------------------------------------------------------

    def note_components(self, part: Part, items: Sequence[Sequence[int]], parts: Sequence[Part]) -> None:
        step = {"by": "parts", "parts": [[part.matrix.origin(item) for item in some] for some in items]}
        self._lines[part] = [step, *parts]

    def note_weights(self, part: Part, weights: Weights) -> None:
        stated = [[part.matrix.origin(item), weight] for item, weight in weights.weights.items()]
        step = {"by": "weights", "weights": stated, "modulus": weights.modulus}
        self._lines[part] = [*self._reductions.get(part, ()), step]

    def note_contradiction(self, part: Part) -> None:
        self._lines[part] = [FORCED_CHOICES]

    def note_reduction(self, part: Part, result: StepResult) -> None:
        if isinstance(result.reason, Weights):
            self.note_weights(part, result.reason)
            return
        assert isinstance(result, _Drops)
        options = part.remainder.option_origins if part.origins is None else part.origins.options
        self._reductions[part] = [{"by": "drop", "options": [options[k] for k in dead]} for dead in result.rounds]

    def note_split(self, part: Part, split: Split, branches: Sequence[tuple[Branch, Part | None]]) -> None:
        assert part.symmetries is not None
        lines: list[_Line] = [describe_split(part.remainder, split, part.symmetries)]
        if part.origins is not None:  # the remainder of the whole is without what is forced
            lines.insert(0, FORCED_CHOICES)
        for branch, child in branches:
            lines += [FORCED_CHOICES] if branch.forces else []
            lines += [] if child is None else [child]
        self._lines[part] = lines

    def note_merge(self, part: Part, kept: Part) -> None:
        orders = []
        for one in (part, kept):
            assert one.symmetries is not None
            orders.append([one.remainder.option_origins[k] for k in one.symmetries.found.option_order()])
        self._merged[part] = kept, list(zip(*orders, strict=True))

    def note_end(self, part: Part) -> None:
        self._lines[part] = [*self._reductions.get(part, ()), *self._describe_end(part)]

    def _describe_end(self, part: Part) -> list[_Line]:
        """Return the lines for a part that is counted directly, or has no items left."""
        underfilled = part.matrix.first_underfilled()
        if underfilled is not None:
            return [{"by": "search", "items": [part.matrix.origin(underfilled[0])]}, self._add_nodes(DEAD_END)]
        if not part.is_begun:
            return [{"by": "search", "items": []}, self._add_nodes(ONE_SOLUTION)]
        direct = part.direct
        assert isinstance(direct, _RecordedCount)
        items, way = [*map(part.matrix.origin, range(part.matrix.items))], direct.leader
        if way is not None and way.rule == "sweep":
            return [{"by": "sweep", "items": [items[item] for item in way.item_order()], "states": way.nodes}]
        if way is not None and way.rule == "memo":
            return [{"by": "memo", "states": way.nodes}]
        start = self._file.tell()
        direct.spool.copy_to(self._file)  # type: ignore[arg-type]
        return [{"by": "search", "items": items}, range(start, self._file.tell())]

    def _add_nodes(self, nodes: bytes) -> range:
        start = self._file.tell()
        self._file.write(nodes)
        return range(start, start + len(nodes))

    # -- the proof -----------------------------------------------------------------------------

    def write(self, root: Part, writer: CertificateWriter) -> None:
        """Write the lines of the whole, with those of its parts in their places."""
        referred = {kept for kept, _ in self._merged.values()}
        numbers: dict[Part, int] = {}
        waiting: list[_Line] = [root]
        while waiting:
            line = waiting.pop()
            if isinstance(line, Part):
                waiting += reversed(self._lines_of(line, referred, numbers))
            elif isinstance(line, range):
                self._file.seek(line.start)
                for start in line[::_BLOCK]:
                    writer.add_nodes(self._file.read(min(_BLOCK, line.stop - start)))
            else:
                writer.add_step(**line)

    def _lines_of(self, part: Part, referred: Collection[Part], numbers: dict[Part, int]) -> list[_Line]:
        """Return the lines of a part; parts that others refer to are numbered in the order of their proofs."""
        if part in self._merged:
            kept, pairs = self._merged[part]
            return [{"by": "same", "kept": numbers[kept], "map": [pair for pair in pairs if pair[0] != pair[1]]}]
        lines = self._lines.get(part, [])  # none of a component that was not counted, because another has no solution
        if part in referred:
            numbers[part] = len(numbers)
            return [{"by": "keep"}, *lines]
        return lines
