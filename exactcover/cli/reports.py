"""Reports of verbs, as lines of text or as one JSON object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from exactcover.cli.output import open_output
from exactcover.files.json_text import dump_json
from exactcover.formats.texts import can_encode

__all__ = ["write_report"]


def write_report(
    lines: Iterable[str],
    facts: Mapping[str, Any],
    *,
    output_format: str,
    output: str | None,
    inputs: Iterable[Path] = (),
) -> None:
    """Write either the lines, or the facts as a JSON object; see ``add_report_flags``."""
    with open_output(output, inputs=inputs) as out:
        if output_format == "json":
            out.write(dump_json(facts, ascii_only=not can_encode(out, "\U0010ffff")) + "\n")
        else:
            out.writelines(f"{line}\n" for line in lines)
        out.flush()
