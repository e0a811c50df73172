"""The options in which solutions are to differ, from names of items and labels of options."""

from __future__ import annotations

from collections.abc import Iterable

from exactcover.algorithm_x import Item, Label
from exactcover.model.model import Model
from exactcover.model.names import check_list

__all__ = ["find_differing"]


def find_differing(model: Model, names: Iterable[Item | Label]) -> tuple[int, ...]:
    """Return the positions of the options that are named, or that contain an item that is named.

    A name is an item, or the text of one item, or else a label, or the text of one label.

    Raises
    ------
    ProblemError
        If a name is unknown, or is the text of several labels.

    Examples
    --------
    >>> from exactcover import Problem
    >>> find_differing(Problem({"A": [1, 2], "B": [1], "C": [2]}), ["2", "B"])
    (0, 1, 2)
    """
    check_list("differing", names, "items and labels")
    matrix, found = model.matrix, set[int]()
    for name in names:
        item = _find_item(model, name)
        if item is None:
            found.add(model.position(name))
        else:
            found.update(k for k in range(len(matrix)) if any(one == item for one, _ in matrix.option(k)))
    return tuple(sorted(found))


def _find_item(model: Model, name: Item | Label) -> int | None:
    """Return the number of the item with this name or text; None if there is none, or several have the text."""
    if name in model.items:
        return model.items.index(name)
    named = [number for number, item in enumerate(model.items) if isinstance(name, str) and str(item) == name]
    return named[0] if len(named) == 1 else None
