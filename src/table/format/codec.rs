//! Encoding blocks as bytes, and decoding them.
//!
//! ```text
//!     words of the block  ─ little-endian bytes ─ zstd ─  stored bytes
//! ```
//!
//! A block of zeros is stored as no bytes at all. Decoded data never decides how much memory is
//! taken: the size of a block is known from its [shape](BlockShape), and bytes that decode to any
//! other size are refused.

use std::ops::Range;

use super::block::BlockShape;
use super::error::Damage;
#[cfg(feature = "tables")]
use crate::memory;

/// The decompressor: zstd or, in a build without C, its Rust counterpart, which takes several times
/// as long.
#[cfg(feature = "tables")]
type Unpacker = zstd::bulk::Decompressor<'static>;
#[cfg(not(feature = "tables"))]
type Unpacker = in_rust::Unpacker;

/// The compression level of zstd. Readers need not know it. The bytes must not depend on what the
/// same encoder has packed before, which a test checks.
const LEVEL: i32 = 1;

/// The most bytes that a stored block takes.
pub(in crate::table) const MOST_STORED: usize = BlockShape::LARGEST.bytes() + 1024;

/// The most bytes that a stored block of this shape takes.
pub(in crate::table) fn most_stored(shape: BlockShape) -> usize {
    // The same formula as in zstd.
    let bytes = shape.bytes();
    bytes + (bytes >> 8) + ((128usize << 10).saturating_sub(bytes) >> 11)
}

/// Encoded blocks, one after the other.
#[derive(Clone, Default, Debug)]
pub struct EncodedBlocks {
    bytes: Vec<u8>,
    blocks: Vec<EncodedBlock>,
}

/// A place between two blocks, before the first or after the last.
#[derive(Clone, Copy)]
pub(crate) struct Between {
    bytes: usize,
    blocks: usize,
}

/// The stored length of a block, and the CRC-32 of the stored bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EncodedBlock {
    pub length: u32,
    pub checksum: u32,
}

impl EncodedBlocks {
    /// Number of blocks.
    pub fn count(&self) -> usize {
        self.blocks.len()
    }

    /// Their bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Forgets the blocks, but keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.blocks.clear();
    }

    pub(crate) fn blocks(&self) -> &[EncodedBlock] {
        &self.blocks
    }

    /// The place after the last block.
    pub(crate) fn end(&self) -> Between {
        Between { bytes: self.bytes.len(), blocks: self.blocks.len() }
    }

    /// Adds those blocks of `other` that lie between two places.
    pub(crate) fn add(&mut self, other: &EncodedBlocks, places: Range<Between>) {
        let Range { start, end } = places;
        self.bytes.extend_from_slice(&other.bytes[start.bytes..end.bytes]);
        self.blocks.extend_from_slice(&other.blocks[start.blocks..end.blocks]);
    }

    /// These blocks, one after the other; `None` if the bytes are not theirs.
    pub(crate) fn from_stored(bytes: Vec<u8>, blocks: Vec<EncodedBlock>) -> Option<EncodedBlocks> {
        let mut rest = &bytes[..];
        for EncodedBlock { length, checksum } in &blocks {
            let stored = rest.split_off(..*length as usize)?;
            if crc32fast::hash(stored) != *checksum {
                return None;
            }
        }
        rest.is_empty().then_some(EncodedBlocks { bytes, blocks })
    }

    fn push(&mut self, stored: &[u8]) {
        let length = stored.len() as u32;
        self.bytes.extend_from_slice(stored);
        self.blocks.push(EncodedBlock { length, checksum: crc32fast::hash(stored) });
    }
}

#[cfg(feature = "tables")]
/// Encodes blocks; one per thread.
pub struct Encoder {
    zstd: zstd::bulk::Compressor<'static>,
    plain: Vec<u8>,
    stored: Vec<u8>,
}

#[cfg(feature = "tables")]
impl Default for Encoder {
    fn default() -> Encoder {
        Encoder {
            zstd: zstd::bulk::Compressor::new(LEVEL).expect("a level that zstd knows"),
            plain: Vec::with_capacity(BlockShape::LARGEST.bytes()),
            stored: Vec::with_capacity(MOST_STORED),
        }
    }
}

#[cfg(feature = "tables")]
impl Encoder {
    /// Encodes the words of a block, and appends it to `into`.
    pub fn encode(&mut self, shape: BlockShape, words: &[u64], into: &mut EncodedBlocks) {
        assert_eq!(words.len(), shape.words(), "the words of a block of {shape:?}");
        self.stored.clear();
        if to_bytes(words, &mut self.plain) {
            // There is room for whatever zstd makes of a block.
            if let Err(error) = self.zstd.compress_to_buffer(&self.plain, &mut self.stored) {
                let reason = error.to_string();
                assert!(reason.contains("not enough memory"), "{reason}");
                memory::has_run_out();
            }
        }
        into.push(&self.stored);
    }
}

#[cfg(feature = "tables")]
/// Writes words as little-endian bytes, and returns whether any bit is 1.
fn to_bytes(words: &[u64], bytes: &mut Vec<u8>) -> bool {
    bytes.resize(size_of_val(words), 0);
    let mut ones = 0;
    for (bytes, word) in bytes.chunks_exact_mut(size_of::<u64>()).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
        ones |= word;
    }
    ones != 0
}

/// Decodes blocks; one per thread.
pub(crate) struct Decoder(Unpacker);

impl Decoder {
    /// A decoder.
    pub(crate) fn new() -> Decoder {
        Decoder(Unpacker::new().expect("a decoder without a dictionary"))
    }

    /// Decodes a block into its little-endian bytes, `into[..shape.bytes()]`.
    pub(crate) fn decode(
        &mut self,
        shape: BlockShape,
        stored: &[u8],
        into: &mut [u8],
    ) -> Result<(), Damage> {
        let expected = shape.bytes();
        let into = &mut into[..expected];
        if stored.is_empty() {
            into.fill(0);
            return Ok(());
        }
        let packed = |error: std::io::Error| Damage::Packed { expected, reason: error.to_string() };
        let found = self.0.decompress_to_buffer(stored, into).map_err(packed)?;
        if found != expected {
            return Err(Damage::Short { expected, found });
        }
        Ok(())
    }
}

#[cfg(any(test, not(feature = "tables")))]
mod in_rust {
    use std::io;

    use ruzstd::decoding::FrameDecoder;

    pub(super) struct Unpacker(FrameDecoder);

    impl Unpacker {
        pub(super) fn new() -> io::Result<Unpacker> {
            Ok(Unpacker(FrameDecoder::new()))
        }

        pub(super) fn decompress_to_buffer(
            &mut self,
            packed: &[u8],
            into: &mut [u8],
        ) -> io::Result<usize> {
            self.0.decode_all(packed, into).map_err(io::Error::other)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    fn shapes() -> impl Iterator<Item = BlockShape> {
        [1, 2, 4, 8]
            .into_iter()
            .flat_map(|width| [1, 2, 17, 255, 256].map(|rows| BlockShape { rows, width, bits: 2 }))
    }

    #[test]
    fn no_block_takes_more_than_there_is_room_for() {
        let (mut encoder, mut blocks) = (Encoder::default(), EncodedBlocks::default());
        let mut random = SplitMix64(1);
        let words: Vec<u64> = (0..BlockShape::LARGEST.words()).map(|_| random.word()).collect();
        for shape in shapes() {
            encoder.encode(shape, &words[..shape.words()], &mut blocks);
            let stored = blocks.blocks().last().unwrap().length as usize;
            assert!(stored <= most_stored(shape) && stored <= MOST_STORED);
            assert_eq!(most_stored(shape), zstd::zstd_safe::compress_bound(shape.bytes()));
        }
        assert_eq!(blocks.count(), 20);
        assert!(most_stored(BlockShape::LARGEST) <= MOST_STORED);
    }

    #[test]
    fn what_was_packed_before_changes_nothing() {
        // Sparse rows that are like those above them, as in tables.
        let block = |seed: u64| -> Vec<u64> {
            let mixed = |n: u64| SplitMix64(n).word();
            let word = |at: u64| mixed(seed + at % 16) & mixed(seed + at / 48) & mixed(at / 16);
            (0..BlockShape::LARGEST.words() as u64).map(word).collect()
        };
        let pack = |encoder: &mut Encoder, seed| {
            let mut blocks = EncodedBlocks::default();
            encoder.encode(BlockShape::LARGEST, &block(seed), &mut blocks);
            blocks.bytes().to_vec()
        };
        let (mut up, mut down) = (Encoder::default(), Encoder::default());
        let ascending: Vec<_> = (0..60).map(|seed| pack(&mut up, seed)).collect();
        let descending: Vec<_> = (0..60).rev().map(|seed| pack(&mut down, seed)).collect();
        assert!(ascending.iter().eq(descending.iter().rev()));
        assert!((0..60).map(|seed| pack(&mut Encoder::default(), seed)).eq(ascending));
    }

    #[test]
    fn a_block_of_zeros_takes_no_bytes() {
        let (mut encoder, mut blocks) = (Encoder::default(), EncodedBlocks::default());
        for shape in shapes() {
            encoder.encode(shape, &vec![0; shape.words()], &mut blocks);
        }
        assert!(blocks.bytes().is_empty());
        let mut plain = vec![1; BlockShape::LARGEST.bytes()];
        Decoder::new().decode(BlockShape::LARGEST, &[], &mut plain).unwrap();
        assert!(plain.iter().all(|byte| *byte == 0));
    }

    #[test]
    fn bytes_of_another_shape_are_refused() {
        let (mut encoder, mut blocks) = (Encoder::default(), EncodedBlocks::default());
        let shape = BlockShape { rows: 4, width: 2, bits: 2 };
        encoder.encode(shape, &[7; 16], &mut blocks);
        let mut plain = vec![0; BlockShape::LARGEST.bytes()];
        let mut decode = |rows| {
            let shape = BlockShape { rows, width: 2, bits: 2 };
            Decoder::new().decode(shape, blocks.bytes(), &mut plain)
        };
        assert_eq!(decode(4), Ok(()));
        assert_eq!(decode(5), Err(Damage::Short { expected: 160, found: 128 }));
        assert!(matches!(decode(3), Err(Damage::Packed { expected: 96, .. })));
    }

    proptest::proptest! {
        #[test]
        fn blocks_survive_the_way_through_the_codec(
            rows in 1usize..=256, log in 0u32..4, words in proptest::collection::vec(0u64.., 1..4096),
        ) {
            let shape = BlockShape { rows, width: 1 << log, bits: 2 };
            let words: Vec<u64> = words.into_iter().cycle().take(shape.words()).collect();
            let mut blocks = EncodedBlocks::default();
            Encoder::default().encode(shape, &words, &mut blocks);
            let mut plain = vec![0; shape.bytes()];
            Decoder::new().decode(shape, blocks.bytes(), &mut plain).unwrap();
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            proptest::prop_assert_eq!(&plain, &bytes);
            if !blocks.bytes().is_empty() {
                plain.fill(1);
                let mut unpacker = in_rust::Unpacker::new().unwrap();
                let found = unpacker.decompress_to_buffer(blocks.bytes(), &mut plain).unwrap();
                proptest::prop_assert_eq!((found, plain), (bytes.len(), bytes));
            }
        }

        #[test]
        fn any_bytes_are_decoded_or_refused(
            bytes in proptest::collection::vec(0u8.., 0..4096), rows in 1usize..=256,
        ) {
            let mut plain = vec![0; BlockShape::LARGEST.bytes()];
            let _ = Decoder::new().decode(BlockShape { rows, width: 8, bits: 2 }, &bytes, &mut plain);
            // If they begin like a frame of zstd, they get further.
            let framed = [&[0x28, 0xb5, 0x2f, 0xfd], &bytes[..]].concat();
            let _ = Decoder::new().decode(BlockShape { rows, width: 8, bits: 2 }, &framed, &mut plain);
            let _ = in_rust::Unpacker::new().unwrap().decompress_to_buffer(&framed, &mut plain);
        }
    }
}
