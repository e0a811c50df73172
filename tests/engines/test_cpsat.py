"""Signals while CP-SAT is at work; the library could install a handler of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from commands import PATIENCE

pytest.importorskip("ortools")

HEAD = """
import signal
from exactcover import Stop
from classics import langford
from problems import Queens
"""


def run_program(program: str) -> subprocess.CompletedProcess[str]:
    head = f"import sys\nsys.path.insert(0, {str(Path(__file__).parents[1])!r})\n{HEAD}"
    return subprocess.run([sys.executable, "-c", head + program], capture_output=True, text=True, timeout=PATIENCE)


def test_an_interrupt_at_any_time_of_a_search_ends_it() -> None:
    program = """
class Interrupting(Stop):
    polls = 0
    def poll(self):
        if caught is not None:
            self.polls += 1
            signal.raise_signal(signal.SIGINT)
            if self.polls == 50:
                signal.signal(signal.SIGINT, signal.default_int_handler)
        super().poll()

caught = None
stop = Interrupting()
search = langford(17).solve(engine="cpsat", stop=stop)  # which has no solution, and is hard
caught = []
signal.signal(signal.SIGINT, lambda *_: caught.append(stop.polls))
try:
    next(search, None)
except KeyboardInterrupt:
    print(search.status.value, len(caught) == len(set(caught)) == 50)
"""
    result = run_program(program)
    assert (result.returncode, result.stdout, result.stderr) == (0, "interrupted True\n", "")


def test_an_interrupt_after_a_search_reaches_python() -> None:
    program = """
print(len(list(Queens(n=4).problem().solve(limit=2, engine="cpsat"))))
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
"""
    result = run_program(program)
    assert (result.returncode, result.stdout, result.stderr) == (0, "2\ninterrupted\n", "")
