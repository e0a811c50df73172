"""Deductions: what follows from a position without guessing, the simplest first, and how hard a puzzle is by them.

An item that must be covered is a truth: one of its options holds. An item that must not be covered again is a link: its
options exclude each other. Each deduction is a few truths and links that settle some options. A position is a set of
options that may still hold, as the bits of a whole number; so a look at an item is a single operation on numbers.

References
----------
J. Espasa, I. P. Gent, R. Hoffmann, C. Jefferson, A. M. Lynch, "Using small MUSes to explain how to solve pen and paper
puzzles", arXiv 2104.15040, 2021.

A. Barker, "Truths and links in Sudoku", 2008.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from operator import itemgetter
from typing import Any

from exactcover.algorithm_x import Item, Label
from exactcover.control.stop import Stop, Stopped, make_stop
from exactcover.errors import ProblemError, StoppedError
from exactcover.model.model import Model
from exactcover.pictures.text import format_count, make_table
from exactcover.reasons.position import Balance, Broken, Finding, Position, RuleLook, Sets, ShortError, list_bits
from exactcover.reasons.proof import proves
from exactcover.rules import Element, Fault
from exactcover.search.reasons import describe_reason
from exactcover.steps.step import restrict

MOST_OPTIONS = 20_000
"""The most options of a problem for which steps are found: each has a set of those that it excludes."""
_SUBSETS = (2, 3, 4)  # sizes; a larger one has a smaller counterpart nearly always
_RULE_DIFFICULTY = 2.5
_WEIGHTS_DIFFICULTY = 8.0  # nearly every chain is simpler, and found sooner
_MOST_LISTED = 4  # names in a sentence
_MOST_LINKS = 3  # that are told as a cause; more of them explain nothing to a reader


class StepKind(Enum):
    """The kinds of deductions, from the simplest on.

    ``LAST``: an item has no more options than it needs. ``BLOCK``: an option would leave an item with too few options.
    ``RULE``: an option would break a rule about a graph. ``SUBSET``: as many items as are limited by others take all
    that these allow. ``CHAIN``: an option would force others, until an item has too few options or a rule is broken.
    ``WEIGHTS``: an option would leave items with weights, such as an odd number of cells, that no other options fill.
    """

    LAST = "last"
    BLOCK = "block"
    RULE = "rule"
    SUBSET = "subset"
    CHAIN = "chain"
    WEIGHTS = "weights"


@dataclass(frozen=True)
class StepLevel:
    """A range of the difficulty of the hardest step of a puzzle, without its end; and the hardest kind of steps."""

    least: float = 0.0
    end: float = math.inf
    kind: StepKind = StepKind.WEIGHTS

    def allows(self, difficulty: float) -> bool:
        """Return whether this may be the difficulty of the hardest step; never if a guess is needed."""
        return self.least <= difficulty < self.end


LEVELS = {
    "easy": StepLevel(1.0, 1.6),
    "medium": StepLevel(1.6, 3.0),
    "hard": StepLevel(3.0, 5.0),
    "expert": StepLevel(5.0),
}
"""The levels of puzzles by name."""


@dataclass(frozen=True)
class Deduction:
    """A deduction: options that must be chosen, or that cannot be, and why; made by :meth:`Problem.next_step`.

    Attributes
    ----------
    kind
        The kind.
    chosen, excluded
        The labels of options that every solution contains, and of options that none contains. One of them is empty.
    truths
        The items that must be covered, on which it rests.
    links
        The items that must not be covered again, on which it rests.
    chain
        Of a chain: what the first of the excluded options would force, one after another, each with the truth that has
        no other option left. Then a rule is broken, or the last of the truths is left with too few options.
    fault
        Of a rule that would be broken: how, and the elements of the rule that would be on, or off for good.
    balance
        Of weights: those of the truths, which prove that nothing is left to fill them.
    holders
        For each truth, the labels of the options that it has left.
    difficulty
        From 1 on; see :class:`SolvingPath`.
    name
        The name that the technique has among those who solve such puzzles; empty for none.
    sentence
        The deduction in words.
    """

    kind: StepKind
    chosen: tuple[Label, ...] = ()
    excluded: tuple[Label, ...] = ()
    truths: tuple[Item, ...] = ()
    links: tuple[Item, ...] = ()
    chain: tuple[tuple[Label, Item], ...] = ()
    holders: tuple[tuple[Label, ...], ...] = ()
    fault: Fault | None = None
    balance: Balance | None = None
    difficulty: float = 1.0
    name: str = ""
    sentence: str = field(default="", compare=False)

    @property
    def size(self) -> int:
        """The number of options that the truths have left, all together."""
        return sum(map(len, self.holders))

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class SolvingPath:
    """The easiest way through a puzzle, by the simplest deductions; made by :meth:`Problem.solve_by_steps`.

    Difficulties have one scale for all puzzles: 1 for a last option, 2 for a block, 2.5 for a rule that is broken,
    k + 1 for a subset of k items, 3 + log2(n / 2) for a chain of items with n options, and 8 for weights. Where a
    family knows techniques by name, it states theirs.

    Attributes
    ----------
    deductions
        The deductions in order, without simple ones that settle nothing that people see.
    solution
        The labels of the solution; None if it is not reached.
    left
        How many options are undecided at the end; only of those that people see, if there are any.
    reason
        Why there is no solution; None if that is not known.
    """

    deductions: tuple[Deduction, ...]
    solution: tuple[Label, ...] | None
    left: int = 0
    reason: str | None = None

    @property
    def hardest(self) -> float:
        """The greatest difficulty; 0 without a deduction, and infinite if the solution needs a guess."""
        if self.solution is None:
            return math.inf
        return max((one.difficulty for one in self.deductions), default=0.0)

    @property
    def mean(self) -> float:
        """The mean of the difficulties; 0 without a deduction."""
        return sum(one.difficulty for one in self.deductions) / max(1, len(self.deductions))

    def _repr_html_(self) -> str:
        rows = [(f"{number}: {one.difficulty:g}", one.sentence) for number, one in enumerate(self.deductions, 1)]
        hardest = "needs a guess" if self.solution is None else f"hardest: {self.hardest:g}"
        return make_table(f"{format_count(len(rows), 'step')}, {self.reason or hardest}", rows)


class DeductionFinder:
    """Finds the deductions of a problem, one position after another; its givens are chosen.

    `sets` are those of a problem with the same items and options, which saves the time to make them. A ``ShortError``
    says that givens exclude each other, or are excluded.
    """

    def __init__(self, problem: Model, stop: Stop | None = None, sets: Sets | None = None) -> None:
        if len(problem.matrix) > MOST_OPTIONS:
            found = format_count(len(problem.matrix), "option")
            raise ProblemError(f"steps are for problems of at most {MOST_OPTIONS:,} options; this one has {found}")
        self._problem = problem
        self._numbers = {item: number for number, item in enumerate(problem.items)}
        givens, excluded = problem.given_positions, problem.excluded_positions
        self._broken: dict[Deduction, BrokenRule] = {}
        self._made: dict[Hashable, Deduction] = {}  # most of them are found over and over until they are taken
        self._position = Position(sets or Sets(problem, stop), givens, excluded, make_stop(stop=stop))
        for option in givens:
            if not self._position.chosen >> option & 1:
                raise ShortError(problem.matrix.option(option)[0][0])

    @property
    def left(self) -> int:
        """The number of options that are undecided; only of those that are shown, if there are any."""
        alive = self._position.alive
        return (alive & self._position.sets.shown or alive).bit_count()

    @property
    def chosen(self) -> tuple[Label, ...]:
        """The labels of the options that are chosen."""
        return self._labels(list_bits(self._position.chosen))

    def is_open(self, label: Label) -> bool:
        """Return whether an option is undecided."""
        return bool(self._position.alive >> self._problem.position(label) & 1)

    @property
    def is_solved(self) -> bool:
        """True if everything is covered, and no option is undecided."""
        return not self._position.open and not self._position.alive

    def find(self, level: StepLevel = StepLevel()) -> list[Deduction]:
        """Return the simplest deductions of the position, which are equally difficult; none beyond a level.

        A ``ShortError`` says that an item is left with too few options.
        """
        position, kinds = self._position, list(StepKind)
        self._check_rules()
        searches: list[tuple[StepKind, float, Callable[[], Iterable[Finding | Deduction]]]] = [
            (StepKind.LAST, 1.0, position.find_last),
            (StepKind.BLOCK, 2.0, position.find_blocks),
            (StepKind.RULE, _RULE_DIFFICULTY, self._find_broken),
            *((StepKind.SUBSET, size + 1.0, partial(position.find_subsets, size)) for size in _SUBSETS),
            (StepKind.CHAIN, 4.0, position.find_chains),
            (StepKind.WEIGHTS, _WEIGHTS_DIFFICULTY, position.find_weights),
        ]
        found: list[Deduction] = []
        least = math.inf
        self._broken = {}
        for kind, difficulty, search in sorted(searches, key=itemgetter(1)):
            if difficulty >= min(least, level.end) or kinds.index(kind) > kinds.index(level.kind):
                break
            found += [one if isinstance(one, Deduction) else self._make(kind, difficulty, one) for one in search()]
            least = min([least, *(one.difficulty for one in found)])
        return [one for one in found if one.difficulty == least < level.end]

    def _check_rules(self) -> None:
        position = self._position
        if position.alive and position.keeps_rules():
            return
        for look in position.sets.rules:  # what is solved is checked by the definition in any case
            for fault in look.find_faults(position.chosen, position.alive):
                raise ShortError(-1, fault.describe(_find_words(self._problem)[0]))

    def _find_broken(self) -> list[Deduction]:
        """Return the deductions by rules about graphs."""
        rules = self._position.sets.rules
        options = [trial.option for trial in self._position.try_options(())] if rules else []
        for look in rules:
            for broken in find_broken(self._position, look, options):
                excluded = self._labels(self._prefer_shown(broken.options))
                deduction = Deduction(StepKind.RULE, excluded=excluded, fault=broken.fault, difficulty=_RULE_DIFFICULTY)
                self._broken[deduction] = broken
        return list(self._broken)

    def take(self, deduction: Deduction) -> bool:
        """Take the conclusion of a deduction; return whether it settles anything."""
        number, before = self._problem.position, self._position.alive
        if deduction.excluded:
            self._position.exclude(map(number, deduction.excluded))
        if deduction.chosen:
            self._position.choose(map(number, deduction.chosen))
        return self._position.alive != before

    def is_silent(self, deduction: Deduction) -> bool:
        """Return whether a deduction is simple, and settles no option that is shown."""
        position, settled, number = self._position, 0, self._problem.position
        if deduction.kind not in (StepKind.LAST, StepKind.BLOCK) or not position.alive & ~position.sets.shown:
            return False
        for option in map(number, deduction.chosen):
            settled |= position.alive & ~position.after(option)[1]
        for option in map(number, deduction.excluded):
            settled |= 1 << option
        return not settled & position.sets.shown

    def explain(self, deduction: Deduction) -> Deduction:
        """Return a deduction of this position, proved once more, with its links, what it forces, and its sentence."""
        position, labels, items = self._position, self._problem.labels, self._problem.items
        if deduction in self._broken:
            broken_rule = self._broken[deduction]
            if not proves_broken(position, broken_rule):
                raise AssertionError(f"this does not follow from the rule: {deduction}")
            return replace(deduction, sentence=self._describe(deduction, broken_rule.element))
        options = [self._problem.position(label) for label in (*deduction.chosen, *deduction.excluded)]
        truths, links = ([self._numbers[item] for item in own] for own in (deduction.truths, deduction.links))
        chain: tuple[tuple[Label, Item], ...] = ()
        broken: Broken | None = None
        if deduction.kind in (StepKind.BLOCK, StepKind.CHAIN):
            links = sorted(set[int]().union(*(position.find_links(option, truths) for option in options)))
            forced, _, broken = position.refute(options[0], truths)
            chain = tuple((labels[option], items[truth]) for option, truth in forced)
        finding = Finding(options, truths, links, broken, deduction.balance)
        if not proves(position, finding, chooses=bool(deduction.chosen)):
            raise AssertionError(f"this does not follow from {deduction.truths} and {deduction.links}: {deduction}")
        explained = replace(deduction, links=tuple(items[link] for link in links), chain=chain)
        return replace(explained, sentence=self._describe(explained))

    def _describe(self, deduction: Deduction, element: Element | None = None) -> str:
        """Return a deduction as a sentence; an element alone may break a rule."""
        words = self._problem.vocabulary
        shown = words is None or all(map(words.is_shown, deduction.chosen))
        return _describe(deduction, *_find_words(self._problem), element, shown=shown)

    def _prefer_shown(self, options: Sequence[int]) -> list[int]:
        """Return the options that are shown, of which alone a step speaks; all, if there are none."""
        shown = self._position.sets.shown
        return [option for option in options if shown >> option & 1] or [*options]

    def _make(self, kind: StepKind, difficulty: float, finding: Finding) -> Deduction:
        if kind is not StepKind.LAST:
            finding = finding._replace(options=self._prefer_shown(finding.options))
        options, truths, links, broken, _ = finding
        masks = [self._position.held([item]) for item in truths]
        key = kind, *map(tuple, (options, truths, links, masks)), broken and broken.fault
        made = self._position.sets.known if kind is StepKind.LAST else self._made
        if key not in made:
            made[key] = self._make_new(kind, difficulty, finding, masks)
        return made[key]

    def _make_new(self, kind: StepKind, difficulty: float, finding: Finding, masks: Sequence[int]) -> Deduction:
        items, options = self._problem.items, self._labels(finding.options)
        if kind is StepKind.CHAIN:
            difficulty = 3 + math.log2(sum(map(int.bit_count, masks)) / 2)
        deduction = Deduction(
            kind,
            chosen=options if kind is StepKind.LAST else (),
            excluded=() if kind is StepKind.LAST else options,
            truths=tuple(items[item] for item in finding.truths),
            links=tuple(items[item] for item in finding.links),
            holders=tuple(self._labels(list_bits(mask)) for mask in masks),
            fault=finding.broken.fault if finding.broken else None,
            balance=finding.balance,
            difficulty=round(difficulty, 2),
        )
        vocabulary = self._problem.vocabulary
        named = None if vocabulary is None else vocabulary.name_technique(deduction)
        return deduction if named is None else replace(deduction, name=named[0], difficulty=round(named[1], 2))

    def _labels(self, options: Iterable[int]) -> tuple[Label, ...]:
        return tuple([self._problem.labels[option] for option in options])


def solve_by_deductions(
    problem: Model,
    stop: Stop | None = None,
    *,
    most: float = math.inf,
    level: StepLevel = StepLevel(),
    explain: bool = True,
    sets: Sets | None = None,
) -> SolvingPath:
    """Return the easiest way through; see :meth:`Problem.solve_by_steps`.

    It looks for `most` deductions of a level. If they are to `explain`, they are proved again, and have sentences.
    `sets` are as for :class:`DeductionFinder`.
    """
    found: list[Deduction] = []
    if problem.impossible is not None:
        return SolvingPath((), None, 0, problem.impossible)
    try:
        finder = DeductionFinder(problem, stop, sets)
        while len(found) < most and (simplest := finder.find(level)):
            if silent := [one for one in simplest if finder.is_silent(one)]:
                simplest = silent
            elif explain:
                simplest = [finder.explain(one) for one in simplest[: 1 if most == 1 else None]]
            for one in simplest:  # what settles nothing more, or nothing more that is shown, is left out
                is_told = not finder.is_silent(one)
                if finder.take(one) and is_told:
                    found.append(one)
    except ShortError as short:
        return SolvingPath(tuple(found), None, 0, short.text or _explain_shortage(problem, short.item))
    except Stopped as stopped:
        raise StoppedError(stopped.status) from None
    return SolvingPath(tuple(found), finder.chosen if finder.is_solved else None, finder.left)


def _explain_shortage(problem: Model, item: int) -> str:
    """Return why there is no solution: givens that clash, or else an item that is left with too few options."""
    given = problem.given_positions
    clash = restrict(problem.matrix, given, set(problem.excluded_positions)).reason
    if clash is not None:
        return describe_reason(problem, clash, given)
    return f"too little is left for {_find_words(problem)[0](problem.items[item])}"


def _find_words(problem: Model) -> tuple[Callable[[Any], str], Callable[[Label], str]]:
    """Return what puts items, and options, into words."""
    words = problem.vocabulary
    return (str, str) if words is None else (words.describe, words.describe_option)


def _describe(
    deduction: Deduction,
    name: Callable[[Any], str],
    say: Callable[[Label], str],
    element: Element | None,
    *,
    shown: bool,
) -> str:
    """Return a deduction as a sentence; `name` puts items and elements into words, and `say` options.

    If an option that is chosen is not `shown`, it may be about another item than the truth, which its name begins with.
    """
    truths, links = [name(item) for item in deduction.truths], [*dict.fromkeys(map(name, deduction.links))]
    chosen, excluded = ([say(label) for label in labels] for labels in (deduction.chosen, deduction.excluded))
    fault = "" if deduction.fault is None else deduction.fault.describe(name)
    match deduction.kind:
        case StepKind.LAST if len(chosen) == 1 and not (shown or chosen[0].startswith(f"{truths[0]}: ")):
            text = f"{chosen[0]} is all that is left, because of {truths[0]}"
        case StepKind.LAST if len(chosen) == 1:
            text = f"only {chosen[0].removeprefix(f'{truths[0]}: ')} is left for {truths[0]}"
        case StepKind.LAST:
            text = f"all that is left for {truths[0]} is needed: {_list(chosen)}"
        case StepKind.BLOCK:
            text = f"too little would be left for {truths[0]} if {_list(excluded, 'or')}"
            links = [link for link in links if not any(_names_cell(one, link) for one in excluded)]
            if 0 < len(links) <= _MOST_LINKS:
                text += f", because of {_list(links)}"
        case StepKind.RULE:
            what = _list(excluded, "or") if element is None else name(element)
            text = f"{what} would break the rule: {fault}"
        case StepKind.SUBSET:
            text = f"{_list(truths)} need all of {_list(links)}, which excludes {_list(excluded)}"
        case StepKind.CHAIN:
            forced = [f"{say(label)} for {name(item)}" for label, item in deduction.chain]
            then = f"{_list(forced, most=len(forced))} must follow, and " if forced else ""
            end = fault or f"too little is left for {truths[-1]}"
            text = f"suppose {excluded[0]}: then {then}{end}"
            if excluded[1:]:
                text += f"; the same items exclude {_list(excluded[1:])}"
        case StepKind.WEIGHTS:
            assert deduction.balance is not None
            text = f"suppose {excluded[0]}: then {_describe_balance(deduction.balance, truths)}"
    text = f"{deduction.name}: {text}." if deduction.name else f"{text}."
    return text[:1].upper() + text[1:]


def _names_cell(option: str, item: str) -> bool:
    """Return whether the words of an option say that it is about an item, as `r1c1=3` and `nothing on r1c1` do."""
    return re.search(rf"(^|\s){re.escape(item)}(=|:|$)", option) is not None


def _describe_balance(balance: Balance, truths: Sequence[str]) -> str:
    """Return weights in words, with the names of the truths that have them."""
    weights, modulus, total = balance
    if modulus == 2:
        return f"each option left covers an even number of {_list(truths)}, of which an odd number must be covered"
    by_weight: dict[int, list[str]] = {}
    for weight, name in sorted(zip(weights, truths, strict=True), key=itemgetter(0)):
        by_weight.setdefault(weight, []).append(name)
    weighed = [f"{_list(names)} weigh{'s' * (len(names) == 1)} {weight:,}" for weight, names in by_weight.items()]
    each = "0" if modulus == 0 else f"a multiple of {modulus:,}"
    return f"{'; '.join(weighed)}: each option left weighs {each}, but all that must be covered weighs {total:,}"


def _list(names: Sequence[str], word: str = "and", most: int = _MOST_LISTED) -> str:
    if len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most:,} more"]
    return f"{', '.join(names[:-1])} {word} {names[-1]}" if len(names) > 1 else names[0]


@dataclass(frozen=True)
class BrokenRule:
    """Options, by number, each of which would break a rule in the same way; none if the rule is broken already.

    The element would do so alone, because all else that the fault names holds already; it may be None.
    """

    options: tuple[int, ...]
    look: RuleLook
    fault: Fault
    element: Element | None


def find_broken(position: Position, look: RuleLook, options: Iterable[int]) -> Iterator[BrokenRule]:
    """Yield what would break a rule; options with the same consequences come together.

    Each of the options would break some rule.
    """
    alive, chosen, stop = position.alive, position.chosen, position.stop
    now = look.find_elements(chosen), look.find_elements(chosen | alive)
    groups: dict[tuple[tuple[Element, ...], ...], list[int]] = {}
    for option in options:
        after, left = position.after(option)
        effect = look.find_elements(after), look.find_elements(after | left)
        if effect != now:
            groups.setdefault(effect, []).append(option)
    found: dict[Fault, set[int]] = {}
    for (lit, possible), alike in groups.items():
        stop.poll()
        for fault in look.stated.rule.find_faults(lit, possible)[:1]:
            found.setdefault(fault, set()).update(alike)
    for fault, broken in found.items():
        new = [element for element in fault.because if element not in now[0]]
        is_alone = len(new) == 1 and not {*fault.missing} & {*now[1]}
        if is_alone:
            broken.update(list_bits(look.find_switches(new[0]) & alive))
        yield BrokenRule(tuple(sorted(broken)), look, fault, new[0] if is_alone else None)


def proves_broken(position: Position, broken: BrokenRule) -> bool:
    """Return whether what a fault names breaks the rule by itself, and holds once any of the options is chosen."""
    for option in broken.options:
        chosen, left = position.after(option)
        if not broken.look.stated.is_broken_by(broken.fault, list_bits(chosen), list_bits(chosen | left)):
            return False
    return True
