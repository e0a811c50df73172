"""Proofs by clauses: made from what a solver learns, checked on items and options, refused where they are false."""

import io
import itertools
import random
from array import array

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from certified import assert_no_proof, assert_verdict, forge, read, refute, verify, write
from classics import mycielski, pigeons
from exactcover import Colored, Problem, SearchOptions
from exactcover.certificates.certify import certify_count
from exactcover.certificates.check import NotCertifiedError
from exactcover.certificates.count_proof import Refutation, Root
from oracles import brute_force_instance
from strategies import instances, problems

if not Refutation.fits(Problem({"A": [1]}).matrix):
    pytest.skip("no native module, or no SAT solver", allow_module_level=True)

PROBLEMS = instances(problems(most_options=10))


def colored(size: int) -> Problem:
    """A ring of odd size whose neighbors have different ones of two colors, each told by a secondary item."""
    options = {}
    for place, (left, right) in itertools.product(range(size), (("x", "y"), ("y", "x"))):
        options[place, left] = [place, Colored(f"after {place}", right), Colored(f"after {(place - 1) % size}", left)]
    return Problem(options, secondary=[f"after {place}" for place in range(size)])


def linked_graphs() -> Problem:
    """A graph that needs five colors, at an edge of a large one for which four suffice; there are four."""
    numbers, edges = random.Random(1), mycielski(3)
    pairs = [(f"v{a}", f"v{b}") for a, b in itertools.combinations(range(16), 2) if a % 4 != b % 4]
    graph = [*((f"w{a}", f"w{b}") for a, b in edges), *numbers.sample(pairs, 40), ("v0", "w0")]
    vertices = [*(f"v{k}" for k in range(16)), *(f"w{k}" for k in range(23))]
    places = itertools.product(vertices, range(4))
    options = {
        (vertex, color): [vertex, *((edge, color) for edge in graph if vertex in edge)] for vertex, color in places
    }
    return Problem(options, primary=vertices, secondary=list(itertools.product(graph, range(4))))


def crowded(numbers: random.Random) -> Problem:
    """Random options of which items need several; there are too few of them in all."""
    items = range(12)
    options = {k: numbers.sample(items, 3) for k in range(24)}
    return Problem(options, multiplicity=dict.fromkeys(items[1:], (3, 3)) | {0: (2, 2)})


@given(problem=PROBLEMS)
@settings(max_examples=150)
def test_random_problems_are_refuted_exactly_if_they_have_no_solution(problem: Problem) -> None:
    certificate, solutions = refute(problem), brute_force_instance(problem)
    assert not (solutions and certificate is not None)
    assert solutions or certificate is not None or Root.of(problem) is None
    if certificate is not None:
        assert_verdict(certificate, "0 solutions")


@pytest.mark.parametrize(
    "problem", [pigeons(6), colored(5), crowded(random.Random(3))], ids=["pigeons", "colors", "multiplicities"]
)
def test_hard_proofs_are_certified_and_need_their_clauses(problem: Problem) -> None:
    certificate = refute(problem)
    assert certificate is not None
    assert_verdict(certificate, "0 solutions")
    files = read(certificate)
    assert files["steps"][0]["by"] == "clauses"
    files["nodes"] = bytearray([0, 0])  # the clause without literals, without hints
    assert_verdict(write(files), "", "a clause does not follow")


@given(problem=PROBLEMS.filter(lambda problem: refute(problem) is not None), numbers=st.randoms(use_true_random=False))
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_forged_proofs_of_problems_with_solutions_are_refused(problem: Problem, numbers: random.Random) -> None:
    errors = NotCertifiedError, ValueError, IndexError, TypeError, KeyError
    assert_no_proof(forge(refute(problem) or b"", problem, numbers), *errors)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([], "a clause or its hints are missing"),
        ([0], "a clause or its hints are missing"),
        ([200, 1, 0], "too long"),
        ([1, 99, 0], "not valid"),
        ([1, 0], "a clause or its hints are missing"),
        ([0, 1, 3 * 40], "there is no such item"),
        ([0, 1, 1], "a clause that is not known"),
        ([2, 0, 2, 1, 0, 2, 0, 2, 1, 5, 2, 0, 2, 1, 7], "a clause that is not known"),  # any more: 5 was the last hint
        ([0, 1, 0], "fewer options than it has left"),
    ],
)
def test_broken_proofs_are_refused_with_words(nodes: list[int], message: str) -> None:
    files = read(refute(pigeons(3)) or b"")
    files["nodes"] = bytearray(nodes)
    assert_verdict(write(files), "", message)


def test_clauses_that_do_not_follow_are_an_error_of_the_writer() -> None:
    import exactcover._native as _native

    matrix = pigeons(4).matrix
    arrays = matrix.starts, matrix.entries, matrix.colors
    for literals, message in (([1, 0], "does not follow"), ([99, 0], "no such literal"), ([], "do not contradict")):
        trimmer = _native.ClauseTrimmer(matrix.items, matrix.primary, *arrays, [], [], [])
        with pytest.raises(ValueError, match=message):
            trimmer.add(array("i", literals))
            trimmer.write(range(matrix.items), range(len(matrix)))


@pytest.mark.slow
def test_what_has_no_solution_is_certified_by_whatever_proves_it_first() -> None:
    file = io.BytesIO()
    assert certify_count(file, linked_graphs(), SearchOptions(), hopeless=True) == 0
    assert verify(file.getvalue()).startswith("0 solutions")


def test_the_same_problem_has_the_same_proof() -> None:
    one, other = refute(pigeons(6)), refute(pigeons(6))
    assert one == other is not None
