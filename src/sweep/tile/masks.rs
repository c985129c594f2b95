//! The bit rows of a tile: which right sides complete a four with a left side,
//! which do so with one more stone, and which make a board with it that can be filled. One
//! row for each kind of demands, reach and move-order type that the tile has, panel by panel.

use std::ops::Range;

use crate::board::Player;
use crate::index::Tile;

use crate::sweep::bits::Panels;
use crate::sweep::kernels::Finish;
use crate::sweep::states::{OrderTypes, RowLabels, SideLabels};

use super::centre::CentreSides;
use super::columns::{ColumnBits, Labelling, When, of_panel};

/// The bit rows of a tile, in memory that is reused from tile to tile.
#[derive(Default)]
pub(in crate::sweep) struct TileMasks {
    /// For each panel and kind of demands, the columns that complete a four of either player.
    fours: Vec<u64>,
    /// By player, for each panel and reach: the columns with which one more stone of
    /// that player completes a four.
    within_reach: [Vec<u64>; 2],
    /// For each panel and type.
    fillable: Vec<u64>,
}

/// What the bit rows of a tile are made of.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct TileLabels<'a> {
    pub tile: Tile,
    pub panels: Panels,
    pub mover: Player,
    rows: &'a RowLabels,
    columns: &'a ColumnBits,
}

impl<'a> TileLabels<'a> {
    pub(crate) fn new(
        order_types: &OrderTypes,
        sides: &'a CentreSides,
        tile: Tile,
        panels: Panels,
        mover: Player,
        labelling: &mut Labelling,
    ) -> TileLabels<'a> {
        let rows = sides.left().rows(tile.left, mover, labelling);
        let columns = sides.columns(order_types, tile.right, mover, labelling);
        TileLabels { tile, panels, mover, rows, columns }
    }
}

impl TileMasks {
    /// Makes the bit rows of another tile.
    pub(crate) fn prepare(
        &mut self,
        order_types: &OrderTypes,
        of_left: &SideLabels,
        tile: TileLabels,
    ) {
        self.fours.clear();
        self.fillable.clear();
        for panel in 0..tile.panels.count() {
            match tile.panels.width(panel) {
                1 => self.add_panel::<1>(order_types, of_left, tile, panel),
                2 => self.add_panel::<2>(order_types, of_left, tile, panel),
                4 => self.add_panel::<4>(order_types, of_left, tile, panel),
                _ => self.add_panel::<8>(order_types, of_left, tile, panel),
            }
        }
        self.find_within_reach(of_left, tile, tile.rows, tile.mover);
    }

    /// Makes the bit rows of what the player who is not to move has within reach from the free
    /// states of a prepared tile. Returns the labels of these as rows.
    pub(crate) fn prepare_quiet<'a>(
        &mut self,
        sides: &'a CentreSides,
        tile: TileLabels,
        labelling: &mut Labelling,
    ) -> &'a RowLabels {
        let (left, waiting) = (sides.left(), tile.mover.other());
        let rows = left.rows(tile.tile.left, waiting, labelling);
        self.find_within_reach(&left.labels, tile, rows, waiting);
        rows
    }

    /// The masks that finish some rows of a panel.
    pub(crate) fn of<'m>(
        &'m self,
        tile: TileLabels<'m>,
        panel: usize,
        rows: Range<usize>,
    ) -> Finish<'m> {
        let TileLabels { panels, mover, rows: labels, columns, .. } = tile;
        let (demands, reaches, types) = (labels.demands(), labels.reaches(), labels.types());
        let within_reach = &self.within_reach[mover.index()];
        Finish {
            fours: of_panel(&self.fours, demands.labels.len(), panels, panel),
            within_reach: of_panel(within_reach, reaches.labels.len(), panels, panel),
            fillable: of_panel(&self.fillable, types.labels.len(), panels, panel),
            columns: columns.columns(panels, panel),
            demands: &demands.numbers[rows.clone()],
            reaches: &reaches.numbers[rows.clone()],
            types: &types.numbers[rows],
        }
    }

    /// The reach of the player who is not to move, from some free rows of a panel, given all
    /// labels: the columns of each label, and the label of each row.
    pub(crate) fn waiting<'m>(
        &'m self,
        tile: TileLabels,
        labels: &'m RowLabels,
        panel: usize,
        rows: Range<usize>,
    ) -> (&'m [u64], &'m [u32]) {
        let reaches = labels.reaches();
        let within_reach = &self.within_reach[tile.mover.other().index()];
        let within_reach = of_panel(within_reach, reaches.labels.len(), tile.panels, panel);
        (within_reach, &reaches.numbers[rows])
    }

    fn add_panel<const N: usize>(
        &mut self,
        order_types: &OrderTypes,
        of_left: &SideLabels,
        tile: TileLabels,
        panel: usize,
    ) {
        let TileLabels { rows, columns, .. } = tile;
        let met = columns.met(tile.panels, panel);
        for demands in rows.demands().labels {
            let [first, second] = of_left.fronts.demands(*demands);
            let demanded = [(When::Now, Player::First, first), (When::Now, Player::Second, second)];
            self.fours.extend(met.any::<N>(demanded));
        }
        let by_rest = columns.by_rest(tile.panels, panel);
        // The first player is to move where the number of stones is even.
        let is_odd = tile.mover == Player::Second;
        for number in rows.types().labels {
            let answers = order_types.answers(tile.tile.left, *number, is_odd);
            self.fillable.extend(by_rest.fillable::<N>(answers));
        }
    }

    fn find_within_reach(
        &mut self,
        of_left: &SideLabels,
        tile: TileLabels,
        rows: &RowLabels,
        player: Player,
    ) {
        let TileLabels { panels, columns, .. } = tile;
        let within_reach = &mut self.within_reach[player.index()];
        within_reach.clear();
        for panel in 0..panels.count() {
            let met = columns.met(panels, panel);
            for reach in rows.reaches().labels {
                let [here, there] = of_left.fronts.reach(player, *reach);
                let demanded = [(When::Now, player, here), (When::After, player, there)];
                match panels.width(panel) {
                    1 => within_reach.extend(met.any::<1>(demanded)),
                    2 => within_reach.extend(met.any::<2>(demanded)),
                    4 => within_reach.extend(met.any::<4>(demanded)),
                    _ => within_reach.extend(met.any::<8>(demanded)),
                }
            }
        }
    }
}
