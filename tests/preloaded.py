"""The command ``exactcover``, loaded once: each call is a process of its own, forked from one that has loaded it.

This saves most of the start of a command. The status, the output and the end of the process are the real ones; what
is loaded, and when, is not, so tests of the start use the installed command.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

_CLIENT = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect({address!r})
    socket.send_fds(connection, [b"streams"], [0, 1, 2])
    connection.sendall(json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode())
    connection.shutdown(socket.SHUT_WR)
    status = int(connection.recv(16))
sys.exit(status if status >= 0 else 128 - status)  # a signal, as shells number it
"""


@contextlib.contextmanager
def preload(folder: Path) -> Iterator[None]:
    """Put the command into a folder; it works within the block."""
    address = str(folder / "socket")
    command = folder / "exactcover"
    command.write_text(_CLIENT.format(python=sys.executable, address=address))
    command.chmod(0o755)
    with subprocess.Popen([sys.executable, __file__, address], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline() == "ready\n"
            yield
        finally:
            server.terminate()


def _serve(listener: socket.socket) -> None:
    """Fork two processes for each call: one returns and runs the command, the other tells the client its status."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # of processes that have told it, nobody needs to know more
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            break
        connection.close()
    listener.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, streams, _, _ = socket.recv_fds(connection, len(b"streams"), 3)
    with connection.makefile() as words:
        sys.argv, folder, environment = json.load(words)
    command = os.fork()
    if command:
        status = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
        connection.sendall(str(status).encode())
        os._exit(0)
    connection.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)


if __name__ == "__main__":
    from exactcover.cli import main  # before exactcover.cli.main is loaded, which takes its place

    for name in ("cli.main", "cli.solve", "cli.count", "config.configuration", "formats.solution_pictures", "analysis"):
        import_module(f"exactcover.{name}")
    import_module("networkx")
    with socket.socket(socket.AF_UNIX) as own:
        own.bind(sys.argv[1])
        own.listen()
        print("ready", flush=True)
        _serve(own)
    main()
