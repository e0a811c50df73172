"""Algorithm X over a dictionary of sets: the definition of what a solution is.

An option is a set of items. A *solution* is a set of options such that

- every primary item lies in exactly one of them, or in as many as its multiplicity says, where an
  option may count several times;
- a secondary item may lie in none, in one, or in several that all give it the same color (an
  option that gives it no color does not share it with any other option);
- every option in it has a primary item.

An item that is in no option does not exist here: primary items are those that are in some option
and not named secondary. Every other engine of this package must find the same set.

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

The form that runs, :class:`Cover`, differs in three ways: it keeps its own stack, so depth is not
limited; it branches in the order in which items and options were given, so hash seeds do not matter;
and it handles secondary items, colors, multiplicities and weights.

References
----------
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, Algorithms X, C and M.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["Colored", "Cover", "Item", "Label", "Level", "Weighted", "exact_covers", "item_of"]

Label: TypeAlias = Any
"""The name of an option: any hashable, unique in its problem. Callers know their own labels, so the type is open."""
Item: TypeAlias = Hashable
"""What has to be covered: any hashable; a secondary item may come as ``Colored(item, color)``, and a primary one as
``Weighted(item, times)``."""


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


@dataclass(frozen=True, slots=True)
class Weighted:
    """A primary item that an option covers several times; it has no hash, so nothing takes it for an item.

    Examples
    --------
    >>> Weighted("hours of Ann", 8)
    Weighted(item='hours of Ann', times=8)
    """

    item: Hashable
    times: int
    if not TYPE_CHECKING:  # where it is an entry of an option, like an item
        __hash__ = None


def item_of(entry: Item) -> Item:
    """Return the item of an entry of an option, which may have a color or a weight.

    Examples
    --------
    >>> item_of("a"), item_of(Colored("b", "red")), item_of(Weighted("c", 3))
    ('a', 'b', 'c')
    """
    return entry.item if isinstance(entry, Colored | Weighted) else entry


@dataclass(slots=True)
class Level:
    """A node whose children are being visited: an item, and its choices, in order.

    If the item is covered often enough, the last choice is None: no more options for it.
    """

    item: int
    choices: list[int | None]
    tried: int = 0
    removed: list[int] = field(default_factory=list)  # by the newest choice
    discarded: list[int] = field(default_factory=list)  # choices that were tried


class Cover:
    """A search over items and options that are numbers.

    Parameters
    ----------
    options
        Option k as a dict from its items to numbers: the color of a secondary item, None for no color; and how often
        it covers a primary item, None for once.
    primary
        The items that must be covered, in the order in which ties are broken.
    multiplicity
        How often at least and at most an item must be covered, for items where that is not exactly once.
    poll
        Called at every node; whatever it raises ends the search.
    heuristic
        Which primary item to branch on: the one with the fewest choices left (``mrv``), the first (``leftmost``),
        or the one with the fewest, where ties go to the item that most often had none left (``weighted``).
    preferred
        Primary items to branch on before any other that has more than one choice.

    Attributes
    ----------
    pick
        Returns the item to branch on, in place of the heuristic.
    note
        Called at every node with its depth, how many choices it has, and the item it branches on; for a solution, both
        are -1.

    Notes
    -----
    A node costs time in proportion to the options it removes; memory is linear in the input. An item that needs k
    more options of the n it has left has n - k + 1 choices: its first option may be any but the last k - 1.
    Options that were tried are discarded for the later choices, so each solution comes once.
    """

    def __init__(
        self,
        options: Sequence[Mapping[int, int | None]],
        primary: Sequence[int],
        multiplicity: Mapping[int, tuple[int, int]] | None = None,
        poll: Callable[[], object] = lambda: None,
        heuristic: str = "mrv",
        preferred: Collection[int] = (),
    ) -> None:
        self.options = options
        self.poll = poll
        self.uncovered = set(primary)
        self.primary = {item: rank for rank, item in enumerate(primary)}
        bounds = {**dict.fromkeys(primary, (1, 1)), **(multiplicity or {})}
        self.need = {item: low for item, (low, _) in bounds.items()}
        self.room = {item: high for item, (_, high) in bounds.items()}
        self.live: dict[int, set[int]] = {item: set() for item in primary}
        self.repeated: set[int] = set()  # primary items that an option covers several times
        for option, items in enumerate(options):
            for item, value in items.items():
                self.live.setdefault(item, set()).add(option)
                if value is not None and item in self.primary:
                    self.repeated.add(item)
        for option, items in enumerate(options if self.repeated else ()):
            if any(self.times(option, item) > self.room[item] for item in self.repeated.intersection(items)):
                self.discard(option)
        self.failures = dict.fromkeys(primary, 0)
        self.preferred = preferred
        self.preference = getattr(self, f"_{heuristic}")
        self.pick: Callable[[], int] = self._pick
        self.nodes = 0
        self.note: Callable[[int, int, int], object] = lambda depth, choices, item: None
        self.levels: list[Level] = []

    def times(self, option: int, item: int) -> int:
        """Return how often an option covers a primary item."""
        return self.options[option][item] or 1

    def discard(self, option: int) -> None:
        """Remove an option from the live options of its items."""
        for item in self.options[option]:
            self.live[item].remove(option)

    def restore(self, option: int) -> None:
        """Undo :meth:`discard`."""
        for item in self.options[option]:
            self.live[item].add(option)

    def select(self, option: int) -> list[int]:
        """Choose an option; return the options that are discarded by this, itself included."""
        removed = [option]
        self.discard(option)
        for item, value in self.options[option].items():
            if item in self.primary:
                self.need[item] -= value or 1
                self.room[item] -= value or 1
                if not self.room[item]:
                    self.uncovered.remove(item)
                elif item not in self.repeated:
                    continue
                clashing = [other for other in self.live[item] if self.times(other, item) > self.room[item]]
            else:
                clashing = [o for o in self.live[item] if value is None or self.options[o][item] != value]
            for other in clashing:
                self.discard(other)
                removed.append(other)
        return removed

    def deselect(self, option: int, removed: Iterable[int]) -> None:
        """Undo :meth:`select`."""
        for other in removed:
            self.restore(other)
        for item, value in self.options[option].items():
            if item in self.primary:
                self.need[item] += value or 1
                self.room[item] += value or 1
                self.uncovered.add(item)

    def degree(self, item: int) -> int:
        """Return how many choices there are for an item; less than 1 means a dead end."""
        if item not in self.repeated:
            return len(self.live[item]) - max(0, self.need[item]) + 1
        rest = accumulate(self.times(option, item) for option in sorted(self.live[item], reverse=True))
        return (self.need[item] <= 0) + sum(times >= self.need[item] for times in rest)

    def branch(self) -> Level:
        """Return the item to branch on with its choices, in order."""
        item = self.pick()
        choices: list[int | None] = [*sorted(self.live[item])[: max(0, self.degree(item))]]
        if self.need[item] <= 0:
            choices.append(None)
        self.failures[item] += not choices
        return Level(item, choices)

    def _pick(self) -> int:
        item = min(self.uncovered, key=self.preference)
        if self.preferred and self.degree(item) > 1:
            item = min(self.uncovered.intersection(self.preferred) or self.uncovered, key=self.preference)
        return item

    def _mrv(self, item: int) -> tuple[int, ...]:
        return self.degree(item), self.primary[item]

    def _leftmost(self, item: int) -> tuple[int, ...]:
        return (self.primary[item],)

    def _weighted(self, item: int) -> tuple[int, ...]:
        return self.degree(item), -self.failures[item], self.primary[item]

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield every solution once, options in ascending order."""
        while True:
            self.poll()
            self.nodes += 1
            if self.uncovered:
                level = self.branch()
                self.note(len(self.levels), len(level.choices), level.item)
                self.levels.append(level)
            else:
                self.note(len(self.levels), -1, -1)
                yield self.solution()
            while self.levels and not self.next_child(self.levels[-1]):
                self.levels.pop()
            if not self.levels:
                return

    def solution(self) -> tuple[int, ...]:
        """Return the chosen options in ascending order."""
        chosen = (level.choices[level.tried - 1] for level in self.levels)
        return tuple(sorted(option for option in chosen if option is not None))

    def next_child(self, level: Level) -> bool:
        """Undo the newest choice of a level and make the next one; False if there is none."""
        if level.tried:
            option = level.choices[level.tried - 1]
            if option is None:
                self.uncovered.add(level.item)
            else:
                self.deselect(option, level.removed)
                self.discard(option)
                level.discarded.append(option)
        if level.tried == len(level.choices):
            for option in level.discarded:
                self.restore(option)
            return False
        option = level.choices[level.tried]
        if option is None:
            self.uncovered.remove(level.item)
        else:
            level.removed = self.select(option)
        level.tried += 1
        return True

    def explored(self) -> float:
        """Return the share of the tree that has been searched, by Knuth's estimate."""
        behind, share = 0.0, 1.0
        for level in list(self.levels):
            share /= max(1, len(level.choices))
            behind += share * max(0, level.tried - 1)
        return behind + share / 2


def exact_covers(
    options: Mapping[Label, Iterable[Item]],
    secondary: Iterable[Item] = (),
    multiplicity: Mapping[Any, tuple[int, int]] | None = None,
) -> Iterator[tuple[Label, ...]]:
    """Yield every exact cover once, as a tuple of option labels in the order of `options`.

    Parameters
    ----------
    options
        A mapping from labels to items. A secondary item may be given a color, ``Colored(item, color)``, and a primary
        one a weight, ``Weighted(item, times)``.
    secondary
        The items that need not be covered. All others must be covered, exactly once by default.
    multiplicity
        How often at least and at most an item must be covered, for items where that is not exactly once.

    Yields
    ------
    tuple
        The labels of one solution. The order of solutions depends on the order of `options` alone.

    Notes
    -----
    The input is not checked; :class:`exactcover.Problem` checks it.

    Examples
    --------
    >>> list(exact_covers({"a": [4], "b": [1, 4], "c": [1, 2], "d": [1, 3],
    ...                    "e": [2, 3, 4], "f": [3], "g": [2, 4]}))
    [('a', 'c', 'f'), ('d', 'g')]

    Two options may share a secondary item if both give it the same color:

    >>> red, blue = Colored("x", "red"), Colored("x", "blue")
    >>> list(exact_covers({"A": [1, red], "B": [2, red], "C": [2, blue]}, secondary=["x"]))
    [('A', 'B')]

    Two of three equal pieces, each in a place of its own:

    >>> list(exact_covers({"A": ["piece"], "B": ["piece"], "C": ["piece"]}, multiplicity={"piece": (2, 2)}))
    [('A', 'B'), ('A', 'C'), ('B', 'C')]

    An option that counts twice:

    >>> shifts = {"A": [Weighted("hours", 2)], "B": ["hours"], "C": ["hours"]}
    >>> list(exact_covers(shifts, multiplicity={"hours": (2, 2)}))
    [('A',), ('B', 'C')]

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
            item = item_of(entry)
            if isinstance(entry, Weighted if item in optional else Colored):
                raise ValueError(f"{entry}: only secondary items have colors, and only primary ones weights")
            number = numbers.setdefault(("item", item), len(numbers))
            if item not in optional:
                primary[number] = None
            if isinstance(entry, Colored):
                row[number] = numbers.setdefault(("color", entry.color), len(numbers))
            elif not isinstance(entry, Weighted) or entry.times == 1:
                row[number] = None
            elif entry.times:
                row[number] = entry.times
        rows.append(row)
    labels = tuple(options)
    bounds = {numbers["item", item]: often for item, often in (multiplicity or {}).items() if ("item", item) in numbers}
    for solution in Cover(rows, list(primary), bounds):
        yield tuple(labels[option] for option in solution)
