//! What may be asked about a position: one verb for each thing, with the names of the library.

use strong4::board::{Column, Moves, Outcome};
use strong4::query::{Answer, JsonInteger, Record, Value};
use strong4::search::Score;

use super::reply;
use crate::cli::input::asked::Asked;
use crate::cli::output::record;

/// A question about a position.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Verb {
    /// All that follows, and a line to the end.
    Analyze,
    Score,
    Outcome,
    MoveScores,
    BestMove,
}

impl Verb {
    pub(super) const ALL: [Verb; 5] =
        [Verb::Analyze, Verb::Score, Verb::Outcome, Verb::MoveScores, Verb::BestMove];

    /// The path that asks it.
    pub(super) fn path(self) -> &'static str {
        match self {
            Verb::Analyze => "/api/analyze",
            Verb::Score => "/api/score",
            Verb::Outcome => "/api/outcome",
            Verb::MoveScores => "/api/move_scores",
            Verb::BestMove => "/api/best_move",
        }
    }

    /// Whether the answer has all that is asked for.
    pub(super) fn is_answered_by(self, answer: &Answer) -> bool {
        match self {
            Verb::Analyze => has_all_values(answer) && answer.line_ends(),
            Verb::Score => answer.value.score().is_some(),
            Verb::Outcome => answer.value.outcome().is_some(),
            Verb::MoveScores | Verb::BestMove => has_all_values(answer),
        }
    }

    /// Whether the moves and their values do not matter.
    pub(super) fn is_of_the_position_alone(self) -> bool {
        matches!(self, Verb::Score | Verb::Outcome)
    }

    /// The answer as a line of JSON: for `Analyze`, the record that the command line prints; for
    /// the others, what they ask for under their own name, or `None` if it is not known.
    pub(super) fn line(self, asked: &Asked, answer: &Answer) -> Option<String> {
        let whole = record_of(asked, answer);
        let (moves, key) = (&whole.moves, JsonInteger::from(whole.key));
        let exact = |value: Value| value.score().map(Score::get);
        let line = match self {
            Verb::Analyze => return Some(reply::line(&whole)),
            Verb::Score => reply::line(&record! { moves, key, score: exact(answer.value) }),
            Verb::Outcome => {
                let outcome = answer.value.outcome().map(Outcome::name);
                reply::line(&record! { moves, key, outcome })
            }
            Verb::MoveScores => {
                let columns = answer.columns.iter();
                let move_scores: Vec<_> = columns.map(|value| value.and_then(exact)).collect();
                reply::line(&record! { moves, key, move_scores })
            }
            Verb::BestMove => {
                let best_move = answer.choice().map(Column::number);
                reply::line(&record! { moves, key, best_move })
            }
        };
        self.is_answered_by(answer).then_some(line)
    }
}

/// The record of an answer, with the moves that named the position.
pub(super) fn record_of(asked: &Asked, answer: &Answer) -> Record {
    Record { moves: asked.moves.as_ref().map(Moves::to_string), ..Record::of(answer) }
}

/// Whether every value is exact.
pub(super) fn has_all_values(answer: &Answer) -> bool {
    values_of(answer).all(|value| value.score().is_some())
}

/// The value of the position, and of each move.
pub(super) fn values_of(answer: &Answer) -> impl Iterator<Item = Value> {
    std::iter::once(answer.value).chain(answer.columns.iter().copied().flatten())
}
