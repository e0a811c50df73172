"""Hunt for wrong plans where no cover is perfect or an earlier plan exists: random problems, against the definition.

    python benchmarks/hunt_covers.py --problems 10000 --jobs 2

- efforts: the covers that leave least open, and the cheapest of these; and the cheapest covers with soft items.
- repairs: the fewest givens to drop, or the least to leave open and to cover more often.
- replans: the covers with the fewest changes, and with changes at a price.
- projections: what solutions choose of some options, listed and counted by searches and diagrams.

The truth is what every choice of options says. Each optimum is also compared with a model of OR-Tools CP-SAT that is
stated here, if OR-Tools is installed, and certified; both checkers must accept the certificate. The exit status is 1 if
anything is wrong; the seed of each such problem is printed.
"""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from exactcover import Colored, Label, Problem
from exactcover.analysis import find_repair
from exactcover.certificates.check import Proof, check
from exactcover.certificates.quick import QuickProof
from exactcover.engines.registry import ENGINES
from exactcover.steps.soft import soften_all, want_options
from hunting import hunt

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from certified import certify_least
from oracles import brute_force
from soft_problems import draw_labels, random_problem, try_all

_CHANGE = 10**6  # more than any costs of a small problem, in units
_OPEN = 10**9  # more than any changes
_UNITS = 100  # of costs, in whole numbers


def _check(kind: str, seed: int) -> Iterable[str]:
    return _KINDS[kind](seed)


@dataclass(frozen=True)
class Aim:
    """What CP-SAT minimizes over the covers of a problem: the sum of costs and of prices of items that deviate."""

    problem: Problem
    costs: Mapping[Label, Fraction]
    prices: Mapping[Any, tuple[Any, Any]]

    @classmethod
    def of(
        cls, problem: Problem, prices: Mapping[Any, Any], kept: Iterable[Label] = (), save: Any = 0, change: Any = 0
    ) -> Aim:
        """Return an aim in which options that are kept save something, and others are a change."""
        saved, costs = set(kept), problem.costs
        changed = {label: -Fraction(save) if label in saved else Fraction(change) for label in problem.labels}
        return cls(problem, {label: Fraction(costs.get(label, 0)) + more for label, more in changed.items()}, prices)

    def value(self, chosen: frozenset[Label]) -> Fraction:
        """Return the value of a choice of options."""
        total = sum((self.costs[label] for label in chosen), Fraction(0))
        for item, deviation in self.problem.deviations(chosen).items():
            total += Fraction(self.prices[item][deviation > 0]) * abs(deviation)
        return total

    def find_least(self) -> Fraction | None:
        """Return the least value, by CP-SAT; None if there is no cover."""
        from ortools.sat.python import cp_model

        problem, model = self.problem, cp_model.CpModel()
        chosen = {label: model.new_bool_var(str(label)) for label in problem.labels}
        objective: list[Any] = [round(cost * _UNITS) * chosen[label] for label, cost in self.costs.items()]
        for label in problem.excluded:
            model.add(chosen[label] == 0)
        for item in problem.primary:
            low, high = problem.multiplicity.get(item, (1, 1))
            times: Any = sum(chosen[label] for label, row in problem.options.items() if item in row)
            under, over = (0 if one is None else model.new_int_var(0, 99, "") for one in self._prices_of(item))
            model.add(times + under >= low)
            model.add(times - over <= high)
            pairs = zip(self._prices_of(item), (under, over), strict=True)
            objective += [round(Fraction(price) * _UNITS) * one for price, one in pairs if price is not None]
        for item in problem.secondary:
            holders = [(label, one) for label, row in problem.options.items() for one in row if _item_of(one) == item]
            for (one, first), (other, second) in combinations(holders, 2):
                if not (isinstance(first, Colored) and first == second):
                    model.add_at_most_one(chosen[one], chosen[other])
        model.minimize(sum(objective))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        return Fraction(round(solver.objective_value), _UNITS) if solver.solve(model) == cp_model.OPTIMAL else None

    def _prices_of(self, item: Any) -> tuple[Any, Any]:
        return self.prices.get(item, (None, None))


def _item_of(entry: Any) -> Any:
    return entry.item if isinstance(entry, Colored) else entry


def check_effort(seed: int) -> list[str]:
    """Compare best efforts, and the cheapest covers with soft items."""
    problem = random_problem(seed)
    soft = {chosen: [total] for chosen, total in try_all(problem).items()}
    plain = problem.with_prices({})
    loose = plain.soften(dict.fromkeys(plain.primary, 1))
    efforts = {chosen: [loose.price(chosen), plain.cost(chosen)] for chosen in try_all(loose)}
    aim = Aim.of(plain, dict.fromkeys(plain.primary, (_OPEN, None)))
    return [
        *check_best("soft items", problem, soft, Aim.of(problem, problem.soft)),
        *check_best("efforts", plain.best_effort(), efforts, aim),
    ]


def check_repair(seed: int) -> list[str]:
    """Compare repairs."""
    problem, generator = random_problem(seed), random.Random(seed)
    problem = problem.with_prices({})
    givens = [label for label in problem.labels if generator.random() < 0.4]
    excluded = [label for label in problem.labels if label not in givens and generator.random() < 0.2]
    full = problem.instance(without=excluded)
    perfect = any(chosen.isdisjoint(excluded) for chosen in try_all(problem))
    widened = {item: (1, 1 if item in problem.multiplicity else None) for item in problem.primary}
    values = {
        one: [len(set(givens) - one), sum(map(abs, problem.deviations(one).values())), problem.cost(one)]
        for one in try_all(problem if perfect else problem.soften(widened))
        if one.isdisjoint(excluded)
    }
    repair = find_repair(problem.instance(givens, excluded))
    chosen = frozenset(repair.solution)
    _require(values[chosen], min(values.values()))
    _require(repair.dropped, tuple(label for label in givens if label not in chosen))
    searched = want_options(full if perfect else soften_all(full, None, widen=True), givens)
    prices = {} if perfect else {item: (_CHANGE, over and _CHANGE) for item, (_, over) in widened.items()}
    return check_best("repairs", searched, values, Aim.of(full, prices, givens, _OPEN))


def check_replan(seed: int) -> list[str]:
    """Compare covers near an earlier one."""
    problem, generator = random_problem(seed), random.Random(seed)
    earlier = frozenset(draw_labels(generator, problem.labels))
    price, allowed = Decimal(generator.randint(0, 30)) / 10, try_all(problem)
    near = {one: [problem.price(one), len(earlier ^ one), problem.cost(one)] for one in allowed}
    priced = {one: [total + price * len(earlier ^ one)] for one, total in allowed.items()}
    dear = {item: tuple(one and one * _OPEN for one in pair) for item, pair in problem.soft.items()}
    aims = Aim.of(problem, dear, earlier, _CHANGE, _CHANGE), Aim.of(problem, problem.soft, earlier, price, price)
    return [
        *check_best("replans", problem.near(earlier), near, aims[0]),
        *check_best("changes at a price", problem.near(earlier, price), priced, aims[1]),
    ]


def check_projection(seed: int) -> list[str]:
    """Compare projections: each once, by searches and by diagrams."""
    problem, generator = random_problem(seed), random.Random(seed)
    labels = [label for label in problem.labels if generator.random() < 0.4]
    items = [item for item in problem.items if generator.random() < 0.3]
    wanted, solutions = [*items, *labels], brute_force(problem)
    matter = set(problem.labels_of(problem.options_of(wanted)))
    expected = {solution & matter for solution in solutions}
    for engine in (name for name in ("auto", "sets", "native", "learning") if name in ("auto", *ENGINES)):
        found = [frozenset(one) for one in problem.solve(project=wanted, engine=engine)]
        _require(all(one in solutions for one in found), True)
        _require(
            sorted(sorted(one & matter, key=str) for one in found), sorted(sorted(one, key=str) for one in expected)
        )
        _require(problem.count(project=wanted, engine=engine), len(expected))
    _require(problem.diagram().project(wanted).count, len(expected))
    return ["projections with a solution"] if expected else []


def check_best(what: str, problem: Problem, values: Mapping[frozenset[Label], Any], aim: Aim) -> list[str]:
    """Compare the best solution or two of a problem with the best values, with CP-SAT, and with a certificate."""
    wanted = 1 + len(values) % 2
    found = [frozenset(one) for one in problem.cheapest(wanted)]
    _require([values[one] for one in found], sorted(values.values())[:wanted])
    _require(len(set(found)), len(found))
    done = [f"{what} with a solution"] if found else []
    if "cpsat" in ENGINES:
        _require(aim.find_least(), aim.value(found[0]) if found else None)
        done.append(f"{what} compared with OR-Tools")
    certificate = certify_least(problem.relaxed(), 1)
    for checker in (Proof, QuickProof):
        check(io.BytesIO(certificate), checker)
    return [*done, f"{what} certified"]


def _require(found: object, true: object) -> None:
    if found != true:
        raise AssertionError(f"{found} instead of {true}")


_KINDS: dict[str, Callable[[int], Iterable[str]]] = {
    "efforts": check_effort,
    "repairs": check_repair,
    "replans": check_replan,
    "projections": check_projection,
}


if __name__ == "__main__":
    sys.exit(hunt([*_KINDS], _check, __doc__))
