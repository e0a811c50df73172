"""Memory: what there is, and what this process holds."""

from __future__ import annotations

__all__ = ["reserve_memory"]


def reserve_memory(size: int) -> None:
    """Raise :class:`MemoryError` unless so many bytes are to be had: for libraries that abort where they are not."""
    bytearray(size)
