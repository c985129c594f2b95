"""Random games."""

from strong4 import Position


def random_game(rng, board="7x6", plies=None):
    """The positions of a random game, the empty board first, up to `plies` moves."""
    positions = [Position(board=board)]
    while not positions[-1].over and (plies is None or len(positions) <= plies):
        positions.append(positions[-1].play(rng.choice(positions[-1].legal)))
    return positions
