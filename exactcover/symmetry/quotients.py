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
from dataclasses import replace

from exactcover.control.stop import Stop
from exactcover.model.matrix import Bounds, Matrix, MatrixBuilder, may_share
from exactcover.steps.step import Lift, find_kept
from exactcover.symmetry.permutations import Permutation, choose_generators, invert, multiply


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
    """Return permutations of the options that a step has kept, with their new numbers, each once.

    Parameters
    ----------
    permutations
        Permutations of all options that map those that were chosen, and those that were removed, to such.
    lift
        The lift of the step.
    size
        The number of options that were kept.
    """
    kept = find_kept(lift, size)
    number = {option: k for k, option in enumerate(kept)}
    return list(dict.fromkeys(tuple([number[image[option]] for option in kept]) for image in permutations))


def permute_items(matrix: Matrix, permutation: Permutation) -> list[int]:
    """Return a permutation of the items that goes with a symmetry; items that nothing tells apart keep their order.

    Raises
    ------
    ValueError
        If the permutation of the options is not a symmetry of the matrix.
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
    return [_describe(matrix, item, held, images) for item, held in enumerate(matrix.holders())]


def _describe(matrix: Matrix, item: int, holders: Iterable[tuple[int, int]], permutation: Sequence[int]) -> Hashable:
    by_color: dict[int, set[int]] = defaultdict(set)
    for option, color in holders:
        by_color[color].add(permutation[option])
    uncolored = frozenset(by_color.pop(0, ()))
    bounds = matrix.capped(item) if item < matrix.primary else None
    return bounds, uncolored, frozenset(map(frozenset, by_color.values()))


def make_quotient(matrix: Matrix, permutation: Permutation) -> Matrix | None:
    """Return the matrix whose solutions are those that a symmetry maps to themselves; None if there are none.

    Raises
    ------
    NoQuotientError
        If its options would cover one item unequally often.
    """
    images = permute_items(matrix, permutation)
    number = {item: place for place, item in enumerate(item for item in range(matrix.items) if _is_least(item, images))}
    rows = []
    for option in range(len(matrix)):
        if _is_least(option, permutation):
            row = _merge_cycle(matrix, _cycle(option, permutation), number)
            if row is not None:
                rows.append(row)
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
    quotient = _build(rows, number, sum(item < matrix.primary for item in number), bounds)
    return replace(quotient, origins=[matrix.origin(item) for item in number])


def _is_least(element: int, permutation: Sequence[int]) -> bool:
    """Return whether an element is the least of its cycle."""
    image = permutation[element]
    while image > element:
        image = permutation[image]
    return image == element


def _cycle(element: int, permutation: Sequence[int]) -> list[int]:
    cycle, image = [element], permutation[element]
    while image != element:
        cycle.append(image)
        image = permutation[image]
    return cycle


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


def _build(
    rows: Iterable[dict[int, tuple[int, int]]], number: dict[int, int], primary: int, bounds: dict[int, Bounds]
) -> Matrix:
    builder = MatrixBuilder()
    for row in rows:
        for item, (_, color) in row.items():
            builder.append(number[item], color)
        builder.close_option()
    own = {item: pair for item, pair in bounds.items() if pair != (1, 1)}
    return replace(builder.matrix(len(number), primary), multiplicity=own)
