//! How soon positions end, as a picture: a box for each tier and number of plies. The more
//! positions, the darker the box, by one step per power of ten.

use strong4::board::Board;
use strong4::plies::TierPlies;

use crate::cli::output::numbers::{grouped, power_of_ten};
use strong4::picture::pen::{Anchor, Axis, Picture};

const WIDTH: f64 = 940.0;
const HEIGHT: f64 = 760.0;
/// Where the plot begins and ends.
const SIDES: [f64; 2] = [70.0, 785.0];
const ENDS: [f64; 2] = [690.0, 90.0];
/// Where the boxes of draws are.
const DRAWS: f64 = 706.0;

/// The colours of few and of many positions.
type Scale = [[f64; 3]; 2];
const WON: Scale = [[222.0, 243.0, 232.0], [0.0, 82.0, 44.0]];
const LOST: Scale = [[237.0, 228.0, 246.0], [72.0, 24.0, 120.0]];
const DRAWN: Scale = [[238.0, 238.0, 238.0], [60.0, 60.0, 60.0]];

pub(super) fn picture(board: Board, tiers: &[TierPlies]) -> String {
    let mut picture = Picture::new(WIDTH, HEIGHT);
    let title = format!("Connect Four {board}: plies to the end, tier by tier");
    picture.text([SIDES[0], 34.0], Anchor::Start, "title", title);
    let longest = |rest: usize| {
        let of_tier = |tier: &TierPlies| {
            let plies = tier.iter().map(|(plies, _)| plies).filter(|n| *n > 0 && n % 2 == rest);
            plies.max()
        };
        tiers.iter().filter_map(of_tier).max().unwrap_or(0)
    };
    let live: u64 = tiers.iter().map(|tier| tier.outcomes().total()).sum();
    let [won, lost] = [1, 0].map(longest);
    let summary = format!(
        "{} live positions; the longest win takes {won} plies, the longest loss {lost}",
        grouped(live)
    );
    picture.text([SIDES[0], 56.0], Anchor::Start, "", summary);

    let across = Axis::linear([-0.5, f64::from(board.last_tier().get()) + 0.5], SIDES);
    let most_plies = won.max(lost).max(1);
    let up = Axis::linear([0.5, most_plies as f64 + 0.5], ENDS);
    let step = if most_plies > 21 { 5 } else { 1 };
    let levels = (step..=most_plies).step_by(step).map(|plies| (plies as f64, plies.to_string()));
    picture.levels(&across, &up, &levels.collect::<Vec<_>>());
    picture.text([SIDES[0] - 8.0, DRAWS + 11.0], Anchor::End, "", "draw");
    picture.upright_text([24.0, (ENDS[0] + ENDS[1]) / 2.0], "plies to the end");

    let most = tiers.iter().flat_map(TierPlies::iter).map(|(_, positions)| positions).max();
    let decades = power_above(most.unwrap_or(1));
    for tier in tiers {
        let [left, right] = [-0.5, 0.5].map(|half| across.place(f64::from(tier.tier.get()) + half));
        for (plies, positions) in tier.iter() {
            let [bottom, top] = [-0.5, 0.5].map(|half| up.place(plies as f64 + half));
            let (top, height) = if plies == 0 { (DRAWS, 15.0) } else { (top, bottom - top) };
            let scale = scale_of(plies);
            let colour = colour(scale, (positions as f64).log10() / f64::from(decades));
            picture.filled([left, top], [right - left, height], &colour);
        }
    }
    let step = if board.cells() > 21 { 3 } else { 1 };
    let marks = (0..=board.cells()).step_by(step).map(|tier| (tier as f64, tier.to_string()));
    let below = Axis::linear([0.0, 1.0], [DRAWS + 18.0, DRAWS]);
    picture.bottom(&across, &below, &marks.collect::<Vec<_>>());
    let middle = (SIDES[0] + SIDES[1]) / 2.0;
    picture.text([middle, HEIGHT - 6.0], Anchor::Middle, "", "tier: stones on the board");
    key(&mut picture, decades);
    picture.finish()
}

/// The colours, one per power of ten, for wins, draws and losses.
fn key(picture: &mut Picture, decades: u32) {
    let left = SIDES[1] + 22.0;
    let names = [("won", WON), ("draw", DRAWN), ("lost", LOST)];
    for (column, (name, _)) in names.iter().enumerate() {
        let x = left + 34.0 * column as f64;
        picture.text([x + 15.0, ENDS[1] - 8.0], Anchor::Middle, "", name);
    }
    for decade in 0..=decades {
        let y = ENDS[1] + 18.0 * f64::from(decades - decade);
        for (column, (_, scale)) in names.iter().enumerate() {
            let colour = colour(*scale, f64::from(decade) / f64::from(decades));
            picture.filled([left + 34.0 * column as f64, y], [30.0, 16.0], &colour);
        }
        picture.text([left + 104.0, y + 12.0], Anchor::Start, "", power_of_ten(decade));
    }
}

/// The mover makes the winning ply, so a win comes after an odd number of plies.
fn scale_of(plies: usize) -> Scale {
    match plies {
        0 => DRAWN,
        plies if plies % 2 == 1 => WON,
        _ => LOST,
    }
}

/// The smallest power of ten that is no less, but at least 10.
fn power_above(number: u64) -> u32 {
    (number.max(2) - 1).ilog10() + 1
}

/// A colour between those for few and many.
fn colour([few, many]: Scale, share: f64) -> String {
    let part = |which: usize| (few[which] + share * (many[which] - few[which])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", part(0), part(1), part(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::{OutcomeCounts, Tier};

    #[test]
    fn every_number_of_plies_has_a_box_of_its_colour() {
        let board: Board = "4x2".parse().unwrap();
        let counts = |won, drawn, lost| OutcomeCounts { won, drawn, lost };
        let tier =
            |tier, counts| TierPlies::of(board, tier, [(Tier::new(8).unwrap(), counts)]).unwrap();
        let svg = picture(
            board,
            &[
                tier(Tier::new(6).unwrap(), counts(10, 5, 0)),
                tier(Tier::new(7).unwrap(), counts(1, 0, 0)),
            ],
        );
        assert!(svg.contains("the longest win takes 1 plies, the longest loss 0"), "{svg}");
        let boxes = |colour: &str| svg.matches(&format!("fill=\"{colour}\"")).count();
        // Each once in the plot, and once in the key.
        assert_eq!([boxes(&colour(WON, 1.0)), boxes(&colour(WON, 0.0))], [2, 2]);
        assert_eq!(boxes(&colour(DRAWN, 5f64.log10())), 1);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn powers_of_ten_are_found_above() {
        let found = [1, 2, 10, 11, 100, 101, u64::MAX].map(power_above);
        assert_eq!(found, [1, 1, 1, 2, 2, 3, 20]);
    }
}
