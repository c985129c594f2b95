"""An agent for Kaggle's ConnectX that never gives away a won game.

    python examples/connectx_agent.py

plays it against the agents that come with the environment. It takes a best move in every
position, so it wins every won position and holds every draw. The first moves of 7x6 are built in.
After them a search takes up to seconds, which count against the agent's overage time. Tables
make every move quick: set STRONG4_TABLES to their folder.
"""

import os

from strong4 import Position, Solver

SOLVERS = {}


def solver_of(board):
    """The solver of a board, created on first use."""
    if board not in SOLVERS:
        SOLVERS[board] = Solver(board, tables=os.environ.get("STRONG4_TABLES") or None)
    return SOLVERS[board]


def agent(observation, configuration):
    """A best move. ConnectX counts columns from 0, strong4 from 1."""
    if configuration.inarow != 4:
        raise ValueError(f"this agent plays four in a row, not {configuration.inarow}")
    board = f"{configuration.columns}x{configuration.rows}"
    position = Position.from_array(observation.board, "connectx", board=board)
    return solver_of(board).best_move(position) - 1


def main():
    from kaggle_environments import evaluate

    for opponent in ("random", "negamax"):
        for name, agents, mine in (
            ("first", [agent, opponent], 0),
            ("second", [opponent, agent], 1),
        ):
            rewards = [game[mine] for game in evaluate("connectx", agents, num_episodes=3)]
            print(f"moving {name} against {opponent}: {rewards}")


if __name__ == "__main__":
    main()
