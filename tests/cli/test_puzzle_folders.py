"""``exactcover generate``: a layout for each puzzle, and folders with certificates."""

import json
import signal
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from commands import PATIENCE, assert_refused, invoke, start, wait_until
from exactcover import Status, StoppedError, find_encoder
from exactcover.reasons.deductions import LEVELS


@pytest.mark.parametrize(
    ("target", "level"), [("killer_sudoku.yaml", "easy"), ("queens_regions.yaml", "medium"), ("kenken.yaml", "hard")]
)
def test_each_puzzle_has_a_layout_and_one_solution(target: str, level: str) -> None:
    done = invoke("generate", target, "--new-layouts", "-n", "3", "--seed", "1", "--level", level, "--format", "jsonl")
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert len({json.dumps(record["params"]) for record in records}) == len(records) == 3
    for record in records:
        problem = find_encoder(record["problem"])(**record["params"]).problem()
        (solution,) = problem.solve(given=record["givens"])
        assert [str(label) for label in solution] == record["solution"]
        path = problem.solve_by_steps(given=record["givens"])
        assert path.hardest == record["difficulty"] and LEVELS[level].allows(path.hardest)


@pytest.mark.parametrize(("words", "message"), [
    (("queens",), "problem 'queens' has no regions, cages or clues to draw anew"),
    (("sudoku",), "this Sudoku has neither cages nor regions to draw anew"),
    (("killer_sudoku.yaml", "--format", "lines"), "lines do not state such layouts"),
    (("numberlink", "board=5x5", "--clues", "2"), "the text of such layouts cannot state givens; leave out --clue"),
    (("killer_sudoku.yaml", "--given", "r1c1=1"), "--given names an option of one layout"),
    (("killer_sudoku.yaml", "--without", "r1c1=1"), "--without names an option of one layout"),
])  # fmt: skip
def test_what_has_no_layouts_is_refused(words: tuple[str, ...], message: str) -> None:
    assert_refused(message, "generate", *words, "--new-layouts")


def test_lines_hold_boards_whose_symbols_are_made_anew() -> None:
    words = ("board=5x5", "--new-layouts", "-n", "3", "--seed", "1", "--format", "lines")
    for family in (("numberlink",), ("numberlink", "kind=zip")):
        done = invoke("generate", *family, *words)
        assert (done.returncode, done.stderr) == (0, "")
        boards = done.stdout.split("\n\n")
        assert len(boards) == len({*boards}) == 3
        for board in boards:
            assert find_encoder("numberlink")(board, kind=family[-1].removeprefix("kind=")).count() == 1


def test_what_cannot_be_converted_is_refused() -> None:
    assert_refused("a file could not show the reason", "convert", "numberlink", "board=3x3", "--format", "dlx")


def test_lines_of_one_row_are_parted() -> None:
    words = ("kind=zip", "board=1x6", "--new-layouts", "-n", "2", "--seed", "1", "--format", "lines")
    done = invoke("generate", "numberlink", *words)
    assert done.stdout.count("\n\n") == 1
    assert "2 with one solution" in invoke("batch", "numberlink", "-", "kind=zip", input=done.stdout).stderr


@pytest.mark.parametrize(
    ("target", "most"), [(("queens", "n=4"), 14), (("numberlink", "board=1x6", "--new-layouts"), 1)]
)
def test_no_puzzle_is_made_twice(target: tuple[str, ...], most: int) -> None:
    done = invoke("generate", *target, "-n", "50", "--seed", "1", "--format", "jsonl")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    givens = [json.dumps([one["params"], one["givens"]]) for one in records]
    assert len({*givens}) == len(givens) <= most
    assert done.returncode == 3 and f"{len(givens)} of 50 puzzles made" in done.stderr


def test_what_is_stopped_says_how_many_layouts_were_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*args: object, **keywords: object) -> None:
        raise StoppedError(Status.TIMEOUT)

    monkeypatch.setattr("exactcover.cli.generate.generate_puzzles", stop)
    done = invoke("generate", "numberlink", "board=5x5", "--new-layouts", "--level", "easy")
    assert done.returncode == 3 and "; 0 of 1 puzzle made, 1 layout tried" in done.stderr


def test_a_puzzle_without_givens_is_the_only_one() -> None:
    done = invoke("generate", "zip_6x6.yaml", "--format", "lines")
    assert done.returncode == 0 and "this is the only puzzle; --new-layouts makes others" in done.stderr
    done = invoke("generate", "sudoku_9x9.yaml", "--format", "lines")
    assert "without further givens, so this is the only puzzle; leave some of them out for others" in done.stderr
    assert_refused("and its steps have a difficulty of 2", "generate", "light_up.yaml", "--level", "hard")


def test_layouts_without_such_a_puzzle_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactcover.cli.generate._MOST_LAYOUTS", 3)
    done = invoke("generate", "queens_regions.yaml", "--new-layouts", "--nodes", "90000:", "--seed", "1")
    assert done.returncode == 2 and "3 layouts have no such puzzle" in done.stderr


@pytest.mark.parametrize(
    "words",
    [("sudoku", "--level", "easy"), ("queens", "n=7"), ("polyomino", "board=4x5", "pieces=tetrominoes", "copies=any")],
)
def test_a_folder_has_records_certificates_and_their_schema(words: tuple[str, ...], tmp_path: Path) -> None:
    for name, slash in (("one", "/"), ("other", "")):
        done = invoke("generate", *words, "-n", "2", "--seed", "3", "-o", f"{tmp_path / name}{slash}")
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
    files = {one.relative_to(tmp_path / "one"): one.read_bytes() for one in (tmp_path / "one").rglob("*.*")}
    assert sorted(map(str, files)) == [
        "certificates/000001.cert", "certificates/000002.cert", "puzzles.jsonl", "schema.json",
    ]  # fmt: skip
    assert all((tmp_path / "other" / name).read_bytes() == content for name, content in files.items())
    schema = json.loads((tmp_path / "one" / "schema.json").read_text())
    for line in (tmp_path / "one" / "puzzles.jsonl").read_text().splitlines():
        record = json.loads(line)
        jsonschema.validate(record, schema)
        assert record["needs_guess"] == (record["difficulty"] is None)
        done = invoke("certify", str(tmp_path / "one" / record["certificate"]))
        assert done.returncode == 0 and done.stdout.startswith("certified: 1 solution ")


def test_a_file_of_items_and_options_has_records_without_a_family(tmp_path: Path) -> None:
    (tmp_path / "small.dlx").write_text("a b c d\na b\nc d\na c\nb d\na d\nb c\n")
    done = invoke("generate", str(tmp_path / "small.dlx"), "--seed", "1", "-o", f"{tmp_path / 'some'}/")
    assert done.returncode == 0, done.stderr
    record = json.loads((tmp_path / "some" / "puzzles.jsonl").read_text())
    assert (record["problem"], record["params"], len(record["givens"])) == (None, {}, 1)
    assert_refused("cannot state items and options", "generate", str(tmp_path / "small.dlx"), "--format", "yaml")


@pytest.mark.parametrize("format", ["text", "lines", "yaml", "svg"])
def test_excluded_options_are_stated_or_refused(format: str, tmp_path: Path) -> None:
    words = ["generate", "sudoku", "box=2x2", "--seed", "3", "--without", "r1c1=1"]
    done = invoke(*words, "--format", format, "-o", str(tmp_path / "out"))
    assert done.returncode == 2 and f"the format {format} does not state excluded options" in done.stderr
    assert json.loads(invoke(*words, "--format", "jsonl").stdout)["without"] == ["r1c1=1"]


def test_what_makes_no_puzzle_leaves_no_folder(tmp_path: Path) -> None:
    assert_refused("no puzzle has 0 givens", "generate", "suguru.yaml", "--clues", "0", "-o", f"{tmp_path / 'none'}/")
    done = invoke("generate", "queens", "n=6", "-o", f"{tmp_path / ('long' * 100)}/")
    assert "File name too long" in done.stderr and "Error" not in done.stderr
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("returned", "message"),
    [("self", "it returned the same layout"), ("'text'", "it returned a str"), ("Queens(n=6)", "it returned a Queens")],
)
def test_what_lay_out_returns_is_checked(returned: str, message: str, tmp_path: Path) -> None:
    plugin = tmp_path / "plugin.py"
    plugin.write_text(
        "from dataclasses import dataclass\nfrom problems import Latin, Queens\n\n@dataclass(frozen=True)\n"
        f"class Own(Latin):\n    def lay_out(self, generator, stop):\n        return {returned}\n"
    )
    done = invoke("--plugin", f"{plugin}:Own", "generate", "own", "n=4", "--new-layouts")
    assert done.returncode == 2 and "Own.lay_out must return a Own with another layout" in done.stderr
    assert message in done.stderr


def test_the_difficulty_is_that_of_the_easiest_way_by_any_steps() -> None:
    words = ("kenken.yaml", "--new-layouts", "--level", "medium", "--most-step", "last", "--seed", "2")
    record = json.loads(invoke("generate", *words, "--format", "jsonl").stdout)
    path = find_encoder(record["problem"])(**record["params"]).problem().solve_by_steps()
    assert path.hardest == record["difficulty"]


def test_a_folder_is_new_or_empty(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("mine")
    assert_refused("is not an empty folder", "generate", "queens", "n=6", "-o", str(tmp_path))
    assert [one.name for one in tmp_path.iterdir()] == ["kept"]
    assert "a folder needs a name" in invoke("generate", "queens", "--format", "folder").stderr


def test_a_stopped_run_leaves_whole_records(tmp_path: Path) -> None:
    records = tmp_path / "some" / "puzzles.jsonl"
    process = start("generate", "sudoku", "-n", "100000", "--seed", "1", "-o", f"{tmp_path / 'some'}/")
    wait_until(lambda: records.is_file() and records.read_text().count("\n") >= 2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    lines = records.read_text().splitlines()
    assert process.returncode == 130 and f"; {len(lines):,} of 100,000 puzzles made" in said
    for line in lines:
        assert (tmp_path / "some" / json.loads(line)["certificate"]).is_file()


def test_a_layout_whose_text_cannot_state_what_is_given_is_none() -> None:
    words = ("generate", "districts", "board=4x4", "sizes=4", "--seed", "3")
    assert_refused("cannot state what would be given, so it has no puzzles; --new-layouts makes", *words)
    done = invoke(*words, "--new-layouts", "-n", "3", "--level", "easy", "--format", "jsonl")
    assert done.returncode == 0
    puzzles = [json.loads(line) for line in done.stdout.splitlines()]
    assert [puzzle["givens"] for puzzle in puzzles] == [[], [], []]


def test_a_puzzle_whose_text_is_blank_is_printed_as_a_configuration() -> None:
    done = invoke("generate", "shikaku.yaml", "--new-layouts", "--seed", "1")
    assert "rectangles: |" in done.stdout
    assert "\nproblem: grid\n" in done.stdout


@pytest.mark.parametrize("words", [("sudoku",), ("queens", "n=6"), ("pentominoes_6x10.yaml",), ("kropki.yaml",)])
def test_records_are_read_again(words: tuple[str, ...], tmp_path: Path) -> None:
    more = ("--new-layouts",) if words[0] == "kropki.yaml" else ()
    file = tmp_path / "puzzles.jsonl"
    assert invoke("generate", *words, *more, "-n", "2", "--seed", "1", "-o", str(file)).returncode == 0
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        done = invoke("solve", str(file), f"problem={number}", "--all", "--format", "jsonl")
        assert done.returncode == 0, done.stderr
        _, found, _ = map(json.loads, done.stdout.splitlines())
        assert sorted(found["labels"]) == sorted(json.loads(line)["solution"])


@pytest.mark.parametrize(("text", "words", "message"), [
    ("{}\n\n{}\n", (), "x.jsonl: choose a puzzle; the file has 2 puzzles, as problem=1, problem=2 and so on"),
    ("{}\n", ("problem=2",), "x.jsonl: there is no puzzle '2'; the file has 1 puzzle"),
    ("", (), "x.jsonl: choose a puzzle; the file has 0 puzzles"),
    ("\n{\n", (), "x.jsonl:2: this is no JSON: "),
    ('{"problem": null, "params": {}, "givens": [], "without": []}', (), "expected the record of a puzzle of a family"),
    ('{"problem": "queen", "params": {}, "givens": [], "without": []}', (), "did you mean 'queens'?"),
    ('{"problem": "queens", "params": {"n": "x"}, "givens": [], "without": []}', (), "n: expected a whole number, got 'x'"),
    ('{"problem": "queens", "params": {}, "givens": [], "without": ["r1c1"]}', (), "a record with excluded options is no target"),
    ('{"problem": "queens", "params": {"n": "x"}, "givens": ["r1c1"], "without": []}', ("n=8",), "n: expected a whole number"),
    ('{"problem": "queens", "params": {"n": 1000000000000000000000000000000}, "givens": ["r1c1"], "without": []}', (), "too large"),
    ('{"problem": "crossword", "params": {"grid": "5x5", "words": "\\u0000"}, "givens": [], "without": []}', (), "error: "),
    ('{"problem": "queens", "params": {}, "givens": ["r9c9"], "without": []}', (), "no parameters of this family state the givens"),
    ('{"problem": "queens", "params": {}, "givens": [[1]], "without": []}', (), "no parameters of this family state the givens"),
])  # fmt: skip
def test_what_is_no_record_is_refused(
    text: str, words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.jsonl").write_text(text, "utf-8")
    assert_refused(message, "solve", "x.jsonl", *words)
