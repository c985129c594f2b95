//! Small charts, as SVG: points with bars of error beside a line, on two axes.
//!
//! Colours follow the reader's light or dark background; nothing but shapes and text.

use std::fmt::Write;

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;

const STYLE: &str = "<style>\
    text{font:12px sans-serif;fill:#333}.title{font-size:13px;font-weight:bold}\
    .axis{stroke:#888;fill:none}.grid{stroke:#ddd}.line{stroke:#c2410c;fill:none;stroke-width:1.5}\
    .point{fill:#1d4ed8}.bar{stroke:#1d4ed8;stroke-width:1.2}.back{fill:#fff}\
    @media(prefers-color-scheme:dark){text{fill:#ddd}.axis{stroke:#999}.grid{stroke:#333}\
    .line{stroke:#fb923c}.point{fill:#93c5fd}.bar{stroke:#93c5fd}.back{fill:#0d1117}}\
    </style>";

/// An axis: what it shows, its ends, and the numbers written along it.
pub struct Axis {
    /// What is measured.
    pub name: &'static str,
    /// The numbers at its ends.
    pub ends: (f64, f64),
    /// The numbers that are marked, and how they are written.
    pub marks: Vec<(f64, String)>,
    /// Are equal ratios equally long?
    pub logarithmic: bool,
}

/// What was measured at a place, and between which ends it may lie.
pub struct Point {
    /// Along the axis at the bottom.
    pub x: f64,
    /// The number.
    pub y: f64,
    /// The ends of its bar.
    pub bar: (f64, f64),
}

/// A chart: what was predicted as a line, what was measured as points.
pub struct Chart {
    /// Above the chart.
    pub title: &'static str,
    /// At the bottom.
    pub x: Axis,
    /// At the left.
    pub y: Axis,
    /// The corners of the line.
    pub line: Vec<(f64, f64)>,
    /// The points.
    pub points: Vec<Point>,
}

impl Axis {
    /// The place of a number on the axis, from 0 to 1; beyond its ends it is at the end.
    fn place(&self, number: f64) -> f64 {
        let scale = |number: f64| if self.logarithmic { number.max(1e-300).ln() } else { number };
        let (low, high) = (scale(self.ends.0), scale(self.ends.1));
        ((scale(number) - low) / (high - low)).clamp(0.0, 1.0)
    }
}

/// Charts side by side, as a file.
pub fn svg(charts: &[Chart]) -> String {
    let width = WIDTH * charts.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" \
         width=\"{width}\" height=\"{HEIGHT}\">\n{STYLE}\n\
         <rect class=\"back\" width=\"{width}\" height=\"{HEIGHT}\"/>\n"
    );
    for (at, chart) in charts.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate({},0)\">", WIDTH * at as f64);
        chart.draw(&mut svg);
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}

impl Chart {
    fn draw(&self, svg: &mut String) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let x = |number| LEFT + (right - LEFT) * self.x.place(number);
        let y = |number| bottom - (bottom - TOP) * self.y.place(number);
        let text = |svg: &mut String, class: &str, x: f64, y: f64, anchor: &str, text: &str| {
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            let _ = writeln!(
                svg,
                "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
            );
        };
        let segment = |svg: &mut String, class: &str, from: (f64, f64), to: (f64, f64)| {
            let ((x1, y1), (x2, y2)) = (from, to);
            let _ = writeln!(
                svg,
                "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
            );
        };
        text(svg, "title", LEFT, 20.0, "start", self.title);
        for (number, mark) in &self.y.marks {
            segment(svg, "grid", (LEFT, y(*number)), (right, y(*number)));
            text(svg, "mark", LEFT - 6.0, y(*number) + 4.0, "end", mark);
        }
        for (number, mark) in &self.x.marks {
            text(svg, "mark", x(*number), bottom + 17.0, "middle", mark);
        }
        segment(svg, "axis", (LEFT, bottom), (right, bottom));
        segment(svg, "axis", (LEFT, TOP), (LEFT, bottom));
        text(svg, "name", (LEFT + right) / 2.0, HEIGHT - 10.0, "middle", self.x.name);
        let _ = writeln!(
            svg,
            "<text class=\"name\" transform=\"translate(14,{:.1}) rotate(-90)\" \
             text-anchor=\"middle\">{}</text>",
            (TOP + bottom) / 2.0,
            self.y.name
        );
        let corners: Vec<String> =
            self.line.iter().map(|(a, b)| format!("{:.1},{:.1}", x(*a), y(*b))).collect();
        let _ = writeln!(svg, "<polyline class=\"line\" points=\"{}\"/>", corners.join(" "));
        for point in &self.points {
            segment(svg, "bar", (x(point.x), y(point.bar.0)), (x(point.x), y(point.bar.1)));
            let _ = writeln!(
                svg,
                "<circle class=\"point\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>",
                x(point.x),
                y(point.y)
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_places() {
        let axis = |logarithmic| Axis { name: "", ends: (1.0, 100.0), marks: vec![], logarithmic };
        assert!((axis(true).place(10.0) - 0.5).abs() < 1e-9);
        assert!((axis(false).place(50.5) - 0.5).abs() < 1e-9);
        assert_eq!((axis(true).place(0.0), axis(false).place(1e9)), (0.0, 1.0));
    }

    #[test]
    fn a_chart_has_all_its_parts_and_every_tag_is_closed() {
        let axis = || Axis {
            name: "bits",
            ends: (0.0, 2.0),
            marks: vec![(1.0, "a < b".to_owned())],
            logarithmic: false,
        };
        let points = vec![Point { x: 1.0, y: 1.0, bar: (0.5, 1.5) }];
        let line = vec![(0.0, 0.0), (2.0, 2.0)];
        let svg = svg(&[Chart { title: "One & two", x: axis(), y: axis(), line, points }]);
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(svg.contains("One &amp; two") && svg.contains("a &lt; b"));
        for tag in ["svg", "g", "text", "style"] {
            let opened =
                svg.matches(&format!("<{tag} ")).count() + svg.matches(&format!("<{tag}>")).count();
            assert_eq!(opened, svg.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
}
