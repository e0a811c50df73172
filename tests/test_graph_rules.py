"""Rules about graphs: their definition against networkx, and what they say of a search that is not over."""

import json
import re
from math import comb
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from damage import write_text
from exactcover import Colored, ConfigError, EngineUnavailableError, Problem, ProblemError, SearchOptions
from exactcover.engines.base import ENGINES
from exactcover.formats import json_problem
from exactcover.rules import Connected, Loop, Paths, Regions, Rule
from oracles import assert_each_once, try_all
from problems import Masyu
from ruled import Holds, Ruled, color_cells, find_lit, ruled_problems, rules, solve_by_definition, subsets

ABLE = [name for name, engine in ENGINES.items() if engine.takes_rules and " " not in name]
"""Without the instruction sets, which compute the same planes of bits."""


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
    found = list(problem.solve(engine=able))
    assert_each_once(found, solve_by_definition(ruled))
    assert all(problem.verify(solution) for solution in found)


@given(ruled=ruled_problems())
def test_a_count_and_a_first_solution_keep_the_rules(ruled: Ruled) -> None:
    expected, found = solve_by_definition(ruled), ruled[0].find()
    assert ruled[0].count() == len(expected)
    assert (found is None) == (not expected)
    assert found is None or frozenset(found) in expected


def test_other_engines_refuse_rules() -> None:
    problem = Problem({"A": ["a"]}, rules=[Loop({("u", "v"): "A"}, or_none=True)])
    for name in (name for name, engine in ENGINES.items() if not engine.takes_rules):
        with pytest.raises(EngineUnavailableError, match=f"engine '{name}' "):
            list(problem.cheapest(engine=name))


@given(ruled=ruled_problems(), data=st.data())
def test_prices_of_soft_items_and_negative_costs_come_with_rules(ruled: Ruled, data: st.DataObject) -> None:
    problem, drawn = ruled
    costs = {label: data.draw(st.integers(-3, 5)) for label in problem.labels}
    soft = dict.fromkeys(data.draw(st.sets(st.sampled_from(problem.primary), max_size=2)) if problem.primary else (), 2)
    priced = problem.derive(problem.options.items(), costs=costs, soft=soft, givens=problem.givens)
    priced = priced.instance(without=problem.excluded)
    best = [
        total
        for chosen, total in try_all(priced).items()
        if chosen.issuperset(problem.givens) and chosen.isdisjoint(problem.excluded)
        if all(holds(find_lit(problem, rule, chosen)) for rule, holds in drawn)
    ]
    found = [priced.cost(solution) + priced.price(solution) for solution in priced.cheapest(3)]
    assert found == sorted(best)[:3]


@given(ruled=ruled_problems())
def test_rules_are_written_as_json(ruled: Ruled) -> None:
    problem, _ = ruled
    text = write_text(json_problem.write, problem.full())
    again = json_problem.read(text)
    assert [type(rule) for rule in again.rules] == [type(rule) for rule in problem.rules]
    assert [stated.switches for stated in again.matrix.rules] == [stated.switches for stated in problem.matrix.rules]
    assert again.count() == problem.full().count()
    assert write_text(json_problem.write, again) == text


@given(ruled=ruled_problems())
def test_every_step_is_true_under_the_rules(ruled: Ruled) -> None:
    solutions = solve_by_definition(ruled)
    path = ruled[0].solve_by_steps()
    assert path.reason is None or not solutions
    assert path.solution is None or solutions == {frozenset(path.solution)}
    for step in path.deductions:
        assert all(solution.issuperset(step.chosen) for solution in solutions), step
        assert all(solution.isdisjoint(step.excluded) for solution in solutions), step


def test_sizes_and_weights_have_a_limit() -> None:
    for sizes, weights in [((0, 1 << 31), None), (None, {"a": 1 << 31}), ((2, 1), None), ({"y": (0, 1)}, None)]:
        with pytest.raises(ProblemError, match=r"^Regions: (sizes|weights) must "):
            Regions([("a", "b")], {"a": "a?", "b": "b?"}, "x", sizes, weights)


EDGE: Any = {("u", "v"): "A"}


@pytest.mark.parametrize(
    ("rule", "arguments", "message"),
    [
        (Loop, [3], "Loop: edges must be a mapping from pairs of vertices to switches; got 3"),
        (Loop, [{"u": "A"}], "Loop: edges must be pairs of two vertices; got 'u'"),
        (Loop, [EDGE | {("v", "u"): "B"}], "Loop: edges must be different; got ('u', 'v') and ('v', 'u')"),
        (Loop, [{("u", "v"): {}}], "Loop: edges must name hashable values; got {}"),
        (Paths, [EDGE, [3]], "Paths: ends must be pairs of vertices, at least one; got 3"),
        (Paths, [EDGE, [("u", "V")]], "Paths: ends must be vertices of edges; got 'V'; did you mean 'v'?"),
        (Paths, [EDGE, [("u", [])]], "Paths: ends must name hashable values; got []"),
        (Connected, [[3], {}], "Connected: graph must be pairs of vertices, and (vertex,) for one without neighbors"),
        (Connected, [[("u", "v")], {"w": "A"}], "Connected: on must name vertices of the graph; got 'w'"),
        (Regions, [[("u", "v")], {"u": []}, "x"], "Regions: of must name hashable values; got []"),
        (Regions, [[], {}, [[]]], "Regions: colors must name hashable values; got []"),
        (Regions, [[], {}, "x", 8], "Regions: sizes must be two whole numbers, the least and the greatest, up to "),
        (Regions, [[], {}, "x", {"x": 8}], "or a mapping from colors to such; got 8"),
        (Regions, [[], {}, "x", None, {"u": 1}], "Regions: weights must name vertices with an item; got 'u'"),
    ],
)
def test_a_wrong_argument_of_a_rule_is_named(rule: type[Rule], arguments: list[Any], message: str) -> None:
    with pytest.raises(ProblemError, match=re.escape(message)):
        rule(*arguments)


def test_a_wrong_switch_is_named_with_its_rule() -> None:
    with pytest.raises(ProblemError, match=re.escape("rule 1 (Loop), ('u', 'v'): no option is labeled 'A'")):
        Problem({"B": ["b"]}, rules=[Loop(EDGE)])


def test_a_sweep_counts_up_to_255_paths() -> None:
    edges = [(k, -k) for k in range(1, 521)]  # none of which meets another one
    rule = Paths({edge: Colored(f"{edge}?", 1) for edge in edges}, [(None, None)] * 255)
    problem = color_cells(edges, rule)
    assert problem.count(options=SearchOptions(engine="diagram", strategy="sweep")) == comb(520, 255)


def test_options_that_a_rule_tells_apart_are_not_merged() -> None:
    problem = Problem({"A": ["a"], "B": ["a"]}, rules=[Loop({(1, 2): "A"}, or_none=True)])
    with pytest.raises(ProblemError, match="merging options does not know rules"):
        problem.merged()


@given(ruled=ruled_problems(), data=st.data())
def test_a_residual_problem_keeps_the_rules(ruled: Ruled, data: st.DataObject) -> None:
    problem, _ = ruled
    solutions = solve_by_definition(ruled)
    given = data.draw(st.lists(st.sampled_from(problem.labels), max_size=2, unique=True)) if problem.labels else []
    try:
        left = problem.residual(given)
    except ProblemError as error:
        assert re.search("has no item that is covered once|conflict|excluded|too much", str(error))
        return
    found = {frozenset(one).union(given, problem.givens) for one in left.solve()}
    assert found == {one for one in solutions if one.issuperset(given)}


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"rule": "loop", "edges": [["u", "v"]]}, "rule 1: edges: expected a list of lists with 3 entries"),
        ({"rule": "loop", "edges": [["u", "v", "A"], ["u", "v", "A"]]}, "is named twice"),
        ({"rule": "connected", "graph": [], "on": [["u", "A"], ["u", "A"]]}, "on: 'u' is named twice"),
        ({"rule": "regions", "graph": [], "of": [["u", ["s", "1"]]], "colors": []}, "of: names must be strings"),
        (
            {"rule": "regions", "graph": [], "of": [], "colors": ["x"], "sizes": [["y", 1, 1]]},
            "sizes must name colors of regions; got 'y'",
        ),
        ({"rule": "paths", "edges": [["u", "v", "A"]], "ends": [["u", 1]]}, "ends: names must be strings; got 1"),
        ({"rule": "loop", "edges": [["u", "v", "Z"]]}, "no option is labeled 'Z'"),
        ({"rule": "loop", "edges": [["u", "v", ["s", "On"]]]}, "gives an item the color 'On'; did you mean 'on'?"),
        (
            {"rule": "connected", "graph": [["u", "v"]], "on": [["U", "A"]]},
            "on must name vertices of the graph; got 'U'",
        ),
        (
            {"rule": "regions", "graph": [["u"]], "of": [["w", "s"]], "colors": []},
            "of must name vertices of the graph; got 'w'",
        ),
        ({"rule": "connected", "graph": [["u", "v", "w"]], "on": []}, "graph: expected a list of lists with 1 or 2"),
        ({"rule": "circle"}, "expected an object with 'rule', one of loop, paths, connected, regions"),
    ],
)
def test_rules_of_strangers_are_checked(rule: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        stated = {"secondary": ["s"], "options": [{"label": "A", "items": ["a", ["s", "on"]]}], "rules": [rule]}
        json_problem.read(json.dumps(stated))


CELLS = "abcd"  # in a row
ROW = [("a", "b"), ("b", "c"), ("c", "d")]
ON = {cell: Colored(f"{cell}?", 1) for cell in CELLS}


@pytest.mark.parametrize("color", [5, "1", "on"])
def test_a_color_that_cannot_be_meant_is_refused(color: object) -> None:
    for rule in (
        Connected(ROW, {cell: Colored(f"{cell}?", color) for cell in CELLS}, or_none=True),
        Connected(ROW, {**ON, "c": Colored("c?", color)}),
        Regions(ROW, {cell: f"{cell}?" for cell in CELLS}, [color]),
    ):
        with pytest.raises(ProblemError, match="no option gives an item the color"):
            color_cells(CELLS, rule)


def test_a_rule_may_have_no_element_that_can_be_on() -> None:
    lonely = Problem({"A": [1, Colored("u", "off")]}, secondary=["u"], rules=[Loop({(1, 2): Colored("u", "line")})])
    assert lonely.count() == 0
    assert color_cells(CELLS, Regions(ROW, {cell: f"{cell}?" for cell in CELLS}, [0, 1, 2])).count() == 8
    assert Masyu("1x2").problem().solve().reason == "a loop needs two rows and two columns"


@pytest.mark.parametrize("graph", [ROW, [frozenset(pair) for pair in ROW], nx.Graph(ROW), nx.MultiGraph([*ROW, *ROW])])
def test_graphs_in_many_forms(graph: Any) -> None:
    assert color_cells(CELLS, Connected(graph, ON)).count() == 10


@pytest.mark.parametrize("graph", ["abcd", ["a", "b"], {"a": ["b"]}, [("a", "b", "c")], [1], 1])
def test_what_is_no_graph_is_refused(graph: Any) -> None:
    with pytest.raises(ProblemError, match="Connected: graph must be pairs of vertices"):
        Connected(graph, {})


def test_a_rule_is_kept_without_the_options_of_its_colors() -> None:
    graph = nx.Graph([("b", "c")])
    graph.add_node("a")
    rule = Connected(graph, {vertex: Colored(f"{vertex}?", 1) for vertex in "abc"}, or_none=True)
    problem = color_cells("abc", rule)
    assert problem.count() == 5  # a alone, or an interval of b and c
    empty = problem.derive({label: items for label, items in problem.options.items() if not label[1]}.items())
    again = json_problem.read(write_text(json_problem.write, empty))
    assert again.count() == empty.count() == 1
    assert again.rules[0].places == {"a", "b", "c"}
