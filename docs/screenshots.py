"""Take the pictures of pages in the documentation: ``python docs/screenshots.py [NAME ...]``.

Names are solutions, solid, search, lesson and studio. The script needs Chromium and Pillow.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

DESKTOP, PHONE = (1280, 900), (390, 844)
HEIGHT = 450  # of each part of a picture


def main() -> None:
    """Take the pictures that the arguments name, or all."""
    wanted_names = sys.argv[1:] or ["solutions", "solid", "search", "lesson", "studio"]
    from selenium import webdriver

    from exactcover import ViewOptions, view
    from problems import Options, Polycube, Polyomino, Queens

    options = webdriver.ChromeOptions()
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver") or ""))
    heuristics = ViewOptions(heuristics=("mrv", "leftmost"))
    pages = {
        "solutions": (Polyomino(), None, ""),
        "solid": (Polycube(), None, PULL_APART),
        "search": (Queens(n=8), heuristics, press("step", 9)),
        "lesson": (Options(TABLE, items=(1, 2, 3, 4)), None, press("step", 3)),
    }
    titles = {
        "solutions": "Pentominoes on 6 by 10",
        "solid": "The Soma cube",
        "search": "Eight queens",
        "lesson": "Seven options over four items",
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, (encoder, wanted, action) in pages.items():
            if name not in wanted_names:
                continue
            path = Path(folder) / f"{name}.html"
            path.write_text(view(encoder.problem(), encoder, title=titles[name], options=wanted), "utf-8")
            view_name, picture = ("search", name) if name == "lesson" else (name, f"view_{name}")
            take(browser, f"{path.as_uri()}#view={view_name}", picture, action)
        if "studio" in wanted_names:
            take_studio(browser, folder)
    browser.quit()


def take_studio(browser: Any, folder: str) -> None:
    """Take the pictures of the studio."""
    command = [sys.executable, "-m", "exactcover", "studio", folder, "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as studio:
        assert studio.stdout is not None
        address = studio.stdout.readline().strip()
        take(browser, address, "studio_make", "", wait="document.querySelector('[data-name=\"up to symmetry\"]')")
        play = "document.getElementById('tab-play').click()"
        take(browser, address, "studio_play", play, wait=PLAYED)
        studio.terminate()


def press(name: str, times: int) -> str:
    """Return a script that presses a button."""
    return f"""
  const buttons = [...document.querySelectorAll("button")];
  const button = buttons.find((one) => one.textContent.trim().toLowerCase() === "{name}");
  for (let k = 0; k < {times}; ++k) button.click();
"""


TABLE = {"a": (4,), "b": (1, 4), "c": (1, 2), "d": (1, 3), "e": (2, 3, 4), "f": (3,), "g": (2, 4)}
PULL_APART = """
  const slider = document.querySelector("input[aria-label='Pull apart']");
  slider.value = 0.45;
  slider.dispatchEvent(new Event("input"));
"""
PLAYED = """(() => {
  const read = (name) => document.getElementById(name)?.textContent ?? "";
  const buttons = [...document.querySelectorAll("button")];
  const press = (name) => buttons.find((one) => one.textContent.trim().toLowerCase() === name)?.click();
  const placed = document.querySelectorAll(".tray button:disabled").length;
  if (placed < 5) press(read("hint") ? "more" : "hint"), press("place it");
  else if (!read("hint")) press("hint");
  else if (read("hint").includes("1 of 3")) press("more"), press("more");
  return read("hint").includes("3 of 3") && placed === 5;
})()"""
"""Places five pieces by hints, then asks for another one."""


def take(browser: Any, address: str, name: str, action: str, *, wait: str = "true") -> None:
    """Put a page side by side as on a desktop and on a phone, light and dark."""
    from PIL import Image
    from selenium.webdriver.support.wait import WebDriverWait

    parts = []
    for size in (DESKTOP, PHONE):
        for theme in ("light", "dark"):
            metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size is PHONE}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            feature = {"name": "prefers-color-scheme", "value": theme}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
            browser.get("about:blank")
            browser.get(address)
            WebDriverWait(browser, 60).until(
                lambda one: one.execute_script("return document.documentElement.dataset.ready")
            )
            browser.execute_script(action)
            WebDriverWait(browser, 60).until(lambda one: one.execute_script(f"return Boolean({wait})"))
            picture = Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("RGB")
            browser.execute_script("localStorage.clear(); sessionStorage.clear()")
            parts.append(picture.resize((round(size[0] * HEIGHT / size[1]), HEIGHT), Image.Resampling.LANCZOS))
    whole = Image.new("RGB", (sum(part.width + 8 for part in parts) - 8, HEIGHT), "#808080")
    right = 0
    for part in parts:
        whole.paste(part, (right, 0))
        right += part.width + 8
    colors = whole.quantize(255, Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE)
    colors.save(Path(__file__).parent / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
