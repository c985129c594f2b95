//! The files in a folder of tables, by names and lengths.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::board::{Board, Tier, TierRange};
use crate::files::{self, NotAFile};

use super::super::format::{Fault, MANIFEST, OfFile, READ, TableError, table_file, tier_of_part};
use super::super::reading::read_header;
use super::manifest::Manifest;

/// A file of a tier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TierFile {
    /// The tier.
    pub tier: Tier,
    /// Bytes of the file.
    pub bytes: u64,
}

/// The tables and the unfinished parts in a folder, fewest stones first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inventory {
    /// The board.
    pub board: Board,
    /// Tables.
    pub tables: Vec<TierFile>,
    /// Unfinished tables: more than one of a tier, if several processes were at work.
    pub parts: Vec<TierFile>,
    /// Whether there is a manifest.
    pub manifest: bool,
}

impl Inventory {
    /// An inventory without any files.
    pub fn empty(board: Board) -> Inventory {
        Inventory { board, tables: Vec::new(), parts: Vec::new(), manifest: false }
    }

    /// The files of a board in a folder; none of them is opened.
    pub fn of(folder: &Path, board: Board) -> Result<Inventory, TableError> {
        let parts = in_folder(folder, parts_in(folder))?;
        let mut inventory = Inventory::empty(board);
        for tier in TierRange::all(board) {
            let file = |bytes| TierFile { tier, bytes };
            inventory.tables.extend(bytes_of(&table_file(folder, tier))?.map(file));
            for (_, part) in parts.iter().filter(|(of, _)| *of == tier) {
                inventory.parts.extend(bytes_of(part)?.map(file));
            }
        }
        inventory.manifest = bytes_of(&folder.join(MANIFEST))?.is_some();
        Ok(inventory)
    }

    /// The tiers whose tables are missing from the manifest of this folder, or have another length
    /// there; all of them, if there is no manifest or it cannot be read.
    pub fn unlisted(&self, folder: &Path) -> Vec<Tier> {
        let manifest = Manifest::read(folder).ok().filter(|manifest| manifest.board == self.board);
        let bytes = |tier| Some(manifest.as_ref()?.tier(tier)?.summary.bytes);
        let unlisted = self.tables.iter().filter(|table| bytes(table.tier) != Some(table.bytes));
        unlisted.map(|table| table.tier).collect()
    }

    /// The tiers without a table.
    pub fn missing(&self) -> Vec<Tier> {
        let there = |tier| self.tables.iter().any(|table| table.tier == tier);
        TierRange::all(self.board).into_iter().filter(|tier| !there(*tier)).collect()
    }
}

/// The inventory of a folder; an empty one if the folder does not exist.
pub fn inventory(folder: &Path, board: Board) -> Result<Inventory, TableError> {
    match Inventory::of(folder, board) {
        Err(TableError { fault: Fault::NoFolder, .. }) => Ok(Inventory::empty(board)),
        found => found,
    }
}

/// The tiers of a board that have tables in a folder, fewest stones first. The folder is read once;
/// only links and entries that are not files are examined one by one.
pub(crate) fn tiers_in(folder: &Path, board: Board) -> Result<Vec<Tier>, TableError> {
    let entries = in_folder(folder, files::entries_in(folder))?;
    let is_there = |path: &Path| {
        let entry = entries.iter().find(|(name, _)| path.file_name() == Some(name));
        match entry {
            Some((_, false)) => Ok(bytes_of(path)?.is_some()),
            entry => Ok::<bool, TableError>(entry.is_some()),
        }
    };
    is_there(&folder.join(MANIFEST))?;
    let mut tiers = Vec::new();
    for tier in TierRange::all(board) {
        if is_there(&table_file(folder, tier))? {
            tiers.push(tier);
        }
    }
    Ok(tiers)
}

/// The board whose tables or parts are in a folder, if any of them can be read, or else the board
/// that the folder is named after.
pub fn board_of(folder: &Path) -> Option<Board> {
    board_in(folder).or_else(|| board_named_by(folder))
}

/// The board that a folder is named after.
pub(super) fn board_named_by(folder: &Path) -> Option<Board> {
    folder.file_name()?.to_str()?.parse().ok()
}

/// The board whose tables or parts are in a folder, if any of them can be read.
pub(super) fn board_in(folder: &Path) -> Option<Board> {
    if let Ok(manifest) = Manifest::read(folder) {
        return Some(manifest.board);
    }
    let tiers = (0..=Tier::LAST.0).rev().map(Tier);
    let parts = parts_in(folder).unwrap_or_default().into_iter().map(|(_, part)| part);
    tiers.map(|tier| table_file(folder, tier)).chain(parts).find_map(|path| {
        let header = read_header(&path, &files::open(&path).ok()?).ok()?;
        Some(header.board)
    })
}

/// The unfinished tables in a folder, and their tiers.
fn parts_in(folder: &Path) -> io::Result<Vec<(Tier, PathBuf)>> {
    let mut parts = Vec::new();
    for name in files::names_in(folder)? {
        let tier = name.to_str().and_then(tier_of_part);
        parts.extend(tier.map(|tier| (tier, folder.join(&name))));
    }
    Ok(parts)
}

/// What was found in a folder; an error if there is none.
fn in_folder<T>(folder: &Path, found: io::Result<T>) -> Result<T, TableError> {
    let found = files::if_there(found).of_file(folder, READ)?;
    found.ok_or_else(|| TableError::new(folder, Fault::NoFolder))
}

/// The length of a file; `None` if it does not exist.
fn bytes_of(path: &Path) -> Result<Option<u64>, TableError> {
    let Some(found) = files::if_there(fs::metadata(path)).of_file(path, READ)? else {
        return Ok(None);
    };
    NotAFile::check(found.file_type()).of_file(path, READ)?;
    Ok(Some(found.len()))
}
