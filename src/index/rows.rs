//! The rows of all centres, in memory, and where the cells beside each centre begin in a tier.

use std::sync::Arc;

use rayon::prelude::*;

use crate::board::{Board, Tier};

use super::lister::{CentreRows, rows_of, stems};
use super::{Census, Centre, CentreId, Class, IndexError, LimitedList, SideState};

/// The tight tier hash of a board, with the lists that it uses.
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
    /// For each tier, the stored cells before each centre, and after the last.
    bases: Vec<u64>,
}

impl Index {
    /// Lists the rows of a board.
    pub fn new(board: Board) -> Result<Index, IndexError> {
        let census = Arc::new(Census::new(board)?);
        LimitedList::Rows.check(board, census.rows())?;
        let rows = list_rows(&census);
        let bases = census
            .tiers()
            .collect::<Vec<_>>()
            .into_par_iter()
            .flat_map_iter(|tier| bases_of(&census, tier))
            .collect();
        Ok(Index { census, rows, bases })
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

    /// The place of a side state in its class beside a centre; `None` if it makes a four there.
    pub(super) fn row(&self, centre: CentreId, class: Class, state: SideState) -> Option<u32> {
        self.rows(centre, class).binary_search(&state).ok().map(|row| row as u32)
    }

    /// The stored cells of a tier before each centre, and after the last.
    pub(super) fn bases(&self, tier: Tier) -> &[u64] {
        self.bases.chunks_exact(self.rows.len() + 1).nth(tier.stones()).unwrap_or(&[])
    }
}

fn bases_of(census: &Census, tier: Tier) -> Vec<u64> {
    let cells_beside = |centre| -> u64 {
        census.tiles_beside(tier, centre).map(|tile| census.tile_cells(tile)).sum()
    };
    let mut bases = vec![0];
    bases.extend(census.centres().map(cells_beside).scan(0, |before, cells| {
        *before += cells;
        Some(*before)
    }));
    bases
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
