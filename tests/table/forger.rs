//! Rewrites tables so that they are whole but wrong: after any change, all checksums, the digests
//! that chain the tiers, and the manifest are corrected.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use strong4::board::{Tier, TierRange};
use strong4::count::count;
use strong4::inside::index::{Cell, Index};
use strong4::inside::table::{
    Block, Digest, Horizon, Layout, Manifest, ManifestTier, TableSummary, TierCounts, table_file,
};

use super::by_the_book::{u32_at, u64_at};

const HEADER: usize = 512;
const ENTRY: usize = 16;

/// The tables of a board, to be changed.
pub struct Forger<'a> {
    index: &'a Index,
    folder: tempfile::TempDir,
    tables: Vec<Forged>,
}

/// The parts of a table.
#[derive(Clone)]
struct Forged {
    header: Vec<u8>,
    /// Offset and length of each block, and its stored bytes.
    entries: Vec<(u64, u32)>,
    stored: Vec<Vec<u8>>,
    /// Bytes to write into the header at the end.
    patches: Vec<(usize, Vec<u8>)>,
    /// Offsets and lengths to write into the index at the end.
    places: Vec<(usize, u64, u32)>,
}

/// The place of a bit of a cell.
#[derive(Clone, Copy, Debug)]
pub struct At {
    pub block: usize,
    pub row: usize,
    pub column: usize,
    width: usize,
    words: usize,
}

impl Forged {
    fn read(bytes: &[u8]) -> Forged {
        let blocks = u64_at(bytes, 32) as usize;
        let entry =
            |n: usize| (u64_at(bytes, HEADER + ENTRY * n), u32_at(bytes, HEADER + ENTRY * n + 8));
        let entries: Vec<(u64, u32)> = (0..blocks).map(entry).collect();
        let stored = entries.iter().map(|(offset, length)| {
            let offset = *offset as usize;
            bytes[offset..offset + *length as usize].to_vec()
        });
        let (patches, places) = (Vec::new(), Vec::new());
        Forged {
            header: bytes[..HEADER].to_vec(),
            stored: stored.collect(),
            entries,
            patches,
            places,
        }
    }

    /// The bytes of the file, and the digest.
    fn seal(&self, next: [u8; 32]) -> (Vec<u8>, [u8; 32]) {
        let body = HEADER + ENTRY * self.entries.len();
        let (mut bytes, mut index) = (vec![0; body], Vec::new());
        let mut places = Vec::new();
        for stored in &self.stored {
            let offset = if stored.is_empty() { 0 } else { bytes.len() as u64 };
            places.push((offset, stored.len() as u32));
            bytes.extend(stored);
        }
        for (block, offset, length) in &self.places {
            places[*block] = (*offset, *length);
        }
        for (number, (offset, length)) in places.into_iter().enumerate() {
            let range = offset as usize..(offset as usize).saturating_add(length as usize);
            let stored = bytes.get(range).unwrap_or_default();
            let mut checked = (number as u64).to_le_bytes().to_vec();
            checked.extend(offset.to_le_bytes());
            checked.extend(length.to_le_bytes());
            let entry = checked[8..].to_vec();
            checked.extend(crc32fast::hash(stored).to_le_bytes());
            index.extend(entry);
            index.extend(crc32fast::hash(&checked).to_le_bytes());
        }
        let length = bytes.len() as u64;
        bytes[..HEADER].copy_from_slice(&self.header);
        bytes[HEADER..body].copy_from_slice(&index);
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(48, &length.to_le_bytes());
        put(88, &crc32fast::hash(&index).to_le_bytes());
        put(96, &next);
        for (at, patch) in &self.patches {
            put(*at, patch);
        }
        let checksum = crc32fast::hash(&bytes[..508]);
        bytes[508..512].copy_from_slice(&checksum.to_le_bytes());
        let digest = Sha256::digest(&bytes[..body]).into();
        (bytes, digest)
    }
}

impl<'a> Forger<'a> {
    /// A copy of all tables of a board, each with its number of terminal positions.
    pub fn new(index: &'a Index, folder: &Path) -> Forger<'a> {
        let counts = count(index.board(), TierRange::all(index.board()), &()).unwrap();
        let tables = counts.iter().map(|count| {
            let mut bytes = fs::read(table_file(folder, count.tier)).unwrap();
            bytes[80..88].copy_from_slice(&count.terminal.to_le_bytes());
            Forged::read(&bytes)
        });
        let tables = tables.collect();
        let mut forger = Forger { index, folder: tempfile::tempdir().unwrap(), tables };
        forger.seal();
        forger
    }

    /// The folder of the tables.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn file(&self, tier: Tier) -> PathBuf {
        table_file(self.folder(), tier)
    }

    /// Makes the change, passes the folder to `look`, and undoes the change.
    pub fn with<R>(
        &mut self,
        tier: Tier,
        change: impl FnOnce(&mut Forger),
        look: impl FnOnce(&Forger) -> R,
    ) -> R {
        let before = self.tables[tier.stones()].clone();
        change(self);
        self.seal();
        let seen = look(self);
        self.tables[tier.stones()] = before;
        self.seal();
        seen
    }

    /// Puts these bytes into a header.
    pub fn patch(&mut self, tier: Tier, at: usize, bytes: &[u8]) {
        self.tables[tier.stones()].patches.push((at, bytes.to_vec()));
    }

    /// Puts this offset and length into the entry of a block.
    pub fn place(&mut self, tier: Tier, block: usize, offset: u64, length: u32) {
        self.tables[tier.stones()].places.push((block, offset, length));
    }

    /// The offset and length of each block.
    pub fn places(&self, tier: Tier) -> &[(u64, u32)] {
        &self.tables[tier.stones()].entries
    }

    /// Changes stored bytes of a block.
    pub fn garble(&mut self, tier: Tier, block: usize, garble: impl FnOnce(&mut Vec<u8>)) {
        garble(&mut self.tables[tier.stones()].stored[block]);
    }

    /// The place of a cell.
    pub fn at(&self, tier: Tier, cell: Cell) -> At {
        let horizon = Horizon(self.tables[tier.stones()].header[19]);
        let layout = Layout::new(self.index.census(), tier, horizon);
        let (row, column) = (cell.row as usize, cell.column as usize);
        let here = |block: &Block| block.rows.contains(&row) && block.columns.contains(&column);
        let block = layout.tile(cell.tile).unwrap().iter().find(here).unwrap();
        At {
            block: block.number.0 as usize,
            row: row - block.rows.start,
            column: column - block.columns.start,
            width: block.shape.width,
            words: block.shape.words(),
        }
    }

    /// Puts these two bits into a cell.
    pub fn set(&mut self, tier: Tier, cell: Cell, bits: [bool; 2]) {
        let at = self.at(tier, cell);
        let stored = &mut self.tables[tier.stones()].stored[at.block];
        let mut plain = match &stored[..] {
            [] => vec![0; 8 * at.words],
            _ => zstd::bulk::decompress(stored, 8 * at.words).unwrap(),
        };
        for (plane, bit) in bits.into_iter().enumerate() {
            let word = (2 * at.row + plane) * at.width;
            let byte = &mut plain[8 * word + at.column / 8];
            *byte = *byte & !(1 << (at.column % 8)) | u8::from(bit) << (at.column % 8);
        }
        *stored = match plain.iter().all(|byte| *byte == 0) {
            true => Vec::new(),
            false => zstd::bulk::compress(&plain, 1).unwrap(),
        };
    }

    /// Corrects everything that must fit, and writes it.
    fn seal(&mut self) {
        let mut next = [0; 32];
        let mut tiers = Vec::new();
        for tier in self.index.census().tiers().rev() {
            let forged = &self.tables[tier.stones()];
            let (bytes, digest) = forged.seal(next);
            next = digest;
            let [won, drawn, lost, terminal] = [56, 64, 72, 80].map(|at| u64_at(&bytes, at));
            let counts = TierCounts { won, drawn, lost, terminal };
            let length = bytes.len() as u64;
            let summary = TableSummary { tier, bytes: length, digest: Digest(digest), counts };
            tiers.push(ManifestTier { summary, seconds: 0.5 });
            fs::write(self.file(tier), bytes).unwrap();
        }
        let fits = |tier: &ManifestTier| tier.summary.counts.checked_total().is_some();
        tiers.retain(fits);
        Manifest::new(self.index.board(), 1.0, tiers).write(self.folder()).unwrap();
    }
}
