"""Earlier solutions in tables with unusual labels."""

import pytest

from exactcover.formats.solutions import read_earlier_table


@pytest.mark.parametrize("label", ["A\u2028B", "A\x85B", "A\x0bB", "A\nB", "A\r\nB"])
def test_labels_with_line_separators(label: str) -> None:
    assert read_earlier_table(f'solution,option\r\n1,"{label}"\r\n1,C\r\n2,D\r\n', "plan.csv") == ([label, "C"], True)
