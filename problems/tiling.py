"""What all tilings of a board by pieces share: placements, symmetries, copies, and a look at the areas."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from annotated_types import Ge

from exactcover import Item, Label, ParameterError, Symmetry
from problems.boards import Board, cell_name
from problems.lattices import Lattice, Motion, Place, Point, moved, shifted
from problems.pieces import Shape, normalized

__all__ = [
    "Bounds",
    "Copies",
    "Placement",
    "Wish",
    "all_placements",
    "area_gap",
    "bounds",
    "counted",
    "crossings",
    "placements",
    "symmetries",
]

Bounds: TypeAlias = tuple[int, int]
Copies: TypeAlias = Annotated[int, Ge(0)] | tuple[Annotated[int, Ge(0)], Annotated[int, Ge(1)]] | Literal["any"]
"""How many copies of a piece: a number, [at least, at most], or any number."""


Wish: TypeAlias = tuple[bool, str, Place]
"""Whether a piece must or must not take a cell; the piece; the cell."""


class Placement(NamedTuple):
    """A piece on the cells it takes; as text ``F r1c2 r1c3 r2c1 r2c2 r3c2``."""

    piece: str
    cells: tuple[Place, ...]

    def __str__(self) -> str:
        return " ".join([self.piece, *map(cell_name, self.cells)])


def all_placements(pieces: Mapping[str, Iterable[Shape]], board: Board) -> list[Placement]:
    """Return every piece in every orientation at every place of the board.

    They come by the first cell that they take, along the short side of the board; so options near each other are about
    cells near each other, which keeps diagrams of solutions small.
    """
    rank = {cell: position for position, cell in enumerate(board.along_short_side())}
    found = [placement for name, shapes in pieces.items() for placement in placements(name, shapes, board)]
    last = len(rank)
    return sorted(found, key=lambda placement: min([rank.get(cell, last) for cell in placement.cells]))


def placements(piece: str, shapes: Iterable[Shape], board: Board) -> Iterator[Placement]:
    """Yield the piece in every orientation at every place of the board, row by row; the same cells once."""
    starts: dict[int, list[Point]] = defaultdict(list)
    for cell in sorted(board.free):
        point = board.points[cell]
        starts[board.lattice.kind(point)].append(point)
    seen: set[tuple[Place, ...]] = set()
    for shape in shapes:
        for cells in _laid(shape, starts[board.lattice.kind(shape[0])], board):
            if None in cells:
                continue
            taken = tuple(sorted(cells))
            if board.periods:  # only there a piece can meet itself, and two ways can come to the same
                if len(set(taken)) < len(shape) or taken in seen:
                    continue
                seen.add(taken)
            yield Placement(piece, taken)


def _laid(shape: Shape, starts: Sequence[Point], board: Board) -> Iterator[list[Any]]:
    """Yield the cells that a shape takes from each start on; None for those that are not on the board."""
    steps = [shifted(cell, shape[0], -1) for cell in shape]
    if board.periods:
        for start in starts:
            yield [board.at.get(board.reduced(shifted(start, step))) for step in steps]
        return
    at = board.by_code.get  # points as single numbers are shifted much faster
    codes = [board.code(step) for step in steps]
    for number in map(board.code, starts):
        yield [at(number + code) for code in codes]


def crossings(placement: Placement, board: Board) -> list[str]:
    """Return the items for the points that a piece passes straight on, which no other may pass."""
    if not board.lattice.crosses:
        return []
    cells = set(placement.cells)
    ways = (board.lattice.straight_on(board.points[cell]) for cell in placement.cells)
    middles = [middle for middle, beyond in ways if board.at.get(board.reduced(beyond)) in cells]
    return list(dict.fromkeys(_crossing(middle, board) for middle in middles))


def _crossing(middle: Point, board: Board) -> str:
    return f"crossing {cell_name(board.lattice.place_of_crossing(board.reduced(middle)))}"


class _Kind(NamedTuple):
    """What a piece must have in common with another to be equal to it."""

    shapes: frozenset[Shape]
    often: Bounds | None
    wishes: frozenset[tuple[bool, Place]]


def symmetries(
    board: Board,
    shapes: Mapping[str, Sequence[Shape]],
    copies: Mapping[str, Bounds | None],
    options: Sequence[Placement],
    wishes: Iterable[Wish] = (),
    *,
    mirrors: bool = True,
) -> Iterator[Symmetry]:
    """Yield what generates all that leaves a tiling as it is: motions of the board, and swaps of equal pieces.

    A motion counts if it maps the board onto itself and the pieces onto pieces of which there are as many, so that what
    pieces must and must not take goes along.

    Parameters
    ----------
    options
        What there is to choose.
    mirrors
        Whether mirror images count too.
    """
    kinds = _kinds(shapes, copies, wishes)
    alike = sum(copies[name] is None for name in kinds) > 1  # such pieces have no items to tell them apart
    still = board.reduced((0,) * len(board.points[board.free[0]]))
    for number, motion in enumerate(board.lattice.motions(reflect=mirrors)):
        reached = {still}  # by shifts alone
        for shift in _onto_itself(board, motion):
            if number == 0 and board.reduced(shift) in reached:
                continue
            cells = _cells_moved(board, motion, shift)
            renamed = _renamed(kinds, motion, cells, board.lattice)
            if renamed is None:
                continue
            images = {cell_name(cell): cell_name(image) for cell, image in cells.items()}
            labels = _placements_moved(options, cells, renamed) if alike else {}
            yield Symmetry({**images, **_crossings_moved(board, motion, shift), **renamed}, labels)
            if number > 0:  # the others are this one and a shift
                break
            _reach(reached, shift, board)
    firsts: dict[_Kind, str] = {}
    for name, kind in kinds.items():
        first = firsts.setdefault(kind, name)
        if first != name:
            swap = {first: name, name: first}
            yield Symmetry(swap, _placements_moved(options, {}, swap) if alike else {})


def _kinds(
    shapes: Mapping[str, Sequence[Shape]], copies: Mapping[str, Bounds | None], wishes: Iterable[Wish]
) -> dict[str, _Kind]:
    """Return the pieces that matter: those that may be used, and those that keep others from a cell."""
    by_piece: dict[str, set[tuple[bool, Place]]] = defaultdict(set)
    for must, name, cell in wishes:
        by_piece[name].add((must, cell))
    return {
        name: _Kind(frozenset(own), copies[name], frozenset(by_piece[name]))
        for name, own in shapes.items()
        if copies[name] != (0, 0) or any(must for must, _ in by_piece[name])
    }


def _onto_itself(board: Board, motion: Motion) -> Iterator[Point]:
    """Yield by which shifts a board, moved, lies on itself."""
    origin = board.reduced((0,) * len(motion))
    if any(board.reduced(moved(motion, period)) != origin for period in board.periods):
        return
    points = [board.points[cell] for cell in board.free]
    images = [moved(motion, point) for point in points]
    start, targets = min(images), points if board.periods else [min(points)]
    for target in targets:
        if board.lattice.kind(target) != board.lattice.kind(start):
            continue
        shift = shifted(target, start, -1)
        laid = [board.at.get(board.reduced(shifted(image, shift))) for image in images]
        required = set(laid[: len(board.required)])
        if required == set(board.required) and {*laid} - required == set(board.optional):
            yield shift


def _reach(reached: set[Point], shift: Point, board: Board) -> None:
    """Add what a further shift makes of those that were reached."""
    waiting = list(reached)
    while waiting:
        more = board.reduced(shifted(waiting.pop(), shift))
        if more not in reached:
            reached.add(more)
            waiting.append(more)


def _cells_moved(board: Board, motion: Motion, shift: Point) -> dict[Place, Place]:
    return {cell: board.at[board.reduced(shifted(moved(motion, board.points[cell]), shift))] for cell in board.free}


def _crossings_moved(board: Board, motion: Motion, shift: Point) -> dict[Item, Item]:
    if not board.lattice.crosses:
        return {}
    middles = (board.lattice.straight_on(board.points[cell])[0] for cell in board.free)
    return {_crossing(middle, board): _crossing(shifted(moved(motion, middle), shift), board) for middle in middles}


def _placements_moved(
    options: Sequence[Placement], cells: Mapping[Place, Place], pieces: Mapping[Item, Item]
) -> dict[Label, Label]:
    def image(option: Placement) -> Placement:
        piece = str(pieces.get(option.piece, option.piece))
        return Placement(piece, tuple(sorted(cells.get(cell, cell) for cell in option.cells)))

    return {option: image(option) for option in options}


def _renamed(
    kinds: Mapping[str, _Kind], motion: Motion, cells: Mapping[Place, Place], lattice: Lattice
) -> dict[Item, Item] | None:
    """Return which piece each becomes by a motion; None if one becomes what is no piece."""
    free = dict(kinds)
    renamed: dict[Item, Item] = {}
    for name, (shapes, often, wishes) in kinds.items():
        turned = (normalized([moved(motion, cell) for cell in shape], lattice) for shape in shapes)
        wanted = _Kind(frozenset(turned), often, frozenset((must, cells[cell]) for must, cell in wishes))
        image = name if free.get(name) == wanted else next((one for one in free if free[one] == wanted), None)
        if image is None:
            return None
        del free[image]
        renamed[name] = image
    return renamed


def bounds(copies: Copies, parameter: str | tuple[str, ...]) -> Bounds | None:
    """Return how many copies there must and may be at least and at most; None for any number."""
    if copies == "any":
        return None
    low, high = (copies, copies) if isinstance(copies, int) else copies
    if not 0 <= low <= high:
        raise ParameterError(parameter, f"expected at least no more than at most, got {low} and {high}")
    return low, high


def counted(copies: Mapping[str, Bounds | None]) -> dict[str, Bounds]:
    """Return the pieces that are used, but not in any number."""
    return {name: often for name, often in copies.items() if often is not None and often != (0, 0)}


def area_gap(board: Board, sizes: Sequence[tuple[int, Bounds | None]]) -> str | None:
    """Return a proof by areas that the pieces cannot cover the board, or None if areas allow it.

    Parameters
    ----------
    board
        Its connected parts are looked at one by one.
    sizes
        For each kind of piece its number of cells, and how many copies there must and may be; None for any number.
    """
    least, most = len(board.required), len(board.required) + len(board.optional)
    lows = sum(size * copies[0] for size, copies in sizes if copies is not None)
    highs = sum(size * copies[1] for size, copies in sizes if copies is not None)
    if lows > most or (highs < least and all(copies is not None for _, copies in sizes)):
        some = (
            f"{lows} cells" if lows == highs else f"at least {lows} cells" if lows > most else f"at most {highs} cells"
        )
        wanted = f"{least} cells" if least == most else f"{least} to {most} cells"
        return f"the pieces cover {some}, but the board has {wanted} to cover"
    reachable = _sums(sizes, most)
    for required, optional in board.components():
        window = range(len(required), len(required) + len(optional) + 1)
        if not any(reachable >> area & 1 for area in window):
            where = cell_name((required or optional)[0])
            return (
                f"the part of the board at {where} has {len(required)} cells to cover, "
                f"and no choice of pieces adds up to that (sizes {_describe(sizes)})"
            )
    return None


def _sums(sizes: Iterable[tuple[int, Bounds | None]], most: int) -> int:
    """Return the areas that some of the pieces add up to, as bits."""
    reachable, mask = 1, (1 << most + 1) - 1
    for size, copies in sizes:
        for _ in range(most // size if copies is None else min(copies[1], most // size)):
            more = (reachable | reachable << size) & mask
            if more == reachable:
                break
            reachable = more
    return reachable


def _describe(sizes: Iterable[tuple[int, Bounds | None]]) -> str:
    return ", ".join(str(size) for size in sorted({size for size, copies in sizes if copies != (0, 0)}))
