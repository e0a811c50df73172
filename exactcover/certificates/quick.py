"""The checker with its large steps in C++: ``python -m exactcover.certificates.quick FILE``.

Trees, sweeps and memos are checked in C++, if they are about a number of solutions or about costs; all else by
:mod:`check` itself.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO

import exactcover._native as _native
from exactcover.certificates.check import NotCertifiedError, Problem, Proof, State, Step, main, read_numbers


class _NodeNumbers(Iterator[int]):
    """The numbers of all trees, with the place of the next one."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def __next__(self) -> int:
        end = self.place
        while end < len(self.data) and self.data[end] > 127:
            end += 1
        number = next(read_numbers(self.data[self.place : end + 1]))
        self.place = end + 1
        return number


class QuickProof(Proof):
    """A proof whose trees, sweeps and memos are checked in C++."""

    poll: Callable[[], object] | None = None  # called often in C++; an exception that it raises ends the check

    def __init__(self, problem: Problem, steps: list[Step], nodes: IO[bytes], *, lists: bool) -> None:
        super().__init__(problem, steps, nodes, lists=lists)
        self.nodes = self._places = _NodeNumbers(b"".join(iter(lambda: nodes.read(1 << 20), b"")))
        self._checked, self._plain_checker = problem, self._make_checker(range(len(problem.rows)))
        self._visits = 0  # of checkers that are not used any more

    @property
    def visited(self) -> int:
        """The number of nodes and states visited in C++."""
        return self._plain_checker.visited() + self._visits

    @property
    def _checker(self) -> _native.ProofChecker:
        """The checker in C++ of the problem as it stands, to which steps may have added items."""
        if self._checked is not self.problem:
            self._visits += self._plain_checker.visited()
            self._checked = self.problem
            self._plain_checker = self._make_checker(range(len(self.problem.rows)))
        return self._plain_checker

    @property
    def _is_plain(self) -> bool:
        """True if options are chosen one by one, and only the number of solutions matters."""
        is_single = self.problem.leaders is self.problem.holders
        return not self.lists and is_single and not self.problem.rules

    def by_search(self, root: State, step: Step) -> int:
        """Walk along a tree."""
        if not self._is_plain:
            return self._walk_priced(root, step) if self._has_small_costs(root) else super().by_search(root, step)
        nodes, place, items = self._places.data, self._places.place, self.problem.check_items(step["items"])
        with _verdicts():
            found = self._checker.walk(_to_bytes(root.live, self.problem), root.needs, items, nodes, place)
        if found is None:  # a node refers to another step
            return super().by_search(root, step)
        number, self._places.place = found
        return number

    def _has_small_costs(self, root: State) -> bool:
        """Return whether costs fit into 64 bits, and prices are such that C++ can check them."""
        if self.problem.ceiling is None:
            return False
        prices, scale, rest, _ = self.problem.pricing
        low = {item: self.problem.bounds(root, item)[0] for item in prices}
        total = sum(abs(price) * (1 + low[item]) for item, price in prices.items())
        total += scale * (1 + self.problem.ceiling + sum(self.problem.values)) + sum(map(abs, rest))
        are_simple = all(
            item < self.problem.primary and (price >= 0 or len({*root.needs[item]}) == 1)
            for item, price in prices.items()
        )
        return total < 1 << 60 and are_simple

    def _walk_priced(self, root: State, step: Step) -> int:
        """Walk along the tree of a claim about costs; options are numbered by what they cost, less their prices."""
        prices, scale, rest, most = self.problem.pricing
        order = sorted(range(len(rest)), key=rest.__getitem__)
        checker = self._make_checker(order)
        live = sum(1 << place for place, option in enumerate(order) if root.live >> option & 1)
        with _verdicts():
            found = checker.walk_priced(
                _to_bytes(live, self.problem),
                root.needs,
                self.problem.check_items(step["items"]),
                self._places.data,
                self._places.place,
                [rest[option] for option in order],
                [prices.get(item, 0) for item in range(self.problem.primary)],
                self.problem.left(root),
                most,
            )
        if found is None:
            return super().by_search(root, step)
        left, self._places.place = found
        self._visits += checker.visited()
        assert self.problem.ceiling is not None
        self.solutions += [self.problem.ceiling - 1 - one // scale for one in left]
        return len(left)

    def by_sweep(self, root: State, step: Step) -> int:
        """Cover items in a fixed order, and merge equal states."""
        if not self._is_plain:
            return super().by_sweep(root, step)
        with _verdicts():
            items = self.problem.check_items(step["items"])
            total = self._checker.sweep(_to_bytes(root.live, self.problem), root.needs, items)
        return int.from_bytes(total, "little")

    def by_memo(self, root: State, step: Step) -> int:
        """Search, count parts apart, and count equal states once."""
        if not self._is_plain:
            return super().by_memo(root, step)
        with _verdicts():
            total = self._checker.memo(_to_bytes(root.live, self.problem), root.needs)
        return int.from_bytes(total, "little")

    def _make_checker(self, order: Sequence[int]) -> _native.ProofChecker:
        """Return the checker in C++, with the options of the problem in this order."""
        problem, starts, entries, colors = self.problem, array("q", [0]), array("i"), array("i")
        for option in order:
            entries.extend(problem.rows[option])
            colors.extend(problem.rows[option].values())
            starts.append(len(entries))
        return _native.ProofChecker(problem.items, problem.primary, starts, entries, colors, self.poll)


def _to_bytes(live: int, problem: Problem) -> bytes:
    return live.to_bytes(max(1, -(-len(problem.rows) // 64)) * 8, "little")


@contextmanager
def _verdicts() -> Iterator[None]:
    """Raise the errors of the checker in C++ as those of :mod:`check`."""
    try:
        yield
    except _native.NotCertifiedError as error:
        raise NotCertifiedError(str(error)) from None


if __name__ == "__main__":
    sys.exit(main(QuickProof))
