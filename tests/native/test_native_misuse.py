"""Every class and function of the native module, called as it must not be: it says so, and goes on."""

import random
import sys
from array import array
from collections.abc import Callable

import pytest

from exactcover.engines.base import ENGINES

if "native" not in ENGINES:
    pytest.skip("installed without a C++ compiler", allow_module_level=True)

import exactcover._native as _native
from commands import run_script
from native_problems import complete, dominoes, listed, make, total

SEARCHES = [(instructions, dense) for instructions in _native.instruction_sets for dense in (0, 1 << 16)]


# -- interpreters -------------------------------------------------------------------------------------

IN_A_SUBINTERPRETER = """
import sys
sys.path[:] = {path!r}
try:
    import exactcover._native
except ImportError as error:
    print(error)
from exactcover import Problem
problem = Problem([("A", [1]), ("B", [2]), ("C", [1, 2])])
print(sorted(problem.solve()), problem.count())
try:
    problem.count(engine="native")
except RuntimeError as error:
    print(error)
"""
SUBINTERPRETER = """
import sys
{first}
try:
    from _testcapi import run_in_subinterp as run  # shares the lock of the main interpreter
except ImportError:
    from _xxsubinterpreters import create, run_string
    run = lambda script: run_string(create(isolated=False), script)
run({script!r})
"""


@pytest.mark.parametrize("first", ["", "import exactcover._native"])
def test_a_subinterpreter_searches_in_pure_python_and_says_why(first: str) -> None:
    script = SUBINTERPRETER.format(first=first, script=IN_A_SUBINTERPRETER.format(path=sys.path))
    done = run_script(script)
    why = "the native engine of exactcover works only in the main interpreter of a process, not in a subinterpreter"
    lines = [why, "[('A', 'B'), ('C',)] 2", f"engine 'native' cannot be loaded: {why}"]
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, lines, "")


# -- options without a primary item ----------------------------------------------------------------

BARE = ([[0], [1], [2], [], [0, 2], [2]], 2, 3)
"""Options 2, 3 and 5 have no primary item; the solutions are 0 1 and 1 4."""


@pytest.mark.parametrize(("instructions", "dense"), SEARCHES)
def test_an_option_without_a_primary_item_cannot_be_given(instructions: str, dense: int) -> None:
    search = _native.Search(make(*BARE), dense, instructions)
    for option in (2, 3, 5):
        with pytest.raises(ValueError, match="without a primary item"):
            search.begin([option])
    assert search.begin([], "mrv", [2, 3, 3, 5])
    assert listed(search) == [(0, 1), (1, 4)]


def test_options_without_a_primary_item_are_never_chosen_by_other_ways_to_count() -> None:
    problem = make(*BARE)
    assert total(_native.Memo(problem)) == total(_native.Sweep(problem)) == 2
    assert sorted(_native.compact_order(problem)) == list(range(6))
    diagrams = _native.Diagrams(range(6), 1 << 20)
    sweep = complete(_native.Sweep(problem, recorded=True))
    assert diagrams.of_memo(problem) == diagrams.of_sweep(sweep) == diagrams.of_sets([[0, 1], [1, 4]])


@pytest.mark.parametrize("options", [[], [[]], [[0], [0, 1]]])
def test_a_problem_without_primary_items_has_one_solution(options: list[list[int]]) -> None:
    problem = make(options, 0, 2)
    assert total(_native.Memo(problem)) == total(_native.Sweep(problem)) == 1
    assert sorted(_native.compact_order(problem)) == list(range(len(options)))
    assert _native.Diagrams(range(len(options)), 1 << 20).of_memo(problem) == 1
    search = _native.Search(problem)
    assert search.begin(())
    assert listed(search) == [()]


# -- problems --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("starts", "message"),
    [
        ([], "do not fit"),
        ([1, 2], "do not fit"),
        ([0, 3], "end where the entries do"),
        ([0, 2, 1, 2], "must ascend"),
        ([0, -1, 2], "must ascend"),
        ([0, 2**62, 2], "must ascend"),
        ([0, -(2**63), 2], "must ascend"),
    ],
)
def test_starts_that_do_not_ascend_are_refused(starts: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _native.make_problem(2, 2, array("q", starts), array("i", [0, 1]), array("i", [0, 0]))


def test_more_items_than_memory_could_hold_are_refused() -> None:
    with pytest.raises(ValueError, match="too many items"):
        _native.make_problem(2**32 - 1, 0, array("q", [0]), array("i"), array("i"))


@pytest.mark.parametrize("start", [-(2**62), -1, 0, 2**14 + 1, 2**40])
def test_a_poll_may_change_the_arrays(start: int) -> None:
    """Whatever is read then, nothing beyond the arrays is."""
    size = 1 << 15
    starts, entries = array("q", range(size + 1)), array("i", bytes(4 * size))
    calls = 0

    def poll() -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            for k in range(0, size + 1, 3):
                starts[k] = start

    with pytest.raises(ValueError, match=r"must ascend|end where|item twice"):
        _native.make_problem(1, 1, starts, entries, array("i", bytes(4 * size)), poll=poll)


def test_bounds_far_beyond_the_options_are_as_good_as_just_beyond() -> None:
    far = 2**31 - 1
    for low, high, count in ((0, far, 8), (2, far, 4), (far, far, 0)):
        problem = make([[0], [0], [0]], 1, low=[low], high=[high])
        assert total(_native.Memo(problem)) == total(_native.Sweep(problem)) == count
        for dense in (0, 64):
            search = _native.Search(problem, dense)
            search.begin(())
            assert len(listed(search)) == count


@pytest.mark.parametrize("dense", [0, 64])
def test_costs_whose_bounds_add_up_to_more_than_63_bits(dense: int) -> None:
    """Each item asks for what its cheapest option costs, and many items share that."""
    items = list(range(60))
    problem = make([items, items], 60, costs=[2**61, 2**61 + 1])
    search = _native.Search(problem, dense)
    search.begin((), cheapest=2)
    while search.advance(100, 1, True):
        pass
    assert search.cheapest() == [(0,), (1,)]


# -- searches --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("instructions", "dense"), SEARCHES)
def test_givens_that_make_no_sense_are_refused(instructions: str, dense: int) -> None:
    search = _native.Search(dominoes(6), dense, instructions)
    for what in (search.begin, search.children):
        for given, without in (([99], []), ([], [99]), ([0, 2**32 - 1], [])):
            with pytest.raises(ValueError, match="no such option"):
                what(given, "mrv", without)
        with pytest.raises(ValueError, match="given twice"):
            what([0, 1, 0])
        with pytest.raises(ValueError, match="no such heuristic"):
            what([], "luck")
        with pytest.raises(TypeError):
            what([-1])
    with pytest.raises(ValueError, match="no costs"):
        search.begin([], cheapest=1)
    assert not search.begin([0], "mrv", [0])  # given and left out
    assert not search.advance(100, 1, True)
    assert search.take() == []
    assert search.begin(())
    assert len(listed(search)) == 13


@pytest.mark.parametrize(("instructions", "dense"), SEARCHES)
def test_what_is_left_out_is_left_out_by_planes_too(instructions: str, dense: int) -> None:
    """Items with few options each are searched by planes."""
    size = 300
    problem = make([[k, (k + 1) % size] for k in range(size)], size)
    search = _native.Search(problem, dense, instructions)
    search.begin(())
    assert len(listed(search)) == 2
    search.begin([], "mrv", [7])
    assert listed(search) == [tuple(range(0, size, 2))]


def test_nothing_goes_on_that_has_not_begun() -> None:
    search = _native.Search(dominoes(6))
    for prepare in (lambda: None, lambda: search.children(()), lambda: search.probe(1)):
        prepare()
        with pytest.raises(RuntimeError, match="no search has begun"):
            search.advance(10, 1, True)
        assert search.take() == search.cheapest() == []
    search.begin(())
    with pytest.raises(ValueError, match="most must be at least 1"):
        search.advance(10, 0, True)
    assert search.advance(1, 1, True)
    assert len(listed(search)) == 13
    assert not search.advance(1, 1, True)


def test_a_profile_begins_with_the_next_search() -> None:
    size = 300
    search = _native.Search(make([[k, (k + 1) % size] for k in range(size)], size))
    search.begin(())
    search.watch(True)
    while search.advance(1, 1, False):
        pass
    assert search.counters().solutions == 2
    assert search.profile() == ([], 0)
    search.begin(())
    while search.advance(1, 1, False):
        pass
    assert sum(search.profile()[0]) > 0


@pytest.mark.parametrize("seed", range(40))
def test_any_calls_in_any_order(seed: int) -> None:
    """Each either does what it should or says why not."""
    chance = random.Random(seed)
    problem = dominoes(5)
    search, sweep, memo = _native.Search(problem), _native.Sweep(problem, recorded=True), _native.Memo(problem)
    diagrams = _native.Diagrams(range(13), 1 << 24)

    def some() -> list[int]:
        return [chance.randrange(15) for _ in range(chance.randrange(3))]

    calls: list[Callable[[], object]] = [
        lambda: search.begin(some(), chance.choice(["mrv", "leftmost", "weighted"]), some(), chance.randrange(2)),
        lambda: search.children(some(), "mrv", some()),
        lambda: search.advance(chance.randrange(4), chance.randrange(3), chance.random() < 0.5),
        *[search.take, search.cheapest, search.profile, search.log, search.explored, search.memory],
        lambda: search.watch(chance.random() < 0.5),
        lambda: search.probe(chance.getrandbits(64)),
        lambda: sweep.advance(chance.randrange(9)),
        *[sweep.total, sweep.progress, sweep.bits, sweep.memory],
        lambda: memo.advance(chance.randrange(4)),
        *[memo.total, memo.thin, memo.counters, memo.explored, memo.entries, memo.memory],
        lambda: diagrams.of_sweep(sweep),
        lambda: diagrams.of_memo(problem),
        lambda: diagrams.of_sets([some() for _ in range(3)]),
        lambda: diagrams.add(chance.randrange(20), chance.randrange(20)),
        lambda: diagrams.nodes(chance.randrange(20)),
    ]
    for _ in range(300):
        try:
            chance.choice(calls)()
        except (ValueError, RuntimeError) as error:
            assert len(str(error)) > 10
    search.begin(())
    assert len(listed(search)) == 8
    while sweep.advance(10) or memo.advance(10):
        pass
    assert int.from_bytes(memo.total(), "little") == 8
    assert diagrams.of_sweep(sweep) == diagrams.of_memo(problem)


# -- orders, levels and families -------------------------------------------------------------------


@pytest.mark.parametrize("order", [[0], [0, 0, 1, 2], [0, 1, 2, 4], [0, 1, 2, 3, 3], [2**32 - 1, 1, 2, 3]])
def test_an_order_that_is_no_permutation_is_refused(order: list[int]) -> None:
    with pytest.raises(ValueError, match="each primary item once"):
        _native.Sweep(dominoes(2), order=order)


def test_families_and_levels_that_make_no_sense_are_refused() -> None:
    diagrams = _native.Diagrams([4, 0, 2], 1 << 20)
    family = diagrams.of_sets([[0, 1], [2]])
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: diagrams.nodes(99), "no such family"),
        (lambda: diagrams.add(family, 99), "no such family"),
        (lambda: diagrams.of_sets([[1, 1]]), "an option twice"),
        (lambda: diagrams.of_sets([[3]]), "no level"),
        (lambda: diagrams.of_memo(dominoes(2)), "no level"),
        (lambda: _native.Diagrams([3, 1, 3], 1 << 20), "same level"),
        (lambda: _native.Diagrams([2**32 - 1], 1 << 20), "too large"),
    ]
    for call, message in calls:
        with pytest.raises(ValueError, match=message):
            call()
    assert diagrams.of_sets([[2], [0, 1], [2]]) == family


def test_diagrams_that_ran_out_of_memory_are_not_used_again() -> None:
    diagrams = _native.Diagrams(range(2 * 40 * 39 + 1600), 1 << 10)
    board = [[row * 14 + column, row * 14 + column + 1] for row in range(14) for column in range(13)]
    board += [[row * 14 + column, row * 14 + column + 14] for row in range(13) for column in range(14)]
    with pytest.raises(MemoryError):
        diagrams.of_memo(make(board, 196))
    with pytest.raises(RuntimeError, match="memory ran out"):
        diagrams.add(0, 1)
