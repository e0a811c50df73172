"""Where options come from besides mappings: lists, matrices, arrays and data frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from exactcover.algorithm_x import Item
from exactcover.control.arguments import check_arguments
from exactcover.control.kinds import to_list
from exactcover.errors import ProblemError, nearest
from exactcover.model.columns import Columns
from exactcover.model.names import check_list
from exactcover.pictures.text import show_value

__all__ = ["Sources"]


class Sources:
    """The constructors of a problem besides the usual one."""

    @classmethod
    def from_lists(cls, lists: Iterable[Iterable[Item]], *, secondary: Iterable[Item] = (), **parameters: Any) -> Self:
        """Make a problem from lists of items, one per option; the labels are 0, 1, 2, ...

        Parameters
        ----------
        lists
            The lists, or an array with a row for each option.
        secondary, **parameters
            Other parameters of the problem.

        Examples
        --------
        >>> from exactcover import Problem
        >>> list(Problem.from_lists([[0, 1], [1, 2], [2]]).solve())
        [(0, 2)]
        """
        rows = to_list(lists)
        check_list("lists", lists, "lists of items")
        return cls._make(enumerate(lists if rows is None else rows), secondary=secondary, **parameters)

    @classmethod
    def from_matrix(cls, rows: Any, *, secondary: Iterable[Item] = (), **parameters: Any) -> Self:
        """Make a problem from rows of 0 and 1, one per option; items and labels are the columns and rows, from 0.

        Every column is an item, even if it contains no 1. A frame of pandas or polars names its items, and one of
        pandas also its options, by its index.

        Parameters
        ----------
        rows
            Nested lists, an array, a frame, or a sparse matrix of SciPy in any of its formats.
        secondary
            The secondary items; all others are primary.
        **parameters
            Other parameters of the problem.

        Raises
        ------
        ProblemError
            If rows differ in length or contain anything but 0 and 1, or `secondary` names something that is not a
            column; or as for the problem itself.

        Examples
        --------
        >>> from exactcover import Problem
        >>> list(Problem.from_matrix([[1, 1, 0], [0, 1, 1], [0, 0, 1]]).solve())
        [(0, 2)]
        """
        from exactcover.model.rows import read_rows  # seldom needed

        options, items = read_rows(rows)
        check_list("secondary", secondary, "items")
        aside = dict.fromkeys(secondary)
        known = set(items)
        unknown = next((item for item in aside if item not in known), None)
        if unknown is not None:
            raise ProblemError(f"secondary names {show_value(unknown)}, which is not a column{nearest(unknown, items)}")
        primary = items if not aside else [item for item in items if item not in aside]
        return cls._make(options, primary=primary, secondary=aside, **parameters)

    @classmethod
    @check_arguments
    def from_arrays(
        cls,
        items: Any,
        options: Any = None,
        colors: Any = None,
        *,
        labels: Any = None,
        names: Any = None,
        color_names: Any = None,
        secondary: Iterable[Item] = (),
        **parameters: Any,
    ) -> Self:
        """Make a problem from arrays of numbers, without a Python loop over them; needs numpy.

        Parameters
        ----------
        items
            The numbers of items: an array with one row per option, where negative numbers are blank; or, if `options`
            are given, one number for each item of an option.
        options
            The number of the option to which each number of `items` belongs.
        colors
            The numbers of colors, in an array of the same shape as `items`; negative numbers for no color.
        labels, names, color_names
            The names of options, items and colors, by number; by default the numbers themselves. Items with a name
            and without an option are items, too.
        secondary
            The secondary items, by name; all others are primary.
        **parameters
            Other parameters of the problem.

        Raises
        ------
        ProblemError
            If arrays have wrong shapes, or contain anything but whole numbers; or as for the problem itself.
        EngineUnavailableError
            If numpy is not installed.

        Examples
        --------
        >>> import numpy
        >>> from exactcover import Problem
        >>> problem = Problem.from_arrays(numpy.array([[0, 1], [1, 2], [2, -1]]), costs=numpy.array([3, 1, 2]))
        >>> list(problem.solve()), problem.cost([0, 2])
        ([(0, 2)], 5)
        >>> Problem.from_arrays([0, 1, 2], options=[0, 0, 1], names=["a", "b", "c"], labels=["x", "y"]).options
        {'x': ('a', 'b'), 'y': ('c',)}
        """
        from exactcover.model.arrays import read_arrays  # slow to import

        columns = read_arrays(
            items, options, colors, secondary=secondary, names=names, labels=labels, color_names=color_names
        )
        return cls._from_columns(columns, **parameters)

    @classmethod
    @check_arguments
    def from_sparse(
        cls, matrix: Any, *, labels: Any = None, names: Any = None, secondary: Iterable[Item] = (), **parameters: Any
    ) -> Self:
        """Make a problem from a sparse matrix of SciPy with a row per option and a column per item; needs numpy.

        Parameters
        ----------
        matrix
            A matrix of 0 and 1. Every column is an item, even if it contains no 1.
        labels, names, secondary, **parameters
            As for :meth:`from_arrays`.

        Raises
        ------
        ProblemError
            If it is not a sparse matrix, or contains anything but 0 and 1; or as for the problem itself.
        EngineUnavailableError
            If numpy is not installed.
        """
        from exactcover.model.arrays import read_sparse  # slow to import

        return cls._from_columns(read_sparse(matrix, names=names, labels=labels, secondary=secondary), **parameters)

    @classmethod
    @check_arguments
    def from_frame(
        cls,
        frame: Any,
        *,
        option: str = "option",
        item: str = "item",
        color: str = "color",
        cost: str = "cost",
        secondary: Iterable[Item] = (),
        **parameters: Any,
    ) -> Self:
        """Make a problem from a data frame: of pandas, polars or Arrow, or of any library that exchanges frames.

        Parameters
        ----------
        frame
            A long frame has one row for each item of an option. A frame without a column of items is wide: it has one
            row per option, and one column per item. There, 1, true, yes and x say that the option contains the item; 0,
            false, no, - and nothing that it does not; anything else is the color that it gives to a secondary item. A
            mapping from columns to lists is a frame, too. If a frame of pandas has no column of options, their labels
            are its index.
        option, item, color, cost
            The names of columns. The columns of colors and of costs may be missing; a missing value is no color, or no
            cost. A float is the decimal number that it is shown as.
        secondary
            The secondary items; all others are primary.
        **parameters
            Other parameters of the problem.

        Raises
        ------
        ProblemError
            If a column is missing, a label or an item is missing, costs of an option differ, or a cost is not a number;
            or as for the problem itself. Rows count from 0.
        EngineUnavailableError
            If a library is missing that is needed to read this kind of frame.

        Examples
        --------
        >>> from exactcover import Problem
        >>> frame = {"option": ["A", "A", "B"], "item": ["mo", "tu", "mo"], "cost": [2.5, None, 1]}
        >>> problem = Problem.from_frame(frame)
        >>> problem.options, problem.cost(["A"])
        ({'A': ('mo', 'tu'), 'B': ('mo',)}, Decimal('2.5'))
        >>> Problem.from_frame({"option": ["A", "B"], "mo": [1, 0], "tu": ["x", "x"]}).options
        {'A': ('mo', 'tu'), 'B': ('tu',)}
        """
        from exactcover.model.frames import FrameNames, read_frame  # slow to import

        columns, costs = read_frame(frame, FrameNames(option, item, color, cost), secondary)
        return cls._from_columns(columns, **{"costs": costs, **parameters})

    @classmethod
    def _from_columns(cls, columns: Columns, **parameters: Any) -> Self:
        return cls._make(columns, primary=columns.primary, secondary=columns.secondary, **parameters)

    @classmethod
    def _make(cls, options: Any, **parameters: Any) -> Self:
        """Make a problem from options in any of the forms that :class:`Model` takes."""
        make: Any = cls
        problem: Self = make(options, **parameters)
        return problem
