import gc
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from browsing import open_browser
from exactcover import Encoder
from exactcover.engines.base import ENGINES, Engine
from exactcover.runs import database, run
from small_runs import FINE
from tested_package import find_mistake

gc.disable()  # until all tests are collected: most of what is made until then lasts
sys.dont_write_bytecode = False  # or each command of a test would compile all modules again
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONSAFEPATH"] = "1"  # no command of a test may import the sources in the current folder

settings.register_profile(
    "default", max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=3000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--renew", action="store_true", help="write the expected files in tests/files instead of comparing"
    )


@pytest.fixture
def renew(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether expected files are written; such a test ends as skipped, because it has compared nothing."""
    wanted = bool(request.config.getoption("--renew"))
    yield wanted
    if wanted:
        pytest.skip("the files have been written")


@pytest.fixture
def few_digits() -> Iterator[int]:
    """The most digits of a number that Python converts to text; by default 4300, which only large problems exceed."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(sys.int_info.str_digits_check_threshold)
    yield sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(before)


@pytest.fixture
def cut_finely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let cubes of runs be divided as early as possible; do not wait for the disk."""
    monkeypatch.setattr(run, "DEFAULT_RUN_POLICY", FINE)
    monkeypatch.setattr(database, "SYNCHRONOUS", "OFF")


BROWSED = {
    "studio_page.py",
    "test_browser.py",
    "test_line_pages.py",
    "test_play.py",
    "test_playing_pages.py",
    "test_studio.py",
}
SITE = {"test_site.py", "test_try_it.py"}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files out whose tests all need a browser or the site, without these: what drives one is slow to load."""
    unwanted = BROWSED if config.option.markexpr == "not slow" else set()
    unwanted = unwanted if "EXACTCOVER_SITE" in os.environ else unwanted | SITE
    return True if collection_path.name in unwanted else None


def pytest_configure() -> None:
    mistake = find_mistake()
    if mistake is not None:
        raise pytest.UsageError(mistake)
    heed_signals()


def heed_signals() -> None:
    """Let the commands of tests end by signals, also where these are ignored: under nohup and in background jobs.

    A command leaves a signal that is ignored as it is, so a test that sends one would wait for ever.
    """
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)  # for this process the same; commands start with the default


INSTALLED = tuple(name for name, engine in ENGINES.items() if type(engine).cursor is not Engine.cursor)
KINDS = INSTALLED

if "native" in ENGINES:  # also the parts of it that this machine or a small problem would not use
    import exactcover._native as _native
    from exactcover.engines.native import NativeEngine

    KINDS = (*INSTALLED, "native trunk")
    for name, variant in {
        "native trunk": NativeEngine(most_dense_options=8),
        **{f"native {instructions}": NativeEngine(instructions=instructions)
           for instructions in _native.instruction_sets[1:]},
    }.items():  # fmt: skip
        variant.name = name
        ENGINES[name] = variant

EVERY = tuple(name for name, engine in ENGINES.items() if type(engine).cursor is not Engine.cursor)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests with every engine in turn, which must all find the same solutions.

    `engine` is each kind of engine, `tree_engine` each that searches a tree, which can be explored, estimated and
    divided, and whose shape depends on a heuristic; `threaded_engine` is each that can use several threads. Those that
    begin with `installed` are known in other processes too. `every_engine` is also each instruction set, which compute
    the same planes of bits. Other kinds of the native engine are tried only where trees are searched.
    """
    is_above = metafunc.definition.path.parent.name not in ("engines", "native", "analysis", "control", "runs")
    kinds = INSTALLED if is_above else KINDS
    for fixture, names in {
        "every_engine": EVERY,
        "engine": kinds,
        "tree_engine": [name for name in kinds if ENGINES[name].searches],
        "threaded_engine": [name for name in kinds if "jobs" in ENGINES[name].supports],
        "installed_engine": INSTALLED,
        "installed_tree_engine": [name for name in INSTALLED if ENGINES[name].searches],
    }.items():
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, names)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need a browser as slow, before those with a mark are left out; one process has the browser."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.xdist_group("browser"))


def pytest_collection_finish() -> None:
    """Collect garbage again, but look at nothing that was made while tests were collected."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser without a window; without chromedriver, the test is skipped, unless a browser is required."""
    driver = shutil.which("chromedriver")
    if driver is None and os.environ.get("EXACTCOVER_REQUIRE_BROWSER") != "1":
        pytest.skip("chromedriver is not installed")
    with open_browser(driver or "") as opened:
        yield opened


@pytest.fixture
def phone(browser: Any) -> Iterator[Any]:
    """Make the window that of a phone, when it is called."""

    def resize(width: int = 390, height: int = 844) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})

    yield resize
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.fixture
def play(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Start pages on which puzzles are played; at the end, nothing has gone wrong on any of them."""
    from playing import PlayedPage, start

    pages: list[PlayedPage] = []

    def begin(encoder: Encoder, *, is_alone: bool = False) -> PlayedPage:
        for page in pages[-1:]:
            page.check()
        pages.append(start(browser, tmp_path, encoder, is_alone=is_alone))
        return pages[-1]

    yield begin
    for page in pages[-1:]:
        page.check()
