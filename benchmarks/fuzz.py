"""Fuzz readers and native code guided by coverage, and let allocations and writes fail.

    python -m pip install atheris
    python benchmarks/fuzz.py readers --runs 100000
    python benchmarks/fuzz.py native --runs 400000
    python benchmarks/fuzz.py allocations --runs 1000
    python benchmarks/fuzz.py writes

- `readers`: each reader gets that many inputs, made by atheris from files that this program writes. A reader may only
  refuse an input with the error that it documents. A checker of certificates may not disagree with the other one.
- `native`: libFuzzer makes problems; every way in which the C++ code counts must find the number that the definition
  gives. The code is compiled with the address and undefined-behaviour sanitizers (needs clang).
- `allocations`: each of the first allocations of each of these ways fails in turn (needs gcc with sanitizers).
- `writes`: each write of each output of the command line fails in turn. The old file must stay, or the new one be
  whole, and the exit status must say so.

The exit status is 1 if anything is wrong. Inputs that show it stay in the folder that --keep names.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import gzip
import importlib.util
import io
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import types
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from native_programs import build_program
from processes import COMMAND

_SEPARATOR = b"\0\0\n"  # between the members of an input that is put together

Reader = Callable[[bytes], object]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["readers", "native", "allocations", "writes"])
    parser.add_argument("--runs", type=int, help="inputs for each reader, problems, or allocations that fail")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("fuzzed"))
    parser.add_argument("--only", metavar="NAME", help="only this reader or this output")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        return _fuzz_reader(options)
    options.keep.mkdir(parents=True, exist_ok=True)
    works = {"readers": _fuzz_readers, "native": _fuzz_native, "allocations": _fail_allocations, "writes": _fail_writes}
    return works[options.what](options)


def _choose(names: Iterable[str], only: str | None) -> list[str]:
    """Return the names, or the only one that is wanted."""
    known = list(names)
    if only not in (None, *known):
        print(f"unknown name {only!r}; expected one of {', '.join(known)}", file=sys.stderr)
        sys.exit(2)
    return known if only is None else [only]


# -- readers -----------------------------------------------------------------------------------


def _make_readers() -> dict[str, tuple[Reader, list[bytes]]]:
    """Return the readers by name, each with inputs to start from."""
    from exactcover.analysis.search_log import SearchLog
    from exactcover.config import reading
    from exactcover.encoders.discovery import find_configs
    from exactcover.errors import CoverError
    from exactcover.formats import burr_tools, csv_problem, diagrams, dlx, json_problem, solutions

    def refusing(read: Callable[[bytes], object]) -> Reader:
        def attempt(data: bytes) -> None:
            with contextlib.suppress(CoverError, UnicodeDecodeError):
                read(data)

        return attempt

    configs = [path.read_bytes() for path in find_configs().values() if path.stat().st_size < 3000]
    seeds = _write_seeds()
    return {
        "yaml": (refusing(lambda data: reading.read_text(data, "a.yaml")), configs),
        "dlx": (refusing(lambda data: dlx.read(io.StringIO(data.decode()))), seeds["dlx"]),
        "csv": (refusing(lambda data: csv_problem.read(io.StringIO(data.decode(), newline=""))), seeds["csv"]),
        "json": (refusing(lambda data: json_problem.read(data.decode())), seeds["json"]),
        "burr": (refusing(lambda data: burr_tools.read(io.BytesIO(data), "a.xmpuzzle").choose()), seeds["xmpuzzle"]),
        "solutions": (refusing(lambda data: solutions.read(data.decode())), seeds["jsonl"]),
        "diagram": (refusing(lambda data: diagrams.read(io.BytesIO(_zip(data, _DIAGRAM)), "a.zdd")), seeds["zdd"]),
        "log": (refusing(lambda data: list(SearchLog(_frame(data)).nodes())), seeds["log"]),
        "certificate": (_check_both, seeds["cert"]),
    }


_DIAGRAM = ("header.json", "problem.json", "level", "lo", "hi")
_CERTIFICATE = ("problem.json", "proof.json", "nodes")


def _check_both(data: bytes) -> None:
    """Check a certificate by both checkers, which must not disagree."""
    from exactcover.certificates.check import Proof, check
    from exactcover.certificates.quick import QuickProof

    found: list[str | None] = []
    for proof in (Proof, QuickProof):
        try:
            found.append(check(io.BytesIO(_zip(data, _CERTIFICATE)), proof))
        except Exception:  # whatever it is, the claim is not certified
            found.append(None)
    if found[0] != found[1]:
        raise AssertionError(f"the checkers disagree: {found}")


def _zip(data: bytes, names: tuple[str, ...]) -> bytes:
    """Return an archive of these members, or the data as they are if they do not consist of so many."""
    members = data.split(_SEPARATOR)
    if len(members) != len(names):
        return data
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, member in zip(names, members, strict=True):
            archive.writestr(name, member)
    return file.getvalue()


def _unzip(content: bytes, names: tuple[str, ...]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return _SEPARATOR.join(archive.read(name) for name in names)


def _frame(data: bytes) -> bytes:
    """Return a search log of a header, nodes and an end, or the data as they are if they are not three members."""
    members = data.split(_SEPARATOR)
    if len(members) != 3:
        return data
    packed = [zlib.compress(member) for member in members]
    frames = [
        struct.pack("<cII", kind, len(one), zlib.crc32(one)) + one
        for kind, one in zip((b"H", b"N", b"E"), packed, strict=True)
    ]
    return b"exactcover search log 1\n" + b"".join(frames)


def _unframe(content: bytes) -> bytes:
    members, place = [], content.index(b"\n") + 1
    while place < len(content):
        _, size, _ = struct.unpack_from("<cII", content, place)
        members.append(zlib.decompress(content[place + 9 : place + 9 + size]))
        place += 9 + size
    return _SEPARATOR.join(members)


def _write_seeds() -> dict[str, list[bytes]]:
    """Write small files of each format by the command line; return them by their endings."""
    targets = (["queens", "n=4"], ["langford_8.yaml"], ["crews.yaml"])
    found: dict[str, list[bytes]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for target in targets:
            commands = {
                **{ending: ["convert", *target] for ending in ("dlx", "csv", "json")},
                "jsonl": ["solve", *target, "--all"],
                "zdd": ["diagram", *target],
            }
            for ending, arguments in commands.items():
                file = Path(folder, f"a.{ending}")
                _run_command([*arguments, "-o", str(file)])
                found.setdefault(ending, []).extend([file.read_bytes()] if file.exists() else [])
            for flag, ending in (("--search-log", "log"), ("--certificate", "cert")):
                file = Path(folder, f"a.{ending}")
                _run_command(["count", *target, flag, str(file)])
                found.setdefault(ending, []).append(file.read_bytes())
        file = Path(folder, "a.xmpuzzle")
        _run_command(["convert", "soma_cube.yaml", "-o", str(file)])
        found["xmpuzzle"] = [file.read_bytes(), gzip.decompress(file.read_bytes())]
    found["zdd"] = [_unzip(one, _DIAGRAM) for one in found["zdd"]]
    found["cert"] = [_unzip(one, _CERTIFICATE) for one in found["cert"]]
    found["log"] = [_unframe(one) for one in found["log"]]
    return found


def _run_command(arguments: list[str], **flags: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, **flags)


def _fuzz_readers(options: argparse.Namespace) -> int:
    """Fuzz each reader in a process of its own, because the fuzzer ends its process."""
    if importlib.util.find_spec("atheris") is None:
        print("atheris is not installed", file=sys.stderr)
        return 2
    failed = 0
    for name in _choose(_make_readers(), options.only):
        arguments = ["readers", "--inside", "--only", name, "--runs", str(options.runs or 100_000)]
        arguments += ["--seed", str(options.seed), "--keep", str(options.keep)]
        done = subprocess.run([sys.executable, __file__, *arguments], capture_output=True, text=True, check=False)
        lines = (done.stdout + done.stderr).splitlines()
        summary = next((line for line in reversed(lines) if line.startswith("Done ")), None)
        failed += summary is None
        print(f"{name}: {summary or 'FAILED'}", flush=True)
        if summary is None:
            print("\n".join(lines[-25:]), flush=True)
    return int(failed > 0)


def _fuzz_reader(options: argparse.Namespace) -> int:
    import atheris

    read, seeds = _make_readers()[options.only]
    for seed in seeds:  # imports what it needs
        read(seed)
    for function in [one for one in gc.get_objects() if isinstance(one, types.FunctionType)]:
        if str(function.__module__).partition(".")[0] in ("exactcover", "problems", "yaml"):
            atheris.instrument_func(function)
    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(seeds):
            Path(folder, str(number)).write_bytes(seed)
        arguments = [f"-runs={options.runs}", f"-seed={options.seed}", "-max_len=4096", "-timeout=30"]
        arguments += ["-rss_limit_mb=4096", f"-artifact_prefix={options.keep}/{options.only}-", folder]
        atheris.Setup([sys.argv[0], *arguments], read)
        atheris.Fuzz()
    return 0


# -- native code -------------------------------------------------------------------------------


def _build(target: str, compiler: str, sanitizers: str, flags: str, folder: Path) -> str:
    """Compile a program with sanitizers, and link it with more flags."""
    return build_program(
        target,
        folder,
        f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_CXX_FLAGS=-g -w -fsanitize={sanitizers}",
        f"-DCMAKE_EXE_LINKER_FLAGS={flags}",
        "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY",  # libFuzzer has a main function of its own
    )


def _fuzz_native(options: argparse.Namespace) -> int:
    compiler = next(filter(None, map(shutil.which, ("clang++", "clang++-14", "clang++-16", "clang++-19"))), None)
    if compiler is None:
        print("clang++ is not installed", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        program = _build("fuzz", compiler, "fuzzer-no-link,address,undefined", "-fsanitize=fuzzer", Path(folder))
        arguments = [f"-runs={options.runs or 400_000}", f"-seed={options.seed}", "-max_len=200", "-timeout=30"]
        command = [program, *arguments, f"-artifact_prefix={options.keep}/native-"]
        return int(subprocess.run(command, check=False).returncode != 0)


def _fail_allocations(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as folder:
        program = _build("faults", "g++", "address,undefined", "-Wl,--wrap=aligned_alloc", Path(folder))
        command = [program, str(options.runs or 1000)]
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1"}
        return int(subprocess.run(command, check=False, env=environment).returncode != 0)


# -- writes ------------------------------------------------------------------------------------

_OUTPUTS = {
    "solutions": (["solve", "queens", "n=6", "--all"], "-o", "a.jsonl"),
    "problem": (["convert", "queens", "n=6"], "-o", "a.dlx"),
    "table": (["convert", "queens", "n=6"], "-o", "a.csv"),
    "diagram": (["diagram", "queens", "n=6"], "-o", "a.zdd"),
    "picture": (["solve", "queens", "n=6"], "-o", "a.svg"),
    "puzzles": (["generate", "sudoku", "--seed", "1"], "-o", "a.jsonl"),
    "samples": (["sample", "queens", "n=6", "--seed", "1"], "-o", "a.txt"),
    "search log": (["count", "queens", "n=6"], "--search-log", "a.log"),
    "shape": (["count", "queens", "n=6"], "--shape", "a.shape"),
    "certificate": (["count", "queens", "n=6"], "--certificate", "a.cert"),
    "page": (["view", "queens", "n=6"], "-o", "a.html"),
}
_LIBRARY = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Lets the n-th call that writes, syncs or renames a regular file fail, as on a full disk, and all writes after it. */
static int fails(void) {
    static long left = -1;
    if (left < 0) left = atol(getenv("FAILING_WRITE"));
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


def _fail_writes(options: argparse.Namespace) -> int:
    """Let each write of each output fail in turn, with an old file and without one."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "writes.c"), Path(folder, "writes.so")
        source.write_text(_LIBRARY)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
        for name in _choose(_OUTPUTS, options.only):
            arguments, flag, file_name = _OUTPUTS[name]
            whole = Path(folder, file_name)
            reference = _run_command([*arguments, flag, str(whole)])
            if reference.returncode != 0:
                failed += 1
                print(f"{name}: {reference.stderr}")
                continue
            size, faults = whole.stat().st_size, 0
            for old in (None, b"old"):
                number = 1
                while (wrong := _fail_write(arguments, flag, whole, library, number, old, size)) is not None:
                    faults += 1
                    failed += wrong != ""
                    print(f"{name}, write {number}: {wrong}\n" * bool(wrong), end="", flush=True)
                    number += 1
            print(f"{name}: {faults} writes failed", flush=True)
    return int(failed > 0)


def _fail_write(
    arguments: list[str], flag: str, file: Path, library: Path, number: int, old: bytes | None, size: int
) -> str | None:
    """Run a command whose n-th write fails; return what is wrong, or None if there were fewer writes."""
    file.unlink(missing_ok=True)
    if old is not None:
        file.write_bytes(old)
    environment = {
        **os.environ,
        "LD_PRELOAD": str(library),
        "FAILING_WRITE": str(number),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = _run_command([*arguments, flag, str(file)], env=environment)
    if done.returncode == 0:
        if abs(file.stat().st_size - size) > 64:  # times differ
            return "status 0, but the file is not whole"
        return None
    content = file.read_bytes() if file.exists() else None
    left = [one for one in file.parent.glob(f"*{file.name}*") if one != file and str(one) not in done.stderr]
    for one in file.parent.glob(f"{file.name}.exactcover-part"):
        one.unlink()
    if content != old:
        return f"the old file is gone, {len(content or b'')} bytes stand in its place"
    if done.returncode in (1, 3) or "Traceback" in done.stderr or not done.stderr:
        return f"status {done.returncode}: {done.stderr}"
    return f"files are left: {left}" if left else ""  # a partial result that the message names may stay


if __name__ == "__main__":
    sys.exit(main())
