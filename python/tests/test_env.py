"""Columns from 1 and actions from 0: positions and players across the borders of other packages."""

import random

import numpy as np
import pytest
from games import random_game

from strong4 import Position, Solver, env

BOARDS = ["7x6", "5x4"]


@pytest.fixture(scope="module")
def solver():
    return Solver()


def kaggle():
    reason = "kaggle-environments is not installed"
    return pytest.importorskip("kaggle_environments", reason=reason)


def openspiel():
    return pytest.importorskip("pyspiel", reason="open_spiel is not installed")


def connect_four():
    reason = "pettingzoo, or pygame which it needs, is not installed"
    pytest.importorskip("pygame", reason=reason)
    return pytest.importorskip("pettingzoo.classic.connect_four_v3", reason=reason)


def last_legal(position):
    """A player whose moves show whether columns were shifted."""
    return position.legal[-1]


def test_actions_count_from_zero():
    assert [env.action(column) for column in (1, 7)] == [0, 6]
    assert [env.column(action) for action in (0, np.int64(6), np.array(3))] == [1, 7, 4]
    for garbage in (1.0, "1", None):
        with pytest.raises((TypeError, AttributeError)):
            env.column(garbage)


@pytest.mark.parametrize("board", BOARDS)
def test_states_of_openspiel_are_positions(board, rng):
    openspiel()
    for position in random_game(rng, board):
        state = env.openspiel_state(position)
        assert env.openspiel_position(state).moves == position.moves
        if not position.over:
            assert [env.column(action) for action in state.legal_actions()] == position.legal
        forgotten = Position.from_key(position.key, board)
        assert env.openspiel_position(env.openspiel_state(forgotten)) == position


def test_states_of_other_games_are_refused():
    game = openspiel().load_game("connect_four", {"x_in_row": 3})
    with pytest.raises(ValueError, match="four in a row wins here, not 3"):
        env.openspiel_position(game.new_initial_state())


def test_bots_of_openspiel_play(solver, rng):
    pyspiel = openspiel()
    from open_spiel.python.algorithms import mcts
    from open_spiel.python.policy import UniformRandomPolicy

    game = pyspiel.load_game("connect_four")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(4))
    search = mcts.MCTSBot(game, 2, 60, evaluator, random_state=np.random.RandomState(4))
    uniform = [pyspiel.make_uniform_random_bot(player, 4) for player in (0, 1)]
    for bot in (search, uniform, UniformRandomPolicy(game)):
        player = env.openspiel_player(bot, game)
        for position in random_game(rng)[:-1]:
            assert player(position) in position.legal
    # It sees its own four, in the column where that is.
    assert env.openspiel_player(search, game)(Position("112233")) == 4
    assert env.openspiel_player(search, game)(Position("776655")) == 4


def test_players_are_bots_of_openspiel():
    pyspiel = openspiel()
    game = pyspiel.load_game("connect_four")
    state, position = game.new_initial_state(), Position()
    bot = env.openspiel_bot(last_legal)
    while not state.is_terminal():
        action = bot.step(state)
        assert action == env.action(position.legal[-1])
        state.apply_action(action)
        position = position.play(position.legal[-1])
    assert env.openspiel_position(state) == position


def test_observations_of_pettingzoo_are_positions(rng):
    raw = connect_four().raw_env()
    for _ in range(5):
        raw.reset()
        for position in random_game(rng)[1:]:
            seen, ours = raw.last()[0], env.pettingzoo_observation(position.undo())
            assert np.array_equal(seen["observation"], ours["observation"])
            assert np.array_equal(seen["action_mask"], ours["action_mask"])
            assert env.pettingzoo_position(raw.last()) == position.undo()
            assert env.pettingzoo_position(seen) == position.undo()
            raw.step(env.action(int(position.moves[-1])))


def test_players_play_in_pettingzoo():
    raw = connect_four().env()
    raw.reset()
    position, policy = Position(), env.pettingzoo_policy(last_legal)
    for _ in raw.agent_iter():
        observation, _, over, _, _ = raw.last()
        if over:
            break
        raw.step(policy(observation))
        position = position.play(position.legal[-1])
    assert position.over


def test_policies_of_pettingzoo_play(rng):
    numpy_rng = np.random.default_rng(4)

    def of_dict(observation):
        return numpy_rng.choice(np.flatnonzero(observation["action_mask"]))

    def of_both(planes, mask):
        assert planes.shape == (6, 7, 2)
        return np.flatnonzero(mask)[-1]

    for position in random_game(rng)[:-1]:
        assert env.pettingzoo_player(of_dict)(position) in position.legal
        assert env.pettingzoo_player(of_both)(position) == position.legal[-1]


@pytest.mark.parametrize("board", BOARDS)
def test_observations_of_kaggle_are_positions(board, rng):
    width, height = map(int, board.split("x"))
    configuration = {"columns": width, "rows": height}
    game = kaggle().make("connectx", configuration=configuration)
    position = Position(board=board)
    game.reset()
    assert set(env.kaggle_configuration(board)) >= {"columns", "rows", "inarow", "actTimeout"}
    while not game.done:
        seen = game.state[position.mover - 1].observation
        shared = game.state[0].observation
        ours = env.kaggle_observation(position)
        assert ours.board == shared.board and ours["mark"] == seen.mark
        assert ours.step == shared.step
        assert env.kaggle_position(shared, game.configuration) == position
        column = rng.choice(position.legal)
        actions = [None, None]
        actions[position.mover - 1] = env.action(column)
        game.step(actions)
        position = position.play(column)


def test_games_of_kaggle_with_other_rules_are_refused():
    observation = env.kaggle_observation(Position())
    configuration = dict(env.kaggle_configuration("7x6"), inarow=5)
    with pytest.raises(ValueError, match="four in a row wins here, not 5"):
        env.kaggle_position(observation, configuration)


def test_agents_of_kaggle_play(tmp_path, rng):
    kaggle()
    random.seed(4)
    file = tmp_path / "agent.py"
    file.write_text("def other():\n    pass\n\ndef agent(observation, configuration):\n    return 2\n")
    assert env.kaggle_player(file)(Position("4")) == 3
    assert env.kaggle_player(str(file))(Position("4")) == 3
    assert env.kaggle_player(lambda observation: observation.mark)(Position("4")) == 3
    negamax = env.kaggle_player("negamax")
    assert negamax(Position("112233")) == 4 and negamax(Position("776655")) == 4
    for position in random_game(rng)[:-1]:
        assert env.kaggle_player("random")(position) in position.legal
    assert env.kaggle_player("random")(Position("12121", board="5x4")) <= 5
    with pytest.raises(ValueError, match="neither a file nor an agent of ConnectX: .*'negamax'"):
        env.kaggle_player("nobody")


def test_players_are_agents_of_kaggle():
    game = kaggle().make("connectx", debug=True)
    agent = env.kaggle_agent(last_legal)
    game.run([agent, agent])
    position = Position()
    while not position.over:
        position = position.play(position.legal[-1])
    assert env.kaggle_position(game.state[0].observation) == position


def test_the_solver_is_a_player(solver):
    agent = env.kaggle_agent(solver.best_move)
    assert agent(env.kaggle_observation(Position("44")), env.kaggle_configuration("7x6")) == 3
