"""Problems from data frames: of pandas, of polars, of Arrow, and of any library that exchanges them.

A frame is long, with one row for each item of an option, or wide, with one row per option and one column per item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from exactcover.algorithm_x import Item, Label
from exactcover.control.kinds import to_exact
from exactcover.errors import EngineUnavailableError, ProblemError, nearest
from exactcover.model.arrays import mark_secondary
from exactcover.model.columns import Columns, import_numpy, make_columns
from exactcover.model.costs import Cost
from exactcover.model.rows import is_covered
from exactcover.pictures.text import format_count, show_value

__all__ = ["FrameNames", "read_frame"]


@dataclass(frozen=True)
class FrameNames:
    """The names of the columns of a frame.

    Attributes
    ----------
    option, item, color, cost
        The columns with labels, items, colors and costs.
    """

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

    Raises
    ------
    ProblemError
        If a value is missing or not hashable.
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
            cost = _read_cost(value, row)
            if costs.setdefault(labels[option], cost) != cost:
                raise ProblemError(
                    f"row {row}: option {str(labels[option])!r} costs {cost}, but {costs[labels[option]]} before",
                    labels[option],
                )
    return costs


def _read_cost(value: Any, row: int) -> Cost:
    """Return an exact cost; a float is the decimal number that it is shown as."""
    cost = to_exact(value)
    if cost is None:
        raise ProblemError(f"row {row}: the cost {show_value(value)} is not a number")
    return cost
