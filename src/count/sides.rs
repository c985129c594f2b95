//! All states of a side, whatever the centre.
//!
//! What a side shows to the centre depends on its two **inner** columns, the near and the far one.
//! The **outer** columns matter only for their move-order type and for fours on this side of the
//! centre. So side states are stored as a table with one row per pair of inner columns and one
//! entry per tuple of outer ones:
//!
//! ```text
//!     outer                inner
//!     [rest ...] third     far near   |  centre
//!
//!     entry = inner * outers + outer,  outer = third * rests + rest
//!     inner = far * columns + near
//! ```
//!
//! Lifting a stone off an inner column leads to the same entry of another row; lifting one off an
//! outer column leads to another entry of the same row.

use std::sync::Arc;

use crate::board::{Board, Player, Tier, has_four};
use crate::order::{Columns, OrderType, SideTypes};
use crate::progress::Progress;

/// Marks a side with more stones than are counted.
const TOO_MANY_STONES: u32 = u32::MAX;
/// Marks a side that holds a four by itself.
const FOUR_INSIDE: u32 = u32::MAX - 1;

/// The entry of a side in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    Type(OrderType),
    FourInside,
    TooManyStones,
}

/// All states of a side of one width.
pub(super) struct Sides {
    pub(super) columns: Arc<Columns>,
    width: usize,
    entries: Vec<u32>,
    inners: usize,
    outers: usize,
    thirds: usize,
    /// The sides that hold a four: outer tuples, inner tuple by inner tuple, and where those of the
    /// next inner tuple begin.
    fours: Vec<u32>,
    fours_end: Vec<usize>,
    /// By outer column, outermost first, and outer tuple: the tuple without its top stone.
    outer_lifts: Vec<Vec<Option<(Player, u32)>>>,
    /// By outer tuple: the number of columns with room.
    outer_open: Vec<u8>,
    outer_stones: Vec<u8>,
    most_outer_stones: usize,
    height: usize,
}

impl Sides {
    /// The number of entries in the table of a side of this width.
    pub(super) fn number(columns: usize, width: usize) -> u128 {
        (columns as u128).pow(width as u32)
    }

    pub(super) fn new(
        board: Board,
        columns: &Arc<Columns>,
        width: usize,
        types: &SideTypes,
        up_to: Tier,
        progress: &dyn Progress,
    ) -> Sides {
        let n = columns.len();
        let inner_width = width.min(2);
        let outer_width = width - inner_width;
        let inners = tuples(n, inner_width);
        let outers = tuples(n, outer_width);
        // Outer tuples are numbered starting with the third column, the innermost of them.
        let outers: Vec<Vec<usize>> = outers
            .into_iter()
            .map(|mut tuple| {
                tuple.reverse();
                tuple
            })
            .collect();
        let lift = |tuple: &Vec<usize>, place: usize| {
            let (player, below) = columns.lifted[tuple[place]]?;
            let mut lifted = tuple.clone();
            lifted[place] = below;
            // The number of a tuple: the third column is the leading digit.
            Some((player, lifted.iter().rev().fold(0, |at, id| at * n + id) as u32))
        };
        let outer_lifts = (0..outer_width)
            .map(|place| outers.iter().map(|tuple| lift(tuple, place)).collect())
            .collect();
        let open = |tuple: &Vec<usize>| {
            tuple.iter().filter(|id| columns.codes[**id].stones() < board.height()).count() as u8
        };
        let outer_open = outers.iter().map(open).collect();
        let outer_stones: Vec<usize> = outers.iter().map(|tuple| stones(columns, tuple)).collect();
        let mut entries = vec![TOO_MANY_STONES; inners.len() * outers.len()];
        let mut scratch = vec![0; width];
        let (mut fours, mut fours_end) = (Vec::new(), Vec::with_capacity(inners.len()));
        for (inner, row) in inners.iter().zip(entries.chunks_mut(outers.len())) {
            progress.prepare("looking for fours", fours_end.len() as u64, inners.len() as u64);
            let room = up_to.stones().checked_sub(stones(columns, inner));
            let row = outers.iter().zip(row).zip(&outer_stones);
            for (number, ((outer, entry), outer_stones)) in (0..).zip(row) {
                if room.is_none_or(|room| *outer_stones > room) {
                    continue;
                }
                scratch[..outer_width].copy_from_slice(outer);
                scratch[outer_width..].copy_from_slice(inner);
                *entry = if four_inside(board, columns, &scratch) {
                    fours.push(number);
                    FOUR_INSIDE
                } else {
                    types.type_of(&mut scratch).map_or(TOO_MANY_STONES, |kind| kind.0)
                };
            }
            fours_end.push(fours.len());
        }
        Sides {
            fours,
            fours_end,
            columns: columns.clone(),
            width,
            entries,
            inners: inners.len(),
            thirds: if outer_width > 0 { n } else { 1 },
            outers: outers.len(),
            outer_lifts,
            outer_open,
            most_outer_stones: outer_stones.iter().copied().max().unwrap_or(0),
            outer_stones: outer_stones.into_iter().map(|stones| stones as u8).collect(),
            height: board.height(),
        }
    }

    /// Number of columns of the side.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The outer tuples that share this third column and have at most `room` stones.
    pub(super) fn outers(&self, third: usize, room: usize) -> impl Iterator<Item = usize> + '_ {
        let rests = self.outers / self.thirds;
        let outers = third * rests..(third + 1) * rests;
        outers.filter(move |outer| usize::from(self.outer_stones[*outer]) <= room)
    }

    /// The third columns; there is one even if a side has no third column.
    pub(super) fn thirds(&self) -> std::ops::Range<usize> {
        0..self.thirds
    }

    /// Stones in an inner tuple.
    pub(super) fn inner_stones(&self, inner: usize) -> usize {
        self.inner_columns(inner).map(|id| self.columns.codes[id].stones()).sum()
    }

    /// The third column of an outer tuple.
    pub(super) fn third_of(&self, outer: usize) -> usize {
        outer / (self.outers / self.thirds)
    }

    /// The tuples of inner columns.
    pub(super) fn inners(&self) -> std::ops::Range<usize> {
        0..self.inners
    }

    /// A column of an inner tuple, if the side has it: the near one at distance 1, or the far one
    /// at distance 2.
    pub(super) fn inner_column(&self, inner: usize, distance: usize) -> Option<usize> {
        let (inner, columns) = (inner as u32, self.columns.len() as u32);
        let id = if distance == 1 { inner % columns } else { inner / columns };
        (distance <= self.width).then_some(id as usize)
    }

    fn inner_columns(&self, inner: usize) -> impl Iterator<Item = usize> + '_ {
        [1, 2].into_iter().filter_map(move |distance| self.inner_column(inner, distance))
    }

    /// The entry of a side.
    pub(super) fn entry(&self, inner: usize, outer: usize) -> Entry {
        match self.entries[inner * self.outers + outer] {
            TOO_MANY_STONES => Entry::TooManyStones,
            FOUR_INSIDE => Entry::FourInside,
            kind => Entry::Type(OrderType(kind)),
        }
    }

    /// The outer tuples with which an inner one holds a four on this side of the centre.
    pub(super) fn fours(&self, inner: usize) -> &[u32] {
        let start = inner.checked_sub(1).map_or(0, |before| self.fours_end[before]);
        &self.fours[start..self.fours_end[inner]]
    }

    /// The most stones that an outer tuple has.
    pub(super) fn most_outer_stones(&self) -> usize {
        self.most_outer_stones
    }

    /// Stones in an outer tuple.
    pub(super) fn outer_stones(&self, outer: usize) -> usize {
        self.outer_stones[outer].into()
    }

    /// The player whose top stone is lifted off an inner column, and the inner tuple without it.
    /// Distance 1 is the near column, 2 the far one.
    pub(super) fn lift_inner(&self, inner: usize, distance: usize) -> Option<(Player, usize)> {
        let id = self.inner_column(inner, distance)?;
        let (player, below) = self.columns.lifted[id]?;
        let weight = if distance == 1 { 1 } else { self.columns.len() };
        Some((player, inner - (id - below) * weight))
    }

    /// Lifts the top stone of an outer column, given by its place from the outside.
    pub(super) fn lift_outer(&self, outer: usize, place: usize) -> Option<(Player, usize)> {
        self.outer_lifts[place][outer].map(|(player, lifted)| (player, lifted as usize))
    }

    /// Number of outer columns.
    pub(super) fn outer_width(&self) -> usize {
        self.outer_lifts.len()
    }

    /// The number of inner columns with room.
    pub(super) fn inner_open(&self, inner: usize) -> u32 {
        let has_room = |id: &usize| self.columns.codes[*id].stones() < self.height;
        self.inner_columns(inner).filter(has_room).count() as u32
    }

    /// The number of outer columns with room.
    pub(super) fn outer_open(&self, outer: usize) -> u32 {
        self.outer_open[outer].into()
    }
}

/// All tuples of `width` ids below `n`, the last id varying fastest.
fn tuples(n: usize, width: usize) -> Vec<Vec<usize>> {
    (0..width).fold(vec![vec![]], |shorter, _| {
        let longer = |tuple: &Vec<usize>| {
            let tuple = tuple.clone();
            (0..n).map(move |id| tuple.iter().copied().chain([id]).collect())
        };
        shorter.iter().flat_map(longer).collect()
    })
}

fn stones(columns: &Columns, ids: &[usize]) -> usize {
    ids.iter().map(|id| columns.codes[*id].stones()).sum()
}

/// Do these columns, side by side, hold a four that is not vertical?
fn four_inside(board: Board, columns: &Columns, ids: &[usize]) -> bool {
    if ids.len() < 4 {
        return false;
    }
    let bits = board.column_bits();
    Player::BOTH.into_iter().any(|player| {
        let stones = ids
            .iter()
            .rev()
            .fold(0, |stones, id| stones << bits | columns.codes[*id].stones_of(player));
        has_four(board, stones)
    })
}
