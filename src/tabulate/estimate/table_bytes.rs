//! Estimates the bytes of tables before their content is known.
//!
//! The bytes before the blocks are known exactly: the header, the block index, and in a table of
//! scores the plies and a directory. How well a block packs depends on what it contains.
//! Two things explain most of it, and were fitted to the tables of all boards that have been
//! solved:
//!
//! ```text
//!     bits of a cell  =  A · Hʰ · exp(−k · p)      the information of an average cell
//!                     +  B · exp(−j · p) / nᵠ      the overhead of a block, spread over its cells
//!
//!     H    rows of the board
//!     p    pairs of stones, half of the tier, rounded up: fewer cells are quiet with every pair, and
//!          about as many on an odd tier as on the next one
//!     n    cells of an average block of the tier
//! ```
//!
//! The information falls faster with p on boards of even width, whose centre is two columns.
//! `data/table_bytes.csv` has the bytes of all tables that the constants come from, and
//! `docs/figures.md` shows the fit.

use crate::board::{Board, Tier, TierRange};
use crate::sweep::{PART_ROWS, Sizes};
use crate::table::{BLOCK_ROWS, Content, Horizon, SCORE_ROWS, bytes_before_blocks};

/// How well cells pack.
struct Packing {
    /// A, h and k on boards of odd width, and on those of even width.
    cells: [[f64; 3]; 2],
    /// B, q and j.
    blocks: [f64; 3],
}

/// Outcomes, also of games that are cut off: their tables are as large, or a tenth smaller.
const OUTCOMES: Packing =
    Packing { cells: [[0.93, 0.91, 0.237], [0.497, 1.776, 0.34]], blocks: [114.6, 0.775, 0.089] };

const SCORES: Packing =
    Packing { cells: [[1.716, 1.0, 0.198], [5.7, 1.0, 0.34]], blocks: [143.9, 0.825, 0.165] };

impl Packing {
    /// Bits of a cell in blocks of this many cells.
    fn bits(&self, board: Board, tier: Tier, cells: f64) -> f64 {
        let pairs = tier.stones().div_ceil(2) as f64;
        let [a, height, decay] = self.cells[(board.width() + 1) % 2];
        let [b, size, easing] = self.blocks;
        a * (board.height() as f64).powf(height) * (-decay * pairs).exp()
            + b * (-easing * pairs).exp() / cells.powf(size)
    }
}

// Parts with these rows are blocks.
const OUTCOME_PARTS: usize = 1;
const SCORE_PARTS: usize = 2;
const _: () = assert!(PART_ROWS[OUTCOME_PARTS] == BLOCK_ROWS);
const _: () = assert!(PART_ROWS[SCORE_PARTS] == SCORE_ROWS);

/// The approximate bytes of the tables of these tiers.
pub(super) fn table_bytes(
    sizes: &Sizes,
    tiers: TierRange,
    horizon: Horizon,
    content: Content,
) -> u64 {
    tiers.iter().map(|tier| bytes_of_tier(sizes, tier, horizon, content)).sum()
}

fn bytes_of_tier(sizes: &Sizes, tier: Tier, horizon: Horizon, content: Content) -> u64 {
    let board = sizes.census().board();
    let (packing, parts) = match content {
        Content::Outcomes { .. } => (&OUTCOMES, OUTCOME_PARTS),
        Content::Scores => (&SCORES, SCORE_PARTS),
    };
    let blocks = sizes.stored_parts(tier)[parts];
    if horizon.reaches(board, tier) || blocks == 0 {
        return bytes_before_blocks(board, tier, content, [0; 2]);
    }
    let cells = sizes.stored_cells(tier) as f64;
    let packed = cells * packing.bits(board, tier, cells / blocks as f64) / 8.0;
    bytes_before_blocks(board, tier, content, [sizes.tiles(tier), blocks]) + packed as u64
}

/// The tiers whose positions are stored in tables.
pub(super) fn before_horizon(
    sizes: &Sizes,
    tiers: TierRange,
    horizon: Horizon,
) -> impl Iterator<Item = Tier> {
    let board = sizes.census().board();
    tiers.into_iter().filter(move |tier| !horizon.reaches(board, *tier))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Debug;
    use std::sync::Arc;

    use super::*;
    use crate::index::Census;
    use crate::sweep::{Planes, Scope};

    /// The bytes of all known tables, by board, content and tier; without a tier, those of all
    /// tiers together.
    type Known = BTreeMap<(&'static str, &'static str), BTreeMap<Option<u8>, u64>>;

    fn known() -> Known {
        let mut known = Known::new();
        for line in include_str!("../../../data/table_bytes.csv").lines().skip(1) {
            let [board, content, tier, bytes] = line.split(',').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let tables = known.entry((board, content)).or_default();
            tables.insert(tier.parse().ok(), bytes.parse().unwrap());
        }
        known
    }

    /// All tables of a board, and those of any tiers that take 100 kB and more together. For a
    /// single tier, the limit is a little wider.
    #[test]
    fn estimates_are_within_three_tenths_of_what_tables_take() {
        for ((board, content), known) in known() {
            let census = Arc::new(Census::new(board.parse().unwrap()).unwrap());
            let sizes = Sizes::new(&census, Scope::EveryCell, Planes::Both);
            let (content, horizon) = match content {
                "scores" => (Content::Scores, Horizon::OF_SCORES),
                _ => (Content::OUTCOMES, Horizon::OF_OUTCOMES),
            };
            let near = |guess: u64, bytes: u64, most: f64, what: &dyn Debug| {
                let ratio = guess as f64 / bytes as f64;
                let is_near = (1.0 / most..=most).contains(&ratio);
                assert!(is_near, "{board}, {content:?}, {what:?}: {guess} instead of {bytes}");
            };
            let all = TierRange::all(census.board());
            near(table_bytes(&sizes, all, horizon, content), known[&None], 1.3, &"all");
            let tiers: Vec<(Tier, u64)> =
                known.iter().filter_map(|(tier, bytes)| Some((Tier((*tier)?), *bytes))).collect();
            for (at, (first, _)) in tiers.iter().enumerate() {
                let (mut guess, mut bytes) = (0, 0);
                for (last, of_tier) in &tiers[at..] {
                    guess += bytes_of_tier(&sizes, *last, horizon, content);
                    bytes += of_tier;
                    if bytes >= 100_000 {
                        let most = if first == last { 1.35 } else { 1.3 };
                        near(guess, bytes, most, &(first, last));
                    }
                }
            }
        }
    }

    #[test]
    fn larger_boards_take_no_more_than_their_cells_explain() {
        let bits = |board: &str| {
            let board: Board = board.parse().unwrap();
            let census = Arc::new(Census::new(board).unwrap());
            let sizes = Sizes::new(&census, Scope::EveryCell, Planes::Both);
            let tiers = TierRange::all(board);
            let bytes = table_bytes(&sizes, tiers, Horizon::OF_OUTCOMES, Content::OUTCOMES);
            let cells: u64 = tiers.iter().map(|tier| sizes.cells(tier)).sum();
            8.0 * bytes as f64 / cells as f64
        };
        // 7x6 really takes 0.045 bits for each cell in doubt, and 8x5 0.064.
        for board in ["8x6", "6x8", "7x7"] {
            assert!((0.01..0.06).contains(&bits(board)), "{board}: {}", bits(board));
        }
    }
}
