"""Pages in a real browser: every view is clicked through, without an error, and without a request."""

import re
from collections.abc import Callable, Iterator
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from browsing import Page, open_scripts
from exactcover import Encoder, Problem, ViewOptions, algorithm_x, view
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_configs
from exactcover.pictures.palette import TOKENS
from exactcover.viewer.drawing import PALETTE
from exactcover.viewer.matrix_page import MAX_ROWS
from exactcover.viewer.page import make_player
from problems import Polycube, Polyiamond, Polyomino, Queens, Slitherlink, Sudoku

OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[OpenPage]:
    """Open a page, or that of an encoder or a problem; at the end, nothing has gone wrong on any of them."""
    pages: list[Page] = []

    def begin(shown: Encoder | Problem | str, fragment: str = "", **options: Any) -> Page:
        for page in pages[-1:]:
            page.check()
        if not isinstance(shown, str):
            problem, encoder = (shown, None) if isinstance(shown, Problem) else (shown.problem(), shown)
            shown = view(problem, encoder, options=ViewOptions(**options))
        pages.append(Page(browser, tmp_path / "page.html", shown, fragment))
        return pages[-1]

    yield begin
    for page in pages[-1:]:
        page.check()


@pytest.fixture(scope="module")
def tilings() -> str:
    encoder = Polyomino(board="4x7", pieces="tetrominoes", copies="any")
    return view(encoder.problem(), encoder, title="tilings", options=ViewOptions(nodes=2000))


def test_solutions_are_shown_and_filtered(browser: Any, open_page: OpenPage, tilings: str) -> None:
    page = open_page(tilings)
    total = page.count()
    assert total > 1000
    assert 10 < len(page.find(".sheet button")) < 80
    option = page.find("#large [data-option]")[0].get_attribute("data-option")
    page.press(option)
    kept = page.count()
    assert f"with={option}" in browser.current_url
    page.find(".chips button")[0].click()  # turns the filter around
    assert kept + page.count() == total
    page.find(".chips button")[1].click()
    page.press(option, shift=True)
    assert kept + page.count() == total
    page.find(".chips button")[1].click()
    assert page.count() == total
    for name in ("Next", "Previous", "Random", "Heat map", "Compare", "Next", "Compare"):
        page.button(name).click()
    page.button("Up to symmetry").click()
    assert total / 4 <= page.count() < total / 2


@pytest.mark.parametrize(
    "encoder", [Queens(n=6), Polyiamond("triangle 4", {"A": "##", "B": "###"}, (0, 9)), Sudoku(box="2x2")],
    ids=lambda encoder: type(encoder).__name__,
)  # fmt: skip
def test_heat_maps(open_page: OpenPage, encoder: Encoder) -> None:
    page = open_page(encoder, nodes=0)
    before = page.run("return document.getElementById('large').innerHTML")
    page.button("Heat map").click()
    assert page.find("#large svg[aria-label^='percentage']")
    assert all(0 < int(one.text.strip("<%")) < 101 for one in page.find("#large svg text"))
    page.button("Heat map").click()
    assert page.run("return document.getElementById('large').innerHTML") == before


def test_a_link_leads_to_a_selection(open_page: OpenPage, tilings: str) -> None:
    assert "Solution 8 of" in open_page(tilings, "#view=solutions&n=7").text("#caption")
    for bad in ("#n=999999999", "#with=99999999.x.-1", "#view=nothing", "#%%%"):
        open_page(tilings, bad)


def test_a_page_of_a_site_follows_its_theme_and_leads_back_to_its_card(browser: Any, tmp_path: Path) -> None:
    page = Page(browser, tmp_path / "play.html", make_player("gallery.html"), "?puzzle-soma#")
    assert "no puzzle" in page.text("main") and page.find("main a")[0].get_attribute("href").endswith("/gallery.html")
    assert page.find(".brand a")[0].get_attribute("href").endswith("/gallery.html#puzzle-soma")
    store = "localStorage.setItem('theme', arguments[0]); dispatchEvent(new StorageEvent('storage'))"
    try:
        for theme, k in (("light", 0), ("dark", 1), ("auto", 0), ("dark", 1)):
            page.run(store, theme)
            paper = [int(TOKENS["paper"][k][at : at + 2], 16) for at in (1, 3, 5)]
            found = page.run("return getComputedStyle(document.body).backgroundColor")
            assert found == f"rgb({', '.join(map(str, paper))})"
        page.button("Theme").click()  # from dark to that of the system
        assert page.run("return localStorage.getItem('theme')") == "auto"
    finally:
        page.run("localStorage.clear()")


def test_the_sheet_is_used_by_keys(open_page: OpenPage, tilings: str) -> None:
    page = open_page(tilings)
    page.find(".sheet button[aria-current='true']")[0].send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert "Solution 1 of" not in page.text("#caption")


def test_a_solid_is_turned_and_taken_apart(browser: Any, open_page: OpenPage) -> None:
    page = open_page(Polycube("3x3x2", {"L": "##/#"}, "any"))
    page.find("#tab-solid")[0].click()
    canvas = page.find("canvas")[0]
    pixels = "return arguments[0].toDataURL()"
    before = page.run(pixels, canvas)
    canvas.send_keys(Keys.ARROW_LEFT, Keys.ARROW_UP, "+")
    turned = page.run(pixels, canvas)
    assert turned != before
    ActionChains(browser).move_to_element(canvas).click_and_hold().move_by_offset(60, 20).release().perform()
    assert page.run(pixels, canvas) != turned
    page.button("One piece fewer").click()
    assert ". 5 of 6 pieces, ending with L" in page.text("#view-solid p")
    slider, *_ = page.find("#view-solid input[type=range]")
    page.run("arguments[0].value = 1; arguments[0].dispatchEvent(new Event('input'))", slider)
    assert page.run(COLORS, canvas) > 4


COLORS = """
    const {width, height} = arguments[0], found = arguments[0].getContext("2d").getImageData(0, 0, width, height).data;
    return new Set(new Uint32Array(found.buffer)).size;
"""


def test_a_search_is_played(open_page: OpenPage) -> None:
    page = open_page(Queens(n=6), heuristics=("mrv", "leftmost"), start="search")
    assert "with the fewest choices, 6" in page.text(".sentence")
    page.button("Step").click()
    assert "Choose" in page.text(".sentence")
    page.button("Next solution").click()
    assert "Every item is covered: a solution" in page.text(".sentence")
    assert len(page.find("#view-search .picture circle:not(.mark)")) == 6
    page.button("Next dead end").click()
    assert "a dead end" in page.text(".sentence")
    page.button("Fold failed subtrees").click()
    page.find("#view-search [aria-label='Play']")[0].click()
    page.button("Pause").click()
    page.button("First").click()
    page.button("Side by side").click()
    assert len(page.find("#view-search .tree")) == 2


def test_a_search_is_stepped_through_with_keys(browser: Any, open_page: OpenPage) -> None:
    page = open_page(Queens(n=6), "#view=search")

    def press(*keys: str) -> str:
        ActionChains(browser).send_keys(*keys).perform()
        return page.text(".sentence")

    first = page.text(".sentence")
    assert "Choose" in press(Keys.ARROW_RIGHT)
    assert press(Keys.ARROW_LEFT) == first
    assert "a solution" in press("s")
    assert "a dead end" in press("d")
    assert press(Keys.END) != press(Keys.HOME) == first
    press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert "Back at item" in press(Keys.ARROW_DOWN, Keys.ARROW_LEFT)


def test_a_search_says_where_a_rule_prunes_it(open_page: OpenPage) -> None:
    page = open_page(Slitherlink("..2/.3./3.3"), start="search")
    for _ in range(200):
        page.button("Step").click()
        if "This subtree is pruned." in page.text(".why"):
            return
    pytest.fail("no subtree is pruned")


def test_the_lesson_shows_every_step_of_algorithm_x(open_page: OpenPage) -> None:
    problem = read_file(find_configs()["article_table.yaml"]).encoder.problem()
    page = open_page(problem, start="search")
    rows = {str(label): {str(item) for item in items} for label, items in problem.options.items()}
    expected = list(run_algorithm_x(rows, [str(item) for item in problem.items]))
    shown = [read_matrix(page)]
    while page.run("return document.querySelector('.place').textContent.split(' ')[1]") != "7" or len(shown) % 2 == 0:
        page.button("Step").click()
        shown.append(read_matrix(page))
    assert shown == expected
    assert "min(" in algorithm_x.__doc__ and page.text(".algorithm").startswith("def solve(X, Y, solution=()):")
    page.assert_accessible()


def read_matrix(page: Page) -> dict[str, Any]:
    """What the matrix shows: the item to branch on, the option chosen now, and what goes and is left."""
    script = """
    const table = document.querySelector('.matrix table');
    const names = (selector) => [...table.querySelectorAll(selector)].map((one) => one.textContent).sort();
    return {
      branch: names('thead tr:first-child .branch'), choice: names('th.row-choice'),
      rows: names('tbody th:not(.row-gone, .row-taken)'), goes: names('th.row-goes'),
      columns: names('thead tr:first-child th:not(.column-gone)'), covers: names('thead tr:first-child .column-goes'),
      lines: [...document.querySelectorAll('.algorithm [aria-current]')].map((line) => line.textContent.trim().split('(')[0]),
    }"""
    return dict(page.run(script))


def run_algorithm_x(rows: dict[str, set[str]], items: list[str]) -> Iterator[dict[str, Any]]:
    """Yield what the matrix has to show in each step."""
    look = {"choice": [], "goes": [], "covers": [], "rows": sorted(rows), "columns": sorted(items)}
    if not items:
        yield {**look, "branch": [], "lines": ["yield solution"]}
        return
    item = min(items, key=lambda one: sum(one in row for row in rows.values()))
    fitting = [row for row in rows if item in rows[row]]
    yield {**look, "branch": [item], "lines": ["item = min" if fitting else "for option in sorted"]}
    left = dict(rows)
    for row in fitting:
        after = {one: left[one] for one in left if not left[one] & rows[row]}
        yield {"branch": [item], "choice": [row], "rows": sorted(left), "columns": sorted(items),
               "lines": ["removed = select"], "goes": sorted({*left} - {*after, row}),
               "covers": sorted(rows[row])}  # fmt: skip
        yield from run_algorithm_x(after, [one for one in items if one not in rows[row]])
        del left[row]


def test_only_the_part_of_a_tree_that_is_seen_is_drawn(open_page: OpenPage) -> None:
    encoder, options = Polyomino(), ViewOptions(nodes=20_000, start="search")
    page = open_page(view(encoder.problem(), encoder, options=options, solutions=[]))
    page.button("Fold failed subtrees").click()
    for scroll in (0, 5_000, 100_000):
        (tree,) = page.find(".tree")
        page.run("delete arguments[0].dataset.drawn; arguments[0].scrollLeft = arguments[1]", tree, scroll)
        page.run("arguments[0].dispatchEvent(new Event('scroll'))", tree)
        assert int(page.wait(lambda: page.run("return document.querySelector('.tree').dataset.drawn"))) < 600
    page.run("document.querySelector('.similar').open = true")
    page.wait(lambda: page.find(".groups button"))
    page.find(".groups button")[0].click()


@pytest.mark.parametrize("name", ["</script><b>", "\"'<&>", "{{data}}", "‮right to left", "x" * 10_000])
def test_hostile_names(open_page: OpenPage, name: str) -> None:
    page = open_page(view(Problem({name: [name], "other": [name]}), title=name))
    page.find("#tab-search")[0].click()
    assert page.find("b") == []


def test_a_diagram_counts_what_is_not_listed(open_page: OpenPage) -> None:
    encoder = Polyomino(board="8x8", pieces="dominoes", copies="any")
    problem, page = encoder.problem(), open_page(encoder, solutions=5, nodes=0)
    assert page.text("#count").startswith("12,988,816 solutions")
    option = page.find("#large [data-option]")[0].get_attribute("data-option")
    page.press(option)
    assert page.count() == problem.count(given=[problem.labels[int(option)]])


def test_a_drawing_needs_no_lines(browser: Any, tmp_path: Path) -> None:
    page = open_scripts(browser, tmp_path, ("data", "icons", "theme", "shapes", "picture"), "Painter")
    drawing = {"board": [], "options": [[["c", 0, 0, 0, 1, ""]]], "rows": 1, "columns": 1}  # as on the page "Try it"
    draw = "return new Painter(arguments[0], [], arguments[1]).draw([0])"
    assert page.run(draw, drawing, PALETTE).startswith("<svg")


def test_without_scripts_there_is_a_picture(browser: Any, tmp_path: Path, tilings: str) -> None:
    assert "<svg" in tilings.partition('<section id="first"')[2][:2000]


def test_without_a_picture_there_are_labels(open_page: OpenPage) -> None:
    page = open_page(Problem({f"option {k}": [1] for k in range(MAX_ROWS + 1)}))
    assert page.text("#large") == "option 0"


def test_a_small_problem_is_drawn_as_its_matrix(open_page: OpenPage) -> None:
    problem = Problem({"A": [1, 4], "B": [1, 2], "C": [2, 3], "D": [3, 4]}, secondary=[4])
    page = open_page(problem)
    assert [text.text for text in page.find("#large text")].count("A") == 1
    chosen = {int(group.get_attribute("data-option")) for group in page.find("#large [data-option]")}
    assert tuple(sorted(chosen)) in set(problem.solve().positions())
    page.press(str(min(chosen)))
    assert page.count() == sum(min(chosen) in one for one in problem.solve().positions())


def test_a_heat_map_shows_where_one_piece_lies(open_page: OpenPage) -> None:
    """A 3x4 board is covered by a bar of three in an edge row and the rest; the shares come from brute force."""
    encoder = Polyomino("3x4", {"I": "###", "L": "#../###/#..", "o": "#"}, {"I": 1, "L": 1, "o": "any"})
    solutions = [{label.piece: label for label in one} for one in encoder.solve()]
    places = [cell for one in solutions for cell in one["L"].cells]
    expected = [round(100 * places.count(cell) / len(solutions)) for cell in sorted(set(places))]
    for limit in (10_000, 2):  # from the list, and from the diagram
        page = open_page(encoder, solutions=limit, nodes=0)
        page.button("Heat map").click()
        page.button("L").click()
        assert sorted(int(text.text.strip("%")) for text in page.find("#large text")) == sorted(expected)
        shades = {path.get_attribute("fill") for path in page.find("#large [class^='tint deep']")}
        assert len(shades) == len(set(expected))  # equal numbers have equal colors
        assert all(button.get_property("disabled") for button in page.find(".joined button")[:3])
        assert page.find(".kinds [aria-pressed='true']")[0].text == "L"


def test_one_solution_has_no_buttons_that_lead_nowhere(open_page: OpenPage) -> None:
    page = open_page(Sudoku(box="2x2", grid="1... ...2 .3.. ..4."), nodes=0, play=False)
    shown = [one.accessible_name for one in page.find("button") if one.is_displayed()]
    assert shown == ["Theme", "Copy labels", "Copy SVG", "Save PNG", "Print"]
    assert page.text("#caption") == ""
    assert not page.find(".sheet")
    page = open_page(Problem({"A": [1], "B": [1]}, costs={"A": 1, "B": 2}), cheapest=1, nodes=0)
    assert page.text("#summary") == "1 solution; no other is cheaper" and not page.find(".sheet")
    assert page.text("#caption") == "Solution 1 of 1, cost 1."


def test_classes_where_there_are_more_solutions_than_are_listed(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(Queens(n=7), solutions=20, nodes=0)
    assert page.text("#count") == "40 solutions"  # all of them, from the diagram
    page.find(".sheet button[aria-current='true']")[0].send_keys(Keys.PAGE_DOWN * 20)
    assert page.text("#caption").startswith("Solution 40 of 40.")
    page.button("Up to symmetry").click()
    assert page.text("#count") == "6 solutions up to symmetry"
    page = open_page(Queens(n=7), solutions=4, nodes=0, distinct=True)
    assert page.text("#count").startswith("4 solutions up to symmetry are listed. There may be more.")
    monkeypatch.setattr("exactcover.viewer.view._MAX_DIAGRAM_NODES", 0)  # the number is known without a diagram
    page = open_page(Queens(n=7), solutions=20, nodes=0)
    assert "the first 20 of 40 solutions" in page.run("return document.documentElement.innerHTML")
    assert page.text("#count") == "The first 20 of 40 solutions are listed."
    page.find("#large [data-option]")[0].click()
    assert re.fullmatch(r"[0-9]+ solutions? among the first 20 of 40 listed[.]", page.text("#count"))


def test_a_widget_and_its_page_tell_each_other_what_is_selected(open_page: OpenPage) -> None:
    encoder = Queens(n=6)
    problem = encoder.problem()
    widget = (files("exactcover.viewer") / "assets" / "widget.js").read_text(encoding="utf-8")
    content = (
        "<!DOCTYPE html><html><body><div id='cell'></div><script type='module'>"
        + widget.replace("export default", "const widget =")
        + "const values = {page: document.getElementById('page').textContent}; const listeners = [];"
        "window.model = {get: (name) => values[name] ?? '', set: (name, value) => (values[name] = value),"
        "save_changes: () => (window.saved = structuredClone({...values, page: ''})),"
        "on: (_, listener) => listeners.push(listener), off: () => {},"
        "change: (value) => { values.selection = value; listeners.forEach((listener) => listener()); }};"
        "widget.render({model, el: document.getElementById('cell')});"
        "document.documentElement.dataset.ready = '1';</script>"
    )
    hidden = f"<template></template><div id='page' hidden>{escape(view(problem, encoder))}</div>"
    page = open_page(content.replace("<div id='cell'>", f"{hidden}<div id='cell'>"))
    page.wait(lambda: page.run("return window.saved?.positions.length === 6"))
    assert tuple(page.run("return window.saved.positions")) in set(problem.solve().positions())
    option = page.run("return window.saved.positions[0]")
    page.run("model.change(`without=${arguments[0]}`)", option)
    page.wait(lambda: page.run("return window.saved.without.length === 1"))
    assert page.run("return window.saved.without") == [option]
    assert option not in page.run("return window.saved.positions")


@pytest.mark.parametrize("name", ["solutions", "solid", "search"])
def test_pages_are_accessible(open_page: OpenPage, name: str) -> None:
    encoder = Polycube(board="2x2x2", pieces="dicubes", copies=4)
    page = open_page(encoder, f"#view={name}", heuristics=("mrv", "leftmost"))
    page.assert_accessible()
    if name == "search":
        page.button("Side by side").click()
        page.assert_accessible()
    if name == "solutions":
        page.press(page.find("#large [data-option]")[0].get_attribute("data-option"))
        page.button("Compare").click()
        page.button("Next").click()
        page.assert_accessible()
        page.button("Heat map").click()
        page.assert_accessible()
    assert page.find(f"#view-{name}")[0].is_displayed()


def test_what_a_search_repeats_stands_below_the_board_where_there_is_room(open_page: OpenPage) -> None:
    page = open_page(Queens(n=6), "#view=search")
    boxes = {
        name: page.run("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector)
        for name, selector in {"board": ".board-side", "more": ".more-side", "tree": ".tree-box"}.items()
    }
    assert page.find(".groups button")
    assert boxes["more"]["left"] == boxes["board"]["left"] > boxes["tree"]["right"]
    assert boxes["board"]["bottom"] <= boxes["more"]["top"] < boxes["tree"]["bottom"]


def test_a_page_without_solutions_says_so_and_nothing_else(open_page: OpenPage) -> None:
    page = open_page(Queens(n=3), "#view=solutions")
    assert page.text("#large") == "There is no solution."
    assert not page.find(".sheet")
    page.assert_accessible()
