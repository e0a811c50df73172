"""Kill the workers and the coordinator of runs at random moments, and compare with a run that was left alone.

    python benchmarks/crashes.py [KILLS] [TARGET ...]      by default 100 kills, and all solutions for 15 queens

Prints a line for each run that has reached its end: how often it was killed, whether its count and digest are right,
and what the check of its store says. Exits with status 1 if anything is wrong.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

RUN = [sys.executable, "-m", "exactcover", "run"]
TARGET = ["queens", "n=15"]
WORKERS = 2 / 3  # the share of kills that hit a worker
PAUSE = 6.0  # the most seconds between two kills


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    target = sys.argv[2:] or TARGET
    generator = random.Random(kills)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.run"
        subprocess.run([*RUN, "start", *target, "--all", "--store", str(whole), "-q"], check=True)
        expected = digest(whole)
        done = number = wrong = 0
        while done < kills:
            number += 1
            store = Path(folder) / f"{number}.run"
            workers, coordinators = crash(store, target, generator, kills - done)
            done += workers + coordinators
            checked = subprocess.run([*RUN, "check", str(store)], capture_output=True, text=True, check=False)
            right = digest(store) == expected and checked.returncode == 0
            wrong += not right
            print(
                f"run {number}: {workers} workers and {coordinators} coordinators killed; "
                f"{'the same digest' if right else 'WRONG'}; {checked.stdout.splitlines()[-1:]}",
                flush=True,
            )
    print(f"{done} kills in {number} runs, {wrong} wrong")
    sys.exit(1 if wrong else 0)


def crash(store: Path, target: list[str], generator: random.Random, most: int) -> tuple[int, int]:
    """Let a run reach its end while it is killed now and then; return how many workers and coordinators were killed."""
    workers = coordinators = 0
    while True:
        verb = (
            ["resume", str(store), "--retry"] if store.exists() else ["start", *target, "--all", "--store", str(store)]
        )
        process = subprocess.Popen([*RUN, *verb, "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            time.sleep(generator.uniform(0.1, PAUSE))
            if workers + coordinators >= most:
                process.wait()
                break
            children = [
                child for child in psutil.Process(process.pid).children() if "spawn_main" in str(child.cmdline())
            ]
            if process.poll() is not None:
                break
            if children and generator.random() < WORKERS:
                generator.choice(children).kill()
                workers += 1
            else:
                process.kill()
                coordinators += 1
                process.wait()
        if process.returncode == 0:
            return workers, coordinators


def digest(store: Path) -> str:
    """Return the digest that a run reports."""
    shown = subprocess.run([*RUN, "status", str(store)], capture_output=True, text=True, check=True).stdout
    return next(line for line in shown.splitlines() if line.startswith("digest"))


if __name__ == "__main__":
    main()
