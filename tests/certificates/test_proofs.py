"""Certificates of random problems prove what is so, and changed ones nothing that is not."""

import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certified import (
    CHECKERS,
    EAGER,
    MERGING,
    SLOW,
    assert_no_proof,
    assert_verdict,
    certify,
    certify_least,
    certify_listing,
    change,
    check_changed_costs,
    find_verdict,
    read,
    verify,
    write,
)
from exactcover import Problem, ProblemError, SearchOptions
from exactcover.certificates.certify import certify_classes
from exactcover.certificates.check import NotCertifiedError, Proof, count_noun, find_digest
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.model.matrix import native
from oracles import brute_force_instance
from problems import Langford, Latin, Polyomino, Queens
from strategies import instances, priced, problems, symmetric_problems


@given(problem=instances(problems()), numbers=st.randoms(use_true_random=False))
def test_numbers_are_certified(problem: Problem, numbers: random.Random) -> None:
    """Also without options that lead nowhere."""
    strategy, symmetry = numbers.choice(["auto", "sweep", "search", "memo"]), numbers.choice([None, True, False])
    first = certify(problem, strategy=strategy, symmetry=symmetry)
    for certificate in (first, certify(problem, policy=SLOW, symmetry=False)):
        assert_number(certificate, len(brute_force_instance(problem)))


def assert_number(certificate: bytes, number: int) -> None:
    assert_verdict(certificate, f"{count_noun(number, 'solution')} of the problem ")


def test_options_that_lead_nowhere_are_dropped() -> None:
    rows = {"A": [1, 2], "B": [1, 3], "C": [2, 3], "D": [1], "E": [2], "F": [1, 4], "G": [4]}
    certificate = certify(Problem(rows, primary=[1, 2, 3, 4]), policy=SLOW, symmetry=False)
    assert read(certificate)["steps"][0] == {"by": "drop", "options": [0]}
    assert_verdict(certificate, "3 solutions")


@pytest.mark.parametrize("chosen", ["auto", "sets"])
@given(problem=instances(problems()))
def test_lists_are_certified(chosen: str, problem: Problem) -> None:
    solutions = brute_force_instance(problem)
    position = {label: place for place, label in enumerate(problem.labels)}
    digest = find_digest([sum(1 << position[label] for label in solution) for solution in solutions])
    certificate = certify_listing(problem, chosen)
    found = verify(certificate)
    assert found.startswith(f"{len(solutions)} solution")
    assert digest in found or not solutions
    assert read(certificate)["claim"]["number"] == len(solutions)


@pytest.mark.parametrize("factor", [1, 1 << 70])
@given(problem=instances(priced()), wanted=st.integers(1, 4))
def test_least_costs_are_certified(factor: int, problem: Problem, wanted: int) -> None:
    """Also costs of more than 64 bits, which the core searches."""
    large = {label: factor * cost for label, cost in problem.costs.items()}
    plain = problem.derive(problem.options.items(), costs=large, givens=problem.givens)
    problem = plain.instance(without=problem.excluded)
    costs = sorted(Decimal(problem.cost(solution)) for solution in problem.solve(engine="sets"))[:wanted]
    shown = [f"{cost:f}".rstrip("0").rstrip(".") if "." in f"{cost:f}" else f"{cost:f}" for cost in costs]
    assert len(shown) < 6
    listed = " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))
    several = f"the {len(shown)} cheapest solutions, which cost {listed}, of"
    few = {0: "0 solutions of", 1: f"the cheapest solution, which costs {listed}, of"}
    assert_verdict(certify_least(problem, wanted), few.get(len(shown), several))


@given(problem=instances(problems()), strategy=st.sampled_from(["auto", "memo"]))
def test_numbers_of_classes_are_certified(problem: Problem, strategy: Any) -> None:
    try:
        certificate = certify(problem, certify_classes, distinct=True, strategy=strategy)
    except ProblemError:  # symmetries that exchange items with multiplicities
        return
    classes = len(list(problem.solve(options=SearchOptions(engine="sets", distinct=True))))
    assert_verdict(certificate, f"{count_noun(classes, 'class', 'es')} of solutions ")


@given(problem=instances(problems()), numbers=st.randoms(use_true_random=False))
def test_changed_certificates_prove_nothing_wrong(problem: Problem, numbers: random.Random) -> None:
    """Both checkers say the same of each."""
    makers: list[Callable[[], bytes]] = [
        lambda: certify_listing(problem),
        lambda: certify(problem, policy=numbers.choice([EAGER, SLOW, MERGING]), symmetry=True),
        lambda: certify(problem, strategy=numbers.choice(["auto", "search", "sweep", "memo"])),
        lambda: certify(problem, certify_classes, distinct=True),
    ]
    try:
        files = read(numbers.choice(makers)())
    except ProblemError:  # symmetries that exchange items with multiplicities
        return
    stated = dict(files["claim"])
    for _ in range(numbers.randint(1, 3)):
        change(files, numbers)
    verdict = find_verdict(files)
    is_other_group = stated["claim"] == "classes" and files["claim"].get("maps") != stated.get("maps")
    assert not verdict or is_other_group or files["claim"]["number"] == stated["number"]


@given(problem=priced(), numbers=st.randoms(use_true_random=False))
def test_changed_costs_are_refused_or_true(problem: Problem, numbers: random.Random) -> None:
    check_changed_costs(problem, certify_least(problem, numbers.randint(1, 3)), numbers)


CHAINS = CountingPolicy(least_gain=1, chain_gain=0, option_penalty=0)
"""Prefers chains of orbits."""


@pytest.mark.skipif(native is None, reason="symmetries are found in C++")
@pytest.mark.parametrize("policy", [EAGER, CHAINS, SLOW, MERGING], ids=["items", "chains", "slow", "merging"])
@given(problem=instances(symmetric_problems()))
def test_splits_of_every_kind_are_certified(policy: CountingPolicy, problem: Problem) -> None:
    assert_number(certify(problem, policy=policy, symmetry=True), len(list(problem.solve(engine="sets"))))


USED: list[tuple[set[str], Callable[[], bytes], int]] = [
    ({"symmetry", "search", "force"}, lambda: certify(Queens(n=6).problem(), policy=MERGING), 4),
    ({"sweep"}, lambda: certify(Langford(n=4).problem(), strategy="sweep", symmetry=False), 2),
    ({"memo"}, lambda: certify(Langford(n=7).problem(), strategy="memo", symmetry=False), 52),
    ({"parts"}, lambda: certify(Problem({"A": [1], "B": [1], "C": [2], "D": [2]}), policy=SLOW), 4),
    ({"weights"}, lambda: certify(Problem({"A": [1, 2], "B": [2, 3], "C": [1, 3]}), policy=SLOW), 0),
    ({"keep", "same"}, lambda: certify(Latin(n=5).problem(), policy=MERGING), 161280),  # isomorphic parts
    ({"orbits"}, lambda: certify(Queens(n=8).problem(), policy=CHAINS, symmetry=True), 92),
    ({"cases"}, lambda: certify(Problem({k: ["a"] for k in range(4)}, multiplicity={"a": (0, 3)}), symmetry=True), 15),
    ({"symmetry"}, lambda: certify(Langford(n=7).problem(), symmetry=True), 52),
]


@pytest.mark.skipif(native is None, reason="symmetries are found, and sweeps are made, in C++")
@pytest.mark.parametrize(("rules", "make", "number"), USED, ids=[" ".join(sorted(rules)) for rules, _, _ in USED])
def test_each_rule_is_used(rules: set[str], make: Callable[[], bytes], number: int) -> None:
    certificate = make()
    steps = read(certificate)["steps"]
    assert {step["by"] for step in steps} | {key for step in steps for key in step} >= rules
    assert_verdict(certificate, f"{number} solutions ")


@pytest.mark.skipif(native is None, reason="symmetries are found in C++")
@pytest.mark.parametrize("checker", CHECKERS)
def test_forced_choices_cannot_be_left_out(checker: type[Proof]) -> None:
    files = read(certify(Queens(n=8).problem(), policy=CHAINS, symmetry=True))
    refused = 0
    for place in (place for place, step in enumerate(files["steps"]) if step["by"] == "force"):
        steps = [*files["steps"][:place], *files["steps"][place + 1 :]]
        try:
            assert verify(write(files | {"steps": steps}), checker).startswith("92 solutions")  # nothing was forced
        except NotCertifiedError:
            refused += 1
    assert refused > 2


@pytest.mark.skipif(native is None, reason="symmetries are found in C++")
def test_chains_that_are_not_valid_are_refused() -> None:
    files = read(certify(Queens(n=8).problem(), policy=CHAINS, symmetry=True))
    step = next(step for step in files["steps"] if step["by"] == "orbits")
    for field, value in (
        ("first", step["first"][1:]),  # an orbit of the item is missing
        ("first", step["first"][:1] * 2),  # an orbit is counted twice
        ("first", []),
        ("first", [-1]),
        ("item", None),
        ("item", 10**6),
        ("maps", []),
        ("maps", [[[0, 1], [1, 0]]]),
    ):
        before = step[field]
        step[field] = value
        assert_no_proof(write(files), NotCertifiedError)
        step[field] = before
    assert_verdict(write(files), "92 solutions")


def test_a_scale_of_any_size_is_checked() -> None:
    files = read(certify_least(Problem({"A": [1], "B": [1, 2], "C": [2]}, costs={"A": 0}), 1))
    files["steps"][0] |= {"scale": 10**25, "prices": []}
    assert_verdict(write(files), "the cheapest solution, which costs 0,")


def test_options_are_dropped_round_by_round() -> None:
    """Some options lead nowhere only when others are gone."""
    problem = Polyomino("10x10", "pentominoes.Y", copies="any").problem()
    policy = replace(DEFAULT_POLICY, reduction_seconds=1e-6, root_patience=0, first_turn=1e-7, reducing_left=0)
    certificate = certify(problem, policy=policy, strategy="search", symmetry=False)
    files = read(certificate)
    *drops, search = files["steps"]
    assert [step["by"] for step in files["steps"]] == ["drop", "drop", "drop", "search"]
    files["steps"] = [{"by": "drop", "options": sorted(option for step in drops for option in step["options"])}, search]
    assert_verdict(write(files), "", "may be part of solutions")
    assert verify(certificate).startswith(f"{problem.count(options=SearchOptions(engine='native'))} solutions")


def test_parts_that_are_merged_when_they_have_found_solutions() -> None:
    """Independent pairs of options that exchange, beside a matching that is counted for a while before the merge."""
    numbers, options = random.Random(2104), dict[str, list[str]]()
    for k in range(3):
        options |= {f"a{k}": ["x", f"p{k}"], f"e{k}": [f"p{k}"]}
        options |= {f"b{k}": ["x", f"q{k}", f"r{k}"], f"d{k}": [f"q{k}", f"r{k}"]}
    for row in range(8):
        options |= {f"m{row},{column}": [f"row{row}", f"col{column}"] for column in {*numbers.sample(range(8), 5), row}}
    problem = Problem({**options, "twin": ["row0", "col0"]})
    certificate = certify(problem, policy=DEFAULT_POLICY, strategy="search", symmetry=True)
    assert verify(certificate).startswith(f"{problem.count(options=SearchOptions(engine='sets'))} solutions")


def test_weights_leave_out_items_that_need_more_options_than_there_are() -> None:
    """Certificates state such bounds only as far as they matter, so weights of these items would show nothing."""
    problem = Problem({0: ["p"], 1: ["p", "q"]}, multiplicity={"p": (3, 3), "q": (4, 4)}).instance([], [0])
    assert verify(certify(problem, policy=SLOW, symmetry=False)).startswith("0 solutions")
