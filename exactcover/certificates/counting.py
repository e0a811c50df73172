"""Proofs of numbers of solutions.

What is independent is counted apart. Weights, options that lead nowhere, and symmetries are used where that pays.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactcover.certificates.refutation import Refutation
from exactcover.certificates.splits import add_branch, add_split
from exactcover.certificates.writer import CertificateWriter, NodeSpool
from exactcover.control.clock import WorkClock
from exactcover.control.options import SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop
from exactcover.counting.direct import Attempt, DirectCount
from exactcover.counting.scheduler import Scheduler
from exactcover.engines.registry import ENGINES
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.steps.order import drop_costs
from exactcover.steps.rebuild import rebuild
from exactcover.steps.reduction import find_dead_options, is_much_smaller
from exactcover.steps.restriction import restrict
from exactcover.steps.step import find_kept
from exactcover.steps.weights import find_weights
from exactcover.symmetry.remainders import (
    Remainder,
    Symmetries,
    find_symmetries,
    has_native_code,
    make_matrix,
    make_remainder,
)
from exactcover.symmetry.splitting import Split, find_split

__all__ = ["CountProver", "Part"]

_SECONDS_PER_ENTRY = 1e-6  # to make a part, and to find that it has no symmetries
_SECONDS_WITHOUT_WEIGHTS = 0.3  # that a count of a part may take before weights are looked for,
_FEW_ENTRIES = 1000  # unless the part is small
_SECONDS_BEFORE_CLAUSES = 0.1  # that a count may take without a solution before clauses are learned
_LEAST_TURN = 0.01  # seconds of a count beside them
_MEMORY = 1 << 31  # bytes that a count may hold by default; half of the memory of a machine would depend on it


@dataclass(frozen=True)
class Part:
    """A part of a problem: a matrix whose options are some of the problem's options, in their order.

    Attributes
    ----------
    matrix
        The matrix, without costs. Its origins are the items of the problem.
    options
        The position in the problem of each option.
    primary
        How many primary items the problem has, with those that were added by splits.
    remainder
        The same in C++, if a split has made it.
    """

    matrix: Matrix
    options: Sequence[int]
    primary: int
    remainder: Remainder | None = None

    @classmethod
    def whole(cls, model: Model) -> Part | None:
        """Return the part of all options that the givens of a model leave; None if these exclude each other."""
        matrix = drop_costs(model.matrix).matrix
        whole = cls(matrix, range(len(matrix)), matrix.primary)
        given, without = model.given_positions, model.excluded_positions
        return whole.restrict(given, without) if given or without else whole

    @classmethod
    def of(cls, remainder: Remainder) -> Part:
        """Return a part that a split has made."""
        return cls(make_matrix(remainder), remainder.option_origins, remainder.origin_primary, remainder)

    def make_remainder(self, stop: Stop) -> Remainder:
        """Return the part as a remainder of the problem."""
        if self.remainder is not None:
            return self.remainder
        items = self.origins(range(self.matrix.items))
        return make_remainder(self.matrix, stop).with_origins(items, self.options, self.primary)

    def restrict(self, given: Collection[int], without: Collection[int]) -> Part | None:
        """Return what is left when options are chosen and others removed; None if those exclude each other."""
        left = restrict(self.matrix, given, without)
        kept = [self.options[k] for k in find_kept(left.lift, len(left.matrix))]
        return None if left.reason is not None else Part(left.matrix, kept, self.primary)

    def keep(self, items: Sequence[int]) -> Part:
        """Return the part that consists of these items and their options."""
        number = {item: place for place, item in enumerate(sorted(items))}
        options = [k for k in range(len(self.matrix)) if self.matrix.entries[self.matrix.starts[k]] in number]
        return Part(rebuild(self.matrix, options, number), [self.options[k] for k in options], self.primary)

    def origins(self, items: Sequence[int]) -> list[int]:
        """Return the items of the problem."""
        return [self.matrix.origin(item) for item in items]


class CountProver:
    """Counts solutions, and writes the proof.

    Parameters
    ----------
    writer
        The certificate.
    options
        How to count: `strategy`, `memory` and `symmetry` matter.
    stop
        Polled often.
    policy
        Which split pays.
    splits
        Whether independent parts may be counted apart.
    hopeless
        Whether there is no solution, as far as is known. Then clauses are learned instead of symmetries used.
    """

    def __init__(
        self,
        writer: CertificateWriter,
        options: SearchOptions,
        stop: Stop,
        policy: CountingPolicy = DEFAULT_POLICY,
        *,
        splits: bool = True,
        hopeless: bool = False,
    ) -> None:
        self._writer, self._options, self._stop, self._splits = writer, options, stop, splits
        self.policy = policy
        self._uses_symmetry = has_native_code() and options.symmetry is not False
        self._may_weigh = self._may_drop = self._may_learn = splits
        self._is_hopeless = hopeless

    def count(self, part: Part) -> int:
        """Return the number of solutions of a part, and write the steps that prove it."""
        self._stop.poll()
        underfilled = part.matrix.first_underfilled()
        if underfilled is not None:
            self._writer.add_dead_end(part.matrix.origin(underfilled[0]))
            return 0
        used = {*part.matrix.entries}
        components = [items for items in part.matrix.components() if items[0] in used]
        if len(components) > 1 and self._splits:
            self._writer.add_step("parts", parts=[part.origins(items) for items in components])
            return math.prod([self.count(part.keep(items)) for items in components])
        return self._count_connected(part)

    def _count_connected(self, part: Part) -> int:
        direct = _DirectCount(part, self._options, self._stop, skips_leaves=self._splits)
        try:
            patience = _SECONDS_PER_ENTRY * len(part.matrix.entries)
            eager = self._options.symmetry is True
            split = symmetries = remainder = None
            if not eager:
                direct.attempt(patience)
            is_small = not direct.is_done and len(part.matrix.entries) <= _FEW_ENTRIES
            if self._may_weigh and not direct.solutions and (is_small or direct.may_be_hopeless) and self._weigh(part):
                return 0
            if self._may_drop and direct.may_be_hopeless and not direct.is_done:
                smaller = self._drop_dead_options(part)
                if smaller is not None:
                    return self.count(smaller)
            if self._is_hopeless and not direct.is_done and self._refute(part, direct):
                return 0
            if self._uses_symmetry and not direct.is_done:
                remainder = part.make_remainder(self._stop)
                symmetries = find_symmetries(remainder, self._stop, most_work=self._limit_work(remainder.entries))
                split = find_split(remainder, symmetries, policy=self.policy)
            if symmetries is not None and split is not None:
                while not eager and not direct.is_done and not direct.is_slower_than(split, patience):
                    direct.attempt(direct.spent)
                if not direct.is_done:
                    return self._count_split(split, remainder, symmetries)
            if not direct.is_done and self._refute(part, direct):
                return 0
            direct.finish()
            return direct.write(self._writer)
        finally:
            direct.close()

    def _weigh(self, part: Part) -> bool:
        """Write a proof by weights that the whole problem has no solution; return whether there is one."""
        self._may_weigh = False  # parts are small, or have no other weights
        work = self.policy.weight_work * (self.policy.second_look if self._is_hopeless else 1)
        found = find_weights(part.matrix, work, self._stop)
        if found is None:
            return False
        weights = [[part.matrix.origin(item), weight] for item, weight in found.weights.items()]
        self._writer.add_step("weights", weights=weights, modulus=found.modulus)
        return True

    def _refute(self, part: Part, direct: _DirectCount) -> bool:
        """Learn clauses while the direct count goes on and finds no solution; return whether they prove that none is.

        Each of the two has the same share of the time.
        """
        if not self._may_learn or direct.solutions or not Refutation.fits(part.matrix):
            return False
        direct.attempt(_SECONDS_BEFORE_CLAUSES)
        refutation = None
        try:
            while not direct.is_done and not direct.solutions:
                if refutation is None:
                    refutation = Refutation(part.matrix, self._stop)
                if refutation.spent > direct.spent:
                    direct.attempt(max(_LEAST_TURN, refutation.spent - direct.spent))
                    continue
                refutation.search_on()
                if refutation.is_refuted is not None:
                    break
            if refutation is None or not refutation.is_refuted:
                return False
            items = part.origins(range(part.matrix.items))
            refutation.write(self._writer, items, part.options)
            return True
        finally:
            if refutation is not None:
                refutation.close()

    def _drop_dead_options(self, part: Part) -> Part | None:
        """Write that some options lead nowhere; return what is left, or None if that is not much smaller."""
        dead = find_dead_options(part.matrix, self._stop)
        left = part.restrict((), dead) if dead else None
        if left is None or not is_much_smaller(left.matrix, part.matrix):
            self._may_drop = False
            return None
        self._writer.add_step("drop", options=[part.options[k] for k in dead])
        return left

    def _limit_work(self, entries: int) -> int:
        """Return how many edges the search for symmetries may visit."""
        return self.policy.eager_work if self._options.symmetry else self.policy.work_per_entry * (1 + entries)

    def _count_split(self, split: Split, remainder: Remainder, symmetries: Symmetries) -> int:
        """Count the cases of a split, and write the step that adds them up."""
        add_split(self._writer, remainder, split, symmetries)
        number = Fraction(0)
        for branch in split.branches(remainder, symmetries):
            add_branch(self._writer, branch)
            if branch.remainder is not None:
                number += branch.weight * self.count(Part.of(branch.remainder))
        if number.denominator != 1:
            raise AssertionError("the cases of a split do not add up to a whole number")
        return int(number)


class _DirectCount:
    """A direct count of a part, which goes on in turns and records what it does.

    Work is its clock, and its memory does not depend on the machine, so the proof is always the same.
    """

    def __init__(self, part: Part, options: SearchOptions, stop: Stop, *, skips_leaves: bool) -> None:
        self._part, self._nodes = part, NodeSpool(skips_leaves=skips_leaves)
        self._scheduler = Scheduler(stop, clock=WorkClock())
        engine = ENGINES.get("diagram", ENGINES["sets"])
        leaves = engine.leaves(part.matrix, stop, SearchOptions(strategy=options.strategy), DEFAULT_POLICY, self._nodes)
        self._direct = DirectCount(leaves, lambda: options.memory or _MEMORY)

    def attempt(self, seconds: float) -> bool:
        """Go on for about this long; return whether the count is done."""
        self._scheduler.run(Attempt(self._direct, seconds))
        return self.is_done

    @property
    def is_done(self) -> bool:
        """Whether the count is done."""
        return self._direct.is_done

    @property
    def spent(self) -> float:
        """The seconds spent so far."""
        return self._direct.spent

    @property
    def solutions(self) -> int:
        """The number of solutions, or a lower bound of it."""
        return self._direct.solutions

    def finish(self) -> None:
        """Count to the end."""
        self._scheduler.run(self._direct)

    @property
    def may_be_hopeless(self) -> bool:
        """Whether there is no solution, as it seems, or it takes long to know."""
        return not self.solutions if self.is_done else self._seconds_left() > _SECONDS_WITHOUT_WEIGHTS

    def _seconds_left(self) -> float:
        explored = self._direct.explored()
        return self.spent / explored - self.spent if explored > 0 else math.inf

    def is_slower_than(self, split: Split, seconds: float) -> bool:
        """Return whether it seems to be faster to count by orbits, if each child takes this long to begin."""
        left = self._seconds_left()
        return left > split.children * seconds + left / split.gain

    def write(self, writer: CertificateWriter) -> int:
        """Write the proof; return the number of solutions."""
        items = self._part.origins(range(self._part.matrix.items))
        swept = None if self._direct.leader is None else self._direct.leader.swept()
        if swept is None:
            writer.add_tree(items, self._nodes)
        else:
            writer.add_step("sweep", items=[items[item] for item in swept])
        return self._direct.solutions

    def close(self) -> None:
        self._direct.close()
        self._nodes.close()
