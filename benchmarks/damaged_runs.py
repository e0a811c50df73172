"""Damage stores of runs, and let every verb read them.

    python benchmarks/damaged_runs.py [--inputs N] [--seed N] [--keep FOLDER]

Half of the inputs are files with one flipped bit. In the others, blocks are overwritten, removed or repeated, or a
value in a table is replaced. A verb may refuse a damaged file, or give the answer of the undamaged one. Everything
else is a defect: another answer, status 20, an error of the program (70), or a check that finds nothing in a file that
other verbs refuse. Prints the numbers of statuses of each verb. The exit status is 1 if there was a defect; its input
is kept.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import re
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from exactcover import Run
from exactcover.cli.main import run as run_command
from exactcover.runs import RunPolicy

_TARGET = ["queens", "n=6"]
_START = {
    "count.run": ["--create-only"],  # afterwards it is cut more finely than the command would
    "list.run": ["--all"],
    "first.run": ["--limit", "3"],
    "nodes.run": ["--record-nodes"],
    "open.run": ["--all", "--create-only"],
}
_READERS = {  # of each kind of file; FILE is the damaged one, and OUT a file that does not exist
    "count": [["status", "FILE"], ["list", "FOLDER"], ["check", "FILE"]],
    "list": [["status", "FILE"], ["export", "FILE"], ["check", "FILE", "--share", "1"]],
    "first": [["status", "FILE"], ["export", "FILE", "--format", "csv"], ["check", "FILE"]],
    "nodes": [["status", "FILE"], ["check", "FILE", "--certificate", "OUT"]],
    "open": [
        *(["status", "FILE"], ["check", "FILE"]),
        *(["export", "FILE"], ["resume", "FILE", "--workers", "1"], ["export", "FILE"]),
    ],
}
_MAY_END_WITH = {0, 2, 3}  # 3: not the whole run
_VARYING = re.compile(r"^time .*$|\"statistics\".*$|[0-9.]+ (ms|s|min)|\S*/(?=\S)", re.MULTILINE)


@dataclass
class Report:
    """What has come of the inputs: the statuses of each verb, and the defects as sentences."""

    statuses: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    defects: list[str] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("damaged"))
    options = parser.parse_args()
    report = damage_runs(options.inputs, options.seed, options.keep)
    for (kind, verb, status), number in sorted(report.statuses.items()):
        print(f"{kind:8} {verb:8} status {status:3}: {number:,}")
    for defect in report.defects:
        print(defect)
    print(f"{options.inputs:,} inputs, {len(report.defects):,} defects")
    return int(bool(report.defects))


def damage_runs(inputs: int, seed: int, keep: Path | None = None) -> Report:
    """Damage that many files, and return what has come of it."""
    report, generator = Report(), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        originals = _make_originals(folder)
        answers = {kind: _Input(originals, folder / "right", kind).read() for kind in _READERS}
        for number in range(inputs):
            kind = generator.choice(list(_READERS))
            damaged = _Input(originals, folder / "work", kind)
            how = _damage(damaged.file, generator)
            found = damaged.read()
            defects = list(_judge(found, answers[kind]))
            for verb, status, _, _ in found:
                report.statuses[kind, verb, status] += 1
            if defects and keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                _Input(originals, folder / "again", kind)
                shutil.copy(damaged.copy, keep / f"{number}-{damaged.file.name}")
            report.defects += [f"input {number} ({kind}, {how}): {defect}" for defect in defects]
    return report


Reading = tuple[str, int, str, str]
"""A verb, its exit status, what it printed on standard output (without times), and on standard error."""


def _judge(found: list[Reading], right: list[Reading]) -> Iterator[str]:
    """Yield the defects that readings of a damaged file show."""
    refused = False
    for (verb, status, output, errors), (_, _, expected, _) in zip(found, right, strict=True):
        refused = refused or status == 2
        if status not in _MAY_END_WITH | ({4} if verb == "check" else set()):
            yield f"{verb} ended with status {status}: {errors.strip()}"
        elif status == 0 and output != expected and (verb, output) != ("list", ""):  # a file without the right head
            yield f"{verb} printed {output[:200]!r} instead of {expected[:200]!r}"
        elif status == 0 and verb == "check" and refused:
            yield "check found nothing, but another verb refused the file"
        elif status and not errors.strip():
            yield f"{verb} ended with status {status} without a word"
        elif "Traceback" in errors:
            yield f"{verb} printed a traceback"


class _Input:
    """A file of one kind in a folder of its own, with the files that belong to it."""

    def __init__(self, originals: Path, folder: Path, kind: str) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        self.folder, self.kind = folder, kind
        self.file = folder / f"{kind}.run"
        shutil.copy(originals / self.file.name, self.file)
        (folder / "other").mkdir()
        self._places = {"FILE": self.file, "FOLDER": folder, "OUT": folder / "other" / "out"}

    @property
    def copy(self) -> Path:
        """The file as it was before it was read."""
        return self.folder / "other" / "copy"

    def read(self) -> list[Reading]:
        """Let every verb read the file."""
        shutil.copy(self.file, self.copy)
        return [self._run(arguments) for arguments in _READERS[self.kind]]

    def _run(self, arguments: list[str]) -> Reading:
        out, errors = io.StringIO(), io.StringIO()
        command = ["run", *(str(self._places.get(one, one)) for one in arguments)]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            status = run_command(command)
        return arguments[0], status, _VARYING.sub("", out.getvalue()), errors.getvalue()


def _make_originals(folder: Path) -> Path:
    """Make one file of each kind by the command line."""
    originals = folder / "originals"
    originals.mkdir()
    commands = [
        ["start", *_TARGET, "--store", str(originals / name), "--workers", "1", *flags]
        for name, flags in _START.items()
    ]
    for command in commands:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as errors:
            if run_command(["run", *command]):
                raise RuntimeError(errors.getvalue())
    fine = RunPolicy(
        direct_seconds=0, smallest_cube=0, shortest_turn=0, longest_turn=0, small_subtree=0, late_seconds=0
    )
    Run(originals / "count.run", policy=fine).work(workers=1)
    return originals


# -- damages -----------------------------------------------------------------------------------


def _damage(file: Path, generator: random.Random) -> str:
    """Damage a file; return how."""
    damages: list[Callable[[Path, random.Random], str]] = [_overwrite, _remove, _repeat, _flip_many]
    if file.suffix == ".run":
        damages += [_replace_value] * 4
    return _flip(file, generator) if generator.random() < 0.5 else generator.choice(damages)(file, generator)


def _flip(file: Path, generator: random.Random) -> str:
    content = bytearray(file.read_bytes())
    place, bit = generator.randrange(len(content)), generator.randrange(8)
    content[place] ^= 1 << bit
    file.write_bytes(content)
    return f"bit {bit} of byte {place} flipped"


def _flip_many(file: Path, generator: random.Random) -> str:
    for _ in range(generator.randrange(2, 20)):
        _flip(file, generator)
    return "many bits flipped"


def _pick_block(content: bytes, generator: random.Random) -> tuple[int, int]:
    start = generator.randrange(len(content))
    return start, min(len(content), start + generator.choice([1, 2, 4, 16, 100, 1000, 4096]))


def _overwrite(file: Path, generator: random.Random) -> str:
    content = file.read_bytes()
    start, end = _pick_block(content, generator)
    new = generator.choice([bytes(end - start), b"\xff" * (end - start), generator.randbytes(end - start)])
    file.write_bytes(content[:start] + new + content[end:])
    return f"bytes {start} to {end} overwritten"


def _remove(file: Path, generator: random.Random) -> str:
    content = file.read_bytes()
    start, end = _pick_block(content, generator)
    end = generator.choice([end, len(content)])
    file.write_bytes(content[:start] + content[end:])
    return f"bytes {start} to {end} removed"


def _repeat(file: Path, generator: random.Random) -> str:
    content = file.read_bytes()
    start, end = _pick_block(content, generator)
    file.write_bytes(content[:end] + content[start:])
    return f"bytes {start} to {end} repeated"


_VALUES = [
    *(None, 0, 1, -1, 7, 1 << 40, -(1 << 63), 0.5, 1e300, float("inf"), "", "1", "done", "open", "failed", "\x1b[2J"),
    *(b"", b"\0", b"\0\0\0\0", b"\xff" * 4, b"\xff" * 16, "[" * 3000, "null", "{}", '"x"', "9" * 5000),
]


def _replace_value(file: Path, generator: random.Random) -> str:
    """Replace one value in a table, or remove or add a row."""
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = generator.choice(tables)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column, key = generator.choice(columns), columns[0]
        keys = [row[0] for row in connection.execute(f"SELECT {key} FROM {table}")]
        if not keys:
            return "nothing damaged"
        place = generator.choice(keys)
        if generator.random() < 0.2:
            connection.execute(f"DELETE FROM {table} WHERE {key} IS ?", [place])
            return f"a row of {table} removed"
        value = generator.choice(_VALUES)
        with contextlib.suppress(sqlite3.IntegrityError):
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {key} IS ?", [value, place])
        return f"{column} in {table} replaced by {value!r:.30}"


if __name__ == "__main__":
    sys.exit(main())
