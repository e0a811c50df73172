"""Memory that is reserved, and errors that come from a lack of it."""

import errno
import subprocess
import sys

import psutil
import pytest

from commands import run_script
from exactcover.control import memory
from exactcover.control.memory import is_lack_of_memory, memory_to_build, reserve_memory, resident_memory

pytest.importorskip("resource")


def test_memory_to_build_is_a_quarter_of_what_is_free_and_at_most_4_gib(monkeypatch: pytest.MonkeyPatch) -> None:
    for free, bound in ((1 << 30, 1 << 28), (8 << 30, 2 << 30), (16 << 30, 4 << 30), (1 << 40, 4 << 30)):
        monkeypatch.setattr(memory, "half_of_free_memory", lambda free=free: free // 2)
        assert memory_to_build() == bound


def test_reserved_memory_is_not_touched() -> None:
    script = """
import resource
from exactcover.control.memory import reserve_memory
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
reserve_memory(before * 1024 + (1 << 30))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = run_script(script)
    assert done.stderr == ""
    assert int(done.stdout) < 1 << 16  # KiB


def test_memory_that_cannot_be_reserved() -> None:
    script = """
import resource
from exactcover.control.memory import reserve_memory
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
reserve_memory(1 << 28)
reserve_memory(1 << 30)
"""
    done = run_script(script)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("MemoryError")
    reserve_memory(0)


@pytest.mark.parametrize(
    ("error", "lacks"),
    [
        (MemoryError(), True),
        (OSError(errno.ENOMEM, "no memory"), True),
        (OSError(errno.ENOSPC, "no space"), False),
        (ImportError("_some.so: cannot allocate memory"), True),
        (ImportError("No module named 'some'"), False),
        (SystemError("error return without exception set"), False),  # no limit of the address space is near
        (ValueError("memory"), False),
    ],
    ids=repr,
)
def test_errors_that_come_from_a_lack_of_memory(error: Exception, lacks: bool) -> None:
    assert is_lack_of_memory(error) is lacks


def test_the_cause_of_an_error_is_asked_too() -> None:
    caused, circular = ValueError("bad"), ValueError("round")
    caused.__cause__ = MemoryError()
    circular.__cause__ = KeyError("and round")
    circular.__cause__.__cause__ = circular
    assert is_lack_of_memory(caused)
    assert not is_lack_of_memory(circular)


def test_the_memory_of_a_process_is_what_psutil_says() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert child.stdin is not None
        for process in (None, child.pid):
            assert abs(psutil.Process(process).memory_info().rss - resident_memory(process)) < 8 << 20
        child.stdin.close()
        child.wait()
        assert resident_memory(child.pid) == 0


def test_limits_of_memory_hold_without_psutil() -> None:
    """Nor does a system need to be one that tells the memory of a process in a file."""
    script = """
import builtins, sys
for name in ("psutil", "resource"):
    sys.modules[name] = None
plain = builtins.open
def open(name, *args, **kwargs):
    if str(name).startswith("/proc"):
        raise FileNotFoundError(name)
    return plain(name, *args, **kwargs)
builtins.open = open
from dataclasses import dataclass
from exactcover import Encoder, Stop, StoppedError
from exactcover.control.memory import half_of_free_memory
@dataclass(frozen=True)
class Endless(Encoder):
    def options(self):
        number = 0
        while True:
            number += 1
            yield number, [number]
try:
    Endless().problem(Stop(memory=1 << 20))
except StoppedError as error:
    print(error.status.value, half_of_free_memory())
"""
    done = run_script(script)
    assert (done.stderr, done.stdout) == ("", f"memory {1 << 29}\n")
