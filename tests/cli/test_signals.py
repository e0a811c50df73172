"""Signals and deadlines end every verb in an orderly way, also where nothing polls."""

import os
import pty
import re
import signal
import subprocess
from pathlib import Path

import pytest

from commands import COMMAND, assert_refused, everything_from, invoke, run, start, wait_until, write_plugin
from exactcover.formats import solutions

TILING = ["polyomino", "board=16x16", "pieces=dominoes", "copies=any"]


def test_a_signal_ends_a_listing_with_what_was_found(tmp_path: Path, installed_tree_engine: str) -> None:
    number, status = (signal.SIGHUP, 129) if installed_tree_engine == "sets" else (signal.SIGINT, 130)
    file = tmp_path / "out.jsonl"
    process = start("solve", *TILING, "--engine", installed_tree_engine, "--all", "-o", str(file))
    part = tmp_path / "out.jsonl.exactcover-part"
    wait_until(lambda: part.exists() and part.read_bytes().count(b"\n") > 2, process)
    process.send_signal(number)
    stdout, stderr = process.communicate()
    assert (process.returncode, stdout) == (status, "")
    assert "interrupted; there may be more" in stderr
    assert "of the search explored" in stderr
    assert "Traceback" not in stderr
    recorded = solutions.read(file.read_text("utf-8"))
    assert recorded.faults == ()
    assert recorded.closing is not None
    assert recorded.closing["status"] == "interrupted"
    assert recorded.solutions
    assert not part.exists()


def interrupt_count(*args: str, after: bytes) -> list[bytes]:
    """Interrupt a count on a terminal once it has shown something; return the lines that it prints then."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "count", *args],
        stdout=subprocess.PIPE,
        stderr=follower,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(follower)
    shown = b""
    while after not in shown:  # the progress display
        shown = shown[-200:] + os.read(leader, 4096)
    process.send_signal(signal.SIGINT)
    shown = everything_from(leader)
    stdout, _ = process.communicate()
    assert (process.returncode, stdout) == (130, b"")
    assert b"Traceback" not in shown
    return shown.split(b"\r\n")


def test_ctrl_c_says_how_much_a_count_has_explored() -> None:
    *_, found, explored, _ = interrupt_count(*TILING, "--engine", "sets", after=b"explored")
    assert b"interrupted; there may be more" in found
    assert b"of the search explored" in explored


def test_a_stopped_count_of_classes_speaks_of_classes() -> None:
    """It does not call them solutions, and does not say that nothing is explored if it cannot tell."""
    *_, known, found, visited, _ = interrupt_count("queens", "n=20", "--distinct", after=b" distinct solutions")
    assert re.search(b"at least [0-9,]+ distinct solutions$", known)
    assert re.match(rb"[0-9,]+ distinct solutions \(interrupted; there may be more\), ", found)
    assert re.match(b"[0-9,]+ nodes visited", visited)
    assert b"0.0000%" not in visited


def test_a_signal_before_the_end_of_a_stream_is_not_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "answers.txt"
    process = start("batch", "sudoku", "-", "box=2x2", "-o", str(file), stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write("1234341221434321\n\n")
    process.stdin.flush()
    part = tmp_path / "answers.txt.exactcover-part"
    wait_until(lambda: part.exists() and part.read_bytes().count(b"\n") == 1, process)
    process.send_signal(signal.SIGTERM)
    process.stdin.close()
    process.stdin = None
    process.communicate()
    assert process.returncode == 143
    assert not file.exists()


BUSY = """
def options(self):
    yield 'A', ['a']
    Path(os.environ['READY']).touch()
    while True:
        pass
"""


def test_a_signal_ends_an_encoder_that_polls_nothing(tmp_path: Path) -> None:
    plugin, ready = write_plugin(tmp_path, "Busy", BUSY), tmp_path / "ready"
    process = start("--plugin", plugin, "count", "busy", env={**os.environ, "READY": str(ready)})
    wait_until(ready.exists, process)
    process.send_signal(signal.SIGTERM)
    stdout, stderr = process.communicate()
    assert (process.returncode, stdout) == (143, "")
    assert stderr == "interrupted; nothing found yet\n"


TURNING = """
def options(self):
    try:
        while True:
            pass
    except BaseException:
        raise ValueError('bad parameter')
    yield 'A', ['a']
"""


@pytest.mark.parametrize("body", [BUSY, TURNING], ids=["busy", "turns it into another error"])
@pytest.mark.parametrize("verb", ["solve", "explain"])
def test_a_deadline_ends_an_encoder_that_polls_nothing(
    verb: str, body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = write_plugin(tmp_path, "Busy", body)
    monkeypatch.setenv("READY", str(tmp_path / "ready"))
    assert_refused("stopped by the timeout", "--plugin", plugin, verb, "busy", "--timeout", "0.1", status=3)


def test_a_deadline_that_destructors_swallow_ends_the_process_all_the_same(tmp_path: Path) -> None:
    body = """
def options(self):
    class Slow:
        def __del__(self):
            end = time.monotonic() + 0.3
            while time.monotonic() < end:
                pass
    yield 'A', ['a']
    while True:
        Slow()
"""
    plugin = write_plugin(tmp_path, "Sticky", body)
    result = run("--plugin", plugin, "count", "sticky", "--timeout", "0.1")
    assert (result.returncode, result.stdout) == (3, "")
    assert "stopped by the timeout" in result.stderr
    assert "Exception ignored" not in result.stderr


def test_after_a_stop_what_waits_is_not_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
n: int = 40
def options(self):
    for item in range(self.n):
        for choice in range(3):
            yield (item, choice), [item]
def draw(self, solution):
    with open(os.environ['DRAWN'], 'a') as out:
        out.write('.')
        if out.tell() == 20:
            os.kill(os.getpid(), 2)
"""
    plugin = write_plugin(tmp_path, "Slow", body)
    for jobs in ("1", "2"):
        drawn = tmp_path / f"drawn{jobs}"
        monkeypatch.setenv("DRAWN", str(drawn))
        stopped = invoke("--plugin", plugin, "solve", "slow", "--all", "--jobs", jobs)
        assert stopped.returncode == 130 and "interrupted; " in stopped.stderr
        assert 20 <= len(drawn.read_text()) < 100  # a batch holds a thousand, a queue 65,536


def test_signals_that_are_ignored_stay_so(tmp_path: Path) -> None:
    plugin, ready, go = write_plugin(tmp_path, "Patient", """
def options(self):
    yield 'A', ['a']
    Path(os.environ['READY']).touch()
    while not Path(os.environ['GO']).exists():
        time.sleep(0.01)
"""), tmp_path / "ready", tmp_path / "go"  # fmt: skip
    process = start(
        "--plugin", plugin, "count", "patient",
        env={**os.environ, "READY": str(ready), "GO": str(go)},
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    wait_until(ready.exists, process)
    process.send_signal(signal.SIGHUP)
    go.touch()
    stdout, _ = process.communicate()
    assert (process.returncode, stdout) == (0, "1\n")
