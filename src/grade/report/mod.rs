//! The marks of a player: each answer held against the scores of all moves, and summed up.
//!
//! ```text
//!     exam + answers ──► a Mark for each position ──► Marks of groups:
//!                                                     all, by outcome, by how many moves
//!                                                     keep it, by tier
//! ```
//!
//! The player to move has a best score. A move is *perfect* if it has that score, *good* if it has
//! that outcome, and among the *top three* if fewer than three moves are better. What it costs is
//! the best score less its own. A player who makes no move, or an illegal one, misses all three
//! marks; the cost of such a move is unknown, so the mean leaves it out.

mod mark;
mod marks;

use std::collections::BTreeMap;
use std::fmt;

use super::agent::{Agent, ask};
use super::answers::Answers;
use super::exam::Exam;
use super::statistics::Gap;
use crate::board::Board;
use crate::numerals::{counted, percent};
use crate::solver::{Batch, SolverError};

pub use mark::{Group, Mark};
pub use marks::{Calibration, Marks};

/// How a player did in an exam.
///
/// ```
/// use strong4::grade::{Answers, Exam, Group, Report};
///
/// let exam = Exam::standard("played").unwrap();
/// let mut answers = Answers::new(exam.board(), exam.len());
/// for (at, position) in exam.positions().iter().enumerate() {
///     let (column, _) = position.children().next().unwrap();
///     answers.played(at, column);
/// }
/// let report = Report::new("the leftmost move", exam, &answers);
/// let marks = report.in_all();
/// assert_eq!((marks.positions, marks.perfect.of), (1000, 1000));
/// assert!(marks.perfect.share().unwrap() < 0.5);
/// assert_eq!(report.groups()[0].0, Group::All);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    player: String,
    exam: String,
    version: u32,
    board: Board,
    left_out: usize,
    marks: Vec<Mark>,
}

impl Report {
    /// Grades the answers of a player.
    ///
    /// # Panics
    ///
    /// If there is not a place for each position of the exam among the answers.
    pub fn new(player: &str, exam: &Exam, answers: &Answers) -> Report {
        assert_eq!(answers.len(), exam.len(), "an answer for each question");
        Report {
            player: player.to_owned(),
            exam: exam.name().to_owned(),
            version: exam.version(),
            board: exam.board(),
            left_out: exam.left_out(),
            marks: (0..exam.len()).map(|at| Mark::of(exam, answers, at)).collect(),
        }
    }

    /// The name of the player.
    pub fn player(&self) -> &str {
        &self.player
    }

    /// The name of the exam.
    pub fn exam(&self) -> &str {
        &self.exam
    }

    /// The version of the exam.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Positions that were left out because every move is as good as any other.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// A mark for each position of the exam.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The marks of all positions.
    pub fn in_all(&self) -> Marks {
        Marks::of(&self.marks)
    }

    /// The marks of all positions, by outcome, by the number of moves that keep it, and by tier.
    /// Groups without positions are absent.
    pub fn groups(&self) -> Vec<(Group, Marks)> {
        let mut groups = BTreeMap::from([(Group::All, Marks::default())]);
        for mark in &self.marks {
            for group in mark.groups() {
                groups.entry(group).or_default().add(mark);
            }
        }
        groups.into_iter().collect()
    }

    /// How this player differs from another one; `None` unless they took the same exam.
    pub fn compare(&self, other: &Report) -> Option<Comparison> {
        let questions = |report: &Report| {
            let of = |mark: &Mark| (mark.tier, mark.best, mark.legal, mark.keeping);
            report.marks.iter().map(of).collect::<Vec<_>>()
        };
        let is_same = (&self.exam, self.version, self.board)
            == (&other.exam, other.version, other.board)
            && questions(self) == questions(other);
        let pairs = || self.marks.iter().zip(&other.marks);
        let hits = |mark: fn(&Mark) -> Option<bool>| {
            Gap::of_hits(pairs().filter_map(|(one, other)| Some((mark(one)?, mark(other)?))))
        };
        let losses = pairs()
            .filter_map(|(one, other)| Some((f64::from(one.loss()?), f64::from(other.loss()?))));
        is_same.then(|| Comparison {
            perfect: hits(Mark::is_perfect),
            good: hits(Mark::is_good),
            top_three: hits(Mark::is_top_three),
            loss: Gap::of_numbers(losses),
        })
    }
}

/// The line to quote: exam, version, player and marks.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.exam.as_str() {
            "games" => write!(f, "strong4 games on {}", self.board)?,
            exam => write!(f, "strong4 exam {exam} {}", self.version)?,
        }
        write!(f, ": {}: ", self.player)?;
        let Marks { positions, perfect, good, loss, error, .. } = self.in_all();
        for (share, name) in [(perfect, "perfect"), (good, "good")] {
            if let (Some(known), Some(bounds)) = (share.share(), share.confidence()) {
                write!(f, "{} % {name} ({}), ", percent(known), bounds.percents())?;
            }
        }
        for (mean, name) in [(loss, "loss"), (error, "error of values")] {
            if let Some(known) = mean.mean() {
                let bounds = mean.confidence().map(|bounds| format!(" ({})", bounds.decimals()));
                write!(f, "{name} {known:.2}{}, ", bounds.unwrap_or_default())?;
            }
        }
        f.write_str(&counted(positions, "position", "positions"))
    }
}

impl Exam {
    /// Asks a player all questions, and grades the answers. `batch` hears how many are answered.
    pub fn grade(
        &self,
        player: &str,
        agent: &mut (impl Agent + ?Sized),
        batch: Batch,
    ) -> Result<Report, SolverError> {
        let answers = ask(agent, self.questions(), |answered| {
            batch.progress.advance(answered as u64, self.len() as u64);
            batch.go_on()
        })?;
        Ok(Report::new(player, self, &answers))
    }
}

/// How two players differ. Each gap is over the positions for which both have the mark; `None` if
/// there are none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// The gap in perfect moves.
    pub perfect: Option<Gap>,
    /// The gap in good moves.
    pub good: Option<Gap>,
    /// The gap in moves among the top three.
    pub top_three: Option<Gap>,
    /// The gap in the loss of score.
    pub loss: Option<Gap>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Column, Outcome};
    use crate::grade::answers::Trouble;
    use crate::grade::statistics::Share;

    /// Six positions with easy scores, all on the empty board of 4x4 or after one move.
    const EXAM: &str = "strong4 exam six 1 4x4\n\
        1 3 0 -1 0\n\
        2 0 0 -2 -3\n\
        3 -1 -2 -3 -4\n\
        12 2 2 1 0\n\
        13 1 -1 -1 -1\n\
        14 0 -1 -1 -1\n";

    fn graded(answer: impl FnOnce(&mut Answers)) -> Report {
        let exam = Exam::parse(EXAM).unwrap();
        let mut answers = Answers::new(exam.board(), 6);
        answer(&mut answers);
        Report::new("somebody", &exam, &answers)
    }

    fn answered(choices: [usize; 6]) -> Report {
        let choices = choices.into_iter().map(|column| Column(column as u8 - 1)).enumerate();
        graded(|answers| choices.for_each(|(at, column)| answers.played(at, column)))
    }

    #[test]
    fn moves_are_held_against_the_best() {
        let report = answered([1, 2, 4, 3, 2, 4]);
        let marks = report.in_all();
        let hits = |share: Share| (share.hits, share.of);
        assert_eq!(
            [marks.perfect, marks.good, marks.top_three].map(hits),
            [(2, 6), (4, 6), (5, 6)]
        );
        // The losses are 0, 0, 3, 1, 2 and 1.
        let loss = marks.loss.mean().unwrap();
        assert!(marks.loss.count() == 6 && (loss - 7.0 / 6.0).abs() < 1e-12, "{loss}");
        use Outcome::{Draw, Loss, Win};
        let counts = [Win, Draw, Loss].map(|b| [Win, Draw, Loss].map(|a| marks.outcomes(b, a)));
        assert_eq!(counts, [[2, 0, 1], [0, 1, 1], [0, 0, 1]]);
        let names: Vec<(String, u64)> = report
            .groups()
            .iter()
            .map(|(group, marks)| (group.to_string(), marks.positions))
            .collect();
        let named = names.iter().map(|(name, n)| (name.as_str(), *n)).collect::<Vec<_>>();
        let expected = [
            ("all", 6),
            ("won", 3),
            ("drawn", 2),
            ("lost", 1),
            ("1 keeps", 3),
            ("2 keep", 1),
            ("3 keep", 1),
            ("all keep", 1),
            ("tier 1", 3),
            ("tier 2", 3),
        ];
        assert_eq!(named, expected);
    }

    #[test]
    fn no_move_is_a_miss_but_no_loss_of_score() {
        let troubles = Trouble::ALL.into_iter().enumerate();
        let report = graded(|answers| troubles.for_each(|(at, why)| answers.failed(at, why)));
        let marks = report.in_all();
        assert_eq!(
            (marks.positions, marks.perfect, marks.good),
            (6, Share { hits: 0, of: 5 }, Share { hits: 0, of: 5 })
        );
        assert_eq!((marks.loss.count(), marks.loss.mean()), (0, None));
        assert!(Trouble::ALL.into_iter().all(|trouble| marks.troubles(trouble) == 1));
    }

    #[test]
    fn probabilities_have_mass_and_values_are_near_or_far() {
        let report = graded(|answers| {
            answers.preferred(1, &[0.25, 0.25, 0.5, 0.0]);
            answers.preferred(3, &[0.5, 0.125, 0.25, 0.125]);
            for (at, value) in [(0, 1.0), (1, 0.25), (2, 0.0), (4, 0.75)] {
                answers.valued(at, value);
                answers.took(at, value);
            }
        });
        let marks = report.in_all();
        assert_eq!(
            (marks.perfect_mass.mean(), marks.good_mass.mean()),
            (Some(0.5625), Some(0.6875))
        );
        assert_eq!(marks.perfect, Share { hits: 1, of: 2 });
        assert_eq!((marks.agreement, marks.error.mean()), (Share { hits: 3, of: 4 }, Some(0.375)));
        assert_eq!((marks.seconds.mean(), marks.slowest), (Some(0.5), 1.0));
        // 1 and 0.75 came to 1 in different parts, 0.25 to 0, 0 to −1.
        let full: Vec<usize> =
            (0..10).filter(|at| marks.calibration[*at].value.count() > 0).collect();
        assert_eq!((full, marks.miscalibration()), (vec![5, 6, 8, 9], Some(0.375)));
    }

    #[test]
    fn players_are_compared_on_the_same_questions() {
        let [good, bad] = [[1, 1, 1, 1, 1, 1], [2, 3, 4, 4, 2, 2]].map(answered);
        let gaps = good.compare(&bad).unwrap();
        let perfect = gaps.perfect.unwrap();
        assert_eq!((perfect.difference, perfect.positions), (1.0, 6));
        assert!((perfect.chance - 2.0 / 64.0).abs() < 1e-12);
        // The losses of the other are 3, 2, 3, 2, 2 and 1.
        assert!((gaps.loss.unwrap().difference + 13.0 / 6.0).abs() < 1e-12);
        assert_eq!(good.compare(&good).unwrap().good.unwrap().chance, 1.0);
        let other = Exam::parse(&EXAM.replace("six 1", "six 2")).unwrap();
        let other = Report::new("x", &other, &Answers::new(other.board(), 6));
        assert_eq!(good.compare(&other), None);
    }
}
