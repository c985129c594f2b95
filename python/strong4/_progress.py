"""The progress bar of batches: a tqdm bar, or a plain line."""

import sys
import time


def bar(total):
    """A bar for this many positions, on standard error."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return Line(total)
    return Tqdm(tqdm(total=total, unit=" positions", unit_scale=True))


class Tqdm:
    """A tqdm bar, which expects increments."""

    def __init__(self, tqdm):
        self.tqdm = tqdm

    def show(self, done):
        self.tqdm.update(done - self.tqdm.n)

    def close(self):
        self.tqdm.close()


class Line:
    """A line that is rewritten in place."""

    EVERY = 0.2

    def __init__(self, total):
        self.total, self.done, self.shown = total, 0, 0.0

    def show(self, done):
        self.done = done
        if time.monotonic() - self.shown >= self.EVERY:
            self.write("")

    def close(self):
        self.write("\n")

    def write(self, end):
        self.shown = time.monotonic()
        print(f"\r{self.done:,} of {self.total:,} positions", end=end, file=sys.stderr, flush=True)
