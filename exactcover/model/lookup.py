"""Finding options and items by their names, or by the texts of these."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property

from exactcover.algorithm_x import Item, Label
from exactcover.control.arguments import check_arguments
from exactcover.errors import ProblemError, nearest
from exactcover.model.matrix import Matrix
from exactcover.model.names import Labels, check_list
from exactcover.pictures.text import show_value

__all__ = ["Lookup"]


class Lookup:
    """The names of items and options, with methods that find them."""

    _items: tuple[Item, ...]
    _names: Labels
    _matrix: Matrix
    _dropped: Mapping[Label, str]

    @property
    def _labels(self) -> tuple[Label, ...]:
        return self._names.listed

    @property
    def _positions(self) -> Mapping[Label, int]:
        return self._names.positions

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
        return self._names.pick(positions)

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
    def options_of(self, names: Iterable[Item | Label]) -> tuple[int, ...]:
        """Return the positions of the options with these labels, and of those that contain these items.

        Items and labels may also be named by their text.

        Raises
        ------
        ProblemError
            If a name is neither an item nor a label, or both; or if several items or labels have this text.
        """
        check_list("project", names, "items and labels")
        positions, items = set[int](), set[int]()
        for name in names:
            item, is_label = self._find_item(name), self.has_option(name)
            if item is not None and is_label:
                raise ProblemError(f"project names {str(name)!r}, which is both an item and the label of an option")
            if item is None and not is_label:
                near = nearest(name, [*self._items, *self._labels])
                raise ProblemError(f"project names {show_value(name)}, which is neither an item nor a label{near}")
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
        try:
            number = self._primary_numbers.get(item)
        except TypeError:
            raise ProblemError(f"{where} names {show_value(item)}, which is not hashable") from None
        if number is None:
            primary, secondary = self._items[: self._matrix.primary], self._items[self._matrix.primary :]
            kind = "a secondary item" if item in secondary else f"not an item{nearest(item, primary)}"
            raise ProblemError(f"{where} names {str(item)!r}, which is {kind}; expected a primary item")
        return number

    @cached_property
    def _primary_numbers(self) -> Mapping[Item, int]:
        return {item: number for number, item in enumerate(self._items[: self._matrix.primary])}

    @check_arguments
    def positions_of(self, labels: Iterable[Label]) -> list[int]:
        """Return the positions of the options with these labels; see :meth:`position`."""
        return self._many_positions("labels", labels)

    def forget_names(self) -> None:
        """Forget what was found out about names, because they have changed."""
        for name in ("_positions_by_text", "_primary_numbers", "_item_numbers"):
            vars(self).pop(name, None)

    def _many_positions(self, name: str, labels: Iterable[Label]) -> list[int]:
        check_list(name, labels, "labels")
        return [self.position(label) for label in labels]
