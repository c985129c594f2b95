"""Arrays in and out, against the packages whose layouts they have."""

import numpy as np
import pytest
from games import random_game

from strong4 import Position

LAYOUTS = ["grid", "connectx", "openspiel", "pettingzoo"]


def same(one, other):
    """Equal arrays, in shape too."""
    return np.array_equal(one, other) and np.shape(one) == np.shape(other)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("board", ["7x6", "5x4", "4x9", "1x5", "12x4"])
def test_arrays_are_read_back(layout, board, rng):
    for _ in range(5):
        for position in random_game(rng, board):
            players = [None] if layout in ("grid", "connectx") else [None, 1, 2]
            for player in players:
                array = position.to_array(layout, player=player)
                read = Position.from_array(array, layout, board=board, player=player)
                assert read == position
                if layout != "connectx":
                    assert Position.from_array(array, layout, player=player) == position


def test_grids_are_as_they_are_drawn():
    grid = Position("4453").to_array()
    assert grid.dtype == np.int8 and grid.shape == (6, 7)
    assert grid[5].tolist() == [0, 0, 2, 1, 1, 0, 0]
    assert grid[4].tolist() == [0, 0, 0, 2, 0, 0, 0]
    assert not grid[:4].any()


@pytest.mark.parametrize(
    "change",
    [
        lambda grid: grid.tolist(),
        lambda grid: grid.astype(np.uint64),
        lambda grid: grid.astype(np.float16),
        lambda grid: grid.astype(">i4"),
        np.asfortranarray,
        lambda grid: np.repeat(np.repeat(grid, 2, axis=0), 3, axis=1)[::2, ::3],
        lambda grid: grid[::-1, ::-1][::-1, ::-1],
        lambda grid: np.array(grid, order="F")[:, :],
    ],
)
def test_any_numeric_dtype_and_memory_order_will_do(change):
    position = Position("445367")
    assert Position.from_array(change(position.to_array())) == position


@pytest.mark.parametrize(
    "array, layout, text",
    [
        (np.zeros((6, 7)) + 3, "grid", "row 6, column 1 of the array holds no stone"),
        (np.full((6, 7), np.nan), "grid", "holds no stone, and is not empty"),
        (np.full((6, 7), np.inf), "grid", "holds no stone, and is not empty"),
        (np.full((6, 7), -1), "grid", "holds no stone, and is not empty"),
        (np.full((6, 7), 2**63, dtype=np.uint64), "grid", "holds no stone, and is not empty"),
        (np.full((6, 7), 0.5), "grid", "holds no stone, and is not empty"),
        (np.eye(6, 7), "grid", "the stone in row 5, column 5 of the array rests on nothing"),
        (np.ones((6, 7)), "grid", "no game leads to this board"),
        (np.zeros(42), "grid", "expected (6, 7) for a board of 7x6"),
        (np.zeros((9, 9)), "grid", "a board of 9x9 does not fit"),
        (np.zeros((0, 7)), "grid", "a board of 7x0 does not fit"),
        (np.zeros(0), "connectx", "expected (42,) for a board of 7x6"),
        (np.zeros(41), "connectx", "expected (42,) for a board of 7x6"),
        (np.zeros(()), "grid", "expected (6, 7)"),
        (np.zeros((6, 7)), "openspiel", "expected (3, 6, 7)"),
        (np.zeros((3, 6, 7)), "openspiel", "holds no stone, and is not empty"),
        (np.ones((3, 6, 7)), "openspiel", "holds no stone, and is not empty"),
        (np.ones((6, 7, 2)), "pettingzoo", "holds no stone, and is not empty"),
        (np.zeros((6, 7, 3)), "pettingzoo", "expected (6, 7, 2)"),
        (np.zeros((6, 7)), "tictactoe", "'tictactoe' is not a layout"),
    ],
)
def test_arrays_that_hold_no_position_are_refused(array, layout, text):
    with pytest.raises(ValueError) as refused:
        Position.from_array(array, layout)
    assert text in str(refused.value)


@pytest.mark.parametrize(
    "layout, axes",
    [("grid", (0, 1)), ("connectx", (0, 1)), ("openspiel", (1, 2)), ("pettingzoo", (0, 1))],
)
def test_exchanged_rows_and_columns_are_noticed(layout, axes):
    """A transposed array of an almost empty board is often a position of 6x7."""
    position = Position("4")
    array = position.to_array(layout)
    array = array.reshape(6, 7) if layout == "connectx" else array
    turned = np.swapaxes(array, *axes)
    with pytest.raises(ValueError, match='is a board of 6x7, with 7 rows: give board="6x7" if'):
        Position.from_array(turned, layout)
    with pytest.raises(ValueError, match="for a board of 7x6; are rows and columns exchanged?"):
        Position.from_array(turned, layout, board="7x6")
    tall = Position("4", board="6x7")
    array = tall.to_array(layout)
    assert Position.from_array(array, layout, board="6x7") == tall


def test_the_board_must_be_that_of_the_array():
    with pytest.raises(ValueError, match="expected \\(4, 5\\) for a board of 5x4"):
        Position.from_array(np.zeros((6, 7)), board="5x4")


@pytest.mark.parametrize(
    "array", [None, "grid", object(), [["a"]], np.zeros((6, 7), dtype=complex), {1: 2}]
)
def test_what_is_no_array_of_numbers_is_a_type_error(array):
    with pytest.raises(TypeError):
        Position.from_array(array)


def test_ragged_lists_are_refused():
    with pytest.raises((TypeError, ValueError)):
        Position.from_array([[0, 0], [0]])


def test_players_are_1_and_2():
    for player in (0, 3, -1, 2**70):
        with pytest.raises(ValueError, match="is not a player: expected 1 or 2"):
            Position().to_array("openspiel", player=player)
    with pytest.raises(TypeError):
        Position().to_array("openspiel", player="X")
    with pytest.raises(ValueError, match="the same for both players"):
        Position().to_array("grid", player=1)


def test_a_view_of_the_wrong_player_is_noticed():
    array = Position("4").to_array("pettingzoo", player=1)
    with pytest.raises(ValueError, match="the player to move has 1 stones and the other 0"):
        Position.from_array(array, "pettingzoo")


# What follows plays games in the packages themselves, move by move.

GAMES = 30


def test_openspiel(rng):
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    plain = pyspiel.load_game("connect_four")
    egocentric = pyspiel.load_game("connect_four", {"egocentric_obs_tensor": True})
    assert plain.observation_tensor_shape() == [3, 6, 7]
    for _ in range(GAMES):
        state, own_view = plain.new_initial_state(), egocentric.new_initial_state()
        position = Position()
        while True:
            for player in (0, 1):
                tensor = np.array(state.observation_tensor(player), np.float32)
                array = position.to_array("openspiel")
                assert array.dtype == np.float32
                assert same(array, tensor.reshape(3, 6, 7))
                assert Position.from_array(tensor, "openspiel") == position
                tensor = np.array(own_view.observation_tensor(player), np.float32)
                array = position.to_array("openspiel", player=player + 1)
                assert same(array, tensor.reshape(3, 6, 7))
                read = Position.from_array(tensor, "openspiel", player=player + 1)
                assert read == position
            assert state.is_terminal() == position.over
            if position.over:
                returns = {None: [0, 0], 1: [1, -1], 2: [-1, 1]}
                assert state.returns() == returns[position.winner]
                break
            assert [action + 1 for action in state.legal_actions()] == position.legal
            assert state.current_player() + 1 == position.mover
            column = rng.choice(position.legal)
            state.apply_action(column - 1)
            own_view.apply_action(column - 1)
            position = position.play(column)


def test_pettingzoo(rng):
    reason = "pettingzoo, or pygame which it needs, is not installed"
    pytest.importorskip("pettingzoo", reason=reason)
    pytest.importorskip("pygame", reason=reason)
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.raw_env()
    for _ in range(GAMES):
        env.reset()
        position = Position()
        while True:
            for player, agent in enumerate(env.possible_agents, 1):
                seen = env.observe(agent)["observation"]
                array = position.to_array("pettingzoo", player=player)
                assert array.dtype == seen.dtype and same(array, seen)
                read = Position.from_array(seen, "pettingzoo", player=player)
                assert read == position
            assert any(env.terminations.values()) == position.over
            if position.over:
                expected = {None: [0, 0], 1: [1, -1], 2: [-1, 1]}[position.winner]
                assert [env.rewards[agent] for agent in env.possible_agents] == expected
                break
            assert env.agent_selection == env.possible_agents[position.mover - 1]
            observation = env.observe(env.agent_selection)
            assert same(position.to_array("pettingzoo"), observation["observation"])
            assert Position.from_array(observation["observation"], "pettingzoo") == position
            mask = np.flatnonzero(observation["action_mask"]) + 1
            assert mask.tolist() == position.legal
            column = rng.choice(position.legal)
            env.step(column - 1)
            position = position.play(column)


def connectx():
    """Kaggle's `make`; importing it prints what other games miss."""
    reason = "kaggle-environments is not installed"
    return pytest.importorskip("kaggle_environments", reason=reason).make


@pytest.mark.parametrize("board", ["7x6", "5x4"])
def test_connectx(rng, board):
    width, height = map(int, board.split("x"))
    env = connectx()("connectx", configuration={"columns": width, "rows": height})
    for _ in range(GAMES // 3):
        env.reset()
        position = Position(board=board)
        while True:
            observation = env.state[0].observation
            array = position.to_array("connectx")
            assert array.dtype == np.int8 and same(array, observation.board)
            assert Position.from_array(observation.board, "connectx", board=board) == position
            assert env.done == position.over
            if position.over:
                expected = {None: [0, 0], 1: [1, -1], 2: [-1, 1]}[position.winner]
                assert [state.reward for state in env.state] == expected
                break
            column = rng.choice(position.legal)
            actions = [None, None]
            actions[position.mover - 1] = column - 1
            env.step(actions)
            position = position.play(column)
