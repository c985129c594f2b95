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
//! place is compressed until it is read, or goes to a file: see [`room`](super::room).

use std::sync::{Arc, Mutex, MutexGuard};

use crate::board::Player;
use crate::files::sealed::WorkingFileError;
use crate::index::{Census, Class, Tile};

use crate::sweep::bits::Panels;

use super::room::{PackedTile, PlainTile};

/// A tier beside a centre, of which only those tiles are there that are still to be read.
#[derive(Default)]
pub(in crate::sweep) struct WaitingTier<'r> {
    /// The batch of the centre.
    batch: usize,
    /// By left class.
    tiles: Vec<Option<Mutex<WaitingTile<'r>>>>,
}

struct WaitingTile<'r> {
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

impl<'r> WaitingTier<'r> {
    /// A tier of these tiles, none of which is solved, and the tiles that are going to read them,
    /// given with the player who moves there.
    pub(crate) fn new(
        census: &Census,
        batch: usize,
        tiles: impl Iterator<Item = Tile>,
        readers: impl Iterator<Item = Tile>,
        mover: Player,
    ) -> WaitingTier<'r> {
        let mut all = Vec::new();
        all.resize_with(Class::slots(census.split().side_cells()), || None);
        for tile in tiles {
            let waiting = WaitingTile { readers: 0, form: Form::Nothing };
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
            _ if plain.is_too_much() => Form::Packed(plain.pack(self.batch)?),
            _ => Form::Plain(Arc::new(plain)),
        };
        Ok(())
    }

    /// A solved tile as it is, if the tier has it.
    pub(crate) fn plain(&self, tile: Tile) -> Result<Option<Arc<PlainTile<'r>>>, WorkingFileError> {
        let Some(mut waiting) = self.tile(tile) else { return Ok(None) };
        if let Form::Packed(packed) = &waiting.form {
            waiting.form = Form::Plain(Arc::new(packed.unpack()?));
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

    use crate::files::Disk;

    use crate::board::{Tier, TierRange};
    use crate::sweep::bits::MatrixShape;

    use super::super::room::TileRoom;
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
        let wholly = [0, 1000, u64::MAX].map(|most| (TileRoom::new(most), u64::MAX));
        let in_files = [0, 300].map(|packed| {
            let folder = folder.path().to_owned();
            (TileRoom::new(0).with_files(packed, &Disk::default(), folder), packed)
        });
        for (room, most_packed) in wholly.into_iter().chain(in_files) {
            let mover = before.mover();
            let (tiles, readers_of) = (all.iter().map(|(tile, _)| *tile), readers.iter().copied());
            let tier = WaitingTier::new(&census, 7, tiles, readers_of, mover);
            let word = |number: usize| number as u64 / 7 * 0x9E37_79B9;
            for (tile, panels) in &all {
                assert!(tier.plain(*tile).unwrap().is_none(), "not solved yet");
                let mut plain = room.take(*panels);
                plain.words_mut().iter_mut().zip(0..).for_each(|(to, n)| *to = word(n));
                tier.add(*tile, plain).unwrap();
            }
            assert!(room.bytes()[2] <= most_packed);
            assert_eq!(names() > 0, most_packed < u64::MAX, "files only where there may be some");
            for reader in &readers {
                for child in children(&census, *reader, mover).into_iter().flatten() {
                    if let Some((_, panels)) = all.iter().find(|(tile, _)| *tile == child) {
                        let plain = tier.plain(child).unwrap().expect("a tile that waits");
                        assert_eq!(plain.tile().words.len(), panels.words());
                        let mut words = plain.tile().words.iter().zip(0..);
                        assert!(words.all(|(found, number)| *found == word(number)));
                    }
                    tier.has_been_read(child);
                }
            }
            let [taken, _, packed] = room.bytes();
            assert_eq!((taken, packed), (0, 0), "all have been read");
            assert_eq!(names(), 0, "files go with their tiles");
            room.clear();
            assert_eq!(room.bytes()[1], 0);
        }
    }
}
