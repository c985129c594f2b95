//! Checks that everything in a folder of tables is as it was written.
//!
//! Every header, every index and every block is read, checked and decoded. Every table must name
//! the digest of the next one, the manifest must list the same tables, and scores must agree with
//! outcomes. Nothing is changed.

use std::path::Path;

use rayon::prelude::*;

use crate::board::{Tier, TierRange};
use crate::index::Census;
use crate::progress::Progress;

use super::super::format::{
    Block, Content, Damage, Digest, ENTRY_BYTES, Fault, IndexEntry, Layout, MANIFEST, TableError,
    TableSummary, TileBlocks, score_folder, table_file,
};
use super::super::reading::{BlockReader, Table};
use super::inventory::{Inventory, inventory};
use super::manifest::Manifest;

/// Faults reported per table; the rest are only counted.
const MOST_FAULTS: usize = 20;

/// Blocks that are checked between two reports of progress.
const STRETCH: usize = 1 << 14;

/// The result of checking a folder.
#[derive(Debug, Default)]
pub struct Checked {
    /// Tables that were read.
    pub tables: usize,
    /// Blocks of these tables, sound or damaged.
    pub blocks: u64,
    /// The blocks among them that hold scores.
    pub score_blocks: u64,
    /// Bytes of the tables.
    pub bytes: u64,
    /// Everything that was wrong.
    pub faults: Vec<TableError>,
}

/// Checks all tables in a folder, and those of scores inside it. Faults are part of the result; an
/// error means that the folder cannot be read.
pub fn check(
    folder: &Path,
    census: &Census,
    progress: &dyn Progress,
) -> Result<Checked, TableError> {
    let outcomes = Inventory::of(folder, census.board())?;
    let mut checked = Checked::default();
    if outcomes.tables.is_empty() {
        checked.faults.push(missing(folder, census, census.board().last_tier(), Content::OUTCOMES));
        return Ok(checked);
    }
    let scores = score_folder(folder);
    let of_scores = inventory(&scores, census.board())?;
    let bytes = |inventory: &Inventory| inventory.tables.iter().map(|table| table.bytes).sum();
    let [of_outcomes, twice]: [u64; 2] = [&outcomes, &of_scores].map(bytes);
    // Scores are read twice, the second time to compare them with the outcomes.
    let total = of_outcomes + 2 * twice;
    checked.check_folder(folder, census, &outcomes, Content::OUTCOMES, total, progress);
    if !of_scores.tables.is_empty() {
        checked.check_folder(&scores, census, &of_scores, Content::Scores, total, progress);
        let mut compared = checked.bytes;
        for file in of_scores.tables.iter().rev() {
            let table = |folder, content| Table::open_with(folder, census, file.tier, content);
            let tables = (table(folder, Content::OUTCOMES), table(&scores, Content::Scores));
            if let (Ok(outcomes), Ok(scores)) = &tables {
                checked.report_some(scores, Agreement { outcomes, scores }.faults());
            }
            compared += file.bytes;
            progress.advance(compared.min(total), total);
        }
    }
    Ok(checked)
}

/// The digest of the table of the next tier.
#[derive(Clone, Copy)]
enum Next {
    /// There is no next tier.
    None,
    /// It could not be read, which has been reported already.
    Unknown,
    /// Its digest.
    Known(Digest),
}

impl Checked {
    /// Checks the tables in a folder that has some.
    fn check_folder(
        &mut self,
        folder: &Path,
        census: &Census,
        inventory: &Inventory,
        content: Content,
        total: u64,
        progress: &dyn Progress,
    ) {
        let manifest = match inventory.manifest {
            true => Manifest::read(folder),
            false => Err(TableError::new(&folder.join(MANIFEST), Fault::NoManifest)),
        };
        let right_board = |manifest: Manifest| match manifest.board {
            found if found == census.board() => Ok(manifest),
            found => {
                let fault = Fault::OtherBoard { expected: census.board(), found };
                Err(TableError::new(&folder.join(MANIFEST), fault))
            }
        };
        let manifest = manifest.and_then(right_board).map_err(|error| self.faults.push(error)).ok();
        let mut next = Next::None;
        let first = inventory.tables.first().map_or(census.board().last_tier(), |file| file.tier);
        let tiers = TierRange::new(first, census.board().last_tier()).expect("in order");
        // From the last tier down, as the tables were made.
        for tier in tiers.into_iter().rev() {
            let listed = manifest.as_ref().and_then(|manifest| manifest.tier(tier));
            next = match Table::open_with(folder, census, tier, content) {
                Err(error) => {
                    self.faults.push(error);
                    Next::Unknown
                }
                Ok(table) => {
                    let done = self.bytes;
                    let advance = |bytes: u64| progress.advance(done + bytes, total);
                    self.compare_layouts(&table, census);
                    let summary = self.check(&table, next, &advance);
                    if let (Some(summary), Some(_)) = (&summary, &manifest) {
                        self.compare(&table, summary, listed.map(|listed| &listed.summary));
                    }
                    summary.map_or(Next::Unknown, |summary| Next::Known(summary.digest))
                }
            };
        }
        // Tables below the first, which only the manifest lists.
        for listed in manifest.iter().flat_map(|manifest| &manifest.tiers) {
            if listed.summary.tier < first {
                self.faults.push(missing(folder, census, listed.summary.tier, content));
            }
        }
    }

    /// Checks one table, and returns its summary.
    fn check(&mut self, table: &Table, next: Next, advance: &dyn Fn(u64)) -> Option<TableSummary> {
        let header = table.header();
        self.tables += 1;
        self.blocks += header.blocks;
        self.score_blocks += if header.content == Content::Scores { header.blocks } else { 0 };
        self.bytes += header.length;
        let named = match next {
            Next::None => None,
            Next::Unknown => header.next,
            Next::Known(digest) => Some(digest),
        };
        if header.next != named {
            let (expected, found) = (header.next, named);
            self.report(table, Fault::Chain { tier: header.tier, expected, found });
        }
        let index = match table.index() {
            Ok(index) => index,
            Err(error) => {
                self.faults.push(error);
                return None;
            }
        };
        let (expected, found) = (header.index_checksum, crc32fast::hash(&index));
        if found != expected {
            self.report(table, Fault::Index { tier: header.tier, expected, found });
        }
        self.check_blocks(table, &index, advance);
        table.summary_with(&index).map_err(|error| self.faults.push(error)).ok()
    }

    /// The tiles that a table of scores lists must be those of the tier.
    fn compare_layouts(&mut self, table: &Table, census: &Census) {
        let (tier, horizon) = (table.header().tier, table.header().horizon);
        let layout = Layout::with(census, tier, horizon, table.header().content);
        if !layout.tiles().eq(table.layout().tiles()) {
            let what = "its tiles are not those of the tier".to_owned();
            self.report(table, Fault::Directory { tier, what });
        }
    }

    fn check_blocks(&mut self, table: &Table, index: &[u8], advance: &dyn Fn(u64)) {
        let (mut damaged, mut places) = (Vec::new(), Vec::new());
        let mut stored = table.header().body_start();
        let mut blocks = table.layout().tiles().flat_map(|(_, tile)| tile.iter());
        for entries in index.chunks(STRETCH * ENTRY_BYTES) {
            let stretch: Vec<Block> = blocks.by_ref().take(STRETCH).collect();
            let check = |reader: &mut BlockReader, (block, entry): (&Block, &[u8])| {
                let entry = IndexEntry::from_bytes(entry.try_into().expect("16 bytes"));
                (entry, reader.check(table, block, entry).err())
            };
            let found: Vec<(IndexEntry, Option<TableError>)> = stretch
                .par_iter()
                .zip(entries.par_chunks_exact(ENTRY_BYTES))
                .map_init(BlockReader::default, check)
                .filter(|(entry, error)| entry.length > 0 || error.is_some())
                .collect();
            for (entry, error) in found {
                stored += u64::from(entry.length);
                places.push((entry.offset, entry.length));
                damaged.extend(error);
            }
            advance(stored);
        }
        if damaged.is_empty() {
            self.check_places(table, places);
        }
        self.report_some(table, damaged);
    }

    /// Reports the first faults of a table, and how many more there are.
    fn report_some(&mut self, table: &Table, faults: Vec<TableError>) {
        let tier = table.header().tier;
        let more = faults.len().saturating_sub(MOST_FAULTS);
        self.faults.extend(faults.into_iter().take(MOST_FAULTS));
        if more > 0 {
            self.report(table, Fault::MoreBlocks { tier, more: more as u64 });
        }
    }

    /// Blocks must take up all bytes after the index, each byte once.
    fn check_places(&mut self, table: &Table, mut places: Vec<(u64, u32)>) {
        let (tier, length) = (table.header().tier, table.header().length);
        places.sort_unstable();
        let mut end = table.header().body_start();
        for (offset, length) in places {
            if offset != end {
                let what = format!("expected a block at {end}, found the next one at {offset}");
                return self.report(table, Fault::Incomplete { tier, what });
            }
            end += u64::from(length);
        }
        if end != length {
            let what = format!("header, index and blocks take {end} bytes of {length}");
            self.report(table, Fault::Incomplete { tier, what });
        }
    }

    /// Compares a table with its entry in the manifest.
    fn compare(&mut self, table: &Table, found: &TableSummary, listed: Option<&TableSummary>) {
        let tier = found.tier;
        let Some(listed) = listed else { return self.report(table, Fault::NotListed { tier }) };
        for ((what, expected), (_, found)) in facts(listed).into_iter().zip(facts(found)) {
            if found != expected {
                self.report(table, Fault::Disagrees { tier, what, expected, found });
            }
        }
    }

    fn report(&mut self, table: &Table, fault: Fault) {
        self.faults.push(TableError::new(table.path(), fault));
    }
}

/// What a summary says, each with its name.
fn facts(summary: &TableSummary) -> [(&'static str, String); 6] {
    let TableSummary { bytes, digest, counts, .. } = summary;
    [
        ("its length", bytes.to_string()),
        ("its digest", digest.to_string()),
        ("won", counts.won.to_string()),
        ("drawn", counts.drawn.to_string()),
        ("lost", counts.lost.to_string()),
        ("terminal", counts.terminal.to_string()),
    ]
}

fn missing(folder: &Path, census: &Census, tier: Tier, content: Content) -> TableError {
    let fault = Fault::Missing { board: census.board(), tier, content };
    TableError::new(&table_file(folder, tier), fault)
}

/// Both tables of a tier. They are compared cell by cell, including cells that are not quiet. Those
/// are zeros in the table of outcomes, and lost as soon as possible in that of scores: in both, the
/// first player loses.
struct Agreement<'a> {
    outcomes: &'a Table,
    scores: &'a Table,
}

impl Agreement<'_> {
    /// The differences. Skips blocks that cannot be read, which are reported elsewhere.
    fn faults(&self) -> Vec<TableError> {
        let Agreement { outcomes, scores } = self;
        let tier = scores.header().tier;
        let counts = [outcomes, scores].map(|table| table.header().counts);
        if counts[0] != counts[1] {
            let [expected, found] = counts.map(|counts| counts.to_string());
            let what = "the number of positions";
            let fault = Fault::OtherOutcomes { tier, what, expected, found };
            return vec![TableError::new(scores.path(), fault)];
        }
        let of_outcomes = |tile| outcomes.layout().tile(tile);
        let tiles = scores.layout().tiles();
        let pairs: Vec<(TileBlocks, TileBlocks)> =
            tiles.filter_map(|(tile, blocks)| Some((of_outcomes(tile)?, blocks))).collect();
        let differ = |readers: &mut [BlockReader; 2], (outcomes, scores): &(_, TileBlocks)| {
            let different = |block: &Block| self.differ(readers, *outcomes, block);
            scores.iter().filter(different).map(|block| block.number).collect::<Vec<_>>()
        };
        let numbers = pairs.par_iter().map_init(Default::default, differ).flatten();
        let fault = |number| scores.damaged(number, Damage::OtherOutcomes);
        numbers.collect::<Vec<_>>().into_iter().map(fault).collect()
    }

    /// Whether a block of scores contradicts the block of outcomes that covers it.
    fn differ(&self, readers: &mut [BlockReader; 2], outcomes: TileBlocks, scores: &Block) -> bool {
        let [a, b] = readers;
        let covering = outcomes.covering(scores);
        let (Ok(stored), Ok(scored)) =
            (a.read(self.outcomes, &covering), b.read(self.scores, scores))
        else {
            return false;
        };
        let first = scores.rows.start - covering.rows.start;
        (0..scores.rows.len()).any(|row| {
            let [wins, holds] = stored.planes(first + row);
            let bytes = scored.row(row);
            wins.as_flattened().iter().zip(holds.as_flattened()).zip(bytes).enumerate().any(
                |(at, ((wins, holds), plies))| {
                    let columns = scores.columns.len().saturating_sub(8 * at).min(8);
                    let there = ((1 << columns) - 1) as u8;
                    outcomes_of(*plies).map(|bits| bits & there) != [*wins, *holds]
                },
            )
        })
    }
}

/// Who wins and who holds, one bit each for each of eight plies that end a game. The first player
/// makes the odd plies, and 0 is a draw.
fn outcomes_of(plies: [u8; 8]) -> [u8; 2] {
    let bits =
        |is: fn(u8) -> bool| plies.iter().rev().fold(0, |bits, ply| bits << 1 | u8::from(is(*ply)));
    [bits(|ply| ply % 2 == 1), bits(|ply| ply == 0 || ply % 2 == 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_player_makes_odd_plies() {
        assert_eq!(outcomes_of([9, 0, 8, 42, 41, 0, 1, 2]), [0b0101_0001, 0b0111_0011]);
    }
}
