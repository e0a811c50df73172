"""What objects show in notebooks, and the notebook of the documentation from its first cell to its last."""

from pathlib import Path
from typing import Any

import nbformat
import pytest

from exactcover import Encoder, Goal, Problem, Search, Status, view
from exactcover.notebook import SolutionsWidget, show_progress
from exactcover.pictures import Text
from problems import Polyomino, Queens

NOTEBOOK = Path(__file__).parent.parent / "docs" / "notebook.ipynb"
HOSTILE = "</table><script>alert(1)</script>\x1b[2J"


def show(thing: Any) -> str:
    text: str = thing._repr_html_()
    return text


def test_objects_show_what_they_are() -> None:
    encoder = Queens(n=6)
    problem = encoder.problem()
    assert '<th scope="row">n</th><td>6</td>' in show(encoder)
    assert "<svg" in show(encoder)
    assert '<th scope="row">options</th><td>36</td>' in show(problem)
    assert '<th scope="row">solutions</th><td>4</td>' in show(problem.diagram())
    assert '<th scope="row">solutions</th><td>0</td>' in show(Problem({"A": [1]}, primary=[1, 2]).diagram())
    search = problem.solve()
    assert "<td>running</td>" in show(search)
    list(search)
    assert "<td>complete</td>" in show(search)
    assert '<th scope="row">solutions</th><td>4</td>' in show(search)
    assert show(view(problem, encoder)).startswith("<iframe ")


def test_steps_show_themselves() -> None:
    encoder = Queens(n=5, placed=((1, 1),))
    problem = encoder.problem()
    path, givens, step = problem.solve_by_steps(), encoder.draw(encoder.givens()), problem.next_step()
    assert f"<caption>{len(path.deductions)} steps, needs a guess</caption>" in show(path)
    assert show(path).count("<tr>") == len(path.deductions)
    picture = None if step is None else encoder.draw_step(step)
    assert picture is not None
    assert givens is not None
    assert {shape.text for shape in {*picture.shapes} - {*givens.shapes} if isinstance(shape, Text)} >= {"?"}


def test_counts_of_any_size_can_be_shown(few_digits: int) -> None:
    problem = Problem([((k, side), [k]) for k in range(4 * few_digits) for side in range(2)])
    diagram = problem.diagram()
    assert len(show(diagram)) > few_digits
    assert len(repr(diagram)) > few_digits


def test_texts_are_escaped() -> None:
    shown = [show(Polyomino(pieces={HOSTILE: "#"}, board="1x1")), show(view(Problem({HOSTILE: [1]}), title=HOSTILE))]
    assert all("alert(1)" in text and "<script>alert" not in text and "\x1b" not in text for text in shown)


def test_progress_is_shown_at_the_start_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Handle:
        def display(self, search: Search) -> None:
            shown.append(show(search))

        def update(self, search: Search) -> None:
            shown.append(show(search))

    monkeypatch.setattr("exactcover.notebook.DisplayHandle", Handle)
    with show_progress(Queens(n=8).problem().search(Goal("count"))) as search:
        assert search.count() == 92
    assert "running" in shown[0]
    assert "<td>92</td>" in shown[-1]
    with pytest.raises(KeyError), show_progress(Queens(n=8).problem().solve()) as search:
        next(search)
        raise KeyError
    assert search.status is not Status.COMPLETE
    assert "<td>1</td>" in shown[-1]


def test_a_widget_knows_the_labels_of_its_selection() -> None:
    widget = SolutionsWidget(Problem({"A": [1], "B": [1], "C": [2]}))
    assert widget.solution == ()
    widget.given, widget.without = [2], [0]
    assert widget.selection == "with=2&without=0"
    assert (widget.given_labels, widget.without_labels) == (("C",), ("A",))
    encoder: Encoder = Queens(n=6)
    assert "<svg" in SolutionsWidget(encoder).page


@pytest.mark.slow
def test_the_notebook_of_the_documentation_runs() -> None:
    from nbclient import NotebookClient  # slow to load

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs for cell in cells)
    shown = [output.data for cell in cells for output in cell.outputs if "data" in output]
    assert sum("text/html" in one for one in shown) >= 5
    assert any("image/svg+xml" in one for one in shown)
    assert any("application/vnd.jupyter.widget-view+json" in one for one in shown)
    written = nbformat.read(NOTEBOOK, as_version=4)
    assert [cell.get("outputs") for cell in written.cells if cell.cell_type == "code"] == [[] for _ in cells]


def test_the_lesson_of_the_documentation_runs() -> None:
    cells = nbformat.read(NOTEBOOK.with_name("lesson.ipynb"), as_version=4).cells
    names: dict[str, Any] = {}
    for cell in cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            exec(cell.source, names)
    assert [sorted(one) for one in names["solutions"]] == [["a", "c", "f"], ["d", "g"]]
    assert set(map(frozenset, names["solutions"])) == set(map(frozenset, names["problem"].solve()))
    assert show(names["page"]).startswith("<iframe ")
