"""Solutions as data frames."""

import sys
from typing import Any

import pytest

from exactcover import EngineUnavailableError, Problem, Status

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
