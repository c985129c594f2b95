"""Positions and players of OpenSpiel, PettingZoo and Kaggle's ConnectX.

These packages count columns and players from 0, strong4 from 1. Here is all that crosses the border,
so that no other code adds or subtracts 1. A *player* of strong4 is a function that takes a Position
and returns a column: Solver().best_move is one.

    what                     OpenSpiel            PettingZoo              Kaggle
    to a Position            openspiel_position   pettingzoo_position     kaggle_position
    from a Position          openspiel_state      pettingzoo_observation  kaggle_observation
    their player as ours     openspiel_player     pettingzoo_player       kaggle_player
    our player as theirs     openspiel_bot        pettingzoo_policy       kaggle_agent
    a single move            column(action), action(column)

    >>> from strong4 import Position, Solver, env
    >>> observation = env.kaggle_observation(Position("4453"))
    >>> observation.board[-7:], observation.mark
    ([0, 0, 2, 1, 1, 0, 0], 1)
    >>> agent = env.kaggle_agent(Solver().best_move)
    >>> agent(observation, env.kaggle_configuration("7x6")) == env.action(3)
    True

The packages themselves are imported only where they are needed.
"""

import os
from inspect import signature

import numpy as np

from strong4._strong4 import Position

__all__ = [
    "action",
    "column",
    "kaggle_agent",
    "kaggle_configuration",
    "kaggle_observation",
    "kaggle_player",
    "kaggle_position",
    "openspiel_bot",
    "openspiel_player",
    "openspiel_position",
    "openspiel_probabilities",
    "openspiel_state",
    "pettingzoo_observation",
    "pettingzoo_player",
    "pettingzoo_policy",
    "pettingzoo_position",
]


def column(action):
    """The column, from 1, of an action, from 0. Any integer of NumPy or Python will do."""
    return action.__index__() + 1


def action(column):
    """The action, from 0, of a column, from 1."""
    return column.__index__() - 1


# OpenSpiel: states, which know their game and their moves.


def openspiel_position(state):
    """The Position of a state of OpenSpiel's connect_four, with its moves."""
    game = state.get_game().get_parameters()
    _four_in_a_row(game.get("x_in_row", 4))
    board = f"{game.get('columns', 7)}x{game.get('rows', 6)}"
    return Position([column(move) for move in state.history()], board=board)


def openspiel_state(position, game=None):
    """A state of OpenSpiel's connect_four, or of `game`, which is that of the same board.

    If the moves of the position are unknown, the state has one of the games that lead to it.
    """
    if game is None:
        import pyspiel

        game = pyspiel.load_game(
            "connect_four", {"rows": position.height, "columns": position.width}
        )
    state = game.new_initial_state()
    for letter in position.game():
        state.apply_action(int(letter, 36) - 1)
    return state


def openspiel_player(bot, game=None):
    """The player that asks a bot of OpenSpiel, or a policy for its most probable move.

    Many bots play for one player only, and crash if they are asked about a move of the other. A pair
    of bots plays for both: that of the first player, and that of the second.
    """
    bots = bot if isinstance(bot, (tuple, list)) else (bot, bot)

    def player(position):
        state, asked = openspiel_state(position, game), bots[position.mover - 1]
        if not hasattr(asked, "step"):
            probabilities = asked.action_probabilities(state)
            return column(max(probabilities, key=probabilities.get))
        asked.restart_at(state)
        return column(asked.step(state))

    return _named(player, bots[0])


def openspiel_probabilities(policy, game=None):
    """The function of a Position that returns how probable a policy of OpenSpiel makes each column."""

    def probabilities(position):
        state = openspiel_state(position, game)
        known = policy.action_probabilities(state)
        return [known.get(move, 0.0) for move in range(position.width)]

    return _named(probabilities, policy)


def openspiel_bot(player):
    """A bot of OpenSpiel that asks a player."""
    import pyspiel

    class PlayerBot(pyspiel.Bot):
        """Asks a player of strong4."""

        def restart_at(self, state):
            """Forgets nothing: the player sees each position afresh."""

        def step(self, state):
            """The action of the player."""
            return action(player(openspiel_position(state)))

    return PlayerBot()


# PettingZoo: observations of the player to move, with a mask of its actions.


def pettingzoo_position(observation):
    """The Position in what env.last() or env.observe() of connect_four_v3 returns.

    The observer is the player to move.
    """
    if isinstance(observation, tuple):
        observation = observation[0]
    return Position.from_array(observation["observation"], "pettingzoo")


def pettingzoo_observation(position):
    """What the player to move observes: the planes, and a mask of the actions."""
    mask = np.zeros(position.width, np.int8)
    mask[[action(move) for move in position.legal]] = 1
    return {"observation": position.to_array("pettingzoo"), "action_mask": mask}


def pettingzoo_player(policy):
    """The player that asks a policy: a function of an observation, or of its planes and mask."""
    takes_mask = len(_required(policy)) == 2

    def player(position):
        seen = pettingzoo_observation(position)
        if takes_mask:
            return column(policy(seen["observation"], seen["action_mask"]))
        return column(policy(seen))

    return _named(player, policy)


def pettingzoo_policy(player):
    """A policy that asks a player: a function from an observation to an action."""
    return lambda observation: action(player(pettingzoo_position(observation)))


# Kaggle: observations with a flat board, and a configuration.


def kaggle_position(observation, configuration=None):
    """The Position of an observation of ConnectX; without a configuration the board is 7x6."""
    if configuration is None:
        return Position.from_array(_item(observation, "board"), "connectx")
    _four_in_a_row(_item(configuration, "inarow"))
    board = f"{_item(configuration, 'columns')}x{_item(configuration, 'rows')}"
    return Position.from_array(_item(observation, "board"), "connectx", board=board)


def kaggle_observation(position):
    """What an agent of ConnectX observes: board, mark, step and remainingOverageTime."""
    board = position.to_array("connectx").tolist()
    return _Struct(board=board, mark=position.mover, step=position.tier, remainingOverageTime=60)


def kaggle_configuration(board):
    """The configuration of ConnectX for a board such as "7x6"."""
    empty = Position(board=board)
    return _Struct(
        columns=empty.width,
        rows=empty.height,
        inarow=4,
        actTimeout=2,
        agentTimeout=60,
        runTimeout=1200,
        episodeSteps=1000,
        timeout=2,
    )


def kaggle_player(agent):
    """The player that asks an agent of ConnectX.

    `agent` is a function of an observation and a configuration; or the path of a file, whose last
    function is the agent; or the name of an agent that comes with ConnectX, such as "negamax".
    """
    function = agent if callable(agent) else _kaggle_function(agent)
    parameters = _required(function)

    def player(position):
        given = (kaggle_observation(position), kaggle_configuration(position.board))
        return column(function(*given[: max(1, len(parameters))]))

    return _named(player, agent)


def kaggle_agent(player):
    """An agent of ConnectX that asks a player."""

    def agent(observation, configuration):
        return action(player(kaggle_position(observation, configuration)))

    return agent


def _kaggle_function(agent):
    """The agent in a file, as Kaggle finds it, or one that comes with ConnectX."""
    if os.path.exists(agent):
        from kaggle_environments.agent import get_last_callable

        with open(agent, encoding="utf-8") as file:
            return get_last_callable(file.read(), path=os.fspath(agent))
    from kaggle_environments.envs.connectx.connectx import agents

    if agent in agents:
        return agents[agent]
    known = ", ".join(map(repr, sorted(agents)))
    raise ValueError(f"'{agent}' is neither a file nor an agent of ConnectX: expected one of {known}")


class _Struct(dict):
    """A dict whose items are attributes too, as Kaggle's are."""

    def __init__(self, **items):
        super().__init__(items)
        self.__dict__ = self


def _item(struct, name):
    """An item of a dict, or an attribute."""
    return struct[name] if isinstance(struct, dict) else getattr(struct, name)


def _required(function):
    """The positional parameters that a function must be given."""
    parameters = signature(function).parameters.values()
    return [
        parameter
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is parameter.empty
    ]


def _four_in_a_row(number):
    if number != 4:
        raise ValueError(f"four in a row wins here, not {number}")


def _named(player, original):
    """The player, called as the one that it asks."""
    player.__name__ = getattr(original, "__name__", None) or (
        original if isinstance(original, str) else type(original).__name__
    )
    return player
