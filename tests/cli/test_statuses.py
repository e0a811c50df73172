"""Status 1 is a proof and nothing else: whatever goes wrong has a status of its own and a line that says what."""

import json
import re
import resource
import sys
from pathlib import Path

import pytest

from commands import invoke, run, write_plugin
from exactcover.cli.main import run as run_here
from exactcover.encoders import parts
from exactcover.encoders.finding import find_encoders
from exactcover.engines.registry import ENGINES
from exactcover.pictures.text import digits

OPTIONS = "def options(self):\n    yield 'A', ['a']\n    yield 'B', ['a']\n"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("def options(self):\n    yield 'A', ['a']\n    raise OSError('gone')\n", "OSError: gone"),
        ("def options(self):\n    yield 'A', ['a']\n    raise KeyError('x')\n", "KeyError: 'x'"),
        ("def options(self):\n    sys.exit(0)\n    yield 'A', ['a']\n", "sys.exit(0) was called"),
        (OPTIONS + "def draw(self, solution):\n    return 1 // 0\n", "ZeroDivisionError"),
        (OPTIONS + "def givens(self):\n    raise RuntimeError('no')\n", "RuntimeError: no"),
        (OPTIONS + "def costs(self):\n    raise AssertionError\n", "AssertionError"),
    ],
)
def test_a_plugin_that_fails_is_named_with_file_and_line(tmp_path: Path, body: str, words: str) -> None:
    plugin = write_plugin(tmp_path, "Broken", body)
    result = invoke("--plugin", plugin, "solve", "broken")
    assert (result.returncode, result.stdout) == (70, "")
    assert re.search(rf"^error: encoder Broken\.\w+\(\), {re.escape(str(tmp_path))}/broken.py, line ", result.stderr)
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert "Traceback" in invoke("--plugin", plugin, "solve", "broken", "-v").stderr


@pytest.mark.parametrize(
    ("body", "words"),
    [
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
        (OPTIONS + "def costs(self):\n    return {'A': 0.5}\n", ".costs(): option 'A' has the cost 0.5; expected"),
        (OPTIONS + "def costs(self):\n    return None\n", ": costs() returned None; expected a mapping from"),
        (OPTIONS + "def givens(self):\n    return None\n", ": givens() returned None; expected a list or"),
        (OPTIONS + "def givens(self):\n    return ['C']\n", ".givens(): no option is labeled 'C'"),
        (OPTIONS + "def preferred(self):\n    return ['C']\n", ".preferred(): preferred names 'C', which is not"),
        (OPTIONS + "def preferred(self):\n    return [['C']]\n", ".preferred(): preferred names ['C'], which is not"),
        (OPTIONS + "def impossible(self):\n    return True\n", ": impossible() returned True; expected a text"),
        (OPTIONS + "def draw(self, solution):\n    return 'x'\n", ": draw() returned 'x'; expected a Picture of"),
        (
            OPTIONS + "def __post_init__(self):\n    from exactcover import ParameterError\n"
            "    raise ParameterError('n', 'no')\n",
            "n: no",
        ),
    ],
)
def test_mistakes_of_a_plugin_name_it_and_its_method(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], body: str, words: str
) -> None:
    assert run_here(["--plugin", write_plugin(tmp_path, "Lst", body), "solve", "lst"]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(("error: Lst" + words, "error: command line: " + words))
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("body", "args", "words"),
    [
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
    ],
)  # fmt: skip
def test_mistakes_of_methods_that_some_verbs_call(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], body: str, args: list[str], words: str
) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("one\n")
    files = [str(lines)] if args[0] == "batch" else []
    plugin = write_plugin(tmp_path, "Lst", OPTIONS + body)
    assert run_here(["--plugin", plugin, *args, *files]) == 2
    assert f"error: Lst{words}" in capfd.readouterr().err


def test_what_has_no_end_is_stopped_by_its_memory(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "memory_to_build", lambda: 1 << 20)
    endless = "import itertools\n    return "
    for method, result in (
        ("options", "((k, [k]) for k in itertools.count())"),
        ("options", "[('A', itertools.count())]"),
        ("primary", "itertools.count()"),
        ("secondary", "itertools.count()"),
    ):
        body = f"{OPTIONS}def {method}(self):\n    {endless}{result}\n"
        plugin = write_plugin(tmp_path, "Endless", body)
        assert run_here(["--plugin", plugin, "count", "endless"]) == 3
        captured = capfd.readouterr()
        assert captured.out == ""
        assert captured.err == f"stopped: out of memory while Endless.{method}() was read; nothing found yet\n"


def test_a_plugin_is_known_until_its_command_ends(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_here(["--plugin", write_plugin(tmp_path, "Brief", OPTIONS), "count", "brief"]) == 0
    assert capfd.readouterr().out == "2\n"
    assert "brief" not in find_encoders()
    assert run_here(["count", "brief"]) == 2


def test_a_plugin_with_a_syntax_error_has_one_place(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("x = 1\ndef (:\n")
    result = invoke("--plugin", f"{tmp_path}/bad.py:Bad", "problems")
    assert result.returncode == 2
    assert result.stderr.endswith(f"'--plugin': {tmp_path}/bad.py, line 2: SyntaxError: invalid syntax\n")


def test_a_plugin_that_ends_as_click_does(tmp_path: Path) -> None:
    body = "def options(self):\n    import click\n    raise click.exceptions.Exit(1)\n    yield 'A', ['a']\n"
    result = invoke("--plugin", write_plugin(tmp_path, "Clicks", body), "solve", "clicks")
    assert result.returncode == 70
    assert "sys.exit(1) was called" in result.stderr


def test_an_error_whose_text_fails_too(tmp_path: Path) -> None:
    body = """
def options(self):
    class Odd(Exception):
        def __str__(self):
            raise RuntimeError
    raise Odd
    yield 'A', ['a']
"""
    result = invoke("--plugin", write_plugin(tmp_path, "Odd", body), "solve", "odd")
    assert result.returncode == 70
    assert "its message cannot be shown" in result.stderr


def test_a_parameter_may_have_the_name_of_a_shortcut(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    body = "count: int\ndef options(self):\n    for k in range(self.count):\n        yield k, ['a']\n"
    plugin = write_plugin(tmp_path, "Counted", body)
    assert run_here(["--plugin", plugin, "count", "counted", "count=3"]) == 0
    assert capfd.readouterr().out == "3\n"
    assert run_here(["--plugin", plugin, "count", "counted"]) == 2
    assert "missing parameter 'count'" in capfd.readouterr().err
    plugin = write_plugin(tmp_path, "Drawn", "draw: int = 1\n" + OPTIONS)
    assert run_here(["--plugin", plugin, "count", "drawn"]) == 2
    assert "a parameter cannot be called 'draw'" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("line", "status", "words"),
    [
        ("sys.exit(1)", 70, "early.py, line 2: sys.exit(1) was called (-v shows the traceback)"),
        ("raise OSError('gone')", 2, "early.py cannot be read: gone"),
        ("1 / 0", 2, "early.py, line 2: ZeroDivisionError: division by zero"),
    ],
)
def test_a_plugin_that_fails_while_it_loads_is_wrong_usage_unless_it_ends_the_process(
    tmp_path: Path, line: str, status: int, words: str
) -> None:
    (tmp_path / "early.py").write_text(f"import sys\n{line}\n")
    result = invoke("--plugin", f"{tmp_path}/early.py:Early", "problems")
    assert (result.returncode, result.stdout) == (status, "")
    assert result.stderr.endswith(f"{words}\n")
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("os._exit(1)", "os._exit(1) was called"),
        ("os.execlp('false', 'false')", "was called"),
        ("__import__('posix')._exit(1)", "os._exit(1) was called"),
        ("exec('try: os._exit(1)\\nexcept Exception: pass')", "os._exit(1) was called"),
    ],
)
@pytest.mark.parametrize("place", ["module", "options"])
def test_a_plugin_that_ends_the_process_past_all_handlers_is_an_error(
    tmp_path: Path, place: str, call: str, words: str
) -> None:
    body = f"{call}\n{OPTIONS}" if place == "module" else f"def options(self):\n    {call}\n    yield 'A', ['a']\n"
    result = run("--plugin", write_plugin(tmp_path, "Ends", body), "solve", "ends")
    assert (result.returncode, result.stdout) == (70, "")
    where = "Ends" if place == "module" else "Ends.options"
    file = "<string>" if "exec(" in call else f"{tmp_path}/ends.py"
    assert result.stderr.startswith(f"error: {file}, line "), result.stderr
    assert f", in {'<module>' if 'exec(' in call else where}: os." in result.stderr
    assert result.stderr.endswith(f"{words}\n")


def test_a_thread_of_a_plugin_that_ends_the_process_is_an_error(tmp_path: Path) -> None:
    body = """
def options(self):
    from threading import Thread
    Thread(target=os._exit, args=(1,)).start()
    while True:
        time.sleep(60)
    yield 'A', ['a']
"""
    result = run("--plugin", write_plugin(tmp_path, "Threads", body), "solve", "threads")
    assert (result.returncode, result.stdout) == (70, "")
    assert result.stderr.endswith("in Thread.run: os._exit(1) was called\n")


@pytest.mark.parametrize(("end", "status"), [("os._exit(1)", 0), ("os.execlp('false', 'false')", 0)])
def test_a_plugin_cannot_change_the_status_at_the_exit(tmp_path: Path, end: str, status: int) -> None:
    body = f"def options(self):\n    import atexit\n    atexit.register(lambda: {end})\n    yield 'A', ['a']\n"
    result = run("--plugin", write_plugin(tmp_path, "Late", body), "count", "late")
    assert (result.returncode, result.stdout, result.stderr) == (status, "1\n", "")


def test_processes_that_a_plugin_starts_may_end_as_they_like(tmp_path: Path) -> None:
    body = """
def options(self):
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context
    for way in ('fork', 'spawn', 'forkserver'):
        process = get_context(way).Process(target=os._exit, args=(7,))
        process.start()
        process.join()
        yield (way, process.exitcode), ['a']
    pid = os.fork() or os.execlp('false', 'false')
    yield ('exec', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])), ['a']
    with ProcessPoolExecutor(1) as workers:
        yield ('pool', workers.submit(abs, -3).result()), ['a']
"""
    result = run("--plugin", write_plugin(tmp_path, "Starts", body), "solve", "starts", "--all")
    assert result.returncode == 0, result.stderr
    expected = ("fork", 7), ("spawn", 7), ("forkserver", 7), ("exec", 1), ("pool", 3)
    assert result.stdout.splitlines() == [f"('{name}', {number})" for name, number in expected]


@pytest.mark.parametrize(
    ("args", "status"),
    [
        (["solve", "queens", "n=8", "--restarts", "--jobs", "2"], 2),
        (["solve", "queens", f"n={10**30}", "--timeout", "60"], 2),
        (["solve", "costas", f"n={10**30}", "--timeout", "60"], 2),
        (["count", "queens", "n=150", "--strategy", "memo", "--timeout", "60"], 2),
        (["solve", "queens", "n=4", "--cheapest", "9" * 23], 2),
        (["generate", "queens", "n=4", "-n", "9" * 23], 2),
        (["sample", "queens", "n=4", "-n", "9" * 23], 2),
        (["count", "queens", "n=4", "--memory", "9" * 400], 2),
        (["count", "queens", "n=4", "--memory", "99999999999T"], 0),
        (["count", "queens", "n=4", "--timeout", "1e10"], 0),
        (["count", "queens", "n=4", "--timeout", "1e308"], 0),
        (["solve", "queens", "n=4", "--jobs", "99999999999"], 2),
        (["solve", "queens", "n=4", "--seed", "9" * 400], 0),
        (["solve", "queens", "n=4", "--limit", "9" * 23], 2),
        (["estimate", "queens", "n=4", "--probes", "9" * 23], 2),
    ],
)
def test_numbers_beyond_measure(args: list[str], status: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_here(args) == status
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("verb", ["solve", "count", "check", "convert", "explain", "generate", "estimate", "sample",
                                  "diagram"])  # fmt: skip
def test_no_time_at_all_is_a_stop(verb: str, capfd: pytest.CaptureFixture[str]) -> None:
    extra = ["--format", "dlx"] if verb == "convert" else []
    assert run_here([verb, "queens", "n=8", *extra, "--timeout", "0"]) == 3
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "stopped by the timeout" in captured.err


def test_a_stopped_count_says_once_that_nothing_was_found(capfd: pytest.CaptureFixture[str]) -> None:
    for flags in ([], ["--distinct"]):
        assert run_here(["count", "queens", "n=30", "--nodes", "1", "--engine", "sets", *flags]) == 3
        captured = capfd.readouterr()
        assert (captured.out, captured.err.count("found yet")) == ("", 1), captured
        assert captured.err.startswith("no solution found yet (stopped by the limit on nodes), "), captured
        assert run_here(["count", "queens", "n=30", "--nodes", "1", "--engine", "sets", *flags, "-q"]) == 3
        assert capfd.readouterr().err == "stopped by the limit on nodes; nothing found yet\n"


def test_no_time_at_all_in_a_file_is_a_stop(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "now.yaml"
    file.write_text("problem: queens\nsearch: {timeout: 0}\n")
    assert run_here(["solve", str(file)]) == 3
    assert run_here(["count", str(file)]) == 3
    assert run_here(["count", str(file), "--timeout", "60"]) == 0
    assert capfd.readouterr().out == "92\n"


def test_a_record_whose_status_is_a_list(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.jsonl"
    assert run_here(["solve", "queens", "n=4", "-o", str(file)]) == 0
    lines = file.read_text().splitlines()
    closing = json.loads(lines[-1]) | {"status": ["complete"]}
    file.write_text("\n".join([*lines[:-1], json.dumps(closing)]))
    assert run_here(["verify", "queens", "n=4", str(file)]) == 4
    assert "the closing record has an invalid status" in capfd.readouterr().err


@pytest.mark.parametrize("often", ["[1]", '["a", 2]', '"2"', "[1, 2, 3]", "{}", "null", "true", "1.5"])
def test_json_multiplicities_that_are_not_pairs(often: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.json"
    file.write_text('{"multiplicity": {"a": ' + often + '}, "options": [{"items": ["a"]}]}')
    assert run_here(["count", str(file)]) == 2
    assert "multiplicity of 'a'" in capfd.readouterr().err


def test_labels_that_utf_8_cannot_hold(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.json"
    file.write_text('{"options": [{"label": "\\ud800", "items": ["a\\udfff"]}]}')
    for name in ("out.txt", "out.jsonl", "out.json", "out.csv"):
        assert run_here(["solve", str(file), "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text("utf-8")
    assert run_here(["solve", str(file)]) == 0
    for name in ("out.dlx", "out.csv"):
        assert run_here(["convert", str(file), "-o", str(tmp_path / name)]) == 2
    assert "Traceback" not in capfd.readouterr().err


def test_counts_of_any_size(tmp_path: Path, capfd: pytest.CaptureFixture[str], few_digits: int) -> None:
    pairs = 4 * few_digits
    options = [{"label": f"{side}{item}", "items": [f"i{item}"]} for item in range(pairs) for side in "ab"]
    file = tmp_path / "pairs.json"
    file.write_text(json.dumps({"options": options}))
    assert run_here(["count", str(file), "-v", "--format", "json"]) == 0
    captured = capfd.readouterr()
    assert f'"solutions": {_decimal(2**pairs)}' in captured.out
    assert f"{_decimal(2**pairs):.4}" in captured.err.replace(",", "")
    assert digits(2**pairs) == _decimal(2**pairs)


def _decimal(number: int) -> str:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return str(number)
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("megabytes", [150, 300])
@pytest.mark.parametrize(
    "args",
    [
        ["count", "polyomino", "board=16x16", "pieces=dominoes", "copies=any", "--engine", "sets", "--timeout", "1"],
        ["solve", "queens", "n=200", "--timeout", "1"],
        ["count", "queens", "n=12", "--jobs", "2", "--timeout", "1"],
        ["solve", "queens", "n=6", "--engine", "cpsat"],
        ["solve", "queens", "n=6", "-o", "solutions.parquet"],
    ],
)
def test_little_address_space_is_a_stop_and_never_an_abort(args: list[str], megabytes: int, tmp_path: Path) -> None:
    library = {"cpsat": "OR-Tools", "solutions.parquet": "pyarrow"}.get(args[-1])
    if library is not None:
        pytest.importorskip("ortools" if library == "OR-Tools" else library)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    result = run(*args, preexec_fn=limit, cwd=tmp_path)
    assert result.returncode in (0, 3), (result.returncode, result.stderr)
    assert "Traceback" not in result.stderr
    if library is not None:
        assert re.search(f"{library} needs [0-9]+ MB of address space", result.stderr)


TARGETS = [
    ["count", "queens", "n=6"],
    ["solve", "queens", "n=6"],
    ["check", "queens", "n=6"],
    ["explain", "queens", "n=6"],
    ["solve", "hexiamonds_6x6.yaml"],
    ["solve", "queens", "n=6", "--engine", "cpsat"],
]


@pytest.mark.parametrize("megabytes", range(22, 68, 3))
def test_too_little_memory_to_start_is_not_called_a_broken_installation(megabytes: int) -> None:
    """With less, Python itself may end before a line of this package has run; its status is not in our hands."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    for args in (TARGETS[0], TARGETS[1 + megabytes % (len(TARGETS) - 1)]):
        result = run(*args, preexec_fn=limit)
        assert result.returncode in ((0, 3) if "cpsat" not in args or "cpsat" in ENGINES else (2, 3)), (args, result)
        if result.returncode == 3:
            assert "stopped: out of memory" in result.stderr, (args, result)
            lines = result.stderr.count("\n") - result.stderr.count("OR-Tools needs ")
            assert lines <= 1 or "code for hash" in result.stderr, (args, result)  # hashlib logs what it lacks


def test_a_memory_limit_holds_for_building_and_searching() -> None:
    args = ("count", "polyomino", "board=400x400", "pieces=dominoes", "copies=any", "--memory", "20M")
    result = run(*args)  # another process, because the memory that tests have freed would count as free here
    assert (result.returncode, result.stdout) == (3, "")
    assert "stopped: out of memory" in result.stderr


def test_parameters_beyond_all_bounds_are_refused_in_plain_words(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_here(["count", "queens", f"n={10**21}"]) == 2
    assert capfd.readouterr().err == "error: Queens.options(): the problem with these parameters is too large\n"


THREAD = """def options(self):
    import threading

    def fail():
        raise RuntimeError("can't start new thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    yield 'A', ['a']
"""

STUCK = """def options(self):
    import threading
    threading.Thread(target=threading.Event().wait).start()
    yield 'A', ['a']
"""


def test_a_thread_that_fails_is_a_line_and_no_traceback(tmp_path: Path) -> None:
    result = run("--plugin", write_plugin(tmp_path, "Plugged", THREAD), "count", "plugged")
    assert (result.returncode, result.stdout) == (0, "1\n")
    assert "a thread has ended: RuntimeError: can't start new thread" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_thread_that_never_ends_does_not_keep_the_command_from_ending(tmp_path: Path) -> None:
    result = run("--plugin", write_plugin(tmp_path, "Plugged", STUCK), "count", "plugged")
    assert (result.returncode, result.stdout) == (0, "1\n")
