"""Connect Four, solved: the score of any position, and of each move.

A short tour:

    >>> from strong4 import Position, Solver
    >>> solver = Solver()
    >>> solver.score("4453")            # for the player to move: a loss
    -2
    >>> solver.move_scores("4453")      # of each move, columns 1 to 7
    [-5, -5, -2, -3, -4, -2, -2]
    >>> solver.best_move("4453")        # the one nearest to the centre
    3

Moves are columns, counted from 1 at the left. A score is the number of stones that the winner
still holds when the game ends, plus one: positive if the player to move wins, negative if
that player loses, 0 for a draw.

    >>> analysis = solver.analyze("3145175534244665")
    >>> analysis.category, analysis.plies, analysis.score, analysis.best
    ('win', 15, 6, [3])
    >>> review = solver.review("1212121")
    >>> review.decided_by, review.moves[5].category, review.moves[5].best_category
    (6, 'loss', 'win')

A Position prints as a drawing. It is immutable, so play() returns a new one:

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

It converts to and from NumPy, in the layouts of OpenSpiel, PettingZoo and Kaggle's ConnectX:

    >>> position.to_array("openspiel").shape
    (3, 6, 7)
    >>> Position.from_array(position.to_array("pettingzoo"), "pettingzoo") == position
    True

Arrays of positions are evaluated on all threads, and can be stopped by Ctrl-C:

    >>> import numpy as np
    >>> keys = np.array([position.play(column).key for column in position.legal], np.uint64)
    >>> solver.score_many(keys)
    array([5, 5, 2, 3, 4, 2, 2], dtype=int8)
    >>> solver.move_scores_many(keys[:1])
    array([[3, 0, 5, 4, 4, 3, 3]], dtype=int8)

Solver(tables="tables/7x6") reads the tables made by `strong4 solve`. With them, positions with
few stones take only milliseconds too. Bad input raises ValueError with the message of the command
line, a value of the wrong type raises TypeError, and a missing or damaged table TableError.

After a fork (multiprocessing's default on Linux before Python 3.14) a child can keep using a
Solver, unless another thread of its parent was using that Solver at the time. If the parent has
such threads, start children with the methods "spawn" or "forkserver". Pickling a Solver keeps
its board, its folder of tables and its number of threads.

"""

from strong4._analysis import Analysis, Review, ReviewedMove, Worth
from strong4._strong4 import NO_MOVE, Position, Solver, TableError, __version__

__all__ = [
    "NO_MOVE",
    "Analysis",
    "Position",
    "Review",
    "ReviewedMove",
    "Solver",
    "TableError",
    "Worth",
    "__version__",
]
