"""What notebooks draw, and what help() says."""

import math
import pydoc
import subprocess
import xml.etree.ElementTree as xml

import pytest

import strong4
from strong4 import Position, Solver

SVG = "{http://www.w3.org/2000/svg}"
COLOURS = {"#dc2626": "X", "#facc15": "O", "#fff": "."}


@pytest.fixture(scope="module")
def solver():
    return Solver()


def stones(picture):
    """The drawing in a picture: the colours of its discs, column by column from the bottom up."""
    root = xml.fromstring(picture)
    discs = [disc for disc in root.iter(f"{SVG}circle") if disc.get("fill") in COLOURS]
    place = {(float(d.get("cy")), float(d.get("cx"))): COLOURS[d.get("fill")] for d in discs}
    rows = sorted({y for y, _ in place})
    return "\n".join(" ".join(place[at] for at in sorted(place) if at[0] == row) for row in rows)


@pytest.mark.parametrize("moves, board", [("4453", "7x6"), ("1212121", "7x6"), ("1221", "2x2")])
def test_positions_draw_themselves(moves, board):
    position = Position(moves, board=board)
    assert Position.from_drawing(stones(position._repr_svg_()), board=board) == position
    assert "the first player is red, the second is yellow" in position._repr_svg_()


@pytest.mark.parametrize("moves", ["4453", "1212121", "444444", "31451755342446654"])
def test_an_analysis_draws_what_the_program_draws(solver, program, moves):
    command = [program, "query", moves, "--svg"]
    drawn = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert solver.analyze(moves)._repr_svg_() == drawn.rstrip("\n")
    known = Position.from_key(Position(moves).key)
    assert solver.analyze(known)._repr_svg_() == drawn.rstrip("\n")


@pytest.mark.parametrize("moves", ["1212121", "444444556", "1"])
def test_a_review_draws_what_the_program_draws(solver, program, moves):
    command = [program, "review", moves, "--svg"]
    drawn = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert solver.review(moves)._repr_svg_() == drawn.rstrip("\n")


def test_results_know_their_position(solver):
    assert solver.analyze("4453").position.moves == "4453"
    assert solver.review(Position("44")).position == Position("44")
    position = Position.from_key(Position("4453").key)
    assert solver.analyze(position).position == position


def test_notebooks_show_pictures():
    display = pytest.importorskip("IPython.core.formatters", reason="IPython is not installed")
    data, _ = display.DisplayFormatter().format(Position("4453"))
    assert data["image/svg+xml"].startswith("<svg")


def boards():
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    from strong4.widget import Board

    return Board


def test_a_board_can_be_clicked():
    board = boards()()
    for column in (4, 4, 9, 0, None, "4", 5):
        board.click(column)
    assert board.position.moves == "445" and board.columns == 7
    assert board.picture == Position("445")._repr_svg_()
    board._handle_custom_msg({"column": 3}, [])
    assert board.position.moves == "4453"
    board.undo()
    assert board.position.moves == "445" and board.picture == Position("445")._repr_svg_()


def test_a_board_answers_at_its_level():
    board = boards()("112233", level=1)
    board.click(7)
    assert len(board.position.moves) == 8
    board.undo()
    assert board.position.moves == "112233"
    board = boards()("112233", level=1, plays=1)
    assert board.position.winner == 1
    board.click(1)
    assert board.position.tier == 7
    first = boards()(level=2, plays=1)
    assert first.position.tier == 1


def test_a_board_shows_scores(solver):
    board = boards()("4453", show_scores=True, solver=solver)
    assert board.picture == solver.analyze("4453")._repr_svg_()


def test_clicks_and_pictures_agree_on_the_size_of_a_column():
    """The script divides by the width of a column, which the picture chooses."""
    boards()
    from strong4 import widget

    for board in ("7x6", "4x4", "12x4"):
        position = Position(board=board)
        root = xml.fromstring(position._repr_svg_())
        discs = {float(disc.get("cx")) for disc in root.iter(f"{SVG}circle")}
        whole = float(root.get("width"))
        size = 44
        assert f"x / {size} " in widget.SCRIPT
        clicked = [math.floor((x - whole / 2) / size + position.width / 2) + 1 for x in sorted(discs)]
        assert clicked == list(range(1, position.width + 1))


def test_help_teaches():
    text = pydoc.render_doc(strong4, renderer=pydoc.plaintext)
    for word in ("A short tour", "Solver", "Position", "TableError", "score_many", "from_array"):
        assert word in text
    for word in ("sample", "to_arrays", "masked=True", "choose", "env"):
        assert word in text
    # Nobody learns anything from what all named tuples have.
    for word in ("_asdict", "_field_defaults", "__getnewargs__", "Alias for field", "count(self"):
        assert word not in text


def test_fields_of_results_are_explained():
    for result in (strong4.Worth, strong4.Analysis, strong4.ReviewedMove, strong4.Review):
        assert result.__doc__
        for field in result._fields:
            assert "Alias" not in getattr(result, field).__doc__
