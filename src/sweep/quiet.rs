//! Which cells of a tile are quiet: live, and neither player could complete a
//! four with a single stone.
//!
//! What happens in other cells is seen at once: the mover wins, or must answer
//! a threat. So only quiet cells need a place in a table.
//!
//! A stone of a player completes a four in one of these ways, of which the
//! first two depend on one side alone:
//!
//! ```text
//!     on the left, with left and centre     the whole row
//!     on the right, with right and centre   the whole column
//!     in the centre                         rows, columns, or as below
//!     across, last stone on the left        columns that meet what left and
//!            or in the centre               centre demand after it
//!     across, last stone on the right       columns that meet what left and
//!                                           centre demand, after it
//! ```
//!
//! The last two are demands, as in `crossing`: rows carry the numbers of theirs,
//! and there are two bit rows for each demand and player, of the columns that
//! meet it now and of those that meet it after one stone.

use crate::board::Player;
use crate::index::{CentreId, Class, SideState, Tile};

use super::crossing::CrossingLines;
use super::kernels::Threats;
use super::labels::Face;
use super::masks::MaskSource;
use super::panels::{PANEL, Panels};
use super::places::{FOUR, same_states};
use super::side_moves::SideMoves;
use super::transpose::transpose_block;

/// What could complete a four in the cells of a tile, in memory that serves one
/// tile after the other.
#[derive(Default)]
pub(super) struct TileThreats {
    /// For each row, what it demands: of columns as they are, then of columns
    /// after one stone; of the first player's, then of the second player's.
    rows: Vec<[Face; 2]>,
    /// For each row, whether a four is completed whatever the column.
    whole: Vec<bool>,
    /// For each panel: columns where a four is completed whatever the row.
    columns: Vec<u64>,
    /// For each panel, player, and demand: columns that meet it, and those that
    /// do after one stone.
    met: Vec<u64>,

    /// Where states are beside another centre.
    places: Vec<u32>,
    column_wins: Vec<bool>,
    held: Vec<[Face; 2]>,
}

impl TileThreats {
    /// The threats of another tile.
    pub fn prepare(&mut self, source: MaskSource, sides: &SideMoves, tile: Tile, panels: Panels) {
        let census = source.index.census();
        let lines = CrossingLines::of(census.split());
        let (rows, columns) = (panels.0.rows, panels.0.columns);
        self.rows.clear();
        self.rows.resize(rows, Default::default());
        self.whole.clear();
        self.whole.resize(rows, false);
        self.held.clear();
        self.held.resize(columns, Default::default());
        self.column_wins.clear();
        self.column_wins.resize(columns, false);
        let reversed = census.reversed(tile.centre);
        let centre = census.centre(tile.centre);
        let left = source.index.rows(tile.centre, tile.left);
        let right = source.index.rows(reversed, tile.right);
        for player in Player::BOTH {
            let p = player.index();
            for (row, state) in self.rows.iter_mut().zip(left) {
                row[1][p] = lines.demanded(centre, *state, player);
            }
            for (held, state) in self.held.iter_mut().zip(right) {
                held[0][p] = lines.held(*state, player);
            }
            let children = states_after(source, tile.centre, tile.left, player);
            let places = sides.left(tile.left, player).chunks_exact(sides.per_row().max(1));
            for (row, state) in with_states(places, children) {
                match state {
                    Some(state) => self.rows[row][0][p] |= lines.demanded(centre, state, player),
                    None => self.whole[row] = true,
                }
            }
            let children = states_after(source, reversed, tile.right, player);
            let places = sides.right(tile.right, player).chunks_exact(sides.per_row().max(1));
            for (column, state) in with_states(places, children) {
                match state {
                    Some(state) => self.held[column][1][p] |= lines.held(state, player),
                    None => self.column_wins[column] = true,
                }
            }
            self.move_in_centre(source, tile, player);
        }
        self.find_columns(panels);
        self.find_met(lines, panels);
    }

    fn move_in_centre(&mut self, source: MaskSource, tile: Tile, player: Player) {
        let index = source.index;
        let census = index.census();
        let lines = CrossingLines::of(census.split());
        let height = census.board().height();
        for (column, next) in census.centre(tile.centre).after(player, height) {
            if column.has_four() {
                self.whole.fill(true);
                continue;
            }
            // A centre that is in no list is one that no game contains: it is never this
            // player's turn here, so his stone threatens nothing.
            let Some(id) = census.find_centre(next) else { continue };
            let left = index.rows(tile.centre, tile.left);
            let right = index.rows(census.reversed(tile.centre), tile.right);
            same_states(left, index.rows(id, tile.left), &mut self.places);
            for ((row, whole), (place, state)) in
                self.rows.iter_mut().zip(&mut self.whole).zip(self.places.iter().zip(left))
            {
                *whole |= *place == FOUR;
                row[0][player.index()] |= lines.demanded(next, *state, player);
            }
            same_states(right, index.rows(census.reversed(id), tile.right), &mut self.places);
            let wins = self.column_wins.iter_mut().zip(&self.places);
            wins.for_each(|(wins, place)| *wins |= *place == FOUR);
        }
    }

    fn find_columns(&mut self, panels: Panels) {
        self.columns.clear();
        for panel in 0..panels.count() {
            let start = self.columns.len();
            self.columns.resize(start + panels.width(panel), 0);
            for (column, wins) in self.column_wins[panels.columns(panel)].iter().enumerate() {
                self.columns[start + column / 64] |= u64::from(*wins) << (column % 64);
            }
        }
    }

    fn find_met(&mut self, lines: CrossingLines, panels: Panels) {
        self.met.clear();
        for panel in 0..panels.count() {
            let width = panels.width(panel);
            let all = lines.demands() * width;
            let start = self.met.len();
            self.met.resize(start + 4 * all, 0);
            for (word, held) in self.held[panels.columns(panel)].chunks(64).enumerate() {
                for (when, player) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let mut block = [0; 64];
                    let rows = block.iter_mut().zip(held);
                    rows.for_each(|(row, held)| *row = held[when][player]);
                    transpose_block(&mut block);
                    let met = &mut self.met[start + (2 * when + player) * all..][..all];
                    let met = met.iter_mut().skip(word).step_by(width);
                    met.zip(block).for_each(|(met, row)| *met = row);
                }
            }
        }
    }

    /// The threats in some rows of a panel.
    pub fn of(
        &self,
        panels: Panels,
        panel: usize,
        rows: std::ops::Range<usize>,
        demands: usize,
    ) -> Threats<'_> {
        let full = super::panels::width(PANEL);
        let width = panels.width(panel);
        Threats {
            rows: &self.rows[rows.clone()],
            whole: &self.whole[rows],
            columns: &self.columns[panel * full..][..width],
            met: &self.met[panel * 4 * demands * full..][..4 * demands * width],
        }
    }
}

/// For each state, by number, what a stone leads to; nothing where it makes a four.
fn with_states<'a>(
    places: impl Iterator<Item = &'a [u32]>,
    children: &'a [SideState],
) -> impl Iterator<Item = (usize, Option<SideState>)> {
    places.enumerate().flat_map(move |(number, places)| {
        let state = |place: &u32| (*place != FOUR).then(|| children[*place as usize]);
        places.iter().map(move |place| (number, state(place)))
    })
}

/// The states that a stone of this player leads to.
fn states_after<'a>(
    source: MaskSource<'a>,
    centre: CentreId,
    class: Class,
    player: Player,
) -> &'a [SideState] {
    source.index.rows(centre, class.plus(Class::one(player)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Mutex;

    use super::*;
    use crate::board::{Outcome, Position, Tier, TierRange, can_be_emptied, has_four};
    use crate::index::{Cell, CentreId, Index};
    use crate::sweep::{CentreSweep, Cpu, KeptError, Observer, Shelf, SolvedTile};

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

    struct Check<'a>(&'a Index, usize, Mutex<HashSet<(Tier, Tile)>>);

    impl Observer for Check<'_> {
        type Error = KeptError;

        fn solved(&self, mut tile: SolvedTile) -> Result<(), KeptError> {
            let Check(index, rows, seen) = self;
            seen.lock().unwrap().insert((tile.tier(), tile.tile()));
            let panels =
                Panels(crate::sweep::MatrixShape { rows: tile.rows(), columns: tile.columns() });
            let blocks = tile.rows().div_ceil(*rows);
            let mut shown = Vec::new();
            tile.show_quiet(*rows, |words| {
                shown.push(words.to_vec());
                Ok::<(), KeptError>(())
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
                let expected = if is_quiet(&index.unrank(cell)) {
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

        fn tier_is_done(&self, _centre: CentreId, _tier: Tier) -> Result<(), KeptError> {
            Ok(())
        }
    }

    #[test]
    fn quiet_cells_and_no_others_are_shown() {
        for (board, rows) in [
            ("5x4", 256),
            ("4x4", 3),
            ("6x3", 16),
            ("7x2", 5),
            ("3x4", 7),
            ("2x5", 2),
            ("1x6", 4),
            ("4x5", 64),
        ] {
            let index = Index::new(board.parse().unwrap()).unwrap();
            for cpu in Cpu::all() {
                let tiers = TierRange::all(index.board());
                let mut sweep = CentreSweep::new(&index, cpu, tiers, Shelf::Memory).unwrap();
                let check = Check(&index, rows, Mutex::default());
                while sweep.advance(&check).unwrap() {}
                let census = index.census();
                let tiles = census.tiers().map(|tier| census.tiles(tier).count()).sum::<usize>();
                assert_eq!(check.2.into_inner().unwrap().len(), tiles);
            }
        }
    }
}
