"""Counting classes of solutions without listing them, by the lemma of Burnside.

The number of classes is the mean, over all symmetries, of the number of solutions that a symmetry maps to themselves.
Conjugate symmetries have equal numbers. The solutions that a symmetry keeps are those of a smaller problem, the
quotient: the options of each cycle of the symmetry become one option, and so do its items.

References
----------
W. Burnside, *Theory of Groups of Finite Order* (1897), section 118.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Hashable, Iterable, Sequence

from exactcover.control.stop import Stop
from exactcover.model.matrix import ONCE, Bounds, Matrix, MatrixBuilder, may_share
from exactcover.steps.step import Lift, find_kept
from exactcover.symmetry.permutations import Permutation, choose_generators, invert, multiply, trace_orbit


class NoQuotientError(Exception):
    """Raised if options of a quotient would cover one item unequally often; never leaves the package."""


def find_conjugacy_classes(group: Sequence[Permutation], stop: Stop) -> list[tuple[Permutation, int]]:
    """Return an element of each conjugacy class of a group, and the size of the class, in the order of the group.

    Complexity: the order of the group times the number of its generators.
    """
    pairs = [(generator, invert(generator)) for generator in choose_generators(group, stop)]
    seen: set[Permutation] = set()
    classes = []
    for element in group:
        if element in seen:
            continue
        seen.add(element)
        waiting = [element]
        for member in waiting:
            stop.poll()
            for generator, inverse in pairs:
                conjugate = multiply(multiply(inverse, member), generator)
                if conjugate not in seen:
                    seen.add(conjugate)
                    waiting.append(conjugate)
        classes.append((element, len(waiting)))
    return classes


def renumber(permutations: Iterable[Permutation], lift: Lift, size: int) -> list[Permutation]:
    """Return permutations of the `size` options that a step has kept, with their new numbers, each once.

    They are made of permutations of all options, which map those that were chosen, and those that were removed, to
    such.
    """
    kept = find_kept(lift, size)
    number = {option: k for k, option in enumerate(kept)}
    return list(dict.fromkeys(tuple([number[image[option]] for option in kept]) for image in permutations))


def permute_items(matrix: Matrix, permutation: Permutation) -> list[int]:
    """Return a permutation of the items that goes with a symmetry; items that nothing tells apart keep their order.

    Raise ``ValueError`` if the permutation of the options is not a symmetry of the matrix.
    """
    twins: dict[Hashable, list[int]] = defaultdict(list)
    for item, description in reversed(list(enumerate(describe_items(matrix)))):
        twins[description].append(item)
    images = []
    for description in describe_items(matrix, permutation):
        candidates = twins[description]
        if not candidates:
            raise ValueError("the permutation is not a symmetry")
        images.append(candidates.pop())
    return images


def describe_items(matrix: Matrix, permutation: Sequence[int] | None = None) -> list[Hashable]:
    """Return what tells each item apart: its bounds, and its options, or images of them, color by color."""
    images = permutation or range(len(matrix))
    described: list[Hashable] = []
    for item, holders in enumerate(matrix.holders()):
        by_color: dict[int, set[int]] = defaultdict(set)
        for option, color in holders:
            by_color[color].add(images[option])
        uncolored = frozenset(by_color.pop(0, ()))
        bounds = matrix.capped(item) if item < matrix.primary else None
        described.append((bounds, uncolored, frozenset(map(frozenset, by_color.values()))))
    return described


def make_quotient(matrix: Matrix, permutation: Permutation) -> Matrix | None:
    """Return the matrix whose solutions are those that a symmetry maps to themselves; None if there are none.

    Raise ``NoQuotientError`` if its options would cover one item unequally often.
    """
    images = permute_items(matrix, permutation)
    number = {cycle[0]: place for place, cycle in enumerate(_list_cycles(images))}
    merged = (_merge_cycle(matrix, cycle, number) for cycle in _list_cycles(permutation))
    rows = [row for row in merged if row is not None]
    times: dict[int, set[int]] = defaultdict(set)  # how often options cover each primary item
    for row in rows:
        for item, (covers, _) in row.items():
            if item < matrix.primary:
                times[item].add(covers)
    bounds: dict[int, Bounds] = {}
    for item in number:
        if item >= matrix.primary:
            continue
        if len(times[item]) > 1:
            raise NoQuotientError
        once = next(iter(times[item]), 1)
        low, high = matrix.bounds(item)
        bounds[number[item]] = (-(-low // once), high // once)
        if bounds[number[item]][0] > bounds[number[item]][1]:
            return None
    builder = MatrixBuilder()
    for row in rows:
        for item, (_, color) in row.items():
            builder.append(number[item], color)
        builder.close_option()
    own = {item: pair for item, pair in bounds.items() if pair != ONCE}
    origins = [matrix.origin(item) for item in number]
    return builder.matrix(len(number), sum(item < matrix.primary for item in number), own, origins=origins)


def _list_cycles(permutation: Sequence[int]) -> list[list[int]]:
    """Return the cycles, each from its least element on, in the order of these."""
    cycles, seen = [], set[int]()
    for element in range(len(permutation)):
        if element not in seen:
            cycles.append([*trace_orbit(element, [permutation])])
            seen.update(cycles[-1])
    return cycles


def _merge_cycle(matrix: Matrix, cycle: Iterable[int], kept: Container[int]) -> dict[int, tuple[int, int]] | None:
    """Return how often the options of a cycle cover each item together, and in which color; None if they clash."""
    colors: dict[int, list[int]] = defaultdict(list)
    for option in cycle:
        for item, color in matrix.option(option):
            if item in kept:
                colors[item].append(color)
    for item, given in colors.items():
        if len(given) > matrix.bounds(item)[1] if item < matrix.primary else not may_share(given):
            return None
    return {item: (len(given), given[0]) for item, given in colors.items()}
