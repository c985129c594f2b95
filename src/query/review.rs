//! A game reviewed move by move: what each move was worth, and what the best was worth.

use super::finding::Finding;
use super::{Answer, QueryError, Question, Session, Value};
use crate::board::{Column, Moves, Outcome, Position};
use crate::progress::Progress;

/// A review of a game.
///
/// ```
/// use strong4::Solver;
/// use strong4::board::{Board, Moves};
/// use strong4::query::Question;
///
/// let solver = Solver::new(Board::STANDARD);
/// let game = Moves::parse(Board::STANDARD, "1212121")?;
/// let review = solver.review(&game, Question::default(), &())?;
/// assert_eq!(review.decided_by(), Some(6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Review {
    /// The moves, the first one first.
    pub moves: Vec<Reviewed>,
    /// The answer for the last position.
    pub last: Answer,
}

/// A review of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reviewed {
    /// The position in which it was made.
    pub position: Position,
    /// The move.
    pub column: Column,
    /// What it was worth to the player who made it.
    pub worth: Value,
    /// What the best move was worth.
    pub best_worth: Value,
    /// The best moves; empty if nothing is known.
    pub best: Vec<Column>,
}

/// How good a move was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// No other move was better.
    Best,
    /// It kept the outcome, but wins later than necessary, or loses sooner.
    Slower,
    /// It changed the outcome for the player who made it.
    Mistake {
        /// The outcome with the best move.
        from: Outcome,
        /// The outcome after the move played.
        to: Outcome,
    },
    /// Too little is known.
    Unknown,
}

impl Judgement {
    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Best => "best",
            Judgement::Slower => "slower",
            Judgement::Mistake { .. } => "mistake",
            Judgement::Unknown => "unknown",
        }
    }
}

impl Reviewed {
    /// How good the move was.
    pub fn judgement(&self) -> Judgement {
        match (self.best_worth.outcome(), self.worth.outcome()) {
            (Some(from), Some(to)) if from != to => Judgement::Mistake { from, to },
            (None, _) | (_, None) => Judgement::Unknown,
            _ if self.worth.lower() >= self.best_worth.upper() => Judgement::Best,
            _ if self.worth.upper() < self.best_worth.lower() => Judgement::Slower,
            _ => Judgement::Unknown,
        }
    }
}

impl Review {
    /// The number, from 1, of the last move that changed the outcome and so decided the game.
    pub fn decided_by(&self) -> Option<usize> {
        let mistake =
            |reviewed: &Reviewed| matches!(reviewed.judgement(), Judgement::Mistake { .. });
        self.moves.iter().rposition(mistake).map(|at| at + 1)
    }
}

impl Session {
    /// Reviews a game. Asks the question of each position, and reports to `progress` how many are
    /// answered.
    pub fn review(
        &mut self,
        game: &Moves,
        question: Question,
        progress: &impl Progress,
    ) -> Result<Review, QueryError> {
        let mut positions = vec![Position::empty(game.position().board())];
        for column in game.columns() {
            let last = positions[positions.len() - 1];
            positions.push(last.play_unchecked(*column));
        }
        let total = positions.len() as u64;
        // From the end, because what is known of a position helps with the one before it.
        let (mut answers, mut after): (Vec<Answer>, Option<Finding>) = (Vec::new(), None);
        for (tier, position) in positions.iter().enumerate().rev() {
            progress.advance(answers.len() as u64, total);
            let found = self.findings(position, question, question.until(), &mut |_, _| ())?;
            // What a move is worth and what its position is worth must agree.
            let made = game.columns().get(tier).and_then(|column| found.moves[column.index()]);
            if let (Some(made), Some(after)) = (made, after) {
                self.both(&positions[tier + 1], made.for_other(), after)?;
            }
            after = Some(found.worth);
            answers.push(found.answer);
        }
        let last = answers.remove(0);
        let moves = game.columns().iter().zip(answers.into_iter().rev()).map(|(column, answer)| {
            let worth = answer.columns[column.index()].expect("a move that was made");
            let Answer { position, value: best_worth, best, .. } = answer;
            Reviewed { position, column: *column, worth, best_worth, best }
        });
        Ok(Review { moves: moves.collect(), last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Status};
    use crate::search::Search;

    fn review(board: Board, moves: &str) -> Review {
        let game = Moves::parse(board, moves).unwrap();
        Session::new(board).review(&game, Question::default(), &()).unwrap()
    }

    /// The slow twin asks a search for each position and each child alone.
    #[test]
    fn moves_are_worth_what_a_search_says() {
        for (board, game) in [("5x4", "3331244"), ("4x4", "1223341"), ("7x6", "1212121")] {
            let board: Board = board.parse().unwrap();
            let review = review(board, game);
            let mut search = Search::new(board, 1 << 20);
            let mut position = Position::empty(board);
            for reviewed in &review.moves {
                assert_eq!(reviewed.position, position);
                let child = position.play(reviewed.column).unwrap();
                if board != Board::STANDARD || child.tier().stones() > 5 {
                    assert_eq!(reviewed.worth.score(), Some(-search.score(&child)));
                    assert_eq!(reviewed.best_worth.score(), Some(search.score(&position)));
                }
                position = child;
            }
            assert_eq!(review.last.position, position);
        }
    }

    #[test]
    fn a_game_is_lost_where_the_outcome_changed_last() {
        // O lets X build a column of four: the sixth move had to go on top of it.
        let review = review(Board::STANDARD, "1212121");
        assert!(matches!(review.last.position.status(), Status::Won(_)));
        assert_eq!(review.decided_by(), Some(6));
        let to = |from, to| Judgement::Mistake { from, to };
        let judgements: Vec<_> = review.moves.iter().map(Reviewed::judgement).collect();
        assert_eq!(judgements[0], to(Outcome::Win, Outcome::Loss));
        assert_eq!(judgements[6], Judgement::Best);
        assert!(matches!(judgements[5], Judgement::Mistake { to: Outcome::Loss, .. }));
    }

    #[test]
    fn no_moves_are_a_game_too() {
        let review = review(Board::STANDARD, "");
        assert_eq!((review.moves.len(), review.decided_by()), (0, None));
        assert_eq!(review.last.value.outcome(), Some(Outcome::Win));
    }
}
