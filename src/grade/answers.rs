//! What a player answered to a list of positions, before it is graded.
//!
//! A player may answer with a move, with a probability for each column, with a value, or with
//! several of these. An answer that cannot be one is [`Trouble`], and counts as a move that is
//! wrong. Everything is stored in flat arrays, since there may be millions.

use crate::board::{Board, Column, Position};

/// Why there is no move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Trouble {
    /// A column that is full, or that the board lacks.
    Illegal,
    /// An answer that is no column, no probabilities, or no value.
    Nonsense,
    /// The player died, raised an error, or closed its output.
    Crash,
    /// No answer in time.
    Timeout,
    /// Much more output than any answer has.
    Flood,
}

impl Trouble {
    /// All kinds.
    pub const ALL: [Trouble; 5] =
        [Trouble::Illegal, Trouble::Nonsense, Trouble::Crash, Trouble::Timeout, Trouble::Flood];

    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            Trouble::Illegal => "illegal",
            Trouble::Nonsense => "nonsense",
            Trouble::Crash => "crash",
            Trouble::Timeout => "timeout",
            Trouble::Flood => "flood",
        }
    }
}

/// What a player said to a list of positions. Positions are named by their place in the list, from
/// 0; what is not answered is not graded.
///
/// ```
/// use strong4::board::Board;
/// use strong4::grade::{Answers, Trouble};
///
/// let mut answers = Answers::new(Board::STANDARD, 3);
/// answers.played(0, Board::STANDARD.column(4).unwrap());
/// answers.preferred(1, &[0.0, 0.0, 0.1, 0.8, 0.1, 0.0, 0.0]);
/// answers.valued(1, -0.25);
/// answers.failed(2, Trouble::Timeout);
/// ```
#[derive(Clone, Debug)]
pub struct Answers {
    board: Board,
    moves: Vec<Said>,
    /// A row for each position, empty while there are no probabilities at all.
    probabilities: Vec<f32>,
    /// NaN where there is none; empty while there are none at all.
    values: Vec<f32>,
    seconds: Vec<f32>,
}

/// What was said about the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Said {
    Nothing,
    Played(Column),
    Preferred,
    Failed(Trouble),
}

/// How far the sum of probabilities may be from 1, and a value outside its range: numbers of half
/// precision have three digits.
const ROUNDING: f64 = 0.01;

impl Answers {
    /// No answers yet, to a list of this many positions.
    pub fn new(board: Board, len: usize) -> Answers {
        let moves = vec![Said::Nothing; len];
        Answers { board, moves, probabilities: vec![], values: vec![], seconds: vec![] }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The player plays this column.
    pub fn played(&mut self, at: usize, column: Column) {
        self.moves[at] = Said::Played(column);
    }

    /// The player plays each column with this probability. Its move is the most probable one that
    /// is legal. Numbers that are no probabilities are [`Trouble::Nonsense`].
    pub fn preferred(&mut self, at: usize, probabilities: &[f32]) {
        let width = self.board.width();
        let sum: f64 = probabilities.iter().map(|share| f64::from(*share)).sum();
        let sound = probabilities.len() == width
            && probabilities.iter().all(|share| (0.0..=1.0 + ROUNDING as f32).contains(share))
            && (sum - 1.0).abs() <= ROUNDING;
        if !sound {
            return self.failed(at, Trouble::Nonsense);
        }
        if self.probabilities.is_empty() {
            self.probabilities = vec![0.0; self.len() * width];
        }
        self.probabilities[at * width..][..width].copy_from_slice(probabilities);
        self.moves[at] = Said::Preferred;
    }

    /// The player expects this result for the player to move: 1 is a win, 0 a draw, −1 a loss.
    /// Other numbers are [`Trouble::Nonsense`].
    pub fn valued(&mut self, at: usize, value: f64) {
        if value.is_nan() || value.abs() > 1.0 + ROUNDING {
            return self.failed(at, Trouble::Nonsense);
        }
        set(&mut self.values, self.moves.len(), at, value.clamp(-1.0, 1.0) as f32);
    }

    /// There is no answer.
    pub fn failed(&mut self, at: usize, trouble: Trouble) {
        self.moves[at] = Said::Failed(trouble);
    }

    /// The seconds that this answer took.
    pub fn took(&mut self, at: usize, seconds: f64) {
        set(&mut self.seconds, self.moves.len(), at, seconds as f32);
    }

    /// The move; `None` if the player was not asked for one.
    pub fn choice(&self, at: usize, position: &Position) -> Option<Result<Column, Trouble>> {
        Some(match self.moves[at] {
            Said::Nothing => return None,
            Said::Failed(trouble) => Err(trouble),
            Said::Played(column) if position.has_room(column) => Ok(column),
            Said::Played(_) => Err(Trouble::Illegal),
            Said::Preferred => {
                let probabilities = self.probabilities(at).expect("what was preferred");
                let legal = self.board.columns().filter(|column| position.has_room(*column));
                let share = |column: Column| probabilities[column.index()];
                // The first of several.
                let best = legal.reduce(|a, b| if share(b) > share(a) { b } else { a });
                best.filter(|best| share(*best) > 0.0).ok_or(Trouble::Illegal)
            }
        })
    }

    /// The probability of each column.
    pub fn probabilities(&self, at: usize) -> Option<&[f32]> {
        let width = self.board.width();
        (self.moves[at] == Said::Preferred).then(|| &self.probabilities[at * width..][..width])
    }

    /// The value.
    pub fn value(&self, at: usize) -> Option<f64> {
        get(&self.values, at)
    }

    /// The seconds.
    pub fn seconds(&self, at: usize) -> Option<f64> {
        get(&self.seconds, at)
    }

    /// Adds an answer of another list.
    pub(super) fn push(&mut self, from: &Answers, at: usize) {
        let to = self.len();
        self.moves.push(Said::Nothing);
        let width = self.board.width();
        if !self.probabilities.is_empty() {
            self.probabilities.resize((to + 1) * width, 0.0);
        }
        for list in [&mut self.values, &mut self.seconds] {
            if !list.is_empty() {
                list.push(f32::NAN);
            }
        }
        if let Some(probabilities) = from.probabilities(at) {
            self.preferred(to, probabilities);
        }
        self.moves[to] = from.moves[at];
        from.value(at).into_iter().for_each(|value| self.valued(to, value));
        from.seconds(at).into_iter().for_each(|seconds| self.took(to, seconds));
    }
}

/// Sets a number of a list that is empty until it has one.
fn set(list: &mut Vec<f32>, len: usize, at: usize, number: f32) {
    if list.is_empty() {
        *list = vec![f32::NAN; len];
    }
    list[at] = number;
}

fn get(list: &[f32], at: usize) -> Option<f64> {
    list.get(at).filter(|number| !number.is_nan()).map(|number| f64::from(*number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Moves;

    const BOARD: Board = Board::STANDARD;

    fn after(moves: &str) -> Position {
        *Moves::parse(BOARD, moves).unwrap().position()
    }

    #[test]
    fn the_most_probable_legal_move_is_played() {
        let full = after("444444");
        let mut answers = Answers::new(BOARD, 3);
        answers.preferred(0, &[0.0, 0.1, 0.1, 0.7, 0.05, 0.05, 0.0]);
        let choice = answers.choice(0, &after("")).unwrap();
        assert_eq!(choice, Ok(Column(3)));
        assert_eq!(answers.choice(0, &full), Some(Ok(Column(1))), "the first of two");
        answers.preferred(1, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(answers.choice(1, &full), Some(Err(Trouble::Illegal)));
        assert_eq!(answers.choice(2, &full), None);
        answers.played(2, Column(3));
        assert_eq!(answers.choice(2, &full), Some(Err(Trouble::Illegal)));
        answers.played(2, Column(9));
        assert_eq!(answers.choice(2, &after("")), Some(Err(Trouble::Illegal)));
    }

    #[test]
    fn numbers_that_are_no_answers_are_nonsense() {
        let mut answers = Answers::new(BOARD, 1);
        for wrong in [
            &[0.5, 0.5][..],
            &[0.1; 7],
            &[1.0; 7],
            &[f32::NAN, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            &[-0.5, 1.5, 0.0, 0.0, 0.0, 0.0, 0.0],
            &[2.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            &[f32::INFINITY, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            &[],
        ] {
            answers.played(0, Column(0));
            answers.preferred(0, wrong);
            let choice = answers.choice(0, &after(""));
            assert_eq!(choice, Some(Err(Trouble::Nonsense)), "{wrong:?}");
        }
        for wrong in [f64::NAN, f64::INFINITY, -1.1, 3.0] {
            answers.played(0, Column(0));
            answers.valued(0, wrong);
            assert_eq!(answers.value(0), None);
            assert_eq!(answers.choice(0, &after("")), Some(Err(Trouble::Nonsense)), "{wrong}");
        }
        answers.valued(0, 1.004);
        assert_eq!(answers.value(0), Some(1.0));
    }

    #[test]
    fn answers_are_collected_one_by_one() {
        let mut from = Answers::new(BOARD, 3);
        from.played(0, Column(2));
        from.preferred(1, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.25, 0.75]);
        from.valued(1, 0.5);
        from.took(2, 1.5);
        from.failed(2, Trouble::Crash);
        let mut to = Answers::new(BOARD, 0);
        (0..3).rev().for_each(|at| to.push(&from, at));
        for (at, was) in [(0, 2), (1, 1), (2, 0)] {
            assert_eq!(to.choice(at, &after("")), from.choice(was, &after("")));
            assert_eq!(to.probabilities(at), from.probabilities(was));
            assert_eq!((to.value(at), to.seconds(at)), (from.value(was), from.seconds(was)));
        }
    }
}
