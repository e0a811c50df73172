"""Kill parts of runs at random moments, and compare with a run that was left alone.

    python benchmarks/crashes.py [--count] [--kills N] [--dask-runs N] [TARGET ...]

By default, workers and coordinators of runs that list all solutions of a puzzle are killed 100 times; with `--count`,
of runs that only count them. With `--dask-runs`, the scheduler, workers and coordinators of runs on dask are killed as
well. Everything that dies is started again.

Prints a line for each run that has reached its end: what was killed, whether the digest is right, and what the check of
the store says. The exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from processes import COMMAND

RUN = [*COMMAND, "run"]
TARGET = [str(Path(__file__).parents[1] / "configs" / "macmahon_4x6.yaml")]
WORKERS = 2  # of dask


def main() -> None:
    arguments = parse_arguments()
    generator = random.Random(arguments.kills)
    kills, wrong = Counter[str](), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        what = [*arguments.target, *([] if arguments.count else ["--all"])]
        run([*RUN, "start", *what, "--store", str(folder / "whole.run"), "-q"])
        expected = digest(folder / "whole.run")
        number = 0
        while kills.total() < arguments.kills:
            number += 1
            store = folder / f"{number}.run"
            killed = Crash(store, what, generator, arguments.pause).go(arguments.kills - kills.total())
            kills += killed
            wrong += report(store, killed, expected)
        for number in range(arguments.dask_runs):
            store = folder / f"dask-{number}.run"
            with start_cluster() as cluster:
                killed = Crash(store, what, generator, arguments.dask_pause, cluster).go(1000)
            kills += killed
            wrong += report(store, killed, expected)
    print(f"{describe(kills)} killed, {wrong} results wrong")
    sys.exit(1 if wrong else 0)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", action="store_true", help="count the solutions; do not list them")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--dask-runs", type=int, default=0)
    parser.add_argument("--pause", type=float, default=4, help="the most seconds between two kills")
    parser.add_argument("--dask-pause", type=float, default=10, help="the same for runs on dask, which start later")
    parser.add_argument("target", nargs="*", default=TARGET)
    return parser.parse_args()


def is_worker(process: psutil.Process) -> bool:
    try:
        return "spawn_main" in str(process.cmdline())
    except psutil.Error:  # it has just ended
        return False


def report(store: Path, killed: Counter[str], expected: str) -> bool:
    """Print how a run has ended, and return whether that is wrong."""
    checked = run([*RUN, "check", str(store)], check=False)
    right = digest(store) == expected and checked.returncode == 0
    print(f"{describe(killed)} killed; {'the same digest' if right else 'WRONG'}; {checked.stdout.splitlines()[-1:]}")
    sys.stdout.flush()
    return not right


def describe(killed: Counter[str]) -> str:
    return ", ".join(f"{number} x {what}" for what, number in sorted(killed.items())) or "nothing"


def run(command: Sequence[str], *, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=check)


def digest(store: Path) -> str:
    """Return the digest that a run reports."""
    shown = run([*RUN, "status", str(store)]).stdout
    return next(line for line in shown.splitlines() if line.startswith("digest"))


class Cluster:
    """A scheduler of dask and its workers, on this machine."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._scheduler = self._start_scheduler()
        self._workers = [self._start_worker() for _ in range(WORKERS)]

    def _start(self, kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments, "--no-dashboard"]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        started = self._start("scheduler", "--port", str(self._port), "--host", "127.0.0.1")
        while True:
            try:
                socket.create_connection(("127.0.0.1", self._port)).close()
                return started
            except OSError:
                time.sleep(0.1)

    def _start_worker(self) -> subprocess.Popen[bytes]:
        return self._start("worker", self.address, "--nworkers", "1", "--nthreads", "1", "--no-nanny")

    def kill_scheduler(self) -> None:
        self._scheduler.kill()
        self._scheduler.wait()
        self._scheduler = self._start_scheduler()

    def kill_worker(self, generator: random.Random) -> None:
        place = generator.randrange(len(self._workers))
        self._workers[place].kill()
        self._workers[place].wait()
        self._workers[place] = self._start_worker()

    def stop(self) -> None:
        for process in (*self._workers, self._scheduler):
            process.kill()
            process.wait()


@contextmanager
def start_cluster() -> Iterator[Cluster]:
    cluster = Cluster()
    try:
        yield cluster
    finally:
        cluster.stop()


class Crash:
    """A run that is killed now and then until it reaches its end."""

    def __init__(
        self,
        store: Path,
        target: Sequence[str],
        generator: random.Random,
        pause: float,
        cluster: Cluster | None = None,
    ) -> None:
        self._store, self._target, self._random, self._cluster = store, target, generator, cluster
        self._pause = pause
        self._kills = Counter[str]()

    def go(self, most: int) -> Counter[str]:
        """Return what was killed, and how often."""
        process = self._start()
        while process.poll() is None:
            if self._kills.total() >= most:
                process.wait()
            elif not self._ends_within(process, self._random.uniform(min(0.1, self._pause), self._pause)):
                self._kill_something(process)
            if process.poll() not in (None, 0):
                process = self._start()
        return self._kills

    def _start(self) -> subprocess.Popen[bytes]:
        begin = ["start", *self._target, "--store", str(self._store)]
        verb = ["resume", str(self._store), "--retry"] if self._store.exists() else begin
        where = ["--dask", self._cluster.address] if self._cluster is not None else []
        return subprocess.Popen([*RUN, *verb, *where, "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _ends_within(self, process: subprocess.Popen[bytes], seconds: float) -> bool:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _kill_something(self, process: subprocess.Popen[bytes]) -> None:
        workers = [child for child in psutil.Process(process.pid).children() if is_worker(child)]
        victim = self._random.choice(["coordinator", "worker", "worker", "scheduler"])
        if victim == "coordinator" or (self._cluster is None and not workers):
            process.kill()
            process.wait()
            victim = "coordinator"
        elif self._cluster is None:
            self._random.choice(workers).kill()
            victim = "worker"
        elif victim == "worker":
            self._cluster.kill_worker(self._random)
            victim = "worker of dask"
        else:
            self._cluster.kill_scheduler()
            victim = "scheduler of dask"
        self._kills[victim] += 1


if __name__ == "__main__":
    main()
