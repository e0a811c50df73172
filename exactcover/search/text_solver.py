"""A solver for instances that are written in a text form: text in, text out."""

from __future__ import annotations

from dataclasses import replace

from exactcover.control.stop import Stop
from exactcover.engines.base import TextRun
from exactcover.engines.registry import pick_engine
from exactcover.model.model import Model
from exactcover.model.text_form import TextForm

__all__ = ["make_text_solver"]


def make_text_solver(problem: Model, form: TextForm, engine: str, stop: Stop) -> TextRun | None:
    """Return a solver of the instances of a problem, or None if the engine cannot read text.

    Parameters
    ----------
    problem
        The problem without givens of its own.
    form
        How instances are written.
    engine
        The name of an engine, or ``"auto"``.
    stop
        Polled during the setup.

    Raises
    ------
    EngineUnavailableError
        If the engine cannot search this problem.
    """
    if problem.impossible is not None:
        return None
    matrix = replace(problem.matrix, costs=())  # costs do not matter here
    picked, _ = pick_engine(engine, matrix)
    run = picked.text_run(matrix, list(form.layouts), form.table(problem.position), stop)
    return run and _OneBlank(run, form.blanks)


class _OneBlank:
    """A search that leaves texts with several kinds of blanks unanswered."""

    def __init__(self, run: TextRun, blanks: str) -> None:
        self._run, self._blanks = run, blanks

    def answer(self, texts: list[str], seconds: float, stop: Stop) -> list[tuple[int, str] | None]:
        own = [text if sum(map(text.__contains__, self._blanks)) < 2 else "" for text in texts]
        return self._run.answer(own, seconds, stop)
