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

It converts to and from NumPy, in the layouts of OpenSpiel, PettingZoo and Kaggle's ConnectX;
strong4.env adapts their states and players, whose columns count from 0:

    >>> position.to_array("openspiel").shape
    (3, 6, 7)
    >>> Position.from_array(position.to_array("pettingzoo"), "pettingzoo") == position
    True

Many positions are evaluated on all threads, until Ctrl-C. They are given as moves, keys and
Positions in any mixture, and sample() and positions() supply them:

    >>> solver.score_many(["4453", "44"])
    array([-2,  1], dtype=int8)
    >>> solver.outcome_many([position, position.play(3).key])
    array([-1,  1], dtype=int8)
    >>> scores = solver.move_scores_many(["444444", "44"], masked=True)  # no move into column 4
    >>> (scores.max(axis=1, keepdims=True) - scores).tolist()
    [[2, 1, 0, None, 0, 1, 2], [4, 4, 3, 0, 3, 4, 4]]
    >>> import strong4
    >>> strong4.to_arrays(strong4.sample("8..10", 100), "pettingzoo").shape
    (300, 6, 7, 2)

Notebooks draw a Position, and what analyze() and review() return.

Solver(tables="tables/7x6") reads the tables made by `strong4 solve`. With them, positions with
few stones take only milliseconds too. Bad input raises ValueError with the message of the command
line, a value of the wrong type raises TypeError, and a missing or damaged table TableError.

After a fork (multiprocessing's default on Linux before Python 3.14) a child can keep using a
Solver, unless another thread of its parent was using that Solver at the time. If the parent has
such threads, start children with the methods "spawn" or "forkserver". Pickling a Solver keeps
its board, its folder of tables and its number of threads.

"""

from strong4 import env as env
from strong4._analysis import Analysis as Analysis
from strong4._analysis import Review as Review
from strong4._analysis import ReviewedMove as ReviewedMove
from strong4._analysis import Worth as Worth
from strong4._grade import Comparison, Games, Player, Report, compare, grade, play_games
from strong4._strong4 import (
    NO_MOVE,
    Exam,
    Position,
    Solver,
    TableError,
    __version__,
    from_arrays,
    positions,
    sample,
    to_arrays,
)

# The results are not in this list: help(strong4) would show what all named tuples have.
__all__ = [
    "NO_MOVE",
    "Comparison",
    "Exam",
    "Games",
    "Player",
    "Position",
    "Report",
    "Solver",
    "TableError",
    "__version__",
    "compare",
    "from_arrays",
    "grade",
    "play_games",
    "positions",
    "sample",
    "to_arrays",
]
