"""Programs of D. E. Knuth that are on the path find the same numbers of solutions and least costs."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from contest import COST, program
from exactcover import Problem, Status, StoppedError
from exactcover.engines.base import ENGINES
from exactcover.formats import dlx
from strategies import priced, problems

PROGRAMS = [name for name in ("dlx2", "dlx3", "ssmcc", "xccdc", "dlx5") if shutil.which(name)]
FOLDER = os.environ.get("EXACTCOVER_DLX_FILES", "")
FILES = sorted(Path(FOLDER).glob("*.dlx")) if FOLDER else []
TIMEOUT = 60  # seconds; who takes longer is not compared
NO_SOLUTION = -1  # our least cost then; programs report nothing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::exactcover.errors.FormatWarning"),
    pytest.mark.skipif(not PROGRAMS, reason="none of Knuth's programs is on the path"),
]


def ask_program(name: str, file: Path) -> object:
    """Return what a program finds; None if it takes too long, or does not support the problem."""
    if name == "dlx5":
        return program(name, file, TIMEOUT, report=COST)()
    return program(name, file, TIMEOUT, "v1")()


def ask_engine(name: str, problem: Problem) -> int | None:
    """Return the number of solutions, or the least cost in units; None if that takes too long."""
    if any(problem.matrix.costs):
        search = problem.cheapest(engine=name, timeout=TIMEOUT)
        found = list(search.positions())
        if search.status not in (Status.OPTIMAL, Status.UNSATISFIABLE):
            return None
        return sum(problem.matrix.costs[option] for option in found[0]) if found else NO_SOLUTION
    try:
        return problem.count(engine=name, timeout=TIMEOUT)
    except StoppedError:
        return None


def compare(problem: Problem, file: Path) -> None:
    is_priced = any(problem.matrix.costs)
    found: dict[str, object] = {name: ask_engine(name, problem) for name in ("native", "sets") if name in ENGINES}
    found |= {name: ask_program(name, file) for name in PROGRAMS if (name == "dlx5") == is_priced}
    assert len({result for result in found.values() if result is not None}) <= 1, found


@given(problem=problems(most_options=24) | priced(prices=st.just(st.integers(1, 30))))
def test_random_problems(problem: Problem, tmp_path: Path) -> None:
    assume(problem.labels)
    file = tmp_path / "random.dlx"
    with file.open("w", encoding="utf-8") as out:
        dlx.write(problem, out)
    compare(problem, file)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_files(file: Path) -> None:
    with file.open(encoding="utf-8") as lines:
        compare(dlx.read(lines, str(file)), file)
