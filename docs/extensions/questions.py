"""Words by which people look for a page, beside those on it. The search of the site finds them first."""

from __future__ import annotations

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

QUESTIONS = {
    "how_to/tilings": ["count distinct tilings", "count up to symmetry", "polyomino solver"],
    "how_to/pieces": ["import my pieces", "draw my pieces", "custom pieces"],
    "how_to/sudoku": ["jigsaw sudoku", "killer sudoku", "sudoku generator", "thermometer sudoku", "windoku"],
    "how_to/grids": ["star battle", "kakuro", "kenken", "nonogram", "futoshiki", "takuzu", "battleships"],
    "plans": ["shift plan", "crew scheduling", "set partitioning", "hospital", "nurse roster", "timetable"],
    "how_to/none": ["why no solution", "unsatisfiable", "infeasible"],
    "how_to/too_many": ["random solution", "too many solutions", "sample solutions"],
    "how_to/loops": ["slitherlink", "masyu", "hamiltonian cycle"],
    "how_to/files": ["read a file of another program", "spreadsheet", "export to a SAT solver", "xmpuzzle"],
    "how_to/coming_from": ["dancing links", "DLX", "SageMath", "BurrTools", "OR-Tools", "xcover"],
    "studio": ["play a puzzle", "share a link", "make a puzzle"],
    "view": ["print", "PDF", "3-D printer"],
    "runs": ["resume my run", "stop and resume", "run on a cluster", "checkpoint"],
    "certificates": ["prove the count", "verify a proof"],
    "plugins": ["write an encoder", "own problem", "entry point"],
    "learn": ["teach algorithm X", "exercises", "how does dancing links work"],
    "limits": ["too slow", "when not to use exact cover"],
    "command_line": ["exit status", "shell completion"],
}


def add_entries(app: Sphinx, doctree: nodes.document) -> None:
    """Put the questions of a page into the index."""
    name = app.env.current_document.docname
    entries = [("single", question, "document-top", "main", None) for question in QUESTIONS.get(name, ())]
    if entries:
        target = nodes.target("", "", ids=["document-top"])
        doctree.insert(0, [addnodes.index(entries=entries), target])


def setup(app: Sphinx) -> dict[str, bool]:
    """Change pages as they are read."""
    app.connect("doctree-read", add_entries)
    return {"parallel_read_safe": True}
