"""Allocations that fail, and problems that libFuzzer makes: each one ends with the truth or an error."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from damage import THOROUGH
from native_programs import build_program

pytestmark = pytest.mark.slow


@pytest.mark.skipif(not THOROUGH, reason="it compiles the native code anew; the profile thorough runs it")
@pytest.mark.parametrize(
    ("program", "compilers", "flags", "arguments"),
    [
        ("faults", "g++", ["-fsanitize=address,undefined", "-Wl,--wrap=aligned_alloc"], ["1000"]),
        (
            "fuzz",
            "clang++ clang++-19 clang++-16 clang++-14",
            ["-fsanitize=fuzzer-no-link,address,undefined", "-fsanitize=fuzzer"],
            ["-runs=400000", "-max_len=200", "-timeout=30"],
        ),
    ],
)
def test_native_programs(program: str, compilers: str, flags: list[str], arguments: list[str], tmp_path: Path) -> None:
    """Allocations that fail, and every way to count problems that libFuzzer makes, with sanitizers."""
    compiler = next(filter(None, map(shutil.which, compilers.split())), None)
    if compiler is None or not shutil.which("cmake") or not shutil.which("ninja"):
        pytest.skip(f"it needs cmake, ninja and one of {compilers}")
    configure = [
        f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_CXX_FLAGS=-g -w {flags[0]}",
        f"-DCMAKE_EXE_LINKER_FLAGS={flags[1]}",
        "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY",  # libFuzzer has a main function of its own
    ]
    command = [build_program(program, tmp_path, *configure), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"ASAN_OPTIONS": "detect_leaks=1"})
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
