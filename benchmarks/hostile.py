"""Attack the command line with mutated inputs, deadlines, interrupts, and kills while it writes.

    python benchmarks/hostile.py mutations 50000
    python benchmarks/hostile.py deadlines 110
    python benchmarks/hostile.py interrupts 200
    python benchmarks/hostile.py kills 100

Each attack prints one line with its results. The exit status is 1 after a traceback, a status 1 without a proof, a
truncated file or a late stop. Inputs that failed are kept in a folder whose name is printed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from exactcover.cli.main import run
from exactcover.encoders.finding import find_configs
from exactcover.formats import json_problem, solutions
from families import set_partitioning
from processes import COMMAND

LATE = 1.0  # seconds of processor time allowed after a deadline, beside those of starting
HARD = [
    ["polyomino", "board=12x15", "pieces=pentominoes", "copies=3"],
    ["polyomino", "board=400x400", "pieces=dominoes", "copies=any"],
    ["thirteen_pieces_8x8.yaml"],
    ["queens", "n=300"],
    ["queens", "n=14"],
    ["latin", "n=7"],
    ["sudoku_16x16.yaml"],
    ["tetrasticks_6x6.yaml"],
    ["langford", "n=20"],
    ["macmahon_4x6.yaml"],
    ["bedlam_cube.yaml"],
    ["one_sided_pentominoes_3x30.yaml"],
    ["y_pentominoes_15x15.yaml"],
    ["design", "points=19", "block=3"],
]
COSTLY = "costly.json"  # the target of verbs that need costs
VERBS = [
    ["solve"], ["solve", "--all"], ["solve", "--all", "--jobs", "2"], ["solve", "--all", "--distinct"], ["count"],
    ["solve", "--all", "--symmetry"], ["solve", "--all", "--certificate", "a.cert"], ["solve", "--cheapest", "3"],
    ["solve", "--cheapest", "1", "--certificate", "a.cert"], ["count", "--engine", "sets"], ["count", "--jobs", "2"],
    ["count", "--distinct"], ["count", "--certificate", "a.cert"], ["count", "--distinct", "--certificate", "a.cert"],
    ["check"], ["check", "--reduce"], ["estimate"], ["explain"], ["generate"], ["diagram"], ["sample"],
    ["diagram", "--certificate", "a.cert"], ["convert", "--format", "dlx"], ["view", "-o", "a.html"],
]  # fmt: skip


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
        (["diagram", "queens", "n=5"], "a.zdd"),
        (["solve", "queens", "n=5", "--all"], "a.jsonl"),
    ):
        file = folder / name
        with contextlib.redirect_stderr(io.StringIO()):
            assert run([*args, "-o", str(file)]) == 0
        found[name] = file.read_bytes()
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
    elif status == 1:
        again, _ = quiet_run(["solve", str(file), "--engine", "sets", "--no-reduce", "--timeout", "20"])
        wrong = "" if args[0] == "solve" and again == 1 else f"status 1, but the sets engine ends with status {again}"
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


def write_costly() -> None:
    """Write a problem whose least cost takes long to find."""
    with Path(COSTLY).open("w", encoding="utf-8") as out:
        json_problem.write(set_partitioning(60, 3000, 1), out)


def choose_command(chance: random.Random) -> list[str]:
    """Return a random verb with its flags, and a random hard target."""
    verb = chance.choice(VERBS)
    return [verb[0], *([COSTLY] if "--cheapest" in verb else chance.choice(HARD)), *verb[1:]]


def run_timed(args: list[str]) -> tuple[subprocess.CompletedProcess[str], float]:
    """Run the command line; return the result and the seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run([*COMMAND, *args], capture_output=True, text=True, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime - before.ru_utime


def deadlines(number: int, folder: Path) -> tuple[Counter[int], list[str]]:
    """Run hard targets with short deadlines, measured in processor time; print the one that ended last."""
    chance, statuses, wrong = random.Random(1), Counter[int](), list[str]()
    write_costly()
    start = sorted(run_timed(["count", "queens", "n=4"])[1] for _ in range(5))[2]
    latest = (0.0, "")
    for _ in range(number):
        seconds = chance.choice((0, 0.01, 0.1, 0.5, 1.0, 2.0))
        args = [*choose_command(chance), "--timeout", str(seconds)]
        command = " ".join(args)
        try:
            result, used = run_timed(args)
        except subprocess.TimeoutExpired:
            wrong.append(f"{command}: still running after 60 s")
            continue
        late = used / (2 if "--jobs" in args else 1) - start - seconds
        latest = max(latest, (late, command))
        statuses[result.returncode] += 1
        refused = result.returncode == 2 and "cannot be certified" in result.stderr  # too many symmetries for classes
        if (result.returncode not in (0, 3) and not refused) or "Traceback" in result.stderr:
            wrong.append(f"{command}: status {result.returncode}: {result.stderr[-300:]}")
        elif late > LATE:
            wrong.append(f"{command}: {late:.1f} s after the deadline")
    print(f"starting takes {start:.2f} s; at most {latest[0]:.2f} s after a deadline: {latest[1]}")
    return statuses, wrong


def interrupts(number: int, folder: Path) -> tuple[Counter[int], list[str]]:
    """Send signals to hard runs at random times."""
    chance, statuses, wrong = random.Random(2), Counter[int](), list[str]()
    write_costly()
    for _ in range(number):
        which = chance.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
        args = choose_command(chance)
        process = subprocess.Popen([*COMMAND, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(chance.uniform(0.0, 2.5))
        process.send_signal(which)
        try:
            _, said = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            wrong.append(f"{' '.join(args)}: still running 10 s after {which.name}")
            continue
        statuses[process.returncode] += 1
        if said.startswith("Fatal Python error: init_import_site"):  # before any line of this package has run
            continue
        # A signal that arrives before the handler is installed ends the process at once, which is fine, too.
        refused = process.returncode == 2 and "cannot be certified" in said
        if (process.returncode not in (0, 128 + which, -which) and not refused) or "Traceback" in said:
            wrong.append(f"{' '.join(args)}: {which.name}: status {process.returncode}: {said[-300:]}")
    return statuses, wrong


def kills(number: int, folder: Path) -> tuple[Counter[int], list[str]]:
    """Kill processes while they write; afterwards, the file must be the old one or a complete new one."""
    chance, statuses, wrong = random.Random(3), Counter[int](), list[str]()
    checks: dict[str, Callable[[Path], bool]] = {
        "jsonl": lambda file: not solutions.read(file.read_text("utf-8")).faults,
        "json": lambda file: bool(json.loads(file.read_text("utf-8"))),
        "csv": lambda file: file.read_text("utf-8").count("\n") == 14_200 * 12 + 1,
        "dlx": lambda file: file.read_text("utf-8").count("\n") == 300 * 300 + 1,
    }
    for round_ in range(number):
        form = chance.choice(sorted(checks))
        file = folder / f"{round_}.{form}"
        file.write_text("old")
        args = ["solve", "queens", "n=12", "--all"] if form != "dlx" else ["convert", "queens", "n=300"]
        process = subprocess.Popen([*COMMAND, *args, "-o", str(file)], stderr=subprocess.DEVNULL)
        part = file.with_name(f"{file.name}.part")
        while not part.exists() and process.poll() is None:
            time.sleep(0.002)
        time.sleep(chance.uniform(0.0, 0.6))
        process.kill()
        statuses[process.wait()] += 1
        if file.read_bytes() != b"old" and not checks[form](file):
            wrong.append(f"{file}: truncated")
        if quiet_run(["count", "queens", "n=4", "-o", str(file)])[0] != 0 or file.read_bytes() != b"2\n":
            wrong.append(f"{file}: the leftovers prevent the next run from writing")
    return statuses, wrong


def main() -> int:
    attacks = {"mutations": mutations, "deadlines": deadlines, "interrupts": interrupts, "kills": kills}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attack", choices=attacks)
    parser.add_argument("number", type=int, help="how often")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    os.chdir(folder)
    began = time.monotonic()
    statuses, wrong = attacks[options.attack](options.number, folder)
    told = ", ".join(f"{count} with status {status}" for status, count in sorted(statuses.items()))
    print(f"{options.number} {options.attack} in {time.monotonic() - began:.0f} s: {told}; {len(wrong)} wrong")
    for message in wrong[:40]:
        print(message)
    if wrong:
        print(f"failed inputs are in {folder}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
