"""One grid in the forms of many programs: it is read as what it is, or refused by line."""

import json
import os
import random
import re
from collections.abc import Callable
from functools import partial
from io import StringIO
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import assert_refused, invoke
from exactcover import ParameterError
from exactcover.cli.output import Lines
from problems import Sudoku
from problems.grid_text import GridText

FILES = sorted((Path(__file__).parents[1] / "files/sudoku_forms").iterdir())
PUZZLE = next(file for file in FILES if file.name == "line.txt").read_text().strip()
GIVENS = Sudoku(grid=PUZZLE).givens()

BRACES = str.maketrans("[]", "{}")
ASCII = str.maketrans("┌┬┐├┼┤└┴┘─│", "+++++++++-|")

Rows = list[list[str]]
Writer = Callable[[Rows], str]


def lines(rows: Rows, between: str = "", blank: str = ".", end: str = "\n") -> str:
    return end.join(between.join(one or blank for one in row) for row in rows) + end


def array(rows: Rows, open: str, between: str, close: str, blank: str = "0") -> str:
    return open + between.join(", ".join(one or blank for one in row) for row in rows) + close


def frame(rows: Rows, width: int, height: int, blank: str = " ", marks: str = "+-|", pad: str = " ") -> str:
    cross, dash, bar = tuple(marks)
    parts = [[row[k : k + width] for k in range(0, len(row), width)] for row in rows]
    body = [bar + bar.join(pad + pad.join(one or blank for one in part) + pad for part in row) + bar for row in parts]
    rule = cross + cross.join(dash * len(part) for part in body[0].strip(bar).split(bar)) + cross
    bands = [body[k : k + height] for k in range(0, len(body), height)]
    return "\n".join([rule, *(line for band in bands for line in [*band, rule])]) + "\n"


def boxes(rows: Rows) -> tuple[int, int]:
    return {4: (2, 2), 6: (3, 2), 9: (3, 3), 16: (4, 4)}[len(rows)]


COMPACT: dict[str, Writer] = {
    "rows": lines,
    "one line": lambda rows: "".join(one or "." for row in rows for one in row),
    **{f"{blank} for blanks": partial(lines, blank=blank, end="") for blank in "xX_*-0"},
    "words": lambda rows: lines(rows, end=" "),
    "slashes": lambda rows: lines(rows, end="/").rstrip("/"),
    "CRLF": lambda rows: lines(rows, end="\r\n"),
    "mark": lambda rows: "\ufeff" + lines(rows),
    "strings": lambda rows: json.dumps(lines(rows).split()),
    "bars": lambda rows: frame(rows, *boxes(rows), ".", pad=""),
    "comments": lambda rows: "# mine\n" + lines(rows, end="  // row\n"),
    "section": lambda rows: f"[Puzzle]\n{lines(rows)}[State]\n{lines(rows, blank='1')}",
}
CELLS: dict[str, Writer] = {
    "spaces": lambda rows: lines(rows, " "),
    "zeros": lambda rows: lines(rows, " ", "0"),
    "tabs": lambda rows: lines(rows, "\t"),
    "commas": lambda rows: lines(rows, ",", "0"),
    "empty fields": lambda rows: lines(rows, ";", ""),
    "empty tabs": lambda rows: lines(rows, "\t", ""),
    "frame": lambda rows: frame(rows, *boxes(rows), "."),
    "our ASCII": lambda rows: frame(rows, *boxes(rows)).replace("  ", "  "),
    "double": lambda rows: frame(rows, *boxes(rows), ".", "╬═║"),
    "cells": lambda rows: frame(rows, 1, 1),
    "C": lambda rows: array(rows, "int grid[9][9] = {\n  {", "},\n  {", "}\n};\n"),
    "Python": lambda rows: array(rows, "[[", "], [", "]]", "None"),
    "MATLAB": lambda rows: "A = [" + lines(rows, " ", "0", "; ") + "];",
    "MiniZinc": lambda rows: array(rows, "start = [|", "|\n", "|];", "_"),
    "Prolog": lambda rows: array(rows, "problem(1, [[", "],\n [", "]]).", "_"),
    "JSON": lambda rows: json.dumps({"size": 9, "grid": [[one or None for one in row] for row in rows]}, indent=1),
    "labels": lambda rows: "".join(f"{k} | {lines([row], ' ')}" for k, row in enumerate(rows, 1)),
}
FACTS: dict[str, Writer] = {
    "our labels": lambda rows: " ".join(f"r{i}c{j}={c}" for i, r in enumerate(rows, 1) for j, c in enumerate(r, 1) if c)
}


def make_rows(side: int) -> Rows:
    """Return a grid with blanks, of which the first column and row are not empty."""
    box = "2x3" if side == 6 else ""
    empty = Sudoku(grid=("." * side,) * side, box=box)
    symbols = "123456789"[:side] if side <= 9 else "ABCDEFGHIJKLMNOP"
    chance = random.Random(0)
    solution = empty.decode(next(empty.problem().solve(seed=chance.randrange(99))))
    rows = [[one if chance.random() < 0.5 else "" for one in row] for row in solution]
    rows[-1][-1] = solution[-1][-1]
    assert set("".join(solution)) == set(symbols)
    return rows


def read(text: str, side: int) -> Sudoku:
    return Sudoku(grid=text, box="2x3" if side == 6 else "")


def assert_read(text: str) -> None:
    """Assert that the puzzle is read from a text, which may be a parameter or a stream."""
    (instance,) = Sudoku().instances(StringIO(text))
    assert Sudoku(grid=text).givens() == Sudoku().parse(instance).givens() == GIVENS


@pytest.mark.parametrize("side", [4, 6, 9, 16])
def test_every_form_is_read_as_what_it_is(side: int) -> None:
    rows = make_rows(side)
    wanted = read(lines(rows), side).givens()
    assert len(wanted) == sum(bool(one) for row in rows for one in row)
    for name, write in {**COMPACT, **CELLS, **(FACTS if side == 9 else {})}.items():
        text = write(rows)
        assert read(text, side).givens() == wanted, name
        template = Sudoku(box="2x3") if side == 6 else Sudoku(box="2x2") if side == 4 else Sudoku()
        (instance,) = template.instances(StringIO(text, newline="\n"))
        assert template.parse(instance).givens() == wanted, name


def test_numbers_are_read_as_batch_writes_them() -> None:
    rows = make_rows(16)
    numbers = [[str("ABCDEFGHIJKLMNOP".index(one) + 1) if one else "" for one in row] for row in rows]
    wanted = Sudoku(grid=lines(rows)).givens()
    for name in ("spaces", "zeros", "commas", "empty fields", "C", "JSON"):
        assert Sudoku(grid=CELLS[name](numbers)).givens() == wanted, name
    assert Sudoku(grid=tuple(line for line in lines(numbers, " ", "0").splitlines())).givens() == wanted


@pytest.mark.parametrize("box", ["2x2", "2x3", "3x3"])
def test_what_we_print_is_read(box: str) -> None:
    for args in (["solve", "sudoku", f"box={box}"], ["generate", "sudoku", f"box={box}", "--seed", "3"]):
        text = invoke(*args).stdout
        printed = Sudoku(grid=text, box=box)
        assert printed.givens()
        assert Sudoku(grid=text.translate(ASCII), box=box).givens() == printed.givens()
    jigsaw = invoke("solve", "jigsaw_9x9.yaml").stdout
    with pytest.raises(ParameterError, match="the borders that are drawn are not those of boxes of 3x3; set regions"):
        Sudoku(grid=jigsaw)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_files_of_other_programs_are_read_alike_everywhere(file: Path, tmp_path: Path) -> None:
    if file.name == "own_output.txt":  # the solution
        assert len(Sudoku(grid=file.read_text()).givens()) == 81
    else:
        assert Sudoku(grid=file.read_text()).givens() == Sudoku(grid=str(file)).givens() == GIVENS
    assert invoke("count", str(file)).stdout == "1\n"
    outcomes = invoke("batch", "sudoku", str(file), "--outcome").stdout
    assert {line.split("\t")[0] for line in outcomes.splitlines() if "\t" in line} == {"one"}
    (tmp_path / "puzzle.txt").write_text(file.read_text())
    (tmp_path / "puzzle.yaml").write_text("problem: sudoku\nparams: {grid: puzzle.txt}\n")
    assert invoke("count", str(tmp_path / "puzzle.yaml")).stdout == "1\n"


R = [PUZZLE[k : k + 9] for k in range(0, 81, 9)]


@pytest.mark.parametrize("head", ["123456789", "012345678", "1 2 3 4 5 6 7 8 9", "ABCDEFGHI"])
def test_a_line_that_names_columns_is_no_row_of_a_stream(head: str) -> None:
    between = " " if " " in head else ""
    text = f"{head}\n" + "\n".join(between.join(row) for row in R) + "\n"
    assert_read(text)
    full = "123456789\n" + ".........\n" * 8
    (instance,) = Sudoku().instances(StringIO(full))
    assert len(Sudoku().parse(instance).givens()) == 9


def test_a_line_of_a_table_may_be_a_puzzle(tmp_path: Path) -> None:
    (tmp_path / "puzzle.csv").write_text(f"2024-01-05,{PUZZLE},hard\n")
    (tmp_path / "items.csv").write_text("a,b\n")
    assert invoke("count", str(tmp_path / "puzzle.csv")).stdout == "1\n"
    assert invoke("count", str(tmp_path / "items.csv")).stdout == "0\n"
    with pytest.raises(ParameterError, match="None, 0 and -1 may all be blanks"):
        Sudoku(grid=((None, 0, 1, 2),) * 4)


def test_symbols_of_large_grids_are_those_of_the_puzzle() -> None:
    rows = make_rows(16)
    for symbols in ("123456789ABCDEFG", "0123456789ABCDEF"):
        table = str.maketrans("ABCDEFGHIJKLMNOP", symbols)
        text = lines(rows).translate(table)
        assert Sudoku(grid=text).givens() == Sudoku(grid=text, symbols=symbols).givens()
        (instance,) = Sudoku().instances(StringIO(text))
        assert Sudoku().parse(instance).givens() == Sudoku(grid=text).givens()
    assert Sudoku(grid=lines(rows, blank="x")).givens() == Sudoku(grid=lines(rows)).givens()
    assert Sudoku(grid=lines(rows).lower()).givens() == Sudoku(grid=lines(rows)).givens()


ALL = [*COMPACT.values(), *CELLS.values(), *FACTS.values()]


@given(st.integers(0, len(ALL) - 1), st.data())
def test_a_changed_text_is_read_as_before_or_refused(form: int, data: st.DataObject) -> None:
    """A character that is left out, doubled or replaced by a mark never moves a symbol or makes one up."""
    text = ALL[form]([[one.replace(".", "") for one in row] for row in R])
    place = data.draw(st.integers(0, len(text) - 1))
    change = data.draw(st.sampled_from(["", text[place] * 2, ".", " ", "|", ",", "-", "\n", "x"]))
    changed = text[:place] + change + text[place + 1 :]
    try:
        found = set(Sudoku(grid=changed).givens())
    except ParameterError:
        return
    assert len(found ^ set(GIVENS)) <= 1  # the one that is blank now


@given(st.text("12.0-|+= \n,;[]{}x#A'\"", max_size=120))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        Sudoku(grid=text)
    except ParameterError as error:
        assert error.path[0] in ("grid", "box")
    for instance in Sudoku().instances(StringIO(text, newline="\n")):
        try:
            Sudoku().parse(instance)
        except ParameterError as error:
            assert error.message


def test_batch_names_lines_and_marks_what_is_ambiguous() -> None:
    several = "." * 81
    text = f"# a comment\nGrid 01\n{PUZZLE}\n\n{PUZZLE[1:]}\n{several}\n" + lines([list(r) for r in R[:8]]) + "\n"
    answers = invoke("batch", "sudoku", "-", input=text).stdout.splitlines()
    assert answers[1].startswith("malformed: line 5: expected 81 cells, got 80; a 9x9 puzzle may be")
    assert answers[2].endswith("  # several solutions")
    assert answers[3].startswith("malformed: line 14: expected 9 rows, got 8; a 9x9 puzzle may be")
    assert len(answers) == 4


OTHER = ["53..7....", "6..195...", ".98....6.", "8...6...3", "4..8.3..1", "7...2...6", ".6....28.", "...419..5"]
OTHER += ["....8..79"]


@pytest.mark.parametrize(("blocks", "outcomes"), [
    ([[*R, *OTHER]], ["", ""]),
    ([[*R[:5], *R[6:], *OTHER]], ["line 10: expected 9 rows, got 17"]),
    ([[*R[:5], *R[4:], *OTHER]], ["line 10: expected 9 rows, got 19"]),
    ([[*R[:5], *R[6:], *OTHER[:3], *OTHER[2:]]], ["line 12: this row stands twice"]),
    ([["123456789", *R[:5], *R[4:8]]], ["line 7: this row stands twice"]),
    ([[*R[:8], R[8][1:], *OTHER]], ["line 9: row 9: expected 9 cells, got 8"]),
    ([R[:8], OTHER], ["line 8: expected 9 rows, got 8", ""]),
    ([R[:3], R[3:6], [*R[6:], *OTHER[:3]], OTHER[3:6], OTHER[6:]],
     [f"line {k}: expected 9 rows, got " for k in (12, 18, 22)]),
    ([R[:3], R[3:6], [], R[:3], R[3:6], R[6:]], ["line 7: expected 9 rows, got 6", ""]),
    ([R[:3], R[3:6], R[6:], OTHER[:3], OTHER[3:6], OTHER[6:]], ["", ""]),
    ([R[:3], R[3:5], R[6:], OTHER[:3], OTHER[3:6], OTHER[6:]],
     [f"line {k}: expected 9 rows, got " for k in (6, 10, 14, 18, 22)]),
    ([[",".join(map(str, range(1, 10))), *(",".join(row) for row in R[1:])]], ["line 1: this row may name the columns"]),
    ([[f"Puzzle: {R[0]}", *R[1:], R[8]]], ["line 1: this may be a row, or name columns, as well as be a heading"]),
    ([[f"1,{PUZZLE[1:]},{PUZZLE.replace('.', '1')}"]], ["line 1: a grid of 81 cells stands beside one of 80"]),
    ([["Sudoku puzzle", PUZZLE[1:]]], ["line 2: expected 81 cells, got 80"]),
    ([[f"Easy: {PUZZLE}", f"Hard: {PUZZLE[1:]}"]], ["", "line 2: 'Hard: "]),
    ([[f'{{"easy": "{PUZZLE}", "hard": "{PUZZLE[1:]}"}}']], ["line 1: a grid of 81 cells stands beside one of 80"]),
    ([["[Puzzle]", *R, "[Hard]", *OTHER]], ["", ""]),
    ([["id,puzzle", f"1,{PUZZLE}", f"2,{PUZZLE[1:]}"]], ["", "line 3: '2,..1...5...7..8...9.273.48..8.2....3.2...."]),
    ([[f"{PUZZLE[:-1]} 3"]], ["line 1: '8..1...5...7..8...9.273.48..8.2....3.2...."]),
    ([[f"{k} {row[:-1]}" for k, row in enumerate(R, 1)]], ["line 1: '1 8..1...5' is not a row of a Sudoku"]),
    ([["| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |", "|---|---|---|---|---|---|---|---|---|",
       *(f"| {' | '.join(row.replace('.', ' '))} |" for row in R[1:])]],
     ["line 1: this row may name the columns"]),
    ([["+---+---+---+", "|53 | 7 |   |", "|6  |195|   |", "| 98|   |  6 |", "+---+---+---+", "|8  | 6 |  3|",
       "|4  |8 3|  1|", "|7  | 2 |  6|", "+---+---+---+", "| 6 |   |28 |", "|   |419|  5|", "|   | 8 | 79|"]],
     ["line 3: '|6  |195|   |' is not a row of a Sudoku"]),
    ([[",".join(OTHER[0] + "".join(OTHER[1:])).replace(".", "").replace(",6,", ",6,,", 1) + ",,"]],
     ["line 1: '5,3,,,7,,,,,6,,,,1,9,5,,,,,9,8,,,,,6,,8,...' is not a row of a Sudoku"]),
])  # fmt: skip
def test_no_puzzle_of_a_stream_is_shifted(blocks: list[list[str]], outcomes: list[str]) -> None:
    text = "\n\n".join("\n".join(block) for block in blocks) + "\n"
    found: list[str] = []
    for instance in Sudoku().instances(StringIO(text)):
        try:
            assert set(Sudoku().parse(instance).givens()) in (set(GIVENS), set(Sudoku(grid=tuple(OTHER)).givens()))
            found.append("")
        except ParameterError as error:
            assert isinstance(instance, GridText)
            found.append(f"line {instance.line_at(int(error.path[1]))}: {error.message}")
    answers = invoke("batch", "sudoku", "-", "-q", input=text).stdout
    assert [f"malformed: {one}" for one in found if one] == re.findall("malformed: .*", answers)
    assert len(found) == len(outcomes)
    assert all(one.startswith(start) and bool(one) == bool(start) for one, start in zip(found, outcomes, strict=True))
    assert all("a 9x9 puzzle may be 9 rows like" in one for one in found if one)


FOUR, FIVE = ["..43", "2.41", ".3.2", "42.."], [".1..", "..12", "2..4", "1.3."]


@pytest.mark.parametrize(("box", "text"), [
    ("", "\n\n".join(["..43\n2.4", ".3.2\n42..\n.1..\n..12", "2..4\n1.3."])),  # a character is missing
    ("", "\n\n".join(["..43\n2.41", ".3.2\n42..\n.1..\n..12", "2..4\n1.3.\n..43\n2.41", ".3.2\n42.."])),
    ("", "\n\n\n".join(["..43\n2.41", ".3.2\n42..\n.1..\n..12", "2..4\n1.3."])),
    ("", "\n\n".join(["..43\n2.41", ".3.2\n42.", ".1..\n..12\n2..4\n1.3."])),
    ("", "\n".join(["1,2,3,4", *(",".join(row) for row in FOUR[1:])])),  # names of columns, and a row is missing
    ("", "\n".join(["1,2,3,4", *(",".join(row) for row in [*FOUR, *FIVE[1:]])])),
    ("", "1;2;;\n;;1;2;\n;1;;3\n3;;;1"),
    ("2x2", "\n".join(["..43.1..", "2.41..12.3.22..4", "42..1.3."])),  # rows of two puzzles, and a break is missing
    ("2x2", "..43.1..\n2.41..12\n\n.3.22..442..1.3.\n"),
    ("", "..43.1..2.41..12\n\n.3.22..4\n42..1.3.\n"),
    ("2x2", "..432.41\n\n.3.242...1....12\n\n2..41.3.\n"),  # bands of two puzzles, and a break is missing
    ("", "\n".join([*FOUR, *FIVE[:2], "", *FIVE[2:], *FOUR[:2], "", *FOUR[2:]])),
])  # fmt: skip
def test_no_small_puzzle_of_a_stream_is_shifted(box: str, text: str) -> None:
    answers = invoke("batch", "sudoku", "-", "-q", *([f"box={box}"] if box else []), input=text).stdout.splitlines()
    assert answers
    assert all(one.startswith("malformed: line ") and " puzzle may be " in one for one in answers)


@pytest.mark.parametrize("end", ["\n", "\n\n", "\n\n\n"])
def test_names_and_rows_of_small_puzzles_are_told_apart(end: str) -> None:
    bands = "\n\n".join("\n".join(rows) for rows in (FOUR[:2], FOUR[2:], FIVE[:2], FIVE[2:]))
    whole = "\n".join(FOUR) + end + "\n".join(FIVE)
    lost = f"..43\n2.4\n\nGrid 2\n{whole}"
    for text, refused in ((bands, 0), (whole, 0), (lost, 1)):
        grids = [one.replace("\n", "") for one in Sudoku().instances(StringIO(text))]
        assert grids[refused:] == ["".join(FOUR), "".join(FIVE)]
    short = "".join(FOUR) + end + "".join(FIVE)
    assert list(Sudoku(box="2x2").instances(StringIO(short))) == ["".join(FOUR), "".join(FIVE)]


DOCUMENTS = {
    "one line": lambda keys: json.dumps({"title": "mine", "author": "me", "puzzle": PUZZLE, "difficulty": "hard", **keys}),
    "before": lambda keys: json.dumps({**keys, "id": 7, "grid": R, "tags": ["a", "b"]}, indent=1),
    "after": lambda keys: json.dumps({"board": [list(row) for row in R], "rating": 1.5, **keys}, indent=1),
    "head": lambda keys: "".join(f"{key}: {json.dumps(one)}\n" for key, one in keys.items()) + "\n".join(R) + "\n",
    "sections": lambda keys: "".join(f"[{key}]\n{one}\n" for key, one in keys.items() if one) + "\n".join(["[Puzzle]", *R, ""]),
    "XML": lambda keys: f"<game {' '.join(f'{key}={json.dumps(str(one or str()))}' for key, one in keys.items())} data='{PUZZLE}'/>\n",
}  # fmt: skip


@pytest.mark.parametrize("write", DOCUMENTS.values(), ids=DOCUMENTS)
@pytest.mark.parametrize(
    ("key", "value"),
    [("cages", [[1, 2]]), ("Regions", "111222333" * 9), ("diagonals", True), ("thermometers", [["r1c1", "r1c2"]]),
     ("extraRegions", {"a": 1}), ("antiknight", True), ("killercage", [{"value": 5}]), ("arrow", [1])],
)  # fmt: skip
def test_no_rule_beside_a_grid_is_dropped(
    write: Callable[[dict[str, object]], str], key: str, value: object, tmp_path: Path
) -> None:
    text, plain = write({key: value}), write({key: None, "solution": None})
    assert Sudoku(grid=plain).givens() == GIVENS
    assert len(set(Sudoku().instances(StringIO(plain)))) == 1
    with pytest.raises(ParameterError, match=rf"{key}\b.* state it in parameters.* a 9x9 puzzle may be 9 rows"):
        Sudoku(grid=text)
    (tmp_path / "a.txt").write_text(text)
    answers = invoke("batch", "sudoku", str(tmp_path / "a.txt"), "-q").stdout.splitlines()
    number = next(number for number, line in enumerate(text.splitlines(), 1) if key in line)
    assert answers
    assert all(one.startswith(f"malformed: line {number}: '{key}' may be a rule") for one in answers)


def test_a_rule_concerns_its_document_only_or_all_that_follows() -> None:
    lines = [json.dumps({"puzzle": PUZZLE, "cages": [1]}), json.dumps({"puzzle": PUZZLE})]
    first, second = Sudoku().instances(StringIO("\n".join(lines)))
    assert Sudoku().parse(second).givens() == GIVENS
    with pytest.raises(ParameterError, match="cages"):
        Sudoku().parse(first)
    after = "\n".join([*R, "", "Killer cages:", "8 r1c1 r1c2"])
    outcomes = invoke("batch", "sudoku", "-", "--outcome", input=after).stdout
    assert "malformed\tline 11: 'Killer' may be a rule" in outcomes
    with pytest.raises(ParameterError, match="'foo' may be a rule"):
        Sudoku(grid=json.dumps({"puzzle": R, "foo": [[1, 2], [3, 4]]}))
    with pytest.raises(ParameterError, match=r"expected one"):
        Sudoku(grid=f"{PUZZLE},{'123456789' * 9}")  # no solution of it


@pytest.mark.parametrize(
    ("drawn", "box"), [("2x3", "3x2"), ("3x2", "2x3"), ("4x2", "2x4"), ("2x4", "4x2"), ("3x4", "4x3")]
)
def test_boxes_of_a_stream_are_those_that_are_drawn(drawn: str, box: str, tmp_path: Path) -> None:
    height, width = map(int, drawn.split("x"))
    rows = [["" for _ in range(height * width)] for _ in range(height * width)]
    rows[0][0] = "1" if len(rows) < 10 else "A"
    (tmp_path / "a.txt").write_text(f"{frame(rows, width, height, '.')}\n" * 2)
    outcomes = invoke("batch", "sudoku", str(tmp_path / "a.txt"), f"box={drawn}", "--outcome").stdout
    assert outcomes.count("several\t") == 2
    answers = invoke("batch", "sudoku", str(tmp_path / "a.txt"), f"box={box}", "-q").stdout.splitlines()
    assert len(answers) == 2
    for answer, line in zip(answers, (2, len(frame(rows, width, height).splitlines()) + 3), strict=True):
        assert answer.startswith(f"malformed: line {line}: the borders that are drawn are not those of boxes of {box}")


WORDS = ["HardestDatabase110626", "very-hard:", "Moyen", "9x9 (3x3) SUDOKU PUZZLE", "Difficulty: 0.63", "Rätsel Nr. 5",
         "Version 4.2n", "//Facile", "easy 0.32", "a;b;c;d;e;f;g;h;i", "9\n", "sudoku :: [[Int]]"]  # fmt: skip


@pytest.mark.parametrize("line", WORDS)
def test_texts_before_and_after_a_grid_are_left_out(line: str) -> None:
    """Names of columns and a size stand before a grid only; inside one, nothing is left out."""
    rows = ";".join("\n".join(R)).replace(";\n;", "\n") if ";" in line else "\n".join(R)
    texts = [f"{line}\n{rows}", f"{'-' * 27}\n{line}\n{'-' * 27}\n{rows}"]
    texts += [] if line[0] in "9a" else [f"{rows}\n {line}\n", f"{rows}\n\n{line}\nLevel 3\n"]
    for text in texts[: 1 if line[0] in "9a" else None]:
        assert_read(text)
    if not line.startswith("//"):
        with pytest.raises(ParameterError):
            Sudoku(grid="\n".join([*R[:4], line, *R[4:]]))


@pytest.mark.parametrize("between", ["", " ", ",", "|"])
@pytest.mark.parametrize("change", [str.upper, str.lower, str.capitalize])
@pytest.mark.parametrize(("rows", "region"), [(R, "AAABBBCCC"), (FOUR, "AABB")])
def test_drawings_of_regions_are_no_texts(
    rows: list[str], region: str, change: Callable[[str], str], between: str
) -> None:
    drawing = [between.join(change(region))] * len(rows)
    for blocks in ([rows, drawing], [drawing, rows]):
        with pytest.raises(ParameterError):
            Sudoku(grid="\n\n".join(map("\n".join, blocks)))


def test_no_grid_is_answered_before_a_rule_that_follows_it() -> None:
    afters = ("Regions:\n", "\n\nRegions:\n" + "AAABBBCCC\n" * 9, "\nLevel: 3\nCages: A=8\n", "zones = [\n[1, 1],\n]\n")
    for after, grid in product(afters, (PUZZLE, "\n".join(R), CELLS["C"]([list(row) for row in R]))):
        (answer,) = invoke("batch", "sudoku", "-", "-q", input=f"{grid}\n{after}").stdout.splitlines()
        line = grid.count("\n") + 1 + next(k for k, one in enumerate(after.split("\n"), 1) if one[:1] in set("RCz"))
        assert re.match(f"malformed: line {line}: '(Regions|Cages|zones)' may be a rule", answer)


@pytest.mark.parametrize("grid", [PUZZLE, "\n".join(R) + "\n"])
def test_a_grid_is_answered_before_the_next_line_is_waited_for(grid: str) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as content, os.fdopen(writing, "w") as writer:
        writer.write(f"{grid}\n")
        writer.flush()
        instances = Sudoku().instances(Lines(content, "a pipe"))
        assert Sudoku().parse(next(instances)).givens() == GIVENS
        writer.close()
        assert not list(instances)


PROLOG = ":- use_module(library(clpfd)).\nsudoku(Rows) :-\n    length(Rows, 9),\n    blocks(Rows).\n"
ARRAY = "[" + ",\n ".join(f"[{','.join(row.replace('.', '_'))}]" for row in R) + "]"
SHIDOKU = "[[4, 0, 0, 0], [3, 1, 0, 0], [0, 0, 4, 1], [0, 0, 0, 2]]"


@pytest.mark.parametrize(("text", "line"), [
    (f"{PROLOG}problem(1, {ARRAY}).\n", 1),
    (f"problem(1, {ARRAY}).\n{PROLOG.partition(chr(10))[2]}", 11),
    (f"board = {SHIDOKU}\n\ndef solve(board):\n    return board\n\nprint(solve({SHIDOKU}))\n", 3),
    (f"using System;\n\npublic class Sudoku\n{{\n  int[,] grid = {SHIDOKU.translate(BRACES)};\n}}\n", 1),
    (f"cell(1,1,4). cell(1,3,2).\n{PUZZLE}\n", 1),
    (f"/*\n * A solver.\n */\n{PUZZLE}\n", 3),
])  # fmt: skip
def test_nothing_is_read_from_a_program(text: str, line: int) -> None:
    """Its rules may be others; it is refused as a whole, with forms of several sizes."""
    (answer,) = invoke("batch", "sudoku", "-", "-q", input=text).stdout.splitlines()
    assert answer.startswith(f"malformed: line {line}: ")
    assert "is not a row of a Sudoku; no grid is read from a program; a 9x9 puzzle may be 9 rows like" in answer
    assert "; a 4x4 puzzle 4 rows like 2.1., a 16x16 puzzle 16 rows like B.A............." in answer
    with pytest.raises(ParameterError, match="no grid is read from a program"):
        Sudoku(grid=text)


@pytest.mark.parametrize("text", [
    f"problem(1, P) :-\n    P = {ARRAY}.\n",
    f"let board: [[Int]] = {ARRAY.replace('_', '0')}\n",
    f"<game>\n<values>{PUZZLE}</values>\n<solution>{'123456789' * 9}</solution>\n</game>\n",
    json.dumps([{"puzzle": PUZZLE, "solution": "123456789" * 9}], indent=1),
    f"CREATE TABLE p (id INT, g CHAR(81));\nINSERT INTO p VALUES (1, '{PUZZLE}');\n",
    "[Puzzle]\n" + "\n".join(R) + "\n[Colors]\n" + ".........\n" * 9,
    f":0000:6:{'+'.join(PUZZLE[k : k + 27] for k in (0, 27, 54))}:::619:",
    "const GRID: [[u8; 9]; 9] = [\n" + ",\n".join(f"[{', '.join(row.replace('.', '0'))}]" for row in R) + "\n];",
    "S = [ ...\n" + "; ...\n".join(" ".join(row.replace(".", "0")) for row in R) + "];",
    json.dumps({"Dimension": [3, 3], "Sudoku": [[int(one.replace(".", "0")) for one in row] for row in R]}),
])  # fmt: skip
def test_heads_marks_types_sizes_and_named_solutions_are_left_out(text: str) -> None:
    assert_read(text)


@pytest.mark.parametrize(("text", "message"), [
    (PUZZLE + "1", "expected 81 cells, got 82; a 9x9 puzzle may be 9 rows like 2.1......, or one line of 81 cells"),
    (PUZZLE[1:], "expected 81 cells, got 80; a 9x9 puzzle may be 9 rows like 2.1......, or one line of 81 cells"),
    ("\n".join(R[:8]), "expected 9 rows, got 8; a 9x9 puzzle may be 9 rows like 2.1......, or one line of 81 cells"),
    ("\n".join([*R[:4], R[4][1:], *R[5:]]), "row 5: expected 9 cells, got 8; a 9x9 puzzle may be 9 rows like 2.1......, or one line of 81 cells"),
    ("\n".join(" ".join(r).replace(".", "36") for r in R), "row 1, column 2: expected 1 to 9, or 0 for a blank, got 36"),
    ("\n".join(f"cell({k},{k},1)." for k in range(9)), "'cell(0,0,1).' is not a row of a Sudoku"),  # from 0, or from 1
    ("12......." * 81, "expected one candidate or all nine in each cell"),
    ("1" + "." * 255, "'1' is not one of the symbols ABCDEFGHIJKLMNOP; use 0 or . for a blank, or set symbols to those of the puzzle, such as 123456789ABCDEFG"),
    (json.dumps([[None, *range(15)]] * 16), "0 and null may both be blanks; use one of them, or set symbols"),
    ("5 3 1x 0 7 0 0 0 0\n" + "0 0 0 0 0 0 0 0 0\n" * 8, "row 1, column 3: '1x' is not a symbol; set symbols if it is one; cages, regions and pencil marks in a grid are not read;"),
    ("hello", "'hello' is not a row of a Sudoku; a 9x9 puzzle may be 9 rows like 2.1......, or one line of 81 cells"),
    ("\n".join(f"|{'|'.join(row.replace('.', ' '))}|." for row in R), "is not a row of a Sudoku; a 9x9 puzzle"),
    ("\n".join(f"{' & '.join(row.replace('.', ' '))} \\\\" for row in R), "is not a row of a Sudoku; a 9x9 puzzle"),
    ("\n".join(f"{' '.join(row)} {k}" for k, row in enumerate(R, 1)), "'8 . . 1 . . . 5 . 1' is not a row of a Sudoku"),
    ("\n".join(["A B C D E F G H I", *(f"{k} {' '.join(row)}" for k, row in enumerate(R, 3))]), "a 9x9 puzzle may be"),
    ("A1=5\n" * 30, "'A1=5' is not a row of a Sudoku; a 9x9 puzzle may be"),
    ("Puzzle,Rating\n" + PUZZLE[1:] + ",3", "is not a row of a Sudoku; a 9x9"),
    ('{"cells": ' + json.dumps([{"row": 0, "col": k, "value": k} for k in range(9)]) + "}", "is not a row of a Sudoku"),
    ("\n".join(f"|{'|'.join('AABBCCDDE')}|" for _ in R), "'A' is not one of the symbols 123456789; set symbols if it is one; cages, regions"),
    ("\n".join(" ".join(r.replace(".", "3456")) for r in R), "not a row of a Sudoku; a 9x9"),
    ("\n".join(" ".join("24" if one == "." else one for one in r) + " 1" for r in R), "not a row of a Sudoku; a 9x9"),
    ("\n".join(" ".join("2478" if one == "." else one for one in r) for r in R), "row 1, column 2: expected 1 to 9, or 0 for a blank, got 2478; pencil marks are not read; a 9x9"),
    ("initial(1,1,5). initial(1,2,3). initial(1,5,7).\n" * 9, "is not a row of a Sudoku; no grid is read"),
    ("m <- matrix(c(\n" + "5, 3, NA, NA, 7, NA, NA, NA, NA,\n" * 9, "'m <- matrix(c(' is not a row of a Sudoku; no grid is read from a program; a 9x9"),
    ("p cnf 729 30\n" + "115 0\n" * 30, "is not a row of a Sudoku; a 9x9"),
    ("rules(standard).", "'rules(standard).' is not a "),
    (f"version:\n{'5|0|0|1|' * 61}&gt;", "is not a row of a Sudoku; a 9x9"),
    ("b,+,c,d\n+,c,+,+\nc,+,d,a\n+,d,+,+", "'b' is not one of the symbols 1234; set symbols if it is one"),
])  # fmt: skip
def test_what_is_not_a_grid_is_refused_with_its_reason(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / ("a.csv" if "+," in text else "a.txt")
    file.write_text(text)
    assert message in invoke("batch", "sudoku", "-", "-q", input=text).stdout
    assert message in invoke("solve", str(file)).stderr
    with pytest.raises(ParameterError, match=re.escape(message)):
        Sudoku(grid=text)


@pytest.mark.parametrize(("text", "message"), [
    ("\n".join([*R, *R[1:], R[0]]), "2 grids begin on lines 1, 10; expected one (problem=1 chooses the first of a file; the verb batch reads all); a 9x9 puzzle may be"),
    ("# nothing", "there is no grid; a 9x9 puzzle may be 9 rows like 2.1......, or one line of 81 cells"),
    ("." * (1 << 21), "the text has 2,097,152 characters; expected one grid"),
])  # fmt: skip
def test_a_parameter_holds_one_grid(text: str, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        Sudoku(grid=text)


@pytest.mark.parametrize("side", [4, 6])
def test_a_line_of_a_stream_that_may_be_a_row_or_a_grid_needs_a_box(side: int) -> None:
    (answer,) = invoke("batch", "sudoku", "-", "-q", input=f"1{'.' * (side**2 - 1)}\n" * 2).stdout.splitlines()
    refusal = f"line 1: a line of {side**2} cells may be a row or a grid; set box; a {side}x{side} puzzle may be"
    assert answer.startswith(f"malformed: {refusal}")


@pytest.mark.parametrize("content", [b"PK\x03\x04 a\nb\xff", b"\x1f\x8b\xff", b"\xd0\xcf\x11\xe0"])
def test_workbooks_and_archives_are_told_everywhere(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    for way, ask in (("batch", "sudoku"), ("solve", "")):
        said = invoke(way, *filter(None, [ask]), str(tmp_path / "a.txt")).stderr
        assert "the file is a workbook or an archive, not text; save it as CSV UTF-8" in said, way


def test_names_around_a_table_are_left_out() -> None:
    for between in (",", ";", "\t"):
        for blank in ("", "0"):
            rows = [[str(k), *(row.replace(".", " "))] for k, row in enumerate(R, 1)]
            cells = [["", *"ABCDEFGHI"], *([one.strip() or blank for one in row] for row in rows)]
            assert Sudoku(grid="\n".join(map(between.join, cells))).givens() == GIVENS
    with pytest.raises(ParameterError, match="530070000 may be a row; put rows in quotes"):
        Sudoku(grid=(530070000, *range(8)))


def table(rows: Rows, head: str) -> str:
    return f"{head}\n" + lines(rows, ",", "0")


WRAPPED: dict[str, Writer] = {
    "code.txt": lambda rows: f"[code]\n{lines(rows)}[/code]\n",
    "grid.txt": lambda rows: f"[Grid]\n{lines(rows)}",
    "fence.md": lambda rows: f"My puzzle:\n\n```text\n{frame(rows, *boxes(rows), '.')}```\n",
    "pre.html": lambda rows: f"<pre>\n{lines(rows)}</pre>\n",
    "text.py": lambda rows: f'grid = """\n{lines(rows)}"""\n',
    "list.txt": lambda rows: "".join(f"- {row}\n" for row in lines(rows).split()),
    "flow.txt": lambda rows: "".join(f"- [{lines([row], ', ', '0', '')}]\n" for row in rows),
    "quoted.txt": lambda rows: "".join(f"> {row}\n" for row in lines(rows).split()),
    "size.txt": lambda rows: f"{len(rows)}\n" + lines(rows, " "),
    "sides.txt": lambda rows: f"{len(rows)} {len(rows)}\n" + lines(rows, " "),
    "box.txt": lambda rows: f"{boxes(rows)[0]}\n" + lines(rows, " "),
    "rows.txt": lambda rows: "".join(f"row {k}: {lines([row], ' ')}" for k, row in enumerate(rows, 1)),
    "head.csv": lambda rows: table(rows, ",".join(f"c{k}" for k in range(1, len(rows) + 1))),
    "letters.csv": lambda rows: table(rows, ",".join("ABCDEFGHIJKLMNOP"[: len(rows)])),
    "dates.json": lambda rows: json.dumps({"hints": [3, 4], "puzzle": [int(one or 0) for row in rows for one in row]}),
}


def ways(path: Path) -> dict[str, Callable[[], str]]:
    """Return what reads a file, in each of the ways in which it may be given."""
    yaml = path.with_name("puzzle.yaml")
    yaml.write_text(f"problem: sudoku\nparams: {{grid: {path.name}}}\n")
    return {
        "file": lambda: invoke("solve", str(path)).stderr,
        "yaml": lambda: invoke("solve", str(yaml)).stderr,
        "batch": lambda: invoke("batch", "sudoku", str(path)).stdout,
    }


@pytest.mark.parametrize("name", WRAPPED)
def test_what_stands_around_a_grid_is_left_out(name: str, tmp_path: Path) -> None:
    rows = [[one.replace(".", "") for one in row] for row in R]
    (tmp_path / name).write_text(WRAPPED[name](rows))
    assert Sudoku(grid=str(tmp_path / name)).givens() == Sudoku(grid=(tmp_path / name).read_text()).givens() == GIVENS
    assert invoke("count", str(tmp_path / name)).stdout == "1\n"
    (answer,) = invoke("batch", "sudoku", str(tmp_path / name), "--outcome").stdout.split("\n\n")
    assert answer.startswith("one\t")


SIX = ["1...5.", "..6..2", "2.4...", "...1.3", ".3.5..", "6....4"]


@pytest.mark.parametrize(("name", "text", "line", "message"), [
    ("a.html", "<table>\n<tr><td>8</td></tr>\n", 1, "'<table>' is not a row of a Sudoku; a 9x9 puzzle may be 9 rows like 2.1......"),
    ("a.txt", "# mine\n[State]\n" + "\n".join(R), 2, "'[State]' is not a row of a Sudoku"),
    ("a.csv", "\n".join(",".join(row) for row in [*R[:4], *R[5:]]), 8, "expected 9 rows, got 8"),
    ("a.csv", f"puzzle\n{PUZZLE[1:]}\n", 2, "expected 81 cells, got 80"),
    ("a.json", "[\n" + ",\n".join(map(json.dumps, map(list, R[1:]))) + "]", 9, "expected 9 rows, got 8"),
    ("a.json", json.dumps([{"row": 1, "col": 2, "value": 3}] * 20), 1, "a 9x9 puzzle may be"),
    ("a.txt", "\n".join(SIX), 1, "a grid of 6 rows of 6 cells has no square boxes; set box, such as 2x3"),
    ("a.txt", "\n".join(SIX[:5]), 5, "expected 6 rows, got 5; a 6x6 puzzle may be 6 rows like 2.1..., or one line of 36"),
    ("a.txt", "\n".join(["ABCDEFG.."] * 9), 1, "row 1, column 1: 'A' is not one of the symbols 123456789"),
    ("a.txt", "# r\xe4tsel\n".encode("latin-1") + PUZZLE.encode(), 1, "is not UTF-8 text on line 1; save it as UTF-8"),
    ("a.txt", PUZZLE.encode("utf-16"), 1, "iconv -f UTF-16 -t UTF-8"),
])  # fmt: skip
def test_refusals_name_the_line_and_a_form_everywhere(
    name: str, text: str | bytes, line: int, message: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    for way, ask in ways(file).items():
        said = ask() if isinstance(text, str) or way != "batch" else invoke("batch", "sudoku", str(file)).stderr
        assert message in said, way
        assert f"{name}:{line}:" in said or f"line {line}" in said, (way, said)
    if isinstance(text, str):
        with pytest.raises(ParameterError) as caught:
            Sudoku(grid=text)
        assert message in str(caught.value)
        assert f"line {line}" in str(caught.value) or "\n" not in text.strip()


def test_a_grid_may_name_a_file_where_parameters_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "puzzle.txt").write_text("\n".join(R))
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside/a.yaml").write_text("problem: sudoku\nparams: {grid: ../puzzle.txt}\n")
    monkeypatch.chdir(tmp_path / "inside")
    assert "outside the folder of the configuration" in invoke("count", "a.yaml").stderr
    assert invoke("count", "a.yaml", "--allow-files").stdout == "1\n"
    monkeypatch.chdir(tmp_path)
    assert invoke("count", "sudoku", "grid=puzzle.txt").stdout == "1\n"
    (tmp_path / "puzzle.txt").write_text("\n".join([*R[:8], "12"]))
    words = "puzzle.txt:9:1: this is not a Sudoku: row 9: expected 9 cells, got 2; a 9x9 puzzle may be 9 rows like"
    assert words in invoke("solve", "puzzle.txt").stderr
    assert "line 9: row 9: expected 9 cells, got 2" in invoke("solve", "sudoku", "grid=puzzle.txt").stderr


@pytest.mark.parametrize(("name", "text"), [
    ("a.json", "[[1,0,0,1],[0,1,1,0],[0,1,1,0],[1,0,0,1]]"),
    ("a.json", '{"a": [[1,0,0,1],[0,1,1,0],[0,1,1,0],[1,0,0,1]'),
    ("a.txt", "1 1 0 0\n0 0 1 1\n1 0 0 1\n0 1 1 0\n"),
    ("a.csv", "1,0,0,1\n0,1,1,0\n0,1,2,0\n1,0,0,1\n"),
])  # fmt: skip
def test_a_matrix_is_never_taken_for_a_sudoku(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    for verb in ("count", "solve"):
        assert_refused("" if name.endswith(".json") else f"{name}:1:", verb, str(tmp_path / name))


def test_no_line_of_a_stream_names_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.txt").write_text("\n".join(R))
    (tmp_path / "names.txt").write_text("other.txt")
    assert invoke("batch", "sudoku", "-", input="other.txt\n").stdout.startswith("malformed")
    assert invoke("count", "names.txt").returncode == 2


def test_long_lines_are_read_in_linear_time() -> None:
    for line in ("grid" + "." * 40_000 + "a.", "AB " * 12_000, " -- " * 12_000):
        with pytest.raises(ParameterError):
            Sudoku(grid=line + "\n").problem()


@pytest.mark.parametrize("text", [json.dumps({"columns": R}), json.dumps({"boxes": R}), "\n".join(["columns:", *R])])
def test_cells_in_another_order_are_refused(text: str) -> None:
    with pytest.raises(ParameterError):
        Sudoku(grid=text).problem()


def test_a_stream_without_instances_is_a_mistake() -> None:
    assert invoke("batch", "sudoku", "-", input="[code]\n").returncode == 2
