//! Whoever takes an exam or plays a game: a net, a program, a level of strong4.
//!
//! Agents are asked in batches, since a net takes about as long for a thousand positions as for
//! one. Each question stands alone: games that are played at the same time come in the same batch,
//! in any order.

use super::answers::{Answers, Trouble};
use crate::board::{Moves, Position};
use crate::query::{Level, Opponent, Question};
use crate::solver::{Solver, SolverError};

/// Positions to answer.
#[derive(Clone, Copy, Debug)]
pub struct Questions<'a> {
    pub(super) positions: &'a [Position],
    /// A game to each position; empty if there are none.
    pub(super) games: &'a [Moves],
}

impl<'a> Questions<'a> {
    /// The positions.
    pub fn positions(self) -> &'a [Position] {
        self.positions
    }

    /// A game that leads to one of them: how it came about, if that is known, or else one that is
    /// found.
    pub fn game(self, at: usize) -> Moves {
        match self.games.get(at) {
            Some(game) => game.clone(),
            None => self.positions[at].game().expect("a position that a solver has answered"),
        }
    }

    /// The questions from a place on, `count` at most.
    pub(super) fn part(self, from: usize, count: usize) -> Questions<'a> {
        let to = self.positions.len().min(from + count);
        let games = if self.games.is_empty() { &[] } else { &self.games[from..to] };
        Questions { positions: &self.positions[from..to], games }
    }
}

/// A player that answers questions.
///
/// ```
/// use strong4::{Batch, SolverError};
/// use strong4::grade::{Agent, Answers, Exam, Questions};
///
/// /// Plays the rightmost column, come what may.
/// struct Stubborn;
///
/// impl Agent for Stubborn {
///     fn answer(&mut self, asked: Questions, answers: &mut Answers) -> Result<(), SolverError> {
///         for (at, position) in asked.positions().iter().enumerate() {
///             answers.played(at, position.board().column(7).unwrap());
///         }
///         Ok(())
///     }
/// }
///
/// let exam = Exam::standard("played").unwrap();
/// let report = exam.grade("stubborn", &mut Stubborn, Batch::default())?;
/// assert!(report.in_all().troubles(strong4::grade::Trouble::Illegal) > 0);
/// # Ok::<(), SolverError>(())
/// ```
pub trait Agent {
    /// Answers positions, none of which is over. Places are counted from 0 in this batch. An error
    /// ends the exam; what is wrong with one answer is [`Trouble`] instead.
    fn answer(&mut self, asked: Questions, answers: &mut Answers) -> Result<(), SolverError>;

    /// How many positions it is asked at a time, at most.
    fn batch(&self) -> usize {
        1024
    }
}

/// A level of strong4, as an agent.
#[derive(Clone, Debug)]
pub struct Computer {
    solver: Solver,
    opponent: Opponent,
}

impl Computer {
    /// A player of this level. The seed decides between moves that look equally good.
    pub fn new(solver: &Solver, level: Level, seed: u64) -> Computer {
        Computer { solver: solver.clone(), opponent: Opponent::new(level, seed) }
    }
}

impl Agent for Computer {
    fn answer(&mut self, asked: Questions, answers: &mut Answers) -> Result<(), SolverError> {
        for (at, position) in asked.positions().iter().enumerate() {
            match self.solver.choose(&mut self.opponent, position, Question::default())? {
                Some(column) => answers.played(at, column),
                None => answers.failed(at, Trouble::Illegal),
            }
        }
        Ok(())
    }

    /// Few at a time, because the perfect level may have to search long for each.
    fn batch(&self) -> usize {
        16
    }
}

/// Asks an agent all questions, and collects the answers.
pub(super) fn ask(
    agent: &mut (impl Agent + ?Sized),
    asked: Questions,
    mut answered: impl FnMut(usize) -> Result<(), SolverError>,
) -> Result<Answers, SolverError> {
    let Some(board) = asked.positions.first().map(Position::board) else {
        return Ok(Answers::new(crate::board::Board::STANDARD, 0));
    };
    let all = asked.positions.len();
    let mut answers = Answers::new(board, 0);
    while answers.len() < all {
        let part = asked.part(answers.len(), agent.batch().max(1));
        let mut some = Answers::new(board, part.positions.len());
        agent.answer(part, &mut some)?;
        (0..some.len()).for_each(|at| answers.push(&some, at));
        answered(answers.len())?;
    }
    Ok(answers)
}
