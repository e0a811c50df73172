"""Pieces for printing: closed surfaces with the right volume, apart from each other."""

import math
import struct
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import invoke
from exactcover.pictures.solids import Block, PrintSize, write_stl

Triangle = tuple[tuple[float, ...], ...]
cells = st.sets(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=8)


def read(data: bytes) -> list[Triangle]:
    (number,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * number
    triangles = []
    for values in struct.iter_unpack("<12fH", data[84:]):
        corners = tuple(tuple(round(part, 3) for part in values[at : at + 3]) for at in (3, 6, 9))
        assert math.isclose(math.hypot(*values[:3]), 1, rel_tol=1e-5)
        triangles.append(corners)
    return triangles


def volume(triangles: list[Triangle]) -> float:
    total = 0.0
    for (ax, ay, az), (bx, by, bz), (cx, cy, cz) in triangles:
        total += ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx)
    return total / 6


def assert_closed(triangles: list[Triangle]) -> None:
    edges = Counter((t[k - 1], t[k]) for t in triangles for k in range(3))
    assert all(number == 1 and edges[end, start] == 1 for (start, end), number in edges.items())


def shrunk_volume(cells: set[tuple[int, int, int]], gap: float) -> float:
    """Return the volume of a polycube without what is nearer than half the gap to its surface.

    It is the sum of its cubes, of the bridges between two, of those between four and of those between eight.
    """
    total = 0.0
    for (x, y, z), (right, back, up) in product(cells, product((0, 1), repeat=3)):
        met = {*product((x, x + right), (y, y + back), (z, z + up))}
        bridges = right + back + up
        total += (1 - gap) ** (3 - bridges) * gap**bridges * (met <= cells)
    return total


@given(cells)
def test_a_polycube_is_one_closed_surface_of_the_right_volume(piece: set[tuple[int, int, int]]) -> None:
    triangles = read(write_stl([sorted(piece)], "cube", PrintSize(10, 1)))
    assert_closed(triangles)
    assert volume(triangles) == pytest.approx(1000 * shrunk_volume(piece, 0.1), rel=1e-3)
    assert min(corner[2] for triangle in triangles for corner in triangle) == 0


@given(st.lists(cells, min_size=1, max_size=5))
def test_pieces_in_one_file_do_not_touch(pieces: list[set[tuple[int, int, int]]]) -> None:
    boxes, parts = [], [read(write_stl([sorted(piece)], "cube")) for piece in pieces]
    together = read(write_stl([sorted(piece) for piece in pieces], "cube"))
    for part in parts:
        mine, together = together[: len(part)], together[len(part) :]
        assert volume(mine) == pytest.approx(volume(part), rel=1e-3)
        boxes.append([(min(c[k] for t in mine for c in t), max(c[k] for t in mine for c in t)) for k in (0, 1)])
    assert not together
    for k, one in enumerate(boxes):
        for other in boxes[k + 1 :]:
            assert any(a[1] + 4.9 < b[0] or b[1] + 4.9 < a[0] for a, b in zip(one, other, strict=True))


def test_a_piece_lies_flat_with_few_cubes_hanging_over() -> None:
    tower: list[Block] = [(0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 0, 2)]
    triangles = read(write_stl([tower], "cube", PrintSize(10, 0.2)))
    assert max(corner[2] for triangle in triangles for corner in triangle) == pytest.approx(9.8)
    tripod: list[Block] = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)]
    ground = [t for t in read(write_stl([tripod], "cube")) if all(corner[2] == 0 for corner in t)]
    assert len(ground) == 2 * (3 + 2)  # three cubes and two bridges stand on the ground


def test_spheres_are_joined_by_rods() -> None:
    triangles = read(write_stl([[(0, 0, 0), (1, 0, 0)]], "sphere", PrintSize(10, 0.2)))
    assert len(triangles) == 2 * 512 + 4 * 24
    assert_closed(triangles)
    spheres = 2 * 4 / 3 * math.pi * 4.9**3
    assert volume(triangles) == pytest.approx(spheres + math.pi * 3**2 * 10, rel=0.03)
    assert len(read(write_stl([[(0, 0, 0), (2, 0, 0)]], "sphere"))) == 2 * 512


@pytest.mark.parametrize("gap", [0, -1, 5, math.nan])
def test_an_impossible_gap_is_an_error(gap: float) -> None:
    with pytest.raises(ValueError, match="the gap between pieces must be"):
        PrintSize(10, gap)


def test_solve_writes_one_file_or_one_per_piece(tmp_path: Path) -> None:
    result = invoke("solve", "polycube", "-o", str(tmp_path / "soma.stl"), "--limit", "2")
    assert result.returncode == 0 and "only the pieces of the first of 2 solutions are written" in result.stderr
    assert len(list(tmp_path.iterdir())) == 1
    whole = volume(read((tmp_path / "soma.stl").read_bytes()))
    sizes = ["--block-size", "10", "--block-gap", "0.2", "--piece-files"]
    assert invoke("solve", "polycube", "-o", str(tmp_path / "soma.stl"), *sizes, "-q").returncode == 0
    parts = [read(path.read_bytes()) for path in tmp_path.glob("soma-*.stl")]
    assert len(parts) == 7
    assert sum(map(volume, parts)) == pytest.approx(whole, rel=1e-4)
    for part in parts:
        assert_closed(part)
