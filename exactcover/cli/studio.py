"""``exactcover studio``: opens a local page on which puzzles are made and played."""

from __future__ import annotations

import threading
from pathlib import Path

import click

from exactcover.cli.flags import Verb
from exactcover.cli.messages import Exit, print_line, print_message
from exactcover.cli.target import complete_folder
from exactcover.control.stop import Stop

_USUAL_PORT = 8421


@click.command(cls=Verb)
@click.argument("folder", default=".", metavar="[FOLDER]", shell_complete=complete_folder)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help="Listen on this port; 0 for any that is free. By default 8421 if it is free, because the browser keeps "
    "unsaved work by port.",
)
@click.option("--open/--no-open", "show", default=True, show_default=True, help="Open the page in a browser.")
@click.pass_obj
def studio(stop: Stop | None, folder: str, port: int | None, show: bool) -> int:
    """Make and play puzzles on a local page.

    Paint a board, draw pieces, and see how many solutions there are while you work. Puzzles are kept as YAML files in
    FOLDER, by default the current one. Nobody else can open the page: the server listens on this machine only, and the
    address contains a secret. Ctrl-C ends it.

    \b
    exactcover studio
    exactcover studio puzzles --port 8000 --no-open
    """
    import webbrowser  # slow to import, as is the server

    place = Path(folder)
    if not place.is_dir():
        try:
            place.mkdir()
        except OSError as error:
            raise click.UsageError(f"{folder} is not a folder, and cannot be made: {error.strerror}") from None
    try:
        from exactcover.studio.server import Studio
    except ImportError as error:
        if error.name is None or error.name.startswith("exactcover"):
            raise
        message = f'{error}; install it from a clone of the toolkit with: python -m pip install ".[studio]"'
        raise click.UsageError(message) from None
    try:
        server = Studio(place, _USUAL_PORT if port is None else port)
    except OSError as error:
        if port is not None:
            raise click.UsageError(f"port {port} cannot be used: {error.strerror or error}") from None
        server = Studio(place)
    print_line(server.address)
    print_message("the studio is open at this address; Ctrl-C ends it")
    if show:
        threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()  # it may wait
    server.serve()
    return Exit.DELIVERED if stop is None or stop.status is None else Exit.INTERRUPTED
