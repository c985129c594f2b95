//! What one answer is worth, and to which groups of positions it belongs.

use std::fmt;

use crate::board::{Column, Outcome, Tier};
use crate::grade::answers::{Answers, Trouble};
use crate::grade::exam::Exam;
use crate::search::Score;

/// What one answer is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mark {
    pub(super) tier: Tier,
    pub(super) best: Score,
    pub(super) legal: u8,
    pub(super) keeping: u8,
    pub(super) played: Option<Result<Played, Trouble>>,
    pub(super) perfect_mass: Option<f32>,
    pub(super) good_mass: Option<f32>,
    pub(super) value: Option<f32>,
    pub(super) seconds: Option<f32>,
}

/// A move that was made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Played {
    pub column: Column,
    pub score: Score,
    /// Moves that are better.
    pub better: u8,
}

impl Mark {
    pub(super) fn of(exam: &Exam, answers: &Answers, at: usize) -> Mark {
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

    pub(super) fn played(&self) -> Option<Played> {
        self.played.and_then(Result::ok)
    }

    pub(super) fn made(&self, is_hit: impl Fn(Played) -> bool) -> Option<bool> {
        Some(self.played?.is_ok_and(is_hit))
    }

    /// The result for the player to move, as numbers: 1, 0 or −1.
    pub(super) fn result(&self) -> f64 {
        f64::from(self.best.get().signum())
    }

    /// The groups that the position belongs to.
    pub(super) fn groups(&self) -> [Group; 4] {
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
    /// This many moves keep the outcome, and some do not; `None` if every move keeps it.
    Keeping(Option<u8>),
    /// With this many stones.
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
