"""Memory: how much is free, and how much this process holds."""

from __future__ import annotations

import errno
import os
import sys

_LOADER_WORDS = ("failed to map segment", "cannot allocate memory")  # what the dynamic loader says in an ImportError
_LIBRARY_MEMORY_PER_PROCESSOR = 40 << 20  # bytes
_MOST_TO_BUILD = 1 << 32  # bytes; bundled families take far less
_MEMORY_PER_BLOCK = 128  # bytes; an object and what the system adds
_FREE_IF_UNKNOWN = 1 << 30  # bytes
_NEAR = 1 << 26  # bytes below the limit of the address space


def is_lack_of_memory(error: BaseException, *, loading: bool = False) -> bool:
    """Return whether an error comes from a lack of memory, which many libraries report by errors of other kinds.

    Its causes count, too. While a module is being loaded (`loading`), a lack of memory may cause an error of any
    kind: Python's compiler and ``dataclasses``, for example, raise a ``ValueError``.

    Examples
    --------
    >>> is_lack_of_memory(ImportError("_some.so: failed to map segment from shared object"))
    True
    >>> is_lack_of_memory(ImportError("No module named 'some'"))
    False
    """
    seen: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in seen:
        if _says_memory(cause):
            return True
        seen.append(cause)
        cause = cause.__cause__ or cause.__context__
    return loading and not isinstance(error, ModuleNotFoundError) and is_near_memory_limit()


def _says_memory(error: BaseException) -> bool:
    match error:
        case MemoryError():
            return True
        case OSError():
            return error.errno == errno.ENOMEM
        case ImportError():
            return any(words in str(error).lower() for words in _LOADER_WORDS)
        case SystemError() | SyntaxError():  # Python's own code, where it did not expect a failure
            return is_near_memory_limit()
    return False


def is_near_memory_limit() -> bool:
    """Return whether this process may have reached the limit of its address space."""
    try:
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit == resource.RLIM_INFINITY:
            return False
        with open("/proc/self/statm", "rb") as sizes:  # noqa: PTH123 - pathlib is slow to import
            return limit - int(sizes.read().split()[0]) * resource.getpagesize() < _NEAR
    except ImportError:
        return os.name == "posix"  # there the module exists, but memory does not suffice for it
    except (MemoryError, OSError):
        return True  # there is a limit, and nobody knows how near it is


def reserve_memory(size: int) -> None:
    """Raise :class:`MemoryError` unless `size` bytes are free; call it before what aborts for lack of memory."""
    bytes(size)  # unlike bytearray(size), it does not touch the memory


def reserve_for_library(name: str, size: int) -> None:
    """Raise :class:`MemoryError` unless a library can be loaded that needs so many bytes of address space.

    Those that it needs for each processor are added. Some libraries, and those that they load, end the process if
    memory runs out. They reserve much address space for each processor, most of which they never use.
    """
    size += (os.cpu_count() or 1) * _LIBRARY_MEMORY_PER_PROCESSOR
    try:
        reserve_memory(size)
    except MemoryError:
        needed = f"{name} needs {size >> 20} MB of address space beside what is in use already"
        raise MemoryError(needed) from None


def resident_memory(process: int | None = None) -> int:
    """Return how many bytes a process holds, by its number, or this one; 0 if it has ended.

    Where neither the system nor psutil tells, this is the most that this process has held so far; on systems without
    processes, such as a browser, an estimate from the objects of Python.
    """
    try:
        with open(f"/proc/{process or 'self'}/statm", "rb") as sizes:  # noqa: PTH123 - pathlib is slow to import
            return int(sizes.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (IndexError, OSError, ValueError):  # another system, or the process has ended
        pass
    try:
        import psutil
    except ImportError:
        return 0 if process else _most_resident_memory()
    try:
        return int(psutil.Process(process).memory_info().rss)
    except psutil.Error:
        return 0


def _most_resident_memory() -> int:
    try:
        import resource
    except ImportError:
        return sys.getallocatedblocks() * _MEMORY_PER_BLOCK
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def memory_to_build() -> int:
    """Return how many bytes building a problem may take by default: a quarter of the free memory, at most 4 GiB."""
    return min(half_of_free_memory() // 2, _MOST_TO_BUILD)


def half_of_free_memory() -> int:
    """Return half of the free memory in bytes, which is what an engine may hold by default.

    Where psutil is not installed, and Linux does not tell, 1 GiB is taken to be free.
    """
    try:
        import psutil  # slow to import

        return int(psutil.virtual_memory().available // 2)
    except ImportError:
        return _find_free_memory() // 2


def _find_free_memory() -> int:
    try:
        with open("/proc/meminfo", "rb") as lines:  # noqa: PTH123 - pathlib is slow to import
            sizes = dict(line.split(b":") for line in lines)
        return int(sizes[b"MemAvailable"].split()[0]) * 1024
    except (KeyError, OSError, ValueError):
        return _FREE_IF_UNKNOWN
