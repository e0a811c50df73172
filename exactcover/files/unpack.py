"""Unpacking of compressed data, which may come from a stranger, with bounded memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

__all__ = ["unpack", "unpack_blocks"]

_BLOCK = 1 << 20  # bytes unpacked at once
_ALWAYS = 1 << 26  # bytes that any data may unpack to
_MAX_RATIO = 32  # what larger data may unpack to, times their size; problems reach about 10


def unpack(data: bytes) -> bytes:
    """Return what was compressed by zlib.

    Raises
    ------
    ValueError
        If the data are damaged or incomplete, or would unpack to more than 64 MiB and more than 32 times their size.

    Examples
    --------
    >>> unpack(zlib.compress(b"a few words"))
    b'a few words'
    """
    most = max(_ALWAYS, _MAX_RATIO * len(data))
    content = bytearray()
    for block in unpack_blocks(data):
        content += block
        if len(content) > most:
            raise ValueError(f"{len(data):,} bytes would unpack to more than {most:,}, which is too large")
    return bytes(content)


def unpack_blocks(data: bytes, wbits: int = zlib.MAX_WBITS) -> Iterator[bytes]:
    """Yield what was compressed by zlib, at most 1 MiB at once; `wbits` states the form as for zlib.decompressobj.

    Raises
    ------
    ValueError
        If the data are damaged or incomplete.
    """
    stream = zlib.decompressobj(wbits)
    while not stream.eof:
        try:
            block = stream.decompress(data, _BLOCK)
        except zlib.error as error:
            raise ValueError(str(error)) from None
        data = stream.unconsumed_tail
        if not (block or data or stream.eof):
            raise ValueError("the compressed data are incomplete")
        yield block
    if stream.unused_data:
        raise ValueError("the compressed data are followed by others")
