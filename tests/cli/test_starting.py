"""Interrupts and lack of memory while the program starts."""

from pathlib import Path

import pytest

from commands import run, run_script, write_plugin

INTERRUPT = """
import os, sys

class Interrupter:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), 2)

sys.meta_path.insert(0, Interrupter())
from exactcover.cli import main
sys.argv = ["exactcover", "solve", "sudoku"]
main()
"""


@pytest.mark.parametrize("module", ["exactcover.cli.main", "exactcover.cli.solve", "problems.sudoku"])
def test_an_interrupt_while_a_module_is_loaded_leaves_no_traceback(module: str) -> None:
    done = run_script(INTERRUPT.format(module=module))
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.startswith("interrupted") and done.stderr.count("\n") == 1


NEAR_THE_LIMIT = """
import resource
with open("/proc/self/statm") as sizes:
    held = int(sizes.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (held + (32 << 20), resource.RLIM_INFINITY))
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the size of the process")
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
