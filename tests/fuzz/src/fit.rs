//! Corrects checksums, and everything else that says how long a file is.
//!
//! This follows only the descriptions of the files. Files without space for a checksum stay as they
//! are, and are refused for that.

/// Bytes of the header of a table.
const HEADER: usize = 512;

/// Bytes of an entry of its block index.
const ENTRY: usize = 16;

/// Bytes of the label of a sealed file, and of its seal.
const LABEL: usize = 64;
const SEAL: usize = 32;

/// A table of outcomes with this many blocks whose length and checksums are right.
pub fn table(bytes: &mut [u8], blocks: u64) {
    table_behind(bytes, blocks, 0);
}

/// A table of scores with this many blocks and tiles, and counts for this many numbers of plies:
/// length, checksums and counts are right.
pub fn table_of_scores(bytes: &mut [u8], blocks: u64, tiles: u32, plies: usize) {
    let Some((header, rest)) = bytes.split_at_mut_checked(HEADER) else { return };
    header[92..96].copy_from_slice(&tiles.to_le_bytes());
    let prelude = 8 * plies + 24 * tiles as usize;
    let Some(told) = rest.get(..prelude) else { return };
    put(header, 160, crc32fast::hash(told));
    let sum = |first: usize| {
        let plies = (first..plies).step_by(2).map(|plies| long(told, 8 * plies));
        plies.fold(0, u64::wrapping_add)
    };
    for (at, count) in [(56, sum(1)), (64, long(told, 0)), (72, sum(2))] {
        header[at..at + 8].copy_from_slice(&count.to_le_bytes());
    }
    table_behind(bytes, blocks, prelude);
}

/// The same with this many bytes between the header and the block index.
fn table_behind(bytes: &mut [u8], blocks: u64, prelude: usize) {
    let length = bytes.len() as u64;
    let Some((header, rest)) = bytes.split_at_mut_checked(HEADER) else { return };
    header[32..40].copy_from_slice(&blocks.to_le_bytes());
    header[40..48].copy_from_slice(&((HEADER + prelude) as u64).to_le_bytes());
    header[48..56].copy_from_slice(&length.to_le_bytes());
    let index = ENTRY * blocks as usize;
    let rest = rest.get_mut(prelude..).unwrap_or_default();
    if let Some((index, body)) = rest.split_at_mut_checked(index) {
        let body_start = HEADER + prelude + index.len();
        for (number, entry) in index.chunks_exact_mut(ENTRY).enumerate() {
            let stored = stored(body, body_start, long(entry, 0), word(entry, 8)).unwrap_or(&[]);
            let mut told = (number as u64).to_le_bytes().to_vec();
            told.extend(&entry[..12]);
            told.extend(crc32fast::hash(stored).to_le_bytes());
            put(entry, 12, crc32fast::hash(&told));
        }
        put(header, 88, crc32fast::hash(index));
    }
    let checksum = crc32fast::hash(&header[..508]);
    put(header, 508, checksum);
}

/// A sealed file whose directory ends at its seal, with correct checksums of the blocks that the
/// directory lists.
pub fn sealed(bytes: &mut [u8], blocks: impl Fn(&mut [u8], &[u8])) {
    let Some(seal_start) = bytes.len().checked_sub(SEAL).filter(|start| *start >= LABEL) else {
        return;
    };
    let (rest, seal) = bytes.split_at_mut(seal_start);
    let most = (seal_start - LABEL) as u64;
    let start = seal_start - long(seal, 16).min(most) as usize;
    let (body, directory) = rest.split_at_mut(start);
    blocks(directory, body);
    let checksum = crc32fast::hash(&body[..60]);
    put(body, 60, checksum);
    seal[..8].copy_from_slice(b"s4 seal\n");
    seal[8..16].copy_from_slice(&(start as u64).to_le_bytes());
    seal[16..24].copy_from_slice(&(directory.len() as u64).to_le_bytes());
    put(seal, 24, crc32fast::hash(directory));
    let told = [&body[..LABEL], &seal[..28]].concat();
    put(seal, 28, crc32fast::hash(&told));
}

/// The blocks that the directory of kept tiles lists.
pub fn kept(mut directory: &mut [u8], body: &[u8]) {
    while let Some(head) = directory.split_off_mut(..24) {
        for _ in 0..long(head, 16) {
            let Some(block) = directory.split_off_mut(..20) else { return };
            if let Some(stored) = stored(body, 0, long(block, 0), word(block, 8)) {
                put(block, 12, crc32fast::hash(stored));
            }
        }
    }
}

/// The blocks that the directory of a piece lists, for a run over this many tiers.
pub fn piece(mut directory: &mut [u8], body: &[u8], tiers: usize) {
    if directory.split_off_mut(..16 + 32 * tiers).is_none() {
        return;
    }
    while let Some(head) = directory.split_off_mut(..21) {
        let mut start = long(head, 9);
        for _ in 0..word(head, 17) {
            let Some(block) = directory.split_off_mut(..8) else { return };
            let length = word(block, 0);
            if let Some(stored) = stored(body, 0, start, length) {
                put(block, 4, crc32fast::hash(stored));
            }
            start = start.saturating_add(length.into());
        }
    }
}

/// The bytes from `start` on, where `first` is the offset of `bytes`.
fn stored(bytes: &[u8], first: usize, start: u64, length: u32) -> Option<&[u8]> {
    let start = usize::try_from(start).ok()?.checked_sub(first)?;
    bytes.get(start..)?.get(..length as usize)
}

fn put(bytes: &mut [u8], at: usize, checksum: u32) {
    bytes[at..at + 4].copy_from_slice(&checksum.to_le_bytes());
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}
