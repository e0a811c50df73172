"""Hunt for wrong least costs: random problems with costs of every kind, against brute force and CP-SAT.

    python benchmarks/hunt_costs.py --problems 20000 --jobs 2

Costs are huge or tiny, fractions, ties or nothing; problems have colors, multiplicities, secondary items, givens and
exclusions at random. The truth is what every subset of options says. It is compared with the K cheapest solutions of
each engine, with all within a margin, with those that differ in chosen options, with searches up to a gap, and with a
search by prices that is divided at every node. One problem in ten is certified, and its prices are then made wrong. One
in twenty is compared with OR-Tools CP-SAT, and costs of less than nothing must be refused. The exit status is 1 if
anything is wrong; the seed of each such problem is printed.
"""

from __future__ import annotations

import argparse
import io
import random
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from exactcover import Colored, Problem, ProblemError, Status, Stop
from exactcover.certificates.certify import certify_cheapest
from exactcover.certificates.check import NotCertifiedError, Proof, UnreadableError, check
from exactcover.certificates.quick import QuickProof
from exactcover.engines.registry import ENGINES
from exactcover.steps.restriction import restrict

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from certified import read, write
from oracles import brute_force

_PORTION = 100  # problems of one task
_MARGINS = ("0", "1", "0.05", "10%", "1000000000", "150%")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    starts = range(0, options.problems, _PORTION)
    portions = [(options.seed << 40 | start, min(_PORTION, options.problems - start)) for start in starts]
    tally: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        for part in pool.map(_hunt, portions):
            tally += part
    print(", ".join(f"{number:,} {what}" for what, number in sorted(tally.items())))
    return 1 if tally["wrong"] or not tally["problems"] else 0


def _hunt(portion: tuple[int, int]) -> Counter[str]:
    first, number = portion
    tally: Counter[str] = Counter()
    for seed in range(first, first + number):
        chance = random.Random(seed)
        problem = draw(chance)
        truth = sorted(problem.cost(solution) for solution in solve(problem))
        tally["problems"] += 1
        tally["with a solution"] += bool(truth)
        for name, check_it in choose_ways(chance):
            tally[name] += 1
            try:
                check_it(problem, truth, chance)
            except Exception:
                tally["wrong"] += 1
                print(f"seed {seed}: {name}: {traceback.format_exc(limit=-2)}", flush=True)
    return tally


def solve(problem: Problem) -> list[frozenset[Any]]:
    """Return the solutions with the givens and without the exclusions, by trying every subset of options."""
    given, excluded = set(problem.givens), set(problem.excluded)
    return [one for one in brute_force(problem) if given <= one and excluded.isdisjoint(one)]


def draw(chance: random.Random) -> Problem:
    """Draw a problem of at most twelve options."""
    primary = [f"p{k}" for k in range(chance.randint(1, 7))]
    secondary = [f"s{k}" for k in range(chance.choice([0, 0, 1, 3]))]
    rows: dict[int, list[Any]] = {}
    for label in range(chance.randint(0, 12)):
        rows[label] = list(chance.sample(primary, chance.randint(1, min(3, len(primary)))))
        for item in chance.sample(secondary, chance.randint(0, len(secondary))):
            color = chance.choice([None, "red", "green"])
            rows[label].append(item if color is None else Colored(item, color))
    bounds = {}
    for item in primary if chance.random() < 0.3 else ():
        low = chance.randint(0, 2)
        bounds[item] = (low, max(1, low + chance.randint(0, 2)))
    costs = draw_costs(chance, list(rows))
    problem = Problem(rows, primary=primary, secondary=secondary, multiplicity=bounds, costs=costs)
    given = chance.sample(list(rows), min(len(rows), chance.choice([0, 0, 0, 1])))
    without = chance.sample(list(rows), min(len(rows), chance.choice([0, 0, 0, 1])))
    return problem.instance(given, without)


def draw_costs(chance: random.Random, labels: list[int]) -> dict[int, int | Decimal]:
    """Draw costs of one kind, or of all kinds."""
    kinds: list[Callable[[], int | Decimal]] = [
        lambda: chance.randint(0, 9),
        lambda: 7,
        lambda: chance.choice([0, 0, 1]),
        lambda: chance.randint(10**8, 10**9),
        lambda: Decimal(chance.randint(0, 999)) / 100,
        lambda: Decimal(chance.randint(1, 9)).scaleb(-7),
    ]
    extremes: list[Callable[[], int | Decimal]] = [
        lambda: chance.randint(10**14, 10**17),
        lambda: Decimal(chance.randint(1, 10**6)).scaleb(-20),
    ]
    drawn = chance.choice([*([kind] for kind in kinds), kinds, [*kinds, *extremes]])
    return {label: chance.choice(drawn)() for label in labels if chance.random() < 0.9}


Way = Callable[[Problem, list[Any], random.Random], None]


def choose_ways(chance: random.Random) -> list[tuple[str, Way]]:
    """Return the ways in which a problem is solved."""
    ways: list[tuple[str, Way]] = [("least costs", check_cheapest), (*chance.choice(_MORE),)]
    if "bounds" in ENGINES:
        ways.append(("divided searches", check_divided))
    if chance.random() < 0.1:
        ways.append(("certificates", check_certificate))
    if "cpsat" in ENGINES and chance.random() < 0.05:
        ways.append(("OR-Tools", check_by_cpsat))
    return ways


def _pick_engine(problem: Problem, chance: random.Random) -> str:
    names = ["auto", "native", "sets", "bounds"]
    name = chance.choice([name for name in names if name == "auto" or name in ENGINES])
    return "auto" if name != "auto" and ENGINES[name].obstacle(problem.matrix) else name


def _require(found: object, true: object) -> None:
    if found != true:
        raise AssertionError(f"{found} instead of {true}")


def check_cheapest(problem: Problem, truth: list[Any], chance: random.Random) -> None:
    """Check the K cheapest solutions."""
    wanted = chance.randint(1, 4)
    search = problem.cheapest(wanted, engine=_pick_engine(problem, chance))
    _require([problem.cost(one) for one in search], truth[:wanted])
    none = Status.COMPLETE if truth else Status.UNSATISFIABLE
    _require(search.status, Status.OPTIMAL if len(truth) >= wanted else none)
    _require(search.gap, 0 if truth and search.statistics.best is not None else search.gap)


def check_within(problem: Problem, truth: list[Any], chance: random.Random) -> None:
    """Check all solutions within a margin."""
    margin = chance.choice(_MARGINS)
    search = problem.cheapest(within=margin, engine=_pick_engine(problem, chance))
    share = Fraction(margin.rstrip("%"))
    least = Fraction(truth[0]) if truth else Fraction(0)
    most = least * (1 + share / 100) if "%" in margin else least + share
    _require([problem.cost(one) for one in search], [cost for cost in truth if cost <= most])


def check_gap(problem: Problem, truth: list[Any], chance: random.Random) -> None:
    """Check a search up to a gap."""
    margin = chance.choice(_MARGINS)
    search = problem.cheapest(gap=margin, engine=_pick_engine(problem, chance))
    found = [problem.cost(one) for one in search]
    _require(len(found), min(1, len(truth)))
    if found:
        share = Fraction(margin.rstrip("%"))
        allowed = Fraction(found[0]) * share / 100 if "%" in margin else share
        _require(truth[0] <= found[0] and Fraction(found[0]) - Fraction(truth[0]) <= allowed, True)
        _require(search.status in (Status.GAP, Status.OPTIMAL), True)
        _require(found[0] if search.status is Status.OPTIMAL else truth[0], truth[0])


def check_differing(problem: Problem, truth: list[Any], chance: random.Random) -> None:
    """Check the cheapest solutions that differ in some options."""
    labels = list(problem.labels)
    chosen = frozenset(chance.sample(labels, chance.randint(0, len(labels))))
    if not chosen:
        return
    least: dict[frozenset[Any], Any] = {}
    for solution in solve(problem):
        part, cost = chosen.intersection(solution), problem.cost(solution)
        least[part] = min(least.get(part, cost), cost)
    wanted = chance.randint(1, 5)
    search = problem.cheapest(wanted, differing=chosen, engine=_pick_engine(problem, chance))
    _require([problem.cost(one) for one in search], sorted(least.values())[:wanted])


_MORE: tuple[tuple[str, Way], ...] = (("margins", check_within), ("gaps", check_gap), ("differences", check_differing))


def check_divided(problem: Problem, truth: list[Any], chance: random.Random) -> None:
    """Check a search by prices that is divided as soon as possible."""
    from exactcover.control.policy import BranchingPolicy
    from exactcover.engines.bounds import PriceSearch
    from exactcover.model.costs import cost_of_units
    from exactcover.steps.soft import add_slack

    matrix = problem.matrix
    left = restrict(matrix, problem.given_positions, problem.excluded_positions)
    if not any(left.matrix.costs) or ENGINES["bounds"].obstacle(left.matrix) or left.reason is not None:
        return
    few, nodes = chance.choice([(1.0, 1), (2.0, 1), (400.0, 1 << 12)])
    policy = BranchingPolicy(  # so that small problems are divided, too
        few_options=few,
        least_options=few,
        most_options=few,
        leaf_nodes=nodes,
        dive_nodes=nodes,
        between_dives=chance.choice([1, 5, 100]),
        kept=chance.choice([0.7, 0.98]),
    )
    wanted = chance.randint(1, 3)
    search = PriceSearch(add_slack(left.matrix).matrix, wanted, Stop(), chance.choice([1, 3]), policy=policy)
    while search.advance():
        pass
    kept = ([k for k in one if k < len(left.matrix)] for one in search.cheapest)
    totals = [sum(matrix.costs[k] for k in left.lift(one)) for one in kept]
    _require([cost_of_units(total, problem.cost_units) for total in totals], truth[:wanted])


def check_certificate(problem: Problem, truth: list[Any], chance: random.Random) -> None:
    """Check a certificate by both checkers, and that they refuse it with prices that are too high."""
    wanted, file = chance.randint(1, 3), io.BytesIO()
    certify_cheapest(file, problem, list(problem.cheapest(wanted).positions()), wanted)
    for checker in (Proof, QuickProof):
        check(io.BytesIO(file.getvalue()), checker)
    content = read(file.getvalue())
    steps = [step for step in content["steps"] if step["by"] == "prices"]
    left = restrict(problem.matrix, problem.given_positions, problem.excluded_positions).matrix
    if not steps or not len(left):  # prices of items without options cannot be too high
        return
    dear = 1 + steps[0]["scale"] * max(problem.matrix.costs, default=0)
    steps[0]["prices"] = [[item, dear] for item in range(problem.matrix.primary)]
    for checker in (Proof, QuickProof):
        try:
            check(io.BytesIO(write(content)), checker)
        except (NotCertifiedError, UnreadableError):
            continue
        raise AssertionError("wrong prices were accepted")


def check_by_cpsat(problem: Problem, truth: list[Any], chance: random.Random) -> None:
    """Check the truth by CP-SAT, and that no cost may be negative."""
    if not ENGINES["cpsat"].obstacle(problem.matrix):
        _require([problem.cost(one) for one in problem.cheapest(engine="cpsat")], truth[:1])
    if problem.labels:
        try:
            Problem(dict(problem.options), costs={problem.labels[0]: -chance.randint(1, 9)})
        except ProblemError:
            return
        raise AssertionError("a negative cost was accepted")


if __name__ == "__main__":
    sys.exit(main())
