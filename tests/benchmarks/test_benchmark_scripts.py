"""Every script in `benchmarks/` runs, and fails if what it measures is wrong."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from commands import PATIENCE
from exactcover.engines.base import ENGINES

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SCRIPTS = sorted(
    file.stem for file in BENCHMARKS.glob("*.py") if 'if __name__ == "__main__"' in file.read_text("utf-8")
)

pytestmark = [pytest.mark.skipif("native" not in ENGINES, reason="they measure native code"), pytest.mark.slow]


@dataclass(frozen=True)
class Case:
    """One run of a script: its small arguments, a line that makes a result wrong, and what the script says then."""

    script: str
    arguments: tuple[str, ...]
    sabotage: str = ""
    said: str = ""
    setting: str = ""  # lines of Python that run before it in any case

    def __str__(self) -> str:
        return " ".join((self.script, *self.arguments))

    def run(self, folder: Path, preamble: str = "") -> subprocess.CompletedProcess[str]:
        """Run the script in a process of its own, after some lines of Python."""
        script = BENCHMARKS / f"{self.script}.py"
        lines = [
            "import runpy, sys",
            f"sys.path.insert(0, {str(BENCHMARKS)!r})",
            f"sys.argv = {[str(script), *self.arguments]!r}",
            self.setting,
            preamble,
            f"runpy.run_path({str(script)!r}, run_name='__main__')",
        ]
        command = [sys.executable, "-P", "-c", "\n".join(lines)]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)


def compare(disciplines: str, *arguments: str) -> Case:
    return Case("compare", (*disciplines.split(), "--rounds", "1", *arguments))


LIST_THEM_TWICE = """
from exactcover.viewer import view
real = view._pack_solutions
view._pack_solutions = lambda solutions: real([*solutions, *solutions])
"""
WRONG_COUNT = "import exactcover; exactcover.Problem.count = lambda *_, **how: 1"
WRONG_NUMBER = "import suite; suite.SUITE['queens 10'] = (suite.SUITE['queens 10'][0], 1)"
FAIL_TO_FIND = """
from exactcover.search.search import Search
Search.positions = lambda self: 1 / 0
"""
CERTIFY_ONE_MORE = """
from exactcover.certificates import certify
certify_count = certify.certify_count
certify.certify_count = lambda *given, **how: certify_count(*given, **how) + 1
"""
MISCOUNT_RUNS = """
import dataclasses, exactcover
status = exactcover.Run.status
exactcover.Run.status = lambda self: dataclasses.replace(status(self), solutions=1)
"""
LET_CLOCKS_RACE = "import itertools, time; turn = itertools.count(); time.process_time = lambda: next(turn) ** 9"
LOSE_CUBES = "from exactcover.runs.cube_scheduler import CubeScheduler; CubeScheduler.complete = lambda *_: None"
PROGRAMS_IN_PYTHON = f"""
import native_programs, pathlib
def build(program, folder, *configure, suffix=""):
    folder.mkdir(parents=True, exist_ok=True)
    built = folder / program
    script = "{Path(__file__).with_name("native_programs_in_python.py")}"
    built.write_text(f"#!/bin/sh\\nexec {sys.executable} -P {{script}} {{program}} $*\\n")
    built.chmod(0o755)
    return str(built)
native_programs.build_program = build
"""

WRITE_PUZZLES = """
import json, pathlib
puzzles = {"one": {"problem": "1 5\\n3 - - - 3", "solution": "1 5\\nx x x x x"}, "two": {"problem": "1 3\\n- 3 -"}}
pathlib.Path("Slitherlink.json").write_text(json.dumps({"data": puzzles}))
"""
ALLOW_TWO_LOOPS = "import problems; problems.Slitherlink.rules = lambda self: []"
WRITE_SUDOKU = """
import json, pathlib
puzzle = {"problem": "4 4\\n1 2 3 4\\n3 4 1 -\\n2 1 - -\\n4 - - -", "solution": "4 4\\n1 2 3 4\\n3 4 1 2\\n2 1 4 3\\n4 3 2 1"}
pathlib.Path("Sudoku.json").write_text(json.dumps({"data": {"one": puzzle}}))
"""
STATE_ANOTHER = "import problems.grid; problems.grid.Grid.decode = lambda self, solution: {(1, 1): '2'}"

CASES = [
    compare("counting", "--only", "queens 10"),
    compare("costs", "--only", "queens 14", "--timeout", "20"),
    compare("planning", "--only", "crews 50 x 2000$", "--timeout", "20"),
    compare("symmetry symmetry-memory", "--only", "queens 10"),
    compare("published", "--only", "K30", "--timeout", "1"),
    compare("classes", "--only", "8x8 without"),
    compare("multiplicities", "--only", "binary"),
    compare("listing", "--only", "Langford 8"),
    compare("first", "--only", "queens 50$"),
    Case(
        "compare",
        ("finding", "--rounds", "1", "--only", "T tetrominoes", "--timeout", "20"),
        FAIL_TO_FIND,
        "leftmost found an error: ZeroDivisionError",
    ),
    compare("sudoku", "--only", "easy puzzles$", "--stream", "5"),
    compare("memory counts-memory", "--only", "queens 10|K16"),
    compare("jobs counts", "--only", "5x12|K16"),
    compare("loops", "--only", "5x5"),
    Case("certificates", ("--only", "queens 12", "--rounds", "1"), WRONG_COUNT, "14200 with a certificate, 1 without"),
    Case("certificates", ("--configurations", "--only", "queens_8"), CERTIFY_ONE_MORE),
    Case("effort", ("--only", "queens 10"), WRONG_NUMBER, "found 724, expected 1"),
    Case(
        "processors",
        ("x86_64", "--only", "queens 13", "--rounds", "1"),
        "import suite; suite.SUITE['queens 13'] = (suite.SUITE['queens 13'][0], 1)",
        "queens 13 has 1 solutions",
        PROGRAMS_IN_PYTHON,
    ),
    Case(
        "pages",
        ("--board", "3x20", "--nodes", "2000", "--rounds", "1", "--moves", "20", "--seconds", "0.3"),
        LIST_THEM_TWICE,
        "WRONG: the page counts",
    ),
    Case("runs", ("queens n=8",), MISCOUNT_RUNS, "{'threads': 92, 'run': 1}"),
    Case("scale", ("--workers", "5"), LOSE_CUBES, "never searched"),
    Case("uniqueness", (".",), ALLOW_TWO_LOOPS, "what exactcover finds breaks the rules", WRITE_PUZZLES),
    Case("pencil_puzzles", (".", "Sudoku"), STATE_ANOTHER, "WRONG: a puzzle has another solution", WRITE_SUDOKU),
    Case("sizes", ("--only", "queens", "--most", "20"), LET_CLOCKS_RACE, "a cliff"),
]


def test_every_script_has_a_case_that_goes_wrong() -> None:
    assert sorted({case.script for case in CASES if case.sabotage}) == SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_describes_itself_without_the_current_folder_in_the_path(script: str, tmp_path: Path) -> None:
    command = [sys.executable, "-P", str(BENCHMARKS / f"{script}.py"), "--help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"python benchmarks/{script}.py" in done.stdout


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_script_runs_and_reports_that_all_is_well(case: Case, tmp_path: Path) -> None:
    done = case.run(tmp_path)
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert done.stdout + done.stderr


@pytest.mark.parametrize("case", [case for case in CASES if case.sabotage], ids=str)
def test_every_script_fails_if_a_result_is_wrong(case: Case, tmp_path: Path) -> None:
    done = case.run(tmp_path, case.sabotage)
    assert done.returncode == 1, (done.stdout, done.stderr)
    assert case.said in done.stdout + done.stderr
    assert "Traceback (most recent call last)" not in done.stderr, done.stderr


@pytest.mark.parametrize("arguments", [("compare", "counting", "--only", "nothing"), ("effort", "--only", "nothing")], ids=" ".join)  # fmt: skip
def test_nothing_compared_is_no_success(arguments: tuple[str, ...], tmp_path: Path) -> None:
    assert Case(arguments[0], arguments[1:]).run(tmp_path).returncode == 1


@pytest.mark.parametrize("script, arguments, said", [
    ("compare", ("countng",), "expected one of counting"),
    ("scale", ("nothing.run",), "there is no such file"),
    ("runs", ("queens n=nonsense",), "expected a whole number"),
    ("uniqueness", (".",), "there is no Slitherlink.json"),
])  # fmt: skip
def test_wrong_arguments_of_scripts_are_refused(
    script: str, arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    done = Case(script, arguments).run(tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_missing_libraries_are_named_before_anything_is_measured(tmp_path: Path) -> None:
    without = """
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *given: None if name == "matplotlib" else find(name, *given)
"""
    plain = compare("counting", "--only", "queens 10").run(tmp_path, without)
    assert plain.returncode == 0, plain.stderr
    assert plain.stderr.startswith("matplotlib is not installed, so there will be no plots\n")
