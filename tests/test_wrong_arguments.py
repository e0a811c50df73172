"""Wrong arguments of the public functions are errors that name the argument, never errors from the inside."""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from exactcover import (
    CoverError,
    Goal,
    Margin,
    Problem,
    ReusableSolver,
    SearchLogWriter,
    SearchOptions,
    Stop,
    Symmetry,
    TextForm,
    ViewOptions,
    estimate,
    explain,
    find_encoder,
    generate,
    view,
)
from exactcover.pictures import Cell, Dashes, Disc, Edge, Line, Picture, Text, Tile
from exactcover.rules import Connected, Loop, Paths, Regions
from exactcover.runs import RunPolicy
from test_public_face import functions_of, public_faces

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
    ("Problem.__init__", lambda **how: Problem(**{"options": ROWS, **how}), {
        "at_least": ["a", -1, []], "at_most": ["a", 0, []], "rules": [0, "a", [0]],
        "options": [0, "abc", object()], "primary": [0, "ab", object()], "secondary": [0, "ab", None],
        "multiplicity": ["a", 0, []], "costs": ["a", 0, []], "preferred": [0, "a"], "impossible": [True, 0, []], "reduce": [0, 1, None],
        "symmetries": [0, "a"], "rotations": [0, "a"], "givens": [0, "a"], "soft": [0, "a", [], {1: "a"}, {1: [1]}]}),
    ("Problem.solve", PROBLEM.solve, {**LISTS, **ENDS, **ENGINES, "limit": [0, *WHOLE], "seed": ["a", 1.5, object()], "options": ["a", 0, ROWS]}),
    ("Problem.find", PROBLEM.find, {**LISTS, **ENDS, **ENGINES, "seed": ["a", 1.5, object()], "options": ["a", 0, ROWS]}),
    ("Problem.next_step", PROBLEM.next_step, {**LISTS, **ENDS}),
    ("Problem.solve_by_steps", PROBLEM.solve_by_steps, {**LISTS, **ENDS}),
    ("Problem.residual", PROBLEM.residual, {"given": LISTS["given"]}),
    ("Problem.derive", lambda options=(), **how: PROBLEM.derive(options, **how), {
        "options": [0, "abc", object()], "primary": [0, "ab", object()]}),
    ("Problem.from_lists", lambda **how: Problem.from_lists([[0]], **how), {"secondary": [0, "a"]}),
    ("Problem.from_matrix", lambda **how: Problem.from_matrix([[1]], **how), {"secondary": [0, "a", [5]]}),
    ("Problem.cost_of", PROBLEM.cost_of, {"positions": [0, "a", object()]}),
    ("Problem.search", PROBLEM.search, {"differing": [0, "a", [[]]], "project": [0, "a", [[]]], **LISTS, **ENDS, **WATCHERS, "goal": ["all", 0, None], "options": ["a", 0, ROWS]}),
    ("Problem.count", PROBLEM.count, {**LISTS, **ENDS, **ENGINES, "distinct": ["a", 3], "options": ["a", 0, ROWS]}),
    ("Problem.diagram", PROBLEM.diagram, {**LISTS, **ENDS, **ENGINES, "memory": [0, *WHOLE, 10**30], "order": ["a", 0, []],
                                  "watch": ["a", 0]}),
    ("Problem.cheapest", lambda near=("A",), **how: PROBLEM.cheapest(near=near, **how), {
        "near": [0, "a"], "differing": [0, "a"], "change": ["a", -1], **LISTS, **ENDS, **ENGINES, "k": [0, *WHOLE]}),
    ("Problem.solve_instances", lambda instances=((),), **how: list(PROBLEM.solve_instances(instances, **how)), {
        **ENDS, **ENGINES, "instances": [0, "a"], "limit": [0, *WHOLE]}),
    ("Problem.reusable_solver", PROBLEM.reusable_solver, ENGINES),
    ("ReusableSolver.__init__", lambda problem=PROBLEM: ReusableSolver(problem), {"problem": ["a", ROWS]}),
    ("ReusableSolver.assume", PROBLEM.reusable_solver().assume, LISTS),
    ("ReusableSolver.candidates", PROBLEM.reusable_solver().candidates, {**LISTS, **STOPS}),
    ("ReusableSolver.prove_only", lambda solution=("A",), **how: PROBLEM.reusable_solver().prove_only(solution, **how), {
        **STOPS, "given": LISTS["given"], "solution": LISTS["given"]}),
    ("ReusableSolver.solutions", PROBLEM.reusable_solver().solutions, {**LISTS, **STOPS, "limit": [0, *WHOLE]}),
    ("Search.batches", lambda **how: PROBLEM.solve().batches(**how), {"size": [0, *WHOLE]}),
    ("Problem.verify", PROBLEM.verify, {"labels": [0, "a", [[]]]}),
    ("Problem.cost", PROBLEM.cost, {"labels": [0, "a"]}),
    ("Problem.instance", PROBLEM.instance, LISTS),
    ("Diagram.sample", PROBLEM.diagram().sample, {"n": WHOLE}),
    ("Diagram.samples", lambda **how: list(PROBLEM.diagram().samples(**how)), {"limit": WHOLE}),
    ("Diagram.cheapest", PROBLEM.diagram().cheapest, {"k": WHOLE, "cost": ["a", 3]}),
    ("Diagram.restrict", PROBLEM.diagram().restrict, {"with_options": [0, "a"], "without_options": [0, "a"]}),
    ("Stop.__init__", Stop, {"timeout": ENDS["timeout"], "memory": [0, *WHOLE]}),
    ("Goal.__init__", lambda kind="cheapest", number=1, gap=None, within=None, maximize=False: Goal(kind, number, gap, within, maximize), {"kind": ["a", 0, []], "number": [0, "a", []], "gap": ["a", [], 1], "within": ["a", [], 1], "maximize": ["a", 1]}),
    ("SearchOptions.__init__", SearchOptions, {"memory": [0, *WHOLE, 10**30], "jobs": [0, *WHOLE, 10**30], "engine": [0, []],
                                      "heuristic": ["a", 0, []], "strategy": ["a", 0, []], "reduce": ["a", 3],
                                      "symmetry": ["a", 3], "restarts": ["a", None], "seed": ["a", 1.5, []],
                                               "distinct": ["a", 3], "nodes": [0, *WHOLE]}),
    ("SearchLogWriter.__init__", lambda **how: SearchLogWriter(None, **how), {  # type: ignore[arg-type]
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
    ("ViewOptions.__init__", ViewOptions, {"solutions": WHOLE, "nodes": WHOLE, "seconds": ["a", -1, float("nan")]}),
    ("find_encoder", find_encoder, {"name": [0, []]}),
]  # fmt: skip


@pytest.mark.parametrize(("call", "arguments"), [case[1:] for case in CALLS], ids=[case[0] for case in CALLS])
def test_a_wrong_argument_is_named(call: Callable[..., object], arguments: dict[str, list[Any]]) -> None:
    for name, values in arguments.items():
        for value in values:
            with pytest.raises((ValueError, TypeError, CoverError)) as caught:
                call(**{name: value})
                raise AssertionError((name, value))
            told = {"givens": "given", "kind": "goal"}.get(name, name)
            assert told.rstrip("s") in str(caught.value) or "no option is labeled" in str(caught.value), (name, value)
            assert "not supported between" not in str(caught.value), (name, value)


def test_numbers_beyond_those_of_native_code_are_no_error() -> None:
    most = 10**30
    assert sum(map(len, PROBLEM.solve().batches(most))) == 2
    assert len(PROBLEM.reusable_solver().solutions(limit=most)) == 2
    assert len(list(PROBLEM.solve(limit=most, timeout=most))) == 2
    assert len(list(PROBLEM.cheapest(most))) == 2


class Wrong:
    """Nothing that any public function takes; it cannot even be hashed."""

    __hash__ = None  # type: ignore[assignment]


RECORDS: list[Any] = [Cell(0, 0), Dashes(()), Disc(0, 0), Edge(0, 0, True), Line(0, 0), Text(0, 0, "x"), Tile(()), Picture("", ()), Symmetry({}),
           Margin(1), Loop({}), Paths({("u", "v"): "A"}, [("u", "v")]), Connected((), {}), Regions((), {}, ()), TextForm(["\0"], [{"1": "A"}]), ViewOptions(), RunPolicy()]  # fmt: skip
UNCHECKED = {
    "the core, which says that it checks nothing": "Colored|Weighted|Cover|Level|exact_covers|item_of",
    "results, which the package makes": "Addition|Candidates|ChangeRemark|Changes|CheckReport|ProblemFacts|Deviations|DiagramFile.__init__|Estimate|Explanation|Forecast|"
    "Fault|InstalledEncoder|LogNode|MatrixRule|NumberedRule|Puzzle|SolutionFile|Remark|Repair|RunProblem|RunSummary|SolutionBatch|Statistics|Verdict",
    "errors": r"\w+Error|Mistake",
    "called for every option, node, solution, cell or mark": r"\w+.find_faults|Regions.bounds|Regions.weigh|Matrix|Profile.note|SearchLogWriter|TreeRecorder|"
    "SymmetryClasses|ReusableSolver.solve_positions|Search.build_diagram|Margin.find_units|Picture.tint|Picture.strength|Picture.copy|Picture.to_svg|Table.parse_cost|TableRows.(?!__init__)|Zdd.__init__|"
    "record|is_covered|find_changes|find_deviations",
    "a run that is open": r"Run\.(?!__init__|create)",
    "defined by each family": "Paintable.draw_pieces",
    "anything is true or false": r"Problem.__init__ symmetries_complete|Diagram.rank maximize",
}


def make_changed(record: Any, **fields: object) -> None:
    """Make a record with other fields; shapes are checked when their picture is drawn."""
    changed = replace(record, **fields)
    if isinstance(record, Cell | Dashes | Disc | Edge | Line | Text | Tile):
        Picture("", (changed,)).to_svg()


def arguments_of_public_functions() -> Iterator[tuple[str, str, Callable[..., object]]]:
    """Yield each function, each of its parameters, and a call with a value for that parameter alone."""
    makers = {type(record).__name__: partial(make_changed, record) for record in RECORDS}
    for public, face in public_faces():
        for name, function in functions_of(public, face):
            first, *others = [*inspect.signature(function).parameters.values(), None]
            has_self = first is not None and first.name in ("self", "cls")
            call: Any = face if inspect.isfunction(face) else getattr(face, name.partition(".")[2])
            if name.endswith(".__init__") and public in makers:
                call = makers[public]
            elif name.endswith(".__init__"):
                call = face
            elif has_self and not inspect.ismethod(call) and callable(call):
                call = partial(call, None)
            for one in others if has_self else (first, *others):
                if (
                    one is not None
                    and one.kind is not one.VAR_KEYWORD
                    and one.annotation not in ("Any", "object", "Label")
                ):
                    yield name, one.name, call


def test_every_public_function_checks_its_arguments() -> None:
    covered = {(case[0], argument) for case in CALLS for argument in case[2]}
    unchecked = re.compile("|".join(f"(?:{names})" for names in UNCHECKED.values()))
    for name, argument, call in arguments_of_public_functions():
        if (name, argument) not in covered and unchecked.match(f"{name} {argument}") is None:
            with pytest.raises((TypeError, ValueError), match=rf"^(?:\w+: )?{argument}\b.*[,;] got <"):
                call(**{argument: Wrong()})
