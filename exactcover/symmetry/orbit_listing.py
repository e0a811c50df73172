"""Listing by orbits: of options that symmetries exchange, one is searched; symmetries make the other solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from exactcover.control.stop import Stop
from exactcover.engines.runs import EngineRun, SerialRun
from exactcover.model.matrix import ONCE, Matrix
from exactcover.steps.restriction import restrict
from exactcover.symmetry.permutations import Permutation, multiply, trace_orbit
from exactcover.symmetry.remainders import find_symmetries, make_remainder

__all__ = ["OrbitListRun", "find_images"]


class OrbitListRun(SerialRun):
    """A run that searches for solutions with one option of each orbit, and delivers their images as well.

    One item is chosen that is covered exactly once. Each solution covers it by one option, so it is the image of
    exactly one solution that is searched for. The order depends on the matrix alone.

    Parameters
    ----------
    matrix
        The matrix.
    images
        For each option that is searched, the symmetries that map it to the options of its orbit; see
        :func:`find_images`.
    start
        Starts a run over the solutions of a matrix.
    """

    def __init__(
        self,
        matrix: Matrix,
        images: Mapping[int, Sequence[Permutation]],
        start: Callable[[Matrix], EngineRun],
    ) -> None:
        super().__init__()
        self._matrix, self._images, self._start = matrix, images, start
        self._done = 0
        self._listed = self._list()

    def _list(self) -> Iterator[tuple[int, ...]]:
        for option, symmetries in self._images.items():
            restriction = restrict(self._matrix, [option], ())
            if restriction.matrix.first_underfilled() is None:
                self._run = self._start(restriction.matrix)
                for found in self._run:
                    solution = restriction.lift(found)
                    for symmetry in symmetries:
                        yield tuple(sorted([symmetry[one] for one in solution]))
                self.close()
            self._done += 1

    def explored(self) -> float:
        return min(1.0, (self._done + super().explored()) / len(self._images))

    @property
    def details(self) -> Mapping[str, int | str]:
        return {"orbits": len(self._images), "options": sum(map(len, self._images.values()))}


def find_images(matrix: Matrix, stop: Stop) -> dict[int, list[Permutation]] | None:
    """Return which options of one item to search, and the symmetries that map each of them to the others of its orbit.

    The item is covered exactly once and has the smallest share of orbits among its options; ties go to the first. The
    result is None if no two options of such an item are exchanged by a symmetry.

    Raises
    ------
    Stopped
        If `stop` asks for it.
    """
    symmetries = find_symmetries(make_remainder(matrix, stop), stop)
    branches = symmetries.branches
    items = [item for item, (options, _) in enumerate(branches) if options and matrix.bounds(item) == ONCE]
    if not items:
        return None
    best = min(items, key=lambda item: (branches[item][1] / branches[item][0], branches[item][1]))
    if branches[best][1] == branches[best][0]:
        return None
    generators = [tuple(image) for image, _ in symmetries.generators()]
    holders = {option for option, _ in matrix.holders()[best]}
    return {
        option: _find_transversal(option, holders, generators, len(matrix))
        for option, _ in symmetries.found.orbits_of(best)
    }


def _find_transversal(option: int, wanted: set[int], generators: Sequence[Permutation], size: int) -> list[Permutation]:
    """Return a symmetry for each wanted option of the orbit of an option, which maps the option there."""
    origins = trace_orbit(option, generators)
    found = []
    for member in sorted(wanted & origins.keys()):
        steps = []
        while (origin := origins[member]) is not None:
            member = origin[0]
            steps.append(tuple(origin[1]))
        symmetry = tuple(range(size))
        for generator in reversed(steps):
            symmetry = multiply(symmetry, generator)
        found.append(symmetry)
    return found
