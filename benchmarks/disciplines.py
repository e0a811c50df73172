"""The disciplines: what is compared, and on which problems. Each takes the command-line options and returns rows."""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import libraries
import puzzles
from contest import COMMAND, COST, OURS, PYTHON, SOLUTIONS, Contestant, Row, program, race
from exactcover import Problem, SearchOptions, StoppedError
from exactcover.engines.base import ENGINES
from exactcover.formats import dlx, set_partitioning
from integer_programs import solve_by_highs, solve_by_scip
from libraries import is_there
from problems import Queens
from suite import CLASSES, COUNTED, COVERED, DUTIES, FIRST, LISTED, PRICED, PUBLISHED, SUITE

Suite = Mapping[str, tuple[Callable[[], Problem], int]]


def counting(options: argparse.Namespace) -> list[Row]:
    """Counting by search: every contestant visits all leaves of its tree, or counts the options of its last items.

    No contestant keeps a memo. An engine is timed from a Problem to the number; a program is timed as a whole process,
    which also reads the problem.
    """
    return race_counts(SUITE, options, lambda problem: {"native": partial(problem.count, engine="native")})


def multiplicities(options: argparse.Namespace) -> list[Row]:
    """Counting as people call it, and by the engine ``native`` alone, for problems with multiplicities."""
    ways = {"exactcover": "auto", "native": "native"}
    return race_counts(
        COUNTED, options, lambda problem: {way: partial(problem.count, engine=engine) for way, engine in ways.items()}
    )


def counting_with_symmetry(options: argparse.Namespace) -> list[Row]:
    """`Problem.count` as people call it, with symmetries, a sweep or a memo, against programs that visit every leaf."""
    return race_counts(SUITE, options, lambda problem: {"exactcover": problem.count})


def published(options: argparse.Namespace) -> list[Row]:
    """Published numbers of solutions, with symmetry and without."""
    ways = {"exactcover": SearchOptions(), "without symmetry": SearchOptions(symmetry=False)}
    return race_counts(
        PUBLISHED,
        options,
        lambda problem: {way: count_in_time(problem, options, how) for way, how in ways.items()},
        rounds=1,
    )


def classes(options: argparse.Namespace) -> list[Row]:
    """Numbers of solutions up to symmetry."""
    how = SearchOptions(distinct=True)
    return race_counts(
        CLASSES, options, lambda problem: {"exactcover": count_in_time(problem, options, how)}, rounds=options.rounds
    )


def jobs(options: argparse.Namespace) -> list[Row]:
    """Two counts of the same problem, in seconds: in two processes, with two threads, and with one thread."""
    names = ["pentominoes 5x12", "pentominoes 6x10", "thirteen pieces", "dominoes 8x8"]
    return race_counts(
        {name: SUITE[name] for name in names},
        options,
        lambda problem: {
            "two processes": partial(_in_two_processes, problem),
            "two threads, twice": partial(_twice, problem, 2),
            "one thread, twice": partial(_twice, problem, 1),
        },
        rounds=options.rounds,
    )


def race_counts(
    suite: Suite,
    options: argparse.Namespace,
    list_ways: Callable[[Problem], dict[str, Contestant]],
    *arguments: str,
    rounds: int | None = None,
) -> list[Row]:
    """Let our ways to count race, beside the programs with these arguments unless a number of rounds is stated."""
    rows = []
    for engine in ("auto", "native"):  # the first row leaves out what a count imports at first use
        Queens(n=12).problem().count(engine=engine)
    for name in chosen(suite, options):
        make, expected = suite[name]
        problem = make()
        with written(problem) as file:
            peers = programs(options, file, *arguments) if rounds is None else {}
            rows.append(race(name, list_ways(problem), peers, expected, rounds or options.rounds))
    return rows


def count_in_time(problem: Problem, options: argparse.Namespace, how: SearchOptions) -> Contestant:
    def count() -> int | None:
        try:
            return problem.count(timeout=options.timeout, options=how)
        except StoppedError:
            return None

    return count


def planning(options: argparse.Namespace) -> list[Row]:
    """The cheapest solution of large set partitioning problems, beside solvers of integer programs with one thread."""
    problems = dict(DUTIES)
    for file in sorted(options.folder.iterdir()) if options.folder else ():
        problems[file.name] = partial(_read_partitioning, file)
    return _planning(problems, options)


def covering(options: argparse.Namespace) -> list[Row]:
    """The same for problems with ranges and soft items: set covers, tables of guests, plans of a ward."""
    return _planning(COVERED, options)


def _planning(problems: Mapping[str, Callable[[], Problem]], options: argparse.Namespace) -> list[Row]:
    solvers: dict[str, Callable[[Problem, float], int | None]] = {"exactcover": partial(find_least_cost, "auto")}
    for solver, library, solve in (("highs", "highspy", solve_by_highs), ("scip", "pyscipopt", solve_by_scip)):
        if is_there(library):
            solvers[solver] = solve
    if "cpsat" in ENGINES:
        solvers["cpsat"] = partial(find_least_cost, "cpsat")
    rows = []
    for name in chosen(problems, options):
        problem = problems[name]()
        proved = set[int]()
        peers: dict[str, Contestant] = {
            solver: partial(_note, partial(solve, problem, options.timeout), proved)
            for solver, solve in solvers.items()
        }
        for contestant in peers.values():
            if not proved:
                contestant()
        ours = {"exactcover": peers.pop("exactcover")}
        row = race(name, ours, peers, next(iter(proved), None), options.rounds)
        if len(proved) > 1:
            row.mistakes.append(f"{name}: proved costs differ: {sorted(proved)}")
        row.notes = dict.fromkeys(ours, "")  # so that ours is the first column, also where it gave up
        rows.append(row)
    return rows


def _note(solve: Callable[[], int | None], proved: set[int]) -> int | None:
    """Return the least cost, and note it."""
    cost = solve()
    if cost is not None:
        proved.add(cost)
    return cost


def _read_partitioning(file: Path) -> Problem:
    with file.open(encoding="utf-8") as lines:
        return set_partitioning.read(lines, file.name)


def costs(options: argparse.Namespace) -> list[Row]:
    """The cheapest solution of random set partitioning problems, and of other problems with random costs."""
    rows = []
    for name in chosen(PRICED, options):
        problem = PRICED[name]()
        best = int(problem.cost(next(problem.cheapest())))
        with written(problem) as file:
            ours: dict[str, Contestant] = {
                engine: partial(find_least_cost, engine, problem, options.timeout)
                for engine in ("native", "cpsat")
                if engine in ENGINES
            }
            rows.append(race(name, ours, programs(options, file, report=COST), best, options.rounds))
    return rows


def find_least_cost(engine: str, problem: Problem, timeout: float) -> int | None:
    search = problem.cheapest(engine=engine, timeout=timeout)
    found = list(search)
    return int(problem.cost(found[0]) + problem.price(found[0])) if found and not search.status.stopped else None


def listing(options: argparse.Namespace) -> list[Row]:
    """Listing: every solution is passed to Python and added to a checksum; building the model is timed separately."""
    rows = []
    makers = libraries.installed()
    for name in chosen(LISTED, options):
        make, expected = SUITE[name]
        problem = make()
        built: dict[str, list[float]] = {library: [] for library in makers}
        ours = _listed(problem, makers["native"])
        assert ours is not None
        assert ours[0][0] == expected
        peers: dict[str, Contestant] = {
            library: partial(_apart, problem, maker, options.timeout, built[library])
            for library, maker in makers.items()
        }
        native = {"native": peers.pop("native")}
        row = race(name, native, peers, ours[0], options.rounds, clock=False)
        row.expected = expected
        row.notes = {each: f" (+{statistics.median(seconds):.4f})" for each, seconds in built.items() if seconds}
        rows.append(row)
    return rows


def first_solutions(options: argparse.Namespace) -> list[Row]:
    """The first solution of n queens; the argument t1 tells programs to stop after it."""
    return race_counts(FIRST, options, lambda problem: {"native": lambda: len([*problem.solve(limit=1)])}, "t1")


def sudoku(options: argparse.Namespace) -> list[Row]:
    """Single large Sudokus against programs, and streams of 9x9 puzzles against the `--sudoku` programs."""
    single: Suite = {f"Sudoku {n * n}x{n * n}": (partial(puzzles.large, n, n), 1) for n in (4, 5)}
    rows = race_counts(single, options, lambda problem: {"native": partial(problem.count, engine="native")})
    streams: dict[str, Callable[[], list[str]]] = {"easy puzzles": partial(puzzles.minimal, min(200, options.stream))}
    if options.puzzles is not None:
        lines = options.puzzles.read_text().splitlines()
        streams["puzzles of the file"] = lambda: [line.split()[0] for line in lines if line.strip()]
    for name, make in streams.items():
        for jobs in (1, 2):
            title = f"{options.stream:,} {name}" + (f", {jobs} threads" if jobs > 1 else "")
            if re.search(options.only, title):
                rows.append(_stream(title, list(islice(cycle(make()), options.stream)), jobs, options))
    return rows


def memory(options: argparse.Namespace) -> list[Row]:
    """Peak memory of whole processes, in MB; ours excludes the interpreter and the imports."""
    return measure_peaks("SUITE", SUITE, options, {"native": "problem.count(engine='native')"}, ["v1"])


def symmetry_memory(options: argparse.Namespace) -> list[Row]:
    """Peak memory of counts with symmetry and without, in MB; without the interpreter and the imports."""
    ways = {"exactcover": "", "without symmetry": "options=SearchOptions(symmetry=False)"}
    return measure_peaks("SUITE", SUITE, options, {way: f"problem.count({how})" for way, how in ways.items()})


def measure_peaks(
    named: str, suite: Suite, options: argparse.Namespace, ways: Mapping[str, str], arguments: Sequence[str] = ()
) -> list[Row]:
    """Measure our ways to count, which are expressions with `problem`, and the programs if there are arguments.

    What a way takes for a tiny problem is left out: interpreter, imports, compilation. A process that ended before it
    could be measured has no peak.
    """
    rows = []
    head = "import suite, whole_sets, networkx; from exactcover import Problem, SearchOptions; problem = "
    tiny = f"{head}Problem({{'A': [1]}}); "
    bases = {each: peak([*PYTHON, "-c", tiny + way], check=True) or 0 for each, way in ways.items()}
    for name in chosen(suite, options):
        make, expected = suite[name]
        peaks = {}
        for each, way in ways.items():
            script = f"{head}suite.{named}[{name!r}][0](); assert {way} == {expected}"
            found = peak([*PYTHON, "-c", script], timeout=options.timeout, check=each in OURS)
            if found is not None:
                peaks[each] = max((found - bases[each]) / 1024, 0.1)
        with written(make()) as file:
            for each, path in options.program.items() if arguments else ():
                found = peak([path, *arguments], file, timeout=options.timeout)
                if found:
                    peaks[each] = found / 1024
        rows.append(Row(name, expected, peaks))
    return rows


# -- shared by the disciplines ---------------------------------------------------------------------


def chosen(names: Iterable[str], options: argparse.Namespace) -> Iterator[str]:
    return (name for name in names if re.search(options.only, name))


def programs(
    options: argparse.Namespace, file: Path, *arguments: str, report: str = SOLUTIONS
) -> dict[str, Contestant]:
    if report == SOLUTIONS:
        arguments = ("v1", *arguments)
    return {
        each: program(path, file, options.timeout, *arguments, report=report) for each, path in options.program.items()
    }


@contextmanager
def written(problem: Problem) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problem.dlx"
        with file.open("w", encoding="utf-8") as out:
            dlx.write(problem, out)
        yield file


def _listed(problem: Problem, make: Any) -> tuple[tuple[int, int], float, float] | None:
    """Return (number, checksum), the seconds of searching, and the seconds of building."""
    began = time.perf_counter()
    try:
        search = make(problem)
    except NotImplementedError:
        return None
    built = time.perf_counter()
    number = checksum = 0
    for solution in search():
        number += 1
        checksum += sum(solution)
    return (number, checksum), time.perf_counter() - built, built - began


def _listed_later(problem: Problem, make: Any) -> tuple[tuple[int, int], float, float] | None:
    """Do the same after a small problem, so that what a contestant loads or compiles at first use is left out."""
    small, _ = SUITE["Langford 8"]
    return _listed(small(), make) and _listed(problem, make)


def _apart(problem: Problem, make: Any, timeout: float, built: list[float]) -> tuple[object, float]:
    """List the solutions in a separate process; append the seconds of building to `built`."""
    found = apart(partial(_listed_later, problem, make), timeout)
    if found is None:
        return None, 0.0
    built.append(found[2])
    return found[0], found[1]


def apart(work: Callable[[], Any], timeout: float, lost: Callable[[int | None], Any] = lambda status: None) -> Any:
    """Return the result of `work`, run in a separate process; None if it does not finish before the timeout.

    If the process ends without a result, return what `lost` makes of its status.
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    sys.stderr.flush()
    process = context.Process(target=lambda: sender.send(work()))
    process.start()
    sender.close()
    found = None
    if receiver.poll(timeout):
        try:
            found = receiver.recv()
        except EOFError:
            process.join()
            found = lost(process.exitcode)
    process.kill()
    process.join()
    return found


def _stream(title: str, lines: list[str], jobs: int, options: argparse.Namespace) -> Row:
    """Time whole processes that read puzzles line by line and print solutions; all but ours use one thread."""
    text = "\n".join(lines) + "\n"
    command = [*COMMAND, "batch", "sudoku", "-", "-q", "--jobs", str(jobs)]
    answers = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout

    def run(command: list[str]) -> int:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        return sum(one == other for one, other in zip(answers.split(), done.stdout.split(), strict=False))

    peers = {name: partial(run, [path]) for name, path in options.sudoku.items()}
    return race(title, {"native": partial(run, command)}, peers, len(lines), options.rounds)


def peak(
    command: list[str], stdin: Path | None = None, timeout: float = math.inf, *, check: bool = False
) -> float | None:
    """Return the peak resident set of a process in KB, as recorded by the kernel and read until the process ends.

    Return None if the process was killed, for example by the timeout. With `check`, end with an error if the process
    itself has failed.
    """
    peak, began = 0, time.monotonic()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    with open(stdin or os.devnull, "rb") as source:  # noqa: PTH123 - devnull is not a Path
        process = subprocess.Popen(
            command,
            stdin=source,
            stdout=subprocess.DEVNULL,
            stderr=None if check else subprocess.DEVNULL,
            env=environment,
        )
        while process.poll() is None:
            try:
                status = Path(f"/proc/{process.pid}/status").read_text("ascii")
            except OSError:
                break
            if time.monotonic() - began > timeout:
                process.kill()
            mark = re.search(r"VmHWM:\s+(\d+)", status)
            peak = max(peak, int(mark[1]) if mark else 0)
            time.sleep(0.001)  # the process needs the processor
    if check and process.wait() > 0:
        sys.exit(f"status {process.returncode} of {command}")
    return float(peak) if process.wait() >= 0 else None


def _twice(problem: Problem, jobs: int) -> int:
    options = SearchOptions(jobs=jobs, engine="native")
    problem.count(options=options)
    return problem.count(options=options)


def _in_two_processes(problem: Problem) -> int:
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    processes = [context.Process(target=lambda: queue.put(problem.count(engine="native"))) for _ in range(2)]
    for process in processes:
        process.start()
    counts: set[int] = {queue.get() for _ in processes}
    for process in processes:
        process.join()
    return counts.pop()
