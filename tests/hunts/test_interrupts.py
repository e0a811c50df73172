"""Commands on hard targets that are ended by signals, deadlines, or too little memory: none claims what it has not proved."""

import random
import re
import resource
import signal
import statistics
import subprocess
import time
from pathlib import Path

import pytest

from commands import COMMAND, PATIENCE
from damage import ROUNDS
from exactcover.engines.base import ENGINES
from exactcover.formats import json_problem
from families import set_partitioning

pytestmark = pytest.mark.slow

STARTING = ("Fatal Python error: init", "Could not import runpy module", "Traceback")
"""What Python says if it is interrupted while it starts."""
OUR_MAIN = re.compile(r'cli.__init__\.py", line [0-9]+, in main')  # Python itself has functions of that name
LATE = 1.0  # seconds of processor time allowed after a deadline, beside those of starting
HARD = [
    "polyomino board=12x15 pieces=pentominoes copies=3", "polyomino board=400x400 pieces=dominoes copies=any",
    "thirteen_pieces_8x8.yaml", "queens n=300", "queens n=14", "latin n=7", "sudoku_16x16.yaml", "langford n=20",
    "tetrasticks_6x6.yaml", "macmahon_4x6.yaml", "bedlam_cube.yaml", "one_sided_pentominoes_3x30.yaml",
    "y_pentominoes_15x15.yaml", "design points=19 block=3",
]  # fmt: skip
VERBS = [
    "solve", "solve --all", "solve --all --jobs 2", "solve --all --distinct", "solve --all --symmetry",
    "solve --all --certificate a.cert", "solve --cheapest 3", "solve --cheapest 1 --certificate a.cert", "count",
    "count --engine sets", "count --jobs 2", "count --distinct", "count --certificate a.cert",
    "count --distinct --certificate a.cert", "check", "check --reduce", "estimate", "explain", "generate", "sample",
    "diagram", "diagram --certificate a.cert", "convert --format dlx", "view -o a.html",
    *(f"solve{flag} --engine learning" for flag in ("", " --all") if "learning" in ENGINES),
    *(f"solve{flag} --engine cpsat" for flag in ("", " --cheapest 2") if "cpsat" in ENGINES),
]  # fmt: skip


@pytest.fixture(scope="module")
def costly(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A problem whose least cost takes long to find."""
    file = tmp_path_factory.mktemp("costly") / "costly.json"
    with file.open("w", encoding="utf-8") as out:
        json_problem.write(set_partitioning(60, 3000), out)
    return file


@pytest.fixture(autouse=True)
def folder(costly: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder, beside which that problem is."""
    monkeypatch.chdir(tmp_path)
    Path("costly.json").symlink_to(costly)


def choose_command(chance: random.Random) -> list[str]:
    """Return a random verb with its flags, and a random hard target."""
    verb, *flags = chance.choice(VERBS).split()
    return [verb, *("costly.json" if "--cheapest" in flags else chance.choice(HARD)).split(), *flags]


def judge(done: subprocess.CompletedProcess[str], stopped: int) -> None:
    """Check that a command has ended its work, was stopped, or was refused since a problem has too many symmetries."""
    assert done.returncode in (0, stopped) or (done.returncode == 2 and "cannot be certified" in done.stderr), done
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr, done


def run_timed(args: list[str]) -> tuple[subprocess.CompletedProcess[str], float]:
    """Run the command line; return the result and the seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*COMMAND, *args], capture_output=True, text=True, timeout=PATIENCE)
    return done, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before.ru_utime


@pytest.fixture(scope="module")
def start() -> float:
    """The seconds of processor time that the start of a command takes."""
    return statistics.median(run_timed(["count", "queens", "n=4"])[1] for _ in range(ROUNDS))


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_deadlines(seed: int, start: float) -> None:
    chance = random.Random(f"deadlines {seed}")
    seconds = chance.choice((0, 0.01, 0.1, 0.5, 1.0))
    args = [*choose_command(chance), "--timeout", str(seconds)]
    done, used = run_timed(args)
    judge(done, 3)
    assert used / (2 if "--jobs" in args else 1) - start - seconds < LATE, args


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_little_memory(seed: int) -> None:
    """By a flag, or by a limit of the system, so that allocations fail."""
    chance = random.Random(f"memory {seed}")
    megabytes, is_flag = chance.randrange(200, 1200), chance.random() < 0.5
    args = [*choose_command(chance), "--timeout", "1", *(["--memory", f"{megabytes // 10}M"] if is_flag else [])]

    def limit() -> None:
        if not is_flag:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    done = subprocess.run([*COMMAND, *args], capture_output=True, text=True, preexec_fn=limit)
    if done.returncode != 127 or "thread-local data" not in done.stderr:  # the C library has ended the process
        judge(done, 3)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_signals(seed: int) -> None:
    """Half of them arrive while the program starts."""
    chance = random.Random(f"signals {seed}")
    number = chance.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    args = choose_command(chance)
    process = subprocess.Popen([*COMMAND, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(chance.choice((chance.uniform(0.0, 0.3), chance.uniform(0.0, 2.5))))
    process.send_signal(number)
    said = process.communicate(timeout=PATIENCE)[1]
    is_early = process.returncode == -number or (said.startswith(STARTING) and not OUR_MAIN.search(said))
    if not is_early:  # else no line of this package has run
        judge(subprocess.CompletedProcess(args, process.returncode, "", said), 128 + number)
