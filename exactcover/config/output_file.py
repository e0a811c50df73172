"""Names of output files in configurations. A configuration may come from a stranger, so few names are allowed."""

from __future__ import annotations

import os
import re
from pathlib import Path, PureWindowsPath

from exactcover.formats.registry import SOLUTIONS, by_suffix, suffix_of

__all__ = ["describe_fault", "describe_place"]

_FORMATS = by_suffix(SOLUTIONS)

_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\..*)?", re.IGNORECASE)  # names on Windows


def describe_fault(name: str, output_format: str | None = None) -> str | None:
    """Return why a configuration may not name this output file, for this format if it states one, or None.

    Examples
    --------
    >>> describe_fault("pictures/heart.svg")
    >>> describe_fault(".bashrc")  # doctest: +ELLIPSIS
    'expected a name that ends in .txt, .jsonl, .json, .csv, ...; use -o to write elsewhere'
    """
    if name.endswith(("/", "\\")):
        return "expected the name of a file, without a slash at its end"
    path = PureWindowsPath(name)  # separates at / and at \, and knows drives, so that a name is safe on every system
    if not name.isprintable():
        strange = next(character for character in name if not character.isprintable())
        return f"expected a name without invisible characters, such as {strange!a}; use -o to write elsewhere"
    if path.anchor or ".." in path.parts:
        return "expected a relative path without '..'; use -o to write elsewhere"
    if suffix_of(path) not in _FORMATS:
        *others, last = _FORMATS
        return f"expected a name that ends in {', '.join(others)} or {last}; use -o to write elsewhere"
    if any(part.startswith(".") or _DEVICE.fullmatch(part) for part in path.parts):
        return "expected a file that is neither hidden, nor in a hidden folder, nor a device; use -o to write there"
    if output_format is not None and SOLUTIONS[output_format].suffix != suffix_of(path):
        usual = _FORMATS[suffix_of(path)].name
        return f"a file that ends in {path.suffix} has the format {usual}, not {output_format}"
    return None


def describe_place(name: str) -> str | None:
    """Return why the place to which the name leads, after following links, may not be written, or None."""
    folder, place = (Path(os.path.realpath(path)) for path in (Path.cwd(), name))  # also where links form a circle
    if not place.is_relative_to(folder):
        return "it is outside the current folder; use -o to write there"
    real = str(place.relative_to(folder))
    fault = describe_fault(real)
    return fault if fault is None or Path(real) == Path(name) else f"it leads to {real!r}: {fault}"
