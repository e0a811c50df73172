"""Status 1 is a proof and nothing else: whatever goes wrong has a status of its own and a line that says what."""

import json
import re
import resource
from pathlib import Path

import pytest

from commands import assert_refused, invoke, run
from exactcover.cli.main import run as run_here
from exactcover.pictures.text import digits


@pytest.mark.parametrize(("args", "status"), [
    (["solve", "queens", "n=8", "--restarts", "--jobs", "2"], 2),
    (["solve", "queens", f"n={10**30}", "--timeout", "60"], 2),
    (["solve", "costas", f"n={10**30}", "--timeout", "60"], 2),
    (["count", "queens", "n=150", "--strategy", "memo", "--timeout", "60"], 2),
    (["solve", "queens", "n=4", "--cheapest", "9" * 23], 2),
    (["generate", "queens", "n=4", "-n", "9" * 23], 2),
    (["sample", "queens", "n=4", "-n", "9" * 23], 2),
    (["count", "queens", "n=4", "--memory", "9" * 400], 2),
    (["count", "queens", "n=4", "--memory", "99999999999T"], 0),
    (["count", "queens", "n=4", "--timeout", "1e10"], 0),
    (["count", "queens", "n=4", "--timeout", "1e308"], 0),
    (["solve", "queens", "n=4", "--jobs", "99999999999"], 2),
    (["solve", "queens", "n=4", "--seed", "9" * 400], 0),
    (["solve", "queens", "n=4", "--limit", "9" * 23], 2),
    (["estimate", "queens", "n=4", "--probes", "9" * 23], 2),
])  # fmt: skip
def test_numbers_beyond_measure(args: list[str], status: int) -> None:
    result = invoke(*args)
    assert result.returncode == status and "Traceback" not in result.stderr


@pytest.mark.parametrize("verb", ["solve", "count", "check", "convert", "explain", "generate", "estimate", "sample",
                                  "diagram"])  # fmt: skip
def test_no_time_at_all_is_a_stop(verb: str) -> None:
    extra = ["--format", "dlx"] if verb == "convert" else []
    assert_refused("stopped by the timeout", verb, "queens", "n=8", *extra, "--timeout", "0", status=3)


def test_a_stopped_count_says_once_that_nothing_was_found() -> None:
    for flags in ([], ["--distinct"]):
        captured = invoke("count", "queens", "n=30", "--nodes", "1", "--engine", "sets", *flags)
        assert captured.returncode == 3
        assert (captured.stdout, captured.stderr.count("found yet")) == ("", 1), captured
        assert captured.stderr.startswith("no solution found yet (stopped by the limit on nodes), "), captured
        result = invoke("count", "queens", "n=30", "--nodes", "1", "--engine", "sets", *flags, "-q")
        assert result.returncode == 3 and result.stderr == "stopped by the limit on nodes; nothing found yet\n"


def test_no_time_at_all_in_a_file_is_a_stop(tmp_path: Path) -> None:
    file = tmp_path / "now.yaml"
    file.write_text("problem: queens\nsearch: {timeout: 0}\n")
    assert invoke("solve", str(file)).returncode == invoke("count", str(file)).returncode == 3
    assert invoke("count", str(file), "--timeout", "60").stdout == "92\n"


@pytest.mark.parametrize("often", ["[1]", '["a", 2]', '"2"', "[1, 2, 3]", "{}", "null", "true", "1.5"])
def test_json_multiplicities_that_are_not_pairs(often: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text('{"multiplicity": {"a": ' + often + '}, "options": [{"items": ["a"]}]}')
    assert_refused("multiplicity of 'a'", "count", str(file))


def test_labels_that_utf_8_cannot_hold(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.json"
    file.write_text('{"options": [{"label": "\\ud800", "items": ["a\\udfff"]}]}')
    for name in ("out.txt", "out.jsonl", "out.json", "out.csv"):
        assert run_here(["solve", str(file), "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text("utf-8")
    assert run_here(["solve", str(file)]) == 0
    for name, status in (("out.dlx", 0), ("out.csv", 2)):
        assert run_here(["convert", str(file), "-o", str(tmp_path / name)]) == status
    assert run_here(["convert", str(file), "--format", "csv"]) == 2
    assert "Traceback" not in capfd.readouterr().err


def test_counts_of_any_size(tmp_path: Path, few_digits: int) -> None:
    names = ("0123456789"[: 10 if item else 7] for item in range(few_digits + 1))
    options = [{"label": f"{name}{k}", "items": [f"i{k}"]} for k, own in enumerate(names) for name in own]
    file = tmp_path / "many.json"
    file.write_text(json.dumps({"options": options}))
    captured = invoke("count", str(file), "-v", "--format", "json")
    assert captured.returncode == 0
    number = "7" + "0" * few_digits
    assert f'"solutions": {number}' in captured.stdout
    assert number[:4] in captured.stderr.replace(",", "")
    assert digits(7 * 10**few_digits) == number


@pytest.mark.parametrize(("args", "megabytes"), [
    (["count", "polyomino", "board=16x16", "pieces=dominoes", "copies=any", "--engine", "sets", "--nodes", "9"], 150),
    (["solve", "queens", "n=100", "--nodes", "100"], 150),
    (["count", "queens", "n=10", "--jobs", "2"], 300),
    (["solve", "queens", "n=6", "--engine", "cpsat"], 150),
    (["solve", "queens", "n=150", "--engine", "learning"], 260),  # the formula alone needs more
    (["solve", "queens", "n=6", "-o", "solutions.parquet"], 300),
])  # fmt: skip
def test_little_address_space_is_a_stop_and_never_an_abort(args: list[str], megabytes: int, tmp_path: Path) -> None:
    library = {"cpsat": "ortools", "solutions.parquet": "pyarrow"}.get(args[-1])
    if library is not None:
        pytest.importorskip(library)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    result = run(*args, preexec_fn=limit, cwd=tmp_path)
    assert result.returncode in (0, 3), (result.returncode, result.stderr)
    assert "Traceback" not in result.stderr
    if library is not None:
        ended = "the process of CP-SAT has ended with status"
        assert re.search(f"{library} needs [0-9]+ MB of address space|{ended}", result.stderr)


def test_a_memory_limit_holds_for_building_and_searching() -> None:
    args = ("count", "queens", "n=200", "--memory", "4M")
    result = run(*args)  # another process, because the memory that tests have freed would count as free here
    assert (result.returncode, result.stdout) == (3, "")
    assert "stopped: out of memory" in result.stderr


def test_parameters_beyond_all_bounds_are_refused_in_plain_words() -> None:
    result = invoke("count", "queens", f"n={10**21}")
    assert result.returncode == 2
    assert result.stderr == "error: Queens.primary(): the problem with these parameters is too large\n"
