//! Exact scores of a position, and of each move from it.

use strong4::Solver;
use strong4::board::Position;
use strong4::query::Question;
use strong4::search::Score;
use strong4::solver::SolverError;

use crate::cli::interrupt::given_up;

/// The value of a position for the player to move.
pub struct Scores {
    pub score: i32,
    /// Each move, for the player who makes it; none where the column is full.
    pub moves: Vec<Option<i32>>,
}

/// Finds the scores of a live position.
pub fn scores(solver: &Solver, position: &Position) -> Result<Scores, SolverError> {
    // There are enough positions to keep all threads busy.
    let question = Question { stop: Some(given_up()), threads: Some(1), ..Question::default() };
    let moves = solver.move_scores_with(position, question)?.into_iter();
    let moves: Vec<Option<i32>> = moves.map(|score| score.map(Score::get)).collect();
    // Without a legal move the board is full, and the game is a draw.
    let score = moves.iter().flatten().copied().max().unwrap_or(0);
    Ok(Scores { score, moves })
}
