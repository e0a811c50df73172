"""The command line: what it prints, where, and with which exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import PATIENCE, assert_refused, invoke, run, show
from exactcover.formats import solutions
from problems import Queens


def test_count_prints_digits_only() -> None:
    for result in (run("count", "queens", "n=8"), invoke("count", "queens", "n=8")):
        assert (result.returncode, result.stdout, result.stderr) == (0, "92\n", "")
    assert invoke("count", "rectangle_3x2.yaml").stdout == "2\n"
    assert invoke("count", "article_table.yaml").stdout == "2\n"


def test_count_of_none_is_zero_and_no_failure() -> None:
    result = invoke("count", "polyomino", "board=6x9")
    assert (result.returncode, result.stdout) == (0, "0\n")
    assert result.stderr.startswith("no solution: the pieces cover 60 cells")


def test_items_that_cannot_be_covered_together_are_named() -> None:
    named = "these items cannot be covered together; dropping any one of them resolves the conflict: column 2, row 1, row 2\n"
    solved, counted = invoke("solve", "queens", "n=3"), invoke("count", "queens", "n=3")
    assert (solved.returncode, solved.stdout, solved.stderr) == (20, "", "no solution\n" + named)
    assert (counted.returncode, counted.stdout, counted.stderr) == (0, "0\n", named)
    assert invoke("solve", "queens", "n=3", "-q").stderr == ""
    given = invoke("solve", "queens", "n=6", "--given", "r1c1", "--given", "r2c3")
    assert given.stderr == ("no solution\nthis given alone leaves no solution: r1c1\n")


def test_explain_names_in_order_with_a_requested_engine(installed_engine: str) -> None:
    result = invoke("explain", "queens", "n=12", "--given", "r1c1", "--given", "r12c12", "--engine", installed_engine)
    assert result.stdout.endswith("these givens conflict, and no smaller set of givens conflicts: r1c1, r12c12\n")
    assert invoke("explain", "queens", "n=5", "--engine", "nothing").returncode == 2


def test_solve_draws() -> None:
    result = invoke("solve", "pentominoes_6x10.yaml", "--limit", "3")
    assert result.returncode == 0
    assert result.stdout.count("┌───") >= 3
    assert len(result.stdout.split("\n\n")) == 3
    assert result.stderr.startswith("the first 3 solutions, ")


def test_quiet_and_verbose() -> None:
    assert invoke("solve", "queens", "n=4", "-q").stderr == ""
    verbose = invoke("solve", "queens", "n=4", "-v").stderr
    assert "engine " in verbose
    assert "nodes " in verbose


def test_json_lines_have_a_header_records_and_an_end(tmp_path: Path) -> None:
    file = tmp_path / "queens.jsonl"
    result = invoke("solve", "queens", "n=6", "--all", "-o", str(file))
    assert (result.returncode, result.stdout) == (0, "")
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert len(lines) == 6
    assert lines[0]["problem"] == "queens"
    assert lines[0]["params"] == {"n": 6}
    assert lines[1] == {"solution": 1, "options": lines[1]["options"], "labels": lines[1]["labels"]}
    assert (lines[-1]["status"], lines[-1]["solutions"]) == ("complete", 4)
    verified = invoke("verify", "queens", str(file), "n=6")
    assert (verified.returncode, verified.stdout) == (0, "4 solutions verified (search: complete)\n")


def test_json_is_one_document_with_the_same_records() -> None:
    document = json.loads(invoke("solve", "queens", "n=6", "--all", "--format", "json").stdout)
    assert [entry["solution"] for entry in document["solutions"]] == [1, 2, 3, 4]
    assert document["closing"]["status"] == "complete"
    empty = json.loads(invoke("solve", "queens", "n=3", "--format", "json").stdout)
    assert empty["solutions"] == []
    assert empty["closing"]["status"] == "unsatisfiable"
    assert solutions.read(json.dumps(document)).faults == ()


def edited(lines: list[str], position: int | None, label: str | None) -> list[str]:
    """The first solution with its first option moved, and named as that option unless a label is given."""
    labels = [str(label) for label in Queens(n=6).problem().labels]
    record = json.loads(lines[1])
    if position is not None:
        record["options"][0] = position if position != record["options"][0] else position + 1
    record["labels"][0] = label or labels[record["options"][0]]
    return [lines[0], json.dumps(record), *lines[2:]]


@pytest.mark.parametrize(("change", "words"), [
    (lambda lines: lines[:-1], "the closing record is missing, so the file is truncated"),
    (lambda lines: lines[1:], "the header is missing"),
    (lambda lines: [*lines[:-1], lines[-1].replace('"complete"', '"banana"')], "has an invalid status, 'banana'"),
    (lambda lines: [*lines[:-1], lines[-1].replace('"complete"', '["complete"]')], "has an invalid status, ["),
    (lambda lines: [*lines[:2], *lines[1:]], "the same solution as on line 2"),
    (lambda lines: [*lines[:2], *lines[3:]], "states 4 as the number of solutions, but the file contains 3"),
    (lambda lines: [lines[0].replace('"hash": "', '"hash": "0'), *lines[1:]], "written for a different problem (the hash of its items and options differs)"),
    (lambda lines: [lines[0].replace('"format": 2', '"format": 1').replace('"hash": "', '"hash": "0'), *lines[1:]], "written by an earlier version of exactcover, in format 1; this version reads format 2"),
    (lambda lines: edited(lines, 0, None), "is taken by"),
    (lambda lines: edited(lines, 99, "r1c1"), "there is no option at position 99"),
    (lambda lines: edited(lines, None, "r9c9"), "its labels do not match its options"),
    (lambda lines: [*lines[:1], "{broken", *lines[2:]], "line 2 is not valid JSON"),
    (lambda lines: [*lines[:1], lines[1].replace("{", '{"solution": 1, ', 1), *lines[2:]], "line 2 is not valid JSON"),
    (lambda lines: [*lines[:1], "[1]", *lines[2:]], "line 2 is not a JSON object"),
])  # fmt: skip
def test_verify_says_what_is_wrong(tmp_path: Path, change: object, words: str) -> None:
    lines = invoke("solve", "queens", "n=6", "--all", "--format", "jsonl").stdout.splitlines()
    file = tmp_path / "changed.jsonl"
    file.write_text("\n".join(change(lines)), "utf-8")  # type: ignore[operator]
    result = invoke("verify", "queens", str(file), "n=6")
    assert result.returncode == 4
    assert words in result.stderr
    assert "different problem" in words or "different problem" not in result.stderr


def test_check_says_how_big_it_is() -> None:
    result = invoke("check", "sudoku_9x9.yaml")
    assert result.returncode == 0
    assert result.stdout == (
        "problem     sudoku\nitems       324 (324 primary, 0 secondary)\noptions     729 (2,916 entries)\n"
        "givens      30\ncomponents  1\nknown       1 solution (counted here by two engines)\n"
    )
    assert "\nrules       Loop\n" in invoke("check", "loops", "board=1x1").stdout
    result = invoke("check", "sudoku", "grid=55" + "." * 79)
    assert "solutions   none: the givens 'r1c1=5' and 'r1c2=5' conflict" in result.stdout


def test_a_file_of_ones_own_and_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("problem: queens\nparams: {n: 6}\nsearch: {find: all}\noutput: {format: jsonl}\n")
    assert len(invoke("solve", str(file)).stdout.splitlines()) == 6
    assert len(invoke("solve", "-", input=file.read_text()).stdout.splitlines()) == 6
    assert len(invoke("solve", str(file), "--limit", "2").stdout.splitlines()) == 4
    assert invoke("count", str(file), "n=5").stdout == "10\n"


@pytest.mark.parametrize("suffix", ["YAML", "yMl", "DLX", "Json", "CSV", "ZDD"])
def test_the_ending_of_a_target_may_be_in_capitals(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"queens.{suffix}"
    if suffix.lower() in ("yaml", "yml"):
        file.write_text("problem: queens\nparams: {n: 6}\n")
    else:
        invoke("diagram" if suffix == "ZDD" else "convert", "queens", "n=6", "-o", str(file))
    assert invoke("count", str(file)).stdout == "4\n"


@pytest.mark.parametrize(("args", "words"), [
    (["slove", "queens"], "there is no verb 'slove'; did you mean 'solve'?"),
    (["queens"], "there is no verb 'queens'; did you mean 'exactcover solve queens'?"),
    (["pentominos_6x10.yaml"], "did you mean 'exactcover solve pentominoes_6x10.yaml'?"),
    (["run", "queens_8.yaml"], "did you mean 'exactcover run start queens_8.yaml'?"),
    (["solve"], "Missing argument 'TARGET'"),
    (["solve", "quens"], "error: there is no problem called 'quens'; did you mean 'queens'?"),
    (["solve", "queens_9.yaml"], "there is no such file; did you mean 'queens_8.yaml'?"),
    (["solve", "./nothing/here"], "expected a file that ends in .yaml, .yml, .dlx, .json, .csv, .spp, .xmpuzzle, .zdd or .jsonl"),
    (["solve", "queens.txt"], "expected a file that ends in .yaml, .yml, .dlx, .json, .csv"),
    (["solve", "queens", "n=x"], "error: argument n: expected a whole number, got 'x'"),
    (["solve", "queens", "8"], "expected KEY=VALUE, got '8'; did you mean n=8?"),
    (["solve", "queens", "n"], "expected KEY=VALUE, got 'n'\n"),
    (["count", "polyomino", "--distinct", "foo"], "expected KEY=VALUE, got 'foo'\n"),
    (["count", "polyomino", "6x10"], "expected KEY=VALUE, got '6x10'; did you mean board=6x10?"),
    (["count", "queens", "--limit", "2"], "error: there is no flag '--limit'. A parameter"),
    (["count", "queens", "--restarts"], "error: there is no flag '--restarts'. A parameter"),
    (["solve", "heart.yaml"], "error: heart.yaml: there is no such file\n"),
    (["solve", "nofile.yaml"], "error: nofile.yaml: there is no such file\n"),
    (["solve", "queens", "--input", "dlx"], "--input applies only if TARGET is -"),
    (["solve", "queens", "--no-header"], "--no-header applies only to the formats jsonl, csv and csv-wide"),
    (["solve", "queens", "--escape-formulas"], "--escape-formulas applies only to the formats csv, csv-wide and csv-table"),
    (["convert", "queens", "--format", "dlx", "--escape-formulas"], "--escape-formulas applies only to the format csv"),
    (["solve", "queens", "-q", "-v"], "-q cannot be combined with -v"),
    (["count", "fourteen_bars.yaml", "--merge"], "--merge cannot be used: an item may be covered more than once"),
    (["count", "queens", "--timeout", "x"], "expected a number of seconds, got 'x'"),
    (["solve", "queens", "--n", "8"], "A parameter of the problem is written without dashes: n=VALUE"),
    (["solve", "queens", "--limit", "0"], "expected a number from 1 to 1,000,000,000,000,000, got 0"),
    (["solve", "queens", "--limit", "x"], "'--limit': expected a whole number, got 'x'"),
    (["solve", "queens", "--seed", "x"], "'--seed': expected a whole number, got 'x'"),
    (["solve", "queens", "--log-nodes", "-1"], "expected a number of at least 0, got -1"),
    (["studio", "--folder", "x"], "there is no flag '--folder'.\n"),
    (["solve", "queens", "--engine", "sts"], "there is no engine called 'sts'; did you mean 'sets'?"),
    (["count", "queens", "--timeout", "-1"], "-1"),
    (["count", "queens", "--timeout", "nan"], "expected a number of seconds"),
    (["solve", "queens", "-o", "x.gif"], "no format has the suffix .gif; use .txt, .json"),
    (["solve", "queens", "--paper", "a4"], "--paper applies only to the formats svg, matrix, graph, png and pdf"),
    (["solve", "queens", "-o", "x.svg", "--paper", "a9"], "--paper: expected a3, a4, a5, letter, tabloid, one of"),
    (["verify", "-", "-"], "only one of TARGET and FILE can be standard input"),
    (["problems", "quens"], "did you mean 'queens'"),
    (["problems", "--schema"], "--schema needs the NAME of a problem"),
    (["verify", "queens", "/nowhere/x"], "cannot be read: No such file or directory"),
])  # fmt: skip
def test_bad_usage_exits_with_2_and_helps(args: list[str], words: str) -> None:
    result = invoke(*args)
    assert (result.returncode, result.stdout) == (2, "")
    assert words in result.stderr
    assert "Traceback" not in result.stderr


def test_all_mistakes_of_a_file_are_printed(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_bytes(b"problem: queens\nparams:\n  n: yes\n  m: 1\nserch: 1\n")
    result = invoke("solve", str(file))
    assert result.returncode == 2
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == [f"{file}:3:6", f"{file}:4:3", f"{file}:5:1"]


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -m exactcover solve queens n=12 --all | head -n 2"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=PATIENCE)
    assert len(result.stdout.splitlines()) == 2
    assert result.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_standard_output_is_an_error() -> None:
    """A closed one is tried with every verb in test_lost_outputs.py."""
    command = f"{sys.executable} -m exactcover count queens n=6 >/dev/full"
    full = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert full.returncode == 74
    assert "cannot write results: No space left on device" in full.stderr
    assert "Traceback" not in full.stderr


def test_no_color_is_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    command = ["solve", "queens", "n=4", "-q"]
    assert "\x1b[" in show(*command, TERM="xterm")
    assert "\x1b[" not in show(*command, TERM="xterm", NO_COLOR="1")


def test_digits_are_text_where_text_is_wanted() -> None:
    grid = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
    assert invoke("count", "sudoku", f"grid={grid}").stdout == "1\n"


def test_streams_that_cannot_take_everything() -> None:
    command = f"{sys.executable} -m exactcover"
    ascii_only = run("solve", "queens", "n=4", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert ascii_only.returncode == 0
    assert "Traceback" not in ascii_only.stderr
    closed = subprocess.run(["bash", "-c", f"{command} solve - <&-"], capture_output=True, text=True)
    assert closed.returncode == 2
    assert "standard input is closed" in closed.stderr
    if Path("/dev/full").exists():
        full = subprocess.run(["bash", "-c", f"{command} solve quens 2>/dev/full"], capture_output=True)
        assert full.returncode == 2


def test_verify_tells_instances_apart(tmp_path: Path) -> None:
    file = tmp_path / "placed.jsonl"
    invoke("solve", "queens", "n=5", "placed=[[1, 1]]", "--all", "-o", str(file))
    other = "written for a different instance (the givens differ)"
    assert_refused(other, "verify", "queens", str(file), "n=5", status=4)
    invoke("solve", "queens", "n=5", "--all", "-o", str(file))
    assert_refused("the givens r1c1 are not chosen", "verify", "queens", str(file), "n=5", "placed=[[1, 1]]", status=4)


def test_version() -> None:
    assert run("--version").stdout.startswith("exactcover-toolkit 0.")
    assert "engines: " in invoke("--version", "-v").stdout


def test_problems_explains_and_prints_schemas() -> None:
    assert "default 8" in invoke("problems", "queens").stdout
    assert "Example (" in invoke("problems", "queens").stdout
    assert json.loads(invoke("problems", "queens", "--schema").stdout)["properties"]["n"]["minimum"] == 0
    assert "queens_8.yaml" in invoke("problems", "--configs").stdout


def test_a_terminal_gets_some_solutions_of_a_file_that_asks_for_all(tmp_path: Path) -> None:
    file = tmp_path / "all.yaml"
    file.write_text("problem: queens\nparams: {n: 7}\nsearch: {find: all}\n")
    shown = show("solve", str(file))
    assert shown.count("┌──") == 20
    assert "--all shows all of them" in shown
    assert show("solve", str(file), "-q").count("┌──") == 40  # nothing would say that some are left out
    assert invoke("solve", str(file)).stdout.count("┌──") == 40


def test_a_limit_that_is_reached_gives_the_first_solutions() -> None:
    for args, said in (
        ([], "the first solution, "),
        (["--limit", "3"], "the first 3 solutions, "),
        (["--limit", "3", "--distinct"], "the first 3 distinct solutions, "),
        (["--all"], "92 solutions (search complete), "),
    ):
        assert invoke("solve", "queens", "n=8", *args).stderr.startswith(said)


def test_progress_without_a_terminal_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    import exactcover.cli.messages

    monkeypatch.setattr(exactcover.cli.messages, "LINE_INTERVAL", 0.01)
    tiling = ["polyomino", "board=14x14", "pieces=dominoes", "copies=any", "--engine", "sets", "--nodes"]
    assert_refused("nodes, ", "count", *tiling, "5000", status=3)
    result = invoke("count", *tiling, "100", "-q")
    assert result.returncode == 3 and "nodes, " not in result.stderr
