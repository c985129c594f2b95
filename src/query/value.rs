//! What is known of the score of a position: all of it, or bounds.

use crate::board::{Board, Outcome, Position, Status, Tier};
use crate::search::{Between, Plies, Score};

/// The score of a game that is over.
pub(super) fn at_sight(position: &Position) -> Option<Score> {
    let outcome = match position.status() {
        Status::Open => return None,
        Status::Won(winner) if winner == position.mover() => Outcome::Win,
        Status::Won(_) => Outcome::Loss,
        Status::Full => Outcome::Draw,
    };
    Some(Score::from_plies(position.board(), position.tier(), outcome, Plies(0)))
}

/// A score, or what is known of it. A bound is not a value: whoever wants the
/// score has to say what happens if there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The score.
    Exact(Score),
    /// The score lies between two others.
    Between(Between),
}

impl Value {
    /// Not worse than `lower`, and not better than `upper`.
    pub fn new(lower: Score, upper: Score) -> Value {
        if lower == upper { Value::Exact(lower) } else { Value::Between(Between { lower, upper }) }
    }

    /// What the rules say of a position of `tier` that is still open.
    pub fn of_open(board: Board, tier: Tier) -> Value {
        let left = (board.cells() - tier.stones()) as i32;
        let score = |score| Score::new(score).expect("no game is longer than a board");
        Value::new(score(-(left / 2)), score((left + 1) / 2))
    }

    /// What is known if the outcome is, too.
    pub fn with_outcome(self, outcome: Outcome) -> Value {
        let one = Score::new(1).expect("a score");
        match outcome {
            Outcome::Win => Value::new(self.lower().max(one), self.upper()),
            Outcome::Draw => Value::Exact(Score::DRAW),
            Outcome::Loss => Value::new(self.lower(), self.upper().min(-one)),
        }
    }

    /// Not worse than this.
    pub fn lower(self) -> Score {
        match self {
            Value::Exact(score) => score,
            Value::Between(between) => between.lower,
        }
    }

    /// Not better than this.
    pub fn upper(self) -> Score {
        match self {
            Value::Exact(score) => score,
            Value::Between(between) => between.upper,
        }
    }

    /// The score, if it is known.
    pub fn score(self) -> Option<Score> {
        match self {
            Value::Exact(score) => Some(score),
            Value::Between(_) => None,
        }
    }

    /// Won, drawn or lost, if that is known.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Value::Exact(score) => Some(score.outcome()),
            Value::Between(between) => between.outcome(),
        }
    }

    /// Is it known whether the score is above `bound`?
    pub fn settles(self, bound: Score) -> bool {
        self.lower() > bound || self.upper() <= bound
    }

    /// The same for the other player.
    pub fn for_other(self) -> Value {
        Value::new(-self.upper(), -self.lower())
    }

    /// What is known if both are true.
    pub fn and(self, other: Value) -> Value {
        Value::new(self.lower().max(other.lower()), self.upper().min(other.upper()))
    }
}

impl From<Value> for Between {
    fn from(value: Value) -> Between {
        Between { lower: value.lower(), upper: value.upper() }
    }
}

impl From<Between> for Value {
    fn from(between: Between) -> Value {
        Value::new(between.lower, between.upper)
    }
}

impl From<Result<Score, Between>> for Value {
    fn from(searched: Result<Score, Between>) -> Value {
        match searched {
            Ok(score) => Value::Exact(score),
            Err(between) => Value::Between(between),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(number: i32) -> Score {
        Score::new(number).unwrap()
    }

    #[test]
    fn bounds_that_meet_are_a_value() {
        let open = Value::of_open(Board::STANDARD, Tier(40));
        assert_eq!((open.lower(), open.upper()), (score(-1), score(1)));
        assert_eq!((open.score(), open.outcome()), (None, None));
        assert_eq!(open.with_outcome(Outcome::Win), Value::Exact(score(1)));
        assert_eq!(open.with_outcome(Outcome::Loss), Value::Exact(score(-1)));
        assert_eq!(open.with_outcome(Outcome::Draw), Value::Exact(Score::DRAW));
        let won = Value::of_open(Board::STANDARD, Tier(20)).with_outcome(Outcome::Win);
        assert_eq!((won.score(), won.outcome()), (None, Some(Outcome::Win)));
        assert_eq!(won.for_other().outcome(), Some(Outcome::Loss));
        assert_eq!(won.and(Value::new(score(-3), score(2))), Value::new(score(1), score(2)));
    }
}
