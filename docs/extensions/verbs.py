"""The command line with all its verbs loaded, as sphinx-click needs it."""

from __future__ import annotations

import click

from exactcover.cli.main import cli as lazy


def _load(command: click.Command) -> click.Command:
    """Return a command whose verbs, and theirs, are loaded."""
    if not isinstance(command, click.Group):
        return command
    context = click.Context(command)
    found = {name: command.get_command(context, name) for name in command.list_commands(context)}
    loaded = {name: _load(verb) for name, verb in found.items() if verb is not None}
    return click.Group(
        command.name,
        loaded,
        params=command.params,
        help=command.help,
        subcommand_metavar=command.subcommand_metavar,
        context_settings=command.context_settings,
    )


cli = _load(lazy)
