"""The figures of the page on ideas are those that docs/figures.py draws."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_figures_are_up_to_date() -> None:
    figures = runpy.run_path(str(DOCS / "figures.py"))["FIGURES"]
    assert {path.stem for path in (DOCS / "ideas").glob("*.svg")} == set(figures)
    for name, draw in figures.items():
        assert draw() == (DOCS / "ideas" / f"{name}.svg").read_text("utf-8"), "run python docs/figures.py"
