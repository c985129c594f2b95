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
//! goes the same way: those of the 512 rows that the child has are unpacked and put
//! where ours are, the child is turned, and its rows are folded by the columns that
//! it has.
//!
//! Where only the mirror image of a left or of a centre child is stored, its
//! rows are our columns, and one turn brings them in place.
//!
//! A child that its own mover wins at once has no cell. It would change nothing:
//! the player who moves there takes what is worst for us. What *we* win at once
//! across the centre is written in at the end, so it does not matter that such
//! children, too, may have no cell.

use crate::board::Player;
use crate::cpu::Cpu;
use crate::files::sealed::WorkingFileError;
use crate::index::{Census, Tile};

use crate::sweep::bits::{AlignedWords, DepositWord, Panels, Planes, Pool};
use crate::sweep::kernels::{CellCounts, Fold};
use crate::sweep::states::OrderTypes;
use crate::sweep::work::{Clock, Work};

use super::TileOutcomes;
use super::centre::CentreSides;
use super::children::{MovePlan, NextTier, is_won_in_the_centre};
use super::folding::{Blocks, Folding, finish_rows};
use super::masks::{Labelling, TileLabels, TileMasks};

/// Memory of a thread, reused from tile to tile.
#[derive(Default)]
pub(in crate::sweep) struct Scratch {
    pub labelling: Labelling,
    pub masks: TileMasks,
    pub shown: Shown,
    /// Measures what the thread spends its time on.
    pub clock: Clock,
}

/// Memory to show the quiet cells of a tile.
#[derive(Default)]
pub(in crate::sweep) struct Shown {
    /// Quiet cells of some rows, of two panels.
    pub quiet: [AlignedWords; 2],
    pub words: Vec<DepositWord>,
    pub rows: AlignedWords,
}

/// The step to one tier of a centre from the next.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct Step<'a> {
    pub census: &'a Census,
    pub order_types: &'a OrderTypes,
    pub sides: &'a CentreSides,
    pub cpu: Cpu,
    /// The next tier; `None` at the end of games.
    pub children: Option<&'a NextTier<'a>>,
    pub mover: Player,
    pub planes: Planes,
    /// For each thread that is folding.
    pub blocks: &'a Pool<Box<Blocks>>,
    /// Threads share a tile of more words than this.
    pub share: usize,
}

impl Step<'_> {
    /// Computes and counts the outcomes of a tile.
    pub(crate) fn solve(
        &self,
        out: TileOutcomes,
        scratch: &mut Scratch,
    ) -> Result<CellCounts, WorkingFileError> {
        let count = self.solve_planes(out, scratch)?;
        // One plane alone has no draws.
        Ok(match self.planes {
            Planes::Both => count,
            Planes::Wins | Planes::Holds => CellCounts { first_holds: count.first_wins, ..count },
        })
    }

    fn solve_planes(
        &self,
        out: TileOutcomes,
        scratch: &mut Scratch,
    ) -> Result<CellCounts, WorkingFileError> {
        let TileOutcomes { tile, panels, words } = out;
        if words.is_empty() {
            return Ok(CellCounts::default());
        }
        scratch.clock.start();
        let labels = self.labels(tile, panels, &mut scratch.labelling);
        scratch.masks.prepare(self.order_types, &self.sides.left().labels, labels);
        scratch.clock.lap(Work::Masks);
        let is_won = is_won_in_the_centre(self.census, self.sides, tile, self.mover);
        match self.children {
            _ if is_won => words.fill(Fold::of(self.mover).won()),
            None => fill_with_draws(self.planes, panels, words),
            Some(children) => {
                let plan = MovePlan::make(self.census, self.sides, tile, self.mover, children)?;
                let Scratch { masks, clock, .. } = scratch;
                let Step { cpu, blocks, share, .. } = *self;
                let folding = Folding { cpu, panels, labels, plan: &plan, masks, blocks, share };
                return folding.tile(words, clock);
            }
        }
        let finish = |panel| {
            let to = &mut words[panels.words_of(panel)];
            finish_rows(self.cpu, labels, panel, 0..panels.shape.rows, to, &scratch.masks)
        };
        let tally = (0..panels.count()).map(finish).fold(CellCounts::default(), CellCounts::plus);
        scratch.clock.lap(Work::Finish);
        Ok(tally)
    }

    /// The labels that the bit rows of a tile are made of.
    pub(crate) fn labels(
        &self,
        tile: Tile,
        panels: Panels,
        labelling: &mut Labelling,
    ) -> TileLabels<'_> {
        let Step { sides, mover, .. } = *self;
        let rows = sides.left().rows(tile.left, mover, labelling);
        let columns = sides.columns(self.order_types, tile.right, mover, labelling);
        TileLabels { tile, panels, mover, rows, columns }
    }
}

/// The first player holds everywhere and wins nowhere.
fn fill_with_draws(planes: Planes, panels: Panels, words: &mut [u64]) {
    for panel in 0..panels.count() {
        let rows = words[panels.words_of(panel)].chunks_exact_mut(panels.width(panel));
        let drawn = planes.drawn().iter().cycle();
        rows.zip(drawn).for_each(|(plane, drawn)| plane.fill(*drawn));
    }
}
