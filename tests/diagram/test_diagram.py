"""Counting by sweeps and memos, and diagrams of integers."""

import math
import threading
import traceback
from collections import Counter
from collections.abc import Callable
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classics import put_together
from commands import StopWhen
from exactcover import Colored, EngineUnavailableError, Problem, SearchOptions, Stop, StoppedError
from exactcover.control.options import Strategy
from problems import Polyomino, Queens
from strategies import priced, problems

_native = pytest.importorskip("exactcover._native")

from exactcover.engines.diagram import DiagramEngineRun  # noqa: E402 - needs the native module
from exactcover.engines.native import NativeEngine  # noqa: E402
from native_problems import complete, total  # noqa: E402

STRATEGIES: tuple[Strategy, ...] = ("auto", "search", "sweep", "memo")
DOMINOES_12 = 53060477521960000


def dominoes(size: str) -> Problem:
    return Polyomino(size, "dominoes", copies="any").problem()


@given(problem=problems(most_options=20, most_primary=8))
def test_a_diagram_holds_the_solutions_in_order(problem: Problem) -> None:
    listed = sorted(problem.solve(engine="sets").positions())
    assert list(problem.solve(engine="diagram").positions()) == listed
    native, matrix = NativeEngine(), problem.matrix
    levels = list(range(len(matrix)))
    for way in ("memo", "sweep"):
        diagrams = _native.Diagrams(levels, 1 << 30)
        if way == "memo":
            root = diagrams.of_memo(native.problem(matrix, Stop()))
        else:
            root = diagrams.of_sweep(complete(_native.Sweep(native.problem(matrix, Stop()), recorded=True), 3))
        # The same family is the same node, whatever the way to it.
        assert root == diagrams.of_sets(listed)


@given(problem=problems(most_options=20, most_primary=8), order=st.randoms(use_true_random=False))
def test_equal_hashes_change_nothing(problem: Problem, order: object) -> None:
    """All keys collide, in every table there is; and any order of the items will do."""
    native, matrix = NativeEngine(), problem.matrix
    prepared = native.problem(matrix, Stop())
    items = list(range(matrix.primary))
    order.shuffle(items)  # type: ignore[attr-defined]
    sweep = _native.Sweep(prepared, order=items, hash_mask=0)
    memo = _native.Memo(prepared, hash_mask=0)
    while memo.advance(1):
        memo.thin()
    assert total(sweep, 5) == total(memo) == problem.count(engine="sets")
    diagrams = _native.Diagrams(list(range(len(matrix))), 1 << 30, hash_mask=0)
    assert diagrams.of_memo(prepared) == diagrams.of_sets(sorted(problem.solve(engine="sets").positions()))


@pytest.mark.parametrize("strategy", ["sweep", "memo"])
def test_a_tight_memory_changes_nothing(strategy: Strategy) -> None:
    for memory in (None, 50_000):
        options = SearchOptions(engine="diagram", strategy=strategy, memory=memory)
        assert dominoes("10x10").count(options=options) == 258584046368


@pytest.mark.parametrize("strategy", ["sweep", "memo"])
def test_numbers_of_several_words_are_added(strategy: Strategy) -> None:
    number = 112202208776036178000000  # OEIS A004003
    assert dominoes("14x14").count(engine="diagram", options=SearchOptions(strategy=strategy)) == number


def test_numbers_of_many_words_are_multiplied() -> None:
    """Parts that are not connected are counted apart; so a memo multiplies them."""
    whole = put_together(*[dominoes("8x8")] * 9)
    for strategy in ("memo", "sweep"):
        assert whole.count(engine="diagram", options=SearchOptions(strategy=strategy)) == 12988816**9


def test_secondary_items_are_forgotten_in_time() -> None:
    """N rooks anywhere on a board, at most one in a column, is a matter of choosing columns in order."""
    rooks = [((row, column), [f"row {row}", f"column {column}"]) for row in range(6) for column in range(9)]
    problem = Problem(rooks, secondary=[f"column {column}" for column in range(9)])
    expected = comb(9, 6) * 720
    for strategy in STRATEGIES:
        assert problem.count(engine="diagram", options=SearchOptions(strategy=strategy)) == expected


@given(problem=priced(), data=st.data())
def test_what_a_diagram_of_a_problem_says(problem: Problem, data: st.DataObject) -> None:
    listed = sorted(problem.solve(engine="sets").positions())
    solutions = [tuple(problem.labels[position] for position in found) for found in listed]
    diagram = problem.diagram()
    assert diagram.count == len(solutions)
    assert list(diagram) == solutions == [diagram[k] for k in range(len(solutions))]
    assert all(found in diagram for found in solutions)
    assert ["no such label"] not in diagram
    assert diagram.marginals() == {label: sum(label in found for found in solutions) for label in problem.labels}
    assert diagram == problem.diagram(engine="sets")
    compact = problem.diagram(order="compact")
    assert sorted(compact) == sorted(solutions)
    assert diagram.cheapest(3) == sorted(solutions, key=problem.cost)[:3]
    if problem.labels:
        label = data.draw(st.sampled_from(problem.labels))
        halves = diagram.restrict(with_options=[label]), diagram.restrict(without_options=[label])
        assert halves[0] | halves[1] == halves[0] ^ halves[1] == diagram
        assert not halves[0] & halves[1]
        assert diagram - halves[1] == halves[0]
        assert halves[1] == problem.diagram(without=[label])
        assert halves[0] == problem.diagram(given=[label])
        assert halves[0] == problem.diagram(given=[label], engine="sets")
        assert sorted(problem.diagram(given=[label], order="compact")) == sorted(halves[0])


def test_samples_are_uniform() -> None:
    """Chi square with 35 degrees of freedom: 66.6 has a probability of 0.001; and the seed is fixed."""
    diagram = dominoes("4x4").diagram()
    drawn = Counter(diagram.sample(7200, seed=5))
    assert len(drawn) == diagram.count == 36
    assert sum((often - 200) ** 2 / 200 for often in drawn.values()) < 66.6
    assert diagram.sample(3, seed=1) == diagram.sample(3, seed=1)


def test_a_solution_that_is_part_of_another_has_a_number_too() -> None:
    free = Problem({"A": [1], "B": [2]}, multiplicity={1: (0, 1), 2: (0, 1)}).diagram()
    assert [free[k] for k in range(4)] == list(free) == [(), ("A",), ("A", "B"), ("B",)]


def test_a_large_solution_set() -> None:
    board = dominoes("12x12")
    diagram = board.diagram(order="compact")
    assert diagram.count == DOMINOES_12
    assert board.verify(diagram[DOMINOES_12 // 3])
    assert diagram[-1] in diagram
    assert board.verify(diagram.cheapest(1, cost=lambda label: label.cells[0][0])[0])


def test_what_cannot_be_asked_of_a_diagram() -> None:
    diagram: Any = Problem({"A": [1], "B": [2], "C": [1, 2]}).diagram()
    asked: list[tuple[Callable[[], object], str]] = [
        (lambda: diagram[2], "there are 2 solutions; got 2"),
        (lambda: diagram.problem.diagram(order="random"), "there is no order called 'random'"),
        (lambda: diagram | Problem({"A": [1]}).diagram(), "diagrams of the same problem"),
        (lambda: (diagram - diagram).sample(1), "cannot draw 1 of 0 solutions"),
    ]
    for ask, message in asked:
        with pytest.raises((IndexError, ValueError), match=message):
            ask()


@pytest.mark.parametrize("way", ["sweep", "memo"])
def test_a_stop_in_the_middle_of_a_large_union_is_obeyed(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of this problem, the last unions take most of the work."""
    polled: list[bool] = []
    rungs = [(f"rung {k}", [f"a{k}", f"b{k}"]) for k in range(20)]
    ladder = Problem(rungs + [(f"{s}{k}", [f"{s}{k}", f"{s}{k + 1}"]) for k in range(19) for s in "ab"])
    note_count = DiagramEngineRun.note_count

    def build(polls: float) -> int:
        """Return the count, unless a stop comes at this poll after counting."""

        def begin(self: DiagramEngineRun, total: int, _: str) -> None:
            note_count(self, total, way)
            polled.append(True)

        polled.clear()
        monkeypatch.setattr(DiagramEngineRun, "note_count", begin)
        stop = StopWhen(lambda: bool(polled) and (polled.append(True) or len(polled) > polls))  # type: ignore[func-returns-value]
        return ladder.diagram(stop=stop).count

    for polls in (1, 3):
        with pytest.raises(StoppedError):
            build(polls)
    assert build(math.inf) == 10946


def test_a_diagram_without_the_memory_for_it() -> None:
    with pytest.raises(StoppedError) as stopped:
        dominoes("12x12").diagram(memory=50_000)
    assert stopped.value.status.value == "memory"
    assert stopped.value.at_least == 53060477521960000


@pytest.mark.parametrize(("strategy", "limits"), [("memo", ["at most 16384 options"]),
                                                  ("sweep", ["at most 512 bits", "at most 16384 options"])])  # fmt: skip
def test_a_problem_too_large_for_a_strategy_says_so(strategy: Strategy, limits: list[str]) -> None:
    problem = Queens(n=150).problem()
    with pytest.raises(EngineUnavailableError) as error:
        problem.count(engine="diagram", options=SearchOptions(strategy=strategy))
    assert all(limit in str(error.value) for limit in limits)


def test_a_diagram_that_is_built_does_not_block_another() -> None:
    is_building, goes_on = threading.Event(), threading.Event()

    def wait_while_building() -> bool:
        if any(frame.name == "build_diagram" for frame in traceback.extract_stack(limit=20)):
            is_building.set()
            goes_on.wait()
        return False

    search = Queens(n=6).problem().solve(engine="diagram", stop=StopWhen(wait_while_building))
    thread = threading.Thread(target=list, args=(search,), daemon=True)
    thread.start()
    is_building.wait()
    assert list(Problem({"A": [1], "B": [1]}).solve(engine="diagram")) == [("A",), ("B",)]
    goes_on.set()
    thread.join()


def test_items_that_may_be_covered_several_times_are_counted_apart() -> None:
    options = {name: ["a", "b", *more] for name, more in {"A": "c", "B": "d", "C": "cd", "D": ""}.items()}
    several: list[dict[str, Any]] = [{"a": (1, 2)}, {"a": (1, 2), "b": (1, 2)}, {"a": 2, "b": (0, 3)}, {"a": (0, 1)}]
    for bounds in several:
        problem = Problem(options, primary=[*"abcd"], multiplicity=bounds)
        expected = problem.count(engine="sets")
        assert problem.count(engine="diagram", options=SearchOptions(strategy="sweep")) == expected


def test_many_items_that_are_all_remembered_are_refused_soon() -> None:
    """Every option but the last few waits for one of many items: a key of thousands of words."""
    size = 60_000
    pairs = [[k, k + size] for k in range(size)] + [[k + size] for k in range(size)]
    order = list(range(2 * size))
    problem = NativeEngine().problem(Problem(enumerate(pairs), primary=order).matrix, Stop())
    with pytest.raises(_native.TooLargeError, match="at most 512 bits"):
        _native.Sweep(problem, order=order)
    with pytest.raises(_native.TooLargeError, match="at most 16384 options"):
        _native.Memo(problem)


def test_items_and_colors_in_masses_are_refused_by_a_memo() -> None:
    options = {k: [0, *(Colored(f"s{j}", k * 100 + j) for j in range(60))] for k in range(5000)}
    problem = NativeEngine().problem(Problem(options, secondary=[f"s{j}" for j in range(60)]).matrix, Stop())
    with pytest.raises(_native.TooLargeError, match="items and colors"):
        _native.Memo(problem)


def test_a_diagram_of_too_many_options_for_a_memo_is_drawn_by_a_sweep() -> None:
    """A memo does not take them, and there are too many solutions to be listed."""
    problem = Problem(((item, choice), [item]) for item in range(9) for choice in range(2000))
    diagram = problem.diagram()
    assert diagram.count == 2000**9
