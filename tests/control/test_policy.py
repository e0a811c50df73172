"""The numbers of a policy are within their bounds, and never change a result."""

from dataclasses import fields, replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover import Problem
from exactcover.control.options import SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.engines.base import ENGINES
from policies import start_search
from problems import Langford
from strategies import problems

FIELDS = fields(CountingPolicy)


def test_every_number_has_bounds() -> None:
    for field in FIELDS:
        least, most = field.metadata["least"], field.metadata["most"]
        assert least < most, field.name
        for value in (least - 1, float("nan"), most * 2 + 1):
            with pytest.raises(ValueError, match="must be from"):
                replace(DEFAULT_POLICY, **cast(Any, {field.name: value}))


@given(problem=problems(), data=st.data())
def test_no_number_changes_a_result(problem: Problem, data: st.DataObject) -> None:
    changes = {}
    for field in data.draw(st.lists(st.sampled_from(FIELDS), max_size=6, unique=True)):
        least, most = field.metadata["least"], field.metadata["most"]
        value = data.draw(st.sampled_from([least, most, field.default]))
        if field.name.endswith(("turn", "patience", "seconds")):  # a test must not wait for them
            value = min(value, field.default)
        changes[field.name] = value
    policy = replace(DEFAULT_POLICY, **changes)
    expected = len(list(problem.solve(engine="sets")))
    for symmetry in (None, False):
        assert start_search(problem, policy, SearchOptions(symmetry=symmetry)).count() == expected


@pytest.mark.skipif("diagram" not in ENGINES, reason="counts in C++")
def test_a_policy_reaches_the_strategies() -> None:
    """A memo that is judged after no node, and needs many hits, is given up as hopeless."""
    problem = Langford(n=7).problem()
    options = SearchOptions(engine="diagram", symmetry=False)
    strict = CountingPolicy(memo_trial=0, least_hits=10, strategy_patience=0, worth_another=0)
    assert (
        start_search(problem, strict, options).count() == start_search(problem, DEFAULT_POLICY, options).count() == 52
    )
