import io
import warnings
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import assert_refused, invoke
from damage import write_text
from exactcover import Colored, ConfigError, Problem, ProblemError, find_encoders
from exactcover.config.configuration import encode, read_file
from exactcover.encoders.discovery import find_configs
from exactcover.errors import FormatWarning
from exactcover.formats import dlx
from strategies import problems


def text(problem: Problem, *, long_names: bool = True) -> list[str]:
    return write_text(dlx.write, problem, long_names=long_names).splitlines()


def test_items_options_and_colors() -> None:
    problem = Problem([("A", ["a", Colored("x", "red")]), ("B", ["b", "x"])], secondary=["x"])
    assert text(problem) == ["a b | x", "a x:red", "b x"]
    table = ["| short and long names:", "| :r :red"]
    assert text(problem, long_names=False) == [*table, "a b | x", "a x:r", "b x"]


def test_reserved_characters_are_replaced_unless_names_would_coincide() -> None:
    assert text(Problem({"A": ["row 1", "c:2"]})) == ["row_1 c_2", "row_1 c_2"]
    assert text(Problem({"A": ["a b", "a:b"]})) == ["1 2", "1 2"]
    options = [("A", ["p", Colored("x", "a b")]), ("B", ["q", Colored("x", "a_b")])]
    assert text(Problem(options, secondary=["x"])) == ["p q | x", "p x:a_b", "q x:a_b_2"]


def test_too_many_colors_for_one_character() -> None:
    problem = Problem(((color, ["p", Colored("x", color)]) for color in range(93)), secondary=["x"])
    with pytest.raises(ValueError, match="so 92 colors, but there are 93; write long names"):
        text(problem, long_names=False)
    assert len(text(problem)) == 94


def test_multiplicities_costs_and_preferred_items() -> None:
    lines = ["a #b 2|c 0:3|d | x", "a #b c x:red |15", "c d |2.5 |1", "c", "a"]
    problem = dlx.read(lines)
    assert problem.multiplicity == {"c": (2, 2), "d": (0, 3)}
    assert problem.costs == {"a #b c x:red |15": 15, "c d |2.5 |1": Decimal("3.5")}
    assert problem.preferred == ("#b",)
    assert [problem.cost(solution) for solution in problem.cheapest(9)] == [15, Decimal("18.5")]
    assert text(problem) == [lines[0], "a #b c x:red |15", "c d |3.5", "c", "a"]
    assert text(problem, long_names=False)[2:4] == [lines[0], "a #b c x:r |15"]
    assert text(Problem({"A": ["#a", "b"]})) == ["1 2", "1 2"]


def complaints(content: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        dlx.read(content.splitlines(keepends=True), "x.dlx")
    return [str(mistake) for mistake in caught.value.mistakes]


def test_reading() -> None:
    content = "\n| a comment\n a  b\tc | x y \n\n|| another\na b x:red\nc y\na b x:red\r\nc x:red"
    problem = dlx.read(content.splitlines(keepends=True))
    assert problem.primary == ("a", "b", "c")
    assert problem.secondary == ("x", "y")
    assert problem.labels == ("a b x:red", "c y", "a b x:red [2]", "c x:red")
    assert problem.options["c x:red"] == ("c", Colored("x", "red"))
    assert problem.count() == 4


def test_labels_are_unique_whatever_items_are_called() -> None:
    problem = dlx.read(["a | [1]", "a [1]", "a", "a", "a"])
    assert problem.labels == ("a [1]", "a", "a [2]", "a [3]")
    assert problem.count() == 4


@pytest.mark.parametrize(("content", "expected"), [
    ("", ["x.dlx:1:1: missing line with the names of the items"]),
    ("| a\n\n", ["x.dlx:1:1: missing line with the names of the items"]),
    ("a b a", ["x.dlx:1:5: duplicate item 'a'"]),
    ("a | x | y", ["x.dlx:1:7: unexpected second '|'; secondary items follow the first one"]),
    ("a 1:3|b c:d", ["x.dlx:1:9: 'c:d': names cannot contain ':'; it is reserved for colors"]),
    ("3:1|a x|b 0|c 2| 1:2:3|d | 2|e",
     [f"x.dlx:1:{column}: {token!r}: expected v|NAME (v times), u:v|NAME (u to v times) or u:|NAME (u times or more), "
      "with u <= v and v >= 1"
      for column, token in ((1, "3:1|a"), (7, "x|b"), (11, "0|c"), (15, "2|"), (18, "1:2:3|d"))]
     + ["x.dlx:1:28: '2|e': only primary items have multiplicities"]),
    (f"0:{'9' * 19}|a {'9' * 18}|b {'0' * 19}|c",
     [f"x.dlx:1:{column}: {token!r}: a multiplicity has at most 18 digits"
      for column, token in ((1, f"0:{'9' * 19}|a"), (46, f"{'0' * 19}|c"))]),
    ("abc | x\n\n  abd x:\nabc abc\nabc:1 x\nabc |x\nabc|5",
     ["x.dlx:3:3: 'abd' is not an item; did you mean 'abc'?",
      "x.dlx:3:7: 'x:': expected a color after ':', without ':' or '|'",
      "x.dlx:4:5: the option contains item 'abc' twice",
      "x.dlx:5:1: 'abc' is a primary item; only secondary ones have colors",
      "x.dlx:6:5: '|x': expected a cost after '|', like |15",
      "x.dlx:7:1: 'abc|5': put a space before the cost, as in abc |5"]),
    ("a aa | x\naa a b", ["x.dlx:2:6: 'b' is not an item"]),
])  # fmt: skip
def test_mistakes_have_places(content: str, expected: list[str]) -> None:
    assert complaints(content) == expected


def test_an_option_without_a_primary_item_is_dropped_with_a_warning() -> None:
    with pytest.warns(FormatWarning, match=r"x\.dlx:2: dropped 2 options without a primary item; this is the first"):
        problem = dlx.read(["a | x", "x", "a x", "x:1"], "x.dlx")
    assert problem.labels == ("a x",)


@given(problem=problems())
def test_what_is_written_is_read_back(problem: Problem) -> None:
    if not problem.primary:
        return
    again = dlx.read(text(problem))
    assert dlx.read(text(problem, long_names=False)).fingerprint() == again.fingerprint()
    names = {item: f"#{item}" if item in problem.preferred else item for item in problem.primary}
    assert again.items == tuple(names.get(item, item) for item in problem.items)
    assert again.matrix.multiplicity == problem.matrix.multiplicity
    assert again.matrix.preferred == problem.matrix.preferred
    assert list(again.matrix.entries) == list(problem.matrix.entries)
    assert list(again.matrix.colors) == list(problem.matrix.colors)
    assert list(again.solve().positions()) == list(problem.solve().positions())


@given(st.text(alphabet="ab|: \t\n\r1x\u2003#"))
def test_any_text_is_a_problem_or_has_mistakes(content: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        try:
            problem = dlx.read(io.StringIO(content))
        except ConfigError as error:
            assert all(mistake.line and mistake.column for mistake in error.mistakes)
        else:
            assert problem.count() >= 0


def test_every_verb_takes_a_file(tmp_path: Path) -> None:
    file, found = tmp_path / "table.dlx", tmp_path / "found.jsonl"
    file.write_text("1 2 3 4\n4\n1 4\n1 2\n1 3\n2 3 4\n3\n2 4", encoding="utf-8")
    assert invoke("count", str(file)).stdout == "2\n"
    assert invoke("solve", str(file), "--all").stdout == "4, 1 2, 3\n1 3, 2 4\n"
    assert invoke("solve", str(file), "--all", "-o", str(found)).returncode == 0
    assert invoke("verify", str(file), str(found)).returncode == 0
    assert "7 (13 entries)" in invoke("check", str(file)).stdout
    assert_refused("a .dlx file has no parameters", "count", str(file), "n=3")


def check_limits(lines: list[str]) -> None:
    """Check what Knuth's programs check: names of 1 to 8 bytes, colors of one character, no color on primary items."""
    items, *options = [line.split() for line in lines if not line.startswith("|")]
    bar = items.index("|") if "|" in items else len(items)
    primary = [item.rpartition("|")[2] for item in items[:bar]]
    names = {*primary, *items[bar + 1 :]}
    assert len(names) == len(items) - ("|" in items)
    assert all(1 <= len(name.encode()) <= 8 and ":" not in name and "|" not in name for name in names)
    for option in options:
        for token in option:
            name, colon, color = token.partition(":")
            if not token.startswith("|"):
                assert name in names and (not colon or (len(color.encode()) == 1 and name not in primary))


@pytest.mark.parametrize("family", sorted({*find_encoders()} - {"options"}))  # which has no default
def test_files_of_every_family_keep_the_limits_of_knuths_programs(family: str) -> None:
    problem = encode(family).problem()
    if problem.rules:
        with pytest.raises(ProblemError, match="does not know rules about graphs"):
            text(problem, long_names=False)
        return
    check_limits(text(problem.relaxed() if problem.soft else problem, long_names=False))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(find_configs()))
def test_files_of_every_configuration_keep_the_limits_of_knuths_programs(name: str) -> None:
    problem = read_file(find_configs()[name]).encoder.problem()
    try:
        lines = text(problem.relaxed() if problem.soft else problem, long_names=False)
    except ProblemError as error:
        assert "rules about graphs" in str(error) if problem.rules else "colors" in str(error)
    else:
        check_limits(lines)


def test_long_names_are_shortened_and_restored() -> None:
    options = {
        "A": ["grandmother", "#x", Colored("a very long name", "blue")],
        "B": ["grandmothers", Colored("a very long name", "black"), "ééééé"],
    }
    problem = Problem(options, secondary=["a very long name"], preferred=["#x"])
    lines = text(problem, long_names=False)
    assert lines == [
        "| short and long names:", "| grandm.1 grandmother", "| grandm.3 grandmothers", "| .4 ééééé",
        "| a_very.5 a_very_long_name", "| :b :blue", "| :a :black",
        "grandm.1 #x grandm.3 .4 | a_very.5", "grandm.1 #x a_very.5:b", "grandm.3 a_very.5:a .4",
    ]  # fmt: skip
    check_limits(lines)
    assert dlx.read(lines).fingerprint() == dlx.read(text(problem)).fingerprint()
    taken = Problem({"A": ["grandm.2", "grandmother"]})
    assert text(taken, long_names=False)[-1] == "grandm.2 grand..2"


@pytest.mark.parametrize(("table", "items"), [
    (["| short and long names:", "| a b", "| c b"], ("a", "b")),  # not a table of ours
    (["| a other names:", "| a long"], ("a", "b")),
    (["| short and long names:", "| something else entirely", "| a long"], ("a", "b")),
    (["| short and long names:", "| a long"], ("long", "b")),
])  # fmt: skip
def test_other_comments_are_no_table_of_names(table: list[str], items: tuple[str, ...]) -> None:
    assert dlx.read([*table, "a b", "a", "b"]).items == items


def test_a_color_with_two_names_is_a_mistake() -> None:
    lines = ["| short and long names:", "| :r :red", "a | x", "a x:r", "a x:red"]
    with pytest.raises(ConfigError, match="5:3: 'x:red:': expected a color"):
        dlx.read(lines)


def test_many_unknown_items_are_found_in_linear_time() -> None:
    names = " ".join(f"item{number}" for number in range(20_000))
    with pytest.raises(ConfigError) as caught:
        dlx.read([names, names + " itm" * 20_000])  # each is compared with few names, if any
    assert len(caught.value.mistakes) == 20
