//! How exams are made: candidates drawn with a seed, of which those that ask something are taken.
//!
//! ```text
//!     uniform    live positions of the first five sixths of all tiers, as many of each tier
//!     played     positions of games between levels 1 to 4, one of each game
//!     hard       positions of games between levels 2 and 3 in which exactly one move keeps the
//!                outcome, though several look equally good to a search of depth 8
//! ```
//!
//! A candidate depends only on the seed and its number. Candidates are taken in the order of their
//! numbers, so the exam is the same on any number of threads. Of a position and its mirror image,
//! only the first is taken.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use super::exam::Exam;
use crate::board::{Moves, Position, Status, Tier, TierRange};
use crate::parse_error::ParseError;
use crate::query::{Level, Opponent, best_at_a_glance};
use crate::random::SplitMix64;
use crate::sample::{SampleError, Sampler};
use crate::search::Score;
use crate::solver::{Batch, Solver, SolverError};
use crate::tromp::Key;

/// Which positions an exam is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ExamKind {
    /// Live positions of all tiers but the last ones.
    Uniform,
    /// Positions from games between levels.
    Played,
    /// Positions in which exactly one move keeps the outcome, and it takes more than a search of
    /// depth 8 to see which.
    Hard,
}

/// The moves that a search looks ahead before a position is hard.
const GLANCE: u32 = 8;
/// Candidates for each question before the search for more is given up.
const PATIENCE: u64 = 1000;
/// Candidates that are looked at together.
const CHUNK: u64 = 64;

/// Why there is no such exam.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MakingError {
    /// The board has no such positions to draw.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// There is no answer for a candidate.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// There are not enough positions.
    #[error("found only {found} positions of {wanted} for the exam '{kind}'")]
    TooFew {
        /// Which positions.
        kind: ExamKind,
        /// How many there should be.
        wanted: usize,
        /// How many were found.
        found: usize,
    },
}

impl FromStr for ExamKind {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<ExamKind, ParseError> {
        let mut all = [ExamKind::Uniform, ExamKind::Played, ExamKind::Hard].into_iter();
        all.find(|kind| kind.to_string() == text)
            .ok_or_else(|| ParseError::new(text, "an exam", "uniform, played or hard"))
    }
}

impl fmt::Display for ExamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ExamKind::Uniform => "uniform",
            ExamKind::Played => "played",
            ExamKind::Hard => "hard",
        })
    }
}

/// Scores of moves, column by column.
type Scores = Vec<Option<Score>>;

impl ExamKind {
    /// Makes an exam of this many questions. `batch` hears how many are found.
    ///
    /// ```
    /// use strong4::{Batch, Solver};
    /// use strong4::board::Board;
    /// use strong4::grade::ExamKind;
    ///
    /// let solver = Solver::new("5x4".parse::<Board>()?);
    /// let exam = ExamKind::Played.make(&solver, 20, 1, Batch::default())?;
    /// assert_eq!((exam.name(), exam.len()), ("played", 20));
    /// assert_eq!(ExamKind::Played.make(&solver, 20, 1, Batch::default())?, exam);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn make(
        self,
        solver: &Solver,
        count: usize,
        seed: u64,
        batch: Batch,
    ) -> Result<Exam, MakingError> {
        let board = solver.board();
        let tiers = TierRange::new(Tier(0), Tier((board.cells() * 5 / 6) as u8));
        let tiers = tiers.expect("a first and a later tier");
        let sampler = match self {
            ExamKind::Uniform => Some(Sampler::new(board, tiers, seed)?),
            ExamKind::Played | ExamKind::Hard => None,
        };
        let stop = Batch { progress: &(), stop: batch.stop };
        let (mut found, mut known) = (Vec::new(), HashSet::new());
        batch.progress.advance(0, count as u64);
        let mut number = 0;
        while found.len() < count {
            if number > PATIENCE * count as u64 {
                let (kind, found) = (self, found.len());
                return Err(MakingError::TooFew { kind, wanted: count, found });
            }
            let numbers: Vec<u64> = (number..number + CHUNK).collect();
            number += CHUNK;
            let candidates = solver.all(&numbers, stop, |solver, number| {
                let game = match &sampler {
                    Some(sampler) => {
                        let [all, number] = [tiers.iter().len() as u64, *number];
                        let tier = Tier((number % all) as u8);
                        match sampler.draw(tier, number / all) {
                            Ok(game) => game,
                            Err(error) => return Ok(Err(error)),
                        }
                    }
                    None => position_of_a_game(self, solver, seed, *number, stop)?,
                };
                Ok(Ok(self.scores(solver, game.position(), stop)?.map(|scores| (game, scores))))
            })?;
            for candidate in candidates {
                let Some((game, scores)) = candidate? else { continue };
                if found.len() < count && known.insert(Key::of_either(game.position())) {
                    found.push((game, scores));
                }
            }
            batch.progress.advance(found.len() as u64, count as u64);
        }
        found.sort_by_key(|(game, _): &(Moves, Scores)| game.columns().len());
        let mut exam = Exam::empty(&self.to_string(), 1, board);
        for (game, scores) in &found {
            exam.add_game(game, scores);
        }
        Ok(exam)
    }

    /// What the moves from a position are worth, if that is a question.
    fn scores(
        self,
        solver: &Solver,
        position: &Position,
        batch: Batch,
    ) -> Result<Option<Scores>, SolverError> {
        if position.status() != Status::Open {
            return Ok(None);
        }
        // A glance is cheaper than the scores.
        if self == ExamKind::Hard && best_at_a_glance(position, GLANCE).len() < 2 {
            return Ok(None);
        }
        let scores = solver.move_scores_with(position, batch.question())?;
        let known = || scores.iter().flatten().copied();
        let (best, worst) = (known().max(), known().min());
        let keeping = known().filter(|score| Some(score.outcome()) == best.map(Score::outcome));
        let is_question = best != worst && (self != ExamKind::Hard || keeping.count() == 1);
        Ok(is_question.then_some(scores))
    }
}

/// A position of a game between levels, before its end.
fn position_of_a_game(
    kind: ExamKind,
    solver: &Solver,
    seed: u64,
    number: u64,
    batch: Batch,
) -> Result<Moves, SolverError> {
    let mut random = SplitMix64::of(&[seed, number]);
    let (least, levels) = if kind == ExamKind::Hard { (2, 2) } else { (1, 4) };
    let mut players = [(); 2].map(|()| {
        let level = Level::new(least + random.below(levels) as u8).expect("a level");
        Opponent::new(level, random.word())
    });
    let mut game = Moves::new(solver.board());
    loop {
        let player = &mut players[game.position().mover().index()];
        match solver.choose(player, game.position(), batch.question())? {
            Some(column) => game.push(column).expect("a legal move"),
            None => break,
        }
    }
    let moves = random.below(game.columns().len() as u64);
    while game.columns().len() as u64 > moves {
        game.pop();
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::search::Search;

    fn made(kind: ExamKind, threads: usize) -> Exam {
        let board: Board = "6x4".parse().unwrap();
        let solver = Solver::builder(board).threads(threads).build().unwrap();
        kind.make(&solver, 40, 5, Batch::default()).unwrap()
    }

    #[test]
    fn exams_ask_what_they_promise() {
        for kind in [ExamKind::Uniform, ExamKind::Played, ExamKind::Hard] {
            let exam = made(kind, 2);
            assert_eq!((exam.len(), exam.left_out()), (40, 0));
            assert_eq!(made(kind, 1), exam, "on any number of threads");
            let mut search = Search::new(exam.board(), 1 << 20);
            let mut known = HashSet::new();
            for (at, position) in exam.positions().iter().enumerate() {
                assert!(known.insert(Key::of_either(position)));
                let mut scores: Vec<i32> = Vec::new();
                for ((column, score), child) in exam.move_scores(at).zip(position.children()) {
                    assert_eq!((column, score), (child.0, -search.score(&child.1)));
                    scores.push(score.get());
                }
                let best = scores.iter().max().unwrap();
                assert!(scores.iter().any(|score| score != best));
                let keeping = scores.iter().filter(|score| score.signum() == best.signum());
                assert!(kind != ExamKind::Hard || keeping.count() == 1, "{position}");
            }
        }
    }

    #[test]
    fn a_board_without_questions_has_no_exam() {
        let solver = Solver::new("2x2".parse().unwrap());
        let error = ExamKind::Played.make(&solver, 1, 1, Batch::default()).unwrap_err();
        assert_eq!(error.to_string(), "found only 0 positions of 1 for the exam 'played'");
        assert!("easy".parse::<ExamKind>().is_err());
        assert_eq!("hard".parse(), Ok(ExamKind::Hard));
    }
}
