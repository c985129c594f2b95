//! Small charts: predictions as a line, measurements as points with error bars.

use crate::cli::svg::{Anchor, Axis, Picture};

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;

const PREDICTED: &str = "#c2410c";
const MEASURED: &str = "#1d4ed8";

/// One axis of a chart: its quantity, its ends, and the numbers along it.
pub struct Side {
    /// The measured quantity.
    pub name: &'static str,
    /// The numbers at its ends.
    pub ends: [f64; 2],
    /// The marked numbers, and their labels.
    pub marks: Vec<(f64, String)>,
    /// Is the scale logarithmic?
    pub logarithmic: bool,
}

/// A measured value, and the interval it may lie in.
pub struct Point {
    /// The place on the x axis.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The ends of its bar.
    pub bar: [f64; 2],
}

/// A chart.
pub struct Chart {
    /// The title above the chart.
    pub title: &'static str,
    /// The x axis, at the bottom.
    pub x: Side,
    /// The y axis, at the left.
    pub y: Side,
    /// The corners of the line.
    pub line: Vec<[f64; 2]>,
    /// The points.
    pub points: Vec<Point>,
    /// Where the legend hides nothing: the lower right corner, or the upper one.
    pub legend_below: bool,
}

/// Charts side by side, as SVG.
pub fn side_by_side(charts: &[Chart]) -> String {
    let mut picture = Picture::new(WIDTH * charts.len() as f64, HEIGHT);
    for (at, chart) in charts.iter().enumerate() {
        chart.draw(&mut picture, WIDTH * at as f64);
    }
    picture.finish() + "\n"
}

impl Side {
    fn axis(&self, places: [f64; 2]) -> Axis {
        let axis = if self.logarithmic { Axis::logarithmic } else { Axis::linear };
        axis(self.ends, places)
    }

    /// The number, clamped to the range.
    fn within(&self, number: f64) -> f64 {
        number.clamp(self.ends[0], self.ends[1])
    }
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
        let (across, up) = (self.x.axis([left, right]), self.y.axis([bottom, TOP]));
        let place = |x: f64, y: f64| [across.place(self.x.within(x)), up.place(self.y.within(y))];
        picture.text([left, 20.0], Anchor::Start, "heading", self.title);
        picture.levels(&across, &up, &self.y.marks);
        picture.bottom(&across, &up, &self.x.marks);
        picture.text([(left + right) / 2.0, HEIGHT - 10.0], Anchor::Middle, "", self.x.name);
        picture.upright_text([from + 14.0, (TOP + bottom) / 2.0], self.y.name);
        let corners: Vec<_> = self.line.iter().map(|[x, y]| place(*x, *y)).collect();
        picture.curve(&corners, PREDICTED);
        let legend = if self.legend_below { bottom - 42.0 } else { TOP + 14.0 };
        self.legend(picture, [right - 96.0, legend]);
        for Point { x, y, bar: [low, high] } in &self.points {
            picture.curve(&[place(*x, *low), place(*x, *high)], MEASURED);
            picture.dot(place(*x, *y), MEASURED);
        }
    }
}
