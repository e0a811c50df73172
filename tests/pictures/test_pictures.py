import gc
import weakref
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from exactcover import Encoder
from exactcover.pictures import Cell, Edge, Picture, Text, Tile, contact_sheet, heat_maps, printable, render
from exactcover.pictures.palette import PIECES, color, rgb
from exactcover.pictures.svg import list_strokes
from problems import Polycube, Polyhex, Polyomino, Queens


def test_blocked_and_shaded_cells_show_without_colors() -> None:
    assert render(Polyomino("3x3", {"O": "monominoes"}, copies="any", holes=((2, 2),)).draw(())).count("▒") == 3
    assert "·" in render(Queens(n=4).draw(()))


def test_colors_only_when_asked_for() -> None:
    picture = Picture("x", (Cell(0, 0, tint=3), Text(0, 0, "A", strong=True)))
    assert "\x1b" not in render(picture)
    assert f"48;2;{';'.join(map(str, rgb(PIECES[3])))}m" in render(picture, colors=True)


def test_pictures_with_colors_are_not_kept() -> None:
    picture: Any = Picture("x", [Cell(0, 0, tint=3)])  # type: ignore[arg-type]  # a list, as plugins may give one
    kept = weakref.ref(picture)
    assert "48;2;" in render(picture, colors=True)
    del picture
    gc.collect()
    assert kept() is None


def test_neighbors_get_different_colors() -> None:
    tiling = Polyomino("6x6", "dominoes", copies="any")
    picture = tiling.draw(next(tiling.problem().solve()))
    for (row, column), cell in picture.cells.items():
        assert picture.tint(cell) == 0  # the hue of their piece
        for place in ((row + 1, column), (row, column + 1)):
            if other := picture.cells.get(place):
                assert (picture.strength(other) == picture.strength(cell)) == (other.region == cell.region)


def test_a_piece_has_one_color_in_every_picture() -> None:
    tiling = Polyomino("4x5", "tetrominoes", copies="any")
    tints: dict[str, set[int]] = {}
    for solution in tiling.problem().solve(limit=20):
        picture = tiling.draw(solution)
        for cell in picture.cells.values():
            tints.setdefault(cell.region.piece, set()).add(picture.tint(cell))  # type: ignore[attr-defined]
    assert len(set.union(*tints.values())) == sum(map(len, tints.values())) == len(tints) > 2


def test_a_picture_has_light_colors_and_a_rule_for_dark_ones() -> None:
    sheet = contact_sheet([Picture("p", (Cell(0, 0, "a", 3), Cell(0, 1, "b", -1), Text(0, 0, "A")))])
    assert f'class="t3" fill="{color(3)}"' in sheet
    assert f".t3{{fill:{color(3, 'dark')};" in sheet.partition("prefers-color-scheme:dark")[2]
    assert sheet.count('class="outline"') == 1  # between the cells
    assert sheet.count('class="rule"') == 1  # around them


def test_svg_is_stable_well_formed_and_accessible() -> None:
    tiling = Polyomino("3x20")
    pictures = [tiling.draw(solution) for solution in tiling.problem().solve(limit=2)]
    sheet = contact_sheet(pictures, more=True)
    assert sheet == contact_sheet(pictures, more=True)
    root = ET.fromstring(sheet)
    assert root.get("role") == "img"
    assert root.get("aria-label") == "2 solutions: 12 pieces on a board of 60 squares"
    assert root.find("{http://www.w3.org/2000/svg}title") is not None
    assert "the first 2 solutions; there may be more" in sheet
    assert len(root.findall("{http://www.w3.org/2000/svg}g")) == 2


def list_heat_maps(encoder: Encoder) -> list[Picture]:
    problem = encoder.problem()
    marginals, total = problem.diagram().marginals(), problem.count()
    board = encoder.draw(())
    assert board is not None
    parts = ((encoder.draw((label,)), number / total) for label, number in marginals.items())
    return heat_maps(board, ((picture, share) for picture, share in parts if picture is not None))


def test_heat_maps_of_tiles() -> None:
    """Every tile of the board is there, and the shares of a piece add up to its size."""
    maps = list_heat_maps(Polyhex())
    assert [one.caption for one in maps] == list("IJOPSUY")
    assert all(len(one.placed) == 28 for one in maps)
    shares = [sum(float(mark.text) for mark in one.marks.values() if mark.text != "<1") for one in maps]
    assert all(abs(share - 400) < 15 for share in shares)


def test_heat_maps_of_pieces_begin_with_their_borders() -> None:
    """A square has two domino tilings, so a border runs between two neighbors in one of them."""
    (borders,) = list_heat_maps(Polyomino("2x2", "dominoes", copies="any"))
    assert borders.caption == "borders"
    edges = [shape for shape in borders.shapes if isinstance(shape, Edge)]
    assert [(edge.row, edge.column, edge.down, edge.strength) for edge in edges] == [
        (0, 1, True, 0.5), (1, 0, False, 0.5), (1, 1, False, 0.5), (1, 1, True, 0.5)
    ]  # fmt: skip


def test_borders_between_tiles() -> None:
    """A rhombus of two triangles has four sides, with a border inside only between regions; none without a region."""
    up, down = ((0.0, 1.0), (1.0, 1.0), (0.5, 0.0)), ((0.5, 0.0), (1.5, 0.0), (1.0, 1.0))
    for regions, sides in ((("a", "a"), 4), (("a", "b"), 5), ((None, None), 0), (("a", None), 3)):
        picture = Picture("", tuple(Tile(outline, region) for outline, region in zip((up, down), regions, strict=True)))
        assert sum(len(list(lines)) for lines in list_strokes(picture).values()) == sides
    assert (picture.rows, picture.columns) == (1, 2)


HOSTILE = ["\x1b[2J", "a\x00b", "a\nb", "\x85", "\u202eabc", "\ud800", "\ufffe", "\u2028", "<&\"'>", "]]>"]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_text_leaves_svg_well_formed(text: str) -> None:
    tile = Tile(((0, 0), (1, 0), (1, 1)), row=0, column=1, text=text)
    picture = Picture(text, (Cell(0, 0), Text(0, 0, text), tile), caption=text)
    for sheet in (contact_sheet([picture]), contact_sheet([picture] * 2, title=text)):
        root = ET.fromstring(sheet.encode())
        assert all(one.isprintable() for one in sheet.replace("\n", ""))
        assert printable(text) in "".join(root.itertext())


def test_a_sheet_holds_as_many_as_the_caller_wants() -> None:
    picture = Picture("one", (Cell(0, 0),))
    assert contact_sheet([picture] * 92, most=92).count("<g ") == 92
    assert "solutions</text>" not in contact_sheet([picture] * 92, most=92)
    for given, total in ((92, None), (60, 92), (92, 61)):
        assert "60 of 92 solutions" in contact_sheet([picture] * given, total=total)
    assert "1 of 2 solutions" in contact_sheet([picture] * 2, most=1)
    with pytest.raises(ValueError, match="at least one picture"):
        contact_sheet([])
    with pytest.raises(ValueError, match="most must be at least 1"):
        contact_sheet([picture], most=0)


def test_labels_of_a_picture_are_of_one_size_that_can_be_read() -> None:
    names = ["A", "corner", "an exceptionally long name of a piece with more words than lines fit"]
    cells = tuple(Cell(0, column, column) for column in range(3))
    sheet = contact_sheet([Picture("t", (*cells, *(Text(0, column, name) for column, name in enumerate(names))))])
    texts = list(ET.fromstring(sheet).iter("{http://www.w3.org/2000/svg}text"))
    assert {one.get("font-size") for one in texts} == {"8.0"}
    titles = [one.findtext("{http://www.w3.org/2000/svg}title") for one in texts]
    assert titles == [None, None, names[2]]
    assert [len(list(one.iter("{http://www.w3.org/2000/svg}tspan"))) for one in texts] == [0, 0, 4]
    assert "".join(texts[2].itertext()).endswith("…")


def test_a_long_caption_is_shortened_and_kept_as_a_title() -> None:
    picture = Picture("t", (Cell(0, 0),), caption="a caption of many words " * 10)
    root = ET.fromstring(contact_sheet([picture] * 4))
    lines = list(root.iter("{http://www.w3.org/2000/svg}text"))
    assert all(len("".join(line.itertext()).removeprefix(picture.caption)) < 65 for line in lines)
    assert all(line.findtext("{http://www.w3.org/2000/svg}title") == picture.caption for line in lines)


def test_the_outside_of_a_solid_shows_the_nearest_cubes() -> None:
    """A cube of 3 shows 27 faces in 54 halves, those of a staircase that lie behind do not come through."""
    solid = Polycube("3x3x3", {"C": "#"}, "any")
    picture = solid.draw(next(solid.problem().solve()))
    assert len(picture.tiles) == 54
    stairs = Polycube(("1x3", "1x2", "1x1"), {"C": "#"}, "any")
    assert len(stairs.draw(next(stairs.problem().solve())).tiles) == 2 * (3 + 6 + 3)
