//! A solved tile, as it is shown to those who look on.

use crate::board::{Outcome, Player, Tier};
use crate::index::Tile;

use super::aligned::AlignedWords;
use super::crossing::CrossingLines;
use super::kernels::{Fold, quieten};
use super::panels::PanelTile;
use super::quiet::TileThreats;
use super::step::{Scratch, Step};

/// The outcomes of a tile, while they are in memory.
pub struct SolvedTile<'a> {
    pub(super) tier: Tier,
    pub(super) tile: Tile,
    pub(super) outcomes: PanelTile<'a>,
    pub(super) step: &'a Step<'a>,
    pub(super) scratch: &'a mut Scratch,
}

/// Memory to show the quiet cells of a tile.
#[derive(Default)]
pub(super) struct Shown {
    threats: TileThreats,
    rows: AlignedWords,
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
        self.outcomes.panels.0.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.outcomes.panels.0.columns
    }

    /// The outcome in a cell, for the mover. Cells that no game reaches have one
    /// too, without a meaning; a cell with a four of the last mover is a loss.
    pub fn outcome(&self, row: usize, column: usize) -> Outcome {
        outcome_of(self.outcomes.bits(row, column), self.tier.mover())
    }

    /// Shows the outcomes of all quiet cells, panel by panel of 512 columns and
    /// in a panel `rows` by `rows`: for each row the cells that the first player
    /// wins, then those in which he does not lose. All other cells are 0.
    ///
    /// A cell is quiet if it is live and neither player could complete a four
    /// with a single stone.
    pub fn show_quiet<E>(
        &mut self,
        rows: usize,
        mut show: impl FnMut(&[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Step { source, sides, cpu, mover, .. } = *self.step;
        let PanelTile { panels, .. } = self.outcomes;
        let demands = CrossingLines::of(source.index.census().split()).demands();
        let Scratch { masks, shown: Shown { threats, rows: memory }, .. } = self.scratch;
        threats.prepare(source, sides, self.tile, panels);
        let won = Fold::of(mover.other()).won();
        for panel in 0..panels.count() {
            for start in (0..panels.0.rows).step_by(rows) {
                let rows = start..(start + rows).min(panels.0.rows);
                let from = self.outcomes.rows(panel, rows.clone());
                let to = memory.room(from.len());
                let finish = masks.of(panels, panel, rows.clone(), won);
                let threats = threats.of(panels, panel, rows, demands);
                quieten(cpu, panels.width(panel), from, to, finish, threats);
                show(to)?;
            }
        }
        Ok(())
    }
}

/// The outcome for the mover of a cell with these bits: the first player wins,
/// the first player holds.
pub(super) fn outcome_of(bits: [bool; 2], mover: Player) -> Outcome {
    let first = match bits {
        [true, _] => Outcome::Win,
        [false, true] => Outcome::Draw,
        [false, false] => Outcome::Loss,
    };
    if mover == Player::First { first } else { first.for_other() }
}
