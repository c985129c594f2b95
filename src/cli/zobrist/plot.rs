//! The two predictions and the measurements, as a picture.

use strong4::clashes::{MOST_EXTRA, predicted_without_error};

use super::Findings;
use super::chart::{Chart, Point, Side, side_by_side};
use crate::cli::numbers::power_of_ten;

/// Check bits of the searches in the picture.
const MOST_DRAWN: usize = 16;

/// The picture, as SVG.
pub fn plot(findings: &Findings) -> String {
    side_by_side(&[retrieved(findings), searched(findings)])
}

fn retrieved(findings: &Findings) -> Chart {
    let points = (0..=MOST_EXTRA).map(|extra| {
        let (y, interval) = findings.retrievals.without_error(extra);
        Point { x: extra as f64, y, bar: [interval.low, interval.high] }
    });
    let line = (0..=10 * MOST_EXTRA).map(|tenth| {
        let extra = tenth as f64 / 10.0;
        [extra, predicted_without_error(extra)]
    });
    let end = MOST_EXTRA as f64;
    let marks = |step: usize| (0..=MOST_EXTRA).step_by(step).map(|m| (m as f64, m.to_string()));
    let shares = (3..=10).map(|tenth| tenth as f64 / 10.0);
    Chart {
        title: "No error in 2ⁿ retrievals",
        x: Side {
            name: "m: check bits beyond n",
            ends: [-0.4, end + 0.4],
            marks: marks(1).collect(),
            logarithmic: false,
        },
        y: Side {
            name: "probability",
            ends: [0.3, 1.02],
            marks: shares.map(|share| (share, format!("{share:.1}"))).collect(),
            logarithmic: false,
        },
        line: line.collect(),
        points: points.collect(),
        legend_below: true,
    }
}

fn searched(findings: &Findings) -> Chart {
    let hits = &findings.hits;
    let measured = (0..=MOST_DRAWN).map(|check| {
        let (y, interval) = hits.per_million(check);
        Point { x: check as f64, y, bar: [interval.low, interval.high] }
    });
    // A measurement of 0 has no place on a logarithmic axis.
    let points = measured.filter(|point| point.y > 0.0).collect();
    let line = [0, MOST_DRAWN].map(|check| [check as f64, hits.predicted_per_million(check)]);
    let end = MOST_DRAWN as f64;
    let powers = (0..=6).map(|power| (10f64.powi(power as i32), power_of_ten(power)));
    Chart {
        title: "Wrong hits of a search",
        x: Side {
            name: "check bits",
            ends: [-0.6, end + 0.6],
            marks: (0..=MOST_DRAWN).step_by(2).map(|c| (c as f64, c.to_string())).collect(),
            logarithmic: false,
        },
        y: Side {
            name: "per million retrievals",
            ends: [1.0, 1e6],
            marks: powers.collect(),
            logarithmic: true,
        },
        line: line.into(),
        points,
        legend_below: false,
    }
}
