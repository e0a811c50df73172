"""Answers to instances that are written as text."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import Enum
from typing import NamedTuple

from exactcover.control.stop import Stop
from exactcover.encoders.encoder import Encoder
from exactcover.engines.base import TextRun
from exactcover.errors import ParameterError
from exactcover.problem import Problem
from exactcover.search.solver import Solver
from exactcover.search.text_solver import make_text_solver

__all__ = ["Answer", "InstanceSolver", "Outcome"]

_SECONDS = 0.1  # after which the answers found so far are returned


class Outcome(Enum):
    """The result of an instance."""

    ONE = "one"
    SEVERAL = "several"
    NONE = "none"
    MALFORMED = "malformed"


class Answer(NamedTuple):
    """A solution as text, or what is wrong; and the outcome."""

    text: str
    outcome: Outcome


class InstanceSolver:
    """Answers instances. Those with the same frame share a problem and its solvers; used by one thread.

    Parameters
    ----------
    template
        The encoder whose instances they are.
    engine
        The name of an engine, or ``"auto"``.
    stop
        Polled often.
    """

    def __init__(self, template: Encoder, engine: str, stop: Stop) -> None:
        self._template, self._engine, self._stop = template, engine, stop
        self._solvers: dict[Hashable, tuple[Problem, Solver]] = {}
        self._text_solvers: list[TextRun] = []  # the one that answered last comes first

    def answer(self, texts: Sequence[str]) -> list[Answer]:
        """Return the answers to the first of some instances, as many as are found soon, but at least one.

        Raises
        ------
        StoppedError, Stopped
            If the stop asks for it.
        """
        if not self._text_solvers:
            return [self._answer_alone(texts[0])]
        found = self._text_solvers[0].answer(list(texts), _SECONDS, self._stop)
        return [
            self._answer_otherwise(text) if answer is None else _make_answer(*answer)
            for text, answer in zip(texts, found, strict=False)
        ]

    def _answer_otherwise(self, text: str) -> Answer:
        """Answer an instance that the first of the solvers of text has not answered."""
        for solver in self._text_solvers[1:]:
            answer = solver.answer([text], _SECONDS, self._stop)[0]
            if answer is not None:
                self._text_solvers.remove(solver)
                self._text_solvers.insert(0, solver)
                return _make_answer(*answer)
        return self._answer_alone(text)

    def _answer_alone(self, text: str) -> Answer:
        """Answer an instance by way of its encoder."""
        try:
            encoder = self._template.parse(text)
        except ParameterError as error:
            return Answer(str(error), Outcome.MALFORMED)
        problem, solver = self._get_solver(encoder)
        givens = list(encoder.givens())
        solutions = solver.solve(given=givens, limit=2, stop=self._stop)
        if not solutions:
            reason = problem.solve(given=givens).reason
            return Answer("no solution" + (f": {reason}" if reason else ""), Outcome.NONE)
        return _make_answer(len(solutions), encoder.unparse(solutions[0]))

    def _get_solver(self, encoder: Encoder) -> tuple[Problem, Solver]:
        frame = encoder.frame()
        if frame not in self._solvers:
            problem = encoder.problem(self._stop).full()
            self._solvers[frame] = problem, problem.solver(engine=self._engine)
            form = encoder.text_form()
            solver = None if form is None else make_text_solver(problem, form, self._engine, self._stop)
            if solver is not None:
                self._text_solvers.insert(0, solver)
        return self._solvers[frame]


def _make_answer(solutions: int, text: str) -> Answer:
    return Answer(text, Outcome.ONE if solutions == 1 else Outcome.SEVERAL)
