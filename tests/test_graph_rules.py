"""Rules about graphs: their definition against networkx, and what they say of a search that is not over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.engines.base import ENGINES
from exactcover.rules import Regions, Rule
from ruled import Holds, Ruled, ruled_problems, rules, solve_by_definition, subsets

ABLE = [name for name, engine in ENGINES.items() if engine.takes_rules]


@given(rules())
def test_a_rule_holds_as_networkx_says(drawn: tuple[Rule, Holds]) -> None:
    rule, holds = drawn
    for on in subsets(rule.switches):
        if not isinstance(rule, Regions) or len({v for v, _ in on}) == len(on):
            assert (not rule.find_faults(on)) == holds(on), on


@given(rules(), st.data())
def test_each_fault_is_true_whatever_else_is_on(drawn: tuple[Rule, Holds], data: st.DataObject) -> None:
    rule, holds = drawn
    elements = list(rule.switches)
    on = frozenset(data.draw(st.lists(st.sampled_from(elements), unique=True)))
    possible = on.union(data.draw(st.lists(st.sampled_from(elements), unique=True)))
    allowed = [some for some in subsets(elements) if holds(some)]
    for faults, left in [(rule.find_faults(on), on), (rule.find_faults(on, possible), possible)]:
        for fault in faults:
            assert on.issuperset(fault.because), fault
            assert left.isdisjoint(fault.missing), fault
            assert not [some for some in allowed if some.issuperset(fault.because) and some.isdisjoint(fault.missing)]


@pytest.mark.parametrize("able", ABLE)
@given(ruled=ruled_problems())
def test_engines_find_the_covers_that_keep_the_rules(able: str, ruled: Ruled) -> None:
    problem, _ = ruled
    found = [frozenset(solution) for solution in problem.solve(engine=able)]
    assert len(found) == len(set(found))
    assert set(found) == solve_by_definition(ruled)
    assert all(problem.verify(solution) for solution in found)


@given(ruled=ruled_problems())
def test_counts_keep_the_rules(ruled: Ruled) -> None:
    assert ruled[0].count() == len(solve_by_definition(ruled))


@given(ruled=ruled_problems())
def test_a_first_solution_keeps_the_rules(ruled: Ruled) -> None:
    expected, found = solve_by_definition(ruled), ruled[0].find()
    assert (found is None) == (not expected)
    assert found is None or frozenset(found) in expected
