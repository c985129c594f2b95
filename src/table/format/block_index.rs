//! The block index: where each block is, in 16 bytes.
//!
//! ```text
//!     at  0   8  offset of the stored bytes in the file; 0 if there are none
//!         8   4  their number; 0: all bits of the block are 0
//!        12   4  CRC-32 of 24 bytes: the number of the block (8), offset (8),
//!                length (4), CRC-32 of the stored bytes (4)
//! ```
//!
//! The checksum of an entry covers the entry too, and its place in the index. So
//! a damaged entry is found like a damaged block, when the block is read, and
//! opening a table need not read its index.

use crate::files::{long, word};

use super::block::BlockNumber;
use super::codec::EncodedBlock;

/// Bytes of an entry.
pub(in crate::table) const ENTRY_BYTES: usize = 16;

/// Where a block is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::table) struct IndexEntry {
    pub offset: u64,
    pub length: u32,
    pub checksum: u32,
}

impl IndexEntry {
    /// The entry of a block whose stored bytes start at `offset`.
    pub(crate) fn new(number: BlockNumber, offset: u64, block: EncodedBlock) -> IndexEntry {
        let EncodedBlock { length, checksum } = block;
        let offset = if length == 0 { 0 } else { offset };
        IndexEntry { offset, length, checksum: expected(number, offset, length, checksum) }
    }

    /// Whether the entry belongs to this block, with these bytes.
    pub(crate) fn agrees(self, number: BlockNumber, stored: &[u8]) -> bool {
        stored.len() == self.length as usize
            && self.checksum == expected(number, self.offset, self.length, crc32fast::hash(stored))
    }

    pub(crate) fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.length.to_le_bytes());
        bytes[12..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> IndexEntry {
        let (offset, length) = (long(&bytes, 0), word(&bytes, 8));
        IndexEntry { offset, length, checksum: word(&bytes, 12) }
    }
}

fn expected(number: BlockNumber, offset: u64, length: u32, stored: u32) -> u32 {
    let mut bytes = [0; 24];
    bytes[..8].copy_from_slice(&number.0.to_le_bytes());
    bytes[8..16].copy_from_slice(&offset.to_le_bytes());
    bytes[16..20].copy_from_slice(&length.to_le_bytes());
    bytes[20..].copy_from_slice(&stored.to_le_bytes());
    crc32fast::hash(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bit_of_an_entry_can_change_unnoticed() {
        let stored = b"any bytes";
        let block = EncodedBlock { length: 9, checksum: crc32fast::hash(stored) };
        let number = BlockNumber(5);
        let bytes = IndexEntry::new(number, 1 << 33, block).to_bytes();
        assert!(IndexEntry::from_bytes(bytes).agrees(number, stored));
        assert!(!IndexEntry::from_bytes(bytes).agrees(BlockNumber(6), stored));
        assert!(!IndexEntry::from_bytes(bytes).agrees(number, b"ANY bytes"));
        for bit in 0..8 * ENTRY_BYTES {
            let mut damaged = bytes;
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(!IndexEntry::from_bytes(damaged).agrees(number, stored), "bit {bit}");
        }
    }

    #[test]
    fn an_entry_that_was_never_written_is_not_one_of_an_empty_block() {
        let nothing = EncodedBlock { length: 0, checksum: crc32fast::hash(&[]) };
        for number in (0..1000).map(BlockNumber) {
            assert!(IndexEntry::new(number, 77, nothing).agrees(number, &[]));
            assert!(!IndexEntry::from_bytes([0; ENTRY_BYTES]).agrees(number, &[]));
        }
    }
}
