"""Labels positions with their scores, and writes a data set.

    python examples/label_dataset.py --tier 24 --positions 1000 positions.npz

The positions come from random players. The file holds, for n positions of 7x6,

    planes        (n, 3, 6, 7)  float32   in OpenSpiel's layout
    keys          (n,)          uint64
    scores        (n,)          int8      for the player to move
    move_scores   (n, 7)        int16     for the player to move; -128 where there is no move
"""

import argparse
import random
import time

import numpy as np

from strong4 import Position, Solver, to_arrays


def random_positions(tier, count, seed=4, board="7x6"):
    """Distinct open positions of a tier, from games of random players."""
    rng = random.Random(seed)
    found = {}
    for _ in range(1000 * count):
        position = Position(board=board)
        while position.tier < tier and not position.over:
            position = position.play(rng.choice(position.legal))
        if position.tier == tier and not position.over:
            found.setdefault(position)
            if len(found) == count:
                return list(found)
    raise SystemExit(f"random players reach only {len(found)} positions of tier {tier}")


def label(positions, solver, progress=False):
    """The arrays of the data set."""
    keys = np.array([position.key for position in positions], np.uint64)
    return {
        "planes": to_arrays(keys, "openspiel", board=solver.board),
        "keys": keys,
        "scores": solver.score_many(keys, progress=progress),
        "move_scores": solver.move_scores_many(keys, progress=progress),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--tier", type=int, default=24)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--tables", help="the folder of the tables, if there is one")
    options = parser.parse_args()
    positions = random_positions(options.tier, options.positions)
    solver = Solver(tables=options.tables)
    start = time.perf_counter()
    dataset = label(positions, solver, progress=True)
    print(f"labelled in {time.perf_counter() - start:.1f} s")
    np.savez_compressed(options.file, **dataset)
    for name, array in dataset.items():
        print(f"{name:12} {array.dtype} {array.shape}")


if __name__ == "__main__":
    main()
