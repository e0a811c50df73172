"""The checker certifies what complete searches have found, and nothing that is not so."""

import ast
import io
import json
import random
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import invoke
from exactcover import Problem, SearchLogWriter
from exactcover.certificates import CHECKER
from exactcover.certificates.check import NotCertifiedError, State, check, read_frames
from exactcover.certificates.check import Problem as Rules
from exactcover.control.search_log import FRAME, MAGIC
from oracles import brute_force
from problems import Langford, Queens, Sudoku
from strategies import problems

UNREADABLE = (ValueError, KeyError, TypeError, IndexError, AttributeError, zlib.error)
RECORDERS = ("native", "sets")
ROWS = ("items", "primary", "starts", "entries", "colors", "multiplicity")


def record(problem: Problem, **how: Any) -> bytes:
    """Return the log of a complete search."""
    file = io.BytesIO()
    for _ in problem.solve(log=SearchLogWriter(file), **how):
        pass
    return file.getvalue()


def change(log: bytes, edit: Callable[[dict[str, Any], bytearray, dict[str, Any]], None]) -> bytes:
    """Return a log with another header, other nodes or another end, in whole frames."""
    frames = list(read_frames(log))
    header, end = json.loads(frames[0][1]), json.loads(frames[-1][1])
    nodes = bytearray(b"".join(content for _, content in frames[1:-1]))
    edit(header, nodes, end)
    changed = bytearray(MAGIC)
    for kind, content in ((b"H", json.dumps(header).encode()), (b"N", bytes(nodes)), (b"E", json.dumps(end).encode())):
        if content:
            data = zlib.compress(content)
            changed += FRAME.pack(kind, len(data), zlib.crc32(data)) + data
    return bytes(changed)


def add_bounds(rows: dict[str, Any], *bounds: int) -> None:
    rows["multiplicity"].append(bounds)


def repeat_item(rows: dict[str, Any]) -> None:
    rows["entries"][1] = rows["entries"][0]


@pytest.mark.parametrize("recorder", RECORDERS)
@given(problem=problems(), numbers=st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_what_a_search_has_found_is_certified(recorder: str, problem: Problem, numbers: random.Random) -> None:
    labels = list(problem.labels)
    chosen = numbers.sample(labels, min(len(labels), numbers.randrange(3)))
    excluded = numbers.sample(labels, min(len(labels), numbers.randrange(2)))
    log = record(
        problem,
        engine=recorder,
        given=chosen,
        without=excluded,
        seed=numbers.choice([None, 5]),
        heuristic=numbers.choice(["mrv", "leftmost", "weighted"]) if recorder == "native" else "mrv",
    )
    solutions = [set(solution) for solution in brute_force(problem)]
    expected = sum(set(chosen) <= one and one.isdisjoint(excluded) for one in solutions)
    assert check(log)[0] == expected


@given(problem=problems(), numbers=st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_changed_advice_certifies_nothing_wrong(problem: Problem, numbers: random.Random) -> None:
    def edit(header: dict[str, Any], nodes: bytearray, end: dict[str, Any]) -> None:
        for _ in range(numbers.randint(1, 3)):
            place = numbers.randrange(len(nodes) + 1)
            kind = numbers.randrange(7)
            if kind == 0:
                end["solutions"] += numbers.choice([-1, 1, 2])
            elif kind == 1:
                numbers.shuffle(header["origins"])
            elif kind == 2:
                numbers.shuffle(header["options"])
            elif kind == 3:
                nodes[place:place] = bytes([numbers.randrange(8)])
            elif kind == 4 and nodes:
                del nodes[place : place + numbers.randint(1, 4)]
            elif kind == 5 and place < len(nodes):
                nodes[place] = numbers.randrange(10)
            elif header["options"]:
                header["given"] = [numbers.choice(header["options"])]

    true = len(brute_force(problem))
    try:
        certified, _ = check(change(record(problem), edit))
    except (NotCertifiedError, *UNREADABLE):
        return
    assert certified == true


@given(problem=problems(), numbers=st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_any_tree_by_the_rules_proves_the_true_number(problem: Problem, numbers: random.Random) -> None:
    """In whatever order options and items are taken, also items that need no more options."""

    def edit(header: dict[str, Any], nodes: bytearray, end: dict[str, Any]) -> None:
        header["problem"] = header["problem"] or {name: header[name] for name in ROWS}
        header["options"] = numbers.sample(range(len(problem.labels)), len(problem.labels))
        header["origins"] = list(range(len(problem.items)))
        rules = Rules(header)
        end.update(status="complete", solutions=0)
        nodes.clear()

        def walk(state: State, level: int) -> None:
            items = [item for item in range(rules.primary) if item in rules.place or rules.count_missing(state, item)]
            if level > 8:
                items = [item for item in items if state.live & rules.holders[item] or rules.count_missing(state, item)]
            if not items or (state.live == 0 and not rules.lacks(state) and numbers.random() < 0.8):
                nodes.append(0)
                end["solutions"] += 1
                return
            item = numbers.choice(items)
            nodes.extend((item + 3, numbers.randrange(10)))
            for child in rules.children(state, item):
                walk(child, level + 1)

        walk(rules.root, 0)

    assert check(change(record(problem), edit))[0] == len(brute_force(problem))


def test_many_changes_of_one_log_certify_nothing_wrong() -> None:
    log, numbers = record(Queens(n=6).problem()), random.Random(1)
    refused = 0
    for _ in range(2000):

        def edit(header: dict[str, Any], nodes: bytearray, end: dict[str, Any]) -> None:
            nodes[numbers.randrange(len(nodes))] ^= 1 << numbers.randrange(8)
            end["solutions"] = numbers.choice([3, 4, 5])

        try:
            assert check(change(log, edit))[0] == 4
        except (NotCertifiedError, *UNREADABLE):
            refused += 1
    assert refused > 1000


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda header, nodes, end: end.update(solutions=5), "there are 4 solutions, but the log states 5"),
        (lambda header, nodes, end: end.update(status="timeout"), "the search was not complete"),
        (lambda header, nodes, end: end.update(truncated=True), "the search was not complete"),
        (lambda header, nodes, end: header.update(priced=True), "the search was not complete"),
        (lambda header, nodes, end: nodes.clear(), "the log has no tree"),
        (lambda header, nodes, end: nodes.pop(), "a part of the tree is missing"),
        (lambda header, nodes, end: header.update(given=[0]), "does not say why other options were chosen"),
        (lambda header, nodes, end: header["options"].append(0), "are not those of the problem"),
        (lambda header, nodes, end: repeat_item(header["problem"] or header), "holds an item twice"),
        (lambda header, nodes, end: add_bounds(header["problem"] or header, 20, 0, 1), "multiplicity is not valid"),
        (lambda header, nodes, end: add_bounds(header["problem"] or header, 0, 2, 1), "multiplicity is not valid"),
    ],
)
def test_what_is_wrong_is_said(edit: Callable[..., None], message: str) -> None:
    with pytest.raises(NotCertifiedError, match=message):
        check(change(record(Queens(n=6).problem()), edit))


def test_a_reason_alone_is_no_proof() -> None:
    with pytest.raises(NotCertifiedError, match="not checked here: by parity"):
        check(record(Problem({"A": [1], "B": [1]}, impossible="by parity")))
    assert check(record(Problem({"A": [1]}, primary=[1, 2])))[0] == 0
    clash = Queens(n=6).problem().instance(given=["r1c1", "r2c2"])
    assert check(record(clash))[0] == 0


def test_what_was_reduced_first_is_not_certified() -> None:
    problem = Problem({"A": [1], "B": [2, 3], "C": [2], "D": [3], "E": [1, 2, 3]}, primary=[1, 2, 3])
    assert check(record(problem))[0] == 3
    forced = Problem({"A": [1], "B": [2, 3], "C": [2], "D": [3]})
    with pytest.raises(NotCertifiedError):
        check(record(forced, reduce=True))


def test_the_hash_is_that_of_the_problem_and_the_question() -> None:
    problem = Queens(n=6).problem()
    hashes = {
        check(record(problem))[1],
        check(record(problem, engine="sets", seed=3))[1],
        check(record(problem, given=["r1c2"]))[1],
        check(record(problem, without=["r1c2"]))[1],
        check(record(Queens(n=5).problem()))[1],
    }
    assert len(hashes) == 4


def test_the_checker_is_short_and_imports_the_standard_library_alone() -> None:
    text = CHECKER.read_text("utf-8")
    assert len(text.splitlines()) <= 200
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {name.name for node in imports if isinstance(node, ast.Import) for name in node.names}
    names |= {str(node.module) for node in imports if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


def test_the_checker_works_alone(tmp_path: Path) -> None:
    copy = Path(shutil.copy(CHECKER, tmp_path / "alone.py"))
    log = tmp_path / "queens.log"

    def run(content: bytes) -> tuple[int, str]:
        log.write_bytes(content)
        command = [sys.executable, "-I", "-S", str(copy), str(log)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert not done.stderr
        return done.returncode, done.stdout

    good = record(Queens(n=8).problem())
    assert run(good)[0] == 0
    assert run(good)[1].startswith("certified: 92 solutions of the problem ")
    assert run(record(Langford(n=3).problem(), without=["1 at 1"] * 0))[0] == 0
    assert run(change(good, lambda header, nodes, end: end.update(solutions=91)))[0] == 1
    for damaged in (good[:-1], good[:40], b"", b"x" * 100, MAGIC, good[:100] + b"?" + good[101:]):
        assert run(damaged)[0] == 2


def test_the_verb(tmp_path: Path) -> None:
    log = tmp_path / "queens.log"
    assert invoke("count", "queens", "n=6", "--search-log", str(log)).returncode == 0
    result = invoke("certify", str(log))
    assert (result.returncode, result.stdout[:24]) == (0, "certified: 4 solutions o")
    assert invoke("solve", "queens", "n=6", "--search-log", str(log)).returncode == 0
    result = invoke("certify", str(log))
    assert (result.returncode, result.stdout) == (4, "")
    assert "not certified: the search was not complete" in result.stderr
    result = invoke("certify", str(tmp_path / "none"))
    assert result.returncode == 2
    assert "cannot be read" in result.stderr
    assert invoke("certify", str(log), "--timeout", "0").returncode == 3


def test_a_sudoku_with_givens_is_certified() -> None:
    grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    assert check(record(Sudoku(grid=grid).problem()))[0] == 1
