"""The results of Solver.analyze() and Solver.review(): named tuples, which notebooks draw."""

from typing import List, NamedTuple, Optional

from strong4._strong4 import Position, _picture_of_analysis, _picture_of_review


class Worth(NamedTuple):
    """The value of a position for the player to move, or of a move for the player who makes it."""

    category: str
    plies: Optional[int]
    score: int


class Analysis(NamedTuple):
    """What is known about a position: the main fields that `strong4 query --json` prints."""

    category: str
    plies: Optional[int]
    score: int
    columns: List[Optional[Worth]]
    best: List[int]
    line: str
    source: str
    position: Position

    def _repr_svg_(self):
        """The position, with the score of each move below its column: notebooks show it."""
        scores = [worth and worth.score for worth in self.columns]
        return _picture_of_analysis(self.position, self.score, scores, self.best)


class ReviewedMove(NamedTuple):
    """A move of a game: its value for the player who made it, and that of the best move."""

    column: int
    category: str
    score: int
    best: List[int]
    best_category: str
    best_score: int
    judgement: str


class Review(NamedTuple):
    """A game, move by move: the main fields that `strong4 review --json` prints."""

    moves: List[ReviewedMove]
    decided_by: Optional[int]
    position: Position

    def _repr_svg_(self):
        """The stones with the numbers of their moves, and the score over time."""
        moves = [(move.score, move.best_score, move.best) for move in self.moves]
        return _picture_of_review(self.position, moves)


# A named tuple knows its fields only as "Alias for field number 0".
FIELDS = {
    "category": '"win", "draw" or "loss"; "over" for a position in which the game is over.',
    "plies": "Moves of both players to the end of the game; None for a draw.",
    "score": "The stones that the winner still holds, plus one; negative for a loss, 0 for a draw.",
    "columns": "The value of each move for the player who makes it; None where there is no move.",
    "best": "The best moves, as columns from 1, those nearest to the centre first.",
    "line": "A best line, as moves from here on. A long one may stop before the game ends.",
    "source": 'Where it comes from: "table", "embedded" (built-in openings) or "search".',
    "column": "The column, from 1.",
    "best_category": '"win", "draw" or "loss" with the best move.',
    "best_score": "The score of the best move.",
    "judgement": '"best", "slower" (the outcome is the same) or "mistake" (it is not).',
    "moves": "The moves, the first one first.",
    "decided_by": "The number of the last move that changed the outcome, from 1; None if none did.",
    "position": "The position: the last one of a game.",
}

for _result in (Worth, Analysis, ReviewedMove, Review):
    for _field in _result._fields:
        getattr(_result, _field).__doc__ = FIELDS[_field]
