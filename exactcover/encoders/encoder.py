"""Encoders: what turns a puzzle or a plan into items and options; and how they are found.

An encoder is a frozen dataclass. Its fields are the parameters that a YAML file or the command line
may set; a string literal under a field explains it.

>>> from dataclasses import dataclass
>>> from exactcover import Encoder
>>> @dataclass(frozen=True)
... class Coins(Encoder):
...     '''Seat n guests so that each has a chair.'''
...
...     n: int = 3
...     '''How many guests.'''
...
...     def options(self):
...         for guest in range(self.n):
...             for chair in range(self.n):
...                 yield (guest, chair), [f"guest {guest}", f"chair {chair}"]
>>> Coins(n=4).problem().count()
24

A distribution announces its encoders in ``pyproject.toml``::

    [project.entry-points."exactcover.problems"]
    coins = "my_puzzles:Coins"
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from exactcover.analysis.explain import Explanation, explain
from exactcover.control.statistics import Statistics
from exactcover.control.stop import Stop, Stopped, make_stop
from exactcover.diagram.diagram import Diagram
from exactcover.errors import ProblemError, StoppedError
from exactcover.model.matrix import Bounds
from exactcover.model.symmetry import StatedSymmetry
from exactcover.pictures import Picture
from exactcover.problem import Cost, Item, Label, Problem
from exactcover.search.search import Search

if TYPE_CHECKING:  # slow to import
    pass

__all__ = ["Encoder", "defines"]

_SHORTCUTS = ("solve", "count", "diagram", "explain")  # a parameter of that name hides them


class Encoder:
    """The base of all encoders; only :meth:`options` must be written.

    Notes
    -----
    Everything an encoder yields must be in a fixed order, so that solutions are. Givens are options
    of the full problem, so one problem serves many instances; :meth:`Problem.full` returns it.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {
        "extra": "forbid",
        "strict": True,
        "use_attribute_docstrings": True,
        "allow_inf_nan": False,
    }

    symmetries_complete: ClassVar[bool] = False
    """Whether :meth:`symmetries` generates all that count; if not, all other symmetries of the problem count too."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Keep parameters and methods apart.

        Raises
        ------
        TypeError
            If a parameter has the name of a method that encoders define.
        """
        super().__init_subclass__(**keywords)
        for name in vars(cls).get("__annotations__", {}):
            if name in _SHORTCUTS and name not in vars(cls):
                setattr(cls, name, field())  # so that the method is not taken for its default
            elif name not in _SHORTCUTS and callable(getattr(Encoder, name, None)):
                raise TypeError(f"a parameter cannot be called {name!r}: encoders have a method of that name")

    def options(self) -> Iterable[tuple[Label, Iterable[Item]]]:
        """Yield every option as (label, items). Labels are unique; their ``str`` is what people read."""
        raise NotImplementedError(f"{type(self).__name__} must define options()")

    def primary(self) -> Iterable[Item] | None:
        """Return the items that must be covered, in order; None for all that are not secondary."""
        return None

    def secondary(self) -> Iterable[Item]:
        """Return the items that may be left uncovered."""
        return ()

    def multiplicity(self) -> Mapping[Any, int | Bounds]:
        """Return how often primary items must be covered, a number or (low, high), where that is not once."""
        return {}

    def costs(self) -> Mapping[Label, Cost]:
        """Return what options cost, whole numbers or Decimals, where they cost anything."""
        return {}

    def preferred(self) -> Iterable[Item]:
        """Return the primary items to branch on before others."""
        return ()

    def givens(self) -> Iterable[Label]:
        """Return the options that every solution of this instance contains."""
        return ()

    def impossible(self) -> str | None:
        """Return a proof that there is no solution, where a quick one is known, else None."""
        return None

    def symmetries(self) -> Iterable[StatedSymmetry]:
        """Return symmetries of the full problem: maps of items, which name those that move, or each a ``Symmetry``.

        Generators will do. Those that are missing are found, unless `symmetries_complete` says that none is.
        """
        return ()

    def rotations(self) -> Iterable[StatedSymmetry]:
        """Return those that generate all rotations, where the encoder can tell them from mirror images."""
        raise NotImplementedError(f"{type(self).__name__} does not tell rotations from mirror images")

    def decode(self, solution: Iterable[Label]) -> Any:
        """Return the solution as the thing people asked for; by default the tuple of labels."""
        return tuple(solution)

    def draw(self, solution: Iterable[Label]) -> Picture | None:
        """Return a picture of the solution, or None where there is nothing to look at."""
        return None

    # What `exactcover batch` needs: instances as text.

    def instances(self, lines: Iterable[str]) -> Iterator[str]:
        """Split a stream of lines into texts, one an instance; by default every line that is not blank."""
        return (line.strip() for line in lines if line.strip())

    def parse(self, text: str) -> Encoder:
        """Return this encoder with the instance that `text` holds.

        Raises
        ------
        ParameterError
            If the text is no instance.
        """
        raise NotImplementedError(f"{type(self).__name__} reads no instances from text")

    def unparse(self, solution: Iterable[Label]) -> str:
        """Return a solution in the shape of the text that :meth:`parse` was given."""
        return " ".join(map(str, solution))

    def frame(self) -> Hashable:
        """Return what instances must have in common to share one problem; by default everything."""
        return self

    def problem(self, stop: Stop | None = None) -> Problem:
        """Return the problem of this instance: all items and options, and the givens.

        Raises
        ------
        ProblemError
            If the encoder yields items and options that break the rules, or more of them than a machine can number.
        StoppedError
            If `stop` says so before everything is built.
        """
        stop = stop or Stop()
        try:
            stop.poll()
            primary = self.primary()
            return Problem(
                stop.watch(self.options()),
                primary=None if primary is None else stop.watch(primary),
                secondary=stop.watch(self.secondary()),
                multiplicity=self.multiplicity(),
                costs=self.costs(),
                preferred=self.preferred(),
                impossible=self.impossible(),
                symmetries=_Symmetries(self.symmetries),
                symmetries_complete=self.symmetries_complete,
                rotations=_Symmetries(self.rotations) if defines(self, "rotations") else None,
                givens=self.givens(),
            )
        except Stopped as stopped:
            raise StoppedError(stopped.status, 0, Statistics()) from None
        except OverflowError as error:
            raise ProblemError(f"these parameters make a problem that is too large: {error}") from None

    # What people ask first, of this instance.

    def solve(self, *, timeout: float | None = None, stop: Stop | None = None, **keywords: Any) -> Search:
        """Search for solutions of this instance; parameters as for :meth:`Problem.solve`, building counts too.

        Examples
        --------
        >>> from problems import Queens
        >>> sorted(str(label) for label in next(Queens(n=4, placed=((1, 2),)).solve()))
        ['r1c2', 'r2c4', 'r3c1', 'r4c3']
        """
        stop = make_stop(timeout, stop)
        return self.problem(stop).solve(stop=stop, **keywords)

    def count(self, *, timeout: float | None = None, stop: Stop | None = None, **keywords: Any) -> int:
        """Return how many solutions this instance has; parameters as for :meth:`Problem.count`.

        Examples
        --------
        >>> from problems import Queens
        >>> Queens(n=8).count(), Queens(n=8, placed=((1, 1),)).count()
        (92, 4)
        """
        stop = make_stop(timeout, stop)
        return self.problem(stop).count(stop=stop, **keywords)

    def diagram(self, *, timeout: float | None = None, stop: Stop | None = None, **keywords: Any) -> Diagram[Problem]:
        """Return all solutions of this instance as one object; parameters as for :meth:`Problem.diagram`.

        Examples
        --------
        >>> from problems import Queens
        >>> Queens(n=6).diagram().count
        4
        """
        stop = make_stop(timeout, stop)
        return self.problem(stop).diagram(stop=stop, **keywords)

    def explain(self, *, timeout: float | None = None, stop: Stop | None = None, **keywords: Any) -> Explanation:
        """Return why this instance has one solution, several or none; see :func:`exactcover.analysis.explain.explain`.

        Examples
        --------
        >>> from problems import Queens
        >>> Queens(n=4, placed=((1, 1),)).explain().count
        0
        """
        stop = make_stop(timeout, stop)
        return explain(self.problem(stop), stop=stop, **keywords)


@dataclass(frozen=True)
class _Symmetries(Iterable[StatedSymmetry]):
    """Symmetries that are made when they are asked for."""

    make: Callable[[], Iterable[StatedSymmetry]]

    def __iter__(self) -> Iterator[StatedSymmetry]:
        return iter(self.make())


def defines(encoder: Encoder, method: str) -> bool:
    """Whether an encoder has a method of its own, not that of the base."""
    return getattr(type(encoder), method) is not getattr(Encoder, method)
