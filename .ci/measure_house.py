"""Print the sizes of the project beside those to arrive at, which docs/contributing.md states.

    python .ci/measure_house.py

Needs a Python in which this clone is installed. It counts lines and files; how deep modules stand above each other; and
what the count of eight queens passes, loads and takes. Times are the least of several.
"""

from __future__ import annotations

import ast
import os
import resource
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
COUNT = ["-m", "exactcover", "count", "queens", "n=8"]
PASSED = """
import sys
from problems import Queens
problem, functions = Queens(n=8).problem(), set()
def note(frame, event, argument):
    name = frame.f_globals.get("__name__", "")
    if event == "call" and name.startswith("exactcover"):
        functions.add((name, frame.f_code.co_qualname))
sys.setprofile(note); problem.count(); sys.setprofile(None)
print(len({name for name, _ in functions}), "modules,", len(functions), "functions")
"""
LOADED = """
import sys
from exactcover.cli.main import run
run(["count", "queens", "n=8"])
print(sum(name.startswith(("exactcover", "problems")) for name in sys.modules), file=sys.stderr)
"""


def count_lines(pattern: str, *folders: str) -> str:
    """Return the numbers of lines and of files in some folders."""
    files = [file for folder in folders for file in (ROOT / folder).rglob(pattern) if file.is_file()]
    return f"{sum(len(file.read_bytes().splitlines()) for file in files):,} / {len(files)}"


def list_imports(module: str) -> set[str]:
    """Return the modules of the package that a module imports when it is loaded."""
    tree = ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text())
    found = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module]
    names = {name for node in found for name in (node.module, *(f"{node.module}.{one.name}" for one in node.names))}
    return {name for name in names if name and (ROOT / f"{name.replace('.', '/')}.py").is_file()}


@cache
def find_floor(module: str) -> int:
    """Return how many modules stand above each other below this one, with itself."""
    return 1 + max(map(find_floor, list_imports(module)), default=0)


def list_modules() -> Iterable[str]:
    """Return the names of the modules of the package."""
    files = (file.relative_to(ROOT).with_suffix("") for file in (ROOT / "exactcover").rglob("*.py"))
    return (".".join(file.parts) for file in files if "template" not in file.parts and file.name != "__init__")


def measure_user_time(arguments: list[str]) -> float:
    """Return the least user time of a Python process, in seconds."""
    times = []
    for _ in range(7):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True, cwd=ROOT)
        times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return min(times)


def run(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a Python process of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, env=environment)


def main() -> None:
    """Print the table."""
    rows = {
        "Python of both packages, lines / files": (count_lines("*.py", "exactcover", "problems"), "45,000"),
        "Python files of exactcover": (count_lines("*.py", "exactcover"), "200 files"),
        "C++, lines / files": (count_lines("*pp", "exactcover/native"), "9,000"),
        "scripts of pages, lines / files": (count_lines("*.js", "exactcover", "docs"), "7,200"),
        "tests, lines / files": (count_lines("*.py", "tests"), "25,000"),
        "benchmarks, lines / files": (count_lines("*.py", "benchmarks"), "3,500"),
        "floors": (str(max(map(find_floor, list_modules()))), "11"),
        "a count of eight queens passes": (run(PASSED).stdout.strip(), "14 modules, 90 functions"),
        "modules loaded by `exactcover count queens n=8`": (run(LOADED).stderr.split()[-1], "70"),
        "its user time beside bare Python, seconds": (
            f"{measure_user_time(COUNT) - measure_user_time(['-c', '']):.2f}",
            "0.10",
        ),
    }
    print("| what | now | to arrive at |\n|---|---|---|")
    for name, (now, wanted) in rows.items():
        print(f"| {name} | {now} | {wanted} |")


if __name__ == "__main__":
    main()
