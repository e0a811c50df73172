"""Options as arrays: what a million options are read from without a Python loop."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactcover.algorithm_x import Item, Label
from exactcover.errors import EngineUnavailableError, ProblemError
from exactcover.pictures.text import format_count, show_value

_MOST = (1 << 31) - 1  # items, colors and options; they are stored in four bytes


@dataclass(frozen=True)
class Columns:
    """Options whose items and colors are numbers.

    Attributes
    ----------
    primary, secondary
        The items in the order of their numbers, the primary ones first.
    labels
        The labels of the options.
    starts, entries, colors
        As in a :class:`~exactcover.Matrix`.
    color_names
        The colors in the order of their numbers, from 1.
    useless
        The positions of options without a primary item.
    """

    primary: Sequence[Item]
    secondary: Sequence[Item]
    labels: Sequence[Label]
    starts: array[int]
    entries: array[int]
    colors: array[int]
    color_names: Sequence[Hashable] = field(default=())
    useless: Sequence[int] = ()


def import_numpy(what: str) -> Any:
    """Return the module numpy.

    Raises
    ------
    EngineUnavailableError
        If it is not installed; the message says that `what` needs it.
    """
    try:
        import numpy
    except ImportError:
        raise EngineUnavailableError(f"{what} needs numpy; install it with: python -m pip install numpy") from None
    return numpy


def read_numbers(name: str, values: Any, most: int = _MOST) -> Any:
    """Return an argument as an array of whole numbers below `most`; negative ones stay.

    Raises
    ------
    ProblemError
        If it contains anything else.
    """
    numpy = import_numpy("from_arrays")
    try:
        found = numpy.asarray(values)
    except (TypeError, ValueError) as error:
        raise ProblemError(f"{name}: expected an array of whole numbers: {error}") from None
    if found.size == 0:
        return found.astype(numpy.int64)
    if found.dtype.kind not in "iu":
        raise ProblemError(f"{name}: expected an array of whole numbers, got one of {found.dtype}")
    if found.max() >= most:
        raise ProblemError(f"{name}: {int(found.max())} is too large; expected less than {most:,}")
    if found.itemsize < 4:  # sums of small numbers would overflow
        return found.astype(numpy.int32)
    return found.astype(numpy.int64) if found.dtype.kind == "u" else found


def make_columns(
    options: Any,
    items: Any,
    colors: Any,
    *,
    names: Sequence[Item],
    is_secondary: Any,
    labels: Sequence[Label],
    color_names: Sequence[Hashable],
) -> Columns:
    """Return options from arrays with one element for each item of an option, and check the rules of a problem.

    Parameters
    ----------
    options, items, colors
        The numbers of the option, of its item, and of the color from 1, where 0 stands for no color; `colors` may be
        empty if there are none.
    names
        The names of the items, by number.
    is_secondary
        An array that says of each item whether it is secondary.
    labels, color_names
        The labels of the options, by number, and the names of the colors, from number 1.

    Raises
    ------
    ProblemError
        If an option contains an item twice, or gives a color to a primary one.
    """
    numpy = import_numpy("from_arrays")
    count = len(labels)
    if len(options) and (numpy.diff(options) < 0).any():
        order = numpy.argsort(options, kind="stable")
        options, items = options[order], items[order]
        colors = colors[order] if len(colors) else colors
    _check_repeated(numpy, options, items, names, labels)
    secondary = is_secondary[items] if is_secondary.any() else None
    if secondary is None:
        sizes, wrong = numpy.bincount(options, minlength=count), colors > 0
    else:
        sizes = numpy.bincount(options[~secondary], minlength=count)
        wrong = (colors > 0) & ~secondary if len(colors) else colors > 0
    useless = (sizes == 0).nonzero()[0].tolist()
    if wrong.any():
        place = int(wrong.argmax())
        label, item = labels[int(options[place])], names[int(items[place])]
        raise ProblemError(
            f"option {str(label)!r} gives a color to {str(item)!r}, a primary item; only secondary items have colors; "
            "name it in secondary",
            label,
        )
    if secondary is not None:
        order = numpy.argsort(is_secondary, kind="stable")
        place_of = numpy.empty(len(order), numpy.int32)
        place_of[order] = numpy.arange(len(order), dtype=numpy.int32)
        items, names = place_of[items], [names[number] for number in order.tolist()]
        sizes = numpy.bincount(options, minlength=count)
    starts = numpy.zeros(count + 1, numpy.int64)
    numpy.cumsum(sizes, out=starts[1:])
    primary = int(len(names) - is_secondary.sum())
    entries = _to_array("i", items.astype(numpy.int32, copy=False))
    painted = _to_array("i", colors.astype(numpy.int32, copy=False)) if len(color_names) else None
    return Columns(
        names[:primary],
        names[primary:],
        labels,
        _to_array("q", starts),
        entries,
        array("i", bytes(4 * len(entries))) if painted is None else painted,
        color_names,
        useless,
    )


def _check_repeated(numpy: Any, options: Any, items: Any, names: Sequence[Item], labels: Sequence[Label]) -> None:
    """Check that no option contains an item twice; `options` ascend."""
    if not len(items):
        return
    keys = options.astype(numpy.int64) * max(1, len(names)) + items
    if not (numpy.diff(keys) > 0).all():
        keys.sort()
        same = numpy.diff(keys) == 0
        if same.any():
            option, item = divmod(int(keys[int(same.argmax())]), max(1, len(names)))
            label = labels[option]
            raise ProblemError(f"option {str(label)!r} contains item {str(names[item])!r} twice", label)


def _to_array(kind: str, values: Any) -> array[int]:
    found = array(kind)
    found.frombytes(memoryview(values).cast("B"))
    return found


def check_names(name: str, names: Any, needed: int) -> Sequence[Hashable]:
    """Return the names of numbers below `needed`; the numbers themselves if no names are stated.

    Raises
    ------
    ProblemError
        If they are not a list, or too few.
    """
    if names is None:
        return range(needed)
    if isinstance(names, str) or not hasattr(names, "__len__") or not hasattr(names, "__getitem__"):
        raise ProblemError(f"{name}: expected a list of names, got {show_value(names)}")
    listed: Sequence[Hashable] = names.tolist() if hasattr(names, "tolist") else names
    if len(listed) < needed:
        raise ProblemError(f"{name}: {format_count(len(listed), 'name')} for numbers up to {needed - 1}")
    return listed
