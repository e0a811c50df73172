"""The table of speed in the README is made from the one in docs/benchmarks.md: `pytest --renew` writes it."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROBLEMS = ("pentominoes 6x10", "Soma cube", "queens 14", "MacMahon squares 4x6")
HEAD = "| problem | solutions | exactcover | Knuth | ratio |\n|---|---|---|---|---|\n"


def read_rows(text: str, title: str) -> dict[str, list[str]]:
    """Return the rows of the first table of a section, by their first cells."""
    section = text[text.index(f"\n## {title}\n") :]
    table = section[section.index("\n|---") :].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in table.strip().splitlines()[1:]]
    return {name: cells for name, *cells in rows}


def make_table(measured: dict[str, list[str]]) -> str:
    """Return the table of the README: ours, the fastest of Knuth's programs, and the ratio."""
    lines = []
    for name in PROBLEMS:
        solutions, ours, *theirs, ratio = measured[name]
        fastest = min(float(cell) for cell in theirs if cell != "-")
        lines.append(f"| {name} | {int(solutions):,} | {float(ours):.2g} | {fastest:.2g} | {ratio} |\n")
    return HEAD + "".join(lines)


def test_the_readme_states_the_speed_that_was_measured(renew: bool) -> None:
    readme = ROOT / "README.md"
    text = readme.read_text("utf-8")
    measured = read_rows((ROOT / "docs" / "benchmarks.md").read_text("utf-8"), "Counting by search")
    table = make_table(measured)
    stated = re.search(rf"{re.escape(HEAD)}(\|.*\n)+", text)
    assert stated is not None
    if renew:
        readme.write_text(text.replace(stated[0], table), "utf-8")
    else:
        assert stated[0] == table


def test_ratios_follow_from_the_times() -> None:
    measured = read_rows((ROOT / "docs" / "benchmarks.md").read_text("utf-8"), "Counting by search")
    for name, (_, ours, *theirs, ratio) in measured.items():
        if float(ours) >= 0.01:  # below, four digits do not tell the ratio
            found = min(float(cell) for cell in theirs if cell != "-") / float(ours)
            assert abs(found - float(ratio)) <= 0.05 + 0.02 * found, name
