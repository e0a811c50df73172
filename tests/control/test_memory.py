"""Memory that is reserved, and errors that come from a lack of it."""

import errno
import subprocess
import sys

import pytest

from commands import PATIENCE
from exactcover.control import memory
from exactcover.control.memory import is_lack_of_memory, memory_to_build, reserve_memory

pytest.importorskip("resource")


def test_memory_to_build_is_a_quarter_of_what_is_free_and_at_most_four_gibibytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bounds = []
    for free in (1 << 30, 8 << 30, 16 << 30, 1 << 40):
        monkeypatch.setattr(memory, "half_of_free_memory", lambda free=free: free // 2)
        bounds.append(memory_to_build())
    assert bounds == [1 << 28, 2 << 30, 4 << 30, 4 << 30]


def test_reserved_memory_is_not_touched() -> None:
    script = """
import resource
from exactcover.control.memory import reserve_memory
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
reserve_memory(before * 1024 + (1 << 30))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
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
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
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
