"""The count of classes of solutions under the symmetries of a problem, without a list of the solutions."""

from __future__ import annotations

from collections.abc import Callable

from exactcover.control.stop import Stop
from exactcover.counting.classes import ClassCount
from exactcover.counting.count import Count
from exactcover.model.matrix import Matrix
from exactcover.search.query import Query
from exactcover.steps.order import drop_costs
from exactcover.steps.restriction import restrict
from exactcover.symmetry.listed_classes import ListedClasses
from exactcover.symmetry.quotients import renumber

__all__ = ["ListedClasses", "make_class_count"]


def make_class_count(
    full: Matrix, query: Query, classes: ListedClasses, start: Callable[[Matrix], Count], stop: Stop
) -> ClassCount:
    """Return the count of the classes of solutions of a query.

    Parameters
    ----------
    full
        The matrix of the problem.
    query
        What is asked.
    classes
        The classes, with all symmetries.
    start
        Starts the count of a matrix.
    stop
        Polled often.
    """
    restriction = restrict(drop_costs(full).matrix, query.given, query.without)
    group = renumber(classes.group, restriction.lift, len(restriction.matrix))
    return ClassCount(restriction.matrix, group, start, query.policy.most_listed, stop)
