//! The answer to a question about a position, its form for programs, and how it compares with known
//! scores.
//!
//! Files of known scores have one line `<moves> <score>` per position.

use std::cmp::Reverse;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::Value;
use crate::board::{Board, Column, Moves, NotationError, Outcome, Position, Status, letters};
use crate::search::{Plies, Score};
use crate::tromp::Key;

/// Everything that was asked about a position.
///
/// ```
/// use strong4::Solver;
/// use strong4::board::{Board, Moves};
/// use strong4::query::{Question, Source};
///
/// let solver = Solver::new(Board::STANDARD);
/// let game = Moves::parse(Board::STANDARD, "4453")?;
/// let answer = solver.analyze(game.position(), Question::default())?;
/// let best: Vec<usize> = answer.best.iter().map(|column| column.number()).collect();
/// assert_eq!((best, answer.source), (vec![3, 6, 7], Source::Embedded));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The position.
    pub position: Position,
    /// What it is worth to the player to move.
    pub value: Value,
    /// What each move is worth to the player who makes it; `None` if the column is full or the game
    /// is over.
    pub columns: Vec<Option<Value>>,
    /// The moves that keep the outcome and that no other move is known to beat, those nearest to
    /// the centre first; empty if the outcome is not known.
    pub best: Vec<Column>,
    /// A game from here on in which both play their best, as far as it was found.
    pub line: Vec<Column>,
    /// Where the value of the position came from.
    pub source: Source,
    /// How long it took.
    pub time: Duration,
}

/// Where a value came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The tables; distances by a search that they guided.
    Table,
    /// The built-in openings.
    Embedded,
    /// A search that knew only the rules.
    Search,
}

impl Answer {
    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.position.status() != Status::Open
    }

    /// A move to make, if there is one: one of the best, or else the most promising.
    pub fn choice(&self) -> Option<Column> {
        let promise = |column: &Column| {
            let value = self.columns[column.index()]?;
            let from_centre = self.position.board().distance_from_centre(*column);
            Some((value.lower(), value.upper(), Reverse(from_centre)))
        };
        let columns = self.position.board().columns();
        let open = columns.filter(|column| promise(column).is_some());
        self.best.first().copied().or_else(|| open.max_by_key(promise))
    }

    /// The number of moves in a game that ends with this value; `None` if the value is unknown or a
    /// draw.
    pub fn plies(&self, value: Value) -> Option<Plies> {
        let score = value.score()?;
        let (board, tier) = (self.position.board(), self.position.tier());
        if score.outcome() == Outcome::Draw { None } else { score.plies(board, tier) }
    }

    /// Whether the line reaches the end of the game.
    pub fn line_ends(&self) -> bool {
        let play = |position: Position, column: &Column| position.play_unchecked(*column);
        self.line.iter().fold(self.position, play).status() != Status::Open
    }
}

/// The fields of an answer, as `strong4 query --json` prints them.
///
/// ```
/// use strong4::Solver;
/// use strong4::board::{Board, Moves};
/// use strong4::query::{Question, Record};
///
/// let solver = Solver::new(Board::STANDARD);
/// let game = Moves::parse(Board::STANDARD, "4453")?;
/// let answer = solver.analyze(game.position(), Question::default())?;
/// let record = Record::of(&answer).with_moves(&game);
/// assert_eq!(record.worth.category, Some("loss"));
/// assert_eq!((record.worth.plies, record.worth.score), (Some(36), Some(-2)));
/// assert_eq!(record.best, [3, 6, 7]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Record {
    /// The moves that led to the position, if they are known.
    pub moves: Option<String>,
    /// The key of the position.
    #[serde(serialize_with = "json_integer")]
    pub key: u64,
    /// The board, on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// A drawing, on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawing: Option<String>,
    /// What the position is worth.
    #[serde(flatten)]
    pub worth: Worth,
    /// What each move is worth to the player who makes it; null if the column is full.
    pub columns: Vec<Option<Worth>>,
    /// The best moves, as columns from 1.
    pub best: Vec<usize>,
    /// A best line; null if none is known.
    pub line: Option<String>,
    /// Where the value came from: `embedded`, `table` or `search`.
    pub source: &'static str,
    /// The time it took.
    pub micros: u64,
}

/// What a position or a move is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Worth {
    /// `win`, `draw`, `loss`, or `over` if the game is over; null if unknown.
    pub category: Option<&'static str>,
    /// The number of moves to the end of the game; null for a draw, or if unknown.
    pub plies: Option<u8>,
    /// The score; null if unknown.
    pub score: Option<i32>,
    /// The least that the score can be.
    pub lower: i32,
    /// The most that the score can be.
    pub upper: i32,
}

impl Record {
    /// The record of an answer, without the fields that are on request.
    pub fn of(answer: &Answer) -> Record {
        let mut worth = Worth::of(answer, answer.value);
        if answer.is_over() {
            worth.category = Some("over");
            worth.plies = Some(0);
        }
        let columns = answer.columns.iter();
        Record {
            moves: None,
            key: Key::of(&answer.position).0,
            board: None,
            drawing: None,
            worth,
            columns: columns.map(|v| v.map(|value| Worth::of(answer, value))).collect(),
            best: answer.best.iter().map(|column| Column::number(*column)).collect(),
            line: (answer.is_over() || !answer.line.is_empty()).then(|| letters(&answer.line)),
            source: answer.source.name(),
            micros: answer.time.as_micros() as u64,
        }
    }

    /// Adds the moves that led to the position.
    pub fn with_moves(self, moves: &Moves) -> Record {
        Record { moves: Some(moves.to_string()), ..self }
    }
}

impl Source {
    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            Source::Table => "table",
            Source::Embedded => "embedded",
            Source::Search => "search",
        }
    }
}

impl Worth {
    /// The worth of a value in an answer.
    pub fn of(answer: &Answer, value: Value) -> Worth {
        Worth {
            category: value.category(),
            plies: answer.plies(value).map(|plies| plies.get()),
            score: value.score().map(|score| score.get()),
            lower: value.lower().get(),
            upper: value.upper().get(),
        }
    }
}

impl Value {
    /// The outcome, as named in records.
    pub fn category(self) -> Option<&'static str> {
        self.outcome().map(|outcome| outcome.name())
    }
}

/// A game, and what it is worth to the player to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// The game.
    pub moves: Moves,
    /// Its score.
    pub score: Score,
}

/// What is wrong with a line that should give a score.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum KnownError {
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
    pub(crate) fn parse(board: Board, line: &str) -> Result<Known, KnownError> {
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
pub(crate) struct Tally {
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
    pub(crate) fn add(&mut self, as_expected: bool, time: Duration) {
        self.positions += 1;
        self.mismatches += u64::from(!as_expected);
        self.total += time;
        self.worst = self.worst.max(time);
    }

    /// The mean time per answer.
    pub(crate) fn mean(&self) -> Duration {
        self.total.checked_div(self.positions.max(1) as u32).unwrap_or_default()
    }
}

/// The largest number up to which floating point is exact.
const EXACT: u128 = 1 << 53;

/// A whole number in JSON that every reader gets exactly. Many store numbers as floating point,
/// which is exact only up to 2^53, so larger numbers are written as strings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct JsonInteger(pub u128);

impl From<u64> for JsonInteger {
    fn from(number: u64) -> JsonInteger {
        JsonInteger(number.into())
    }
}

fn json_integer<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    JsonInteger::from(*number).serialize(serializer)
}

impl Serialize for JsonInteger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(number) if self.0 <= EXACT => serializer.serialize_u64(number),
            _ => serializer.collect_str(&self.0),
        }
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

    #[test]
    fn numbers_that_would_lose_digits_are_strings() {
        let json = |number| serde_json::to_string(&JsonInteger(number)).unwrap();
        assert_eq!(json(9_007_199_254_740_992), "9007199254740992");
        assert_eq!(json(9_007_199_254_740_993), "\"9007199254740993\"");
        assert_eq!(json(u128::MAX), format!("\"{}\"", u128::MAX));
    }
}
