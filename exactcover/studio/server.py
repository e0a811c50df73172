"""The server of the studio: it listens on the loopback interface only, and answers whoever knows the token.

The token stands in the fragment of the address, which browsers do not send; the page sends it as a header. A page of
another origin neither knows the token nor passes the checks of the headers Host, Origin and Sec-Fetch-Site.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import secrets
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from exactcover.engines.worker_process import LostProcessError
from exactcover.errors import CoverError, OutputError, ParameterError
from exactcover.files.json_text import load_json
from exactcover.files.read import read_bounded
from exactcover.files.write import replace_file
from exactcover.studio.answers import Reply
from exactcover.studio.question_worker import BusyError, Desk, Worker
from exactcover.viewer.page import hash_scripts, make_player, shared_style

_NAME = re.compile(r"[^\W_][\w .()-]{0,98}\.yaml")

_MAX_BYTES = 1 << 20
_MAX_THREADS = 64
_KINDS = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
_ROOMS = ("exactcover.studio", "exactcover.viewer")  # whose assets are served; the first one that has a file


class PuzzleFolder:
    """A folder of YAML files."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()

    def names(self) -> list[str]:
        """Return the names of the files, sorted."""
        found = (one for one in self.path.iterdir() if _NAME.fullmatch(one.name))
        return sorted(one.name for one in found if self._is_inside(one) and one.is_file())

    def read(self, name: str) -> str:
        """Return the text of a file.

        Raise ``ParameterError`` if there is no such file in the folder, or it cannot be read.
        """
        path = self._locate(name)
        if not path.is_file():
            raise ParameterError("name", f"there is no file {name}")
        try:
            return read_bounded(path, _MAX_BYTES).decode()
        except OSError as error:
            raise ParameterError("name", f"{name} cannot be read: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise ParameterError("name", f"{name} is not UTF-8 text") from None

    def write(self, name: str, text: str, *, known: str | None = None, replace: bool = False) -> None:
        """Write a file as a whole.

        `known` is the text that the writer has read or written before; a file with another text is not replaced, unless
        `replace` says so. Raise ``ParameterError`` if the name is not that of a YAML file in the folder, or there is
        such a file that must not be replaced, and ``OutputError`` if the file cannot be written.
        """
        path = self._locate(name)
        if path.exists() and not path.is_file():
            raise ParameterError("name", f"{name} is not a regular file")
        if path.exists() and not replace and (known is None or self.read(name) != known):
            what = "exists already" if known is None else "exists already, and was changed since it was read"
            raise ParameterError("name", f"{name} {what}")
        try:
            with replace_file(path) as out:
                buffered = io.BufferedWriter(out)
                buffered.write(text.encode())
                buffered.flush()
                buffered.detach()
        except OSError as error:
            raise OutputError(f"cannot write {name}: {error.strerror or error}") from None

    def _locate(self, name: str) -> Path:
        path = self.path / name
        if not _NAME.fullmatch(name) or not self._is_inside(path):
            raise ParameterError("name", f"{name!r} is not a valid name; expected a name like puzzle.yaml")
        return path

    def _is_inside(self, path: Path) -> bool:
        """Return whether a path leads to a file of the folder itself that is not hidden, after following links."""
        try:
            place = path.resolve()
            return place.parent == self.path and _NAME.fullmatch(place.name) is not None
        except (OSError, RuntimeError):  # the name is too long, or links form a circle
            return False


class Studio:
    """A server for one folder of puzzles; port 0 stands for any that is free.

    Raise ``OSError`` if the port cannot be used.
    """

    def __init__(self, folder: Path, port: int = 0) -> None:
        self._folder = PuzzleFolder(folder)
        self._token = secrets.token_urlsafe(24)
        self._socket = socket.socket()
        if os.name != "nt":  # where it would let two servers share a port
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", port))
        self._socket.listen()  # so that requests wait until the server is ready
        self.port = self._socket.getsockname()[1]
        self._desk: Desk | None = None

    @property
    def address(self) -> str:
        """The address of the page, with the token."""
        return f"http://127.0.0.1:{self.port}/#token={self._token}"

    def serve(self) -> None:
        """Answer until the process is interrupted."""
        if hasattr(signal, "SIGPIPE"):
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a reader that goes away must not end the server
        config = uvicorn.Config(
            self.make_app(), log_level="critical", access_log=False, timeout_graceful_shutdown=1, lifespan="on"
        )
        uvicorn.Server(config).run(sockets=[self._socket])

    def make_app(self) -> ASGIApp:
        """Return the application, with its guard."""
        routes = [
            Route("/", self._send_asset),
            Route("/assets/{name}", self._send_asset),
            Route("/api/ask", self._ask, methods=["POST"]),
            Route("/api/files", self._use_files, methods=["POST"]),
        ]
        app = Starlette(
            routes=routes, lifespan=self._live, exception_handlers={Exception: _report, HTTPException: _refuse}
        )
        hosts = {f"{name}:{self.port}" for name in ("127.0.0.1", "localhost")}
        return _RequestGuard(app, hosts, self._token)

    @asynccontextmanager
    async def _live(self, _: Starlette) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_MAX_THREADS))  # most of them wait
        self._desk = Desk(self._folder.path)
        try:
            yield
        finally:
            self._desk.close()

    async def _send_asset(self, request: Request) -> Response:
        name = request.path_params.get("name", "studio.html")
        if name == "shared.css":
            return Response(shared_style(), media_type="text/css")
        if name == "play.html":
            return Response(make_player(), media_type="text/html")
        assets = (asset for room in _ROOMS for asset in (files(room) / "assets").iterdir() if asset.name == name)
        asset, kind = next(assets, None), _KINDS.get(Path(name).suffix)
        if asset is None or kind is None:
            raise HTTPException(404, f"there is no {name}")
        return Response(asset.read_bytes(), media_type=kind)

    async def _ask(self, request: Request) -> Response:
        question = await _read_json(request)
        name = str(question.get("tab", ""))[:100]
        assert self._desk is not None
        return StreamingResponse(_stream(self._desk, name, question), media_type="application/x-ndjson")

    async def _use_files(self, request: Request) -> Response:
        """List, read or write the files of the folder."""
        wish = await _read_json(request)
        try:
            return JSONResponse(await asyncio.to_thread(self._fulfill, wish))
        except (CoverError, OSError, ValueError) as error:
            return JSONResponse({"error": str(error).encode(errors="replace").decode()})

    def _fulfill(self, wish: Mapping[str, Any]) -> Reply:
        name = str(wish.get("name", ""))
        if "text" in wish:
            known = None if wish.get("known") is None else str(wish["known"])
            self._folder.write(name, str(wish["text"]), known=known, replace=wish.get("replace") is True)
            return {"written": name}
        if name:
            return {"text": self._folder.read(name)}
        return {"names": self._folder.names(), "folder": str(self._folder.path)}


async def _stream(desk: Desk, name: str, question: Mapping[str, Any]) -> AsyncIterator[str]:
    """Yield one line of JSON per part; if the reader goes away, the question ends."""
    try:
        worker = await _take(desk, name)
    except (BusyError, LostProcessError) as error:
        yield json.dumps({"error": str(error)}) + "\n"
        return
    parts = worker.ask(question)
    finished = False
    try:
        while (part := await asyncio.to_thread(next, parts, None)) is not None:
            yield json.dumps(part) + "\n"
        finished = True
    finally:
        if not finished:
            worker.end()
        desk.release(worker)


async def _take(desk: Desk, name: str) -> Worker:
    """Wait for a worker; if the reader goes away, release the worker that a thread may still get."""
    taking = asyncio.ensure_future(asyncio.to_thread(desk.take, name))
    try:
        return await asyncio.shield(taking)
    except asyncio.CancelledError:
        taking.add_done_callback(lambda taken: None if taken.exception() else desk.release(taken.result()))
        raise


async def _read_json(request: Request) -> dict[str, Any]:
    content = bytearray()
    try:
        async for block in request.stream():
            content += block
            if len(content) > _MAX_BYTES:
                raise HTTPException(413, "the puzzle is too large")
        value = load_json(content)
    except (ValueError, RecursionError, ClientDisconnect):
        value = None
    if not isinstance(value, dict):
        raise HTTPException(400, "this is not a question")
    return value


async def _refuse(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, status_code=error.status_code)


async def _report(_: Request, error: Exception) -> Response:
    """Answer an error of ours; the server goes on."""
    print(f"internal error: {error!r}", file=sys.stderr)
    return JSONResponse({"error": f"internal error: {type(error).__name__}"}, status_code=500)


class _RequestGuard:
    """Refuses other origins and whoever does not know the token, and adds headers to every answer."""

    def __init__(self, app: ASGIApp, hosts: set[str], token: str) -> None:
        self._app, self._hosts, self._token = app, hosts, token
        policy = (
            f"default-src 'none'; script-src 'self' '{hash_scripts()}'; style-src 'self' 'unsafe-inline'; "
            "img-src data: blob:; connect-src 'self'; frame-src 'self' blob:; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
        )
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"cache-control", b"no-store"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *self._headers]}
            await send(message)

        fault = self._find_fault(Request(scope))
        app: ASGIApp = JSONResponse({"error": fault}, status_code=403) if fault else self._app
        await app(scope, receive, send_with_headers)

    def _find_fault(self, request: Request) -> str:
        """Return why a request is refused; empty if it is not."""
        headers = request.headers
        own = {f"http://{host}" for host in self._hosts}
        if headers.get("host") not in self._hosts or headers.get("origin", next(iter(own))) not in own:
            return "other origins are refused"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return "other sites are refused"
        sent = headers.get("authorization", "").removeprefix("Bearer ")
        if request.url.path.startswith("/api/") and not secrets.compare_digest(sent.encode(), self._token.encode()):
            return "the token is missing or old; open the address that exactcover studio prints"
        return ""
