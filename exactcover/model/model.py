"""The model: validated items and options, and their properties."""

from __future__ import annotations

import copy
import time
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import NoneType
from typing import Any, Self, TypeAlias

from exactcover.algorithm_x import Colored, Item, Label, Weighted
from exactcover.control.arguments import check_arguments, check_instance
from exactcover.errors import ProblemError, nearest
from exactcover.model.costs import (
    Cost,
    SoftPrice,
    SoftPrices,
    cost_of_units,
    find_deviations,
    price_of_deviation,
    rank_deviations,
    read_soft_price,
    scale_prices,
)
from exactcover.model.matrix import Bounds, Matrix, StatedBounds
from exactcover.model.names import (
    OptionsView,
    StatedSymmetry,
    check_list,
    find_primary,
    fingerprint,
    number_labels,
    read_mapping,
)
from exactcover.model.reader import Columns, MatrixReader
from exactcover.model.sources import Sources
from exactcover.pictures.text import format_count, make_table, show_value
from exactcover.rules import MatrixRule, Regions, Rule, to_switches

Options: TypeAlias = Mapping[Label, Iterable[Item]] | Iterable[tuple[Label, Iterable[Item]]]


class Lookup:
    """The names of items and options, with methods that find them."""

    _items: tuple[Item, ...]
    _labels: tuple[Label, ...]
    _positions: Mapping[Label, int]
    _matrix: Matrix
    _dropped: Mapping[Label, str]

    def labels_of(self, positions: Sequence[int]) -> tuple[Label, ...]:
        """Return the labels of the options at these positions.

        Raises
        ------
        IndexError
            If a position is out of range. Negative positions count from the end.

        Examples
        --------
        >>> from exactcover import Problem
        >>> Problem({"A": [1], "B": [2], "C": [1, 2]}).labels_of([0, 2])
        ('A', 'C')
        """
        check_list("positions", positions, "positions")
        return tuple([self._labels[position] for position in positions])

    def position(self, label: Label) -> int:
        """Return the position of the option with this label.

        The text of a label is accepted as well if no other label has the same text.

        Raises
        ------
        ProblemError
            If no option has this label, or several labels have this text.
        """
        try:
            return self._positions[label]
        except (KeyError, TypeError):
            pass
        if not isinstance(label, str):
            raise self._unknown(label)
        return self._positions[self.label_of_text(label)]

    @check_arguments
    def options_of(
        self, names: Iterable[Item | Label], argument: str = "project", *, prefers_items: bool = False
    ) -> tuple[int, ...]:
        """Return the positions of the options with these labels, and of those that contain these items.

        Items and labels may also be named by their text. `argument` is what names them. A name of both stands for the
        item if `prefers_items` is true.

        Raises
        ------
        ProblemError
            If a name is neither an item nor a label, or, unless items are preferred, both; or if several items or
            labels have this text.

        Examples
        --------
        >>> from exactcover import Problem
        >>> Problem({"A": [1, 2], "B": [1], "C": [2]}).options_of(["2", "B"])
        (0, 1, 2)
        """
        check_list(argument, names, "items and labels")
        positions, items = set[int](), set[int]()
        for name in names:
            item, is_label = self._find_item(name), self.has_option(name)
            if item is not None and is_label and not prefers_items:
                raise ProblemError(f"{argument} names {str(name)!r}, which is both an item and the label of an option")
            if item is None and not is_label:
                near = nearest(name, [*self._items, *self._labels])
                raise ProblemError(f"{argument} names {show_value(name)}, which is neither an item nor a label{near}")
            if item is None:
                positions.add(self.position(name))
            else:
                items.add(item)
        matrix = self._matrix
        for option in range(len(matrix)) if items else ():
            if not items.isdisjoint(matrix.entries[matrix.starts[option] : matrix.starts[option + 1]]):
                positions.add(option)
        return tuple(sorted(positions))

    def _find_item(self, name: Item) -> int | None:
        """Return the number of an item, from its name or the text of it; None if there is none."""
        try:
            number = self._item_numbers.get(name)
        except TypeError:
            return None
        if number is None and isinstance(name, str):
            same = [number for number, item in enumerate(self._items) if str(item) == name]
            if len(same) > 1:
                raise ProblemError(f"several items have the text {name!r}; name the item itself, in Python")
            number = same[0] if same else None
        return number

    @cached_property
    def _item_numbers(self) -> Mapping[Item, int]:
        return {item: number for number, item in enumerate(self._items)}

    def has_option(self, label: Label) -> bool:
        """Return whether an option has this label, or this text as the text of its label."""
        try:
            return label in self._positions or (isinstance(label, str) and label in self._positions_by_text)
        except TypeError:
            return False

    def _unknown(self, label: Label) -> ProblemError:
        if isinstance(label, Hashable) and label in self._dropped:
            return ProblemError(f"option {str(label)!r} was left out: {self._dropped[label]}")
        return ProblemError(f"no option is labeled {str(label)!r}{nearest(label, self._labels)}")

    @check_arguments
    def label_of_text(self, text: str) -> Label:
        """Return the label with this text, which somebody has typed.

        Raises
        ------
        ProblemError
            If no label has this text, or several have it.

        Examples
        --------
        >>> from exactcover import Problem
        >>> Problem({1: ["a"], 2: ["b"]}).label_of_text("2")
        2
        """
        named = self._positions_by_text.get(text, ())
        if len(named) > 1:
            alike = " and ".join(repr(self._labels[position]) for position in named[:2])
            raise ProblemError(f"several labels have the text {text!r}: {alike}; name the label itself, in Python")
        if not named:
            raise self._unknown(text)
        return self._labels[named[0]]

    @check_arguments
    def check_texts(self, texts: Iterable[str]) -> None:
        """Check that texts which somebody has typed do not each stand for several labels, or several items.

        Raises
        ------
        ProblemError
            If several labels or several items have one of the texts.

        Examples
        --------
        >>> from exactcover import Problem
        >>> Problem({1: ["a"], "1": ["b"]}).check_texts(["1"])
        Traceback (most recent call last):
        ...
        exactcover.errors.ProblemError: several labels have the text '1': 1 and '1'; name the label itself, in Python
        """
        texts = set(texts)
        often = Counter(text for item in self._items if (text := str(item)) in texts) if texts else {}
        for text in sorted(texts):
            if text in self._positions_by_text:
                self.label_of_text(text)
            if often.get(text, 0) > 1:
                raise ProblemError(f"several items have the text {text!r}; name the item itself, in Python")

    @cached_property
    def _positions_by_text(self) -> Mapping[str, Sequence[int]]:
        """The positions of the options by the text of their labels, for labels that people type."""
        positions: dict[str, list[int]] = defaultdict(list)
        for position, label in enumerate(self._labels):
            positions[str(label)].append(position)
        return positions

    @check_arguments
    def primary_number(self, item: Item, where: str) -> int:
        """Return the number of a primary item that an argument names.

        Raises
        ------
        ProblemError
            If it is not a primary item.
        """
        return find_primary(item, where, self._item_numbers, self._matrix.primary)

    @check_arguments
    def positions_of(self, labels: Iterable[Label]) -> list[int]:
        """Return the positions of the options with these labels; see :meth:`position`."""
        return self._many_positions("labels", labels)

    def _many_positions(self, name: str, labels: Iterable[Label]) -> list[int]:
        check_list(name, labels, "labels")
        return [self.position(label) for label in labels]


class Model(Sources, Lookup):
    """Items, options and everything else that states a problem. :class:`~exactcover.Problem` adds the searches.

    Attributes
    ----------
    build_seconds
        The seconds that it took to make it of its options.
    vocabulary
        The encoder that puts deductions into the words of its puzzle; None for the names of items and options.
    """

    vocabulary: Any = None

    def __init__(
        self,
        options: Options,
        *,
        primary: Iterable[Item] | None = None,
        secondary: Iterable[Item] = (),
        multiplicity: Mapping[Any, int | StatedBounds] | None = None,
        costs: Mapping[Label, Cost | float] | Iterable[Any] | None = None,
        preferred: Iterable[Item] = (),
        impossible: str | None = None,
        symmetries: Iterable[StatedSymmetry] = (),
        symmetries_complete: bool = False,
        rotations: Iterable[StatedSymmetry] | None = None,
        givens: Iterable[Label] = (),
        soft: Mapping[Any, SoftPrice] | None = None,
        reduce: bool = False,
        at_least: int | None = None,
        at_most: int | None = None,
        rules: Iterable[Rule] = (),
    ) -> None:
        began = time.monotonic()
        if not isinstance(options, Columns):
            check_list("options", options, "(label, items) pairs")
        for name, stated in (("symmetries", symmetries), ("rotations", () if rotations is None else rotations)):
            check_list(name, stated, "symmetries")
        check_instance("impossible", impossible, (str, NoneType), "a text or None")
        reader = MatrixReader(primary, secondary)
        if isinstance(options, Columns):
            reader.adopt(options)
        else:
            reader.read_all(options.items() if isinstance(options, Mapping) else options)
        self._items, self._matrix, self._units = reader.finish(
            {} if multiplicity is None else multiplicity, {} if costs is None else costs, preferred, (at_least, at_most)
        )
        self._colors, self._lost_colors = tuple(reader.colors), reader.lost_colors
        self._dropped, self._banned = reader.dropped, reader.banned
        self._labels, self._positions = tuple(reader.positions), reader.positions
        check_instance("reduce", reduce, bool, "True or False")
        self._impossible, self._reduces = impossible, reduce
        self._symmetries = list(symmetries) if isinstance(symmetries, Iterator) else symmetries
        self._symmetries_complete = symmetries_complete
        self._rotations = list(rotations) if isinstance(rotations, Iterator) else rotations
        self._givens = tuple(dict.fromkeys(self._many_positions("givens", givens)))
        self._excluded: tuple[int, ...] = ()
        self._soft: Mapping[int, SoftPrices] = {}
        self._weights: Mapping[int, SoftPrices] | None = None
        self._has_ranks = False
        self._set_soft({} if soft is None else soft)
        check_list("rules", rules, "rules")
        self._set_rules(rules, is_strict=True)
        self.build_seconds = time.monotonic() - began

    def _set_rules(self, rules: Iterable[Rule], *, is_strict: bool) -> None:
        """Set the rules; those of a derived problem may name colors that its options do not give any more."""
        read = tuple(self._read_rule(f"rule {number}", rule, is_strict) for number, rule in enumerate(rules, 1))
        if read:
            self._matrix = replace(self._matrix, rules=read)

    def _read_rule(self, where: str, rule: Any, is_strict: bool) -> MatrixRule:
        """Return a rule with the options that turn on its elements."""
        if not isinstance(rule, Rule):
            raise ProblemError(f"{where}: expected a Loop, Paths, Connected or Regions, got {show_value(rule)}")
        where = f"{where} ({type(rule).__name__})"
        switched = tuple(
            tuple(
                sorted({k for one in to_switches(switch) for k in self._list_switched(where, element, one, is_strict)})
            )
            for element, switch in rule.switches.items()
        )
        if is_strict and not (isinstance(rule, Regions) and any(switched)):  # of which some colors may have no vertices
            self._check_colors(where, rule, is_used=any(switched))
        return MatrixRule(rule, switched)

    def _check_colors(self, where: str, rule: Rule, *, is_used: bool) -> None:
        """Refuse a color that no option gives, unless it may be meant: that no option turns on any of the elements."""
        known = self._lost_colors.union(self._colors)
        colored = ((element, one) for element, some in rule.switches.items() for one in to_switches(some)
                   if isinstance(one, Colored) and one.color not in known)  # fmt: skip
        for element, switch in colored:
            near = nearest(switch.color, known)
            number = self._item_numbers[switch.item]
            if is_used or near or sum(item == number for item, _ in self._options_of_colors) > 1:
                raise ProblemError(f"{where}, {element!r}: no option gives an item the color {switch.color!r}{near}")

    def _list_switched(self, where: str, element: Any, switch: Any, is_strict: bool) -> Sequence[int]:
        """Return the options that turn on an element: those that give an item a color, or the one of a label."""
        if not isinstance(switch, Colored):
            if isinstance(switch, Hashable) and (
                switch in self._dropped or not (is_strict or switch in self._positions)
            ):
                return ()
            try:
                return (self.position(switch),)
            except ProblemError as error:
                raise ProblemError(f"{where}, {element!r}: {error}") from None
        number = self._item_numbers.get(switch.item)
        if number is None or number < self._matrix.primary:
            near = nearest(switch.item, self.secondary)
            raise ProblemError(f"{where}, {element!r}: {str(switch.item)!r} is not a secondary item{near}")
        return self._options_of_colors.get((number, switch.color), ())

    @cached_property
    def _options_of_colors(self) -> Mapping[tuple[int, Hashable], Sequence[int]]:
        """The options that give each color to each item."""
        found: dict[tuple[int, Hashable], list[int]] = {}
        for option, row in enumerate(self._matrix.list_options()):
            for item, color in row:
                if color:
                    found.setdefault((item, self._colors[color - 1]), []).append(option)
        return found

    def _set_soft(self, soft: Any) -> None:
        """Add soft items; costs and prices are counted in the same units."""
        stated = {
            self.primary_number(item, "soft"): read_soft_price(item, price)
            for item, price in read_mapping("soft", soft).items()
        }
        for item, (_, over) in stated.items():
            if over is not None and item in self._banned:
                name = f"soft item {str(self._items[item])!r}"
                raise ProblemError(f"{name} has the multiplicity 0, so there is no price of covering it; use costs")
        if stated:
            self._soft, self._matrix, self._units = scale_prices(stated, self._soft, self._matrix, self._units)
        self._rank_deviations()

    def _rank_deviations(self) -> None:
        self._prices = rank_deviations(self._matrix, self._soft, self._weights) if self._weights else self._soft

    # -- properties ----------------------------------------------------------------------------

    @property
    def items(self) -> tuple[Item, ...]:
        """Primary items, then secondary ones, in the order of their numbers in the matrix."""
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
        """The labels of the options, in the order of their numbers in the matrix."""
        return self._labels

    @property
    def colors(self) -> tuple[Hashable, ...]:
        """The colors of secondary items, in the order of their numbers in the matrix, from 1."""
        return self._colors

    @property
    def options(self) -> Mapping[Label, tuple[Item, ...]]:
        """The options by label, in order, as a read-only view."""
        return OptionsView(self._matrix, self._items, self._colors, self._positions)

    @property
    def multiplicity(self) -> Mapping[Item, Bounds]:
        """The bounds of those primary items that do not have to be covered exactly once."""
        stated = self._matrix.multiplicity.items()
        return {self._items[item]: (0, 0) if item in self._banned else bounds for item, bounds in stated}

    @property
    def costs(self) -> Mapping[Label, Cost]:
        """The costs of the options, by label; options that cost nothing are left out."""
        return {
            label: self.cost([label]) for label, cost in zip(self._labels, self._matrix.costs, strict=False) if cost
        }

    @property
    def soft(self) -> Mapping[Item, tuple[Cost | None, Cost | None]]:
        """The prices of the soft items for each time that they are short by one, and for each time too often."""
        return self._name_prices(self._prices)

    def _name_prices(self, prices: Mapping[int, SoftPrices]) -> Mapping[Item, tuple[Cost | None, Cost | None]]:
        units = self._units

        def to_cost(price: int | None) -> Cost | None:
            return None if price is None else cost_of_units(price, units)

        return {self._items[item]: (to_cost(under), to_cost(over)) for item, (under, over) in prices.items()}

    @property
    def soft_prices(self) -> Mapping[int, SoftPrices]:
        """The prices of the soft items by their numbers, in units of cost."""
        return self._prices

    @property
    def stated_prices(self) -> Mapping[int, SoftPrices]:
        """The prices of the soft items without those that follow from the weights of a best effort."""
        return self._soft

    @property
    def weights(self) -> Mapping[int, SoftPrices] | None:
        """The weights of deviations without a stated price in a best effort, which comes before costs; else None."""
        return self._weights

    @property
    def is_best_effort(self) -> bool:
        """True if all items are soft, at a price above that of any cover; see :meth:`Problem.best_effort`."""
        return self._weights is not None

    @property
    def is_ranked(self) -> bool:
        """True if some costs and prices only rank solutions, so that sums of them mean nothing to people."""
        return self._has_ranks or self.is_best_effort

    @check_arguments
    def deviations(self, labels: Iterable[Label]) -> Mapping[Item, int]:
        """Return how many times each primary item is covered too often, or, as negative numbers, too rarely.

        Items that are covered as they should are left out.

        Raises
        ------
        ProblemError
            If a label is unknown.

        Examples
        --------
        >>> from exactcover import Problem
        >>> Problem({"A": [1, 2], "B": [2], "C": [3]}).deviations(["A", "B"])
        {2: 1, 3: -1}
        """
        found = find_deviations(self._matrix, self._many_positions("labels", labels))
        return {self._items[item]: deviation for item, deviation in found.items()}

    @check_arguments
    def price(self, labels: Iterable[Label]) -> Cost:
        """Return the price of the soft items that these options cover too rarely or too often.

        Raises
        ------
        ProblemError
            If a label is unknown, or an item deviates that is not soft, or not in this direction.

        Examples
        --------
        >>> from exactcover import Problem
        >>> Problem({"A": [1]}, primary=[1, 2], soft={2: 5}).price(["A"])
        5
        """
        total = 0
        for item, deviation in find_deviations(self._matrix, self._many_positions("labels", labels)).items():
            price = price_of_deviation(self._prices.get(item), deviation)
            if price is None:
                how = "rarely" if deviation < 0 else "often"
                raise ProblemError(f"item {str(self._items[item])!r} is covered too {how}, and has no price for that")
            total += price
        return cost_of_units(total, self._units)

    def cost(self, labels: Iterable[Label]) -> Cost:
        """Return the total cost of these options: a Decimal if any cost in the problem has decimal places, else an int.

        Raises
        ------
        ProblemError
            If a label is unknown.
        """
        return self.cost_of(self._many_positions("labels", labels))

    def cost_of(self, positions: Iterable[int]) -> Cost:
        """Return the total cost of the options at these positions; see :meth:`cost`."""
        costs = self._matrix.costs
        check_list("positions", positions, "positions")
        total = sum(costs[position] for position in positions) if costs else 0
        return cost_of_units(total, self._units)

    @property
    def cost_units(self) -> int:
        """The number of units, in which the matrix counts costs, that make a cost of 1."""
        return self._units

    @property
    def givens(self) -> tuple[Label, ...]:
        """The labels of the options that every solution must contain."""
        return tuple(self._labels[position] for position in self._givens)

    @property
    def given_positions(self) -> tuple[int, ...]:
        """The positions of the givens."""
        return self._givens

    @property
    def excluded(self) -> tuple[Label, ...]:
        """The labels of the options that no solution may contain."""
        return tuple(self._labels[position] for position in self._excluded)

    @property
    def excluded_positions(self) -> tuple[int, ...]:
        """The positions of the excluded options."""
        return self._excluded

    def instance(self, given: Iterable[Label] = (), without: Iterable[Label] = ()) -> Self:
        """Return the problem with further givens, and with further options that no solution may contain.

        Parameters
        ----------
        given, without
            Labels of options. The text of a label is accepted if no other label has the same text.

        Raises
        ------
        ProblemError
            If a label is unknown.

        Examples
        --------
        >>> from exactcover import Problem
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
        >>> list(problem.instance(given=["A"]).solve()), list(problem.instance(without=["A"]).solve())
        ([('A', 'B')], [('C',)])
        """
        instance = copy.copy(self)
        instance._givens = tuple(dict.fromkeys([*self._givens, *self._many_positions("given", given)]))
        instance._excluded = tuple(dict.fromkeys([*self._excluded, *self._many_positions("without", without)]))
        return instance

    @check_arguments
    def soften(self, soft: Mapping[Any, SoftPrice]) -> Self:
        """Return the problem with further soft items, or other prices of soft items; `soft` is as for the problem.

        Raises
        ------
        ProblemError
            If `soft` names something that is not a primary item, a price is not valid, or the problem ranks changes
            before costs.

        Examples
        --------
        >>> from exactcover import Problem
        >>> problem = Problem({"A": [1, 2], "B": [2, 3]}).soften({1: 2, 3: 1})
        >>> next(problem.cheapest()), problem.soft
        (('A',), {1: (2, None), 3: (1, None)})
        """
        self.check_unranked()
        softened = copy.copy(self)
        softened._set_soft(soft)
        return softened.without_proof()

    def without_proof(self) -> Self:
        """Return the problem without a stated proof that there is no solution, which need not hold of a softer one."""
        plain = copy.copy(self)
        plain._impossible = None
        return plain

    @check_arguments
    def refuse_negative_costs(self, kind: str) -> None:
        """Refuse negative costs, for something that needs others.

        Raises
        ------
        ProblemError
            If a cost is negative.
        """
        if min(self._matrix.costs, default=0) < 0:
            label, cost = next((label, cost) for label, cost in self.costs.items() if cost < 0)
            raise ProblemError(f"{kind} needs costs of at least 0; option {str(label)!r} costs {cost}")

    @check_arguments
    def refuse_weights(self, kind: str) -> None:
        """Refuse options that cover an item several times, for something that has no place for weights.

        Raises
        ------
        ProblemError
            If there is such an option.
        """
        if self._matrix.weighted:
            found = ((label, entry) for label, items in self.options.items() for entry in items)
            label, entry = next((label, entry) for label, entry in found if isinstance(entry, Weighted))
            raise ProblemError(
                f"{kind} has no place for weights; option {str(label)!r} covers {str(entry.item)!r} {entry.times} times"
            )

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that must hold beside the items."""
        return tuple(stated.rule for stated in self._matrix.rules)

    @check_arguments
    def refuse_rules(self, kind: str) -> None:
        """Refuse rules about graphs, for something that does not know them.

        Raises
        ------
        ProblemError
            If there are rules.
        """
        if self._matrix.rules:
            name = type(self._matrix.rules[0].rule).__name__
            raise ProblemError(f"{kind} does not know rules about graphs; the problem has the rule {name}")

    @check_arguments
    def refuse_soft(self, kind: str) -> None:
        """Refuse soft items, for a kind of file that has no place for their prices.

        Raises
        ------
        ProblemError
            If there are soft items.
        """
        if self._prices:
            raise ProblemError(
                f"{kind} has no place for the price of the soft item {str(next(iter(self.soft)))!r}; write the problem "
                "with slack options (convert --soft, or Problem.relaxed()), or as JSON or CSV"
            )

    def check_unranked(self) -> None:
        """Refuse further prices if those of before rank changes before costs.

        Raises
        ------
        ProblemError
            If they do.
        """
        if self._has_ranks:
            raise ProblemError(
                "this problem ranks changes before costs already; call soften before near, and near once"
            )

    @check_arguments
    def with_prices(
        self, prices: Mapping[int, SoftPrices], *, weights: Mapping[int, SoftPrices] | None = None, ranked: bool = False
    ) -> Self:
        """Return the problem with these soft items by number, in units of cost.

        Parameters
        ----------
        prices
            As :attr:`stated_prices`.
        weights
            As the property; by default, the problem is not a best effort.
        ranked
            Whether these prices, and the costs, rank changes before costs.
        """
        changed = copy.copy(self)
        changed._soft, changed._weights = dict(sorted(prices.items())), weights
        changed._has_ranks = ranked or self._has_ranks
        changed._rank_deviations()
        return changed

    @check_arguments
    def extend(self, items: Sequence[Item], labels: Sequence[Label], matrix: Matrix, units: int) -> Self:
        """Return the problem with further items and options, without soft items and symmetries.

        Parameters
        ----------
        items
            All items, in the order of their numbers in `matrix`.
        labels
            The labels of the further options.
        matrix
            The matrix, which begins with the options of this problem, in the same order.
        units
            The number of units, in which the matrix counts costs, that make a cost of 1.
        """
        extended = copy.copy(self)
        extended._items, extended._matrix, extended._units = tuple(items), matrix, units
        if labels:
            extended._labels = (*self._labels, *labels)
            extended._positions = number_labels(extended._labels)
        extended._symmetries, extended._rotations = (), None
        extended._symmetries_complete = False
        extended._soft, extended._prices, extended._weights, extended._has_ranks = {}, {}, None, False
        for name in ("_positions_by_text", "_item_numbers", "_options_of_colors"):  # what was found out about names
            vars(extended).pop(name, None)
        return extended

    def derive(
        self, options: Iterable[tuple[Label, Iterable[Item]]], *, primary: Iterable[Item] | None = None, **changes: Any
    ) -> Self:
        """Return a problem of the same class with other options.

        Parameters
        ----------
        options, primary
            As for the problem itself; the primary items stay if `primary` is None.
        changes
            Further parameters of the new problem. By default it keeps the secondary items, multiplicities, costs,
            soft items, whether it is a best effort, preferred items, the proof that there is no solution, and whether
            searches reduce it; it has no symmetries and no givens.
        """
        parameters: dict[str, Any] = {
            "secondary": self.secondary,
            "multiplicity": self.multiplicity,
            "costs": self.costs,
            "soft": self._name_prices(self._soft),
            "preferred": self.preferred,
            "impossible": self.impossible,
            "reduce": self.reduces,
            **changes,
        }
        derived = type(self)(options, primary=self.primary if primary is None else primary, **parameters)
        derived._has_ranks = self._has_ranks
        if "rules" not in changes:
            derived._set_rules(self.rules, is_strict=False)
        if self._weights is None:
            return derived
        weights = {self._items[item]: pair for item, pair in self._weights.items()}
        kept = {number: weights[item] for number, item in enumerate(derived.primary) if item in weights}
        return derived.with_prices(derived.stated_prices, weights=kept)

    def full(self) -> Self:
        """Return the problem without givens and excluded options."""
        full = copy.copy(self)
        full._givens = full._excluded = ()
        return full

    @property
    def matrix(self) -> Matrix:
        """The problem without names, and without givens and excluded options."""
        return self._matrix

    @property
    def impossible(self) -> str | None:
        """The reason why there is no solution, if the problem was stated with a proof of that; else None."""
        return self._impossible

    @property
    def reduces(self) -> bool:
        """True if searches reduce the problem first, unless they are told whether to do so."""
        return self._reduces

    @property
    def symmetries_complete(self) -> bool:
        """True if the stated symmetries generate all symmetries that count."""
        return self._symmetries_complete

    @property
    def stated_symmetries(self) -> Iterable[StatedSymmetry]:
        """The symmetries as they were stated; they have not been checked yet."""
        return self._symmetries

    @property
    def stated_rotations(self) -> Iterable[StatedSymmetry] | None:
        """The rotations as they were stated, or None if the problem does not say which symmetries are rotations."""
        return self._rotations

    def fingerprint(self) -> str:
        """Return a hash over the ordered items and options, which is the same on every machine.

        Items, labels and colors enter it as text. Different ones with the same text count as different.
        """
        return fingerprint(self._matrix, self._items, self._labels, self._colors, self._units, self._prices)

    def _repr_html_(self) -> str:
        numbers = {
            "primary items": len(self.primary),
            "secondary items": len(self.secondary),
            "options": len(self.options),
            "givens": len(self.givens),
            "excluded options": len(self.excluded),
        }
        return make_table("Problem", numbers.items())

    def __repr__(self) -> str:
        return f"<Problem: {format_count(len(self._items), 'item')}, {format_count(len(self._labels), 'option')}>"
