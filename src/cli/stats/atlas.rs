//! All solved boards at a glance: as a table, as CSV and JSON, and as a picture with a box for each
//! board, the wider ones to the right and the taller ones above.

use serde::Serialize;
use strong4::board::{Outcome, OutcomeCounts};
use strong4::query::JsonInteger;
use strong4::reference::atlas::SolvedBoard;

use super::picture::{DRAWN, WON_LOST, X_O};
use super::report::{percents, sums};
use crate::cli::output::numbers::{grouped, power_of_ten};
use crate::cli::output::table::aligned;
use crate::cli::output::{self, json, record};
use strong4::picture::pen::{Anchor, Axis, Picture};

/// Who wins from the empty board.
fn winner(value: Outcome) -> &'static str {
    match value {
        Outcome::Win => "X wins",
        Outcome::Draw => "draw",
        Outcome::Loss => "O wins",
    }
}

/// A row for each board: its positions, the outcomes of live ones for the player to move, and who
/// wins all of them.
pub(super) fn table(boards: &[SolvedBoard]) -> Vec<String> {
    let head =
        ["board", "positions", "won %", "drawn %", "lost %", "X %", "draw %", "O %", "value"];
    let row = |solved: &SolvedBoard| {
        let [won, drawn, lost] = percents(solved.counts.live());
        let [x, draw, o] = percents(solved.for_first);
        let (name, positions) = (solved.board.to_string(), grouped(solved.counts.total()));
        [name, positions, won, drawn, lost, x, draw, o, winner(solved.value).to_owned()]
    };
    aligned(head, boards.iter().map(row))
}

/// A header and a row for each board.
pub(super) fn csv(boards: &[SolvedBoard]) -> Vec<String> {
    let header = "board,value,won,drawn,lost,terminal,total,x_wins,o_wins";
    output::csv(header, boards.iter().map(record))
}

/// One board, as JSON: the value of the empty board for X, then sums over all tiers as in the
/// records of tiers.
pub(super) fn to_json(solved: &SolvedBoard) -> String {
    json(&record(solved))
}

fn record(solved: &SolvedBoard) -> impl Serialize + use<> {
    let (board, value) = (solved.board.to_string(), solved.value.name());
    let [live, won, drawn, lost, terminal, total, x_wins, o_wins] =
        sums(solved.counts, solved.for_first).map(JsonInteger::from);
    record! { board, value, live, won, drawn, lost, terminal, total, x_wins, o_wins }
}

/// The size of the box of a board, and the space around all of them.
const BOX: [f64; 2] = [128.0, 72.0];
const LEFT: f64 = 60.0;
const TOP: f64 = 140.0;
const BELOW: f64 = 56.0;
/// The least that the lines above the boxes take.
const LEAST_WIDTH: f64 = 580.0;
/// Behind the boards that X wins, that nobody wins, and that O wins.
const TINTS: [&str; 3] = ["#f9dedc", "#eeeeee", "#fdf3cf"];

pub(super) fn picture(boards: &[SolvedBoard]) -> String {
    let ends = |side: fn(&SolvedBoard) -> usize| {
        let sides = || boards.iter().map(side);
        [sides().min().unwrap_or(1), sides().max().unwrap_or(1)]
    };
    let widths = ends(|solved| solved.board.width());
    let heights = ends(|solved| solved.board.height());
    let [across, up] = [widths, heights].map(|[least, most]| (most - least + 1) as f64);
    let (right, bottom) = (LEFT + BOX[0] * across, TOP + BOX[1] * up);
    let mut picture = Picture::new((right + 20.0).max(LEAST_WIDTH), bottom + BELOW);
    let title = format!("Connect Four: {} solved boards", boards.len());
    picture.text([20.0, 34.0], Anchor::Start, "title", title);
    let [x, o] = X_O;
    let [won, lost] = WON_LOST;
    key(&mut picture, 60.0, "Who wins", [("X", TINTS[0]), ("nobody", TINTS[1]), ("O", TINTS[2])]);
    let of_live = "Upper bar: live positions, for the player to move";
    key(&mut picture, 82.0, of_live, [("won", won), ("drawn", DRAWN), ("lost", lost)]);
    let of_all = "Lower bar: all positions, by who wins";
    key(&mut picture, 104.0, of_all, [("X", x), ("draw", DRAWN), ("O", o)]);

    let place =
        |[least, most]: [usize; 2], places| Axis::linear([least as f64, most as f64 + 1.0], places);
    let (across, up) = (place(widths, [LEFT, right]), place(heights, [bottom, TOP]));
    for solved in boards {
        let [width, height] = [solved.board.width(), solved.board.height()].map(|n| n as f64);
        board(&mut picture, [across.place(width), up.place(height + 1.0)], solved);
    }
    for width in widths[0]..=widths[1] {
        let x = across.place(width as f64 + 0.5);
        picture.text([x, bottom + 18.0], Anchor::Middle, "", width);
    }
    for height in heights[0]..=heights[1] {
        let y = up.place(height as f64 + 0.5);
        picture.text([LEFT - 12.0, y + 4.0], Anchor::End, "", height);
    }
    picture.text([(LEFT + right) / 2.0, bottom + 40.0], Anchor::Middle, "", "columns");
    picture.upright_text([24.0, (TOP + bottom) / 2.0], "rows");
    picture.finish()
}

/// What three colours stand for, on one line.
fn key(picture: &mut Picture, y: f64, heading: &str, names: [(&str, &str); 3]) {
    picture.text([20.0, y], Anchor::Start, "", heading);
    for (at, (name, colour)) in names.into_iter().enumerate() {
        let x = 330.0 + 80.0 * at as f64;
        picture.key([x, y], colour, name);
    }
}

/// The box of a board, with its upper left corner at a place.
fn board(picture: &mut Picture, [left, top]: [f64; 2], solved: &SolvedBoard) {
    let tint = match solved.value {
        Outcome::Win => TINTS[0],
        Outcome::Draw => TINTS[1],
        Outcome::Loss => TINTS[2],
    };
    let [width, height] = BOX;
    picture.filled([left + 2.0, top + 2.0], [width - 4.0, height - 4.0], tint);
    let (first, last) = (left + 10.0, left + width - 10.0);
    picture.text([first, top + 20.0], Anchor::Start, "heading", solved.board);
    picture.text([last, top + 20.0], Anchor::End, "", about(solved.counts.total()));
    let [won, lost] = WON_LOST;
    bar(picture, [first, last], top + 30.0, solved.counts.live(), [won, DRAWN, lost]);
    bar(picture, [first, last], top + 48.0, solved.for_first, [X_O[0], DRAWN, X_O[1]]);
}

/// A bar divided by the shares of outcomes.
fn bar(picture: &mut Picture, ends: [f64; 2], top: f64, counts: OutcomeCounts, colours: [&str; 3]) {
    let OutcomeCounts { won, drawn, lost } = counts;
    let across = Axis::linear([0.0, counts.total().max(1) as f64], ends);
    let mut before = 0;
    for (count, colour) in [won, drawn, lost].into_iter().zip(colours) {
        let [from, to] = [before, before + count].map(|number| across.place(number as f64));
        if count > 0 {
            picture.filled([from, top], [to - from, 12.0], colour);
        }
        before += count;
    }
}

/// A number of positions in few letters: all digits of small ones, two of large ones.
fn about(number: u64) -> String {
    if number < 1_000_000 {
        return grouped(number);
    }
    let decades = number.ilog10();
    let tenths = (10.0 * number as f64 / 10f64.powi(decades as i32)).round() as u64;
    // 9.96 is 10.
    let (tenths, decades) = if tenths == 100 { (10, decades + 1) } else { (tenths, decades) };
    format!("{}.{} · {}", tenths / 10, tenths % 10, power_of_ten(decades))
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::table::TierCounts;

    fn solved(board: &str, value: Outcome) -> SolvedBoard {
        let counts = TierCounts { won: 3_000, drawn: 0, lost: 1_000, terminal: 4_000 };
        let for_first = OutcomeCounts { won: 2_000, drawn: 0, lost: 6_000 };
        SolvedBoard { board: board.parse().unwrap(), value, counts, for_first }
    }

    fn two() -> [SolvedBoard; 2] {
        [solved("4x5", Outcome::Draw), solved("6x4", Outcome::Loss)]
    }

    #[test]
    fn boards_are_rows_of_a_table_and_records_for_programs() {
        assert_eq!(
            table(&two()),
            [
                "board  positions  won %  drawn %  lost %   X %  draw %   O %   value",
                "  4x5      8,000   75.0      0.0    25.0  25.0     0.0  75.0    draw",
                "  6x4      8,000   75.0      0.0    25.0  25.0     0.0  75.0  O wins",
            ]
        );
        assert_eq!(
            csv(&two())[1..],
            [
                "4x5,draw,3000,0,1000,4000,8000,2000,6000",
                "6x4,loss,3000,0,1000,4000,8000,2000,6000"
            ]
        );
        assert_eq!(
            to_json(&two()[1]),
            "{\"board\":\"6x4\",\"value\":\"loss\",\"live\":4000,\"won\":3000,\"drawn\":0,\
             \"lost\":1000,\"terminal\":4000,\"total\":8000,\"x_wins\":2000,\"o_wins\":6000}"
        );
    }

    #[test]
    fn each_board_has_its_box_and_bars_as_long_as_the_shares() {
        let svg = picture(&two());
        // Three columns and two rows of boxes; the taller board is above, the wider to the right.
        let tinted = |[x, y]: [f64; 2], tint| {
            let place = format!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"124.0\" height=\"68.0\"");
            format!("{place} fill=\"{tint}\"/>")
        };
        assert!(svg.contains(&tinted([62.0, 142.0], TINTS[1])), "{svg}");
        assert!(svg.contains(&tinted([62.0 + 2.0 * 128.0, 142.0 + 72.0], TINTS[2])), "{svg}");
        // A quarter of 108, and the rest.
        let bars = |width: &str, colour: &str| {
            let end = format!("width=\"{width}\" height=\"12.0\" fill=\"{colour}\"/>");
            svg.matches(&end).count()
        };
        assert_eq!([bars("81.0", WON_LOST[0]), bars("27.0", WON_LOST[1])], [2, 2]);
        assert_eq!([bars("27.0", X_O[0]), bars("81.0", X_O[1])], [2, 2]);
        assert_eq!(svg.matches("height=\"12.0\"").count(), 8);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn large_numbers_are_rounded_to_two_digits() {
        for (number, text) in [
            (0, "0"),
            (999_999, "999,999"),
            (1_000_000, "1.0 · 10⁶"),
            (9_949_999, "9.9 · 10⁶"),
            (9_950_000, "1.0 · 10⁷"),
            (4_531_985_219_092, "4.5 · 10¹²"),
            (u64::MAX, "1.8 · 10¹⁹"),
        ] {
            assert_eq!(about(number), text);
        }
    }
}
