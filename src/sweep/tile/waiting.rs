//! The tiles of a large centre, one by one, while they wait for those that read them.
//!
//! A tier of a large centre may be larger than memory. But a tile of the tier is read by two tiles of
//! the tier before it at most, and those need not be solved far apart: a stone of player `p` on the
//! left or on the right leads to tiles that differ by a stone of `p` on either side. So the tiles of
//! a tier form *chains*, in which two neighbours share what they read:
//!
//! ```text
//!     stones of p on the left        0     1     2     3
//!     a chain of the tier            ●     ●     ●     ●
//!                                   / \   / \   / \   / \
//!     what it reads of the next    ○   ○     ○     ○     ○
//! ```
//!
//! Solved along its chains, a tier takes the place of the next one, tile by tile. What finds no
//! place is compressed until it is read: to a seventh on 7x6. What finds no place even so waits in a
//! file, which no other process needs and which has a temporary name as long as it exists.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::board::Player;
use crate::files::sealed::{OfWorkingFile, READ, WRITE, WorkingFileError};
use crate::files::{Disk, DiskFile};
use crate::index::{Census, Class, Tile};

use crate::sweep::bits::{AlignedWords, PanelTile, Panels, Pool};
use crate::sweep::handoff::{Zstd, file_of_waiting_tiles};

/// Room for the tiles of large centres.
#[derive(Default)]
pub(in crate::sweep) struct TileRoom {
    /// Tiles are compressed while those that are not take more bytes than this.
    most: u64,
    pieces: Mutex<Pieces>,
    zstd: Pool<Zstd>,
    /// Bytes of compressed tiles in memory. While they are more than the most of them, others go to
    /// a file, if there may be one.
    packed: AtomicU64,
    most_packed: u64,
    files: Option<(Disk, PathBuf)>,
}

/// Pieces of memory.
#[derive(Default)]
struct Pieces {
    /// Bytes that are in use, and the most that have been.
    taken: u64,
    peak: u64,
    /// Pieces that are free again, the one that has been for the longest time first; and their
    /// bytes.
    free: VecDeque<AlignedWords>,
    free_bytes: u64,
}

/// Bytes that are compressed at a time.
const PIECE: usize = 1 << 22;

impl TileRoom {
    /// Room in memory alone: for this many bytes of tiles as they are, the others compressed.
    pub(crate) fn new(most: u64) -> TileRoom {
        TileRoom { most, most_packed: u64::MAX, ..TileRoom::default() }
    }

    /// The same with this many bytes of compressed tiles in memory, and the others in files in this
    /// folder.
    pub(crate) fn with_files(self, most_packed: u64, disk: &Disk, folder: PathBuf) -> TileRoom {
        TileRoom { most_packed, files: Some((disk.clone(), folder)), ..self }
    }

    fn pieces(&self) -> MutexGuard<'_, Pieces> {
        self.pieces.lock().expect("nothing panics while it is locked")
    }

    /// Frees what is kept for reuse.
    pub(crate) fn clear(&self) {
        let pieces = &mut *self.pieces();
        pieces.peak = pieces.taken;
        pieces.free_down_to_peak();
        self.zstd.clear();
    }

    /// Room for a tile, with arbitrary content.
    pub(crate) fn take(&self, panels: Panels) -> PlainTile<'_> {
        let mut words = self.pieces().take(panels.words());
        words.room(panels.words());
        PlainTile { room: self, panels, words }
    }

    fn is_full(&self) -> bool {
        self.pieces().taken > self.most
    }
}

impl Pieces {
    /// A piece of at least this many words.
    fn take(&mut self, len: usize) -> AlignedWords {
        // The smallest that is large enough, unless half of it would lie idle.
        let fits = |words: &AlignedWords| (len..=2 * len).contains(&words.capacity());
        let all = self.free.iter().enumerate().filter(|(_, words)| fits(words));
        let best = all.min_by_key(|(_, words)| words.capacity()).map(|(at, _)| at);
        let words = best.and_then(|at| self.free.remove(at));
        self.free_bytes -= words.as_ref().map_or(0, AlignedWords::bytes);
        let words = words.unwrap_or_else(|| AlignedWords::new(len));
        self.taken += words.bytes();
        self.peak = self.peak.max(self.taken);
        self.free_down_to_peak();
        words
    }

    fn give_back(&mut self, words: AlignedWords) {
        self.taken -= words.bytes();
        if words.bytes() > 0 {
            self.free_bytes += words.bytes();
            self.free.push_back(words);
        }
        self.free_down_to_peak();
    }

    /// Frees what is more than was ever in use at a time.
    fn free_down_to_peak(&mut self) {
        while self.taken + self.free_bytes > self.peak {
            let words = self.free.pop_front().expect("there are bytes that are free");
            self.free_bytes -= words.bytes();
        }
    }
}

/// A tile in memory, as it is.
pub(in crate::sweep) struct PlainTile<'r> {
    room: &'r TileRoom,
    panels: Panels,
    words: AlignedWords,
}

impl PlainTile<'_> {
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        self.words.as_mut_slice()
    }

    pub(crate) fn tile(&self) -> PanelTile<'_> {
        PanelTile { panels: self.panels, words: self.words.as_slice() }
    }
}

impl Drop for PlainTile<'_> {
    fn drop(&mut self) {
        self.room.pieces().give_back(std::mem::take(&mut self.words));
    }
}

/// A tier beside a centre, of which only those tiles are there that are still to be read.
#[derive(Default)]
pub(in crate::sweep) struct WaitingTier<'r> {
    /// The batch of the centre.
    batch: usize,
    /// By left class.
    tiles: Vec<Option<Mutex<WaitingTile<'r>>>>,
}

struct WaitingTile<'r> {
    panels: Panels,
    /// How many tiles are still to read it.
    readers: usize,
    form: Form<'r>,
}

enum Form<'r> {
    /// Not solved yet, or not needed any more.
    Nothing,
    Plain(Arc<PlainTile<'r>>),
    Packed(PackedTile<'r>),
}

/// A tile that is compressed, piece by piece.
struct PackedTile<'r> {
    room: &'r TileRoom,
    pieces: Vec<Packed>,
    /// With the pieces that found no place in memory; it is removed with the tile.
    file: Option<(PathBuf, DiskFile)>,
}

enum Packed {
    InMemory(Box<[u8]>),
    InFile { start: u64, len: usize, checksum: u32 },
}

impl Drop for PackedTile<'_> {
    fn drop(&mut self) {
        let in_memory = |piece: &Packed| match piece {
            Packed::InMemory(bytes) => bytes.len() as u64,
            Packed::InFile { .. } => 0,
        };
        let bytes: u64 = self.pieces.iter().map(in_memory).sum();
        self.room.packed.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl<'r> PackedTile<'r> {
    fn new(
        plain: &PlainTile<'r>,
        batch: usize,
        zstd: &mut Zstd,
    ) -> Result<PackedTile<'r>, WorkingFileError> {
        let mut tile = PackedTile { room: plain.room, pieces: Vec::new(), file: None };
        let mut end = 0;
        for piece in bytemuck::cast_slice(plain.words.as_slice()).chunks(PIECE) {
            let bytes = zstd.pack(piece);
            let len = bytes.len();
            let TileRoom { packed, most_packed, files, .. } = tile.room;
            let in_memory = packed.load(Ordering::Relaxed);
            let is_full = in_memory.saturating_add(len as u64) > *most_packed;
            let Some((disk, folder)) = files.as_ref().filter(|_| is_full) else {
                packed.fetch_add(len as u64, Ordering::Relaxed);
                tile.pieces.push(Packed::InMemory(bytes));
                continue;
            };
            if tile.file.is_none() {
                let path = file_of_waiting_tiles(folder, batch);
                let file = disk.create(&path).of_working_file(&path, WRITE)?;
                tile.file = Some((path, file));
            }
            let (path, file) = tile.file.as_ref().expect("it was just made");
            file.write_at(&bytes, end).of_working_file(path, WRITE)?;
            let checksum = crc32fast::hash(&bytes);
            tile.pieces.push(Packed::InFile { start: end, len, checksum });
            end += len as u64;
        }
        Ok(tile)
    }

    fn unpack(&self, zstd: &mut Zstd, to: &mut [u8]) -> Result<(), WorkingFileError> {
        let mut buffer = Vec::new();
        for (piece, to) in self.pieces.iter().zip(to.chunks_mut(PIECE)) {
            match piece {
                Packed::InMemory(bytes) => zstd.unpack(bytes, to).expect("what was packed"),
                Packed::InFile { start, len, checksum } => {
                    let (path, file) = self.file.as_ref().expect("a file with this piece");
                    buffer.resize(*len, 0);
                    file.read_at(&mut buffer, *start).of_working_file(path, READ)?;
                    let is_sound = crc32fast::hash(&buffer) == *checksum;
                    let unpacked = is_sound.then(|| zstd.unpack(&buffer, to)).flatten();
                    let damaged =
                        || WorkingFileError::damaged(path, "it has other bytes than were written");
                    unpacked.ok_or_else(damaged)?;
                }
            }
        }
        Ok(())
    }
}

impl<'r> WaitingTier<'r> {
    /// A tier of these tiles, none of which is solved, and the tiles that are going to read them,
    /// given with the player who moves there.
    pub(crate) fn new(
        census: &Census,
        batch: usize,
        tiles: impl Iterator<Item = (Tile, Panels)>,
        readers: impl Iterator<Item = Tile>,
        mover: Player,
    ) -> WaitingTier<'r> {
        let mut all = Vec::new();
        all.resize_with(Class::slots(census.split().side_cells()), || None);
        for (tile, panels) in tiles {
            let waiting = WaitingTile { panels, readers: 0, form: Form::Nothing };
            all[tile.left.slot()] = Some(Mutex::new(waiting));
        }
        let mut tier = WaitingTier { batch, tiles: all };
        for child in readers.flat_map(|tile| children(census, tile, mover)).flatten() {
            if let Some(tile) = &mut tier.tiles[child.left.slot()] {
                tile.get_mut().expect("no thread has panicked").readers += 1;
            }
        }
        tier
    }

    fn tile(&self, tile: Tile) -> Option<MutexGuard<'_, WaitingTile<'r>>> {
        let tile = self.tiles.get(tile.left.slot())?.as_ref()?;
        Some(tile.lock().expect("no thread has panicked"))
    }

    /// Adds a solved tile.
    pub(crate) fn add(&self, tile: Tile, plain: PlainTile<'r>) -> Result<(), WorkingFileError> {
        let mut waiting = self.tile(tile).expect("a tile of the tier");
        waiting.form = match waiting.readers {
            0 => Form::Nothing,
            _ if plain.room.is_full() => {
                let zstd = &plain.room.zstd;
                Form::Packed(zstd.with(|zstd| PackedTile::new(&plain, self.batch, zstd))?)
            }
            _ => Form::Plain(Arc::new(plain)),
        };
        Ok(())
    }

    /// A solved tile as it is, if the tier has it.
    pub(crate) fn plain(
        &self,
        tile: Tile,
        room: &'r TileRoom,
    ) -> Result<Option<Arc<PlainTile<'r>>>, WorkingFileError> {
        let Some(mut waiting) = self.tile(tile) else { return Ok(None) };
        if let Form::Packed(packed) = &waiting.form {
            let mut plain = room.take(waiting.panels);
            let to = bytemuck::cast_slice_mut(plain.words_mut());
            room.zstd.with(|zstd| packed.unpack(zstd, to))?;
            waiting.form = Form::Plain(Arc::new(plain));
        }
        Ok(match &waiting.form {
            Form::Plain(plain) => Some(plain.clone()),
            _ => None,
        })
    }

    /// One of those that read a tile does not need it any more.
    pub(crate) fn has_been_read(&self, tile: Tile) {
        if let Some(mut waiting) = self.tile(tile) {
            waiting.readers -= 1;
            if waiting.readers == 0 {
                waiting.form = Form::Nothing;
            }
        }
    }
}

/// The stored tiles beside the same centre to which this player's moves on the left and on the
/// right lead.
pub(in crate::sweep) fn children(census: &Census, tile: Tile, mover: Player) -> [Option<Tile>; 2] {
    let one = Class::one(mover);
    let full = census.split().side_cells();
    let stored = |child: Tile| if census.is_stored(child) { child } else { census.mirrored(child) };
    let left = (tile.left.stones() < full).then(|| Tile { left: tile.left.plus(one), ..tile });
    let right = (tile.right.stones() < full).then(|| Tile { right: tile.right.plus(one), ..tile });
    let [left, right] = [left, right].map(|child| child.map(stored));
    [left, right.filter(|_| left != right)]
}

/// Sorts the tiles of a tier beside a centre chain by chain, the largest chain first, so that no
/// thread is still at work on a large one when there is nothing else to do.
pub(in crate::sweep) fn sort_by_chains(
    census: &Census,
    tiles: &mut [(Tile, Panels)],
    mover: Player,
) {
    // The stones of the other player on both sides, and those of the mover on the left.
    let place = |tile: Tile| {
        let [left, right] = [tile.left, tile.right].map(|class| {
            let first = class.first_stones();
            let by_player = [first, class.stones() - first];
            [by_player[mover.other().index()], by_player[mover.index()]]
        });
        // The mirror images of a chain are its other half.
        let is_turned = census.reversed(tile.centre) == tile.centre && right < left;
        let [[left, moves], [right, _]] = if is_turned { [right, left] } else { [left, right] };
        ([left, right], moves)
    };
    tiles.sort_unstable_by_key(|(tile, _)| place(*tile));
    let mut chains: Vec<&[(Tile, Panels)]> =
        tiles.chunk_by(|a, b| place(a.0).0 == place(b.0).0).collect();
    let words = |chain: &&[(Tile, Panels)]| chain.iter().map(|(_, panels)| panels.words()).sum();
    chains.sort_by_cached_key(|chain| std::cmp::Reverse::<usize>(words(chain)));
    let sorted = chains.concat();
    tiles.copy_from_slice(&sorted);
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use crate::board::{Tier, TierRange};
    use crate::sweep::bits::MatrixShape;

    use super::*;

    /// Tiles that take as many words as they have cells.
    fn tiles(census: &Census, tier: Tier, centre: crate::index::CentreId) -> Vec<(Tile, Panels)> {
        let shape =
            |tile| MatrixShape { rows: census.tile_rows(tile), columns: census.tile_columns(tile) };
        census.tiles_beside(tier, centre).map(|tile| (tile, Panels::of_both(shape(tile)))).collect()
    }

    #[test]
    fn along_the_chains_what_has_been_read_once_is_read_next() {
        for board in ["5x4", "3x5", "7x2", "4x3", "6x2"] {
            let census = Census::new(board.parse().unwrap()).unwrap();
            for (tier, centre) in TierRange::all(census.board())
                .iter()
                .flat_map(|tier| census.centres().map(move |centre| (tier, centre)))
            {
                let unsorted = tiles(&census, tier, centre);
                let mut sorted = unsorted.clone();
                sort_by_chains(&census, &mut sorted, tier.mover());
                let set = |tiles: &[(Tile, Panels)]| -> BTreeSet<Tile> {
                    tiles.iter().map(|(tile, _)| *tile).collect()
                };
                assert_eq!((set(&sorted), sorted.len()), (set(&unsorted), unsorted.len()));
                let mut readers: BTreeMap<Tile, Vec<usize>> = BTreeMap::new();
                for (at, (tile, _)) in sorted.iter().enumerate() {
                    for child in children(&census, *tile, tier.mover()).into_iter().flatten() {
                        assert!(census.is_stored(child));
                        readers.entry(child).or_default().push(at);
                    }
                }
                for (child, readers) in readers {
                    let follow = readers.windows(2).all(|two| two[0] + 1 == two[1]);
                    assert!(readers.len() <= 2 && follow, "{board} {child:?}: {readers:?}");
                }
            }
        }
    }

    #[test]
    fn tiles_wait_until_all_have_read_them_compressed_or_not() {
        let census = Census::new("5x4".parse().unwrap()).unwrap();
        let centre = census.centres().next().unwrap();
        let (tier, before) = (Tier(10), Tier(9));
        let all = tiles(&census, tier, centre);
        let readers: Vec<Tile> = census.tiles_beside(before, centre).collect();
        let folder = tempfile::tempdir().unwrap();
        let names = || crate::files::names_in(folder.path()).unwrap().len();
        let wholly = [0, 1000, u64::MAX].map(TileRoom::new);
        let in_files = [0, 300].map(|packed| {
            TileRoom::new(0).with_files(packed, &Disk::default(), folder.path().to_owned())
        });
        for room in wholly.into_iter().chain(in_files) {
            let mover = before.mover();
            let (tiles, readers_of) = (all.iter().copied(), readers.iter().copied());
            let tier = WaitingTier::new(&census, 7, tiles, readers_of, mover);
            let word = |number: usize| number as u64 / 7 * 0x9E37_79B9;
            for (tile, panels) in &all {
                assert!(tier.plain(*tile, &room).unwrap().is_none(), "not solved yet");
                let mut plain = room.take(*panels);
                plain.words_mut().iter_mut().zip(0..).for_each(|(to, n)| *to = word(n));
                tier.add(*tile, plain).unwrap();
            }
            assert!(room.packed.load(Ordering::Relaxed) <= room.most_packed);
            assert_eq!(names() > 0, room.files.is_some(), "files only where there may be some");
            for reader in &readers {
                for child in children(&census, *reader, mover).into_iter().flatten() {
                    if let Some((_, panels)) = all.iter().find(|(tile, _)| *tile == child) {
                        let plain = tier.plain(child, &room).unwrap().expect("a tile that waits");
                        assert_eq!(plain.tile().words.len(), panels.words());
                        let mut words = plain.tile().words.iter().zip(0..);
                        assert!(words.all(|(found, number)| *found == word(number)));
                    }
                    tier.has_been_read(child);
                }
            }
            assert_eq!(room.pieces().taken, 0, "all have been read");
            assert_eq!(room.packed.load(Ordering::Relaxed), 0);
            assert_eq!(names(), 0, "files go with their tiles");
            room.clear();
            assert_eq!(room.pieces().free_bytes, 0);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_more_memory_is_kept_than_was_in_use(lens in proptest::collection::vec(0usize..5000, 0..60)) {
            let mut pieces = Pieces::default();
            let mut taken = VecDeque::new();
            for len in lens {
                if len % 3 == 0 && let Some(words) = taken.pop_front() {
                    pieces.give_back(words);
                }
                let words = pieces.take(len);
                proptest::prop_assert!((len..=2 * len).contains(&words.capacity()) || len == 0 || words.bytes() <= 4096);
                taken.push_back(words);
                let in_use: u64 = taken.iter().map(AlignedWords::bytes).sum();
                let free: u64 = pieces.free.iter().map(AlignedWords::bytes).sum();
                proptest::prop_assert_eq!((pieces.taken, pieces.free_bytes), (in_use, free));
                proptest::prop_assert!(in_use + free <= pieces.peak);
            }
        }
    }
}
