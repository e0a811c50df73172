"""Solutions in batches are the solutions one by one; and solutions as data frames."""

import importlib.util
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover import EngineUnavailableError, Problem, SearchOptions, Status, Stop
from problems import Queens
from strategies import problems


@given(problems(), st.integers(1, 5))
def test_batches_hold_all_solutions(engine: str, problem: Problem, size: int) -> None:
    expected = list(problem.solve(engine=engine).positions())
    search = problem.solve(engine=engine)
    batches = list(search.batches(size))
    assert [solution for batch in batches for solution in batch] == expected
    assert all(len(batch) for batch in batches)
    assert search.status is (Status.COMPLETE if expected else Status.UNSATISFIABLE)
    assert search.statistics.solutions == len(expected)


@pytest.mark.parametrize("options", [
    {"limit": 50}, {"seed": 3}, {"given": ["r1c3"]},
    *({"options": SearchOptions(**one)} for one in ({"distinct": True}, {"jobs": 2}, {"reduce": True})),
], ids=["limit", "seed", "given", "distinct", "jobs", "reduce"])  # fmt: skip
def test_batches_of_any_search(options: dict[str, Any]) -> None:
    problem = Queens(n=8).problem()
    batches = problem.solve(**options).batches(7)
    assert [one for batch in batches for one in batch] == list(problem.solve(**options).positions())


def test_batches_after_single_solutions() -> None:
    search = Queens(n=8).problem().solve()
    first = [next(search.positions()) for _ in range(3)]
    rest = [one for batch in search.batches(10) for one in batch]
    assert first + rest == list(Queens(n=8).problem().solve().positions())


def test_batches_of_a_search_that_is_stopped() -> None:
    stop = Stop()
    search = Queens(n=10).problem().solve(stop=stop)
    batches = search.batches(10)
    assert len(next(batches)) > 0
    stop.request()
    assert sum(map(len, batches)) < 724
    assert search.status is Status.INTERRUPTED


@pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="needs numpy")
def test_batches_as_numpy_arrays() -> None:
    batch = next(Queens(n=6).problem().solve().batches())
    starts, options = batch.to_numpy()
    assert starts.tolist() == list(batch.starts) and options.tolist() == list(batch.options)


@pytest.mark.skipif(importlib.util.find_spec("pyarrow") is None, reason="needs pyarrow")
def test_batches_as_arrow_arrays() -> None:
    batch = next(Queens(n=6).problem().solve().batches())
    assert [tuple(one) for one in batch.to_arrow().to_pylist()] == list(batch)


PROBLEM = Problem({"A": [1], "B": [2], "C": [1, 2]}, costs={"A": 3, "C": 1})
EXPECTED = {"solution": [1, 1, 2], "option": ["A", "B", "C"], "cost": [3, 0, 1]}


def to_dict(frame: Any) -> dict[str, list[Any]]:
    if hasattr(frame, "to_pydict"):
        return dict(frame.to_pydict())
    return {name: frame[name].to_list() for name in frame.columns}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_of_each_library(library: str) -> None:
    pytest.importorskip(library)
    frame = PROBLEM.solve().frame(library)
    assert type(frame).__module__.partition(".")[0] == library
    assert to_dict(frame) == EXPECTED
    search = PROBLEM.cheapest(2)
    assert to_dict(search.frame(library))["option"] == ["C", "A", "B"] and search.status is Status.OPTIMAL
    first = PROBLEM.solve(limit=1)
    assert to_dict(first.frame(library))["option"] == ["A", "B"] and first.status is Status.LIMIT
    assert to_dict(PROBLEM.solve(without=["B", "C"]).frame(library)) == {"solution": [], "option": [], "cost": []}
    queens = Problem({(row, row + 1): [row] for row in range(3)}).solve().frame(library)
    assert to_dict(queens) == {"solution": [1, 1, 1], "option": ["(0, 1)", "(1, 2)", "(2, 3)"]}
    assert Problem.from_frame(frame, item="solution").options == {"A": (1,), "B": (1,), "C": (2,)}


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="there is no library called 'dask'"):
        PROBLEM.solve().frame("dask")
    for name in ("pandas", "polars", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    search = PROBLEM.solve()
    with pytest.raises(EngineUnavailableError, match="a frame needs polars; install it with"):
        search.frame("polars")
    with pytest.raises(EngineUnavailableError, match="a frame needs pandas"):
        search.frame()
    assert len(list(search)) == 2  # nothing is lost
