"""Every block of commands in the documents runs, page by page, in a folder with the files that the page shows.

Comments above a block, which readers do not see, say what is special about it:

- `<!-- file: NAME -->`: the block below is this file;
- `<!-- run with: n=18 as n=8 -->`: a smaller argument; several are separated by semicolons;
- `<!-- not run: REASON -->`: the block cannot run in a test.

Comments `<!-- view: ... -->` stand for pages of the viewer, which the build of the site inserts.

The command `exactcover` is loaded once for all pages but some, which use the one that is installed.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from commands import PATIENCE
from preloaded import preload

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
INSTALLED = Path(sys.executable).parent
NOT_PRELOADED = ("README.md", "search_log.md", "yaml.md")
FOLLOWED = ROOT / "docs" / "plugins.md"  # which test_testing.py follows, as a reader does
PAGES = sorted({ROOT / "README.md", *(ROOT / "docs").rglob("*.md")} - {FOLLOWED})
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
REMARK = re.compile(r"<!-- (file|run with|not run): (.*?) -->\n*", re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block of a page, with the line where it begins and the remarks above it."""

    line: int
    kind: str
    text: str
    remarks: dict[str, str]

    def write(self, folder: Path) -> None:
        """Write the file that the block shows; of a doctest, what is typed."""
        lines = self.text.splitlines()
        if self.text.startswith(">>> "):
            lines = [line[4:] for line in lines if line.startswith((">>> ", "... ", "..."))]
        (folder / self.remarks["file"]).write_text("\n".join([*lines, ""]), "utf-8")

    def run(self, folder: Path, programs: Path = INSTALLED) -> None:
        """Run the commands, those of the package from a folder of `programs`; each must end with status 0."""
        commands = self.text
        for pair in filter(None, self.remarks.get("run with", "").split("; ")):
            printed, _, smaller = pair.partition(" as ")
            assert printed in commands, f"line {self.line}: {printed!r} is not in the block"
            commands = commands.replace(printed, smaller)
        path = os.pathsep.join(map(str, (programs, INSTALLED, os.environ["PATH"])))
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-x", "-c", commands],
            cwd=folder,
            env={**os.environ, "PATH": path, "BROWSER": "true"},  # a browser that shows nothing
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"line {self.line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def read_blocks(text: str) -> list[Block]:
    blocks, end = [], 0
    for match in BLOCK.finditer(text):
        *_, above = ("", *text[end : match.start()].rsplit("\n\n", 1))
        remarks = {kind: " ".join(value.split()) for kind, value in REMARK.findall(above)}
        blocks.append(Block(text.count("\n", 0, match.start()) + 1, match[1], match[2], remarks))
        end = match.end()
    return blocks


@pytest.fixture(scope="module")
def preloaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the command that is loaded once."""
    folder = tmp_path_factory.mktemp("preloaded")
    with preload(folder):
        yield folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_run_as_they_are_printed(page: Path, tmp_path: Path, preloaded: Path) -> None:
    programs = INSTALLED if page.name in NOT_PRELOADED else preloaded
    for block in read_blocks(page.read_text("utf-8")):
        if "file" in block.remarks:
            block.write(tmp_path)
        elif block.kind == "sh" and "not run" not in block.remarks:
            block.run(tmp_path, programs)


def test_a_preloaded_command_says_and_does_what_the_installed_one_does(tmp_path: Path, preloaded: Path) -> None:
    """The same status, streams, folder and environment; nothing is left of the call before."""
    (tmp_path / "mine.yaml").write_text("problem: queens\nparams: {n: 6}\n")
    calls = [
        ("count mine.yaml", "", {}),
        ("count mine.yaml n=5", "", {}),
        ("solve - --input dlx -q --format jsonl --no-header", "a b\na\nb\n", {}),
        ("solve queens n=3", "", {}),
        ("count quens", "", {}),
        ("solve queens n=4 --timeout 0", "", {"COLUMNS": "40"}),
        ("solve -h", "", {"COLUMNS": "40"}),
        ("solve queens n=4 -o none/queens.svg", "", {}),
    ]
    for words, typed, environment in calls:
        ends = []
        for programs in (INSTALLED, preloaded):
            done = subprocess.run(
                [programs / "exactcover", *words.split()], cwd=tmp_path, env={**os.environ, **environment},
                input=typed, capture_output=True, text=True, timeout=PATIENCE,
            )  # fmt: skip
            ends.append((done.returncode, done.stdout, done.stderr))
        assert ends[0] == ends[1]


def test_a_signal_that_ends_a_preloaded_command_ends_its_call(preloaded: Path) -> None:
    def find_status(programs: Path) -> int:
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "w") as closed:
            return subprocess.run([programs / "exactcover", "count", "queens", "n=4"], stdout=closed).returncode

    assert find_status(INSTALLED) == -signal.SIGPIPE
    assert find_status(preloaded) == 128 + signal.SIGPIPE


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_remark_belongs_to_a_block(page: Path) -> None:
    text = page.read_text("utf-8")
    blocks = read_blocks(text)
    assert sum(len(block.remarks) for block in blocks) == len(re.findall(r"<!-- (?!view: )", text))
    for block in blocks:
        assert block.kind in ("json", "python", "sh", "text", "toml", "yaml"), f"line {block.line}"
        assert all(block.remarks.values()), f"line {block.line}: a remark without a reason"
        assert block.kind == "sh" or not block.remarks.keys() - {"file"}, f"line {block.line}"


def test_a_command_that_fails_is_reported_with_its_line(tmp_path: Path) -> None:
    file = "Text\n\n<!-- file: a.txt -->\n```text\none\n```\n\n"
    shown, command = read_blocks(f"{file}<!-- run with: two as one -->\n```sh\ngrep two a.txt\n```\n")
    shown.write(tmp_path)
    command.run(tmp_path)
    (failing,) = read_blocks("\n```sh\nexactcover count quens n=4\ntrue\n```\n")
    with pytest.raises(AssertionError, match=r"(?s)line 2.*did you mean 'queens'\?"):
        failing.run(tmp_path)
