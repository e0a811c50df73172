"""Options in bulk: items as numbers, and labels that are made when somebody asks for them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from exactcover.algorithm_x import Item, Label
from exactcover.control.arguments import check_function, check_instance
from exactcover.errors import ProblemError
from exactcover.model.names import check_list
from exactcover.pictures.text import format_count

__all__ = ["BulkOptions"]


@dataclass(frozen=True, eq=False)
class BulkOptions(Iterable[tuple[Label, tuple[Item, ...]]]):
    """Options without colors that an encoder returns in bulk, which is faster than one by one.

    They are an iterable of (label, items) pairs as well, and give the same problem as these pairs. In most searches,
    the labels of most options are never needed; so labels are made when they are needed.

    Parameters
    ----------
    items
        The names of items, by number from 0.
    starts, entries
        Option k contains the items with the numbers ``entries[starts[k]:starts[k+1]]``; an ``array('q')`` and an
        ``array('i')``. They must not change any more.
    label
        Returns the label of the option at a position. Labels are hashable and unique; that is checked when all of them
        are needed, such as for givens.

    Raises
    ------
    ProblemError
        If `items` are not a list, or `starts` do not ascend from 0 to the length of `entries`.

    Examples
    --------
    >>> from array import array
    >>> from exactcover import Problem
    >>> options = BulkOptions(["a", "b", "c"], array("q", [0, 2, 3]), array("i", [0, 2, 1]), ["A", "B"].__getitem__)
    >>> Problem(options).options
    {'A': ('a', 'c'), 'B': ('b',)}
    """

    items: Sequence[Item]
    starts: array[int]
    entries: array[int]
    label: Callable[[int], Label]

    def __post_init__(self) -> None:
        check_list("items", self.items, "items")
        check_instance("items", self.items, Sequence, "a list of items")
        for name, kind in (("starts", "q"), ("entries", "i")):
            check_instance(name, getattr(self, name), array, f"an array of type {kind!r}")
            if (found := getattr(self, name).typecode) != kind:
                raise ProblemError(f"{name} must be an array of type {kind!r}, got type {found!r}")
        check_function("label", self.label)
        if not self.starts or self.starts[0] != 0 or self.starts[-1] != len(self.entries):
            raise ProblemError(f"starts must ascend from 0 to {len(self.entries)}, the number of entries")

    def __len__(self) -> int:
        """Return the number of options."""
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[tuple[Label, tuple[Item, ...]]]:
        """Yield the options one by one.

        Raises
        ------
        ProblemError
            If a number of an item is out of range, or `starts` do not ascend.
        """
        items = self.items
        for position, (begin, end) in enumerate(pairwise(self.starts)):
            if end < begin:
                raise ProblemError(f"starts must ascend; got {begin} before {end}")
            label, numbers = self.label(position), self.entries[begin:end]
            if not all(0 <= number < len(items) for number in numbers):
                known = format_count(len(items), "item")
                raise ProblemError(f"option {str(label)!r} has the items {numbers.tolist()}; there are {known}", label)
            yield label, tuple([items[number] for number in numbers])
