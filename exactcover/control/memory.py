"""Memory: how much is free, and how much this process holds."""

from __future__ import annotations

__all__ = ["half_of_free_memory", "reserve_memory", "resident_memory"]


def reserve_memory(size: int) -> None:
    """Raise :class:`MemoryError` unless `size` bytes are free; call it before libraries that abort for lack of memory.

    Parameters
    ----------
    size
        In bytes.
    """
    bytearray(size)


def resident_memory() -> int:
    """Return how many bytes this process holds."""
    import psutil  # slow to import

    return int(psutil.Process().memory_info().rss)


def half_of_free_memory() -> int:
    """Return half of the free memory in bytes, which is what an engine may hold by default."""
    import psutil  # slow to import

    return int(psutil.virtual_memory().available // 2)
