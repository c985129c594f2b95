"""The time that an exam of many positions takes a net.

    python python/benches/grades.py [--tables DIR] [--board 7x6] [--tiers 10..30] [--count 1000000]

draws COUNT positions in equal parts of TIERS, finds the scores of all their moves, and grades a batch
function that plays the first column with room. `make bench-python` runs it for docs/figures.md.
"""

import argparse
import time

import numpy as np

import strong4


def leftmost(boards):
    """The first column with room, of each board of a grid."""
    return (boards[:, 0] == 0).argmax(axis=1) + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", help="the folder of the tables, if there is one")
    parser.add_argument("--board", default="7x6")
    parser.add_argument("--tiers", default="10..30")
    parser.add_argument("--count", type=int, default=1_000_000, help="positions in all")
    options = parser.parse_args()
    first, _, last = options.tiers.partition("..")
    each = -(-options.count // (int(last or first) - int(first) + 1))
    start = time.perf_counter()

    def tell(what):
        nonlocal start
        end = time.perf_counter()
        print(f"{what}: {end - start:.1f} s", flush=True)
        start = end

    keys = strong4.sample(options.tiers, each, board=options.board)
    tell(f"{options.board}, tiers {options.tiers}: {len(keys):,} positions drawn")
    keys = np.random.default_rng(1).permutation(keys)
    exam = strong4.Exam(keys, strong4.Solver(options.board, tables=options.tables))
    tell(f"{len(exam):,} questions, {exam.left_out:,} left out")
    report = strong4.grade(leftmost, exam, layout="grid", batch=1 << 16)
    tell(f"graded: {report.perfect.share:.3f} perfect, {report.good.share:.3f} good")
    arrays = report.by_tier
    tell(f"arrays of {len(arrays['tier'])} tiers")


if __name__ == "__main__":
    main()
