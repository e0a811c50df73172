"""The site that .ci/site has built: its links, pictures and search. EXACTCOVER_SITE is its folder."""

import base64
import html
import json
import os
import re
import zlib
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from selenium.webdriver.support.wait import WebDriverWait

from commands import PATIENCE
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_configs
from exactcover.pictures.palette import FONT, TOKENS

SITE = Path(os.environ.get("EXACTCOVER_SITE", "nowhere")).resolve()
pytestmark = pytest.mark.skipif("EXACTCOVER_SITE" not in os.environ, reason="EXACTCOVER_SITE names no site: .ci/site")
MADE = ("genindex.html", "search.html", "py-modindex.html")
QUESTIONS = {
    "count distinct tilings": "how_to/tilings.html",
    "resume my run": "runs.html",
    "import my pieces": "how_to/pieces.html",
    "why no solution": "how_to/none.html",
    "write an encoder": "plugins.html",
    "killer sudoku": "how_to/sudoku.html",
    "hospital": "plans.html",
    "print": "view.html",
    "share a link": "studio.html",
}
"""Where each question has its answer."""
QUOTES = str.maketrans(
    "\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}", '\'""'
)  # as pages have them, and as they are typed


class Page(HTMLParser):
    """What a page refers to, and what can be referred to on it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.pictures: list[dict[str, str | None]] = []
        self.frames: list[dict[str, str | None]] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        self.anchors.add(values.get("id") or values.get("name") or "")
        for key in ("href", "src"):
            if values.get(key):
                self.links.append(str(values[key]))
        if tag == "img":
            self.pictures.append(values)
        if tag == "iframe":
            self.frames.append(values)


@cache
def read_page(path: Path) -> Page:
    return Page(path)


def list_pages() -> Iterator[Path]:
    """Yield the pages of the site itself, without those of its theme and of the viewer."""
    for path in sorted(SITE.rglob("*.html")):
        if not any(part.startswith("_") for part in path.relative_to(SITE).parts):
            yield path


def test_every_link_leads_to_a_place_that_exists() -> None:
    broken = []
    for path in list_pages():
        for link in read_page(path).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                assert parts.scheme in ("https", "data"), link
                continue
            target = path.parent / unquote(parts.path) if parts.path else path
            if not target.exists():
                broken.append(f"{path.name}: {link}")
                continue
            page = target.suffix == ".html" and target.name not in MADE
            page = page and target.name not in ("try.html", "play.html")  # there, a fragment is a puzzle
            if parts.fragment and page and unquote(parts.fragment) not in read_page(target.resolve()).anchors:
                broken.append(f"{path.name}: {link}")
    assert broken == []


def test_every_picture_has_an_alternative_text() -> None:
    pictures = [(path.name, one) for path in list_pages() for one in read_page(path).pictures]
    assert len(pictures) > 70
    for name, picture in pictures:
        words = (picture.get("alt") or "").split()
        assert len(words) >= 3, f"{name}: {picture}"


def test_pages_of_the_viewer_are_shown_in_frames(browser: Any) -> None:
    frames = {str(one["src"]): one for path in list_pages() for one in read_page(path).frames}
    shown = {urlsplit(name).path.rpartition("/")[2] for name in frames}
    assert shown == {"article_table_search.html", "play.html", "soma_cube_solid.html"}
    assert all(len((one["title"] or "").split()) >= 3 for one in frames.values())
    browser.get(f"file://{SITE}/_views/article_table_search.html")
    ready = "return document.body.innerText.includes('Algorithm X')"
    WebDriverWait(browser, PATIENCE).until(lambda _: browser.execute_script(ready))


def test_the_site_has_the_palette_and_the_fonts_of_all_pages() -> None:
    text = (SITE / "index.html").read_text("utf-8")
    assert f"--font-stack: {FONT};" in html.unescape(text)
    for name, (light, dark) in TOKENS.items():
        assert f"--{name}: {light};" in text and f"--{name}: {dark};" in text
    for used in ("brand-primary: var(--accent)", "background-primary: var(--paper)", "foreground-primary: var(--ink)"):
        assert f"--color-{used};" in text


def test_a_page_that_plays_leads_back_to_the_gallery(browser: Any) -> None:
    address = re.search(r'_gallery/play.html[?]puzzle-[^"]+', (SITE / "gallery.html").read_text("utf-8"))
    assert address is not None
    browser.get(f"file://{SITE}/{address[0]}")
    ready = "return document.documentElement.dataset.ready"
    WebDriverWait(browser, PATIENCE).until(lambda _: browser.execute_script(ready))
    back = browser.find_element("css selector", ".brand a")
    card = address[0].partition("?")[2].partition("#")[0]
    assert back.is_displayed() and back.get_attribute("href") == f"file://{SITE}/gallery.html#{card}"
    assert f'id="{card}"' in (SITE / "gallery.html").read_text("utf-8")


def test_the_gallery_shows_every_bundled_file() -> None:
    text = (SITE / "gallery.html").read_text("utf-8")
    for name, path in find_configs().items():
        assert f"<summary>{name}</summary>" in text
        known = read_file(path).known
        if known.solutions is not None:
            assert f"{known.solutions:,} solution" in text
    levels = re.findall(r"<p>(Easy|Medium|Hard|Very hard) ·", text)
    assert len(levels) == len(find_configs()) and {"Easy", "Hard"} < set(levels)
    assert text.count('class="play"') >= len(find_configs()) // 2
    assert len(list((SITE / "_gallery").glob("*.svg"))) >= len(find_configs()) - 3  # some have nothing to draw


def test_a_card_has_a_picture_and_plays_under_its_title_or_says_why_not() -> None:
    cards = re.findall(r'class="card .*?</details>', (SITE / "gallery.html").read_text("utf-8"), re.DOTALL)
    assert len(cards) == len(find_configs())
    for card in cards:
        heading = re.sub(r"<.*?>", "", re.findall(r"<h3.*?>(.*?)</h3>", card)[0])
        title = html.unescape(heading).removesuffix("¶").translate(QUOTES)
        assert '<img loading="lazy"' in card, title
        link = re.search(r"#puzzle=([^\"]+)", card)
        if link is None:
            assert "<p>Cannot be played here.</p>" in card, title
            continue
        packed = zlib.decompress(base64.urlsafe_b64decode(link[1] + "=" * (-len(link[1]) % 4)), -15)
        assert json.loads(packed.partition(b"\0")[0])["title"] == title
    assert "<circle" not in (SITE / "_gallery" / "queens_8.svg").read_text("utf-8")  # the answer is not shown


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_search_finds_the_page_that_answers(question: str, browser: Any) -> None:
    browser.get(f"file://{SITE}/search.html?q={question.replace(' ', '+')}")
    finished = "return document.querySelector('#search-results .search-summary')?.textContent.includes('found')"
    WebDriverWait(browser, PATIENCE).until(lambda _: browser.execute_script(finished))
    links = "return [...document.querySelectorAll('#search-results li > a')].map(a => a.getAttribute('href'))"
    found = [link.partition("?")[0].partition("#")[0] for link in browser.execute_script(links)]
    assert found[:1] == [QUESTIONS[question]]
