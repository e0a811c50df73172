"""The verbs of runs: answers, statuses, crashes, and what they refuse."""

import contextlib
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from commands import assert_refused, invoke, start, wait_until
from exactcover import Run, Status
from exactcover.files.write import hold_lock
from exactcover.runs.coordinator import Coordinator
from small_runs import cut_run

TILINGS = ["polyomino", "board=5x6", "pieces=dominoes", "copies=any"]


def test_count_list_export_and_check(tmp_path: Path) -> None:
    counted, listed, out = (str(tmp_path / name) for name in ("count.run", "list.run", "out.jsonl"))
    assert invoke("run", "start", *TILINGS, "--store", counted, "-q").stdout == "1183\n"
    assert invoke("run", "start", *TILINGS, "--store", listed, "--all", "--workers", "1").returncode == 0
    assert invoke("run", "export", listed, "-o", out).returncode == 0
    assert "1,183 solutions verified (search: complete)" in invoke("verify", TILINGS[0], out, *TILINGS[1:]).stdout
    checked = invoke("run", "check", listed, "--share", "1")
    assert (checked.returncode, "1,183 solutions verified" in checked.stdout) == (0, True)
    rows = invoke("run", "export", listed, "--format", "csv").stdout.splitlines()
    assert (rows[0], len(rows)) == ("solution,option", 1 + 15 * 1183)
    shown = invoke("run", "status", listed).stdout
    assert shown.startswith("polyomino board=5x6 pieces=dominoes copies=any: list all solutions, engine ")
    assert "1,183 solutions (run complete)" in shown
    assert "no process is working on this run" in shown
    assert sorted(invoke("run", "list", str(tmp_path)).stdout.splitlines()) == [
        f"{counted}: polyomino board=5x6 pieces=dominoes copies=any: count all solutions: 1,183 solutions (run complete)",
        f"{listed}: polyomino board=5x6 pieces=dominoes copies=any: list all solutions: 1,183 solutions (run complete)",
    ]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["count.run", "list.run", "out.jsonl"]


def test_a_check_that_counts_no_cube_again_is_not_passed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = str(tmp_path / "some.run")
    invoke("run", "start", "queens", "n=6", "--store", store)
    monkeypatch.setattr("exactcover.runs.store_check._SECONDS_PER_CUBE", 0)
    checked = invoke("run", "check", store)
    assert checked.returncode == 3 and "the count itself was not checked" in checked.stderr
    assert invoke("run", "check", store, "--share", "0").returncode == 0


def test_list_and_status_show_given_and_excluded_options(tmp_path: Path) -> None:
    store = tmp_path / "b.run"
    for flags, shown in (
        (["--given", "r2c3"], ", given r2c3"),
        (["--given", "r2c3", "--given", "r4c4", "--without", "r1c1"], ", given r2c3 and r4c4, without r1c1"),
        ([flag for k in range(1, 5) for flag in ("--without", f"r1c{k}")], ", 4 excluded options"),
        ([], ""),
    ):
        assert invoke("run", "start", "queens", "n=7", *flags, "--store", str(store), "--create-only").returncode == 0
        words = f"queens n=7{shown}: count all solutions"
        assert invoke("run", "status", str(store)).stdout.startswith(f"{words}, engine ")
        assert invoke("run", "list", str(tmp_path)).stdout.startswith(f"{store}: {words}: ")
        store.unlink()


LOSSES: dict[str, tuple[Callable[[Path, Path], object], str, list[str]]] = {
    "remove": (lambda store, _: store.unlink(), "moved or removed", ["other.run"]),
    "move": (lambda store, _: store.rename(store.parent / "moved.run"), "moved or removed", ["moved.run", "other.run"]),
    "replace": (lambda store, other: other.rename(store), "replaced by another one", ["some.run"]),
    "overwrite": (lambda store, other: store.write_bytes(other.read_bytes()), "overwritten", ["other.run", "some.run"]),
    "truncate": (lambda store, _: os.truncate(store, 0), "overwritten", ["other.run", "some.run"]),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_the_answer_is_that_of_the_run_even_if_its_file_is_lost(
    loss: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = tmp_path / "some.run", tmp_path / "other.run"
    assert invoke("run", "start", "queens", "n=6", "--store", str(other), "-q").stdout == "4\n"
    work, (lose, message, left) = Coordinator.work, LOSSES[loss]

    def work_and_lose(coordinator: Coordinator, most: int) -> None:
        work(coordinator, most)
        lose(store, other)

    with monkeypatch.context() as patch:
        patch.setattr(Coordinator, "work", work_and_lose)
        result = invoke("run", "start", "queens", "n=8", "--store", str(store), "--workers", "1")
    assert (result.returncode, result.stdout) == (74, "" if message == "overwritten" else "92\n")
    assert f"{store}: the file has been {message}" in result.stderr
    assert ("unless it was moved" in result.stderr) is (message == "moved or removed")
    assert sorted(file.name for file in tmp_path.iterdir()) == left
    for name, number in (("moved.run", 92), ("other.run", 4)):
        if name in left:
            assert f"{number} solutions (run complete)" in invoke("run", "status", str(tmp_path / name)).stdout
    if loss == "overwrite":
        assert store.read_bytes() == other.read_bytes()  # it is left as it was put there


def test_a_damaged_store_is_an_error_of_list_and_check(tmp_path: Path) -> None:
    for name in ("bad", "good"):
        invoke("run", "start", "queens", "n=6", "--store", str(tmp_path / f"{name}.run"), "-q", "--workers", "1")
    bad = tmp_path / "bad.run"
    with contextlib.closing(sqlite3.connect(bad)) as connection, connection:
        connection.execute("UPDATE cubes SET nodes = 7")
    listed, checked = invoke("run", "list", str(tmp_path)), invoke("run", "check", str(bad))
    assert (listed.returncode, len(listed.stdout.splitlines())) == (2, 1)
    assert f"{bad}: the record of cube root is damaged" in listed.stderr
    assert (checked.returncode, checked.stdout) == (4, "")
    assert f"{bad}: the record of cube root is damaged" in checked.stderr


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_damaged_solutions_are_found_before_anything_is_written(form: str, tmp_path: Path) -> None:
    store, out = str(tmp_path / "some.run"), tmp_path / f"out.{form}"
    invoke("run", "start", *TILINGS, "--store", store, "--all", "-q", "--workers", "1")
    with contextlib.closing(sqlite3.connect(store)) as connection, connection:
        rows = connection.execute("SELECT path, block, data FROM solutions ORDER BY path, block").fetchall()
        path, block, data = rows[-1]
        damaged = zlib.compress(zlib.decompress(data)[:-4] + bytes(4))
        connection.execute("UPDATE solutions SET data = ? WHERE path = ? AND block = ?", [damaged, path, block])
    out.write_text("old")
    for flags in ([], ["-o", str(out)]):
        words = f"{store}: the solutions are damaged: those of cube "
        assert_refused(words, "run", "export", store, "--format", form, *flags)
    assert out.read_text() == "old"
    assert sorted(file.name for file in tmp_path.iterdir()) == [out.name, "some.run"]


def test_every_verb_that_reads_has_limits(tmp_path: Path) -> None:
    store = str(tmp_path / "some.run")
    invoke("run", "start", "queens", "n=8", "--store", store, "--all", "--create-only")
    for verb in (["status", store], ["list", str(tmp_path)], ["export", store], ["check", store], ["stop", store]):
        result = invoke("run", *verb, "--timeout", "0", "--memory", "1G")
        assert result.returncode == 3, (verb, result.stderr)


def test_exports_are_those_of_solve(tmp_path: Path) -> None:
    listed = str(tmp_path / "list.run")
    invoke("run", "start", "queens", "n=6", "--store", listed, "--all")
    for name in ("csv", "csv-wide"):
        solved = invoke("solve", "queens", "n=6", "--all", "--format", name).stdout
        exported = invoke("run", "export", listed, "--format", name).stdout
        assert strip_numbers(exported) == strip_numbers(solved)
    labels = invoke("run", "export", listed, "--format", "text").stdout.splitlines()
    assert len(labels) == 4
    assert all(line.count(", ") == 5 for line in labels)


def strip_numbers(table: str) -> list[str]:
    """The rows without the numbers of the solutions, which come in another order."""
    return sorted(line.partition(",")[2] for line in table.splitlines())


def test_limits_and_costs(tmp_path: Path) -> None:
    first, cheap = str(tmp_path / "first.run"), str(tmp_path / "cheap.run")
    assert invoke("run", "start", *TILINGS, "--store", first, "--limit", "3").returncode == 0
    _, *records, closing = map(json.loads, invoke("run", "export", first).stdout.splitlines())
    assert ([one["solution"] for one in records], closing["status"]) == ([1, 2, 3], "limit")
    problem = tmp_path / "costs.json"
    options = [{"label": name, "items": [item], "cost": cost} for name, item, cost in ("Aa3", "Ba1", "Cb2", "Db7")]
    problem.write_text(json.dumps({"options": options}))
    assert invoke("run", "start", str(problem), "--store", cheap, "--cheapest", "2").returncode == 0
    records = [json.loads(line) for line in invoke("run", "export", cheap).stdout.splitlines()[1:-1]]
    assert [(one["labels"], one["cost"]) for one in records] == [(["B", "C"], 3), (["A", "C"], 5)]


def test_statuses(tmp_path: Path) -> None:
    none, store, pipe = str(tmp_path / "none.run"), str(tmp_path / "some.run"), str(tmp_path / "pipe")
    os.mkfifo(pipe)
    assert invoke("run", "start", "queens", "n=3", "--store", none, "-q").stdout == "0\n"
    assert_refused("no solution", "run", "start", "queens", "n=3", "--store", f"{none}.all", "--all", status=20)
    assert invoke("run", "start", "queens", "n=6", "--store", store, "--create-only").returncode == 0
    refused = [
        (["start", "queens", "--store", store], "to continue that run: exactcover run resume"),
        (["start", "queens", "--store", f"{store}.x", "--all", "--limit", "3"], "cannot be combined"),
        (["start", "queens", "--store", f"{store}.x", "--engine", "cpsat"], "cannot divide a search"),
        (["start", "queens"], "--store"),
        (["start", "quens", "--store", f"{store}.x"], "did you mean 'queens'?"),
        (["start", "queens", "--store", "."], "error: .: this is a folder; name a file in it"),
        (["start", "queens", "--store", ""], "error: '' is not the name of a file"),
        (["start", "queens", "--store", "x/"], "error: 'x/' is not the name of a file, since it ends in a slash"),
        (["status", pipe], f"error: {pipe}: it is not a regular file"),
        (["resume", "."], "error: .: it is not a regular file"),
        (["resume", f"{store}.x"], f"error: {store}.x: there is no such file"),
        (["resume", __file__], "not the store"),
        (["stop", store], "no process is working on"),
        (["export", store], "only counts solutions"),
        (["export", none + ".all", "--escape-formulas"], "applies only to the formats csv and csv-wide"),
        (["list", __file__], "is not a folder"),
    ]
    for args, message in refused:
        assert_refused(message, "run", *args)
    assert invoke("run", "start", "queens", "--store", str(tmp_path / "no" / "x.run")).returncode == 74
    assert not (tmp_path / "some.run.x").exists()


def test_an_export_of_a_complete_run_says_that_everything_is_explored(tmp_path: Path) -> None:
    store = str(tmp_path / "some.run")
    shares = []
    for n, flags in ((6, ["--all"]), (3, ["--all"]), (6, ["--all", "--create-only"])):
        invoke("run", "start", "queens", f"n={n}", "--store", store, *flags)
        closing = json.loads(invoke("run", "export", store).stdout.splitlines()[-1])
        shares.append((closing["status"], closing["statistics"]["explored"]))
        Path(store).unlink()
    assert shares == [("complete", 1.0), ("unsatisfiable", 1.0), ("interrupted", 0.0)]


def test_files_that_must_not_be_overwritten(tmp_path: Path) -> None:
    listed = str(tmp_path / "list.run")
    invoke("run", "start", "queens", "n=6", "--store", listed, "--all", "-q")
    (tmp_path / "link").symlink_to(listed)
    for output in (listed, str(tmp_path / "link")):
        for flags in (["--format", "parquet"], ["--format", "csv"]):
            assert_refused("is the store of the run", "run", "export", listed, "-o", output, *flags)
        assert invoke("run", "resume", listed, "--log", output).returncode == 2
    assert invoke("run", "check", listed).returncode == 0
    (tmp_path / "new.run.part").write_text("keep")
    invoke("run", "start", "queens", "n=6", "--store", str(tmp_path / "new.run"), "--create-only")
    assert (tmp_path / "new.run.part").read_text() == "keep"
    assert invoke("run", "start", "queens", "n=6", "--store", "x" * 300).returncode == 74
    assert invoke("run", "status", "x" * 300).returncode == 2


def test_a_cube_that_takes_too_long_is_set_aside(tmp_path: Path) -> None:
    store = str(tmp_path / "some.run")
    result = invoke("run", "start", "queens", "n=9", "--store", store, "--timeout", "1e-9", "--engine", "sets")
    assert (result.returncode, result.stdout) == (3, "")
    assert re.search("set aside: cube .*: stopped \\(timeout\\)", result.stderr)
    assert "at least 0 solutions; continue with: exactcover run resume --retry" in result.stderr
    assert invoke("run", "resume", store, "--retry").stdout == "352\n"


def find_workers(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """The processes that search for a coordinator."""
    children = psutil.Process(process.pid).children()
    return [child for child in children if "call_worker" in " ".join(child.cmdline())]


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A run in the middle of its work, cut into many cubes, a few of which are done."""
    pytest.importorskip("exactcover._native", reason="takes long in Python")
    path = str(tmp_path / "long.run")
    flags = ["--engine", "native", "--store", path, "--create-only"]
    assert invoke("run", "start", "queens", "n=12", *flags).returncode == 0
    cut_run(Run(path), 50)
    return path


def test_killed_again_and_again(store: str) -> None:
    """Workers and coordinators are killed as soon as they work; nothing is lost or counted twice."""
    for victim in ("worker", "coordinator"):
        process = start("run", "resume", store, "--workers", "2", "--retry")
        wait_until(lambda process=process: process.poll() is not None or bool(find_workers(process)))  # type: ignore[misc]
        for worker in find_workers(process) if process.poll() is None and victim == "worker" else [process]:
            worker.kill()
        process.communicate()
    last = invoke("run", "resume", store, "--workers", "2", "--retry")
    assert (last.returncode, last.stdout) == (0, "14200\n"), last.stderr
    assert list(Run(store).check()) == []


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_an_incomplete_run_does_not_replace_what_cannot_say_so(suffix: str, tmp_path: Path) -> None:
    store, out = str(tmp_path / "some.run"), tmp_path / f"out.{suffix}"
    out.write_text("what was here before\n")
    invoke("run", "start", "queens", "n=6", "--all", "--store", store, "--create-only")
    result = invoke("run", "export", store, "-o", str(out))
    assert (result.returncode, out.read_text()) == (3, "what was here before\n")
    assert f"the partial result is in {out}.exactcover-part" in result.stderr
    assert (tmp_path / f"out.{suffix}.exactcover-part").stat().st_size > 0


def test_one_coordinator_at_a_time_works_until_it_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "long.run"
    process = start("run", "start", "queens", "n=20", "--store", str(path), "--workers", "1")
    wait_until(lambda: path.exists() and bool(find_workers(process)), process)
    second = invoke("run", "resume", str(path))
    assert second.returncode == 2
    assert re.search(f"process {process.pid} on .* is already working on this run", second.stderr)
    assert invoke("run", "stop", str(path)).returncode == 0
    stdout, stderr = process.communicate()
    assert (process.returncode, stdout) == (143, ""), stderr
    assert "continue with: exactcover run resume" in stderr
    assert "Traceback" not in stderr
    opened = Run(path)
    assert opened.status().status is Status.RUNNING
    assert opened.owner() is None
    assert list(opened.check(share=0)) == []


@pytest.mark.parametrize("owner", ["-1", "0", "1", "x"])
def test_a_lock_that_names_no_process_stops_nobody(owner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, killed = tmp_path / "some.run", list[object]()
    invoke("run", "start", "queens", "n=6", "--store", str(store), "--create-only")
    monkeypatch.setattr(os, "kill", lambda *arguments: killed.append(arguments))
    with hold_lock(tmp_path / "some.run.exactcover-lock", f"{owner} {socket.gethostname()}\n", ""):
        result = invoke("run", "stop", str(store))
    assert (result.returncode, killed) == (2, [])
    assert "no process is working on" in result.stderr


def test_workers_do_not_outlive_their_coordinator(tmp_path: Path) -> None:
    path = tmp_path / "long.run"
    process = start("run", "start", "queens", "n=20", "--store", str(path), "--workers", "2")
    wait_until(lambda: path.exists() and len(find_workers(process)) == 2, process)
    workers = find_workers(process)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    wait_until(lambda: not any(worker.is_running() and worker.status() != "zombie" for worker in workers))


def test_the_log(tmp_path: Path) -> None:
    store, log = str(tmp_path / "some.run"), tmp_path / "log"
    assert invoke("run", "start", *TILINGS, "--store", store, "--log", str(log), "-q").returncode == 0
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert sum(entry["count"] for entry in entries if entry["event"] == "done") == 1183
    assert invoke("run", "resume", store, "--log", str(tmp_path / "no" / "log")).returncode == 74
