"""Many positions: drawn, listed, and as arrays."""

import subprocess

import numpy as np
import pytest
from games import random_game

import strong4
from strong4 import Position

LAYOUTS = ["grid", "connectx", "openspiel", "pettingzoo"]


def of_the_program(program, tmp_path, *command):
    """The keys that a command writes."""
    file = tmp_path / "keys.npy"
    subprocess.run([program, *command, "--output", str(file), "--quiet"], check=True)
    return np.load(file)


@pytest.mark.parametrize("tiers, same", [("20", 20), ("3..5", range(3, 6)), ("0..42", "0..42")])
def test_samples_are_those_of_the_program(program, tmp_path, tiers, same):
    command = ("sample", "--tiers", tiers, "--count", "40", "--seed", "7")
    keys = of_the_program(program, tmp_path, *command)
    drawn = strong4.sample(same, 40, seed=7)
    assert drawn.dtype == np.uint64 and np.array_equal(drawn, keys)
    assert np.array_equal(strong4.sample(same, 10, seed=7)[:10], drawn[:10])
    assert not np.array_equal(strong4.sample(20, 40, seed=8), strong4.sample(20, 40, seed=7))


@pytest.mark.parametrize("options", [{}, {"unforced": True}, {"fold_mirrors": True}])
@pytest.mark.parametrize("board, tiers", [("7x6", "0..5"), ("4x3", "7"), ("5x4", "8..9")])
def test_lists_are_those_of_the_program(program, tmp_path, board, tiers, options):
    flags = ["--" + option.replace("_", "-") for option in options]
    keys = of_the_program(program, tmp_path, "list", "--board", board, "--tiers", tiers, *flags)
    listed = strong4.positions(tiers, board=board, **options)
    assert listed.dtype == np.uint64 and np.array_equal(listed, keys)
    assert len(set(listed.tolist())) == len(listed) > 0


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: strong4.sample(43), "the range 43 goes too far: the last tier of 7x6 is 42"),
        (lambda: strong4.sample(range(3, 3)), "the range 3..2 is empty"),
        (lambda: strong4.sample(range(0, 9, 2)), "a range of tiers has no steps"),
        (lambda: strong4.sample("x"), "'x'"),
        (lambda: strong4.positions(-1), "-1"),
        (lambda: strong4.positions(3, board="7x9"), "a board of 7x9 does not fit"),
    ],
)
def test_bad_tiers_are_refused(make, text):
    with pytest.raises(ValueError) as refused:
        make()
    assert text in str(refused.value)


def test_what_no_memory_holds_is_refused():
    with pytest.raises(MemoryError, match="more than the 1073741824 that an array may have"):
        strong4.positions(20)
    with pytest.raises(MemoryError, match="more than"):
        strong4.sample(20, 2**40)
    for garbage in (None, 2.5, [1], object()):
        with pytest.raises(TypeError, match="tiers: a number, a range or text such as '10..30'"):
            strong4.sample(garbage)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("board", ["7x6", "5x4", "4x9", "1x5", "12x4"])
def test_arrays_of_many_are_those_of_each(layout, board, rng):
    positions = [position for _ in range(5) for position in random_game(rng, board)]
    keys = np.array([position.key for position in positions], np.uint64)
    for player in [None] if layout in ("grid", "connectx") else [None, 1, 2, "mover"]:
        arrays = strong4.to_arrays(keys, layout, board=board, player=player)
        each = [position.to_array(layout, player=player) for position in positions]
        assert arrays.dtype == each[0].dtype and np.array_equal(arrays, np.stack(each))
        read = strong4.from_arrays(arrays, layout, board=board, player=player)
        assert read.dtype == np.uint64 and np.array_equal(read, keys)
        doubles = np.asfortranarray(arrays.astype(float))
        read = strong4.from_arrays(doubles, layout, board=board, player=player)
        assert np.array_equal(read, keys)


def test_the_mover_sees_what_the_observer_of_the_same_number_sees(rng):
    for position in random_game(rng):
        for layout in ("openspiel", "pettingzoo"):
            seen = position.to_array(layout, player="mover")
            assert np.array_equal(seen, position.to_array(layout, player=position.mover))
            assert Position.from_array(seen, layout, player="mover") == position


def test_arrays_of_many_take_any_mixture():
    arrays = strong4.to_arrays(["4453", Position("44"), Position("1").key])
    assert [Position.from_array(array).tier for array in arrays] == [4, 2, 1]
    assert strong4.to_arrays([]).shape == (0, 6, 7)
    assert strong4.to_arrays([], "openspiel", board="5x4").shape == (0, 3, 4, 5)
    assert strong4.from_arrays(np.zeros((0, 6, 7))).tolist() == []


def test_bad_arrays_of_many_are_refused():
    arrays = strong4.to_arrays(["4453", "44"])
    arrays[1, 0, 0] = 1
    floating = "number 2 of 2: the stone in row 1, column 1 of the array rests on nothing"
    with pytest.raises(ValueError, match=floating):
        strong4.from_arrays(arrays)
    for shape, text in (((), "one axis more"), ((6, 7), "expected"), ((2, 7, 6), "exchange")):
        with pytest.raises(ValueError, match=text):
            strong4.from_arrays(np.zeros(shape))
    with pytest.raises(TypeError):
        strong4.from_arrays(np.zeros((2, 6, 7), complex))
    with pytest.raises(ValueError, match="is not a layout"):
        strong4.to_arrays(["4"], "tictactoe")
    with pytest.raises(TypeError, match="expected a player, 1, 2 or 'mover', not str"):
        strong4.to_arrays(["4"], "openspiel", player="X")


def test_positions_know_a_game_that_leads_to_them(rng):
    for position in random_game(rng):
        assert position.game() == position.moves
        forgotten = Position.from_key(position.key)
        assert forgotten.moves == ("" if position.tier == 0 else None)
        assert Position(forgotten.game()) == position


def test_levels_play_as_they_should():
    solver = strong4.Solver()
    assert {solver.choose("112233", level) for level in range(1, 6)} == {4}
    assert {solver.choose("11223", level) for level in range(2, 6)} == {4}
    assert len({solver.choose("11223", 1) for _ in range(100)}) > 1
    assert solver.choose("4") == solver.best_move("4") == solver.choose("4", 5)
    for seed in range(20):
        assert solver.choose("", 1, seed=seed) == solver.choose("", 1, seed=seed)
    with pytest.raises(ValueError, match="'6' is not a level: expected a whole number from 1 to 5"):
        solver.choose("", 6)
    with pytest.raises(ValueError, match="the game is over: the first player has four in a row"):
        solver.choose("1212121", 1)
    for garbage in ("1", 1.5, []):
        with pytest.raises(TypeError, match="expected a level, which is an int"):
            solver.choose("", garbage)
