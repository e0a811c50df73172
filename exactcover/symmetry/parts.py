"""The parts of a count by orbits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from exactcover.control.patience import Patience
from exactcover.engines.base import EngineRun
from exactcover.model.matrix import Matrix
from exactcover.symmetry.remainders import Remainder, Symmetries

__all__ = ["Part"]


@dataclass
class Part:
    """A remainder that stands for all that are isomorphic to it.

    Attributes
    ----------
    remainder, symmetries
        The remainder, and its symmetries if they are known.
    weight
        How many solutions of the problem each of its solutions stands for.
    share
        Its share of the whole count, by Knuth's estimate.
    matrix
        What is searched to count it: the remainder, or a reduced form of it; None until then.
    run, patience, spent, explored, found
        The run that counts it directly, if it has begun; the stop of that run, the seconds that it has run, the share
        of the whole count that it has explored, and how many solutions of the problem it stands for so far.
    """

    remainder: Remainder
    weight: Fraction
    share: float
    symmetries: Symmetries | None = None
    matrix: Matrix | None = None
    run: EngineRun | None = None
    patience: Patience | None = None
    spent: float = 0.0
    explored: float = 0.0
    found: Fraction = Fraction(0)

    @property
    def memory(self) -> int:
        """How many bytes the run holds."""
        return 0 if self.run is None else int(self.run.details.get("memory", 0))
