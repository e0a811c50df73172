"""LZString: texts compressed as letters, as f-puzzles and SudokuPad keep puzzles in links.

A text is a sequence of code units of UTF-16. It is compressed as by LZ78: a code is a unit that is new, or the number
of a phrase seen before, and each phrase is the one before it with one more unit. A letter holds six bits.
"""

from __future__ import annotations

import string
from collections.abc import Iterator

_LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
_SHORT, _LONG, _END, _FIRST = range(4)  # codes for a unit of 8 bits, one of 16 bits, the end; and that of a phrase


def decompress(text: str, most: int) -> str:
    """Return the text that letters hold; a ``ValueError`` says that there is none, or one of more than `most` units."""
    bits, phrases, units = _list_bits(text.rstrip("=")), list[str](), list[str]()
    before, size = "", 0

    def read(width: int) -> int:
        try:
            return sum([next(bits) << place for place in range(width)])
        except StopIteration:
            raise ValueError("it ends too early") from None

    while (code := read((len(phrases) + _FIRST).bit_length())) != _END:
        if code in (_SHORT, _LONG):
            phrases.append(chr(read(16 if code == _LONG else 8)))
            code = len(phrases) - 1 + _FIRST
        place = code - _FIRST
        if place > len(phrases) or (place == len(phrases) and not before):
            raise ValueError("it refers to what is not there")
        phrase = phrases[place] if place < len(phrases) else before + before[0]
        if before:
            phrases.append(before + phrase[0])
        units.append(phrase)
        before, size = phrase, size + len(phrase)
        if size > most:
            raise ValueError(f"it holds more than {most:,} characters")
    return "".join(units).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _list_bits(text: str) -> Iterator[int]:
    values = {letter: value for value, letter in enumerate(_LETTERS)}
    for letter in text:
        if letter not in values:
            raise ValueError(f"{letter!r} is not one of its letters")
        yield from (values[letter] >> place & 1 for place in range(5, -1, -1))


def compress(text: str) -> str:
    """Return the letters that hold a text.

    >>> compress('{"size":9}'), decompress(compress('{"size":9}'), 99)
    ('N4IgzglgXgpiBcBOAvkA', '{"size":9}')
    """
    numbers, fresh, bits = dict[str, int](), set[str](), list[int]()
    steps, phrase = 0, ""

    def put(value: int, width: int) -> None:
        bits.extend(value >> place & 1 for place in range(width))

    def write() -> None:
        nonlocal steps
        width = (steps + 2).bit_length()
        if phrase in fresh:
            fresh.remove(phrase)
            put(int(ord(phrase) > 255), width)
            put(ord(phrase), 16 if ord(phrase) > 255 else 8)
            steps += 1
        else:
            put(numbers[phrase], width)
        steps += 1

    data = text.encode("utf-16-le", "surrogatepass")
    for low, high in zip(data[::2], data[1::2], strict=True):
        unit = chr(low + 256 * high)
        if unit not in numbers:
            numbers[unit] = len(numbers) + _FIRST
            fresh.add(unit)
        if phrase + unit in numbers:
            phrase += unit
            continue
        if phrase:
            write()
            numbers[phrase + unit] = len(numbers) + _FIRST
        phrase = unit
    if phrase:
        write()
    put(_END, (steps + 2).bit_length())
    bits += [0] * (6 - len(bits) % 6)
    letters = "".join(
        _LETTERS[sum(bit << 5 - place for place, bit in enumerate(bits[start : start + 6]))]
        for start in range(0, len(bits), 6)
    )
    return letters + "=" * (-len(letters) % 4)
