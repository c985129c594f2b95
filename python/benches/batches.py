"""The time that the scores of many positions take.

    python python/benches/batches.py [--tables DIR] [--tiers 20] [--count 10000]

draws COUNT positions of each tier with `strong4 sample`, using the program named by STRONG4. It
then computes their scores, and those of all their moves. `make bench-python` runs it for the
figures in docs/figures.md.
"""

import argparse
import os
import subprocess
import tempfile
import time

import numpy as np

from strong4 import Solver


def drawn(tiers, count):
    """Keys of random live positions, with the tiers mixed."""
    program = os.environ.get("STRONG4", "strong4")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "keys.npy")
        command = [program, "sample", "--tiers", tiers, "--count", str(count), "--output", file]
        subprocess.run([*command, "--quiet"], check=True)
        return np.random.default_rng(1).permutation(np.load(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", help="the folder of the tables of 7x6, if there is one")
    parser.add_argument("--tiers", default="20")
    parser.add_argument("--count", type=int, default=10_000, help="positions of each tier")
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    keys = drawn(options.tiers, options.count)
    # A solver keeps what it has learnt, so each question gets a solver of its own.
    for question in ("score_many", "move_scores_many"):
        solver = Solver(tables=options.tables, threads=options.threads)
        start = time.perf_counter()
        scores = getattr(solver, question)(keys)
        seconds = time.perf_counter() - start
        print(
            f"tiers {options.tiers}: {question} {len(keys):,} positions: {seconds:.1f} s, "
            f"{scores.size / seconds:,.0f} scores/s",
            flush=True,
        )


if __name__ == "__main__":
    main()
