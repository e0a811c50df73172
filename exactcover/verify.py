"""Is this a solution, and if not, what is wrong with it. Shares no code with the engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exactcover.algorithm_x import Colored, Item, Label

if TYPE_CHECKING:  # the front door is above this room; only its face is known here
    from exactcover.problem import Problem

__all__ = ["Verdict", "verify"]


@dataclass(frozen=True)
class Verdict:
    """What :func:`verify` found; true where the labels are a solution, and readable as text.

    Attributes
    ----------
    uncovered
        Primary items that no chosen option covers.
    overcovered
        Items that several chosen options take, with those options; for a secondary item: options
        that do not agree on its color.
    unknown, repeated
        Labels that are no option of the problem, or given more than once.
    """

    uncovered: tuple[Item, ...] = ()
    overcovered: Mapping[Item, tuple[Label, ...]] = field(default_factory=dict)
    unknown: tuple[Label, ...] = ()
    repeated: tuple[Label, ...] = ()

    def __bool__(self) -> bool:
        return not (self.uncovered or self.overcovered or self.unknown or self.repeated)

    def __str__(self) -> str:
        faults = [
            *(f"{str(label)!r} is no option of this problem" for label in self.unknown),
            *(f"option {str(label)!r} is chosen more than once" for label in self.repeated),
            *(f"item {str(item)!r} is not covered" for item in self.uncovered),
            *(
                f"item {str(item)!r} is taken by {' and '.join(repr(str(label)) for label in labels)}"
                for item, labels in self.overcovered.items()
            ),
        ]
        return "; ".join(faults) or "a solution"


def verify(problem: Problem, labels: Iterable[Label]) -> Verdict:
    """Check whether the options with these labels are a solution of `problem`.

    Parameters
    ----------
    problem : Problem
    labels
        The labels of the chosen options, in any order.

    Returns
    -------
    Verdict
        True where they are a solution; else it says what is uncovered or covered twice.

    Notes
    -----
    Linear in the size of the chosen options and the number of items.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1, 2], "B": [2, 3], "C": [3]})
    >>> bool(verify(problem, ["A", "C"]))
    True
    >>> print(verify(problem, ["A", "B"]))
    item '2' is taken by 'A' and 'B'
    >>> print(verify(problem, ["C"]))
    item '1' is not covered; item '2' is not covered
    """
    times = Counter(labels)
    unknown = tuple(label for label in times if label not in problem.options)
    takers: dict[Item, list[tuple[Label, Hashable]]] = {}
    for label in times:
        if label in problem.options:
            for entry in problem.options[label]:
                item, color = (entry.item, entry.color) if isinstance(entry, Colored) else (entry, None)
                takers.setdefault(item, []).append((label, color))
    overcovered = {
        item: tuple(label for label, _ in taken)
        for item, taken in takers.items()
        if len(taken) > 1 and (any(color is None for _, color in taken) or len({color for _, color in taken}) > 1)
    }
    return Verdict(
        uncovered=tuple(item for item in problem.primary if item not in takers),
        overcovered=overcovered,
        unknown=unknown,
        repeated=tuple(label for label, count in times.items() if count > 1),
    )
