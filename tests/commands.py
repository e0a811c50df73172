"""The command line, in this process or in one of its own, and waiting for events in it."""

import contextlib
import io
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exactcover import Status, Stop
from exactcover.cli.main import run as run_command_line

COMMAND = [sys.executable, "-m", "exactcover"]
PATIENCE = 120.0
"""Seconds to wait for an event before a test fails; no test makes a claim about time."""


def invoke(*args: str, input: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command to its end in this process, which saves the start of another Python."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(input.encode())))
        status = run_command_line(list(args))
    return subprocess.CompletedProcess(args, status, out.getvalue(), err.getvalue())


def assert_refused(words: str, *args: str, status: int = 2, input: str = "") -> None:
    """Assert that a command answers nothing, and says why in these words."""
    result = invoke(*args, input=input)
    assert (result.returncode, result.stdout) == (status, ""), result
    assert words in result.stderr and "Traceback" not in result.stderr


def run(*args: str, **how: object) -> subprocess.CompletedProcess[str]:
    """Run a command to its end in a process of its own."""
    return subprocess.run([*COMMAND, *args], capture_output=True, text=True, timeout=PATIENCE, **how)  # type: ignore[call-overload,no-any-return]


def run_script(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own, which can import what this one can."""
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    env = {**os.environ, "PYTHONPATH": path, **environment}
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, env=env)


def start(*args: str, **how: object) -> subprocess.Popen[str]:
    """Start a command in a process of its own."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **how}
    return subprocess.Popen([*COMMAND, *args], **pipes)  # type: ignore[call-overload,no-any-return]


def is_command(process: Any, words: str) -> bool:
    """Whether a process of psutil, which may have just ended, runs a command with these words."""
    import psutil

    with contextlib.suppress(psutil.Error):
        return words in " ".join(process.cmdline())
    return False


def has_ended(process: Any) -> bool:
    """Whether a process of psutil has ended; somebody may have to reap it yet."""
    import psutil

    try:
        return not process.is_running() or bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def wait_until(happened: Callable[[], bool], process: subprocess.Popen[str] | None = None) -> None:
    """Wait for an event; fail if the process ends before it."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert process is None or process.poll() is None, process.communicate()
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def everything_from(terminal: int) -> bytes:
    """Return everything that a process prints on a pseudo-terminal until it ends."""
    shown = b""
    while select.select([terminal], [], [], PATIENCE)[0]:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # nobody holds the other end any more
            break
        if not part:
            break
        shown += part
    os.close(terminal)
    return shown


def show(*args: str, columns: int = 100, **variables: str) -> str:
    """Return what a command that succeeds prints on a terminal."""
    leader, follower = pty.openpty()
    env = {**os.environ, "TERM": "dumb", "COLUMNS": str(columns), **variables}
    process = subprocess.Popen([*COMMAND, *args], stdout=follower, stderr=follower, env=env)
    os.close(follower)
    shown = everything_from(leader).decode()
    assert process.wait() == 0
    return shown


class StopWhen(Stop):
    """A timeout that is caused by an event, not by the clock, so the load of the machine does not matter."""

    def __init__(self, happened: Callable[[], bool]) -> None:
        super().__init__()
        self._happened = happened

    @property
    def status(self) -> Status | None:
        if self._requested is None and self._happened():
            self._requested = Status.TIMEOUT
        return self._requested


class StopAfter(StopWhen):
    """A timeout after a number of looks."""

    def __init__(self, looks: int) -> None:
        super().__init__(self._look)
        self.left = looks

    def _look(self) -> bool:
        self.left -= 1
        return self.left < 0


def write_plugin(folder: Path, name: str, body: str) -> str:
    """Write an encoder with this body; return what --plugin takes."""
    file = folder / f"{name.lower()}.py"
    lines = [
        "import sys, os, time",
        "from dataclasses import dataclass",
        "from pathlib import Path",
        "from exactcover import Encoder",
        "@dataclass(frozen=True)",
        f"class {name}(Encoder):",
        f"    '''{name}.'''",
        *(f"    {line}" for line in body.strip("\n").splitlines()),
    ]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return f"{file}:{name}"
