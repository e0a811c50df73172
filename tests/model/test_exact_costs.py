"""Costs: exact, whatever the decimal context of the caller."""

from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover import Problem, ProblemError, add_costs
from exactcover.model.costs import cost_of_units

NINES = "9" * 1000


@given(total=st.integers(0, 10**60), places=st.integers(1, 40), precision=st.integers(1, 30))
def test_costs_are_divided_exactly_in_every_context(total: int, places: int, precision: int) -> None:
    with localcontext(prec=precision):
        numerator, denominator = Decimal(cost_of_units(total, 10**places)).as_integer_ratio()
    assert numerator * 10**places == total * denominator


def test_a_problem_states_exact_costs_in_every_context() -> None:
    problem = Problem({"A": [1], "B": [2]}, costs={"A": Decimal("1234567.75"), "B": 1})
    with localcontext(prec=6):
        assert str(problem.cost(["A"])) == "1234567.75"
        assert str(problem.cost(["A", "B"])) == "1234568.75"
        assert {label: str(cost) for label, cost in problem.costs.items()} == {"A": "1234567.75", "B": "1"}
        assert str(add_costs([Decimal("1234567.75"), 1])) == "1234568.75"


@pytest.mark.parametrize("cost", [int(NINES), Decimal(NINES), Decimal(f"{NINES}.{NINES}")])
def test_costs_may_have_a_thousand_digits(cost: int | Decimal) -> None:
    assert Problem({"A": [1]}, costs={"A": cost}).cost(["A"]) == cost


@pytest.mark.parametrize("cost", [10**1000, Decimal(10**1000), Decimal(f"1{NINES}.5")])
def test_costs_of_more_digits_are_refused(cost: int | Decimal) -> None:
    with pytest.raises(ProblemError, match="has a cost of more than 1000 digits"):
        Problem({"A": [1]}, costs={"A": cost})


def test_a_cost_with_a_huge_exponent_is_shown_shortened() -> None:
    with pytest.raises(ProblemError, match=r"has the cost Decimal\('9\.9{48}…; its exponent"):
        Problem({"A": [1]}, costs={"A": Decimal(f"{NINES}E+2000")})


def test_a_negative_cost_is_exact_whatever_its_size() -> None:
    for cost in (-1, Decimal("-0.5"), -int(NINES)):
        problem = Problem({"A": [1], "B": [1]}, costs={"A": cost})
        assert problem.costs == {"A": cost}
        assert (next(problem.cheapest()), next(problem.cheapest(maximize=True))) == (("A",), ("B",))
        with pytest.raises(ProblemError, match="must not be negative"):
            problem.soften({1: cost})


def test_a_diagram_compares_costs_of_many_digits() -> None:
    large = Decimal(10) ** 30
    pairs = {"A": ["a"], "B": ["a"], "C": ["b"], "D": ["b"]}
    costs = {"A": large, "B": large.copy_negate(), "C": Decimal("0.2"), "D": Decimal("0.1")}
    diagram = Problem(pairs, costs=costs).diagram()
    assert diagram.cheapest(4) == [("B", "D"), ("B", "C"), ("A", "D"), ("A", "C")]
