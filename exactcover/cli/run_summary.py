"""A run in words: its problem, and how far it has come."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from exactcover.cli.progress import describe_costs, describe_duration
from exactcover.control.statistics import Status
from exactcover.pictures.text import cut, format_count, printable

if TYPE_CHECKING:  # databases and processes are slow to import
    from exactcover.runs.run import Run
    from exactcover.runs.summary import RunSummary

__all__ = ["describe_run", "describe_summary", "describe_workers"]

_LONGEST_VALUE = 40  # letters of a parameter or label in a list of runs
_MOST_LABELS = 3  # given or excluded options that are named


def describe_summary(summary: RunSummary) -> str:
    """Return how far a run has come as one line."""
    found = format_count(summary.solutions, "solution")
    if summary.bound is not None and summary.status is Status.RUNNING:
        found += f", {describe_costs(summary.best, summary.bound)}"
    if summary.status is not Status.RUNNING:
        if summary.status is Status.LIMIT:
            return f"the first {found if summary.solutions > 1 else 'solution'}"
        return f"{found} ({'no other is cheaper' if summary.status is Status.OPTIMAL else 'run complete'})"
    parts = [found, f"{summary.done:,} of {format_count(summary.done + summary.open + summary.failed, 'cube')} done"]
    forecast = summary.forecast
    if forecast is not None:
        parts.append(f"{forecast.share:.1%} of the work done, {format_count(summary.workers, 'worker')}")
        if forecast.seconds_left is not None and forecast.spread is not None:
            low, high = max(0.0, forecast.seconds_left - forecast.spread), forecast.seconds_left + forecast.spread
            parts.append(
                f"{describe_duration(forecast.seconds_left)} left "
                f"({describe_duration(low)} to {describe_duration(high)})"
            )
    if summary.waits:
        parts.append(f"waiting for {summary.waits[0]}")
    return ", ".join(parts)


def describe_workers(summary: RunSummary) -> str:
    """Return who works on a run."""
    if not summary.workers:
        return "no process is working on this run"
    rate = f", {summary.forecast.rate:,.0f} nodes per second each" if summary.forecast is not None else ""
    return f"workers {summary.workers:,}, memory {summary.memory / (1 << 20):,.0f} MiB{rate}"


def describe_run(opened: Run) -> str:
    """Return the problem of a run with its parameters, and what is searched for."""
    params = [
        f"{name}={cut(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), _LONGEST_VALUE)}"
        for name, value in opened.problem.params.items()
    ]
    return (
        f"{printable(' '.join([opened.problem.name, *params]))}{_describe_instance(opened)}: {opened.goal.describe()}"
    )


def _describe_instance(opened: Run) -> str:
    """Return which options are given and excluded: their labels, or how many they are if they are many."""
    problem, texts = opened.problem, []
    for word, nouns, positions in (
        ("given", "given", problem.given_positions),
        ("without", "excluded option", problem.excluded_positions),
    ):
        labels = [printable(cut(problem.labels[position], _LONGEST_VALUE)) for position in positions]
        if len(labels) > _MOST_LABELS:
            texts.append(f", {format_count(len(labels), nouns)}")
        elif labels:
            texts.append(f", {word} {' and '.join(labels)}")
    return "".join(texts)
