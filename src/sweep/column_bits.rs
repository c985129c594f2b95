//! The columns of a tile as bit rows: for each demand the columns that meet it, and for each
//! move-order type those that have it, panel by panel. The columns are the states of a right
//! class that tiles hold when a player is to move; the bit rows serve all tiles with them.

use std::ops::Range;

use crate::board::Player;
use crate::index::Class;
use crate::order::RestPlace;

use super::MatrixShape;
use super::crossing::{CrossingLines, bits};
use super::labels::{Front, Kinds, SideLabels};
use super::panels::{PANEL, PLANES, Panels, width};
use super::row_labels::Numbered;
use super::side_order::SideOrder;
use super::transpose::transpose_block;

/// Bit rows of the columns of a class.
pub(super) struct ColumnBits {
    demands: usize,
    /// For each panel, the columns that exist.
    columns: Box<[u64]>,
    /// By panel, [`When`], player and demand: the columns that meet it.
    met: Box<[u64]>,
    /// For each type of the columns, where left sides have their answers to it and the centre.
    pub rests: Box<[Option<RestPlace>]>,
    /// For each panel and type, the columns that have it.
    of_type: Box<[u64]>,
}

impl ColumnBits {
    pub fn new(
        kinds: &Kinds,
        lines: CrossingLines,
        order: &SideOrder,
        labels: &SideLabels,
        class: Class,
        mover: Player,
    ) -> ColumnBits {
        let held = order.ranks_held(class, mover);
        let columns = held.iter().map(Range::len).sum();
        let panels = Panels(MatrixShape { rows: 1, columns });
        let types = Numbered::new(labels.types(class, held.clone()), &mut Vec::new());
        let rests = types.labels.iter().map(|kind| kinds.rest(labels.centre, class, *kind));
        ColumnBits {
            demands: lines.demands(),
            columns: all_columns(panels),
            met: met(lines.demands(), labels.fronts(class, held), panels),
            of_type: of_type(&types, panels),
            rests: rests.collect(),
        }
    }

    /// The columns that exist in a panel.
    pub fn columns(&self, panels: Panels, panel: usize) -> &[u64] {
        of_panel(&self.columns, 1, panels, panel)
    }

    /// For each type, the columns of a panel that have it.
    pub fn of_type(&self, panels: Panels, panel: usize) -> &[u64] {
        of_panel(&self.of_type, self.rests.len(), panels, panel)
    }

    /// The columns of a panel that meet demands.
    pub fn met(&self, panels: Panels, panel: usize) -> Met<'_> {
        let words = of_panel(&self.met, 4 * self.demands, panels, panel);
        Met { words, demands: self.demands }
    }
}

/// Is a demand met as things stand, or after one more stone?
#[derive(Clone, Copy)]
pub(super) enum When {
    Now,
    After,
}

/// Demands of a player on the other side.
pub(super) type Demanded = (When, Player, u64);

/// The columns of a panel that meet demands.
#[derive(Clone, Copy)]
pub(super) struct Met<'a> {
    words: &'a [u64],
    demands: usize,
}

impl Met<'_> {
    /// The columns that meet one of these demands, in rows of `N` words.
    #[inline]
    pub fn any<const N: usize>(self, demanded: [Demanded; 2]) -> [u64; N] {
        let rows = self.words.as_chunks::<N>().0;
        let mut any = [0; N];
        for (when, player, demanded) in demanded {
            let first = (2 * when as usize + player.index()) * self.demands;
            for demand in bits(demanded) {
                let met = &rows[first + demand];
                any.iter_mut().zip(met).for_each(|(any, met)| *any |= met);
            }
        }
        any
    }
}

/// The bit rows of one panel, where each panel has this many.
pub(super) fn of_panel(words: &[u64], rows: usize, panels: Panels, panel: usize) -> &[u64] {
    &words[panel * rows * width(PANEL)..][..rows * panels.width(panel)]
}

fn all_columns(panels: Panels) -> Box<[u64]> {
    let mut all = Vec::with_capacity(panels.words() / PLANES);
    for panel in 0..panels.count() {
        let columns = panels.columns(panel).len();
        all.extend((0..panels.width(panel)).map(|word| ones(columns.saturating_sub(64 * word))));
    }
    all.into()
}

/// A word with this many ones at its low end.
fn ones(number: usize) -> u64 {
    if number >= 64 { u64::MAX } else { (1 << number) - 1 }
}

fn met<'a>(
    demands: usize,
    mut fronts: impl Iterator<Item = &'a Front>,
    panels: Panels,
) -> Box<[u64]> {
    let mut all = vec![0; 4 * demands * panels.words() / PLANES];
    let mut rest = &mut all[..];
    for panel in 0..panels.count() {
        let width = panels.width(panel);
        let met = rest.split_off_mut(..4 * demands * width).expect("words of all panels");
        for first in panels.columns(panel).step_by(64) {
            let columns = (panels.columns(panel).end - first).min(64);
            let mut blocks = [[0; 64]; 4];
            for (column, front) in fronts.by_ref().take(columns).enumerate() {
                for (block, met) in blocks.iter_mut().zip(side_by_side(front.met, demands)) {
                    block[column] = met;
                }
            }
            let word = (first - panels.columns(panel).start) / 64;
            for (block, met) in blocks.iter_mut().zip(met.chunks_mut(64 * width)) {
                transpose_block(block);
                let met = met.iter_mut().skip(word).step_by(width);
                met.zip(block).for_each(|(met, row)| *met = *row);
            }
        }
    }
    all.into()
}

/// The demands that a column meets, by [`When`] and player: `demands` bits for each, side by side.
fn side_by_side(met: [[u64; 2]; 2], demands: usize) -> [u64; 4] {
    let mut words = [0; 4];
    let [[first_now, first_after], [second_now, second_after]] = met;
    let met = [first_now, second_now, first_after, second_after];
    for (number, met) in met.into_iter().enumerate() {
        let (word, shift) = (number * demands / 64, number * demands % 64);
        words[word] |= met << shift;
        // What does not fit into that word; in two shifts, as one by 64 would overflow.
        if let Some(next) = words.get_mut(word + 1) {
            *next |= met >> 1 >> (63 - shift);
        }
    }
    words
}

fn of_type(types: &Numbered, panels: Panels) -> Box<[u64]> {
    let number = types.labels.len();
    let mut all = vec![0; number * panels.words() / PLANES];
    let mut rest = &mut all[..];
    for panel in 0..panels.count() {
        let width = panels.width(panel);
        let of_type = rest.split_off_mut(..number * width).expect("words of all panels");
        for (column, kind) in types.numbers[panels.columns(panel)].iter().enumerate() {
            of_type[*kind as usize * width + column / 64] |= 1 << (column % 64);
        }
    }
    all.into()
}
