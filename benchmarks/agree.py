"""Check that this package and other programs agree: a table in Markdown with every ``.dlx`` file of a folder.

    python benchmarks/agree.py FOLDER --program dlx3=PATH --program ssmcc=PATH --cost-program dlx5=PATH
    python benchmarks/agree.py --random 1000 --program dlx3=PATH --program ssmcc=PATH --cost-program dlx5=PATH

If options have costs, the least cost is compared, otherwise the number of solutions. A dash stands for a run of more
than `--timeout` seconds, or for a problem that a program does not support. The exit status is 1 if two numbers differ,
or if there is nothing to compare.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from contest import COST, SOLUTIONS, program
from exactcover import Problem, StoppedError
from exactcover.formats import dlx

ENGINES = ("native", "sets")
NO_SOLUTION = -1  # the least cost if there is no solution; programs report nothing then


def main() -> int:
    options = _arguments()
    warnings.simplefilter("ignore")
    differing, compared = 0, 0
    names = [*ENGINES, *options.program, *options.cost_program]
    print(f"| file | result | {' | '.join(names)} |\n|{'---|' * (len(names) + 2)}")
    with tempfile.TemporaryDirectory() as folder:
        files = _random(options.random, Path(folder)) if options.random else sorted(Path(options.folder).glob("*.dlx"))
        for file in files:
            found = _results(file, options)
            results = {result for result in found.values() if result is not None}
            differing += len(results) > 1
            compared += sum(result is not None for result in found.values()) > 1
            if not options.random or len(results) > 1:
                cells = (
                    "-" if found[name] is None else f"{found[name]:,}" if len(results) > 1 else "=" for name in names
                )
                common = "?" if len(results) != 1 else f"{results.pop():,}"
                print(f"| {file.stem} | {common} | {' | '.join(cells)} |", flush=True)
    print(f"\n{compared} compared, {differing} differ")
    return 1 if differing or not compared else 0


def _results(file: Path, options: argparse.Namespace) -> dict[str, int | None]:
    with file.open(encoding="utf-8") as lines:
        problem = dlx.read(lines, str(file))
    ask: Callable[[str], int | None] = lambda engine: _count(problem, engine, options.timeout)  # noqa: E731
    programs, report, arguments = options.program, SOLUTIONS, ["v1"]
    if problem.matrix.costs:
        ask = lambda engine: _least(problem, engine, options.timeout)  # noqa: E731
        programs, report, arguments = options.cost_program, COST, []
    found: dict[str, int | None] = dict.fromkeys([*options.program, *options.cost_program])
    found |= {engine: ask(engine) for engine in ENGINES}
    for name, path in programs.items():
        result = program(path, file, options.timeout, *arguments, report=report)()
        found[name] = int(str(result)) if result is not None else None
    return found


def _count(problem: Problem, engine: str, timeout: float) -> int | None:
    try:
        return problem.count(engine=engine, timeout=timeout)
    except StoppedError:
        return None


def _least(problem: Problem, engine: str, timeout: float) -> int | None:
    search = problem.cheapest(engine=engine, timeout=timeout)
    found = list(search)
    if search.status.stopped:
        return None
    return int(problem.cost(found[0])) if found else NO_SOLUTION


def _random(number: int, folder: Path) -> Iterator[Path]:
    """Write random problems with colors and multiplicities; every third has costs instead of multiplicities."""
    for seed in range(number):
        chance = random.Random(seed)
        primary = [f"p{k}" for k in range(chance.randint(1, 9))]
        secondary = [f"s{k}" for k in range(chance.randint(0, 4))]
        priced = seed % 3 == 0
        bounds = [(low, high) for high in range(1, 4) for low in range(high + 1)]
        named = [
            name if priced or chance.random() < 0.5 else f"{low}:{high}|{name}"
            for name in primary
            for low, high in [chance.choice(bounds)]
        ]
        lines = [" ".join([*named, *(["|", *secondary] if secondary else [])])]
        for _ in range(chance.randint(1, 24)):
            items = chance.sample(primary, chance.randint(1, min(3, len(primary))))
            items += [
                name + chance.choice(["", ":a", ":b"])
                for name in chance.sample(secondary, chance.randint(0, len(secondary)))
            ]
            lines.append(" ".join([*items, *([f"|{chance.randint(1, 30)}"] if priced else [])]))
        file = folder / f"random-{seed}.dlx"
        file.write_text("\n".join([*lines, ""]), encoding="utf-8")
        yield file


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=".", help="folder with .dlx files")
    parser.add_argument("--random", type=int, metavar="N", help="compare N random problems instead")
    for flag, what in (("--program", "counts solutions"), ("--cost-program", "finds the least cost")):
        parser.add_argument(flag, action="append", default=[], metavar="NAME=PATH", help=f"a program that {what}")
    parser.add_argument("--timeout", type=float, default=60, help="time limit per file and program, in seconds")
    options = parser.parse_args()
    options.program, options.cost_program = (
        dict(pair.split("=", 1) for pair in pairs) for pairs in (options.program, options.cost_program)
    )
    return options


if __name__ == "__main__":
    sys.exit(main())
