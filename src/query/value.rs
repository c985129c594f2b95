//! What is known of the score of a position: the score, or bounds.

use std::cmp::Ordering;
use std::fmt;

use crate::board::{Board, Outcome, Position, Tier};
use crate::search::{Between, Score};

/// The score of a game that is over.
pub(super) fn at_sight(position: &Position) -> Option<Score> {
    let (board, tier) = (position.board(), position.tier());
    position.ending().map(|outcome| Score::from_plies_unchecked(board, tier, outcome, 0))
}

/// A score, or bounds on one. A bound is not a value: code that wants the score has to say what
/// happens if there is none.
///
/// ```
/// use strong4::board::Outcome;
/// use strong4::query::Value;
/// use strong4::search::Score;
///
/// let [one, two] = [1, 2].map(|score| Score::new(score).unwrap());
/// let bounds = Value::new(one, two).unwrap();
/// assert_eq!((bounds.score(), bounds.outcome()), (None, Some(Outcome::Win)));
/// assert_eq!(Value::Exact(two).score(), Some(two));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The score.
    Exact(Score),
    /// The score lies between two others.
    Between(Between),
}

impl Value {
    /// At least `lower` and at most `upper`; `None` if these cross.
    pub fn new(lower: Score, upper: Score) -> Option<Value> {
        match lower.cmp(&upper) {
            Ordering::Less => Some(Value::Between(Between { lower, upper })),
            Ordering::Equal => Some(Value::Exact(lower)),
            Ordering::Greater => None,
        }
    }

    /// The same for bounds that are known to be in order.
    fn ordered(lower: Score, upper: Score) -> Value {
        Value::new(lower, upper).expect("bounds in order")
    }

    /// What the rules say about the score of an open position of `tier`.
    pub(crate) fn of_open(board: Board, tier: Tier) -> Value {
        let empty = (board.cells() - tier.stones()) as i32;
        let score = |score| Score::new(score).expect("no game is longer than a board");
        Value::ordered(score(-(empty / 2)), score((empty + 1) / 2))
    }

    /// Everything that an outcome says about the score.
    pub(crate) fn of_outcome(outcome: Outcome) -> Value {
        match outcome {
            Outcome::Win => Value::at_least(Score::LEAST_WIN),
            Outcome::Draw => Value::Exact(Score::DRAW),
            Outcome::Loss => Value::at_most(-Score::LEAST_WIN),
        }
    }

    /// At least this score.
    pub(crate) fn at_least(score: Score) -> Value {
        Value::ordered(score, Score::MOST)
    }

    /// At most this score.
    pub(crate) fn at_most(score: Score) -> Value {
        Value::ordered(-Score::MOST, score)
    }

    /// The least that the score can be.
    pub fn lower(self) -> Score {
        Between::from(self).lower
    }

    /// The most that the score can be.
    pub fn upper(self) -> Score {
        Between::from(self).upper
    }

    /// The score, if it is known.
    pub fn score(self) -> Option<Score> {
        match self {
            Value::Exact(score) => Some(score),
            Value::Between(_) => None,
        }
    }

    /// Win, draw or loss, if that is known.
    pub fn outcome(self) -> Option<Outcome> {
        Between::from(self).outcome()
    }

    /// Whether it says if the score is above `bound`.
    pub(crate) fn settles(self, bound: Score) -> bool {
        self.lower() > bound || self.upper() <= bound
    }

    /// The same for the other player.
    pub fn for_other(self) -> Value {
        Value::ordered(-self.upper(), -self.lower())
    }

    /// What is known if both are true; `None` if they contradict each other.
    pub fn and(self, other: Value) -> Option<Value> {
        Value::new(self.lower().max(other.lower()), self.upper().min(other.upper()))
    }
}

impl From<Value> for Between {
    fn from(value: Value) -> Between {
        match value {
            Value::Exact(score) => Between { lower: score, upper: score },
            Value::Between(between) => between,
        }
    }
}

impl From<Between> for Value {
    fn from(between: Between) -> Value {
        Value::ordered(between.lower, between.upper)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.outcome()) {
            (_, Some(Outcome::Draw)) => write!(f, "a draw"),
            (Value::Exact(score), Some(outcome)) => write!(f, "a {outcome}, score {score}"),
            (Value::Between(_), Some(outcome)) => write!(f, "a {outcome}"),
            (_, None) => write!(f, "of a score from {} to {}", self.lower(), self.upper()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(number: i32) -> Score {
        Score::new(number).unwrap()
    }

    fn between(lower: i32, upper: i32) -> Option<Value> {
        Value::new(score(lower), score(upper))
    }

    #[test]
    fn bounds_that_meet_are_a_value() {
        let open = Value::of_open(Board::STANDARD, Tier(40));
        assert_eq!((open.lower(), open.upper()), (score(-1), score(1)));
        assert_eq!((open.score(), open.outcome()), (None, None));
        let with = |value: Value, outcome| value.and(Value::of_outcome(outcome));
        assert_eq!(with(open, Outcome::Win), Some(Value::Exact(score(1))));
        assert_eq!(with(open, Outcome::Loss), Some(Value::Exact(score(-1))));
        assert_eq!(with(open, Outcome::Draw), Some(Value::Exact(Score::DRAW)));
        let won = with(Value::of_open(Board::STANDARD, Tier(20)), Outcome::Win).unwrap();
        assert_eq!((won.score(), won.outcome()), (None, Some(Outcome::Win)));
        assert_eq!(won.for_other().outcome(), Some(Outcome::Loss));
        assert_eq!(won.and(between(-3, 2).unwrap()), between(1, 2));
    }

    #[test]
    fn bounds_that_cross_are_none() {
        assert_eq!(between(1, 0), None);
        let (draw, won) = (Value::Exact(Score::DRAW), between(1, 8).unwrap());
        assert_eq!(draw.and(won), None);
        assert_eq!(won.and(Value::at_most(Score::DRAW)), None);
        assert_eq!(won.and(won.for_other()), None);
    }

    #[test]
    fn values_are_displayed_as_far_as_they_are_known() {
        let said = |lower, upper| between(lower, upper).unwrap().to_string();
        assert_eq!(said(0, 0), "a draw");
        assert_eq!(said(3, 3), "a win, score 3");
        assert_eq!(said(-8, -1), "a loss");
        assert_eq!(said(-2, 5), "of a score from -2 to 5");
    }
}
