"""Names as text, for formats in which every name is text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from exactcover.errors import ProblemError

__all__ = ["distinct_texts"]


def distinct_texts(kind: str, names: Iterable[Hashable]) -> list[str]:
    """Return the names as text, in their order.

    Parameters
    ----------
    kind
        What the names are, in errors.
    names
        Different names.

    Raises
    ------
    ProblemError
        If two names have the same text, so that a file could not tell them apart.

    Examples
    --------
    >>> distinct_texts("label", ["a", 1])
    ['a', '1']
    >>> distinct_texts("label", ["1", 1])
    Traceback (most recent call last):
      ...
    exactcover.errors.ProblemError: this format cannot tell the labels '1' and 1 apart: both have the text '1'
    """
    owners: dict[str, Hashable] = {}
    for name in names:
        text = str(name)
        if text in owners:
            raise ProblemError(
                f"this format cannot tell the {kind}s {owners[text]!r} and {name!r} apart: both have the text {text!r}"
            )
        owners[text] = name
    return list(owners)
