//! A small pen for pictures: lines, boxes, text, and axes to place numbers on.
//!
//! ```text
//!   (0,0) ──► x          A plot is a box of the picture. Its axes turn numbers
//!     │    ┌────────┐    into places: the one across grows to the right, the one
//!     ▼ y  │  plot  │    up grows to the top, though y grows downwards.
//!          └────────┘
//! ```

use std::fmt::{Display, Write};

/// A picture being drawn.
pub(crate) struct Picture {
    width: f64,
    height: f64,
    title: String,
    body: String,
}

/// Which end of a text is at its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Numbers along one side of a plot.
#[derive(Clone, Copy)]
pub(crate) struct Axis {
    /// The numbers at both ends, or their logarithms.
    numbers: [f64; 2],
    /// Where in the picture these are.
    places: [f64; 2],
    logarithmic: bool,
}

impl Axis {
    /// A linear axis.
    pub(crate) fn linear(numbers: [f64; 2], places: [f64; 2]) -> Axis {
        Axis { numbers, places, logarithmic: false }
    }

    /// A logarithmic axis.
    pub(crate) fn logarithmic(numbers: [f64; 2], places: [f64; 2]) -> Axis {
        Axis { numbers: numbers.map(f64::log10), places, logarithmic: true }
    }

    /// The place of a number.
    pub(crate) fn place(&self, number: f64) -> f64 {
        let ([first, last], [from, to]) = (self.numbers, self.places);
        let number = if self.logarithmic { number.log10() } else { number };
        from + (number - first) / (last - first) * (to - from)
    }
}

/// For this picture only: a page may show several, and has texts of its own.
const STYLE: &str = ".s4 text{font:12px system-ui,sans-serif;fill:#333}\
    .s4 .title{font-size:17px;font-weight:600}.s4 .heading{font-size:13px;font-weight:600}\
    .s4 .light{fill:#fff}.s4 .grid{stroke:#ddd;stroke-width:1}.s4 .axis{stroke:#888;stroke-width:1}";

impl Picture {
    /// An empty picture.
    pub(crate) fn new(width: f64, height: f64) -> Picture {
        Picture { width, height, title: String::new(), body: String::new() }
    }

    /// Gives the picture a title, which programs read aloud or show under the mouse.
    pub(crate) fn title(&mut self, text: &str) {
        self.title = format!("<title>{}</title>\n", escaped(text));
    }

    /// Text with a class of the style sheet, or `""`.
    pub(crate) fn text(
        &mut self,
        [x, y]: [f64; 2],
        anchor: Anchor,
        class: &str,
        text: impl Display,
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let text = escaped(&text.to_string());
        self.element(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{class}>{text}</text>"
        ));
    }

    /// A straight line with a class of the style sheet.
    pub(crate) fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], class: &str) {
        self.element(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>"
        ));
    }

    /// A filled box.
    pub(crate) fn filled(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], colour: &str) {
        self.element(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             fill=\"{colour}\"/>"
        ));
    }

    /// An entry of a legend: what a colour stands for.
    pub(crate) fn key(&mut self, [x, y]: [f64; 2], colour: &str, text: impl Display) {
        self.filled([x, y - 9.0], [11.0, 11.0], colour);
        self.text([x + 18.0, y + 1.0], Anchor::Start, "", text);
    }

    /// Text that runs upwards, centred at a place.
    pub(crate) fn upright_text(&mut self, [x, y]: [f64; 2], text: &str) {
        let text = escaped(text);
        self.element(format_args!(
            "<text transform=\"translate({x:.1},{y:.1}) rotate(-90)\" \
             text-anchor=\"middle\">{text}</text>"
        ));
    }

    /// A line through points.
    pub(crate) fn curve(&mut self, points: &[[f64; 2]], colour: &str) {
        let list: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        self.element(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            list.join(" ")
        ));
    }

    /// A filled circle.
    pub(crate) fn disc(&mut self, [x, y]: [f64; 2], radius: f64, colour: &str) {
        self.element(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\"/>"
        ));
    }

    /// A circle's outline.
    pub(crate) fn ring(&mut self, [x, y]: [f64; 2], radius: f64, colour: &str) {
        self.element(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"none\" \
             stroke=\"{colour}\" stroke-width=\"4\"/>"
        ));
    }

    /// A dot.
    pub(crate) fn dot(&mut self, [x, y]: [f64; 2], colour: &str) {
        self.disc([x, y], 2.5, colour);
    }

    /// A line through points, with a dot on each.
    pub(crate) fn dotted_curve(&mut self, points: &[[f64; 2]], colour: &str) {
        self.curve(points, colour);
        points.iter().for_each(|point| self.dot(*point, colour));
    }

    /// Horizontal grid lines of a plot at these numbers of the vertical axis, each with its name.
    pub(crate) fn levels(&mut self, across: &Axis, up: &Axis, levels: &[(f64, String)]) {
        let [left, right] = across.places;
        for (number, name) in levels {
            let y = up.place(*number);
            self.line([left, y], [right, y], "grid");
            self.text([left - 8.0, y + 4.0], Anchor::End, "", name);
        }
    }

    /// The bottom line of a plot, with names below it at these numbers.
    pub(crate) fn bottom(&mut self, across: &Axis, up: &Axis, marks: &[(f64, String)]) {
        let ([left, right], [bottom, _]) = (across.places, up.places);
        self.line([left, bottom], [right, bottom], "axis");
        for (number, name) in marks {
            self.text([across.place(*number), bottom + 16.0], Anchor::Middle, "", name);
        }
    }

    /// The picture, as SVG.
    pub(crate) fn finish(self) -> String {
        let Picture { width, height, title, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"s4\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\">\n{title}<style>{STYLE}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{body}</svg>"
        )
    }

    fn element(&mut self, element: impl Display) {
        writeln!(self.body, "{element}").expect("text takes all");
    }
}

/// Text with special characters escaped.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_placed_between_the_ends_of_their_axis() {
        let up = Axis::linear([0.0, 1.0], [200.0, 100.0]);
        assert_eq!([0.0, 0.25, 1.0].map(|n| up.place(n)), [200.0, 175.0, 100.0]);
        let decades = Axis::logarithmic([1.0, 1e4], [0.0, 40.0]);
        assert_eq!([1.0, 100.0, 1e4].map(|n| decades.place(n)), [0.0, 20.0, 40.0]);
    }

    #[test]
    fn text_is_no_markup() {
        let mut picture = Picture::new(10.0, 10.0);
        picture.text([1.0, 2.0], Anchor::Middle, "", "a < b & c");
        let text = "<text x=\"1.0\" y=\"2.0\" text-anchor=\"middle\">a &lt; b &amp; c</text>";
        assert!(picture.finish().contains(text));
    }
}
