"""Check counts by orbits, listings by orbits and numbers of classes on random symmetric problems.

    python benchmarks/agree_symmetry.py --problems 100000 --seed 1

Random permutations of items and colors act on random options, so the problems have symmetries of every kind: with
colors, multiplicities, equal options, givens and exclusions. Everything that can be split is split. Each number is
compared with the number of solutions that the engine `sets` lists. Each problem is also renamed at random: its
canonical form must stay the same, and problems with different numbers of solutions or symmetries must have different
forms. The exit status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import random
import sys
from collections import Counter
from dataclasses import replace

from exactcover import Colored, Problem, ProblemError
from exactcover.control.options import COUNT, SearchOptions
from exactcover.control.policy import CountingPolicy
from exactcover.control.stop import Stop
from exactcover.search.query import Query
from exactcover.search.search import Search
from exactcover.symmetry.remainders import find_symmetries, make_remainder

_COLORS = (None, "a", "b")
_ALWAYS_SPLIT = CountingPolicy(
    least_gain=1, option_penalty=0, part_seconds=-1e9, rival_share=0, rival_late_share=0, most_listed=-1
)
_POLICIES = {
    "splits": _ALWAYS_SPLIT,
    "splits with chains wherever they can be": replace(_ALWAYS_SPLIT, chain_gain=0),
    "splits without chains": replace(_ALWAYS_SPLIT, most_chains=0),
    "splits with orbits joined": replace(_ALWAYS_SPLIT, most_chains=0, joining_seconds=math.inf),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    return _check_problems(options.problems, options.seed)


def _check_problems(number_of_problems: int, seed: int) -> int:
    tally: Counter[str] = Counter()
    forms: dict[bytes, tuple[int, int]] = {}
    for number in range(number_of_problems):
        numbers = random.Random(seed << 32 | number)
        problem = make_problem(numbers)
        for mistake in (*_check_counts(problem, numbers, tally), *_check_forms(problem, numbers, forms)):
            print(f"problem {number}: {mistake}", flush=True)
            tally["mistakes"] += 1
    print(f"{number_of_problems:,} problems: {', '.join(f'{count:,} {what}' for what, count in sorted(tally.items()))}")
    return 1 if tally["mistakes"] else 0


def make_problem(numbers: random.Random) -> Problem:
    primary = [f"p{k}" for k in range(numbers.randint(1, 5))]
    secondary = [f"s{k}" for k in range(numbers.randint(0, 3))]
    maps = [_shuffle(numbers, primary) | _shuffle(numbers, secondary) for _ in range(numbers.randint(1, 2))]
    swaps = [numbers.choice([{"a": "a", "b": "b"}, {"a": "b", "b": "a"}]) for _ in maps]
    rows: dict[frozenset[tuple[str, str | None]], None] = {}
    for _ in range(numbers.randint(1, 5)):
        items = [(item, None) for item in numbers.sample(primary, numbers.randint(1, min(3, len(primary))))]
        others = numbers.sample(secondary, numbers.randint(0, min(2, len(secondary))))
        waiting = [frozenset([*items, *((item, numbers.choice(_COLORS)) for item in others)])]
        for row in waiting:
            if row in rows or len(rows) >= 16:
                continue
            rows[row] = None
            for items_map, colors_map in zip(maps, swaps, strict=True):
                waiting.append(frozenset((items_map[item], colors_map.get(color or "")) for item, color in row))
    bounds = {}
    for item in numbers.sample(primary, numbers.choice([0, 0, 1, 2]) if len(primary) > 1 else 0):
        low = numbers.randint(0, 2)
        pair = (low, low + numbers.randint(0 if low else 1, 2))
        while item not in bounds:
            bounds[item] = pair
            item = maps[0][item]
    entries = [
        [item if color is None else Colored(item, color) for item, color in sorted(row, key=str)] for row in rows
    ]
    entries += numbers.sample(entries, numbers.choice([0, 0, 0, 1]))
    return Problem(dict(enumerate(entries)), primary=primary, secondary=secondary, multiplicity=bounds)


def _shuffle(numbers: random.Random, items: list[str]) -> dict[str, str]:
    return dict(zip(items, numbers.sample(items, len(items)), strict=True))


def _check_counts(problem: Problem, numbers: random.Random, tally: Counter[str]) -> list[str]:
    labels = list(problem.labels)
    given = numbers.sample(labels, numbers.choice([0, 0, 0, 1]))
    without = numbers.sample(labels, numbers.choice([0, 0, 0, 1]))
    mistakes = []
    expected = set(problem.solve(engine="sets", given=given, without=without))
    instance = problem.instance(given, without)
    positions = instance.given_positions, instance.excluded_positions
    for name, policy in _POLICIES.items():
        search = Search(problem, Query(COUNT, SearchOptions(symmetry=True), *positions, policy=policy), Stop())
        found = search.count()
        tally[name] += int(search.statistics.details.get("splits", 0))
        if found != len(expected):
            mistakes.append(f"{found} solutions by {name}, {len(expected)} listed")
    listed = list(problem.solve(given=given, without=without, options=SearchOptions(symmetry=True)))
    if len(listed) != len(expected) or set(listed) != expected:
        mistakes.append("the solutions listed by orbits are not the solutions")
    try:
        classes = len(list(problem.solve(engine="sets", distinct=True, given=given, without=without)))
    except ProblemError:  # too many symmetries
        return mistakes
    search = Search(problem, Query(COUNT, SearchOptions(distinct=True), *positions, policy=_ALWAYS_SPLIT), Stop())
    found = search.count()
    tally["counts of classes by quotients"] += "quotients" in search.statistics.details
    if found != classes:
        mistakes.append(f"{found} classes, {classes} listed")
    return mistakes


def _check_forms(problem: Problem, numbers: random.Random, forms: dict[bytes, tuple[int, int]]) -> list[str]:
    digest, order = _classify(problem)
    mistakes = []
    if _classify(_rename(problem, numbers)) != (digest, order):
        mistakes.append("the canonical form depends on names")
    facts = (len(list(problem.solve(engine="sets"))), order)
    if forms.setdefault(digest, facts) != facts:
        mistakes.append("two different problems have the same canonical form")
    return mistakes


def _classify(problem: Problem) -> tuple[bytes, int]:
    found = find_symmetries(make_remainder(problem.matrix, Stop()), Stop())
    return hashlib.blake2b(found.found.form()).digest(), found.order


def _rename(problem: Problem, numbers: random.Random) -> Problem:
    names = {item: ("new", k) for k, item in enumerate(numbers.sample(problem.items, len(problem.items)))}
    rows = [
        [Colored(names[one.item], ("new", one.color)) if isinstance(one, Colored) else names[one] for one in entries]
        for entries in problem.options.values()
    ]
    return Problem(
        dict(enumerate(numbers.sample(rows, len(rows)))),
        primary=[names[item] for item in numbers.sample(problem.primary, len(problem.primary))],
        secondary=[names[item] for item in numbers.sample(problem.secondary, len(problem.secondary))],
        multiplicity={names[item]: bounds for item, bounds in problem.multiplicity.items()},
    )


if __name__ == "__main__":
    sys.exit(main())
