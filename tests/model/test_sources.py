"""Problems from arrays, sparse matrices and data frames are the problems that options written out make."""

import io
import random
from decimal import Decimal
from typing import Any

import pytest

from exactcover import Colored, EngineUnavailableError, Problem, ProblemError
from soft_problems import random_problem

numpy = pytest.importorskip("numpy")


def same(one: Problem, other: Problem) -> bool:
    """Whether two problems have the same items, options, bounds and costs, in the same order."""
    both = [(each.primary, each.secondary, dict(each.options), each.multiplicity, each.soft) for each in (one, other)]
    return both[0] == both[1] and one.costs == other.costs


def entries_of(problem: Problem) -> list[tuple[int, int, int]]:
    """The option, the item and the color, or -1, of each item of an option, as numbers."""
    matrix = problem.matrix
    return [(option, item, color - 1) for option in range(len(matrix)) for item, color in matrix.option(option)]


@pytest.mark.parametrize("start", [0, 40])
def test_arrays_give_the_same_problems(start: int) -> None:
    for number in range(start, start + 40):
        problem = random_problem(number)
        entries = entries_of(problem)
        random.Random(number).shuffle(entries)  # the order of rows does not matter, but that in an option does
        entries.sort(key=lambda entry: entry[0])
        numbers = numpy.array(entries, numpy.int64).reshape(-1, 3)
        parameters: dict[str, Any] = {
            "labels": problem.labels, "names": problem.items, "color_names": problem.colors,
            "secondary": problem.secondary, "multiplicity": problem.multiplicity,
            "costs": [problem.cost([label]) for label in problem.labels], "soft": problem.soft,
        }  # fmt: skip
        made = Problem.from_arrays(numbers[:, 1], numbers[:, 0], numbers[:, 2], **parameters)
        assert same(made, Problem(
            {label: [Colored(problem.items[item], problem.colors[color]) if color >= 0 else problem.items[item]
                     for option, item, color in entries if option == place]
             for place, label in enumerate(problem.labels)},
            primary=problem.primary, secondary=problem.secondary, multiplicity=problem.multiplicity,
            costs=problem.costs, soft=problem.soft))  # fmt: skip
        width = max([len(row) for row in problem.options.values()], default=0)
        rows = numpy.full((len(problem.labels), width), -1, numpy.int32)
        colors = rows.copy()
        for place in range(len(problem.labels)):
            for column, (item, color) in enumerate(problem.matrix.option(place)):
                rows[place, column], colors[place, column] = item, color - 1
        made = Problem.from_arrays(rows, colors=colors, **parameters)
        assert same(made, problem)
        assert made.count() == problem.count() and made.fingerprint() == problem.fingerprint()


def test_a_large_problem_is_the_same_from_arrays_and_from_lists() -> None:
    generator = numpy.random.default_rng(36)
    rows = generator.integers(0, 10, (2000, 4)) + 10 * numpy.arange(4)
    assert same(Problem.from_arrays(rows), Problem(enumerate(rows.tolist()), primary=range(40)))
    order = generator.permutation(8000)
    options = numpy.repeat(numpy.arange(2000), 4)
    mixed = Problem.from_arrays(rows.reshape(-1)[order], options[order])
    assert {label: set(items) for label, items in mixed.options.items()} == dict(enumerate(map(set, rows.tolist())))


@pytest.mark.parametrize(
    ("arguments", "parameters", "message"),
    [
        (([[0, 0]],), {}, "option '0' contains item '0' twice"),
        (([0, 1, 0], [1, 0, 1]), {}, "option '1' contains item '0' twice"),
        (([[0, 1]], None, [[-1, 0]]), {}, "gives a color to '1', a primary item"),
        (([[0.5]],), {}, "items: expected an array of whole numbers, got one of float64"),
        (([[True]],), {}, "items: expected an array of whole numbers, got one of bool"),
        (([["a"]],), {}, "items: expected an array of whole numbers"),
        (([[0, 1], [2]],), {}, "items: expected an array of whole numbers"),
        (([0, 1],), {}, "expected a row for each option"),
        (([0, 1], [0]), {}, "both must be lists"),
        (([-1, 1], [0, 0]), {}, "items: -1 is negative"),
        (([0, 1], [0, -3]), {}, "options: -3 is negative"),
        (([[0]], None, [[0, 1]]), {}, "colors have the shape"),
        (([[0, 1]],), {"names": ["a"]}, "names: 1 name for numbers up to 1"),
        (([[0, 1]],), {"names": "ab"}, "names: expected a list of names"),
        (([[0], [1]],), {"labels": ["a"]}, "labels: 1 name for numbers up to 1"),
        (([[0], [1]],), {"labels": ["a", "a"]}, "option 'a' occurs twice"),
        (([[0], [1]],), {"labels": ["a", ["b"]]}, "is not hashable"),
        (([[0, 1]],), {"names": ["a", "a"]}, "item 'a' is named twice"),
        (([[0]],), {"secondary": [7]}, "secondary names 7, which is not an item"),
        (([[0]],), {"costs": [1, 2]}, "costs: expected 1 cost, one per option"),
        (([[0]],), {"costs": ["1"]}, "expected a number, such as an int"),
        (([[1 << 40]],), {}, "is too large"),
        (([[0]],), {"multiplicity": {5: 2}}, "which is not an item"),
    ],
)
def test_wrong_arrays_are_refused(arguments: Any, parameters: Any, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        Problem.from_arrays(*arguments, **parameters)


def test_small_arrays() -> None:
    assert Problem.from_arrays([]).count() == 1
    assert Problem.from_arrays([], names=["a"]).count() == 0
    assert Problem.from_arrays(numpy.zeros((0, 8), int)).labels == ()
    problem = Problem.from_arrays([[0, 1], [0, 2]], secondary=[1, 2], costs=[Decimal("0.5"), 0])
    assert (problem.primary, problem.secondary, problem.costs) == ((0,), (1, 2), {0: Decimal("0.5")})
    assert Problem.from_arrays(numpy.array([[0, 1]], numpy.uint8), names=numpy.array(["a", "b"])).items == ("a", "b")


def test_sparse_matrices() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    rows = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 0]]
    for kind in ("csr", "csc", "coo", "lil", "dok"):
        problem = Problem.from_sparse(sparse.coo_matrix(rows).asformat(kind))
        assert problem.primary == (0, 1, 2, 3) and problem.options == {0: (0, 1), 1: (1, 2), 2: (2,)}
        assert problem.count() == 0 and problem.soften({3: 1}).relaxed().count() == 1
    problem = Problem.from_sparse(sparse.csr_array(rows), names=list("abcd"), labels=list("xyz"), secondary=["d"])
    assert list(problem.solve()) == [("x", "z")]
    with pytest.raises(ProblemError, match="row 1 contains"):
        Problem.from_sparse(sparse.csr_matrix([[1, 0], [2, 0]]))
    with pytest.raises(ProblemError, match="expected a sparse matrix"):
        Problem.from_sparse([[1]])


LONG = {
    "option": ["A", "A", "B", "C", "C", "C"],
    "item": ["mo", "room", "mo", "tu", "room", "we"],
    "color": [None, "red", None, None, "red", None],
    "cost": [2.9, None, 1, 4, 4, None],
}
WIDE = {"option": ["A", "B", "C"], "mo": [1, 1, 0], "tu": ["", "", "x"], "we": [False, False, True],
        "room": ["red", None, "red"], "cost": [2.9, 1, 4]}  # fmt: skip
RED = Colored("room", "red")
ROWS: dict[str, list[Any]] = {"A": ["mo", RED], "B": ["mo"], "C": ["tu", RED, "we"]}
EXPECTED = Problem(ROWS, secondary=["room"], costs={"A": Decimal("2.9"), "B": 1, "C": 4})


def make_frames(content: dict[str, list[Any]]) -> dict[str, Any]:
    """The frame in each library that is installed; the cells of a column may have several types in pandas only."""
    frames: dict[str, Any] = {"mapping": content}
    pandas = pytest.importorskip("pandas")
    frames["pandas"] = pandas.DataFrame(content)
    mixed = any(len({type(one) for one in column if one is not None} - {int, float}) > 1 for column in content.values())
    if not mixed:
        polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
        frames["polars"] = polars.DataFrame(content, strict=False)
        frames["lazy"] = polars.LazyFrame(content, strict=False)
        frames["arrow"] = pyarrow.table(frames["polars"])
        frames["exchanged"] = Exchanged(pyarrow.table(content))
        frames["csv"] = pandas.read_csv(io.StringIO(frames["polars"].write_csv()))
    return frames


class Exchanged:
    """A frame of an unknown library, which others can read by the dataframe interchange protocol alone."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __dataframe__(self, **keywords: Any) -> Any:
        return self._table.__dataframe__(**keywords)


@pytest.mark.parametrize("content", [LONG, WIDE], ids=["long", "wide"])
def test_frames_of_all_libraries(content: dict[str, list[Any]]) -> None:
    for name, frame in make_frames(content).items():
        problem = Problem.from_frame(frame, secondary=["room"])
        assert problem.costs == EXPECTED.costs, name
        got = {label: set(map(str, items)) for label, items in problem.options.items()}
        assert got == {label: set(map(str, items)) for label, items in EXPECTED.options.items()}, name
        assert problem.secondary == ("room",) and set(problem.primary) == {"mo", "tu", "we"}, name
        assert sorted(problem.solve()) == [("A", "C"), ("B", "C")], name


def test_columns_of_frames_may_have_other_names_and_numbers() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    content = {"who": [7, 7, 3], "what": [20, 10, 20]}
    for frame in (content, pandas.DataFrame(content), polars.DataFrame(content)):
        problem = Problem.from_frame(frame, option="who", item="what", multiplicity={20: (1, 2)})
        assert problem.options == {7: (20, 10), 3: (20,)} and problem.primary == (20, 10)
        assert problem.count() == 2


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"item": ["a"]}, "the frame has no column 'option'"),
        ({"options": ["a"], "b": [1]}, "no column 'option' with the labels of options; did you mean 'options'?"),
        ({"option": ["A", None], "item": ["a", "b"]}, "row 1: the option is missing"),
        ({"option": ["A"], "item": [float("nan")]}, "row 0: the item is missing"),
        ({"option": ["A"], "item": [["a"]]}, r"row 0: the item \['a'\] is not hashable"),
        ({"option": ["A", "A"], "item": ["a", "a"]}, "option 'A' contains item 'a' twice"),
        ({"option": ["A", "A"], "item": ["a", "b"], "cost": [1, 2]}, "row 1: option 'A' costs 2, but 1 before"),
        ({"option": ["A"], "item": ["a"], "cost": ["x"]}, "row 0: the cost 'x' is not a number"),
        ({"option": ["A"], "item": ["a"], "cost": [float("inf")]}, "cost"),
        ({"option": ["A"], "item": ["a"], "color": ["red"]}, "gives a color to 'a', a primary item"),
        ({"option": ["A"], "a": ["red"]}, "row 0, column 'a': 'red': expected 1, x or nothing"),
        ({"option": ["A", "A"], "a": [1, 1]}, "option 'A' occurs twice; in a wide frame"),
        ("frame", "expected a data frame"),
        (7, "expected a data frame"),
    ],
)
def test_wrong_frames_are_refused(frame: Any, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        Problem.from_frame(frame)


def test_a_frame_of_an_unknown_library_needs_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(EngineUnavailableError, match="a frame of type Exchanged is read with pyarrow"):
        Problem.from_frame(Exchanged(None))
