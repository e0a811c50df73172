"""Check a certificate: ``python check.py FILE [BYTES]``. This file needs nothing but Python's standard library.

A certificate states a problem, makes a claim about its solutions, and proves it step by step. Of all that, the checker
believes the problem, nothing else: it works out by itself which options are live, that the children of a branch are all
that there can be, and that symmetries, weights and prices are what they must be. docs/certificates.md has the rules.
The exit status is 0 if the claim is certified, 1 if it is not, 2 if the file cannot be read, and 3 if there is not
enough memory: the process may grow by BYTES, by default half of the memory of the machine. Only a status with its words
is a verdict, since Python itself ends with status 1 if it fails.
"""

import copy
import hashlib
import json
import os
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from functools import reduce
from itertools import chain, islice
from operator import or_
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple, TypeVar

FORMAT = "exactcover certificate 3"
SOLUTION, PRUNED, UNRECORDED, FIRST_ITEM = range(4)  # nodes of a tree
SMALL = 64  # live options of a subtree that is not recorded
PLAIN = {"search", "drop", "weights"}  # rules that hold for lists, costs and classes, too
MERGING = {"sweep", "memo"}  # for numbers of solutions alone, and of those that a symmetry keeps
COUNTING = MERGING | {"parts", "symmetry", "cases", "orbits", "force", "keep", "same", "clauses"}  # for numbers alone
LISTING = {"clauses", "prices", "dear", "slack", "pair", "option", "branch"}  # for lists and costs
BY_ITEM, BY_CLAUSE, BY_CLAUSE_LAST = range(3)  # what a hint names; the clause of the last kind is not named again
MAX_FRAMES = 25_000  # of calls within each other: two for each of the steps below each other
MAX_PLACES = 1000  # decimal places of costs
MAX_DIGITS = 100_000  # of a number
MAX_RATIO, ALWAYS_READ = 100, 1 << 22  # JSON that is larger than that many bytes must not be packed better than that
MAX_SHOWN, MAX_LETTERS = 5, 60  # names of options in a verdict; and letters of a name
Images = tuple[int, ...]  # of the options under a permutation
Step = dict[str, Any]
T = TypeVar("T", bound=Hashable)


class NotCertifiedError(Exception):
    """Raised if a certificate does not prove what it claims."""


class UnreadableError(ValueError):
    """Raised if a file is not in the form of a certificate; says why."""


class State(NamedTuple):
    """What is left when some options are chosen."""

    live: int  # the options that can still be chosen, as the bits of a number
    needs: tuple[tuple[int, int], ...]  # how many more options must cover each primary item, and may cover it
    value: int  # the sum of the values of the options chosen
    chosen: int = 0  # the options that are chosen, as bits; 0 without rules, so that equal states can be merged


class Pricing(NamedTuple):
    """Prices of items, whose sum over the items of an option is at most its cost."""

    prices: dict[int, int]  # of items, in parts of a unit of cost
    scale: int  # how many parts are a unit
    rest: list[int]  # what each option costs, less the prices of its items
    most: int  # the largest number of primary items of an option


def require(condition: object, message: str) -> None:
    """Raise an error unless the condition is true."""
    if not condition:
        raise NotCertifiedError(message)


def is_between(least: int, numbers: Iterable[object], most: int | None) -> bool:
    """Return whether all are whole numbers within bounds."""
    return all(type(one) is int and least <= one and (most is None or one <= most) for one in numbers)


def members(bits: int) -> Iterator[int]:
    """Yield the members of a set in ascending order."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def read_numbers(data: Iterable[int]) -> Iterator[int]:
    """Yield numbers written in groups of seven bits, the lowest first."""
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        require(shift <= 63, "a number in a tree is too large")
        if byte < 128:
            yield number
            number = shift = 0
    require(not shift, "a number in a tree is cut off")


def find_orbit(first: T, find_images: Callable[[T], list[T]]) -> list[T]:
    """Return all that can be reached."""
    orbit = {first: None}
    waiting = [first]
    for one in waiting:
        new = [image for image in find_images(one) if image not in orbit]
        orbit.update(dict.fromkeys(new))
        waiting += dict.fromkeys(new)
    return list(orbit)


def find_orbit_of_option(option: int, maps: list[Images]) -> list[int]:
    """Return the options to which permutations move an option."""
    return find_orbit(option, lambda one: [images[one] for images in maps])


def find_parts(edges: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return a name of the connected part of each vertex of some edges."""
    parent: dict[int, int] = {}

    def find(vertex: int) -> int:
        while parent.setdefault(vertex, vertex) != vertex:
            parent[vertex] = vertex = parent[parent[vertex]]
        return vertex

    for a, b in edges:
        parent[find(a)] = find(b)
    return {vertex: find(vertex) for vertex in [*parent]}


class GraphRule:
    """A rule about edges or vertices. One is on if any option among its switches is chosen."""

    def __init__(self, stated: Step, options: int) -> None:
        self.kind, keys = stated["rule"], {"rule", "elements", "switches"}
        more = {"loop": {"or_none"}, "paths": {"ends"}, "regions": {"neighbors", "sizes", "weights"}}
        require(self.kind in more, f"there is no rule called {show(self.kind)}")
        require(stated.keys() == keys | more[self.kind], "a rule does not have the keys of its kind")
        self.elements = [(a, b) for a, b in stated["elements"]]  # edges, or pairs of a vertex and a color
        valid = is_between(0, chain.from_iterable(stated["switches"]), options - 1)
        require(valid and len(stated["switches"]) == len(self.elements), "the switches of a rule are not valid")
        self.switches = [sum({1 << option for option in some}) for some in stated["switches"]]
        self.or_none = stated.get("or_none", False)
        self.ends = [(a, b) for a, b in stated.get("ends", ())]
        self.neighbors = [(a, b) for a, b in stated.get("neighbors", ())]
        self.sizes = [(low, high) for low, high in stated.get("sizes", ())]
        self.weights: list[int] = stated.get("weights", [])
        named = [vertex for pair in self.ends for vertex in pair if vertex is not None]
        self.partners = {a: b for pair in self.ends for a, b in (pair, pair[::-1]) if a is not None}
        valid = is_between(0, [*chain.from_iterable([*self.elements, *self.neighbors]), *named, *self.weights], 1 << 30)
        valid = valid and len(set(named)) == len(named) and (self.kind != "paths" or bool(self.ends))
        valid = valid and all(is_between(0, pair if pair[1] is not None else pair[:1], None) for pair in self.sizes)
        if self.kind == "regions":
            most = len(self.weights) - 1
            valid = valid and is_between(0, (vertex for vertex, _ in self.elements), most)
            valid = valid and is_between(0, (color for _, color in self.elements), len(self.sizes) - 1)
        else:
            edges = {frozenset(edge) for edge in self.elements}
            valid = valid and len(edges) == len(self.elements) and all(len(edge) == 2 for edge in edges)
        require(valid and type(self.or_none) is bool, "a rule is not valid")

    def is_broken(self, chosen: int, live: int) -> bool:
        """Return whether the rule cannot hold, whatever live options are chosen; without any, whether it does not."""
        pairs = [*zip(self.elements, self.switches, strict=True)]
        lit, left = ([element for element, switch in pairs if switch & bits] for bits in (chosen, chosen | live))
        if self.kind != "regions":
            return self.are_edges_wrong(lit, left)
        colors = range(len(self.sizes))
        sets = ([{vertex for vertex, other in some if other == color} for color in colors] for some in (lit, left))
        return any(self.is_region_wrong(*pair) for pair in zip(*sets, self.sizes, strict=True))

    def are_edges_wrong(self, lit: list[tuple[int, int]], left: list[tuple[int, int]]) -> bool:
        """Return whether edges that are on, and those that may be, cannot form a loop or paths."""
        on, may_be = Counter(chain.from_iterable(lit)), Counter(chain.from_iterable(left))
        parts, whole = find_parts(lit), find_parts(left)
        inner = (1, 2) if any(None in pair for pair in self.ends) else (2, 2)
        bounds = {vertex: (1, 1) if vertex in self.partners else inner for vertex in [*on, *self.partners]}
        if any(on[vertex] > high or may_be[vertex] < low for vertex, (low, high) in bounds.items()):
            return True
        pieces, touched = {*parts.values()}, {whole[vertex] for vertex in on}
        loops = len(lit) - len(parts) + len(pieces)
        if self.kind == "loop":
            return len(touched) > 1 or loops > (len(pieces) == 1) or not (left or self.or_none)
        inside: dict[int, list[int]] = {piece: [] for piece in pieces}  # the ends in each piece of what is on
        for end in self.partners:
            if end in parts:
                inside[parts[end]].append(end)
        free, reached = self.ends.count((None, None)), {whole[end] for end in self.partners}
        apart = any(b is not None and whole[a] != whole[b] for a, b in self.partners.items())
        crossed = any(len(ends) > 1 and self.partners[ends[0]] != ends[1] for ends in inside.values())
        if loops or apart or crossed or (not free and touched - reached):
            return True
        if len(lit) < len(left):
            return False
        open_ends = [self.partners[ends[0]] for ends in inside.values() if len(ends) == 1]
        return any(partner is not None for partner in open_ends) or sum(not ends for ends in inside.values()) != free

    def is_region_wrong(self, lit: set[int], left: set[int], size: tuple[int, int | None]) -> bool:
        """Return whether vertices of a color, and those that may have it, cannot form a region."""
        parts = find_parts([(v, v) for v in left] + [(a, b) for a, b in self.neighbors if a in left and b in left])
        touched, low, high = {parts[vertex] for vertex in lit}, *size
        rooms = Counter[int]()
        for vertex in left:
            rooms[parts[vertex]] += self.weights[vertex]
        most = max((room for part, room in rooms.items() if not lit or part in touched), default=0)
        too_large = high is not None and sum(self.weights[vertex] for vertex in lit) > high
        return len(touched) > 1 or too_large or most < low


class Problem:
    """Items, options and what they exclude."""

    def __init__(self, stated: Step, values: list[int]) -> None:
        self.rows: list[dict[int, int]] = [dict(row) for row in stated["options"]]  # colors of items; 0 for none
        self.items, self.primary, self.values = len(stated["items"]), stated["primary"], values
        self.cycles = [[option] for option in range(len(self.rows))]  # options that are chosen together
        self.joined = [1 << option for option in range(len(self.rows))]  # the same, as bits
        self.holders, self.same = [0] * self.items, Counter[tuple[int, int]]()  # the options of an item; and of a color
        require(is_between(0, [self.primary], self.items), "the number of primary items is not valid")
        for option, row in enumerate(self.rows):
            valid = is_between(0, row, self.items - 1) and len(row) == len(stated["options"][option])
            valid = valid and is_between(0, row.values(), 1 << 30) and any(item < self.primary for item in row)
            valid = valid and not any(color for item, color in row.items() if item < self.primary)
            require(valid, f"option {option} is not valid")
            for item, color in row.items():
                self.holders[item] |= 1 << option
                self.same[item, color] += 1 << option
        self.effects: dict[int, tuple[int, list[int]]] = {}  # of options that were chosen
        self.leaders = self.holders  # the least option of each cycle of an item's options
        self.reach = self.holders  # all options of these cycles
        self.ceiling: int | None = None  # solutions that cost at least this do not matter
        self.pricing = Pricing({}, 1, values, max(map(len, self.rows), default=1))
        require(len(stated["labels"]) == len(stated["costs"]) == len(self.rows), "labels or costs are missing")
        require({*map(type, stated["items"] + stated["labels"])} <= {str}, "a name is not a text")
        require({*map(type, stated["costs"])} <= {int}, "costs are not valid")
        require(is_between(0, [stated["places"]], MAX_PLACES), "the number of decimal places is not valid")
        bounds = {item: (low, high) for item, low, high in stated["multiplicity"]}
        valid = is_between(0, bounds, self.primary - 1) and len(bounds) == len(stated["multiplicity"])
        valid = valid and all(is_between(0, pair, 1 << 31) and pair[0] <= pair[1] >= 1 for pair in bounds.values())
        require(valid, "a multiplicity is not valid")
        self.rules = [GraphRule(rule, len(self.rows)) for rule in stated.get("rules", ())]
        self.given, without = self.check_options(stated["given"]), self.check_options(stated["without"])
        live = (1 << len(self.rows)) - 1 & ~sum(1 << option for option in without)
        needs = tuple(bounds.get(item, (1, 1)) for item in range(self.primary))
        self.root: State | None = State(live, needs, 0)
        for option in self.given:
            self.root = self.root and self.choose(self.root, option)

    def check_options(self, options: list[int]) -> frozenset[int]:
        """Return options as a set; raise an error if there is no such option."""
        require(is_between(0, options, len(self.rows) - 1), "there is no such option")
        return frozenset(options)

    def check_items(self, items: Collection[int]) -> list[int]:
        """Return items; raise an error if there is no such item."""
        require(is_between(0, items, self.items - 1), "there is no such item")
        return list(items)

    def add_item(self, options: Iterable[int]) -> "Problem":
        """Return the problem with one more primary item, the last of them, in these options; later items move on."""
        more, place = copy.copy(self), self.primary
        more.effects = {}
        moved = [*range(place), *range(place + 1, self.items + 1)]
        more.rows = [{moved[item]: color for item, color in row.items()} for row in self.rows]
        for option in options:
            more.rows[option][place] = 0
        held = sum(1 << option for option in options)
        more.holders = [*self.holders[:place], held, *self.holders[place:]]
        more.same = Counter({(moved[item], color): same for (item, color), same in self.same.items()})
        more.leaders = more.reach = more.holders
        more.items, more.primary = self.items + 1, place + 1
        return more

    def add_slack(self, items: list[int]) -> "Problem":
        """Return the problem with an option for each of these items, which has no other item.

        Secondary items among them become primary, after the others; later items move on.
        """
        free = [item for item in items if item >= self.primary]
        order = [*range(self.primary), *free, *(k for k in range(self.primary, self.items) if k not in free)]
        moved = sorted(range(self.items), key=order.__getitem__)
        more, primary = copy.copy(self), self.primary + len(free)
        more.effects = {}
        more.rows = [{moved[k]: color * (moved[k] >= primary) for k, color in row.items()} for row in self.rows]
        more.rows += [{moved[item]: 0} for item in items]
        more.values = [*self.values, *[0] * len(items)]
        more.cycles = [[option] for option in range(len(more.rows))]
        more.joined = [1 << option for option in range(len(more.rows))]
        more.holders, more.same = [0] * self.items, Counter[tuple[int, int]]()
        for option, row in enumerate(more.rows):
            for item, color in row.items():
                more.holders[item] |= 1 << option
                more.same[item, color] += 1 << option
        more.leaders = more.reach = more.holders
        more.primary = primary
        more.pricing = Pricing({}, 1, more.values, max(map(len, more.rows), default=1))
        return more

    def join(self, images: Images) -> None:
        """Choose only all options of a cycle of a permutation from now on, or none of them."""
        self.cycles = [find_orbit(option, lambda one: [images[one]]) for option in range(len(self.rows))]
        self.leaders = [sum({1 << min(self.cycles[k]) for k in members(held)}) for held in self.holders]
        self.joined = [reduce(or_, (1 << one for one in cycle)) for cycle in self.cycles]
        self.reach = [reduce(or_, map(self.joined.__getitem__, members(held)), 0) for held in self.holders]

    def choose(self, state: State, option: int) -> State | None:
        """Return what is left when an option is chosen with all of its cycle; None if these exclude each other."""
        live, needs, value, chosen = state.live, list(state.needs), state.value, state.chosen
        for member in self.cycles[option]:
            if not live >> member & 1:
                return None
            compatible, items = self.effects.get(member) or self.find_effect(member)
            live &= compatible
            value += self.values[member]
            chosen |= 1 << member if self.rules else 0
            for item in items:
                low, high = needs[item]
                needs[item] = max(0, low - 1), high - 1
                if high == 1:
                    live &= ~self.holders[item]
        return State(live, tuple(needs), value, chosen)

    def find_effect(self, option: int) -> tuple[int, list[int]]:
        """Return the options that the secondary items of an option leave beside it, and its primary items."""
        compatible, items = ~(1 << option), list[int]()
        for item, color in self.rows[option].items():
            if item < self.primary:
                items.append(item)
            else:
                compatible &= ~self.holders[item] | (self.same[item, color] if color else 0)
        self.effects[option] = compatible, items
        return compatible, items

    def breaks_rules(self, state: State, *, is_over: bool = False) -> bool:
        """Return whether some rule cannot hold any more; or, if nothing more is chosen, whether it does not hold."""
        return any(rule.is_broken(state.chosen, 0 if is_over else state.live) for rule in self.rules)

    def leave_out(self, state: State, option: int) -> State:
        """Return what is left without an option and all of its cycle."""
        return State(state.live & ~self.joined[option], *state[1:])

    def bounds(self, state: State, item: int) -> tuple[int, int]:
        """Return how many more options must cover an item, and how many can."""
        require(0 <= item < self.items, "there is no such item")
        low, high = state.needs[item] if item < self.primary else (0, len(self.rows))
        return low, min(high, (state.live & self.holders[item]).bit_count())

    def lacks(self, state: State) -> bool:
        """Return whether an item has fewer live options than must still cover it."""
        return any((state.live & self.holders[item]).bit_count() < low for item, (low, _) in enumerate(state.needs))

    def is_solved(self, state: State) -> bool:
        """Return whether all items are covered, and every option that is still live costs too much."""
        is_cover = not any(low for low, _ in state.needs) and not self.affordable(state)
        return is_cover and not self.breaks_rules(state, is_over=True)

    def left(self, state: State) -> int:
        """Return what the options to come may cost at most, less the prices of their items, if a solution matters."""
        if self.ceiling is None:
            return 0
        prices, scale, *_ = self.pricing
        bounds = ((price, *self.bounds(state, item)) for item, price in prices.items())
        total = sum(min(price * low, price * max(low, high)) for price, low, high in bounds)
        return scale * (self.ceiling - 1 - state.value) - total

    def affordable(self, state: State, item: int | None = None) -> int:
        """Return how many live options, of an item or at all, do not cost too much."""
        live, left = state.live if item is None else state.live & self.holders[item], self.left(state)
        return live.bit_count() if self.ceiling is None else sum(self.pricing.rest[k] <= left for k in members(live))

    def is_too_expensive(self, state: State) -> bool:
        """Return whether solutions cost too much, since each item costs at least a share of its cheapest option."""
        held = [(low, state.live & self.holders[item]) for item, (low, _) in enumerate(state.needs) if low]
        least = sum(low * min((self.pricing.rest[k] for k in members(live)), default=0) for low, live in held)
        return self.ceiling is not None and least > self.left(state) * self.pricing.most

    def children(self, state: State, item: int, number: int) -> Iterator[State]:
        """Yield all ways to go on with an item: with its first live options, and without any if that may be."""
        missing = state.needs[item][0] if item < self.primary else 0
        number -= not missing
        while (options := state.live & self.leaders[item]) and number > 0:
            first = self.find_first(options)
            if child := self.choose(state, first):
                yield child
            state, number = self.leave_out(state, first), number - 1  # later children lack those that were tried
        is_over = not state.live & self.holders[item] or self.affordable(state, item) < max(1, missing)
        require(is_over, "a branch needs more children")
        if not missing:
            yield state

    def find_first(self, options: int) -> int:
        """Return the least of some options, or that with the least rest if costs matter."""
        if self.ceiling is None:
            return (options & -options).bit_length() - 1
        return min(members(options), key=self.pricing.rest.__getitem__)

    def find_branch(self, state: State) -> int | None:
        """Return an item that leaves the fewest choices; None if no item must or may be covered."""
        held = ((low, (state.live & self.holders[item]).bit_count()) for item, (low, _) in enumerate(state.needs))
        choices = {item: live - low for item, (low, live) in enumerate(held) if live or low}
        return min(choices, key=choices.__getitem__, default=None)

    def take_apart(self, state: State) -> Iterator[State]:
        """Yield the parts of a state that have no item in common that excludes anything."""
        held = [(item, self.reach[item] & state.live) for item in range(self.items)]
        open_items = [(item, live) for item, live in held if live and not self.is_harmless(state, item)]
        left = state.live
        while left:
            part, before = left & -left, 0
            while part != before:
                before, apart = part, []
                for item, live in open_items:
                    if live & part:
                        part |= live
                    else:
                        apart.append((item, live))
                open_items = apart
            needs = (pair if part & self.holders[item] else (0, 0) for item, pair in enumerate(state.needs))
            yield State(part, tuple(needs), 0)
            left &= ~part

    def find_loose_items(self, state: State) -> list[int]:
        """Return the items that may be covered more often than they must be, now or when options are chosen."""
        return [item for item, (low, high) in enumerate(state.needs) if low < high]

    def clamp(self, state: State, loose: list[int]) -> State:
        """Lower upper bounds above the number of live options, so that states with the same solutions are equal."""
        needs = state.needs
        for item in loose:
            live = (state.live & self.holders[item]).bit_count()
            if needs[item][1] > live:
                needs = (*needs[:item], (needs[item][0], live), *needs[item + 1 :])
        return state._replace(needs=needs) if loose else state

    def is_harmless(self, state: State, item: int) -> bool:
        """Return whether an item excludes nothing, since all of its live options give it the same color."""
        live = state.live & self.holders[item]
        color = self.rows[next(members(live))][item] if live and item >= self.primary else 0
        return color > 0 and not live & ~self.same[item, color]

    def describe(self, state: State, images: Images | dict[int, int]) -> Counter[Any]:
        """Return what is left without the names of items, and with the images of options in their places."""
        left = Counter[Any]([sum(1 << images[option] for option in members(state.live))])
        for item, holders in enumerate(self.holders):
            colors: dict[int, int] = {}  # the images of the options that give the item a color
            for option in members(state.live & holders):
                color = self.rows[option][item]
                colors[color] = colors.get(color, 0) | 1 << images[option]
            uncolored = colors.pop(0, 0)
            needs = self.bounds(state, item) if item < self.primary else None
            if any(needs) if needs else len(colors) + uncolored.bit_count() > 1:  # else it excludes nothing
                left[needs, uncolored, frozenset(colors.values())] += 1
        return left


class Trial:
    """What follows from assumed literals. Literal 2v says that variable v is true, and literal 2v + 1 that it is not.

    The options come first among the variables: one is true if it is chosen. Each variable after them stands for a color
    of an item, and is true if some chosen option gives the item that color.
    """

    def __init__(self, problem: Problem, state: State, colors: list[tuple[int, int]]) -> None:
        self.problem, self.colors, self.variables = problem, colors, len(problem.rows) + len(colors)
        self.state: State | None = state  # None if the literals contradict each other
        self.chosen = 0  # options, as bits
        self.stated: dict[int, bool] = {}  # variables of colors

    def find_value(self, variable: int) -> bool | None:
        """Return whether a variable is true; None if that is open."""
        state, same = self.state, 1 << variable
        if variable in self.stated or state is None:
            return self.stated.get(variable)
        if variable >= len(self.problem.rows):
            same = self.problem.same[self.colors[variable - len(self.problem.rows)]]
        return True if self.chosen & same else None if state.live & same else False

    def is_false(self, literal: int) -> bool:
        """Return whether a literal is false."""
        return self.find_value(literal >> 1) is bool(literal & 1)

    def assume(self, literal: int) -> None:
        """Make a literal true, and leave out the options that it excludes."""
        variable, wanted, problem, state = literal >> 1, not literal & 1, self.problem, self.state
        value = self.find_value(variable)
        if state is None or value is wanted:
            return
        if value is not None:
            self.state = None
        elif variable < len(problem.rows):
            self.state = problem.choose(state, variable) if wanted else problem.leave_out(state, variable)
            self.chosen |= wanted << variable
        else:
            item, color = self.colors[variable - len(problem.rows)]
            excluded = problem.holders[item] & ~problem.same[item, color] if wanted else problem.same[item, color]
            self.state, self.stated[variable] = state._replace(live=state.live & ~excluded), wanted

    def use_item(self, item: int) -> None:
        """Choose all live options of an item that needs as many."""
        state = self.state
        if state is None:
            return
        low, live = state.needs[item][0], state.live & self.problem.holders[item]
        require(live.bit_count() <= low, "an item needs fewer options than it has left")
        if live.bit_count() < low:
            self.state = None
        for option in members(live):
            self.assume(2 * option)

    def use_clause(self, clause: tuple[int, ...]) -> None:
        """Make the only literal of a clause true that is not false."""
        left = [literal for literal in clause if not self.is_false(literal)]
        require(len(left) <= 1 or self.state is None, "a clause leaves more than one literal")
        if left:
            self.assume(left[0])
        else:
            self.state = None


class Proof:
    """The steps of a proof, and the nodes of its trees. Each rule returns the number of solutions of a state."""

    def __init__(self, problem: Problem, steps: list[Step], nodes: IO[bytes], *, lists: bool) -> None:
        self.problem, self.steps = problem, iter(steps)
        self.nodes = read_numbers(chain.from_iterable(iter(lambda: nodes.read(1 << 16), b"")))  # however many there are
        self.lists, self.solutions = lists, list[int]()  # the values of all solutions, if they matter
        self.symmetries = 0  # how many there are in the group of a claim about classes
        self.kept: list[tuple[Counter[Any], int] | None] = []  # states with their numbers, as far as these are proved
        self.rules = PLAIN if problem.rules else PLAIN | (LISTING if lists else COUNTING)

    def prove(self, state: State | None) -> int:
        """Follow the next step; return the number of solutions of a state."""
        if state is None:
            return 0
        step = next(self.steps, {"by": None})
        require(step["by"] is not None, "a step is missing")
        require(step["by"] in self.rules, f"{show(step['by'])} is not a rule that holds here")
        require(is_between(0, step.get("items") or (), self.problem.items - 1), "there is no such item")
        number: int = getattr(self, f"by_{step['by']}")(state, step)
        return number

    def by_search(self, root: State, step: Step) -> int:
        """Walk along a tree, whose nodes name the items to branch on."""
        number, waiting, items = 0, [iter((root,))], self.problem.check_items(step["items"])
        while waiting:
            state = next(waiting[-1], None)
            if state is None:
                waiting.pop()
            elif (node := next(self.nodes, -1)) == SOLUTION:
                require(self.problem.is_solved(state), "a node is not a solution")
                number += 1
                if self.lists:
                    self.solutions.append(state.value)
            elif node == PRUNED:
                is_over = self.problem.breaks_rules(state) or self.problem.is_too_expensive(state)
                require(is_over, "a node may have solutions")
            elif node == UNRECORDED:
                is_small = not self.lists and not self.problem.rules and state.live.bit_count() <= SMALL
                require(is_small, "a subtree is not recorded")
                _, stated = next(self.nodes, -1), next(self.nodes, -1)
                require(stated >= 0, "a part of a tree is missing")
                require(self.search(state) == stated, f"a subtree does not have {count_noun(stated, 'solution')}")
                number += stated
            else:
                require((children := next(self.nodes, -1)) >= 0, "a part of a tree is missing")
                require(node - FIRST_ITEM < len(items), "a tree has an unknown item")
                waiting.append(self.problem.children(state, items[node - FIRST_ITEM], children))
        return number

    def search(self, root: State) -> int:
        """Count the solutions of a state with few live options, branching on an item that has the fewest.

        States with the same live options and needs, which are few, are searched once.
        """
        holders, known = self.problem.holders, dict[Any, int]()

        def count(state: State, items: Iterable[int]) -> int:
            live, needs, open_items, least, branch = state.live, state.needs, list[int](), SMALL + 1, -1
            for item in items:
                low, have = needs[item][0], (live & holders[item]).bit_count()
                if have < low:
                    return 0
                if have:
                    open_items.append(item)
                    if have - low < least:
                        least, branch = have - low, item
            if branch < 0:
                return 1
            key = live, *map(needs.__getitem__, open_items)
            if key not in known:
                children = self.problem.children(state, branch, SMALL + 2)
                known[key] = sum([count(child, open_items) for child in children])
            return known[key]

        return count(root, range(self.problem.primary))

    def by_sweep(self, root: State, step: Step) -> int:
        """Cover items in a fixed order, and merge equal states."""
        loose = self.problem.find_loose_items(root)
        done = Counter({self.problem.clamp(root, loose): 1})
        for item in self.problem.check_items(step["items"]):
            ways, done = done, Counter()
            while ways:
                following = Counter[State]()
                for state, number in ways.items():
                    if state.live & self.problem.holders[item]:
                        for child in self.problem.children(state, item, len(self.problem.rows) + 1):
                            following[self.problem.clamp(child, loose)] += number
                    elif not self.problem.bounds(state, item)[0]:
                        done[state] += number
                ways = following
        require(not any(state.live for state in done), "a sweep ends too early")
        return sum(number for state, number in done.items() if not self.problem.lacks(state))

    def by_memo(self, root: State, step: Step) -> int:
        """Search the state, count parts that have no item in common apart, and count equal states once."""
        return self.count_once(root, {}, self.problem.find_loose_items(root))

    def count_once(self, state: State, known: dict[State, int], loose: list[int]) -> int:
        """Count the solutions of a state; those of parts that were counted before are known."""
        number = 0 if self.problem.lacks(state) else 1
        for left in self.problem.take_apart(state) if number else ():
            part = self.problem.clamp(left, loose)
            if part not in known:
                item, known[part] = self.problem.find_branch(part), 0
                assert item is not None  # each live option has a primary item
                for child in self.problem.children(part, item, len(self.problem.rows) + 1):
                    known[part] += self.count_once(child, known, loose)
            number *= known[part]
        return number

    def by_parts(self, state: State, step: Step) -> int:
        """Multiply the numbers of parts whose live options have no item in common."""
        number, left, met = 1, state.live, set[int]()
        for items in map(set, step["parts"]):
            live = reduce(or_, (self.problem.holders[item] for item in self.problem.check_items(items)), 0) & left
            options, left = members(live), left & ~live
            for item, color in (entry for option in options for entry in self.problem.rows[option].items()):
                same = self.problem.same[item, color] if color else 0
                apart = item in items if item < self.problem.primary else not left & self.problem.holders[item] & ~same
                require(apart, "parts have an item in common")
            needs = (pair if item in items - met else (0, 0) for item, pair in enumerate(state.needs))
            number *= number and self.prove(State(live, tuple(needs), 0))
            met |= items
        require(not left and all(item in met for item, (low, _) in enumerate(state.needs) if low), "a part is missing")
        return number

    def by_symmetry(self, state: State, step: Step) -> int:
        """Choose one option of an item for each orbit under symmetries; it stands for all of them.

        If the item is covered once, orbits with as many of its options can be joined: one step stands for all of these,
        in which the item keeps one option of each.
        """
        maps, joined, number = self.read_maps(state, step["maps"]), step.get("joined", []), 0
        low, high = self.problem.bounds(state, step["item"])
        require(low == high > 0, "symmetries need an item that is covered a fixed number of times")
        require(not joined or high == 1, "orbits are joined only for an item that is covered once")
        held = state.live & self.problem.holders[step["item"]]
        left, sizes = set(members(held)), set[int]()
        for first in joined:
            require(type(first) is int and first in left, "orbits that are joined are not different ones of the item")
            orbit = left.intersection(find_orbit_of_option(first, maps))
            sizes.add(len(orbit))
            left -= orbit
        require(len(sizes) <= 1, "orbits that are joined have different numbers of options")
        if joined:
            kept = sum(1 << first for first in joined)
            number += sizes.pop() * self.prove(state._replace(live=state.live & ~held | kept))
        while left:
            orbit = left.intersection(find_orbit_of_option(min(left), maps))
            number += len(orbit) * self.prove(self.problem.choose(state, min(left)))
            left -= orbit
        require(
            number % low == 0, "the sum over the orbits is not a multiple of k"
        )  # each solution was counted that often
        return number // low

    def by_cases(self, state: State, step: Step) -> int:
        """Count apart what covers an item once, twice and so on, as often as it may be; and what does not cover it."""
        item, number = step["item"], 0
        low, high = self.problem.bounds(state, item)
        require(item < self.problem.primary, "only a primary item can be covered several times")
        for times in range(max(1, low), high + 1):
            needs = (*state.needs[:item], (times, times), *state.needs[item + 1 :])
            number += self.prove(state._replace(needs=needs))
        none = state._replace(live=state.live & ~self.problem.holders[item])
        return number + (0 if low else self.prove(none))

    def by_orbits(self, state: State, step: Step) -> int:
        """Of the first orbit of which a solution has options, choose one, for each number of them that it may have.

        It stands for as many solutions as the orbit has options, divided by that number. The orbits hold all options of
        an item that must be covered; without an item, there may be solutions without any of their options.
        """
        maps, problem, item, number = self.read_maps(state, step["maps"]), self.problem, step["item"], 0
        low, high = (0, 0) if item is None else problem.bounds(state, item)
        require(item is None or low > 0, "the item of a chain of orbits must be covered")
        open_options = 0 if item is None else state.live & problem.holders[item]
        problem.check_options(step["first"])
        for first in step["first"]:
            require(state.live >> first & 1, "an orbit is not live")
            orbit = find_orbit_of_option(first, maps)
            held = sum(1 << option for option in orbit)
            most = inside = len(orbit)
            if item is not None:
                inside = (open_options & held).bit_count()
                require(inside, "an orbit has no option of the item")
                most = min(most, high * len(orbit) // inside)  # each image of the item limits as many of them
            for times in range(1, most + 1):
                self.problem = problem.add_item(orbit)
                limited = state._replace(needs=(*state.needs, (times, times)))
                total = len(orbit) * self.prove(self.problem.choose(limited, first))
                require(total % times == 0, "the sum over an orbit is not a multiple of k")
                number += total // times
            self.problem = problem
            state, open_options = state._replace(live=state.live & ~held), open_options & ~held
        require(not open_options, "the orbits do not hold all options of the item")
        return number + (self.prove(state) if item is None else 0)

    def read_maps(self, state: State, stated: list[list[list[int]]]) -> list[Images]:
        """Return permutations of the options, given by those that they move; all must be symmetries of what is left."""
        unchanged, maps = tuple(range(len(self.problem.rows))), []
        shape = self.problem.describe(state, unchanged)
        for pairs in stated:
            moved: dict[int, int] = dict(pairs)  # type: ignore[arg-type]
            images = tuple(moved.get(option, option) for option in unchanged)
            is_permutation = sorted(images) == list(unchanged)
            require(is_permutation and self.problem.describe(state, images) == shape, "a map is not a symmetry")
            maps.append(images)
        return maps

    def by_keep(self, state: State, step: Step) -> int:
        """Remember a state and its number of solutions."""
        place = len(self.kept)
        self.kept.append(None)
        number = self.prove(state)
        self.kept[place] = self.problem.describe(state, tuple(range(len(self.problem.rows)))), number
        return number

    def by_same(self, state: State, step: Step) -> int:
        """Map the state to one that was kept; it has as many solutions."""
        is_known, moved = is_between(0, [step["kept"]], len(self.kept) - 1), dict(step["map"])
        shape, number = (self.kept[step["kept"]] if is_known else None) or (None, 0)
        require(shape is not None, "a state is not proved before it is referred to")
        images = {option: moved.get(option, option) for option in members(state.live)}
        self.problem.check_options(list(images.values()))
        is_the_same = len({*images.values()}) == len(images) and self.problem.describe(state, images) == shape
        require(is_the_same, "a map does not lead to the state that was kept")
        return number

    def by_force(self, state: State | None, step: Step) -> int:
        """Choose all options of an item that needs as many as it has left, again and again."""
        holders = self.problem.holders
        while state and not self.problem.lacks(state):
            needed = [(low, state.live & holders[item]) for item, (low, _) in enumerate(state.needs) if low]
            tight = [live for low, live in needed if live.bit_count() == low]
            if not tight:
                return self.prove(state)
            for option in members(tight[0]):
                state = state and self.problem.choose(state, option)
        return 0

    def by_drop(self, state: State, step: Step) -> int:
        """Leave out options each of which would leave an item with too few options."""
        for option in sorted(self.problem.check_options(step["options"])):
            child = self.problem.choose(state, option)
            require(child is None or self.problem.lacks(child), f"option {option} may be part of solutions")
            state = self.problem.leave_out(state, option)
        return self.prove(state)

    def by_weights(self, state: State, step: Step) -> int:
        """There is no solution if weights of items add up to 0 in each option, but not in what must be covered."""
        weights, modulus = dict(step["weights"]), step["modulus"]
        require(is_between(0, [modulus], None) and {*map(type, weights.values())} <= {int}, "a weight is not valid")
        totals = [sum(weights.get(item, 0) for item in self.problem.rows[option]) for option in members(state.live)]
        bounds = {item: self.problem.bounds(state, item) for item in weights}
        totals.append(sum(weight * bounds[item][0] for item, weight in weights.items()))
        *of_options, needed = [total % modulus if modulus else total for total in totals]
        is_fixed = all(low >= high for low, high in bounds.values())
        require(is_fixed, "an item with a weight need not be covered a fixed number of times")
        require(needed and not any(of_options), "the weights do not show that there is no solution")
        return 0

    def by_clauses(self, state: State, step: Step) -> int:
        """There is no solution if a clause without literals follows from the items and from clauses before it.

        Each clause comes with hints: items and earlier clauses that lead to a contradiction, one after another, if all
        its literals are false.
        """
        colors = [(item, color) for item, color in step["colors"]]
        self.problem.check_items([item for item, _ in colors])
        facts, known, number = Trial(self.problem, state, colors), dict[int, tuple[int, ...]](), 0
        while True:
            literals = self.read_list(2 * facts.variables, 2 * facts.variables - 1)
            hints = self.read_list(self.problem.primary + len(known), None)
            trial = copy.copy(facts)
            trial.stated = facts.stated.copy()
            for literal in literals:
                trial.assume(literal ^ 1)
            for hint in hints:
                if trial.state is not None:
                    self.follow(trial, hint, known, number)
            require(trial.state is None, "a clause does not follow")
            if not literals:
                return 0
            for hint in hints:
                if hint % 3 == BY_CLAUSE_LAST:
                    known.pop(number - hint // 3, None)
            if len(literals) == 1:
                facts.assume(literals[0])
            else:
                known[number] = literals
            number += 1

    def follow(self, trial: Trial, hint: int, known: dict[int, tuple[int, ...]], number: int) -> None:
        """Draw the conclusion to which a hint points; it says how many clauses ago a clause was derived."""
        index, kind = divmod(hint, 3)
        if kind == BY_ITEM:
            require(index < self.problem.primary, "there is no such item")
            trial.use_item(index)
        else:
            clause = known.get(number - index)
            require(clause is not None, "a hint names a clause that is not known")
            trial.use_clause(clause or ())

    def read_list(self, most: int, greatest: int | None) -> tuple[int, ...]:
        """Read a list of numbers from the nodes, after their number."""
        length = next(self.nodes, -1)
        require(0 <= length <= most, "a clause or its hints are missing, or too long")
        numbers = tuple(islice(self.nodes, length))
        require(len(numbers) == length and is_between(0, numbers, greatest), "a clause is cut off, or not valid")
        return numbers

    def by_prices(self, state: State, step: Step) -> int:
        """Set prices of items. Their sum over the items of an option is at most its cost, so they bound all costs."""
        before, prices, scale = self.problem.pricing, dict(step["prices"]), step["scale"]
        require(is_between(1, [scale], None), "a scale is not valid")
        require({*map(type, prices.values())} <= {int}, "a price is not valid")
        rows, live = self.problem.rows, list(members(state.live))
        rest = [0] * len(rows)  # of options that are not live, it does not matter
        for option in live:
            rest[option] = scale * self.problem.values[option] - sum(prices.get(item, 0) for item in rows[option])
        short = [option for option in live if rest[option] < 0]
        require(not short, f"option {min(short, default=0)} costs less than its items")
        most = max((sum(item < self.problem.primary for item in rows[option]) for option in live), default=1)
        self.problem.pricing = Pricing(prices, scale, rest, most)
        number = self.prove(state)
        self.problem.pricing = before
        return number

    def by_dear(self, state: State, step: Step) -> int:
        """Leave out the options that leave nothing to spend, and go on with the others."""
        require(self.problem.ceiling is not None, "options can be too expensive only in a claim about costs")
        left, rest = self.problem.left(state), self.problem.pricing.rest
        dear = sum(1 << option for option in members(state.live) if rest[option] > left)
        return self.prove(state._replace(live=state.live & ~dear))

    def by_slack(self, state: State, step: Step) -> int:
        """Let each of some items, which may be covered once less, be covered by an option of its own instead."""
        problem, items = self.problem, self.problem.check_items(step["items"])
        require(len({*items}) == len(items), "an item has slack twice")
        needs = list(state.needs)
        for item in items:
            if item < problem.primary:
                low, high = needs[item]
                require(low + 1 == high, "slack needs an item that may be covered once less")
                needs[item] = high, high
            else:
                colored = state.live & problem.holders[item] & ~problem.same[item, 0]
                require(not colored, "slack needs an item that at most one option covers")
                needs.append((1, 1))
        slack = (1 << len(items)) - 1 << len(problem.rows)
        self.problem = problem.add_slack(items)
        number = self.prove(State(state.live | slack, tuple(needs), state.value))
        self.problem = problem
        return number

    def by_option(self, state: State, step: Step) -> int:
        """Divide solutions by whether they contain an option."""
        (option,) = self.problem.check_options([step["option"]])
        return self.prove(self.problem.choose(state, option)) + self.prove(self.problem.leave_out(state, option))

    def by_pair(self, state: State, step: Step) -> int:
        """Divide solutions by whether one option covers two items, which must be covered once, or two do."""
        items = self.problem.check_items(step["items"])
        require(len(items) == len({*items}) == 2, "a pair must be two items")
        are_fixed = all(item < self.problem.primary and state.needs[item] == (1, 1) for item in items)
        require(are_fixed, "the items of a pair must be covered exactly once")
        one, other = (self.problem.holders[item] for item in items)
        together, apart = (state._replace(live=state.live & ~gone) for gone in (one ^ other, one & other))
        return self.prove(together) + self.prove(apart)

    def by_branch(self, state: State, step: Step) -> int:
        """Choose options of an item one after another."""
        require(is_between(1, [step["children"]], len(self.problem.rows) + 1), "the number of children is not valid")
        (item,) = self.problem.check_items([step["item"]])
        number = 0
        for child in self.problem.children(state, item, step["children"]):  # `sum` would nest calls of C
            number += self.prove(child)
        return number

    def count_classes(self, root: State | None, stated: list[list[list[int]]]) -> int:
        """Return the number of classes of solutions: the mean of how many each map of a group keeps (Burnside)."""
        if root is None:
            return 0
        maps, given = self.read_maps(root, stated), self.problem.given
        require(all({images[option] for option in given} == given for images in maps), "a map moves a given")
        unchanged, seen, number = tuple(range(len(self.problem.rows))), set[Images](), 0
        group = find_orbit(unchanged, lambda one: [tuple(images[k] for k in one) for images in maps])
        self.symmetries = len(group)
        for first in group:
            if first in seen:
                continue
            conjugates = find_orbit(first, lambda one: [conjugate(one, images) for images in maps])
            seen.update(conjugates)
            number += len(conjugates) * self.count_kept(root, first)
        require(number % len(group) == 0, "the mean of what the symmetries keep is not a whole number")
        return number // len(group)

    def count_kept(self, root: State, images: Images) -> int:
        """Return how many solutions a symmetry maps to themselves."""
        if images != tuple(range(len(images))):
            self.problem.join(images)
            self.rules = PLAIN | MERGING
        state = root
        for option in members(root.live):
            state = state if self.problem.choose(root, option) else self.problem.leave_out(state, option)
        return self.prove(state)


def conjugate(one: Images, images: Images) -> Images:
    """Return what a permutation is when options are replaced by their images under another one."""
    return tuple(image for _, image in sorted((images[k], images[one[k]]) for k in range(len(one))))


def find_digest(solutions: list[int]) -> str:
    """Return a digest of solutions that does not depend on their order."""
    texts = (" ".join(map(str, members(options))) for options in solutions)
    total = sum(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big") for text in texts)
    return f"{total % (1 << 256):064x}"


def find_costs(problem: Problem, solutions: list[list[int]]) -> list[int]:
    """Return the costs of different solutions in ascending order; raise an error if one is not a solution."""
    costs = []
    sets = {problem.check_options(solution) for solution in solutions}
    require(sum(map(len, sets)) == sum(map(len, solutions)), "a solution is stated twice, or names an option twice")
    for options in sets:
        state = problem.root
        for option in options - problem.given:
            state = state and problem.choose(state, option)
        is_solution = problem.given <= options and state and not any(low for low, _ in state.needs)
        require(is_solution, "a stated solution is not a solution")
        costs += [state.value] if state else []
    return sorted(costs)


def show(value: object) -> str:
    """Return a value of a certificate as a short text that cannot be taken for words of the verdict."""
    text = str(value)
    shown = text if text.isascii() and text.replace("-", "").replace("_", "").isalnum() else ascii(value)
    return shown if len(shown) <= MAX_LETTERS else f"{shown[:MAX_LETTERS]}..."


def show_cost(cost: int, places: int) -> str:
    """Return a cost that is stated in units of the last decimal place."""
    whole, part = divmod(cost, 10**places)
    return f"{whole}.{part:0{places}}".rstrip("0").rstrip(".") if places else str(whole)


def count_noun(number: int, noun: str, ending: str = "s") -> str:
    """Return a number with its noun, in the plural where needed."""
    return f"{number} {noun}{ending * (number != 1)}"


def describe_cheapest(costs: list[str]) -> str:
    """Return the costs of the cheapest solutions in words."""
    if len(costs) < 2:
        return f"the cheapest solution, which costs {costs[0]}," if costs else count_noun(0, "solution")
    shown = f"{', '.join(costs[:-1])} and {costs[-1]}" if len(costs) <= MAX_SHOWN else f"{costs[0]} to {costs[-1]}"
    return f"the {len(costs)} cheapest solutions, which cost {shown},"


def describe_problem(stated: Step) -> str:
    """Return what a certificate says about its problem. The family and its parameters are words that prove nothing."""
    items, options = count_noun(len(stated["items"]), "item"), count_noun(len(stated["options"]), "option")
    texts = [f"the problem with {items} and {options}"]
    params = [f"{show(name)}={show(value)}" for name, value in stated["params"].items()]
    texts += [", ".join(["declared as " + show(stated["family"]), *params])] if stated["family"] is not None else []
    rules = [show(rule["rule"]) for rule in stated.get("rules", ())]
    texts += [f"with the rule{'s' * (len(rules) > 1)} {', '.join(rules)}"] if rules else []
    for name in ("given", "without"):
        labels = [show(stated["labels"][option]) for option in stated[name][:MAX_SHOWN]]
        labels += [f"{len(stated[name]) - MAX_SHOWN} more"] if len(stated[name]) > MAX_SHOWN else []
        texts += [f"{name} {', '.join(labels)}"] if labels else []
    return "; ".join(texts)


def load(text: bytes) -> Any:
    """Read JSON without fractions, and without two values of one name."""

    def refuse(value: str) -> float:
        raise UnreadableError(f"{value[:MAX_LETTERS]} is not a whole number")

    def collect(pairs: list[tuple[str, Any]]) -> Step:
        require(len(dict(pairs)) == len(pairs), "a name has two values")
        return dict(pairs)

    return json.loads(text, parse_float=refuse, parse_constant=refuse, object_pairs_hook=collect)


def open_member(archive: zipfile.ZipFile, name: str) -> tuple[IO[bytes], zipfile.ZipInfo]:
    """Open a file of a certificate; it is unpacked while it is read, and never more of it than is asked for."""
    if name not in archive.namelist():
        raise UnreadableError(f"{name} is missing")
    member = archive.getinfo(name)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnreadableError(f"the compression method of {name} is not supported")
    return archive.open(member), member


def read_json(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a file of JSON, unless it is a bomb."""
    file, member = open_member(archive, name)
    packed = min(member.compress_size, archive.start_dir)  # what the archive says of itself may be wrong
    if member.file_size > max(ALWAYS_READ, MAX_RATIO * packed):
        raise UnreadableError(f"{packed} bytes of {name} would unpack to {member.file_size}")
    return file.read(member.file_size)


def check(file: str | BinaryIO, proof_type: type[Proof] = Proof) -> str:
    """Return what a certificate proves, and of which problem; raise an error if it does not prove what it claims."""
    if isinstance(file, str) and (path := Path(file)).exists() and not path.is_file() and not path.is_dir():
        raise UnreadableError("it is a pipe or a device")  # opening a pipe would wait for a writer
    with zipfile.ZipFile(file) as archive, open_member(archive, "nodes")[0] as nodes:
        text, (claim, *steps) = read_json(archive, "problem.json"), load(read_json(archive, "proof.json"))
        stated = load(text)
        require(stated["format"] == FORMAT, f"the format is not {FORMAT!r}")
        most_frames = sys.getrecursionlimit()
        sys.setrecursionlimit(max(most_frames, MAX_FRAMES))
        try:
            described = check_claim(stated, claim, steps, nodes, proof_type)
        finally:
            sys.setrecursionlimit(most_frames)
    return f"{described} of {describe_problem(stated)}; SHA-256 {hashlib.sha256(text).hexdigest()}"


def check_claim(stated: Step, claim: Step, steps: list[Step], nodes: IO[bytes], proof_type: type[Proof]) -> str:
    """Return what a certificate claims of its problem; raise an error if it does not prove that."""
    kind, kinds = claim["claim"], ("count", "classes", "list", "cheapest")
    require(kind in kinds, f"there is no claim called {show(kind)}")
    require(kind in ("count", "list") or not stated.get("rules"), "this claim is not for problems with rules")
    values = {"list": [1 << option for option in range(len(stated["options"]))], "cheapest": stated["costs"]}
    problem = Problem(stated, values.get(kind, [0] * len(stated["options"])))
    proof = proof_type(problem, steps, nodes, lists=kind in values)
    if kind == "cheapest":
        require(is_between(0, stated["costs"], None), "a cost is negative")
        costs = find_costs(problem, claim["solutions"])
        require(is_between(max(1, len(costs)), [claim["wanted"]], None), "more solutions are stated than wanted")
        problem.ceiling = costs[-1] if len(costs) == claim["wanted"] else 1 + sum(stated["costs"])
        if (below := claim.get("below")) is not None:
            require(is_between(1 + max(costs, default=0), [below], None), "a stated solution costs too much")
            problem.ceiling = below
        proof.prove(problem.root)
        found, cheaper = (
            [cost for cost in some if cost < problem.ceiling] for some in (sorted(proof.solutions), costs)
        )
        require(found == cheaper, "there are other solutions that are cheaper")
        described = describe_cheapest([show_cost(cost, stated["places"]) for cost in costs])
        if below is not None:
            described += f" and all others at least {show_cost(below, stated['places'])},"
    else:
        classes = kind == "classes"
        number = proof.count_classes(problem.root, claim["maps"]) if classes else proof.prove(problem.root)
        described = f"{count_noun(number, 'class', 'es')} of solutions" if classes else count_noun(number, "solution")
        is_number, shown = is_between(0, [claim["number"]], None), f"{claim['number']!a:.{MAX_LETTERS}}"
        require(is_number, f"the number of the claim must be a whole number, not {shown}")
        require(number == claim["number"], f"the proof shows {described}, not {show(claim['number'])}")
    if kind == "classes" and problem.root is not None:
        described += f" under {proof.symmetries} symmetr{'y' if proof.symmetries == 1 else 'ies'}"
    if kind == "list":
        require(find_digest(proof.solutions) == claim["digest"], "the digest is that of other solutions")
        described += f" with the digest {claim['digest']}"
    require(next(proof.steps, None) is None and next(proof.nodes, None) is None, "steps or nodes are left over")
    return described


def explain(error: Exception) -> str:
    """Return in plain words why a file cannot be read."""
    match error:
        case UnreadableError():
            return str(error)
        case OSError(strerror=str(words)):
            return words
        case zipfile.BadZipFile() | zlib.error() | EOFError() | NotImplementedError():
            return "it is not a ZIP archive, or it is damaged"
        case UnicodeDecodeError():
            return "its JSON is not UTF-8 text"
        case json.JSONDecodeError():
            return f"its JSON is not valid: {error}"
        case RecursionError():
            return "it is nested too deeply"
        case KeyError(args=[str(name)]):
            return f"{show(name)} is missing"
    return "what it states does not have the form of a certificate"


def limit_memory(most: int | None) -> None:
    """Let the process grow by no more than that many bytes, by default half of what the machine has, where possible."""
    try:
        import resource

        size, pages = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_PHYS_PAGES")
        grown = int(Path("/proc/self/statm").read_bytes().split()[0]) * size
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = min(grown + (size * pages // 2 if most is None else most), sys.maxsize)
        resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    except (ImportError, OSError, ValueError):  # not a system with such limits
        pass


def main(proof_type: type[Proof] = Proof) -> int:
    """Check the file that the command line names; return the exit status."""
    sys.set_int_max_str_digits(MAX_DIGITS)
    file, *limits = sys.argv[1:] or [""]
    if not file or len(limits) > 1 or not all(text.isdecimal() for text in limits):
        print(__doc__)
        return 2
    limit_memory(int(limits[0][:MAX_DIGITS]) if limits else None)
    try:
        print(f"certified: {check(file, proof_type)}")
    except NotCertifiedError as error:
        print(f"not certified: {error}")
        return 1
    except MemoryError:
        print("stopped: there is not enough memory")
        return 3
    except Exception as error:  # whatever else goes wrong, the file is not as it should be
        print(f"cannot be read: {explain(error)}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
