"""Integer linear programs: HiGHS reads them, and finds the same costs."""

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import pytest
from hypothesis import given

from damage import write_text
from exactcover import Problem
from exactcover.formats.linear import write_lp, write_mps
from strategies import COSTS, priced


@pytest.mark.parametrize(("suffix", "write"), [("lp", write_lp), ("mps", write_mps)])
@given(problem=priced(prices=COSTS))
def test_highs_finds_the_same_least_cost(
    suffix: str, write: Callable[[Problem, TextIO], None], problem: Problem, tmp_path: Path
) -> None:
    highspy = pytest.importorskip("highspy")
    file = tmp_path / f"some.{suffix}"
    file.write_text(write_text(write, problem), "utf-8")
    solver = highspy.Highs()
    solver.silent()
    assert solver.readModel(str(file)) == highspy.HighsStatus.kOk
    solver.run()
    found = [float(problem.cost(solution)) for solution in problem.cheapest()]
    if found:
        assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        assert solver.getInfo().objective_function_value == pytest.approx(found[0])
    else:
        assert solver.getModelStatus() != highspy.HighsModelStatus.kOptimal
