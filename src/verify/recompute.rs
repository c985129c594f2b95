//! Blocks of tables, recomputed from one tier to the next.
//!
//! A quiet position is worth what its best move is worth, and the table of the next tier knows
//! that, or a later one if moves are forced. So a table that is whole but wrong disagrees with the
//! next one, cell by cell:
//!
//! ```text
//!     tier t       │ block: each quiet cell   ─ best move ─►   tier t + 1, or t + 2, …
//!     last stored  │ block: each quiet cell   ─ search to the end ─►
//! ```
//!
//! Nothing follows the last stored tier, so its cells are searched to the end and compared with the
//! truth.
//!
//! All of this applies the rules, position by position. It shares with the sweep that made the
//! tables only the index, which says where positions are stored.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::report::{MOST_TOLD, Statement, Witness, WrongValue, is_looked_up};
use crate::board::{Outcome, Position, Tier};
use crate::index::{Cell, Finder, Tile};
use crate::probe::TableProbe;
use crate::progress::Progress;
use crate::random::SplitMix64;
use crate::search::Search;
use crate::table::{Block, BlockNumber, BlockReader, Table, TableError, Tables};

/// The number of rows of a block that a thread takes at once.
const ROWS: usize = 16;
/// The number of blocks between two reports of progress.
const AT_A_TIME: usize = 16;
/// Size of the table of a search, small enough to stay in the cache.
const SEARCH_BYTES: usize = 1 << 20;

/// Which blocks are recomputed.
#[derive(Clone, Copy, Debug)]
pub struct BlockSampling {
    /// The number of blocks per table; all blocks of a smaller table.
    pub blocks: usize,
    /// The seed selects the blocks.
    pub seed: u64,
}

/// The result of recomputing blocks.
#[derive(Default, Debug)]
pub struct Recomputed {
    /// The number of blocks recomputed.
    pub blocks: u64,
    /// The number of their quiet cells that were compared.
    pub cells: u64,
    /// The number that could not be, because a table that they follow from is missing or damaged.
    pub unknown: u64,
    /// The wrong values, in the order of the files, up to a limit per table.
    pub wrong_values: Vec<WrongValue>,
    /// The number of further wrong values.
    pub more_wrong_values: u64,
}

/// Recomputes blocks of the tables of these tiers. Skips tables that cannot be read:
/// [`table::check`](fn@crate::table::check) reports those.
pub fn recompute(
    finder: &Arc<Finder>,
    tables: &Arc<Tables>,
    tiers: &[Tier],
    sampling: BlockSampling,
    progress: &dyn Progress,
) -> Recomputed {
    let readable = tiers.iter().filter_map(|tier| tables.table(*tier).ok());
    let drawn: Vec<(&Table, Vec<(Tile, Block)>)> =
        readable.map(|table| (table, draw(table, sampling))).collect();
    let total = drawn.iter().map(|(_, blocks)| blocks.len() as u64).sum();
    let mut sum = Recomputed::default();
    for (table, blocks) in drawn {
        let mut wrong = Vec::new();
        for blocks in blocks.chunks(AT_A_TIME) {
            progress.advance(sum.blocks, total);
            let strips: Vec<Strip> = blocks.iter().flat_map(strips).collect();
            let seen: Vec<Recomputed> = strips
                .into_par_iter()
                .map_init(
                    || Worker::new(finder, tables),
                    |worker, strip| worker.look(table, &strip),
                )
                .collect();
            for Recomputed { cells, unknown, wrong_values: more, .. } in seen {
                sum.cells += cells;
                sum.unknown += unknown;
                wrong.extend(more);
            }
            sum.blocks += blocks.len() as u64;
        }
        sum.more_wrong_values += wrong.len().saturating_sub(MOST_TOLD) as u64;
        sum.wrong_values.extend(wrong.into_iter().take(MOST_TOLD));
    }
    sum
}

/// Different blocks of a table, in order.
fn draw(table: &Table, sampling: BlockSampling) -> Vec<(Tile, Block)> {
    let layout = table.layout();
    let (all, wanted) = (layout.blocks(), sampling.blocks as u64);
    let mut random = SplitMix64::of(&[sampling.seed, u64::from(layout.tier().0)]);
    let mut numbers: BTreeSet<u64> = BTreeSet::new();
    if all <= wanted {
        numbers.extend(0..all);
    }
    while (numbers.len() as u64) < wanted.min(all) {
        numbers.insert(random.below(all));
    }
    numbers.into_iter().filter_map(|number| layout.block(BlockNumber(number))).collect()
}

/// Some rows of a block.
struct Strip {
    tile: Tile,
    block: Block,
    rows: Range<usize>,
}

fn strips((tile, block): &(Tile, Block)) -> impl Iterator<Item = Strip> {
    let all = block.shape.rows;
    (0..all).step_by(ROWS).map(move |row| {
        let rows = row..(row + ROWS).min(all);
        Strip { tile: *tile, block: block.clone(), rows }
    })
}

/// What a thread needs.
struct Worker<'a> {
    finder: &'a Finder,
    probe: TableProbe,
    search: Search,
    reader: BlockReader,
}

impl<'a> Worker<'a> {
    fn new(finder: &'a Arc<Finder>, tables: &Arc<Tables>) -> Worker<'a> {
        let search = Search::new(finder.board(), SEARCH_BYTES);
        let probe = TableProbe::new(finder, tables);
        Worker { finder, probe, search, reader: BlockReader::default() }
    }

    /// Compares some rows.
    fn look(&mut self, table: &Table, Strip { tile, block, rows }: &Strip) -> Recomputed {
        let mut seen = Recomputed::default();
        let Worker { finder, probe, search, reader } = self;
        // Nothing is stored after this tier.
        let next = table.header().tier.next_unchecked();
        let is_last = table.header().horizon.reaches(finder.board(), next);
        let Ok(decoded) = reader.read(table, block) else { return seen };
        for row in rows.clone() {
            for column in block.columns.clone() {
                let (in_tile, in_block) = (block.rows.start + row, column - block.columns.start);
                let cell = Cell { tile: *tile, row: in_tile as u32, column: column as u32 };
                let position = finder.unrank(cell);
                if !is_looked_up(&position) {
                    continue;
                }
                let (witness, expected) = match is_last {
                    true => (Witness::Search, Ok(search.outcome(&position))),
                    false => (Witness::Moves, of_best_move(probe, &position)),
                };
                let Ok(expected) = expected else {
                    seen.unknown += 1;
                    continue;
                };
                seen.cells += 1;
                let (block, column, found) =
                    (block.number, in_block, decoded.outcome(row, in_block));
                if found != Some(expected) {
                    let what = Statement::Value { block, row, column, position, found, expected };
                    seen.wrong_values.push(WrongValue::of(table, what, witness));
                }
            }
        }
        seen
    }
}

fn of_best_move(probe: &mut TableProbe, position: &Position) -> Result<Outcome, TableError> {
    let mut best = Outcome::Loss;
    for (_, child) in position.children() {
        let (outcome, _) = probe.outcome(&child)?;
        best = best.max(outcome.for_other());
        if best == Outcome::Win {
            break;
        }
    }
    Ok(best)
}
