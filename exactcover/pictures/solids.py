"""Pieces made of cubes or spheres as closed meshes of triangles, in the STL format that 3-D printers read."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from typing import TypeAlias

from exactcover.pictures.flats import Triangle, arrange

Block: TypeAlias = tuple[float, float, float]
"""The middle of a cube or sphere: how far right, back and up, in sizes of a block."""
Cell: TypeAlias = tuple[int, int, int]

_DIRECTIONS = [tuple(sign * (axis == k) for k in range(3)) for axis in range(3) for sign in (-1, 1)]
_ROD = 0.3  # radius of a rod between two spheres, in diameters of a sphere
_ROD_SIDES = 24


@dataclass(frozen=True)
class PrintSize:
    """The size of printed pieces, in millimeters.

    A block is the edge of a cube or the diameter of a sphere, with the gap between two pieces that touch in the
    solution.
    """

    block: float = 10.0
    gap: float = 0.2

    def __post_init__(self) -> None:
        if not 0 < self.gap < self.block / 2:
            raise ValueError("the gap between pieces must be more than 0 and less than half the size of a block")


def write_stl(pieces: Sequence[Sequence[Block]], shape: str, size: PrintSize | None = None, name: str = "") -> bytes:
    """Return pieces as binary STL, one beside the other; each lies on the ground.

    A piece of cubes is turned so that it is as flat as possible, and then so that few cubes hang over. It shrinks by
    half the gap on every side. A piece of spheres is not turned; rods join its spheres, and its shells overlap. The
    shape is ``cube`` or ``sphere``, and the name is a comment of at most 80 bytes.

    >>> data = write_stl([[(0, 0, 0), (1, 0, 0)]], "cube")
    >>> int.from_bytes(data[80:84], "little")  # triangles
    28
    """
    size = size or PrintSize()
    mesh: Callable[[Sequence[Block], float], list[Triangle]] = _mesh_cubes if shape == "cube" else _mesh_spheres
    return write_meshes([mesh(piece, size.gap / size.block) for piece in pieces if piece], size.block, name)


def write_meshes(meshes: Sequence[list[Triangle]], block: float, name: str = "") -> bytes:
    """Return closed meshes, whose unit is a block, as binary STL, one beside the other, half a block apart."""
    triangles = list(_lay_out(meshes, 0.5))
    header = f"exactcover {name}".encode("ascii", "replace")[:80].ljust(80)
    return header + struct.pack("<I", len(triangles)) + b"".join(_pack(one, block) for one in triangles)


def _pack(triangle: Triangle, scale: float) -> bytes:
    one, two, three = triangle
    normal = _normalize(_cross(_subtract(two, one), _subtract(three, one)))
    return struct.pack("<12fH", *normal, *(scale * part for corner in triangle for part in corner), 0)


def _lay_out(meshes: Sequence[list[Triangle]], space: float) -> Iterator[Triangle]:
    """Yield the triangles of all meshes, arranged in rows on the ground."""
    bounds = [_bound(mesh) for mesh in meshes]
    places = arrange([(high[0] - low[0], high[1] - low[1]) for low, high in bounds], space)
    for mesh, (low, _), (right, back) in zip(meshes, bounds, places, strict=True):
        move = _subtract((right, back, 0.0), low)
        for one, two, three in mesh:
            yield _add(one, move), _add(two, move), _add(three, move)


def _bound(mesh: list[Triangle]) -> tuple[Block, Block]:
    corners = [corner for triangle in mesh for corner in triangle]
    low, high = ([end(corner[k] for corner in corners) for k in range(3)] for end in (min, max))
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def _add(one: Block, two: Block) -> Block:
    return one[0] + two[0], one[1] + two[1], one[2] + two[2]


def _subtract(one: Block, two: Block) -> Block:
    return one[0] - two[0], one[1] - two[1], one[2] - two[2]


def _cross(one: Block, two: Block) -> Block:
    x, y, z = (one[k - 2] * two[k - 1] - one[k - 1] * two[k - 2] for k in range(3))
    return x, y, z


def _normalize(vector: Block) -> Block:
    length = math.hypot(*vector)
    return vector[0] / length, vector[1] / length, vector[2] / length


# Cubes. A piece consists of the inner parts of its cubes, and of bridges where 2, 4 or 8 of its cubes meet. Inner parts
# have even coordinates, bridges odd ones, so all are boxes of one grid, and no edge belongs to more than two faces.


def _mesh_cubes(piece: Sequence[Block], gap: float) -> list[Triangle]:
    first = piece[0]
    cells = [tuple(round(part - start) for part, start in zip(block, first, strict=True)) for block in piece]
    boxes = set(_find_boxes(_turn_flat(cells)))
    return [
        triangle
        for box in sorted(boxes)
        for direction in _DIRECTIONS
        if tuple(map(sum, zip(box, direction, strict=True))) not in boxes
        for triangle in _face(box, direction, gap)
    ]


def _turn_flat(cells: Iterable[tuple[int, ...]]) -> set[Cell]:
    """Return the cells in the lowest position with the fewest cells that hang over; ties go to the first."""

    def rate(turned: set[Cell]) -> tuple[int, int]:
        ground = min(z for _, _, z in turned)
        hanging = sum(z > ground and (x, y, z - 1) not in turned for x, y, z in turned)
        return max(z for _, _, z in turned) - ground, hanging

    cells = list(cells)
    return min(({turn(cell) for cell in cells} for turn in _rotations()), key=rate)


@cache
def _rotations() -> list[Callable[[Sequence[int]], Cell]]:
    """Return the 24 rotations of a cube; the first one changes nothing."""

    def make(order: tuple[int, ...], signs: tuple[int, ...]) -> Callable[[Sequence[int]], Cell]:
        return lambda cell: (signs[0] * cell[order[0]], signs[1] * cell[order[1]], signs[2] * cell[order[2]])

    found = []
    for order in permutations(range(3)):
        swaps = sum(order[i] > order[j] for i in range(3) for j in range(i + 1, 3))
        found += [make(order, signs) for signs in product((1, -1), repeat=3) if math.prod(signs) == (-1) ** swaps]
    return found


def _find_boxes(cells: set[Cell]) -> Iterator[Cell]:
    for x, y, z in sorted(cells):
        for right, back, up in product((0, 1), repeat=3):
            met = product((x, x + right), (y, y + back), (z, z + up))
            if all(cell in cells for cell in met):
                yield 2 * x + right, 2 * y + back, 2 * z + up


def _face(box: Cell, direction: tuple[int, ...], gap: float) -> Iterator[Triangle]:
    """Yield two triangles, counterclockwise as seen from outside."""
    axis = next(k for k in range(3) if direction[k])
    forward = direction[axis] > 0
    ends = [_ends(part, gap) for part in box]
    one, other = (axis + 1) % 3, (axis + 2) % 3

    def corner(first: int, second: int) -> Block:
        place = [0.0, 0.0, 0.0]
        place[axis], place[one], place[other] = ends[axis][forward], ends[one][first], ends[other][second]
        return place[0], place[1], place[2]

    around = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]
    a, b, c, d = around if forward else around[::-1]
    yield a, b, c
    yield a, c, d


def _ends(part: int, gap: float) -> tuple[float, float]:
    start = part // 2
    return (start + 1 - gap / 2, start + 1 + gap / 2) if part % 2 else (start + gap / 2, start + 1 - gap / 2)


# Spheres.


def _mesh_spheres(piece: Sequence[Block], gap: float) -> list[Triangle]:
    radius = (1 - gap) / 2
    mesh = [
        (_on(middle, a, radius), _on(middle, b, radius), _on(middle, c, radius))
        for middle in piece
        for a, b, c in _unit_sphere()
    ]
    for k, one in enumerate(piece):
        for other in piece[k + 1 :]:
            if math.dist(one, other) < 1.001:
                mesh += _mesh_rod(one, other)
    return mesh


def _on(middle: Block, direction: Block, radius: float) -> Block:
    return middle[0] + radius * direction[0], middle[1] + radius * direction[1], middle[2] + radius * direction[2]


@cache
def _unit_sphere() -> list[Triangle]:
    """Return a sphere of 512 triangles: an octahedron, each face cut into four three times."""
    axes = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    faces: list[Triangle] = []
    for signs in product((1, -1), repeat=3):
        a, b, c = (_on((0.0, 0.0, 0.0), axis, sign) for axis, sign in zip(axes, signs, strict=True))
        faces.append((a, b, c) if math.prod(signs) > 0 else (a, c, b))
    for _ in range(3):
        faces = [part for face in faces for part in _divide(face)]
    return faces


def _divide(face: Triangle) -> list[Triangle]:
    a, b, c = face
    ab, bc, ca = (_normalize(_add(one, two)) for one, two in ((a, b), (b, c), (c, a)))
    return [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]


def _mesh_rod(start: Block, end: Block) -> list[Triangle]:
    """Return a closed rod between two points."""
    along = _normalize(_subtract(end, start))
    helper = (0.0, 0.0, 1.0) if abs(along[2]) < 0.9 else (1.0, 0.0, 0.0)
    side = _normalize(_cross(helper, along))
    up = _cross(along, side)
    rings: list[list[Block]] = [[], []]
    for k in range(_ROD_SIDES):
        angle = 2 * math.pi * k / _ROD_SIDES
        for ring, middle in zip(rings, (start, end), strict=True):
            ring.append(_on(_on(middle, side, _ROD * math.cos(angle)), up, _ROD * math.sin(angle)))
    mesh: list[Triangle] = []
    for k in range(_ROD_SIDES):
        a, b = rings[0][k - 1], rings[0][k]
        c, d = rings[1][k - 1], rings[1][k]
        mesh += [(a, b, d), (a, d, c), (start, b, a), (end, c, d)]
    return mesh
