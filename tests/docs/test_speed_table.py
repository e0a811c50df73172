"""The table of speed in the README is made from the one in docs/benchmarks.md: `pytest --renew` writes it."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROBLEMS = ("pentominoes 6x10", "Soma cube", "queens 14", "MacMahon squares 4x6")
HEAD = "| problem | solutions | exactcover | Knuth | ratio |\n|---|---|---|---|---|\n"


def read_measured() -> dict[str, list[str]]:
    """Return the rows of the table that was measured, by their first cells."""
    text = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    section = text[text.index("\n## Counting by search\n") :]
    table = section[section.index("\n|---") :].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in table.strip().splitlines()[1:]]
    return {name: cells for name, *cells in rows}


def test_the_readme_states_the_speed_that_was_measured(renew: bool) -> None:
    readme = ROOT / "README.md"
    text = readme.read_text("utf-8")
    measured, table = read_measured(), HEAD
    for name in PROBLEMS:
        solutions, ours, *theirs, ratio = measured[name]
        fastest = min(float(cell) for cell in theirs if cell != "-")
        table += f"| {name} | {int(solutions):,} | {float(ours):.2g} | {fastest:.2g} | {ratio} |\n"
    stated = re.search(rf"{re.escape(HEAD)}(\|.*\n)+", text)
    assert stated is not None
    if renew:
        readme.write_text(text.replace(stated[0], table), "utf-8")
    else:
        assert stated[0] == table


def test_ratios_follow_from_the_times() -> None:
    for name, (_, ours, *theirs, ratio) in read_measured().items():
        if float(ours) >= 0.01:  # below, four digits do not tell the ratio
            found = min(float(cell) for cell in theirs if cell != "-") / float(ours)
            assert abs(found - float(ratio)) <= 0.05 + 0.02 * found, name
