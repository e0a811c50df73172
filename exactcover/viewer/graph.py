"""Pictures of any problem as a bipartite graph: options on the left, items on the right, a solution marked."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

from exactcover.algorithm_x import Item, Label, item_of
from exactcover.pictures import PAPER, SHADED, Shape, Tile, printable
from exactcover.pictures.palette import PIECES
from exactcover.viewer.matrix_page import AbstractDrawer, measure

_STEP = 1.25  # from one node to the next below it, in sides of a cell
_PADDING = 0.5  # the space around the text of a node
_FAINT = 10, 0.5  # tint and strength of edges of options that are not chosen
_THIN, _THICK = 0.03, 0.07  # half the width of an edge


class GraphDrawer(AbstractDrawer):
    """Draws solutions of one problem: an edge joins each option to the items that it covers.

    Items that may stay uncovered are shaded.

    Examples
    --------
    >>> from exactcover import Problem
    >>> drawer = GraphDrawer(Problem({"A": [1], "B": [2], "C": [1, 2]}))
    >>> drawer.draw(["C"]).title
    'graph of 3 options and 2 items, with 1 option chosen'
    """

    name = "graph"

    def draw_shapes(self, options: Sequence[Label], chosen: Collection[Label]) -> Iterator[Shape]:
        wide, narrow = (max(map(_measure, names), default=0.0) for names in (options, self._items))
        middle = _STEP * max(len(options), len(self._items)) / 2
        start = wide + max(3.0, 0.8 * middle)  # of the items
        places = {item: middle + _STEP * (k - (len(self._items) - 1) / 2) for k, item in enumerate(self._items)}
        tints: dict[Item, int] = {}
        nodes: list[Shape] = []
        for marked in (False, True):  # edges that are marked lie above the others
            for k, label in enumerate(options):
                if (label in chosen) is not marked:
                    continue
                tint = self._problem.position(label) % len(PIECES)
                height = middle + _STEP * (k - (len(options) - 1) / 2)
                nodes.append(_draw_box(wide - _measure(label), wide, height, label, tint if marked else PAPER))
                for entry in self._problem.options[label]:
                    item = item_of(entry)
                    yield _draw_edge((wide, height), (start, places[item]), tint if marked else None)
                    if marked:
                        tints[item] = tint
        for number, (item, height) in enumerate(places.items()):
            plain = PAPER if number < len(self._problem.primary) else SHADED
            nodes.append(_draw_box(start, start + narrow, height, item, tints.get(item, plain)))
        yield from nodes


def _measure(name: object) -> float:
    """Return the width of a node."""
    return measure(printable(str(name)), _PADDING)


def _draw_box(left: float, right: float, height: float, name: object, tint: int) -> Tile:
    top, bottom = height - 0.42, height + 0.42
    corners = (left, top), (right, top), (right, bottom), (left, bottom)
    return Tile(corners, ("node", left, height), tint, text=printable(str(name)))


def _draw_edge(one: tuple[float, float], other: tuple[float, float], tint: int | None) -> Tile:
    half = _THIN if tint is None else _THICK
    across, down = other[0] - one[0], other[1] - one[1]
    length = math.hypot(across, down)
    x, y = -half * down / length, half * across / length
    ends = (one, 1), (other, 1), (other, -1), (one, -1)
    corners = tuple((point[0] + sign * x, point[1] + sign * y) for point, sign in ends)
    return Tile(corners, None, *(_FAINT if tint is None else (tint, 1.0)))
