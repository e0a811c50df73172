"""The set of all solutions as an object that counts, indexes, samples, ranks by cost, restricts and combines them."""

from __future__ import annotations

import operator
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import NoneType
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from exactcover.algorithm_x import Item, Label
from exactcover.control.arguments import check_arguments, check_instance, read_whole
from exactcover.diagram.zdd import Cost, Levels, Zdd
from exactcover.errors import ProblemError
from exactcover.model.model import Model
from exactcover.model.names import check_list
from exactcover.pictures.text import format_count, make_table

M = TypeVar("M", bound=Model, covariant=True)

Order: TypeAlias = Literal["problem", "compact"]
"""The order of the options in a diagram: that of the problem, or one that keeps the diagram small."""


class Diagram(Generic[M]):
    """All solutions of a problem as an ordered zero-suppressed decision diagram; made by :meth:`Problem.diagram`.

    Solutions come in lexicographic order of the positions of their options in the diagram; a solution comes before
    those that contain it. Options are ordered as in the problem, unless the diagram is compact.

    Diagrams of the same problem with the same order of options can be combined by ``|``, ``&``, ``-`` and ``^``. For
    other diagrams, these operators raise ``ValueError``.

    Notes
    -----
    Counting, marginals and restrictions take time linear in the number of nodes. A single solution takes time linear in
    the depth. Unions, intersections and differences take time at most linear in the product of the numbers of nodes.

    References
    ----------
    D. E. Knuth, *The Art of Computer Programming* 4A, section 7.1.4; 4B, Algorithm 7.2.2.1Z.

    Examples
    --------
    >>> from exactcover import Problem
    >>> diagram = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2]}).diagram()
    >>> diagram.count, list(diagram)
    (3, [('A', 'B'), ('A', 'D'), ('C',)])
    >>> diagram[-1], ("A", "B") in diagram
    (('C',), True)
    >>> diagram.marginals()
    {'A': 2, 'B': 1, 'C': 1, 'D': 1}
    >>> list(diagram.restrict(without_options=["B"]) - diagram.restrict(with_options=["C"]))
    [('A', 'D')]
    """

    def __init__(self, problem: M, zdd: Zdd, order: Sequence[int]) -> None:
        self._problem, self._zdd, self._order = problem, zdd, tuple(order)
        self._level = {position: level for level, position in enumerate(self._order)}

    @property
    def problem(self) -> M:
        """The problem of which the diagram contains solutions."""
        return self._problem

    @property
    def zdd(self) -> Zdd:
        """The diagram without names."""
        return self._zdd

    @property
    def positions(self) -> tuple[int, ...]:
        """The positions of the options in the problem, from the top of the diagram down."""
        return self._order

    @property
    def order(self) -> tuple[Label, ...]:
        """The labels of the options, from the top of the diagram down."""
        return tuple(self._problem.labels[position] for position in self._order)

    @property
    def count(self) -> int:
        """The number of solutions."""
        return self._zdd.count

    @property
    def nodes(self) -> int:
        """The number of nodes, without the two terminal nodes."""
        return len(self._zdd)

    def widths(self) -> dict[Label, int]:
        """Return the number of nodes at the level of each option, from the top down."""
        return dict(zip(self.order, self._zdd.widths(), strict=True))

    def __bool__(self) -> bool:
        return self._zdd.root != 0

    def __contains__(self, labels: Iterable[Label]) -> bool:
        try:
            return self._levels(labels) in self._zdd
        except ProblemError:
            return False

    def __iter__(self) -> Iterator[tuple[Label, ...]]:
        return map(self._labels, self._zdd)

    def __getitem__(self, k: int) -> tuple[Label, ...]:
        """Return the k-th solution, counted from 0; a negative k counts from the end.

        Raises
        ------
        IndexError
            If there is no such solution.
        """
        place = operator.index(k)
        place += self.count if place < 0 else 0
        if not 0 <= place < self.count:
            verb = "is" if self.count == 1 else "are"
            raise IndexError(f"there {verb} {format_count(self.count, 'solution')}; got {k}")
        return self._labels(self._zdd.nth(place))

    @check_arguments
    def sample(self, n: int = 1, seed: int | None = None, *, distinct: bool = False) -> list[tuple[Label, ...]]:
        """Return n random solutions; each solution is drawn with the same probability.

        Parameters
        ----------
        n
            The number of solutions to draw, at least 0.
        seed
            The seed of the random numbers; None for other numbers each time.
        distinct
            Draw no solution twice, and therefore at most as many as there are. By default a solution can be drawn
            several times.

        Raises
        ------
        ValueError
            If `n` is negative; or if `n` is positive, there is no solution, and `distinct` is false.
        """
        n = read_whole("n", n, 0)
        if n > 0 and not self and not distinct:
            raise ValueError(f"cannot draw {n} of 0 solutions")
        generator = random.Random(seed)
        if not distinct:
            return [self[generator.randrange(self.count)] for _ in range(n)]
        return list(self.samples(seed, limit=n))

    @check_arguments
    def samples(self, seed: int | None = None, *, limit: int | None = None) -> Iterator[tuple[Label, ...]]:
        """Yield different random solutions, each drawn with the same probability from those not drawn yet.

        Parameters
        ----------
        seed
            The seed of the random numbers; None for other numbers each time.
        limit
            At most how many solutions to draw; None for all.
        """
        if limit is not None:
            limit = read_whole("limit", limit, 0, ", or None")
        generator, drawn = random.Random(seed), set[int]()
        while len(drawn) < self.count and (limit is None or len(drawn) < limit):
            k = generator.randrange(self.count)
            if k not in drawn:
                drawn.add(k)
                yield self[k]

    def cheapest(
        self, k: int = 1, cost: Callable[[Label], Cost] | Mapping[Label, Cost] | None = None
    ) -> list[tuple[Label, ...]]:
        """Return the k solutions of least cost, the cheapest first; ties are in the order of the diagram.

        Parameters
        ----------
        k
            The number of solutions to return; fewer are returned if there are fewer.
        cost
            The costs of options by label: a function, or a mapping, where options that are missing cost nothing. By
            default they are the costs of the problem. Costs may be negative.
        """
        k = read_whole("k", k, 0)
        if not callable(cost):
            check_instance("cost", cost, (Mapping, NoneType), "a function, a mapping or None")
        k = min(k, sys.maxsize)
        if cost is None:
            return [labels for _, labels in islice(self.rank(), k)]
        costs: Any = cost
        priced = [costs(label) if callable(costs) else costs.get(label, 0) for label in self.order]
        return [self._labels(levels) for _, levels in islice(self._zdd.cheapest(priced), k)]

    def rank(self, *, maximize: bool = False) -> Iterator[tuple[int, tuple[Label, ...]]]:
        """Yield all solutions by their costs, the cheapest first, with the costs in units of the problem.

        Ties are in the order of the diagram. With `maximize`, all costs have the opposite sign.

        Examples
        --------
        >>> from exactcover import Problem
        >>> list(Problem({"A": [1], "B": [1]}, costs={"A": 2, "B": -1}).diagram().rank())
        [(-1, ('B',)), (2, ('A',))]
        """
        matrix, sign = self._problem.matrix, -1 if maximize else 1
        costs = [sign * matrix.costs[option] for option in self._order] if matrix.costs else [0] * len(self._order)
        for total, levels in self._zdd.cheapest(costs):
            yield int(total), self._labels(levels)

    def marginals(self) -> dict[Label, int]:
        """Return how many solutions contain each option, in the order of the problem."""
        marginals = dict(zip(self._order, self._zdd.marginals(), strict=True))
        return {label: marginals[position] for position, label in enumerate(self._problem.labels)}

    def restrict(self, with_options: Iterable[Label] = (), without_options: Iterable[Label] = ()) -> Diagram[M]:
        """Return the diagram of the solutions that contain all of `with_options` and none of `without_options`.

        Raises
        ------
        ProblemError
            If a label is unknown.
        """
        check_list("with_options", with_options, "labels")
        check_list("without_options", without_options, "labels")
        return self._make_diagram(self._zdd.restrict(self._levels(with_options), self._levels(without_options)))

    @check_arguments
    def project(self, names: Iterable[Item | Label]) -> Diagram[M]:
        """Return the diagram of what all solutions choose of some options, each choice once.

        Its sets are parts of solutions, so its count is the number of projections; see :meth:`Problem.search`.

        Parameters
        ----------
        names
            Labels of options, and items, which stand for the options that contain them.

        Raises
        ------
        ProblemError
            If a name is neither an item nor a label, or both.

        Examples
        --------
        >>> from exactcover import Problem
        >>> problem = Problem({"A": [1], "B": [1], "C": [2, 3], "D": [2], "E": [3]})
        >>> problem.diagram().count, list(problem.diagram().project(["C"]))
        (4, [(), ('C',)])
        """
        return self._make_diagram(self._zdd.project([self._level[one] for one in self._problem.options_of(names)]))

    def __or__(self, other: Diagram[Model]) -> Diagram[M]:
        return self._combine(other, operator.or_)

    def __and__(self, other: Diagram[Model]) -> Diagram[M]:
        return self._combine(other, operator.and_)

    def __sub__(self, other: Diagram[Model]) -> Diagram[M]:
        return self._combine(other, operator.gt)

    def __xor__(self, other: Diagram[Model]) -> Diagram[M]:
        return self._combine(other, operator.ne)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Diagram):
            return NotImplemented
        return self._problem is other._problem and self._order == other._order and self._zdd == other._zdd

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Diagram: {format_count(self.count, 'solution')}, {format_count(self.nodes, 'node')}>"

    def _repr_html_(self) -> str:
        frequencies = list(self.marginals().values())
        shares = [
            ("options in every solution", frequencies.count(self.count)),
            ("options in no solution", frequencies.count(0)),
        ]
        return make_table("Diagram", [("solutions", self.count), ("nodes", self.nodes), *(shares if self else ())])

    def _combine(self, other: Diagram[Model], rule: Callable[[bool, bool], bool]) -> Diagram[M]:
        if not isinstance(other, Diagram):
            return NotImplemented
        if self._problem is not other._problem or self._order != other._order:
            raise ValueError("only diagrams of the same problem with the same order of options can be combined")
        return self._make_diagram(self._zdd.combine(other._zdd, rule))

    def _make_diagram(self, zdd: Zdd) -> Diagram[M]:
        return Diagram(self._problem, zdd, self._order)

    def _levels(self, labels: Iterable[Label]) -> list[int]:
        check_list("labels", labels, "labels")
        return [self._level[self._problem.position(label)] for label in labels]

    def _labels(self, levels: Levels) -> tuple[Label, ...]:
        return tuple(self._problem.labels[position] for position in sorted(self._order[level] for level in levels))
