//! Reading whole blocks, to look at every cell.

use crate::board::Outcome;

use super::super::format::{
    Block, BlockShape, Content, Damage, IndexEntry, TableError, ending_in, outcome_in,
};
use super::cache::Workshop;
use super::table::Table;

/// Decodes blocks, one after the other; one per thread.
#[derive(Default)]
pub struct BlockReader(Workshop);

/// A decoded block: its little-endian words.
#[derive(Clone, Copy)]
pub struct DecodedBlock<'a> {
    table: &'a Table,
    shape: BlockShape,
    bytes: &'a [u8],
}

impl BlockReader {
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
