"""Encoders, which turn a puzzle or a plan into items and options.

An encoder is a frozen dataclass. Its fields are the parameters that a YAML file or the command line may set. A string
literal below a field documents it.

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

A distribution registers its encoders in ``pyproject.toml``::

    [project.entry-points."exactcover.problems"]
    coins = "my_puzzles:Coins"

Mistakes name the class and the parameter or the method. One reader of types (:mod:`exactcover.control.arguments`)
serves programs, files and the command line. Types that it does not know are left to the encoder, in files to pydantic.
"""

from __future__ import annotations

import random
import time
from abc import abstractmethod
from collections.abc import Callable, Collection, Hashable, ItemsView, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import Field, dataclass, field, fields, is_dataclass
from functools import cache, wraps
from inspect import getattr_static, unwrap
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from exactcover.control.arguments import Fault, check_arguments, make_field_readers, read_call
from exactcover.control.memory import half_of_free_memory, memory_to_build
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped, make_stop
from exactcover.errors import ParameterError, ProblemError, StoppedError
from exactcover.model.costs import SoftPrice
from exactcover.model.matrix import StatedBounds
from exactcover.model.names import StatedSymmetry, Symmetry
from exactcover.model.text_form import NumberedText, TextForm
from exactcover.pictures.text import cut, make_table, show_value
from exactcover.problem import Cost, Item, Label, Problem
from exactcover.rules import Rule
from exactcover.search.search import Search

if TYPE_CHECKING:
    from exactcover.analysis.explain import Explanation
    from exactcover.diagram.diagram import Diagram
    from exactcover.pictures import Picture

T = TypeVar("T")

_LOOK_EVERY = 64  # things
_PLAIN = (list, tuple)
_MAX_UNWATCHED = 10_000  # things that are read before the memory is watched, which is slow to begin

_MAX_COLUMNS = 100  # of a parameter in a notebook
_SHORTCUTS = ("solve", "count", "diagram", "explain")  # a parameter of that name hides the method


def read_parameters(encoder: object) -> None:
    """Read the fields of an encoder, which may be frozen, as the types of its parameters.

    Encoders call it themselves; so may other dataclasses, such as those that a parameter is made into.

    Raises
    ------
    ParameterError
        If a value does not have the type of its parameter, or is out of its bounds.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Line:
    ...     cells: tuple[int, ...]
    >>> line = Line([1, 2.0])
    >>> read_parameters(line)
    >>> line
    Line(cells=(1, 2))
    """
    kind: Any = type(encoder)
    for name, read in _find_readers(kind).items():
        value = getattr(encoder, name)
        try:
            plain = read(value)
        except Fault as fault:
            path = (name, *fault.path)
            place = f"{type(encoder).__name__}: {'.'.join(map(str, path))}"
            raise ParameterError(path, f"expected {fault.expected}, got {show_value(fault.found)}", place) from None
        if plain is not value:
            object.__setattr__(encoder, name, plain)


_find_readers = cache(make_field_readers)


def _keep_contract(encoder: type) -> None:
    """Let those methods of a class that override ones of ``Encoder`` check what they are given and what they return.

    They raise a ``TypeError`` if an argument is not of the kind that is stated there, and a ``ProblemError`` if they
    return something else than expected; and a ``ParameterError`` that comes out of them names the class and the
    parameter.
    """
    for name in _EXPECTED:
        method, own = getattr_static(encoder, name, None), getattr_static(Encoder, name, None)
        if isinstance(method, FunctionType) and method is not own and not hasattr(method, _CHECKED):
            setattr(encoder, name, _check_calls(name, method, getattr(Encoder, name, None)))


_CHECKED = "_keeps_contract"


def _check_calls(name: str, method: Callable[..., Any], stated: Callable[..., Any] | None) -> Callable[..., Any]:
    is_valid, expected = _EXPECTED[name]
    stated = unwrap(stated) if stated is not None and stated.__annotations__.keys() > {"return"} else None

    @wraps(method)
    def checked(self: Any, *values: Any, **named: Any) -> Any:
        if stated is not None:
            (self, *values), named = read_call(stated, (self, *values), named)  # type: ignore[assignment]
        try:
            if name == "__post_init__":
                read_parameters(self)
            returned = method(self, *values, **named)
        except ParameterError as error:
            error.place = error.place or _describe_parameter(self, error)
            raise
        if name in ("blocks", "tabulate") and isinstance(returned, Iterator):
            returned = list(returned)  # can be read twice
        if not is_valid(returned):
            raise ProblemError(
                f"{name}() returned {show_value(returned)}; expected {expected}", place=type(self).__name__
            )
        return returned

    setattr(checked, _CHECKED, True)
    return checked


def _describe_parameter(encoder: object, error: ParameterError) -> str:
    """Return the class of an encoder and the parameter at fault; of a text of several lines, the line."""
    name, *inside = error.path
    value: Any = getattr(encoder, str(name), "")
    path, line = [name], ""
    for part in inside:
        if isinstance(value, str):
            if isinstance(part, int) and "\n" in value.strip():
                line = f", line {value[:part].count(chr(10)) + 1}"
            break
        path.append(part)
        try:
            value = value[part]
        except (LookupError, TypeError):
            break
    return f"{type(encoder).__name__}: {'.'.join(map(str, path))}{line}"


def _is_iterable(value: Any) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, str | bytes)


def _is_picture(value: Any) -> bool:
    from exactcover.pictures import Picture  # most searches draw nothing

    return isinstance(value, Picture)


def _are_blocks(value: Any) -> bool:
    return _is_iterable(value) and all(_is_iterable(block) and len(tuple(block)) == 3 for block in value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(number, int) for number in value)


def _are_rows(value: Any) -> bool:
    return _is_iterable(value) and all(
        _is_iterable(row) and all(isinstance(cell, str) for cell in row) for row in value
    )


def _is_encoder(value: Any) -> bool:
    return hasattr(value, "problem") and hasattr(value, "givens")


def _or_none(is_valid: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or is_valid(value)


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


_EXPECTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "__post_init__": (_or_none(_is(object)), "nothing"),
    "options": (_is_iterable, "a list or another iterable of (label, items)"),
    "primary": (_or_none(_is_iterable), "a list or another iterable of items, or None"),
    "secondary": (_is_iterable, "a list or another iterable of items"),
    "multiplicity": (_is(Mapping), "a mapping from items to numbers or to (low, high)"),
    "costs": (_is(Mapping), "a mapping from labels to costs"),
    "soft": (_is(Mapping), "a mapping from items to prices or to (price of too few, price of too many)"),
    "open_weights": (_is(Mapping), "a mapping from items to numbers"),
    "fewest_clues": (_is(tuple), "a number of givens and a text that says why"),
    "preferred": (_is_iterable, "a list or another iterable of items"),
    "givens": (_is_iterable, "a list or another iterable of labels"),
    "impossible": (_or_none(_is(str)), "a text that says why there is no solution, or None"),
    "reduces": (_is(bool), "True or False"),
    "rules": (_is_iterable, "a list or another iterable of Loop, Paths, Connected or Regions"),
    "additions": (_is_iterable, "a list or another iterable of (items, change) or (items, change, cost)"),
    "symmetries": (_is_iterable, "a list or another iterable of maps of items"),
    "rotations": (_is_iterable, "a list or another iterable of maps of items"),
    "decode": (_is(object), "anything"),
    "draw": (_or_none(_is_picture), "a Picture of cells, tiles, texts, discs and edges, or None"),
    "piece_of": (_or_none(_is(str)), "the name of a piece, or None"),
    "describe": (_is(str), "a text"),
    "name_technique": (_or_none(_is(tuple)), "a name and a difficulty, or None"),
    "describe_rules": (_is(str), "a text"),
    "place_of": (_or_none(_is_pair), "a row and a column, or None"),
    "blocks": (_are_blocks, "a list of places (right, back, up)"),
    "tabulate": (_are_rows, "a list of rows, each a list of texts"),
    "read_table": (_is_iterable, "a list or another iterable of labels"),
    "parse": (_is_encoder, "an encoder"),
    "boards": (_is_encoder, "an encoder"),
    "unparse": (_is(str), "text"),
    "instances": (_is_iterable, "a list or another iterable of texts"),
    "text_form": (_or_none(_is(TextForm)), "a TextForm, or None"),
    "frame": (_is(Hashable), "a value that is hashable"),
}


class Parts:
    """Reads the results of the methods of an encoder, and remembers which of them is being read.

    None of them can fill the memory: after many things, the stop watches it, since they may never end. `encoder` is the
    name of the class.
    """

    def __init__(self, encoder: str, stop: Stop) -> None:
        self._encoder, self.stop = encoder, stop
        self.method = "options"  # whose result is being read
        self._limited = False

    @property
    def place(self) -> str:
        """The class and the method that is being read, for messages."""
        return f"{self._encoder}.{self.method}()"

    def read(self, method: str, things: Iterable[T]) -> Iterator[T]:
        """Yield the things that a method has returned."""
        self.method = method
        yield from self._watch(things)

    def read_options(self, options: Iterable[Any]) -> Iterator[tuple[Any, Iterable[Any]]]:
        """Yield the options; items may come from an iterator without an end as well."""
        for option in self.read("options", options):
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
        self._parts.method = self._method
        return self._values.items()


class Encoder:
    """The base class of all encoders; only :meth:`options` must be defined.

    Notes
    -----
    The order of everything that an encoder yields must be fixed, because the order of the solutions depends on it.
    Givens are options of the full problem, so one problem serves many instances; :meth:`Problem.full` returns it.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {
        "extra": "forbid",
        "strict": True,
        "use_attribute_docstrings": True,
        "allow_inf_nan": False,
    }

    symmetries_complete: ClassVar[bool] = False
    """True if only the symmetries generated by :meth:`symmetries` count.

    If not, all other symmetries of the problem count too.
    """

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Check that no parameter hides a method, and let methods check what they return.

        Raises
        ------
        TypeError
            If a parameter has the name of a method other than `solve`, `count`, `diagram` and `explain`.
        """
        super().__init_subclass__(**keywords)
        _keep_contract(cls)
        for name in vars(cls).get("__annotations__", {}):
            if name in _SHORTCUTS and name not in vars(cls):
                setattr(cls, name, field())  # otherwise, the method would become the default value
            elif name not in _SHORTCUTS and callable(getattr(Encoder, name, None)):
                raise TypeError(f"a parameter cannot be called {name!r}, because encoders have a method of that name")

    if TYPE_CHECKING:  # each family has parameters of its own

        def __init__(self, *args: Any, **keywords: Any) -> None: ...

    def __post_init__(self) -> None:
        """Read the parameters.

        Raises
        ------
        ParameterError
            If a value does not have the type of its parameter, or is out of its bounds.
        """
        read_parameters(self)

    def options(self) -> Iterable[tuple[Label, Iterable[Item]]]:
        """Yield every option as (label, items). Labels are unique; users see their ``str``."""
        raise NotImplementedError(f"{type(self).__name__} must define options()")

    def primary(self) -> Iterable[Item] | None:
        """Return the primary items in order; None for all items that are not secondary."""
        return None

    def secondary(self) -> Iterable[Item]:
        """Return the secondary items."""
        return ()

    def multiplicity(self) -> Mapping[Any, int | StatedBounds]:
        """Return the multiplicities of primary items: a number, (low, high) or (low, None). The default is 1."""
        return {}

    def costs(self) -> Mapping[Label, Cost]:
        """Return the costs of options, integers or Decimals; other options cost nothing."""
        return {}

    def soft(self) -> Mapping[Any, SoftPrice]:
        """Return the prices of primary items that may stay open, or be covered too often; see :class:`Problem`."""
        return {}

    def open_weights(self) -> Mapping[Any, Cost]:
        """Return how much leaving primary items open counts in a best effort; the default is 1."""
        return {}

    def fewest_clues(self) -> tuple[int, str]:
        """Return a number of givens that puzzles with one solution have at least, and a sentence that says why.

        It must hold for every puzzle, also for those that do not contain the givens of this instance. The default is 0.
        """
        return 0, ""

    def preferred(self) -> Iterable[Item]:
        """Return the primary items to branch on before others."""
        return ()

    def givens(self) -> Iterable[Label]:
        """Return the options that every solution of this instance contains."""
        return ()

    def impossible(self) -> str | None:
        """Return the reason why there is no solution, if it is known without a search; else None."""
        return None

    def reduces(self) -> bool:
        """Return whether searches should reduce the problem first, unless they are told whether to do so."""
        return False

    def rules(self) -> Iterable[Rule]:
        """Return the rules about graphs that must hold beside the items; see :mod:`exactcover.rules`."""
        return ()

    def additions(self) -> Iterable[tuple[Iterable[Item], str] | tuple[Iterable[Item], str, Cost]]:
        """Return additions for a problem without a solution: the items of an option, and the change that allows it.

        The change is an imperative, such as ``"let Ann work on day 3, although she is away"``. A third value is its
        cost, 1 by default; a change that is less plausible costs more.
        """
        return ()

    def constraint_names(self) -> Sequence[str]:
        """Return names of constraints each of which may be left out; `explain` says which of them conflict."""
        return ()

    @check_arguments
    def keep_constraints(self, kept: Collection[int]) -> Encoder:
        """Return the encoder with some of its constraints alone, by their numbers from 0."""
        raise NotImplementedError(f"{type(self).__name__} has no constraints that may be left out")

    def symmetries(self) -> Iterable[StatedSymmetry]:
        """Return generators of the symmetries of the full problem.

        Each is a map of the items that move, or a ``Symmetry``. Other symmetries are found automatically, unless
        `symmetries_complete` is true.
        """
        return ()

    def rotations(self) -> Iterable[StatedSymmetry]:
        """Return generators of all rotations.

        Define this only if rotations can be told from mirror images.
        """
        raise NotImplementedError(f"{type(self).__name__} does not tell rotations from mirror images")

    @check_arguments
    def decode(self, solution: Iterable[Label]) -> Any:
        """Return the solution in the terms of the puzzle; by default the tuple of labels."""
        return tuple(solution)

    @check_arguments
    def draw(self, solution: Iterable[Label]) -> Picture | None:
        """Return a picture of the solution, or None if there is no picture."""
        return None

    @check_arguments
    def place_of(self, item: Item) -> tuple[int, int] | None:
        """Return the row and column, from 0, of the cell in pictures that an item stands for; None if it is none.

        Pictures as text mark the cells that stay open there.
        """
        return None

    @check_arguments
    def tabulate(self, solution: Iterable[Label]) -> Iterable[Sequence[str]]:
        """Return the solution as rows of a table for spreadsheets; the first row holds the names of the columns."""
        raise NotImplementedError(f"{type(self).__name__} has no tables")

    @check_arguments
    def read_table(self, lines: Iterable[str], source: str) -> Iterable[Label]:
        """Return the labels of the options of a table that :meth:`tabulate` made, as a spreadsheet may have changed it.

        Labels need not be options. `source` names the file in errors.

        Raises
        ------
        ConfigError
            If the table is not valid.
        """
        raise NotImplementedError(f"{type(self).__name__} reads no tables")

    block_shape: ClassVar[Literal["cube", "sphere"]] = "cube"
    """The shape of :meth:`blocks`."""

    def blocks(self, label: Label) -> Iterable[tuple[float, float, float]]:
        """Return the middles of the cubes or spheres that an option fills in space: how far right, back and up."""
        return ()

    @check_arguments
    def describe(self, item: Any) -> str:
        """Return an item, or a vertex or an element of a rule, in words for those who play; by default its text."""
        return str(item)

    def describe_option(self, label: Label) -> str:
        """Return an option in words, for those who play; by default its text."""
        return str(label)

    def is_shown(self, label: Label) -> bool:
        """Return whether those who play see an option. Simple steps that settle no such option are left out."""
        return True

    @check_arguments
    def name_technique(self, deduction: Any) -> tuple[str, float] | None:
        """Return the name and the difficulty that a ``Deduction`` has among those who solve such puzzles, or None."""
        return None

    @check_arguments
    def draw_step(self, deduction: Any, chosen: Iterable[Label] | None = None) -> Picture | None:
        """Return a picture of a ``Deduction`` beside the options that are chosen so far; None if there is no picture.

        Truths are marked by ``?``, and excluded options by a cross. By default, the givens are chosen.
        """
        from exactcover.encoders.step_pictures import draw_step  # seldom needed

        return draw_step(self, tuple(self.givens() if chosen is None else chosen), deduction)

    def describe_rules(self) -> str:
        """Return what a solution has to fulfill, for those who play; by default, the first line of the docstring."""
        text = (type(self).__doc__ or "").strip().partition("\n")[0]
        return "" if text.startswith(f"{type(self).__name__}(") else text  # which dataclasses write themselves

    def piece_of(self, label: Label) -> str | None:
        """Return the name of the piece that an option puts on the board, which pages show in a tray; None for none."""
        return None

    def _repr_html_(self) -> str:
        from exactcover.pictures import contact_sheet  # seldom needed

        parameters: Iterable[Field[Any]] = fields(self) if is_dataclass(self) else ()
        rows = [(one.name, cut(repr(getattr(self, one.name, None)), _MAX_COLUMNS)) for one in parameters]
        picture = self.draw(self.givens())
        return make_table(type(self).__name__, rows) + ("" if picture is None else contact_sheet([picture]))

    # Instances as text, for `exactcover batch`.

    @check_arguments
    def instances(self, lines: Iterable[str]) -> Iterator[str]:
        """Split a stream of lines into texts, one per instance.

        By default, these are the lines that are not blank and do not begin with ``#``. The texts may be
        ``NumberedText``, so that messages name lines.
        """
        numbered = ((number, line.strip()) for number, line in enumerate(lines, 1))
        return (NumberedText(line, number) for number, line in numbered if line and not line.startswith("#"))

    def boards(self) -> Encoder:
        """Return the encoder whose solutions generated puzzles begin with; by default this one.

        It has the same items and some of the options, or further items, so that its solutions make good puzzles.
        """
        return self

    @check_arguments
    def lay_out(self, generator: random.Random, stop: Stop | None = None) -> Encoder:
        """Return this encoder without givens, and with a random layout in place of its own: regions, cages or clues.

        Families whose layout is a parameter define it, so that each generated puzzle can have a layout of its own. A
        layout need not have exactly one solution; givens are added then.

        Raises
        ------
        ParameterError
            If this instance has no layout that can be drawn anew.
        StoppedError
            If `stop` asks for it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no random layouts")

    @check_arguments
    def parse(self, text: str) -> Encoder:
        """Return this encoder with the instance that `text` describes.

        Raises
        ------
        ParameterError
            If the text does not describe an instance.
        """
        raise NotImplementedError(f"{type(self).__name__} cannot read instances from text")

    @check_arguments
    def unparse(self, solution: Iterable[Label]) -> str:
        """Return a solution as text, in the format that :meth:`parse` reads."""
        return " ".join(map(str, solution))

    def text_form(self) -> TextForm | None:
        """Return how instances with this frame are written, if each character of a text stands for one option.

        Such instances are read, solved and written in C++. :meth:`parse` and :meth:`unparse` must do the same for them.
        """
        return None

    def frame(self) -> Hashable:
        """Return the part of the parameters that instances must share to share one problem; by default all of them."""
        return self

    def problem(self, stop: Stop | None = None) -> Problem:
        """Return the problem of this instance: all items and options, and the givens.

        Raises
        ------
        ProblemError
            If the items and options break the rules of a :class:`Problem`, or there are too many of them.
        StoppedError
            If `stop` ends the call before the problem is built; or if the problem takes more than a quarter of the
            free memory, or than 4 GiB. If `stop` has a memory limit, it may take half of the free memory.
        """
        began, parts = time.monotonic(), Parts(type(self).__name__, InnerStop(make_stop(stop=stop)))
        try:
            parts.stop.poll()
            primary = self.primary()
            problem = Problem(
                parts.read_options(self.options()),
                primary=None if primary is None else parts.read("primary", primary),
                secondary=parts.read("secondary", self.secondary()),
                multiplicity=parts.follow("multiplicity", self.multiplicity()),
                costs=parts.follow("costs", self.costs()),
                soft=parts.follow("soft", self.soft()),
                preferred=parts.read("preferred", self.preferred()),
                impossible=self.impossible(),
                reduce=self.reduces(),
                symmetries=_LazySymmetries(self, "symmetries"),
                symmetries_complete=self.symmetries_complete,
                rotations=_LazySymmetries(self, "rotations") if defines(self, "rotations") else None,
                givens=parts.read("givens", self.givens()),
                rules=parts.read("rules", self.rules()),
            )
            problem.vocabulary = self
            problem.build_seconds = time.monotonic() - began
            return problem
        except ProblemError as error:
            error.place = error.place or parts.place
            raise
        except Stopped as stopped:
            place = parts.place if stopped.status is Status.MEMORY else ""
            raise StoppedError(stopped.status, place=place) from None
        except OverflowError as error:
            raise ProblemError("the problem with these parameters is too large", place=parts.place) from error

    # Shortcuts for this instance.

    def solve(self, *, timeout: float | None = None, stop: Stop | None = None, **keywords: Any) -> Search:
        """Search for solutions of this instance; parameters as for :meth:`Problem.solve`.

        The timeout includes the time for building the problem.

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
        """Return the diagram of all solutions of this instance; parameters as for :meth:`Problem.diagram`.

        Examples
        --------
        >>> from problems import Queens
        >>> Queens(n=6).diagram().count
        4
        """
        stop = make_stop(timeout, stop)
        return self.problem(stop).diagram(stop=stop, **keywords)

    def explain(self, *, timeout: float | None = None, stop: Stop | None = None, **keywords: Any) -> Explanation:
        """Explain why this instance has one solution, several or none; parameters as for :func:`exactcover.explain`.

        Examples
        --------
        >>> from problems import Queens
        >>> Queens(n=4, placed=((1, 1),)).explain().count
        0
        """
        stop = make_stop(timeout, stop)
        from exactcover.analysis.explain import explain  # slow to import

        return explain(self.problem(stop), stop=stop, **keywords)


class Paintable(Encoder):
    """The base class of encoders whose board and pieces can be painted in ``exactcover studio``.

    Such an encoder has the parameters `board` (a list of rows, or of layers), `pieces` (a mapping from names to
    drawings), `copies` (a mapping from names to a number, [low, high] or any), `placed` (a list of labels as text),
    `rotate` and `reflect`. docs/families.md describes the drawings.
    """

    painted_on: ClassVar[Literal["", "squares", "hexagons", "triangles", "cubes", "spheres"]] = ""
    """The kind of cells; empty if the board cannot be painted."""

    @classmethod
    @abstractmethod
    def piece_sets(cls) -> Sequence[str]:
        """Return the names of sets of pieces."""

    @classmethod
    @abstractmethod
    def draw_pieces(cls, reference: str) -> Mapping[str, str]:
        """Return the drawings of the pieces of a set, by name.

        Raises
        ------
        ParameterError
            If there is no such set.
        """

    def piece_of(self, label: Any) -> str:
        """Return the name of the piece that an option places: by default its attribute `piece`."""
        return str(label.piece)

    @abstractmethod
    def paint(self) -> Mapping[str, Any] | None:
        """Return the parameters as drawings: board, pieces, copies, placed, rotate and reflect.

        A piece that a drawing would change, such as a one-sided one, stays a reference. `drawings` contains drawings of
        all pieces. The result is None if drawings cannot express the puzzle.
        """


@dataclass(frozen=True)
class _LazySymmetries(Iterable[StatedSymmetry]):
    """Symmetries that are made when they are needed."""

    encoder: Encoder
    method: Literal["symmetries", "rotations"]

    @property
    def place(self) -> str:
        """The class and the method, for messages."""
        return f"{type(self.encoder).__name__}.{self.method}()"

    def __iter__(self) -> Iterator[StatedSymmetry]:
        for symmetry in getattr(self.encoder, self.method)():
            if not isinstance(symmetry, Mapping | Symmetry):
                expected = "a map of items, or a Symmetry"
                raise ProblemError(f"got {show_value(symmetry)}; expected {expected}", place=self.place)
            yield symmetry


def defines(encoder: Encoder, method: str) -> bool:
    """Return whether an encoder's class overrides a method of the base class, or has one that the base class lacks."""
    return getattr(type(encoder), method, None) is not getattr(Encoder, method, None)
