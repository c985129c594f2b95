//! The cells of single positions and back, without the lists of the whole board.
//!
//! To look up a position takes the rows of a class beside a centre, one for each
//! side. A finder lists the rows of a class when it is first asked for a position
//! with it, and keeps them: a fraction of a millisecond on 7x6, instead of the half
//! second that the lists of all classes take.
//!
//! What makes that short: of the last column that a side grows only those states
//! are tried that bring it into the class.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::board::{Board, Position};

use super::columns::ColumnState;
use super::strip::Strip;
use super::{Cell, Census, CentreId, Class, IndexError, Ranked, SideState};

/// The rows of a class, in the order of their codes.
type Rows = Arc<[SideState]>;

/// Finds the cells of positions; for any number of threads.
#[derive(Debug)]
pub struct Finder {
    census: Census,
    /// The states of a column, by the slot of their class, in the order of their codes.
    columns: Vec<Vec<ColumnState>>,
    listed: RwLock<HashMap<(CentreId, Class), Rows>>,
}

impl Finder {
    /// A finder that has listed nothing yet.
    pub fn new(board: Board) -> Result<Finder, IndexError> {
        let census = Census::new(board)?;
        let mut columns = vec![Vec::new(); Class::slots(board.height())];
        for column in &census.columns {
            columns[column.class.slot()].push(*column);
        }
        Ok(Finder { census, columns, listed: RwLock::default() })
    }

    /// The sizes of everything.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.census.board()
    }

    /// The same as [`Index::rank`](super::Index::rank).
    pub fn rank(&self, position: &Position) -> Option<Ranked> {
        self.census.rank(position, |centre, class, state| {
            self.rows(centre, class).binary_search(&state).ok().map(|row| row as u32)
        })
    }

    /// The same as [`Index::unrank`](super::Index::unrank).
    pub fn unrank(&self, cell: Cell) -> Position {
        let Cell { tile, row, column } = cell;
        let reversed = self.census.reversed(tile.centre);
        let left = self.rows(tile.centre, tile.left)[row as usize];
        let right = self.rows(reversed, tile.right)[column as usize];
        self.census.assemble(tile.centre, [left, right])
    }

    /// The rows of a centre in a class; see [`Index::rows`](super::Index::rows).
    fn rows(&self, centre: CentreId, class: Class) -> Rows {
        let which = (centre, class);
        // Rows are inserted whole: a thread that panicked has left none half-listed.
        let known = self.listed.read().unwrap_or_else(PoisonError::into_inner).get(&which).cloned();
        known.unwrap_or_else(|| {
            let rows = self.list(centre, class);
            let mut listed = self.listed.write().unwrap_or_else(PoisonError::into_inner);
            listed.entry(which).or_insert(rows).clone()
        })
    }

    fn list(&self, centre: CentreId, class: Class) -> Rows {
        let parts = self.census.centre(centre);
        let (near, far) = (parts.near().map(ColumnState::of), ColumnState::of(parts.far()));
        let mut rows = Vec::with_capacity(self.census.class_size(centre, class));
        let split = self.census.split();
        let empty = Strip::empty(split.board().height());
        self.grow(&empty, split.side_width(), class, &mut |side| {
            let demand = match &near {
                None => side.demand(),
                Some(near) if side.takes(near) => side.and(near).demand(),
                Some(_) => return,
            };
            if demand.allows(&far) {
                rows.push(SideState(side.code));
            }
        });
        rows.into()
    }

    /// Calls `visit` with every strip of `more` more columns, whose stones are `class`,
    /// in the order of the codes.
    fn grow(&self, strip: &Strip, more: usize, class: Class, visit: &mut impl FnMut(&Strip)) {
        let height = self.board().height();
        let Some(missing) = class.minus(strip.class) else { return };
        if missing.stones() > more * height {
            return;
        }
        let demand = strip.demand();
        match more {
            0 => visit(strip),
            1 => {
                let last = self.columns[missing.slot()].iter();
                last.filter(|c| demand.allows(c)).for_each(|c| visit(&strip.and(c)));
            }
            _ => {
                let columns = self.census.columns.iter();
                for column in columns.filter(|column| demand.allows(column)) {
                    self.grow(&strip.and(column), more - 1, class, visit);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{CellOffset, Index};

    #[test]
    fn a_finder_finds_what_the_index_ranks() {
        for (board, step) in
            [("5x3", 1), ("4x4", 1), ("6x3", 7), ("7x3", 31), ("8x2", 7), ("1x6", 1)]
        {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let finder = Finder::new(index.board()).unwrap();
            for tier in index.census().tiers() {
                for offset in (0..index.census().stored_cells(tier)).step_by(step) {
                    let cell = index.cell_at(tier, CellOffset(offset)).unwrap();
                    let position = index.unrank(cell);
                    assert_eq!(finder.unrank(cell), position);
                    for position in [position, position.mirror()] {
                        assert_eq!(finder.rank(&position), index.rank(&position), "{position}");
                    }
                    for (_, child) in position.children() {
                        assert_eq!(finder.rank(&child), index.rank(&child), "{child}");
                    }
                }
            }
        }
    }
}
