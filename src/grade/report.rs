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
//! the best score less its own. A player who makes no move, or an illegal one, has missed all three
//! marks; only the cost of that is unknown, so it is left out of the mean.

use std::collections::BTreeMap;
use std::fmt;

use super::agent::{Agent, ask};
use super::answers::{Answers, Trouble};
use super::exam::Exam;
use super::statistics::{Gap, Mean, Share};
use crate::board::{Board, Column, Outcome, Tier};
use crate::search::Score;
use crate::solver::{Batch, SolverError};

/// What one answer is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mark {
    tier: Tier,
    best: Score,
    legal: u8,
    keeping: u8,
    played: Option<Result<Played, Trouble>>,
    perfect_mass: Option<f32>,
    good_mass: Option<f32>,
    value: Option<f32>,
    seconds: Option<f32>,
}

/// A move that was made.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Played {
    column: Column,
    score: Score,
    /// Moves that are better.
    better: u8,
}

impl Mark {
    fn of(exam: &Exam, answers: &Answers, at: usize) -> Mark {
        let scores = exam.move_scores(at);
        let best = exam.best(at);
        let is_good = |score: Score| score.outcome() == best.outcome();
        let count = |wanted: &dyn Fn(Score) -> bool| {
            scores.clone().filter(|(_, score)| wanted(*score)).count() as u8
        };
        let played = answers.choice(at, &exam.positions()[at]).map(|choice| {
            choice.map(|column| {
                let score = scores.clone().find(|(legal, _)| *legal == column);
                let score = score.expect("a legal move").1;
                Played { column, score, better: count(&|other| other > score) }
            })
        });
        let mass = |wanted: &dyn Fn(Score) -> bool| {
            let probabilities = answers.probabilities(at)?;
            let wanted = scores.clone().filter(|(_, score)| wanted(*score));
            Some(wanted.map(|(column, _)| probabilities[column.index()]).sum::<f32>().min(1.0))
        };
        Mark {
            tier: exam.positions()[at].tier(),
            best,
            legal: count(&|_| true),
            keeping: count(&is_good),
            played,
            perfect_mass: mass(&|score| score == best),
            good_mass: mass(&is_good),
            value: answers.value(at).map(|value| value as f32),
            seconds: answers.seconds(at).map(|seconds| seconds as f32),
        }
    }

    /// The number of stones.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// What the best move is worth.
    pub fn best(&self) -> Score {
        self.best
    }

    /// How many moves there are.
    pub fn legal(&self) -> usize {
        self.legal.into()
    }

    /// How many moves keep the outcome.
    pub fn keeping(&self) -> usize {
        self.keeping.into()
    }

    /// The move; `None` if there is none.
    pub fn column(&self) -> Option<Column> {
        self.played().map(|played| played.column)
    }

    /// What the move is worth.
    pub fn score(&self) -> Option<Score> {
        self.played().map(|played| played.score)
    }

    /// Why there is no move, if one was expected.
    pub fn trouble(&self) -> Option<Trouble> {
        self.played.and_then(Result::err)
    }

    /// Whether the move is as good as the best; `None` if the player was not asked for one.
    pub fn is_perfect(&self) -> Option<bool> {
        self.made(|played| played.better == 0)
    }

    /// Whether the move keeps the outcome.
    pub fn is_good(&self) -> Option<bool> {
        self.made(|played| played.score.outcome() == self.best.outcome())
    }

    /// Whether fewer than three moves are better.
    pub fn is_top_three(&self) -> Option<bool> {
        self.made(|played| played.better < 3)
    }

    /// The best score less that of the move.
    pub fn loss(&self) -> Option<i32> {
        self.score().map(|score| self.best.get() - score.get())
    }

    fn played(&self) -> Option<Played> {
        self.played.and_then(Result::ok)
    }

    fn made(&self, is_hit: impl Fn(Played) -> bool) -> Option<bool> {
        Some(self.played?.is_ok_and(is_hit))
    }

    /// The result for the player to move, as numbers: 1, 0 or −1.
    fn result(&self) -> f64 {
        f64::from(self.best.get().signum())
    }

    /// The groups that the position belongs to.
    fn groups(&self) -> [Group; 4] {
        let keeping = if self.keeping == self.legal { None } else { Some(self.keeping) };
        [
            Group::All,
            Group::Outcome(self.best.outcome()),
            Group::Keeping(keeping),
            Group::Tier(self.tier),
        ]
    }
}

/// Which positions some marks are for. They are sorted as reports show them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// All of the exam.
    All,
    /// Won, drawn or lost for the player to move.
    Outcome(Outcome),
    /// So many moves keep the outcome, and some do not; `None` if every move keeps it.
    Keeping(Option<u8>),
    /// So many stones.
    Tier(Tier),
}

impl Group {
    /// The name of the kind of group: `all`, `outcome`, `keeping` or `tier`.
    pub fn kind(self) -> &'static str {
        match self {
            Group::All => "all",
            Group::Outcome(_) => "outcome",
            Group::Keeping(_) => "keeping",
            Group::Tier(_) => "tier",
        }
    }

    /// The place in the order of reports.
    fn order(self) -> (u8, u8) {
        match self {
            Group::All => (0, 0),
            Group::Outcome(outcome) => (1, 2 - outcome as u8),
            Group::Keeping(keeping) => (2, keeping.unwrap_or(u8::MAX)),
            Group::Tier(tier) => (3, tier.get()),
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Group::All => f.write_str("all"),
            Group::Outcome(Outcome::Win) => f.write_str("won"),
            Group::Outcome(Outcome::Draw) => f.write_str("drawn"),
            Group::Outcome(Outcome::Loss) => f.write_str("lost"),
            Group::Keeping(Some(1)) => f.write_str("1 keeps"),
            Group::Keeping(Some(moves)) => write!(f, "{moves} keep"),
            Group::Keeping(None) => f.write_str("all keep"),
            Group::Tier(tier) => write!(f, "tier {tier}"),
        }
    }
}

impl PartialOrd for Group {
    fn partial_cmp(&self, other: &Group) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Group {
    fn cmp(&self, other: &Group) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

/// The marks of a group of positions.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Marks {
    /// The positions, answered or not.
    pub positions: u64,
    /// Moves of the highest score.
    pub perfect: Share,
    /// Moves that keep the outcome.
    pub good: Share,
    /// Moves that fewer than three are better than.
    pub top_three: Share,
    /// The best score less that of the move.
    pub loss: Mean,
    /// The probability of perfect moves.
    pub perfect_mass: Mean,
    /// The probability of good moves.
    pub good_mass: Mean,
    /// Values nearest to the outcome, of −1, 0 and 1.
    pub agreement: Share,
    /// How far values are from the outcome.
    pub error: Mean,
    /// Values from −1 to 1, in parts of equal width.
    pub calibration: [Calibration; 10],
    /// The seconds of an answer.
    pub seconds: Mean,
    /// The seconds of the slowest answer.
    pub slowest: f64,
    outcomes: [[u64; 3]; 3],
    troubles: [u64; Trouble::ALL.len()],
}

/// Values of about the same size, and what came of them.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Calibration {
    /// The values.
    pub value: Mean,
    /// The outcomes of these positions: 1, 0 or −1.
    pub outcome: Mean,
}

impl Marks {
    /// The marks of some positions.
    pub fn of<'a>(marks: impl IntoIterator<Item = &'a Mark>) -> Marks {
        let mut sum = Marks::default();
        marks.into_iter().for_each(|mark| sum.add(mark));
        sum
    }

    /// Positions with this outcome in which the move played leads to that one, for the player to
    /// move.
    pub fn outcomes(&self, before: Outcome, after: Outcome) -> u64 {
        self.outcomes[before as usize][after as usize]
    }

    /// How often there was no move, and why.
    pub fn troubles(&self, trouble: Trouble) -> u64 {
        self.troubles[trouble as usize]
    }

    /// How far the mean of values is from the mean of outcomes, in the mean over all parts of the
    /// calibration; `None` without values.
    pub fn miscalibration(&self) -> Option<f64> {
        let off = self.calibration.iter().filter_map(|part| {
            let off = (part.value.mean()? - part.outcome.mean()?).abs();
            Some(off * part.value.count() as f64)
        });
        (self.error.count() > 0).then(|| off.sum::<f64>() / self.error.count() as f64)
    }

    fn add(&mut self, mark: &Mark) {
        self.positions += 1;
        let shares = [
            (&mut self.perfect, mark.is_perfect()),
            (&mut self.good, mark.is_good()),
            (&mut self.top_three, mark.is_top_three()),
        ];
        for (share, is_hit) in shares {
            is_hit.into_iter().for_each(|is_hit| share.count(is_hit));
        }
        if let Some(played) = mark.played() {
            self.loss.add(f64::from(mark.best.get() - played.score.get()));
            self.outcomes[mark.best.outcome() as usize][played.score.outcome() as usize] += 1;
        }
        if let Some(trouble) = mark.trouble() {
            self.troubles[trouble as usize] += 1;
        }
        let masses =
            [(&mut self.perfect_mass, mark.perfect_mass), (&mut self.good_mass, mark.good_mass)];
        for (mean, mass) in masses {
            mass.into_iter().for_each(|mass| mean.add(mass.into()));
        }
        if let Some(value) = mark.value.map(f64::from) {
            let result = mark.result();
            self.agreement.count((value - result).abs() < 0.5);
            self.error.add((value - result).abs());
            let parts = self.calibration.len();
            let part = ((value + 1.0) / 2.0 * parts as f64) as usize;
            let part = &mut self.calibration[part.min(parts - 1)];
            part.value.add(value);
            part.outcome.add(result);
        }
        if let Some(seconds) = mark.seconds.map(f64::from) {
            self.seconds.add(seconds);
            self.slowest = self.slowest.max(seconds);
        }
    }
}

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

    /// How this player differs from another who took the same exam; `None` if it was another one.
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

    /// Six positions with easy scores, all on the empty board of 4x4 or after one move.
    const EXAM: &str = "strong4 exam six 1 4x4\n\
        1 3 0 -1 0\n\
        2 0 0 -2 -3\n\
        3 -1 -2 -3 -4\n\
        12 2 2 1 0\n\
        13 1 -1 -1 -1\n\
        14 0 -1 -1 -1\n";

    fn answered(choices: [usize; 6]) -> Report {
        let exam = Exam::parse(EXAM).unwrap();
        let mut answers = Answers::new(exam.board(), 6);
        for (at, column) in choices.into_iter().enumerate() {
            answers.played(at, Column(column as u8 - 1));
        }
        Report::new("somebody", &exam, &answers)
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
        let exam = Exam::parse(EXAM).unwrap();
        let mut answers = Answers::new(exam.board(), 6);
        Trouble::ALL.into_iter().enumerate().for_each(|(at, trouble)| answers.failed(at, trouble));
        let marks = Report::new("nobody", &exam, &answers).in_all();
        assert_eq!(
            (marks.positions, marks.perfect, marks.good),
            (6, Share { hits: 0, of: 5 }, Share { hits: 0, of: 5 })
        );
        assert_eq!((marks.loss.count(), marks.loss.mean()), (0, None));
        assert!(Trouble::ALL.into_iter().all(|trouble| marks.troubles(trouble) == 1));
    }

    #[test]
    fn probabilities_have_mass_and_values_are_near_or_far() {
        let exam = Exam::parse(EXAM).unwrap();
        let mut answers = Answers::new(exam.board(), 6);
        answers.preferred(1, &[0.25, 0.25, 0.5, 0.0]);
        answers.preferred(3, &[0.5, 0.125, 0.25, 0.125]);
        for (at, value) in [(0, 1.0), (1, 0.25), (2, 0.0), (4, 0.75)] {
            answers.valued(at, value);
            answers.took(at, value);
        }
        let marks = Report::new("a net", &exam, &answers).in_all();
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
