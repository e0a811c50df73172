"""What plans ask of a problem: that items may stay open, and that little changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Self

from exactcover.algorithm_x import Item, Label
from exactcover.control.arguments import check_arguments
from exactcover.model.costs import Cost
from exactcover.model.model import Model

if TYPE_CHECKING:  # seldom needed
    from exactcover.steps.soft import Changes

__all__ = ["Plannable"]


class Plannable(Model):
    """A model, with what makes other problems of it for plans."""

    @check_arguments
    def changes(self, earlier: Iterable[Label], later: Iterable[Label]) -> Changes:
        """Return how a solution differs from an earlier one: the labels that it drops, and those that it adds.

        Labels of the earlier solution that are not options any more are dropped.

        Raises
        ------
        ProblemError
            If a label of the later solution is unknown, or all of the earlier one.

        Examples
        --------
        >>> from exactcover import Problem
        >>> Problem({"A": [1], "B": [2], "C": [1, 2]}).changes(["A", "B"], ["C"])
        Changes(dropped=('A', 'B'), added=('C',))
        """
        from exactcover.steps.soft import find_changes  # seldom needed

        return find_changes(self, earlier, later)

    @check_arguments
    def near(self, earlier: Iterable[Label], change: Cost | None = None) -> Self:
        """Return a problem with the same options in which :meth:`cheapest` finds what is near an earlier solution.

        ``problem.cheapest(near=earlier)`` is short for ``problem.near(earlier).cheapest()``; parameters as there.

        Raises
        ------
        ProblemError
            If none of the labels is an option, or the price of a change is negative or not an exact number.

        Examples
        --------
        >>> from exactcover import Problem
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [1]})
        >>> list(problem.near(["A", "B"]).cheapest(2, without=["A"]))
        [('B', 'D'), ('C',)]
        """
        from exactcover.steps.soft import keep_near  # seldom needed

        return keep_near(self, earlier, change)

    @check_arguments
    def best_effort(self, weights: Mapping[Item, Cost] | None = None) -> Self:
        """Return the problem in which every primary item may stay open, so that :meth:`cheapest` leaves least open.

        Leaving an item open costs more than any cover. So of all choices, the first leaves least open, by weight, and
        among these it is the cheapest. Items that are soft already keep their price for what stays open.

        Parameters
        ----------
        weights
            How much leaving an item open counts, for each time that it is covered too rarely; 1 for the other items.

        Raises
        ------
        ProblemError
            If `weights` name something that is not a primary item, or a weight is negative or not an exact number.

        Examples
        --------
        >>> from exactcover import Problem
        >>> problem = Problem({"A": [1, 2], "B": [2, 3], "C": [3, 4, 5]})
        >>> problem.find() is None, next(problem.best_effort().cheapest())
        (False, ('A', 'C'))
        >>> solution = next(problem.best_effort().cheapest(without=["C"]))
        >>> solution, problem.deviations(solution)
        (('A',), {3: -1, 4: -1, 5: -1})
        """
        from exactcover.steps.soft import soften_all  # seldom needed

        return soften_all(self, weights)

    def relaxed(self) -> Self:
        """Return the plain problem with options that stand for what soft items leave open; see :meth:`soften`.

        Its options are those of this problem, in the same order, and then slack options, such as ``open: x``. Each
        choice of options that is allowed is exactly one solution, whose cost includes the prices. So covers that leave
        something open can be listed, counted and certified like any solutions.

        Raises
        ------
        ProblemError
            If a soft item must be covered more than 10,000 times.

        Examples
        --------
        >>> from exactcover import Problem
        >>> problem = Problem({"A": [1, 2], "B": [2]}, soft={1: 3, 2: 1})
        >>> problem.count(), problem.relaxed().count()
        (1, 3)
        >>> [[str(label) for label in solution] for solution in problem.relaxed().solve()]
        [['A'], ['B', 'open: 1'], ['open: 1', 'open: 2']]
        """
        from exactcover.steps.soft import relax  # seldom needed

        return relax(self).model
