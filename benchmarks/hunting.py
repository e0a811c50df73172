"""Hunting for wrong answers on several processes: what the scripts `hunt_plans` and `hunt_covers` share."""

from __future__ import annotations

import argparse
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product

__all__ = ["hunt"]

_PORTION = 100  # problems of one task

Check = Callable[[str, int], Iterable[str]]
"""Checks the problem of a kind and a seed, returns what is to be counted, and raises if something is wrong."""


def hunt(kinds: Sequence[str], check: Check, about: str | None) -> int:
    """Check many problems of each kind, as the command line says; return the exit status of the script."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=10_000, help="of each kind")
    parser.add_argument("--kinds", nargs="+", choices=kinds, default=kinds)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    portions = [
        (kind, range(options.seed << 40 | start, options.seed << 40 | min(start + _PORTION, options.problems)))
        for kind, start in product(options.kinds, range(0, options.problems, _PORTION))
    ]
    tally: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        for part in pool.map(partial(_hunt, check), portions):
            tally += part
    print(", ".join(f"{number:,} {what}" for what, number in sorted(tally.items())))
    return 1 if tally["wrong"] or not tally else 0


def _hunt(check: Check, portion: tuple[str, range]) -> Counter[str]:
    kind, seeds = portion
    tally: Counter[str] = Counter()
    for seed in seeds:
        tally[kind] += 1
        try:
            tally += Counter(check(kind, seed))
        except Exception:
            tally["wrong"] += 1
            print(f"seed {seed}: {kind}: {traceback.format_exc(limit=-2)}", flush=True)
    return tally
