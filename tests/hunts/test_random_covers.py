"""Soft items, best efforts, repairs, replans and projections of random problems, against every choice of options."""

import random
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certified import CHECKERS, certify_least, verify
from exactcover import Label, Problem
from exactcover.analysis import find_repair
from exactcover.engines.base import ENGINES
from exactcover.steps.soft import soften_all, want_options
from soft_problems import draw_labels, random_problem, try_all

pytestmark = pytest.mark.slow

SEEDS = st.integers(0, 1 << 40)


def check_best(problem: Problem, values: Mapping[frozenset[Label], Any]) -> None:
    """Compare the best solution or two of a problem by every engine with the best values; check a certificate."""
    wanted = 1 + len(values) % 2
    for engine in ("auto", *(name for name in ("sets", "native", "highs", "cpsat") if name in ENGINES)):
        found = [frozenset(one) for one in problem.cheapest(wanted, engine=engine)]
        assert [values[one] for one in found] == sorted(values.values())[:wanted]
        assert len(set(found)) == len(found)
    if min(problem.matrix.costs, default=0) < 0:  # which has no certificate
        return
    certificate = certify_least(problem.relaxed(), 1)
    for checker in CHECKERS:
        verify(certificate, checker.values[0])


@given(SEEDS)
def test_soft_items_and_best_efforts(seed: int) -> None:
    problem = random_problem(seed)
    soft = {chosen: [total] for chosen, total in try_all(problem).items()}
    check_best(problem, soft)
    plain = problem.with_prices({})
    loose = plain.soften(dict.fromkeys(plain.primary, 1))
    efforts = {chosen: [loose.price(chosen), plain.cost(chosen)] for chosen in try_all(loose)}
    check_best(plain.best_effort(), efforts)


@given(SEEDS)
def test_repairs(seed: int) -> None:
    problem, chance = random_problem(seed).with_prices({}), random.Random(seed)
    givens = [label for label in problem.labels if chance.random() < 0.4]
    excluded = [label for label in problem.labels if label not in givens and chance.random() < 0.2]
    full = problem.instance(without=excluded)
    is_perfect = any(chosen.isdisjoint(excluded) for chosen in try_all(problem))
    widened = {item: (1, 1 if item in problem.multiplicity else None) for item in problem.primary}
    values = {
        one: [len(set(givens) - one), sum(map(abs, problem.deviations(one).values())), problem.cost(one)]
        for one in try_all(problem if is_perfect else problem.soften(widened))
        if one.isdisjoint(excluded)
    }
    repair = find_repair(problem.instance(givens, excluded))
    assert values[frozenset(repair.solution)] == min(values.values())
    assert repair.dropped == tuple(label for label in givens if label not in repair.solution)
    searched = want_options(full if is_perfect else soften_all(full, None, widen=True), givens)
    check_best(searched, values)


@given(SEEDS)
def test_replans(seed: int) -> None:
    problem, chance = random_problem(seed), random.Random(seed)
    earlier = frozenset(draw_labels(chance, problem.labels))
    price, allowed = Decimal(chance.randint(0, 30)) / 10, try_all(problem)
    near = {one: [problem.price(one), len(earlier ^ one), problem.cost(one)] for one in allowed}
    check_best(problem.near(earlier), near)
    priced = {one: [total + price * len(earlier ^ one)] for one, total in allowed.items()}
    check_best(problem.near(earlier, price), priced)
