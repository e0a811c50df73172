"""Options that would break a rule about a graph: they would close a loop early, or cut in two what is connected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from exactcover.reasons.position import Position, RuleLook, list_bits
from exactcover.rules import Element, Fault


@dataclass(frozen=True)
class BrokenRule:
    """Options each of which would break a rule in the same way, by number.

    Attributes
    ----------
    options
        The options; none if the rule is broken already.
    look
        The rule.
    fault
        What would break it.
    element
        The element that would do so alone, because all else that the fault names holds already; or None.
    """

    options: tuple[int, ...]
    look: RuleLook
    fault: Fault
    element: Element | None


def find_broken(position: Position, look: RuleLook, options: Iterable[int]) -> Iterator[BrokenRule]:
    """Yield what would break a rule; options with the same consequences come together.

    Parameters
    ----------
    position, look
        The position, and the rule.
    options
        The options each of which would break some rule.
    """
    alive, chosen, stop = position.alive, position.chosen, position.stop
    now = look.find_elements(chosen), look.find_elements(chosen | alive)
    groups: dict[tuple[tuple[Element, ...], ...], list[int]] = {}
    for option in options:
        after, left = position.after(option)
        effect = look.find_elements(after), look.find_elements(after | left)
        if effect != now:
            groups.setdefault(effect, []).append(option)
    found: dict[Fault, set[int]] = {}
    for (lit, possible), alike in groups.items():
        stop.poll()
        for fault in look.stated.rule.find_faults(lit, possible)[:1]:
            found.setdefault(fault, set()).update(alike)
    for fault, broken in found.items():
        new = [element for element in fault.because if element not in now[0]]
        is_alone = len(new) == 1 and not {*fault.missing} & {*now[1]}
        if is_alone:
            broken.update(list_bits(look.find_switches(new[0]) & alive))
        yield BrokenRule(tuple(sorted(broken)), look, fault, new[0] if is_alone else None)


def proves_broken(position: Position, broken: BrokenRule) -> bool:
    """Return whether what a fault names breaks the rule by itself, and holds once any of the options is chosen."""
    for option in broken.options:
        chosen, left = position.after(option)
        if not broken.look.stated.is_broken_by(broken.fault, list_bits(chosen), list_bits(chosen | left)):
            return False
    return True
