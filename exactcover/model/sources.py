"""Sources of options besides mappings: lists, matrices, arrays and data frames.

A frame is long, with one row for each item of an option, or wide, with one row per option and one column per item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Self

from exactcover.algorithm_x import Item, Label
from exactcover.control.arguments import check_arguments, to_exact, to_list
from exactcover.errors import EngineUnavailableError, ProblemError, nearest
from exactcover.model.costs import Cost
from exactcover.model.names import check_list
from exactcover.model.reader import Columns, check_names, import_numpy, make_columns, read_numbers
from exactcover.pictures.text import format_count, show_value

_COVERED = frozenset(("1", "1.0", "x", "true", "yes", "✓", "✔", "☑", "✅"))
_NOT_COVERED = frozenset(("", "0", "0.0", "-", "false", "no", "☐"))


@dataclass(frozen=True)
class FrameNames:
    """The names of the columns of a frame."""

    option: str
    item: str
    color: str
    cost: str


def read_frame(frame: Any, names: FrameNames, secondary: Iterable[Item]) -> tuple[Columns, dict[Label, Cost]]:
    """Return the options of a frame, and their costs; see :meth:`Problem.from_frame`."""
    frame = _name_index(_accept(frame), names.option)
    listed = [str(name) for name in _list_columns(frame)]
    _check_columns(frame, listed)
    if names.item in listed:
        return _read_long(frame, listed, names, secondary)
    if names.option not in listed:
        near = nearest(names.option, listed)
        has = f"its columns are {', '.join(map(repr, listed))}" if listed else "it has no columns"
        raise ProblemError(f"the frame has no column {names.option!r} with the labels of options{near}; {has}")
    return _read_wide(frame, listed, names, secondary)


def _accept(frame: Any) -> Any:
    """Return a frame whose columns can be read by name; others are converted by the interchange of frames."""
    frame = frame.collect() if hasattr(frame, "collect") else frame  # one that is lazy
    if isinstance(frame, Mapping):  # an iterator has no length, and is read once
        return {name: column if isinstance(column, Sized) else list(column) for name, column in frame.items()}
    has_columns = hasattr(frame, "columns") or hasattr(frame, "column_names")
    if has_columns and hasattr(frame, "__getitem__"):
        return frame
    if hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__dataframe__"):
        try:
            import pyarrow
            import pyarrow.interchange
        except ImportError:
            raise EngineUnavailableError(
                f"a frame of type {type(frame).__name__} is read with pyarrow; install it with: "
                "python -m pip install pyarrow"
            ) from None
        try:
            if hasattr(frame, "__arrow_c_stream__"):
                return pyarrow.table(frame)
            return pyarrow.interchange.from_dataframe(frame)
        except (ValueError, TypeError, NotImplementedError, RuntimeError) as error:
            raise ProblemError(f"the frame of type {type(frame).__name__} cannot be read: {error}") from None
    raise ProblemError(
        f"expected a data frame, such as one of pandas or polars, or a mapping from columns to lists; got "
        f"{show_value(frame)}"
    )


def _name_index(frame: Any, option: str) -> Any:
    """Return a frame of pandas whose index contains the labels with a column of them."""
    if not hasattr(frame, "assign") or option in map(str, frame.columns):
        return frame
    labels = list(getattr(frame, "index", ()))
    return frame if labels == list(range(len(labels))) else frame.assign(**{option: labels})


def _list_columns(frame: Any) -> list[Any]:
    if isinstance(frame, Mapping):
        return list(frame)
    return list(frame.column_names if hasattr(frame, "column_names") else frame.columns)


def _check_columns(frame: Any, listed: Sequence[str]) -> None:
    """Check that columns have different names and the same length."""
    twice = next((name for name, number in Counter(listed).items() if number > 1), None)
    if twice is not None:
        raise ProblemError(f"the frame has two columns {twice!r}; names of columns must be unique")
    if not isinstance(frame, Mapping):
        return  # a library has seen to it that all columns are of one length
    lengths = [len(column) for column in frame.values()]
    for name, length in zip(listed, lengths, strict=True):
        if length != lengths[0]:
            raise ProblemError(
                f"column {name!r} has {format_count(length, 'row')}, and column {listed[0]!r} {lengths[0]}; "
                "columns must be of one length"
            )


def _get_column(frame: Any, name: str) -> Any:
    return frame[next(one for one in _list_columns(frame) if str(one) == name)]


def _read_column(frame: Any, name: str) -> list[Any]:
    """Return a column as a list of Python values; None stands for what is missing."""
    column = _get_column(frame, name)
    for method in ("to_pylist", "to_list", "tolist"):  # of Arrow; of pandas and polars; of numpy
        if hasattr(column, method):
            values = getattr(column, method)()
            break
    else:
        values = list(column)
    kinds = set(map(type, values))
    if float in kinds or not kinds <= {str, int, bool, float, Decimal, type(None)}:
        values = [None if _is_missing(value) else value for value in values]
    return values  # type: ignore[no-any-return]


def _is_missing(value: Any) -> bool:
    """Return whether a value stands for nothing: None, not a number, or the like of pandas."""
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas.NA has no truth value
        return True


def _number(frame: Any, name: str, what: str, wanted: str) -> tuple[list[Hashable], Any]:
    """Return the different values of a column in order of appearance, and an array with the number of each value.

    Raise ``ProblemError`` if a value is missing or not hashable.
    """
    numpy = import_numpy("from_frame")
    encoded = _encode(_get_column(frame, name))
    if encoded is not None:
        missing = encoded[1] < 0
        if missing.any():
            raise ProblemError(f"row {int(missing.argmax())}: the {what} is missing; expected {wanted}")
        return encoded
    values = _read_column(frame, name)
    try:
        number = dict.fromkeys(values)
    except TypeError:
        raise _find_not_hashable(values, what) from None
    if None in number:
        raise ProblemError(f"row {values.index(None)}: the {what} is missing; expected {wanted}")
    number = {value: place for place, value in enumerate(number)}
    places = numpy.fromiter(map(number.__getitem__, values), numpy.int32, len(values))
    return list(number), places


def _encode(column: Any) -> tuple[list[Hashable], Any] | None:
    """Return the same as :func:`_number` as the library of the frame finds it, where it can, with -1 for missing."""
    try:
        if hasattr(column, "factorize"):  # of pandas
            places, names = column.factorize()
            return names.tolist(), places
        if hasattr(column, "to_arrow"):  # of polars
            column = column.to_arrow()
        if hasattr(column, "combine_chunks"):
            column = column.combine_chunks()
        if hasattr(column, "dictionary_encode"):
            encoded = column.dictionary_encode()
            return encoded.dictionary.to_pylist(), encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    except (ImportError, TypeError, ValueError, NotImplementedError):
        return None  # it lacks pyarrow, or there are values that are not hashable
    return None


def _number_colors(values: list[Any]) -> tuple[list[Hashable], Any]:
    """Return the different colors, and an array with the number of each from 1; 0 for no color."""
    numpy = import_numpy("from_frame")
    try:
        names = [color for color in dict.fromkeys(values) if color is not None]
    except TypeError:
        raise _find_not_hashable(values, "color") from None
    number = {None: 0, **{color: place for place, color in enumerate(names, 1)}}
    return names, numpy.fromiter(map(number.__getitem__, values), numpy.int32, len(values))


def _find_not_hashable(values: list[Any], what: str) -> ProblemError:
    wrong = next(row for row, value in enumerate(values) if not isinstance(value, Hashable))
    return ProblemError(f"row {wrong}: the {what} {show_value(values[wrong])} is not hashable")


def _read_long(
    frame: Any, listed: Sequence[str], names: FrameNames, secondary: Iterable[Item]
) -> tuple[Columns, dict[Label, Cost]]:
    numpy = import_numpy("from_frame")
    if names.option not in listed:
        raise ProblemError(f"the frame has no column {names.option!r}{nearest(names.option, listed)}")
    labels, options = _number(frame, names.option, "option", "the label of an option")
    items_by_number, items = _number(frame, names.item, "item", "an item")
    color_names, colors = list[Hashable](), numpy.zeros(0, numpy.int32)
    if names.color in listed:
        color_names, colors = _number_colors(_read_column(frame, names.color))
    costs = _read_costs(frame, listed, names, labels, options.tolist())
    columns = make_columns(
        options,
        items,
        colors,
        names=items_by_number,
        is_secondary=mark_secondary(items_by_number, secondary),
        labels=labels,
        color_names=color_names,
    )
    return columns, costs


def _read_wide(
    frame: Any, listed: Sequence[str], names: FrameNames, secondary: Iterable[Item]
) -> tuple[Columns, dict[Label, Cost]]:
    numpy = import_numpy("from_frame")
    labels, rows = _number(frame, names.option, "option", "the label of an option")
    if len(labels) < len(rows):
        taken = numpy.bincount(rows).argmax()
        raise ProblemError(
            f"option {str(labels[taken])!r} occurs twice; in a wide frame, each option has one row", labels[taken]
        )
    items = [name for name in listed if name not in (names.option, names.cost)]
    is_secondary = mark_secondary(items, secondary)
    numbers: dict[Hashable, int] = {}
    holders, entries, colors = [], [], []
    for item, name in enumerate(items):
        for row, value in enumerate(_read_column(frame, name)):
            covered = None if value is None else is_covered(str(value).strip())
            if value is None or covered is False:
                continue
            color = 0
            if covered is None:
                if not is_secondary[item]:
                    raise ProblemError(
                        f"row {row}, column {name!r}: {show_value(value)}: expected 1, x or nothing; only secondary "
                        "items have colors",
                        labels[row],
                    )
                color = numbers.setdefault(value, len(numbers) + 1)
            holders.append(row)
            entries.append(item)
            colors.append(color)
    columns = make_columns(
        numpy.array(holders, numpy.int32),
        numpy.array(entries, numpy.int32),
        numpy.array(colors, numpy.int32),
        names=items,
        is_secondary=is_secondary,
        labels=labels,
        color_names=list(numbers),
    )
    return columns, _read_costs(frame, listed, names, labels, range(len(labels)))


def _read_costs(
    frame: Any, listed: Sequence[str], names: FrameNames, labels: Sequence[Label], options: Sequence[int]
) -> dict[Label, Cost]:
    """Return the costs; all rows of an option that have a cost must have the same one."""
    if names.cost not in listed:
        return {}
    costs: dict[Label, Cost] = {}
    for row, (value, option) in enumerate(zip(_read_column(frame, names.cost), options, strict=True)):
        if value is not None:
            cost = to_exact(value)
            if cost is None:
                raise ProblemError(f"row {row}: the cost {show_value(value)} is not a number")
            if costs.setdefault(labels[option], cost) != cost:
                raise ProblemError(
                    f"row {row}: option {str(labels[option])!r} costs {cost}, but {costs[labels[option]]} before",
                    labels[option],
                )
    return costs


def is_covered(cell: str) -> bool | None:
    """Return whether a cell has a mark that says yes or no; None if its text is no mark.

    Marks are ``1``, ``x``, ``true``, ``yes`` and check marks; and ``0``, ``-``, ``false``, ``no`` and nothing.

    Examples
    --------
    >>> is_covered("x"), is_covered("FALSE"), is_covered("red")
    (True, False, None)
    """
    mark = cell.casefold().removesuffix("\ufe0f")  # which asks for a mark as an emoji
    return True if mark in _COVERED else False if mark in _NOT_COVERED else None


def read_rows(rows: Any) -> tuple[list[tuple[Label, list[Item]]], Sequence[Item]]:
    """Return the items with a 1 in each row, under the label of the row, and all items.

    Rows are those of 0 and 1, a frame, or an object with the methods ``tocsr`` and ``tocoo``, as all sparse matrices of
    SciPy have. Raise ``ProblemError`` if they differ in length, or contain anything but 0 and 1.

    Examples
    --------
    >>> read_rows([[1, 1, 0], [0, 0, 1]])
    ([(0, [0, 1]), (1, [2])], range(0, 3))
    """
    sparse = hasattr(rows, "tocsr") or hasattr(rows, "tocoo")
    width, found = _read_sparse_rows(rows) if sparse else _read_dense_rows(rows)
    items: Sequence[Item] = range(width)
    labels: Sequence[Label] = range(len(found))
    if hasattr(rows, "columns") and hasattr(rows, "to_numpy"):  # a frame
        items = list(rows.columns)
        labels = list(rows.index) if hasattr(rows, "index") else labels
    named = [[items[column] for column in columns] for columns in found]
    return list(zip(labels, named, strict=True)), items


def _read_sparse_rows(matrix: Any) -> tuple[int, list[list[int]]]:
    entries = (matrix.tocsr() if hasattr(matrix, "tocsr") else matrix).tocoo()  # tocsr adds up duplicate entries
    height, width = entries.shape
    found: list[list[int]] = [[] for _ in range(height)]
    for row, column, entry in zip(*(one.tolist() for one in (entries.row, entries.col, entries.data)), strict=True):
        _check_entry(entry, row)
        if entry:
            found[row].append(column)
    return width, [sorted(columns) for columns in found]


def _read_dense_rows(rows: Any) -> tuple[int, list[list[int]]]:
    table = list(_list_rows(rows))
    shape: tuple[int, ...] = getattr(rows, "shape", ())  # which an array without rows has, too
    width = len(table[0]) if table else shape[1] if len(shape) == 2 else 0
    for number, row in enumerate(table):
        if len(row) != width:
            raise ProblemError(f"row {number} has {format_count(len(row), 'column')}, but row 0 has {width}", number)
        for entry in row:
            _check_entry(entry, number)
    return width, [[column for column, entry in enumerate(row) if entry] for row in table]


def _list_rows(rows: Any) -> Iterator[list[Any]]:
    listed = to_list(rows)
    listed = rows if listed is None else listed
    check_list("rows", listed, "rows of 0 and 1")
    for number, row in enumerate(listed):
        entries = to_list(row)
        if entries is None and not isinstance(row, Iterable):
            raise ProblemError(f"row {number} is {row!r}; expected a list of 0 and 1", number)
        yield list(row if entries is None else entries)


def _check_entry(entry: Any, row: int) -> None:
    try:
        is_bit = entry in (0, 1)
    except (TypeError, ValueError):  # a missing value, or an array
        is_bit = False
    if not is_bit:
        raise ProblemError(f"row {row} contains {entry!r}; only 0 and 1 are allowed", row)


def read_arrays(
    items: Any,
    options: Any,
    colors: Any,
    *,
    secondary: Iterable[Item],
    names: Any,
    labels: Any,
    color_names: Any,
) -> Columns:
    """Return options from arrays; see :meth:`Problem.from_arrays`."""
    numpy = import_numpy("from_arrays")
    entries = read_numbers("items", items)
    painted = None if colors is None else read_numbers("colors", colors)
    if painted is not None and painted.shape != entries.shape:
        raise ProblemError(f"colors have the shape {painted.shape}, but items {entries.shape}")
    if options is None:
        if entries.ndim != 2 and entries.size:
            raise ProblemError(f"items: expected a row for each option, got the shape {entries.shape}; or name options")
        rows = len(entries)
        width = entries.shape[1] if entries.ndim == 2 else 0
        holders = numpy.repeat(numpy.arange(rows, dtype=numpy.int32), width)
        entries, painted = entries.reshape(-1), None if painted is None else painted.reshape(-1)
        blank = entries < 0
        if blank.any():
            holders, entries = holders[~blank], entries[~blank]
            painted = None if painted is None else painted[~blank]
    else:
        holders = read_numbers("options", options)
        if holders.shape != entries.shape or entries.ndim != 1:
            raise ProblemError(f"options have the shape {holders.shape}, but items {entries.shape}; both must be lists")
        for name, numbers in (("options", holders), ("items", entries)):
            if (numbers < 0).any():
                raise ProblemError(f"{name}: {int(numbers.min())} is negative")
        rows = int(holders.max(initial=-1)) + 1
    labels = check_names("labels", labels, rows)
    names = check_names("names", names, int(entries.max(initial=-1)) + 1)
    if painted is None:
        painted, color_names = numpy.zeros(0, numpy.int32), ()
    else:
        color_names = check_names("color_names", color_names, int(painted.max(initial=-1)) + 1)
        painted = numpy.maximum(painted, -1) + 1
    return make_columns(
        holders,
        entries,
        painted,
        names=names,
        is_secondary=mark_secondary(names, secondary),
        labels=labels,
        color_names=color_names,
    )


def mark_secondary(names: Sequence[Hashable], secondary: Iterable[Item]) -> Any:
    """Return an array that says of each item whether it is secondary.

    Raise ``ProblemError`` if `secondary` names something that is not an item.
    """
    numpy = import_numpy("from_arrays")
    check_list("secondary", secondary, "items")
    found = numpy.zeros(len(names), bool)
    listed = secondary.tolist() if hasattr(secondary, "tolist") else list(secondary)
    number = {name: number for number, name in enumerate(names)} if listed else {}
    for item in listed:
        try:
            found[number[item]] = True
        except (KeyError, TypeError):
            raise ProblemError(f"secondary names {show_value(item)}, which is not an item") from None
    return found


def read_sparse(matrix: Any, *, names: Any, labels: Any, secondary: Iterable[Item]) -> Columns:
    """Return options from a sparse matrix of 0 and 1; see :meth:`Problem.from_sparse`."""
    numpy = import_numpy("from_sparse")
    if not hasattr(matrix, "tocsr") and not hasattr(matrix, "tocoo"):
        raise ProblemError(f"expected a sparse matrix of SciPy, got {show_value(matrix)}")
    if hasattr(matrix, "tocsr"):
        matrix = matrix.tocsr()  # which adds up duplicate entries
        matrix = matrix.sorted_indices() if hasattr(matrix, "sorted_indices") else matrix
    entries = matrix.tocoo()
    rows, columns, data = (numpy.asarray(one) for one in (entries.row, entries.col, entries.data))
    wrong = (data != 0) & (data != 1)
    if wrong.any():
        place = int(wrong.argmax())
        raise ProblemError(
            f"row {int(rows[place])} contains {show_value(data[place].item())}; only 0 and 1 are allowed"
        )
    rows, columns = rows[data != 0], columns[data != 0]
    keys = rows.astype(numpy.int64) * max(1, entries.shape[1]) + columns
    if (numpy.diff(keys) < 0).any():
        order = numpy.argsort(keys, kind="stable")
        rows, columns = rows[order], columns[order]
    height, width = entries.shape
    return make_columns(
        rows,
        columns,
        numpy.zeros(0, numpy.int32),
        names=check_names("names", names, width),
        is_secondary=mark_secondary(check_names("names", names, width), secondary),
        labels=check_names("labels", labels, height),
        color_names=(),
    )


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
