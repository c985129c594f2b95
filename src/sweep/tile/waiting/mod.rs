//! The tiles of a large centre, one by one, while they wait for those that read them: as they are,
//! compressed, or in files.
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
//! place in memory as it is, is compressed, or goes to a file, and is read from there:
//!
//! ```text
//!     plain       as they are, and the memory for all
//!     packed      compressed, in memory or in a file
//! ```

mod packed;
mod plain;

use std::sync::{Arc, Mutex, MutexGuard};

use crate::board::Player;
use crate::files::sealed::WorkingFileError;
use crate::index::{Census, Class, Tile};

use crate::sweep::bits::Panels;

use packed::PackedTile;
pub(super) use packed::{StoredTile, Unpacking};
pub(in crate::sweep) use plain::{PlainTile, TilePool};

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
            _ => Some(Solved::Packed(Arc::new(PackedTile::new(&plain, self.batch)?))),
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
