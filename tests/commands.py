"""The command line as a process, and what happens in it as events."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from exactcover import Status, Stop

COMMAND = [sys.executable, "-m", "exactcover"]
PATIENCE = 120.0
"""Seconds after which something that should happen is given up; nothing is asserted about time."""


def run(*args: str, **how: object) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run([*COMMAND, *args], capture_output=True, text=True, timeout=PATIENCE, **how)  # type: ignore[call-overload,no-any-return]


def start(*args: str, **how: object) -> subprocess.Popen[str]:
    """Start a command."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **how}
    return subprocess.Popen([*COMMAND, *args], **pipes)  # type: ignore[call-overload,no-any-return]


def wait_until(happened: Callable[[], bool], process: subprocess.Popen[str] | None = None) -> None:
    """Wait for an event; fail if the process ends before it."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert process is None or process.poll() is None, process.communicate()
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def everything_from(terminal: int) -> bytes:
    """What a process has printed on a pseudo-terminal until it ended."""
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


class StopWhen(Stop):
    """Says that time is up as soon as something has happened, however loaded the machine is."""

    def __init__(self, happened: Callable[[], bool]) -> None:
        super().__init__()
        self._happened = happened

    @property
    def status(self) -> Status | None:
        if self._requested is None and self._happened():
            self._requested = Status.TIMEOUT
        return self._requested


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
