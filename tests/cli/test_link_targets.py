"""Links as targets, and as a format of `convert`."""

import json
from pathlib import Path

import pytest

from commands import assert_refused, invoke
from exactcover.config.configuration import read_text
from exactcover.formats.links import Linked
from problems.links.lz_string import compress

SLITHERLINK = "https://puzz.link/p?slither/4/4/dgdh2c7b"


def _link(**fields: object) -> str:
    document = {"size": 4, "grid": [[{} for _ in range(4)] for _ in range(4)], **fields}
    return f"https://www.f-puzzles.com/?load={compress(json.dumps(document))}"


def test_a_link_is_a_target_whose_parameters_can_be_changed(tmp_path: Path) -> None:
    assert invoke("count", SLITHERLINK).stdout == invoke("count", _write(tmp_path / "a.txt", f"{SLITHERLINK}\n")).stdout
    assert invoke("count", SLITHERLINK).stdout == "1\n"
    assert invoke("count", _link()).stdout == "288\n"
    assert invoke("count", _link(), "diagonals=true").stdout == "48\n"
    assert invoke("count", _link(antiknight=True)).stdout == invoke("count", "-", input=_link(antiknight=True)).stdout
    assert_refused("argument clues", "count", SLITHERLINK, "clues=5")


def test_a_link_becomes_a_configuration(tmp_path: Path) -> None:
    written = invoke("convert", _link(title="Mine", antiknight=True), "--format", "yaml").stdout
    (tmp_path / "mine.yaml").write_text(written)
    assert "title: Mine\n" in written
    assert invoke("count", str(tmp_path / "mine.yaml")).stdout == invoke("count", _link(antiknight=True)).stdout
    (tmp_path / "cover.dlx").write_text("a b\na\nb\n")
    assert_refused("writes the parameters of a family", "convert", str(tmp_path / "cover.dlx"), "--format", "yaml")


def test_what_is_left_out_of_a_link_is_named() -> None:
    result = invoke("count", _link(ruleset="Odd rules.", line=[{"lines": [["R1C1", "R1C2"]]}]))
    assert result.stdout == "288\n"
    assert "left out of the link: line, rules that only its text states" in result.stderr
    assert "left out of the link: 'id=1a' behind the board" in invoke("count", f"{SLITHERLINK}&id=1a").stderr


@pytest.mark.parametrize(("link", "message"), [
    ("https://example.org/", "no puzzle is known to be in links of this site; expected one of fpuzzles, penpa, puzzlink, sudokupad"),
    ("https://puzz.link/p?yajilin/2/2/a", "puzzles of the kind 'yajilin' cannot be stated"),
    ("https://puzz.link/p?numlin/2/1/12", "board.0.0: row 1, column 1: 1 stands once; expected twice"),
    (f"https://puzz.link/p?slither/2/2/{'h' * (1 << 20)}", "a link has at most 1,048,576 characters, this one 1,048,6"),
    (_link(zipperline=[{}]), "zipperline: this rule of the link cannot be stated"),
    (_link(whispers=[{"lines": [["R1C3", "R1C2", "R1C3"]]}]), "whispers.0.lines.0: R1C3 occurs twice"),
    (_link(killercage=[{"cells": ["R1C1"], "sumtype": "product"}]), "killercage.0.sumtype: this key cannot be stated"),
    (f"{SLITHERLINK}\nhello\n", f"{SLITHERLINK}: expected one link, got another line behind it: 'hello'"),
    (_link(thermometer=[{"lines": [["R1C1", "R9C9"]]}]), "thermometer.0.lines.0.1: expected a cell from R1C1 to R4C4"),
])  # fmt: skip
def test_a_link_that_cannot_be_read_is_refused(link: str, message: str) -> None:
    result = invoke("count", "-", input=link)
    assert result.returncode == 2
    assert message in result.stderr
    assert max(map(len, result.stderr.splitlines())) < 400


def _write(path: Path, text: str) -> str:
    path.write_text(text, "utf-8")
    return str(path)


@pytest.mark.parametrize("site", ["fpuzzles", "sudokupad"])
@pytest.mark.parametrize("more", ["", "\n  - sums: {r3c1 r2c1: 3}"])
def test_texts_of_a_puzzle_are_the_same_behind_a_link(tmp_path: Path, site: str, more: str) -> None:
    document = f"""problem: grid
title: 'Été: a "title"'
params:
  cells: 4x4
  constraints:
  - once: rows columns 2x2{more}
  instructions: |
    Fill it.

    No number twice.
"""
    written = invoke("convert", _write(tmp_path / "grid.yaml", document), "--format", site)
    assert written.stderr == ""
    again = invoke("convert", "-", "--format", "yaml", input=written.stdout).stdout
    texts = [read_text(one.encode(), "text") for one in (document, again)]
    assert texts[0].title == texts[1].title
    assert texts[0].params["instructions"] == texts[1].params["instructions"]


@pytest.mark.parametrize(
    ("site", "names"),
    [("fpuzzles", "symbols"), ("puzzlink", "title, symbols"), ("penpa", "title, symbols")],
)
def test_what_has_no_place_in_a_link_is_named(tmp_path: Path, site: str, names: str) -> None:
    sudoku = "problem: sudoku\ntitle: Letters\nparams: {box: 2x2, symbols: ABCD, grid: [A..., ..B., ...., ....]}\n"
    result = invoke("convert", _write(tmp_path / "sudoku.yaml", sudoku), "--format", site)
    assert (result.returncode, f"the format {site} has no place for it: {names}\n" in result.stderr) == (0, True)


def test_instructions_and_titles_without_a_place_are_named(tmp_path: Path) -> None:
    grid = (
        "problem: grid\ntitle: Towers\nparams: {cells: 4x4, instructions: See., constraints: "
        "[{once: rows columns}, {visible: {top: 1 . . 3}}]}\n"
    )
    for site, names in (("puzzlink", "title, instructions"), ("penpa", "title")):
        result = invoke("convert", _write(tmp_path / "grid.yaml", grid), "--format", site)
        assert f"left out, because the format {site} has no place for it: {names}\n" in result.stderr
        assert invoke("count", "-", input=result.stdout).stdout == invoke("count", str(tmp_path / "grid.yaml")).stdout
    titled = _write(tmp_path / "titled.yaml", "problem: sudoku\ntitle: Mine\n")
    assert "the format sdm has no place for it: title\n" in invoke("convert", titled, "--format", "sdm").stderr


STARS = """problem: grid
params:
  cells: 4x4
  symbols: "★x"
  empty: x
  regions: [aabb, aabb, ccdd, ccdd]
  constraints:
  - count: {where: rows columns regions, times: TIMES}
  - differ: king
"""


@pytest.mark.parametrize(("site", "document", "message"), [
    ("puzzlink", STARS.replace("TIMES", "0"), "its link would be refused: expected a number of stars, got '0'"),
    ("puzzlink", STARS.replace("TIMES", "100"), "its link would be refused: expected a number of stars, got '100'"),
    ("penpa", STARS.replace("TIMES", "0"), "expected a number of stars, got '0'"),
    ("fpuzzles", "problem: grid\nparams: {cells: 4x4, constraints: [{once: rows columns}, {sums: {r3c1 r2c1: 2}}]}\n",
     "2 different symbols cannot have the sum 2"),
])  # fmt: skip
def test_a_link_that_would_be_refused_is_not_written(tmp_path: Path, site: str, document: str, message: str) -> None:
    assert_refused(message, "convert", _write(tmp_path / "grid.yaml", document), "--format", site)


def test_a_puzzle_is_written_as_a_link(tmp_path: Path) -> None:
    for target, site, begin in (
        ("killer_sudoku.yaml", "sudokupad", "https://sudokupad.app/fpuz"),
        ("killer_sudoku.yaml", "fpuzzles", "https://www.f-puzzles.com/?load="),
        ("masyu_8x8.yaml", "puzzlink", "https://puzz.link/p?mashu/8/8/"),
    ):
        link = invoke("convert", target, "--format", site).stdout
        assert link.startswith(begin)
        assert invoke("count", link.strip()).stdout == "1\n"
    out = tmp_path / "link.txt"
    assert invoke("convert", SLITHERLINK, "--format", "puzzlink", "-o", str(out)).returncode == 0
    assert out.read_text() == f"{SLITHERLINK}\n"


@pytest.mark.parametrize(("arguments", "message"), [
    ("puzzlink queens", "puzzlink: problem: such links hold no puzzles like those of queens"),
    ("fpuzzles queens", "fpuzzles: problem: puzzles of queens cannot be written, only those of sudoku and grid"),
    ("fpuzzles kenken.yaml", "fpuzzles: constraints.1: cages: f-puzzles cannot state the total 20x of cage A"),
    ("puzzlink kenken.yaml", "no kind of puzzles in such links has just these rules, symbols and givens: once, cages"),
    ("fpuzzles sudoku --given r1c1=1", "--format fpuzzles writes a whole puzzle, without --given"),
])  # fmt: skip
def test_what_a_site_cannot_state_is_refused(arguments: str, message: str) -> None:
    assert_refused(message, "convert", "--format", *arguments.split())


def test_links_are_found_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        def read(self, link: str) -> Linked | None:
            return Linked("queens", {"n": 6}, "Six") if link.startswith("https://example.org/") else None

    monkeypatch.setattr("exactcover.encoders.links.find_sites", lambda: {"example": Point()})
    assert invoke("count", "https://example.org/6").stdout == "4\n"


def test_sudokus_are_written_as_programs_share_them(tmp_path: Path) -> None:
    grid = "53..7.... 6..195... .98....6. 8...6...3 4..8.3..1 7...2...6 .6....28. ...419..5 ....8..79"
    target = ["sudoku", f"grid={grid.replace(' ', '')}"]
    assert invoke("convert", *target, "--format", "sdk").stdout.split() == grid.split()
    barred = invoke("convert", *target, "--format", "ss").stdout
    assert barred.splitlines()[:4] == ["53.|.7.|...", "6..|195|...", ".98|...|.6.", "-----------"]
    several = tmp_path / "several.sdm"
    several.write_text("." * 81 + "\n" + invoke("convert", *target, "--format", "sdm").stdout)
    text = invoke("convert", str(several), "problem=2", "--format", "ss").stdout
    assert text == barred
    (tmp_path / "one.ss").write_text(barred)
    assert invoke("count", str(tmp_path / "one.ss")).stdout == "1\n"
    assert_refused("expected a number from 1 to 2, got '3'", "solve", str(several), "problem=3")
    refused = invoke("convert", *target, "diagonals=true", "-o", str(tmp_path / "x.sdk"))
    assert "only Sudokus of 9x9 without further rules can be stated" in refused.stderr
    assert not (tmp_path / "x.sdk").exists()


def test_the_empty_sudoku_is_read_again(tmp_path: Path) -> None:
    for suffix in ("sdk", "ss", "sdm"):
        file = tmp_path / f"empty.{suffix}"
        assert invoke("convert", "sudoku", "-o", str(file)).returncode == 0
        assert invoke("convert", str(file), "--format", "sdm").stdout == "." * 81 + "\n"
    file.write_text("0" * 81 + "\n")
    assert invoke("convert", str(file), "problem=1", "--format", "sdm").stdout == "." * 81 + "\n"
    file.write_text("")
    assert_refused(f"{file}: the file is empty; expected a Sudoku, or a link", "count", str(file))


def test_all_sections_of_a_configuration_are_written(tmp_path: Path) -> None:
    sections = (
        "search: {engine: sets, find: count, timeout: 5}\noutput: {format: csv}\nknown: {solutions: 4, source: me}\n"
    )
    document = f"problem: queens\ntitle: Six\nparams: {{n: 6}}\n{sections}"
    file = _write(tmp_path / "queens.yaml", document)
    assert invoke("convert", file, "--format", "yaml").stdout == document
    for again in (tmp_path / "again.yaml", tmp_path / "again.yml"):
        assert invoke("convert", file, "-o", str(again)).returncode == 0
        assert again.read_text("utf-8") == document
    changed = invoke("convert", file, "n=7", "--format", "yaml")
    assert "known" not in changed.stdout and "the section 'known' is left out" in changed.stderr
