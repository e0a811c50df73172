"""Verification of solutions: whether options are a solution, and if not, why. It shares no code with the engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from exactcover.algorithm_x import Colored, Item, Label, Weighted, item_of
from exactcover.errors import ProblemError
from exactcover.model.model import Model
from exactcover.model.names import check_list
from exactcover.rules import Fault, Rule, to_switches


@dataclass(frozen=True)
class Verdict:
    """The result of :func:`verify`. It is true if the labels are a solution; ``str`` describes the faults.

    Attributes
    ----------
    uncovered
        Primary items that no chosen option covers, or too few.
    overcovered
        Items that too many chosen options cover, with those options; secondary items to which the chosen options do
        not all give the same color, with those options.
    unknown, repeated
        Labels that are not options of the problem, and labels that occur more than once.
    absent, excluded
        Givens of the problem that were not chosen, and chosen options that the problem excludes.
    broken
        How the rules of the problem are broken, in words.
    wanted
        For each item at fault that has a multiplicity: a text that says how often it is and should be covered.
    """

    uncovered: tuple[Item, ...] = ()
    overcovered: Mapping[Item, tuple[Label, ...]] = field(default_factory=dict)
    unknown: tuple[Label, ...] = ()
    repeated: tuple[Label, ...] = ()
    wanted: Mapping[Item, str] = field(default_factory=dict)
    absent: tuple[Label, ...] = ()
    excluded: tuple[Label, ...] = ()
    broken: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        faults = (self.uncovered, self.overcovered, self.unknown, self.repeated, self.absent, self.excluded)
        return not any(faults) and not self.broken

    def __str__(self) -> str:
        faults = [
            *(f"{str(label)!r} is not an option of this problem" for label in self.unknown),
            *(f"option {str(label)!r} is chosen more than once" for label in self.repeated),
            *(f"item {str(item)!r} is {self.wanted.get(item, 'not covered')}" for item in self.uncovered),
            *(
                f"item {str(item)!r} is {self.wanted.get(item, 'taken')} by "
                + " and ".join(repr(str(label)) for label in labels)
                for item, labels in self.overcovered.items()
            ),
            *([f"the givens {', '.join(map(str, self.absent))} are not chosen"] if self.absent else []),
            *(f"option {str(label)!r} is excluded" for label in self.excluded),
            *self.broken,
        ]
        return "; ".join(faults) or "a solution"


def verify(problem: Model, labels: Iterable[Label]) -> Verdict:
    """Check whether the options with these labels, in any order, are a solution of a problem; if not, say why.

    It takes time linear in the size of the chosen options and the number of items.

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
    check_list("labels", labels, "labels")
    try:
        times = Counter(labels)
    except TypeError as error:
        raise ProblemError(f"labels: expected labels of options; got one that is not hashable: {error}") from None
    unknown = tuple(label for label in times if label not in problem.options)
    takers: dict[Item, list[tuple[Label, Hashable]]] = {}
    taken = Counter[Item]()
    for label in times:
        if label in problem.options:
            for entry in problem.options[label]:
                item = item_of(entry)
                color = entry.color if isinstance(entry, Colored) else None
                taken[item] += entry.times if isinstance(entry, Weighted) else 1
                takers.setdefault(item, []).append((label, color))
    multiplicity = problem.multiplicity
    bounds = {item: multiplicity.get(item, (1, 1)) for item in problem.primary}
    uncovered = tuple(item for item, (low, _) in bounds.items() if taken[item] < low)
    exceeded = [item for item, (_, high) in bounds.items() if taken[item] > high]
    clashing = [item for item in problem.secondary if _clash([color for _, color in takers.get(item, ())])]
    full = {*exceeded, *clashing}
    return Verdict(
        uncovered=uncovered,
        overcovered={item: tuple(label for label, _ in takers[item]) for item in takers if item in full},
        unknown=unknown,
        repeated=tuple(label for label, count in times.items() if count > 1),
        wanted={
            item: _describe_coverage(taken[item], *bounds[item])
            for item in (*uncovered, *exceeded)
            if item in multiplicity
        },
        absent=tuple(label for label in problem.givens if label not in times),
        excluded=tuple(label for label in problem.excluded if label in times),
        broken=tuple(fault.text for rule in problem.rules for fault in _find_faults(problem, rule, times)),
    )


def _find_faults(problem: Model, rule: Rule, labels: Iterable[Label]) -> list[Fault]:
    """Return what breaks a rule if these options are chosen."""
    chosen = [label for label in labels if label in problem.options]
    given = {entry for label in chosen for entry in problem.options[label] if isinstance(entry, Colored)} | {*chosen}
    return rule.find_faults(e for e, switch in rule.switches.items() if not given.isdisjoint(to_switches(switch)))


def _clash(colors: list[Hashable]) -> bool:
    """Return whether options that give a secondary item these colors exclude each other."""
    return len(colors) > 1 and (None in colors or len(set(colors)) > 1)


def _describe_coverage(taken: int, low: int, high: int) -> str:
    """Return in words how often an item is covered, and how often it should be."""
    times = f"{low}" if low == high else f"{low} to {high}"
    return f"covered {taken} time{'' if taken == 1 else 's'} instead of {times}"
