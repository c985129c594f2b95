//! The statistics of tiers as a picture: the number of positions, on a logarithmic scale; the
//! outcomes of the live ones for the mover; and the winners of all.

use strong4::board::{Board, OutcomeCounts};
use strong4::stats::TierStats;

use super::report::bits;
use crate::cli::output::numbers::{grouped, power_of_ten};
use strong4::picture::pen::{Anchor, Axis, Picture};

const WIDTH: f64 = 940.0;
const HEIGHT: f64 = 860.0;
/// Where the plots begin and end horizontally.
const SIDES: [f64; 2] = [70.0, 820.0];

const TOTAL: &str = "#444444";
const LIVE: &str = "#2c7fb8";
const TERMINAL: &str = "#d95f0e";
pub(super) const DRAWN: &str = "#c7c7c7";
pub(super) const WON_LOST: [&str; 2] = ["#4daf7c", "#8e6bb0"];
/// The colours of the stones.
pub(super) const X_O: [&str; 2] = ["#d7433c", "#f2c230"];

pub(super) fn picture(board: Board, stats: &[TierStats]) -> String {
    let mut picture = Picture::new(WIDTH, HEIGHT);
    let sum = |part: fn(&TierStats) -> u64| stats.iter().map(part).sum::<u64>();
    let [positions, bytes] = [sum(|stats| stats.counts.total()), sum(|stats| stats.bytes)];
    let title = format!("Connect Four {board}, tier by tier");
    picture.text([SIDES[0], 34.0], Anchor::Start, "title", title);
    let summary = format!(
        "{} positions; tables of {} bytes, {:.4} bits a position",
        grouped(positions),
        grouped(bytes),
        bits(bytes, positions)
    );
    picture.text([SIDES[0], 56.0], Anchor::Start, "", summary);

    // Half a tier of space at both ends, for the bars.
    let last = f64::from(board.last_tier().get());
    let across = Axis::linear([-0.7, last + 0.7], SIDES);
    positions_by_tier(&mut picture, &across, stats);
    let names = [("won", WON_LOST[0]), ("drawn", DRAWN), ("lost", WON_LOST[1])];
    let heading = "Live positions, for the player to move";
    stacked(&mut picture, &across, [610.0, 470.0], heading, names, stats, TierStats::live);
    let names = [("X wins", X_O[0]), ("draw", DRAWN), ("O wins", X_O[1])];
    let heading = "All positions, by who wins";
    stacked(&mut picture, &across, [810.0, 670.0], heading, names, stats, TierStats::all_for_first);
    let middle = (SIDES[0] + SIDES[1]) / 2.0;
    picture.text([middle, HEIGHT - 14.0], Anchor::Middle, "", "tier: stones on the board");
    picture.finish()
}

/// Total, live and terminal positions as curves.
fn positions_by_tier(picture: &mut Picture, across: &Axis, stats: &[TierStats]) {
    let most = stats.iter().map(|stats| stats.counts.total()).max().unwrap_or(1);
    let decades = (most as f64).log10().ceil().max(1.0) as i32;
    let up = Axis::logarithmic([1.0, 10f64.powi(decades)], [410.0, 105.0]);
    picture.text([SIDES[0], 90.0], Anchor::Start, "heading", "Positions");
    let levels: Vec<_> = (0..=decades).map(|n| (10f64.powi(n), power_of_ten(n as u32))).collect();
    picture.levels(across, &up, &levels);
    picture.bottom(across, &up, &marks(stats));
    let names = [("total", TOTAL), ("live", LIVE), ("terminal", TERMINAL)];
    for (line, (name, colour)) in names.into_iter().enumerate() {
        let points = stats.iter().filter_map(|stats| {
            let parts = [stats.counts.total(), stats.live().total(), stats.counts.terminal];
            let [x, y] = [across.place(f64::from(stats.tier.get())), up.place(parts[line] as f64)];
            (parts[line] > 0).then_some([x, y])
        });
        picture.dotted_curve(&points.collect::<Vec<_>>(), colour);
        key(picture, 105.0, line, name, colour);
    }
}

/// A bar for each tier, divided by the shares of outcomes.
fn stacked(
    picture: &mut Picture,
    across: &Axis,
    places: [f64; 2],
    heading: &str,
    names: [(&str, &str); 3],
    stats: &[TierStats],
    outcomes: fn(&TierStats) -> OutcomeCounts,
) {
    let up = Axis::linear([0.0, 1.0], places);
    picture.text([SIDES[0], places[1] - 15.0], Anchor::Start, "heading", heading);
    let percent = |quarter: i32| (f64::from(quarter) / 4.0, format!("{} %", 25 * quarter));
    picture.levels(across, &up, &(0..=4).map(percent).collect::<Vec<_>>());
    for stats in stats {
        let outcomes = outcomes(stats);
        let OutcomeCounts { won, drawn, lost } = outcomes;
        let all = outcomes.total().max(1) as f64;
        let [left, right] =
            [-0.4, 0.4].map(|half| across.place(f64::from(stats.tier.get()) + half));
        // The first name is on top, so the last one is drawn first.
        let mut below = 0;
        for (count, (_, colour)) in [lost, drawn, won].into_iter().zip(names.into_iter().rev()) {
            let [bottom, top] = [below, below + count].map(|n| up.place(n as f64 / all));
            if count > 0 {
                picture.filled([left, top], [right - left, bottom - top], colour);
            }
            below += count;
        }
    }
    picture.bottom(across, &up, &marks(stats));
    for (line, (name, colour)) in names.into_iter().enumerate() {
        key(picture, places[1], line, name, colour);
    }
}

/// An entry of the colour legend, to the right of a plot that begins at `top`.
fn key(picture: &mut Picture, top: f64, line: usize, name: &str, colour: &str) {
    let (x, y) = (SIDES[1] + 18.0, top + 8.0 + 20.0 * line as f64);
    picture.key([x, y], colour, name);
}

/// The tiers labelled below a plot: few enough to be readable.
fn marks(stats: &[TierStats]) -> Vec<(f64, String)> {
    let last = stats.iter().map(|stats| stats.tier.get()).max().unwrap_or(0);
    let step = if last > 21 { 3 } else { 1 };
    (0..=last).step_by(step).map(|tier| (f64::from(tier), tier.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::Tier;
    use strong4::table::TierCounts;

    fn drawn(counts: [TierCounts; 2]) -> String {
        let stats = |tier: u8, counts| TierStats {
            tier: Tier::new(tier).unwrap(),
            counts,
            bytes: 9,
            seconds: None,
        };
        picture("2x2".parse().unwrap(), &[stats(0, counts[0]), stats(1, counts[1])])
    }

    /// The heights of the boxes of a colour that belong to bars.
    fn bars(svg: &str, colour: &str) -> Vec<f64> {
        let boxes = svg.lines().filter(|line| line.contains(&format!("fill=\"{colour}\"")));
        let height = |line: &str| {
            let (_, rest) = line.split_once("height=\"").unwrap();
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        boxes
            .filter(|line| line.starts_with("<rect x"))
            .map(height)
            .filter(|h| *h != 11.0)
            .collect()
    }

    #[test]
    fn bars_are_as_high_as_the_shares_they_stand_for() {
        let first = TierCounts { won: 3, drawn: 0, lost: 1, terminal: 0 };
        let second = TierCounts { won: 1, drawn: 2, lost: 0, terminal: 1 };
        let svg = drawn([first, second]);
        // 140 high in all; for the mover, won in both tiers, lost in the first.
        assert_eq!(bars(&svg, WON_LOST[0]), [105.0, 46.7]);
        assert_eq!(bars(&svg, WON_LOST[1]), [35.0]);
        // O moves in the second tier, wins one of four, and has lost the terminal one.
        assert_eq!(bars(&svg, X_O[0]), [105.0, 35.0]);
        assert_eq!(bars(&svg, X_O[1]), [35.0, 35.0]);
        assert_eq!(bars(&svg, DRAWN), [93.3, 70.0]);
        // Two points for live positions, one for terminal ones.
        let dots = |colour| svg.matches(&format!("r=\"2.5\" fill=\"{colour}\"")).count();
        assert_eq!([LIVE, TERMINAL].map(dots), [2, 1]);
    }

    #[test]
    fn every_element_is_closed_and_no_number_is_broken() {
        let nothing = TierCounts::default();
        for svg in [drawn([nothing; 2]), drawn([TierCounts { won: 1, ..nothing }, nothing])] {
            let mut open = Vec::new();
            for tag in svg.split('<').skip(1).map(|tag| tag.split('>').next().unwrap()) {
                if let Some(name) = tag.strip_prefix('/') {
                    assert_eq!(open.pop(), Some(name));
                } else if !tag.ends_with('/') {
                    open.push(tag.split(' ').next().unwrap());
                }
            }
            assert!(open.is_empty() && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
