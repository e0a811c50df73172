"""A page is one file that contains everything: all solutions, the search, and nothing that could run by surprise."""

import base64
import json
import re
import zlib
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import pytest

import exactcover
from classics import set_cover
from commands import invoke
from exactcover import Encoder, Problem, ProblemError, Stop, StoppedError, ViewOptions, view
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_configs
from exactcover.viewer.view import MOST_OPTIONS
from problems import Langford, Polycube, Polyomino, Polysphere, Queens, Slitherlink, Sudoku

HOSTILE = ["</script><script>alert(1)</script>", "\"'<&>", "{{data}}", "‮right to left", "x" * 10_000, "a\x1b[2Jb\nc"]


def read(page: str) -> dict[str, Any]:
    """Return the data of a page."""
    found = re.search(r'<script type="application/octet-stream" id="data">([^<]*)</script>', page)
    assert found is not None
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found[1])))
    return data


def numbers(text: str) -> list[int]:
    result, number, shift = [], 0, 0
    for byte in base64.b64decode(text):
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            result.append(number)
            number = shift = 0
    return result


def solutions(data: dict[str, Any]) -> list[tuple[int, ...]]:
    stream = iter(numbers(data["solutions"]))
    return [tuple(accumulate(islice(stream, size))) for size in stream]


@pytest.mark.parametrize(
    "encoder",
    [Queens(n=6), Langford(n=4), Sudoku(box="2x2"), Polyomino(board="4x5", pieces="tetrominoes", copies="any")],
    ids=lambda encoder: type(encoder).__name__,
)
def test_a_page_holds_all_solutions_and_the_search(encoder: Any) -> None:
    problem = encoder.problem()
    data = read(view(problem, encoder))
    assert solutions(data) == list(problem.solve().positions())
    assert data["complete"]
    assert data["labels"] == [str(label) for label in problem.labels]
    (search,) = data["searches"]
    kinds = numbers(search["nodes"])[0::5]
    assert kinds.count(2) == len(solutions(data))
    assert len(data["representatives"]) == problem.count(distinct=True)


def test_the_search_is_the_one_that_was_recorded() -> None:
    problem = Problem({"A": [1], "B": [1, 2], "C": [2], "D": [3]}, primary=[1, 2, 3])
    (search,) = read(view(problem))["searches"]
    items = {name: k for k, name in enumerate("123")}
    assert numbers(search["nodes"]) == [
        *(0, 0, 0, items["3"] + 1, 1),  # kind, level, option + 1, item + 1, children
        *(0, 1, 4, items["1"] + 1, 2),
        *(0, 2, 1, items["2"] + 1, 1),
        *(2, 3, 3, 0, 0),
        *(2, 2, 2, 0, 0),
    ]
    data = read(view(problem, options=ViewOptions(heuristics=("mrv", "leftmost"))))
    assert [one["heuristic"] for one in data["searches"]] == ["mrv", "leftmost"]
    assert read(view(problem, options=ViewOptions(nodes=0)))["searches"] == []


def test_too_many_solutions_come_as_a_diagram() -> None:
    encoder = Polyomino(board="4x6", pieces="dominoes", copies="any")
    page = view(encoder.problem(), encoder, options=ViewOptions(solutions=10))
    data = read(page)
    assert (len(solutions(data)), data["complete"], data["diagram"] is not None) == (10, False, True)
    assert "281 solutions" in page
    packed = data["diagram"]
    level, low, high = (numbers(packed[name]) for name in ("level", "lo", "hi"))
    counts = [0, 1]
    for lo, hi in zip(low, high, strict=True):
        counts.append(counts[lo] + counts[hi])
    assert counts[packed["root"]] == 281
    assert max(level) < len(packed["options"])


def test_pictures_are_put_together_from_options() -> None:
    encoder = Polyomino(board="3x4", pieces={"L": "##/#"}, copies="any")
    drawing = read(view(encoder.problem(), encoder))["drawing"]
    assert (drawing["rows"], drawing["columns"], len(drawing["board"])) == (3, 4, 12)
    assert {len(shapes) for shapes in drawing["options"]} == {3}


@pytest.mark.parametrize(("encoder", "kind"), [(Polycube("2x2x2", {"I": "##"}, "any"), "cube"),
                                               (Polysphere("pyramid 2", {"I": "##", "o": "#"}, (0, 3)), "sphere")])  # fmt: skip
def test_solids_have_blocks(encoder: Any, kind: str) -> None:
    solid = read(view(encoder.problem(), encoder))["solid"]
    assert solid["kind"] == kind
    for blocks in solid["blocks"]:
        one, other = blocks[0], blocks[-1]
        distance = sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
        assert distance == pytest.approx(len(blocks) - 1)  # two of them touch


def test_a_page_makes_no_request_and_runs_only_its_own_script() -> None:
    page = view(Queens(n=5).problem(), Queens(n=5))
    assert "default-src &#x27;none&#x27;" in page
    assert not re.search(r"(?:src|href)=\"?https?:|@import|url\((?!#)", page)
    assert len(re.findall(r"<script", page)) == 2
    template = len(page) - len(re.search(r'id="data">([^<]*)<', page)[1])  # type: ignore[index]
    assert template < 305_000


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(name: str) -> None:
    problem = Problem({name: [name, 2], "other": [name, 2]})
    page = view(problem, title=name)
    assert len(re.findall(r"<script", page)) == 2
    assert "alert(1)</script>" not in page
    assert "\x1b" not in page
    assert len(read(page)["labels"]) == 2


def test_the_same_problem_gives_the_same_page() -> None:
    assert view(Queens(n=6).problem(), Queens(n=6)) == view(Queens(n=6).problem(), Queens(n=6))


def test_nothing_stays_marked_after_a_tap() -> None:
    folder = Path(exactcover.__file__).parent
    sheets = [path.read_text("utf-8") for path in folder.glob("*/assets/*.css")]
    rules = [re.sub(r"@media \(hover: hover\) (\{ [^\n]* \}|\{\n(  [^\n]*\n)*\})\n", "", sheet) for sheet in sheets]
    assert any(":hover" in sheet for sheet in sheets)
    assert not any(":hover" in rule for rule in rules)


def test_problems_without_solutions_or_pictures() -> None:
    for problem in (Problem({"A": [1]}, primary=[1, 2]), Problem({}), Queens(n=3).problem()):
        page = view(problem)
        assert re.search(r"\b[01] solutions?\b", page)
    assert "0 solutions" in view(Queens(n=3).problem(), Queens(n=3))


def test_solutions_that_are_not_all(tmp_path: Any) -> None:
    page = tmp_path / "page.html"
    for flags, summary in (
        (["--all"], "4 solutions<"),
        (["--limit", "2"], "2 solutions; there may be more<"),
        (["--all", "--distinct"], "1 solution up to symmetry<"),
    ):
        assert invoke("solve", "queens", "n=6", *flags, "--heuristic", "leftmost", "-o", str(page)).returncode == 0
        data = read(text := page.read_text("utf-8"))
        assert summary in text and data["complete"] == (flags == ["--all"])
        assert data["searches"][0]["heuristic"] == "leftmost"
    many = Problem({(row, column): [row, 9 + column] for row in range(9) for column in range(9)})
    assert read(view(many, options=ViewOptions(solutions=10, nodes=0)))["representatives"] is None


def test_a_stop_ends_it() -> None:
    with pytest.raises(StoppedError):
        view(Queens(n=8).problem(), Queens(n=8), stop=Stop(timeout=0))
    with pytest.raises(ValueError, match="nodes must be at least 0; got -1"):
        ViewOptions(nodes=-1)


def test_the_verb(tmp_path: Any) -> None:
    page = tmp_path / "page.html"
    assert invoke("view", "queens", "n=6", "-o", str(page)).returncode == 0
    assert len(solutions(read(page.read_text("utf-8")))) == 4
    before = page.read_bytes()
    assert invoke("view", "queens", "n=10", "-o", str(page), "--timeout", "0.000001").returncode == 3
    assert page.read_bytes() == before
    assert invoke("view", "queens", "n=6").stdout == before.decode()
    assert invoke("view", "queens", "--open", "-o", "-").returncode == 2
    assert invoke("view", "queens", "-o", str(tmp_path / "no" / "page.html")).returncode == 74


SQUARE = Sudoku(box="2x2", grid="1... ...2 .3.. ..4.")


@pytest.mark.parametrize("options", [ViewOptions(start="play"), ViewOptions(puzzle_only=True)])
def test_a_page_to_play_shows_no_solution_before_a_click(options: ViewOptions) -> None:
    problem = SQUARE.problem().instance(SQUARE.givens())
    shown, _, hidden = view(problem, SQUARE, options=options).partition('id="data"')
    assert len(re.findall("<text", shown)) == 4  # the givens
    assert "solution<" not in shown
    data = read('<script type="application/octet-stream" id="data"' + hidden)
    assert bool({"solutions", "diagram", "classes", "searches"} & {*data}) != options.puzzle_only


def test_what_cannot_be_played_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_OPTIONS >= 16**3  # Sudokus of side 16 are played
    monkeypatch.setattr("exactcover.viewer.view.MOST_OPTIONS", 63)
    table = Problem({"A": [1]})
    played = read(view(SQUARE.problem(), SQUARE, options=ViewOptions(start="play")))["play"]
    assert "too large to play here: it has 64 options" in played["refusal"]
    assert "no board" in read(view(table, options=ViewOptions(start="play")))["play"]["refusal"]
    for problem, encoder in ((SQUARE.problem(), SQUARE), (table, None)):
        with pytest.raises(ProblemError, match=r"too large to play|no board to play"):
            view(problem, encoder, options=ViewOptions(puzzle_only=True))


@pytest.mark.parametrize(
    ("most", "said"), [(2, "; no other is cheaper, as HiGHS says"), (150, "; no other is cheaper")]
)
def test_a_page_says_on_whose_word_no_other_is_cheaper(most: int, said: str) -> None:
    pytest.importorskip("highspy")
    page = view(set_cover(40, 150, most, 11), options=ViewOptions(cheapest=1))
    assert f"{said}<" in page


@pytest.mark.parametrize(("config", "words"), [
    ("jigsaw_9x9.yaml", "and region holds every digit once."),
    ("thermometer_sudoku.yaml", "digits ascend from the bulb on."),
    ("diagonal_sudoku.yaml", "So does each diagonal."),
    ("windoku.yaml", "Colored regions hold no digit twice."),
    ("latin_mates_5.yaml", "Each symbol meets each color once."),
    ("fourteen_bars.yaml", "Cells may stay free."),
    ("pentominoes_6x10.yaml", "Use each piece once; they may be turned and flipped."),
    ("shifts.yaml", "Mo early 2, Mo late 1, Tu early 1 to 2, Tu late 1, We early 1, We late 1."),
    ("nickerson_9.yaml", "with k - 1 numbers between the two copies of k."),
    ("macmahon_4x6.yaml", "touching edges agree. Outer edges have the color a."),
    ("heads_and_tails.yaml", "touching edges have one color, pale on one side."),
    ("crews.yaml", "Choose options that cover every item exactly once."),
])  # fmt: skip
def test_rules_are_told_to_those_who_play(config: str, words: str) -> None:
    assert read_file(find_configs()[config]).encoder.describe_rules().endswith(words)


def test_an_encoder_without_a_docstring_tells_no_rules() -> None:
    @dataclass(frozen=True)
    class Bare(Encoder):
        n: int = 3

        def options(self) -> list[tuple[str, list[str]]]:
            return [("a", ["x"])]

    assert Bare().describe_rules() == ""


def test_a_puzzle_is_offered_on_the_sites_that_can_state_it() -> None:
    encoder = Slitherlink("3./..")
    problem = encoder.problem()
    shown = [view(problem, encoder, options=ViewOptions(puzzle_only=only)) for only in (False, True)]
    assert all('<a href="https://puzz.link/p?slither/2/2/dg" rel="noreferrer">puzzlink</a>' in page for page in shown)
    without = problem.instance(without=[problem.labels[0]])
    for other in (view(without, encoder), view(Queens(n=5).problem(), Queens(n=5))):
        assert "On other sites" not in other
