//! Decoding blocks: one after the other to look at every cell, or those that a thread needs again
//! and again.
//!
//! The positions that a search looks up are neighbours: children of one position, whose sides
//! differ in one stone. So the next cell is often in a block that was just decoded.

use std::cell::RefCell;

use crate::board::Outcome;

use super::super::error::{Damage, TableError};
use super::super::format::{
    Block, BlockNumber, BlockShape, Content, Decoder, IndexEntry, MOST_STORED, ending_in,
    outcome_in,
};
use super::table::Table;

/// Decodes blocks, one after the other; one per thread.
pub struct BlockReader(Workshop);

/// A decoded block: its little-endian words.
#[derive(Clone, Copy)]
pub struct DecodedBlock<'a> {
    table: &'a Table,
    shape: BlockShape,
    bytes: &'a [u8],
}

impl Default for BlockReader {
    fn default() -> BlockReader {
        BlockReader::new()
    }
}

impl BlockReader {
    /// A reader with its own memory.
    pub fn new() -> BlockReader {
        BlockReader(Workshop::new())
    }

    /// Reads, checks and decodes a block of the table.
    pub fn read<'a>(
        &'a mut self,
        table: &'a Table,
        block: &Block,
    ) -> Result<DecodedBlock<'a>, TableError> {
        self.decode(table, block, table.entry(block.number)?)
    }

    /// The same, but also checks its entry in the index and the bits that must be 0.
    pub(in crate::table) fn check(
        &mut self,
        table: &Table,
        block: &Block,
        entry: IndexEntry,
    ) -> Result<(), TableError> {
        let decoded = self.decode(table, block, entry)?;
        if !decoded.ends_with(block.columns.len()) {
            return Err(table.damaged(block.number, Damage::Padding));
        }
        match decoded.wrong_ply() {
            Some(ply) => Err(table.damaged(block.number, Damage::Ply { ply })),
            None => Ok(()),
        }
    }

    fn decode<'a>(
        &'a mut self,
        table: &'a Table,
        block: &Block,
        entry: IndexEntry,
    ) -> Result<DecodedBlock<'a>, TableError> {
        let shape = block.shape;
        table.decode(block.number, shape, entry, &mut self.0)?;
        Ok(DecodedBlock { table, shape, bytes: &self.0.plain[..shape.bytes()] })
    }
}

impl DecodedBlock<'_> {
    /// Whether it holds exactly these words.
    pub fn holds(&self, words: &[u64]) -> bool {
        let stored = self.bytes.chunks_exact(size_of::<u64>());
        stored.len() == words.len()
            && stored.zip(words).all(|(bytes, word)| bytes == word.to_le_bytes())
    }

    /// The words of a row of outcomes, plane by plane, as stored.
    pub(in crate::table) fn planes(&self, row: usize) -> [&[[u8; 8]]; 2] {
        let words = &self.bytes.as_chunks().0[row * self.shape.row_words()..];
        let (wins, rest) = words.split_at(self.shape.width);
        [wins, &rest[..self.shape.width]]
    }

    /// The word at `at` of a plane of a row.
    pub fn word(&self, row: usize, plane: usize, at: usize) -> u64 {
        let word = row * self.shape.row_words() + plane * self.shape.width + at;
        let bytes = &self.bytes[word * size_of::<u64>()..][..size_of::<u64>()];
        u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
    }

    /// The outcome in a cell of the block, for the mover; `None` if the cell says both won and
    /// lost. Means nothing for cells that are not quiet.
    pub fn outcome(&self, row: usize, column: usize) -> Option<Outcome> {
        let bit = |plane| self.word(row, plane, column / 64) >> (column % 64) & 1 == 1;
        outcome_in([bit(0), bit(1)], self.table.header().tier)
    }

    /// A row of scores: the plies that end the games going on from its cells.
    pub fn row(&self, row: usize) -> &[[u8; 8]] {
        &self.bytes.as_chunks().0[row * self.shape.row_words()..][..self.shape.row_words()]
    }

    /// A ply in a block of scores that cannot end a game.
    fn wrong_ply(&self) -> Option<u8> {
        let header = self.table.header();
        if header.content != Content::Scores {
            return None;
        }
        let right: [bool; 256] =
            std::array::from_fn(|ply| ending_in(ply as u8, header.board, header.tier).is_some());
        self.bytes.iter().copied().find(|ply| !right[usize::from(*ply)])
    }

    /// Whether all bits after this many columns are 0.
    pub(in crate::table) fn ends_with(&self, columns: usize) -> bool {
        if self.table.header().content == Content::Scores {
            let mut rows = self.bytes.chunks_exact(self.shape.row_words() * size_of::<u64>());
            return rows.all(|row| row[columns..].iter().all(|byte| *byte == 0));
        }
        let behind = |at: usize| match columns.saturating_sub(64 * at) {
            columns @ 0..64 => u64::MAX << columns,
            _ => 0,
        };
        let full = 64 * self.shape.width == columns;
        full || (0..self.shape.rows).all(|row| {
            let clean = |plane, at| self.word(row, plane, at) & behind(at) == 0;
            (0..self.shape.width).all(|at| clean(0, at) && clean(1, at))
        })
    }
}

/// Blocks that each thread keeps: at most eight megabytes, enough for all blocks of the first tiers
/// of 7x6, which a guided search looks up again and again.
const KEPT: usize = 256;

/// Identifies a table among all that this process has opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableId(pub u64);

/// What a thread needs to decode blocks.
pub(super) struct Workshop {
    pub decoder: Decoder,
    /// A buffer for the stored bytes of a block.
    pub stored: Vec<u8>,
    /// A buffer for the decoded bytes of a block.
    pub plain: Vec<u8>,
}

impl Workshop {
    pub fn new() -> Workshop {
        let (stored, plain) = (vec![0; MOST_STORED], vec![0; BlockShape::LARGEST.bytes()]);
        Workshop { decoder: Decoder::new(), stored, plain }
    }
}

struct Cache {
    workshop: Workshop,
    blocks: Vec<Kept>,
    clock: u64,
}

struct Kept {
    block: Option<(TableId, BlockNumber)>,
    used: u64,
    bytes: Vec<u8>,
}

thread_local! {
    static CACHE: RefCell<Cache> = RefCell::new(Cache {
        workshop: Workshop::new(),
        blocks: Vec::with_capacity(KEPT),
        clock: 0,
    });
}

/// Calls `read` with the bytes of a block, which `decode` leaves in the workshop, now or when the
/// block was last decoded.
pub(super) fn with_block<R, E>(
    block: (TableId, BlockNumber),
    decode: impl FnOnce(&mut Workshop) -> Result<(), E>,
    read: impl FnOnce(&[u8]) -> R,
) -> Result<R, E> {
    CACHE.with_borrow_mut(|cache| {
        cache.clock += 1;
        let at = match cache.blocks.iter().position(|kept| kept.block == Some(block)) {
            Some(at) => at,
            None => {
                decode(&mut cache.workshop)?;
                let at = cache.least_recent();
                cache.blocks[at].block = Some(block);
                std::mem::swap(&mut cache.blocks[at].bytes, &mut cache.workshop.plain);
                at
            }
        };
        cache.blocks[at].used = cache.clock;
        Ok(read(&cache.blocks[at].bytes))
    })
}

impl Cache {
    /// A slot for a new block.
    fn least_recent(&mut self) -> usize {
        if self.blocks.len() < KEPT {
            let bytes = vec![0; BlockShape::LARGEST.bytes()];
            self.blocks.push(Kept { block: None, used: 0, bytes });
            return self.blocks.len() - 1;
        }
        (0..KEPT).min_by_key(|at| self.blocks[*at].used).expect("there are some")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_decoded_again_only_when_many_others_came_between() {
        let mut decoded = Vec::new();
        let mut ask = |table, block: u64| {
            let decode = |workshop: &mut Workshop| {
                decoded.push((table, block));
                workshop.plain.fill(block as u8);
                Ok::<(), ()>(())
            };
            let first = |bytes: &[u8]| bytes[0];
            let read = with_block((TableId(table), BlockNumber(block)), decode, first);
            assert_eq!(read, Ok(block as u8));
        };
        let kept = KEPT as u64;
        for block in (0..kept).chain(0..kept) {
            ask(u64::MAX, block);
        }
        ask(u64::MAX, kept);
        ask(u64::MAX, 1);
        ask(u64::MAX, 0);
        ask(u64::MAX - 1, 0);
        let expected = (0..kept + 1).chain([0]).map(|block| (u64::MAX, block));
        assert!(decoded.into_iter().eq(expected.chain([(u64::MAX - 1, 0)])));
        let failed = with_block((TableId(u64::MAX), BlockNumber(999)), |_| Err(7), |_| ());
        assert_eq!(failed, Err(7));
    }
}
