//! A game reviewed move by move: what each move was worth, and what the best was worth.

use serde::Serialize;

use super::finding::Finding;
use super::{Answer, QueryError, Question, Session, Value};
use crate::board::{Column, Moves, Outcome, Position, Status};
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
    /// Whether the move made the outcome worse.
    pub(crate) fn is_mistake(&self) -> bool {
        matches!(self.judgement(), Judgement::Mistake { .. })
    }

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
        self.moves.iter().rposition(Reviewed::is_mistake).map(|at| at + 1)
    }
}

/// The fields of a review, as `strong4 review --json` prints them.
///
/// ```
/// use strong4::Solver;
/// use strong4::board::{Board, Moves};
/// use strong4::query::{Question, ReviewRecord};
///
/// let solver = Solver::new(Board::STANDARD);
/// let game = Moves::parse(Board::STANDARD, "1212121")?;
/// let review = solver.review(&game, Question::default(), &())?;
/// let record = ReviewRecord::of(&game, &review);
/// assert_eq!((record.status, record.decided_by), ("won", Some(6)));
/// assert_eq!(record.review[5].judgement, "mistake");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReviewRecord {
    /// The game.
    pub moves: String,
    /// The board.
    pub board: String,
    /// Whether the game is `open`, `won`, or over because the board is `full`.
    pub status: &'static str,
    /// Who has won: `first` or `second`; null for nobody.
    pub winner: Option<&'static str>,
    /// The number of the last move that changed the outcome.
    pub decided_by: Option<usize>,
    /// The outcome of the last position for the player to move; null if unknown.
    pub category: Option<&'static str>,
    /// Its score; null if unknown.
    pub score: Option<i32>,
    /// The moves, the first one first.
    pub review: Vec<ReviewedRecord>,
}

/// The fields of a reviewed move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReviewedRecord {
    /// Its number, from 1.
    pub number: usize,
    /// Who made it: `first` or `second`.
    pub player: &'static str,
    /// Its column, from 1.
    pub column: usize,
    /// What it was worth to that player: `win`, `draw` or `loss`; null if unknown.
    pub category: Option<&'static str>,
    /// The same as a score; null if unknown.
    pub score: Option<i32>,
    /// The least that the score can be.
    pub lower: i32,
    /// The most that the score can be.
    pub upper: i32,
    /// The best moves, as columns from 1.
    pub best: Vec<usize>,
    /// What these were worth.
    pub best_category: Option<&'static str>,
    /// The same as a score.
    pub best_score: Option<i32>,
    /// `best`, `slower`, `mistake` or `unknown`.
    pub judgement: &'static str,
}

impl ReviewRecord {
    /// The record of the review of a game.
    pub fn of(game: &Moves, review: &Review) -> ReviewRecord {
        let (position, value) = (game.position(), review.last.value);
        ReviewRecord {
            moves: game.to_string(),
            board: position.board().to_string(),
            status: position.status().name(),
            winner: match position.status() {
                Status::Won(winner) => Some(winner.ordinal()),
                _ => None,
            },
            decided_by: review.decided_by(),
            category: value.category(),
            score: score(value),
            review: (1..).zip(&review.moves).map(|(at, it)| ReviewedRecord::of(at, it)).collect(),
        }
    }
}

impl ReviewedRecord {
    fn of(number: usize, reviewed: &Reviewed) -> ReviewedRecord {
        let Reviewed { position, column, worth, best_worth, best } = reviewed;
        ReviewedRecord {
            number,
            player: position.mover().ordinal(),
            column: column.number(),
            category: worth.category(),
            score: score(*worth),
            lower: worth.lower().get(),
            upper: worth.upper().get(),
            best: best.iter().map(|column| column.number()).collect(),
            best_category: best_worth.category(),
            best_score: score(*best_worth),
            judgement: reviewed.judgement().name(),
        }
    }
}

fn score(value: Value) -> Option<i32> {
    value.score().map(|score| score.get())
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
