"""Other solvers' formats: every assignment is tried against what was written."""

import io
import itertools
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import assert_refused, invoke
from damage import write_text
from exactcover import Colored, ConfigError, Problem, ProblemError
from exactcover.cli.main import run
from exactcover.formats import dlx, json_problem, models
from exactcover.formats.models import write_lp, write_mps
from oracles import brute_force
from strategies import COSTS, priced, problems


def chosen(problem: Problem, assignment: tuple[bool, ...]) -> frozenset[object]:
    return frozenset(itertools.compress(problem.labels, assignment))


def write_clauses(problem: Problem) -> tuple[int, list[list[int]]]:
    """Return the number of variables and the clauses of a problem as CNF."""
    head, *lines = [line.split() for line in write_text(models.write_cnf, problem).splitlines() if line[0] != "c"]
    assert int(head[3]) == len(lines) and all(line[-1] == "0" for line in lines)
    return int(head[2]), [[int(word) for word in line[:-1]] for line in lines]


@given(problem=problems(most_options=8))
def test_models_of_the_clauses_are_the_solutions(problem: Problem) -> None:
    variables, clauses = write_clauses(problem)
    assert variables >= len(problem.labels)
    found = set()
    for assignment in itertools.product((False, True), repeat=len(problem.labels)):
        values = propagate(clauses, dict(enumerate(assignment, 1)))
        if values is not None:
            assert len(values) == variables, "several models may stand for one solution"
            found.add(chosen(problem, assignment))
    assert found == brute_force(problem)


@pytest.mark.parametrize("bounds", [(0, 1), (2, 2), (3, 5), (0, 8), (6, 9), (9, 9), (1, 9), (0, 9), (4, 10**9)])
def test_bounds_are_decided_as_soon_as_they_are_reached(bounds: tuple[int, int]) -> None:
    """Unit propagation excludes all other options once the upper bound is reached, and requires all at the lower."""
    low, high = bounds
    _, clauses = write_clauses(Problem({k: ["item"] for k in range(9)}, multiplicity={"item": bounds}))
    if high < 9:
        taken = propagate(clauses, dict.fromkeys(range(9, 9 - high, -1), True))
        assert taken is not None and not any(taken[k] for k in range(1, 10 - high))
    if low > 0:
        left = propagate(clauses, dict.fromkeys(range(1, 10 - low), False))
        assert left is not None and all(left[k] for k in range(10 - low, 10))


def test_bounds_above_the_number_of_options_cannot_be_met() -> None:
    written = write_text(models.write_cnf, Problem({"A": ["item"]}, multiplicity={"item": 2}))
    assert written.splitlines() == ["c 1 A", "p cnf 1 1", " 0"]


@pytest.mark.parametrize("options", [5, 6, 7, 40])
def test_at_most_one_of_many_options_covers_an_item(options: int) -> None:
    variables, clauses = write_clauses(Problem({number: ["item"] for number in range(options)}))
    assert len(clauses) <= 3.5 * options + 5
    for first, second in itertools.combinations_with_replacement(range(1, options + 1), 2):
        values = propagate(clauses, {number: number in (first, second) for number in range(1, options + 1)})
        assert (values is None) is (first != second)
        assert values is None or len(values) == variables


def test_a_color_that_one_item_cannot_have_is_left_to_none() -> None:
    """Unit propagation goes from the lines of a picture to its cells, and from there to other lines."""
    rows = {(line, color): [line, Colored("cell", color)] for line in ("row", "column") for color in "abc"}
    _, clauses = write_clauses(Problem(rows, secondary=["cell"]))
    values = propagate(clauses, {1: False, 5: False})  # no a in the row and no b in the column
    assert values is not None
    assert [values[option] for option in range(1, 7)] == [False, False, True, False, False, True]


def propagate(clauses: list[list[int]], values: dict[int, bool]) -> dict[int, bool] | None:
    """All that follows by unit propagation, or None if that is a contradiction."""
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if any(values.get(abs(literal)) is (literal > 0) for literal in clause):
                continue
            left = [literal for literal in clause if abs(literal) not in values]
            if not left:
                return None
            if len(left) == 1:
                values[abs(left[0])] = left[0] > 0
                changed = True
    return values


def test_what_solvers_print_is_read() -> None:
    assert models.read_model("c hello\ns SATISFIABLE\nv -1 2 3 -4\nv 5 0\n", 4) == [1, 2]
    assert models.read_model("s OPTIMUM FOUND\nv x1 -x2 x3\n", 9) == [0, 2]
    assert models.read_model("v 0\n", 3) == []


@pytest.mark.parametrize(("text", "message"), [
    ("s UNKNOWN\nv 1 0\n", "states 'UNKNOWN'; expected SATISFIABLE or OPTIMUM FOUND"),
    ("v 9 -9 0\n", "variable 9 is both true and false"),
    ("v x1\nv -x1\n", "variable 1 is both"),
    ("s UNSATISFIABLE\n", "no model"),
    ("s SATISFIABLE\n", "begins with v"),
    ("v one\n", "'one' is not a literal"),
])  # fmt: skip
def test_what_is_not_a_model(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        models.read_model(text, 3)


@given(problem=problems(most_options=8))
def test_models_of_the_constraints_are_the_solutions(problem: Problem) -> None:
    head, *lines = write_text(models.write_opb, problem).splitlines()
    constraints = [line.split() for line in lines if not line.startswith("*")]
    variables = int(head.split()[2])
    assert head == f"* #variable= {variables} #constraint= {len(constraints)}"

    def holds(words: list[str], assignment: tuple[bool, ...]) -> bool:
        *terms, relation, bound, end = words
        assert end == ";"
        pairs = zip(terms[::2], terms[1::2], strict=True)
        total = sum(int(weight) * assignment[int(name[1:]) - 1] for weight, name in pairs if int(weight))
        return total == int(bound) if relation == "=" else total >= int(bound)

    found = [
        chosen(problem, assignment[: len(problem.labels)])
        for assignment in itertools.product((False, True), repeat=variables)
        if all(holds(words, assignment) for words in constraints)
    ]
    assert len(found) == len(set(found)) or not problem.labels, "several models stand for one solution"
    assert set(found) == brute_force(problem)


@pytest.mark.parametrize(("write", "what", "message"), [
    (models.write_matrix_market, {"secondary": ["x"]}, "secondary"),
    (models.write_matrix_market, {"multiplicity": {"x": 2}}, "cannot express multiplicities"),
    (models.write_matrix_market, {"costs": {"A": 2}}, "or costs"),
    (models.write_cnf, {"costs": {"A": 2}}, "CNF cannot express costs"),
])  # fmt: skip
def test_what_a_format_cannot_tell(write: Callable[..., None], what: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        write(Problem({"A": ["a", "x"]}, **what), io.StringIO())


def test_costs_become_an_objective_in_the_smallest_unit() -> None:
    problem = Problem({"A": ["a"], "B": ["a"]}, costs={"A": Decimal("2.50"), "B": 3})
    assert "min: +250 x1 +300 x2 ;\n" in write_text(models.write_opb, problem)


@given(problem=problems())
def test_the_rest_has_the_solutions_that_contain_what_is_given(problem: Problem) -> None:
    for label in problem.labels[:3]:
        expected = {solution - {label} for solution in brute_force(problem) if label in solution}
        assert {frozenset(solution) for solution in problem.residual([label]).solve()} == expected


def test_no_rest_where_what_is_given_excludes_each_other() -> None:
    with pytest.raises(ProblemError, match="'A' and 'B' conflict"):
        Problem({"A": [1], "B": [1]}).residual(["A", "B"])


KEYS = st.sampled_from(["options", "primary", "items", "label", "cost", "multiplicity", "a"])


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
))  # fmt: skip
def test_any_json_is_a_problem_or_a_mistake(document: object) -> None:
    try:
        problem = json_problem.read(json.dumps(document))
    except ConfigError as error:
        assert str(error)
    else:
        assert problem.count() >= 0


@pytest.mark.parametrize(("text", "message"), [
    ('{"options": [', "x.json:1:14: invalid JSON: Expecting value"),
    ('{"options": NaN}', "x.json: invalid JSON: NaN is not a finite number"),
    ("[]", "expected an object with the key 'options'"),
    ('{"options": [], "colors": 1}', "unknown key 'colors'"),
    ('{"options": {}}', "options: expected a list"),
    ('{"options": [{"items": [1]}]}', "a string, a pair [item, color], or [item, times] with a whole number; got 1"),
    ('{"options": [{"items": ["a"], "cost": "x"}]}', "option 1: the cost 'x' is not a number"),
    ('{"options": [{"items": ["a", "a"]}]}', "option '1' contains item 'a' twice"),
    ('{"options": [], "primary": "ab"}', "primary: expected a list of strings"),
    ('{"options": [{"items": ["a"]}], "soft": {"b": 1}}', "soft names 'b', which is not an item"),
    ('{"options": [{"items": ["a"]}], "soft": {"a": [1, 2, 3]}}', "is not a number"),
    ('{"options": [{"items": ["a"]}], "soft": {"a": [null, null]}}', "expected a price, or two of them"),
    ('{"options": [{"items": ["a"]}], "soft": {"a": "x"}}', "is not a number of at least 0"),
    ('{"options": [{"items": ["a"]}], "soft": ["a"]}', "soft: expected an object"),
])  # fmt: skip
def test_mistakes_in_json(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        json_problem.read(text, "x.json")
    assert message in str(caught.value)


@pytest.mark.parametrize("suffix", ["dlx", "json", "spp", "cnf", "opb", "lp", "mps", "mtx"])
def test_the_verb(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"article.{suffix}"
    assert run(["convert", "article_table.yaml", "-o", str(file)]) == 0
    assert run(["convert", "article_table.yaml", "--format", suffix]) == 0
    written = file.read_text("utf-8")
    assert capsys.readouterr().out == written
    if suffix == "json":
        assert json.loads(written)["options"][0] == {"label": "a", "items": ["4"]}
    if suffix in ("dlx", "json", "spp"):
        assert run(["count", str(file)]) == 0
        assert capsys.readouterr().out == "2\n"


def test_givens_are_chosen_already() -> None:
    captured = invoke("convert", "queens", "n=4", "placed=[[1, 2]]", "--format", "dlx")
    assert captured.returncode == 0
    assert dlx.read(captured.stdout.splitlines()).count() == 1
    assert "1 given applied; writing the remaining problem" in captured.stderr


RULELESS = {
    "dlx": "a .dlx file", "csv": "a .csv file", "spp": "a set partitioning file", "cnf": "a CNF file",
    "opb": "an OPB file", "lp": "an LP file", "mps": "an MPS file", "mtx": "a Matrix Market file",
}  # fmt: skip
"""The formats that know no rules about graphs, as messages name them."""


@pytest.mark.parametrize(("arguments", "words"), [
    (["queens"], "choose a format with -o FILE or --format; the formats are dlx, json, csv, spp, xmpuzzle, cnf"),
    (["queens", "-o", "x.doc"], "no format has the suffix .doc; use .dlx, .json"),
    *((["slitherlink", "clues=3", "--format", name], f"{file} does not know rules about graphs; the problem has the rule Loop")
      for name, file in RULELESS.items()),
])  # fmt: skip
def test_bad_usage(arguments: list[str], words: str) -> None:
    assert_refused(words, "convert", *arguments)


@pytest.mark.parametrize(("suffix", "write"), [("lp", write_lp), ("mps", write_mps)])
@given(problem=priced(prices=COSTS))
def test_highs_finds_the_same_least_cost(
    suffix: str, write: Callable[[Problem, TextIO], None], problem: Problem, tmp_path: Path
) -> None:
    highspy = pytest.importorskip("highspy")
    file = tmp_path / f"some.{suffix}"
    file.write_text(write_text(write, problem), "utf-8")
    solver = highspy.Highs()
    solver.silent()
    assert solver.readModel(str(file)) == highspy.HighsStatus.kOk
    solver.run()
    found = [float(problem.cost(solution)) for solution in problem.cheapest()]
    if found:
        assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        assert solver.getInfo().objective_function_value == pytest.approx(found[0])
    else:
        assert solver.getModelStatus() != highspy.HighsModelStatus.kOptimal
