"""Compare runs on two workers with two threads, and their forecasts with the time that was really left.

    python benchmarks/runs.py [--dask] TARGET ...

A TARGET with parameters is one argument, such as "queens n=18". For each one, the solutions are counted by two
threads, then by a run with two processes and, with `--dask`, by a run with two workers of dask. Prints the seconds of
each, start and end included, and their ratios to the threads; for runs also the share of their time in which workers
searched, which does not depend on how fast the machine was just then. At the end of a line stands the time left that
the run has forecast, divided by the time that was left, after a tenth of the time and later. The exit status is 1 if a
run finds another number than the threads.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from contest import COMMAND
from exactcover import CoverError, Run

SHARES = (0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
PAUSE = 0.5  # seconds between two looks at a run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("target", nargs="+")
    arguments = parser.parse_args()
    wrong = 0
    columns = ["problem", "threads", *("run", "ratio", "busy"), *("dask", "ratio", "busy")]
    print(" | ".join([*columns, *(f"{share:.0%}" for share in SHARES)]))
    for target in arguments.target:
        expected, threads = measure_threads(target)
        found, run, busy, factors = measure_run(target, ["--workers", "2"])
        numbers = {"threads": expected, "run": found}
        dask = "- | - | -"
        if arguments.dask:
            from distributed import LocalCluster

            with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, protocol="tcp://") as cluster:
                numbers["dask"], seconds, searching, _ = measure_run(target, ["--dask", cluster.scheduler_address])
            dask = f"{seconds:.1f} | {seconds / threads:.3f} | {searching:.3f}"
        line = [target, f"{threads:.1f}", f"{run:.1f}", f"{run / threads:.3f}", f"{busy:.3f}", dask, *factors]
        print(" | ".join(line), flush=True)
        if len({*numbers.values()}) > 1:
            wrong += 1
            print(f"{target}: {numbers}", file=sys.stderr)
    return int(wrong > 0)


def measure_threads(target: str) -> tuple[int, float]:
    """Return the number that two threads count, and the seconds."""
    start = time.perf_counter()
    command = [*COMMAND, "count", *target.split(), "--jobs", "2", "--engine", "native", "-q"]
    done = subprocess.run(command, stdout=subprocess.PIPE)
    if done.returncode != 0:  # the command has said why
        sys.exit(2)
    return int(done.stdout), time.perf_counter() - start


def measure_run(target: str, where: list[str]) -> tuple[int, float, float, list[str]]:
    """Return the number that a run finds, its seconds, the share in which two workers searched, and its forecasts."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "some.run"
        seen: list[tuple[float, float]] = []
        start = time.perf_counter()
        command = [*COMMAND, "run", "start", *target.split(), "--store", str(store), *where, "-q"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None:
            time.sleep(PAUSE)
            left = read_forecast(store)
            if left is not None:
                seen.append((time.perf_counter() - start, left))
        seconds = time.perf_counter() - start
        if process.returncode != 0:
            sys.exit(f"the run of {target} has failed")
        status = Run(store).status()
        busy = status.seconds / (2 * seconds)
    return status.solutions, seconds, busy, [describe_forecast(seen, share * seconds, seconds) for share in SHARES]


def read_forecast(store: Path) -> float | None:
    try:
        forecast = Run(store).status().forecast
    except CoverError:  # the store is just being created
        return None
    return None if forecast is None else forecast.seconds_left


def describe_forecast(seen: list[tuple[float, float]], moment: float, end: float) -> str:
    """Return what the newest forecast at a moment says, divided by the time that was left then."""
    known = [(when, left) for when, left in seen if when <= moment]
    if not known:
        return "-"
    when, left = known[-1]
    return f"{left / (end - when):.2f}"


if __name__ == "__main__":
    sys.exit(main())
