"""Cliques: options of which any two exclude each other, so that a solution contains at most one of them.

The relaxation contains parts of options that add up to more. An item that the options of such a clique have in common
forbids that, and changes no solution; it has a price like others, so that bounds become better.

References
----------
K. L. Hoffman, M. Padberg, "Solving airline crew scheduling problems by branch-and-cut", *Management Science* 39 (1993).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy

from exactcover.control.stop import Stop
from exactcover.engines.relaxation import Relaxation
from exactcover.engines.splits import WHOLE
from exactcover.model.matrix import Matrix
from exactcover.steps.rebuild import extend
from exactcover.steps.slack import add_slack

__all__ = ["Conflicts", "add_cliques", "find_tight_cliques", "tighten"]

_ROUNDS = 20  # of cliques, each with a solution of the relaxation
_LEAST_EXCESS = 0.02  # of what a clique adds up to
_BEGINNINGS = 4  # of cliques that contain an option
_MOST_OVERLAP = 0.7  # of a clique with another one that is taken
_LEAST_GAIN = 0.01  # of what the rounds before have gained


class Conflicts:
    """Which options of a matrix exclude each other; sets of options are the bits of numbers."""

    def __init__(self, matrix: Matrix, stop: Stop) -> None:
        self._matrix, self._stop = matrix, stop
        self._all = (1 << len(matrix)) - 1
        self._holders, self._colored = [0] * matrix.items, dict[tuple[int, int], int]()
        for item, held in enumerate(matrix.holders(stop)):
            if item >= matrix.primary or matrix.bounds(item)[1] == 1:
                self._holders[item] = self._collect(option for option, _ in held)
            for color in {color for _, color in held if color}:
                self._colored[item, color] = self._collect(option for option, other in held if other == color)
        self._rivals: dict[int, int] = {}

    def _collect(self, options: Iterable[int]) -> int:
        """Return a set of options."""
        chosen = numpy.zeros(len(self._matrix), bool)
        chosen[list(options)] = True
        return int.from_bytes(numpy.packbits(chosen, bitorder="little").tobytes(), "little")

    def find_rivals(self, option: int) -> int:
        """Return the options that exclude an option, without itself."""
        if option not in self._rivals:
            rivals = 0
            for item, color in self._matrix.option(option):
                rivals |= self._holders[item] & ~self._colored.get((item, color), 0)
            self._rivals[option] = rivals & ~(1 << option)
        return self._rivals[option]

    def find_cliques(self, shares: Sequence[float]) -> list[list[int]]:
        """Return cliques of which a solution of the relaxation contains more than one option, the worst first.

        Parameters
        ----------
        shares
            How much of each option it contains.

        Raises
        ------
        Stopped
            If the stop asks for it.
        """
        parts = [option for option, share in enumerate(shares) if share > WHOLE]
        parts.sort(key=lambda option: -shares[option])
        some, found = self._collect(parts), dict[frozenset[int], float]()
        for first in self._stop.watch(parts):
            rivals = self.find_rivals(first) & some
            others = [option for option in parts if rivals >> option & 1]
            for second in others[:_BEGINNINGS]:
                clique = [first, *self._extend([second, *others], rivals)]
                total = sum(shares[option] for option in clique)
                if total > 1 + _LEAST_EXCESS:
                    found[frozenset(clique)] = total
        taken: list[frozenset[int]] = []
        for one in sorted(found, key=lambda one: (-found[one], sorted(one))):
            if all(len(one & other) <= _MOST_OVERLAP * len(one) for other in taken):
                taken.append(one)
        return [self._complete(one) for one in taken]

    def _extend(self, order: Sequence[int], able: int) -> list[int]:
        """Return a clique among some options, which tries them in an order."""
        clique = []
        for option in order:
            if able >> option & 1:
                clique.append(option)
                able &= self.find_rivals(option)
        return clique

    def _complete(self, clique: frozenset[int]) -> list[int]:
        """Return the clique with as many more options as can be added."""
        self._stop.poll()
        able = self._all
        for option in clique:
            able &= self.find_rivals(option)
        while able:
            option = (able & -able).bit_length() - 1
            clique |= {option}
            able &= self.find_rivals(option)
        return sorted(clique)


def tighten(matrix: Matrix, penalty: int, stop: Stop) -> Matrix:
    """Return a matrix with items of cliques that make its relaxation better.

    Each of these items has an option of its own, the last ones, for solutions that contain none of the clique.

    Parameters
    ----------
    matrix
        The matrix, which has options and items that are covered a fixed number of times, and all slack.
    penalty
        The cost of covering an item without an option.
    stop
        Polled often.

    Raises
    ------
    Stopped
        If `stop` asks for it.
    """
    cliques = find_tight_cliques(matrix, penalty, stop)
    return add_slack(add_cliques(matrix, cliques)).matrix if cliques else matrix


def add_cliques(matrix: Matrix, cliques: Sequence[Sequence[int]]) -> Matrix:
    """Add a secondary item for each clique, the last ones, in each option of it."""
    added: dict[int, dict[int, int]] = {}
    for item, clique in enumerate(cliques):
        for option in clique:
            added.setdefault(option, {})[item] = 0
    return extend(matrix, added, len(cliques))


def find_tight_cliques(matrix: Matrix, penalty: int, stop: Stop) -> list[list[int]]:
    """Return the cliques that limit the solution of the relaxation; parameters as for :func:`tighten`."""
    relaxation, conflicts = Relaxation(matrix, penalty), Conflicts(matrix, stop)
    cliques: list[list[int]] = []
    values: list[float] = []
    for _ in range(_ROUNDS):
        _, shares = relaxation.solve(stop)
        values.append(relaxation.value)
        is_slow = len(values) > 2 and values[-1] - values[-2] < _LEAST_GAIN * (values[-1] - values[0])
        found = [] if is_slow else conflicts.find_cliques(shares.tolist())
        if not found:
            break
        cliques += found
        for clique in found:
            relaxation.exclude(clique)
    else:
        relaxation.solve(stop)
    prices = relaxation.prices_of_cliques
    return [clique for clique, price in zip(cliques, prices, strict=True) if price]
