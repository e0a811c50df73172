"""What is killed at random moments: parts of runs, which are resumed, and commands that write a file."""

import contextlib
import itertools
import json
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from commands import COMMAND, PATIENCE, invoke, is_command, wait_until
from damage import ROUNDS, THOROUGH
from exactcover.formats import solutions

pytestmark = pytest.mark.slow

TARGET = ["macmahon_4x6.yaml"] if THOROUGH else ["queens", "n=11"]
KILLS = 5 if THOROUGH else 2  # of each run
NOWHERE = subprocess.DEVNULL


def read_digest(store: Path) -> str:
    """Return the digest that a run reports."""
    shown = invoke("run", "status", str(store)).stdout
    return next(line for line in shown.splitlines() if line.startswith("digest"))


@pytest.fixture(scope="module")
def digests(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The digests of runs that were left alone, by their flags."""
    folder, found = tmp_path_factory.mktemp("whole"), {}
    for number, flags in enumerate(("", "--all")):
        store = folder / f"{number}.run"
        assert invoke("run", "start", *TARGET, *flags.split(), "--store", str(store), "-q").returncode == 0
        found[flags] = read_digest(store)
    return found


class Cluster:
    """A scheduler of dask and its two workers, on this machine."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._parts = [self._start(place) for place in range(3)]

    def _start(self, place: int) -> subprocess.Popen[bytes]:
        """Start the scheduler, or a worker, which waits for it."""
        scheduler = ["scheduler", "--port", str(self._port), "--host", "127.0.0.1"]
        worker = ["worker", self.address, "--nworkers", "1", "--nthreads", "1", "--no-nanny"]
        kind, *arguments = worker if place else scheduler
        command = [sys.executable, "-W", "ignore", "-m", f"distributed.cli.dask_{kind}", *arguments, "--no-dashboard"]
        part = subprocess.Popen(command, stdout=NOWHERE, stderr=NOWHERE)
        if not place:
            wait_until(self._answers)
        return part

    def _answers(self) -> bool:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self._port)).close()
            return True
        return False

    def kill(self, place: int) -> None:
        """Kill the scheduler or a worker, and start another one."""
        self._parts[place].kill()
        self._parts[place].wait()
        self._parts[place] = self._start(place)

    def close(self) -> None:
        for part in self._parts:
            part.kill()
            part.wait()


def kill_and_resume(store: Path, flags: list[str], chance: random.Random, cluster: Cluster | None = None) -> None:
    """Work on a run until it ends; now and then, kill the coordinator, a worker, or a part of a cluster."""
    where, pause = (["--dask", cluster.address], 5.0) if cluster else ([], 1.0)
    for kills in itertools.count():
        begin = ["start", *TARGET, *flags, "--store", str(store)]
        verb = ["resume", str(store), "--retry"] if store.exists() else begin
        process = subprocess.Popen([*COMMAND, "run", *verb, *where, "-q"], stdout=NOWHERE, stderr=NOWHERE)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0.1, pause) if kills < KILLS else PATIENCE)
        while process.poll() is None and chance.random() < 0.6:  # not the coordinator
            workers = [child for child in psutil.Process(process.pid).children() if is_command(child, "call_worker")]
            if cluster:
                cluster.kill(chance.randrange(3))
            elif workers:
                chance.choice(workers).kill()
            time.sleep(chance.uniform(0.1, pause))
        if process.poll() == 0:
            return
        process.kill()
        process.wait()
        assert kills < KILLS, "the run does not end"


@pytest.mark.parametrize("flags", ["", "--all"] if THOROUGH else ["--all"])
@pytest.mark.parametrize("seed", range(-(-ROUNDS // 3)))
def test_runs_of_processes(seed: int, flags: str, digests: dict[str, str], tmp_path: Path) -> None:
    store = tmp_path / "some.run"
    kill_and_resume(store, flags.split(), random.Random(seed))
    assert read_digest(store) == digests[flags]
    assert invoke("run", "check", str(store)).returncode == 0


@pytest.mark.skipif(not THOROUGH, reason="it takes long; the profile thorough runs it")
@pytest.mark.parametrize("seed", range(20 if THOROUGH else 1))
def test_runs_on_dask(seed: int, digests: dict[str, str], tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="dask is not installed")
    store = tmp_path / "some.run"
    with contextlib.closing(Cluster()) as cluster:
        kill_and_resume(store, ["--all"], random.Random(seed), cluster)
    assert read_digest(store) == digests["--all"]
    assert invoke("run", "check", str(store)).returncode == 0


IS_WHOLE: dict[str, Callable[[str], bool]] = {
    "jsonl": lambda text: not solutions.read(text).faults,
    "json": lambda text: bool(json.loads(text)),
    "csv": lambda text: text.count("\n") == 2680 * 11 + 1,
    "dlx": lambda text: text.count("\n") == 200 * 200 + 1,
}


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_commands_that_write(seed: int, tmp_path: Path) -> None:
    """The file is the old one or a whole new one, and what is left does not prevent the next command from writing."""
    chance = random.Random(seed)
    form = chance.choice(sorted(IS_WHOLE))
    file, part = tmp_path / f"out.{form}", tmp_path / f"out.{form}.exactcover-part"
    file.write_text("old")
    args = ["convert", "queens", "n=200", "--long-names"] if form == "dlx" else ["solve", "queens", "n=11", "--all"]
    process = subprocess.Popen([*COMMAND, *args, "-o", str(file)], stderr=subprocess.DEVNULL)
    wait_until(lambda: part.exists() or process.poll() is not None)
    time.sleep(chance.uniform(0.0, 0.3))
    process.kill()
    process.wait()
    content = file.read_text("utf-8")
    assert content == "old" or IS_WHOLE[form](content)
    assert invoke("count", "queens", "n=4", "-o", str(file)).returncode == 0
    assert file.read_text() == "2\n"
    assert list(tmp_path.iterdir()) == [file]
