"""The names of techniques for pages: what a family calls the simplest steps, item by item."""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import Any

from exactcover.algorithm_x import Label
from exactcover.encoders.encoder import Encoder, defines
from exactcover.problem import Problem
from exactcover.reasons.deductions import Deduction, StepKind

_DIGITS = string.digits + string.ascii_lowercase
_UNNAMED = "", 0.0


def describe_techniques(problem: Problem, encoder: Encoder) -> dict[str, Any] | None:
    """Return the names and difficulties of techniques, and which of them each item has; None if the family has none.

    ``last`` is about an item with one option left, and ``block`` about options that would leave an item with none.
    Each has a digit for each item: the place of its technique among the names.
    """
    if not defines(encoder, "name_technique"):
        return None
    found = {kind: list(_name(problem, encoder, kind)) for kind in (StepKind.LAST, StepKind.BLOCK)}
    names = list(dict.fromkeys([_UNNAMED, *(name for own in found.values() for name in own)]))
    if not 1 < len(names) <= len(_DIGITS):
        return None
    place = {name: _DIGITS[k] for k, name in enumerate(names)}
    return {"names": names, **{kind.value: "".join(place[name] for name in own) for kind, own in found.items()}}


def _name(problem: Problem, encoder: Encoder, kind: StepKind) -> Iterator[tuple[str, float]]:
    """Yield the technique of a step of this kind about each item."""
    holders: dict[int, list[Label]] = {}
    for option, row in enumerate(problem.matrix.list_options()):
        for item, _ in row:
            holders.setdefault(item, []).append(problem.labels[option])
    for item, name in enumerate(problem.items):
        own = tuple(holders.get(item, ()))
        chosen, excluded = (own[:1], ()) if kind is StepKind.LAST else ((), own[:1])
        step = Deduction(kind, chosen, excluded, (name,), holders=(chosen or own,))
        yield (encoder.name_technique(step) if own else None) or _UNNAMED
