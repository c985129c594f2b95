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
//! An outer tuple is a number whose digits are its columns, the outermost last. Nothing is stored
//! per tuple but two bytes, as wide boards have millions of them.
//!
//! Lifting a stone off an inner column leads to the same entry of another row; lifting one off an
//! outer column leads to another entry of the same row.

use std::sync::Arc;

use crate::board::{Board, Player, Tier, has_four};
use crate::order::{Columns, OrderType, SideTypes};
use crate::progress::Progress;
use crate::tromp::position_of;

/// Stands for a side that holds a four by itself, or has more stones than are counted.
const NO_TYPE: u32 = u32::MAX;

/// The types of the sides with one inner tuple.
#[derive(Clone, Copy)]
pub(super) struct Entries<'a>(&'a [u32]);

impl Entries<'_> {
    /// The type of the side with this outer tuple, unless it holds a four by itself or has more
    /// stones than are counted.
    pub(super) fn of(self, outer: usize) -> Option<OrderType> {
        Some(self.0[outer]).filter(|kind| *kind != NO_TYPE).map(OrderType)
    }
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

    /// The bytes of that table and of the list of fours, which may hold as many numbers.
    pub(super) fn bytes(columns: usize, width: usize) -> u64 {
        Sides::number(columns, width) as u64 * 2 * size_of::<u32>() as u64
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
        let [inners, outers] = [inner_width, outer_width].map(|width| n.pow(width as u32));
        let open = |id: &&usize| columns.codes[**id].stones() < board.height();
        let (mut outer_open, mut outer_stones) =
            (Vec::with_capacity(outers), Vec::with_capacity(outers));
        for_each_tuple(n, outer_width, |outer| {
            outer_open.push(outer.iter().filter(open).count() as u8);
            outer_stones.push(stones(columns, outer) as u8);
        });
        let mut entries = vec![NO_TYPE; inners * outers];
        let mut side = vec![0; width];
        let (mut fours, mut fours_end) = (Vec::new(), Vec::with_capacity(inners));
        for (inner, row) in entries.chunks_mut(outers).enumerate() {
            progress.prepare("looking for fours", inner as u64, inners as u64);
            let inner = &[inner / n, inner % n][2 - inner_width..];
            let room = up_to.stones().checked_sub(stones(columns, inner));
            let mut number = 0;
            for_each_tuple(n, outer_width, |outer| {
                let at = number as usize;
                number += 1;
                if room.is_none_or(|room| usize::from(outer_stones[at]) > room) {
                    return;
                }
                side[..outer_width].copy_from_slice(outer);
                side[outer_width..].copy_from_slice(inner);
                row[at] = if four_inside(board, columns, &side) {
                    fours.push(number - 1);
                    NO_TYPE
                } else {
                    types.type_of(&mut side).map_or(NO_TYPE, |kind| kind.0)
                };
            });
            fours_end.push(fours.len());
        }
        Sides {
            fours,
            fours_end,
            columns: columns.clone(),
            width,
            entries,
            inners,
            thirds: if outer_width > 0 { n } else { 1 },
            outers,
            outer_open,
            most_outer_stones: outer_stones.iter().copied().max().unwrap_or(0).into(),
            outer_stones,
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

    /// The entries of an inner tuple, by outer tuple.
    pub(super) fn entries(&self, inner: usize) -> Entries<'_> {
        Entries(&self.entries[inner * self.outers..][..self.outers])
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

    /// For each outer column with stones: the player whose top stone is lifted off it, and the
    /// outer tuple without it.
    #[inline]
    pub(super) fn lift_outers(&self, outer: usize) -> impl Iterator<Item = (Player, usize)> + '_ {
        let (n, places) = (self.columns.len() as u32, self.width.saturating_sub(2));
        let (mut rest, mut weight) = (outer as u32, 1);
        (0..places).filter_map(move |place| {
            let of_place = weight;
            // Divisions take longer than all else here, and the last digit needs none.
            let id = if place + 1 == places {
                rest
            } else {
                let id = rest % n;
                (rest, weight) = (rest / n, weight * n as usize);
                id
            };
            let (player, below) = self.columns.lifted[id as usize]?;
            Some((player, outer - (id as usize - below) * of_place))
        })
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

/// Visits all tuples of `width` ids below `n`, the first id varying fastest.
fn for_each_tuple(n: usize, width: usize, mut visit: impl FnMut(&[usize])) {
    let mut tuple = vec![0; width];
    loop {
        visit(&tuple);
        let Some(place) = tuple.iter().position(|id| id + 1 < n) else { return };
        tuple[..place].fill(0);
        tuple[place] += 1;
    }
}

fn stones(columns: &Columns, ids: &[usize]) -> usize {
    ids.iter().map(|id| columns.codes[*id].stones()).sum()
}

/// Whether these columns, side by side, hold a four that is not vertical.
fn four_inside(board: Board, columns: &Columns, ids: &[usize]) -> bool {
    if ids.len() < 4 {
        return false;
    }
    let side = position_of(board, ids.iter().map(|id| columns.codes[*id]));
    Player::BOTH.into_iter().any(|player| has_four(board, side.stones(player)))
}
