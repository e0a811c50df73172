"""Memory: how much is free, and how much this process holds."""

from __future__ import annotations

__all__ = ["half_of_free_memory", "reserve_memory", "resident_memory"]


def reserve_memory(size: int) -> None:
    """Raise :class:`MemoryError` unless this many bytes are free: for libraries that abort where they are not."""
    bytearray(size)


def resident_memory() -> int:
    """Return how many bytes this process holds."""
    import psutil  # slow to import

    return int(psutil.Process().memory_info().rss)


def half_of_free_memory() -> int:
    """Return half of the free memory, in bytes: what an engine may hold where no limit is given."""
    import psutil  # slow to import

    return int(psutil.virtual_memory().available // 2)
