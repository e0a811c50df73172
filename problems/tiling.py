"""Code shared by all tilings of a board: symmetries, numbers of copies, and a proof by areas."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypeAlias

from annotated_types import Ge

from exactcover import Item, Label, ParameterError, Symmetry
from exactcover.pictures import format_count
from problems.boards import Board, cell_name
from problems.lattices import Lattice, Motion, Place, Point, transform, translate
from problems.pieces import Shape, normalize
from problems.placements import Placement

Bounds: TypeAlias = tuple[int, int]
"""The least and the greatest number of copies of a piece."""
Copies: TypeAlias = Annotated[int, Ge(0)] | tuple[Annotated[int, Ge(0)], Annotated[int, Ge(0)]] | str
"""The number of copies of a piece: a number, [low, high], a range such as "2-3", or "any"."""

_RANGE = re.compile(r"\s*([0-9]{1,9})(?:\s*(?:-|to|\.\.)\s*([0-9]{1,9}))?\s*")
CellRule: TypeAlias = tuple[bool, str, Place]
"""A rule: True if a piece must cover a cell, and False if it must not; the piece; the cell."""


def crossings(placement: Placement, board: Board) -> list[str]:
    """Return the items for the points that a piece passes straight through; no other piece may pass them."""
    if not board.lattice.crosses:
        return []
    cells = set(placement.cells)
    lines = (board.lattice.straight_on(board.points[cell]) for cell in placement.cells)
    middles = [middle for middle, beyond in lines if board.at.get(board.wrap(beyond)) in cells]
    return list(dict.fromkeys(_crossing_item(middle, board) for middle in middles))


def _crossing_item(middle: Point, board: Board) -> str:
    return f"crossing {cell_name(board.lattice.place_of_crossing(board.wrap(middle)))}"


class _Kind(NamedTuple):
    """The properties that interchangeable pieces have in common."""

    shapes: frozenset[Shape]
    copies: Bounds | None
    rules: frozenset[tuple[bool, Place]]


def tiling_symmetries(
    board: Board,
    shapes: Mapping[str, Sequence[Shape]],
    copies: Mapping[str, Bounds | None],
    options: Sequence[Placement],
    rules: Iterable[CellRule] = (),
    *,
    mirrors: bool = True,
) -> Iterator[Symmetry]:
    """Yield generators of the symmetries of a tiling problem: motions of the board, and swaps of equal pieces.

    A motion is a symmetry if it maps the board onto itself and each piece to a piece with the same number of copies, in
    such a way that the rules on cells are preserved. Pieces are stated by their orientations, and may be chosen as the
    options say. With `mirrors`, reflections count too.
    """
    kinds = _kinds(shapes, copies, rules)
    ambiguous = sum(copies[name] is None for name in kinds) > 1  # pieces without items of their own
    identity = board.wrap((0,) * len(board.points[board.free[0]]))
    for number, motion in enumerate(board.lattice.motions(reflect=mirrors)):
        reached = {identity}  # by shifts alone
        for shift in _shifts_onto_board(board, motion):
            if number == 0 and board.wrap(shift) in reached:
                continue
            cells = _cell_images(board, motion, shift)
            pieces = _piece_images(kinds, motion, cells, board.lattice)
            if pieces is None:
                continue
            images = {cell_name(cell): cell_name(image) for cell, image in cells.items()}
            labels = _placement_images(options, cells, pieces) if ambiguous else {}
            yield Symmetry({**images, **_crossing_images(board, motion, shift), **pieces}, labels)
            if number > 0:  # all others with this motion are its products with shifts
                break
            _extend_reached(reached, shift, board)
    firsts: dict[_Kind, str] = {}
    for name, kind in kinds.items():
        first = firsts.setdefault(kind, name)
        if first != name:
            swap = {first: name, name: first}
            yield Symmetry(swap, _placement_images(options, {}, swap) if ambiguous else {})


def _kinds(
    shapes: Mapping[str, Sequence[Shape]], copies: Mapping[str, Bounds | None], rules: Iterable[CellRule]
) -> dict[str, _Kind]:
    """Return the pieces that matter: those that may be used, and those whose rules keep others off a cell."""
    by_piece: dict[str, set[tuple[bool, Place]]] = defaultdict(set)
    for must, name, cell in rules:
        by_piece[name].add((must, cell))
    return {
        name: _Kind(frozenset(orientations), copies[name], frozenset(by_piece[name]))
        for name, orientations in shapes.items()
        if copies[name] != (0, 0) or any(must for must, _ in by_piece[name])
    }


def _shifts_onto_board(board: Board, motion: Motion) -> Iterator[Point]:
    """Yield the shifts that, applied after the motion, map the board onto itself."""
    origin = board.wrap((0,) * len(motion))
    if any(board.wrap(transform(motion, period)) != origin for period in board.periods):
        return
    points = [board.points[cell] for cell in board.free]
    images = [transform(motion, point) for point in points]
    start, targets = min(images), points if board.periods else [min(points)]
    for target in targets:
        if board.lattice.kind(target) != board.lattice.kind(start):
            continue
        shift = translate(target, start, -1)
        cells = [board.at.get(board.wrap(translate(image, shift))) for image in images]
        required = set(cells[: len(board.required)])
        if required == set(board.required) and {*cells} - required == set(board.optional):
            yield shift


def images_of_board(board: Board, motion: Motion) -> Iterator[dict[Place, Place]]:
    """Yield the images of the cells for each way in which a motion maps the board onto itself."""
    return (_cell_images(board, motion, shift) for shift in _shifts_onto_board(board, motion))


def _extend_reached(reached: set[Point], shift: Point, board: Board) -> None:
    """Add all shifts that are reached by combining a new shift with those reached before."""
    waiting = list(reached)
    while waiting:
        more = board.wrap(translate(waiting.pop(), shift))
        if more not in reached:
            reached.add(more)
            waiting.append(more)


def _cell_images(board: Board, motion: Motion, shift: Point) -> dict[Place, Place]:
    return {cell: board.at[board.wrap(translate(transform(motion, board.points[cell]), shift))] for cell in board.free}


def _crossing_images(board: Board, motion: Motion, shift: Point) -> dict[Item, Item]:
    if not board.lattice.crosses:
        return {}
    middles = (board.lattice.straight_on(board.points[cell])[0] for cell in board.free)
    images = {middle: translate(transform(motion, middle), shift) for middle in middles}
    return {_crossing_item(middle, board): _crossing_item(image, board) for middle, image in images.items()}


def _placement_images(
    options: Sequence[Placement], cells: Mapping[Place, Place], pieces: Mapping[Any, Any]
) -> dict[Label, Label]:
    def image(option: Placement) -> Placement:
        piece = str(pieces.get(option.piece, option.piece))
        return Placement(piece, tuple(sorted(cells.get(cell, cell) for cell in option.cells)))

    return {option: image(option) for option in options}


def _piece_images(
    kinds: Mapping[str, _Kind], motion: Motion, cells: Mapping[Place, Place], lattice: Lattice
) -> dict[Item, Item] | None:
    """Return the image of each piece under a motion; None if the image of a piece is not one of the pieces."""
    free = dict(kinds)
    images: dict[Item, Item] = {}
    for name, (shapes, copies, rules) in kinds.items():
        turned = (normalize([transform(motion, cell) for cell in shape], lattice) for shape in shapes)
        wanted = _Kind(frozenset(turned), copies, frozenset((must, cells[cell]) for must, cell in rules))
        image = name if free.get(name) == wanted else next((one for one in free if free[one] == wanted), None)
        if image is None:
            return None
        del free[image]
        images[name] = image
    return images


def copy_bounds(copies: Copies, parameter: str | tuple[str, ...]) -> Bounds | None:
    """Return the least and the greatest number of copies; None for any number."""
    if isinstance(copies, str):
        found = _RANGE.fullmatch(copies)
        if copies.strip() == "any":
            return None
        if found is None:
            expected = "a whole number, [low, high], a range such as 2-3, or any"
            raise ParameterError(parameter, f"expected {expected}; got {copies[:40]!r}")
        copies = int(found[1]), int(found[2] or found[1])
    low, high = (copies, copies) if isinstance(copies, int) else copies
    if not 0 <= low <= high:
        raise ParameterError(parameter, f"expected [low, high] with 0 <= low <= high, got [{low}, {high}]")
    return low, high


def bounded_copies(copies: Mapping[str, Bounds | None]) -> dict[str, Bounds]:
    """Return the bounds of the pieces that are used in a bounded number."""
    return {name: bounds for name, bounds in copies.items() if bounds is not None and bounds != (0, 0)}


def area_proof(board: Board, sizes: Sequence[tuple[int, Bounds | None]]) -> str | None:
    """Return a proof by areas that the pieces cannot cover the board, or None if there is no such proof.

    The connected components of the board are examined one by one. `sizes` has the number of cells of each kind of
    piece, and the bounds on its copies; None for any number.
    """
    least, most = len(board.required), len(board.required) + len(board.optional)
    lows = sum(size * copies[0] for size, copies in sizes if copies is not None)
    highs = sum(size * copies[1] for size, copies in sizes if copies is not None)
    if lows > most or (highs < least and all(copies is not None for _, copies in sizes)):
        bound = "" if lows == highs else "at least " if lows > most else "at most "
        covered = bound + format_count(lows if lows > most else highs, "cell")
        wanted = format_count(least, "cell") if least == most else f"{least} to {most} cells"
        return f"the pieces cover {covered}, but the board has {wanted} to cover"
    reachable = _reachable_areas(sizes, most)
    for required, optional in board.components():
        window = range(len(required), len(required) + len(optional) + 1)
        if not any(reachable >> area & 1 for area in window):
            where = cell_name((required or optional)[0])
            return (
                f"the part of the board at {where} has {format_count(len(required), 'cell')} to cover, "
                f"and no sum of piece sizes equals that (piece sizes: {_list_sizes(sizes)})"
            )
    return None


def _reachable_areas(sizes: Iterable[tuple[int, Bounds | None]], most: int) -> int:
    """Return the areas up to `most` that a choice of pieces can have, as a bit set."""
    reachable, mask = 1, (1 << most + 1) - 1
    for size, copies in sizes:
        for _ in range(most // size if copies is None else min(copies[1], most // size)):
            more = (reachable | reachable << size) & mask
            if more == reachable:
                break
            reachable = more
    return reachable


def _list_sizes(sizes: Iterable[tuple[int, Bounds | None]]) -> str:
    return ", ".join(str(size) for size in sorted({size for size, copies in sizes if copies != (0, 0)}))
