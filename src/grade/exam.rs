//! An exam: positions, and what each move from them is worth.
//!
//! ```text
//!     strong4 exam played 1 7x6          its name, version and board
//!     4453 -5 -5 -2 -3 -4 -2 -2          a game, and the score of each move after it
//!     444444 -3 -2 1 . 1 -2 -3           a full column has none
//!     '' -2 -1 0 1 0 -1 -2               the empty board
//! ```
//!
//! The standard exams are built in, so using them needs neither a search nor tables. Positions in
//! which every move is as good as any other test nothing: they are left out, and counted.

use std::fmt::{self, Write as _};
use std::sync::LazyLock;

use super::agent::Questions;
use crate::board::{Board, Column, Moves, NotationError, Outcome, Position};
use crate::search::Score;
use crate::solver::{Batch, Solver, SolverError};

/// How the game without moves is written.
const NO_MOVES: &str = "''";

/// The mark of a full column among scores.
const FULL: i8 = i8::MIN;

/// The built-in exams, as they are stored.
const STANDARD: [(&str, &str); 3] = [
    ("uniform", include_str!("../../data/exams/uniform.txt")),
    ("played", include_str!("../../data/exams/played.txt")),
    ("hard", include_str!("../../data/exams/hard.txt")),
];

static PARSED: LazyLock<Vec<Exam>> = LazyLock::new(|| {
    STANDARD
        .iter()
        .map(|(_, text)| Exam::parse(text).expect("an exam that the tests read"))
        .collect()
});

/// Positions, and the score of each move from them.
///
/// ```
/// use strong4::{Batch, Solver};
/// use strong4::board::{Board, Moves};
/// use strong4::grade::Exam;
///
/// let exam = Exam::standard("uniform").unwrap();
/// assert_eq!((exam.len(), exam.left_out()), (1000, 0));
///
/// let solver = Solver::new(Board::STANDARD);
/// let game = Moves::parse(Board::STANDARD, "4453")?;
/// let exam = Exam::of("mine", &solver, &[*game.position()], Batch::default())?;
/// let scores: Vec<_> = exam.move_scores(0).map(|(_, score)| score.get()).collect();
/// assert_eq!(scores, [-5, -5, -2, -3, -4, -2, -2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exam {
    name: String,
    version: u32,
    board: Board,
    positions: Vec<Position>,
    /// A game to each position; empty if none were given.
    games: Vec<Moves>,
    /// A row of moves for each position.
    scores: Vec<i8>,
    left_out: usize,
}

/// Why text is not an exam.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExamError {
    /// The first line is wrong.
    #[error("expected 'strong4 exam NAME VERSION WxH' in the first line, found '{}'", .found.escape_debug())]
    Header {
        /// The first line.
        found: String,
    },
    /// The moves of a line cannot be played.
    #[error("line {line}: {error}")]
    Moves {
        /// The number of the line.
        line: usize,
        /// What is wrong with them.
        error: NotationError,
    },
    /// The scores of a line are not those of its moves.
    #[error("line {line}: expected a score for each column of {board}, and '.' for each full one")]
    Scores {
        /// The number of the line.
        line: usize,
        /// The board.
        board: Board,
    },
}

impl Exam {
    /// The names of the built-in exams.
    pub fn standard_names() -> [&'static str; 3] {
        STANDARD.map(|(name, _)| name)
    }

    /// A built-in exam.
    pub fn standard(name: &str) -> Option<&'static Exam> {
        let at = STANDARD.iter().position(|(standard, _)| *standard == name)?;
        PARSED.get(at)
    }

    /// An exam without questions.
    pub(super) fn empty(name: &str, version: u32, board: Board) -> Exam {
        let name = name.to_owned();
        let (positions, games, scores) = (vec![], vec![], vec![]);
        Exam { name, version, board, positions, games, scores, left_out: 0 }
    }

    /// An exam of positions, which a solver answers first. Finished games, and positions in which
    /// every move is equally good, are left out.
    pub fn of(
        name: &str,
        solver: &Solver,
        positions: &[Position],
        batch: Batch,
    ) -> Result<Exam, SolverError> {
        let scores = solver.move_scores_many(positions, batch)?;
        let mut exam = Exam::empty(name, 1, solver.board());
        for (position, scores) in positions.iter().zip(scores) {
            exam.add(*position, &scores);
        }
        Ok(exam)
    }

    /// The same for games that lead to positions, so that players learn how they came about.
    pub fn of_games(
        name: &str,
        solver: &Solver,
        games: &[Moves],
        batch: Batch,
    ) -> Result<Exam, SolverError> {
        let positions: Vec<Position> = games.iter().map(|game| *game.position()).collect();
        let scores = solver.move_scores_many(&positions, batch)?;
        let mut exam = Exam::empty(name, 1, solver.board());
        for (game, scores) in games.iter().zip(scores) {
            exam.add_game(game, &scores);
        }
        Ok(exam)
    }

    /// Adds a question, unless every move is as good as any other. Returns whether it is one.
    fn add(&mut self, position: Position, scores: &[Option<Score>]) -> bool {
        let mut known = scores.iter().flatten();
        let first = known.next();
        if known.all(|score| Some(score) == first) {
            self.left_out += 1;
            return false;
        }
        self.positions.push(position);
        self.scores.extend(scores.iter().map(|s| s.map_or(FULL, |score| score.get() as i8)));
        true
    }

    /// The same with a game that leads to the position.
    pub(super) fn add_game(&mut self, game: &Moves, scores: &[Option<Score>]) -> bool {
        let is_question = self.add(*game.position(), scores);
        if is_question {
            self.games.push(game.clone());
        }
        is_question
    }

    /// Reads an exam as it is displayed.
    ///
    /// ```
    /// use strong4::grade::Exam;
    ///
    /// let exam: Exam = Exam::parse("strong4 exam mine 1 4x4\n1223 -1 0 0 -1\n").unwrap();
    /// assert_eq!((exam.name(), exam.len()), ("mine", 1));
    /// assert_eq!(exam.to_string(), "strong4 exam mine 1 4x4\n1223 -1 0 0 -1\n");
    /// ```
    pub fn parse(text: &str) -> Result<Exam, ExamError> {
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default();
        let wrong = || ExamError::Header { found: header.chars().take(60).collect() };
        let words: Vec<&str> = header.split(' ').collect();
        let ["strong4", "exam", name, version, board] = words[..] else { return Err(wrong()) };
        let version = version.parse().map_err(|_| wrong())?;
        let board: Board = board.parse().map_err(|_| wrong())?;
        let mut exam = Exam::empty(name, version, board);
        for (line, text) in (2..).zip(lines) {
            let (moves, scores) = text.split_once(' ').unwrap_or((text, ""));
            let moves = if moves == NO_MOVES { "" } else { moves };
            let game =
                Moves::parse(board, moves).map_err(|error| ExamError::Moves { line, error })?;
            let scores =
                read_scores(game.position(), scores).ok_or(ExamError::Scores { line, board })?;
            exam.add_game(&game, &scores);
        }
        Ok(exam)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its version: the same name and version are the same questions.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The number of questions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no questions.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Positions that were left out because every move is as good as any other.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The positions.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The positions with the games that lead to them, as players are asked.
    pub fn questions(&self) -> Questions<'_> {
        Questions { positions: &self.positions, games: &self.games }
    }

    /// The legal moves, left to right, and what each is worth to the player who makes it.
    pub fn move_scores(&self, at: usize) -> impl Iterator<Item = (Column, Score)> + Clone + '_ {
        let width = self.board.width();
        let row = &self.scores[at * width..][..width];
        (0..).map(Column).zip(row).filter(|(_, score)| **score != FULL).map(|(column, score)| {
            (column, Score::new(i32::from(*score)).expect("a score that was one"))
        })
    }

    /// What the best move is worth.
    pub fn best(&self, at: usize) -> Score {
        let scores = self.move_scores(at).map(|(_, score)| score);
        scores.max().expect("a question has moves")
    }

    /// How the position ends if both play their best, for the player to move.
    pub fn outcome(&self, at: usize) -> Outcome {
        self.best(at).outcome()
    }
}

/// A score for each column that has room, and `.` for each other.
fn read_scores(position: &Position, text: &str) -> Option<Vec<Option<Score>>> {
    let board = position.board();
    let mut words = text.split(' ');
    let is_open = position.children().next().is_some();
    let scores = board.columns().map(|column| {
        let word = words.next()?;
        match is_open && position.has_room(column) {
            true => word.parse().ok().map(Some),
            false => (word == ".").then_some(None),
        }
    });
    let scores = scores.collect::<Option<Vec<_>>>()?;
    words.next().is_none().then_some(scores)
}

impl fmt::Display for Exam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Exam { name, version, board, .. } = self;
        writeln!(f, "strong4 exam {name} {version} {board}")?;
        let width = board.width();
        for (at, scores) in self.scores.chunks(width).enumerate() {
            let mut line = self.questions().game(at).to_string();
            if line.is_empty() {
                line.push_str(NO_MOVES);
            }
            for score in scores {
                match *score {
                    FULL => line.push_str(" ."),
                    score => write!(line, " {score}")?,
                }
            }
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINE: &str = "strong4 exam mine 3 7x6\n4453 -5 -5 -2 -3 -4 -2 -2\n";

    #[test]
    fn exams_are_read_as_they_are_displayed() {
        let exam = Exam::parse(MINE).unwrap();
        assert_eq!(exam.to_string(), MINE);
        assert_eq!((exam.name(), exam.version(), exam.board()), ("mine", 3, Board::STANDARD));
        assert_eq!((exam.best(0).get(), exam.outcome(0)), (-2, Outcome::Loss));
        assert_eq!(exam.questions().game(0).to_string(), "4453");
        let begin = "strong4 exam begin 1 7x6\n'' -2 -1 0 1 0 -1 -2\n";
        assert_eq!(Exam::parse(begin).unwrap().to_string(), begin);
        let none = Exam::parse("strong4 exam none 1 4x4").unwrap();
        assert!(none.is_empty());
    }

    #[test]
    fn text_that_is_no_exam_is_refused() {
        let refused = |text: &str| Exam::parse(text).unwrap_err().to_string();
        for header in
            ["", "4453 1 2 3", "strong4 exam a 1", "strong4 exam a b 7x6", "strong4 exam a 1 7x7x7"]
        {
            assert!(refused(header).starts_with("expected 'strong4 exam NAME VERSION WxH'"));
        }
        let line = |line: &str| refused(&format!("strong4 exam a 1 4x4\n{line}"));
        assert_eq!(line("15 1 1 1 1"), "line 2: move 2 is '5': expected a column from 1 to 4");
        let scores = "line 2: expected a score for each column of 4x4, and '.' for each full one";
        for wrong in ["12", "12 1 1 1", "12 1 1 1 1 1", "12 1 1 . 1", "1111 0 0 0 0", "12 1 1 1 99"]
        {
            assert_eq!(line(wrong), scores, "{wrong}");
        }
    }

    #[test]
    fn positions_that_ask_nothing_are_left_out() {
        let board: Board = "4x4".parse().unwrap();
        let solver = Solver::new(board);
        let games = ["", "1", "1212121", "1111222233334"];
        let games = games.map(|moves| Moves::parse(board, moves).unwrap());
        let positions: Vec<Position> = games.iter().map(|game| *game.position()).collect();
        let exam = Exam::of("some", &solver, &positions, Batch::default()).unwrap();
        // The empty board of 4x4 is a draw whatever is played; one game is over, another is forced.
        assert_eq!(exam.len() + exam.left_out(), 4);
        for position in &positions {
            let scores = solver.move_scores(position).unwrap();
            let mut known: Vec<_> = scores.into_iter().flatten().collect();
            known.dedup();
            assert_eq!(exam.positions().contains(position), known.len() > 1);
        }
        let same = Exam::of_games("some", &solver, &games, Batch::default()).unwrap();
        assert_eq!(same.positions(), exam.positions());
    }
}
