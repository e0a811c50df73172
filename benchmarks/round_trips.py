"""Write random problems with odd names in every format, read them again, and compare.

    python benchmarks/round_trips.py --problems 2800

Names have blanks, quotes, digits, control characters, bytes and words such as None; many print alike. For each format,
the problem that is read must have the same number of solutions, the same least cost and, unless the format gives other
names, the same fingerprint; or the writer must refuse the problem. The exit status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from odd_names import REFUSALS, ROUND_TRIPS, find_difference, make_odd_problem


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=2800, metavar="N", help="how many problems to make")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    differing = 0
    print("| format | came back | refused | differ |\n|---|---|---|---|")
    for name in ROUND_TRIPS:
        chance = random.Random(options.seed)
        counts = {"came back": 0, "refused": 0, "differ": 0}
        for number in range(options.problems):
            problem = make_odd_problem(chance)
            try:
                difference = find_difference(problem, name)
            except REFUSALS:
                counts["refused"] += 1
                continue
            counts["came back" if difference is None else "differ"] += 1
            if difference is not None:
                print(f"problem {number}, {problem.options!a}: {difference}", file=sys.stderr)
        print(f"| {name} | {' | '.join(f'{count:,}' for count in counts.values())} |", flush=True)
        differing += counts["differ"]
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
