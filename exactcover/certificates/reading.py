"""Reads what a certificate states, without checking its proof."""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from exactcover.certificates.check import UNRECORDED, load, open_member, read_json, read_numbers

__all__ = ["Statement", "estimate_nodes", "read_statement"]

_SAMPLE = 1 << 19  # bytes of trees from which the number of nodes is estimated
_MOST_READ = 1 << 20  # bytes of the problem and of the steps
_MOST_STATES = 1 << 60  # of a step
_ITEMS_PER_NODE = {"sweep": 36, "memo": 12}  # a state with so many items takes about as long to check as a node


@dataclass(frozen=True)
class Statement:
    """What a certificate states.

    Attributes
    ----------
    problem
        The problem and the question, as :func:`~exactcover.certificates.writer.describe_problem` writes them.
    claim
        The claim.
    digest
        The SHA-256 of the problem and the question.
    """

    problem: dict[str, Any]
    claim: dict[str, Any]
    digest: str


def read_statement(file: Path) -> Statement:
    """Return what a certificate states; the checker must have certified the file."""
    with zipfile.ZipFile(file) as archive:
        text, (claim, *_) = read_json(archive, "problem.json"), load(read_json(archive, "proof.json"))
    return Statement(load(text), claim, hashlib.sha256(text).hexdigest())


def estimate_nodes(file: Path) -> int:
    """Return about how many nodes a check visits, and states as far as they take as long; 0 if the file is unreadable.

    Nodes that are not recorded count, too. Only the beginning of the nodes is read, and a short proof.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            nodes, member = open_member(archive, "nodes")
            sample, states = nodes.read(_SAMPLE), _weigh_states(archive)
        return states + _count_nodes(sample) * member.file_size // max(1, len(sample))
    except Exception:  # the checker says what is wrong
        return 0


def _weigh_states(archive: zipfile.ZipFile) -> int:
    """Return how many nodes take about as long to check as the states of sweeps and memos; 0 for long proofs."""
    names = "problem.json", "proof.json"
    if any(archive.getinfo(name).file_size > _MOST_READ for name in names):
        return 0
    problem, (_, *steps) = (load(read_json(archive, name)) for name in names)
    stated = [(step.get("states", 0), _ITEMS_PER_NODE[step["by"]]) for step in steps if step["by"] in _ITEMS_PER_NODE]
    nodes = sum(Fraction(max(0, min(states, _MOST_STATES)), items) for states, items in stated)
    return int(nodes * len(problem["items"]))


def _count_nodes(sample: bytes) -> int:
    while sample and sample[-1] > 127:  # a number that is cut off
        sample = sample[:-1]
    numbers, count = read_numbers(sample), 0
    for node in numbers:
        if node == UNRECORDED:
            count += next(numbers, 0)
        count += 1
        if node >= UNRECORDED:
            next(numbers, None)
    return count
