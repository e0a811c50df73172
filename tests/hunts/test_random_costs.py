"""Problems with costs of every kind, huge or tiny, fractions or ties: the cheapest solutions are those of brute force."""

import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damage import chances
from exactcover import Problem, Status
from exactcover.engines.base import ENGINES
from oracles import brute_force_instance
from strategies import instances, priced

pytestmark = pytest.mark.slow

KINDS: list[st.SearchStrategy[Any]] = [
    st.integers(0, 9),
    st.integers(-9, 9),
    st.decimals(-9, 9, places=2),
    st.just(7),
    st.sampled_from([0, 0, 1]),
    st.integers(10**8, 10**9),
    st.integers(10**14, 10**17),
    st.decimals(0, 9, places=2),
    st.integers(1, 9).map(lambda digit: Decimal(digit).scaleb(-7)),
    st.integers(1, 10**6).map(lambda digits: Decimal(digits).scaleb(-20)),
]
PROBLEMS = instances(priced(most_options=10, prices=st.sampled_from([*KINDS, st.one_of(KINDS[:-2]), st.one_of(KINDS)])))


def pick(problem: Problem, chance: random.Random, *names: str) -> str:
    """Return one of these engines that can search the problem, or auto."""
    name = chance.choice([name for name in names if name in ("auto", *ENGINES)])
    return "auto" if name != "auto" and ENGINES[name].find_obstacle(problem.matrix) else name


def check_cheapest(problem: Problem, costs: list[Any], chance: random.Random) -> None:
    wanted, maximize = chance.randint(1, 4), chance.random() < 0.5
    engine = pick(problem, chance, "auto", "native", "sets", "bounds", "highs", "cpsat")
    search = problem.cheapest(wanted, maximize=maximize, engine=engine)
    assert [problem.cost(one) for one in search] == (costs[::-1] if maximize else costs)[:wanted]
    ending = Status.COMPLETE if costs else Status.UNSATISFIABLE
    assert search.status is (Status.OPTIMAL if len(costs) >= wanted else ending)


def check_within(problem: Problem, costs: list[Any], chance: random.Random) -> None:
    margin = chance.choice(["0", "1", "0.05", "10%", "1000000000", "150%"])
    share, least = Fraction(margin.rstrip("%")), Fraction(costs[0] if costs else 0)
    share = abs(least) * share / 100 if "%" in margin else share
    most = least + share
    found = problem.cheapest(within=margin, engine=pick(problem, chance, "auto", "bounds", "cpsat"))
    assert [problem.cost(one) for one in found] == [cost for cost in costs if cost <= most]
    search = problem.cheapest(gap=margin)
    for cost in [problem.cost(one) for one in search]:
        share = abs(Fraction(cost)) * Fraction(margin[:-1]) / 100 if "%" in margin else share
        assert costs[0] <= cost and Fraction(cost) - least <= share
        assert search.status is Status.GAP or (search.status is Status.OPTIMAL and cost == costs[0])
    assert search.statistics.solutions == min(1, len(costs))


@pytest.mark.parametrize("check", [check_cheapest, check_within])
@given(problem=PROBLEMS, chance=chances)
def test_costs(
    check: Callable[[Problem, list[Any], random.Random], None], problem: Problem, chance: random.Random
) -> None:
    check(problem, sorted(map(problem.cost, brute_force_instance(problem))), chance)
