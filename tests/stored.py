"""What the tests expect in whole files: compared, and written anew by `pytest --renew`."""

from __future__ import annotations

from pathlib import Path

import pytest

FILES = Path(__file__).with_name("files")
"""Inputs and expected outputs of tests."""
_AROUND = 40  # characters shown before and after a difference


def compare_with_file(name: str, text: str, *, renew: bool) -> None:
    """Fail with the first difference between a text and a file in `tests/files`; write the file if `renew` is true."""
    file = FILES / name
    if renew:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8", newline="\n")
        return
    if not file.is_file():
        pytest.fail(f"{file} is missing; python -m pytest --renew writes it")
    with file.open(encoding="utf-8", newline="") as source:
        difference = find_difference(source.read(), text)
    if difference is not None:
        pytest.fail(f"{file}, {difference}", pytrace=False)


def find_difference(expected: str, found: str) -> str | None:
    """Return where two texts begin to differ, and what stands there; None if they are equal.

    Examples
    --------
    >>> print(find_difference("one\\ntwo\\n", "one\\ntoo\\n"))
    line 2, column 2:
    expected 'two'
    found    'too'
    """
    if expected == found:
        return None
    lines, others = expected.split("\n"), found.split("\n")
    same = next((k for k, (one, other) in enumerate(zip(lines, others, strict=False)) if one != other), None)
    if same is None:
        return f"line {min(len(lines), len(others))}:\nexpected {len(lines)} lines\nfound    {len(others)}"
    one, other = lines[same], others[same]
    column = next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    part = slice(max(0, column - _AROUND), column + _AROUND)
    return f"line {same + 1}, column {column + 1}:\nexpected {one[part]!r}\nfound    {other[part]!r}"
