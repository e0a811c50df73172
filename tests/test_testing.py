"""What an encoder's author has: the conformance kit, the template of a package, --plugin, and the guide."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from commands import assert_refused, invoke
from exactcover import Encoder, Picture
from exactcover.pictures import Disc
from exactcover.testing import check_configs, check_encoder
from problems import Queens

GUIDE = Path(__file__).parent.parent / "docs" / "plugins.md"


def run(folder: Path, *args: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(path or folder)}
    return subprocess.run(
        [sys.executable, "-m", *args], env=env, cwd=folder, capture_output=True, text=True, timeout=120
    )


@dataclass(frozen=True)
class Seats(Encoder):
    """Seat guests on chairs."""

    n: int = 3
    """How many."""

    def options(self) -> Iterator[tuple[str, list[str]]]:
        for guest in range(self.n):
            for chair in range(self.n):
                yield f"{guest}@{chair}", [f"guest {guest}", f"chair {chair}"]


@dataclass(frozen=True)
class Unordered(Seats):
    """Many items come as a set has them."""

    def primary(self) -> Collection[str]:
        items = {f"{kind} {number}" for kind in ("guest", "chair") for number in range(self.n)}
        return items if self.n > 2 else sorted(items)


@dataclass(frozen=True)
class Local(Seats):
    """Some cases can be built in one process only."""

    def options(self) -> Iterator[tuple[str, list[str]]]:
        if self.n > 3 and os.environ.get("PYTHONHASHSEED") == "1":
            raise ValueError("built elsewhere")
        return super().options()


@dataclass(frozen=True)
class Undocumented(Seats):
    """A parameter has no text."""

    m: int = 0


@dataclass(frozen=True)
class Nameless(Seats):
    """Two labels are the same text."""

    def options(self) -> Iterator[tuple[str, list[str]]]:
        yield from super().options()
        yield 1, ["guest 0"]  # type: ignore[misc]
        yield "1", ["guest 0"]


@dataclass(frozen=True)
class Stray(Seats):
    """A given is not an option."""

    def givens(self) -> list[str]:
        return ["nobody"]


@dataclass(frozen=True)
class Whole(Seats):
    """It draws whole solutions only."""

    def draw(self, solution: object) -> Picture:
        places = [label.split("@") for label in solution]  # type: ignore[attr-defined]
        return Picture("seats" if len(places) == self.n else "", tuple(Disc(int(a), int(b)) for a, b in places))


@pytest.mark.parametrize(
    ("encoder", "message"),
    [
        (Unordered, "the order of items or options depends on PYTHONHASHSEED"),
        (Undocumented, "parameter m of Undocumented has no docstring below it"),
        (Nameless, "labels 1 and '1' have the same text"),
        (Stray, "no option is labeled 'nobody'"),
        (Whole, "a picture has no title"),
    ],
)
def test_what_the_kit_finds(encoder: type[Encoder], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_encoder(encoder)


def test_other_processes_name_the_case_that_differs() -> None:
    with pytest.raises(AssertionError, match=r"Unordered with \{'n': 6\}: the order of items"):
        check_encoder(Unordered, [{"n": 2}, {"n": 6}, {"n": 1}])
    with pytest.raises(AssertionError, match=r"(?s)Local with \{'n': 4\}: it cannot be built .* built elsewhere"):
        check_encoder(Local, [{}, {"n": 4}, {"n": 2}])


def test_counts_and_refusals_are_checked() -> None:
    check_encoder(Seats, [{}, {"n": 4}], counts=[6, 24])
    check_encoder(Queens, [{"n": 5, "placed": [[1, 1]]}], counts=[2], rejected=[{"n": -1}, {"m": 3}])
    with pytest.raises(AssertionError, match=r"Seats with \{'n': 2\}: the problem has 2 solutions, not 3"):
        check_encoder(Seats, [{"n": 2}], counts=[3])
    with pytest.raises(AssertionError, match=r"does not reject \{'n': 2\}"):
        check_encoder(Seats, rejected=[{"n": 2}])
    with pytest.raises(AssertionError, match="expected a whole number, got 'x'"):
        check_encoder(Seats, [{"n": "x"}])


def test_configurations_are_checked(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="there are no YAML files"):
        check_configs(tmp_path)
    for n, more, fault in (
        (3, "", r"some.yaml: too few solutions \(unsatisfiable\)"),
        (4, "known: {solutions: 2, distinct: 2}", "some.yaml: 'known' states 2 solutions, but the count is 1"),
        (4, "search: {limit: 3}", r"some.yaml: too few solutions \(complete\)"),
    ):
        (tmp_path / "some.yaml").write_text(f"# Some queens\nproblem: queens\nparams: {{n: {n}}}\n{more}\n")
        with pytest.raises(AssertionError, match=fault):
            check_configs(tmp_path)
    (tmp_path / "some.yaml").write_text("# Three queens\nproblem: queens\nparams: {n: 3}\nknown: {solutions: 0}\n")
    check_configs(tmp_path)


def announce(package: Path) -> None:
    """Leave in a new package what an installation would."""
    info = package / f"{package.name}-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package.name}\nVersion: 0.1.0\n")
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    points = [f"[{group}]\n{key} = {value}" for group, point in project["entry-points"].items()
              for key, value in point.items()]  # fmt: skip
    (info / "entry_points.txt").write_text("\n".join(points) + "\n")


@pytest.mark.slow
def test_a_new_package_passes_its_tests(tmp_path: Path) -> None:
    made = run(tmp_path, "exactcover", "new", "round_table")
    assert made.returncode == 0, made.stderr
    assert "pip install" in made.stdout
    announce(tmp_path / "round_table")
    tests = run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider", "round_table", path=tmp_path / "round_table")
    assert tests.returncode == 0, tests.stdout
    assert "2 passed" in tests.stdout
    solved = run(
        tmp_path, "exactcover", "--plugin", "round_table/round_table/__init__.py:RoundTable", "count", "roundtable"
    )
    assert solved.stdout == "24\n"


@pytest.mark.slow
def test_a_new_package_of_a_bad_name(tmp_path: Path) -> None:
    for name, why in {
        "Knights": "is not a valid name for a problem",
        "class": "is not a valid name",
        "queens": "already",
        ".": "is not a valid name",
        **dict.fromkeys(("exactcover", "problems", "os", "yaml", "tests"), "would hide the module of that name"),
    }.items():
        refused = run(tmp_path, "exactcover", "new", name)
        assert (refused.returncode, why in refused.stderr) == (2, True), refused.stderr
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").touch()
    assert "not empty" in run(tmp_path, "exactcover", "new", "taken").stderr


@pytest.mark.parametrize(
    ("source", "value", "message"),
    [
        ("class Own: pass\n", "own.py:Own", "is not a dataclass derived from Encoder"),
        ("from exactcover import Encoder\nclass Own(Encoder): pass\n", "own.py:Owm", "did you mean 'Own'?"),
        ("", "other.py:Own", "cannot be read"),
        ("", "own.py", "expected FILE.py:Class"),
    ],
)
def test_plugins_that_cannot_be_taken(
    tmp_path: Path, source: str, value: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(source)
    assert_refused(message, "--plugin", value, "problems")


def test_no_file_can_name_a_plugin(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("plugin: own.py:Own\nproblem: queens\n")
    assert "unknown key 'plugin'" in invoke("count", str(tmp_path / "own.yaml")).stderr


class Reader:
    """Follows the guide in one folder: writes the files that it prints, and types its commands."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder, programs = tmp_path / "folder", tmp_path / "programs"
        for folder in (self.folder, programs):
            folder.mkdir()
        for name, command in {"python": "", "exactcover": "-P -m exactcover"}.items():
            (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {command} "$@"\n')
            (programs / name).chmod(0o755)
        self.env = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        self.answers: dict[str, str] = {}

    def write(self, before: str, text: str) -> None:
        """Write what a block holds to the file that is named last before it."""
        file = self.folder / re.findall(r"`([\w/]+\.\w+)`", before)[-1]
        if file.suffix == ".toml":
            assert text in file.read_text("utf-8")
        elif "at the end of" in before.strip().rpartition("\n\n")[2]:
            file.write_text(file.read_text("utf-8") + text, "utf-8")
        else:
            file.write_text(text, "utf-8")

    def enter(self, command: str) -> None:
        """Run a command; what pip would install is announced, for tests have no network."""
        if command.startswith("python -m pip install"):
            install, _, command = command.partition(" && ")
            package = self.folder / install.split('"')[1].partition("[")[0]
            announce(package)
            self.env["PYTHONPATH"] = str(package)
        done = subprocess.run(
            command, shell=True, cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        self.answers[command] = done.stdout


@pytest.mark.slow
def test_the_guide_works_as_a_reader_types_it(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    guide = GUIDE.read_text("utf-8")
    for block in re.finditer(r"```(\w+)\n(.*?)```", guide, flags=re.DOTALL):
        kind, text = block.groups()
        if kind != "sh":
            reader.write(guide[: block.start()], text)
            continue
        for command in text.splitlines():
            reader.enter(command)
    answers = reader.answers
    plugin = "exactcover --plugin games.py:Tournament"
    assert answers[f"{plugin} count tournament"] == "6\n"
    assert answers[f"{plugin} count tournament --distinct"] == "1\n"
    assert "2 passed" in answers["python -m pytest tournament"]
    assert "Let every pair of teams meet once" in answers["exactcover problems tournament"]
    assert "Ant" in answers["exactcover solve derby.yaml"]
    reader.enter("exactcover count derby.yaml")
    assert answers["exactcover count derby.yaml"] == "144\n"
    reader.enter("exactcover diagram tournament --format svg")
    assert answers["exactcover diagram tournament --format svg"].startswith("<svg")
