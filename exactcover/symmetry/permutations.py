"""Symmetries as maps of items and as permutations of options, and the groups that they generate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from exactcover.algorithm_x import Colored, Item, Label
from exactcover.control.stop import Stop
from exactcover.errors import ProblemError
from exactcover.model.model import Model
from exactcover.model.symmetry import StatedSymmetry, Symmetry

__all__ = [
    "MAX_LISTED",
    "Permutation",
    "choose_generators",
    "closure",
    "invert",
    "multiply",
    "permutation",
    "rotations",
    "stated_permutations",
    "trace_orbit",
]

Permutation: TypeAlias = tuple[int, ...]
"""The image of each option, by positions."""

_POLL_EVERY = 64  # elements

MAX_LISTED = 10_000
"""The largest order of a group whose elements are listed."""


def stated_permutations(model: Model) -> list[Permutation]:
    """Return the stated symmetries as permutations of the options, without those that are the identity.

    Raises
    ------
    ProblemError
        If one of them is not an automorphism; see :func:`permutation`.
    """
    return _compute_permutations(model, model.stated_symmetries)


def rotations(model: Model) -> list[Permutation]:
    """Return the stated rotations as permutations of the options, without those that are the identity.

    Raises
    ------
    ProblemError
        If the model does not say which symmetries are rotations, or one of them is not an automorphism.
    """
    if model.stated_rotations is None:
        raise ProblemError("the problem does not tell rotations from mirror images, so distinct cannot be 'rotations'")
    return _compute_permutations(model, model.stated_rotations)


def _compute_permutations(model: Model, symmetries: Iterable[StatedSymmetry]) -> list[Permutation]:
    identity = tuple(range(len(model.labels)))
    try:
        return [image for image in (permutation(model, symmetry) for symmetry in symmetries) if image != identity]
    except ProblemError as error:
        error.place = error.place or getattr(symmetries, "place", "")  # of an encoder
        raise


def permutation(problem: Model, symmetry: StatedSymmetry) -> Permutation:
    """Return a symmetry as a permutation of the options.

    Parameters
    ----------
    problem
        The model whose symmetry it is.
    symmetry
        A map of items, or a :class:`Symmetry`. Items that it does not name stay as they are. Colors stay as well,
        unless it names the ``Colored`` item.

    Raises
    ------
    ProblemError
        If it is not an automorphism: the image of an item is not an item of the same kind and multiplicity, two items
        have the same image, or the image of an option is not an option of the same cost.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
    >>> permutation(problem, {1: 2, 2: 1})
    (1, 0, 2)
    """
    items, labels = (symmetry.items, symmetry.labels) if isinstance(symmetry, Symmetry) else (symmetry, {})
    _check_items(problem, items)
    free: dict[tuple[frozenset[Item], object], dict[int, None]] = defaultdict(dict)
    costs, options = problem.costs, problem.options.items()
    for position, (label, entries) in enumerate(options):
        free[frozenset(entries), costs.get(label, 0)][position] = None
    named = {label: problem.position(image) for label, image in labels.items()}
    images: dict[Label, int] = {}
    for label, entries in sorted(options, key=lambda option: option[0] not in named) if named else options:
        places = free.get((frozenset(_image(entry, items) for entry in entries), costs.get(label, 0)), {})
        place = named.get(label, next(iter(places), -1))  # equal options keep their order
        if place not in places:
            raise ProblemError(
                f"a symmetry maps option {str(label)!r} to something that is not an option of the same cost", label
            )
        images[label] = place
        del places[place]
    return tuple([images[label] for label in problem.labels])


def _image(entry: Item, symmetry: Mapping[Item, Item]) -> Item:
    if isinstance(entry, Colored) and entry not in symmetry:
        return Colored(symmetry.get(entry.item, entry.item), entry.color)
    return symmetry.get(entry, entry)


def _check_items(problem: Model, symmetry: Mapping[Any, Any]) -> None:
    items = {item: place < len(problem.primary) for place, item in enumerate(problem.items)}
    bounds = problem.multiplicity
    images = set()
    for item, primary in items.items():
        image = symmetry.get(item, item)
        if items.get(image) != primary:
            raise ProblemError(
                f"a symmetry maps item {str(item)!r} to {str(image)!r}, which is not an item of the same kind"
            )
        if bounds.get(item) != bounds.get(image):
            raise ProblemError(f"a symmetry maps item {str(item)!r} to {str(image)!r}, which has another multiplicity")
        if image in images:
            raise ProblemError(f"a symmetry maps two items to {str(image)!r}")
        images.add(image)


def invert(permutation: Permutation) -> Permutation:
    """Return the inverse of a permutation."""
    inverse = [0] * len(permutation)
    for place, image in enumerate(permutation):
        inverse[image] = place
    return tuple(inverse)


def multiply(first: Permutation, second: Permutation) -> Permutation:
    """Return the permutation that applies both, one after the other."""
    return tuple([second[image] for image in first])


def closure(
    generators: Iterable[Permutation], size: int, most: int = MAX_LISTED, stop: Stop | None = None
) -> list[Permutation]:
    """Return the group that some permutations generate, beginning with the identity.

    Parameters
    ----------
    generators
        Permutations of ``0 .. size-1``.
    size
        The number of elements that they permute.
    most
        The largest order of a group that is listed.
    stop
        Polled often.

    Raises
    ------
    ProblemError
        If the group has more than `most` elements.

    Examples
    --------
    >>> closure([(1, 2, 0)], 3)
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    """
    return _close(generators, size, most, stop)[0]


def choose_generators(group: Sequence[Permutation], stop: Stop | None = None) -> list[Permutation]:
    """Return a few elements of a group that generate it."""
    return _close(group, len(group[0]), len(group), stop)[1] if group else []


def _close(
    generators: Iterable[Permutation], size: int, most: int, stop: Stop | None
) -> tuple[list[Permutation], list[Permutation]]:
    """Return the group that some permutations generate, and those of them that were needed for that."""
    group: dict[Permutation, None] = {tuple(range(size)): None}
    used: list[Permutation] = []
    for new in generators:
        if new in group:
            continue
        used.append(new)
        waiting, closed = list(group), len(group)
        for place, element in enumerate(waiting):
            if stop is not None and place % _POLL_EVERY == 0:
                stop.poll()
            for generator in used if place >= closed else [new]:
                product = multiply(element, generator)
                if product not in group:
                    if len(group) == most:
                        raise ProblemError(f"there are more than {most:,} symmetries, too many to list")
                    group[product] = None
                    waiting.append(product)
    return list(group), used


def trace_orbit(element: int, generators: Iterable[Sequence[int]]) -> dict[int, tuple[int, Sequence[int]] | None]:
    """Return the orbit of an element, and how each member of it was reached.

    Parameters
    ----------
    element
        The element.
    generators
        Permutations that generate a group.

    Returns
    -------
    dict
        For each member of the orbit, in the order in which they were reached, an earlier member and the generator that
        maps that one to it; None for the element itself.

    Examples
    --------
    >>> trace_orbit(0, [(1, 2, 0, 3)])
    {0: None, 1: (0, (1, 2, 0, 3)), 2: (1, (1, 2, 0, 3))}
    """
    generators = list(generators)
    origins: dict[int, tuple[int, Sequence[int]] | None] = {element: None}
    waiting = [element]
    for member in waiting:
        for generator in generators:
            if generator[member] not in origins:
                origins[generator[member]] = (member, generator)
                waiting.append(generator[member])
    return origins
