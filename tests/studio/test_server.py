"""The server of the studio: whom it answers, what it reads and writes, and what cannot stop it."""

import contextlib
import http.client
import json
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from browsing import start_studio
from commands import PATIENCE, assert_refused, has_ended, run, wait_until

SMALL = "problem: queens\nparams:\n  n: 6\n"
LONG = "problem: queens\nparams:\n  n: 40\n"


class Studio:
    def __init__(self, folder: Path) -> None:
        self.process, self.address = start_studio(folder)
        self.port = int(self.address.split(":")[2].split("/")[0])
        self.token = self.address.partition("#token=")[2]

    def request(
        self, method: str, path: str, body: bytes | None = None, token: str | None = None, **headers: str
    ) -> tuple[int, bytes, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        sent = {"Authorization": f"Bearer {self.token if token is None else token}"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            return response.status, response.read(), dict(response.getheaders())
        finally:
            connection.close()

    def post(self, path: str, content: Any, **headers: str) -> list[Any]:
        status, body, _ = self.request("POST", path, json.dumps(content).encode(), **headers)
        assert status == 200, body
        return [json.loads(line) for line in body.splitlines()]

    def ask(self, question: str, tab: str = "one", **details: Any) -> dict[str, Any]:
        together: dict[str, Any] = {}
        for part in self.post("/api/ask", {"question": question, "tab": tab, **details}):
            together |= part
        return together

    def files(self, **wish: Any) -> dict[str, Any]:
        (answer,) = self.post("/api/files", wish)
        return dict(answer)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    outer = tmp_path_factory.mktemp("outer")
    (outer / "secret.yaml").write_text("problem: queens\n")
    (outer / "secret.txt").write_text("secret\n")
    (outer / "inner").mkdir()
    return outer / "inner"


@pytest.fixture(scope="module")
def studio(folder: Path) -> Iterator[Studio]:
    running = Studio(folder)
    yield running
    running.process.send_signal(signal.SIGINT)
    _, messages = running.process.communicate(timeout=PATIENCE)
    assert "Traceback" not in messages
    assert running.process.returncode == 130


def test_questions_are_answered(studio: Studio) -> None:
    assert studio.ask("look", yaml=SMALL)["count"] == "4"
    assert studio.ask("look", yaml="problem: qeens\n")["mistakes"]


def test_pages_and_scripts_are_sent_with_a_policy(studio: Studio) -> None:
    for path, kind in (("/", "html"), ("/assets/studio.js", "javascript"), ("/assets/data.js", "javascript")):
        status, body, headers = studio.request("GET", path, token="")
        assert status == 200 and body
        assert headers["content-type"].startswith(f"text/{kind}")
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert studio.token.encode() not in body


@pytest.mark.parametrize("headers", [
    {"token": ""}, {"token": "x"}, {"Host": "evil.example"}, {"Host": "evil.example:80"},
    {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"},
    {"Sec_Fetch_Site": "same-site"},
])  # fmt: skip
def test_strangers_are_refused(studio: Studio, headers: dict[str, str]) -> None:
    question = json.dumps({"question": "families"}).encode()
    status, body, _ = studio.request("POST", "/api/ask", question, **headers)
    assert status == 403 and "error" in json.loads(body)


def test_only_this_machine_is_listened_to(studio: Studio) -> None:
    connections = psutil.Process(studio.process.pid).net_connections("tcp")
    assert {one.laddr.ip for one in connections if one.status == "LISTEN"} == {"127.0.0.1"}


OUTSIDE = ["../secret.yaml", "/etc/passwd", "..", "", ".hidden.yaml", "a/b.yaml", "x.txt", "x.yaml\0", "~.yaml"]


@pytest.mark.parametrize("name", [*OUTSIDE, "link.yaml", "in.yaml"])
def test_nothing_outside_the_folder_is_read_or_written(studio: Studio, folder: Path, name: str) -> None:
    hidden = folder / ".hidden.yaml"
    for link, place in (("link.yaml", folder.parent / "secret.yaml"), ("in.yaml", hidden)):
        if not (folder / link).is_symlink():
            place.touch()
            (folder / link).symlink_to(place)
    before = {path: path.read_bytes() for path in [hidden, *folder.parent.glob("secret*")]}
    assert "error" in studio.files(name=name, text="problem: queens\n", replace=True)
    if name:
        assert "error" in studio.files(name=name)
    assert not {"link.yaml", "in.yaml"} & {*studio.files()["names"]}
    assert before == {path: path.read_bytes() for path in before}
    assert sorted(path.name for path in folder.parent.iterdir()) == ["inner", "secret.txt", "secret.yaml"]


def test_parameters_cannot_name_files_outside(studio: Studio, folder: Path) -> None:
    for file in ("../secret.txt", str(folder.parent / "secret.txt"), "/etc/passwd"):
        answer = studio.ask("look", yaml=f"problem: crossword\nparams:\n  words: {file}\n  grid: '..'\n")
        assert "secret" not in str(answer).replace("secret.txt", "")
        assert "mistakes" in answer


def test_files_are_written_whole_and_not_replaced_without_a_word(studio: Studio, folder: Path) -> None:
    assert studio.files(name="mine.yaml", text=SMALL) == {"written": "mine.yaml"}
    assert "exists already" in studio.files(name="mine.yaml", text="")["error"]
    assert studio.files(name="mine.yaml", text=LONG, replace=True) == {"written": "mine.yaml"}
    assert studio.files(name="mine.yaml") == {"text": LONG}
    assert "mine.yaml" in studio.files()["names"]
    assert not list(folder.glob("*.exactcover-part"))


def test_a_changed_file_is_not_replaced(studio: Studio, folder: Path) -> None:
    assert studio.files(name="theirs.yaml", text=SMALL) == {"written": "theirs.yaml"}
    assert studio.files(name="theirs.yaml", text=LONG, known=SMALL) == {"written": "theirs.yaml"}
    (folder / "theirs.yaml").write_text("problem: queens\n")
    assert "was changed" in studio.files(name="theirs.yaml", text=SMALL, known=LONG)["error"]
    assert (folder / "theirs.yaml").read_text() == "problem: queens\n"


def test_strange_files_do_not_stop_the_server(studio: Studio, folder: Path) -> None:
    os.mkfifo(folder / "pipe.yaml")
    (folder / "loop.yaml").symlink_to(folder / "loop.yaml")
    for _ in range(4):
        for name in ("pipe.yaml", "loop.yaml", "日" * 90 + ".yaml", "\ud800.yaml"):
            assert "error" in studio.files(name=name)
            assert "error" in studio.files(name=name, text=SMALL, known=SMALL)
            assert "error" in studio.files(name=name, text=SMALL, replace=True)
    assert not {"pipe.yaml", "loop.yaml"} & {*studio.files()["names"]}
    assert "error" in studio.files(name="surrogate.yaml", text="\ud800")


def test_readers_that_go_away_do_not_stop_the_server(studio: Studio) -> None:
    head = f"POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nAuthorization: Bearer {studio.token}\r\n"
    body = json.dumps({"question": "look", "tab": "away", "yaml": LONG})
    studio.ask("look", yaml=SMALL)  # the first worker and what watches it have begun
    before = count_resources(studio)
    for k in range(60):
        with socket.create_connection(("127.0.0.1", studio.port)) as connection:
            if k % 3:
                connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
                connection.recv(k)
            else:
                connection.sendall(b"POST /api/ask HTTP/1.1\r\nHost: evil\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
                connection.recv(300)
    assert studio.ask("look", yaml=SMALL)["count"] == "4" and studio.process.poll() is None
    wait_until(lambda: count_resources(studio) <= before)


def count_resources(studio: Studio) -> int:
    """Return the number of descriptors and processes of the studio beside those of idle workers, of which some wait."""
    process, idle = psutil.Process(studio.process.pid), workers(studio)
    return process.num_fds() + len(process.children()) - 4 * len(idle)


def test_bad_requests_do_not_stop_the_server(studio: Studio) -> None:
    deep = b"[" * 100_000
    for body in (b"", b"[]", b"\xff\xfe", deep, b'{"question": ' + deep, b"1", b'"x"'):
        assert studio.request("POST", "/api/ask", body)[0] == 400
        assert studio.request("POST", "/api/files", body)[0] == 400
    assert studio.request("POST", "/api/ask", b" " * (1 << 21))[0] == 413
    assert studio.request("GET", "/api/ask")[0] == 405
    assert studio.request("GET", "/assets/..%2fserver.py")[0] == 404
    assert studio.request("GET", "/assets/studio.py")[0] == 404
    assert studio.ask("look", yaml=SMALL)["count"] == "4"


@contextlib.contextmanager
def begin(studio: Studio, tab: str) -> Iterator[http.client.HTTPResponse]:
    """Ask a question that takes long, and wait for the first part of the answer."""
    question = json.dumps({"question": "look", "tab": tab, "yaml": LONG})
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", studio.port, timeout=PATIENCE)) as connection:
        connection.request("POST", "/api/ask", question, {"Authorization": f"Bearer {studio.token}"})
        response = connection.getresponse()
        assert "yaml" in json.loads(response.readline())
        yield response


def test_the_next_question_ends_the_one_before(studio: Studio) -> None:
    with begin(studio, "busy") as response:
        assert studio.ask("look", tab="busy", yaml=SMALL)["count"] == "4"
        assert "canceled" in json.loads(response.read().splitlines()[-1])["error"]


def test_two_tabs_do_not_disturb_each_other(studio: Studio) -> None:
    with begin(studio, "first") as response:
        for _ in range(3):
            assert studio.ask("look", tab="second", yaml=SMALL)["count"] == "4"
        assert "error" not in json.loads(response.readline())


def test_a_worker_that_is_killed_is_replaced(studio: Studio) -> None:
    assert studio.ask("look", tab="second", yaml=SMALL)["count"] == "4"  # so that there is a worker
    killed = workers(studio)
    assert killed
    for worker in killed:
        worker.kill()
    wait_until(lambda: all(map(has_ended, killed)))
    known = {"error": "has ended"}
    for _ in range(1 + len(killed)):  # other threads of a worker may outlive its first one
        known = studio.ask("look", tab="second", yaml=SMALL) if "has ended" in known.get("error", "") else known
    assert known.get("count") == "4", known


def workers(studio: Studio) -> list[Any]:
    """The processes that answer questions."""
    children = [one for one in psutil.Process(studio.process.pid).children() if not has_ended(one)]
    return [one for one in children if any("call_worker" in part for part in one.cmdline())]


@pytest.mark.parametrize(("args", "message"), [
    (["nowhere/deep"], "nowhere/deep is not a folder, and cannot be made"),
    (["--port", "70000"], "expected a number from 0 to 65,535, got 70000"),
    (["--prot", "1"], "did you mean '--port'"),
])  # fmt: skip
def test_bad_arguments(args: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(message, "studio", "--no-open", *args)


def test_a_port_in_use_is_an_error(studio: Studio, tmp_path: Path) -> None:
    ended = run("studio", str(tmp_path), "--no-open", "--port", str(studio.port))
    assert ended.returncode == 2 and "cannot be used" in ended.stderr
