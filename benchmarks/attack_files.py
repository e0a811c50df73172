"""Attack the readers of certificates and diagrams with changed files and bombs.

    python benchmarks/attack_files.py 2000

Files are changed byte by byte, by odd values in their JSON, by other claims, steps and nodes, and by members that
unpack to 300 MB. Each is read by a command of its own: certify, certify --quick, or count. The exit status is 1 after a
status other than 0, 2, 3 and 4, a traceback, a wrong answer, or more memory than the limit allows.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from exactcover import Problem
from exactcover.certificates.certify import certify_classes
from exactcover.engines.registry import ENGINES
from exactcover.formats import diagrams
from problems import Queens

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from certified import certify, certify_least, certify_listing, change, read, verify, write

_LIMITS = ["--memory", "64M", "--timeout", "30"]
_MAX_MEMORY = 400 << 20  # bytes: the limit, what the program allows itself, and the program
_BOMB = 300  # megabytes
_ODD: list[Any] = [
    None, True, -1, 0, 1 << 31, 1 << 64, 10**3000, 0.5, "", "x\n", "1e200000000", [], {}, [[]], [-1], "\x1b[2J",
    "\ud800",
]  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", type=int, help="how many files to read")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    originals = _make_originals()
    statuses: Counter[int] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as threads:
        seeds = [(options.seed << 32) + number for number in range(options.number)]
        for seed, (status, said) in zip(
            seeds, threads.map(partial(_attack, originals, Path(folder)), seeds), strict=True
        ):
            statuses[status] += 1
            wrong += [f"{seed}: {said}"] if said else []
    told = ", ".join(f"{count} with status {status}" for status, count in sorted(statuses.items()))
    print(f"{options.number} files: {told}; {len(wrong)} wrong")
    print("\n".join(wrong[:40]))
    return int(bool(wrong))


def _make_originals() -> dict[str, bytes]:
    """Return a file for each kind of claim, and a diagram."""
    queens = Queens(n=6).problem()
    priced = Problem({k: [k % 3, 3 + k % 4] for k in range(12)}, costs={k: 1 + k * k % 7 for k in range(12)})
    zdd = io.BytesIO()
    diagrams.write(queens.diagram(), zdd, version="1")
    return {
        "count.cert": certify(queens, symmetry=True),
        "classes.cert": certify(queens, certify_classes, distinct=True),
        "list.cert": certify_listing(queens),
        "cheapest.cert": certify_least(priced, 2),
        "queens.zdd": zdd.getvalue(),
    }


def _attack(originals: dict[str, bytes], folder: Path, seed: int) -> tuple[int, str]:
    """Change a file, and let a command read it; return the status, and what is wrong."""
    chance = random.Random(seed)
    name = chance.choice(sorted(originals))
    ways = [_change_bytes, _change_json, _inflate] if name.endswith(".zdd") else [*_WAYS]
    way = chance.choices(ways, [8, 8, 1, 8][: len(ways)])[0]
    file = folder / f"{seed}-{name}"
    file.write_bytes(way(originals[name], chance))
    if name.endswith(".zdd"):
        args = ["count", str(file)]
    else:
        args = ["certify", str(file), *(["--quick"] if "native" in ENGINES and chance.random() < 0.5 else [])]
    status, out, err, memory = _run([*args, *_LIMITS])
    file.unlink()
    what = f"{' '.join(args)} after {way.__name__}: status {status}: {(out + err)[-300:]}"
    if status not in (0, 2, 3, 4) or "Traceback" in err:
        return status, what
    if memory > _MAX_MEMORY:
        return status, f"{memory:,} bytes of memory: {what}"
    return status, "" if status or _is_right(out, originals[name]) else f"a wrong answer: {what}"


def _run(args: list[str]) -> tuple[int, str, str, int]:
    """Return the status, the output and the errors of a command, and the memory that it and its children needed."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        command = subprocess.Popen([sys.executable, "-m", "exactcover", *args], stdout=out, stderr=err)
        _, status, used = os.wait4(command.pid, 0)
        command.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return command.returncode, out.read(), err.read(), used.ru_maxrss * 1024


def _is_right(out: str, original: bytes) -> bool:
    """Return whether an answer is that of the file before it was changed, unless it is about another question."""
    if out == "4\n":  # the number of solutions in the diagram
        return True
    true, found = (text.strip().removeprefix("certified: ").partition(" of the problem ") for text in (
        verify(original), out
    ))  # fmt: skip
    is_other_question = true[2][-64:] != found[2][-64:]
    is_other_group = " under " in found[0] and true[0].partition(" under ")[2] != found[0].partition(" under ")[2]
    return found[1] != "" and (is_other_question or is_other_group or found[0] == true[0])


def _change_bytes(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _change_json(content: bytes, chance: random.Random) -> bytes:
    """Put an odd value somewhere into the JSON of a file."""
    members = _unpack(content)
    name = chance.choice([name for name in members if name.endswith(".json")])
    document = json.loads(members[name])
    place: Any = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = chance.choice(keys)
        if not isinstance(place[key], list | dict) or not place[key] or chance.random() < 0.2:
            break
        place = place[key]
    place[key] = chance.choice(_ODD)
    return _pack(members | {name: json.dumps(document).encode()})


def _change_proof(content: bytes, chance: random.Random) -> bytes:
    files = read(content)
    if "number" in files["claim"]:
        change(files, chance)
    else:
        files["claim"]["wanted"] += chance.choice([-1, 1])
    return write(files)


def _inflate(content: bytes, chance: random.Random) -> bytes:
    """Let a member unpack to far more than before."""
    members = _unpack(content)
    name = chance.choice(sorted(members))
    piece = bytes(1 << 20) if not name.endswith(".json") else b"[],{}," * ((1 << 20) // 6)
    return _pack(members, name, piece)


def _unpack(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _pack(members: dict[str, bytes], inflated: str = "", piece: bytes = b"") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members.items():
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(content)
                for _ in range(_BOMB if name == inflated else 0):
                    member.write(piece)
    return file.getvalue()


_WAYS: list[Callable[[bytes, random.Random], bytes]] = [_change_bytes, _change_json, _inflate, _change_proof]


if __name__ == "__main__":
    sys.exit(main())
