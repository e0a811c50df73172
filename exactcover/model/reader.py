"""Reading options into a matrix, one by one or as arrays, and checking the rules of a Problem."""

from __future__ import annotations

import sys
import warnings
from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from exactcover.algorithm_x import Colored, Item, Label, Weighted
from exactcover.control.arguments import read_whole, to_list, to_mapping, to_whole
from exactcover.errors import EngineUnavailableError, FormatWarning, ProblemError, nearest
from exactcover.model.costs import Cost, places_of, read_cost, units_of_cost
from exactcover.model.matrix import ONCE, Bounds, Matrix, MatrixBuilder, native
from exactcover.model.names import check_list, find_primary, number_labels, read_mapping
from exactcover.pictures.text import cut, format_count, show_value

_MOST = (1 << 31) - 1  # items, colors and options; they are stored in four bytes


@dataclass(frozen=True)
class Columns:
    """Options whose items and colors are numbers, as in a :class:`~exactcover.Matrix`."""

    primary: Sequence[Item]  # in the order of their numbers, before the secondary ones
    secondary: Sequence[Item]
    labels: Sequence[Label]
    starts: array[int]
    entries: array[int]
    colors: array[int]
    color_names: Sequence[Hashable] = field(default=())  # in the order of their numbers, from 1
    useless: Sequence[int] = ()  # the positions of options without a primary item


def import_numpy(what: str) -> Any:
    """Return the module numpy; raise ``EngineUnavailableError``, which says what needs it, if it is not installed."""
    try:
        import numpy
    except ImportError:
        raise EngineUnavailableError(f"{what} needs numpy; install it with: python -m pip install numpy") from None
    return numpy


def read_numbers(name: str, values: Any, most: int = _MOST) -> Any:
    """Return an argument as an array of whole numbers below `most`; negative ones stay.

    Raise ``ProblemError`` if it contains anything else.
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

    The elements are the numbers of the option, of its item, and of the color from 1, where 0 stands for no color;
    `colors` may be empty if there are none. Names and labels are by number. Raise ``ProblemError`` if an option
    contains an item twice, or gives a color to a primary one.
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

    Raise ``ProblemError`` if they are not a list, or too few.
    """
    if names is None:
        return range(needed)
    if isinstance(names, str) or not hasattr(names, "__len__") or not hasattr(names, "__getitem__"):
        raise ProblemError(f"{name}: expected a list of names, got {show_value(names)}")
    listed: Sequence[Hashable] = names.tolist() if hasattr(names, "tolist") else names
    if len(listed) < needed:
        raise ProblemError(f"{name}: {format_count(len(listed), 'name')} for numbers up to {needed - 1}")
    return listed


_LARGE = 1 << 62
_MOST_TIMES = 10_000  # that an option may cover an item
_MOST_ENTRIES = 1 << 24  # of options with weights; a small file could ask for more than fits into the memory
_MAX_DIGITS = 1000  # of a multiplicity; a file could ask for more than can be printed


class MatrixReader:
    """Reads options into a matrix, and checks the rules of a :class:`~exactcover.Problem`.

    The number of primary items may be unknown until all options are read. Therefore secondary items are first numbered
    -1, -2, ...; :meth:`finish` moves them behind the primary ones. Raise ``ProblemError`` if `primary` or `secondary`
    is a string or not iterable, or an item is not hashable, or named twice or in both.
    """

    def __init__(self, primary: Iterable[Item] | None, secondary: Iterable[Item]) -> None:
        self.open_ended = primary is None
        self.numbers: dict[Item, int] = {}
        self.primary: list[Item] = []
        self.secondary: list[Item] = []
        self.colors: dict[Hashable, int] = {}
        self.lost_colors: frozenset[Hashable] = frozenset()  # that only options gave which were left out
        self.positions: dict[Label, int] = {}
        self.builder = MatrixBuilder()
        self.is_numbered = False  # whether secondary items have their final numbers
        self.useless: list[int] = []  # positions of options without a primary item
        self.banned: frozenset[int] = frozenset()  # items that must not be covered; then no option has them
        self.dropped: dict[Label, str] = {}  # options that could never be chosen, with the reason
        check_list("primary", () if primary is None else primary, "items")
        check_list("secondary", secondary, "items")
        for item in () if primary is None else primary:
            self._declare(item, self.primary, len(self.primary))
        for item in secondary:
            self._declare(item, self.secondary, -1 - len(self.secondary))

    def _declare(self, item: Item, kind: list[Item], number: int) -> None:
        try:
            declared = item in self.numbers
        except TypeError:
            raise ProblemError(f"the item {item!r} is not hashable") from None
        if declared:
            both = kind is self.secondary and self.numbers[item] >= 0
            fault = "is both primary and secondary" if both else "is named twice"
            raise ProblemError(f"item {str(item)!r} {fault}")
        self.numbers[item] = number
        kind.append(item)

    def adopt(self, columns: Columns) -> None:
        """Take over options that have been read and checked, except that labels may be taken or not hashable."""
        self.positions = number_labels(columns.labels)
        self.colors = {color: number for number, color in enumerate(columns.color_names, 1)}
        self.builder.starts, self.builder.entries = columns.starts, columns.entries
        self.builder.colors = columns.colors
        self.useless = list(columns.useless)
        self.is_numbered = True

    def read_all(self, options: Iterable[tuple[Label, Iterable[Item]]]) -> None:
        """Read many options, in C++ where that is possible.

        Raise ``ProblemError`` if an option is not a pair of a label and items; or as for :meth:`read`.
        """
        if native is not None:
            self._read_natively(iter(options))
            return
        for option in options:
            self._read_pair(option)

    def _read_natively(self, options: Iterator[Any]) -> None:
        """Read plain options in C++, and whatever else there is one by one."""
        primary = self.primary if self.open_ended else None
        reader = native.OptionReader(self.positions, self.numbers, self.colors, primary, Colored)
        builder = self.builder
        left: tuple[Any, ...] | None = ()
        while left is not None:
            left = reader.read(options)
            first = len(builder.entries)
            entries, colors, ends = reader.take()
            builder.entries.frombytes(entries)
            builder.colors.frombytes(colors)
            if ends:
                builder.starts.extend(array("q", ends) if first == 0 else [first + end for end in array("q", ends)])
            if left:
                self._read_pair(left[0])

    def _read_pair(self, option: tuple[Label, Iterable[Item]]) -> None:
        try:
            label, items = option
        except (TypeError, ValueError):
            raise ProblemError(f"expected an option as (label, items), got {option!r}") from None
        self.read(label, items)

    def read(self, label: Label, items: Iterable[Item]) -> None:
        """Read one option.

        Raise ``ProblemError`` if the label is taken or not hashable, the items are a string or not iterable, an item is
        unknown or not hashable or occurs twice, a primary item has a color, or a color is None.
        """
        name = f"option {str(label)!r}"
        position = len(self.positions)
        try:
            taken = self.positions.setdefault(label, position) != position
        except TypeError:
            raise ProblemError(f"the label {label!r} is not hashable") from None
        if taken:
            raise ProblemError(f"{name} occurs twice; labels must be unique", label)
        if isinstance(items, str):
            raise ProblemError(f"{name}: its items are one string, {items!r}; expected a list of items", label)
        if not hasattr(items, "__iter__"):
            raise ProblemError(f"{name}: its items are {items!r}; expected a list of items", label)
        numbers: dict[int, tuple[int, int]] = {}  # with their colors, and how often they are covered
        for entry in items:
            item, color, times = entry, 0, 1
            if isinstance(entry, Colored):
                item, color = entry.item, self._color_number(entry, name, label)
            elif isinstance(entry, Weighted):
                item, times = entry.item, _read_times(entry, name, label)
            try:
                number = self.numbers.get(item)
            except TypeError:
                raise ProblemError(f"{name}: the item {item!r} is not hashable", label) from None
            if number is None:
                number = self._add_primary(item, name, label)
            if number in numbers:
                raise ProblemError(f"{name} contains item {str(item)!r} twice", label)
            if color and number >= 0:
                raise ProblemError(
                    f"{name} gives a color to {str(item)!r}, a primary item; only secondary items have colors", label
                )
            if times != 1 and number < 0:
                raise ProblemError(
                    f"{name} covers {str(item)!r} {times} times, a secondary item; only primary items have weights",
                    label,
                )
            numbers[number] = color, times
            self.builder.weighted |= times > 1
            if times > 1 and len(self.builder.entries) + times > _MOST_ENTRIES:
                raise ProblemError(f"{name}: all options together cover items over {_MOST_ENTRIES:,} times", label)
        if max((number for number, (_, times) in numbers.items() if times), default=-1) < 0:
            self.useless.append(position)
        for number, (color, times) in numbers.items():
            for _ in range(times):
                self.builder.append(number, color)
        self.builder.close_option()

    def _add_primary(self, item: Item, name: str, label: Label) -> int:
        """Make an item that was not declared a primary item, and return its number."""
        if not self.open_ended:
            near = nearest(item, self.numbers)
            raise ProblemError(f"{name} contains {str(item)!r}, which is neither primary nor secondary{near}", label)
        number = self.numbers[item] = len(self.primary)
        self.primary.append(item)
        return number

    def _color_number(self, entry: Colored, name: str, label: Label) -> int:
        if entry.color is None:
            raise ProblemError(
                f"{name} gives {str(entry.item)!r} the color None; leave out the color of an item that is not shared",
                label,
            )
        try:
            return self.colors.setdefault(entry.color, len(self.colors) + 1)
        except TypeError:
            color = show_value(entry.color)
            raise ProblemError(
                f"{name} gives {str(entry.item)!r} the color {color}, which is not hashable", label
            ) from None

    def finish(
        self,
        multiplicity: Any,
        costs: Any,
        preferred: Iterable[Item],
        others: tuple[Any, Any] = (None, None),
    ) -> tuple[tuple[Item, ...], Matrix, int]:
        """Return the items in order, the matrix, and the number of cost units in a cost of 1, after the last option.

        The other bounds, as `at_least` and `at_most` of :class:`~exactcover.Problem`, are those of primary items that
        are not in `multiplicity`. Warn if options without a primary item are left out. Raise ``ProblemError`` if
        `multiplicity` or `preferred` name something that is not a primary item, `costs` name something that is not an
        option, or bounds or a cost are not valid.
        """
        check_list("preferred", preferred, "items")
        primary = len(self.primary)
        entries = self.builder.entries
        if self.secondary and not self.is_numbered:
            _move_secondary(entries, primary)
        items = (*self.primary, *self.secondary)
        most = len(entries) if self.builder.weighted else len(self.positions)
        bounds = {
            find_primary(item, "multiplicity", self.numbers, len(self.primary)): _check_bounds(item, often, most)
            for item, often in read_mapping("multiplicity", multiplicity).items()
        }
        if others != (None, None):
            usual = _read_usual_bounds(*others, most)
            bounds = dict.fromkeys(range(primary), usual) | bounds
        costs = self._name_costs(costs)
        self.banned = frozenset(item for item, (_, high) in bounds.items() if high == 0)
        self._drop_useless(items)
        scaled, units = self._scale_costs(costs)
        matrix = self.builder.matrix(
            len(items),
            primary,
            {item: (low, max(1, high)) for item, (low, high) in sorted(bounds.items()) if (low, high) != ONCE},
            scaled,
            frozenset(find_primary(item, "preferred", self.numbers, len(self.primary)) for item in preferred),
        )
        return items, matrix, units

    def _name_costs(self, costs: Any) -> Mapping[Label, Cost]:
        """Return costs by label: of a mapping, of a series by its index, or of a list with one cost per option."""
        if isinstance(costs, Mapping) and not costs:
            return costs
        if len(getattr(costs, "shape", "?")) > 1:
            raise ProblemError(f"costs: expected one cost per option, got a table of shape {costs.shape}")
        listed, mapping = to_list(costs), to_mapping(costs)
        is_counted = mapping is None or list(mapping) == list(range(len(mapping)))  # a list, or a series without labels
        if listed is None or not is_counted or (mapping is not None and mapping.keys() <= self.positions.keys()):
            if listed is not None and mapping is not None and len(listed) > len(mapping):
                raise ProblemError("costs: a label occurs more than once in the index")
            return read_mapping("costs", costs)
        if len(listed) != len(self.positions):
            wanted = format_count(len(self.positions), "cost")
            raise ProblemError(f"costs: expected {wanted}, one per option, got {len(listed)}")
        return dict(zip(self.positions, listed, strict=True))

    def _drop_useless(self, items: Sequence[Item]) -> None:
        """Drop the options that could never be chosen: those without a primary item, and those with a banned item."""
        builder, useless, banned = self.builder, set(self.useless), self.banned
        if not useless and banned.isdisjoint(builder.entries):
            return
        labels, colors, kept = list(self.positions), list(self.colors), MatrixBuilder()
        self.positions = {}
        for position, (label, (begin, end)) in enumerate(zip(labels, pairwise(builder.starts), strict=True)):
            wrong = next((item for item in builder.entries[begin:end] if item in banned), None)
            if wrong is not None:
                self.dropped[label] = f"it contains {str(items[wrong])!r}, whose multiplicity is 0"
            elif position in useless:
                self.dropped[label] = "it has no primary item"
            else:
                self.positions[label] = len(self.positions)
                kept.entries.extend(builder.entries[begin:end])
                kept.colors.extend(builder.colors[begin:end])
                kept.close_option()
                if builder.weighted and not kept.weighted:
                    kept.weighted = len({*builder.entries[begin:end]}) < end - begin
        number = {color: place for place, color in enumerate(dict.fromkeys(filter(None, kept.colors)), 1)}
        kept.colors = array("i", [number.get(color, 0) for color in kept.colors])
        self.colors = {colors[color - 1]: place for color, place in number.items()}
        self.lost_colors = frozenset(colors).difference(self.colors)
        self.builder = kept
        if useless:
            _warn_of_useless([labels[position] for position in self.useless])

    def _scale_costs(self, costs: Mapping[Label, Cost]) -> tuple[Sequence[int], int]:
        """Return the costs by position, in whole units, and the number of units in a cost of 1."""
        if set(map(type, costs.values())) == {int} and costs.keys() <= self.positions.keys():
            low, high = min(costs.values()), max(costs.values())
            if low > -_LARGE and high < _LARGE:  # which needs no look at each of a million costs
                return ([int(costs.get(label, 0)) for label in self.positions] if low or high else ()), 1
        by_position: dict[int, Cost] = {}
        places = 0
        for label, cost in costs.items():
            if label in self.dropped:
                continue
            if label not in self.positions:
                near = nearest(label, self.positions)
                raise ProblemError(f"costs name {str(label)!r}, which is not an option{near}")
            try:
                cost = by_position[self.positions[label]] = read_cost(cost, signed=True)
            except ValueError as error:
                raise ProblemError(f"option {str(label)!r} {error}", label) from None
            places = max(places, places_of(cost))
        if not any(by_position.values()):
            return (), 1
        return [units_of_cost(by_position.get(k, 0), places) for k in range(len(self.positions))], 10**places


def _warn_of_useless(labels: Sequence[Label]) -> None:
    first = f"option {str(labels[0])!r} has"
    if len(labels) > 1:
        first = f"{format_count(len(labels), 'option')} ({cut(', '.join(repr(str(one)) for one in labels), 60)}) have"
    message = f"{first} no primary item and could never be chosen; left out"
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals["__name__"].startswith("exactcover."):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, FormatWarning, stacklevel=level)  # for the line that has called the package


def _move_secondary(entries: array[int], primary: int) -> None:
    """Move secondary items, which have negative numbers, behind the primary ones."""
    if native is not None:
        native.move_secondary(entries, primary)
        return
    for place, number in enumerate(entries):
        if number < 0:
            entries[place] = primary - 1 - number


def _read_usual_bounds(at_least: Any, at_most: Any, options: int) -> Bounds:
    """Return the bounds of items that have none of their own; without a limit, all options may cover them."""
    low = 0 if at_least is None else read_whole("at_least", at_least, 0, ", or None")
    high = max(1, low, options) if at_most is None else read_whole("at_most", at_most, max(1, low), ", or None")
    if high >= 10**_MAX_DIGITS:
        raise ValueError(f"at_least and at_most must have at most {_MAX_DIGITS:,} digits")
    return low, high


def _read_times(entry: Weighted, name: str, label: Label) -> int:
    times = to_whole(entry.times)
    if times is None or not 0 <= times <= _MOST_TIMES:
        raise ProblemError(
            f"{name} covers {str(entry.item)!r} {show_value(entry.times)} times; expected a whole number from 0 to "
            f"{_MOST_TIMES:,}",
            label,
        )
    return times


def _check_bounds(item: Item, often: Any, options: int) -> Bounds:
    """Return the bounds of an item; without a limit, all options may cover it."""
    pair = to_list(often)
    if pair is not None and len(pair) == 2 and pair[1] is None:
        pair = [pair[0], max(1, options, to_whole(pair[0]) or 0)]
    numbers = [to_whole(one) for one in ((often, often) if pair is None else pair)]
    low, high = numbers if len(numbers) == 2 else (None, None)
    if low is None or high is None or not 0 <= low <= high:
        raise ProblemError(
            f"item {str(item)!r} has the multiplicity {show_value(often)}; expected a number of at least 0, "
            "(low, high) with 0 <= low <= high, or (low, None) for no limit"
        )
    if high >= 10**_MAX_DIGITS:
        raise ProblemError(f"item {str(item)!r} has a multiplicity of more than {_MAX_DIGITS:,} digits")
    return low, high
