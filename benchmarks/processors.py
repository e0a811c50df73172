"""Test and measure the native search, without Python, on processors that this machine need not have.

    python benchmarks/processors.py x86_64                   each instruction set that this machine supports
    python benchmarks/processors.py aarch64                  cross-compiled, emulated
    python benchmarks/processors.py wasm                     compiled to WebAssembly, run by Node; `wasm-scalar`
                                                             without vectors
    python benchmarks/processors.py aarch64 --instructions   machine instructions, all under emulation

Random problems are counted in all ways of the native code, and compared with the definition. Then ten problems are
counted, and compared with published counts. A table shows seconds of processor time (medians) or instructions, and
their ratios to those of AVX2. Seconds of emulated programs say little.

Needs cmake, ninja and a C++ compiler; for aarch64 Debian's g++-aarch64-linux-gnu and qemu-user, for WebAssembly its
emscripten, and node. The exit status is 1 if a number is wrong.
"""

from __future__ import annotations

import argparse
import itertools
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from native_programs import build_program
from suite import SUITE

REFERENCE = "avx2"
NAMES = [
    *("pentominoes 3x20", "pentominoes 4x15", "pentominoes 6x10", "Soma cube", "queens 13", "dominoes 8x8"),
    *("Langford 12", "perfect matchings of K16", "1-factorizations of K8", "Latin squares of order 5"),
]


@dataclass(frozen=True)
class Target:
    """A kind of processor: how programs are compiled for it, and how they run here."""

    configure: tuple[str, ...] = ()  # arguments of cmake
    suffix: str = ""  # of a program's name
    runner: tuple[str, ...] = ()
    emulator: tuple[str, ...] = ()


_AARCH64 = ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
_EMSCRIPTEN = (
    "-DCMAKE_TOOLCHAIN_FILE=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake",
    "-DCMAKE_EXE_LINKER_FLAGS=-sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1",
)
_NODE = ("node", "--no-experimental-fetch")  # with it, the script would fetch the module by a name that is no address
TARGETS = {
    "x86_64": Target(emulator=("qemu-x86_64", "-cpu", "max")),
    "aarch64": Target(
        (
            "-DCMAKE_SYSTEM_NAME=Linux",
            "-DCMAKE_SYSTEM_PROCESSOR=aarch64",
            "-DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++",
        ),
        runner=_AARCH64,
        emulator=_AARCH64,
    ),
    "wasm": Target((*_EMSCRIPTEN, "-DCMAKE_CXX_FLAGS=-msimd128 -fwasm-exceptions"), ".js", _NODE),
    "wasm-scalar": Target((*_EMSCRIPTEN, "-DCMAKE_CXX_FLAGS=-fwasm-exceptions"), ".js", _NODE),
}


class Programs:
    """The programs of benchmarks/native, compiled for a target."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.target, self._folder = name, TARGETS[name], folder / name

    def run(self, program: str, *arguments: str, runner: tuple[str, ...] | None = None) -> str:
        """Return what a program prints, below `runner` or else the target's own one."""
        target = self.target
        built = build_program(program, self._folder / program, *target.configure, suffix=target.suffix)
        done = subprocess.run(
            [*(target.runner if runner is None else runner), built, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            sys.exit(f"{program} for {self.name} fails with status {done.returncode}:\n{done.stdout[-2000:]}")
        return done.stdout


@dataclass(frozen=True)
class Way:
    """A set of instructions of a target."""

    programs: Programs
    instructions: str

    def __str__(self) -> str:
        """Return what a table calls it."""
        return self.instructions if self.programs.name == "x86_64" else self.programs.name

    def measure(self, name: str, file: Path, plugin: Path | None) -> float:
        """Return the seconds of processor time of a count; with a plugin, its instructions under emulation."""
        runner = None if plugin is None else (*self.programs.target.emulator, "-plugin", str(plugin))
        printed = self.programs.run("counts", self.instructions, str(file), runner=runner)
        found = re.search(r"^(\w+) (\d+) (\d+) ([0-9.]+)$", printed, re.MULTILINE)
        if found is None or int(found[2]) != SUITE[name][1]:
            sys.exit(f"{self}: {name} has {SUITE[name][1]} solutions; counts prints:\n{printed}")
        if plugin is None:
            return float(found[4])
        executed = re.search(r"instructions: (\d+)", printed)
        if executed is None:
            sys.exit(f"{self.programs.target.emulator[0]} cannot count instructions:\n{printed}")
        return float(executed[1])


def main() -> int:
    options = _arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = _write_problems(options.only, folder)
        programs = Programs(options.target, folder)
        print(programs.run("random", str(options.seed), str(options.problems)), end="", flush=True)
        ways = [Way(programs, instructions) for instructions in programs.run("counts").split()]
        host = programs if options.target == "x86_64" else Programs("x86_64", folder)
        if REFERENCE not in map(str, ways) and REFERENCE in host.run("counts").split():
            ways.insert(0, Way(host, REFERENCE))
        plugin = _compile_plugin(folder) if options.instructions else None
        if plugin is not None:
            ways = [way for way in ways if way.instructions != "avx512"]  # which the emulator does not know
        _print_table(ways, files, plugin, 1 if plugin or options.target == "aarch64" else options.rounds)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--problems", type=int, default=2000, help="random ones; the default is 2000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=NAMES, nargs="+", default=NAMES, metavar="NAME", help="problems of the table")
    parser.add_argument("--instructions", action="store_true", help="count instructions; not for WebAssembly")
    options = parser.parse_args()
    if options.instructions and not TARGETS[options.target].emulator:
        parser.error(f"instructions of {options.target} cannot be counted")
    return options


def _write_problems(names: list[str], folder: Path) -> dict[str, Path]:
    """Write problems as numbers; see native/counts.cpp."""
    files = {}
    for number, name in enumerate(names):
        matrix = SUITE[name][0]().matrix
        lines = [f"{matrix.items} {matrix.primary} {len(matrix.starts) - 1} 0"]
        for start, end in itertools.pairwise(matrix.starts):
            entries = zip(matrix.entries[start:end], matrix.colors[start:end], strict=True)
            lines.append(" ".join([str(end - start), *(f"{item} {color}" for item, color in entries)]))
        files[name] = folder / f"{number}.txt"
        files[name].write_text("\n".join(lines) + "\n", "utf-8")
    return files


def _compile_plugin(folder: Path) -> Path:
    source, plugin = Path(__file__).parent / "native" / "instructions.c", folder / "instructions.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", str(plugin), str(source)], check=True)
    return plugin


def _print_table(ways: list[Way], files: dict[str, Path], plugin: Path | None, rounds: int) -> None:
    """Print what each problem costs in each way, and the ratio to the first way that is the reference."""
    title, unit = ("seconds", 1.0) if plugin is None else ("instructions in millions", 1e-6)
    print(f"\n| {title} |", " | ".join(map(str, ways)), "|")
    print("|" + "---|" * (len(ways) + 1))
    reference = next((k for k, way in enumerate(ways) if str(way) == REFERENCE), 0)
    ratios: list[list[float]] = [[] for _ in ways]
    for name, file in files.items():
        measured = [[way.measure(name, file, plugin) for way in ways] for _ in range(rounds)]
        medians = [statistics.median(column) for column in zip(*measured, strict=True)]
        for column, median in zip(ratios, medians, strict=True):
            column.append(median / medians[reference])
        print(f"| {name} |", " | ".join(f"{median * unit:.4g}" for median in medians), "|", flush=True)
    means = map(statistics.geometric_mean, ratios)
    print(f"| geometric mean of ratios to {ways[reference]} |", " | ".join(f"{mean:.2f}" for mean in means), "|")


if __name__ == "__main__":
    sys.exit(main())
