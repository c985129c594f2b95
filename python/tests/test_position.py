"""Positions: made, played, compared, and refused."""

import copy
import pickle

import numpy as np
import pytest
from games import random_game

from strong4 import Position

DRAWING = """\
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . O . . .
. . O X X . .
1 2 3 4 5 6 7"""


def test_a_position_is_drawn_and_read_back():
    position = Position("4453")
    assert repr(position) == str(position) == DRAWING
    assert Position.from_drawing(repr(position)) == position
    assert Position.from_key(position.key) == position == Position.from_key(4433219977345)
    assert position.moves == "4453"
    assert Position.from_key(position.key).moves is None


def test_moves_are_text_or_numbers():
    same = Position("4453")
    for moves in ("4,4,5,3", "4 4 5 3", [4, 4, 5, 3], (4, 4, 5, 3), np.array([4, 4, 5, 3])):
        assert Position(moves) == same
    assert Position() == Position("") == Position([])
    assert Position("9abc", board="12x4") == Position([9, 10, 11, 12], board="12x4")


def test_playing_leaves_the_old_position_as_it_is():
    before = Position("4453")
    after = before.play(3)
    assert (before.tier, after.tier) == (4, 5)
    assert (before.mover, after.mover) == (1, 2)
    assert after.moves == "44533"
    assert after.undo() == before
    assert after.undo().moves == "4453"


def test_undo_knows_the_moves_that_were_played():
    position = Position.from_key(4433219977345)
    assert position.play(1).undo() == position
    with pytest.raises(ValueError, match="the moves that led to this position are not known"):
        position.undo()
    with pytest.raises(ValueError, match="the board is empty"):
        Position().undo()


def test_the_end_of_a_game_is_seen():
    won = Position("1212121")
    assert (won.winner, won.over, won.legal) == (1, True, [])
    assert Position("12121321")
    full = Position("112233", board="3x2")
    assert (full.winner, full.over, full.legal) == (None, True, [])
    assert Position("111111").legal == [2, 3, 4, 5, 6, 7]


def test_mirrors(rng):
    for position in random_game(rng):
        mirror = position.mirror()
        assert mirror.mirror() == position
        assert [8 - column for column in reversed(position.legal)] == mirror.legal
        assert mirror.moves == "".join(str(8 - int(move)) for move in position.moves)


def test_equal_positions_are_one_key_of_a_dict():
    assert Position("4152") != Position("4125")
    one, other = Position("123"), Position("321")
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert Position(board="5x4") != Position(board="4x5")
    assert one != "123" and one is not None and (one == 5) is False


def test_positions_are_copied_and_pickled():
    for position in (Position("4453"), Position.from_key(4433219977345).play(2)):
        for same in (
            copy.copy(position),
            copy.deepcopy(position),
            pickle.loads(pickle.dumps(position)),
        ):
            assert same == position and same.moves == position.moves
            assert same.undo() == position.undo()


def test_bitboards_are_columns_of_seven_bits():
    first, second = Position("4453").bitboards
    assert first == 1 << 3 * 7 | 1 << 4 * 7
    assert second == 1 << 3 * 7 + 1 | 1 << 2 * 7


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: Position("448"), "move 3 is '8': expected a column from 1 to 7"),
        (lambda: Position([4, 4, 8]), "move 3 is '8': expected a column from 1 to 7"),
        (lambda: Position("44").play(8), "move 3 is '8': expected a column from 1 to 7"),
        (lambda: Position().play(0), "move 1 is '0': expected a column from 1 to 7"),
        (lambda: Position().play(-1), "move 1 is '-1': expected a column from 1 to 7"),
        (lambda: Position().play(10**30), f"move 1 is '{10**30}': expected a column from 1 to 7"),
        (lambda: Position("1111111"), "move 7 is '1', but column 1 is full"),
        (lambda: Position("111111").play(1), "move 7 is '1', but column 1 is full"),
        (
            lambda: Position("1212121").play(3),
            "move 8 is '3', but the game is over: the first player has four in a row",
        ),
        (lambda: Position("é"), "move 1 is 'é': expected a column from 1 to 7"),
        (
            lambda: Position(board="7x9"),
            "a board of 7x9 does not fit: both sides must be at least 1 and "
            "WIDTH*(HEIGHT+1) at most 64",
        ),
        (lambda: Position(board="x"), "'x' is not a board: expected WIDTHxHEIGHT, such as 7x6"),
        (
            lambda: Position.from_key(5),
            "5 is not a key: the bits of column 2 are all 0, but an empty column is 1",
        ),
        (lambda: Position.from_key(-1), "'-1' is not a key: expected a whole number below 2^64"),
        (
            lambda: Position.from_key(2**64),
            f"'{2**64}' is not a key: expected a whole number below 2^64",
        ),
        (
            lambda: Position.from_key(2**64 - 1),
            f"{2**64 - 1} is not a key: a key of 7x6 is below 2^49",
        ),
        (lambda: Position.from_drawing("X.."), "the drawing has 1 rows, the board 6"),
        (
            lambda: Position.from_drawing("XX.. ....", board="4x2"),
            "the stone in row 1, column 1 of the drawing rests on nothing",
        ),
        (
            lambda: Position.from_drawing(".... XX..", board="4x2"),
            "no game leads to this board: the first player (X) has 2 stones and the second (O) "
            "0: expected equal numbers, or one more X",
        ),
    ],
)
def test_bad_input_is_refused_in_the_words_of_the_command_line(make, text):
    with pytest.raises(ValueError) as refused:
        make()
    assert str(refused.value) == text


@pytest.mark.parametrize(
    "make",
    [
        lambda: Position(4453),
        lambda: Position(4.5),
        lambda: Position([4.0]),
        lambda: Position(["4"]),
        lambda: Position(b"44").play("4"),
        lambda: Position(board=7),
        lambda: Position(board=None),
        lambda: Position().play(None),
        lambda: Position().play(4.0),
        lambda: Position.from_key("5"),
        lambda: Position.from_key(1.5),
        lambda: Position.from_drawing(5),
        lambda: Position.from_array(np.zeros((6, 7)), layout=3),
        lambda: Position("\ud800"),
        lambda: Position(board="\ud800"),
    ],
)
def test_wrong_types_are_type_errors(make):
    with pytest.raises((TypeError, ValueError)):
        make()


def test_a_position_cannot_be_changed():
    for name in ("key", "legal", "tier", "new"):
        with pytest.raises(AttributeError):
            setattr(Position(), name, 1)
