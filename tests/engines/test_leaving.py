"""Python ends while other threads are at work: silently, with status 0, wherever they are."""

import os

import pytest

from commands import run_script
from exactcover.engines.base import ENGINES

if "native" not in ENGINES:
    pytest.skip("installed without a C++ compiler", allow_module_level=True)

HEAD = """
import threading
from exactcover import SearchOptions, Stop
from classics import langford
problem, begun = langford(16), threading.Event()
"""
WORK = """
class Signal(Stop):
    def poll(self):
        begun.set()
        super().poll()
def work():
    {}
"""
LEFT = {
    "a solver": 'problem.count(engine="learning", stop=stop)',
    "a count": 'while True: problem.count(engine="native", stop=stop)',
    "a count by a memo": 'problem.count(engine="diagram", options=SearchOptions(strategy="memo"), stop=stop)',
    "a listing": 'for _ in problem.solve(engine="native", stop=stop): pass',
    "CP-SAT": 'problem.count(engine="cpsat", stop=stop)',
    "a count by several threads": 'problem.count(options=SearchOptions(engine="native", jobs=2), stop=stop)',
    "a diagram": "problem.diagram(stop=stop)",
}
IN_A_THREAD = """
stop = Signal()
threading.Thread(target=work, daemon=True).start()
assert begun.wait(60)
"""


def check(script: str) -> None:
    done = run_script(script)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_parts_that_nobody_waits_for() -> None:
    check(HEAD + 'search = problem.solve(options=SearchOptions(engine="native", jobs=3))\nnext(search)\n')


@pytest.mark.parametrize("what", LEFT)
def test_a_daemon_thread_at_work(what: str) -> None:
    for engine in ("learning", "cpsat"):
        if engine in LEFT[what] and engine not in ENGINES:
            pytest.skip(f"the engine {engine} is not installed")
    check(HEAD + WORK.format(LEFT[what]) + IN_A_THREAD)


def test_what_is_done_at_the_end_may_still_count() -> None:
    """The thread that ends Python is not told to end."""
    script = "import atexit\natexit.register(lambda: print(problem.count(engine='native')))\n"
    done = run_script(script + "from problems import Queens\nproblem = Queens(n=6).problem()\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "4\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_forked_child_waits_for_nobody_else() -> None:
    script = """
import os, sys, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, which are what is tested
def child():
    pid = os.fork()
    if pid == 0:
        sys.exit(0)
    assert os.waitpid(pid, 0)[1] == 0
"""
    check(HEAD + WORK.format(LEFT["a count"]) + script + IN_A_THREAD + "child()\n")
