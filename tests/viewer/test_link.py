"""Links: a page reads them back as they were, refuses what is damaged, and answers as the package does."""

import base64
import json
import random
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from browsing import Page, open_scripts
from exactcover import Encoder, Problem, Stop
from exactcover.cli.main import run
from exactcover.errors import ProblemError
from exactcover.reasons.deductions import Deduction, DeductionFinder, StepKind, solve_by_deductions
from exactcover.reasons.position import Sets
from exactcover.viewer.link import pack_link
from exactcover.viewer.page import make_player
from exactcover.viewer.view import describe_play, describe_rule
from playing import open_player, pack
from problems import (
    EdgeMatching,
    Grid,
    Langford,
    Latin,
    Masyu,
    Numberlink,
    Polycube,
    Polyhex,
    Polyiamond,
    Polyomino,
    Polysphere,
    Queens,
    Slitherlink,
    Sudoku,
)
from ruled import random_ruled_problem

ENCODERS = [
    Polyomino(board="3x4", pieces={"L#": "###/#", "I007": "####"}, copies={"L#": 2, "I007": "any"}),
    Polyomino(board="4x5", pieces="tetrominoes", copies="any", placed=("I r1c1 r1c2 r1c3 r1c4",)),
    Polyhex(board=(". . .", " . . .", ". . ."), pieces={"A": "#.#", "B": "#"}, copies="any"),
    Polyiamond(board=("_...", "....."), pieces={"A": "###", "B": "#"}, copies="any"),
    Polycube(board="2x2x3", pieces={"I": "###", "V": "##/#"}, copies="any"),
    Polysphere(board=("..\n..",), pieces={"A": "##"}, copies="any"),
    Sudoku(box="2x2", grid="1... ..2. .3.. ...4"),
    Queens(n=5),
    EdgeMatching(board="2x3", tiles="macmahon 2", border=""),
    Langford(n=4),
    Slitherlink("..2/.3./3.3"),
    Masyu("..../W.../..../..B."),
    Numberlink("1..3/..../2..4", kind="zip"),
]


@pytest.fixture(scope="module")
def page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page with the scripts that read links and answer alone."""
    names = ("data", "link", "graphs", "solver", "position", "techniques", "advisor", "answers")
    yield open_scripts(browser, tmp_path_factory.mktemp("link"), names, "unpackLink, LocalAnswers")


def unpack(page: Page, text: str) -> Any:
    script = "unpackLink(arguments[0]).then((one) => arguments[1]({...one, repack: 0}), (e) => arguments[1](e.message))"
    return page.browser.execute_async_script(script, text)


@pytest.mark.parametrize("encoder", ENCODERS, ids=lambda encoder: type(encoder).__name__)
def test_a_page_reads_what_was_packed(page: Page, encoder: Any) -> None:
    problem = encoder.problem()
    link = pack_link(problem, encoder, title="a title", more={"chosen": ["x"], "view": "play"})
    assert link.has_solutions
    read = unpack(page, link.text)
    assert (read["title"], read["done"]["chosen"], read["view"]) == ("a title", ["x"], "play")
    found, wanted = read["played"]["board"], describe_play(problem, encoder, Stop())
    assert found["items"] == wanted["items"]
    assert found["techniques"] == json.loads(json.dumps(wanted["techniques"]))
    order = [wanted["labels"].index(label) for label in found["labels"]]
    assert sorted(order) == list(range(len(problem.labels)))
    assert found["matrix"]["rows"] == [[[*pair] for pair in wanted["matrix"]["rows"][k]] for k in order]
    assert [order[k] for k in found["given"]] == wanted["given"]
    assert found["drawing"]["options"] == json.loads(json.dumps([wanted["drawing"]["options"][k] for k in order]))
    for name, (ours, theirs) in _pair_switches(found, wanted).items():
        own = json.loads(json.dumps(theirs))
        assert [[*rest, sorted(order[k] for k in options)] for *rest, options in ours] == own, name
    for mine, theirs in zip(found["matrix"]["rules"], wanted["matrix"]["rules"], strict=True):
        assert {**mine, "elements": 0} == json.loads(json.dumps({**theirs, "elements": 0}))
    assert found["drawing"]["board"] == json.loads(json.dumps(wanted["drawing"]["board"]))
    if wanted["tray"]:
        assert found["tray"]["piece"] == [wanted["tray"]["piece"][k] for k in order]
        assert found["tray"]["most"] == wanted["tray"]["most"]
    if wanted["solid"]:
        assert found["solid"]["blocks"] == [wanted["solid"]["blocks"][k] for k in order]
    solutions = {tuple(sorted(order[k] for k in one)) for one in read["played"]["solutions"]}
    assert solutions == set(problem.solve().positions())


def _pair_switches(found: dict[str, Any], wanted: dict[str, Any]) -> dict[str, tuple[list[Any], list[Any]]]:
    """The lines, and the elements of rules, as they were read and as they should be."""
    rules = zip(found["matrix"]["rules"], wanted["matrix"]["rules"], strict=True)
    elements = {f"rule {k}": (mine["elements"], theirs["elements"]) for k, (mine, theirs) in enumerate(rules)}
    return {"lines": (found["drawing"]["segments"], wanted["drawing"]["segments"]), **elements}


def test_a_link_without_room_for_the_solutions_leaves_them_out() -> None:
    encoder = Polyomino()
    link = pack_link(encoder.problem(), encoder)
    assert not link.has_solutions
    assert len(link.text) < 2_900  # of a QR code
    small = Queens(n=8)
    with pytest.raises(ProblemError, match="too large to play from a link"):
        pack_link(small.problem(), small, letters=100)
    assert not pack_link(small.problem(), small, letters=1_400).has_solutions


def describe_board(problem: Problem) -> dict[str, Any]:
    """Return a board that has nothing but its matrix."""
    matrix, names = problem.matrix, [*map(str, problem.labels)]
    low, high = ({item: matrix.bounds(item)[k] for item in range(matrix.primary)} for k in (0, 1))
    rows, rules = [*map(matrix.option, range(len(matrix)))], [*map(describe_rule, matrix.rules)]
    stated = {"primary": matrix.primary, "rows": rows, "low": low, "high": high, "excluded": [], "rules": rules}
    return {"labels": names, "items": [*map(str, problem.items)], "given": [], "matrix": stated}


def test_a_page_answers_as_the_package_does(page: Page) -> None:
    generator = random.Random(8)
    cases = []
    for number in range(300):
        problem = random_ruled_problem(number).full()
        problem = problem.derive(problem.options.items(), rules=()) if number % 2 else problem
        labels = list(problem.labels)
        chosen = generator.sample(labels, generator.randrange(min(4, len(labels))))
        without = [one for one in labels if one not in chosen and generator.random() < 0.1]
        cases.append((problem, chosen, without))
    boards = [describe_board(problem) for problem, _, _ in cases]
    places = [[[problem.position(one) for one in part] for part in rest] for problem, *rest in cases]
    known = [[[*one] for one in problem.solve().positions()] for problem, _, _ in cases]
    script = """
    const [boards, places, known, done] = arguments;
    (async () => {
      const found = [];
      for (const [k, board] of boards.entries())
        for (const solutions of [null, known[k]]) {
          const answers = new LocalAnswers(board, solutions);
          const {solvable} = await answers.position(...places[k]);
          const hint = solvable ? await answers.hint(...places[k], {given: [], steps: []}) : null;
          found.push([solvable, hint, (await answers.candidates(...places[k])).possible]);
        }
      done(found);
    })();"""
    found = iter(page.browser.execute_async_script(script, boards, places, known))
    kinds = set()
    for problem, chosen, without in cases:
        alike = [one for one in problem.solve() if {*chosen} <= {*one} and not {*without} & {*one}]
        for _ in range(2):
            solvable, hint, possible = next(found)
            assert solvable == bool(alike)
            assert possible == sorted({problem.position(label) for one in alike for label in one})
            if hint is None:
                continue
            excluded = hint["reason"].get("excluded", [])
            kind = "solved" if hint["option"] is None else "exclude" if excluded else "choose"
            kinds.add(kind)
            assert (kind == "solved") == bool(problem.verify(chosen))
            for option in excluded or ([] if hint["option"] is None else [hint["option"]]):
                found_one = problem.find(given=[*chosen, problem.labels[option]], without=without)
                assert (found_one is None) == (kind == "exclude")
    assert kinds == {"choose", "exclude", "solved"}


NAMED = [
    Sudoku(grid=".....9....71....484..8......9.5.......23.76..5....4......98.2.116.....7..83.....4"),
    Sudoku(grid=".9......1.4.26.5....6.7.9....74..1...5..3....3...2.6.8...8..4..2......7..7......."),
    Sudoku(grid=".5.7.......8.6....3...8.5...4.....1..963.1...8.......34....625......97...6.8.2.9."),
    Sudoku(grid="1.45...2..98..4..1....36...8.....5.....6.1.7..5.......4...7.3.........6.9..3.2.8."),
    Sudoku(grid="..7..2..1.....3.68....7......57.43..8.1....7...2.5.....1..4.5.....9...1.5....8..."),
    Sudoku(grid=".9.8.5...5......6..7..4.3.......914...21....73....6.....9.3...4....5.7..1..6....."),
    Sudoku(grid="..7........2.6...85...47....469.........5.1.69.........5.4....12....5.3..1.8.9.7."),
    Latin(n=5, grid="..51. ..... .2... 2...3 5.4.."),
    Grid(
        cells="8x8",
        symbols="♛x",
        empty="x",
        regions="AAAAABCC/AADDDBCC/EDDDDCCC/DDDDCCCC/DFFFCFCG/DFFFFFCG/DDFFFGGG/DFFHFFFF",
        constraints=({"count": {"where": "rows columns regions", "times": 1}}, {"differ": "king"}),
    ),
    Sudoku(box="2x2", cages="AABB CCBD EFFD EGGD", sums={"A": 3, "B": 8, "C": 7, "D": 7, "E": 5, "F": 3, "G": 7}),
]

HINTS = """
const [boards, done] = arguments;
(async () => {
  const found = [];
  for (const {solution, ...board} of boards) {
    const [answers, chosen, without, steps] = [new LocalAnswers(board, [solution]), [...board.given], [], []];
    for (;;) {
      const {option, reason} = await answers.hint(chosen, without, {given: board.given, steps: []});
      if (option === null) break;
      steps.push([[...chosen], [...without], option, reason]);
      if (reason.excluded) without.push(...reason.excluded);
      else chosen.push(option);
    }
    found.push(steps);
  }
  done(found);
})();"""


def describe_solved(problem: Problem, encoder: Encoder) -> dict[str, Any]:
    (solution,) = problem.solve(limit=2)
    own = {"solution": [problem.position(label) for label in solution]}
    return {**describe_play(problem, encoder, Stop()), **own}


def test_pages_name_techniques_as_the_terminal_does(page: Page) -> None:
    problems = [one.problem() for one in NAMED]
    boards = [describe_solved(*both) for both in zip(problems, NAMED, strict=True)]
    names = set()
    found = page.browser.execute_async_script(HINTS, boards)
    for encoder, problem, board, steps in zip(NAMED, problems, boards, found, strict=True):
        full, labels = problem.full(), problem.labels
        sets = Sets(full)
        for chosen, without, option, reason in steps:
            instance = full.instance([labels[k] for k in chosen], [labels[k] for k in without])
            simplest = solve_by_deductions(instance, most=1, explain=False, sets=sets).deductions
            name = reason.get("name", "")
            if reason.get("chain"):  # its own chain may be another one
                assert name == name_chain(encoder, instance, reason)
            else:
                assert name in {one.name for one in simplest}
            names.add(name)
            assert (option in board["solution"]) == ("excluded" not in reason)
            assert not {*reason.get("excluded", ())} & {*board["solution"]}
    assert names >= {
        *("", "naked single", "hidden single", "pointing", "claiming"),
        *("naked pair", "hidden pair", "naked triple", "X-wing", "column pair"),
        *("XY-wing", "X-chain", "empty rectangle", "forcing chain"),
    }


def name_chain(encoder: Encoder, instance: Problem, reason: dict[str, Any]) -> str:
    """Return the name that the terminal has for a chain with the items of a page's."""
    truths = reason["short"]
    finder = DeductionFinder(instance)
    left = [k for k, label in enumerate(instance.labels) if finder.is_open(label)]
    rows = {k: instance.matrix.row(k) for k in left}
    holders = tuple(tuple(instance.labels[k] for k in left if truth in rows[k]) for truth in truths)
    step = Deduction(StepKind.CHAIN, (), (), tuple(instance.items[truth] for truth in truths), holders=holders)
    named = encoder.name_technique(step)
    return named[0] if named else ""


def expand(text: str) -> tuple[dict[str, Any], bytes]:
    data = zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), -15)
    head, _, tail = data.partition(b"\0")
    return json.loads(head), tail


HOSTILE: dict[str, list[Any]] = {
    "damaged": ["!", "AAAA", "%00", "x" * 50],
    "too long": ["A" * 60_001],
    "no puzzle": [{"version": 1, "yaml": ""}, [], {"version": 2}, {"version": 2, "yaml": 5}, "text", None],
    "moves": [{"version": 2, "yaml": "", "chosen": [1]}, {"version": 2, "yaml": "", "pencil": {"0 0": "9"}}],
    "too large": ["a" * (5 << 20)],
}


def test_hostile_links_are_refused(page: Page) -> None:
    for words, values in HOSTILE.items():
        for value in values:
            text = value if words in ("damaged", "too long") else pack(value)
            assert words in unpack(page, text), value
    page.check()


def test_a_short_link_does_not_become_a_large_board(page: Page) -> None:
    encoder = Polyomino(board="2x3", pieces={"I": "##"}, copies="any")
    head, tail = expand(pack_link(encoder.problem(), encoder).text)
    many = json.loads(json.dumps(head))
    many["play"]["items"] = [[f'"{"x" * 100_000}"'], 5_000]
    assert "damaged" in unpack(page, pack(many, b"\0" + bytes(5_000)))
    repeated = json.loads(json.dumps(head))
    texts = repeated["play"]["options"][0]
    repeated["play"]["options"][0] = [text.replace('["@"', '["@","c",0,0,0],["@"', 1) for text in texts]
    assert "damaged" in unpack(page, pack(repeated, b"\0" + tail))


def test_no_damage_to_a_link_gets_into_a_page(page: Page) -> None:
    """Whatever is changed in a link is refused, or leaves a board of the expected form, which is safe to draw."""
    encoder = Polyomino(board="2x3", pieces={"I": "##"}, copies="any")
    head, tail = expand(pack_link(encoder.problem(), encoder).text)
    generator = random.Random(9)
    evil = ["<img src=x onerror=alert(1)>", -1, 1e9, None, [], {}, True, "#", 2, [0], 0.5]
    refused = 0
    for _ in range(300):
        changed = json.loads(json.dumps(head))
        part: Any = changed["play"]
        while isinstance(part, list | dict) and part:
            key = generator.choice(list(part) if isinstance(part, dict) else range(len(part)))
            if not isinstance(part[key], list | dict) or not part[key] or generator.random() < 0.3:
                part[key] = generator.choice(evil)
                break
            part = part[key]
        cut = tail[: generator.randrange(len(tail))] if generator.random() < 0.2 else tail
        found = unpack(page, pack(changed, b"\0" + cut))
        if isinstance(found, str):
            refused += 1
        elif found["played"] is not None:
            drawing = found["played"]["board"]["drawing"]
            for shape in [*drawing["board"], *(one for option in drawing["options"] for one in option)]:
                assert shape[0] == "x" or all(isinstance(one, int | float | None) for one in shape[1:3])
                assert shape[0] in "cx"
    assert refused > 100
    page.check()


def test_a_page_without_solutions_gives_hints(browser: Any, tmp_path: Any) -> None:
    encoder = Polyomino()  # without all solutions: the page searches
    page, _ = open_player(browser, tmp_path, encoder, title="Pentominoes", letters=2_900)
    assert page.text("h1") == "Pentominoes" and page.text("#play-rules").startswith("Cover a board of squares")
    for left in (11, 10):
        page.button("Hint").click()
        for _ in range(2):
            page.button("More").click()
        page.button("Place it").click()
        page.wait(lambda: page.status == f"{left} pieces left. Still solvable.")  # noqa: B023
    page.check()


def test_a_damaged_link_says_so(browser: Any, tmp_path: Any) -> None:
    (tmp_path / "play.html").write_text(make_player(), "utf-8")
    browser.get(f"{(tmp_path / 'play.html').as_uri()}#puzzle=AAAA")
    page = Page.__new__(Page)
    page.browser = browser
    page.wait(lambda: "the link is damaged" in page.text("main"))


def test_a_link_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["view", "queens", "n=5", "--link", "https://example.org/play.html", "-q"]) == 0
    problem = Queens(n=5).problem()
    wanted = pack_link(problem, Queens(n=5), title="queens n=5").text
    assert capfd.readouterr().out == f"https://example.org/play.html#puzzle={wanted}\n"
    assert run(["view", "queens", "n=5", "--link", "play.html"]) == 2
    assert run(["view", "queens", "n=80", "--link", "https://example.org"]) == 2
    assert "at most 5,000 can be played" in capfd.readouterr().err
