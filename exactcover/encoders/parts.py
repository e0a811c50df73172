"""The parts from which an encoder builds a problem, read one after the other."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sized
from typing import Any, TypeVar

from exactcover.control.memory import half_of_free_memory, memory_to_build
from exactcover.control.stop import Stop
from exactcover.errors import ProblemError
from exactcover.model.bulk import BulkOptions
from exactcover.pictures.text import show_value

__all__ = ["Parts"]

T = TypeVar("T")

_LOOK_EVERY = 64  # things
_PLAIN = (list, tuple)
_MAX_UNWATCHED = 10_000  # things that are read before the memory is watched, which is slow to begin


class Parts:
    """Reads the results of the methods of an encoder, and remembers which of them is being read.

    None of them can fill the memory: after many things, the stop watches it, since they may never end.

    Parameters
    ----------
    encoder
        The name of the class.
    stop
        Polled often.
    """

    def __init__(self, encoder: str, stop: Stop) -> None:
        self._encoder, self.stop = encoder, stop
        self._method = "options"
        self._limited = False

    @property
    def place(self) -> str:
        """The class and the method that is being read, for messages."""
        return f"{self._encoder}.{self._method}()"

    def read(self, method: str, things: Iterable[T]) -> Iterator[T]:
        """Yield the things that a method has returned."""
        self._method = method
        yield from self._watch(things)

    def read_options(self, options: Iterable[Any]) -> Iterable[tuple[Any, Iterable[Any]]]:
        """Return the options, in bulk if they are; otherwise items may come from an iterator without an end as well."""
        if isinstance(options, BulkOptions):
            self._method = "options"
            self._look(len(options))
            return options
        return self._read_one_by_one(options)

    def _read_one_by_one(self, options: Iterable[Any]) -> Iterator[tuple[Any, Iterable[Any]]]:
        self._method = "options"
        for number, option in enumerate(options):
            if not number % _LOOK_EVERY:
                self._look(number)
            try:
                label, items = option
            except (TypeError, ValueError):
                raise ProblemError(f"expected an option as (label, items), got {show_value(option)}") from None
            if type(items) in _PLAIN:  # which is quick to find out
                yield option
            else:
                is_finite = isinstance(items, Sized) or not hasattr(items, "__iter__")
                yield label, items if is_finite else self._watch(items)

    def follow(self, method: str, values: Mapping[Any, T]) -> Mapping[Any, T]:
        """Return the values that a method has returned, which are read later."""
        return _Followed(self, method, values)

    def begin(self, method: str) -> None:
        """Remember that the result of this method is read next."""
        self._method = method

    def _watch(self, things: Iterable[T]) -> Iterator[T]:
        for number, thing in enumerate(things):
            if not number % _LOOK_EVERY:
                self._look(number)
            yield thing

    def _look(self, number: int) -> None:
        """Poll the stop, and after many things, let it watch the memory."""
        self.stop.poll()
        if number >= _MAX_UNWATCHED and not self._limited:
            self._limited = True
            # A limit that somebody has chosen may be larger than the usual one.
            self.stop.limit(memory=memory_to_build() if self.stop.memory is None else half_of_free_memory())


class _Followed(Mapping[Any, T]):
    """A mapping that tells the parts when it is read."""

    def __init__(self, parts: Parts, method: str, values: Mapping[Any, T]) -> None:
        self._parts, self._method, self._values = parts, method, values

    def __getitem__(self, key: Any) -> T:
        return self._values[key]

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def items(self) -> ItemsView[Any, T]:
        """Return the items, as they are read now."""
        self._parts.begin(self._method)
        return self._values.items()
