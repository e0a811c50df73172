"""Pages in a real browser."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from commands import PATIENCE


def start_studio(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Start a studio; return its process and its address."""
    command = [sys.executable, "-m", "exactcover", "studio", str(folder), "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


@contextmanager
def open_browser(driver: str, size: str = "1280,900") -> Iterator[Any]:
    """Open a browser without a window, by this path of chromedriver."""
    from selenium import webdriver  # slow to load, and only few tests have a browser

    options = webdriver.ChromeOptions()
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={size}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.set_capability("unhandledPromptBehavior", "ignore")
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield browser
    finally:
        browser.quit()


class Page:
    """A page that is open in the browser."""

    def __init__(self, browser: Any, path: Path, content: str, fragment: str = "") -> None:
        path.write_text(content, "utf-8")
        self.open(browser, f"{path.as_uri()}{fragment}")

    def open(self, browser: Any, address: str) -> None:
        self.browser = browser
        browser.get("about:blank")
        browser.get_log("browser"), browser.get_log("performance")
        browser.get(address)
        self.wait(lambda: self.run("return document.documentElement.dataset.ready"))

    def wait(self, condition: Callable[[], Any], seconds: float = PATIENCE) -> Any:
        from selenium.webdriver.support.wait import WebDriverWait  # slow to load, and only few tests have a browser

        return WebDriverWait(self.browser, seconds, poll_frequency=0.05).until(lambda _: condition())

    def run(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def find(self, selector: str) -> list[Any]:
        return list(self.browser.find_elements("css selector", selector))

    def button(self, name: str) -> Any:
        """The visible button with this text or name, when there is one."""
        script = (
            "return [...document.querySelectorAll('button')].find((one) => one.checkVisibility() && "
            "[one.textContent.trim(), one.getAttribute('aria-label')].includes(arguments[0]))"
        )
        return self.wait(lambda: self.run(script, name))

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector))

    def press(self, option: str, *, shift: bool = False) -> None:
        """Click a placement in the large picture."""
        piece = self.find(f"#large [data-option='{option}']")[0]
        click = "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey: arguments[1]}))"
        self.run(click, piece, shift)

    def keys(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains  # slow to load

        ActionChains(self.browser).send_keys(*keys).perform()

    def press_with_control(self, key: str) -> None:
        self.browser.switch_to.active_element.send_keys("\ue009", key)  # as WebDriver numbers the control key

    def count(self) -> int:
        """The number of solutions that the page states."""
        return int(self.text("#count").split()[0].replace(",", ""))

    def check(self) -> None:
        """Nothing went wrong, and nothing was requested but the page itself."""
        assert (log := self.browser.get_log("browser")) == [], log
        requests = [
            entry for entry in self.browser.get_log("performance") if "Network.requestWillBeSent" in entry["message"]
        ]
        assert all('"file:///' in entry["message"] or '"data:' in entry["message"] for entry in requests)

    def assert_accessible(self) -> None:
        """No problem of any weight, on a light and on a dark page."""
        from axe_core_python.selenium import Axe  # slow to load

        for theme in ("light", "dark"):
            wanted = {"prefers-color-scheme": theme, "prefers-reduced-motion": "reduce"}  # no colors between two others
            features = [{"name": name, "value": value} for name, value in wanted.items()]
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            found = Axe().run(self.browser)["violations"]
            assert not found, [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def open_scripts(browser: Any, folder: Path, names: Iterable[str], exposed: str) -> Page:
    """Open a page with some scripts of the viewer alone, and with some of their names in its window."""
    assets = files("exactcover.viewer") / "assets"
    text = "".join((assets / f"{name}.js").read_text(encoding="utf-8") for name in names)
    script = re.sub(r"^import .*?;\n|^export ", "", text, flags=re.MULTILINE)
    content = f"<!DOCTYPE html><script type='module'>{script}\nObject.assign(window, {{{exposed}}});"
    return Page(browser, folder / "page.html", f"{content}document.documentElement.dataset.ready = '1';</script>")
