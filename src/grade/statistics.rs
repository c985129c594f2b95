//! How sure marks are: shares and means with intervals that hold the truth 95 times in 100, and
//! how likely a difference is by chance.
//!
//! A share of hits has Wilson's interval, which stays within 0 and 1 and is sound for few trials
//! and for shares near the ends. A mean has Student's. Two players who took the same exam are
//! compared question by question. Questions that both get right say nothing about the difference,
//! so the difference is known much better than two separate intervals suggest.
//!
//! ```text
//!     both right    only A right  =  b        b and c are as likely if A and B are equally
//!     only B right  =  c    both wrong        good: the sign test counts how rare the split is
//! ```
//!
//! Both tails come from one function, the regularized incomplete beta function.

use crate::numerals::percent;

/// Two bounds; the true value is between them in 95 of 100 cases.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Confidence {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Confidence {
    /// That of a share, in percent: `33.9 to 39.8`.
    pub(crate) fn percents(self) -> String {
        format!("{} to {}", percent(self.low), percent(self.high))
    }

    /// That of something that is never below 0: `3.16 to 3.83`.
    pub(crate) fn decimals(self) -> String {
        format!("{:.2} to {:.2}", self.low.max(0.0), self.high)
    }
}

/// The normal deviate that 2.5 of 100 exceed.
const DEVIATE: f64 = 1.959_963_984_540_054;

/// How many of some trials were hits.
///
/// ```
/// use strong4::grade::Share;
///
/// let share = Share { hits: 8, of: 10 };
/// assert_eq!(share.share(), Some(0.8));
/// let interval = share.confidence().unwrap();
/// assert!((interval.low - 0.490).abs() < 0.001 && (interval.high - 0.943).abs() < 0.001);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Share {
    /// The hits.
    pub hits: u64,
    /// The trials.
    pub of: u64,
}

impl Share {
    /// Counts a trial.
    pub(super) fn count(&mut self, is_hit: bool) {
        self.hits += u64::from(is_hit);
        self.of += 1;
    }

    /// From 0 to 1; `None` without trials.
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| self.hits as f64 / self.of as f64)
    }

    /// Wilson's interval.
    pub fn confidence(self) -> Option<Confidence> {
        let (share, of) = (self.share()?, self.of as f64);
        let square = DEVIATE * DEVIATE / of;
        let middle = (share + square / 2.0) / (1.0 + square);
        let spread = (share * (1.0 - share) / of + square / (4.0 * of)).sqrt();
        let half = DEVIATE * spread / (1.0 + square);
        let low = if self.hits == 0 { 0.0 } else { (middle - half).max(0.0) };
        let high = if self.hits == self.of { 1.0 } else { (middle + half).min(1.0) };
        Some(Confidence { low, high })
    }
}

/// The mean of some numbers, and how far they scatter.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Mean {
    count: u64,
    mean: f64,
    /// The squared distances from the mean, summed.
    squares: f64,
}

impl Mean {
    /// Adds a number, by Welford's update, which loses no digits to large sums.
    pub(super) fn add(&mut self, number: f64) {
        self.count += 1;
        let from_old = number - self.mean;
        self.mean += from_old / self.count as f64;
        self.squares += from_old * (number - self.mean);
    }

    /// How many numbers there are.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Their mean; `None` if there are none.
    pub fn mean(self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The standard error of the mean; `None` for fewer than two numbers.
    fn error(self) -> Option<f64> {
        let freedom = self.count.checked_sub(1).filter(|freedom| *freedom > 0)? as f64;
        Some((self.squares / freedom / self.count as f64).sqrt())
    }

    /// Student's interval; `None` for fewer than two numbers.
    pub fn confidence(self) -> Option<Confidence> {
        let half = self.error()? * student_quantile((self.count - 1) as f64);
        Some(Confidence { low: self.mean - half, high: self.mean + half })
    }

    /// How likely a mean as far from 0 is by chance if the true one is 0.
    fn chance(self) -> Option<f64> {
        let error = self.error()?;
        if error == 0.0 {
            return Some(if self.mean == 0.0 { 1.0 } else { 0.0 });
        }
        Some(student_tails(self.mean / error, (self.count - 1) as f64))
    }
}

impl FromIterator<f64> for Mean {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Mean {
        let mut mean = Mean::default();
        numbers.into_iter().for_each(|number| mean.add(number));
        mean
    }
}

/// How two players differ in a mark, over the positions that both were asked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gap {
    /// The positions.
    pub positions: u64,
    /// The mark of the first less that of the second.
    pub difference: f64,
    /// Between which bounds it truly is; `None` for fewer than two positions.
    pub confidence: Option<Confidence>,
    /// How likely a difference as large is between equally good players, from 0 to 1.
    pub chance: f64,
}

impl Gap {
    /// The gap in a share, from the hits of both on the same trials. Its chance is that of the sign
    /// test, known to statisticians as McNemar's exact test.
    pub(super) fn of_hits(pairs: impl Iterator<Item = (bool, bool)>) -> Option<Gap> {
        let (mut differences, mut only_first, mut only_second) = (Mean::default(), 0, 0);
        for (first, second) in pairs {
            differences.add(f64::from(i8::from(first) - i8::from(second)));
            only_first += u64::from(first && !second);
            only_second += u64::from(second && !first);
        }
        Gap::of(differences, sign_test(only_first, only_second))
    }

    /// The gap in a mean, from the numbers of both on the same trials.
    pub(super) fn of_numbers(pairs: impl Iterator<Item = (f64, f64)>) -> Option<Gap> {
        let differences: Mean = pairs.map(|(first, second)| first - second).collect();
        Gap::of(differences, differences.chance().unwrap_or(1.0))
    }

    fn of(differences: Mean, chance: f64) -> Option<Gap> {
        Some(Gap {
            positions: differences.count(),
            difference: differences.mean()?,
            confidence: differences.confidence(),
            chance,
        })
    }
}

/// How likely a split as uneven is if each case goes to either side with equal chance.
fn sign_test(one: u64, other: u64) -> f64 {
    let (fewer, more) = (one.min(other) as f64, one.max(other) as f64);
    if one == other {
        return 1.0;
    }
    // At most `fewer` heads in all tosses.
    (2.0 * beta(0.5, more, fewer + 1.0)).min(1.0)
}

/// How likely Student's t is at least this far from 0, on either side.
fn student_tails(t: f64, freedom: f64) -> f64 {
    beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

/// The t that 2.5 of 100 exceed.
fn student_quantile(freedom: f64) -> f64 {
    let (mut low, mut high) = (DEVIATE, 13.0);
    if freedom > 1e7 {
        return DEVIATE;
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if student_tails(middle, freedom) > 0.05 { low = middle } else { high = middle }
    }
    high
}

/// The regularized incomplete beta function, from its continued fraction by Lentz's method.
fn beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    // The fraction converges fast only on one side of the mode.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(1.0 - x, b, a);
    }
    const TINY: f64 = 1e-300;
    let away = |number: f64| if number.abs() < TINY { TINY } else { number };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    // About the square root of the larger parameter is enough.
    for step in 1..100_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away(1.0 + even * d);
        c = away(1.0 + even / c);
        fraction *= c * d;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away(1.0 + odd * d);
        c = away(1.0 + odd / c);
        let change = c * d;
        fraction *= change;
        if (change - 1.0).abs() < 1e-14 {
            break;
        }
    }
    let front = a * x.ln() + b * (-x).ln_1p() + ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b);
    front.exp() * fraction / a
}

/// The logarithm of the gamma function of a positive number, by Stirling's series.
fn ln_gamma(number: f64) -> f64 {
    // The series is exact to 14 digits from 15 on; smaller numbers climb up to there.
    let (mut x, mut below) = (number, 0.0);
    while x < 15.0 {
        below += x.ln();
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = 1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series / x - below
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found}, expected {expected}");
    }

    #[test]
    fn the_gamma_function_knows_its_factorials() {
        let mut factorial = 1.0f64;
        for n in 1..=20 {
            near(ln_gamma(f64::from(n)), factorial.ln(), 1e-12);
            factorial *= f64::from(n);
        }
        near(ln_gamma(0.5), std::f64::consts::PI.sqrt().ln(), 1e-12);
    }

    /// The slow twin integrates.
    #[test]
    fn the_beta_function_is_its_integral() {
        for (a, b) in [(1.0, 1.0), (2.0, 3.0), (7.5, 2.0), (30.0, 40.0), (400.0, 380.0)] {
            let density = |t: f64| ((a - 1.0) * t.ln() + (b - 1.0) * (-t).ln_1p()).exp();
            let steps = 100_000;
            let width = 1.0 / f64::from(steps);
            let at = |step: i32| density((f64::from(step) + 0.5) * width) * width;
            let whole: f64 = (0..steps).map(at).sum();
            for part in [1, 3, 5, 7, 9] {
                let until = steps / 10 * part;
                let expected = (0..until).map(at).sum::<f64>() / whole;
                near(beta(f64::from(part) / 10.0, a, b), expected, 1e-6);
            }
        }
    }

    #[test]
    fn quantiles_of_student_are_those_of_the_tables() {
        let known = [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042)];
        for (freedom, expected) in known.into_iter().chain([(120, 1.980), (999, 1.962)]) {
            near(student_quantile(f64::from(freedom)), expected, 0.0005);
        }
        near(student_quantile(1e6), DEVIATE, 1e-5);
        near(student_quantile(1e9), DEVIATE, 1e-9);
    }

    /// The examples of Newcombe (1998), table I, method 3, and what R's `prop.test` prints.
    #[test]
    fn shares_have_the_published_intervals() {
        for (hits, of, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
            (20, 20, 0.8389, 1.0),
        ] {
            let found = Share { hits, of }.confidence().unwrap();
            near(found.low, low, 0.00006);
            near(found.high, high, 0.00006);
        }
        assert_eq!(Share::default().confidence(), None);
    }

    #[test]
    fn means_have_the_intervals_of_student() {
        // Gosset's own data of 1908: the extra sleep by one drug; by both, 0.70 to 2.46 more.
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let mean: Mean = first.into_iter().collect();
        near(mean.mean().unwrap(), 0.75, 1e-12);
        let gap = Gap::of_numbers(second.into_iter().zip(first)).unwrap();
        near(gap.difference, 1.58, 1e-12);
        let confidence = gap.confidence.unwrap();
        near(confidence.low, 0.7001, 0.0001);
        near(confidence.high, 2.4599, 0.0001);
        near(gap.chance, 0.002833, 0.000001);
        assert_eq!(Mean::default().mean(), None);
        assert_eq!([1.0].into_iter().collect::<Mean>().confidence(), None);
        let same: Mean = [2.0; 5].into_iter().collect();
        assert_eq!(same.confidence(), Some(Confidence { low: 2.0, high: 2.0 }));
        assert_eq!(
            (same.chance(), [0.0; 5].into_iter().collect::<Mean>().chance()),
            (Some(0.0), Some(1.0))
        );
    }

    /// The slow twin adds up Pascal's triangle.
    #[test]
    fn the_sign_test_counts_coin_tosses() {
        for tosses in 1..40u64 {
            let mut row = vec![1.0f64];
            for _ in 0..tosses {
                row = (0..=row.len())
                    .map(|at| {
                        let left = at.checked_sub(1).map_or(0.0, |left| row[left]);
                        (left + row.get(at).unwrap_or(&0.0)) / 2.0
                    })
                    .collect();
            }
            for heads in 0..=tosses {
                let fewer = heads.min(tosses - heads) as usize;
                let tail: f64 = row[..=fewer].iter().sum();
                near(sign_test(heads, tosses - heads), (2.0 * tail).min(1.0), 1e-10);
            }
        }
        assert_eq!(sign_test(0, 0), 1.0);
        assert!(sign_test(100_000, 101_000) > 0.02 && sign_test(100_000, 102_000) < 1e-5);
    }

    #[test]
    fn hits_are_compared_where_they_differ() {
        let pairs = [(true, true), (true, false), (true, false), (false, true), (false, false)];
        let gap = Gap::of_hits(pairs.into_iter()).unwrap();
        assert_eq!((gap.positions, gap.chance), (5, 1.0));
        near(gap.difference, 0.2, 1e-12);
        let gap = Gap::of_hits([(true, false); 10].into_iter()).unwrap();
        near(gap.chance, 2.0 / 1024.0, 1e-12);
        assert_eq!(Gap::of_hits(std::iter::empty()), None);
    }
}
