"""How often a random player errs: a notebook in the form of a script.

    python examples/random_errors.py errors.png

The cells begin with `# %%` and run one by one in VS Code, Spyder and Jupyter (with Jupytext).
"""

# %% Setup
import sys

import matplotlib

FILE = sys.argv[1] if len(sys.argv) > 1 else None
if FILE:
    matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from strong4 import Position, Solver

GAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 200
FIRST_TIER = 14  # Earlier positions take seconds to search without tables.

# %% Games of two random players
rng = np.random.default_rng(4)
keys, tiers, played = [], [], []
for _ in range(GAMES):
    position = Position()
    while not position.over:
        column = int(rng.choice(position.legal))
        if position.tier >= FIRST_TIER:
            keys.append(position.key)
            tiers.append(position.tier)
            played.append(column)
        position = position.play(column)

# %% The value of each move
scores = Solver().move_scores_many(np.array(keys, np.uint64), masked=True, progress=True)
tiers, played = np.array(tiers), np.array(played) - 1
best = scores.max(axis=1)
chosen = scores[np.arange(len(scores)), played]
assert not np.ma.is_masked(chosen)

# An error gives away a win or a draw; a slip keeps the outcome but not the best score.
errs = np.sign(chosen) < np.sign(best)
slips = (chosen < best) & ~errs

# %% By tier
there = [tier for tier in range(FIRST_TIER, 42) if (tiers == tier).any()]
share = {
    name: [100 * what[tiers == tier].mean() for tier in there]
    for name, what in (("errors", errs), ("slips", slips))
}
for tier, errors, slipped in zip(there, share["errors"], share["slips"]):
    moves = int((tiers == tier).sum())
    print(f"tier {tier:2}: {moves:4} moves, {errors:3.0f} % errors, {slipped:3.0f} % slips")

# %% A picture
figure, axes = plt.subplots(figsize=(8, 4))
axes.bar(there, share["errors"], label="errors: a win or a draw given away")
axes.bar(there, share["slips"], bottom=share["errors"], label="slips: a slower win, a sooner loss")
axes.set(xlabel="tier (stones on the board)", ylabel="moves, %", ylim=(0, 100))
axes.set_title(f"A random player, {GAMES} games")
axes.legend()
figure.tight_layout()
if FILE:
    figure.savefig(FILE, dpi=120)
else:
    plt.show()
