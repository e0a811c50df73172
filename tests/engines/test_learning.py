"""The engine ``learning``: what only it does, beside the tests of every engine."""

import gc
import itertools
import os
import random
import signal
import threading
from array import array
from collections.abc import Collection, Iterator
from typing import Any

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx import grid_2d_graph

from classics import pigeons
from commands import has_ended, is_command, run_script, start, wait_until
from exactcover import Colored, EngineUnavailableError, Problem, Status, Stop, StoppedError
from exactcover.control.stop import Stopped
from exactcover.engines import worker_process
from exactcover.engines.base import ENGINES
from exactcover.engines.sat_solver import SatSolver
from exactcover.model.clauses import list_clauses
from exactcover.rules import Paths
from oracles import assert_each_once, brute_force
from problems import Design, Numberlink, Queens

pytest.importorskip("pysat", reason="installed without PySAT")

HARD = Design(14, 4, 3)  # no solution within a few thousand conflicts


class Waiting(Stop):
    """A stop whose status is asked for while a solver is at work."""

    def __init__(self, **limits: Any) -> None:
        super().__init__(**limits)
        self.looked = threading.Event()

    @property
    def status(self) -> Status | None:
        if children():
            self.looked.set()
        return super().status


def children() -> list[psutil.Process]:
    """Return the processes of solvers that have not ended."""
    return [child for child in psutil.Process().children() if is_command(child, "sat_worker.py")]


@pytest.fixture(autouse=True)
def no_process_waits() -> Iterator[None]:
    """End the processes that wait for another problem, before and after a test."""
    worker_process._idle.clear()
    gc.collect()
    yield
    worker_process._idle.clear()


def test_pictures_take_few_conflicts() -> None:
    """Lines of a picture as options, cells as colors: colors that no filling of a line has exclude other fillings."""
    chance, side = random.Random(5), 10
    picture = [chance.choices(".#", k=side) for _ in range(side)]
    options = {}
    for kind, drawn in (("row", picture), ("column", list(zip(*picture, strict=True)))):
        for number, cells in enumerate(drawn):
            clue = [len(run) for run in "".join(cells).replace(".", " ").split()]
            for filling in itertools.product(".#", repeat=side):
                text = "".join(filling)
                if [len(run) for run in text.replace(".", " ").split()] == clue:
                    places = [(number, k) if kind == "row" else (k, number) for k in range(side)]
                    options[kind, number, text] = [(kind, number), *map(Colored, places, filling)]
    problem = Problem(options, secondary=itertools.product(range(side), repeat=2))
    search = problem.solve(limit=1, engine="learning")
    assert problem.verify(next(search))
    assert int(search.statistics.details["conflicts"]) < 20


def paths_on_grid(
    rows: int, columns: int, pairs: list[Any], fewest: int = 2, without: Collection[Any] = (), **switches: Any
) -> Problem:
    """Paths through the points of a grid, each with at least some lines, and not in some ways.

    By the text of a line, `switches` are a line that is on whenever it is, or True if labels say when it is.
    """
    lines = [*grid_2d_graph(rows, columns).edges]
    ends = {end for pair in pairs for end in pair}
    options = {}
    for point in itertools.product(range(rows), range(columns)):
        near = [line for line in lines if point in line]
        numbers = range(min(fewest, 2 - (point in ends)), 3 - (point in ends))
        for used in itertools.chain(*(itertools.combinations(near, number) for number in numbers)):
            if (point, used) not in without:
                options[point, used] = [point, *(Colored(line, "+-"[line in used]) for line in near)]
    primary = [*itertools.product(range(rows), range(columns))]

    def switch(line: Any) -> Any:
        own = [(point, used) for point, used in options if point == line[0] and line in used]
        other = switches.get(str(line), line)
        return own if other is True and own else Colored(line if other is True else other, "-")

    rules = [Paths({line: switch(line) for line in lines}, pairs)]
    return Problem(options, primary=primary, secondary=lines, rules=rules)


def check_paths(problem: Problem) -> None:
    """Solutions are those of the definition, and each is proved to be the only one if it is."""
    truth = {*map(frozenset, problem.solve(engine="sets"))}
    found = [*problem.solve(engine="learning")]
    assert_each_once(found, truth)
    solver = problem.reusable_solver(engine="learning")
    for solution in found[:4]:
        assert (solver.prove_only(solution) is None) == (len(truth) > 1)
        for some in (solution[:1], solution[1:3]):
            expected = {one for one in truth if one >= {*some}}
            assert {*map(frozenset, solver.solutions(given=some, limit=len(truth) + 1))} == expected
            assert (solver.prove_only(solution, given=some) is None) == (len(expected) > 1)


def test_edges_of_paths_are_traded_only_where_they_can_be() -> None:
    pairs = [((0, 0), (1, 0)), ((0, 2), (1, 2))]
    full = paths_on_grid(2, 3, pairs)
    assert full.count() == 2
    for label in [None, *full.labels]:
        check_paths(paths_on_grid(2, 3, pairs, without=[label]))
    lines = [*grid_2d_graph(2, 3).edges]
    for line, other in itertools.product(lines, [True, *lines]):
        check_paths(paths_on_grid(2, 3, pairs, 1, **{str(line): other}))
        check_paths(paths_on_grid(2, 4, [(pairs[0][0], None)], 0, **{str(line): other}))


@given(data=st.data())
def test_paths_that_can_be_traded_agree_with_the_definition(data: st.DataObject) -> None:
    size = data.draw(st.sampled_from([(2, 3), (2, 4), (3, 3), (3, 4)]))
    a, b, c, d = data.draw(st.permutations([*itertools.product(*map(range, size))]))[:4]
    pairs: list[Any] = data.draw(st.sampled_from([[(a, b)], [(a, b), (c, d)], [(a, None)], [(a, b), (None, None)]]))
    fewest = data.draw(st.sampled_from([0, 1, 2]))
    ways = st.sampled_from(paths_on_grid(*size, pairs, fewest).labels)
    line = st.sampled_from([*grid_2d_graph(*size).edges])
    switches = data.draw(st.dictionaries(line.map(str), st.one_of(st.just(True), line), max_size=2))
    check_paths(paths_on_grid(*size, pairs, fewest, data.draw(st.lists(ways, max_size=3)), **switches))


def test_paths_that_can_be_traded_are_not_all_searched_for() -> None:
    search = Numberlink("A..../...../...../...../....A").solve(engine="learning")
    assert len([*search]) == 104
    assert int(search.statistics.details["conflicts"]) < 150  # 308 if each solution is searched for


def test_a_solver_learns_from_one_instance_for_the_next() -> None:
    problem = pigeons(8)
    solver = problem.reusable_solver(engine="learning")
    assert solver.solutions() == []
    cursor: Any = solver._reusable
    learned = cursor.details["conflicts"]
    assert learned > 100
    assert solver.solutions(given=[(0, "hole 0")]) == []
    assert cursor.details["conflicts"] - learned < learned / 10


@pytest.mark.parametrize("status", [Status.INTERRUPTED, Status.MEMORY])
def test_a_solver_that_is_stopped_or_killed_is_no_answer(status: Status) -> None:
    stop = Waiting()

    def end() -> None:
        stop.looked.wait(60)
        if status is Status.INTERRUPTED:
            stop.request()
        else:
            (child,) = children()
            child.kill()

    threading.Thread(target=end).start()
    search = pigeons(15).solve(engine="learning", stop=stop)
    assert (list(search), search.status) == ([], status)
    assert not children()
    assert Queens(n=6).problem().count(engine="learning") == 4


def test_memory_of_the_solver_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "resident_memory", lambda process: 1 << 40)
    search = pigeons(15).solve(engine="learning", stop=Stop(memory=1))
    assert (list(search), search.status) == ([], Status.MEMORY)


def test_polls_depend_on_conflicts_and_not_on_the_clock() -> None:
    class Counting(Stop):
        polls = 0

        def poll(self) -> None:
            self.polls += 1
            super().poll()

    stops = [Counting(), Counting()]
    for stop in stops:
        assert not pigeons(10).reusable_solver(engine="learning").solutions(stop=stop)
    assert stops[0].polls == stops[1].polls > 2000


def test_a_poll_that_gives_up_loses_nothing() -> None:
    """The search goes on with what it has learned."""

    class GivingUp(Stop):
        left = 1000

        def poll(self) -> None:
            self.left -= 1
            if self.left == 0:
                raise Stopped(Status.LIMIT)

    problem = pigeons(10)
    solver = problem.reusable_solver(engine="learning")
    with pytest.raises(StoppedError):
        solver.solutions(stop=GivingUp())
    assert len(children()) == 1
    assert solver.solutions() == []


def test_processes_are_used_again_and_end_with_their_solver() -> None:
    problem = Queens(n=6).problem()
    assert problem.count(engine="learning") == 4
    (first,) = children()
    assert problem.count(engine="learning") == 4
    assert children() == [first]
    searches = [problem.solve(engine="learning") for _ in range(5)]
    assert {next(search) for search in searches}
    assert len(children()) == 5
    del searches
    gc.collect()
    assert len(children()) == worker_process._MAX_IDLE


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_forked_child_leaves_the_process_of_its_parent_alone() -> None:
    script = """
import os, sys, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, which are what is tested
from problems import Queens
problem = Queens(n=6).problem()
search = problem.solve(engine="learning")
next(search)
pid = os.fork()
if pid == 0:
    sys.exit(problem.count(engine="learning") + 1)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 5
assert len(list(search)) == 3
"""
    done = run_script(script)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_signal_ends_a_command_and_its_solver() -> None:
    process = start("solve", "design", "points=25", "block=4", "--engine", "learning")
    command = psutil.Process(process.pid)
    wait_until(lambda: bool(command.children()), process)
    (solver,) = command.children()
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert process.returncode == 143
    assert has_ended(solver)


def test_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(ENGINES, "learning")
    with pytest.raises(EngineUnavailableError, match="needs PySAT; install it with: python -m pip install python-sat"):
        Queens(n=4).problem().solve(engine="learning")


@st.composite
def tables(draw: st.DrawFn) -> Problem:
    """Problems in which colors alone say which options are chosen, of several items by the same colors."""
    colors = {item: "abc"[: draw(st.integers(1, 3))] for item in "xyz"[: draw(st.integers(1, 3))]}
    options: dict[str, list[object]] = {}
    for item in "PQRS"[: draw(st.integers(1, 4))]:
        others = draw(st.lists(st.sampled_from([*colors]), unique=True, min_size=1))
        rows = list(itertools.product(*(colors[other] for other in others)))
        for row in draw(st.lists(st.sampled_from(rows), unique=True, min_size=1, max_size=3)):
            options[item + "".join(row)] = [item, *map(Colored, others, row)]
    bounds = {}
    if draw(st.booleans()):
        options |= {"m": ["M"], "n": ["M"]}
        bounds = {"M": (1, 2)}
    return Problem(options, secondary=[*colors], multiplicity=bounds)


@given(problem=tables(), data=st.data())
def test_colors_that_decide_options(problem: Problem, data: st.DataObject) -> None:
    some = st.sets(st.sampled_from(problem.labels), max_size=2)
    chosen, excluded = data.draw(some), data.draw(some)
    everything = {one for one in brute_force(problem) if chosen <= one and not excluded & one}
    solver = problem.reusable_solver(engine="learning")
    for _ in range(2):
        assert_each_once(solver.solutions(given=chosen, without=excluded, limit=100), everything)
    assert_each_once(problem.solve(engine="learning", given=chosen, without=excluded), everything)


def test_costs_are_refused() -> None:
    problem = Problem({"A": [1], "B": [1]}, costs={"A": 2})
    assert len(list(problem.solve(engine="learning"))) == 2
    with pytest.raises(EngineUnavailableError, match="does not minimize costs"):
        list(problem.cheapest(1, engine="learning"))


def test_a_process_that_owes_an_answer_serves_nobody_else() -> None:
    """A solver that another thread closes while it searches gives no process away."""

    class Closing(Stop):
        @property
        def status(self) -> Status | None:
            if children() and len(counts) < 2:
                solver.close()
                counts.append(Queens(n=4).problem().count(engine="learning"))
            return super().status

    counts: list[int] = []
    clauses = [literal for clause in list_clauses(pigeons(7).matrix) for literal in (*clause, 0)]
    solver = SatSolver(array("i", clauses))
    stop = Closing()
    while not (answer := solver.search_on((), 1, stop))[0]:
        pass
    assert answer == (True, None)
    assert set(counts) == {2}
