"""The goal of a search, the options that say how to reach it, and the rules of what can be asked for together.

Goals and options are values, validated when they are made. What is asked for are *features*: options of a search that
differ from the default, goals, observers, and flags. One table of rules is for Python, flags, keys of files and the
reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from fractions import Fraction
from types import NoneType
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_type_hints

from annotated_types import Ge, Le

from exactcover.control.arguments import check_instance, read_fields, read_whole, to_exact


@dataclass(frozen=True)
class Rule:
    """Features, by name, of which none can be combined with any of others."""

    features: tuple[str, ...]
    others: tuple[str, ...]
    why: str  # a clause


def _rule(features: str, others: str, why: str) -> Rule:
    return Rule(tuple(features.split()), tuple(others.split()), why)


_PLANS = "cheapest most within best_effort keep"
_LISTS = "limit all count diagram"
_LOGS = "search_log shape"
_WATCHES = f"{_LOGS} profile stats"

RULES: tuple[Rule, ...] = (
    _rule("all", f"limit {_PLANS}", "a search has one goal"),
    _rule("limit", _PLANS, "a search has one goal, and cheapest says how many solutions are wanted"),
    _rule("most", "cheapest", "a search has one goal"),
    _rule("most", "keep", "the fewest changes are wanted; state negative costs, and the price of a change"),
    _rule("most", "merge", "of options with the same items, the cheapest one is kept"),
    _rule("most", "certificate", "a certificate is about least costs"),
    _rule("best_effort", "count", "a count leaves nothing open"),
    _rule("best_effort", "gap within", "these are about costs, and what stays open comes before costs"),
    _rule(
        "restarts",
        f"several all count diagram {_PLANS} distinct",
        "a search with restarts finds one solution of any cost",
    ),
    _rule("gap", f"{_LISTS} many_cheapest within differing", "a gap is for one solution of least cost"),
    _rule("differing", f"{_LISTS} within", "solutions that differ are for the cheapest ones, as many as are wanted"),
    _rule(_PLANS, "seed jobs", "one thread searches for the cheapest solutions, in the order of cost"),
    _rule(_PLANS, "symmetry distinct", "the cheapest solutions are searched for one by one"),
    _rule("differing within", f"{_LOGS} profile", "several searches find these solutions"),
    _rule("restarts", "jobs", "a search with restarts uses one thread"),
    _rule("restarts", "leftmost function", "a search with restarts learns where to branch"),
    _rule("weighted", "jobs", "this heuristic learns from earlier failures, so one thread searches"),
    _rule("nodes", "jobs", "one thread keeps a limit on nodes"),
    _rule("profile stats", "jobs", "one thread counts the nodes of each level"),
    _rule(_LOGS, "restarts distinct", "a search log shows one tree"),
    _rule("symmetry", f"function nodes restarts {_WATCHES}", "symmetry divides a search"),
    _rule("symmetry", "distinct", "symmetry finds all solutions, and distinct finds one of each class"),
    _rule("diagram", "distinct symmetry reduce", "a diagram contains all solutions of the problem"),
    _rule(
        "project",
        f"{_PLANS} diagram distinct symmetry restarts weighted leftmost function jobs nodes strategy memory "
        f"{_WATCHES} certificate store",
        "a projection is searched for in a way of its own",
    ),
    _rule("merge", "distinct", "merged options have no symmetries"),
    _rule(
        "certificate",
        f"engine weighted leftmost jobs nodes reduce restarts seed store {_WATCHES}",
        "what is certified is searched for in a way of its own",
    ),
    _rule("certificate", "differing", "a certificate is about the cheapest solutions of all"),
    _rule("distinct", "certificate_of_list", "it lists all solutions"),
    _rule("gap differing", "any_cost", "these are for the cheapest solutions (see --cheapest)"),
    _rule(
        "distinct best_effort keep differing soft merge certificate store strategy "
        f"engine jobs nodes leftmost weighted reduce symmetry {_LOGS}",
        "known_solutions",
        "nothing is searched for",
    ),
    _rule("seed restarts given without project", "list_of_known", "they are listed as stated (see exactcover sample)"),
    _rule(
        "store",
        f"weighted leftmost nodes strategy distinct output output_format {_WATCHES}",
        "a run searches in a way of its own",
    ),
    _rule("search_log", "shape", "a search is recorded once"),
    _rule("puzzle_only", "limit nodes heuristics start distinct", "the page shows nothing but the puzzle"),
    _rule("repair", "prices price_of", "a repair is for a problem without a solution"),
    _rule("steps", "prices price_of", "steps say nothing of costs"),
    _rule("quiet", "verbose", "one prints less, and the other more"),
)
"""The rules about features that exclude each other."""

_PAIRS = [(feature, other, rule.why) for rule in RULES for feature in rule.features for other in rule.others]

NEEDS: Mapping[str, tuple[str, ...]] = {
    "change": ("keep",),
    "link": ("paper",),
    "log_levels": ("search_log", "shape"),
    "log_nodes": ("search_log", "shape"),
    "log_sample": ("log_levels",),
    "margin": ("paper",),
}
"""Flags that apply only with one of others."""

_KNOWN = "a target that holds all solutions"
_WORDS = {
    "all": ("all solutions", "--all"),
    "any_cost": ("a search for solutions of any cost",) * 2,
    "certificate_of_list": ("a certificate of a list",) * 2,
    "cheapest": ("the cheapest solutions", "--cheapest"),
    "count": ("a count", ""),
    "diagram": ("a diagram", ""),
    "differing": ("differing", "--differ-in"),
    "function": ("a function as heuristic", "--heuristic"),
    "heuristics": ("heuristics", "--heuristic"),
    "known_solutions": (_KNOWN, _KNOWN),
    "keep": ("an earlier solution", "--keep"),
    "leftmost": ("the heuristic leftmost", "--heuristic leftmost"),
    "list_of_known": (_KNOWN, _KNOWN),
    "limit": ("a limit", "--limit"),
    "many_cheapest": ("several of the cheapest solutions", "--cheapest, or --most, above 1"),
    "most": ("the solutions of highest cost", "--most"),
    "memory": ("memory", ""),  # the flag limits the process
    "output_format": ("format", "--format"),
    "profile": ("a profile", "--stats"),
    "quiet": ("quiet", "-q"),
    "search_log": ("a search log", "--search-log"),
    "several": ("a limit above 1", "--limit above 1"),
    "verbose": ("verbose", "-v"),
    "weighted": ("the heuristic weighted", "--heuristic weighted"),
}


def name_feature(feature: str) -> str:
    """Return a feature in words.

    Examples
    --------
    >>> name_feature("jobs"), name_feature("search_log")
    ('jobs', 'a search log')
    """
    return _WORDS[feature][0] if feature in _WORDS else feature


def name_flag(feature: str) -> str:
    """Return the flag that asks for a feature.

    Examples
    --------
    >>> name_flag("log_nodes"), name_flag("differing")
    ('--log-nodes', '--differ-in')
    """
    return _WORDS[feature][1] if feature in _WORDS else f"--{feature.replace('_', '-')}"


def name_key(feature: str) -> str:
    """Return the key, or the entry, of the section `search` of a file that asks for a feature.

    Examples
    --------
    >>> name_key("jobs"), name_key("weighted")
    ('jobs', 'heuristic: weighted')
    """
    if feature in ("leftmost", "weighted"):
        return f"heuristic: {feature}"
    return f"find: {feature}" if feature in ("all", "count") else "limit" if feature == "several" else feature


def list_features(values: Mapping[str, Any]) -> list[str]:
    """Return the features that arguments or flags ask for; what is as usual, or absent, asks for none.

    Examples
    --------
    >>> list_features({"jobs": 1, "seed": 0, "limit": 3, "heuristic": "leftmost", "engine": None})
    ['seed', 'limit', 'several', 'leftmost']
    """
    return [feature for name, value in values.items() for feature in _find_features(name, value)]


def _find_features(name: str, value: Any) -> Iterator[str]:
    if value is None or value is False or value == () or (name in _USUAL and value == _USUAL[name]):
        return
    if name == "heuristic":
        yield "function" if callable(value) else value
        return
    yield name
    if name in ("limit", "cheapest", "most") and value > 1:
        yield "several" if name == "limit" else "many_cheapest"


class ClashError(ValueError):
    """Features cannot be combined, or one lacks all of those that it needs.

    `others` is the other feature alone; or, if something is needed, the features of which one would do, and `why` is
    empty.
    """

    def __init__(self, feature: str, others: tuple[str, ...], why: str = "") -> None:
        super().__init__(feature, others, why)  # as pickles need
        self.feature, self.others, self.why = feature, others, why

    def __str__(self) -> str:
        return self.describe()

    def describe(self, name: Callable[[str], str] = name_feature) -> str:
        """Return the fault as a sentence, in which `name` names features.

        Examples
        --------
        >>> ClashError("margin", ("paper",)).describe(name_flag)
        '--margin needs --paper'
        """
        if not self.why:
            return f"{name(self.feature)} needs {' or '.join(map(name, self.others))}"
        return f"{name(self.feature)} cannot be combined with {name(self.others[0])}: {self.why}"


def find_clash(present: Collection[str]) -> ClashError | None:
    """Return the first clash among features, in the order of the table; None if they can be combined.

    Examples
    --------
    >>> find_clash(["seed", "jobs"])
    >>> find_clash(["jobs", "nodes"])
    ClashError('nodes', ('jobs',), 'one thread keeps a limit on nodes')
    """
    for feature, other, why in _PAIRS if present else ():
        if feature in present and other in present:
            return ClashError(feature, (other,), why)
    for feature, needed in NEEDS.items():
        if feature in present and not any(one in present for one in needed):
            return ClashError(feature, needed)
    return None


def check_features(values: Mapping[str, Any]) -> None:
    """Raise :class:`ClashError` if arguments cannot be combined."""
    clash = find_clash(list_features(values))
    if clash is not None:
        raise clash


_MARGIN = re.compile(r"\s*([0-9]{1,100}(?:\.[0-9]{1,100})?)\s*(%?)\s*")


@dataclass(frozen=True)
class Margin:
    """An amount of cost, or a share of a cost.

    Attributes
    ----------
    amount
        The amount, or the number of percent.
    percent
        Whether it is a share.

    Examples
    --------
    >>> str(Margin(Decimal("2.5"), percent=True)), str(Margin(3))
    ('2.5%', '3')
    """

    amount: int | Decimal
    percent: bool = False

    def __post_init__(self) -> None:
        read_fields(self)

    def __str__(self) -> str:
        return f"{Decimal(self.amount):f}{'%' if self.percent else ''}"

    def find_units(self, cost: int, units: int) -> int:
        """Return the margin of a cost in units, of which that many make a cost of 1; rounded down.

        Examples
        --------
        >>> Margin(3).find_units(50, 10), Margin(1, percent=True).find_units(250, 1)
        (30, 2)
        """
        return int(Fraction(self.amount) * (Fraction(abs(cost), 100) if self.percent else units))


def make_margin(value: Margin | float | Decimal | str) -> Margin:
    """Return the margin that a number, or a text such as ``"1%"``, states.

    Raise ``ValueError`` if it is neither, or negative, or has more than 100 digits before or after the point.

    Examples
    --------
    >>> make_margin("1.5%"), make_margin(10)
    (Margin(amount=Decimal('1.5'), percent=True), Margin(amount=Decimal('10'), percent=False))
    """
    if isinstance(value, Margin):
        return value
    text: Any = value if isinstance(value, str) else to_exact(value)
    if isinstance(text, Decimal) and text.is_finite() and abs(text.adjusted()) < 100:
        text = f"{text:f}"
    found = _MARGIN.fullmatch(str(text)[:300])
    if found is None:
        raise ValueError(f"expected an amount of cost or a percentage, such as 20 or 1.5%; got {str(value)[:60]!r}")
    return Margin(Decimal(found[1]), percent=bool(found[2]))


Heuristic: TypeAlias = Literal["mrv", "leftmost", "weighted"]
"""The rule that picks the item to branch on: the one with the fewest options left (minimum remaining values), the first
in the order of the problem, or the one with the fewest options, where ties go to the item that most often ran out of
options."""

HeuristicFunction: TypeAlias = Callable[[Any], Any]
"""A heuristic as a function: it gets a mapping from each item that is left to its options, as a sequence of positions,
and returns one of these items."""

Strategy: TypeAlias = Literal["auto", "search", "sweep", "memo"]
"""The strategy of the engine `diagram`: to visit every solution, a sweep over the items, a search with a memo, or the
one of these that finishes first."""

Distinct: TypeAlias = bool | Literal["rotations"]
"""False for all solutions; True for one of each class under all symmetries, ``"rotations"`` under rotations alone."""

GoalKind: TypeAlias = Literal["first", "all", "count", "cheapest", "diagram"]

_MAX_CHEAPEST = 1 << 40  # more solutions than fit into memory; engines count in 64 bits
MOST_NODES = 10**15
"""The largest limit on the nodes of a search."""

_MAX_MEMORY = (1 << 63) - 1  # bytes; native code counts them in 64 bits


@dataclass(frozen=True)
class Goal:
    """The goal of a search: the first N solutions, all of them, their number, the N cheapest, or a diagram.

    Parameters
    ----------
    kind
        Which of these goals.
    number
        N, at least 1, for ``"first"`` and ``"cheapest"``; None for the other kinds, and for all solutions within a
        margin.
    gap
        For one cheapest solution: by how much another one may be cheaper than the one that is delivered, so that the
        search may end sooner. A share is one of the cost of that solution. None for the cheapest one.
    within
        For ``"cheapest"``: by how much a solution may cost more than the cheapest one to be wanted, too. None for any
        cost.
    maximize
        For ``"cheapest"``: whether the solutions of highest cost are wanted in place of the cheapest.

    Raises
    ------
    ValueError
        If there is no such kind; `kind` is ``"first"`` or ``"cheapest"`` and `number` is not a whole number of at
        least 1; it is another kind, and `number`, `gap` or `within` is not None, or `maximize` is true; or
        `gap` is not None, and more than one solution is wanted.

    Examples
    --------
    >>> Goal("cheapest", 3)
    Goal(kind='cheapest', number=3, gap=None, within=None, maximize=False)
    """

    kind: GoalKind
    number: int | None = None
    gap: Margin | None = None
    within: Margin | None = None
    maximize: bool = False

    def __post_init__(self) -> None:
        if self.kind not in get_args(GoalKind):
            raise ValueError(f"there is no goal called {self.kind!r} (available: {', '.join(get_args(GoalKind))})")
        if self.kind not in ("first", "cheapest"):
            if self.number is not None:
                raise ValueError(f"the goal {self.kind!r} has no number; got {self.number!r}")
        elif self.number is not None or self.within is None:
            object.__setattr__(self, "number", read_whole("number", self.number, 1, f" for the goal {self.kind!r}"))
        self._check_margins()

    def _check_margins(self) -> None:
        for name, margin in (("gap", self.gap), ("within", self.within)):
            check_instance(name, margin, (Margin, NoneType), "a Margin or None")
            if margin is not None and self.kind != "cheapest":
                raise ValueError(f"{name} is for the cheapest solutions, and the goal is {self.kind!r}")
        check_instance("maximize", self.maximize, bool, "True or False")
        if self.maximize and self.kind != "cheapest":
            raise ValueError(f"maximize is for the solutions of highest cost, and the goal is {self.kind!r}")
        if self.gap is not None and (self.number != 1 or self.within is not None):
            raise ValueError("a gap is for one solution of least cost")

    @property
    def limit(self) -> int | None:
        """The number of solutions after which the search ends; None if it looks for all."""
        return self.number if self.kind == "first" else None

    @property
    def cheapest(self) -> int | None:
        """The number of cheapest solutions that are wanted; None if costs do not matter."""
        return min(self.number or _MAX_CHEAPEST, _MAX_CHEAPEST) if self.kind == "cheapest" else None

    @property
    def lists(self) -> bool:
        """True if solutions are delivered one by one."""
        return self.kind in ("first", "all", "cheapest")

    def describe(self) -> str:
        """Return the goal in words, as an imperative.

        Examples
        --------
        >>> Goal("first", 3).describe(), Goal("cheapest", 1).describe()
        ('list the first 3 solutions', 'find the solution of least cost')
        >>> Goal("cheapest", within=Margin(3)).describe()
        'find all solutions that cost at most 3 more than the cheapest one'
        """
        number = self.number or 0
        if self.within is not None:
            which = f"at most {number:,} of the" if number else "all"
            than = "less than the dearest" if self.maximize else "more than the cheapest"
            return f"find {which} solutions that cost at most {self.within} {than} one"
        extreme = "highest" if self.maximize else "least"
        return {
            "count": "count all solutions",
            "all": "list all solutions",
            "first": "list the first solution" if number == 1 else f"list the first {number:,} solutions",
            "cheapest": f"find the {'solution' if number == 1 else f'{number:,} solutions'} of {extreme} cost",
            "diagram": "build the diagram of all solutions",
        }[self.kind]


ALL, COUNT, DIAGRAM = Goal("all"), Goal("count"), Goal("diagram")


@dataclass(frozen=True)
class OptionFacts:
    """Facts about an option of a search, besides its name, type and default."""

    about: str = ""  # the help of its flag; empty if it has none
    in_files: bool = False  # whether it is a key of the section `search` of a configuration
    of_engine: bool = False  # whether it changes what an engine does, which must support every value but the default
    kind: Any = None  # the type of what flags and files may say, or None for the type of the option


def _option(default: Any, about: str = "", **facts: Any) -> Any:
    """Return a field with its default and its facts."""
    return field(default=default, metadata={"facts": OptionFacts(about, **facts)})


@dataclass(frozen=True)
class SearchOptions:
    """Options of a search. They affect the time that it takes, and may affect the order of solutions.

    Of these options, only `distinct` affects which solutions there are.

    Attributes
    ----------
    engine
        The name of an engine, or ``"auto"``.
    heuristic
        The uncovered item to branch on: ``"mrv"``, the one with the fewest options left, where ties go to the first;
        ``"leftmost"``, the first; ``"weighted"``, the one with the fewest, where ties go to the item that failed most
        often. With ``"leftmost"``, solutions come in lexicographic order of the options that cover the first item, the
        second item, and so on. For experiments with the engine ``"sets"``, it may be a function. It is called at every
        node with a mapping from each item that is left, in order, to a tuple with the positions of its options, and
        returns the item to branch on. If it returns anything else, the search ends with a ``ValueError``.
    jobs
        The number of threads that search; the solutions and their order stay the same.
    reduce
        Whether to remove options and items that no solution needs before the search. If it is None, a listing does
        not do so, so that its order does not depend on the clock; a search for the cheapest solutions does; and a count
        does so with what takes it long.
    seed
        None for the fixed order; a number for a random order that depends only on that number.
    nodes
        The number of nodes after which to stop, or None. Unlike a timeout, this limit always leads to the same
        solutions, on every machine, because nothing depends on the clock; so symmetries and weights are not tried. The
        search may end a few nodes later, where choices are forced. If several ways take turns, their nodes are added
        up, and a turn is always finished.
    restarts
        Whether to look for one solution of a hard problem in one random order after another, with growing budgets; the
        orders depend on `seed`, and ties go to the item that most often ran out of options.
    distinct
        Whether to deliver only one of the solutions that are equal up to the symmetries of the problem. Symmetries
        that do not map the givens and the exclusions to themselves do not count. With ``"rotations"``, only rotations
        count, so mirror images are two solutions.
    strategy
        The way the engine ``"diagram"`` counts: ``"search"``, ``"sweep"``, ``"memo"``, or ``"auto"`` for the one that
        finishes first.
    memory
        About the largest number of bytes that this engine may hold; None for half of the free memory. With too little
        memory, it stores fewer counts of subproblems and takes longer.
    symmetry
        Whether to search for one of several solutions that symmetries exchange, and derive the others. If it
        is None, a count does so where it pays, unless it is asked to count in a certain way, and a listing does not.

    Raises
    ------
    ValueError
        If a value is not valid, or two values cannot be combined.

    Examples
    --------
    >>> SearchOptions(jobs=0)
    Traceback (most recent call last):
    ...
    ValueError: jobs must be at least 1; got 0
    """

    engine: str = _option(
        "auto", "Search with this engine; auto chooses one, and exactcover --version -v lists them.", in_files=True
    )
    heuristic: Heuristic | HeuristicFunction = _option(
        "mrv",
        "Which item to branch on: the one with the fewest options, with ties going to the first (mrv) or to the one "
        "that most often ran out of options (weighted); or always the first (leftmost).",
        in_files=True,
        of_engine=True,
        kind=Heuristic,
    )
    jobs: Annotated[int, Ge(1), Le(1024)] = _option(
        1, "Search with N threads. The results stay the same.", in_files=True, of_engine=True
    )
    reduce: bool | None = _option(
        None,
        "Always, or never, remove unneeded options and items before the search. By default, the program decides.",
        in_files=True,
    )
    seed: int | None = _option(None, "Seed for random choices. The same seed gives the same result.", in_files=True)
    nodes: Annotated[int | None, Ge(1), Le(MOST_NODES)] = _option(
        None, "Stop after about N nodes of the search, on every machine at the same one.", in_files=True, of_engine=True
    )
    restarts: bool = _option(
        False,
        "Find one solution by a search that restarts repeatedly, each time in a new random order, and favors the items "
        "that most often ran out of options.",
        in_files=True,
        of_engine=True,
    )
    distinct: Distinct = _option(
        False,
        "Treat solutions that differ only by a symmetry as one. Without a value, this means all symmetries; with "
        "rotations, mirror images count as different.",
    )
    strategy: Strategy = _option(
        "auto",
        "How to count: visit every solution (search), process the items in order (sweep), search with stored counts "
        "(memo), or run all of these until one finishes (auto).",
        of_engine=True,
    )
    memory: Annotated[int | None, Ge(1), Le(_MAX_MEMORY)] = _option(None, of_engine=True)
    symmetry: bool | None = _option(
        None,
        "Always, or never, search for one of several solutions that symmetries exchange, and derive the others. By "
        "default, count decides, and solve does not.",
        in_files=True,
    )

    def __post_init__(self) -> None:
        try:
            read_fields(self)
        except TypeError as error:
            raise ValueError(*error.args) from None
        check_features(vars(self))

    @property
    def named_heuristic(self) -> Heuristic:
        """The heuristic by name; the default in place of a function, which engines that do not support it never get."""
        return "mrv" if callable(self.heuristic) else self.heuristic


_KINDS = get_type_hints(SearchOptions, include_extras=True)

_USUAL = {"output_format": "text", **{option.name: option.default for option in fields(SearchOptions)}}
"""The usual values of options and flags."""

OPTIONS: dict[str, OptionFacts] = {option.name: option.metadata["facts"] for option in fields(SearchOptions)}
"""The options by name. Flags, keys of configurations, and what is asked of engines are made from this table."""


def find_kind(name: str) -> Any:
    """Return the type of what flags and files may say of an option, with its bounds."""
    return OPTIONS[name].kind or _KINDS[name]


DEFAULTS = SearchOptions()
"""Default options."""
