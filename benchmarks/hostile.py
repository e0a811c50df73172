"""Attack the command line with mutated inputs.

    python benchmarks/hostile.py 50000

One line with the results is printed. The exit status is 1 after a traceback, a status 20 without a proof or a late
stop. Inputs that failed are kept in a folder whose name is printed.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import io
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from exactcover.cli.main import run
from exactcover.encoders.discovery import find_configs

LATE = 1.0  # seconds of processor time allowed after a deadline


def seeds(folder: Path) -> dict[str, bytes]:
    """Return the inputs to mutate, by file name."""
    found = {path.name: path.read_bytes() for path in find_configs().values() if path.stat().st_size < 5000}
    for args, name in (
        (["convert", "queens", "n=4"], "a.dlx"),
        (["convert", "queens", "n=4"], "a.json"),
        (["convert", "queens", "n=4"], "a.csv"),
        (["convert", "crews.yaml"], "b.dlx"),
        (["convert", "crews.yaml"], "b.json"),
        (["convert", "crews.yaml"], "b.csv"),
        (["convert", "polycube", "board=2x3x2", "pieces=[dicubes, tricubes.I]", "copies=any"], "a.xmpuzzle"),
        (["diagram", "queens", "n=5"], "a.zdd"),
        (["solve", "queens", "n=5", "--all"], "a.jsonl"),
    ):
        file = folder / name
        with contextlib.redirect_stderr(io.StringIO()):
            assert run([*args, "-o", str(file)]) == 0
        found[name] = file.read_bytes()
    found["b.xmpuzzle"] = gzip.decompress(found["a.xmpuzzle"])
    return found


def mutated(content: bytes, other: bytes, chance: random.Random) -> bytes:
    """Return the content with a few random changes."""
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 5, 20))):
        at = chance.randrange(len(data) + 1)
        size = min(len(data) - at, chance.choice((1, 1, 2, 8, 64)))
        match chance.randrange(7):
            case 0:
                del data[at : at + size]
            case 1:
                data[at:at] = data[at : at + size]
            case 2:
                data[at : at + size] = bytes(chance.randrange(256) for _ in range(size))
            case 3:
                data[at:at] = chance.choice(TOKENS)
            case 4:
                del data[at:]
            case 5:
                start = chance.randrange(len(other) + 1)
                data[at:at] = other[start : start + chance.choice((4, 40, 400))]
            case 6 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
    return bytes(data)


TOKENS = [
    b"0", b"-1", b"1e999999999", b"9" * 30, b"9" * 5000, b"nan", b"inf", b"null", b"[]", b"{}", b"[[[[", b'"', b"'",
    b"|", b":", b"\x00", b"\x1b[2J", b"\xff\xfe", b"\\ud800", b"\n", b"\r", b"\t", b"/etc/passwd",
    b"../x", b"true", b"&a",
    b"*a", b"!x", b"any", b"1x1", b"0x0", b"999x999", b"0:9|a", b"9:1|a", b"#", b"=", b"\xe2\x80\xae",
]  # fmt: skip


def one_mutation(number: int, inputs: dict[str, bytes], folder: Path) -> tuple[int, str]:
    """Run one verb on one mutated input; return its status, and a message if something is wrong."""
    chance = random.Random(number)
    name, other = chance.choices(sorted(inputs), k=2)
    file = folder / f"{number}{Path(name).suffix}"
    file.write_bytes(mutated(inputs[name], inputs[other], chance))
    limits = ["--timeout", "0.5", "--memory", "300M"]
    if name.endswith(".jsonl"):
        args = ["verify", "queens", "n=5", str(file), *limits]
    else:
        verb = chance.choice((["solve"], ["count"], ["check"], ["solve", "--limit", "3", "--format", "svg"],
                              ["explain"], ["estimate", "--probes", "5"], ["convert", "--format", "dlx"]))  # fmt: skip
        args = [verb[0], str(file), *verb[1:], *limits]
    began = time.process_time()
    status, said = quiet_run(args)
    late = time.process_time() - began - 0.5
    wrong = ""
    if "Traceback" in said or status == 70:
        wrong = f"status {status}: {said[-300:]}"
    elif status == 20:
        again, _ = quiet_run(["solve", str(file), "--engine", "sets", "--no-reduce", "--timeout", "20"])
        wrong = "" if args[0] == "solve" and again == 20 else f"status 20, but the sets engine ends with status {again}"
    elif status not in (0, 2, 3, 4):
        wrong = f"status {status}"
    elif late > LATE:
        wrong = f"{late:.1f} s late"
    if not wrong:
        file.unlink()
    return status, f"{' '.join(args)}: {wrong}" if wrong else ""


def quiet_run(args: list[str]) -> tuple[int, str]:
    """Run a command in this process; return its status and its standard error."""
    out, said = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        status = run(args)
    return status, said.getvalue()


def some_mutations(numbers: range, inputs: dict[str, bytes], folder: Path) -> list[tuple[int, str]]:
    return [one_mutation(number, inputs, folder) for number in numbers]


def mutations(number: int, folder: Path) -> tuple[Counter[int], list[str]]:
    """Run mutated inputs in two processes."""
    inputs = seeds(folder)
    parts = [range(start, min(start + 250, number)) for start in range(0, number, 250)]
    statuses: Counter[int] = Counter()
    wrong: list[str] = []
    with ProcessPoolExecutor(2) as pool:
        for results in pool.map(some_mutations, parts, [inputs] * len(parts), [folder] * len(parts)):
            statuses.update(status for status, _ in results)
            wrong += [message for _, message in results if message]
    return statuses, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", type=int, help="how many inputs")
    number, folder, began = parser.parse_args().number, Path(tempfile.mkdtemp()), time.monotonic()
    statuses, wrong = mutations(number, folder)
    told = ", ".join(f"{count} with status {status}" for status, count in sorted(statuses.items()))
    print(f"{number} mutations in {time.monotonic() - began:.0f} s: {told}; {len(wrong)} wrong")
    for message in wrong[:40]:
        print(message)
    if wrong:
        print(f"failed inputs are in {folder}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
