"""Searches that are forked in the middle: the child is told so, or goes on rightly, and never hangs."""

import os

import pytest

from commands import run_script
from exactcover.engines.base import ENGINES

SCRIPT = """
import os, threading, warnings
from exactcover import SearchOptions, Stop
from problems import Queens
warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, which are what is tested
problem = Queens(n=8).problem()

class Forking(Stop):
    child = None
    def poll(self):
        if self.child is None and self.ready():
            self.child = os.fork()
        super().poll()

def say(*what):
    os.write(1, (" ".join(map(str, what)) + os.linesep).encode())  # at once, as two processes write

def end(child):
    if child == 0:
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0, status

def try_to(go_on):
    try:
        return go_on()
    except RuntimeError as error:
        return str(error)
"""
CANNOT = "a search that has begun cannot go on in a forked process; begin a new one there"
LISTING = """
search = iter(problem.solve(options=SearchOptions({how})))
first = next(search)
child = os.fork()
rest = try_to(lambda: sum(1 for _ in search))
say(rest, sum(1 for _ in problem.solve(options=SearchOptions({how}))))
end(child)
"""
COUNTING = """
stop = Forking()
stop.ready = lambda: {ready}
counting = Queens(n=14).problem().solve(options=SearchOptions({how}), stop=stop)
say(try_to(counting.count))
end(stop.child)
"""
CASES = {
    "learning": (LISTING, 'engine="learning"', f"{CANNOT} 92", "91 92"),
    "native": (LISTING, 'engine="native"', "91 92", "91 92"),
    "threads": (LISTING, 'engine="native", jobs=2', f"{CANNOT} 92", "91 92"),
    "count": (COUNTING, 'engine="native"', "365596", "365596"),
    "count by threads": (COUNTING, 'engine="native", jobs=2', CANNOT, "365596"),
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.parametrize("name", CASES)
def test_a_forked_search_goes_on_rightly_or_says_why_not(name: str) -> None:
    script, how, *expected = CASES[name]
    ready = "threading.active_count() > 1" if "jobs" in how else "counting.statistics.nodes > 0"
    engine = how.split('"')[1]
    if engine not in ENGINES:
        pytest.skip(f"the engine {engine} is not installed")
    done = run_script(SCRIPT + script.format(how=how, ready=ready))
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.splitlines()) == sorted(expected)
