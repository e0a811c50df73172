"""The page of a studio in a real browser."""

from typing import Any
from urllib.parse import urljoin

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import alert_is_present
from selenium.webdriver.support.select import Select

from browsing import Page

__all__ = ["StudioPage", "forget"]


def forget(browser: Any, address: str) -> None:
    """Clear what the studio keeps, from an address where no page of the studio runs and keeps its puzzle again."""
    browser.get(urljoin(address, "/nowhere"))
    browser.execute_script("sessionStorage.clear(); localStorage.clear()")


class StudioPage(Page):
    """The page of a studio."""

    def __init__(self, browser: Any, address: str) -> None:
        self.address = address
        forget(browser, address)
        self.open(browser, address)

    def choose(self, label: str, value: str) -> None:
        Select(self.find(f"select[aria-label='{label}']")[0]).select_by_value(value)

    def facts(self) -> dict[str, str]:
        """What is known of the puzzle, when everything is."""
        script = (
            "return Object.fromEntries([...document.querySelectorAll('#facts dd')].map((one) => "
            "[one.dataset.name, one.textContent]))"
        )

        def read() -> dict[str, str] | None:
            found: dict[str, str] = self.run(script)
            return found if "solutions" in found and "working" not in found else None

        return dict(self.wait(read))

    def cell(self, row: int, column: int, where: str = "#view-make") -> Any:
        return self.find(f"{where} .paint path[data-row='{row - 1}'][data-column='{column - 1}']")[0]

    def write(self, text: str) -> None:
        """Replace the puzzle by a text."""
        self.find("#tab-text")[0].click()
        area = self.find("#view-text textarea")[0]
        self.wait(lambda: "problem:" in area.get_property("value"))
        self.run("arguments[0].value = arguments[1]", area, text)
        self.button("Apply").click()

    def save(self, name: str = "") -> None:
        """Save the puzzle under a name, or under the one that is proposed."""
        self.button("Save").click()
        field = self.wait(lambda: self.find("dialog input"))[0]
        if name:
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(name)
        self.button("Save as this").click()

    def alert(self, words: str) -> Any:
        """The alert with these words, when it is shown."""
        shown = self.wait(lambda: alert_is_present()(self.browser))
        assert words in shown.text
        return shown

    def check(self) -> None:
        assert (log := self.browser.get_log("browser")) == [], log
