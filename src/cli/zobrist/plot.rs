//! The two predictions and the measurements, as charts: predictions as a line, measurements as
//! points with error bars.

use strong4::clashes::{MOST_EXTRA, predicted_without_error};
use strong4::grade::Confidence;

use super::Findings;
use crate::cli::output::numbers::power_of_ten;
use strong4::picture::pen::{Anchor, Axis, Picture};

/// Check bits of the searches in the picture.
const MOST_DRAWN: usize = 16;

/// The picture, as SVG.
pub(super) fn plot(findings: &Findings) -> String {
    let mut picture = Picture::new(2.0 * WIDTH, HEIGHT);
    retrieved(findings).draw(&mut picture, 0.0);
    searched(findings).draw(&mut picture, WIDTH);
    picture.finish() + "\n"
}

fn retrieved(findings: &Findings) -> Chart {
    let points = (0..=MOST_EXTRA).map(|extra| {
        let (y, bar) = findings.retrievals.without_error(extra);
        Point { x: extra as f64, y, bar }
    });
    let line = (0..=10 * MOST_EXTRA).map(|tenth| {
        let extra = tenth as f64 / 10.0;
        [extra, predicted_without_error(extra)]
    });
    let shares = (3..=10).map(|tenth| tenth as f64 / 10.0);
    Chart {
        title: "No error in 2ⁿ retrievals",
        x: Side {
            name: "m: check bits beyond n",
            ends: [-0.4, MOST_EXTRA as f64 + 0.4],
            marks: (0..=MOST_EXTRA).map(|m| (m as f64, m.to_string())).collect(),
            axis: Axis::linear,
        },
        y: Side {
            name: "probability",
            ends: [0.3, 1.02],
            marks: shares.map(|share| (share, format!("{share:.1}"))).collect(),
            axis: Axis::linear,
        },
        line: line.collect(),
        points: points.collect(),
        legend_below: true,
    }
}

fn searched(findings: &Findings) -> Chart {
    let hits = &findings.hits;
    let measured = (0..=MOST_DRAWN).map(|check| {
        let (y, bar) = hits.per_million(check);
        Point { x: check as f64, y, bar }
    });
    let line = [0, MOST_DRAWN].map(|check| [check as f64, hits.predicted_per_million(check)]);
    let powers = (0..=6).map(|power| (10f64.powi(power as i32), power_of_ten(power)));
    Chart {
        title: "Wrong hits of a search",
        x: Side {
            name: "check bits",
            ends: [-0.6, MOST_DRAWN as f64 + 0.6],
            marks: (0..=MOST_DRAWN).step_by(2).map(|c| (c as f64, c.to_string())).collect(),
            axis: Axis::linear,
        },
        y: Side {
            name: "per million retrievals",
            ends: [1.0, 1e6],
            marks: powers.collect(),
            axis: Axis::logarithmic,
        },
        line: line.into(),
        // A measurement of 0 has no place on a logarithmic axis.
        points: measured.filter(|point| point.y > 0.0).collect(),
        legend_below: false,
    }
}

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;

const PREDICTED: &str = "#c2410c";
const MEASURED: &str = "#1d4ed8";

/// One axis of a chart.
struct Side {
    /// The measured quantity.
    name: &'static str,
    /// The numbers at its ends.
    ends: [f64; 2],
    /// The marked numbers, and their labels.
    marks: Vec<(f64, String)>,
    /// The scale, from numbers to places.
    axis: fn([f64; 2], [f64; 2]) -> Axis,
}

/// A measured value, and the interval it may lie in.
struct Point {
    x: f64,
    y: f64,
    bar: Confidence,
}

struct Chart {
    title: &'static str,
    x: Side,
    y: Side,
    /// The corners of the line.
    line: Vec<[f64; 2]>,
    points: Vec<Point>,
    /// Where the legend hides nothing: the lower right corner, or the upper one.
    legend_below: bool,
}

impl Chart {
    /// The legend: a line, and a point with its bar.
    fn legend(&self, picture: &mut Picture, [left, top]: [f64; 2]) {
        let below = top + 18.0;
        picture.filled([left - 8.0, top - 14.0], [104.0, 42.0], "#fff");
        picture.curve(&[[left, top], [left + 18.0, top]], PREDICTED);
        picture.text([left + 26.0, top + 4.0], Anchor::Start, "", "predicted");
        picture.curve(&[[left + 9.0, below - 7.0], [left + 9.0, below + 7.0]], MEASURED);
        picture.dot([left + 9.0, below], MEASURED);
        picture.text([left + 26.0, below + 4.0], Anchor::Start, "", "measured");
    }

    fn draw(&self, picture: &mut Picture, from: f64) {
        let (left, right, bottom) = (from + LEFT, from + WIDTH - RIGHT, HEIGHT - BOTTOM);
        let Chart { x: Side { ends: x, .. }, y: Side { ends: y, .. }, .. } = self;
        let (across, up) = ((self.x.axis)(*x, [left, right]), (self.y.axis)(*y, [bottom, TOP]));
        let place = |at: f64, number: f64| {
            [across.place(at.clamp(x[0], x[1])), up.place(number.clamp(y[0], y[1]))]
        };
        picture.text([left, 20.0], Anchor::Start, "heading", self.title);
        picture.levels(&across, &up, &self.y.marks);
        picture.bottom(&across, &up, &self.x.marks);
        picture.text([(left + right) / 2.0, HEIGHT - 10.0], Anchor::Middle, "", self.x.name);
        picture.upright_text([from + 14.0, (TOP + bottom) / 2.0], self.y.name);
        let corners: Vec<_> = self.line.iter().map(|[x, y]| place(*x, *y)).collect();
        picture.curve(&corners, PREDICTED);
        let legend = if self.legend_below { bottom - 42.0 } else { TOP + 14.0 };
        self.legend(picture, [right - 96.0, legend]);
        for Point { x, y, bar } in &self.points {
            picture.curve(&[place(*x, bar.low), place(*x, bar.high)], MEASURED);
            picture.dot(place(*x, *y), MEASURED);
        }
    }
}
