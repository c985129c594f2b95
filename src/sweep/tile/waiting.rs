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
//! place is compressed until it is read: to a seventh on 7x6.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::board::Player;
use crate::index::{Census, Class, Tile};

use crate::sweep::bits::{AlignedWords, PanelTile, Panels, Pool};
use crate::sweep::handoff::Zstd;

/// Memory for the tiles of large centres.
#[derive(Default)]
pub(in crate::sweep) struct TileRoom {
    /// Tiles are compressed while those that are not take more bytes than this.
    most: u64,
    pieces: Mutex<Pieces>,
    zstd: Pool<Zstd>,
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
    pub(crate) fn new(most: u64) -> TileRoom {
        TileRoom { most, ..TileRoom::default() }
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
    Packed(Vec<Box<[u8]>>),
}

impl<'r> WaitingTier<'r> {
    /// A tier of these tiles, none of which is solved, and the tiles that are going to read them,
    /// given with the player who moves there.
    pub(crate) fn new(
        census: &Census,
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
        let mut tier = WaitingTier { tiles: all };
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
    pub(crate) fn add(&self, tile: Tile, plain: PlainTile<'r>) {
        let mut waiting = self.tile(tile).expect("a tile of the tier");
        waiting.form = match waiting.readers {
            0 => Form::Nothing,
            _ if plain.room.is_full() => {
                let pieces = bytemuck::cast_slice(plain.words.as_slice()).chunks(PIECE);
                plain.room.zstd.with(|zstd| Form::Packed(pieces.map(|p| zstd.pack(p)).collect()))
            }
            _ => Form::Plain(Arc::new(plain)),
        };
    }

    /// A solved tile as it is, if the tier has it.
    pub(crate) fn plain(&self, tile: Tile, room: &'r TileRoom) -> Option<Arc<PlainTile<'r>>> {
        let mut waiting = self.tile(tile)?;
        if let Form::Packed(pieces) = &waiting.form {
            let mut plain = room.take(waiting.panels);
            let to: &mut [u8] = bytemuck::cast_slice_mut(plain.words_mut());
            room.zstd.with(|zstd| {
                let parts = to.chunks_mut(PIECE).zip(pieces);
                parts.for_each(|(to, piece)| zstd.unpack(piece, to).expect("what was packed"));
            });
            waiting.form = Form::Plain(Arc::new(plain));
        }
        match &waiting.form {
            Form::Plain(plain) => Some(plain.clone()),
            _ => None,
        }
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
        census.tiles_beside(tier, centre).map(|tile| (tile, Panels(shape(tile)))).collect()
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
        for most in [0, 1000, u64::MAX] {
            let room = TileRoom::new(most);
            let mover = before.mover();
            let tier =
                WaitingTier::new(&census, all.iter().copied(), readers.iter().copied(), mover);
            let word = |number: usize| number as u64 / 7 * 0x9E37_79B9;
            for (tile, panels) in &all {
                assert!(tier.plain(*tile, &room).is_none(), "not solved yet");
                let mut plain = room.take(*panels);
                plain.words_mut().iter_mut().zip(0..).for_each(|(to, n)| *to = word(n));
                tier.add(*tile, plain);
            }
            for reader in &readers {
                for child in children(&census, *reader, mover).into_iter().flatten() {
                    if let Some((_, panels)) = all.iter().find(|(tile, _)| *tile == child) {
                        let plain = tier.plain(child, &room).expect("a tile that waits");
                        assert_eq!(plain.tile().words.len(), panels.words());
                        let mut words = plain.tile().words.iter().zip(0..);
                        assert!(words.all(|(found, number)| *found == word(number)));
                    }
                    tier.has_been_read(child);
                }
            }
            assert_eq!(room.pieces().taken, 0, "all have been read");
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
