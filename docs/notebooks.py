"""Make the notebook of the page "Algorithm X from nothing": ``python docs/notebooks.py``.

A test compares the notebook with what is made anew, and runs its cells.
"""

from __future__ import annotations

import doctest
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("learn.md")
BLOCK = re.compile(r"^```python\n(.*?)^```$\n?", re.DOTALL | re.MULTILINE)


def main() -> None:
    """Write the notebook beside the page."""
    PAGE.with_suffix(".ipynb").write_text(make_notebook(PAGE.read_text("utf-8")), "utf-8")


def make_notebook(page: str) -> str:
    """Return a notebook with the text of a page, and a cell for each result in its doctests."""
    cells = []
    for number, cell in enumerate(_list_cells(page)):
        cells.append({"id": f"cell-{number}", "metadata": {}, **cell})
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    document = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _list_cells(page: str) -> Iterator[dict[str, Any]]:
    end = 0
    for block in BLOCK.finditer(page):
        yield from _make_text(page[end : block.start()])
        sources = ""
        for example in doctest.DocTestParser().get_examples(block[1]):
            sources += example.source
            if example.want:
                yield _make_code(sources, example.want)
                sources = ""
        if sources:
            yield _make_code(sources, "")
        end = block.end()
    yield from _make_text(page[end:])


def _make_text(text: str) -> Iterator[dict[str, Any]]:
    if text.strip():
        yield {"cell_type": "markdown", "source": text.strip().splitlines(keepends=True)}


def _make_code(source: str, result: str) -> dict[str, Any]:
    data = {"text/plain": result.rstrip("\n").splitlines(keepends=True)}
    output = {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data}
    outputs = [output] if result else []
    lines = source.rstrip("\n").splitlines(keepends=True)
    return {"cell_type": "code", "execution_count": None, "outputs": outputs, "source": lines}


if __name__ == "__main__":
    main()
