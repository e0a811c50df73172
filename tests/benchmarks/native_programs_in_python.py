"""The programs of benchmarks/native that `processors` runs, in Python: compiling those takes too long for a test."""

import itertools
import sys
from pathlib import Path

from exactcover import Problem, SearchOptions


def print_count(instructions: str, file: str) -> None:
    """Print the line that `counts` prints for a problem without colors and bounds."""
    numbers = map(int, Path(file).read_text("utf-8").split())
    items, primary, options, _ = itertools.islice(numbers, 4)
    rows = [list(itertools.islice(numbers, 2 * next(numbers)))[::2] for _ in range(options)]
    problem = Problem(enumerate(rows), primary=range(primary), secondary=range(primary, items))
    print(instructions, problem.count(options=SearchOptions(symmetry=False)), 1, 0.5)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["random", _, problems]:
            print(problems, "problems, 0 ways")
        case ["counts"]:
            from exactcover._native import instruction_sets

            print(*instruction_sets, sep="\n")
        case ["counts", instructions, file]:
            print_count(instructions, file)
        case _:
            sys.exit(2)
