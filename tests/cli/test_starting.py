"""Interrupts while the program starts, and libraries that end the process, never look like an answer."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commands import PATIENCE, run, write_plugin
from exactcover.engines.registry import ENGINES

INTERRUPT = """
import os, sys

class Interrupter:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, Interrupter())
from exactcover.cli import main
sys.argv = ["exactcover", "solve", "sudoku"]
main()
"""
LOADED = ["exactcover.cli.main", "click", "exactcover.engines.registry", "exactcover.cli.solve", "pydantic",
          "problems.sudoku"]  # fmt: skip


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_an_interrupt_while_a_module_is_loaded_leaves_no_traceback(number: signal.Signals, status: int) -> None:
    for module in LOADED:
        script = INTERRUPT.format(module=module, number=int(number))
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
        assert (module, done.returncode, done.stdout) == (module, status, "")
        assert done.stderr.startswith("interrupted")
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("loader", ["CDLL", "PyDLL"])
@pytest.mark.skipif("native" not in ENGINES, reason="needs the native engine")
def test_a_library_that_exits_with_1_does_not_look_like_a_proof(loader: str, tmp_path: Path) -> None:
    body = f"""
def options(self):
    import ctypes
    yield 'A', ['a']
    ctypes.{loader}(None).exit(1)
"""
    result = run("--plugin", write_plugin(tmp_path, "Leaving", body), "solve", "leaving")
    assert (result.returncode, result.stdout) == (70, "")
    assert result.stderr == "error: a library ended the process, perhaps for lack of memory\n"


def test_a_forked_child_may_still_exit_as_it_likes(tmp_path: Path) -> None:
    body = """
def options(self):
    import ctypes
    pid = os.fork()
    if pid == 0:
        ctypes.CDLL(None).exit(5)
    yield os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), ['a']
"""
    result = run("--plugin", write_plugin(tmp_path, "Forking", body), "solve", "forking")
    assert (result.returncode, result.stdout) == (0, "5\n")


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        ("ImportError('x.so: failed to map segment from shared object')", 3, "stopped: out of memory"),
        ("ImportError('x.so: cannot allocate memory in static TLS block')", 3, "stopped: out of memory"),
        ("OSError(12, 'Cannot allocate memory')", 3, "stopped: out of memory"),
        ("MemoryError()", 3, "stopped: out of memory"),
        ("ImportError('x.so: file too short')", 70, "error: the installation is broken: ImportError: x.so: file too"),
        ("SystemError('error return without exception set')", 70, "error: the installation is broken: SystemError"),
    ],
)
def test_only_a_lack_of_memory_while_a_module_is_loaded_is_called_so(error: str, status: int, words: str) -> None:
    script = f"""
import sys

class Failing:
    def find_spec(self, name, *_):
        if name == "exactcover.cli.main":
            raise {error}

sys.meta_path.insert(0, Failing())
from exactcover.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith(words)
    assert done.stderr.count("\n") == 1
