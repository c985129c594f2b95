"""Gives the standard exams to players that others wrote.

    python examples/grade_players.py [--players negamax mcts] [--exams hard] [--simulations 200]

prints a table in Markdown, the one in docs/exam.md, and the gaps between the players. It needs the
packages whose players take part: kaggle-environments, open_spiel, pettingzoo and bitbully. Those
that are missing are named and left out.
"""

import argparse
import random
import sys

import numpy as np

import strong4
from strong4 import env

SEED = 4


def random_of_kaggle(_):
    """The agent "random" that comes with Kaggle's ConnectX."""
    return env.kaggle_player("random")


def negamax(_):
    """The agent "negamax" that comes with Kaggle's ConnectX: a search of depth 4."""
    return env.kaggle_player("negamax")


def random_of_openspiel(_):
    """OpenSpiel's uniform random bots, one for each player."""
    import pyspiel

    return env.openspiel_player([pyspiel.make_uniform_random_bot(player, SEED) for player in (0, 1)])


def mcts(options):
    """OpenSpiel's Monte Carlo tree search, in C++, with one random game for each simulation."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, options.simulations, 100, True, SEED, False)
    return env.openspiel_player(bot, game)


def random_of_pettingzoo(_):
    """A random policy, as PettingZoo's tutorials write it: the action space samples a legal action."""
    from pettingzoo.classic import connect_four_v3

    game = connect_four_v3.env()
    game.reset()
    space = game.action_space(game.possible_agents[0])
    space.seed(SEED)
    return env.pettingzoo_player(lambda observation: space.sample(observation["action_mask"]))


def bitbully(_):
    """BitBully, a perfect player: MTD(f) with an opening book of its own."""
    import bitbully

    agent = bitbully.BitBully()

    def player(position):
        moves = [env.action(int(move)) for move in position.game()]
        return env.column(agent.best_move(bitbully.Board(moves)))

    return player


PLAYERS = {
    "random (Kaggle)": random_of_kaggle,
    "random (OpenSpiel)": random_of_openspiel,
    "random (PettingZoo)": random_of_pettingzoo,
    "negamax (Kaggle)": negamax,
    "MCTS (OpenSpiel)": mcts,
    "BitBully": bitbully,
}


def percent(share):
    """A share and its interval."""
    return f"{100 * share.share:.1f} ({100 * share.low:.1f}–{100 * share.high:.1f})"


def row(report):
    """A report as a row of the table."""
    loss = report.loss
    loss = f"{loss.mean:.2f} ({loss.low:.2f}–{loss.high:.2f})"
    cells = [report.player, percent(report.perfect), percent(report.good), loss]
    return f"| {' | '.join(cells)} | {1000 * report.seconds.mean:.2f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", nargs="*", default=[""], help="parts of their names")
    parser.add_argument("--exams", nargs="*", default=["uniform", "played", "hard"])
    parser.add_argument("--simulations", type=int, default=200, help="of MCTS, for each move")
    options = parser.parse_args()
    for exam in options.exams:
        print(f"\n{strong4.Exam.standard(exam)!r}\n")
        print("| player | perfect % | good % | loss | ms a move |\n|---|---|---|---|---|")
        reports = []
        for name, make in PLAYERS.items():
            if not any(part.lower() in name.lower() for part in options.players):
                continue
            random.seed(SEED)
            np.random.seed(SEED)
            try:
                player = make(options)
            except ImportError as missing:
                print(f"{name}: left out, since {missing.name} is not installed", file=sys.stderr)
                continue
            reports.append(strong4.grade(player, exam, name=name, progress=sys.stderr.isatty()))
            print(row(reports[-1]), flush=True)
        print()
        for (one, other), gaps in strong4.compare(*reports).gaps.items():
            gap = gaps["good"]
            print(
                f"{reports[one].player} - {reports[other].player}: "
                f"{100 * gap.difference:+.1f} points of good moves, p = {gap.chance:.2g}"
            )


if __name__ == "__main__":
    main()
