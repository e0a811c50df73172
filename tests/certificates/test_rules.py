"""Steps written by hand: both checkers follow each rule, and refuse what it does not allow."""

from collections.abc import Sequence
from typing import Any

import pytest

from certified import assert_no_proof, assert_verdict, claim
from exactcover import Problem
from exactcover.certificates.check import NotCertifiedError


def prove(problem: Problem, number: int, *steps: dict[str, Any], nodes: tuple[int, ...] = ()) -> bytes:
    """Return a certificate with these steps."""
    return claim(problem, {"claim": "count", "number": number}, *steps, nodes=nodes)


SQUARE = Problem({"A": [1], "B": [1, 2], "C": [2, 3], "D": [3], "E": [2]})
TREE = {"by": "search", "items": [0, 1, 2]}
NODES = (3, 2, 4, 2, 0, 5, 1, 0, 5, 1, 0)


PAIRS = Problem({"A": [1, 2], "B": [3, 4], "C": [1, 3], "D": [2, 4], "E": [1, 4], "F": [2, 3]})
"""Choosing A leaves B, choosing C leaves D, and choosing E leaves F."""
CASES: dict[str, Any] = {"by": "symmetry", "item": 0, "maps": []}
LEAF: dict[str, Any] = {"by": "search", "items": [0, 1, 2, 3]}


@pytest.mark.parametrize(
    ("kept", "pairs", "message"),
    [
        (0, [[3, 1]], None),
        (0, [[3, 1], [1, 3]], None),
        (0, [], "a map does not lead to the state that was kept"),
        (0, [[3, 2]], "a map does not lead to the state that was kept"),
        (1, [[3, 1]], "a state is not proved before it is referred to"),
        (-1, [[3, 1]], "a state is not proved before it is referred to"),
        (True, [[3, 1]], "a state is not proved before it is referred to"),
        (0, [[3, 6]], "there is no such option"),
        (0, [[3, -1]], "there is no such option"),
    ],
)
def test_a_state_is_mapped_to_one_that_was_kept(kept: int, pairs: list[list[int]], message: str | None) -> None:
    same = {"by": "same", "kept": kept, "map": pairs}
    certificate = prove(PAIRS, 3, CASES, {"by": "keep"}, LEAF, same, LEAF, nodes=(5, 1, 0, 4, 1, 0))
    assert_verdict(certificate, "3 solutions", message)


def join(orbits: Sequence[object]) -> list[dict[str, Any]]:
    """Return the steps that join orbits of the first item, where three pairs of options exchange."""
    maps = [[[k, k + 1], [k + 1, k]] for k in (0, 2, 4)]
    return [{"by": "symmetry", "item": 0, "maps": maps, "joined": orbits}, {"by": "search", "items": [0]}]


@pytest.mark.parametrize(
    ("often", "number", "joined", "nodes", "message"),
    [
        (1, 6, [0, 2, 4], (2, 6, 3), None),
        (1, 6, [1, 3, 5], (2, 6, 3), None),
        (1, 7, [0, 2, 4, 6], (2, 6, 4), "orbits that are joined have different numbers of options"),
        (1, 6, [0, 1, 2], (2, 6, 3), "orbits that are joined are not different ones of the item"),
        (2, 6, [0, 2, 4], (2, 6, 3), "orbits are joined only for an item that is covered once"),
    ],
)
def test_orbits_of_an_item_are_joined(
    often: int, number: int, joined: list[int], nodes: tuple[int, ...], message: str | None
) -> None:
    """A seventh option stays as it is."""
    problem = Problem({k: ["a"] for k in range(6 + number % 2)}, multiplicity={"a": often})
    certificate = prove(problem, number, *join(joined), nodes=nodes)
    assert_verdict(certificate, f"{number} solutions", message)


@pytest.mark.parametrize(
    "joined",
    [[], [0, 2], [0, 2, 4, 0], [0, 2, 4, 5], [0, 2, -1], [0, 2, 10**6], [0, 2, True], ["0", "2", "4"]],
    ids=str,
)
def test_forged_orbits_are_not_joined(joined: list[object]) -> None:
    certificate = prove(Problem({k: ["a"] for k in range(6)}), 6, *join(joined), nodes=(2, 6, 3))
    assert_no_proof(certificate, NotCertifiedError)


def test_no_state_is_mapped_to_one_that_it_is_a_part_of() -> None:
    """Else any number could be proved of the whole, by itself."""
    certificate = prove(PAIRS, 0, {"by": "keep"}, {"by": "same", "kept": 0, "map": []})
    assert_verdict(certificate, "", "a state is not proved before it is referred to")


def test_steps_may_stand_deep_below_each_other() -> None:
    certificate = prove(SQUARE, 3, *[{"by": "keep"}] * 3_000, TREE, nodes=(2, 6, 3))
    assert_verdict(certificate, "3 solutions")


def test_branches_may_stand_deep_below_each_other() -> None:
    problem = Problem({"A": ["a"]}, primary=["a", "b"], multiplicity={"b": (0, 1)})
    branches = [{"by": "branch", "item": 1, "children": 1}] * 3_000
    stated = {"claim": "cheapest", "wanted": 2, "solutions": [[0]]}
    certificate = claim(problem, stated, *branches, {"by": "search", "items": [0]}, nodes=(3, 1, 0))
    assert_verdict(certificate, "the cheapest solution")


def test_prices_prove_nothing_about_numbers() -> None:
    """The order of children depends on them, which only matters where costs do."""
    certificate = prove(SQUARE, 3, {"by": "prices", "prices": [], "scale": 1}, TREE, nodes=(2, 6, 3))
    assert_verdict(certificate, "", "prices is not a rule that holds here")


def test_two_options_are_not_mapped_to_one() -> None:
    """Two bits on one place would look like the next one."""
    problem = Problem({"A": [1], "B": [1], "C": [1, 2], "D": [2], "E": [2], "F": [2]})
    leaf: dict[str, Any] = {"by": "search", "items": [0]}
    same: dict[str, Any] = {"by": "same", "kept": 0, "map": [[0, 1], [1, 1]]}
    cases: dict[str, Any] = {"by": "symmetry", "item": 1, "maps": []}
    certificate = prove(problem, 7, cases, leaf, {"by": "keep"}, leaf, same, same, nodes=(3, 2, 0, 0))
    assert_verdict(certificate, "", "a node is not a solution")


@pytest.mark.parametrize(
    ("number", "steps", "nodes", "message"),
    [
        (3, [TREE], NODES, None),
        (3, [{"by": "drop", "options": []}, TREE], NODES, None),
        (1, [{"by": "drop", "options": [0]}, TREE], (3, 1, 5, 1, 0), "option 0 may be part of solutions"),
        (2, [TREE], (3, 1, 4, 2, 0, 5, 1, 0), "a branch needs more children"),
        (3, [TREE], (3, 2, 4, 2, 0, 0, 5, 1, 0), "a node is not a solution"),
        (3, [TREE], (3, 2, 4, 2, 0, 5, 1, 0), "a part of a tree is missing"),
        (3, [TREE], (120, 2, 4, 2, 0, 5, 1, 0, 5, 1, 0), "a tree has an unknown item"),
        (3, [{"by": "symmetry", "item": 7, "maps": []}], (), "there is no such item"),
        (3, [TREE], (3, 2, 4, 2, 0, 5, 1, 0, 5, 1, 0, 0), "steps or nodes are left over"),
        (3, [TREE], (3, 2, 4, 2, 0, 5, 1, 0, 1), "a node may have solutions"),
        (4, [TREE], NODES, "the proof shows 3 solutions, not 4"),
        (3, [], (), "a step is missing"),
        (0, [{"by": "weights", "weights": [[0, 1]], "modulus": 0}], (), "the weights do not show that there is no"),
        (0, [{"by": "weights", "weights": [[-1, 1]], "modulus": 0}], (), "there is no such item"),
        (3, [{"by": "symmetry", "item": 0, "maps": [[[0, 1], [1, 0]]]}], (), "a map is not a symmetry"),
        (3, [{"by": "symmetry", "item": 0, "maps": [[[0, 1]]]}], (), "a map is not a symmetry"),
        (3, [{"by": "sweep", "items": [0, 2]}], (), "a sweep ends too early"),
        (3, [{"by": "sweep", "items": [1, 0, 2]}], (), None),
        (3, [{"by": "parts", "parts": [[0], [1, 2]]}], (), "parts have an item in common"),
        (3, [{"by": "parts", "parts": [[0, 1, 2]]}, TREE], NODES, None),
        (3, [TREE], (128,) * 12, "a number in a tree is too large"),
        (3, [TREE], (2, 6, 3), None),
        (4, [TREE], (2, 6, 4), "a subtree does not have 4 solutions"),
        (3, [{"by": "search", "items": [0, -1]}], (2, 6, 3), "there is no such item"),
        (3, [{"by": "search", "items": [0, 3]}], (2, 6, 3), "there is no such item"),
        (3, [{"by": "sweep", "items": [1, 0, 2, True]}], (), "there is no such item"),
        (3, [{"by": "memo"}], (), None),
        (2, [{"by": "memo"}], (), "the proof shows 3 solutions, not 2"),
    ],
)
def test_rules_by_hand(number: int, steps: list[dict[str, Any]], nodes: tuple[int, ...], message: str | None) -> None:
    certificate = prove(SQUARE, number, *steps, nodes=nodes)
    assert_verdict(certificate, f"{number} solution", message)


def test_both_checkers_read_all_that_a_step_states() -> None:
    certificate = prove(SQUARE, 3, {"by": "search", "itemq": [0, 1, 2]}, nodes=(2, 6, 3))
    assert_no_proof(certificate, KeyError)


def test_options_that_would_leave_an_item_without_options_are_dropped() -> None:
    problem = Problem({"A": [1], "B": [1, 2], "C": [2]}, primary=[1, 2, 3], multiplicity={3: (0, 1)})
    certificate = prove(problem, 2, {"by": "drop", "options": []}, {"by": "sweep", "items": [0, 1]})
    assert_verdict(certificate, "2 solutions")
    dead = Problem({"A": [1], "B": [1, 2], "C": [3]}, primary=[1, 2, 3])
    certificate = prove(dead, 1, {"by": "drop", "options": [0]}, {"by": "sweep", "items": [0, 2]})
    assert_verdict(certificate, "1 solution ")
