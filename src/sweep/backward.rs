//! The backward step: the outcomes of a tier from those of the next one.
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
use std::sync::Mutex;

use rayon::prelude::*;

use crate::board::{Player, Tier};
use crate::index::Index;
use crate::order::{OrderError, Orders, Widths};

use super::aligned::AlignedWords;
use super::kernels::{Children, Cpu, Fold, Tally, finish, fold, turn};
use super::labels::Labels;
use super::masks::{MaskSource, TileMasks};
use super::outcomes::{Outcomes, TileOutcomes};
use super::panels::{PANEL, PLANES, PanelTile, Panels, block, width};
use super::plan::{Moves, Plan, Ways};

/// The live positions of a tier by their outcome for the mover, mirror images
/// counted as two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OutcomeCounts {
    /// The mover wins.
    pub won: u64,
    /// Nobody does.
    pub drawn: u64,
    /// The other player wins.
    pub lost: u64,
}

impl OutcomeCounts {
    fn of(tally: Tally, mover: Player) -> OutcomeCounts {
        let Tally { first_wins, first_holds, live } = tally;
        let (won, lost) = match mover {
            Player::First => (first_wins, live - first_holds),
            Player::Second => (live - first_holds, first_wins),
        };
        OutcomeCounts { won, drawn: first_holds - first_wins, lost }
    }

    /// All live positions.
    pub fn live(&self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

/// The outcomes of one tier after the other, from the full board down.
///
/// ```
/// use strong4::board::{Board, Tier};
/// use strong4::index::Index;
/// use strong4::sweep::{BackwardSweep, Cpu};
///
/// let index = Index::new(Board::new(4, 4)?)?;
/// let mut sweep = BackwardSweep::new(&index, Cpu::widest())?;
/// while sweep.advance() {}
/// assert_eq!(sweep.outcomes().tier(), Tier(0));
/// assert_eq!(sweep.counts().drawn, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BackwardSweep<'a> {
    index: &'a Index,
    orders: Orders,
    labels: Labels,
    cpu: Cpu,
    /// The tier that the sweep has come to, and the memory for the one before it.
    outcomes: Outcomes<'a>,
    spare: Outcomes<'a>,
    counts: OutcomeCounts,
    /// One for each thread.
    scratch: Vec<Mutex<Scratch>>,
}

impl<'a> BackwardSweep<'a> {
    /// The sweep at the last tier, in which boards are full.
    pub fn new(index: &'a Index, cpu: Cpu) -> Result<BackwardSweep<'a>, OrderError> {
        let board = index.board();
        let (sides, centre) =
            (index.census().split().side_width(), index.census().split().centre_width());
        let widths = Widths { left: sides, centre, right: sides };
        let orders = Orders::new(board, widths, board.last_tier())?;
        let labels = Labels::new(index, &orders);
        let parity = |odd: usize| {
            let tiers = index.census().tiers().filter(move |tier| tier.stones() % 2 == odd);
            Outcomes::with_room_for(index.census(), tiers)
        };
        let (even, odd) = (parity(0), parity(1));
        let last_is_even = board.last_tier().stones().is_multiple_of(2);
        let (spare, outcomes) = if last_is_even { (even, odd) } else { (odd, even) };
        let scratch = (0..rayon::current_num_threads()).map(|_| Mutex::default()).collect();
        let counts = OutcomeCounts::default();
        let mut sweep =
            BackwardSweep { index, orders, labels, cpu, outcomes, spare, counts, scratch };
        sweep.solve(board.last_tier(), false);
        Ok(sweep)
    }

    /// The outcomes of the tier that the sweep has come to.
    pub fn outcomes(&self) -> &Outcomes<'a> {
        &self.outcomes
    }

    /// The outcomes of the tier after it, which the sweep came from.
    pub fn next_outcomes(&self) -> Option<&Outcomes<'a>> {
        (self.outcomes.tier() != self.index.board().last_tier()).then_some(&self.spare)
    }

    /// How many live positions of the tier have which outcome.
    pub fn counts(&self) -> OutcomeCounts {
        self.counts
    }

    /// Goes on to the tier before, if there is one.
    pub fn advance(&mut self) -> bool {
        let Some(stones) = self.outcomes.tier().0.checked_sub(1) else { return false };
        self.solve(Tier(stones), true);
        true
    }

    fn solve(&mut self, tier: Tier, has_children: bool) {
        let step = Step {
            source: MaskSource { index: self.index, orders: &self.orders, labels: &self.labels },
            cpu: self.cpu,
            children: has_children.then_some(&self.outcomes),
            mover: tier.mover(),
        };
        let scratch = &self.scratch;
        let tally = self
            .spare
            .reset(tier)
            .into_iter()
            // Hands out one tile after the other, so the largest go first.
            .par_bridge()
            .map(|tile| {
                let thread = rayon::current_thread_index().unwrap_or(0) % scratch.len();
                let scratch = &mut *scratch[thread].lock().expect("no thread has panicked");
                let images = step.source.index.census().tile_images(tile.tile);
                step.solve(tile, scratch).times(images)
            })
            .reduce(Tally::default, Tally::plus);
        self.counts = OutcomeCounts::of(tally, tier.mover());
        std::mem::swap(&mut self.outcomes, &mut self.spare);
    }
}

/// Memory of a thread, which serves one tile after the other.
#[derive(Default)]
struct Scratch {
    masks: TileMasks,
    plan: Plan,
    blocks: Blocks,
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
}

/// One tier from the next.
struct Step<'a> {
    source: MaskSource<'a>,
    cpu: Cpu,
    /// The next tier; none after the last one.
    children: Option<&'a Outcomes<'a>>,
    mover: Player,
}

impl Step<'_> {
    /// Finds the outcomes of a tile and counts them.
    fn solve(&self, out: TileOutcomes, scratch: &mut Scratch) -> Tally {
        let TileOutcomes { tile, panels, words } = out;
        let Scratch { masks, plan, blocks } = scratch;
        masks.prepare(self.source, tile, panels, self.mover.other());
        match self.children {
            None => fill_with_draws(panels, words),
            Some(children) => match plan.make(self.source.index, tile, self.mover) {
                Ways::EveryCellWins => words.fill(Fold::of(self.mover).won()),
                Ways::Fold => return self.fold_tile(panels, words, children, plan, masks, blocks),
            },
        }
        let finish = |panel| self.finish(panels, panel, 0..panels.0.rows, words, masks);
        (0..panels.count()).map(finish).fold(Tally::default(), Tally::plus)
    }

    fn fold_tile(
        &self,
        panels: Panels,
        words: &mut [u64],
        children: &Outcomes,
        plan: &Plan,
        masks: &TileMasks,
        blocks: &mut Blocks,
    ) -> Tally {
        let all_rows = panels.0.rows;
        let mut tally = Tally::default();
        for rows in (0..all_rows.div_ceil(PANEL)).map(|number| block(all_rows, number)) {
            self.turn_children(&plan.by_columns, children, rows.clone(), blocks);
            for panel in 0..panels.count() {
                let to = &mut words[panels.words_of_rows(panel, rows.clone())];
                let mut keep = self.fold_columns(plan, panels, panel, rows.len(), to, blocks);
                for moves in &plan.as_stored {
                    let from =
                        moves.child.map_or(&[][..], |child| children.tile(child).panel(panel));
                    self.fold(panels.width(panel), keep, to, moves, from, rows.clone());
                    keep = true;
                }
                if plan.by_rows.is_empty() {
                    tally = tally.plus(self.finish(panels, panel, rows.clone(), words, masks));
                }
            }
        }
        if !plan.by_rows.is_empty() {
            for panel in 0..panels.count() {
                self.turn_children(&plan.by_rows, children, panels.columns(panel), blocks);
                let to = &mut words[panels.words_of(panel)];
                let mut keep = !(plan.by_columns.is_empty() && plan.as_stored.is_empty());
                for (moves, turned) in plan.by_rows.iter().zip(&blocks.turned) {
                    let from = turned.as_slice();
                    self.fold(panels.width(panel), keep, to, moves, from, 0..all_rows);
                    keep = true;
                }
                tally = tally.plus(self.finish(panels, panel, 0..all_rows, words, masks));
            }
        }
        tally
    }

    /// Turns so many rows of the children of all these moves, by the places that
    /// the rows have in a tile whose rows the children share.
    fn turn_children(
        &self,
        all: &[Moves],
        children: &Outcomes,
        rows: Range<usize>,
        blocks: &mut Blocks,
    ) {
        blocks.turned.resize_with(all.len().max(blocks.turned.len()), AlignedWords::default);
        for (moves, turned) in all.iter().zip(&mut blocks.turned) {
            turned.room(0);
            if let Some(child) = moves.child {
                let child = children.tile(child);
                self.turn_child(moves, child, rows.clone(), turned, &mut blocks.gathered);
            }
        }
    }

    fn turn_child(
        &self,
        moves: &Moves,
        child: PanelTile,
        rows: Range<usize>,
        turned: &mut AlignedWords,
        gathered: &mut AlignedWords,
    ) {
        let to_width = width(rows.len());
        let to_row = PLANES * to_width;
        let to = turned.room(child.panels.0.columns * to_row);
        for panel in 0..child.panels.count() {
            let from_width = child.panels.width(panel);
            let from = match &moves.gather {
                None => child.rows(panel, rows.clone()),
                Some(places) => {
                    let to = gathered.room(rows.len() * PLANES * from_width);
                    let places = &places[rows.clone()];
                    let children = Children { rows: child.panel(panel), places, per_row: 1 };
                    fold(self.cpu, Fold::of(self.mover), from_width, false, to, children);
                    to
                }
            };
            let columns = child.panels.columns(panel);
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
        let Blocks { turned, folded, .. } = blocks;
        let folded = folded.room(columns.len() * PLANES * from_width);
        for (number, (moves, turned)) in plan.by_columns.iter().zip(turned).enumerate() {
            let from = turned.as_slice();
            self.fold(from_width, number > 0, folded, moves, from, columns.clone());
        }
        let any = !plan.by_columns.is_empty();
        if any {
            turn(self.cpu, from_width, folded, panels.width(panel), to);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_the_kernels_give_the_same_bytes() {
        for board in ["7x3", "6x3", "5x4", "4x5", "3x6", "9x2", "8x2", "12x1", "2x6", "1x9"] {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let sweep = |cpu| BackwardSweep::new(&index, cpu).unwrap();
            let mut sweeps: Vec<BackwardSweep> = Cpu::all().map(sweep).collect();
            loop {
                let (portable, others) = sweeps.split_first().unwrap();
                for other in others {
                    assert_eq!(other.counts(), portable.counts());
                    let tier = portable.outcomes.tier();
                    for tile in index.census().tiles(tier) {
                        let words =
                            |sweep: &BackwardSweep| sweep.outcomes.tile(tile).words.to_vec();
                        assert_eq!(words(other), words(portable), "{tile:?}");
                    }
                }
                if !sweeps.iter_mut().all(BackwardSweep::advance) {
                    break;
                }
            }
        }
    }
}
