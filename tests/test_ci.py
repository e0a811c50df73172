"""The script that says whether a change may be merged runs every part, and fails if any part fails.

Programs that only write down how they were called take the place of Python, pip and the linters, and of the scripts
that build a release and the site.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from commands import PATIENCE

ROOT = Path(__file__).parents[1]
TOOL = """#!/bin/bash
called="$(basename "$0") $*"
echo "$called" >> "$CALLS"
case "$called" in *"$FAILING"*) exit 9 ;; esac
case "$called" in
  *--version) echo "Python 3.x" ;;
  "release "*) touch "$2/some.whl" ;;
esac
"""
PYTHON = """#!/bin/bash
case "$*" in
  "-c import ensurepip"*) case "$0" in *.11|*.12|*.13) echo "${0##*.} $0" ;; *) exit 1 ;; esac ;;
  "-m venv "*) mkdir -p "$3/bin"; for tool in python ruff mypy; do cp "$(dirname "$0")/tool" "$3/bin/$tool"; done ;;
  *) echo "Python ${0##*python}" ;;
esac
"""
PARTS = [
    "npm install",
    "eslint --config",
    "tsc --noEmit",
    "-m pip install -e .[test]",
    "python -m pytest",
    "ruff check .",
    "ruff format --check .",
    "mypy",
    "python -m pytest -m slow",
    "site ",
]
"""A piece of each call, in order."""
NEWEST = ["release ", "some.whl[test]", "python -m pytest tests/test_algorithm_x.py"]
"""The same with the newest Python."""


def run_script(folder: Path, failing: str, *arguments: str) -> tuple[int, list[str]]:
    """Run the script in a folder that looks like a clone; return its status and the calls of tools."""
    programs, clone, calls = folder / "programs", folder / "clone", folder / "calls"
    for name in (".ci", "benchmarks", "docs", "tests"):
        (clone / name).mkdir(parents=True)
    for file in (".ci/run", ".ci/wheel", ".ci/lint_scripts", "README.md", "pyproject.toml"):
        shutil.copy(ROOT / file, clone / file)
    for name in ("site", "release"):
        (clone / ".ci" / name).write_text(TOOL)
        (clone / ".ci" / name).chmod(0o755)
    shutil.copytree(ROOT / ".ci" / "scripts", clone / ".ci" / "scripts")
    for room in ("viewer", "studio"):
        (clone / "exactcover" / room / "assets").mkdir(parents=True)
        (clone / "exactcover" / room / "assets" / f"{room}.js").touch()
    programs.mkdir()
    for name in ("tool", "chromedriver", "npm", "python3", *(f"python3.{minor}" for minor in range(11, 16))):
        (programs / name).write_text(PYTHON if name.startswith("python") else TOOL)
        (programs / name).chmod(0o755)
    (programs / "pyenv").symlink_to("/bin/false")
    environment = {**os.environ, "CALLS": str(calls), "FAILING": failing}
    environment["PATH"] = f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin"
    done = subprocess.run(
        [clone / ".ci" / "run", *arguments], env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    return done.returncode, calls.read_text().splitlines()


def find_parts(calls: list[str], parts: list[str]) -> list[int]:
    """Return for each part after how many calls it came, or -1."""
    places, start = [], 0
    for part in parts:
        place = next((k for k in range(start, len(calls)) if part in calls[k]), -1)
        start = max(start, place + 1)
        places.append(place)
    return places


@pytest.mark.parametrize(("parts", "arguments"), [(PARTS, ()), (NEWEST, ("newest",))], ids=["usual", "newest"])
def test_all_parts_run_once_and_in_order(parts: list[str], arguments: tuple[str, ...], tmp_path: Path) -> None:
    status, calls = run_script(tmp_path, "nothing of the kind", *arguments)
    assert status == 0
    calls = [call for call in calls if "--version" not in call]
    assert find_parts(calls, parts) == list(range(len(parts))) == list(range(len(calls))), calls


@pytest.mark.parametrize("failing", PARTS + NEWEST)
def test_a_part_that_fails_fails_the_script(failing: str, tmp_path: Path) -> None:
    parts, arguments = (NEWEST, ["newest"]) if failing in NEWEST else (PARTS, [])
    status, calls = run_script(tmp_path, failing, *arguments)
    assert status != 0
    places, number = find_parts(calls, parts), parts.index(failing)
    assert all(place >= 0 for place in places[: number + 1]), calls
    assert all(place < 0 for place in places[number + 1 :]), calls


def test_an_unknown_part_is_a_mistake() -> None:
    done = subprocess.run([ROOT / ".ci" / "run", "newst"], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (2, "usage: .ci/run [newest]\n")
