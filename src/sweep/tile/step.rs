//! The backward step: the outcomes of a tile from those of its children. Observers receive the
//! solved tile: to write tables, to keep it, to compare it.
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

use crate::board::{Outcome, Player, Tier};
use crate::cpu::Cpu;
use crate::files::sealed::WorkingFileError;
use crate::index::{Census, CentreId, Tile};

use crate::sweep::bits::{
    AlignedWords, DepositWord, PANEL, PLANES, PanelTile, Panels, Planes, Pool, WINDOW, block,
    deposit_words, first_columns, first_free, width,
};
use crate::sweep::kernels::{CellCounts, Finish, Fold, deposit, quieten};
use crate::sweep::states::OrderTypes;
use crate::sweep::work::{Clock, Work};

use super::TileOutcomes;
use super::centre::{CentreSides, MovePlan, NextTier, is_won_in_the_centre};
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

/// The outcomes of a tile, while they are in memory.
pub struct SolvedTile<'a> {
    pub(in crate::sweep) tier: Tier,
    pub(in crate::sweep) tile: Tile,
    pub(in crate::sweep) outcomes: PanelTile<'a>,
    pub(in crate::sweep) step: &'a Step<'a>,
    pub(in crate::sweep) scratch: &'a mut Scratch,
}

impl SolvedTile<'_> {
    /// The tier.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The tile.
    pub fn tile(&self) -> Tile {
        self.tile
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.step.census.tile_rows(self.tile)
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.step.census.tile_columns(self.tile)
    }

    /// The outcome in a cell, for the mover. Cells that no game reaches have one
    /// too, which means nothing.
    pub fn outcome(&self, row: usize, column: usize) -> Outcome {
        let (sides, mover) = (self.step.sides, self.step.mover);
        let row = sides.left().order().place(self.tile.left, row, mover);
        let column = sides.right().order().place(self.tile.right, column, mover);
        match row.zip(column) {
            // One side and the centre decide it.
            None => Outcome::Win,
            Some((row, column)) => {
                outcome_of(self.outcomes.bits(row as usize, column as usize), mover)
            }
        }
    }

    /// Shows the outcomes of all quiet cells, panel by panel of 512 columns, and
    /// in each panel `rows` rows at a time: for each row the cells that the first
    /// player wins, then those that this player does not lose. All other cells are 0.
    ///
    /// A cell is quiet if it is live and neither player could complete a four
    /// with a single stone.
    pub(crate) fn show_quiet<E>(
        &mut self,
        rows: usize,
        mut show: impl FnMut(&[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Step { sides, cpu, .. } = *self.step;
        let (all_rows, all_columns) = (self.rows(), self.columns());
        let (tile, outcomes) = (self.tile, self.outcomes);
        let [left, right] = [(sides.left(), tile.left), (sides.right(), tile.right)]
            .map(|(side, class)| &side.order().all_numbers(class)[..side.order().free(class)]);
        let Scratch { masks, labelling, shown: Shown { quiet, words, rows: memory }, .. } =
            self.scratch;
        let panels = outcomes.panels;
        let labels = self.step.labels(tile, panels, labelling);
        let waiting = sides.left().rows(tile.left, labels.mover.other(), labelling);
        masks.prepare_quiet(&sides.left().labels, labels, waiting);
        for panel in 0..all_columns.div_ceil(PANEL) {
            let columns = block(all_columns, panel);
            let width = width(columns.len());
            let from = first_free(right, columns.start)..first_free(right, columns.end);
            deposit_words(columns, width, right, words);
            for start in (0..all_rows).step_by(rows) {
                let rows = start..(start + rows).min(all_rows);
                let to = memory.resize(rows.len() * PLANES * width);
                to.fill(0);
                let free = first_free(left, rows.start)..first_free(left, rows.end);
                if from.is_empty() || free.is_empty() {
                    show(to)?;
                    continue;
                }
                // The window begins with a panel of the tile, and ends in the next one at most.
                let panels_here = from.start / PANEL..from.end.div_ceil(PANEL);
                for (quiet, panel) in quiet.iter_mut().zip(panels_here.clone()) {
                    let from = outcomes.rows(panel, free.clone());
                    let columns = first_columns(right.len().saturating_sub(panel * PANEL));
                    let with = masks.of(labels, panel, free.clone());
                    let with = Finish { columns: &columns[..panels.width(panel)], ..with };
                    let waiting = masks.waiting(labels, waiting, panel, free.clone());
                    let to = quiet.resize(from.len());
                    quieten(cpu, panels.width(panel), from, to, with, waiting);
                }
                for (row, number) in left[free].iter().enumerate() {
                    let mut window = [[0; WINDOW]; PLANES];
                    let mut at = 0;
                    for (quiet, panel) in quiet.iter().zip(panels_here.clone()) {
                        let width = panels.width(panel);
                        let words = &quiet.as_slice()[row * PLANES * width..][..PLANES * width];
                        for (window, words) in window.iter_mut().zip(words.chunks_exact(width)) {
                            window[at..at + width].copy_from_slice(words);
                        }
                        at += width;
                    }
                    let row = *number as usize - start;
                    deposit(cpu, &window, &mut to[row * PLANES * width..][..PLANES * width], words);
                }
                show(to)?;
            }
        }
        Ok(())
    }
}

/// The outcome, for the mover, in a cell with these bits: the first player wins,
/// the first player holds.
pub(super) fn outcome_of(bits: [bool; 2], mover: Player) -> Outcome {
    let first = match bits {
        [true, _] => Outcome::Win,
        [false, true] => Outcome::Draw,
        [false, false] => Outcome::Loss,
    };
    if mover == Player::First { first } else { first.for_other() }
}

/// Receives every tile once it is solved.
pub trait Observer: Sync {
    /// The error that an observer may return.
    type Error: Send + From<WorkingFileError>;

    /// A tile has been solved; called from any thread.
    fn solved(&self, tile: SolvedTile) -> Result<(), Self::Error>;

    /// All tiles of a centre in this tier have been solved.
    fn tier_is_done(&self, _centre: CentreId, _tier: Tier) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Some centres have been solved since the last call, so that what waits is worth writing.
    /// Called from any thread, while others may go on.
    fn flush(&self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Ignores everything.
impl Observer for () {
    type Error = WorkingFileError;

    fn solved(&self, _tile: SolvedTile) -> Result<(), WorkingFileError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};
    use std::sync::Mutex;

    use crate::board::{Position, can_be_emptied, has_four};
    use crate::cpu::Cpu;
    use crate::index::{Cell, Index};

    use crate::sweep::bits::{MatrixShape, Panels};
    use crate::sweep::drivers::{End, MemorySweep};
    use crate::sweep::states::Scope;
    use crate::sweep::work::Extent;

    use super::*;

    /// The slow twin: a stone at a time.
    fn is_quiet(position: &Position) -> bool {
        let board = position.board();
        let stones = Player::BOTH.map(|player| position.stones(player));
        let four = |player: Player, stone: u64| has_four(board, stones[player.index()] | stone);
        let bit = |column| position.occupied() ^ position.play_unchecked(column).occupied();
        let open = board.columns().filter(|column| position.has_room(*column)).map(bit);
        let mut threats = open.flat_map(|cell| Player::BOTH.map(|player| four(player, cell)));
        !Player::BOTH.iter().any(|player| four(*player, 0))
            && can_be_emptied(position)
            && !threats.any(|threat| threat)
    }

    /// Which cells of each tile are quiet, row by row; the same for every sweep of a board.
    type Quiet = HashMap<(Tier, Tile), Vec<bool>>;

    fn quiet_cells(index: &Index) -> Quiet {
        let census = index.census();
        let tiles =
            census.tiers().flat_map(|tier| census.tiles(tier).map(move |tile| (tier, tile)));
        let quiet = |(tier, tile)| {
            let (rows, columns) = (census.tile_rows(tile), census.tile_columns(tile));
            let cells = (0..rows).flat_map(|r| (0..columns).map(move |c| (r as u32, c as u32)));
            let cells = cells.map(|(row, column)| Cell { tile, row, column });
            ((tier, tile), cells.map(|cell| is_quiet(&index.unrank(cell))).collect())
        };
        tiles.map(quiet).collect()
    }

    struct Check<'a> {
        index: &'a Index,
        quiet: &'a Quiet,
        rows: usize,
        seen: Mutex<HashSet<(Tier, Tile)>>,
    }

    impl Observer for Check<'_> {
        type Error = WorkingFileError;

        fn solved(&self, mut tile: SolvedTile) -> Result<(), WorkingFileError> {
            let Check { index, quiet, rows, seen } = self;
            let quiet = &quiet[&(tile.tier(), tile.tile())];
            seen.lock().unwrap().insert((tile.tier(), tile.tile()));
            let shape = MatrixShape { rows: tile.rows(), columns: tile.columns() };
            let panels = Panels::of_both(shape);
            let blocks = tile.rows().div_ceil(*rows);
            let mut shown = Vec::new();
            tile.show_quiet(*rows, |words| {
                shown.push(words.to_vec());
                Ok::<(), WorkingFileError>(())
            })?;
            assert_eq!(shown.len(), blocks * panels.count());
            for (row, column) in
                (0..tile.rows()).flat_map(|r| (0..tile.columns()).map(move |c| (r, c)))
            {
                let cell = Cell { tile: tile.tile(), row: row as u32, column: column as u32 };
                let width = panels.width(column / PANEL);
                let words = &shown[column / PANEL * blocks + row / rows];
                let words = &words[row % rows * 2 * width..][..2 * width];
                let column_bit = |plane: usize| {
                    words[plane * width + column % PANEL / 64] >> (column % 64) & 1 == 1
                };
                let expected = if quiet[row * tile.columns() + column] {
                    let outcome = tile.outcome(row, column);
                    let first = tile.tier().mover() == Player::First;
                    let outcome = if first { outcome } else { outcome.for_other() };
                    [outcome == Outcome::Win, outcome != Outcome::Loss]
                } else {
                    [false; 2]
                };
                let found = [column_bit(0), column_bit(1)];
                assert_eq!(found, expected, "{cell:?}\n{}", index.unrank(cell));
            }
            Ok(())
        }
    }

    #[test]
    fn quiet_cells_and_no_others_are_shown() {
        let boards = [("4x4", 3), ("7x2", 5), ("3x4", 7), ("5x3", 256), ("2x5", 2), ("1x6", 4)];
        quiet_cells_and_no_others_are_shown_of(boards);
    }

    #[test]
    #[ignore = "takes minutes: make test-long"]
    fn quiet_cells_and_no_others_are_shown_of_larger_boards() {
        quiet_cells_and_no_others_are_shown_of([("5x4", 256), ("6x3", 16), ("4x5", 64)]);
    }

    /// Boards, each with the number of rows shown at a time.
    fn quiet_cells_and_no_others_are_shown_of<'a>(
        boards: impl IntoIterator<Item = (&'a str, usize)>,
    ) {
        for (board, rows) in boards {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let quiet = quiet_cells(&index);
            for cpu in Cpu::all() {
                for scope in [Scope::InDoubt, Scope::EveryCell] {
                    let extent = Extent::new(index.census(), scope);
                    let mut sweep =
                        MemorySweep::new(&extent, cpu, End::full_board(index.board()), Tier(0))
                            .unwrap();
                    let seen = Mutex::default();
                    let check = Check { index: &index, quiet: &quiet, rows, seen };
                    while sweep.advance(&check).unwrap() {}
                    let census = index.census();
                    let tiles = census.tiers().map(|tier| census.tiles(tier).count());
                    assert_eq!(check.seen.into_inner().unwrap().len(), tiles.sum::<usize>());
                }
            }
        }
    }
}
