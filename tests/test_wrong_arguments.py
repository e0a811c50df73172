"""Wrong arguments of the public functions are errors that name the argument, never errors from the inside."""

from collections.abc import Callable
from typing import Any

import pytest

from exactcover import (
    CoverError,
    Goal,
    Problem,
    ReusableSolver,
    SearchLogWriter,
    SearchOptions,
    Stop,
    ViewOptions,
    estimate,
    explain,
    find_encoder,
    generate,
    view,
)

ROWS = {"A": [1], "B": [2], "C": [1, 2]}
PROBLEM = Problem(ROWS, costs={"A": 1})
TEXT, NUMBER, OTHER = ["a", b"x"], [0, -1, 1.5, float("nan")], [object(), {1: 2}, [[]], lambda: 1]

LISTS: dict[str, list[Any]] = {name: [0, 1.5, object(), "a"] for name in ("given", "without")}
STOPS = {"stop": [*TEXT, *NUMBER, *OTHER]}
ENDS = STOPS | {"timeout": ["a", b"x", -1, float("nan"), *OTHER]}
WHOLE = ["a", -1, 1.5, float("nan"), 10**30 * 1.0, *OTHER]
ENGINES = {"engine": [0, [], object(), "nativ"]}
WATCHERS = {"profile": ["a", 0, object()], "log": ["a", 0, object()]}

CALLS: list[tuple[str, Callable[..., object], dict[str, list[Any]]]] = [
    ("Problem", lambda **how: Problem(**{"options": ROWS, **how}), {
        "options": [0, "abc", object()], "primary": [0, "ab", object()], "secondary": [0, "ab", None],
        "multiplicity": ["a", 0, []], "costs": ["a", 0, []], "preferred": [0, "a"], "impossible": [True, 0, []],
        "symmetries": [0, "a"], "rotations": [0, "a"], "givens": [0, "a"]}),
    ("solve", PROBLEM.solve, {**LISTS, **ENDS, **ENGINES, **WATCHERS, "limit": [0, *WHOLE], "jobs": [0, *WHOLE],
                              "seed": ["a", 1.5, object()], "distinct": ["a", 3], "options": ["a", 0, ROWS]}),
    ("search", PROBLEM.search, {**LISTS, **ENDS, **WATCHERS, "goal": ["all", 0, None], "options": ["a", 0, ROWS]}),
    ("count", PROBLEM.count, {**LISTS, **ENDS, **ENGINES, "log": ["a", 0]}),
    ("diagram", PROBLEM.diagram, {**LISTS, **ENDS, **ENGINES, "memory": [0, *WHOLE, 10**30], "order": ["a", 0, []],
                                  "watch": ["a", 0]}),
    ("cheapest", PROBLEM.cheapest, {**LISTS, **ENDS, **ENGINES, "k": [0, *WHOLE]}),
    ("solve_instances", lambda instances=((),), **how: list(PROBLEM.solve_instances(instances, **how)), {
        **ENDS, **ENGINES, "instances": [0, "a"], "limit": [0, *WHOLE]}),
    ("reusable_solver", PROBLEM.reusable_solver, ENGINES),
    ("ReusableSolver", lambda problem=PROBLEM: ReusableSolver(problem), {"problem": ["a", ROWS]}),
    ("solutions", PROBLEM.reusable_solver().solutions, {**LISTS, **STOPS, "limit": [0, *WHOLE]}),
    ("batches", lambda **how: PROBLEM.solve().batches(**how), {"size": [0, *WHOLE]}),
    ("verify", PROBLEM.verify, {"labels": [0, "a", [[]]]}),
    ("cost", PROBLEM.cost, {"labels": [0, "a"]}),
    ("instance", PROBLEM.instance, LISTS),
    ("sample", PROBLEM.diagram().sample, {"n": WHOLE}),
    ("samples", lambda **how: list(PROBLEM.diagram().samples(**how)), {"limit": WHOLE}),
    ("Diagram.cheapest", PROBLEM.diagram().cheapest, {"k": WHOLE, "cost": ["a", 3]}),
    ("restrict", PROBLEM.diagram().restrict, {"with_options": [0, "a"], "without_options": [0, "a"]}),
    ("Stop", Stop, {"timeout": ENDS["timeout"], "memory": [0, *WHOLE]}),
    ("Goal", lambda kind="first", number=1: Goal(kind, number), {"kind": ["a", 0, []]}),
    ("SearchOptions", SearchOptions, {"memory": [0, *WHOLE, 10**30], "jobs": [0, *WHOLE, 10**30], "engine": [0, []],
                                      "heuristic": ["a", 0, []], "strategy": ["a", 0, []], "reduce": ["a", 3],
                                      "symmetry": ["a", 3], "restarts": ["a", None]}),
    ("SearchLogWriter", lambda **how: SearchLogWriter(None, **how), {  # type: ignore[arg-type]
        "most_nodes": WHOLE, "levels": WHOLE, "sample": ["a", -1, 2]}),
    ("estimate", lambda problem=PROBLEM, **how: estimate(problem, probes=how.pop("probes", 1), **how), {
        **STOPS, **ENGINES, "problem": ["a", 0], "probes": [0, *WHOLE], "given": LISTS["given"]}),
    ("explain", lambda problem=PROBLEM, **how: explain(problem, **how), {
        **STOPS, **ENGINES, "problem": ["a", 0], "given": LISTS["given"]}),
    ("generate", lambda problem=PROBLEM, **how: next(generate(problem, **{"seed": 1, **how})), {
        **STOPS, "problem": ["a", 0], "givens": LISTS["given"], "clues": WHOLE, "nodes": ["ab", 0, (1,), (1, "a")],
        "together": ["a", 0], "attempts": [0, *WHOLE]}),
    ("view", lambda problem=PROBLEM, **how: view(problem, **how), {
        **STOPS, "problem": ["a", 0], "encoder": ["a", 0], "title": [0, b"x"], "options": ["a", 0]}),
    ("ViewOptions", ViewOptions, {"solutions": WHOLE, "nodes": WHOLE, "seconds": ["a", -1, float("nan")]}),
    ("find_encoder", find_encoder, {"name": [0, []]}),
]  # fmt: skip


@pytest.mark.parametrize(("call", "arguments"), [case[1:] for case in CALLS], ids=[case[0] for case in CALLS])
def test_a_wrong_argument_is_named(call: Callable[..., object], arguments: dict[str, list[Any]]) -> None:
    for name, values in arguments.items():
        for value in values:
            with pytest.raises((ValueError, TypeError, CoverError)) as caught:
                call(**{name: value})
                raise AssertionError((name, value))
            told = {"givens": "given", "number": "limit", "kind": "goal"}.get(name, name)
            assert told.rstrip("s") in str(caught.value) or "no option is labeled" in str(caught.value), (name, value)
            assert "not supported between" not in str(caught.value), (name, value)


def test_numbers_beyond_those_of_native_code_are_no_error() -> None:
    most = 10**30
    assert sum(map(len, PROBLEM.solve().batches(most))) == 2
    assert len(PROBLEM.reusable_solver().solutions(limit=most)) == 2
    assert len(list(PROBLEM.solve(limit=most, timeout=most))) == 2
    assert len(list(PROBLEM.cheapest(most))) == 2
