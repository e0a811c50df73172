"""The model: items and options, their validation, and what they hold."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Self, TypeAlias

from exactcover.algorithm_x import Item, Label
from exactcover.errors import ProblemError, nearest
from exactcover.model.matrix import Bounds, Matrix
from exactcover.model.names import OptionsView, fingerprint
from exactcover.model.reader import Cost, Reader
from exactcover.model.symmetry import StatedSymmetry

__all__ = ["Model", "Options"]

Options: TypeAlias = Mapping[Label, Iterable[Item]] | Iterable[tuple[Label, Iterable[Item]]]


class Model:
    """What has to be covered, and by what. What can be asked of it, :class:`~exactcover.Problem` adds."""

    def __init__(
        self,
        options: Options,
        *,
        primary: Iterable[Item] | None = None,
        secondary: Iterable[Item] = (),
        multiplicity: Mapping[Any, int | Bounds] | None = None,
        costs: Mapping[Label, Cost] | None = None,
        preferred: Iterable[Item] = (),
        impossible: str | None = None,
        symmetries: Iterable[StatedSymmetry] = (),
        symmetries_complete: bool = False,
        rotations: Iterable[StatedSymmetry] | None = None,
        givens: Iterable[Label] = (),
    ) -> None:
        reader = Reader(primary, secondary)
        for label, items in options.items() if isinstance(options, Mapping) else options:
            reader.read(label, items)
        self._items, self._matrix, self._units = reader.finish(multiplicity or {}, costs or {}, preferred)
        self._positions, self._colors = reader.positions, tuple(reader.colors)
        self._labels = tuple(self._positions)
        self._impossible = impossible
        self._symmetries = list(symmetries) if isinstance(symmetries, Iterator) else symmetries
        self._symmetries_complete = symmetries_complete
        self._rotations = list(rotations) if isinstance(rotations, Iterator) else rotations
        self._givens = tuple(dict.fromkeys(self._many_positions(givens)))
        self._excluded: tuple[int, ...] = ()

    @classmethod
    def from_lists(cls, lists: Iterable[Iterable[Item]]) -> Self:
        """Make a problem of bare lists of items; the labels are 0, 1, 2, ...

        Examples
        --------
        >>> from exactcover import Problem
        >>> list(Problem.from_lists([[0, 1], [1, 2], [2]]).solve())
        [(0, 2)]
        """
        return cls(enumerate(lists))

    @classmethod
    def from_matrix(cls, rows: Iterable[Sequence[int]]) -> Self:
        """Make a problem of rows of 0 and 1; items are the columns, labels the rows, both from 0.

        Every column is an item, also one without a 1.

        Raises
        ------
        ProblemError
            If rows differ in length or hold anything but 0 and 1, or a row has no 1.

        Examples
        --------
        >>> from exactcover import Problem
        >>> list(Problem.from_matrix([[1, 1, 0], [0, 1, 1], [0, 0, 1]]).solve())
        [(0, 2)]
        """
        table = [list(row) for row in rows]
        width = len(table[0]) if table else 0
        for number, row in enumerate(table):
            if len(row) != width:
                raise ProblemError(f"row {number} has {len(row)} columns, row 0 has {width}", number)
            strange = next((one for one in row if one not in (0, 1)), None)
            if strange is not None:
                raise ProblemError(f"row {number} holds {strange!r}; only 0 and 1 are allowed", number)
        lists = ([column for column, one in enumerate(row) if one] for row in table)
        return cls(enumerate(lists), primary=range(width))

    # -- what it holds -------------------------------------------------------------------------

    @property
    def items(self) -> tuple[Item, ...]:
        """Primary items, then secondary ones; position = number in the matrix."""
        return self._items

    @property
    def primary(self) -> tuple[Item, ...]:
        """The items that must be covered."""
        return self._items[: self._matrix.primary]

    @property
    def secondary(self) -> tuple[Item, ...]:
        """The items that may be left uncovered."""
        return self._items[self._matrix.primary :]

    @property
    def preferred(self) -> tuple[Item, ...]:
        """The primary items to branch on before others."""
        return tuple(self._items[item] for item in sorted(self._matrix.preferred))

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels of the options, in order; position = number in the matrix."""
        return self._labels

    @property
    def options(self) -> Mapping[Label, tuple[Item, ...]]:
        """The options by label, in order, as a read-only view."""
        return OptionsView(self._matrix, self._items, self._colors, self._positions)

    @property
    def multiplicity(self) -> Mapping[Item, Bounds]:
        """The bounds of those primary items that are not to be covered exactly once."""
        return {self._items[item]: bounds for item, bounds in self._matrix.multiplicity.items()}

    @property
    def costs(self) -> Mapping[Label, Cost]:
        """What the options cost that cost something."""
        return {
            label: self.cost([label]) for label, cost in zip(self._labels, self._matrix.costs, strict=False) if cost
        }

    def cost(self, labels: Iterable[Label]) -> Cost:
        """Return what these options cost together: an int, or a Decimal where some option's cost is one."""
        costs = self._matrix.costs
        total = sum(costs[position] for position in self._many_positions(labels)) if costs else 0
        return total if self._units == 1 else Decimal(total) / self._units

    @property
    def givens(self) -> tuple[Label, ...]:
        """The options that every solution sought contains, whatever else is given."""
        return tuple(self._labels[position] for position in self._givens)

    @property
    def given_positions(self) -> tuple[int, ...]:
        """The givens by their positions."""
        return self._givens

    @property
    def excluded(self) -> tuple[Label, ...]:
        """The options that no solution sought contains."""
        return tuple(self._labels[position] for position in self._excluded)

    @property
    def excluded_positions(self) -> tuple[int, ...]:
        """The excluded options by their positions."""
        return self._excluded

    def instance(self, given: Iterable[Label] = (), without: Iterable[Label] = ()) -> Self:
        """Return the problem with more givens, and with options that no solution sought may contain.

        Examples
        --------
        >>> from exactcover import Problem
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
        >>> list(problem.instance(given=["A"]).solve()), list(problem.instance(without=["A"]).solve())
        ([('A', 'B')], [('C',)])
        """
        instance = copy.copy(self)
        instance._givens = tuple(dict.fromkeys([*self._givens, *self._many_positions(given)]))
        instance._excluded = tuple(dict.fromkeys([*self._excluded, *self._many_positions(without)]))
        return instance

    def derive(
        self, options: Iterable[tuple[Label, Iterable[Item]]], *, primary: Iterable[Item] | None = None, **changes: Any
    ) -> Self:
        """Return a problem of the same kind, stated anew; what `changes` do not state stays, but for symmetries.

        Parameters
        ----------
        options, primary
            As for the problem itself.
        changes
            Other parameters of it.
        """
        stated: dict[str, Any] = {
            "secondary": self.secondary,
            "multiplicity": self.multiplicity,
            "costs": self.costs,
            "preferred": self.preferred,
            "impossible": self.impossible,
            **changes,
        }
        return type(self)(options, primary=self.primary if primary is None else primary, **stated)

    def full(self) -> Self:
        """Return the problem with nothing given or excluded."""
        full = copy.copy(self)
        full._givens = full._excluded = ()
        return full

    @property
    def matrix(self) -> Matrix:
        """The same with the names taken off; it knows nothing of givens."""
        return self._matrix

    @property
    def impossible(self) -> str | None:
        """Why there is no solution, where the author of the problem knows; else None."""
        return self._impossible

    @property
    def symmetries_complete(self) -> bool:
        """Whether the symmetries that are named generate all that count."""
        return self._symmetries_complete

    @property
    def stated_symmetries(self) -> Iterable[StatedSymmetry]:
        """The symmetries that are named, as they were stated; nothing has checked them yet."""
        return self._symmetries

    @property
    def stated_rotations(self) -> Iterable[StatedSymmetry] | None:
        """The same of the rotations, or None where nobody said which symmetries are rotations."""
        return self._rotations

    def position(self, label: Label) -> int:
        """Return the position of an option, given its label, or the text of its label where that is no other's.

        Raises
        ------
        ProblemError
            If there is no such option, or several have labels that read so.
        """
        try:
            return self._positions[label]
        except (KeyError, TypeError):
            pass
        named = self._positions_by_text.get(label, ()) if isinstance(label, str) else ()
        if len(named) == 1:
            return named[0]
        if named:
            raise ProblemError(f"{len(named)} options have labels that read {label!r}; give the label itself")
        near = nearest(label, self._labels) if len(self._labels) <= 10_000 else ""
        raise ProblemError(f"no option is labelled {str(label)!r}{near}")

    @cached_property
    def _positions_by_text(self) -> Mapping[str, Sequence[int]]:
        """The options by the text of their labels, for people who type them."""
        found: dict[str, list[int]] = defaultdict(list)
        for position, label in enumerate(self._labels):
            found[str(label)].append(position)
        return found

    def _many_positions(self, labels: Iterable[Label]) -> list[int]:
        if isinstance(labels, str):
            raise ProblemError(f"expected a list of labels, got one string, {labels!r}")
        return [self.position(label) for label in labels]

    def fingerprint(self) -> str:
        """Return a hash over the ordered items and options, the same on every machine.

        It is made from the text of items, labels and colors, so it is worth as much as their ``str``.
        """
        return fingerprint(self._matrix, self._items, self.options, self._units)

    def __repr__(self) -> str:
        return f"<Problem: {len(self._items)} items, {len(self._labels)} options>"
