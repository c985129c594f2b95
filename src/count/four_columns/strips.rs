//! The places of the bits of the right columns.
//!
//! Beside three given columns, only right columns of one surplus, or of two, are possible. So the
//! right columns of each surplus have a separate **strip** of bits, as long as the widest registers
//! or a multiple of that:
//!
//! ```text
//!     4x11, surplus 1:  word  0   1   2   3   4 |   5   6 |   7
//!                             11 stones, 320    | 9 stones| the other 54, mixed
//! ```
//!
//! Positions are counted by tier, and so by the stones of the right column. Most words of a block
//! hold columns with the same number of stones, so the bits of a word are counted together. The
//! leftovers of all numbers share the last word of a block, and are counted mask by mask.

use std::collections::BTreeMap;

use super::states::{State, States};
use crate::board::Player;

/// Words of a block.
pub(super) const WORDS: usize = 8;

/// The word in which numbers of stones are mixed.
const MIXED: usize = WORDS - 1;

/// As many bits as the widest registers hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [u64; WORDS]);

impl Block {
    /// Number of bits.
    pub(super) const BITS: usize = WORDS * 64;

    #[inline(always)]
    pub(super) fn or(&mut self, other: &Block) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }
}

/// Whether this bit of a row of blocks is set.
pub(super) fn bit(row: &[Block], at: usize) -> bool {
    row[at / Block::BITS].0[at % Block::BITS / 64] >> (at % 64) & 1 == 1
}

/// Sets a bit of a row of blocks.
pub(super) fn set(row: &mut [Block], at: usize) {
    row[at / Block::BITS].0[at % Block::BITS / 64] |= 1 << (at % 64);
}

/// The place of a right column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) strip: usize,
    /// The bit within the strip.
    pub(super) bit: usize,
}

/// The numbers of stones of the right columns in a block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Lanes {
    /// By word, except the mixed one.
    pub(super) of_words: [usize; MIXED],
    /// Columns in the mixed word with equal numbers of stones.
    pub(super) masks: [u64; WORDS],
    /// By mask.
    pub(super) of_masks: [usize; WORDS],
    /// Whether the block holds any column.
    pub(super) used: bool,
}

/// The strips of all right columns, one per surplus.
pub(super) struct Strips {
    lowest_surplus: i32,
    strips: usize,
    /// Blocks of each strip.
    pub(super) blocks: usize,
    /// By strip, then by block.
    pub(super) lanes: Vec<Lanes>,
    /// The places of open columns.
    pub(super) open: Vec<Place>,
    /// The places of closed columns.
    pub(super) closed: Vec<Place>,
}

impl Strips {
    pub(super) fn new(states: &States) -> Strips {
        Strips::with(states, 64)
    }

    /// Strips with at most this many columns per word.
    pub(super) fn with(states: &States, per_word: usize) -> Strips {
        let all: Vec<&State> = states.open.iter().chain(&states.closed).collect();
        let surpluses = || all.iter().map(|state| state.surplus);
        let lowest = surpluses().min().expect("there is the empty column");
        let highest = surpluses().max().expect("there is the empty column");
        let mut places = vec![Place { strip: 0, bit: 0 }; all.len()];
        let mut strips: Vec<Vec<Lanes>> = Vec::new();
        for surplus in lowest..=highest {
            let mut by_stones: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for at in (0..all.len()).filter(|at| all[*at].surplus == surplus) {
                by_stones.entry(all[at].stones).or_default().push(at);
            }
            let mut strip = Strip::default();
            strip.fill(&by_stones, per_word, |at, bit| {
                places[at] = Place { strip: strips.len(), bit }
            });
            strips.push(strip.lanes);
        }
        let blocks = strips.iter().map(Vec::len).max().expect("there is a strip");
        for strip in &mut strips {
            strip.resize(blocks, Lanes::default());
        }
        let closed = places.split_off(states.open.len());
        Strips {
            lowest_surplus: lowest,
            strips: strips.len(),
            blocks,
            lanes: strips.concat(),
            open: places,
            closed,
        }
    }

    /// The strip of the columns with this surplus, if there are any.
    pub(super) fn of_surplus(&self, surplus: i32) -> Option<usize> {
        let strip = usize::try_from(surplus - self.lowest_surplus).ok()?;
        (strip < self.strips).then_some(strip)
    }

    /// Number of strips.
    pub(super) fn len(&self) -> usize {
        self.strips
    }

    /// Blocks of all strips together.
    pub(super) fn all_blocks(&self) -> usize {
        self.lanes.len()
    }
}

/// A strip that is being filled.
#[derive(Default)]
struct Strip {
    lanes: Vec<Lanes>,
    /// Words in use, except mixed ones.
    words: usize,
    /// Bits and masks in use in the mixed word of the first block.
    mixed: usize,
    masks: usize,
}

impl Strip {
    /// Gives each column, listed by number of stones, a bit. The smallest leftovers are mixed, as
    /// many as the mixed word has room for.
    fn fill(
        &mut self,
        by_stones: &BTreeMap<usize, Vec<usize>>,
        per_word: usize,
        mut place: impl FnMut(usize, usize),
    ) {
        let mut classes: Vec<(usize, &[usize])> =
            by_stones.iter().map(|(stones, columns)| (*stones, &columns[..])).collect();
        classes.sort_by_key(|(_, columns)| columns.len() % per_word);
        for (stones, mut columns) in classes {
            let leftover = columns.len() % per_word;
            if leftover > 0 && self.mixed + leftover <= 64 && self.masks < WORDS {
                let (mixed, rest) = columns.split_at(leftover);
                (mixed.iter().zip(MIXED * 64 + self.mixed..)).for_each(|(at, bit)| place(*at, bit));
                let (mask, shift) = (self.masks, self.mixed);
                let lanes = self.block(0);
                lanes.masks[mask] = (u64::MAX >> (64 - leftover)) << shift;
                lanes.of_masks[mask] = stones;
                self.masks += 1;
                self.mixed += leftover;
                columns = rest;
            }
            for columns in columns.chunks(per_word) {
                let (block, word) = (self.words / MIXED, self.words % MIXED);
                let start = block * Block::BITS + word * 64;
                columns.iter().zip(start..).for_each(|(at, bit)| place(*at, bit));
                self.block(block).of_words[word] = stones;
                self.words += 1;
            }
        }
    }

    fn block(&mut self, block: usize) -> &mut Lanes {
        if self.lanes.len() <= block {
            self.lanes.resize(block + 1, Lanes::default());
        }
        self.lanes[block].used = true;
        &mut self.lanes[block]
    }
}

/// A right column of some strip, and the column without its top stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Predecessor {
    pub(super) stones: usize,
    pub(super) closed: bool,
    pub(super) to: usize,
    pub(super) from: usize,
}

/// How the bits of right columns follow from those of columns with one stone less.
pub(super) struct Predecessors {
    /// By the player on top and by strip, in order of stones.
    lists: [Vec<Vec<Predecessor>>; 2],
}

impl Predecessors {
    pub(super) fn new(states: &States, strips: &Strips) -> Predecessors {
        let mut lists = Player::BOTH.map(|_| vec![Vec::new(); strips.len()]);
        let open = states.open.iter().zip(&strips.open).map(|(s, p)| (s, p, false));
        let closed = states.closed.iter().zip(&strips.closed).map(|(s, p)| (s, p, true));
        for (state, place, closed) in open.chain(closed) {
            if let Some((player, below)) = state.lift {
                let from = strips.open[usize::from(below)].bit;
                let lift = Predecessor { stones: state.stones, closed, to: place.bit, from };
                lists[player.index()][place.strip].push(lift);
            }
        }
        lists.iter_mut().flatten().for_each(|list| list.sort_by_key(|lift| lift.stones));
        Predecessors { lists }
    }

    pub(super) fn onto(&self, player: Player, strip: Option<usize>) -> &[Predecessor] {
        strip.map_or(&[], |strip| &self.lists[player.index()][strip])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use std::collections::HashSet;

    fn strips(height: u64, per_word: usize) -> (States, Strips) {
        let board = Board::new(4, height).unwrap();
        let states = States::new(board, board.last_tier()).unwrap();
        let strips = Strips::with(&states, per_word);
        (states, strips)
    }

    #[test]
    fn every_column_is_counted_in_the_lane_of_its_stones() {
        for (height, per_word) in (1..=12).map(|h| (h, 64)).chain([(5, 1), (6, 3), (8, 40)]) {
            let (states, strips) = strips(height, per_word);
            let mut taken = HashSet::new();
            let places = strips.open.iter().chain(&strips.closed);
            for (state, place) in states.open.iter().chain(&states.closed).zip(places) {
                assert!(taken.insert((place.strip, place.bit)));
                assert_eq!(strips.of_surplus(state.surplus), Some(place.strip));
                let lanes = &strips.lanes[place.strip * strips.blocks + place.bit / Block::BITS];
                let (word, mask) = (place.bit % Block::BITS / 64, 1u64 << (place.bit % 64));
                assert!(lanes.used);
                if word != MIXED {
                    assert_eq!(lanes.of_words[word], state.stones);
                    continue;
                }
                let of_masks = lanes.masks.iter().zip(lanes.of_masks);
                let found: Vec<usize> =
                    of_masks.filter(|(lane, _)| *lane & mask != 0).map(|(_, n)| n).collect();
                assert_eq!(found, [state.stones]);
            }
        }
    }

    #[test]
    fn the_strips_of_4x11_are_one_register_long_and_others_longer() {
        assert_eq!(strips(12, 64).1.blocks, 2);
        assert!(strips(5, 1).1.blocks > 1);
        let (states, strips) = strips(11, 64);
        assert_eq!((states.open.len(), states.closed.len()), (2207, 192));
        assert_eq!((strips.len(), strips.blocks), (15, 1));
    }
}
