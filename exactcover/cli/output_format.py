"""The format of an output, and the flags and encoders that do not go with it."""

from __future__ import annotations

import sys

import click

from exactcover.cli.output import is_standard_output
from exactcover.config.configuration import Configuration
from exactcover.encoders.encoder import defines
from exactcover.formats.registry import Format, Formats, by_suffix, suffix_of

__all__ = ["check_encoder", "check_flag", "check_terminal", "choose_format"]

_LACKS = {
    "draw": "has no pictures",
    "parse": "cannot be written as lines",
    "paint": "has no board and pieces",
    "tabulate": "has no tables",
}


def choose_format(formats: Formats, stated: str | None, output: str | None, default: str | None = None) -> Format:
    """Return the format that ``--format`` states, or that belongs to the suffix of ``-o``, or else the default.

    Raises
    ------
    click.UsageError
        If no format has the suffix, or there is neither a suffix nor a default.
    """
    if stated is not None:
        return formats[stated]
    known = by_suffix(formats)
    suffix = suffix_of(output or "")
    if suffix in known:
        return known[suffix]
    if suffix:
        raise click.UsageError(
            f"no format has the suffix {suffix}; use {', '.join(known)}, or choose one with --format"
        )
    if default is None:
        raise click.UsageError(f"choose a format with -o FILE or --format; the formats are {', '.join(formats)}")
    return formats[default]


def check_flag(formats: Formats, chosen: Format, setting: str, flag: str, given: object) -> None:
    """Refuse a flag that is given although its setting does not apply to the chosen format."""
    if given and setting not in chosen.takes:
        *others, last = (name for name, one in formats.items() if setting in one.takes)
        able = f"formats {', '.join(others)} and {last}" if others else f"format {last}"
        raise click.UsageError(f"{flag} applies only to the {able}")


def check_encoder(chosen: Format, configuration: Configuration) -> None:
    """Refuse a format that the encoder of a configuration does not support."""
    if chosen.needs and not any(defines(configuration.encoder, method) for method in chosen.needs):
        lack = _LACKS[chosen.needs[-1]]
        raise click.UsageError(f"problem {configuration.problem!r} {lack}; choose another --format")


def check_terminal(chosen: Format, output: str | None) -> None:
    """Refuse to write bytes to a terminal."""
    if chosen.binary and is_standard_output(output) and sys.stdout.isatty():
        raise click.UsageError("give the name of the output file with -o")
