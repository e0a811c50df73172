"""Small problems of the native module, made without the rest of the package."""

from array import array
from collections.abc import Sequence
from typing import Any

import exactcover._native as _native


def make(
    options: Sequence[Sequence[int]], primary: int, items: int | None = None, **more: Any
) -> _native.Problem:  # without colors
    entries = array("i", [item for option in options for item in option])
    starts = array("q", [0])
    for option in options:
        starts.append(starts[-1] + len(option))
    return _native.make_problem(items or primary, primary, starts, entries, array("i", [0] * len(entries)), **more)


def dominoes(length: int, **more: Any) -> _native.Problem:
    """Tilings of a strip two wide: as many as a Fibonacci number."""
    pairs = [[2 * k, 2 * k + 1] for k in range(length)]
    pairs += [[2 * k + side, 2 * k + 2 + side] for k in range(length - 1) for side in (0, 1)]
    return make(pairs, 2 * length, **more)
