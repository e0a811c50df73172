import re
from dataclasses import asdict
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from exactcover import ConfigError, UnknownProblemError
from exactcover.config.configuration import configure, encode, read_file, read_text, schema
from exactcover.encoders.discovery import find_encoders
from problems import Queens


def complaints(text: str, *overrides: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read_text(text.encode(), "file.yaml", overrides)
    return [str(mistake) for mistake in caught.value.mistakes]


def test_a_whole_file() -> None:
    text = (
        "problem: queens\nparams: {n: 6, placed: [[1, 2]]}\n"
        "search: {find: all, timeout: 2, seed: 3, limit: 4, engine: sets}\noutput: {format: svg, file: x.svg}\n"
    )
    configuration = read_text(text.encode(), "file.yaml")
    assert configuration.encoder == Queens(n=6, placed=((1, 2),))
    assert asdict(configuration.search) == {
        "find": "all", "limit": 4, "cheapest": None, "most": None, "timeout": 2.0, "seed": 3, "engine": "sets",
        "heuristic": "mrv", "jobs": 1, "nodes": None, "reduce": None, "symmetry": None, "merge": False, "restarts": False,
        "best_effort": False,
    }  # fmt: skip
    assert (configuration.output.format, configuration.output.file) == ("svg", "x.svg")


def test_overrides_replace_and_add_parameters() -> None:
    configuration = read_text(b"problem: queens\nparams: {n: 6}\n", "file", ["n=5", "placed=[[1, 1]]"])
    assert configuration.encoder == Queens(n=5, placed=((1, 1),))
    assert configuration.params == {"n": 5, "placed": [[1, 1]]}


@pytest.mark.parametrize(("text", "place", "hint"), [
    ("problem: queens\nparams: {n: 6\n", (3, 1), "separate entries by ',' and close the bracket"),
    ("problem: polyomino\nparams: {blocked: [1, 2\n", (3, 1), "separate entries by ',' and close the bracket"),
    ("problem: [\n", (2, 1), "a value is missing, or a bracket is not closed"),
    ("problem:queens\nparams: {n: 6}\n", (2, 7), "write a space after each ':'"),
    ("problem: queens: 8\n", (1, 16), "put text that contains ': ' in quotes"),
    ("problem: queens\nparams:\n  n: 6\n placed: []\n", (4, 2), "indent the keys of a mapping alike"),
    ("- a\nb: 1\n", (2, 1), "keys cannot follow them at the same place"),
    ("problem: queens\nparams:\n\tn: 6\n", (3, 1), "indent with spaces, not tabs"),
    ("problem: 'queens\n", (2, 1), "close the quotation mark"),
    ('problem: "a\\q"\n', (1, 12), "put text that contains a backslash in single quotes"),
    ("problem: *\n", (1, 11), "put text that begins with '*' in quotes"),
])  # fmt: skip
def test_a_mistake_in_the_grammar_of_yaml_says_what_to_do(text: str, place: tuple[int, int], hint: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(hint)) as caught:
        read_text(text.encode(), "file.yaml")
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    "search",
    ["{find: count, restarts: true}", "{find: all, limit: 2}", "{limit: 1, restarts: true}", "{find: count, jobs: 2}"],
)
def test_keys_of_a_search_that_go_together(search: str) -> None:
    read_text(f"problem: queens\nsearch: {search}\n".encode(), "file.yaml")


@pytest.mark.parametrize(("text", "expected"), [
    ("", ["file.yaml:1:1: the file is empty; expected at least 'problem: NAME'"]),
    ("- 1\n", ["file.yaml:1:1: the top level of the file is not a mapping; expected at least 'problem: NAME'"]),
    ("params: {}\n", ["file.yaml:1:1: missing key 'problem'"]),
    ("problem: 3\n", ["file.yaml:1:1: problem: expected text, got 3 (put it in quotes)"]),
    ("problem: queens\nparams:\n  n: eight\n  m: 3\nserach: {}\n",
     ["file.yaml:3:3: n: expected a whole number, got 'eight'",
      "file.yaml:4:3: unknown parameter 'm' (parameters: n, placed, blocked)",
      "file.yaml:5:1: unknown key 'serach'; did you mean 'search'? (keys: problem, title, params, search, output, known)"]),
    ("problem: queens\nparams:\n  n: 8.5\n", ["file.yaml:3:3: n: expected a whole number, got 8.5"]),
    ("problem: queens\nparams:\n  n: true\n", ["file.yaml:3:3: n: expected a whole number, got true"]),
    ("problem: queens\nparams:\n  n: -1\n", ["file.yaml:3:3: n: expected at least 0, got -1"]),
    ("problem: queens\nparams:\n  placed:\n  - [1, 2, 3]\n  - [1]\n",
     ["file.yaml:4:5: placed.0: expected a list of 2 entries, got [1, 2, 3]",
      "file.yaml:5:5: placed.1: expected a list of 2 entries, got [1]"]),
    ("problem: queens\nsearch: {find: al, limit: 0}\noutput: {fromat: svg}\n",
     ["file.yaml:2:10: search.find: expected 'first', 'all' or 'count', got 'al'",
      "file.yaml:2:20: search.limit: expected at least 1, got 0",
      "file.yaml:3:10: unknown key 'fromat'; did you mean 'format'? (keys: format, file)"]),
    ("problem: rectangles\nparams:\n  pieces: {1x2: -1, 2y2: 1}\n",
     ["file.yaml:3:12: pieces.1x2: expected a whole number of at least 0, a list of 2 entries or text, got -1"]),
    ("problem: rectangles\nparams:\n  pieces:\n    1x2: 1\n    2y2: 1\n",
     ["file.yaml:5:5: pieces.2y2: '2y2' is not a valid size; expected ROWSxCOLUMNS, like 6x10"]),
    ("problem: queens\nparams:\n  n: 010\n  m: 1\n",
     ["file.yaml:3:6: 010 begins with 0, so some YAML parsers read it as octal; put it in quotes if it is text",
      "file.yaml:4:3: unknown parameter 'm' (parameters: n, placed, blocked)"]),
    ("problem: options\n", ["file.yaml:1:1: missing parameter 'table'"]),
    ("problem: options\nparams:\n  table:\n    a: [1, 2]\n    b: [1, 1]\n",
     ["file.yaml:5:5: table.b: option 'b' contains item '1' twice"]),
    ("problem: staffing\nparams: {days: 1}\n",
     ["file.yaml:2:1: people: row 2, column 4: '3': expected days from 1 to 1, such as 3 or 10-14, or Su "
      "(this is the default of people)"]),
    ("problem: staffing\nparams: {days_off: 367, run: [1, 367]}\n",
     ["file.yaml:2:10: days_off: expected at most 366, got 367", "file.yaml:2:34: run.1: expected at most 366, got 367"]),
    ("problem: grid\nparams:\n  cells: 4x4\n  symbols: 1-4\n  constraints:\n  - cages: {areas: '', repeat: 7}\n",
     ["file.yaml:6:24: constraints.0.cages.repeat: cages: expected true or false, got 7"]),
])  # fmt: skip
def test_mistakes_have_places_and_say_what_would_be_right(text: str, expected: list[str]) -> None:
    found = complaints(text)
    assert [line.replace("pieces.2y2: pieces.2y2", "pieces.2y2") for line in found] == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("problem: queens\nsearch:\n  engine: stes\n", "3:11: there is no engine called 'stes'; did you mean 'sets'?"),
    ("params: {}\nproblem: quens\n", "2:10: there is no problem called 'quens'; did you mean 'queens'?"),
    ('problem: "quens"\n', "1:11: there is no problem called 'quens'; did you mean 'queens'?"),
    ("problem: 010\n", "1:10: 010 begins with 0, so some YAML parsers read it as octal"),
])  # fmt: skip
def test_a_name_that_is_not_known_is_reported_once_at_its_place(text: str, expected: str) -> None:
    (found,) = complaints(text)
    assert found.startswith(f"file.yaml:{expected}")


def test_mistakes_in_overrides_name_the_argument() -> None:
    assert complaints("problem: queens\n", "n=eight", "m=1", "x", "n=2") == [
        "command line: expected KEY=VALUE, got 'x'",
        "command line: 'n' is given twice",
        "argument n: expected a whole number, got 'eight'",
        "argument m: unknown parameter 'm' (parameters: n, placed, blocked)",
    ]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        read_file(tmp_path)
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        read_file(tmp_path / "none.yaml")


def test_nothing_in_a_file_is_run(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    for text in (
        f"problem: !!python/object/apply:os.system ['touch {trap}']\n",
        f"problem: queens\nparams: {{n: !!python/object/apply:os.mkdir ['{trap}']}}\n",
        "problem: os:system\n",
    ):
        complaints(text)
    assert not trap.exists()


def test_names_and_keywords_do_the_same() -> None:
    assert configure("queens", ["n=5"]).encoder == encode("queens", n=5)
    with pytest.raises(UnknownProblemError):
        configure("quens")
    with pytest.raises(ConfigError, match="expected a whole number"):
        encode("queens", n="5")


@given(st.text(max_size=60))
def test_any_override_is_a_value_or_a_mistake(text: str) -> None:
    try:
        configure("queens", [f"n={text}"])
    except ConfigError as error:
        assert error.mistakes
    except ValueError:
        pytest.fail("a ValueError that is not a ConfigError")


@pytest.mark.parametrize("name", list(find_encoders()))
def test_schemas_describe_every_parameter(name: str) -> None:
    properties = schema(find_encoders()[name].encoder)["properties"]
    assert properties
    assert all(about.get("description") for about in properties.values())
    assert [*yaml.safe_load("".join(f"{key}: 1\n" for key in properties))] == [*properties]  # no key is a truth value


@pytest.mark.parametrize(("text", "place"), [
    ("problem: polyomino\nparams:\n  board: |\n    ..#..\n    .x...\n", (5, 6)),
    ("problem: polyomino\nparams:\n  board: |2\n\n    .x...\n", (5, 6)),
    ('problem: polyomino\nparams:\n  board: [..#, ".y."]\n', (3, 18)),
    ("problem: polyomino\nparams: {board: .#/.z}\n", (2, 21)),
    ("problem: polyomino\nparams:\n  board: >\n    .x\n    ..\n", (3, 3)),  # folded: only the key is known
    ('problem: sudoku\nparams:\n  box: 2x2\n  grid: "1... ..2. ..7. ...3"\n', (4, 22)),
    ("problem: sudoku\nparams:\n  box: 2x2\n  grid:\n  - 1...\n  - ..2.\n  - ..7.\n  - ...3\n", (7, 7)),
    ("problem: crossword\nparams:\n  grid: |\n    ..\n    .5\n  words: [ab]\n", (5, 6)),
    ("problem: samurai\nparams:\n  box: 2x2\n  corners: [[1, 1]]\n  grid: |\n    1...\n    ...9\n", (7, 8)),
])  # fmt: skip
def test_a_character_of_a_text_has_a_place(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(ConfigError) as caught:
        read_text(text.encode(), "file.yaml")
    assert [(mistake.line, mistake.column) for mistake in caught.value.mistakes] == [place], caught.value
