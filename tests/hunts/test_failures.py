"""Writes and allocations that fail, and problems that libFuzzer makes: each one ends with the truth or an error."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from damage import THOROUGH
from preloaded import preload

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OUTPUTS = [
    "solve queens n=6 --all -o a.jsonl", "convert queens n=6 -o a.dlx", "convert queens n=6 -o a.csv",
    "diagram queens n=6 -o a.zdd", "solve queens n=6 -o a.svg", "generate sudoku --seed 1 -o a.jsonl",
    "sample queens n=6 --seed 1 -o a.txt", "count queens n=6 --search-log a.log", "count queens n=6 --shape a.shape",
    "count queens n=6 --certificate a.cert", "view queens n=6 -o a.html",
]  # fmt: skip
LIBRARY = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Lets the n-th call that writes, syncs or renames a regular file fail, as on a full disk, and all calls after it. */
static int fails(void) {
    static long left = -1;
    const char *number = getenv("FAILING_WRITE");
    if (number == NULL) return 0;
    if (left < 0) left = atol(number);
    if (left > 1) { --left; return 0; }
    errno = ENOSPC;
    return 1;
}
static int is_regular(int file) {
    struct stat seen;
    return fstat(file, &seen) == 0 && S_ISREG(seen.st_mode);
}
ssize_t write(int file, const void *data, size_t size) {
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    return is_regular(file) && fails() ? -1 : real(file, data, size);
}
int fsync(int file) {
    int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
    return is_regular(file) && fails() ? -1 : real(file);
}
int rename(const char *from, const char *to) {
    int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
    return fails() ? -1 : real(from, to);
}
"""


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The command, some write of which fails if the environment says so."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("command")
    library, source = folder / "writes.so", folder / "writes.c"
    source.write_text(LIBRARY)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LD_PRELOAD", str(library))
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        with preload(folder):
            yield str(folder / "exactcover")


@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize("output", OUTPUTS if THOROUGH else OUTPUTS[::5])
def test_a_write_that_fails(output: str, old: bytes | None, command: str, tmp_path: Path) -> None:
    """The old file stays, or the new one is whole, and the status says so."""
    *args, name = output.split()
    file, whole = tmp_path / name, tmp_path / f"whole-{name}"
    subprocess.run([command, *args, str(whole)], check=True, stderr=subprocess.DEVNULL)
    for number in itertools.count(1):
        if old is not None:
            file.write_bytes(old)
        environment = os.environ | {"FAILING_WRITE": str(number)}
        done = subprocess.run([command, *args, str(file)], capture_output=True, text=True, env=environment)
        if done.returncode == 0:
            assert number > 1 and abs(file.stat().st_size - whole.stat().st_size) <= 64  # times differ
            return
        assert (file.read_bytes() if file.exists() else None) == old
        assert done.returncode not in (1, 3, 20) and done.stderr and "Traceback" not in done.stderr, done
        assert not [one for one in tmp_path.glob(f"{name}?*") if str(one) not in done.stderr]  # what it names may stay
        file.with_name(f"{name}.exactcover-part").unlink(missing_ok=True)


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
    configure = ["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(tmp_path), f"-DEXACTCOVER_PROGRAM={program}"]
    configure += [
        f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_CXX_FLAGS=-g -w {flags[0]}",
        f"-DCMAKE_EXE_LINKER_FLAGS={flags[1]}",
        "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY",  # libFuzzer has a main function of its own
    ]
    for command in (configure, ["cmake", "--build", str(tmp_path)], [str(tmp_path / program), *arguments]):
        done = subprocess.run(
            command, capture_output=True, text=True, env=os.environ | {"ASAN_OPTIONS": "detect_leaks=1"}
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
