"""Pictures of tilings on other lattices than squares."""

from exactcover.pictures import contact_sheet, render
from problems import Polycube, Polyhex, Polyiamond, Polysphere
from problems.lattices import SPHERES


def test_pictures_of_what_is_no_square() -> None:
    for encoder in (Polyhex(), Polyiamond("4x9"), Polysphere(("2x3",), "dominoes", 3)):
        solution = next(encoder.problem().solve())
        picture = encoder.draw(solution)
        text = render(picture)
        names = {placement.piece for placement in solution}
        assert {one for one in text if one.isupper()} >= names or len(names) < len(solution)
        assert text.count("\n") + 1 == max(row for row, *_ in encoder._board.points) or encoder.lattice is SPHERES
        assert contact_sheet([picture]).count("<path") > len(names)


def test_the_outside_of_a_solid_shows_the_nearest_cubes() -> None:
    """A cube of 3 shows 27 faces in 54 halves, those of a staircase that lie behind do not come through."""
    solid = Polycube("3x3x3", {"C": "#"}, "any")
    picture = solid.draw(next(solid.problem().solve()))
    assert len(picture.tiles) == 54
    stairs = Polycube(("1x3", "1x2", "1x1"), {"C": "#"}, "any")
    assert len(stairs.draw(next(stairs.problem().solve())).tiles) == 2 * (3 + 6 + 3)
