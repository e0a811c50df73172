"""A problem has the title that its file states, or the start of its first comment, or the name of the file."""

from pathlib import Path

import pytest

from commands import invoke
from exactcover.config.configuration import read_text
from exactcover.errors import ConfigError


@pytest.mark.parametrize(("text", "title"), [
    ("problem: queens\ntitle: Eight queens\n", "Eight queens"),
    ("# A comment\nproblem: queens\ntitle: Eight queens\n", "Eight queens"),
    ("# Queens on a board: 92 solutions.\nproblem: queens\n", "Queens on a board"),
    ("\ufeff\n# Queens. And more\nproblem: queens\n", "Queens"),
    ("# Eight queens, each alone\nproblem: queens\n", "Eight queens"),
    ("# A board with 1,000 cells\nproblem: queens\n", "A board with 1,000 cells"),
    ("# A puzzle with one solution\nproblem: queens\n", None),
    ("#\nproblem: queens\n", None),
    ("problem: queens\n# later\n", None),
])  # fmt: skip
def test_where_a_title_comes_from(text: str, title: str | None) -> None:
    assert read_text(text.encode(), "x.yaml").title == title


def test_changed_parameters_are_part_of_the_title() -> None:
    named = b"# Eight queens: a classic\nproblem: queens\n"
    assert read_text(named, "x.yaml", ["n=6"]).title == "Eight queens, with n=6"
    assert read_text(b"problem: queens\n", "x.yaml", ["n=6"]).title == "queens n=6"


def test_a_title_is_text() -> None:
    with pytest.raises(ConfigError, match="title"):
        read_text(b"problem: queens\ntitle: [1]\n", "x.yaml")


def test_titles_of_pages(tmp_path: Path) -> None:
    file, page = tmp_path / "six_queens.yaml", tmp_path / "page.html"
    file.write_text("problem: queens\nparams: {n: 6}\n", "utf-8")
    for arguments, title in (
        ([str(file)], "six queens"),
        ([str(file), "--title", "My <b>queens"], "My &lt;b&gt;queens"),
        (["queens", "n=6", "placed=[[1, 2]]"], "queens n=6"),
    ):
        assert invoke("view", *arguments, "--nodes", "0", "-o", str(page)).returncode == 0
        assert f"<h1>{title}</h1>" in page.read_text("utf-8")
