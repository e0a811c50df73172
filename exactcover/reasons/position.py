"""Positions: the options that may still be in a solution, and what follows from them.

A set of options is a whole number with one bit for each. So a look at an item is a single operation on numbers, and all
that an option excludes is excluded at once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence, Sized
from functools import cached_property, reduce
from itertools import combinations, groupby
from operator import attrgetter, or_
from typing import Any, NamedTuple

from exactcover.control.stop import Stop, make_stop
from exactcover.errors import EngineUnavailableError
from exactcover.model.matrix import native
from exactcover.model.model import Model
from exactcover.rules import Element, Fault, MatrixRule
from exactcover.search.reasons import describe_weights
from exactcover.steps.step import find_kept, restrict
from exactcover.steps.weights import find_weights

_MOST_SHRUNK = 24  # refutations, of which that with the fewest options is looked for
_MOST_WEIGHED = 1 << 16  # options times entries, for which weights are looked for
_MOST_ADDED = 1 << 18  # numbers, in a search for weights after one option
_MOST_MODULUS = 1 << 20  # of weights that say anything to a reader


class ShortError(Exception):
    """An item, by number, is left with too few options, or a rule is broken, so there is no solution.

    A text says how a rule is broken. It never leaves the package.
    """

    def __init__(self, item: int, text: str = "") -> None:
        super().__init__(item)
        self.item, self.text = item, text


class Broken(NamedTuple):
    """A rule about a graph, and what breaks it."""

    look: RuleLook
    fault: Fault


class Balance(NamedTuple):
    """Weights of truths that add up to 0 in each option that is left, but not in all that must be covered.

    The weights of an option add up to a multiple of the modulus, or to 0 if that is 0. The total is the sum of the
    weights of all that must be covered once the option is chosen.
    """

    weights: tuple[int, ...]
    modulus: int
    total: int


class Finding(NamedTuple):
    """Options that are settled, and the truths and links that settle them; all by number.

    If the truths force what breaks a rule about a graph, this is `broken`. If weights of them prove that there is no
    solution with the option, these are `balance`.
    """

    options: list[int]
    truths: list[int]
    links: list[int]
    broken: Broken | None = None
    balance: Balance | None = None


def list_bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the options in a set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class RuleLook:
    """A rule, as it is `stated`, whose elements are turned on by options, which are the bits of whole numbers."""

    def __init__(self, stated: MatrixRule) -> None:
        self.stated = stated
        switches = zip(stated.rule.switches, stated.switches, strict=True)
        self._masks = {element: sum(1 << option for option in options) for element, options in switches}
        self._lit = [element for k, element in enumerate(stated.rule.switches) if k in stated.lit]

    def find_elements(self, options: int) -> tuple[Element, ...]:
        """Return the elements that are on if these options are chosen."""
        return (*self._lit, *(element for element, mask in self._masks.items() if mask & options))

    def find_switches(self, element: Element) -> int:
        """Return the options that turn on an element."""
        return self._masks[element]

    def find_faults(self, chosen: int, possible: int) -> list[Fault]:
        """Return what breaks the rule if these options are chosen, and these may be."""
        return self.stated.rule.find_faults(self.find_elements(chosen), self.find_elements(chosen | possible))


class Sets:
    """A problem as sets of options, for one thread at a time."""

    def __init__(self, problem: Model, stop: Stop | None = None) -> None:
        matrix, stop = problem.matrix, make_stop(stop=stop)
        self.matrix = matrix
        self.rows: list[list[int]] = []  # the items of each option; one that it covers several times occurs once
        # For each item the options that cover it, then those that cover it at least twice, and so on.
        self.layers: list[list[int]] = [[0] for _ in range(matrix.items)]
        self._colors: list[dict[int, int]] = [{} for _ in range(matrix.items)]
        for option, row in enumerate(matrix.list_options()):
            stop.poll()  # an option may cover an item very often
            self._add(option, row)
        self.low, self.high = matrix.list_bounds()  # soft items count as others do: a solution leaves nothing open
        totals = [sum(map(int.bit_count, layers)) for layers in self.layers]
        # Whether an item may be covered several times, but not by all of its options.
        self.counted = [1 != high < total for high, total in zip(self.high, totals, strict=True)]
        self.is_counted = any(self.counted)
        self.rules = [*map(RuleLook, matrix.rules)]
        words, labels = problem.vocabulary, problem.labels
        self.shown = sum(1 << option for option, label in enumerate(labels) if words is None or words.is_shown(label))
        self.known: dict[Hashable, Any] = {}  # last options of any position, which are found over and over
        self._rivals: dict[int, int] = {}
        self._links: dict[int, list[int]] = {}
        self._entered: tuple[int, int] | None = None

    @cached_property
    def trials(self) -> native.Trials:
        """The trials of the position that was entered last."""
        if native is None:
            raise EngineUnavailableError("steps need the native module, which is not installed")
        from exactcover.engines.native import make_trials  # needs the native module

        return make_trials(self.matrix)

    def enter(self, alive: int, chosen: int) -> None:
        """Let trials begin in a position."""
        if self._entered != (alive, chosen):
            self.trials.enter(*(some.to_bytes(len(self.rows) // 8 + 1, "little") for some in (alive, chosen)))
            self._entered = alive, chosen

    def _add(self, option: int, row: Sequence[tuple[int, int]]) -> None:
        bit, times = 1 << option, Counter(item for item, _ in row)
        self.rows.append(list(times))
        for item, number in times.items():
            layers = self.layers[item]
            layers += [0] * (number - len(layers))
            for k in range(number):
                layers[k] |= bit
        for item, color in row:
            if color:
                self._colors[item][color] = self._colors[item].get(color, 0) | bit

    def rivals(self, option: int) -> int:
        """Return the options that exclude an option and are excluded by it, whatever else is chosen."""
        if option not in self._rivals:
            found = 0
            for item, color in self.matrix.option(option):
                if self.high[item] == 1:
                    found |= self.layers[item][0] & ~(self._colors[item].get(color, 0) if color else 0)
            self._rivals[option] = found & ~(1 << option)
        return self._rivals[option]

    def links(self, option: int) -> list[int]:
        """Return the items of an option that no two options can cover, not even in one color."""
        if option not in self._links:
            self._links[option] = [
                item for item in self.rows[option] if self.high[item] == 1 and not self._colors[item]
            ]
        return self._links[option]

    def covers(self, item: int, options: int) -> int:
        """Return how often some options cover an item."""
        layers = self.layers[item]
        if len(layers) == 1:
            return (layers[0] & options).bit_count()
        return sum((layer & options).bit_count() for layer in layers)


class Trial(NamedTuple):
    """The refutation of an option: choosing it leads to a contradiction."""

    option: int
    waves: int  # how often it was looked what follows
    taken: list[tuple[int, int]]  # options, each with the truth that has no other option left; -1 for the first
    short: int  # the truth that is left with too few options; -1 if a rule about a graph is broken


class Position:
    """The options that are chosen, and those that may still be, as sets."""

    def __init__(self, sets: Sets, chosen: Iterable[int], excluded: Iterable[int], stop: Stop) -> None:
        self.sets, self.stop = sets, stop
        self.alive, self.chosen = (1 << len(sets.matrix)) - 1, 0
        for item, layers in enumerate(sets.layers):
            if sets.high[item] < len(layers):  # some options alone cover it too often
                self.alive &= ~layers[sets.high[item]]
        self.open = [item for item, low in enumerate(sets.low) if low]
        self._fruitless: dict[int, int] = {}  # the options left when a search for subsets, by size, found nothing
        self.exclude(excluded)
        self.choose(chosen)

    def choose(self, options: Iterable[int]) -> None:
        """Choose those of some options that are not excluded; of two that exclude each other, the first one."""
        sets, done = self.sets, set[int]()
        for option in options:
            if self.alive >> option & 1:
                killed, self.chosen = self._find_killed(option, self.alive, self.chosen)
                self.alive &= ~killed
                done.update(item for item in sets.rows[option] if sets.covers(item, self.chosen) >= sets.low[item])
        self.open = [item for item in self.open if item not in done]

    def exclude(self, options: Iterable[int]) -> None:
        """Exclude options."""
        for option in options:
            self.alive &= ~(1 << option)

    def after(self, option: int) -> tuple[int, int]:
        """Return the options that are chosen, and those left, if an option is chosen, too."""
        killed, chosen = self._find_killed(option, self.alive, self.chosen)
        return chosen, self.alive & ~killed

    def _find_killed(self, option: int, alive: int, chosen: int) -> tuple[int, int]:
        """Return the options that a choice takes or excludes, and those that are chosen then."""
        sets = self.sets
        killed, chosen = (sets.rivals(option) | 1 << option) & alive, chosen | 1 << option
        for item in sets.rows[option] if sets.is_counted else ():
            if sets.counted[item]:
                room, layers = sets.high[item] - sets.covers(item, chosen), sets.layers[item]
                if room < len(layers):
                    killed |= layers[max(0, room)] & alive
        return killed, chosen

    def held(self, items: Iterable[int]) -> int:
        """Return the options left that cover any of some items."""
        found, layers = 0, self.sets.layers
        for item in items:  # asked most often of all
            found |= layers[item][0]
        return found & self.alive

    # -- trials -------------------------------------------------------------------------------------

    def try_options(self, truths: Iterable[int], options: Sequence[int] | None = None) -> list[Trial]:
        """Return how options left, or some, lead to a contradiction by these truths alone, and by rules, if they do.

        Of truths that are short at the same time, that with the fewest options counts.
        """
        sets = self.sets
        sets.enter(self.alive, self.chosen)
        return [Trial(*found) for found in sets.trials.refute(self._rank(truths), options, self.stop.poll)]

    def _rank(self, truths: Iterable[int]) -> list[int]:
        """Return truths in the order in which one that is short counts."""
        layers = self.sets.layers
        return sorted(truths, key=lambda item: (len(layers[item]) > 1, (layers[item][0] & self.alive).bit_count()))

    def keeps_rules(self) -> bool:
        """Return whether no rule about a graph is broken."""
        self.sets.enter(self.alive, self.chosen)
        return self.sets.trials.rules_hold()

    def _replay(self, trial: Trial) -> tuple[list[int], int, int]:
        """Return what each choice of a trial takes or excludes, and the options that are left and chosen then."""
        alive, chosen, killed = self.alive, self.chosen, list[int]()
        for option, _ in trial.taken:
            gone, chosen = self._find_killed(option, alive, chosen)
            alive &= ~gone
            killed.append(gone)
        return killed, alive, chosen

    def _find_broken(self, trial: Trial) -> Broken | None:
        """Return the rule that a trial breaks, and how; None if a truth is short."""
        if trial.short >= 0:
            return None
        _, alive, chosen = self._replay(trial)
        return next(
            (Broken(look, fault) for look in self.sets.rules for fault in look.find_faults(chosen, alive)), None
        )

    def refute(self, option: int, truths: Collection[int]) -> tuple[list[tuple[int, int]], int, Broken | None]:
        """Return what an option forces by these truths, each with its truth, and how that ends.

        It ends with a truth that is left with too little, else -1, or with a rule that is broken. A ``ValueError`` says
        that the option leads to no contradiction by these truths alone.
        """
        for trial in self.try_options(truths, [option]):
            return trial.taken[1:], trial.short, self._find_broken(trial)
        raise ValueError(f"option {option} is not refuted by {truths}")

    def find_links(self, option: int, truths: Collection[int]) -> set[int]:
        """Return the items by which an option, and what it forces, exclude others of these truths or of a rule."""
        (trial,) = self.try_options(truths, [option])
        matter, broken = self.held(truths), self._find_broken(trial)
        if broken is not None:  # what would turn on what the rule misses
            matter |= reduce(or_, map(broken.look.find_switches, broken.fault.missing), 0) & self.alive
        killed, _, _ = self._replay(trial)
        pairs = zip(trial.taken, killed, strict=True)
        return set().union(*(self._list_exclusive(one, gone & matter) for (one, _), gone in pairs))

    def _list_exclusive(self, option: int, others: int) -> set[int]:
        """Return the items by which an option excludes others."""
        sets, found, colors = self.sets, set[int](), dict(self.sets.matrix.option(option))
        for other in list_bits(others & ~(1 << option)):
            shared = [(item, color) for item, color in sets.matrix.option(other) if item in colors]
            strict = [item for item, color in shared if sets.high[item] == 1 and not (color and color == colors[item])]
            found.update(strict[:1] or [item for item, _ in shared if sets.counted[item]])
        return found

    # -- what follows -------------------------------------------------------------------------------

    def find_last(self) -> Iterator[Finding]:
        """Yield options that must be chosen, because a truth can do without none of them.

        A ``ShortError`` says that an item is left with too few options.
        """
        sets, possible = self.sets, self.alive | self.chosen
        for item in self.open:
            layers, low = sets.layers[item], sets.low[item]
            covers = (layers[0] & possible).bit_count() if len(layers) == 1 else sets.covers(item, possible)
            slack = covers - low
            if slack < 0:
                raise ShortError(item)
            if slack < len(layers) and layers[slack] & self.alive:
                yield Finding(list(list_bits(layers[slack] & self.alive)), [item], [])

    def find_blocks(self) -> Iterator[Finding]:
        """Yield options that would leave a truth with too few options, although it has more than it needs."""
        sets, found, possible = self.sets, dict[int, list[int]](), self.alive | self.chosen
        free = [item for item in self.open if sets.covers(item, possible) > sets.low[item]]
        quick = [] if sets.is_counted else [item for item in free if sets.low[item] == 1]
        for item in self._list_changed(1, quick):
            own, lost = sets.layers[item][0] & self.alive, self.alive & ~sets.layers[item][0]
            for option in list_bits(own):
                lost &= sets.rivals(option)
                if not lost:
                    break
            if lost:
                found[item] = list(list_bits(lost))
        others = [item for item in free if sets.is_counted or sets.low[item] > 1]
        for trial in self.try_options(others) if others else ():
            if trial.waves == 1 and trial.short >= 0:
                found.setdefault(trial.short, []).append(trial.option)
        self._note_end(1, found)
        for item in sorted(found):
            yield Finding(found[item], [item], [])

    def _list_changed(self, size: int, items: Iterable[int]) -> list[int]:
        """Return the items that have lost options since a search found nothing: only these lead to anything new."""
        lost = self._fruitless[size] & ~self.alive if size in self._fruitless else None
        return [item for item in items if lost is None or self.sets.layers[item][0] & lost]

    def _note_end(self, size: int, found: Sized) -> None:
        self._fruitless.pop(size, None)
        if not found:
            self._fruitless[size] = self.alive

    def find_subsets(self, size: int) -> list[Finding]:
        """Return options outside of `size` truths that need all of as many links.

        One of the truths has options in each of the links. If all had two options, a chain would find the same.
        """
        sets, found = self.sets, dict[tuple[tuple[int, ...], tuple[int, ...]], Finding]()
        single = [item for item in self.open if sets.low[item] == 1 and len(sets.layers[item]) == 1]
        held = {item: mask for item in single if (mask := sets.layers[item][0] & self.alive).bit_count() > 1}
        changed = dict.fromkeys(self._list_changed(size, held))
        for first, own in held.items() if changed else ():
            self.stop.poll()
            links = {link for option in list_bits(own) for link in sets.links(option) if link != first}
            width = max(((sets.layers[link][0] & own).bit_count() for link in links), default=0)
            if not size <= own.bit_count() <= size * width:
                continue
            others = self.alive & ~(reduce(or_, map(sets.rivals, list_bits(own))) & ~own)
            if first not in changed and all(held[item] & others for item in changed):
                continue
            near = [(item, mask) for item, mask in held.items() if not mask & others]
            if len(near) < size - 1:
                continue
            shared = reduce(or_, (mask for _, mask in near), 0)
            covers = self._find_covers(first, own, size, shared, width)
            for key in dict.fromkeys(tuple(sorted(cover)) for cover in covers):
                room = self.held(key)
                beside = self.alive & ~room
                inside = [pair for pair in near if not pair[1] & beside and pair[0] not in key]
                for some in combinations(inside, size - 1):
                    masks = [own, *(mask for _, mask in some)]
                    taken = reduce(or_, masks)
                    if room & ~taken and taken.bit_count() == sum(map(int.bit_count, masks)):
                        truths = tuple(sorted([first, *(item for item, _ in some)]))
                        found[truths, key] = Finding(list(list_bits(room & ~taken)), list(truths), list(key))
        self._note_end(size, found)
        return list(found.values())

    def _find_covers(self, truth: int, own: int, size: int, shared: int, width: int) -> Iterator[tuple[int, ...]]:
        """Yield so many links that hold all of some options of a truth.

        Each holds some options that those before it do not, `width` at most, and some of `shared`.
        """
        layers = self.sets.layers
        for link in self.sets.links((own & -own).bit_length() - 1):
            rest = own & ~layers[link][0]
            if link == truth or bool(rest) != (size > 1) or not layers[link][0] & shared:
                continue
            if size == 1:
                yield (link,)
            elif rest.bit_count() <= (size - 1) * width:
                yield from ((link, *more) for more in self._find_covers(truth, rest, size - 1, shared, width))

    def find_chains(self) -> Iterator[Finding]:
        """Yield options that force others until a truth is short or a rule is broken; the shortest ways found."""
        found, fewest = list[tuple[int, int, list[int]]](), math.inf
        trials = sorted(self.try_options(self.open), key=attrgetter("waves"))
        for waves, some in groupby(trials, attrgetter("waves")):
            if 2 * (waves - 1) >= fewest:  # each wave uses at least one more truth, which has two options
                break
            for trial in some:
                truths = self._find_used(trial)
                holders = sum((self.sets.layers[item][0] & self.alive).bit_count() for item in truths)
                found.append((holders, trial.option, truths))
            fewest = min(found)[0]
        self.stop.poll()
        shrunk: dict[tuple[tuple[int, ...], Broken | None], Finding] = {}
        for _, option, truths in sorted(found)[:_MOST_SHRUNK]:
            key = tuple(self._shrink(option, truths))
            forced, short, broken = self.refute(option, key)
            used = dict.fromkeys(truth for _, truth in forced if truth != short)
            finding = Finding([], [*used, *([] if broken else [short])], [], broken)
            shrunk.setdefault((key, broken), finding).options.append(option)
        yield from shrunk.values()

    def _find_used(self, trial: Trial) -> list[int]:
        """Return the truths that the contradiction of a trial rests on: why each lost the options that it lost."""
        if trial.short < 0:  # all that may matter
            return [*dict.fromkeys(truth for _, truth in trial.taken[1:])]
        killed, _, _ = self._replay(trial)
        used, truths, todo = {0}, [trial.short], [(len(trial.taken), trial.short)]
        while todo:
            end, item = todo.pop()
            lost = self.held([item])
            for place in range(end):  # each option is taken or excluded by one of them alone
                gone = killed[place] & lost & ~(1 << trial.taken[place][0])
                if not gone:
                    continue
                for one in [place, *self._find_helpers(trial, place, gone)]:
                    if one not in used:
                        used.add(one)
                        truths.append(trial.taken[one][1])
                        todo.append((one, trial.taken[one][1]))
            todo.sort()
        return list(dict.fromkeys(truths))

    def _find_helpers(self, trial: Trial, place: int, gone: int) -> list[int]:
        """Return the earlier choices that count as well, since items which allow several are full only with them."""
        sets, option = self.sets, trial.taken[place][0]
        if not sets.is_counted or not gone & ~sets.rivals(option):
            return []
        items = {item for item in sets.rows[option] if sets.counted[item]}
        return [one for one in range(place) if not items.isdisjoint(sets.rows[trial.taken[one][0]])]

    def _shrink(self, option: int, truths: Sequence[int]) -> list[int]:
        """Return truths by which an option leads to a contradiction, of which none can be left out."""
        self.sets.enter(self.alive, self.chosen)
        return sorted(self.sets.trials.shrink(option, self._rank(truths), truths[::-1], self.stop.poll))

    def find_weights(self) -> Iterator[Finding]:
        """Yield options after which weights prove that what is left has no solution, with the fewest weights found.

        They are looked for in small positions, but not where options cover items several times, nor with rules about
        graphs, where they hardly help. A ``ShortError`` says that weights prove that there is no solution in any case.
        """
        matrix, possible = self.sets.matrix, self.alive | self.chosen
        if matrix.weighted or matrix.rules:
            return
        excluded = {*list_bits(~possible & ((1 << len(matrix)) - 1))}
        left = restrict(matrix, list_bits(self.chosen), excluded)
        if (whole := find_weights(left.matrix, _MOST_ADDED, self.stop)) is not None:
            raise ShortError(-1, describe_weights(whole))
        if len(left.matrix) * len(left.matrix.entries) > _MOST_WEIGHED:
            return
        options = find_kept(left.lift, len(left.matrix))
        found = list[tuple[int, list[int], Balance]]()
        for place, option in enumerate(options):
            after = restrict(left.matrix, [place], ()).matrix
            weights = find_weights(after, _MOST_ADDED, self.stop)
            if weights is not None and weights.modulus <= _MOST_MODULUS:
                balance = Balance(tuple(weights.weights.values()), weights.modulus, weights.total)
                found.append((option, [*map(after.origin, weights.weights)], balance))
        fewest = min((len(truths) for _, truths, _ in found), default=0)
        for option, truths, balance in found:
            if len(truths) == fewest:
                killed, _ = self._find_killed(option, self.alive, self.chosen)
                links = self._list_exclusive(option, killed & self.held(truths))
                yield Finding([option], truths, sorted(links), balance=balance)
