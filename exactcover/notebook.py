"""For notebooks: solutions to click on, and the progress of a long search.

Problems, encoders, searches, diagrams and the pages of :func:`exactcover.view` show themselves in a notebook. This
module adds what needs further libraries: ``python -m pip install ".[notebook]"`` in a clone of the toolkit.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, urlencode

try:
    import anywidget
    import traitlets
    from IPython.display import DisplayHandle
except ImportError as error:
    message = f'{error}; install it from a clone of the toolkit with: python -m pip install ".[notebook]"'
    raise ImportError(message, name=error.name) from None

from exactcover.encoders.encoder import Encoder
from exactcover.problem import Label, Problem
from exactcover.search.search import Search
from exactcover.viewer.view import ViewOptions, view

__all__ = ["SolutionsWidget", "show_progress"]


class SolutionsWidget(anywidget.AnyWidget):
    """The page of :func:`exactcover.view` as a widget, which tells Python what is selected.

    Parameters
    ----------
    problem
        The problem, or an encoder that makes it and draws its solutions.
    encoder
        Draws the solutions of a problem.
    options
        The options of the page.

    Attributes
    ----------
    positions
        The solution that is shown, as ascending positions of options; it can be observed.
    given, without
        The positions of the options that were clicked; they can be set.

    Examples
    --------
    >>> widget = SolutionsWidget(Problem({"A": [1], "B": [1]}))
    >>> widget.given = [1]
    >>> widget.given_labels
    ('B',)
    """

    _esm = (files("exactcover.viewer") / "assets" / "widget.js").read_text(encoding="utf-8")
    page = traitlets.Unicode().tag(sync=True)
    selection = traitlets.Unicode().tag(sync=True)
    positions = traitlets.List(traitlets.Int()).tag(sync=True)
    given = traitlets.List(traitlets.Int()).tag(sync=True)
    without = traitlets.List(traitlets.Int()).tag(sync=True)

    def __init__(
        self, problem: Problem | Encoder, encoder: Encoder | None = None, *, options: ViewOptions | None = None
    ) -> None:
        if isinstance(problem, Encoder):
            encoder = problem
        self.problem = problem.problem() if isinstance(problem, Encoder) else problem
        super().__init__(
            page=str(view(self.problem, encoder, title=type(encoder or problem).__name__, options=options))
        )
        self.observe(self._select, ["given", "without"])

    @property
    def solution(self) -> tuple[Label, ...]:
        """The labels of the solution that is shown; empty before the page is displayed."""
        return self._name(self.positions)

    @property
    def given_labels(self) -> tuple[Label, ...]:
        """The labels of the options that every solution shown contains."""
        return self._name(self.given)

    @property
    def without_labels(self) -> tuple[Label, ...]:
        """The labels of the options that no solution shown contains."""
        return self._name(self.without)

    def _name(self, positions: list[int]) -> tuple[Label, ...]:
        return tuple(self.problem.labels[position] for position in positions)

    def _select(self, _: Any) -> None:
        """Tell the page, and keep the rest of what it has selected."""
        choice = {"with": ".".join(map(str, self.given)), "without": ".".join(map(str, self.without))}
        old = dict(parse_qsl(self.selection))
        if any(old.get(name, "") != text for name, text in choice.items()):
            self.selection = urlencode({name: text for name, text in (old | choice).items() if text})


@contextmanager
def show_progress(search: Search, interval: float = 0.5) -> Iterator[Search]:
    """Show the progress of a search below the cell, for the duration of the block.

    Parameters
    ----------
    search
        The search; the block consumes it.
    interval
        Seconds between two updates.

    Raises
    ------
    ValueError
        If `interval` is not positive.

    Examples
    --------
    >>> from exactcover import Goal
    >>> with show_progress(Problem({"A": [1], "B": [1]}).search(Goal("count"))) as search:
    ...     search.count()
    <Search: running, 0 solutions>
    2
    <Search: complete, 2 solutions>
    """
    if not interval > 0:
        raise ValueError(f"interval must be more than 0 seconds; got {interval}")
    handle, ended = DisplayHandle(), threading.Event()
    handle.display(search)

    def update() -> None:
        while not ended.wait(interval):
            handle.update(search)

    watcher = threading.Thread(target=update, daemon=True)
    watcher.start()
    try:
        with search:
            yield search
    finally:
        ended.set()
        watcher.join()
        handle.update(search)
