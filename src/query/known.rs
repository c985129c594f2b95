//! Positions with known scores, and how answers compare with them.
//!
//! Files of such positions have one line `<moves> <score>` per position, the score in the
//! convention of [`Score`](crate::search::Score).

use std::time::Duration;

use crate::board::{Board, Moves, NotationError};
use crate::search::Score;

/// A game, and what it is worth to the player to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The game.
    pub moves: Moves,
    /// Its score.
    pub score: Score,
}

/// What is wrong with a line that should give a score.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KnownError {
    /// The line is empty.
    #[error("an empty line: expected <moves> <score>, such as '4453 2'")]
    Empty,
    /// The line does not have two words.
    #[error("'{}' is not of the form <moves> <score>, such as '4453 2'", .found.escape_debug())]
    Form {
        /// The line.
        found: String,
    },
    /// The moves are not a legal game.
    #[error(transparent)]
    Moves(#[from] NotationError),
    /// The score is not one that a game can have.
    #[error(
        "'{}' is not a score: expected a whole number from -{most} to {most}",
        .found.escape_debug(), most = Score::MOST.get()
    )]
    Score {
        /// The word found.
        found: String,
    },
}

impl Known {
    /// Reads a line. The moves of the empty board are `''`, or the empty text before a space.
    pub fn parse(board: Board, line: &str) -> Result<Known, KnownError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (moves, score) = match words[..] {
            [] => return Err(KnownError::Empty),
            [score] if line.starts_with(' ') => ("", score),
            ["''", score] => ("", score),
            [moves, score] => (moves, score),
            _ => return Err(KnownError::Form { found: line.trim_end().to_owned() }),
        };
        let moves = Moves::parse(board, moves)?;
        let number = score.parse().ok().and_then(Score::new);
        let score = number.ok_or_else(|| KnownError::Score { found: score.to_owned() })?;
        Ok(Known { moves, score })
    }
}

/// Statistics of many answers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// The number of answers.
    pub positions: u64,
    /// The number of answers that were not as expected.
    pub mismatches: u64,
    /// The total time.
    pub total: Duration,
    /// The time of the slowest answer.
    pub worst: Duration,
}

impl Tally {
    /// Adds an answer.
    pub fn add(&mut self, as_expected: bool, time: Duration) {
        self.positions += 1;
        self.mismatches += u64::from(!as_expected);
        self.total += time;
        self.worst = self.worst.max(time);
    }

    /// The mean time per answer.
    pub fn mean(&self) -> Duration {
        self.total.checked_div(self.positions.max(1) as u32).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_or_refused_with_the_reason() {
        let read = |line| Known::parse(Board::STANDARD, line);
        let known = read("4453 -2\r\n").unwrap();
        assert_eq!((known.moves.to_string().as_str(), known.score.get()), ("4453", -2));
        assert_eq!(read(" 1").unwrap().moves.columns().len(), 0);
        assert_eq!(read("'' 1"), read(" 1"));
        let refused = |line| read(line).unwrap_err().to_string();
        assert_eq!(refused("  "), "an empty line: expected <moves> <score>, such as '4453 2'");
        assert!(refused("4453").starts_with("'4453' is not of the form"));
        assert!(refused("4 4 5").starts_with("'4 4 5' is not of the form"));
        assert_eq!(refused("448 1"), "move 3 is '8': expected a column from 1 to 7");
        assert!(refused("44 1.5").starts_with("'1.5' is not a score"));
        assert!(refused("44 33").starts_with("'33' is not a score"));
    }

    #[test]
    fn a_tally_knows_mean_and_worst() {
        let mut tally = Tally::default();
        assert_eq!(tally.mean(), Duration::ZERO);
        tally.add(true, Duration::from_millis(1));
        tally.add(false, Duration::from_millis(3));
        assert_eq!((tally.positions, tally.mismatches), (2, 1));
        assert_eq!(
            (tally.mean(), tally.worst),
            (Duration::from_millis(2), Duration::from_millis(3))
        );
    }
}
