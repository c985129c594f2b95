//! The marks of many answers, summed up.

use crate::board::Outcome;
use crate::grade::answers::Trouble;
use crate::grade::statistics::{Mean, Share};

use super::mark::Mark;

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

    pub(super) fn add(&mut self, mark: &Mark) {
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
