"""Everything that names formats agrees with the table of formats."""

import io
import re
import sys
from pathlib import Path

import click
import pytest

import exactcover
from commands import invoke
from exactcover.cli.main import cli
from exactcover.config.configuration import describe_fault, read_text
from exactcover.errors import ConfigError
from exactcover.formats import registry
from exactcover.formats.registry import DIAGRAMS, LINKS, PROBLEMS, PUZZLES, SOLUTIONS, Formats, by_suffix

DOCS = Path(__file__).parents[2] / "docs"
VERBS: dict[tuple[str, ...], Formats] = {
    ("solve",): SOLUTIONS,
    ("sample",): SOLUTIONS,
    ("convert",): PROBLEMS | LINKS,
    ("diagram",): DIAGRAMS,
    ("generate",): PUZZLES,
    ("run", "export"): {name: one for name, one in SOLUTIONS.items() if one.streamed and not one.needs},
}


def find_flag(verb: tuple[str, ...], name: str) -> click.Parameter:
    command: click.Command = cli
    for word in verb:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), word)
        assert found is not None
        command = found
    return next(parameter for parameter in command.params if name in parameter.opts)


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_the_flag_format_offers_the_formats_of_the_table(verb: tuple[str, ...]) -> None:
    kind = find_flag(verb, "--format").type
    assert isinstance(kind, click.Choice)
    assert list(kind.choices) == list(VERBS[verb])


def test_standard_input_accepts_what_can_be_read() -> None:
    kind = find_flag(("solve",), "--input").type
    assert isinstance(kind, click.Choice)
    readable = [name for name, one in (PROBLEMS | DIAGRAMS | PUZZLES).items() if one.reader is not None]
    assert list(kind.choices) == ["yaml", *readable]


@pytest.mark.parametrize("kind", ["PROBLEMS", "LINKS", "DIAGRAMS", "SOLUTIONS", "PUZZLES"])
def test_what_the_table_names_exists(kind: str) -> None:
    formats: Formats = getattr(registry, kind)
    for name, one in formats.items():
        assert one.name == name
        assert callable(one.load_writer())
        assert one.about
        assert one.reader is None or callable(registry._load(one.reader))


def test_a_configuration_may_write_the_formats_of_solutions(tmp_path: Path) -> None:
    for name, one in SOLUTIONS.items():
        file = f"out{one.suffix}"
        assert describe_fault(file, name) is None
        text = f"problem: queens\noutput: {{file: {file}, format: {name}}}\n"
        assert read_text(text.encode(), "x.yaml").output.format == name
    others = by_suffix(PROBLEMS | DIAGRAMS | registry.CONFIGURATIONS).keys() - by_suffix(SOLUTIONS).keys()
    assert all(describe_fault(f"out{suffix}") for suffix in others)
    with pytest.raises(ConfigError, match=r"output\.format: expected 'text', 'jsonl', .* got 'dlx'"):
        read_text(b"problem: queens\noutput: {format: dlx}\n", "x.yaml")


def list_rows(page: str) -> list[list[str]]:
    text = (DOCS / page).read_text("utf-8")
    return [re.split(r" \| ", line.strip("| ")) for line in text.splitlines() if line.startswith("| ")]


def test_the_documentation_has_the_tables_of_formats() -> None:
    problems, solutions = list_rows("formats.md"), list_rows("command_line.md")
    for one in (*PROBLEMS.values(), DIAGRAMS["zdd"]):
        verb = "diagram" if one.name in DIAGRAMS else "convert"
        assert [f"`{one.suffix}`", one.about, "no" if one.reader is None else "yes", f"`{verb}`"] in problems
    assert all([f"`{name}`", one.about] in problems for name, one in LINKS.items())
    stated = [row for row in solutions if row[0].strip("`") in SOLUTIONS]
    assert stated == [[f"`{name}`", one.about] for name, one in SOLUTIONS.items()]
    sentence = (DOCS / "yaml.md").read_text("utf-8").partition("It ends in")[2].partition("and")[0]
    assert re.findall(r"`(\.\w+)`", sentence) == list(by_suffix(SOLUTIONS))


def test_solutions_as_parquet_are_those_of_csv(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    out = tmp_path / "out.parquet"
    assert invoke("solve", "queens", "n=6", "--all", "-o", str(out)).returncode == 0
    table = parquet.read_table(out).to_pydict()
    rows = invoke("solve", "queens", "n=6", "--all", "--format", "csv").stdout.splitlines()[1:]
    assert [f"{number},{label}" for number, label in zip(table["solution"], table["option"], strict=True)] == rows
    labels = exactcover.find_encoder("queens")(n=6).problem().labels
    assert [str(labels[position]) for position in table["position"]] == table["option"]


def test_parquet_escapes_what_utf_8_cannot_hold(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    (tmp_path / "odd.json").write_text('{"options": [{"label": "\\ud800", "items": ["a"]}]}')
    assert invoke("solve", str(tmp_path / "odd.json"), "-o", str(tmp_path / "out.parquet")).returncode == 0
    assert parquet.read_table(tmp_path / "out.parquet").to_pydict()["option"] == [r"\ud800"]


def test_parquet_without_solutions_is_an_empty_table(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    out = tmp_path / "out.parquet"
    assert invoke("solve", "queens", "n=3", "--all", "-o", str(out)).returncode == 20
    assert parquet.read_table(out).num_rows == 0


def test_parquet_needs_pyarrow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = invoke("solve", "queens", "n=6", "-o", str(tmp_path / "out.parquet"))
    assert (result.returncode, list(tmp_path.iterdir())) == (2, [])
    assert "Parquet needs pyarrow; install it with" in result.stderr


def test_bytes_are_not_written_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    from exactcover.cli.output import check_terminal

    monkeypatch.setattr(sys, "stdout", Terminal())
    for name, one in SOLUTIONS.items():
        if name in ("stl", "xlsx", "parquet", "png", "pdf"):
            with pytest.raises(click.UsageError, match="give the name of the output file with -o"):
                check_terminal(one, "-")
        else:
            check_terminal(one, "-")
