//! The rows of all centres in memory, for tests.

use std::sync::Arc;

use rayon::prelude::*;

use crate::board::{Board, Player, Position, Tier, has_four};

use super::lister::{CentreRows, rows_of, stems};
use super::{Cell, Census, Centre, CentreId, Class, IndexError, LimitedList, Ranked, SideState};

/// The tight tier hash of a board, with the lists that it uses: the slow twin of
/// [`Finder`](super::Finder).
///
/// ```
/// use strong4::board::{Board, Moves};
/// use strong4::inside::index::Index;
///
/// let board = Board::new(5, 4)?;
/// let index = Index::new(board)?;
/// let position = *Moves::parse(board, "3321")?.position();
/// let ranked = index.rank(&position).expect("nobody has four in a row");
/// assert!(ranked.mirrored);
/// assert_eq!(index.unrank(ranked.cell), position.mirror());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Index {
    census: Arc<Census>,
    rows: Vec<CentreRows>,
}

impl Index {
    /// Lists the rows of a board.
    pub fn new(board: Board) -> Result<Index, IndexError> {
        let census = Arc::new(Census::new(board)?);
        LimitedList::Rows.check(board, census.rows())?;
        let rows = list_rows(&census);
        Ok(Index { census, rows })
    }

    /// The census of the board.
    pub fn census(&self) -> &Arc<Census> {
        &self.census
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.census.board()
    }

    /// The rows of a centre in a class, in the order of their codes.
    pub fn rows(&self, centre: CentreId, class: Class) -> &[SideState] {
        self.rows[centre.index()].of(class)
    }

    /// The same as [`Finder::rank`](super::Finder::rank).
    pub fn rank(&self, position: &Position) -> Option<Ranked> {
        self.census.rank(position, |centre, class, state| {
            self.rows(centre, class).binary_search(&state).ok().map(|row| row as u32)
        })
    }

    /// The position in a cell.
    pub fn unrank(&self, cell: Cell) -> Position {
        let Cell { tile, row, column } = cell;
        let left = self.rows(tile.centre, tile.left)[row as usize];
        let right = self.rows(self.census.reversed(tile.centre), tile.right)[column as usize];
        self.census.assemble(tile.centre, [left, right])
    }

    /// The stored cell of a tier with this number, if there are as many.
    pub fn cell_at(&self, tier: Tier, mut number: u64) -> Option<Cell> {
        for tile in self.census.tiles(tier) {
            let cells = self.census.tile_cells(tile);
            if number < cells {
                let columns = self.census.tile_columns(tile) as u64;
                let (row, column) = ((number / columns) as u32, (number % columns) as u32);
                return Some(Cell { tile, row, column });
            }
            number -= cells;
        }
        None
    }

    /// Whether this is the cell that its position is ranked to.
    pub fn is_canonical(&self, cell: Cell) -> bool {
        self.census.is_canonical(cell)
    }

    /// Whether this player has a four in the position of a cell. Such a four has cells on both
    /// sides, and no game continues from there.
    pub fn has_crossing_four_of(&self, cell: Cell, player: Player) -> bool {
        has_four(self.board(), self.unrank(cell).stones(player))
    }

    /// Whether some player has a four in the position of a cell.
    pub fn has_crossing_four(&self, cell: Cell) -> bool {
        Player::BOTH.into_iter().any(|player| self.has_crossing_four_of(cell, player))
    }
}

/// The rows of all centres, in the order of the centres.
fn list_rows(census: &Census) -> Vec<CentreRows> {
    let centres: Vec<(CentreId, Centre)> =
        census.centres().map(|id| (id, census.centre(id))).collect();
    centres
        .par_chunk_by(|(_, a), (_, b)| a.near() == b.near())
        .flat_map(|chunk| {
            let stems = stems(census, chunk[0].1.near());
            let rows = chunk.par_iter().map(|(id, _)| rows_of(census, *id, &stems));
            rows.collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_full_and_sorted() {
        for (width, height) in [(7, 4), (6, 4), (5, 4), (9, 2), (8, 2), (2, 6), (1, 5), (12, 1)] {
            let index = Index::new(Board::new(width, height).unwrap()).unwrap();
            let census = index.census();
            for centre in census.centres() {
                for class in census.classes(centre) {
                    let rows = index.rows(centre, class);
                    assert_eq!(rows.len(), census.class_size(centre, class));
                    assert!(rows.is_sorted_by(|a, b| a < b));
                    assert!(rows.iter().all(|row| row.class(census.split()) == class));
                }
            }
        }
    }

    #[test]
    fn lists_that_are_too_long_are_refused_with_their_length() {
        let board = "8x6".parse().unwrap();
        let rows = Census::new(board).unwrap().rows();
        let limit = LimitedList::Rows.limit();
        let refused = IndexError::TooLarge { board, part: LimitedList::Rows, found: rows, limit };
        assert_eq!(Index::new(board).unwrap_err(), refused);
        assert!(refused.to_string().ends_with("but the limit is 536870912"));
    }
}
