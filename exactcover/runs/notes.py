"""Notes of a coordinator in the store, for readers: its progress and its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactcover.runs.cube_scheduler import MAX_RATE, Forecast
from exactcover.runs.run_problem import to_list, to_number, to_real, to_text, to_time

EVENTS = ("open", "failure")
"""The kinds of events: the store was opened for work, and the search of a cube failed."""

_MAX_WAITS = 10  # sentences
_LONGEST = 1e300  # seconds that a search may still take


@dataclass(frozen=True)
class RunProgress:
    """The progress of a run while it has a coordinator.

    Attributes
    ----------
    searched
        The number of cubes that are being searched.
    workers
        The number of workers.
    memory
        The number of bytes that they held when they last reported.
    forecast
        The estimated progress.
    waits
        Cubes that are waited for much longer than usual, as sentences.
    """

    searched: int
    workers: int
    memory: int
    forecast: Forecast
    waits: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the progress as a value that JSON can express."""
        own = {"searched": self.searched, "workers": self.workers, "memory": self.memory, "waits": self.waits}
        return own | vars(self.forecast)

    @classmethod
    def from_json(cls, value: Any) -> RunProgress:
        """Return the progress that :meth:`to_json` turned into this value.

        Raises
        ------
        ValueError
            If it is not such a value.
        """
        if not isinstance(value, Mapping):
            raise ValueError("it is not a JSON object")
        try:
            left, spread = (
                None if value[key] is None else to_real(value[key], _LONGEST) for key in ("seconds_left", "spread")
            )
            share, rate = to_real(value["share"], 1), to_real(value["rate"], MAX_RATE)
            searched, workers, memory = (to_number(value[key]) for key in ("searched", "workers", "memory"))
            waits = to_list(value["waits"])
        except KeyError as error:
            raise ValueError(f"{error} is missing") from None
        if len(waits) > _MAX_WAITS:
            raise ValueError("there are too many waits")
        return cls(searched, workers, memory, Forecast(share, rate, left, spread), tuple(map(to_text, waits)))


@dataclass(frozen=True)
class Event:
    """An event of a run: its time in seconds since 1970, its kind, and a text."""

    time: float
    kind: str
    text: str


def to_event(row: Sequence[Any]) -> Event:
    """Return the event in a row of a store.

    Raises
    ------
    ValueError
        If the row is damaged.
    """
    time, kind, text = row
    if kind not in EVENTS:
        raise ValueError("there is no such kind of event")
    return Event(to_time(time), kind, to_text(text))
