//! Positions of random games, and how certain a number measured on them is: intervals that hold the
//! true one in 95 of 100 cases.

use crate::board::{Board, Column, Position, Status};
use crate::random::SplitMix64;

/// Positions with fewer stones are skipped: there are few, and all games share them.
const FIRST_STONES: usize = 8;

/// The positions of one game after the other, except those that are over.
pub(super) struct Games {
    random: SplitMix64,
    position: Position,
}

impl Games {
    pub(super) fn new(board: Board, random: SplitMix64) -> Games {
        Games { random, position: Position::empty(board) }
    }

    fn step(&mut self) {
        let board = self.position.board();
        let column = loop {
            let column = Column(self.random.below(board.width() as u64) as u8);
            if self.position.has_room(column) {
                break column;
            }
        };
        self.position = self.position.play_unchecked(column);
        if self.position.status() != Status::Open {
            self.position = Position::empty(board);
        }
    }
}

impl Iterator for Games {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        loop {
            self.step();
            if self.position.tier().stones() >= FIRST_STONES {
                return Some(self.position);
            }
        }
    }
}

/// Two ends, both included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Standard deviations to both sides within which 95 of 100 draws lie.
const DEVIATIONS: f64 = 1.959_964;

/// Wilson's interval for a probability, given `hits` in `trials`.
pub(super) fn wilson(hits: u64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (n, z2) = (trials as f64, DEVIATIONS * DEVIATIONS);
    let share = hits as f64 / n;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let spread = (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    let half = DEVIATIONS * spread / (1.0 + z2 / n);
    // At the ends, rounding would exclude 0 or 1.
    Interval {
        low: if hits == 0 { 0.0 } else { (centre - half).max(0.0) },
        high: if hits == trials { 1.0 } else { (centre + half).min(1.0) },
    }
}

/// Student's factors for samples of 2, 3, … numbers.
const STUDENT: [f64; 9] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];

/// The mean of some numbers, and its interval, from how much they vary.
pub(super) fn mean_interval(numbers: &[f64]) -> (f64, Interval) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    let factor = match numbers.len() {
        0 | 1 => return (mean, Interval { low: 0.0, high: f64::INFINITY }),
        count => STUDENT.get(count - 2).copied().unwrap_or(STUDENT[8]),
    };
    let half = factor * (squares / (n - 1.0) / n).sqrt();
    (mean, Interval { low: (mean - half).max(0.0), high: mean + half })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::validate;

    #[test]
    fn positions_are_open_and_follow_from_each_other() {
        let positions: Vec<Position> =
            Games::new(Board::STANDARD, SplitMix64(1)).take(2000).collect();
        let mut games = 0;
        for pair in positions.windows(2) {
            assert_eq!((pair[0].status(), validate(&pair[0])), (Status::Open, Ok(())));
            let follows = pair[0].children().any(|(_, child)| child == pair[1]);
            assert!(follows || pair[1].tier().stones() == FIRST_STONES);
            games += usize::from(!follows);
        }
        assert!(games > 50);
    }

    fn close(interval: Interval, low: f64, high: f64) -> bool {
        (interval.low - low).abs() < 0.0005 && (interval.high - high).abs() < 0.0005
    }

    #[test]
    fn intervals_are_those_of_the_books() {
        assert!(close(wilson(15, 50), 0.1910, 0.4375), "{:?}", wilson(15, 50));
        assert!(close(wilson(0, 10), 0.0, 0.2775), "{:?}", wilson(0, 10));
        assert!(close(wilson(10, 10), 0.7225, 1.0), "{:?}", wilson(10, 10));
        assert_eq!(wilson(0, 0), Interval { low: 0.0, high: 1.0 });
        let (mean, interval) = mean_interval(&[4.0, 6.0, 5.0]);
        assert!((mean - 5.0).abs() < 1e-9 && close(interval, 2.5157, 7.4843), "{interval:?}");
        assert_eq!(mean_interval(&[3.0]).1.high, f64::INFINITY);
    }
}
