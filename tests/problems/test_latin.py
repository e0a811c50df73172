"""Latin squares and orthogonal mates, against brute force."""

from oracles import latin_squares
from problems import Latin


def test_latin_squares_and_their_mates(installed_engine: str) -> None:
    squares = latin_squares(4)
    assert Latin(n=4).problem().count(engine=installed_engine) == len(squares) == 576
    for mate in (("1234", "2143", "3412", "4321"), ("1234", "2341", "3412", "4123")):
        orthogonal = [one for one in squares if len({*zip("".join(one), "".join(mate), strict=True)}) == 16]
        encoder = Latin(n=4, mate=mate)
        problem = encoder.problem()
        assert sorted(map(encoder.decode, problem.solve(engine=installed_engine))) == sorted(orthogonal)
    diagonal = [square for square in squares if len({square[k][k] for k in range(4)}) == 4
                and len({square[k][3 - k] for k in range(4)}) == 4]  # fmt: skip
    assert Latin(n=4, diagonals=True).problem().count(engine=installed_engine) == len(diagonal)
