"""The results of Solver.analyze() and Solver.review()."""

from typing import List, NamedTuple, Optional


class Worth(NamedTuple):
    """The value of a position for the player to move, or of a move for the player who makes it."""

    category: str
    """"win", "draw" or "loss"; "over" for a position in which the game is over."""

    plies: Optional[int]
    """Moves of both players to the end of the game; None for a draw."""

    score: int
    """The stones that the winner still holds, plus one; negative for a loss, 0 for a draw."""


class Analysis(NamedTuple):
    """What is known about a position: the main fields that `strong4 query --json` prints."""

    category: str
    """"win", "draw" or "loss", for the player to move; "over" if the game is over."""

    plies: Optional[int]
    """Moves of both players to the end of the game; None for a draw."""

    score: int
    """The stones that the winner still holds, plus one; negative for a loss, 0 for a draw."""

    columns: List[Optional[Worth]]
    """The value of each move for the player who makes it; None where there is no move."""

    best: List[int]
    """The best moves, as columns from 1, those nearest to the centre first."""

    line: str
    """A best line, as moves from this position on. A long one may stop before the game ends."""

    source: str
    """The source of the answer: "table", "embedded" (built-in openings) or "search"."""


class ReviewedMove(NamedTuple):
    """A move of a game: its value for the player who made it, and that of the best move."""

    column: int
    """The column, from 1."""

    category: str
    """"win", "draw" or "loss", for the player who made it."""

    score: int
    """Its score."""

    best: List[int]
    """The best moves, as columns from 1, those nearest to the centre first."""

    best_category: str
    """"win", "draw" or "loss" with the best move."""

    best_score: int
    """The score of the best move."""

    judgement: str
    """"best", "slower" (the outcome is the same) or "mistake" (it is not)."""


class Review(NamedTuple):
    """A game, move by move: the main fields that `strong4 review --json` prints."""

    moves: List[ReviewedMove]
    """The moves, the first one first."""

    decided_by: Optional[int]
    """The number of the last move that changed the outcome, from 1; None if there is none."""
