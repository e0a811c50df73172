"""Algorithm X over a dictionary of sets: the definition of what a solution is.

An option is a set of items. A *solution* is a set of options such that

- every primary item lies in exactly one of them;
- a secondary item may lie in none, in one, or in several that all give it the same color (an
  option that gives it no color shares it with nobody);
- every option in it has a primary item.

Any item that no option needs to cover is not an item here: primary items are those that are in
some option and not named secondary. Every other engine of this package must find the same set.

The idea, without colors and without the explicit stack, is the well-known short program: ``X``
maps an item to the set of its options, ``Y`` an option to its items.

>>> def solve(X, Y, solution=()):
...     if not X:
...         yield solution
...         return
...     item = min(X, key=lambda i: len(X[i]))
...     for option in sorted(X[item]):
...         removed = select(X, Y, option)
...         yield from solve(X, Y, (*solution, option))
...         deselect(X, Y, option, removed)
>>> def select(X, Y, option):
...     removed = []
...     for item in Y[option]:
...         for other in X[item]:
...             for i in Y[other]:
...                 if i != item:
...                     X[i].remove(other)
...         removed.append(X.pop(item))
...     return removed
>>> def deselect(X, Y, option, removed):
...     for item in reversed(Y[option]):
...         X[item] = removed.pop()
...         for other in X[item]:
...             for i in Y[other]:
...                 if i != item:
...                     X[i].add(other)
>>> Y = {"A": [1, 4, 7], "B": [1, 4], "C": [4, 5, 7], "D": [3, 5, 6], "E": [2, 3, 6, 7], "F": [2, 7]}
>>> X = {item: {option for option in Y if item in Y[option]} for item in range(1, 8)}
>>> list(solve(X, Y))
[('B', 'D', 'F')]

The form that runs, :class:`Cover`, differs in three ways: it keeps its own stack, so depth is no
limit; it branches in the order in which items and options were given, so hash seeds do not matter;
and it knows secondary items and colors.

References
----------
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, Algorithms X and C.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = ["Colored", "Cover", "Item", "Label", "exact_covers"]

Label: TypeAlias = Any
"""The name of an option: any hashable, unique in its problem."""
Item: TypeAlias = Any
"""What has to be covered: any hashable; a secondary item may come as ``Colored(item, color)``."""


@dataclass(frozen=True, slots=True)
class Colored:
    """A secondary item together with the color that an option gives it.

    Examples
    --------
    >>> Colored("x", "red")
    Colored(item='x', color='red')
    """

    item: Hashable
    color: Hashable


class Cover:
    """One search over items and options that are numbers.

    Parameters
    ----------
    options
        Option k as a dict from its items to their colors, None for no color.
    primary
        The items that must be covered, in the order in which ties are broken.
    poll
        Called at every node; whatever it raises ends the search.
    heuristic
        Which primary item to branch on: that with fewest options left (``mrv``), the first (``leftmost``), or
        of those with fewest the one that had none left most often (``weighted``).

    Notes
    -----
    A node costs time in proportion to the options it removes; memory is linear in the input.
    """

    def __init__(
        self,
        options: Sequence[Mapping[int, int | None]],
        primary: Sequence[int],
        poll: Callable[[], object] = lambda: None,
        heuristic: str = "mrv",
    ) -> None:
        self.options = options
        self.poll = poll
        self.uncovered = set(primary)
        self.primary = {item: rank for rank, item in enumerate(primary)}
        self.live: dict[int, set[int]] = {item: set() for item in primary}
        for option, items in enumerate(options):
            for item in items:
                self.live.setdefault(item, set()).add(option)
        self.failures = dict.fromkeys(primary, 0)
        self.preference = getattr(self, f"_{heuristic}")
        self.nodes = 0
        self.branches: list[tuple[list[int], int]] = []  # per level: the options to try, how many were

    def select(self, option: int) -> tuple[list[int], list[int]]:
        """Choose an option: cover its items and remove all that clashes. Returns what to undo."""
        covered, removed = [], []
        for item, color in self.options[option].items():
            for other in [o for o in self.live[item] if color is None or self.options[o][item] != color]:
                removed.append(other)
                for i in self.options[other]:
                    self.live[i].remove(other)
            if item in self.uncovered:
                self.uncovered.remove(item)
                covered.append(item)
        return covered, removed

    def deselect(self, covered: list[int], removed: list[int]) -> None:
        """Undo :meth:`select`."""
        self.uncovered.update(covered)
        for other in removed:
            for i in self.options[other]:
                self.live[i].add(other)

    def choices(self) -> list[int]:
        """Return the options of the item to branch on, in order."""
        item = min(self.uncovered, key=self.preference)
        self.failures[item] += not self.live[item]
        return sorted(self.live[item])

    def _mrv(self, item: int) -> tuple[int, ...]:
        return len(self.live[item]), self.primary[item]

    def _leftmost(self, item: int) -> tuple[int, ...]:
        return (self.primary[item],)

    def _weighted(self, item: int) -> tuple[int, ...]:
        return len(self.live[item]), -self.failures[item], self.primary[item]

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield every solution once, options in ascending order."""
        undo: list[tuple[list[int], list[int]]] = []
        while True:
            self.poll()
            self.nodes += 1
            if self.uncovered:
                self.branches.append((self.choices(), 0))
            else:
                yield tuple(sorted(options[tried - 1] for options, tried in self.branches))
            while self.branches:
                options, tried = self.branches.pop()
                if tried:
                    self.deselect(*undo.pop())
                if tried < len(options):
                    self.branches.append((options, tried + 1))
                    undo.append(self.select(options[tried]))
                    break
            else:
                return

    def explored(self) -> float:
        """Return the share of the tree that lies behind, by Knuth's estimate."""
        behind, share = 0.0, 1.0
        for options, tried in list(self.branches):
            share /= max(1, len(options))
            behind += share * max(0, tried - 1)
        return behind + share / 2


def exact_covers(
    options: Mapping[Label, Iterable[Item]], secondary: Iterable[Item] = ()
) -> Iterator[tuple[Label, ...]]:
    """Yield every exact cover once, as a tuple of option labels in the order of `options`.

    Parameters
    ----------
    options
        A mapping from labels to items. A secondary item may be given a color: ``Colored(item, color)``.
    secondary
        The items that need not be covered. All others must be, exactly once.

    Yields
    ------
    tuple
        The labels of one solution. The order of solutions depends on the order of `options` alone.

    Notes
    -----
    Input is taken at its word; :class:`exactcover.Problem` is the form that checks it.

    Examples
    --------
    >>> list(exact_covers({"a": [4], "b": [1, 4], "c": [1, 2], "d": [1, 3],
    ...                    "e": [2, 3, 4], "f": [3], "g": [2, 4]}))
    [('a', 'c', 'f'), ('d', 'g')]

    Two options may share a secondary item if both give it the same color:

    >>> red, blue = Colored("x", "red"), Colored("x", "blue")
    >>> list(exact_covers({"A": [1, red], "B": [2, red], "C": [2, blue]}, secondary=["x"]))
    [('A', 'B')]

    The empty problem has one solution, the empty one:

    >>> list(exact_covers({}))
    [()]
    """
    optional = set(secondary)
    numbers: dict[Hashable, int] = {}  # items and colors alike, by first appearance
    primary: dict[int, None] = {}
    rows: list[dict[int, int | None]] = []
    for entries in options.values():
        row: dict[int, int | None] = {}
        for entry in entries:
            item, color = (entry.item, ("color", entry.color)) if isinstance(entry, Colored) else (entry, None)
            number = numbers.setdefault(("item", item), len(numbers))
            row[number] = None if color is None else numbers.setdefault(color, len(numbers))
            if item not in optional:
                primary[number] = None
        rows.append(row)
    labels = tuple(options)
    for solution in Cover(rows, list(primary)):
        yield tuple(labels[option] for option in solution)
