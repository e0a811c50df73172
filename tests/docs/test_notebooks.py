"""The notebook of the page that builds Algorithm X is made of that page, and its cells give the results on it."""

import ast
import runpy
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")


def run_cell(source: str, names: dict[str, Any]) -> str:
    """Run a cell, and return its result as a notebook shows it."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None
    return "" if value is None else repr(value)


def test_the_notebook_is_up_to_date_and_runs() -> None:
    text = (DOCS / "learn.ipynb").read_text("utf-8")
    make_notebook = runpy.run_path(str(DOCS / "notebooks.py"))["make_notebook"]
    assert text == make_notebook((DOCS / "learn.md").read_text("utf-8")), "run python docs/notebooks.py"
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    names: dict[str, Any] = {}
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell in codes:
        stated = cell.outputs[0].data["text/plain"] if cell.outputs else ""
        assert run_cell(cell.source, names) == stated, cell.source
    assert len(codes) > 15
    assert "**Exercise 5.**" in text and "## Answers" in text
