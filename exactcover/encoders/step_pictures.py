"""Pictures of steps: what is chosen so far, with the places marked that a deduction is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from exactcover.algorithm_x import Colored, Item, Label
from exactcover.pictures.heat import find_marks
from exactcover.pictures.shapes import Cell, Edge, Picture, Shape, Text, Tile

if TYPE_CHECKING:
    from exactcover.reasons.deductions import Deduction


_Place = tuple[int, int]

_TRUTH, _EXCLUDED, _CHOSEN = 1, 9, 12  # tints
_STRENGTH = 0.75
_MOST_HOLDERS = 12  # of an item that has no place of its own, whose places are marked instead


class Drawer(Protocol):
    """The part of an encoder that draws."""

    def draw(self, solution: Iterable[Label]) -> Picture | None: ...
    def place_of(self, item: Any) -> tuple[int, int] | None: ...
    def options(self) -> Iterable[tuple[Label, Iterable[Any]]]: ...


def draw_step(encoder: Drawer, chosen: Sequence[Label], deduction: Deduction) -> Picture | None:
    """Return a picture of the options that are chosen, and of a deduction; None if there is no picture.

    The places of the truths are marked by ``?``, those of options that are excluded by a cross, and those of options
    that must be chosen by what these put there. If excluded options cover several places, only the first one is marked.
    Lines along the sides of cells have the colors of these marks, and in text their signs: those that all excluded
    options draw, or else the first one, and those that a chain forces.
    """
    picture, empty = encoder.draw((*chosen, *deduction.chosen)), encoder.draw(())
    if picture is None or empty is None:
        return None
    bare = set(empty.shapes)
    find_places = partial(_find_places, encoder, bare)
    marks: dict[_Place, tuple[int, str]] = {}
    for item, holders in zip(deduction.truths, deduction.holders, strict=True):
        place = encoder.place_of(item)
        if place is not None:
            marks[place] = _TRUTH, "?"
        elif len(holders) <= _MOST_HOLDERS:
            found = [places for _, places in map(find_places, holders)]
            single = [places[0] for places in found if len(places) == 1]
            around = single if any(found) else _find_around(encoder, holders)
            marks |= dict.fromkeys(around, (_TRUTH, "?"))
    marks |= _mark_excluded([find_places(label) for label in deduction.excluded])
    marks |= {place: (_CHOSEN, "") for label in deduction.chosen for place in find_places(label)[1]}
    lines = _mark_lines(encoder, bare, deduction)
    return replace(picture, shapes=(*_color(picture.shapes, marks, set(picture.marks)), *lines))


def mark_options(encoder: Drawer, chosen: Sequence[Label], options: Iterable[Label]) -> Picture | None:
    """Return a picture of the options that are chosen, with the places of others in color.

    Options on several places are left out; None if there are no others. A place with one option has its text.
    """
    picture, empty = encoder.draw(chosen), encoder.draw(())
    if picture is None or empty is None:
        return None
    bare, texts = set(empty.shapes), dict[_Place, list[str]]()
    for text, places in (_find_places(encoder, bare, label) for label in options):
        if len(places) == 1:
            texts.setdefault(places[0], []).append(text)
    marks = {place: (_CHOSEN, own[0] if len(own) == 1 else "") for place, own in texts.items()}
    return replace(picture, shapes=tuple(_color(picture.shapes, marks, set(picture.marks)))) if marks else None


def _find_places(encoder: Drawer, bare: Set[Shape], label: Label) -> tuple[str, list[_Place]]:
    """Return what an option puts on places of a picture, and these places."""
    alone = encoder.draw((label,))
    text, places, _ = ("", set[_Place](), False) if alone is None else find_marks(bare, alone)
    return text, sorted(places)


def _find_around(encoder: Drawer, labels: Iterable[Label]) -> list[_Place]:
    """Return the places of what shares items with options that lie nowhere, as the sum of a cage does; none if many."""
    own = set(labels)
    options = [
        (label, {item.item if isinstance(item, Colored) else item for item in row}) for label, row in encoder.options()
    ]
    items = set[Item]().union(*(row for label, row in options if label in own))
    near = dict.fromkeys(item for _, row in options if not items.isdisjoint(row) for item in row)
    places = dict.fromkeys(place for place in map(encoder.place_of, near) if place is not None)
    return sorted(places) if len(places) <= _MOST_HOLDERS else []


def _mark_lines(encoder: Drawer, bare: Set[Shape], deduction: Deduction) -> Iterable[Edge]:
    """Yield the lines that options draw along the sides of cells, in the colors of marks."""

    def find(label: Label) -> dict[Edge, None]:
        alone = encoder.draw((label,))
        return {} if alone is None else {edge: None for edge in alone.named_edges if edge not in bare}

    found = [find(label) for label in deduction.excluded] or [{}]
    shared = [edge for edge in found[0] if all(edge in own for own in found)]
    marks = {edge: (_TRUTH, "?") for label, _ in deduction.chain for edge in find(label)}
    marks |= dict.fromkeys(shared or found[0], (_EXCLUDED, "×"))
    marks |= {edge: (_CHOSEN, "") for label in deduction.chosen for edge in find(label)}
    return (replace(edge, tint=tint, sign=sign) for edge, (tint, sign) in marks.items())


def _mark_excluded(found: Sequence[tuple[str, list[_Place]]]) -> Mapping[_Place, tuple[int, str]]:
    """Return marks of excluded options: all that lie on single places, or else the first one."""
    texts: dict[_Place, str] = {}
    for text, places in found if all(len(places) <= 1 for _, places in found) else found[:1]:
        for place in places:
            texts[place] = texts.get(place, "") + text
    return {place: (_EXCLUDED, f"×{text}") for place, text in texts.items()}


def _color(shapes: Iterable[Shape], marks: Mapping[_Place, tuple[int, str]], taken: set[_Place]) -> Iterable[Shape]:
    """Yield shapes, the marked ones in color, and then the texts of the marks on places that have none."""
    for shape in shapes:
        if isinstance(shape, Cell | Tile) and shape.row is not None and shape.column is not None:
            mark = marks.get((shape.row, shape.column))
            own = isinstance(shape, Tile)  # whose text is that of its region
            region = ("mark", shape.row, shape.column) if own else shape.region
            yield shape if mark is None else replace(shape, region=region, tint=mark[0], strength=_STRENGTH)
        else:
            yield shape
    yield from (Text(*place, text) for place, (_, text) in marks.items() if text and place not in taken)
