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
LOADED = ["exactcover.cli.main", "click", "exactcover.engines.registry", "exactcover.cli.solve", "annotated_types",
          "problems.sudoku"]  # fmt: skip


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_an_interrupt_while_a_module_is_loaded_leaves_no_traceback(number: signal.Signals, status: int) -> None:
    for module in LOADED:
        script = INTERRUPT.format(module=module, number=int(number))
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
        assert (module, done.returncode, done.stdout) == (module, status, "")
        assert done.stderr.startswith("interrupted")
        assert done.stderr.count("\n") == 1


FIRST = """
import os, sys
before = set(sys.modules)
from exactcover.cli import main
print(*sorted(set(sys.modules) - before), flush=True)

class Interrupter:
    def find_spec(self, *_):
        os.kill(os.getpid(), 2)

sys.meta_path.insert(0, Interrupter())
main()
"""


def test_handlers_stand_before_the_command_loads_any_file() -> None:
    """What must be loaded before them is as little as can be."""
    done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")
    loaded = set(done.stdout.split())
    ours = {name for name in loaded if name.startswith("exactcover")}
    assert ours - {"exactcover._version"} == {"exactcover", "exactcover.cli", "exactcover.version"}
    assert loaded.isdisjoint(("enum", "pathlib", "re", "signal", "typing"))  # slow to load


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


NEAR_THE_LIMIT = """
import resource
with open("/proc/self/statm") as sizes:
    held = int(sizes.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (held + (32 << 20), resource.RLIM_INFINITY))
"""
FAILING = """
import sys

class Failing:
    def find_spec(self, name, *_):
        if name == "exactcover.cli.main":
            raise {error}

sys.meta_path.insert(0, Failing())
from exactcover.cli import main
main()
"""


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
    script = FAILING.format(error=error)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith(words)
    assert done.stderr.count("\n") == 1


needs_sizes = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the size of the process")


@needs_sizes
@pytest.mark.parametrize("error", ["ValueError('field is required')", "KeyError('x')", "AttributeError", "Exception()"])
def test_any_error_while_a_module_is_loaded_near_the_limit_is_a_lack_of_memory(error: str) -> None:
    script = NEAR_THE_LIMIT + FAILING.format(error=error)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "stopped: out of memory\n")


@needs_sizes
def test_an_unexpected_error_near_the_limit_is_taken_for_a_lack_of_memory(tmp_path: Path) -> None:
    late = NEAR_THE_LIMIT.replace("\n", "\n    ")
    body = f"def options(self):\n    {late}\n    raise KeyError('x')\n"
    done = run("--plugin", write_plugin(tmp_path, "Late", body), "solve", "late")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("stopped: out of memory, as it seems: encoder Late.options(), ")
    assert "KeyError: 'x'" in done.stderr
    (tmp_path / "early.py").write_text(NEAR_THE_LIMIT + "raise KeyError('x')")
    done = run("--plugin", f"{tmp_path}/early.py:Early", "problems")
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "stopped: out of memory\n")


def test_an_error_that_cannot_be_told_is_still_a_fault() -> None:
    """Neither a closed standard error nor an error without a text changes the status to that of a proof."""
    odd = "type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})()"
    for error, closing in ((odd, ""), ("KeyError", "import os; os.close(2)\n")):
        script = closing + FAILING.replace("{error}", error)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
        assert (done.returncode, done.stdout) == (70, "")
