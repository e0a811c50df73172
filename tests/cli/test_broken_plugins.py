"""Plugins that fail: a status of its own, and a line that names their file; never an answer, never a traceback."""

import re
from pathlib import Path

import pytest

from commands import assert_refused, invoke, run, write_plugin
from exactcover.encoders import encoder
from exactcover.encoders.discovery import find_encoders

OPTIONS = "def options(self):\n    yield 'A', ['a']\n    yield 'B', ['a']\n"


@pytest.mark.parametrize(("body", "words"), [
    ("def options(self):\n    yield 'A', ['a']\n    raise OSError('gone')\n", "OSError: gone"),
    ("def options(self):\n    yield 'A', ['a']\n    raise KeyError('x')\n", "KeyError: 'x'"),
    ("def options(self):\n    sys.exit(0)\n    yield 'A', ['a']\n", "sys.exit(0) was called"),
    (OPTIONS + "def draw(self, solution):\n    return 1 // 0\n", "ZeroDivisionError"),
    (OPTIONS + "def givens(self):\n    raise RuntimeError('no')\n", "RuntimeError: no"),
    (OPTIONS + "def costs(self):\n    raise AssertionError\n", "AssertionError"),
    ("def options(self):\n    import click\n    raise click.exceptions.Exit(1)\n    yield 'A', ['a']\n",
     "sys.exit(1) was called"),
    ("def options(self):\n    class Odd(Exception):\n        def __str__(self):\n            raise RuntimeError\n"
     "    raise Odd\n    yield 'A', ['a']\n", "its message cannot be shown"),
])  # fmt: skip
def test_a_plugin_that_fails_is_named_with_file_and_line(tmp_path: Path, body: str, words: str) -> None:
    plugin = write_plugin(tmp_path, "Broken", body)
    result = invoke("--plugin", plugin, "solve", "broken")
    assert (result.returncode, result.stdout) == (70, "")
    assert re.search(rf"^error: encoder Broken\.\w+\(\), {re.escape(str(tmp_path))}/broken.py, line ", result.stderr)
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert "Traceback" in invoke("--plugin", plugin, "solve", "broken", "-v").stderr


@pytest.mark.parametrize(("body", "words"), [
    ("def options(self):\n    return 3\n", ": options() returned 3; expected a list or another iterable of"),
    ("def options(self):\n    return 'abc'\n", ": options() returned 'abc'; expected a list or another iterable"),
    ("def options(self):\n    yield 5\n", ".options(): expected an option as (label, items), got 5"),
    ("def options(self):\n    yield 'a', 3\n", ".options(): option 'a': its items are 3; expected a list"),
    ("def options(self):\n    yield 'a', [['x']]\n", ".options(): option 'a': the item ['x'] is not hashable"),
    ("def options(self):\n    yield ['a'], ['x']\n", ".options(): the label ['a'] is not hashable"),
    (OPTIONS + "def secondary(self):\n    return [['x']]\n", ".secondary(): the item ['x'] is not hashable"),
    (OPTIONS + "def secondary(self):\n    return 'ab'\n", ": secondary() returned 'ab'; expected a list"),
    (OPTIONS + "def primary(self):\n    return ['a', 'a']\n", ".primary(): item 'a' is named twice"),
    (OPTIONS + "def primary(self):\n    return 3\n", ": primary() returned 3; expected a list or another"),
    (OPTIONS + "def multiplicity(self):\n    return [1]\n", ": multiplicity() returned [1]; expected a mapping"),
    (OPTIONS + "def multiplicity(self):\n    return {'a': 'b'}\n", ".multiplicity(): item 'a' has the multip"),
    (OPTIONS + "def multiplicity(self):\n    return {'b': 2}\n", ".multiplicity(): multiplicity names 'b'"),
    (OPTIONS + "def costs(self):\n    return {'A': 'x'}\n", ".costs(): option 'A' has the cost 'x'; expected"),
    (OPTIONS + "def costs(self):\n    return None\n", ": costs() returned None; expected a mapping from"),
    (OPTIONS + "def rules(self):\n    return [5]\n", ".rules(): rule 1: expected a Loop, Paths, Connected or"),
    (OPTIONS + "def givens(self):\n    return None\n", ": givens() returned None; expected a list or"),
    (OPTIONS + "def givens(self):\n    return ['C']\n", ".givens(): no option is labeled 'C'"),
    (OPTIONS + "def preferred(self):\n    return ['C']\n", ".preferred(): preferred names 'C', which is not"),
    (OPTIONS + "def preferred(self):\n    return [['C']]\n", ".preferred(): preferred names ['C'], which is not"),
    (OPTIONS + "def impossible(self):\n    return True\n", ": impossible() returned True; expected a text"),
    (OPTIONS + "def draw(self, solution):\n    return 'x'\n", ": draw() returned 'x'; expected a Picture of"),
    (OPTIONS + "def __post_init__(self):\n    from exactcover import ParameterError\n    raise ParameterError('n', 'no')\n", "n: no"),
])  # fmt: skip
def test_mistakes_of_a_plugin_name_it_and_its_method(tmp_path: Path, body: str, words: str) -> None:
    captured = invoke("--plugin", write_plugin(tmp_path, "Lst", body), "solve", "lst")
    assert (captured.returncode, captured.stdout) == (2, "")
    assert captured.stderr.startswith(("error: Lst" + words, "error: command line: " + words))
    assert captured.stderr.count("\n") == 1


@pytest.mark.parametrize(("body", "args", "words"), [
    ("def symmetries(self):\n    return 3\n", ["count", "lst", "--distinct"], ": symmetries() returned 3; expect"),
    ("def symmetries(self):\n    yield 3\n", ["count", "lst", "--distinct"], ".symmetries(): got 3; expected a map"),
    ("def symmetries(self):\n    yield {'a': 'b'}\n", ["count", "lst", "--distinct"], ".symmetries(): a symmetry"),
    ("def parse(self, text):\n    return text\n", ["batch", "lst"], ": parse() returned 'one'; expected an enc"),
    ("def unparse(self, solution):\n    return 3\ndef parse(self, text):\n    return self\n", ["batch", "lst"],
     ": unparse() returned 3; expected text"),
    ("def frame(self):\n    return []\ndef parse(self, text):\n    return self\n", ["batch", "lst"],
     ": frame() returned []; expected a value that is hashable"),
    ("def instances(self, lines):\n    return 3\ndef parse(self, text):\n    return self\n", ["batch", "lst"],
     ": instances() returned 3; expected a list"),
    ("def blocks(self, label):\n    yield 3\n", ["solve", "lst", "--format", "stl"], ": blocks() returned [3]"),
])  # fmt: skip
def test_mistakes_of_methods_that_some_verbs_call(tmp_path: Path, body: str, args: list[str], words: str) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("one\n")
    files = [str(lines)] if args[0] == "batch" else []
    plugin = write_plugin(tmp_path, "Lst", OPTIONS + body)
    assert_refused(f"error: Lst{words}", "--plugin", plugin, *args, *files)


def test_what_has_no_end_is_stopped_by_its_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "memory_to_build", lambda: 1 << 20)
    endless = "import itertools\n    return "
    for method, result in (
        ("options", "((k, [k]) for k in itertools.count())"),
        ("options", "[('A', itertools.count())]"),
        ("primary", "itertools.count()"),
        ("secondary", "itertools.count()"),
    ):
        body = f"{OPTIONS}def {method}(self):\n    {endless}{result}\n"
        plugin = write_plugin(tmp_path, "Endless", body)
        captured = invoke("--plugin", plugin, "count", "endless")
        assert (captured.returncode, captured.stdout) == (3, "")
        assert captured.stderr == f"stopped: out of memory while Endless.{method}() was read; nothing found yet\n"


def test_a_plugin_is_known_until_its_command_ends(tmp_path: Path) -> None:
    assert invoke("--plugin", write_plugin(tmp_path, "Brief", OPTIONS), "count", "brief").stdout == "2\n"
    assert "brief" not in find_encoders()
    assert invoke("count", "brief").returncode == 2


def test_a_parameter_may_have_the_name_of_a_shortcut(tmp_path: Path) -> None:
    body = "count: int\ndef options(self):\n    for k in range(self.count):\n        yield k, ['a']\n"
    plugin = write_plugin(tmp_path, "Counted", body)
    assert invoke("--plugin", plugin, "count", "counted", "count=3").stdout == "3\n"
    assert_refused("missing parameter 'count'", "--plugin", plugin, "count", "counted")
    plugin = write_plugin(tmp_path, "Drawn", "draw: int = 1\n" + OPTIONS)
    assert_refused("a parameter cannot be called 'draw'", "--plugin", plugin, "count", "drawn")


@pytest.mark.parametrize(("line", "status", "words"), [
    ("sys.exit(1)", 70, "early.py, line 2: sys.exit(1) was called (-v shows the traceback)"),
    ("raise OSError('gone')", 2, "early.py cannot be read: gone"),
    ("1 / 0", 2, "early.py, line 2: ZeroDivisionError: division by zero"),
    ("def (:", 2, "'--plugin': FOLDER/early.py, line 2: SyntaxError: invalid syntax"),  # with one place
])  # fmt: skip
def test_a_plugin_that_fails_while_it_loads_is_wrong_usage_unless_it_ends_the_process(
    tmp_path: Path, line: str, status: int, words: str
) -> None:
    (tmp_path / "early.py").write_text(f"import sys\n{line}\n")
    result = invoke("--plugin", f"{tmp_path}/early.py:Early", "problems")
    assert (result.returncode, result.stdout) == (status, "")
    assert result.stderr.endswith(words.replace("FOLDER", str(tmp_path)) + "\n")
    assert "Traceback" not in result.stderr


THREADS = """def options(self):
    import threading

    def fail():
        raise RuntimeError("can't start new thread")

    failing, endless = (threading.Thread(target=target) for target in (fail, threading.Event().wait))
    for thread in (failing, endless):
        thread.start()
    failing.join()
    yield 'A', ['a']
"""


def test_threads_that_fail_are_a_line_and_endless_ones_do_not_keep_the_command_from_ending(tmp_path: Path) -> None:
    result = run("--plugin", write_plugin(tmp_path, "Plugged", THREADS), "count", "plugged")
    assert (result.returncode, result.stdout) == (0, "1\n")
    assert "a thread has ended: RuntimeError: can't start new thread" in result.stderr
    assert "Traceback" not in result.stderr
