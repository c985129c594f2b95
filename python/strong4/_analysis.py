"""What Solver.analyze() returns."""

from typing import List, NamedTuple, Optional


class Worth(NamedTuple):
    """What a position is worth to the player to move, or a move to the player who makes it."""

    category: str
    """"win", "draw" or "loss"; "over" for a position in which the game is over."""

    plies: Optional[int]
    """Moves to the end of the game, those of both players; None for a draw."""

    score: int
    """How many stones the winner has left at the end, negative for a loss, 0 for a draw."""


class Analysis(NamedTuple):
    """Everything about a position: the fields that `strong4 query --json` prints."""

    category: str
    """"win", "draw" or "loss", for the player to move; "over" if the game is over."""

    plies: Optional[int]
    """Moves to the end of the game, those of both players; None for a draw."""

    score: int
    """How many stones the winner has left at the end, negative for a loss, 0 for a draw."""

    columns: List[Optional[Worth]]
    """What each move is worth to the player who makes it; None where there is no move."""

    best: List[int]
    """The best moves, as columns from 1, those nearest to the centre first."""

    line: str
    """A best line, as moves from this position on. A long one may end before the game does."""

    source: str
    """Who knew it: "table", "embedded" (openings that are built in) or "search"."""
