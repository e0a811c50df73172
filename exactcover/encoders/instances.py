"""Answers to instances that are written as text."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from functools import cached_property, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from exactcover.algorithm_x import Label
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.encoders.encoder import Encoder, defines
from exactcover.engines.thread_group import LookAhead
from exactcover.engines.worker_process import CallProcess
from exactcover.errors import CoverError, ParameterError
from exactcover.model.text_form import NumberedText, TextForm
from exactcover.problem import Problem
from exactcover.search.solver import ReusableSolver, make_text_solver

if TYPE_CHECKING:
    from exactcover.engines.base import TextRun
    from exactcover.reasons.position import Sets

_SECONDS = 0.1  # after which the answers found so far are delivered

_WAITING = 4  # lists for each thread, at most


class Outcome(Enum):
    """The result of an instance."""

    ONE = "one"
    SEVERAL = "several"
    NONE = "none"
    MALFORMED = "malformed"


class Answer(NamedTuple):
    """A solution as text, or what is wrong; the outcome; and the difficulty of the only solution, if it was rated.

    The difficulty is infinite if a guess is needed.
    """

    text: str
    outcome: Outcome
    difficulty: float | None = None


Answerer: TypeAlias = "InstanceSolver | InstanceProcess"
"""Answers instances; used by one thread."""


class InstanceSolver:
    """Answers instances of a template. Those with the same frame share a problem and its solvers; used by one thread.

    If it `rates`, it rates instances with one solution.
    """

    def __init__(self, template: Encoder, engine: str, stop: Stop, *, rates: bool = False) -> None:
        self._template, self._engine, self._stop, self._rates = template, engine, stop, rates
        self._solvers: dict[Hashable, tuple[Problem, ReusableSolver, Sets | None]] = {}  # sets, if instances are rated
        self._text_solvers: list[TextRun] = []  # the one that answered last comes first

    def close(self) -> None:
        """Do nothing, since nothing was started."""

    def answer(self, texts: Sequence[str]) -> Iterator[list[Answer]]:
        """Yield the answers to some instances in order, in lists, as soon as they are known."""
        while texts:
            if self._rates or not self._text_solvers:
                yield [self._answer_alone(texts[0])]
                texts = texts[1:]
                continue
            found = self._text_solvers[0].answer(list(texts), _SECONDS, self._stop)
            known: list[Answer] = []
            for text, answer in zip(texts, found, strict=False):
                if answer is not None:
                    known.append(_make_answer(*answer))
                    continue
                yield known
                known = [self._answer_otherwise(text)]
            yield known
            texts = texts[len(found) :]

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
            return Answer(_locate(text, error) + error.message, Outcome.MALFORMED)
        problem, solver, sets = self._get_solver(encoder)
        givens = list(encoder.givens())
        solutions = solver.solutions(given=givens, limit=2, stop=self._stop)
        if not solutions:
            reason = problem.solve(given=givens).reason
            return Answer("no solution" + (f": {reason}" if reason else ""), Outcome.NONE)
        answer = _make_answer(len(solutions), encoder.unparse(solutions[0]))
        if sets is None or answer.outcome is not Outcome.ONE:
            return answer
        from exactcover.reasons.deductions import solve_by_deductions  # seldom needed

        path = solve_by_deductions(problem.instance(givens), self._stop, explain=False, sets=sets)
        return answer._replace(difficulty=path.hardest)

    def _get_solver(self, encoder: Encoder) -> tuple[Problem, ReusableSolver, Sets | None]:
        frame = encoder.frame()
        if frame not in self._solvers:
            problem = encoder.problem(self._stop).full()
            form = _restrict(encoder.text_form(), self._template, frame)
            solver = None if form is None else make_text_solver(problem, form, self._engine, self._stop)
            sets: Sets | None = None
            if self._rates:
                from exactcover.reasons.position import Sets  # seldom needed

                sets = Sets(problem)
            self._solvers[frame] = problem, problem.reusable_solver(engine=self._engine), sets
            if solver is not None:
                self._text_solvers.insert(0, solver)
        return self._solvers[frame]


def group_givens(encoder: Encoder, solution: Sequence[Label]) -> Iterable[set[Label]]:
    """Yield each option of a solution that can be a given of an instance, which is one that its text shows."""
    empty = encoder.unparse(())
    return ({label} for label in solution if encoder.unparse((label,)) != empty)


def list_wishes(encoder: Encoder, stop: Stop) -> dict[str, Any]:
    """Return the arguments of ``generate`` by which puzzles of an encoder are made."""
    return {
        "together": partial(group_givens, encoder) if defines(encoder, "parse") else None,
        "fewest": encoder.fewest_clues(),
        "boards": encoder.boards().problem(stop) if defines(encoder, "boards") else None,
        "stop": stop,
    }


def _locate(text: str, error: ParameterError) -> str:
    """Return the line of a mistake in an instance, as the start of a message; empty if it is not known."""
    if not isinstance(text, NumberedText):
        return ""
    place = error.path[-1] if len(error.path) > 1 and isinstance(error.path[-1], int) else 0
    return f"line {text.line_at(place)}: "


def _restrict(form: TextForm | None, template: Encoder, frame: Hashable) -> TextForm | None:
    """Return a form with those layouts that the template reads as instances with this frame."""
    if form is None:
        return None
    blank = form.blanks[0]

    def fits(layout: str) -> bool:
        try:
            return template.parse(layout.replace(TextForm.PLACE, blank)).frame() == frame
        except ParameterError:
            return False

    layouts = list(filter(fits, form.layouts))
    return replace(form, layouts=layouts) if layouts else None


def _make_answer(solutions: int, text: str) -> Answer:
    return Answer(text, Outcome.ONE if solutions == 1 else Outcome.SEVERAL)


class InstanceThreads:
    """Threads that answer instances; a context manager, at the end of which the threads have ended.

    `make_solver` makes what answers instances for one thread, and polls a stop.
    """

    def __init__(self, make_solver: Callable[[Stop], Answerer], jobs: int, stop: Stop) -> None:
        inner = InnerStop(stop)  # ends the threads if no more answers are wanted
        self._solvers = [make_solver(inner) for _ in range(jobs)]
        self._ahead = LookAhead[Sequence[str], Answer]([solver.answer for solver in self._solvers], inner)
        self._most_waiting = _WAITING * jobs - 1

    def answer(self, texts: Sequence[str]) -> Iterator[Sequence[Answer]]:
        """Take on further instances; yield answers to earlier ones, in order, while too many lists wait."""
        self._ahead.add(texts)
        yield from self._deliver(self._most_waiting)

    def finish(self) -> Iterator[Sequence[Answer]]:
        """Yield the answers to all instances that were taken on, in order."""
        yield from self._deliver(0)

    def _deliver(self, most: int) -> Iterator[Sequence[Answer]]:
        while len(self._ahead) > most:
            if answers := self._ahead.take():
                yield answers

    def __enter__(self) -> InstanceThreads:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ahead.threads.end()
        for solver in self._solvers:
            solver.close()


class InstanceProcess:
    """Answers instances by a process of its own, since threads of this one take turns in Python.

    `make_solver` makes the solver in the process. The memory of the stop is divided among `share` such processes; for
    the rest, the stop is obeyed here.
    """

    def __init__(self, make_solver: Callable[[Stop], InstanceSolver], stop: Stop, share: int) -> None:
        self._make_solver, self._stop = make_solver, stop
        self._memory = None if stop.memory is None else max(1, stop.memory // share)

    @cached_property
    def _process(self) -> CallProcess:
        return CallProcess("the rating of instances")

    def answer(self, texts: Sequence[str]) -> Iterator[list[Answer]]:
        """Yield the answers to some instances, as an :class:`InstanceSolver` does.

        What the process does not know, such as a family of a file, is answered here; and what fails there fails here
        again, with its place. A ``MemoryError`` may also say that the process has ended, or cannot be started.
        """
        answers: list[Answer] | None = None
        if can_move(texts):
            self._process.call(_answer, self._make_solver, self._memory, texts)
            try:
                answers = self._process.take(self._stop)
            except (Stopped, CoverError, MemoryError):
                raise
            except Exception:  # raised again here
                pass
        yield from self._make_solver(self._stop).answer(texts) if answers is None else [answers]

    def close(self) -> None:
        """End the process, if it was started."""
        if "_process" in vars(self):
            self._process.end()


def can_move(value: object) -> bool:
    """Return whether another process can get something: a family need not be written for that."""
    try:
        pickle.loads(pickle.dumps(value))
    except Exception:  # whatever the family does
        return False
    return True


_solver: list[InstanceSolver] = []  # that of this process


def _answer(make_solver: Callable[[Stop], InstanceSolver], memory: int | None, texts: Sequence[str]) -> list[Answer]:
    """Answer instances in a process that answers those of one family alone."""
    if not _solver:
        _solver.append(make_solver(Stop(memory=memory)))
    return [answer for answers in _solver[0].answer(texts) for answer in answers]
