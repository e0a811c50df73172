"""Heat maps: how often each place is covered over many solutions, and by what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace

from exactcover.control.arguments import check_arguments
from exactcover.pictures.palette import DEEP_TINTS
from exactcover.pictures.shapes import BLOCKED, PAPER, SHADED, Cell, Disc, Edge, Line, Picture, Shape, Text, Tile

Place = tuple[int, int]
_STEEP = 1.6  # how fast the strength grows near the largest share, which otherwise differs little from the others
_TINT = 6  # of things without a color of their own; the strength of the color shows the share


@check_arguments
def heat_maps(board: Picture, options: Iterable[tuple[Picture, float]]) -> list[Picture]:
    """Return one picture per kind of thing; it shows the share of solutions that have the thing at each place.

    Things with the same text are of one kind, for instance the copies of a piece or a digit; so are all things without
    text. If things cover several cells, the first picture shows how often borders run between cells.

    Parameters
    ----------
    board
        The picture of the empty solution.
    options
        For each option, a picture of it alone and the share of solutions that contain it, from 0 to 1.

    Examples
    --------
    >>> from exactcover.pictures import render
    >>> board = Picture("a board", (Cell(0, 0), Cell(0, 1)))
    >>> queens = [Picture("a queen", (*board.shapes, Disc(0, column))) for column in range(2)]
    >>> print(render(heat_maps(board, zip(queens, [0.25, 0.75]))[0]))
    ┌──────┐
    │ 25 75│
    └──────┘
    """
    ground = {place: _bare_shape(shape) for place, shape in board.placed.items()}
    shares: dict[str, dict[Place, float]] = defaultdict(lambda: defaultdict(float))
    tints: dict[str, int] = {}
    joined: dict[tuple[Place, Place], float] = defaultdict(float)
    bare = set(board.shapes)
    for picture, share in options:
        for place, shape in picture.placed.items():
            ground.setdefault(place, _bare_shape(shape))
        kind, places, covers = find_marks(bare, picture)
        for place in places:
            shares[kind][place] += share
            tint = picture.placed[place].tint if place in picture.placed else None
            tints.setdefault(kind, _TINT if tint is None or tint < 0 else tint)
        cells = {place for place in places if isinstance(ground[place], Cell)}
        for pair in _list_neighbors(cells if covers else set()):
            joined[pair] += share
    maps = [_draw_borders(ground, joined)] if joined else []
    if joined and list(shares) == [""]:
        return maps  # the pictures do not tell which thing is where
    return maps + [_draw_kind(kind, tints[kind], ground, shares[kind]) for kind in shares]


def find_marks(bare: Set[Shape], picture: Picture) -> tuple[str, set[Place], bool]:
    """Return the marks that a picture adds to the bare shapes: a text, places, and whether it covers them."""
    shapes = [shape for shape in picture.shapes if shape not in bare]
    kind = next((shape.text for shape in shapes if isinstance(shape, Text)), "")
    colored = (shape for shape in shapes if isinstance(shape, Cell | Tile) and (shape.tint is None or shape.tint >= 0))
    cells = {(shape.row, shape.column) for shape in colored if shape.row is not None and shape.column is not None}
    marked = {(mark.row, mark.column) for mark in shapes if isinstance(mark, Text | Disc | Line)}
    return kind, cells or marked, bool(cells)


def _bare_shape(shape: Cell | Tile) -> Cell | Tile:
    """Return the paper under a cell or tile; lines separate tiles."""
    if shape.tint == BLOCKED:
        return shape
    region = ("tile", shape.row, shape.column) if isinstance(shape, Tile) else ""
    return replace(shape, region=shape.region if shape.tint in (PAPER, SHADED) and not region else region, tint=PAPER)


def _draw_kind(kind: str, tint: int, ground: dict[Place, Cell | Tile], shares: dict[Place, float]) -> Picture:
    shapes: list[Shape] = []
    most = max(map(_round_share, shares.values()), default=1.0)
    for place, cell in sorted(ground.items()):
        share = min(shares.get(place, 0.0), 1.0)
        strength = round(0.05 + 0.95 * (_round_share(share) / most) ** _STEEP, 2)
        shapes.append(replace(cell, tint=DEEP_TINTS + tint, strength=strength) if share > 0 else cell)
        if share > 0:
            shapes.append(Text(*place, _format_percent(share), strong=share == 1))
    title = f"percentage of the solutions in which {kind or 'something'} covers each place"
    return Picture(title, tuple(shapes), grid=True, caption=kind)


def _round_share(share: float) -> float:
    """Return a share as it is shown, so that equal numbers have equal colors; only exact shares give 0 and 1."""
    whole = round(100 * min(share, 1.0))
    return 0.005 if whole == 0 else 0.99 if whole == 100 and share < 1 else whole / 100


def _format_percent(share: float) -> str:
    shown = _round_share(share)
    return "<1" if shown < 0.01 else str(round(100 * shown))


def _draw_borders(ground: dict[Place, Cell | Tile], joined: dict[tuple[Place, Place], float]) -> Picture:
    edges = []
    for one, other in _list_neighbors({place for place, shape in ground.items() if isinstance(shape, Cell)}):
        if ground[one].region == ground[other].region:
            strength = 1 - min(joined.get((one, other), 0.0), 1.0)
            if strength > 0:
                edges.append(Edge(*other, down=one[0] == other[0], strength=round(strength, 3)))
    return Picture("how often a border runs between two cells", (*ground.values(), *edges), caption="borders")


def _list_neighbors(places: set[Place]) -> Iterator[tuple[Place, Place]]:
    """Yield the pairs of places that share a side, each with the left or upper one first."""
    for row, column in sorted(places):
        for other in ((row, column + 1), (row + 1, column)):
            if other in places:
                yield (row, column), other
