"""A puzzle as a link: everything that playing needs, compressed, for the part of an address that browsers do not send.

A link contains bytes, compressed by deflate, as base 64 for addresses. The bytes are JSON, a zero byte, and numbers in
groups of seven bits. JSON holds what is short. What there is of each option is text with many numbers, and options
resemble each other, so that such lines are stored as *columns*: the texts between the numbers once, and the numbers as
differences from the line before with the same texts. Solutions are sorted, and each is stored without the start that
it shares with the one before.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from exactcover.control.options import SearchOptions
from exactcover.control.recorder import encode_numbers
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop
from exactcover.encoders.encoder import Encoder
from exactcover.errors import ProblemError
from exactcover.pictures.codes import MOST_CHARACTERS, Code, make_code
from exactcover.problem import Problem
from exactcover.viewer.view import describe_play

MOST_LETTERS = 60_000
"""The most letters of a link, besides the address of the page."""
VERSION = 2
_MOST_SOLUTIONS = 20_000
_NODES = 25  # per letter, of a search that lists all solutions; no time, since a link must not depend on the machine
_NUMBER = re.compile(r"0|[1-9]\d{0,8}")


@dataclass(frozen=True)
class Link:
    """A puzzle as a link."""

    text: str  # after "#puzzle=" in the address of a page
    has_solutions: bool  # whether it contains all solutions


def pack_link(
    problem: Problem,
    encoder: Encoder,
    *,
    title: str = "",
    letters: int = MOST_LETTERS,
    more: Mapping[str, Any] | None = None,
    stop: Stop | None = None,
) -> Link:
    """Return the text of a link, with which a page plays a puzzle without a server.

    All solutions are part of it if there is room: the page knows then at once whether a position has a solution. The
    text has at most `letters` letters. `more` are further entries of the link, such as the text of the puzzle, and the
    moves that were played. Raise ``ProblemError`` if the puzzle cannot be played on a page, or is too large for a link,
    and ``StoppedError`` if the stop asks for it.
    """
    stop = stop or Stop()
    play = describe_play(problem, encoder, stop)
    if play["drawing"] is None:
        raise ProblemError("the pictures of this puzzle cannot be put together from those of its options")
    order = _order_options(play)
    described, lines = _describe(play, order)
    numbers = [number for column in lines for number in column]
    names = {} if play["techniques"] is None else {"techniques": play["techniques"]}
    for less in (names, {}, {"rules": ""}):  # as in a code, rather without names and rules than not at all
        head = {"version": VERSION, **(more or {}), "title": title, "play": {**described, **less}}
        bare = _compress(head, numbers)
        if len(bare) <= letters:
            break
    room = letters - len(bare)
    if room < 0:
        raise ProblemError("the puzzle is too large to play from a link")
    most = min(_MOST_SOLUTIONS, room)  # a solution needs a letter
    solutions = _list_solutions(problem, order, stop, most, SearchOptions(nodes=_NODES * letters))
    if solutions is not None:
        whole = {**head, "play": {**head["play"], "solutions": len(solutions)}}
        text = _compress(whole, [*numbers, *_share_starts(solutions)])
        if len(text) <= letters:
            return Link(text, has_solutions=True)
    return Link(bare, has_solutions=False)


def pack_state(title: str, state: Mapping[str, Any]) -> Link:
    """Return a link that only a studio opens; raise ``ProblemError`` if it would be too long."""
    text = _compress({"version": VERSION, **state, "title": title}, ())
    if len(text) > MOST_LETTERS:
        raise ProblemError("this puzzle is too large for a link; save it as a file")
    return Link(text, has_solutions=False)


def _compress(head: Mapping[str, Any], numbers: Iterable[int]) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    content = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    data = packer.compress(content + b"\0" + encode_numbers(numbers)) + packer.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _order_options(play: Mapping[str, Any]) -> list[int]:
    """Return the options in an order in which neighbors differ by a shift, so that their differences repeat."""

    def describe(option: int) -> tuple[Any, ...]:
        cells = [_place_of(shape) for shape in play["drawing"]["options"][option] if shape[0] in "ct"]
        row, column = cells[0] if cells else (0, 0)
        shape = tuple((one[0] - row, one[1] - column) for one in cells)
        return (play["tray"]["piece"][option] if play["tray"] else 0, shape, row, column)

    options = range(len(play["labels"]))
    is_flat = all(_place_of(shape)[0] is not None for option in options for shape in play["drawing"]["options"][option])
    return sorted(options, key=describe) if play["tray"] and is_flat else list(options)


def _place_of(shape: Sequence[Any]) -> tuple[Any, Any]:
    return (shape[4], shape[5]) if shape[0] == "t" else (shape[1], shape[2])


def _describe(play: Mapping[str, Any], order: Sequence[int]) -> tuple[dict[str, Any], list[list[int]]]:
    """Return the data for playing: the short entries as they are, and columns of items, options and what they draw."""
    drawing, matrix, tray, solid = play["drawing"], play["matrix"], play["tray"], play["solid"]
    blocks = sorted({tuple(block) for one in solid["blocks"] for block in one}) if solid else []
    number = {block: k for k, block in enumerate(blocks)}
    place = {option: k for k, option in enumerate(order)}
    shortener = _Shortener(play)
    options = [
        [
            *shortener.describe(k),
            *([tray["piece"][k]] if tray else []),
            *([[number[tuple(block)] for block in solid["blocks"][k]]] if solid else []),
        ]
        for k in order
    ]
    switched = [drawing["segments"], *(rule["elements"] for rule in matrix["rules"])]  # whose entries end with options
    lists = [play["items"], options, *([_place(one, place) for one in own] for own in switched)]
    columns = [*map(_make_column, lists)]
    items, rows, segments, *elements = ([texts, len(own)] for own, (texts, _) in zip(lists, columns, strict=True))
    head = {
        "items": items,
        "options": rows,
        "matrix": {key: matrix[key] for key in ("primary", "low", "high")}
        | {"excluded": [place[k] for k in matrix["excluded"]]},
        "given": [place[k] for k in play["given"]],
        "board": {key: drawing[key] for key in ("board", "rows", "columns", "grid")},
        "places": shortener.places,
        "tray": tray and {key: tray[key] for key in ("names", "most")},
        "solid": solid and {"kind": solid["kind"], "blocks": blocks},
        "rules": play["rules"],
        "solvable": play["solvable"],
        "costs": play["costs"] and [play["costs"][k] for k in order],
        "cheapest": play["cheapest"] and sorted(place[k] for k in play["cheapest"]),
        "solutions": None,
    }
    if drawing["segments"]:
        head["segments"] = segments
    if matrix["rules"]:
        rules = [{**rule, "elements": own} for rule, own in zip(matrix["rules"], elements, strict=True)]
        head["matrix"] = {**head["matrix"], "rules": rules}
    return head, [numbers for _, numbers in columns]


def _place(entry: Sequence[Any], place: Mapping[int, int]) -> list[Any]:
    return [*entry[:-1], sorted(place[option] for option in entry[-1])]


class _Shortener:
    """Says of an option only what does not follow from the rest: its label, its items and its shapes."""

    def __init__(self, play: Mapping[str, Any]) -> None:
        self._play = play
        self._shapes = play["drawing"]["options"]
        self._outlines = {_place_of(shape): shape[1] for shape in play["drawing"]["board"] if shape[0] == "t"}
        self.places = self._locate_items()

    def _locate_items(self) -> list[list[int] | int]:
        """Return the place of each item, or 0: the only one that all its options cover, of several."""
        shared: dict[int, set[tuple[int, int]]] = {}
        for option, row in enumerate(self._play["matrix"]["rows"]):
            covered = {_place_of(shape) for shape in self._shapes[option] if shape[0] in "ct"}
            for item, _ in row:
                shared[item] = shared[item] & covered if item in shared else covered
        found = (shared.get(item, set()) for item in range(len(self._play["items"])))
        places = [[*next(iter(one))] if len(one) == 1 else [] for one in found]
        taken = Counter(map(tuple, places))
        return [place if place and place[0] is not None and taken[*place] == 1 else 0 for place in places]

    def describe(self, option: int) -> list[Any]:
        """Return the label, or true if it consists of the names of the items; the items; and the shapes.

        An item is its number, or a pair with its color. If the first shapes lie on the places of the items, in this
        order, and are alike, one of them without its place stands for all.
        """
        row, shapes = self._play["matrix"]["rows"][option], self._shapes[option]
        label = self._play["labels"][option]
        follows = label == " ".join(self._play["items"][item] for item, _ in row)
        short = [self._shorten(shape, label) for shape in shapes]
        wanted = [place for item, _ in row if (place := self.places[item])]
        alike = short[: len(wanted)]
        if wanted and [[*_place_of(one)] for one in alike if one[0] in "ct"] == wanted:
            bare = [_leave_place(one) for one in alike]
            if all(one == bare[0] for one in bare):
                short = [["@", *bare[0]], *short[len(wanted) :]]
        return [True if follows else label, [[item, color] if color else item for item, color in row], short]

    def _shorten(self, shape: list[Any], label: str) -> list[Any]:
        """Return a shape without what is said already: true is the label, 0 the outline that the board has there."""
        short = [*shape[:-1], True if shape[-1] == label else shape[-1]]
        if shape[0] == "t" and self._outlines.get(_place_of(shape)) == shape[1]:
            short[1] = 0
        return short


def _leave_place(shape: Sequence[Any]) -> list[Any]:
    return [*shape[:4], *shape[6:]] if shape[0] == "t" else [shape[0], *shape[3:]]


def _make_column(values: Iterable[Any]) -> tuple[list[str], list[int]]:
    """Return texts in which ``#`` stands for numbers, and for each value the number of its text and its numbers."""
    known: dict[str, int] = {}
    before: dict[int, list[int]] = {}
    result = []
    for value in values:
        line = json.dumps(value, separators=(",", ":")).replace("#", "\\u0023")
        numbers = [int(one) for one in _NUMBER.findall(line)]
        text = known.setdefault(_NUMBER.sub("#", line), len(known))
        last = before.get(text, [0] * len(numbers))
        steps = (one - other for one, other in zip(numbers, last, strict=True))
        result += [text, *(2 * step if step >= 0 else -2 * step - 1 for step in steps)]
        before[text] = numbers
    return list(known), result


def _list_solutions(
    problem: Problem, order: Sequence[int], stop: Stop, most: int, options: SearchOptions
) -> list[tuple[int, ...]] | None:
    """Return all solutions, or None if there are too many, or they take too much work to find."""
    search = problem.solve(stop=stop, options=options)
    found = list(islice(search.positions(), most + 1))
    search.close()
    stop.poll()
    if search.status not in (Status.COMPLETE, Status.UNSATISFIABLE):
        return None
    place = {option: k for k, option in enumerate(order)}
    return sorted(tuple(sorted(place[option] for option in solution)) for solution in found)


def _share_starts(solutions: Iterable[Sequence[int]]) -> Iterable[int]:
    """Yield for each solution how many numbers it shares with the one before, its size, and the further steps."""
    before: Sequence[int] = ()
    for solution in solutions:
        shared = next((k for k, (one, other) in enumerate(zip(before, solution, strict=False)) if one != other), None)
        shared = min(len(before), len(solution)) if shared is None else shared
        yield from (shared, len(solution))
        last = solution[shared - 1] if shared else 0
        for one in solution[shared:]:
            yield one - last
            last = one
        before = solution


NO_CODE = "To play this puzzle, open its file in exactcover studio."
"""The text of a sheet in place of a code that would be too fine."""


def make_puzzle_code(
    problem: Problem, encoder: Encoder, title: str, address: str, stop: Stop | None = None
) -> Code | None:
    """Return a code of a link with the puzzle, without solutions; None if it is too long, or cannot be played.

    An address with a ``#`` is that of a page of the puzzle itself, and is the whole link. Raise ``ImportError`` if
    segno is not installed, and ``ValueError`` if the address alone is too long.
    """
    if "#" in address or len(address) > MOST_CHARACTERS:
        return make_code(address)
    start = f"{address}#puzzle="
    try:
        link = pack_link(problem, encoder, title=title, letters=MOST_CHARACTERS - len(start.encode()), stop=stop)
    except ProblemError:
        return None
    return make_code(start + link.text)
