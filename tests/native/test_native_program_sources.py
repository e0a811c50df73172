"""The C++ programs of the benchmarks follow the interfaces of the native code."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = sorted((ROOT / "benchmarks" / "native").glob("*.cpp"))
COMPILER = os.environ.get("CXX") or shutil.which("c++") or ""


@pytest.mark.slow
@pytest.mark.skipif(not COMPILER, reason="there is no C++ compiler")
@pytest.mark.skipif(not (ROOT / "exactcover" / "native").is_dir(), reason="the sources are not here")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_programs_of_benchmarks_can_be_compiled(program: Path) -> None:
    include = ROOT / "exactcover" / "native"
    command = [*COMPILER.split(), "-std=c++20", "-fsyntax-only", "-I", str(include), str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
