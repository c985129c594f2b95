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

use std::sync::atomic::{AtomicU64, Ordering};
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
    taken: AtomicU64,
    /// Memory that is free again, to be reused.
    free: Mutex<Vec<AlignedWords>>,
    zstd: Pool<Zstd>,
}

/// Pieces of memory that are kept for reuse.
const MOST_FREE: usize = 8;

/// Bytes that are compressed at a time.
const PIECE: usize = 1 << 22;

impl TileRoom {
    pub fn new(most: u64) -> TileRoom {
        TileRoom { most, ..TileRoom::default() }
    }

    fn free(&self) -> MutexGuard<'_, Vec<AlignedWords>> {
        self.free.lock().expect("nothing panics while it is locked")
    }

    /// Frees what is kept for reuse.
    pub fn clear(&self) {
        self.free().clear();
        self.zstd.clear();
    }

    /// Room for a tile, with arbitrary content.
    pub fn take(&self, panels: Panels) -> PlainTile<'_> {
        let len = panels.words();
        let free = &mut *self.free();
        // The smallest that is large enough, unless half of it would lie idle.
        let fits = |words: &AlignedWords| (len..=2 * len).contains(&words.capacity());
        let all = free.iter().enumerate().filter(|(_, words)| fits(words));
        let best = all.min_by_key(|(_, words)| words.capacity()).map(|(at, _)| at);
        let mut words = best.map_or_else(|| AlignedWords::new(len), |at| free.swap_remove(at));
        words.room(len);
        self.taken.fetch_add(words.bytes(), Ordering::Relaxed);
        PlainTile { room: self, panels, words }
    }

    fn give_back(&self, words: AlignedWords) {
        self.taken.fetch_sub(words.bytes(), Ordering::Relaxed);
        let free = &mut *self.free();
        if words.bytes() > 0 {
            free.push(words);
        }
        if free.len() > MOST_FREE {
            free.remove(0);
        }
    }

    fn is_full(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.most
    }
}

/// A tile in memory, as it is.
pub(in crate::sweep) struct PlainTile<'r> {
    room: &'r TileRoom,
    panels: Panels,
    words: AlignedWords,
}

impl PlainTile<'_> {
    pub fn words_mut(&mut self) -> &mut [u64] {
        self.words.as_mut_slice()
    }

    pub fn tile(&self) -> PanelTile<'_> {
        PanelTile { panels: self.panels, words: self.words.as_slice() }
    }
}

impl Drop for PlainTile<'_> {
    fn drop(&mut self) {
        self.room.give_back(std::mem::take(&mut self.words));
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
    pub fn new(
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
    pub fn add(&self, tile: Tile, plain: PlainTile<'r>) {
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
    pub fn plain(&self, tile: Tile, room: &'r TileRoom) -> Option<Arc<PlainTile<'r>>> {
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
    pub fn has_been_read(&self, tile: Tile) {
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
