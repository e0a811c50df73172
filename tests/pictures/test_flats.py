"""Flat pieces as outlines and plates: their areas, offsets and meshes, and files that other programs read."""

import itertools
import re
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from commands import assert_refused
from exactcover.cli.main import run
from exactcover.pictures.flats import CutSize, Flat, Polygon, find_polygons
from problems import Polyhex, Polyiamond, Polyomino

PERIMETERS = {name: 12 - 2 * (name == "P") for name in "FILNPTUVWXYZ"}


def flats_of(encoder: Any, width: float) -> dict[str, Flat]:
    """Return one piece of each kind."""
    board = encoder.draw(()).shapes
    labels = {label.piece: label for label in encoder.problem().labels}
    return {name: Flat(find_polygons(encoder.draw((one,)), board), width) for name, one in labels.items()}


def area(loops: list[Any]) -> float:
    """Return the area of a piece; holes run clockwise."""
    return sum(float(x * v - u * y) / 2 for loop in loops for (x, y), (u, v) in itertools.pairwise([*loop, loop[0]]))


def test_outlines_of_pentominoes_have_their_areas_at_every_offset() -> None:
    flats = flats_of(Polyomino(), 10.0)
    for name, flat in flats.items():
        (loop,) = flat.outlines()
        assert area([loop]) == pytest.approx(500)
        for offset in (-1.0, 0.5):  # sides move, and the four corners that are left over are squares
            assert area(flat.outlines(offset)) == pytest.approx(500 + offset * 10 * PERIMETERS[name] + 4 * offset**2)
    assert len(flats["X"].outlines()[0]) == 12


@pytest.mark.parametrize(("encoder", "cell"), [
    (Polyiamond(board="4x9", pieces="hexiamonds"), 3**0.5 / 4),
    (Polyhex(board="4x7", pieces="tetrahexes"), 3**0.5 / 2),
    (Polyomino(board="5x5", pieces={"ring": "###/#.#/###", "O": "##/##", "touch": "##./#.#/###"}, copies="any"), 1),
], ids=["triangles", "hexagons", "holes"])  # fmt: skip
def test_plates_are_closed_and_have_their_volumes(encoder: Any, cell: float) -> None:
    sizes = {label.piece: len(label.cells) for label in encoder.problem().labels}
    for name, flat in flats_of(encoder, 2.0).items():
        assert area(flat.outlines()) == pytest.approx(sizes[name] * cell * 4, rel=1e-3)
        triangles = flat.mesh(3.0, -0.05)
        sides = Counter(side for one in triangles for side in itertools.pairwise([*one, one[0]]))
        assert all(sides[one, other] == sides[other, one] for one, other in sides)
        volume = sum(
            x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0]) + x[2] * (y[0] * z[1] - y[1] * z[0])
            for x, y, z in triangles
        )
        assert volume / 6 == pytest.approx(3 * area(flat.outlines(-0.05)))


def test_what_does_not_hang_together_is_refused() -> None:
    def square(x: float, y: float) -> Any:
        return Polygon(((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)))

    for others in ([square(1, 1)], [square(0, 0)], [square(0.5, 1)]):
        with pytest.raises(ValueError, match="overlap, or are not connected along edges"):
            Flat([square(0, 0), *others], 1.0)
    for wrong in ({"kerf": -1}, {"kerf": 9}, {"gap": 9}, {"gap": -0.1}):
        with pytest.raises(ValueError, match="must be at least 0"):
            CutSize(**wrong)


def read_drawing(path: Path) -> Any:
    from ezdxf.filemanagement import readfile  # slow to load

    return readfile(path)


def read_layers(path: Path) -> dict[str, list[Any]]:
    """Return the closed lines of a drawing that has nothing else, and no mistakes, by their layers."""
    document = read_drawing(path)
    assert not document.audit().errors
    assert document.units == 4  # millimeters
    found: dict[str, list[Any]] = {}
    for line in document.modelspace():
        assert (line.dxftype(), line.is_closed) == ("POLYLINE", True)
        points = [(float(point.x), float(point.y)) for point in line.points()]
        found.setdefault(line.dxf.layer, []).append(points)
    assert found.keys() <= {layer.dxf.name for layer in document.layers}
    return found


def read_dxf(path: Path) -> list[Any]:
    """Return the closed lines of a drawing that is only cut."""
    (layer,) = read_layers(path).items()
    assert layer[0] == "CUT"
    return layer[1]


def test_another_program_reads_the_outlines(tmp_path: Path) -> None:
    assert run(["solve", "polyomino", "-o", str(tmp_path / "p.dxf"), "--kerf", "0.2", "-q"]) == 0
    expected = sorted(2000 + 0.1 * 20 * perimeter + 4 * 0.1**2 for perimeter in PERIMETERS.values())
    loops = read_dxf(tmp_path / "p.dxf")
    assert sorted(area([loop]) for loop in loops) == pytest.approx(expected, rel=1e-6)
    assert run(["solve", "polyomino", "-o", str(tmp_path / "p.svg"), "--format", "cut", "--kerf", "0.2", "-q"]) == 0
    text = (tmp_path / "p.svg").read_text()
    drawn = [re.findall(r"([\d.]+) ([\d.]+)", path) for path in re.findall(r' d="([^"]*)"', text)]
    paths = [[(float(x), float(y)) for x, y in path] for path in drawn]
    assert sorted(-area([path]) for path in paths) == pytest.approx(expected, rel=1e-6)
    size = re.search(r'width="([\d.]+)mm" height="([\d.]+)mm"', text)
    assert size is not None
    for path in paths:
        assert all(4.999 <= x <= float(size[1]) - 4.999 and 4.999 <= y <= float(size[2]) - 4.999 for x, y in path)


def test_the_set_is_written_whatever_the_solution_uses(tmp_path: Path) -> None:
    arguments = ["board=2x4", "pieces={I: '####', O: '##/##', T: '###/.#.'}", "copies=any", "-q"]
    assert run(["solve", "polyomino", *arguments, "-o", str(tmp_path / "set.dxf"), "--piece-set"]) == 0
    assert [area([loop]) for loop in read_dxf(tmp_path / "set.dxf")] == pytest.approx([1600] * 3)
    assert run(["solve", "edgematching", "-o", str(tmp_path / "m.dxf"), "--piece-set"]) == 2


def test_tiles_with_colored_edges_are_squares_that_keep_their_colors(tmp_path: Path) -> None:
    files = [tmp_path / "m.dxf", tmp_path / "m.svg"]
    assert run(["solve", "macmahon_2x3.yaml", "-o", str(files[0]), "--kerf", "0.2", "-q"]) == 0
    assert run(["solve", "macmahon_2x3.yaml", "-o", str(files[1]), "--format", "cut", "--kerf", "0.2", "-q"]) == 0
    layers = read_layers(files[0])
    cut = layers.pop("CUT")
    assert sorted(cut[0]) == [(5, 5), (5, 25.2), (25.2, 5), (25.2, 25.2)]
    assert list(map(len, layers.values())) == [12, 12]  # the six squares have each color on twelve edges
    assert sum(area([loop]) for one in layers.values() for loop in one) == pytest.approx(6 * 20.2**2)
    numbers = [layer.dxf.color for layer in read_drawing(files[0]).layers if layer.dxf.name in layers]
    assert len(set(numbers)) == 2
    colors = re.findall(r'fill="#(\w{6})"', files[1].read_text())
    assert {f"COLOR_{color.upper()}" for color in colors} == layers.keys()
    assert len(colors) == 24


def test_flat_pieces_are_printed_as_plates(tmp_path: Path) -> None:
    files = ["-o", str(tmp_path / "p.stl"), "--piece-files", "--thickness", "4", "--block-size", "12", "-q"]
    assert run(["solve", "polyomino", *files]) == 0
    assert len(list(tmp_path.iterdir())) == 12
    data = (tmp_path / "p-1.stl").read_bytes()
    triangles = range(96, len(data), 50)
    corners = [struct.unpack_from("<3f", data, start + 12 * place) for start in triangles for place in range(3)]
    assert {round(z, 3) for _, _, z in corners} == {0, 4}
    across = max(x for x, _, _ in corners) - min(x for x, _, _ in corners) + 0.2  # the gap
    assert across / 12 == pytest.approx(round(across / 12), abs=1e-4)


@pytest.mark.parametrize(("arguments", "words"), [
    (["polycube", "-o", "x.dxf"], "only flat pieces can be cut"),
    (["polycube", "-o", "x.stl", "--thickness", "3"], "applies only to flat pieces"),
    (["sudoku", "-o", "x.dxf"], "no flat pieces"),
    (["queens", "-o", "x.stl"], "no flat pieces"),
    (["coloring_map.yaml", "-o", "x.svg", "--format", "cut"], "no flat pieces"),
    (["tetrasticks_6x6.yaml", "-o", "x.dxf"], "no flat pieces"),
    (["polyomino", "-o", "x.dxf", "--kerf", "8"], "the kerf must be"),
    (["polyomino", "-o", "x.svg", "--kerf", "1"], "applies only to the formats"),
    (["crews.yaml", "-o", "x.dxf"], "has no pictures"),
    (["polycube", "--block-gap", "1"], "--block-gap applies only to the formats stl, dxf and cut"),
    (["polycube", "--format", "stl", "--piece-files"], "--piece-files needs -o FILE.stl"),
    (["polycube", "--format", "stl", "--block-gap", "6"],
     "the gap between pieces must be more than 0 and less than half"),
])  # fmt: skip
def test_what_cannot_be_cut_is_said(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(words, "solve", *arguments)
    assert not list(tmp_path.iterdir())
