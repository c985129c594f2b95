//! The rows themselves: for each centre, the side states that make no four with it, class by class,
//! in the order of their codes.
//!
//! The sides beside a near centre column are grown from the outside in, which lists them in the
//! order of their codes, each with its demand on the far column. The rows of a centre are those
//! whose demand it meets, distributed over the classes, whose sizes the [`Census`] knows.

use std::sync::Arc;

use rayon::prelude::*;

use crate::board::{Board, Tier};

use super::columns::ColumnState;
use super::strip::{Demand, Strip};
use super::{Census, Centre, CentreId, Class, IndexError, Part, SideState};

/// The tight tier hash of a board, with the lists that it uses.
///
/// ```
/// use strong4::board::{Board, Moves};
/// use strong4::index::Index;
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
    rows: Vec<Box<[SideState]>>,
    /// For each tier, the stored cells before each centre, and after the last.
    bases: Vec<u64>,
}

/// A side state beside a near column, with its demand on the far one.
struct Stem {
    state: SideState,
    class: Class,
    demand: Demand,
}

impl Index {
    /// Lists the rows of a board.
    pub fn new(board: Board) -> Result<Index, IndexError> {
        let census = Arc::new(Census::new(board)?);
        Part::Rows.check(board, census.rows())?;
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
        let starts = self.census.starts(centre);
        match starts.get(class.slot() + 1) {
            Some(end) => &self.rows[centre.index()][starts[class.slot()] as usize..*end as usize],
            None => &[],
        }
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
fn list_rows(census: &Census) -> Vec<Box<[SideState]>> {
    let centres: Vec<(CentreId, Centre)> =
        census.centres().map(|id| (id, census.centre(id))).collect();
    centres
        .par_chunk_by(|(_, a), (_, b)| a.near() == b.near())
        .flat_map(|chunk| {
            let stems = stems(census, chunk[0].1.near().map(ColumnState::of));
            let rows =
                chunk.par_iter().map(move |(id, centre)| rows_of(census, *id, *centre, &stems));
            rows.collect::<Vec<_>>()
        })
        .collect()
}

/// The sides beside a near column, in the order of their codes.
fn stems(census: &Census, near: Option<ColumnState>) -> Vec<Stem> {
    let split = census.split();
    let mut stems = Vec::new();
    let empty = Strip::empty(split.board().height());
    empty.grow(&census.columns, split.side_width(), &mut |side| {
        let demand = match &near {
            None => side.demand(),
            Some(near) if side.takes(near) => side.and(near).demand(),
            Some(_) => return,
        };
        stems.push(Stem { state: SideState(side.code), class: side.class, demand });
    });
    stems
}

fn rows_of(census: &Census, id: CentreId, centre: Centre, stems: &[Stem]) -> Box<[SideState]> {
    let far = ColumnState::of(centre.far());
    let mut next = census.starts(id).to_vec();
    let mut rows = vec![SideState(0); census.centre_rows(id)].into_boxed_slice();
    for stem in stems.iter().filter(|stem| stem.demand.allows(&far)) {
        let place = &mut next[stem.class.slot()];
        rows[*place as usize] = stem.state;
        *place += 1;
    }
    debug_assert!(next.iter().zip(&census.starts(id)[1..]).all(|(filled, end)| filled == end));
    rows
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
        let limit = Part::Rows.limit();
        let refused = IndexError::TooLarge { board, part: Part::Rows, found: rows, limit };
        assert_eq!(Index::new(board).unwrap_err(), refused);
        assert!(refused.to_string().ends_with("but the limit is 536870912"));
    }
}
