//! The backward step: the outcomes of a tile from those of its children.
//!
//! The first player takes the best of all moves and the second player the worst
//! for the first: one OR or AND of rows, if the children of a row are rows. For
//! moves on the left they are. For moves on the right they are columns, so the
//! children are turned first, 512 rows at a time, and what becomes of them is
//! turned back:
//!
//! ```text
//!     right child        turned               folded, by column    turned back
//!     ┌───────────────┐   ┌─┐                  ┌─┐                  ┌──────────┐
//!     ├───────────────┤   │ │   512 bits of    │ │   a row for      ├──────────┤
//!     │ 512 rows      │ ─►│ │   each column ─► │ │   each column ─► │ 512 rows │
//!     ├───────────────┤   │ │   of the child   └─┘   of the tile    ├──────────┤
//!     └───────────────┘   └─┘                                       └──────────┘
//! ```
//!
//! A centre move takes rows and columns away. Taking rows away is easy, so it
//! goes the same way: those of the 512 rows that the child has are gathered, the
//! child is turned, and its rows are folded by the columns that it has.
//!
//! Where only the mirror image of a left or of a centre child is stored, its
//! rows are our columns, and one turn brings them in place.

use std::ops::Range;

use crate::board::Player;

use super::aligned::AlignedWords;
use super::beside::TileOutcomes;
use super::clock::{Clock, Work};
use super::kept::{KeptError, Part, Unpacked};
use super::kernels::{Children, Cpu, Fold, Tally, finish, fold, turn};
use super::masks::{MaskSource, TileMasks};
use super::next_tier::{Child, NextTier};
use super::panels::{PANEL, PLANES, PanelTile, Panels, block, width};
use super::plan::{Moves, Plan, Ways};
use super::side_moves::SideMoves;
use super::solved::Shown;

/// Memory of a thread, which serves one tile after the other.
#[derive(Default)]
pub(super) struct Scratch {
    pub masks: TileMasks,
    plan: Plan,
    blocks: Blocks,
    pub unpacked: Unpacked,
    pub shown: Shown,
}

impl Scratch {
    /// What the thread spends its time on.
    pub fn clock(&mut self) -> &mut Clock {
        &mut self.blocks.clock
    }
}

/// Memory for blocks on their way.
#[derive(Default)]
struct Blocks {
    /// Blocks of children, turned; one for each tile of children.
    turned: Vec<AlignedWords>,
    /// Rows of a centre child, gathered.
    gathered: AlignedWords,
    /// What has been folded and is to be turned back.
    folded: AlignedWords,
    /// Places in an unpacked block.
    places: Vec<u32>,
    clock: Clock,
}

/// One tier from the next.
pub(super) struct Step<'a> {
    pub source: MaskSource<'a>,
    pub sides: &'a SideMoves,
    pub cpu: Cpu,
    /// The next tier; none after the last one.
    pub children: Option<&'a dyn NextTier>,
    pub mover: Player,
}

impl Step<'_> {
    /// Finds the outcomes of a tile and counts them.
    pub fn solve(&self, out: TileOutcomes, scratch: &mut Scratch) -> Result<Tally, KeptError> {
        let TileOutcomes { tile, panels, words } = out;
        let Scratch { masks, plan, blocks, unpacked, .. } = scratch;
        blocks.clock.start();
        masks.prepare(self.source, tile, panels, self.mover.other());
        blocks.clock.lap(Work::Masks);
        match self.children {
            None => fill_with_draws(panels, words),
            Some(children) => match plan.make(self.source.index, self.sides, tile, self.mover) {
                Ways::EveryCellWins => words.fill(Fold::of(self.mover).won()),
                Ways::Fold => {
                    let blocks = (blocks, unpacked);
                    return self.fold_tile(panels, words, children, plan, masks, blocks);
                }
            },
        }
        let finish = |panel| self.finish(panels, panel, 0..panels.0.rows, words, masks);
        let tally = (0..panels.count()).map(finish).fold(Tally::default(), Tally::plus);
        blocks.clock.lap(Work::Finish);
        Ok(tally)
    }

    fn fold_tile(
        &self,
        panels: Panels,
        words: &mut [u64],
        children: &dyn NextTier,
        plan: &Plan,
        masks: &TileMasks,
        (blocks, unpacked): (&mut Blocks, &mut Unpacked),
    ) -> Result<Tally, KeptError> {
        blocks.clock.lap(Work::Plan);
        let all_rows = panels.0.rows;
        let mut tally = Tally::default();
        for rows in (0..all_rows.div_ceil(PANEL)).map(|number| block(all_rows, number)) {
            self.turn_children(&plan.by_columns, children, rows.clone(), blocks, unpacked)?;
            for panel in 0..panels.count() {
                let to = &mut words[panels.words_of_rows(panel, rows.clone())];
                let mut keep = self.fold_columns(plan, panels, panel, rows.len(), to, blocks);
                for moves in &plan.as_stored {
                    let from = moves
                        .child
                        .map_or(&[][..], |child| children.tile(child).here().panel(panel));
                    self.fold(panels.width(panel), keep, to, moves, from, rows.clone());
                    keep = true;
                }
                blocks.clock.lap(Work::Fold);
                if plan.by_rows.is_empty() {
                    tally = tally.plus(self.finish(panels, panel, rows.clone(), words, masks));
                    blocks.clock.lap(Work::Finish);
                }
            }
        }
        if !plan.by_rows.is_empty() {
            for panel in 0..panels.count() {
                let columns = panels.columns(panel);
                self.turn_children(&plan.by_rows, children, columns, blocks, unpacked)?;
                let to = &mut words[panels.words_of(panel)];
                let mut keep = !(plan.by_columns.is_empty() && plan.as_stored.is_empty());
                for (moves, turned) in plan.by_rows.iter().zip(&blocks.turned) {
                    let from = turned.as_slice();
                    self.fold(panels.width(panel), keep, to, moves, from, 0..all_rows);
                    keep = true;
                }
                blocks.clock.lap(Work::Fold);
                tally = tally.plus(self.finish(panels, panel, 0..all_rows, words, masks));
                blocks.clock.lap(Work::Finish);
            }
        }
        Ok(tally)
    }

    /// Turns so many rows of the children of all these moves, by the places that
    /// the rows have in a tile whose rows the children share.
    fn turn_children(
        &self,
        all: &[Moves],
        children: &dyn NextTier,
        rows: Range<usize>,
        blocks: &mut Blocks,
        unpacked: &mut Unpacked,
    ) -> Result<(), KeptError> {
        blocks.turned.resize_with(all.len().max(blocks.turned.len()), AlignedWords::default);
        let Blocks { turned, gathered, places, .. } = blocks;
        for (moves, turned) in all.iter().zip(turned) {
            turned.room(0);
            if let Some(child) = moves.child {
                let from = match (children.tile(child), &moves.gather) {
                    (Child::Here(tile), None) => TurnFrom::Rows(tile, rows.clone()),
                    (child, gather) => {
                        let from = &gather.as_ref().expect("a centre child")[rows.clone()];
                        let parts = match child {
                            Child::Here(tile) => vec![Part::whole(tile, from.len())],
                            Child::Kept(tile) => tile.rows(from, unpacked)?,
                        };
                        places.clear();
                        for part in &parts {
                            let from = &from[part.rows.clone()];
                            places.extend(from.iter().map(|place| place.wrapping_sub(part.first)));
                        }
                        TurnFrom::Parts(parts, places)
                    }
                };
                let panels = children.tile(child).panels();
                self.turn_child(panels, rows.len(), from, turned, gathered);
            }
        }
        blocks.clock.lap(Work::Turn);
        Ok(())
    }

    fn turn_child(
        &self,
        panels: Panels,
        rows: usize,
        from: TurnFrom,
        turned: &mut AlignedWords,
        gathered: &mut AlignedWords,
    ) {
        let to_width = width(rows);
        let to_row = PLANES * to_width;
        let to = turned.room(panels.0.columns * to_row);
        for panel in 0..panels.count() {
            let from_width = panels.width(panel);
            let from = match &from {
                TurnFrom::Rows(child, rows) => child.rows(panel, rows.clone()),
                TurnFrom::Parts(parts, places) => {
                    let row = PLANES * from_width;
                    let gathered = gathered.room(rows * row);
                    if parts.is_empty() {
                        gathered.fill(Fold::of(self.mover).won());
                    }
                    for part in parts {
                        let to = &mut gathered[part.rows.start * row..part.rows.end * row];
                        let places = &places[part.rows.clone()];
                        let rows = part.block.panel(panel);
                        let children = Children { rows, places, per_row: 1 };
                        fold(self.cpu, Fold::of(self.mover), from_width, false, to, children);
                    }
                    gathered
                }
            };
            let columns = panels.columns(panel);
            let to = &mut to[columns.start * to_row..columns.end * to_row];
            turn(self.cpu, from_width, from, to_width, to);
        }
    }

    /// Folds the turned children of a block by its columns and turns the result
    /// back. Whether there are any.
    fn fold_columns(
        &self,
        plan: &Plan,
        panels: Panels,
        panel: usize,
        rows: usize,
        to: &mut [u64],
        blocks: &mut Blocks,
    ) -> bool {
        let columns = panels.columns(panel);
        let from_width = width(rows);
        let Blocks { turned, folded, clock, .. } = blocks;
        let folded = folded.room(columns.len() * PLANES * from_width);
        for (number, (moves, turned)) in plan.by_columns.iter().zip(turned).enumerate() {
            let from = turned.as_slice();
            self.fold(from_width, number > 0, folded, moves, from, columns.clone());
        }
        clock.lap(Work::Fold);
        let any = !plan.by_columns.is_empty();
        if any {
            turn(self.cpu, from_width, folded, panels.width(panel), to);
            clock.lap(Work::Turn);
        }
        any
    }

    fn fold(
        &self,
        width: usize,
        keep: bool,
        to: &mut [u64],
        moves: &Moves,
        from: &[u64],
        rows: Range<usize>,
    ) {
        let per_row = moves.per_row;
        let places = &moves.places[rows.start * per_row..rows.end * per_row];
        let children = Children { rows: from, places, per_row };
        fold(self.cpu, Fold::of(self.mover), width, keep, to, children);
    }

    fn finish(
        &self,
        panels: Panels,
        panel: usize,
        rows: Range<usize>,
        words: &mut [u64],
        masks: &TileMasks,
    ) -> Tally {
        let to = &mut words[panels.words_of_rows(panel, rows.clone())];
        let won = Fold::of(self.mover.other()).won();
        finish(self.cpu, panels.width(panel), to, masks.of(panels, panel, rows, won))
    }
}

/// The rows of a child that are to be turned.
enum TurnFrom<'a> {
    /// So many rows, one after the other.
    Rows(PanelTile<'a>, Range<usize>),
    /// Rows of one or more blocks, and their places there.
    Parts(Vec<Part<'a>>, &'a [u32]),
}

/// The first player holds everywhere and wins nowhere.
fn fill_with_draws(panels: Panels, words: &mut [u64]) {
    for panel in 0..panels.count() {
        let width = panels.width(panel);
        for row in words[panels.words_of(panel)].chunks_exact_mut(PLANES * width) {
            let (wins, holds) = row.split_at_mut(width);
            wins.fill(0);
            holds.fill(u64::MAX);
        }
    }
}
