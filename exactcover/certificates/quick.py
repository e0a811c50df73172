"""The checker with its large steps in C++: ``python -m exactcover.certificates.quick FILE``.

Trees and sweeps are checked in C++, if they are those of a number of solutions; all else by :mod:`check` itself.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator

import exactcover._native as _native
from exactcover.certificates.check import NotCertifiedError, Problem, Proof, State, Step, main, read_numbers

__all__ = ["QuickProof"]


class _Nodes(Iterator[int]):
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
    """A proof whose trees and sweeps are checked in C++."""

    def __init__(self, problem: Problem, steps: list[Step], nodes: bytes, *, lists: bool) -> None:
        super().__init__(problem, steps, nodes, lists=lists)
        self.nodes = self._places = _Nodes(nodes)
        starts, entries, colors = array("q", [0]), array("i"), array("i")
        for row in problem.rows:
            entries.extend(row)
            colors.extend(row.values())
            starts.append(len(entries))
        self._replay = _native.Replay(problem.items, problem.primary, starts, entries, colors)

    @property
    def visited(self) -> int:
        """How many nodes and states were visited in C++."""
        return self._replay.visited()

    @property
    def _is_plain(self) -> bool:
        """Whether options are chosen one by one, and only the number of solutions matters."""
        return not self.lists and self.problem.leaders is self.problem.holders

    def _to_bytes(self, state: State) -> bytes:
        return state.live.to_bytes(max(1, -(-len(self.problem.rows) // 64)) * 8, "little")

    def by_search(self, root: State, step: Step) -> int:
        """Walk along a tree."""
        if not self._is_plain:
            return super().by_search(root, step)
        try:
            found = self._replay.walk(
                self._to_bytes(root), root.needs, step["items"], self._places.data, self._places.place
            )
        except _native.NotCertifiedError as error:
            raise NotCertifiedError(str(error)) from None
        if found is None:  # a node refers to another step
            return super().by_search(root, step)
        number, self._places.place = found
        return number

    def by_sweep(self, root: State, step: Step) -> int:
        """Cover items in a fixed order, and merge equal states."""
        if not self._is_plain:
            return super().by_sweep(root, step)
        try:
            total = self._replay.sweep(self._to_bytes(root), root.needs, step["items"])
        except _native.NotCertifiedError as error:
            raise NotCertifiedError(str(error)) from None
        return int.from_bytes(total, "little")


if __name__ == "__main__":
    sys.exit(main(QuickProof))
