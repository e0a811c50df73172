"""Looks at a rule about a graph: which of its elements are on, and which may be, if options are sets."""

from __future__ import annotations

from exactcover.rules import Element, Fault, MatrixRule


class RuleLook:
    """A rule whose elements are turned on by options, which are the bits of whole numbers.

    Attributes
    ----------
    stated
        The rule.
    """

    def __init__(self, stated: MatrixRule) -> None:
        self.stated = stated
        switches = zip(stated.rule.switches, stated.switches, strict=True)
        self._masks = {element: sum(1 << option for option in options) for element, options in switches}
        self._lit = [element for k, element in enumerate(stated.rule.switches) if k in stated.lit]

    def find_elements(self, options: int) -> tuple[Element, ...]:
        """Return the elements that are on if these options are chosen."""
        return (*self._lit, *(element for element, mask in self._masks.items() if mask & options))

    def find_switches(self, element: Element) -> int:
        """Return the options that turn on an element."""
        return self._masks[element]

    def find_faults(self, chosen: int, possible: int) -> list[Fault]:
        """Return what breaks the rule if these options are chosen, and these may be."""
        return self.stated.rule.find_faults(self.find_elements(chosen), self.find_elements(chosen | possible))
