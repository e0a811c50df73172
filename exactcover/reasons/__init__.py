"""Reasons: what follows from a position without a guess, the simplest first, proved and in words.

Public: the names in ``__all__``. :meth:`Problem.next_step` and :meth:`Problem.solve_by_steps` return them.
"""

from exactcover.reasons.deductions import Deduction, SolvingPath, StepKind

__all__ = ["Deduction", "SolvingPath", "StepKind"]
