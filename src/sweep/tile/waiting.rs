//! The tiles of a large centre, one by one, while they wait for those that read them: as they are,
//! compressed, or in files.
//!
//! ```text
//!     plain         words that are used again, since memory that is freed and taken is slow
//!     compressed    to a sixth on 7x6: a few blocks of 512 rows of a panel at a time, so that they
//!                   can be read alone
//!     in a file     what finds no place in memory even so: no other process needs the file, which
//!                   has a temporary name as long as it exists, and goes with its tile
//! ```
//!
//! A tier of a large centre may be larger than memory. But a tile of the tier is read by two tiles
//! of the tier before it at most, and those need not be solved far apart: a stone of player `p` on
//! the left or on the right leads to tiles that differ by a stone of `p` on either side. So the
//! tiles of a tier form *chains*, in which two neighbours share what they read:
//!
//! ```text
//!     stones of p on the left        0     1     2     3
//!     a chain of the tier            ●     ●     ●     ●
//!                                   / \   / \   / \   / \
//!     what it reads of the next    ○   ○     ○     ○     ○
//! ```
//!
//! Solved along its chains, a tier takes the place of the next one, tile by tile. What finds no
//! place is compressed, or goes to a file, and is read from there.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::board::Player;
use crate::files::sealed::{OfWorkingFile, READ, WRITE, WorkingFileError};
use crate::files::{Disk, DiskFile};
use crate::index::{Census, Class, Tile};

use crate::sweep::bits::{AlignedWords, PANEL, PanelTile, Panels, Pool, block, blocks_in_frame};
use crate::sweep::handoff::{Zstd, file_of_waiting_tiles};

/// Memory for the tiles of large centres, and files.
#[derive(Default)]
pub(in crate::sweep) struct TilePool {
    /// Bytes that tiles as they are may take, unless a single one takes more.
    most: u64,
    pieces: Mutex<Pieces>,
    zstd: Pool<Zstd>,
    /// Bytes of compressed tiles in memory, and the most of them: more go to files, if there may be
    /// any.
    packed: AtomicU64,
    most_packed: u64,
    files: Option<(Disk, PathBuf)>,
}

/// Pieces of memory.
#[derive(Default)]
struct Pieces {
    /// Bytes that are in use, those of tiles that are being solved among them, and the most that
    /// have been.
    taken: u64,
    at_work: u64,
    peak: u64,
    /// Pieces that are free again, the one that has been for the longest time first; and their
    /// bytes.
    free: VecDeque<AlignedWords>,
    free_bytes: u64,
}

impl TilePool {
    /// Memory alone: for this many bytes of tiles as they are, the others compressed.
    pub(crate) fn new(most: u64) -> TilePool {
        TilePool { most, most_packed: u64::MAX, ..TilePool::default() }
    }

    /// The same with this many bytes of compressed tiles in memory, and the others in files in this
    /// folder.
    pub(crate) fn with_files(self, most_packed: u64, disk: &Disk, folder: PathBuf) -> TilePool {
        TilePool { most_packed, files: Some((disk.clone(), folder)), ..self }
    }

    fn pieces(&self) -> MutexGuard<'_, Pieces> {
        self.pieces.lock().expect("nothing panics while it is locked")
    }

    /// Memory for a tile that is going to be solved, with arbitrary content, if there is some left
    /// or must be.
    pub(crate) fn take(&self, panels: Panels, must: bool) -> Option<PlainTile<'_>> {
        let mut pieces = self.pieces();
        let fits = pieces.taken.saturating_add(panels.bytes() as u64) <= self.most;
        (fits || must).then(|| {
            let mut words = pieces.take(panels.words());
            pieces.at_work += words.bytes();
            words.resize(panels.words());
            PlainTile { pool: self, panels, words, is_at_work: true }
        })
    }

    /// Bytes of tiles as they are, of free memory, and of compressed tiles in memory.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> [u64; 3] {
        let pieces = self.pieces();
        [pieces.taken, pieces.free_bytes, self.packed.load(Ordering::Relaxed)]
    }
}

impl Pieces {
    /// A piece of at least this many words.
    fn take(&mut self, len: usize) -> AlignedWords {
        // The smallest that is large enough, unless half of it would lie idle; or the largest that
        // has to grow.
        let all = self.free.iter().map(AlignedWords::capacity).enumerate();
        let enough = all.clone().filter(|(_, words)| (len..=2 * len).contains(words));
        let best = enough.min_by_key(|(_, words)| *words);
        let best = best.or_else(|| all.filter(|(_, words)| *words < len).max_by_key(|(_, n)| *n));
        let words = best.and_then(|(at, _)| self.free.remove(at));
        let mut words = words.unwrap_or_default();
        self.free_bytes -= words.bytes();
        words.grow(len);
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
    pool: &'r TilePool,
    panels: Panels,
    words: AlignedWords,
    /// It is being solved.
    is_at_work: bool,
}

impl<'r> PlainTile<'r> {
    /// The tile is solved. Returns whether it may wait as it is, or should be compressed: if all
    /// that wait leave less than this many bytes for tiles that are being solved.
    pub(super) fn may_wait(&mut self, at_work: u64) -> bool {
        let mut pieces = self.pool.pieces();
        pieces.at_work -= self.words.bytes();
        self.is_at_work = false;
        (pieces.taken - pieces.at_work).saturating_add(at_work) <= self.pool.most
    }

    /// The tile compressed, for a centre of this batch.
    pub(super) fn pack(&self, batch: usize) -> Result<PackedTile<'r>, WorkingFileError> {
        self.pool.zstd.with(|zstd| PackedTile::new(self, batch, zstd))
    }

    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        self.words.as_mut_slice()
    }

    pub(crate) fn tile(&self) -> PanelTile<'_> {
        PanelTile { panels: self.panels, words: self.words.as_slice() }
    }
}

impl Drop for PlainTile<'_> {
    fn drop(&mut self) {
        let mut pieces = self.pool.pieces();
        if self.is_at_work {
            pieces.at_work -= self.words.bytes();
        }
        pieces.give_back(std::mem::take(&mut self.words));
    }
}

/// A tile that is compressed: each panel, a few blocks of 512 rows at a time.
pub(in crate::sweep) struct PackedTile<'r> {
    pool: &'r TilePool,
    pub panels: Panels,
    packed: Vec<PackedPanel>,
    /// With the panels that found no place in memory; it is removed with the tile.
    file: Option<(PathBuf, DiskFile)>,
}

/// A solved tile, to be read.
#[derive(Clone, Copy)]
pub(in crate::sweep) enum StoredTile<'a> {
    Plain(PanelTile<'a>),
    Packed(&'a PackedTile<'a>),
}

impl StoredTile<'_> {
    pub(super) fn panels(self) -> Panels {
        match self {
            StoredTile::Plain(tile) => tile.panels,
            StoredTile::Packed(tile) => tile.panels,
        }
    }
}

struct PackedPanel {
    pieces: Vec<Piece>,
    place: Place,
}

/// A few blocks of a panel.
struct Piece {
    /// Where it ends among the bytes of its panel.
    end: u32,
    checksum: u32,
}

enum Place {
    InMemory(Box<[u8]>),
    /// From this byte of the file on.
    InFile(u64),
}

/// Memory to read compressed tiles, reused from tile to tile.
#[derive(Default)]
pub(in crate::sweep) struct Unpacking {
    zstd: Zstd,
    packed: Vec<u8>,
    words: AlignedWords,
    /// The number of the rows that are unpacked.
    open: Option<usize>,
}

impl Unpacking {
    /// Another tile is going to be read.
    pub(super) fn start(&mut self) {
        self.open = None;
    }
}

impl Drop for PackedTile<'_> {
    fn drop(&mut self) {
        let in_memory = |panel: &PackedPanel| match &panel.place {
            Place::InMemory(bytes) => bytes.len() as u64,
            Place::InFile(_) => 0,
        };
        let bytes: u64 = self.packed.iter().map(in_memory).sum();
        self.pool.packed.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl<'r> PackedTile<'r> {
    fn new(
        plain: &PlainTile<'r>,
        batch: usize,
        zstd: &mut Zstd,
    ) -> Result<PackedTile<'r>, WorkingFileError> {
        let (pool, panels) = (plain.pool, plain.panels);
        let mut tile = PackedTile { pool, panels, packed: Vec::new(), file: None };
        let (mut bytes, mut end) = (Vec::new(), 0);
        for panel in 0..panels.count() {
            bytes.clear();
            let pieces = (0..tile.pieces()).map(|number| {
                let start = bytes.len();
                let rows = plain.tile().rows(panel, tile.rows_of(number));
                zstd.pack(bytemuck::cast_slice(rows), &mut bytes);
                let end = u32::try_from(bytes.len()).expect("a panel of less than four gigabytes");
                let in_file = pool.files.is_some();
                let checksum = if in_file { crc32fast::hash(&bytes[start..]) } else { 0 };
                Piece { end, checksum }
            });
            let pieces = pieces.collect();
            let len = bytes.len() as u64;
            let in_memory = pool.packed.load(Ordering::Relaxed);
            let is_full = in_memory.saturating_add(len) > pool.most_packed;
            let place = match pool.files.as_ref().filter(|_| is_full) {
                None => {
                    pool.packed.fetch_add(len, Ordering::Relaxed);
                    Place::InMemory(bytes.as_slice().into())
                }
                Some((disk, folder)) => {
                    if tile.file.is_none() {
                        let path = file_of_waiting_tiles(folder, batch);
                        let file = disk.create(&path).of_working_file(&path, WRITE)?;
                        tile.file = Some((path, file));
                    }
                    let (path, file) = tile.file.as_ref().expect("it was just made");
                    file.write_at(&bytes, end).of_working_file(path, WRITE)?;
                    end += len;
                    Place::InFile(end - len)
                }
            };
            tile.packed.push(PackedPanel { pieces, place });
        }
        Ok(tile)
    }

    /// The rows of a piece.
    fn rows_of(&self, number: usize) -> Range<usize> {
        let rows = PANEL * blocks_in_frame(self.panels);
        number * rows..((number + 1) * rows).min(self.panels.shape.rows)
    }

    /// The number of pieces of a panel.
    fn pieces(&self) -> usize {
        self.panels.shape.rows.div_ceil(PANEL * blocks_in_frame(self.panels))
    }

    /// Unpacks some pieces of a panel, given by their numbers.
    fn unpack(
        &self,
        panel: usize,
        numbers: Range<usize>,
        (zstd, packed): (&mut Zstd, &mut Vec<u8>),
        mut to: &mut [u64],
    ) -> Result<(), WorkingFileError> {
        let PackedPanel { pieces, place } = &self.packed[panel];
        let start = |number: usize| number.checked_sub(1).map_or(0, |n| pieces[n].end as usize);
        let bytes = start(numbers.start)..start(numbers.end);
        let mut from = match place {
            Place::InMemory(all) => &all[bytes],
            Place::InFile(place) => {
                let (path, file) = self.file.as_ref().expect("a file with this panel");
                packed.resize(packed.len().max(bytes.len()), 0);
                let packed = &mut packed[..bytes.len()];
                file.read_at(packed, place + bytes.start as u64).of_working_file(path, READ)?;
                packed
            }
        };
        for number in numbers {
            let piece = from.split_off(..start(number + 1) - start(number)).expect("its bytes");
            let words = self.rows_of(number).len() * self.panels.row(panel);
            let to = to.split_off_mut(..words).expect("room for it");
            let in_file = self.file.as_ref().filter(|_| matches!(place, Place::InFile(_)));
            let is_sound = in_file.is_none() || crc32fast::hash(piece) == pieces[number].checksum;
            let unpacked = is_sound.then(|| zstd.unpack(piece, bytemuck::cast_slice_mut(to)));
            if unpacked.flatten().is_none() {
                let (path, _) = in_file.expect("what is in memory is what was packed");
                let what = "it has other bytes than were written";
                return Err(WorkingFileError::damaged(path, what));
            }
        }
        Ok(())
    }

    /// A block, as some rows of a tile with all columns. Successive blocks are unpacked together.
    pub(super) fn block<'u>(
        &self,
        number: usize,
        unpacking: &'u mut Unpacking,
    ) -> Result<(PanelTile<'u>, Range<usize>), WorkingFileError> {
        let piece = number / blocks_in_frame(self.panels);
        let rows = self.rows_of(piece);
        let panels = self.panels.with_rows(rows.len());
        let Unpacking { zstd, packed, words, open } = unpacking;
        if *open != Some(piece) {
            *open = None;
            let words = words.resize(panels.words());
            for panel in 0..panels.count() {
                let to = &mut words[panels.words_of(panel)];
                self.unpack(panel, piece..piece + 1, (zstd, packed), to)?;
            }
            *open = Some(piece);
        }
        let block = block(self.panels.shape.rows, number);
        let block = block.start - rows.start..block.end - rows.start;
        Ok((PanelTile { panels, words: words.as_slice() }, block))
    }

    /// All rows of a panel.
    pub(super) fn panel<'u>(
        &self,
        panel: usize,
        unpacking: &'u mut Unpacking,
    ) -> Result<&'u [u64], WorkingFileError> {
        let Unpacking { zstd, packed, words, .. } = unpacking;
        let to = words.resize(self.panels.words_of(panel).len());
        self.unpack(panel, 0..self.pieces(), (zstd, packed), to)?;
        Ok(to)
    }
}

/// A tier of a centre, of which only those tiles are there that are still to be read.
#[derive(Default)]
pub(in crate::sweep) struct WaitingTier<'r> {
    /// The batch of the centre.
    batch: usize,
    /// Bytes that should be left for tiles that are being solved.
    at_work: u64,
    /// By left class.
    tiles: Vec<Option<Mutex<WaitingTile<'r>>>>,
}

struct WaitingTile<'r> {
    /// How many tiles are still to read it.
    readers: usize,
    /// `None` if it is not solved yet, or not needed any more.
    solved: Option<Solved<'r>>,
}

/// A solved tile.
#[derive(Clone)]
pub(in crate::sweep) enum Solved<'r> {
    Plain(Arc<PlainTile<'r>>),
    Packed(Arc<PackedTile<'r>>),
}

impl Solved<'_> {
    pub(crate) fn tile(&self) -> StoredTile<'_> {
        match self {
            Solved::Plain(plain) => StoredTile::Plain(plain.tile()),
            Solved::Packed(packed) => StoredTile::Packed(packed),
        }
    }
}

impl<'r> WaitingTier<'r> {
    /// A tier of these tiles, none of which is solved, and the tiles that are going to read them,
    /// given with the player who moves there. While tiles wait, this many bytes should be left for
    /// those that are being solved.
    pub(crate) fn new(
        census: &Census,
        (batch, at_work): (usize, u64),
        tiles: impl Iterator<Item = Tile>,
        readers: impl Iterator<Item = Tile>,
        mover: Player,
    ) -> WaitingTier<'r> {
        let mut all = Vec::new();
        all.resize_with(Class::slots(census.split().side_cells()), || None);
        for tile in tiles {
            let waiting = WaitingTile { readers: 0, solved: None };
            all[tile.left.slot()] = Some(Mutex::new(waiting));
        }
        let mut tier = WaitingTier { batch, at_work, tiles: all };
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
    pub(crate) fn add(&self, tile: Tile, mut plain: PlainTile<'r>) -> Result<(), WorkingFileError> {
        let mut waiting = self.tile(tile).expect("a tile of the tier");
        waiting.solved = match waiting.readers {
            0 => None,
            _ if plain.may_wait(self.at_work) => Some(Solved::Plain(Arc::new(plain))),
            _ => Some(Solved::Packed(Arc::new(plain.pack(self.batch)?))),
        };
        Ok(())
    }

    /// A solved tile, if the tier has it.
    pub(crate) fn solved(&self, tile: Tile) -> Option<Solved<'r>> {
        self.tile(tile)?.solved.clone()
    }

    /// One of those that read a tile does not need it any more.
    pub(crate) fn has_been_read(&self, tile: Tile) {
        if let Some(mut waiting) = self.tile(tile) {
            waiting.readers -= 1;
            if waiting.readers == 0 {
                waiting.solved = None;
            }
        }
    }
}

/// The stored tiles of the same centre to which this player's moves on the left and on the
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

/// Sorts the tiles of a tier of a centre chain by chain, the largest chain first, so that no
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
    use crate::files::Disk;

    use crate::sweep::bits::{MatrixShape, PANEL, PanelTile, block};

    use super::*;

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

    /// Tiles that take as many words as they have cells.
    fn tiles(census: &Census, tier: Tier, centre: crate::index::CentreId) -> Vec<(Tile, Panels)> {
        let shape =
            |tile| MatrixShape { rows: census.tile_rows(tile), columns: census.tile_columns(tile) };
        census.tiles_of(tier, centre).map(|tile| (tile, Panels::of_both(shape(tile)))).collect()
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

    /// Checks that a tile has these words, in every order in which it is read.
    fn has_words(tile: StoredTile, expected: PanelTile) -> Result<(), WorkingFileError> {
        assert_eq!(tile.panels(), expected.panels);
        let packed = match tile {
            StoredTile::Plain(tile) => {
                assert_eq!(tile.words, expected.words);
                return Ok(());
            }
            StoredTile::Packed(tile) => tile,
        };
        let (panels, mut unpacking) = (expected.panels, Unpacking::default());
        for number in 0..panels.shape.rows.div_ceil(PANEL) {
            let (tile, rows) = packed.block(number, &mut unpacking)?;
            for panel in 0..panels.count() {
                let expected = expected.rows(panel, block(panels.shape.rows, number));
                assert_eq!(tile.rows(panel, rows.clone()), expected);
            }
        }
        for panel in 0..panels.count() {
            assert_eq!(packed.panel(panel, &mut unpacking)?, expected.panel(panel));
        }
        Ok(())
    }

    #[test]
    fn a_file_of_a_tile_that_has_been_changed_is_told() {
        let census = Census::new("5x4".parse().unwrap()).unwrap();
        let (centre, tier, before) = (census.centres().next().unwrap(), Tier(10), Tier(9));
        let (tile, _) = tiles(&census, tier, centre)[0];
        let folder = tempfile::tempdir().unwrap();
        let pool = TilePool::new(0).with_files(0, &Disk::default(), folder.path().to_owned());
        let shape = MatrixShape { rows: 5000, columns: 600 };
        let panels = Panels::of_both(shape);
        let readers = census.tiles_of(before, centre);
        let tier = WaitingTier::new(&census, (7, 0), [tile].into_iter(), readers, before.mover());
        let mut plain = pool.take(panels, true).unwrap();
        plain.words_mut().iter_mut().zip(0..).for_each(|(to, n)| *to = n * n * n);
        let words = plain.tile().words.to_vec();
        tier.add(tile, plain).unwrap();
        let solved = tier.solved(tile).unwrap();
        has_words(solved.tile(), PanelTile { panels, words: &words }).unwrap();

        let file = folder.path().join(&crate::files::names_in(folder.path()).unwrap()[0]);
        let whole = std::fs::read(&file).unwrap();
        for at in [0, whole.len() / 2, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(&file, damaged).unwrap();
            let error = has_words(solved.tile(), PanelTile { panels, words: &words }).unwrap_err();
            assert!(error.file.ends_with("007-007.kept"), "{error}");
            assert!(error.to_string().contains("other bytes than were written"), "{error}");
        }
        std::fs::write(&file, &whole[..whole.len() - 1]).unwrap();
        has_words(solved.tile(), PanelTile { panels, words: &words }).unwrap_err();
    }

    #[test]
    fn tiles_wait_until_all_have_read_them_compressed_or_not() {
        let census = Census::new("5x4".parse().unwrap()).unwrap();
        let centre = census.centres().next().unwrap();
        let (tier, before) = (Tier(10), Tier(9));
        let all = tiles(&census, tier, centre);
        let readers: Vec<Tile> = census.tiles_of(before, centre).collect();
        let folder = tempfile::tempdir().unwrap();
        let names = || crate::files::names_in(folder.path()).unwrap().len();
        let wholly = [0, 1000, u64::MAX].map(|most| (TilePool::new(most), u64::MAX));
        let in_files = [0, 300].map(|packed| {
            let folder = folder.path().to_owned();
            (TilePool::new(0).with_files(packed, &Disk::default(), folder), packed)
        });
        for (pool, most_packed) in wholly.into_iter().chain(in_files) {
            let mover = before.mover();
            let (tiles, readers_of) = (all.iter().map(|(tile, _)| *tile), readers.iter().copied());
            let tier = WaitingTier::new(&census, (7, 0), tiles, readers_of, mover);
            let word = |number: usize| number as u64 / 7 * 0x9E37_79B9;
            for (tile, panels) in &all {
                assert!(tier.solved(*tile).is_none(), "not solved yet");
                let mut plain = pool.take(*panels, true).unwrap();
                plain.words_mut().iter_mut().zip(0..).for_each(|(to, n)| *to = word(n));
                tier.add(*tile, plain).unwrap();
            }
            assert!(pool.bytes()[2] <= most_packed);
            assert_eq!(names() > 0, most_packed < u64::MAX, "files only where there may be some");
            for reader in &readers {
                for child in children(&census, *reader, mover).into_iter().flatten() {
                    if let Some((_, panels)) = all.iter().find(|(tile, _)| *tile == child) {
                        let solved = tier.solved(child).expect("a tile that waits");
                        let all: Vec<u64> = (0..panels.words()).map(word).collect();
                        let all = PanelTile { panels: *panels, words: &all };
                        has_words(solved.tile(), all).unwrap();
                    }
                    tier.has_been_read(child);
                }
            }
            let [taken, _, packed] = pool.bytes();
            assert_eq!((taken, packed), (0, 0), "all have been read");
            assert_eq!(names(), 0, "files go with their tiles");
        }
    }
}
