"""End commands at random moments: by signals, deadlines, too little memory, and kills while they write.

    python benchmarks/interrupts.py --number 100
    python benchmarks/interrupts.py signals kills --number 1000 --seed 7

Each attack prints one line with its results. The exit status is 1 after a traceback, a wrong exit status (such as 20
without a proof, or 70), a truncated file or a late stop.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from exactcover.engines.registry import ENGINES
from exactcover.formats import json_problem, solutions
from families import set_partitioning
from processes import COMMAND

Results: TypeAlias = tuple[Counter[int], list[str]]
"""How many commands ended with each status, and what was wrong."""

STARTING = ("Fatal Python error: init", "Could not import runpy module", "Traceback")
"""What Python says if it is interrupted while it starts."""

OUR_MAIN = re.compile(r'cli.__init__\.py", line [0-9]+, in main')  # Python itself has functions of that name
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


if "learning" in ENGINES:
    VERBS += [["solve", "--engine", "learning"], ["solve", "--all", "--engine", "learning"]]
if "cpsat" in ENGINES:
    VERBS += [["solve", "--engine", "cpsat"], ["solve", "--cheapest", "2", "--engine", "cpsat"]]


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


def is_refused(result: subprocess.CompletedProcess[str]) -> bool:
    """Return whether a command was refused for a reason of its own: too many symmetries for classes."""
    return result.returncode == 2 and "cannot be certified" in result.stderr


def deadlines(number: int, chance: random.Random) -> Results:
    """Run hard targets with short deadlines, measured in processor time; print the one that ended last."""
    statuses, wrong = Counter[int](), list[str]()
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
        if (result.returncode not in (0, 3) and not is_refused(result)) or "Traceback" in result.stderr:
            wrong.append(f"{command}: status {result.returncode}: {show_ends(result.stderr)}")
        elif late > LATE:
            wrong.append(f"{command}: {late:.1f} s after the deadline")
    print(f"starting takes {start:.2f} s; at most {latest[0]:.2f} s after a deadline: {latest[1]}")
    return statuses, wrong


def memory(number: int, chance: random.Random) -> Results:
    """Run hard targets with little memory: as a flag, or as a limit of the system, so that allocations fail."""
    statuses, wrong = Counter[int](), list[str]()
    for _ in range(number):
        megabytes, is_flag = chance.randrange(200, 1200), chance.random() < 0.5
        args = [*choose_command(chance), "--timeout", "2", *(["--memory", f"{megabytes // 10}M"] if is_flag else [])]

        def limit(size: int = 0 if is_flag else megabytes << 20) -> None:
            if size:
                resource.setrlimit(resource.RLIMIT_AS, (size, size))

        result = subprocess.run([*COMMAND, *args], capture_output=True, text=True, preexec_fn=limit)
        statuses[result.returncode] += 1
        if result.returncode == 127 and "thread-local data" in result.stderr:  # the C library ended the process
            continue
        if (result.returncode not in (0, 3) and not is_refused(result)) or "Traceback" in result.stderr:
            told = f"{' '.join(args)}{'' if is_flag else f', {megabytes} MB of address space'}"
            wrong.append(f"{told}: status {result.returncode}: {show_ends(result.stderr)}")
    return statuses, wrong


def signals(number: int, chance: random.Random) -> Results:
    """Send signals to hard runs at random moments, many of them while the program starts."""
    statuses, wrong, early = Counter[int](), list[str](), 0
    for _ in range(number):
        which = chance.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
        args = choose_command(chance)
        process = subprocess.Popen([*COMMAND, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(chance.choice((chance.uniform(0.0, 0.3), chance.uniform(0.0, 2.5))))
        process.send_signal(which)
        try:
            _, said = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            wrong.append(f"{' '.join(args)}: still running 10 s after {which.name}")
            continue
        statuses[process.returncode] += 1
        if process.returncode == -which or (said.startswith(STARTING) and OUR_MAIN.search(said) is None):
            early += 1  # before any line of this package has run
            continue
        refused = is_refused(subprocess.CompletedProcess(args, process.returncode, "", said))
        ignored = "Traceback" in said or "Exception ignored" in said
        if (process.returncode not in (0, 128 + which) and not refused) or ignored:
            wrong.append(f"{' '.join(args)}: {which.name}: status {process.returncode}: {show_ends(said)}")
    print(f"{early} signals arrived while Python itself was starting")
    return statuses, wrong


def show_ends(text: str) -> str:
    """Return how a text begins and ends."""
    return text if len(text) <= 500 else f"{text[:200]} .. {text[-300:]}"


def kills(number: int, chance: random.Random) -> Results:
    """Kill processes while they write; afterwards, the file must be the old one or a complete new one."""
    statuses, wrong = Counter[int](), list[str]()
    checks: dict[str, Callable[[Path], bool]] = {
        "jsonl": lambda file: not solutions.read(file.read_text("utf-8")).faults,
        "json": lambda file: bool(json.loads(file.read_text("utf-8"))),
        "csv": lambda file: file.read_text("utf-8").count("\n") == 14_200 * 12 + 1,
        "dlx": lambda file: file.read_text("utf-8").count("\n") == 300 * 300 + 1,
    }
    for round_ in range(number):
        form = chance.choice(sorted(checks))
        file = Path(f"{round_}.{form}")
        file.write_text("old")
        args = ["solve", "queens", "n=12", "--all"] if form != "dlx" else ["convert", "queens", "n=300", "--long-names"]
        process = subprocess.Popen([*COMMAND, *args, "-o", str(file)], stderr=subprocess.DEVNULL)
        part = file.with_name(f"{file.name}.exactcover-part")
        while not part.exists() and process.poll() is None:
            time.sleep(0.002)
        time.sleep(chance.uniform(0.0, 0.6))
        process.kill()
        statuses[process.wait()] += 1
        if file.read_bytes() != b"old" and not checks[form](file):
            wrong.append(f"{file}: truncated")
        if run_timed(["count", "queens", "n=4", "-o", str(file)])[0].returncode != 0 or file.read_bytes() != b"2\n":
            wrong.append(f"{file}: the leftovers prevent the next run from writing")
    return statuses, wrong


ATTACKS: dict[str, Callable[[int, random.Random], Results]] = {
    "signals": signals, "deadlines": deadlines, "memory": memory, "kills": kills,
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", choices=[[], *ATTACKS], help="the attacks; all of them by default")
    parser.add_argument("--number", type=int, default=100, help="how many commands each attack runs")
    parser.add_argument("--seed", type=int, default=1, help="the seed of commands and moments")
    options = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_costly()
        for name in options.attacks or ATTACKS:
            began = time.monotonic()
            statuses, wrong = ATTACKS[name](options.number, random.Random(f"{name} {options.seed}"))
            told = ", ".join(f"{count} with status {status}" for status, count in sorted(statuses.items()))
            print(f"{options.number} {name} in {time.monotonic() - began:.0f} s: {told}; {len(wrong)} wrong")
            for message in wrong[:40]:
                print(message)
            faults += len(wrong)
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
