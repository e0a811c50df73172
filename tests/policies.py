"""Policies that drive a count along paths that it would take only for hard problems."""

from collections.abc import Iterable
from dataclasses import replace

from exactcover import Label, Problem
from exactcover.control.options import COUNT, Goal, SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop
from exactcover.search.query import Query
from exactcover.search.search import Search

ALWAYS_SPLIT = replace(
    DEFAULT_POLICY, least_gain=1, option_penalty=0, part_seconds=-1e9, rival_share=0, late_seconds=1e12, most_listed=-1
)
"""Splits whatever can be split, lists no classes, and never lets the direct count of the whole win."""

WITHOUT_CHAINS = replace(ALWAYS_SPLIT, most_chains=0)
"""The same without chains."""

EAGER = replace(
    DEFAULT_POLICY,
    restarts_begin=1,
    probing_begins=1,
    learning_begins=2,
    work_per_shuffled_entry=0,
    work_per_learned_entry=0,
)
"""Begins all ways to find one solution at once."""


def start_search(
    problem: Problem,
    policy: CountingPolicy,
    options: SearchOptions | None = None,
    *,
    goal: Goal = COUNT,
    given: Iterable[Label] = (),
    without: Iterable[Label] = (),
    stop: Stop | None = None,
) -> Search:
    """Return a search with a policy."""
    instance = problem.instance(given, without)
    positions = instance.given_positions, instance.excluded_positions
    query = Query(goal, options or SearchOptions(), *positions, policy=policy)
    return Search(problem, query, stop or Stop())
