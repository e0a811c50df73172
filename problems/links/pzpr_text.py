"""The letters in which puzz.link writes boards: numbers, walls, pearls and clues, with skips over empty places."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import chain, product
from typing import Any, TypeAlias, TypeVar

from exactcover import ParameterError
from problems.boards import find_components, list_cells
from problems.grids.board import Place

Rule: TypeAlias = Mapping[str, Any]
Side: TypeAlias = tuple[Place, Place]
"""Two cells that share a side: a cell, and the one to its right or below it."""
T = TypeVar("T")

DIGITS = string.digits + string.ascii_lowercase
SHIPS = "w^v<>mo"  # water, and parts of ships by their numbers
FLEETS = {"c": 3, "d": 4, "e": 5}
"""The length of the longest ship of each usual fleet; there is one more of each shorter length."""
FILLED, PLAIN = "■", "o"
NORINORI: Sequence[Rule] = ({"count": {"where": "regions", "times": 2}}, {"beside": {"times": 1}})
SEA: Sequence[Rule] = ({"together": FILLED}, {"never": f"{FILLED * 2}/{FILLED * 2}"})
APART: Sequence[Rule] = ({"beside": {"of": FILLED, "times": 0}}, {"together": PLAIN})
"""The rules of kinds of puzzles whose boards state only what they are about."""
NONE, ANY = -1, -2  # an empty place, and one with the sign ?
_FORMS = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192), "@": (3, 8192), "*": (4, 12240), "$": (5, 77776)}
"""The numbers of hexadecimal digits after a sign, and what is added to them."""
_SUMS = f"{string.digits}{string.ascii_lowercase[:10]}{string.ascii_uppercase}"


def _refuse(text: str) -> ParameterError:
    where = f"cannot be read at {text[:12]!r}" if text else "ends too early"
    return ParameterError("link", f"the board in the link {where}")


class Body:
    """The letters of a board that have not been read yet."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _take(self, count: int) -> str:
        if len(self.text) < count:
            raise _refuse("")
        taken, self.text = self.text[:count], self.text[count:]
        return taken

    def _number(self, text: str, base: int) -> int:
        if not text or any(one not in DIGITS[:base] for one in text):
            raise _refuse(text + self.text)
        return int(text, base)

    def _fill(self, count: int, read: Callable[[str], tuple[int | None, int]]) -> list[int]:
        """Return so many values; a letter stands for a value, if any, and for empty places behind it."""
        found = list[int]()
        while len(found) < count:
            value, empty = read(self._take(1))
            found += [] if value is None else [value]
            found += [NONE] * empty
        return found[:count]

    def read_numbers(self, count: int) -> list[int]:
        """Return numbers of any size, NONE and ANY."""

        def read(letter: str) -> tuple[int | None, int]:
            if letter == ".":
                return ANY, 0
            if letter in _FORMS:
                digits, offset = _FORMS[letter]
                return self._number(self._take(digits), 16) + offset, 0
            value = self._number(letter, 36)
            return (value, 0) if value < 16 else (None, value - 15)

        return self._fill(count, read)

    def read_words(self, count: int) -> list[int]:
        """Return numbers of one or two digits, and NONE, without skips."""
        found = list[int]()
        while len(found) < count:
            letter = self._take(1)
            digits = self._take(2) if letter == "-" else letter
            found.append(NONE if letter == "." else self._number(digits, 36))
        return found

    def read_corners(self, count: int) -> list[int]:
        """Return numbers from 0 to 4, NONE and ANY."""

        def read(letter: str) -> tuple[int | None, int]:
            if letter == ".":
                return ANY, 0
            value = self._number(letter, 36)
            if value == 15:
                raise _refuse(letter + self.text)
            return (value % 5, value // 5) if value < 15 else (None, value - 15)

        return self._fill(count, read)

    def read_marks(self, count: int) -> list[bool]:
        """Return whether each place is marked."""

        def read(letter: str) -> tuple[int | None, int]:
            value = self._number(letter, 36)
            return (1, value) if value < 18 else (None, value - 17)

        return [one == 1 for one in self._fill(count, read)]

    def read_packed(self, count: int, base: int, each: int) -> list[int]:
        """Return numbers below a base, so many of which are the digits of each letter."""
        found = list[int]()
        for letter in self._take(-(-count // each)):
            value = self._number(letter, min(base**each, 36))
            found += [value // base**place % base for place in range(each - 1, -1, -1)]
        return found[:count]

    def read_walls(self, size: Place) -> set[Side]:
        """Return the sides with walls."""
        rows, columns = size
        walls = chain(*(self.read_packed(count, 2, 5) for count in (rows * (columns - 1), (rows - 1) * columns)))
        return {side for side, is_wall in zip(list_sides(size), walls, strict=True) if is_wall}

    def read_kakuro(self, rows: int, columns: int) -> dict[Place, tuple[int, int]]:
        """Return the sums below and to the right of each black cell, or NONE; the row and the column 0 are black."""
        black: dict[Place, tuple[int, int]] = {(0, 0): (NONE, NONE)}
        place = 0
        while place < rows * columns:
            letter = self._take(1)
            if "k" <= letter <= "z":
                place += ord(letter) - ord("k") + 1
                continue
            both = (NONE, NONE) if letter == "." else (_read_sum(letter), _read_sum(self._take(1)))
            black[place // columns + 1, place % columns + 1] = both
            place += 1
        for column in range(1, columns + 1):
            black[0, column] = NONE if (1, column) in black else _read_sum(self._take(1)), NONE
        for row in range(1, rows + 1):
            black[row, 0] = NONE, NONE if (row, 1) in black else _read_sum(self._take(1))
        return black

    def read_until(self, sign: str) -> str:
        """Return the letters up to a sign, which is dropped; all if it does not occur."""
        found, _, self.text = self.text.partition(sign)
        return found

    def end(self) -> None:
        """Refuse letters that are left."""
        if self.text:
            message = f"{self.text[:12]!r} is left behind the board; leave it out of the link if the board is whole"
            raise ParameterError("link", message)


def _read_sum(letter: str) -> int:
    if letter not in f"-{_SUMS}":
        raise _refuse(letter)
    return _SUMS.find(letter)


def _write_sum(total: int) -> str:
    if total >= len(_SUMS):
        raise ParameterError("link", f"the sum {total} is too large for a link")
    return "-" if total < 0 else _SUMS[total]


def write_kakuro(rows: int, columns: int, black: Mapping[Place, tuple[int, int]]) -> str:
    """Return the letters of sums, which :meth:`Body.read_kakuro` returns."""

    def write(place: Place) -> str:
        both = black.get(place)
        return "" if both is None else "." if both == (NONE, NONE) else "".join(map(_write_sum, both))

    down, across = range(1, rows + 1), range(1, columns + 1)
    letters = write_skipping(product(down, across), write, string.ascii_lowercase[10:])
    letters += "".join(_write_sum(black[0, column][0]) for column in across if (1, column) not in black)
    return letters + "".join(_write_sum(black[row, 0][1]) for row in down if (row, 1) not in black)


def write_skipping(values: Iterable[T], write: Callable[[T], str], skips: str) -> str:
    """Return the letters of values; one of `skips` stands for 1, 2 and so on of those that are written as nothing."""
    found, empty = "", 0
    for value in values:
        text = write(value)
        if not text:
            empty += 1
            continue
        found += _skip(empty, skips) + text
        empty = 0
    return found + _skip(empty, skips)


def _skip(empty: int, skips: str) -> str:
    whole, rest = divmod(empty, len(skips))
    return skips[-1] * whole + (skips[rest - 1] if rest else "")


def write_numbers(values: Iterable[int]) -> str:
    """Return the letters of numbers up to 4,095, NONE and ANY."""
    return write_skipping(values, _write_number, DIGITS[16:])


def _write_number(value: int) -> str:
    """Return a number as letters; an empty text for NONE."""
    if value < 0:
        return "." if value == ANY else ""
    if value > 4095:
        raise ParameterError("link", f"the number {value} is too large for a link")
    return f"{value:x}" if value < 16 else f"-{value:02x}" if value < 256 else f"+{value:03x}"


def write_words(values: Iterable[int]) -> str:
    """Return the letters of numbers up to 1,295, and NONE, without skips."""
    found = ""
    for value in values:
        if value == ANY:
            raise ParameterError("link", "the sign ? for a number cannot be stated")
        if value >= len(DIGITS) ** 2:
            raise ParameterError("link", f"the number {value} is too large for a link")
        high, low = divmod(value, len(DIGITS))
        found += "." if value == NONE else f"-{DIGITS[high]}{DIGITS[low]}" if high else DIGITS[low]
    return found


def write_corners(values: Sequence[int]) -> str:
    """Return the letters of numbers from 0 to 4, NONE and ANY."""
    strange = next((value for value in values if value > 4), None)
    if strange is not None:
        raise ParameterError("link", f"the number {strange} is too large; expected 0 to 4")
    found, place = "", 0
    while place < len(values):
        value, most = values[place], {NONE: 19, ANY: 0}.get(values[place], 2)
        behind = [*values[place + 1 : place + 1 + most], *[NONE] * (2 if value >= 0 else 0), 0][: most + 1]
        empty = next((count for count, one in enumerate(behind) if one != NONE), most)
        found += DIGITS[16 + empty] if value == NONE else "." if value == ANY else DIGITS[value + 5 * empty]
        place += 1 + empty
    return found


def write_marks(marks: Iterable[bool]) -> str:
    """Return the letters of places that are marked or not."""
    found, empty, seen = "", 0, False
    for is_marked in [*marks, True]:
        if not is_marked:
            empty += 1
            continue
        if seen:
            found += DIGITS[min(empty, 17)]
            empty -= min(empty, 17)
        found += _skip(empty, DIGITS[18:])
        empty, seen = 0, True
    return found


def write_packed(values: Sequence[int], base: int, each: int) -> str:
    """Return the letters of numbers below a base, so many of which are the digits of each letter."""
    groups = ([*values[start : start + each], *[0] * each][:each] for start in range(0, len(values), each))
    return "".join(DIGITS[sum(one * base ** (each - 1 - place) for place, one in enumerate(own))] for own in groups)


def list_sides(size: Place) -> list[Side]:
    """Return the sides between cells: to the right of cells row by row, and then below cells."""
    (rows, columns), cells = size, list_cells(size)
    right = [((row, column), (row, column + 1)) for row, column in cells if column < columns]
    return [*right, *(((row, column), (row + 1, column)) for row, column in cells if row < rows)]


def write_walls(walls: Container[Side], size: Place) -> str:
    """Return the letters of the sides with walls, which :meth:`Body.read_walls` returns."""
    sides, right = list_sides(size), size[0] * (size[1] - 1)
    return "".join(write_packed([side in walls for side in own], 2, 5) for own in (sides[:right], sides[right:]))


def find_room(numbers: Sequence[int], columns: int) -> int:
    """Return how many cells without a number hang together at most, row by row."""
    cells = [divmod(place, columns) for place, number in enumerate(numbers) if number == NONE]
    near = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    areas = find_components(cells, lambda cell: ((cell[0] + down, cell[1] + right) for down, right in near))
    return max(map(len, areas), default=0)


def read_fleet(text: str) -> dict[int, int]:
    """Return how many ships of each length there are."""
    if text.startswith("/") and text[1:] in FLEETS:
        longest = FLEETS[text[1:]]
        return {length: longest + 1 - length for length in range(longest, 0, -1)}
    found: dict[int, int] = {}
    count, *pieces = text.split("/")
    if count != str(len(pieces)) or not pieces:
        raise ParameterError("link", f"{text[:40]!r} is no fleet")
    for piece in pieces:
        if not re.fullmatch(r"[1-9a-z]{2}[0-9a-v]+", piece) or "1" not in piece[:2]:
            raise ParameterError("link", f"the ship {piece[:12]!r} is not straight, so it cannot be stated")
        length = int(piece[0], 36) * int(piece[1], 36)
        cells, body = [1] * length, Body(piece[2:])
        if body.read_packed(length, 2, 5) != cells or body.text:
            raise ParameterError("link", f"the ship {piece[:12]!r} is not whole, so it cannot be stated")
        found[length] = found.get(length, 0) + 1
    return found


def write_fleet(fleet: Mapping[int, int]) -> str:
    """Return the letters of a fleet, as :func:`read_fleet` reads them."""
    for letter, longest in FLEETS.items():
        if fleet == {length: longest + 1 - length for length in range(1, longest + 1)}:
            return f"/{letter}"
    if max(fleet) >= len(DIGITS):
        raise ParameterError("link", f"a ship of {max(fleet)} cells is too long for a link")
    pieces = {length: f"1{DIGITS[length]}{write_packed([1] * length, 2, 5)}" for length in fleet}
    return "/".join(
        [str(sum(fleet.values())), *(pieces[length] for length, times in fleet.items() for _ in range(times))]
    )
