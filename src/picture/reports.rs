//! Marks by tier as a picture: the shares of perfect and of good moves, a curve for each player,
//! with the interval of each point.

use super::pen::{Anchor, Axis, Picture};
use crate::grade::{Confidence, Mark, Marks, Report, Share};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 620.0;
/// Where the plots begin and end horizontally.
const SIDES: [f64; 2] = [60.0, 560.0];
/// Tiers of one point: single ones have few positions.
const TIERS: usize = 4;
const WHISKER: f64 = 3.0;

const COLOURS: [&str; 6] = ["#2c7fb8", "#d95f0e", "#4daf7c", "#8e6bb0", "#444444", "#c2a000"];

/// A point: a tier in the middle, and a share.
type Point = (f64, Share);

/// Reports: the shares of perfect and of good moves by tier, a curve for each player.
pub fn of_reports(reports: &[Report]) -> String {
    let mut picture = Picture::new(WIDTH, HEIGHT);
    let exams: Vec<String> =
        reports.iter().map(|report| format!("{} {}", report.exam(), report.version())).collect();
    let is_one = exams.iter().all(|exam| *exam == exams[0]);
    let title = match &exams[..] {
        [first, ..] if is_one => format!("Marks in strong4 exam {first}, by tier"),
        _ => "Marks by tier".to_owned(),
    };
    picture.text([SIDES[0], 34.0], Anchor::Start, "title", title);
    let last = reports.iter().flat_map(Report::marks).map(|mark| mark.tier().get()).max();
    let across = Axis::linear([-1.0, f64::from(last.unwrap_or(0)) + 1.0], SIDES);
    type Part = fn(&Marks) -> Share;
    let parts: [(&str, [f64; 2], Part); 2] = [
        ("Perfect moves", [300.0, 80.0], |marks| marks.perfect),
        ("Good moves", [570.0, 350.0], |marks| marks.good),
    ];
    for (heading, places, part) in parts {
        picture.text([SIDES[0], places[1] - 12.0], Anchor::Start, "heading", heading);
        let up = Axis::linear([0.0, 1.0], places);
        let quarter = |n: i32| (f64::from(n) / 4.0, format!("{} %", 25 * n));
        picture.levels(&across, &up, &(0..=4).map(quarter).collect::<Vec<_>>());
        let tiers = (0..=last.unwrap_or(0)).step_by(TIERS);
        let marks: Vec<_> = tiers.map(|tier| (f64::from(tier), tier.to_string())).collect();
        picture.bottom(&across, &up, &marks);
        for (at, report) in reports.iter().enumerate() {
            curve(&mut picture, [&across, &up], &points(report.marks(), part), COLOURS[at % 6]);
        }
    }
    for (at, report) in reports.iter().enumerate() {
        let (x, y) = (SIDES[1] + 18.0, 88.0 + 20.0 * at as f64);
        let exam = if is_one { String::new() } else { format!("{}: ", exams[at]) };
        let name: String = report.player().chars().take(24).collect();
        picture.key([x, y], COLOURS[at % 6], format_args!("{exam}{name}"));
    }
    let middle = (SIDES[0] + SIDES[1]) / 2.0;
    picture.text([middle, HEIGHT - 12.0], Anchor::Middle, "", "tier: stones on the board");
    picture.finish()
}

/// A point for every few tiers that have positions.
fn points(marks: &[Mark], part: impl Fn(&Marks) -> Share) -> Vec<Point> {
    let bands = marks.iter().map(|mark| mark.tier().stones() / TIERS).max().map_or(0, |n| n + 1);
    let point = |band: usize| {
        let marks = marks.iter().filter(|mark| mark.tier().stones() / TIERS == band);
        let share = part(&Marks::of(marks));
        ((band * TIERS) as f64 + (TIERS - 1) as f64 / 2.0, share)
    };
    (0..bands).map(point).filter(|(_, share)| share.of > 0).collect()
}

fn curve(picture: &mut Picture, [across, up]: [&Axis; 2], points: &[Point], colour: &str) {
    let places = points
        .iter()
        .filter_map(|(tier, share)| Some([across.place(*tier), up.place(share.share()?)]));
    picture.dotted_curve(&places.collect::<Vec<_>>(), colour);
    for (tier, share) in points {
        let Some(Confidence { low, high }) = share.confidence() else { continue };
        let (x, [low, high]) = (across.place(*tier), [low, high].map(|share| up.place(share)));
        picture.line([x, low], [x, high], "axis");
        for y in [low, high] {
            picture.line([x - WHISKER, y], [x + WHISKER, y], "axis");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::{Answers, Exam};

    #[test]
    fn points_are_where_their_shares_are() {
        let exam =
            Exam::parse("strong4 exam a 1 4x4\n1 1 0 0 0\n2 0 1 0 0\n1234 1 0 0 0\n").unwrap();
        let mut answers = Answers::new(exam.board(), 3);
        (0..3).for_each(|at| answers.played(at, exam.board().column(1).unwrap()));
        let report = Report::new("<b>", &exam, &answers);
        let shares = points(report.marks(), |marks| marks.perfect);
        assert_eq!(shares, [(1.5, Share { hits: 1, of: 2 }), (5.5, Share { hits: 1, of: 1 })]);
        let svg = of_reports(&[report.clone(), report]);
        assert!(svg.contains("Marks in strong4 exam a 1") && svg.contains("&lt;b&gt;"), "{svg}");
        // Two plots, two players, two points each: half of 220 up, and all the way.
        assert_eq!(svg.matches("cy=\"190.0\"").count(), 2);
        assert_eq!(svg.matches("cy=\"80.0\"").count(), 2);
        assert!(!svg.contains("NaN"));
    }
}
