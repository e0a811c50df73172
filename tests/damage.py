"""What writers write, archives, damage of files, and how many rounds a hunt takes that starts processes."""

import io
import random
import zipfile
from collections.abc import Callable

from hypothesis import settings
from hypothesis import strategies as st

__all__ = ["ROUNDS", "THOROUGH", "chances", "damage", "pack", "unpack", "write_text"]

ROUNDS = settings().max_examples // 10
"""How often a hunt does what takes a second: 3 times by default, 300 times with the profile ``thorough``."""
THOROUGH = ROUNDS >= 100

chances = st.builds(random.Random, st.integers(0, 1 << 40))
"""Random numbers of which a failure shows the seed alone."""

TOKENS = [
    b"0", b"-1", b"1e999999999", b"9" * 30, b"9" * 5000, b"nan", b"inf", b"null", b"[]", b"{}", b"[[[[", b'"', b"'",
    b"|", b":", b"\x00", b"\x1b[2J", b"\xff\xfe", b"\\ud800", b"\n", b"\r", b"\t", b"/etc/passwd", b"../x", b"true",
    b"&a", b"*a", b"!x", b"any", b"1x1", b"0x0", b"999x999", b"0:9|a", b"9:1|a", b"#", b"=", b"\xe2\x80\xae",
]  # fmt: skip


def write_text(write: Callable[..., object], *what: object, **how: object) -> str:
    """Return the text that a writer writes."""
    out = io.StringIO()
    write(*what, out, **how)
    return out.getvalue()


def unpack(content: bytes) -> dict[str, bytes]:
    """Return the members of an archive, by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an archive with these members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def damage(content: bytes, chance: random.Random, other: bytes = b"") -> bytes:
    """Return the content after a few changes: bits, blocks, odd values, or a piece of another file."""
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 5, 20))):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((1, 1, 2, 8, 64, 1000, 4096)))
        match chance.randrange(10):
            case 0:
                del data[at:end]
            case 1:
                data[at:at] = data[at:end]
            case 2:
                data[at:end] = chance.randbytes(end - at)
            case 3:
                data[at:end] = chance.choice((b"\0", b"\xff")) * (end - at)
            case 4:
                data[at:at] = chance.choice(TOKENS)
            case 5:
                del data[at:]
            case 6:
                start = chance.randrange(len(other) + 1)
                data[at:at] = other[start : start + chance.choice((4, 40, 400))]
            case _ if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
    return bytes(data)
