//! Tables of all cells of small boards, from the sweep in memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use strong4::board::{Board, Outcome, OutcomeCounts, Player, Tier};
use strong4::inside::index::{Cell, Finder, Index};
use strong4::inside::probe::TableProbe;
use strong4::inside::sweep::{Cpu, Outcomes, Scope};
use strong4::inside::table::{
    EncodedBlocks, Encoder, Horizon, Layout, Manifest, ManifestTier, TableSummary, Tables,
    TierCounts, TierPart,
};
use strong4::inside::tabulate::Request;
use tempfile::TempDir;

pub fn index(board: &str) -> Index {
    Index::new(board.parse().unwrap()).unwrap()
}

pub fn tier_of(stones: u8) -> Tier {
    Tier::new(stones).unwrap()
}

/// What the tables in a folder say.
pub fn probe(board: Board, folder: &Path) -> TableProbe {
    let finder = Arc::new(Finder::new(board).unwrap());
    let tables = Arc::new(Tables::open(folder, finder.census()));
    TableProbe::new(&finder, &tables)
}

/// A request for the tables of all tiers of a board.
pub fn request(board: Board, tables: &Path) -> Request {
    Request { checkpoint: Duration::ZERO, ..Request::new(board, tables) }
}

/// Calls `each` for every tier, from the last one down.
pub fn for_all_tiers(index: &Index, mut each: impl FnMut(Tier, &Outcomes, TierCounts)) {
    let outcomes = Outcomes::of(index, Cpu::widest(), Scope::EveryCell).unwrap();
    for tier in index.census().tiers().rev() {
        let OutcomeCounts { won, drawn, lost } = outcomes.met(tier);
        each(tier, &outcomes, TierCounts { won, drawn, lost, terminal: 0 });
    }
}

/// The words of all blocks of a tier.
pub fn words(layout: &Layout, outcome: impl Fn(Cell) -> Outcome) -> Vec<Vec<u64>> {
    let blocks =
        layout.tiles().flat_map(|(tile, blocks)| blocks.iter().map(move |b| (tile, blocks, b)));
    let words = blocks.map(|(tile, blocks, block)| {
        let mut words = vec![0; block.shape.words()];
        let columns = 512 * block.panel..(512 * (block.panel + 1)).min(blocks.columns() as usize);
        for (in_block, row) in block.rows.clone().enumerate() {
            for (in_panel, column) in columns.clone().enumerate() {
                let cell = Cell { tile, row: row as u32, column: column as u32 };
                let bits = bits(layout.tier(), outcome(cell));
                for (plane, bit) in bits.into_iter().enumerate() {
                    let word = (2 * in_block + plane) * block.shape.width + in_panel / 64;
                    words[word] |= u64::from(bit) << (in_panel % 64);
                }
            }
        }
        words
    });
    words.collect()
}

/// The blocks of each stored tile of a tier.
pub fn encoded(layout: &Layout, outcomes: &Outcomes) -> Vec<EncodedBlocks> {
    encoded_words(layout, words(layout, |cell| outcomes.outcome(cell)))
}

pub fn encoded_words(layout: &Layout, words: Vec<Vec<u64>>) -> Vec<EncodedBlocks> {
    let mut encoder = Encoder::default();
    let mut words = words.into_iter();
    let tiles = layout.tiles().map(|(_, blocks)| {
        let mut encoded = EncodedBlocks::default();
        for (block, words) in blocks.iter().zip(&mut words) {
            encoder.encode(block.shape, &words, &mut encoded);
        }
        encoded
    });
    tiles.collect()
}

/// The first player wins, the first player holds.
pub fn bits(tier: Tier, outcome: Outcome) -> [bool; 2] {
    let first = if tier.mover() == Player::First { outcome } else { outcome.for_other() };
    [first == Outcome::Win, first != Outcome::Loss]
}

/// Writes a tier tile by tile, in one go.
pub fn write(
    folder: &Path,
    layout: &Layout,
    tiles: &[EncodedBlocks],
    counts: TierCounts,
    next: Option<&TableSummary>,
) -> TableSummary {
    let part = whole_part(folder, layout, tiles);
    part.finish(counts, next.map(|next| next.digest)).unwrap()
}

/// A part with all blocks.
pub fn whole_part(folder: &Path, layout: &Layout, tiles: &[EncodedBlocks]) -> TierPart {
    let mut part = TierPart::create(folder, layout).unwrap();
    for ((_, blocks), encoded) in layout.tiles().zip(tiles) {
        part.append(blocks.first(), encoded).unwrap();
    }
    part
}

/// All tables of a board in a folder, and its index.
pub fn written(board: &str, horizon: u8) -> (Index, TempDir) {
    let (index, folder) = (index(board), tempfile::tempdir().unwrap());
    write_all(folder.path(), &index, Horizon(horizon));
    (index, folder)
}

/// Writes all tables of a board, and their manifest.
pub fn write_all(folder: &Path, index: &Index, horizon: Horizon) -> Manifest {
    write_with(folder, index, horizon, |_, outcome| outcome)
}

/// The same with some wrong outcomes; everything else in the files is right.
pub fn write_with(
    folder: &Path,
    index: &Index,
    horizon: Horizon,
    change: impl Fn(Cell, Outcome) -> Outcome,
) -> Manifest {
    write_counting(folder, index, horizon, change, |_, counts| counts)
}

/// The same with other counts in the headers.
pub fn write_counting(
    folder: &Path,
    index: &Index,
    horizon: Horizon,
    change: impl Fn(Cell, Outcome) -> Outcome,
    count: impl Fn(Tier, TierCounts) -> TierCounts,
) -> Manifest {
    let mut tiers: Vec<ManifestTier> = Vec::new();
    for_all_tiers(index, |tier, outcomes, counts| {
        let counts = count(tier, counts);
        let layout = Layout::new(index.census(), tier, horizon);
        let next = tiers.last().map(|tier| tier.summary);
        let words = words(&layout, |cell| change(cell, outcomes.outcome(cell)));
        let encoded = encoded_words(&layout, words);
        let summary = write(folder, &layout, &encoded, counts, next.as_ref());
        tiers.push(ManifestTier { summary, seconds: 0.5 });
    });
    let manifest = Manifest::new(index.board(), 1.0, tiers);
    manifest.write(folder).unwrap();
    manifest
}

/// A copy of a folder, to be damaged.
pub fn copied(folder: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    copy_all(folder, copy.path());
    copy
}

fn copy_all(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if from.is_dir() {
            std::fs::create_dir(&to).unwrap();
            copy_all(&from, &to);
        } else {
            std::fs::copy(from, to).unwrap();
        }
    }
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into()).collect();
    names.sort();
    names
}

/// The only file in a folder, whatever its name.
pub fn the_file_in(folder: &Path) -> PathBuf {
    let names = names(folder);
    assert_eq!(names.len(), 1, "{names:?}");
    folder.join(&names[0])
}
