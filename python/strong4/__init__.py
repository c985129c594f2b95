"""Connect Four, solved: the score of any position, and of each move.

A short tour:

    >>> from strong4 import Position, Solver
    >>> solver = Solver()
    >>> solver.score("4453")            # for the player to move: a loss
    -2
    >>> solver.scores("4453")           # of each move, columns 1 to 7
    [-5, -5, -2, -3, -4, -2, -2]
    >>> solver.play("4453")             # a best move
    3

Moves are columns, counted from 1 at the left. A score is how many stones the winner has left
when the game ends, counting the one that wins: positive if the player to move wins, negative if
the other one does, 0 for a draw.

    >>> analysis = solver.analyze("3145175534244665")
    >>> analysis.category, analysis.plies, analysis.score, analysis.best
    ('win', 15, 6, [3])

A Position is drawn as it is printed. It never changes, so play() returns a new one:

    >>> position = Position("4453")
    >>> position.play(3)
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . X O . . .
    . . O X X . .
    1 2 3 4 5 6 7
    >>> position.key, position.legal, position.winner
    (4433219977345, [1, 2, 3, 4, 5, 6, 7], None)
    >>> Position.from_key(4433219977345) == position
    True

It goes to NumPy and comes back, in the layouts of OpenSpiel, PettingZoo and Kaggle's ConnectX:

    >>> position.to_array("openspiel").shape
    (3, 6, 7)
    >>> Position.from_array(position.to_array("pettingzoo"), "pettingzoo") == position
    True

Many positions are answered at once, on all threads; Ctrl-C stops that:

    >>> import numpy as np
    >>> keys = np.array([position.play(column).key for column in position.legal], np.uint64)
    >>> solver.scores_of(keys)
    array([5, 5, 2, 3, 4, 2, 2], dtype=int8)
    >>> solver.move_scores_of(keys[:1])
    array([[3, 0, 5, 4, 4, 3, 3]], dtype=int8)

Solver(tables="tables/7x6") reads the tables that `strong4 solve` has made: with them, positions
with few stones take milliseconds, too. Bad input raises ValueError with the text that the
command line prints, a value of the wrong type TypeError, and a table that is missing or damaged
TableError.

After a fork (multiprocessing's default on Linux before Python 3.14) a child can go on with a
Solver, unless another thread of its parent was using that very Solver at the time. Where the
parent has such threads, start children with the methods "spawn" or "forkserver". Pickling a
Solver keeps its board, its folder of tables and its number of threads.
"""

from strong4._analysis import Analysis, Worth
from strong4._strong4 import NO_MOVE, Position, Solver, TableError, __version__

__all__ = [
    "NO_MOVE",
    "Analysis",
    "Position",
    "Solver",
    "TableError",
    "Worth",
    "__version__",
]
