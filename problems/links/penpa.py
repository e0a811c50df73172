"""Links of penpa-edit: drawings of boards, with the kind of a puzzle as their title or as a tag.

What is drawn becomes the letters of puzz.link, or for Sudokus a document of f-puzzles, and back. So each kind is a list
of parts, each of which is read off a drawing, and drawn.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple
from urllib.parse import unquote

from exactcover import Encoder, ParameterError
from exactcover.errors import nearest
from exactcover.formats.links import Linked, Written
from problems.boards import cell_name, group_cells
from problems.grid import Grid
from problems.grids.board import Place
from problems.grids.constraints import Cages, Once
from problems.layouts import name_areas, write_layout
from problems.links import puzzlink
from problems.links.fpuzzles import SPOKEN, read_puzzle
from problems.links.fpuzzles_fields import name_cells, write_puzzle
from problems.links.penpa_drawing import Drawing, read_drawing, write_drawing
from problems.links.pzpr_text import (
    ANY,
    NONE,
    SHIPS,
    Body,
    Side,
    list_sides,
    read_fleet,
    write_corners,
    write_fleet,
    write_kakuro,
    write_marks,
    write_numbers,
    write_packed,
    write_walls,
    write_words,
)
from problems.squares import number_boxes

_LINK = re.compile(r"https?://[^?#]*penpa-edit/?(?:index\.html)?[#?](.*)", re.IGNORECASE | re.DOTALL)
_ADDRESS = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="
_BLACK = [(style, "kakuro") for style in (1, 2, 3, 4)]
_STYLES = {1: 1, 6: 1, 8: 1, 2: 2}  # white and black, by the styles of circles
_SHIP = "battleship_B"
_SHIPS = dict(enumerate("om<^>vw", 1))
"""Parts of ships, and water, by the styles of symbols."""
_SIDES = ("top", "bottom", "left", "right")


class Part(NamedTuple):
    """A part of the letters of a board: what reads it off a drawing, and what draws it."""

    read: Callable[[Drawing], str]
    draw: Callable[[Drawing, Body], None]


def _make_numbers(
    list_places: Callable[[Drawing], list[Place]] = attrgetter("places"),
    write: Callable[[Sequence[int]], str] = write_numbers,
    read: Callable[[Body, int], Sequence[int]] = Body.read_numbers,
    *,
    may_label: bool = False,
    names: Sequence[str] = (),
) -> Part:
    """Return the part for numbers in some places; or for their names, or other texts instead, which are numbered."""

    def read_part(drawing: Drawing) -> str:
        texts = [drawing.numbers.pop(place, "") for place in list_places(drawing)]
        words = dict.fromkeys(text for text in texts if text not in ("", "?"))
        strange = [word for word in words if word not in names and (names or not re.fullmatch("[0-9]{1,4}", word))]
        if strange and not may_label:
            raise ParameterError("link", f"expected a {'letter' if names else 'number'}, got {strange[0][:20]!r}")
        labels = {word: number if strange or names else int(word) for number, word in enumerate(names or words, 1)}
        return write([labels.get(one, ANY if one else NONE) for one in texts])

    def draw_part(drawing: Drawing, body: Body) -> None:
        places = list_places(drawing)
        found = [*zip(places, read(body, len(places)), strict=True)]
        shown = {place: names[one - 1] if names else str(one) for place, one in found if one >= 0}
        drawing.numbers |= shown | {place: "?" for place, one in found if one == ANY}

    return Part(read_part, draw_part)


def _make_symbols(
    list_places: Callable[[Drawing], Sequence[tuple[str, Place]]],
    shape: str,
    write: Callable[[list[int]], str],
    read: Callable[[Body, int], Sequence[int]],
    styles: Mapping[int, int],
) -> Part:
    """Return the part for symbols of a shape in some places; the letters are for the numbers of their styles."""

    def read_part(drawing: Drawing) -> str:
        found = list[int]()
        for key in list_places(drawing):
            style, name = drawing.symbols.get(key, (0, ""))
            is_known = style in styles and name.startswith(shape.rstrip("LMS"))
            found.append(styles[style] if is_known else 0)
            if is_known:
                del drawing.symbols[key]
        return write(found)

    def draw_part(drawing: Drawing, body: Body) -> None:
        keys = list_places(drawing)
        found = zip(keys, read(body, len(keys)), strict=True)
        drawing.symbols |= {key: (int(style), shape) for key, style in found if style}

    return Part(read_part, draw_part)


def _list_on_cells(drawing: Drawing) -> list[tuple[str, Place]]:
    return [("cell", place) for place in drawing.places]


def _list_on_sides(drawing: Drawing) -> list[tuple[str, Place]]:
    return [("right" if one[0] == other[0] else "below", one) for one, other in list_sides(drawing.size)]


def _list_beside(*sides: str) -> Callable[[Drawing], list[Place]]:
    """Return what lists the places beside some sides of a board."""

    def list_places(drawing: Drawing) -> list[Place]:
        rows, columns = drawing.size
        found = {
            "top": [(0, column) for column in range(1, columns + 1)],
            "bottom": [(rows + 1, column) for column in range(1, columns + 1)],
            "left": [(row, 0) for row in range(1, rows + 1)],
            "right": [(row, columns + 1) for row in range(1, rows + 1)],
        }
        return [place for side in sides for place in found[side]]

    return list_places


def _list_numbered_sides(drawing: Drawing) -> list[Place]:
    """Return the places of numbers beside columns, and beside rows: above and to the left, or on the other sides."""
    found = list[Place]()
    for sides in (("top", "bottom"), ("left", "right")):
        usual, other = (_list_beside(side)(drawing) for side in sides)
        found += usual if drawing.numbers.keys().isdisjoint(other) else other
    return found


def _list_runs(drawing: Drawing) -> list[Place]:
    """Return the places of runs, for each line from the board outwards: as many as there may be in it."""
    rows, columns = drawing.size
    above = [(-k, column) for column in range(1, columns + 1) for k in range(-(-rows // 2))]
    return [*above, *((row, -k) for row in range(1, rows + 1) for k in range(-(-columns // 2)))]


def _take_walls(drawing: Drawing) -> set[Side]:
    """Return the walls, each of which is between two regions."""
    walls, drawing.walls = drawing.walls, set()
    letters = puzzlink.find_regions(walls, drawing.size)
    loose = [one for one, other in walls if letters[one] == letters[other]]
    if loose or not walls:
        where = f"that at {cell_name(min(loose))} ends inside of one" if loose else "there are none"
        raise ParameterError("link", f"expected borders around regions; {where}")
    return walls


def _draw_walls(drawing: Drawing, body: Body) -> None:
    drawing.walls |= body.read_walls(drawing.size)


def _read_stars(drawing: Drawing) -> str:
    """Return the number of stars, which is the only number; a star in the margin may stand beside it."""
    texts = [*drawing.numbers.values(), *drawing.texts.values()]
    match = re.fullmatch(r"\(?([1-9][0-9]?)(?: stars?| ★)?\)?", texts[0].lower()) if len(texts) == 1 else None
    if match is None or not drawing.numbers.keys().isdisjoint(drawing.places):
        raise ParameterError(
            "link", "the drawing does not tell the number of stars; expected one number, beside the board"
        )
    drawing.numbers.clear()
    drawing.texts.clear()
    inside = {*drawing.places}
    drawing.symbols = {key: one for key, one in drawing.symbols.items() if key[1] in inside or one[1] != "star"}
    return f"{match[1]}/"


def _draw_stars(drawing: Drawing, body: Body) -> None:
    columns = drawing.size[1]
    drawing.numbers[0, max(1, columns - 1)] = body.read_until("/")
    drawing.symbols["cell", (0, columns)] = 2, "star"


def _read_givens(body: Body, count: int) -> list[int]:
    return body.read_numbers(count) if body.text else [NONE] * count


_read_pearls, _write_pearls = partial(Body.read_packed, base=3, each=3), partial(write_packed, base=3, each=3)
_GIVENS = _make_numbers(read=_read_givens)
_NUMBERS, _LABELS = _make_numbers(), _make_numbers(may_label=True)
_WALLS = Part(lambda drawing: write_walls(_take_walls(drawing), drawing.size), _draw_walls)
_PEARLS = _make_symbols(_list_on_cells, "circle_L", _write_pearls, _read_pearls, _STYLES)
_DOTS = _make_symbols(_list_on_sides, "circle_SS", _write_pearls, _read_pearls, _STYLES)
_TREES = _make_symbols(_list_on_cells, "tents", lambda found: write_marks(map(bool, found)), Body.read_marks, {1: 1})


def _read_sums(drawing: Drawing) -> str:
    """Return the sums of a Kakuro, whose first row and column are black."""
    keys = [key for key in _list_on_cells(drawing) if drawing.symbols.get(key) in _BLACK]
    black = {}
    for _, (row, column) in keys:
        words = [drawing.corners.pop(((row, column), corner), "") for corner in ("bottom-left", "top-right")]
        below, right = (int(word) if re.fullmatch("[1-9][0-9]?", word) else NONE if not word else ANY for word in words)
        if ANY in (below, right):
            raise ParameterError("link", f"expected sums in {cell_name((row, column))}, got {' '.join(words)[:20]!r}")
        black[row - 1, column - 1] = below, right
        del drawing.symbols["cell", (row, column)]
    if not {(row - 1, column - 1) for row, column in drawing.places if 1 in (row, column)} <= black.keys():
        raise ParameterError("link", "expected black cells in the first row and in the first column")
    inner = {(row - 1, column - 1) for row, column in drawing.places}.difference(black)
    for (row, column), (below, right) in black.items():
        if (below != NONE and (row + 1, column) not in inner) or (right != NONE and (row, column + 1) not in inner):
            raise ParameterError("link", f"there is no cell for a sum in {cell_name((row + 1, column + 1))}")
    return write_kakuro(drawing.size[0] - 1, drawing.size[1] - 1, black)


def _draw_sums(drawing: Drawing, body: Body) -> None:
    for (row, column), both in body.read_kakuro(drawing.size[0] - 1, drawing.size[1] - 1).items():
        place = row + 1, column + 1
        drawing.symbols["cell", place] = (1 if both != (NONE, NONE) else 2), "kakuro"
        sums = zip(("bottom-left", "top-right"), both, strict=True)
        drawing.corners |= {(place, corner): str(total) for corner, total in sums if total != NONE}


def _read_lamps(drawing: Drawing) -> str:
    """Return the numbers in dark cells."""
    if "colors" in drawing.left_out:
        raise ParameterError("link", "expected black cells only; cells of other colors may be black, too")
    dark = drawing.dark.intersection(drawing.places)
    drawing.dark -= dark
    words = {place: drawing.numbers.pop(place, "?") for place in sorted(dark)}
    strange = next((word for word in words.values() if word not in (*"01234", "?")), None)
    if strange is not None:
        raise ParameterError("link", f"expected a number from 0 to 4 in a dark cell, got {strange[:20]!r}")
    values = {place: ANY if word == "?" else int(word) for place, word in words.items()}
    return write_corners([values.get(place, NONE) for place in drawing.places])


def _draw_lamps(drawing: Drawing, body: Body) -> None:
    values = dict(zip(drawing.places, body.read_corners(len(drawing.places)), strict=True))
    drawing.dark |= {place for place, one in values.items() if one != NONE}
    drawing.numbers |= {place: str(one) for place, one in values.items() if one >= 0}


def _read_range(drawing: Drawing) -> str:
    """Return the number of letters, which a text such as (A-C) tells."""
    tells = re.compile(r"\(?\s*A\s*[-\u2013]\s*([A-Z])\s*\)?").fullmatch
    texts = {key: match[1] for key, text in drawing.texts.items() if (match := tells(text))}
    numbers = {place: match[1] for place, text in drawing.numbers.items() if (match := tells(text))}
    found = [*texts.values(), *numbers.values()]
    if len(found) != 1:
        raise ParameterError("link", "the drawing does not tell the letters; expected a text such as (A-C) beside it")
    drawing.texts = {key: text for key, text in drawing.texts.items() if key not in texts}
    drawing.numbers = {place: text for place, text in drawing.numbers.items() if place not in numbers}
    return f"{string.ascii_uppercase.index(found[0]) + 1}/"


def _draw_range(drawing: Drawing, body: Body) -> None:
    drawing.texts["cell", (-1, drawing.size[1])] = f"(A-{string.ascii_uppercase[int(body.read_until('/')) - 1]})"


def _take_ships(drawing: Drawing, *, inside: bool) -> dict[Place, str]:
    """Return the parts of ships on the board, with water, or those beside it."""
    on_board = {*drawing.places}
    keys = [key for key, (style, name) in drawing.symbols.items() if key[0] == "cell" and style in _SHIPS
            and re.fullmatch("battleship_[BGW]", name) and (key[1] in on_board) == inside]  # fmt: skip
    return {key[1]: _SHIPS[drawing.symbols.pop(key)[0]] for key in keys}


def _read_ships(drawing: Drawing) -> str:
    """Return the parts of ships that are given."""
    found = {place: SHIPS.index(part) for place, part in _take_ships(drawing, inside=True).items()}
    for place in drawing.places:
        if drawing.numbers.get(place) == "?" and place not in found:
            del drawing.numbers[place]
            found[place] = ANY
    return write_numbers([found.get(place, NONE) for place in drawing.places])


def _draw_ships(drawing: Drawing, body: Body) -> None:
    values = dict(zip(drawing.places, body.read_numbers(len(drawing.places)), strict=True))
    body.read_until("/")
    styles = {part: style for style, part in _SHIPS.items()}
    drawing.symbols |= {("cell", place): (styles[SHIPS[one]], _SHIP) for place, one in values.items() if one >= 0}
    drawing.numbers |= {place: "?" for place, one in values.items() if one == ANY}


def _read_fleet(drawing: Drawing) -> str:
    """Return the fleet, whose ships are drawn beside the board, each from end to end."""
    parts = _take_ships(drawing, inside=False)
    if not parts:
        raise ParameterError("link", "the drawing does not tell the fleet; expected its ships beside the board")
    fleet = Counter[int]()
    for axis, ship in ((0, "<m*>|o"), (1, r"\^m*v")):
        lines: dict[int, dict[int, str]] = {}
        for place, part in parts.items():
            lines.setdefault(place[axis], {})[place[1 - axis]] = part
        for line in lines.values():
            text = "".join(line.get(k, " ") for k in range(min(line), max(line) + 1))
            fleet.update(map(len, re.findall(ship, text)))
    if sum(length * times for length, times in fleet.items()) != len(parts):
        raise ParameterError("link", "expected whole ships beside the board, each with both of its ends")
    return f"/{write_fleet(fleet)}"


def _draw_fleet(drawing: Drawing, body: Body) -> None:
    """Draw the fleet below the board."""
    row, column = drawing.size[0] + 2, 1
    for length, times in sorted(read_fleet(body.text).items(), reverse=True):
        for _ in range(times):
            if column > 1 and column + length - 1 > drawing.size[1]:
                row, column = row + 2, 1
            styles = [1] if length == 1 else [3, *[2] * (length - 2), 5]
            drawing.symbols |= {("cell", (row, column + k)): (style, _SHIP) for k, style in enumerate(styles)}
            column += length + 1


class Kind(NamedTuple):
    """The kind on puzz.link, what is drawn in which order, and how many rows and columns more a drawing has."""

    name: str
    parts: Sequence[Part]
    frame: int = 0


KINDS: Mapping[str, Kind] = {
    "sudoku": Kind("sudoku", ()),
    "slitherlink": Kind("slither", (_make_numbers(write=write_corners, read=Body.read_corners),)),
    "masyu": Kind("mashu", (_PEARLS,)),
    "numberlink": Kind("numlin", (_LABELS,)),
    "arukone": Kind("arukone", (_LABELS,)),
    "star battle": Kind("starbattle", (Part(_read_stars, _draw_stars), _WALLS)),
    "tents": Kind("tents", (_make_numbers(_list_numbered_sides), _TREES)),
    "light up": Kind("lightup", (Part(_read_lamps, _draw_lamps),)),
    "battleships": Kind(
        "battleship",
        (_make_numbers(_list_numbered_sides), Part(_read_ships, _draw_ships), Part(_read_fleet, _draw_fleet)),
    ),
    "easy as abc": Kind(
        "easyasabc",
        (
            Part(_read_range, _draw_range),
            _make_numbers(_list_beside(*_SIDES), names=string.ascii_uppercase),
            _make_numbers(read=_read_givens, names=string.ascii_uppercase),
        ),
    ),
    "kenken": Kind("kenken", ()),
    "kakuro": Kind("kakuro", (Part(_read_sums, _draw_sums),), 1),
    "nonogram": Kind("nonogram", (_make_numbers(_list_runs),)),
    "shikaku": Kind("shikaku", (_NUMBERS,)),
    "skyscrapers": Kind("skyscrapers", (_make_numbers(_list_beside(*_SIDES)), _GIVENS)),
    "doppelblock": Kind("doppelblock", (_make_numbers(_list_beside("top", "left")), _GIVENS)),
    "kropki": Kind("kropki", (_DOTS,)),
    "ripple effect": Kind("ripple", (_WALLS, _NUMBERS)),
    "suguru": Kind("suguru", (_WALLS, _NUMBERS)),
    "cojun": Kind("cojun", (_WALLS, _NUMBERS)),
    "norinori": Kind("norinori", (_WALLS,)),
    "nurikabe": Kind("nurikabe", (_NUMBERS,)),
    "hitori": Kind("hitori", (_make_numbers(write=write_words, read=Body.read_words),)),
    "fillomino": Kind("fillomino", (_NUMBERS,)),
}
"""Kinds by their names, as titles state them."""
_SUDOKUS = ("classic", "killer", "thermo", "arrow", "irregular", "jigsaw", "even odd", "evenodd")
_ALIASES = {"starbattle": "star battle", "akari": "light up", "battleship": "battleships", "tomtom": "kenken",
            "ripple": "ripple effect", "pearl": "masyu",
            **{f"{word}{more}": "sudoku" for word in _SUDOKUS for more in ("", " sudoku")}}  # fmt: skip


def read(link: str) -> Linked | None:
    """Return the puzzle of a link to penpa-edit; None for other links.

    Its kind is what stands behind ``kind=`` in the link, or else its title, or if it has none, its tag.
    """
    match = _LINK.match(link)
    if match is None:
        return None
    pairs = (part.partition("=") for part in match[1].replace("&amp;", "&").split("&"))
    stated = {name: unquote(value) for name, _, value in pairs}
    letters = stated.get("p", "")
    if letters.startswith("http"):
        return puzzlink.read(letters)
    drawing = read_drawing(letters)
    kind = _find_kind(drawing, stated.get("kind", "").replace("+", " "))
    title = drawing.title
    if kind == "sudoku":
        document = _make_document(drawing)
        drawing.check_taken()
        linked = read_puzzle(document)
    elif kind == "kenken":
        linked = _read_kenken(drawing)
        drawing.check_taken()
    else:
        name, parts, frame = KINDS[kind]
        letters = "".join([part.read(drawing) for part in parts])
        drawing.check_taken()
        linked = _read_letters(name, (drawing.size[0] - frame, drawing.size[1] - frame), letters)
    if drawing.rules.strip() and linked.problem == "grid":
        linked.params["instructions"] = drawing.rules
        drawing.left_out[SPOKEN] = None
    elif drawing.rules.strip():
        drawing.left_out["rules in words"] = None
    return linked._replace(title=title, left_out=(*linked.left_out, *drawing.left_out))


def _read_letters(kind: str, size: Place, letters: str) -> Linked:
    found = puzzlink.read(f"https://puzz.link/p?{kind}/{size[1]}/{size[0]}/{letters}")
    assert found is not None
    return found


def _find_kind(drawing: Drawing, stated: str) -> str:
    words = [stated] if stated else [drawing.title] if drawing.title else drawing.tags
    kinds, tags = ({_find_name(word) for word in own if word} for own in (words, drawing.tags))
    if len(kinds) == 1 and kinds <= KINDS.keys():
        if not tags <= KINDS.keys() and not stated:  # tags of other kinds are left over from other drawings
            raise ParameterError(
                "link", f"its tags ({', '.join(drawing.tags)[:60]}) say more than its title; add &kind="
            )
        if not tags <= kinds:
            drawing.left_out["tags"] = None
        return kinds.pop()
    if stated:
        raise ParameterError(
            "link", f"unknown kind {stated[:40]!r}{nearest(stated, KINDS)}; expected {', '.join(KINDS)}"
        )
    shown = f" ({', '.join(words)[:60]})" if words else ""
    message = f"the drawing does not say which kind of puzzle it is{shown}; if you know, add &kind= and one of "
    raise ParameterError("link", message + ", ".join(KINDS).replace(" ", "+").replace(",+", ", "))


def _find_name(word: str) -> str:
    """Return the name of the kind that a word means, or the word in lower case."""
    name = " ".join(re.sub(r"[\s_!.,:'-]+", " ", word.lower()).split())
    return _ALIASES.get(name, name)


# Sudokus, as documents of f-puzzles.


def _make_document(drawing: Drawing) -> dict[str, Any]:
    """Return the document of a Sudoku."""
    rows = columns = drawing.check_square()
    grid: list[list[dict[str, Any]]] = [[{} for _ in range(columns)] for _ in range(rows)]
    for row, column in drawing.places:
        text = drawing.numbers.pop((row, column), "")
        if text:
            grid[row - 1][column - 1] |= {"value": text, "given": True}
    if re.search("irregular|jigsaw", (drawing.title or "").lower()) and not drawing.walls:
        raise ParameterError("link", "expected borders around the regions of an irregular Sudoku; there are none")
    if drawing.walls and drawing.walls != _list_borders(drawing, number_boxes(rows)):
        letters = puzzlink.find_regions(_take_walls(drawing), drawing.size)
        numbers = {letter: number for number, letter in enumerate(dict.fromkeys(letters.values()))}
        for (row, column), letter in letters.items():
            grid[row - 1][column - 1]["region"] = numbers[letter]
    drawing.walls.clear()
    cages = [_make_cage(drawing, cells) for cells in drawing.lists.pop("killercages", [])]
    thermometers, arrows = ([name_cells(own) for own in drawing.lists.pop(name, [])] for name in ("thermo", "arrows"))
    document: dict[str, Any] = {"size": rows, "grid": grid, "killercage": cages}
    document["thermometer"] = [{"lines": [own]} for own in thermometers]
    document["arrow"] = [{"cells": own[:1], "lines": [own]} for own in arrows]
    for name, shape in (("even", "square_L"), ("odd", "circle_L")):
        keys = [key for key, symbol in drawing.symbols.items() if key[0] == "cell" and symbol == (3, shape)]
        document[name] = [{"cell": name_cells([key[1]])[0]} for key in keys if drawing.symbols.pop(key)]
    return document


def _list_borders(drawing: Drawing, regions: Mapping[Place, object]) -> set[Side]:
    """Return the sides of cells between regions."""
    return {(one, other) for one, other in list_sides(drawing.size) if regions[one] != regions[other]}


def _make_cage(drawing: Drawing, cells: list[Place]) -> dict[str, Any]:
    total = drawing.corners.pop((min(cells), "top-left"), "")
    return {"cells": name_cells(cells), **({"value": total} if total else {})}


# KenKens, which puzz.link does not have.


def _read_kenken(drawing: Drawing) -> Linked:
    """Return a KenKen, whose cages are lists or have borders; a number without a sign is for any operation."""
    side = drawing.check_square()
    cages = drawing.lists.pop("killercages", [])
    if not cages:
        letters = puzzlink.find_regions(_take_walls(drawing), drawing.size)
        cages = [*group_cells(letters).values()]
    held = [cell for cage in cages for cell in cage]
    if len({*held}) < len(held) or not {*held} <= {*drawing.places}:
        raise ParameterError("link", "expected cages on the board that do not overlap")
    areas, totals = name_areas(cages), dict[str, str]()
    for name, cells in areas.items():
        text = drawing.corners.pop((min(cells), "top-left"), "")
        match = re.fullmatch(r"([0-9]{1,9})\s*([-+x*×/:÷−]?)", text)
        if text and match is None:
            raise ParameterError(
                "link", f"expected a number with +, -, x or / in {cell_name(min(cells))}, got {text[:20]!r}"
            )
        if match is not None:
            totals[name] = match[1] + (match[2] or "?") * (len(cells) > 1)
    line = range(1, side + 1)
    givens = [[drawing.numbers.pop((row, column), "") for column in line] for row in line]
    strange = next((one for row in givens for one in row if not re.fullmatch("[0-9]{0,3}", one)), None)
    if strange is not None:
        raise ParameterError("link", f"expected a number, got {strange[:20]!r}")
    rule = {"areas": write_layout(areas, drawing.size), "totals": totals, "repeat": True}
    shown = [[one or "." for one in row] for row in givens]
    return Linked("grid", {"cells": shown, "constraints": [{"once": "rows columns"}, {"cages": rule}]})


def _draw_kenken(encoder: Encoder) -> Drawing | None:
    """Return the drawing of a KenKen; None for other puzzles."""
    from problems.links.puzzlink_kinds import StatedGrid  # only for those who write

    board = StatedGrid(encoder) if isinstance(encoder, Grid) else None
    once, cages = (board.take(Once), board.take(Cages)) if board else (None, None)
    if board is None or not (once and cages) or board.left or not (cages.repeat and board.has(once, "rows columns")):
        return None
    if not board.is_latin():
        return None
    drawing = Drawing(board.size, title="KenKen", numbers={**board.givens})
    for name, cells in cages.read_cages(board.board).items():
        total = str(cages.totals.get(name, "")).strip()
        match = re.fullmatch(r"([0-9]{1,9})\s*([-+x*×/:÷−?]?)", total)
        if total and match is None:
            raise ParameterError("problem", f"the total {total!r} of a cage is not drawn")
        drawing.lists.setdefault("killercages", []).append([*cells])
        if match is not None:
            sign = {"": "+", "?": ""}.get(match[2], match[2])
            drawing.corners[min(cells), "top-left"] = match[1] + sign * (len(cells) > 1)
    return drawing


def write(encoder: Encoder, title: str | None = None) -> Written:
    """Return a link to penpa-edit with a drawing of the puzzle of an encoder; the place of the title names its kind."""
    from problems.links.round_trip import check_link  # only for those who write

    return check_link(_write_link(encoder), encoder, title, read, _write_link)


def _write_link(encoder: Encoder) -> str:
    from problems.links.puzzlink_kinds import write_board  # only for those who write

    kenken = _draw_kenken(encoder)
    try:
        if kenken is not None:
            drawing, wanted = kenken, _read_kenken(deepcopy(kenken))
        else:
            document = write_puzzle(encoder)
            document.pop("ruleset", None)  # it stands beside what is drawn
            drawing, wanted = _draw_sudoku(document), read_puzzle(document)
    except ParameterError:
        name, flags, size, letters = write_board(encoder)
        kind = next((kind for kind, (own, parts, _) in KINDS.items() if own == name and parts), None)
        if kind is None or flags:
            raise ParameterError("problem", f"puzzles like {name} are not drawn") from None
        frame = KINDS[kind].frame
        drawing, body = Drawing((size[0] + frame, size[1] + frame), title=kind.title()), Body(letters)
        for part in KINDS[kind].parts:
            part.draw(drawing, body)
        wanted = _read_letters(name, size, letters)
    drawing.rules = encoder.instructions if isinstance(encoder, Grid) else ""
    link = f"{_ADDRESS}{write_drawing(drawing)}"
    again = read(link)
    if again is not None:
        again.params.pop("instructions", None)
    if again is None or again[:2] != wanted[:2]:
        raise ParameterError("problem", "the drawing of this puzzle would mean another one")
    return link


def _draw_sudoku(document: Mapping[str, Any]) -> Drawing:
    """Return the drawing of a Sudoku, also with cages, thermometers, arrows, and even and odd cells."""
    side, drawing = document["size"], Drawing((document["size"],) * 2, title="Sudoku")
    known = ("size", "grid", "title", "killercage", "thermometer", "arrow", "even", "odd")
    strange = next((field for field, value in document.items() if value and field not in known), None)
    if strange is not None:
        raise ParameterError("problem", f"Sudokus with {strange} are not drawn")
    cells = {place: document["grid"][place[0] - 1][place[1] - 1] for place in drawing.places}
    drawing.numbers = {place: str(cell["value"]) for place, cell in cells.items() if cell.get("given")}
    regions = {place: cells[place].get("region", usual) for place, usual in number_boxes(side).items()}
    drawing.walls = _list_borders(drawing, regions)
    for cage in document.get("killercage", ()):
        own = _read_cells(cage["cells"])
        drawing.lists.setdefault("killercages", []).append(own)
        if cage.get("value"):
            drawing.corners[min(own), "top-left"] = str(cage["value"])
    for field, name in (("thermometer", "thermo"), ("arrow", "arrows")):
        for line in (line for item in document.get(field, ()) for line in item["lines"]):
            drawing.lists.setdefault(name, []).append(_read_cells(line))
    for field, shape in (("even", "square_L"), ("odd", "circle_L")):
        drawing.symbols |= {("cell", _read_cells([item["cell"]])[0]): (3, shape) for item in document.get(field, ())}
    return drawing


def _read_cells(names: Sequence[str]) -> list[Place]:
    return [(int(row), int(column)) for row, column in (re.findall(r"\d+", name) for name in names)]
