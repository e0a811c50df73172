"""Sheets on paper have its size and margins, and can be converted."""

import io
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image

from commands import assert_refused
from exactcover import Goal, Stop
from exactcover.cli.main import run
from exactcover.errors import CoverError
from exactcover.formats.solution_pictures import SvgWriter
from exactcover.formats.solution_tables import WriterSettings
from exactcover.pictures import Cell, Picture, contact_sheet
from exactcover.pictures.codes import make_code
from exactcover.pictures.page_formats import convert
from exactcover.pictures.palette import color, rgb
from exactcover.pictures.paper import Paper, Words, put_on_paper
from exactcover.viewer.link import pack_link
from problems import Queens

SHEET = contact_sheet([Picture("p", (Cell(0, 0, "a", 3), Cell(0, 1, "b", 0)))] * 6, aspect=0.5)


def test_a_sheet_lies_inside_the_margins_below_its_heading() -> None:
    root = ET.fromstring(put_on_paper(SHEET, Paper.read("a5", margin=10), Words("A <heading>")))
    assert (root.get("width"), root.get("height")) == ("148mm", "210mm")
    (inner,) = root.findall("{http://www.w3.org/2000/svg}svg")
    left, top, width, height = (float(str(inner.get(name))) for name in ("x", "y", "width", "height"))
    assert (left, left + width, top + height) == (10, 138, 200)
    (heading,) = root.findall("{http://www.w3.org/2000/svg}text")
    assert heading.text == "A <heading>"
    assert 10 < float(str(heading.get("y"))) < top


@pytest.mark.parametrize("text", ["a6", "a4-portrait", "10x", "0x10", "9999x10", "1e3x1", "", "-landscape"])
def test_sizes_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected a3|sides of a page"):
        Paper.read(text)


def test_margins_leave_room() -> None:
    with pytest.raises(ValueError, match="margin"):
        Paper.read("100x50", margin=21)


def test_rows_follow_the_shape_of_the_sheet() -> None:
    def across(aspect: float) -> int:
        picture = Picture("p", (Cell(0, 0),))
        root = ET.fromstring(contact_sheet([picture] * 12, aspect=aspect))
        places = [re.findall(r"\d+", str(one.get("transform"))) for one in root.iter("{http://www.w3.org/2000/svg}g")]
        return len({left for left, _ in places})

    assert (across(0.3), across(4 / 3), across(4.0)) == (2, 4, 7)


@pytest.mark.parametrize(("error", "words"), [(ImportError, r"exactcover-toolkit\[print\]"), (OSError, "libcairo2")])
def test_what_is_missing_is_named(error: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Finder:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "cairosvg":
                raise error

    monkeypatch.delitem(sys.modules, "cairosvg", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    with pytest.raises(CoverError, match=f"^PDF needs .*{words}"):
        convert(SHEET, "pdf")


def test_png_shows_the_colors_and_pdf_has_the_size() -> None:
    png = convert(SHEET, "png")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png[16:20], "big") == 2400
    with Image.open(io.BytesIO(png)) as image:
        pixels = image.convert("RGB").tobytes()
    assert all(bytes(rgb(color(tint))) in pixels for tint in (0, 3, -1))
    pdf = convert(put_on_paper(SHEET, Paper.read("100x50"), Words()), "pdf")
    assert pdf.startswith(b"%PDF")
    box = re.search(rb"/MediaBox \[ ?([\d. ]+)", pdf)
    assert box is not None
    assert [round(float(one) / 72 * 25.4) for one in box[1].split()] == [0, 0, 100, 50]


def _print_queens(n: int, address: str, file: Path) -> list[str]:
    """Print a sheet with a link, and return what its codes say."""
    assert run(["solve", "queens", f"n={n}", "--paper", "a4", "--link", address, "-o", str(file), "-q"]) == 0
    with Image.open(file) as image:
        return [found.text for found in zxingcpp.read_barcodes(image.convert("L"))]


def test_a_code_on_paper_is_read_as_the_link_that_it_is(tmp_path: Path) -> None:
    address = "https://example.org/p"
    link = pack_link(Queens(n=1).problem(), Queens(n=1), title="queens n=1", letters=395)
    assert _print_queens(1, address, tmp_path / "small.png") == [f"{address}#puzzle={link.text}"]
    own = f"{address}#view=play"
    assert _print_queens(5, own, tmp_path / "own.png") == [own]


def test_a_puzzle_that_is_too_large_for_a_code_is_told_in_words(tmp_path: Path) -> None:
    file = tmp_path / "sheet.svg"
    assert run(["solve", "queens", "n=5", "--paper", "a4", "--link", "https://example.org", "-o", str(file), "-q"]) == 0
    assert "open its file in exactcover studio" in file.read_text()
    assert "Scan" not in file.read_text()


def test_a_printed_sheet_says_how_many_solutions_there_are(tmp_path: Path) -> None:
    def write(*flags: str) -> str:
        file = tmp_path / "sheet.svg"
        assert run(["solve", "queens", "n=8", "--limit", "20", "--paper", "a4", "-o", str(file), "-q", *flags]) == 0
        return file.read_text()

    sheet = write()
    assert ">20 of 92 solutions<" in sheet
    assert [int(number) for number in re.findall(r">(\d+)</text>", sheet)] == list(range(1, 21))
    assert ">the first 10 solutions; there may be more<" in write("--distinct", "--limit", "10")


def test_a_sheet_is_printed_although_a_stop_ends_the_count_of_its_solutions() -> None:
    encoder, stop, out = Queens(n=18), Stop(), io.StringIO()
    problem = encoder.problem()
    search = problem.search(Goal("first", 2), stop=stop)
    writer = SvgWriter(out, problem, encoder, search, WriterSettings("queens", {}, str, paper=Paper.read("a4")))
    for positions in search.positions():
        writer.write_solution(positions)
    stop.request()
    assert writer.close() is None
    assert ">the first 2 solutions; there may be more<" in out.getvalue()


def test_the_modules_of_a_code_have_absolute_places() -> None:
    """Steps would be rounded in PDF, and a large code would be skewed."""
    white, dark = re.findall(r' d="([^"]*)"', make_code("x" * 425).svg)
    assert not re.search("[a-y]", white + dark)


@pytest.mark.parametrize(("flags", "words"), [
    (["--link", "https://example.org"], "--link needs --paper"),
    (["--paper", "a4", "--link", "example.org"], "expected the address of a page"),
    (["--paper", "30x40"], "the words leave too little room on this paper"),
    (["--paper", "60x60", "--link", "https://example.org/#"], "a QR code of 22 mm leaves too little room"),
    (["--paper", "a4", "--link", f"https://{'x' * 440}"], "a QR code holds at most 425 letters"),
    (["--paper", "a4", "--format", "text", "--link", "https://example.org"], "applies only to the formats"),
])  # fmt: skip
def test_codes_that_cannot_be_printed_are_refused(flags: list[str], words: str, tmp_path: Path) -> None:
    assert_refused(words, "solve", "queens", "n=6", "-o", str(tmp_path / "sheet.svg"), *flags)
    assert not list(tmp_path.iterdir())
