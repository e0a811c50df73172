"""Completion in real shells: each reads the script that the documentation names, and completes what is typed."""

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import PATIENCE

ENVIRONMENT = {
    **os.environ,
    "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
    "TERM": "dumb",
}
BASH = """
eval "$(_EXACTCOVER_COMPLETE=bash_source exactcover)"
complete -p exactcover > /dev/null || exit 1
COMP_WORDS=({words}) COMP_CWORD={last}
_exactcover_completion exactcover
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
FISH = """
_EXACTCOVER_COMPLETE=fish_source exactcover | source
complete -C "{words}"
"""


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"needs {shell}")


def complete(shell: str, words: str) -> list[str]:
    script = {"bash": BASH, "fish": FISH}[shell].format(words=words, last=len(words.split()) - 1)
    done = subprocess.run([shell, "-c", script], env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.parametrize("shell", [pytest.param(shell, marks=needs(shell)) for shell in ("bash", "fish")])
@pytest.mark.parametrize(
    ("words", "found"), [("exactcover solve quee", "queens"), ("exactcover count polyomino bo", "board=")]
)
def test_a_shell_completes_what_is_typed(shell: str, words: str, found: str) -> None:
    assert found in complete(shell, words)


@needs("zsh")
def test_zsh_completes_what_is_typed(tmp_path: Path) -> None:
    """It completes only what is typed on a terminal."""
    terminal, inside = pty.openpty()
    env = {**ENVIRONMENT, "HOME": str(tmp_path), "PS1": "$ "}
    command = ["zsh", "-f", "-i"]
    shell = subprocess.Popen(command, env=env, stdin=inside, stdout=inside, stderr=inside, start_new_session=True)
    try:
        for typed, awaited in (
            ("autoload -U compinit; compinit -D -u; echo re''ady\n", "ready"),
            ("eval \"$(_EXACTCOVER_COMPLETE=zsh_source exactcover)\"; echo do''ne\n", "done"),
            ("exactcover solve quee\t", "queens"),
        ):
            os.write(terminal, typed.encode())
            shown, end = "", time.monotonic() + PATIENCE
            while awaited not in shown and time.monotonic() < end:
                if select.select([terminal], [], [], 1)[0]:
                    shown += os.read(terminal, 4096).decode(errors="replace")
            assert awaited in shown
    finally:
        shell.kill()
        shell.wait()
        os.close(terminal)
        os.close(inside)
