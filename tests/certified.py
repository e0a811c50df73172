"""Certificates for tests and benchmarks: made, taken apart, changed and put together."""

import io
import json
import random
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

import pytest

from exactcover import Problem, SearchOptions
from exactcover.certificates.certify import ListingRecorder, certify_cheapest, certify_count, certify_list
from exactcover.certificates.check import NotCertifiedError, Proof, UnreadableError, check
from exactcover.certificates.count_proof import Refutation, Root
from exactcover.certificates.writer import CertificateWriter, describe_problem
from exactcover.control.options import ALL
from exactcover.control.policy import CountingPolicy
from exactcover.control.stop import Stop

Files = dict[str, Any]

CHECKERS: list[type[Proof]] = [Proof]
with suppress(ImportError):  # installed without a C++ compiler
    from exactcover.certificates.quick import QuickProof

    CHECKERS.append(QuickProof)


def verify(certificate: bytes, proof_type: type[Proof] = Proof) -> str:
    """Return what a certificate proves; raise an error if it does not."""
    return check(io.BytesIO(certificate), proof_type)


def assert_verdict(certificate: bytes, verdict: str, message: str | None = None) -> None:
    """Assert that each checker gives a verdict that begins so, or refuses the certificate with a message."""
    if message is not None:
        assert_no_proof(certificate, NotCertifiedError, message=message)
        return
    for checker in CHECKERS:
        assert verify(certificate, checker).startswith(verdict)


def assert_no_proof(certificate: bytes, *errors: type[Exception], message: str | None = None) -> None:
    """Assert that each checker fails with one of these errors; without any, that it refuses or cannot read it."""
    for checker in CHECKERS:
        with pytest.raises(errors or (NotCertifiedError, UnreadableError), match=message):
            verify(certificate, checker)


def find_verdict(files: Files) -> str:
    """Return what all checkers say of a certificate; nothing if it is refused or unreadable."""
    verdicts = []
    for checker in CHECKERS:
        try:
            verdicts.append(verify(write(files), checker))
        except Exception:
            verdicts.append("")
    assert len(set(verdicts)) == 1
    return verdicts[0]


EAGER = CountingPolicy(least_gain=1)
"""Uses symmetries wherever there are any."""
SLOW = CountingPolicy(
    least_gain=1, root_patience=0, root_seconds=0, part_patience=0, reduction_seconds=0, rival_share=0, late_seconds=1e6
)
"""Tries whatever there is before it counts anything directly."""
MERGING = replace(SLOW, chain_gain=1000)
"""The same, by splits that leave many isomorphic parts."""


def certify(
    problem: Problem, certify_it: Callable[..., object] = certify_count, policy: CountingPolicy = EAGER, **how: Any
) -> bytes:
    file = io.BytesIO()
    certify_it(file, problem, SearchOptions(**how), policy=policy)
    return file.getvalue()


def certify_listing(problem: Problem, engine: str = "auto") -> bytes:
    file = io.BytesIO()
    with closing(ListingRecorder()) as recorder:
        for positions in problem.search(ALL, SearchOptions(engine=engine), log=recorder).positions():
            recorder.claim.note(positions)
        certify_list(file, problem, recorder)
    return file.getvalue()


def refute(problem: Problem) -> bytes | None:
    """Return a proof by clauses that a problem has no solution; None if it has one, or its givens exclude each other."""
    root, file = Root.of(problem), io.BytesIO()
    if root is None:
        return None
    with CertificateWriter(file, describe_problem(problem)) as writer, closing(Refutation(root.matrix, Stop())) as made:
        while made.is_refuted is None:
            made.search_on()
        if made.is_refuted:
            made.write(writer, root.items, root.origins.options)
        writer.end({"claim": "count", "number": 0})
    return file.getvalue() if made.is_refuted else None


def forge(certificate: bytes, problem: Problem, numbers: random.Random) -> bytes:
    """Return a proof by clauses that is false: a problem without a solution is changed so that it has some."""
    options = {label: list(problem.options[label]) for label in problem.labels}
    bounds = {item: problem.multiplicity.get(item, (1, 1)) for item in problem.primary}
    while True:
        if not options or numbers.random() < 0.5:
            item = numbers.choice(problem.primary)
            low, high = bounds[item]
            bounds[item] = numbers.choice([(max(0, low - 1), high), (low, high + 1)])
        else:
            row = options[numbers.choice(problem.labels)]
            row.remove(numbers.choice(row))
        if not all(bounds.keys() & row for row in options.values()):  # each option needs a primary item
            options = {label: list(problem.options[label]) for label in problem.labels}
            continue
        changed = Problem(options, primary=problem.primary, secondary=problem.secondary, multiplicity=bounds)
        changed = changed.instance(problem.givens, problem.excluded)
        if next(iter(changed.solve(engine="sets", limit=1)), None) is not None:
            files = read(certificate)
            files["problem"] = describe_problem(changed)
            if numbers.random() < 0.5:
                change(files, numbers)
            files["claim"]["number"] = 0
            return write(files)


def certify_least(problem: Problem, wanted: int) -> bytes:
    file = io.BytesIO()
    solutions = list(problem.cheapest(wanted).positions())
    certify_cheapest(file, problem, solutions, wanted)
    return file.getvalue()


def read(certificate: bytes) -> Files:
    """Return the problem, the claim, the steps and the nodes of a certificate."""
    with zipfile.ZipFile(io.BytesIO(certificate)) as archive:
        claim, *steps = json.loads(archive.read("proof.json"))
        problem = json.loads(archive.read("problem.json"))
        return {"problem": problem, "claim": claim, "steps": steps, "nodes": bytearray(archive.read("nodes"))}


def write(files: Files) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("problem.json", json.dumps(files["problem"]))
        archive.writestr("proof.json", json.dumps([files["claim"], *files["steps"]]))
        archive.writestr("nodes", bytes(files["nodes"]))
    return file.getvalue()


def change(files: Files, numbers: random.Random) -> None:
    """Change a claim, a step or a node."""
    nodes, steps = files["nodes"], files["steps"]
    place, step = numbers.randrange(len(nodes) + 1), numbers.choice(steps or [{}])
    match numbers.randrange(10):
        case 0:
            files["claim"]["number"] = files["claim"].get("number", 0) + numbers.choice([-1, 1, 2])
        case 1 if "items" in step:
            numbers.shuffle(step["items"])
        case 2 if listed := step.get("items") or step.get("first"):
            listed[numbers.randrange(len(listed))] += numbers.choice([-1, 1, -100])
        case 3:
            nodes[place:place] = bytes([numbers.randrange(8)])
        case 4:
            del nodes[place : place + numbers.randint(1, 4)]
        case 5 if place < len(nodes):
            nodes[place] = numbers.randrange(10)
        case 6 if "maps" in step or "map" in step or files["claim"].get("maps"):
            maps = [step["map"]] if "map" in step else step.get("maps") or files["claim"].get("maps")
            for pairs in maps or []:
                numbers.shuffle(pairs)
                pairs[:] = [[one, other] for (one, _), (_, other) in zip(pairs, [*pairs[1:], *pairs[:1]], strict=True)]
        case 7 if "item" in step:
            step["item"] = numbers.randrange(-1, 6)
        case 8 if steps:
            number = numbers.randrange(len(steps))
            steps.insert(numbers.randrange(len(steps)), steps.pop(number))
        case 9:
            change_number([files["claim"], *steps], numbers)


def check_changed_costs(problem: Problem, certificate: bytes, numbers: random.Random) -> None:
    """Change a certificate of least costs: both checkers say the same, and what they certify are the least costs."""
    files = read(certificate)
    for _ in range(numbers.randint(1, 3)):
        change(files, numbers)
    if find_verdict(files):
        costs = sorted(problem.cost(solution) for solution in problem.solve(engine="sets"))
        stated = sorted(problem.cost_of(solution) for solution in files["claim"]["solutions"])
        assert stated == costs[: files["claim"]["wanted"]]


def change_number(part: Any, numbers: random.Random) -> None:
    """Change one number, somewhere inside."""
    keys = list(part) if isinstance(part, dict) else list(range(len(part)))
    keys = [key for key in keys if isinstance(part[key], int) or (isinstance(part[key], list | dict) and part[key])]
    if not keys:
        return
    key = numbers.choice(keys)
    if isinstance(part[key], int):
        part[key] += numbers.choice([-1, 1, 2])
    else:
        change_number(part[key], numbers)


def claim(problem: Problem, stated: dict[str, Any], *steps: dict[str, Any], nodes: tuple[int, ...] = ()) -> bytes:
    """Return a certificate with this claim."""
    return write({"problem": describe_problem(problem), "claim": stated, "steps": steps, "nodes": nodes})
