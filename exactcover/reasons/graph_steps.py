"""Options that would break a rule about a graph: they would close a loop early, or cut in two what is connected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from exactcover.reasons.position import Position, list_bits
from exactcover.rules import Element, Fault, MatrixRule


@dataclass(frozen=True)
class BrokenRule:
    """Options each of which would break a rule in the same way, by number.

    Attributes
    ----------
    options
        The options; none if the rule is broken already.
    stated
        The rule.
    fault
        What would break it.
    """

    options: tuple[int, ...]
    stated: MatrixRule
    fault: Fault


class RuleLook:
    """A rule in a position: which of its elements are on, and which may be, now and after another choice."""

    def __init__(self, position: Position, stated: MatrixRule) -> None:
        self._position, self._stated = position, stated
        switches = zip(stated.rule.switches, stated.switches, strict=True)
        self._masks = [(element, sum(1 << option for option in options)) for element, options in switches]
        self._lit = [element for k, element in enumerate(stated.rule.switches) if k in stated.lit]

    def find_elements(self, options: int) -> tuple[Element, ...]:
        """Return the elements that are on if these options are chosen."""
        return (*self._lit, *(element for element, mask in self._masks if mask & options))

    def find_faults(self, chosen: int, possible: int) -> list[Fault]:
        """Return what breaks the rule if these options are chosen, and these may be."""
        return self._stated.rule.find_faults(self.find_elements(chosen), self.find_elements(chosen | possible))

    def find_broken(self) -> Iterator[BrokenRule]:
        """Yield what would break the rule; options with the same consequences come together."""
        position = self._position
        alive, chosen, stop = position.alive, position.chosen, position.stop
        now = self.find_elements(chosen), self.find_elements(chosen | alive)
        groups: dict[tuple[tuple[Element, ...], ...], list[int]] = {}
        for option in list_bits(alive):
            stop.poll()
            after, left = chosen | 1 << option, alive & ~position.sets.rivals(option)
            effect = self.find_elements(after), self.find_elements(after | left)
            if effect != now:
                groups.setdefault(effect, []).append(option)
        for (lit, possible), options in groups.items():
            stop.poll()
            for fault in self._stated.rule.find_faults(lit, possible)[:1]:
                yield BrokenRule(tuple(options), self._stated, fault)


def proves_broken(position: Position, broken: BrokenRule) -> bool:
    """Return whether what a fault names breaks the rule by itself, and holds once any of the options is chosen."""
    fault, rule, look = broken.fault, broken.stated.rule, RuleLook(position, broken.stated)
    others = (element for element in rule.switches if element not in fault.missing)
    if not rule.find_faults(fault.because, others):
        return False
    for option in broken.options:
        chosen = position.chosen | 1 << option
        possible = chosen | position.alive & ~position.sets.rivals(option)
        if not {*fault.because} <= {*look.find_elements(chosen)} or {*fault.missing} & {*look.find_elements(possible)}:
            return False
    return True
