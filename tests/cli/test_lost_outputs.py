"""Standard output that is closed, full, or a pipe that nobody reads: no verb ends with 0 if nothing of it was written."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from commands import PATIENCE, invoke
from exactcover.cli.main import cli
from exactcover.cli.run import run_verbs

SERVE = """
import json, os, sys
from exactcover.cli import main  # before exactcover.cli.main is loaded, which takes its place
from importlib import import_module

from exactcover.cli.main import _VERBS

for place in (*_VERBS.values(), "exactcover.runs.run", "exactcover.studio.server", "exactcover.viewer.view"):
    import_module(place.partition(":")[0])  # once for all commands
for place in ("exactcover.config.configuration", "exactcover.formats.solution_pictures", "exactcover._native", "pyarrow.parquet"):
    import_module(place)
for args, kind in json.load(sys.stdin):
    messages = open("messages", "w+")
    child = os.fork()
    if child == 0:
        break
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    messages.seek(0)
    print(json.dumps([status, messages.read()]), flush=True)
else:
    sys.exit()
os.dup2(messages.fileno(), 2)
if kind == "closed":
    os.close(1)
    sys.stdout = None  # as Python itself does
elif kind == "full":
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
else:
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(writer, 1)
sys.argv = ["exactcover", *args]
main()
"""

PRINTING = [
    ["solve", "queens", "n=6"],
    ["solve", "queens", "n=6", "-q", "--format", "csv"],
    ["solve", "queens", "n=6", "--format", "svg"],
    ["solve", "queens", "n=6", "--format", "html"],
    ["solve", "queens", "n=6", "--format", "parquet"],
    ["count", "queens", "n=6"],
    ["sample", "queens", "n=6"],
    ["diagram", "queens", "n=6", "--format", "zdd"],
    ["view", "queens", "n=6"],
    ["studio", "--no-open", "--port", "0"],
    ["generate", "sudoku", "box=2x2"],
    ["estimate", "queens", "n=6"],
    ["batch", "sudoku", "puzzles.txt"],
    ["check", "queens", "n=6"],
    ["explain", "queens", "n=3"],
    ["hint", "queens", "n=5"],
    ["convert", "queens", "n=4", "--format", "dlx"],
    ["convert", "queens", "n=4", "--format", "mps"],
    ["verify", "queens", "solutions.jsonl", "n=6"],
    ["certify", "queens.cert"],
    ["problems"],
    ["problems", "queens"],
    ["new", "knights_{kind}"],
    ["run", "list"],
    ["run", "status", "some.run"],
    ["run", "export", "some.run"],
    ["run", "check", "some.run"],
    ["run", "start", "queens", "n=6", "--store", "{kind}.run"],
    ["run", "resume", "count.run"],
    ["help", "solve"],
    ["solve", "--help"],
    ["--version", "-v"],
    [],
    ["run"],
]
SILENT = [
    ["solve", "queens", "n=6", "-o", "out.txt"],
    ["convert", "queens", "n=6", "-o", "out.dlx"],
    ["run", "start", "queens", "n=6", "--store", "{kind}_2.run", "--create-only"],
]
UNABLE = [["run", "stop", "some.run"]]
STATUSES = {"closed": 74, "full": 74, "pipe": -signal.SIGPIPE}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what verbs read."""
    place = tmp_path_factory.mktemp("lost")
    (place / "puzzles.txt").write_text("1...\n..2.\n.3..\n...4\n".replace("\n", "") + "\n")
    for args in (
        ["solve", "queens", "n=6", "--all", "-o", "solutions.jsonl"],
        ["count", "queens", "n=6", "--certificate", "queens.cert"],
        ["run", "start", "queens", "n=6", "--all", "--store", "some.run", "--workers", "1"],
        ["run", "start", "queens", "n=6", "--store", "count.run", "--workers", "1"],
        ["run", "start", "queens", "n=6", "--store", "created.run", "--create-only"],
    ):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(place)
            assert invoke(*args).returncode == 0, args
    return place


def test_every_verb_is_tried() -> None:
    tried = [args for args in [*PRINTING, *SILENT, *UNABLE] if args]
    assert {args[0] for args in tried} - {"--version"} == {*cli.list_commands(click.Context(cli))}
    of_runs = {args[1] for args in tried if args[0] == "run" and args[1:]}
    assert of_runs == {*run_verbs.list_commands(click.Context(run_verbs))}


@pytest.mark.parametrize("kind", ["closed", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("full", "pipe"))])
def test_a_lost_output_is_never_an_answer(kind: str, folder: Path) -> None:
    commands = [[word.format(kind=kind) for word in args] for args in [*PRINTING, *SILENT, *UNABLE]]
    expected = [STATUSES[kind]] * len(PRINTING) + [0] * len(SILENT) + [2] * len(UNABLE)
    answers = subprocess.run(
        [sys.executable, "-c", SERVE],
        input=json.dumps([[args, kind] for args in commands]),
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=PATIENCE,
        check=True,
    ).stdout.splitlines()
    found = [json.loads(answer) for answer in answers]
    for args, status, (got, messages) in zip(commands, expected, found, strict=True):
        assert got == status, (args, messages)
        assert "Traceback" not in messages and "Exception" not in messages, (args, messages)
        errors = [line for line in messages.splitlines() if line.startswith("error: ")]
        assert len(errors) == (status > 0), (args, messages)
        assert status != 74 or "cannot write results: " in errors[0], (args, messages)
