"""The checker follows its rules, and refuses what does not."""

import ast
import io
import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certified import (
    SLOW,
    Files,
    assert_no_proof,
    assert_verdict,
    certify,
    certify_least,
    claim,
    read,
    verify,
    write,
)
from classics import dominoes
from damage import pack, unpack
from exactcover import Colored, Problem, ProblemError, SearchOptions
from exactcover.certificates import CHECKER
from exactcover.certificates.certify import certify_classes, certify_count
from exactcover.certificates.check import Problem as Rules
from exactcover.certificates.check import State, UnreadableError
from exactcover.certificates.writer import CertificateWriter, Family, describe_problem
from exactcover.control.recorder import encode_numbers
from exactcover.model.matrix import native
from oracles import brute_force
from problems import Langford, Polyomino, Queens
from strategies import problems


@given(problem=problems(), numbers=st.randoms(use_true_random=False))
def test_any_tree_by_the_rules_proves_the_true_number(problem: Problem, numbers: random.Random) -> None:
    """In whatever order items are taken, also items that are covered or need not be."""
    stated = describe_problem(problem)
    rules = Rules(json.loads(json.dumps(stated)), [0] * len(problem.labels))
    nodes, number = bytearray(), 0

    def walk(state: State, level: int) -> None:
        nonlocal number
        items = [k for k in range(rules.items) if state.live & rules.holders[k] or rules.bounds(state, k)[0]]
        if not items:
            nodes.append(0)
            number += 1
            return
        item = numbers.choice(items)
        least, most = rules.bounds(state, item)[0], (state.live & rules.holders[item]).bit_count()
        children = most + (not least) + numbers.randrange(2)
        nodes.extend(encode_numbers((item + 3, children)))
        for child in rules.children(state, item, children):
            walk(child, level + 1)

    assert rules.root is not None
    walk(rules.root, 0)
    assert number == len(brute_force(problem))
    steps = [{"by": "search", "items": list(range(rules.items))}]
    files = {"problem": stated, "claim": {"claim": "count", "number": number}, "steps": steps, "nodes": nodes}
    assert_verdict(write(files), str(number))


@pytest.mark.skipif(native is None, reason="sweeps need the native module")
def test_numbers_of_several_words_are_proved() -> None:
    number = 484398978524471931341  # OEIS A028468; a transfer matrix gives the same
    certificate = certify(Polyomino("6x30", "dominoes", copies="any").problem(), strategy="sweep")
    assert_verdict(certificate, f"{number} solution")


def test_a_board_without_two_corners_is_proved_by_one_step() -> None:
    certificate = certify(dominoes(20, (0, 0), (19, 19)))
    (step,) = read(certificate)["steps"]
    assert (step["by"], step["modulus"], {weight for _, weight in step["weights"]}) == ("weights", 0, {1, -1})
    assert verify(certificate).startswith("0 solutions")


def test_after_a_component_without_solutions_no_other_is_counted() -> None:
    rows = {f"triangle {k}": [k, (k + 1) % 3] for k in range(3)}
    rows |= {f"square {k}": [k + 3, (k + 1) % 4 + 3] for k in range(4)}
    certificate = certify(Problem(rows), policy=SLOW, symmetry=False)
    assert [step["by"] for step in read(certificate)["steps"]] == ["parts", "weights"]
    assert_verdict(certificate, "0 solutions")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda stated: stated["options"][0].append(stated["options"][0][0]), "option 0 is not valid"),
        (lambda stated: stated["options"][0].clear(), "option 0 is not valid"),
        *(
            (lambda stated, entry=entry: stated["options"][0].append(entry), "option 0 is not valid")
            for entry in ([-1, 0], [0, 7], [0, None], [True, 0])
        ),
        (lambda stated: stated.update(primary=10**9), "the number of primary items is not valid"),
        (lambda stated: stated.update(primary=-1), "the number of primary items is not valid"),
        (lambda stated: stated.update(costs=["a"] * 36), "costs are not valid"),
        (lambda stated: stated.update(given=[-1]), "there is no such option"),
        (lambda stated: stated.update(without=[99]), "there is no such option"),
        (lambda stated: stated.update(multiplicity=[[0, 2, 1]]), "a multiplicity is not valid"),
        (lambda stated: stated.update(multiplicity=[[20, 0, 1]]), "a multiplicity is not valid"),
        (lambda stated: stated.update(multiplicity=[[0, 0, 1], [0, 1, 1]]), "a multiplicity is not valid"),
        (lambda stated: stated.update(labels=[]), "labels or costs are missing"),
        (lambda stated: stated.update(format="exactcover certificate 1"), "the format is not"),
    ],
)
def test_problems_that_are_not_valid(edit: Callable[[Files], object], message: str) -> None:
    files = read(certify(Queens(n=6).problem()))
    edit(files["problem"])
    assert_verdict(write(files), "", message)


PRICED = Problem({"A": [1], "B": [2], "C": [1, 2]}, costs={"A": 5, "B": 7, "C": 20})
TREES = ({"by": "search", "items": [0, 1]},)
NODES = (3, 2, 4, 1, 0, 0)
CHEAPEST: dict[str, Any] = {"claim": "cheapest", "wanted": 1, "solutions": [[2]]}
STATED: dict[str, Any] = {"number": 0, "wanted": 1, "solutions": [[2]]}


@pytest.mark.parametrize(
    ("stated", "steps", "nodes", "message"),
    [
        (CHEAPEST | {"solutions": [[]]}, TREES, (1,), "is not a solution"),
        (CHEAPEST | {"solutions": [[0]]}, TREES, (1,), "is not a solution"),
        (CHEAPEST | {"solutions": [[-1]]}, TREES, (1,), "there is no such option"),
        (CHEAPEST | {"wanted": 2, "solutions": [[2], [2]]}, TREES, (1,), "a solution is stated twice"),
        (CHEAPEST | {"solutions": [[2, 2]]}, TREES, (1,), "or names an option twice"),
        (CHEAPEST, TREES, (1,), "a node may have solutions"),
        (CHEAPEST, TREES, NODES, "that are cheaper"),
        (CHEAPEST | {"wanted": 0}, TREES, (1,), "more solutions are stated than wanted"),
        (CHEAPEST, ({"by": "prices", "prices": [[0, -1000]], "scale": -1}, *TREES), (1,), "a scale is not valid"),
        (
            CHEAPEST,
            ({"by": "prices", "prices": [[0, 6]], "scale": 1}, *TREES),
            (1,),
            "option 0 costs less than its items",
        ),
        (STATED | {"claim": "count"}, TREES, (1,), "a node may have solutions"),
        (STATED | {"claim": "classes", "maps": []}, TREES, (1,), "may have"),
        (STATED | {"claim": "list", "digest": ""}, TREES, (1,), "may have"),
        ({"claim": "nonsense", "number": 2}, TREES, NODES, "there is no claim called nonsense"),
        ({"claim": "count", "number": "\x1b\ncertified"}, TREES, NODES, r", not '\\x1b\\ncertified'"),
        ({"claim": "count", "number": "2"}, TREES, NODES, "must be a whole number, not '2'"),
        ({"claim": "count", "number": 2.0}, TREES, NODES, "2.0 is not a whole number"),
        ({"claim": "list", "number": 2, "digest": "0"}, TREES, NODES, "the digest is that of other solutions"),
        ({"claim": "count", "number": 2}, TREES, (*NODES, 128), "a number in a tree is cut off"),
    ],
)
def test_claims_that_are_false(
    stated: dict[str, Any], steps: tuple[dict[str, Any], ...], nodes: tuple[int, ...], message: str
) -> None:
    assert_no_proof(claim(PRICED, stated, *steps, nodes=nodes), message=message)


def test_classes_are_those_of_the_question() -> None:
    problem = Problem({"A": [1], "B": [1], "C": [2], "D": [2]}).instance(given=["A"])
    maps = [[[0, 1], [1, 0], [2, 3], [3, 2]]]
    steps = [{"by": "sweep", "items": [1]}] * 2
    certificate = claim(problem, {"claim": "classes", "number": 1, "maps": maps}, *steps)
    assert_verdict(certificate, "", "a map moves a given")


def test_an_item_without_an_option_that_is_cheap_enough_is_not_covered() -> None:
    """After A, which costs 5, item 2 needs an option, and B is too expensive."""
    stated = {"claim": "cheapest", "wanted": 1, "solutions": [[0, 1]]}
    for nodes in ((3, 1, 0), (0,)):
        assert_verdict(claim(PRICED, stated, *TREES, nodes=nodes), "", "a node is not a solution")
    assert_verdict(claim(PRICED, stated, *TREES, nodes=(3, 1, 4, 0)), "the cheapest solution, which costs 12, of")


def test_costs_have_a_unit() -> None:
    certificates = [
        certify_least(Problem({"A": [1], "B": [2], "C": [1, 2]}, costs=dict(zip("ABC", costs, strict=True))), 2)
        for costs in ([Decimal("0.1"), Decimal("0.2"), Decimal("0.45")], [10, 20, 45], [1, 2, 4])
    ]
    found = [verify(certificate) for certificate in certificates]
    assert [one.partition(" of the ")[0] for one in found] == [
        f"the 2 cheapest solutions, which cost {costs}," for costs in ("0.3 and 0.45", "30 and 45", "3 and 4")
    ]
    assert len({one.split()[-1] for one in found}) == 3


def test_many_costs_are_a_range_and_none_are_no_solution() -> None:
    many = Problem({cost: [1] for cost in range(1, 9)}, costs={cost: cost for cost in range(1, 9)})
    assert verify(certify_least(many, 5)).startswith("the 5 cheapest solutions, which cost 1, 2, 3, 4 and 5, of the ")
    assert verify(certify_least(many, 9)).startswith("the 8 cheapest solutions, which cost 1 to 8, of the problem ")
    none = Problem({"A": [1, 2], "B": [2, 3]}, costs={"A": 1})
    assert verify(certify_least(none, 2)).startswith("0 solutions of the problem with 3 items and 2 options")


def test_numbers_of_classes_name_the_number_of_symmetries() -> None:
    problem = Queens(n=6).problem()
    files = read(certify(problem, certify_classes, distinct=True))
    assert verify(write(files)).startswith("1 class of solutions under 8 symmetries of the problem ")
    count = read(certify(problem, symmetry=False))
    files["claim"] = {"claim": "classes", "number": 4, "maps": []}
    files |= {"steps": count["steps"], "nodes": count["nodes"]}
    assert_verdict(write(files), "4 classes of solutions under 1 symmetry of the problem ")


def test_verdicts_name_the_family_givens_and_exclusions() -> None:
    problem = Queens(n=6).problem().instance(["r1c2"], [f"r{row}c6" for row in range(1, 7)])
    file = io.BytesIO()
    certify_count(file, problem, SearchOptions(), family=Family("queens", {"n": 6, "note": "\x1b\ncertified: 1"}))
    found = verify(file.getvalue())
    assert "with 34 items and 36 options; declared as queens, n=6, note='\\x1b\\ncertified: 1'; given r1c2; " in found
    assert "; without r6c6, r5c6, r3c6, r2c6, r4c6, 1 more; SHA-256 " in found
    assert found.isprintable()


def test_bounds_that_no_item_reaches_are_alike() -> None:
    bounds = {"a": (0, 2), "b": (2, 4), "c": (2, 3)}
    problem = Problem({0: ["a", "b"], 1: ["c", "a"]}, primary=["a", "b", "c"], multiplicity=bounds)
    found = verify(certify(problem, certify_classes, distinct=True))
    assert found.startswith("0 classes of solutions")


def test_names_have_one_value() -> None:
    files = unpack(certify(Queens(n=5).problem()))
    files["problem.json"] = files["problem.json"].replace(b'{"format"', b'{"primary":1,"format"')
    assert_verdict(pack(files), "", "a name has two values")


def test_prices_of_items_with_multiplicities() -> None:
    options: dict[int, list[Any]] = {0: [0, 1, 2], 1: [0, 1, 2], 3: [1, Colored(3, "1"), Colored(4, "2")]}
    problem = Problem(
        options,
        primary=[0, 1, 2],
        secondary=[3, 4],
        multiplicity={0: (0, 2), 1: (2, 3), 2: (1, 2)},
        costs={0: 2, 1: 0, 3: 4},
    )
    assert verify(certify_least(problem, 1)).startswith("the cheapest solution, which costs 2,")


def test_a_reason_that_is_not_checked_is_no_proof() -> None:
    with pytest.raises(ProblemError, match="the reason cannot be certified: by parity"):
        certify(Problem({"A": [1], "B": [1]}, impossible="by parity"))


def test_the_hash_is_that_of_the_problem_and_the_question() -> None:
    problem = Queens(n=6).problem()
    orders = ["r1c2", "r2c4"], ["r2c4", "r1c2"]
    questions = [problem, problem, *map(problem.instance, orders), Queens(n=5).problem()]
    hashes = [verify(certify(question)).split()[-1] for question in questions]
    assert len(set(hashes)) == 3


@pytest.mark.parametrize(
    "problem",
    [Polyomino("4x10", "dominoes", copies="any").problem(), Queens(n=9).problem(), Langford(n=8).problem()],
    ids=["dominoes", "queens", "Langford"],
)
def test_certificates_do_not_depend_on_the_clock(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine may be fast, or make a break of an hour at any time."""
    certificate = certify(problem)
    numbers, now = random.Random(1), 0.0

    def pass_by() -> float:
        nonlocal now
        now += numbers.choice([0.0, 1e-6, 1e-3, 3600.0])
        return now

    for name in ("perf_counter", "monotonic"):
        monkeypatch.setattr(time, name, pass_by)
    assert certify(problem) == certificate


def test_the_proof_does_not_depend_on_the_memory_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = dominoes(10)
    certificate = certify(problem)
    assert certify(problem, memory=1) != certificate
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(total=2, available=2))
    assert certify(problem) == certificate


@pytest.mark.parametrize("limit", [str(sys.maxsize), str(1 << 64), "9" * 110_000])
def test_the_checker_takes_any_number_of_bytes(limit: str, tmp_path: Path) -> None:
    path = tmp_path / "queens.cert"
    path.write_bytes(certify(Queens(n=4).problem()))
    command = [sys.executable, "-I", "-S", str(CHECKER), str(path), limit]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("certified: 2 solutions of ")


def test_the_checker_imports_the_standard_library_alone() -> None:
    text = CHECKER.read_text("utf-8")
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {name.name for node in imports if isinstance(node, ast.Import) for name in node.names}
    names |= {str(node.module) for node in imports if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


def test_the_checker_works_alone(tmp_path: Path) -> None:
    copy = Path(shutil.copy(CHECKER, tmp_path / "alone.py"))
    path = tmp_path / "queens.cert"

    def run(content: bytes) -> tuple[int, str]:
        path.write_bytes(content)
        command = [sys.executable, "-I", "-S", str(copy), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PYTHONIOENCODING": "ascii"})
        assert not done.stderr
        return done.returncode, done.stdout

    good = certify(Queens(n=8).problem())
    status, said = run(good)
    assert status == 0 and said.startswith("certified: 92 solutions of the problem ")
    wrong = read(good)
    wrong["claim"]["number"] = 91
    assert run(write(wrong))[0] == 1
    wrong["steps"][0]["by"] = "ümlaut\x1b[31m"
    assert run(write(wrong))[0] == 1
    wrong["problem"]["primary"] = 1.5
    assert run(write(wrong))[0] == 2
    deep = pack(dict.fromkeys(("problem.json", "proof.json", "nodes"), b"[" * 100_000))
    for damaged in (good[:-1], b"", good[:100] + b"?" + good[101:], deep):
        assert run(damaged)[0] == 2


def test_a_certificate_that_was_begun_is_not_complete() -> None:
    file = io.BytesIO()
    with pytest.raises(KeyError), CertificateWriter(file, {"options": []}) as writer:
        writer.add_step("search", items=[])
        raise KeyError
    with pytest.raises(UnreadableError, match=r"proof\.json is missing"):
        verify(file.getvalue())
