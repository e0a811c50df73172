"""Small HTML tables, as which objects show themselves in notebooks."""

from __future__ import annotations

from collections.abc import Iterable

from exactcover.pictures.text import digits, printable

__all__ = ["make_table"]


def make_table(title: str, rows: Iterable[tuple[str, str | int]]) -> str:
    """Return a table of two columns; all texts are escaped, and numbers have commas.

    Examples
    --------
    >>> make_table("Sums", [("1 < 2", 3000)])
    '<table><caption>Sums</caption><tr><th scope="row">1 &lt; 2</th><td>3,000</td></tr></table>'
    """
    cells = "".join(f'<tr><th scope="row">{_write(name)}</th><td>{_write(content)}</td></tr>' for name, content in rows)
    return f"<table><caption>{_write(title)}</caption>{cells}</table>"


def _write(content: str | int) -> str:
    from html import escape  # slow to import

    return escape(printable(content) if isinstance(content, str) else digits(content, grouped=True))
