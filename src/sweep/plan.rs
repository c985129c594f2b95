//! Where the children of a tile are, and how they get to its rows.
//!
//! Only one of two mirror images is stored, so a child may be there as it is or
//! turned. What is needed is a tile with our columns, to fold rows of it into
//! our rows, or one with our rows, to fold its columns into our columns:
//!
//! ```text
//!                     stored as it is              stored as its mirror image
//!     left move       as stored                    by rows, after turning
//!     right move      by columns, after turning    (never: see below)
//!     centre move     by columns, after turning    by rows, after turning
//! ```
//!
//! A right child has a larger right class than the tile. So if the tile is the
//! one that is stored of two, then so is the child.

use crate::board::Player;
use crate::index::{Class, Index, SideState, Tile};

use super::places::same_states;
use super::side_moves::SideMoves;

/// How all moves of a tile are made.
#[derive(Default)]
pub(super) struct Plan {
    /// Children whose rows are taken as they are.
    pub as_stored: Vec<Moves>,
    /// Children that share the rows of the tile and are folded by columns.
    pub by_columns: Vec<Moves>,
    /// Children whose rows are the columns of the tile, and are folded by rows.
    pub by_rows: Vec<Moves>,
    /// Lists to be used again.
    spare: Vec<Moves>,
}

/// Moves that lead to one tile of children.
#[derive(Default)]
pub(super) struct Moves {
    /// The tile, as it is stored; `None` if all moves make a four.
    pub child: Option<Tile>,
    /// For each row, or column, that is folded: its children.
    pub places: Vec<u32>,
    /// How many children each has.
    pub per_row: usize,
    /// For each row that is turned its place in the child, where that lacks some.
    pub gather: Option<Vec<u32>>,
}

/// What is to be done with a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ways {
    /// A centre move makes a four in every cell.
    EveryCellWins,
    /// The children are to be folded.
    Fold,
}

impl Plan {
    /// Plans the moves of another tile.
    pub fn make(&mut self, index: &Index, sides: &SideMoves, tile: Tile, mover: Player) -> Ways {
        for used in [&mut self.as_stored, &mut self.by_columns, &mut self.by_rows] {
            self.spare.append(used);
        }
        let centre = index.census().centre(tile.centre);
        for (_, centre) in centre.after(mover, index.board().height()) {
            let Some(centre) = index.census().find_centre(centre) else {
                return Ways::EveryCellWins;
            };
            let child = Tile { centre, ..tile };
            if index.census().tile_cells(child) == 0 {
                return Ways::EveryCellWins;
            }
            self.add_centre_move(index, tile, child);
        }
        self.add_left_moves(index, sides, tile, mover);
        self.add_right_moves(index, sides, tile, mover);
        Ways::Fold
    }

    fn add_centre_move(&mut self, index: &Index, tile: Tile, child: Tile) {
        let mut moves = self.spare.pop().unwrap_or_default();
        let (rows, columns) = (left_states(index, tile), right_states(index, tile));
        let (child_rows, child_columns) = (left_states(index, child), right_states(index, child));
        let mut gather = moves.gather.take().unwrap_or_default();
        moves.per_row = 1;
        if index.census().is_stored(child) {
            same_states(rows, child_rows, &mut gather);
            same_states(columns, child_columns, &mut moves.places);
            moves.child = Some(child);
            moves.gather = Some(gather);
            self.by_columns.push(moves);
        } else {
            same_states(columns, child_columns, &mut gather);
            same_states(rows, child_rows, &mut moves.places);
            moves.child = Some(index.census().mirrored(child));
            moves.gather = Some(gather);
            self.by_rows.push(moves);
        }
    }

    fn add_left_moves(&mut self, index: &Index, sides: &SideMoves, tile: Tile, mover: Player) {
        let census = index.census();
        if tile.left.stones() == census.split().side_cells() {
            return;
        }
        let child = Tile { left: tile.left.plus(Class::one(mover)), ..tile };
        let mut moves = self.side_moves(sides, sides.left(tile.left, mover));
        let stored = census.tile_cells(child) > 0;
        if !stored || census.is_stored(child) {
            moves.child = stored.then_some(child);
            self.as_stored.push(moves);
        } else {
            moves.child = Some(census.mirrored(child));
            self.by_rows.push(moves);
        }
    }

    fn add_right_moves(&mut self, index: &Index, sides: &SideMoves, tile: Tile, mover: Player) {
        let census = index.census();
        if tile.right.stones() == census.split().side_cells() {
            return;
        }
        let child = Tile { right: tile.right.plus(Class::one(mover)), ..tile };
        let mut moves = self.side_moves(sides, sides.right(tile.right, mover));
        debug_assert!(census.is_stored(child));
        moves.child = (census.tile_cells(child) > 0).then_some(child);
        self.by_columns.push(moves);
    }

    fn side_moves(&mut self, sides: &SideMoves, places: &[u32]) -> Moves {
        let mut moves = self.spare.pop().unwrap_or_default();
        moves.places.clear();
        moves.places.extend_from_slice(places);
        moves.per_row = sides.per_row();
        moves.gather = None;
        moves
    }
}

fn left_states(index: &Index, tile: Tile) -> &[SideState] {
    index.rows(tile.centre, tile.left)
}

fn right_states(index: &Index, tile: Tile) -> &[SideState] {
    index.rows(index.census().reversed(tile.centre), tile.right)
}
