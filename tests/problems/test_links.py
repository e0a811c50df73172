"""Links of other sites: what they say is read, or refused by name; what is written is read again; nothing crashes."""

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactcover import Encoder, ParameterError
from exactcover.config.configuration import configure, read_file
from exactcover.errors import ConfigError
from exactcover.formats.links import Linked
from problems import CONFIGS, Masyu, Slitherlink
from problems.grid import Grid
from problems.links import fpuzzles, penpa, puzzlink, sudokupad
from problems.links.lz_string import compress

Document = dict[str, Any]


def _make_document(size: int = 9, **fields: Any) -> Document:
    return {"size": size, "grid": [[{} for _ in range(size)] for _ in range(size)], **fields}


def _link(document: Any) -> str:
    return f"https://www.f-puzzles.com/?load={compress(json.dumps(document))}"


def _read(link: str) -> Linked:
    found: list[Linked] = [linked for site in (fpuzzles, penpa, puzzlink, sudokupad) if (linked := site.read(link))]
    assert len(found) == 1, link
    return found[0]


def _encode(link: str) -> Encoder:
    linked = _read(link)
    return configure(linked.problem, (), linked.params, "link").encoder


# f-puzzles.

_LINE = ["R1C1", "R1C2", "R2C2"]
_CELLS = "r1c1 r1c2 r2c2"
FIELDS: list[tuple[Document, list[Document]]] = [
    ({"diagonal+": True}, [{"once": "r9c1-r1c9"}]),
    ({"diagonal-": True}, [{"once": "r1c1-r9c9"}]),
    ({"diagonal+": True, "diagonal-": True}, [{"once": "diagonals"}]),
    ({"antiknight": True, "antiking": True}, [{"differ": "king knight"}]),
    ({"nonconsecutive": True}, [{"differ": {"neighbors": "adjacent", "by": 2}}]),
    ({"nonconsecutive": True, "difference": [{"cells": ["R1C1", "R1C2"]}]},
     [{"unmarked": {"totals": "1-", "marked": ["r1c1 r1c2"]}}, {"dots": {"white": ["r1c1 r1c2"], "black": []}}]),
    ({"extraregion": [{"cells": _LINE}]}, [{"once": [_CELLS]}]),
    ({"killercage": [{"cells": ["R1C1", "R1C2"], "value": "9"}, {"cells": ["R1C2", "R1C3"]}]},
     [
         {"cages": {"areas": "\n".join(["aa.......", *["........."] * 8]), "totals": {"a": 9}}},
         {"cages": {"areas": "\n".join([".aa......", *["........."] * 8]), "totals": {}}},
     ]),
    ({"littlekillersum": [{"cell": "R0C4", "direction": "DL", "value": 12}, {"cell": "R0C2", "direction": "DL"},
                          {"cell": "R10C8", "direction": "UR", "value": "7"}]},
     [{"sums": {"r1c3-r3c1": 12, "r9c9": 7}}]),
    ({"arrow": [{"cells": ["R1C1"], "lines": [_LINE, ["R1C1", "R2C1"]]}]}, [{"arrows": [_CELLS, "r1c1 r2c1"]}]),
    ({"arrow": [{"cells": ["R1C1", "R1C2"], "lines": [["R1C2", "R2C2"]]}]}, [{"arrows": ["r1c1 r1c2 > r2c2"]}]),
    ({"arrow": [{"cells": ["R1C1"], "lines": []}]}, []),
    ({"thermometer": [{"lines": [_LINE, ["R5C5"]]}]}, [{"thermometers": [_CELLS]}]),
    ({"slowthermometer": [{"lines": [_LINE]}]}, [{"thermometers": {"lines": [_CELLS], "slow": True}}]),
    ({"ratio": [{"cells": ["R1C1", "R1C2"]}, {"cells": ["R2C1", "R2C2"], "value": "3"}], "negative": ["ratio"]},
     [{"dots": {"white": [], "black": ["r1c1 r1c2"]}}, {"sums": {"r2c1 r2c2": "3/"}},
      {"unmarked": {"totals": "2/ 3/", "marked": ["r1c1 r1c2", "r2c1 r2c2"]}}]),
    (
        {"xv": [{"cells": ["R1C1", "R1C2"], "value": "v"}, {"cells": ["R1C1", "R1C2"], "value": "X"}]},
        [{"sums": {"r1c1 r1c2": 5}}, {"sums": {"r1c1 r1c2": 10}}],  # both hold, so there is no solution
    ),
    ({"negative": ["xv"]}, [{"unmarked": {"totals": "5 10", "marked": []}}]),
    ({"palindrome": [{"lines": [_LINE]}]}, [{"palindromes": [_CELLS]}]),
    ({"renban": [{"lines": [[*_LINE, "R1C1"]]}]}, [{"renban": [_CELLS]}]),
    ({"whispers": [{"lines": [[*_LINE, "R1C1"]], "value": 4}]},
     [{"whispers": {"lines": [_CELLS, "r1c2 r2c2 r1c1"], "by": 4}}]),
    ({"betweenline": [{"lines": [_LINE]}]}, [{"inside": [_CELLS]}]),
    ({"lockout": [{"lines": [_LINE]}]}, [{"outside": [_CELLS]}]),
    ({"regionsumline": [{"lines": [["R1C3", "R1C4"]]}]}, [{"regionsums": {"lines": ["r1c3 r1c4"], "where": "3x3"}}]),
    ({"entropicline": [{"lines": [_LINE]}], "modularline": [{"lines": [_LINE]}]},
     [{"entropic": [_CELLS]}, {"modular": [_CELLS]}]),
    ({"even": [{"cell": "R1C1"}], "odd": [{"cell": "R9C9"}, {"cell": "R1C2"}]}, [{"even": "r1c1"}, {"odd": "r9c9 r1c2"}]),
    ({"minimum": [{"cell": "R1C1"}, {"cell": "R1C2"}], "maximum": [{"cell": "R9C9"}]},
     [{"less": ["r1c1 r2c1", "r1c2 r1c3", "r1c2 r2c2", "r8c9 r9c9", "r9c8 r9c9"]}]),
    ({"quadruple": [{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [1, 2, 2]}]}, [{"quadruples": {"r1c1": "1 2 2"}}]),
    ({"clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R5C5", "R5C6"]}]}, [{"clones": ["r1c1 r1c2 = r5c5 r5c6"]}]),
    ({"sandwichsum": [{"cell": "R1C10", "value": "12"}]}, [{"between": {"of": "1 9", "left": "12 . . . . . . . ."}}]),
    ({"xsum": [{"cell": "R10C2", "value": "12"}]}, [{"xsums": {"bottom": ". 12 . . . . . . ."}}]),
    ({"skyscraper": [{"cell": "R0C1", "value": "3"}, {"cell": "R2C10", "value": ""}]}, [{"visible": {"top": "3 . . . . . . . ."}}]),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "stated"), FIELDS, ids=lambda one: " ".join(one) if isinstance(one, dict) else None)
def test_a_field_of_f_puzzles_is_a_constraint(fields: Document, stated: list[Document]) -> None:
    linked = fpuzzles.read_puzzle(_make_document(**fields))
    if not stated:
        assert linked.problem == "sudoku"
        return
    assert (linked.problem, linked.params["cells"]) == ("grid", "9x9")
    assert linked.params["constraints"] == [{"once": "rows columns 3x3"}, *stated]
    assert configure("grid", (), linked.params).encoder.draw(()) is not None


@pytest.mark.parametrize("fields", [one for one, _ in FIELDS], ids=" ".join)
def test_what_f_puzzles_states_is_written_again(fields: Document) -> None:
    encoder = _encode(_link(_make_document(**fields)))
    again = _encode(fpuzzles.write(encoder).text)
    assert fpuzzles.write(again).text == fpuzzles.write(encoder).text
    assert _list_covers(again) == _list_covers(encoder)


def _list_covers(encoder: Encoder) -> list[list[str]]:
    """Return for each item what covers it, without the names of cages and lines, which may change."""
    covers: dict[object, list[str]] = {item: [] for item in encoder.primary() or ()}
    for label, items in encoder.options():
        for item in items:
            covers.setdefault(str(item), []).append(str(label).split(":")[-1])
    return sorted(map(sorted, covers.values()))


def test_cells_and_regions_of_f_puzzles() -> None:
    document = _make_document(4, title="A  title\n", author="me", ruleset="Some rules.", solution=[1] * 16, line=[{}])
    document["grid"][0][0] = {"value": 3, "given": True, "c": "#FFFFFF"}
    document["grid"][0][1] = {"value": 4, "region": None}
    document["grid"][0][2] = {"region": -1, "givenPencilMarks": [1, 2], "centerPencilMarks": [3]}
    linked = _read(_link(document))
    assert linked.params == {
        "cells": [[3, ".", ".", "."], *[["."] * 4] * 3],
        "regions": ["a..b", "aabb", "ccdd", "ccdd"],
        "constraints": [{"once": "rows columns regions"}, {"only": {"symbols": "1 2", "cells": "r1c3"}}],
        "instructions": "Some rules.",
    }
    assert linked.title == "A title"
    names = "author, solution, line, c of cells, entries of a player, centerPencilMarks of cells"
    assert ", ".join(linked.left_out) == f"{names}, rules that only its text states"


def test_a_plain_puzzle_is_a_sudoku() -> None:
    document = _make_document(6)
    document["grid"][5][5] = {"value": "6", "given": True}
    assert _read(_link(document))[:2] == ("sudoku", {"grid": [*["......"] * 5, ".....6"], "box": "2x3"})
    assert _read(_link(_make_document(5)))[:2] == ("grid", {"cells": "5x5", "constraints": [{"once": "rows columns"}]})


def _set(key: str, value: object) -> Document:
    document = _make_document()
    document["grid"][2][3] = {key: value, "given": key == "value"}
    return document


REFUSED: list[tuple[Any, str]] = [
    (7, "the text in the link is no puzzle; expected a JSON object"),
    ({}, "expected a number from 1 to 32"),
    (_make_document(33), "expected a number from 1 to 32"),
    (_make_document() | {"size": 8}, "expected 8 rows of 8 cells"),
    (_make_document() | {"grid": [[None] * 9] * 9}, "expected an object"),
    (_make_document(zipperline=[{"lines": [_LINE]}]), "this rule of the link cannot be stated"),
    (_make_document(ruleset=["Some rules."]), "expected a text"),
    (_make_document(negative=["whispers"]), "this rule of the link cannot be stated for 'whispers'"),
    (_make_document(antiknight="yes"), "expected true or false"),
    (_make_document(thermometer={"lines": _LINE}), "expected a list"),
    (_make_document(thermometer=[7]), "expected an object"),
    (_make_document(thermometer=[{"lines": [7]}]), "expected a list of cells"),
    (_make_document(thermometer=[{"lines": [["R1C1", "R1C10"]]}]), "expected a cell from R1C1 to R9C9"),
    (_make_document(killercage=[{"cells": _LINE, "value": "<9"}]), "expected a number from 0 to 9999; nothing else can be stated"),
    (_make_document(killercage=[{}] * 5000), "there are more than 4,096 lines, cages and clues"),
    (_make_document(littlekillersum=[{"cell": "R0C1", "direction": "UL", "value": 1}]), "this clue points away from the board"),
    (_make_document(arrow=[{"cells": ["R5C5"], "lines": [_LINE]}]), "the arrow does not begin in its circle"),
    (_make_document(arrow=[{"cells": ["R5C5"], "lines": True}]), "expected a list of lines"),
    (_make_document(xv=[{"cells": ["R1C1"], "value": "X"}]), "expected two cells with X or V"),
    (_make_document(difference=[{"cells": ["R1C1"]}]), "expected two cells"),
    (_make_document(quadruple=[{"cells": _LINE, "values": [1]}]), "expected the four cells around a corner"),
    (_make_document(clone=[{"cells": _LINE}]), "expected as many cells as cloneCells"),
    (_make_document(xsum=[{"cell": "R0C0", "value": 3}]), "expected a cell beside the board, and not at its corner"),
    (_make_document(xsum=[{"cell": "R0C1", "value": 3}, {"cell": "R0C1", "value": 4}]), "there are two clues for this line: 3 and 4"),
    (_set("value", 10), "expected a number from 1 to 9"),
    (_set("value", None), "expected a number from 1 to 9"),
    (_set("region", "A"), "expected a number"),
    (_make_document(killercage=[{"cells": _LINE, "value": "9", "sumtype": "product"}]), "this key cannot be stated; expected cells and value"),
    (_make_document(thermometer=[{"lines": [_LINE], "value": 3}]), "this key cannot be stated; expected lines"),
    (_make_document(whispers=[{"lines": [["R1C1", "R1C2", "R1C1"]]}]), "R1C1 occurs twice, so this cannot be stated"),
    (_make_document(palindrome=[{"lines": [[*_LINE, "R1C1"]]}]), "R1C1 occurs twice, so this cannot be stated"),
    (_make_document(arrow=[{"cells": ["R1C1"], "lines": [[*_LINE, "R1C1"]]}]), "arrows: r1c1 occurs twice"),
    (_make_document(clone=[{"cells": ["R1C1", "R1C1"], "cloneCells": ["R5C5", "R5C6"]}]), "clones: r1c1 occurs twice"),
    (_set("parity", "even"), "this mark of a cell cannot be stated"),
    (_set("region", 5) | {"disjointgroups": True}, "this rule cannot be stated for regions that are no boxes"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "message"), REFUSED, ids=lambda one: one if isinstance(one, str) else "")
def test_what_f_puzzles_states_wrongly_is_refused(document: Any, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        _read(_link(document))
    assert caught.value.message == message


@pytest.mark.parametrize(("fields", "path"), [
    ({"antiking": True, "killercage": [{"cells": ["R1C1", "R1C2"], "value": "2"}]}, ("killercage",)),
    ({"ratio": [{"cells": ["R1C1", "R9C9"]}], "whispers": [{"lines": [_LINE]}]}, ("ratio",)),
    ({"whispers": [{"lines": [_LINE]}, {"lines": [_LINE, ["R1C3", "R1C2", "R1C3"]]}]}, ("whispers", 1, "lines", 1)),
])  # fmt: skip
def test_what_cannot_hold_names_the_field_of_the_link(fields: Document, path: tuple[str | int, ...]) -> None:
    with pytest.raises(ParameterError) as caught:
        _read(_link(_make_document(**fields)))
    assert caught.value.path == path


def test_keys_about_looks_state_nothing() -> None:
    looks = {"outlineC": "#000000", "fontC": "#000000", "width": 0.5, "isNewConstraint": True, "sumtype": ""}
    cages = [{"cells": ["R1C1", "R1C2"], "value": "9", **looks}]
    assert _read(_link(_make_document(killercage=cages))).left_out == ()


@pytest.mark.parametrize("form", [
    "https://sudokupad.app/fpuz{}",
    "https://sudokupad.app/fpuzzles{}",
    "https://beta.sudokupad.app/sudoku/fpuz{}?setting-nogrid=1",
    "https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{}",
    "https://f-puzzles.com/?load={}&test=1",
])  # fmt: skip
def test_links_with_documents_have_many_forms(form: str) -> None:
    document = _make_document(antiking=True, title="\N{GRINNING FACE} + / =")
    body = compress(json.dumps(document))
    for written in (body, quote(body, safe=""), body.replace("+", " ").rstrip("=")):
        assert _read(form.format(written)) == fpuzzles.read_puzzle(document)


# puzz.link.

BOARDS: list[tuple[str, str, Document]] = [
    ("slither/3/2/1ch", "slitherlink", {"clues": [["1", "2", "."], [".", ".", "."]]}),
    ("mashu/3/2/5i", "masyu", {"pearls": [[".", "W", "B"], ["B", ".", "."]]}),
    ("numlin/3/2/1-10g-10g1", "numberlink", {"board": [["1", "16", "."], ["16", ".", "1"]], "fill": False}),
    ("arukone/e/3/2/1j1", "numberlink", {"board": [["1", ".", "."], [".", ".", "1"]], "fill": False}),
    ("arukone/2/1/11", "numberlink", {"board": [["1", "1"]], "fill": True}),
    ("sudoku/4/4/g1i3p", "sudoku", {"grid": [".1..", ".3..", "....", "...."], "box": "2x2"}),
    ("starbattle/2/2/1/og", "grid",
     {"cells": "2x2", "symbols": "★x", "empty": "x", "regions": ["ab", "cb"], "constraints":
      [{"count": {"where": "rows columns regions", "times": 1}}, {"differ": "king"}]}),
    ("kakuro/3/2/l4-mf76-", "grid",  # a board with clues above and before it
     {"cells": ["####", "#..#", "#..."], "symbols": "1-9",
      "constraints": [{"kakuro": [["#", "15\\", "7\\", "#"], ["\\6", ".", ".", "4\\"], ["#", ".", ".", "."]]},
                      {"sums": {"lines": {"r3c2-r3c4": ""}, "repeat": False}}]}),
    ("nonogram/3/2/i112g", "grid",
     {"cells": "2x3", "symbols": "■x", "empty": "x",
      "constraints": [{"runs": {"columns": ["0", "0", "0"], "rows": ["1 1", "2"]}}]}),
    ("tents/2/2/g1g0i2", "grid",
     {"cells": "2x2", "symbols": "▲x", "empty": "x",
      "constraints": [{"tents": [[".", "T"], [".", "."]]}, {"differ": "king"},
                      {"count": {"where": "columns", "times": [".", "1"]}}, {"count": {"where": "rows", "times": [".", "0"]}}]}),
    ("shikaku/2/2/2g2g", "grid", {"cells": "2x2", "symbols": "none", "constraints": [{"rectangles": [["2", "."], ["2", "."]]}]}),
    ("norinori/2/2/og", "grid",
     {"cells": "2x2", "symbols": "■x", "empty": "x", "regions": ["ab", "cb"],
      "constraints": [{"count": {"where": "regions", "times": 2}}, {"beside": {"times": 1}}]}),
    ("nurikabe/3/2/g2i1", "grid",
     {"cells": "2x3", "symbols": "■x", "empty": "x",
      "constraints": [{"islands": [[".", "2", "."], [".", ".", "1"]]}, {"together": "■"}, {"never": "■■/■■"}]}),
    ("hitori/2/2/1.-12a", "grid",
     {"cells": "2x2", "symbols": "■o", "empty": "o",
      "constraints": [{"hitori": {"numbers": [["1", "."], ["38", "10"]], "of": "■"}},
                      {"beside": {"of": "■", "times": 0}}, {"together": "o"}]}),
    ("lightup/3/2/6.g.g", "grid",  # a hole without a number
     {"cells": [["#", ".", "#"], [".", "#", "."]], "symbols": "●x", "empty": "x",
      "constraints": [{"lamps": "●"}, {"around": {"clues": [["1", ".", "."], [".", ".", "."]], "neighbors": "adjacent"}}]}),
    ("fillomino/2/2/2g1g", "grid", {"cells": "2x2", "symbols": "1-2", "constraints": [{"fillomino": {"numbers": [["2", "."], ["1", "."]]}}]}),
    ("skyscrapers/2/2/1k2gg1h", "grid",
     {"cells": [[".", "1"], [".", "."]], "symbols": "1-2",
      "constraints": [{"once": "rows columns"}, {"visible": {"top": ["1", "."], "right": ["2", "."]}}]}),
    ("ripple/2/2/0o1i", "grid",
     {"cells": [["1", "."], [".", "."]], "symbols": "1-2", "regions": ["aa", "bb"],
      "constraints": [{"number": "regions"}, {"ripple": "rows columns"}]}),
    ("suguru/3/1/g1g2", "grid",  # the last cell is a hole
     {"cells": [["1", ".", "2"]], "symbols": "1-2", "regions": ["abb"], "constraints": [{"number": "regions"}, {"differ": "king"}]}),
    ("cojun/1/3/g2h", "grid",
     {"cells": [["2"], ["."], ["."]], "symbols": "1-2", "regions": ["a", "b", "b"],
      "constraints": [{"number": "regions"}, {"differ": "adjacent"}, {"less": ["r3c1 r2c1"]}]}),
    ("kropki/2/2/09", "grid",
     {"cells": "2x2", "symbols": "1-2",
      "constraints": [{"once": "rows columns"},
                      {"dots": {"white": ["r1c2 r2c2"], "black": [], "all": True}}]}),
    ("easyasabc/2/2/1/1j1h", "grid",
     {"cells": [[".", "."], [".", "."]], "symbols": "Ax", "empty": "x",
      "constraints": [{"once": "rows columns"}, {"first": {"top": ["A", "."], "left": [".", "A"]}}]}),
    ("doppelblock/3/3/1j0", "grid",
     {"cells": [[".", ".", "."], [".", ".", "."], [".", ".", "."]], "symbols": ["1", "■"],
      "constraints": [{"count": {"where": "rows columns", "of": "■", "times": 2}},
                      {"count": {"where": "rows columns", "of": "1", "times": 1}},
                      {"between": {"of": "■", "top": ["1", ".", "."], "left": [".", ".", "0"]}}]}),
    ("battleship/2/2/g1h0.h/2/11g/12o", "grid",
     {"cells": [["w", "."], [".", "."]], "symbols": "^v<>mow", "empty": "w",
      "constraints": [{"ships": {"fleet": {1: 1, 2: 1}, "parts": puzzlink.PARTS}},
                      {"count": {"where": "columns", "times": [".", "1"], "of": "^v<>mo"}},
                      {"only": {"symbols": "^v<>mo", "cells": "r1c2"}}]}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "problem", "params"), BOARDS, ids=[body.partition("/")[0] for body, _, _ in BOARDS])
def test_a_board_of_puzz_link(body: str, problem: str, params: Document) -> None:
    assert _read(f"https://puzz.link/p?{body}")[:2] == (problem, params)
    encoder = _encode(f"https://puzz.link/p?{body}")
    assert _read(puzzlink.write(encoder).text)[:2] == (problem, params)


def test_hidden_numbers_of_a_fillomino_may_be_greater_than_those_told() -> None:
    encoder = _encode("https://puzz.link/p?fillomino/2/2/1i")
    assert [encoder.unparse(solution) for solution in encoder.solve()] == ["13\n33"]
    assert _read("https://puzz.link/p?fillomino/2/2/1i").left_out == ()
    with pytest.raises(ParameterError, match="expected symbols from 1 to 3"):
        puzzlink.write(Grid(("1.", ".."), symbols="1-2", constraints=({"fillomino": {}},)))


@pytest.mark.parametrize(("link", "message"), [
    ("https://www.f-puzzles.com/?id=yhkyz63b", "the link holds no puzzle, only its name"),
    ("https://f-puzzles.com/?load=", "the puzzle in the link cannot be decompressed: it ends too early"),
    ("https://f-puzzles.com/?load=N4Ig_", "cannot be decompressed: '_' is not one of its letters"),
    (f"https://f-puzzles.com/?load={compress('{')}", "is not JSON, or too deeply nested"),
    (f"https://f-puzzles.com/?load={compress('[' * 100_000)}", "is not JSON, or too deeply nested"),
    (f"https://f-puzzles.com/?load={compress('9' * 5000)}", "is not JSON, or too deeply nested"),
    (f"https://f-puzzles.com/?load={compress('[' + 'a' * (1 << 20))}", "it holds more than 1,048,576 characters"),
    ("https://sudokupad.app/4FN8RN9LfN", "the link holds no puzzle, only its name on the server"),
    ("https://sudokupad.app/sclN4IgzglgXgpiBcB", "holds a drawing, which states no rules"),
    ("https://puzz.link/p?yajilin/2/2/a", "puzzles of the kind 'yajilin' cannot be stated; expected sudoku,"),
    ("https://puzz.link/p?slither/v:anti/2/2/k", "the variant 'v:anti' of slither cannot be stated"),
    ("https://puzz.link/p?v:/slither/2/2/k", "the variant 'v:' of slither cannot be stated"),
    ("https://puzz.link/p?slither/f/2/2/k", "the variant 'f' of slither cannot be stated"),
    ("https://puzz.link/p?slither/2", "expected the numbers of columns and rows behind the kind"),
    ("https://puzz.link/p?slither/0/2/k", "a board of 2 x 0 cells cannot be read"),
    ("https://puzz.link/p?slither/999/999/k", "a board of 999 x 999 cells cannot be read"),
    ("https://puzz.link/p?slither/2/2/0000g", "'g' is left behind the board; leave it out of the link if the board"),
    ("https://puzz.link/p?slither/2/2/0!", "the board in the link cannot be read at '!'"),
    *((f"https://puzz.link/p?{body}", "the board in the link ends too early") for body in (
        "slither/4/4/dgdh", "starbattle/5/5/1", "tents/8/8/2131202112202113", "sudoku/4/4/g1i3", "suguru/3/1/g1")),
    ("https://puzz.link/p?sudoku/4/6/a", "expected a square board, got 6x4"),
    ("https://puzz.link/p?sudoku/9/9/azzzz", "the number 10 is not from 1 to 9"),
    *((f"https://puzz.link/p?{body}", "the sign ? for a number cannot be stated") for body in (
        "shikaku/2/2/.i", "nonogram/2/2/.i", "numlin/2/2/1.1g", "arukone/2/2/1.1g", "tents/2/2/.m", "doppelblock/3/3/.k",
        "easyasabc/2/2/2/.m", "skyscrapers/2/2/.m", "ripple/2/2/00.i", "sudoku/4/4/.u", "nurikabe/2/2/.i",
        "fillomino/2/2/.i")),
    ("https://puzz.link/p?easyasabc/2/2/27/1j1h", "expected a number of letters, got '27'"),
    ("https://puzz.link/p?battleship/2/2/k7i", "parts of bent ships cannot be stated"),
    ("https://puzz.link/p?battleship/2/2/kj//p", "'/p' is no fleet"),
    ("https://puzz.link/p?battleship/2/2/kj/1/22u", "the ship '22u' is not straight, so it cannot be stated"),
    ("https://puzz.link/p?ripple/2/2/00k8", "holes in a board of this kind cannot be stated"),
])  # fmt: skip
def test_links_that_state_no_puzzle_are_refused(link: str, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        _read(link)


@pytest.mark.parametrize("params", [
    {"cells": "4x4", "symbols": "*x", "regions": ("AABB", "AABB", "CCDD", "CCDD"), "constraints": (
        {"count": {"where": "rows columns regions", "of": "x", "times": 1}}, {"differ": "king"})},
    {"cells": "2x3", "symbols": "*x", "constraints": (
        {"runs": {"rows": ["1", "2"], "columns": ["1", "1", "1"], "of": "x"}},)},
    {"cells": "2x3", "symbols": "*x", "constraints": ({"lamps": {"of": "*x"}},)},
    {"cells": "3x3", "symbols": "*x", "constraints": (
        {"tents": {"trees": ["T..", "...", "..."], "of": "x"}}, {"differ": "king"})},
], ids=["star battle", "nonogram", "light up", "tents"])  # fmt: skip
@pytest.mark.parametrize("site", [puzzlink, penpa])
def test_rules_about_other_symbols_than_the_filled_ones_are_not_written(site: Any, params: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="has just these rules"):
        site.write(Grid(empty="x", **params))


def test_addresses_of_puzz_link() -> None:
    wanted = _read("https://puzz.link/p?slither/2/2/1i")
    for link in ("http://pzv.jp/p.html?slither/2/2/1i/", "https://pzprxs.vercel.app/p?type=editor&slitherlink_edit/2/2/1i",
                 "https://example.org/pzpr/v3/p.html?slither//2/2/1i"):  # fmt: skip
        assert _read(link) == wanted


# Both.

_UNIQUE = re.compile(r"^problem: (grid|sudoku|slitherlink|masyu|numberlink)$.*^  solutions: 1$", re.M | re.S)
_BUNDLED = [path for path in sorted(CONFIGS.glob("*.yaml")) if _UNIQUE.search(path.read_text("utf-8"))]


@pytest.mark.parametrize("path", _BUNDLED, ids=lambda path: str(path.stem))
def test_bundled_puzzles_are_the_same_behind_links(path: Path) -> None:
    """What a site cannot state is refused; what is written has the same solution, and is written again alike."""
    encoder = read_file(path).encoder
    for site in (fpuzzles, puzzlink, sudokupad, penpa):
        try:
            link = site.write(encoder).text
        except ParameterError:
            continue
        again = _encode(link)
        assert site.write(again).text == link
        shown = [["".join(one.unparse(each).split()) for each in one.solve(limit=2)] for one in (encoder, again)]
        assert len(shown[0]) == len(shown[1]) == 1
        if type(encoder) in (Masyu, Slitherlink) or shown[0][0].isdecimal():  # others have symbols of their own
            assert shown[0] == shown[1]


def _mutate(value: Any, chance: Any) -> Any:
    """Return a JSON value in which one place has changed."""
    strange: list[Any] = [None, True, -1, 0, 3, 10**9, 1.5, "", "R1C1", "R9C9", "5", "\ud800"]
    strange += [[], {}, [[]], [None], [["R2C2"]], {"lines": [[]]}]
    if isinstance(value, dict | list) and value and chance.random() < 0.9:
        changed = copy.copy(value)
        key = chance.choice(sorted(changed)) if isinstance(changed, dict) else chance.randrange(len(changed))
        changed[key] = _mutate(changed[key], chance)
        return changed
    return copy.deepcopy(chance.choice(strange))


@settings(max_examples=400)
@given(st.randoms(use_true_random=False))
def test_hostile_documents_are_refused(chance: Any) -> None:
    document = _make_document(chance.choice([2, 4, 9]))
    for fields, _ in chance.sample(FIELDS, 4):
        document |= fields
    for _ in range(chance.randint(1, 4)):
        document = _mutate(document, chance)
    _try(lambda: fpuzzles.read_puzzle(document))


@settings(max_examples=200)
@given(st.randoms(use_true_random=False))
def test_hostile_links_are_refused(chance: Any) -> None:
    boards = [f"https://puzz.link/p?{body}" for body, _, _ in BOARDS]
    link = chance.choice([*boards, _link(_make_document(4, antiking=True))])
    start = link.index("?") + 1
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(start, len(link) + 1)
        piece = "".join(chance.choice("019afgkz./-+=%$*~&#?:ABé{") for _ in range(chance.randint(0, 2)))
        link = link[:place] + piece + link[place + chance.randint(0, 3) :]
        link = link[: chance.randrange(start, len(link) + 1)] if chance.random() < 0.2 else link
    _try(lambda: _read(link))


def _try(read: Callable[[], Linked]) -> None:
    """Let only refusals go wrong."""
    try:
        linked = read()
        configure(linked.problem, (), linked.params, "link")
    except (ParameterError, ConfigError) as error:
        assert str(error)
