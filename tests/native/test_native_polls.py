"""Polls and threads of the native module: what calls back or comes second is refused, and nothing is lost."""

import functools
import itertools
import random
import threading
from array import array
from collections.abc import Callable

import pytest

from exactcover.engines.base import ENGINES

if "native" not in ENGINES:
    pytest.skip("installed without a C++ compiler", allow_module_level=True)

import exactcover._native as _native
from native_problems import arrays, complete, dominoes, make


def test_a_poll_that_calls_back_is_refused_and_may_look() -> None:
    search = _native.Search(dominoes(200))
    refused: list[str] = []

    def poll() -> None:
        assert sweep.progress()[2] == 0
        assert sweep.memory() > 0
        calls: list[Callable[[], object]] = [
            lambda: diagrams.add(0, 1),
            lambda: sweep.advance(1),
            lambda: search.begin(()),
        ]
        for call in calls:
            try:
                call()
            except RuntimeError as error:
                refused.append(str(error))

    diagrams = _native.Diagrams(range(40), 1 << 20, poll=poll)
    sweep = complete(_native.Sweep(dominoes(8), recorded=True), 1000)
    diagrams.of_sweep(sweep)
    assert len(refused) == 2
    refused.clear()
    diagrams.of_memo(dominoes(8))
    search.probe(1, poll)
    assert set(refused) == {"this object is in use by another thread, or by the call that polls"}
    refused.clear()
    assert search.begin(())


class Polls:
    """A poll that stops at one of its calls, or at none."""

    def __init__(self) -> None:
        self.calls, self.last = 0, -1

    def __call__(self) -> None:
        self.calls += 1
        if self.calls == self.last:
            raise InterruptedError


@functools.cache
def list_options(options: int, items: int, each: int) -> list[list[int]]:
    """Options of many items each, without any structure."""
    chance = random.Random(1)
    return [sorted(chance.sample(range(items), each)) for _ in range(options)]


def list_torus(rows: int, columns: int) -> list[list[int]]:
    """Dominoes on a torus."""
    cells = list(itertools.product(range(rows), range(columns)))
    pairs = [(row * columns + column, row * columns + (column + 1) % columns) for row, column in cells]
    pairs += [(row * columns + column, (row + 1) % rows * columns + column) for row, column in cells]
    return [sorted(pair) for pair in pairs]


TORUS = list_torus(5, 6)
WIDE = functools.partial(list_options, 300, 2000, 1000)


def build_by_sweep(poll: Polls) -> Callable[[], object]:
    diagrams = _native.Diagrams(range(60), 1 << 26, poll=poll)
    sweep = complete(_native.Sweep(make(TORUS, 30), recorded=True), 1 << 20)
    return lambda: diagrams.nodes(diagrams.of_sweep(sweep))


def build_by_memo(poll: Polls) -> Callable[[], object]:
    diagrams, problem = _native.Diagrams(range(60), 1 << 26, poll=poll), make(TORUS, 30)
    return lambda: diagrams.nodes(diagrams.of_memo(problem))


def build_of_sets(poll: Polls) -> Callable[[], object]:
    diagrams = _native.Diagrams(range(40), 1 << 26, poll=poll)
    sets = list(itertools.combinations(range(40), 4))
    return lambda: diagrams.nodes(diagrams.add(diagrams.of_sets(sets[::2]), diagrams.of_sets(sets[1::2])))


def search(poll: Polls) -> Callable[[], object]:
    """Large vectors, so that nodes take long."""
    found = _native.Search(make([[k // 2, (k // 2 + 1) % 3000] for k in range(6000)], 3000), 1 << 16)

    def count() -> int:
        found.begin([])
        before = found.counters().nodes
        found.advance(1 << 13, 1, False, poll)
        return found.counters().nodes - before

    return count


def probe(poll: Polls) -> Callable[[], object]:
    search = _native.Search(dominoes(200))
    return lambda: search.probe(1, poll)


def find_symmetries(poll: Polls) -> Callable[[], object]:
    rows = _native.make_rows(400, 400, *arrays(list_torus(20, 20)))
    return lambda: _native.Symmetries(rows, poll=poll).factors


def weigh(poll: Polls) -> Callable[[], object]:
    needed = [(item, 1) for item in range(150)]
    finder = _native.WeightFinder(150, 150, *arrays(list_options(150, 150, 8)), needed, poll)
    return lambda: finder.find(2**61 - 1, 1, 1 << 26)


def refute(poll: Polls) -> Callable[[], object]:
    """Options of which each excludes a third of the others."""
    rows = arrays([[k // 2, 400 + k % 3] for k in range(800)])
    trials = _native.Trials(*rows, [1] * 400 + [0] * 3, [1] * 403, [])
    trials.enter(bytes([255] * 100), b"")
    return lambda: len(trials.refute(range(400), None, poll))


def decide(poll: Polls) -> Callable[[], object]:
    """Items with two options each, of which the second one excludes both of the next item."""
    size = 2000
    rows = arrays([row for k in range(size) for row in ([k, size + k], [k, size + k, size + k + 1])])
    trials = _native.Trials(*rows, [1] * size + [0] * (size + 1), [1] * (2 * size + 1), [])
    trials.enter(bytes([255] * (size // 4)), b"")
    return lambda: trials.decide(range(size), 1 << 40, poll) and tuple(map(len, trials.position()))


def answer(poll: Polls) -> Callable[[], object]:
    table = array("i", [-1] * 256)
    solver = _native.InstanceSolver(dominoes(200), ["\0"], table, 1 << 16, _native.instruction_sets[0])
    return lambda: solver.answer(["."], 60.0, poll)


def prove(*, by_sweep: bool, poll: Polls) -> Callable[[], object]:
    options = list_torus(4, 6)
    checker = _native.ProofChecker(24, 24, *arrays(options), poll)
    live, needs = bytes(array("Q", [(1 << len(options)) - 1])), [(1, 1)] * 24
    return lambda: checker.sweep(live, needs, list(range(24))) if by_sweep else checker.memo(live, needs)


def walk(poll: Polls) -> Callable[[], object]:
    """A subtree without a record, which is searched."""
    checker = _native.ProofChecker(16, 16, *arrays([[option] for option in range(16)]), poll)
    live, needs, nodes = bytes(array("Q", [(1 << 16) - 1])), [(0, 1)] * 16, bytes([2, 1, 128, 128, 4])
    return lambda: checker.walk(live, needs, list(range(16)), nodes, 0)


CALLS: dict[str, Callable[[Polls], Callable[[], object]]] = {
    "diagram by a sweep": build_by_sweep,
    "diagram by a memo": build_by_memo,
    "diagram of sets": build_of_sets,
    "search": search,
    "probe": probe,
    "symmetries": find_symmetries,
    "weights": weigh,
    "trials": refute,
    "decisions": decide,
    "instances": answer,
    "proof by a sweep": lambda poll: prove(by_sweep=True, poll=poll),
    "proof by a memo": lambda poll: prove(by_sweep=False, poll=poll),
    "proof without a record": walk,
    "problem": lambda poll: lambda: make(WIDE(), 2000, poll=poll) and None,
    "rows": lambda poll: lambda: _native.make_rows(2000, 2000, *arrays(WIDE()), poll=poll).entries,
    "sparse sets": lambda poll: lambda: _native.Search(make(WIDE(), 2000), 0, poll=poll).memory(),
    "memo": lambda poll: lambda: _native.Memo(make(list_options(600, 200, 20), 200), poll=poll).memory(),
    "order": lambda poll: lambda: _native.compact_order(dominoes(100), poll),
    "proof checker": lambda poll: lambda: _native.ProofChecker(2000, 2000, *arrays(WIDE()), poll).visited(),
    "trimmer": lambda poll: (
        lambda: _native.ClauseTrimmer(2000, 2000, *arrays(WIDE()), [1] * 2000, [1] * 2000, [], poll) and None
    ),
}
"""What polls: makes objects, and returns a call that can be repeated."""
STOPS = 3
FEW = {"diagram of sets", "instances", "proof by a sweep"}


@pytest.mark.parametrize("name", CALLS)
def test_a_stop_at_any_poll_ends_the_call_and_leaves_what_can_be_used(name: str) -> None:
    poll = Polls()
    call = CALLS[name](poll)
    poll.calls = 0
    expected, polls = call(), poll.calls
    assert polls >= (1 if name in FEW else STOPS)
    for last in range(1, polls + 1, max(1, polls // STOPS)):
        poll.last = -1
        call = CALLS[name](poll)
        poll.calls, poll.last = 0, last
        with pytest.raises(InterruptedError):
            call()
        assert poll.calls == last
        assert call() == expected


def test_what_a_stop_leaves_half_done_is_not_used_again() -> None:
    """An orbit that is known in part would count as known, and clauses would follow from what was assumed."""
    poll = Polls()
    rotation = [(option + 1) % 4096 for option in range(4096)]
    orbits = _native.SolutionOrbits(4096, [rotation], 1 << 30, poll)
    poll.last = 3
    with pytest.raises(InterruptedError):
        orbits.add([0, 1])
    for solution in ([0, 1], [0, 2]):
        with pytest.raises(RuntimeError, match="stopped, or memory ran out"):
            orbits.add(solution)


@pytest.mark.parametrize("factor", [1, 2])
def test_polls_come_by_work(factor: int) -> None:
    """The rule: a poll after at most 32768 small steps, whatever steps are taken together."""
    size = 500 * factor
    poll = Polls()
    make(list_options(100, 2000, size), 2000, poll=poll)
    assert poll.calls >= 100 * size // (1 << 15)
    poll = Polls()
    build_of_sets(poll)()
    assert poll.calls >= 91390 // (1 << 15)


def test_solutions_found_before_a_stop_are_not_lost() -> None:
    """A search of a large problem polls in the middle of a slice, but not between a solution and its caller."""
    size = 3000
    found = _native.Search(make([[k, (k + 1) % size] for k in range(size)], size), 0)
    found.begin([])
    poll, solutions, more = Polls(), [], True
    while more:
        poll.calls, poll.last = 0, 1
        try:
            more = found.advance(1 << 20, 1 << 20, True, poll)
        except InterruptedError:
            assert not found.take()
            continue
        solutions += found.take()
    assert solutions == [tuple(range(0, size, 2)), tuple(range(1, size, 2))]


@pytest.mark.parametrize("name", ["Search", "Sweep", "Memo"])
def test_two_threads_on_one_object(name: str) -> None:
    """One of them at a time gets on; the other is told so, and nothing is counted twice."""
    problem = dominoes(24)
    one = getattr(_native, name)(problem)
    if name == "Search":
        one.begin(())
    refused = [0, 0]

    def work(number: int) -> None:
        more = True
        while more:
            try:
                more = one.advance(50, 1, False) if name == "Search" else one.advance(3)
            except RuntimeError:
                refused[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (one.counters().solutions if name == "Search" else int.from_bytes(one.total(), "little")) == 75025
