"""Answers to the page: right for good puzzles, and a sentence for everything else."""

import base64
import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from exactcover import find_encoders
from exactcover.config.write import write_document
from exactcover.encoders.discovery import find_configs
from exactcover.pictures import contact_sheet
from exactcover.studio.answers import answer, open_document, read_document
from problems import Polycube, Sudoku

SMALL = {"problem": "polyomino", "params": {"board": ["....", "...."], "pieces": {"A": "###/#"}, "copies": {"A": 2}}}


def ask(question: str, *, timeout: float = 20.0, **details: Any) -> dict[str, Any]:
    """All parts of an answer together, as JSON carries them."""
    together: dict[str, Any] = {}
    for part in answer({"question": question, **details}, timeout=timeout):
        together |= json.loads(json.dumps(part))
    return together


def test_what_is_known_of_a_puzzle() -> None:
    known = ask("look", document=SMALL)
    assert known["options"] == 8
    assert (known["solved"], known["count"], known["distinct"]) == (True, "2", "1")
    assert "<svg" in known["picture"]
    assert "nodes" in known["estimate"]
    assert read_document(known["yaml"]) == SMALL


def test_what_follows_and_what_would_leave_one_solution_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactcover.studio.answers._SHORT_SECONDS", 60.0)
    one = ask("look", document={"problem": "sudoku", "params": {"grid": "12343412214343.."}})
    assert (one["count"], one["forced"] == one["picture"], "leave" in one) == ("1", True, False)
    several = ask("look", document={"problem": "sudoku", "params": {"grid": "..343412..434321"}})
    assert (several["count"], several["leave"], "forced" in several) == ("2", 8, False)
    assert "<svg" in several["decisive"]


def test_a_change_that_does_not_matter_counts_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask("look", document=SMALL)
    monkeypatch.setattr("exactcover.studio.answers._count", lambda *_: iter(()))
    assert ask("look", yaml="# the same\n" + write_document(SMALL))["count"] == first["count"]
    assert "count" not in ask("look", document={"problem": "sudoku", "params": {"grid": "..343412..434321"}})


def test_a_puzzle_without_a_solution_says_why() -> None:
    known = ask("look", document={"problem": "polyomino", "params": {"board": "3x3", "pieces": ["dominoes"]}})
    assert (known["solved"], known["count"]) == (False, "0") and "2 cells" in known["reason"]


def test_mistakes_are_said_with_their_place() -> None:
    assert ask("look", yaml="problem: polyomino\nparams:\n  bord: 3x3\n")["mistakes"] == [
        "line 3, column 3: unknown parameter 'bord'; did you mean 'board'? (parameters: board, pieces, copies, holes, "
        "rotate, reflect, joined, placed, takes, avoids)"
    ]
    assert ask("look", yaml="problem: nothing\n")["mistakes"]
    assert ask("look", yaml="[")["mistakes"]
    assert ask("look", yaml=5) == {"error": "a puzzle is a text"}
    assert ask("nonsense") == {"error": "there is no question 'nonsense'"}
    assert "error" in ask("look")


QUESTIONS = ["", "look", "open", "write", "pieces", "explain", "generate", "play", "position", "candidates"]
QUESTIONS += ["page", "export"]
DETAILS = ["yaml", "document", "problem", "set", "chosen", "without", "format", "low", "clues", "example"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=5), parts, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(DETAILS), VALUES), st.sampled_from(QUESTIONS))
def test_no_question_raises(details: dict[str, Any], question: str) -> None:
    known = ask(question, **details)
    assert known.keys() & {"error", "mistakes", "yaml"}


ONE_SIDED = "{board: ['????', '????', '????'], pieces: one-sided tetrominoes, copies: [0, 1]}"
EXAMPLES = ["dominoes_torus_6x6", "trominoes_6x6", "tetrahexes_4x7", "lozenges_hexagon_3", "soma_cube"]


@pytest.mark.parametrize(
    "text",
    [f"problem: polyomino\nparams: {ONE_SIDED}\n", *(find_configs()[f"{one}.yaml"].read_text() for one in EXAMPLES)],
    ids=["one_sided_tetrominoes", *EXAMPLES],
)
def test_an_example_that_is_painted_keeps_its_solutions(text: str) -> None:
    painted = ask("open", yaml=text)["painted"]
    assert (painted is None) == ("torus" in text)
    if painted is not None:
        del painted["drawings"]
        document = read_document(text)
        written = write_document({**document, "params": painted})
        assert open_document(written).encoder.count() == open_document(text).encoder.count()
        assert {**read_document(written), "params": {}} == {**document, "params": {}}


def test_placements_stay_where_they_are() -> None:
    squares = {"board": ["_____", "_....", "_....", "_...."], "pieces": "dominoes", "placed": ["I r2c2 r3c2"]}
    hexagons = {"board": ["_._.", "._._.", "_._."], "pieces": {"D": "#.#"}, "placed": ["D r1c2 r1c4"]}
    for problem, stated in (("polyomino", squares), ("polyhex", hexagons)):
        params: dict[str, Any] = {**stated, "copies": "any"}
        painted = ask("open", document={"problem": problem, "params": params})["painted"]
        assert painted["placed"] == params["placed"]
        assert painted["board"][0].startswith("_")
        counts = {ask("look", document={"problem": problem, "params": one})["count"]
                  for one in (params, {key: painted[key] for key in painted if key != "drawings"})}  # fmt: skip
        assert len(counts) == 1


def test_names_that_look_like_numbers() -> None:
    params = {"board": "1x1", "pieces": {"08": "#", "no": "#"}, "copies": {"08": [0, 1], "no": [0, 1]}}
    assert ask("look", document={"problem": "polyomino", "params": params})["count"] == "2"


def test_every_painted_family_has_pieces_to_pick() -> None:
    families = ask("families")["families"]
    assert {one["name"] for one in families} == set(find_encoders())
    painted = [one for one in families if one["paintedOn"]]
    assert {one["paintedOn"] for one in painted} == {"squares", "hexagons", "triangles", "cubes", "spheres"}
    for one in painted:
        pieces = ask("pieces", problem=one["name"], set=one["sets"][2])["pieces"]
        assert all("#" in drawing for drawing in pieces.values())


def test_a_position_has_a_solution_that_contains_it() -> None:
    document = {"problem": "sudoku", "params": {"box": "2x2", "grid": "1... ..2. .3.. ...4"}}
    board = ask("play", document=document)
    assert len(board["labels"]) == len(board["matrix"]["rows"]) == 64
    assert (board["solvable"], board["tray"]) == (True, None)
    found = ask("position", document=document, chosen=board["given"])
    assert found["solvable"] and set(board["given"]) < set(found["solution"]) and len(found["solution"]) == 16


def test_a_position_with_costs_is_continued_at_the_least_cost() -> None:
    rows = "Ann,both,5,x,x", "Ann,morning,3,x,", "Bob,late start,1,,x", "Cid,morning,2.5,x,"
    document = {"problem": "roster", "params": {"table": ["who,shift,cost,Mo early,Mo late", *rows]}}
    board = ask("play", document=document)
    assert (board["costs"], board["cheapest"]) == ([5, 3, 1, 2.5], [2, 3])
    assert ask("look", document=document)["caption"] == "2 people for 2 tasks, total cost 3.5"
    for chosen, solution in (([], [2, 3]), ([2], [2, 3]), ([1], [1, 2]), ([0], [0]), ([0, 2], None)):
        assert ask("position", document=document, chosen=chosen)["solution"] == solution


def test_a_wrong_choice_has_no_solution() -> None:
    document = {"problem": "queens", "params": {"n": 4}}
    corner = ask("play", document=document)["labels"].index("r1c1")
    assert ask("position", document=document, chosen=[corner]) == {"solvable": False, "solution": None}
    assert ask("play", document={"problem": "queens", "params": {"n": 3}})["solvable"] is False


def test_a_digit_is_possible_if_a_solution_has_it() -> None:
    document = {"problem": "sudoku", "params": {"box": "2x2", "grid": "1... .... .... ...."}}
    board = ask("play", document=document)
    problem = Sudoku(box="2x2", grid="1... .... .... ....").problem()
    chosen = [*board["given"], board["labels"].index("r1c2=2"), board["labels"].index("r2c3=2")]
    named = [problem.labels[option] for option in chosen]
    expected = {problem.position(label) for solution in problem.solve(given=named) for label in solution}
    assert ask("candidates", document=document, chosen=chosen)["possible"] == sorted(expected)
    wrong = [*chosen, board["labels"].index("r1c3=2")]
    assert ask("candidates", document=document, chosen=wrong)["possible"] == []


def test_the_tray_holds_the_copies_of_each_piece() -> None:
    params = {"board": "4x5", "pieces": {"I": "##", "L": "##/#", "O": "#"}, "copies": {"I": [0, 3], "L": "any", "O": 2}}
    board = ask("play", document={"problem": "polyomino", "params": params})
    assert (board["tray"]["names"], board["tray"]["most"]) == (["I", "L", "O"], [3, None, 2])
    names = [board["tray"]["names"][piece] for piece in board["tray"]["piece"]]
    assert names == [label.split()[0] for label in board["labels"]]


def test_a_puzzle_as_hard_as_wanted() -> None:
    made = ask("generate", document={"problem": "sudoku", "params": {}}, low="60", high="400", seed=3)
    assert 60 <= made["nodes"] <= 400
    assert ask("look", document=made["document"])["unique"]
    made = ask("generate", document=SMALL, seed=1)
    assert made["document"]["params"]["placed"]
    assert ask("look", document=made["document"])["unique"]
    assert "no puzzle has 3 givens" in ask("generate", document=SMALL, clues="3")["error"]


def test_questions_that_take_too_long_are_ended() -> None:
    document = {"problem": "polyomino", "params": {"board": "300x300", "pieces": "hexominoes"}}
    huge = ask("look", timeout=0.2, document=document)
    assert huge["error"] == "stopped by the timeout; the puzzle may be too large"


def test_exports() -> None:
    params = {"board": "2x2x4", "pieces": "dicubes", "copies": "any"}
    cube = {"problem": "polycube", "params": params}
    names = ("html", "sheet", "svg", "puzzle", "print", "stl", "yaml")
    contents = {name: base64.b64decode(ask("export", document=cube, format=name)["content"]) for name in names}
    assert contents["html"].startswith(b"<!DOCTYPE html>")
    assert contents["svg"].count(b"<svg") == 1
    assert contents["puzzle"].decode() == contact_sheet([Polycube("2x2x4", "dicubes", copies="any").draw(())])
    assert contents["print"].startswith(b"%PDF")
    assert contents["stl"].startswith(b"exactcover")
    assert yaml.safe_load(contents["yaml"]) == cube
    assert b"the first 60" in contents["sheet"]
    for name in ("stl", "dxf", "cut", "print"):
        assert base64.b64decode(ask("export", document=SMALL, format=name, page="https://example.org")["content"])
    assert "these are solid" in ask("export", document=cube, format="dxf")["error"]
    none = {"problem": "polyomino", "params": {"board": "3x3", "pieces": "dominoes", "copies": "any"}}
    assert ask("export", document=none, format="dxf") == {"error": "there is no solution to export"}
    assert ask("export", document=SMALL, format="exe") == {"error": "there is no format 'exe'"}


def test_a_puzzle_becomes_a_page() -> None:
    assert ask("page", document=SMALL)["page"].startswith("<!DOCTYPE html>")


def test_an_export_that_is_stopped_gives_no_file() -> None:
    document = {"problem": "polyomino", "params": {"board": "8x8", "pieces": "pentominoes", "holes": [[1, 1]] * 1}}
    parts = list(answer({"question": "export", "document": document, "format": "sheet"}, timeout=0.0))
    assert "error" in parts[-1]
    assert not any("content" in part for part in parts)


def test_why_a_puzzle_is_unique_or_not() -> None:
    assert ask("explain", document=SMALL)["decisive"]
    made = ask("generate", document=SMALL, seed=1)
    assert ask("explain", document=made["document"])["solutions"] == 1


def test_examples_can_be_opened_and_painted() -> None:
    opened = ask("open", example="pentominoes_6x10.yaml")
    assert opened["paintedOn"] == "squares"
    assert opened["painted"]["board"] == ["." * 10] * 6
    assert ask("open", example="../../etc/passwd") == {"error": "there is no example '../../etc/passwd'"}


@pytest.mark.parametrize(("params", "short"), [
    ({"board": "6x10", "pieces": "pentominoes"}, "params: {board: 6x10, pieces: pentominoes}"),
    ({"board": "3x3", "pieces": "one-sided tetrominoes", "copies": "any"}, "board: 3x3\n  pieces: 'one-sided tetrominoes'\n  copies: any\n"),
    ({"board": ["..", ".#"], "pieces": {"V": "##/#"}}, "V: '##/#.'\n  copies: {V: 1}\n"),
])  # fmt: skip
def test_what_is_painted_is_saved_in_short(params: dict[str, Any], short: str) -> None:
    opened = ask("open", document={"problem": "polyomino", "params": params})
    painted = {key: value for key, value in opened["painted"].items() if key != "drawings"}
    written = ask("write", document={"problem": "polyomino", "params": painted})["yaml"]
    assert short in written
    assert ask("open", yaml=written)["painted"] == opened["painted"]


def test_mistakes_are_said_in_words_of_the_board() -> None:
    for board, pieces, copies, words in [
        ("...", {}, {}, "there are no pieces yet: add a set, or draw one"),
        ("___", {"A": "#"}, {}, "the board has no cells yet: paint some that are to be covered"),
        ("...", {"A": "#"}, {"A": "x"}, "copies of A: expected a whole number, [low, high]"),
    ]:
        params = {"board": [board], "pieces": pieces, "copies": copies}
        (mistake,) = ask("look", document={"problem": "polyomino", "params": params})["mistakes"]
        assert mistake.startswith(words)
