//! The cells of single positions and back, without the lists of the whole board.
//!
//! Looking up a position takes the rows of a class beside a centre, for each side. Listing the rows
//! of all classes takes half a second on 7x6. Instead, a finder lists the rows of a class when a
//! position first needs them, and keeps them while memory allows. It does so in two steps, because
//! all centres share the first:
//!
//! ```text
//!     side states of a class, and what they demand of the far centre column
//!     rows of a class beside a centre: those whose demand it meets
//! ```
//!
//! On 7x6, which has 190 classes, the first takes a fraction of a millisecond and the second a few
//! microseconds. The first is short because only those states of a side's last column are tried
//! that bring the side into the class.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use rustc_hash::FxHashMap;

use crate::board::{Board, Position};

use super::strip::{ColumnState, Demand, Strip};
use super::{Cell, Census, CentreId, Class, Ranked, SideState};
use crate::too_large::BoardTooLarge;
use crate::tromp::ColumnCode;

/// The rows of a class, in the order of their codes.
type Rows = Arc<[SideState]>;

/// The side states of a class that stand beside a near centre column, if there is one, in the order
/// of their codes, each with its demand on the far column.
type Sides = Arc<[(SideState, Demand)]>;

/// The bytes that lists may take: enough for all lists of 7x6.
const MOST_BYTES: usize = 256 << 20;

/// The lists made so far.
#[derive(Debug)]
struct Lists {
    sides: FxHashMap<(Option<ColumnCode>, Class), Sides>,
    rows: FxHashMap<(CentreId, Class), Rows>,
    bytes: usize,
    most_bytes: usize,
}

impl Lists {
    fn new(most_bytes: usize) -> Lists {
        Lists { sides: FxHashMap::default(), rows: FxHashMap::default(), bytes: 0, most_bytes }
    }

    /// Counts the bytes of a list that is about to be added. If they are too many, all lists are
    /// forgotten, and made again when they are needed.
    fn make_room(&mut self, bytes: usize) {
        if self.bytes + bytes > self.most_bytes {
            *self = Lists::new(self.most_bytes);
        }
        self.bytes += bytes;
    }
}

/// Finds the cells of positions, for any number of threads.
#[derive(Debug)]
pub struct Finder {
    census: Arc<Census>,
    /// The states of a column by the slot of their class, in the order of their codes.
    columns: Vec<Vec<ColumnState>>,
    lists: RwLock<Lists>,
}

impl Finder {
    /// A finder that has listed nothing yet.
    pub fn new(board: Board) -> Result<Finder, BoardTooLarge> {
        let census = Arc::new(Census::new(board)?);
        let mut columns = vec![Vec::new(); Class::slots(board.height())];
        for column in &census.columns {
            columns[column.class.slot()].push(*column);
        }
        Ok(Finder { census, columns, lists: RwLock::new(Lists::new(MOST_BYTES)) })
    }

    /// The census of the board.
    pub fn census(&self) -> &Arc<Census> {
        &self.census
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.census.board()
    }

    /// The cell of a position or of its mirror image, the same for both. `None` if there is a four
    /// in a column, or in the centre with one of the sides, or if the stones cannot have been
    /// dropped alternately.
    pub fn rank(&self, position: &Position) -> Option<Ranked> {
        self.census.rank(position, |centre, class| self.rows(centre, class))
    }

    /// The position in a cell.
    pub fn unrank(&self, cell: Cell) -> Position {
        self.census.unrank(cell, |centre, class| self.rows(centre, class))
    }

    /// The rows of a centre in a class, in the order of their codes.
    fn rows(&self, centre: CentreId, class: Class) -> Rows {
        if let Some(rows) = self.known().rows.get(&(centre, class)) {
            return rows.clone();
        }
        let parts = self.census.centre(centre);
        let far = ColumnState::of(parts.far());
        let sides = self.sides(parts.near(), class);
        let fits = sides.iter().filter(|(_, demand)| demand.allows(&far));
        let rows: Rows = fits.map(|(side, _)| *side).collect::<Vec<_>>().into();
        let mut lists = self.lists.write().unwrap_or_else(PoisonError::into_inner);
        if !lists.rows.contains_key(&(centre, class)) {
            lists.make_room(size_of_val(&*rows));
            lists.rows.insert((centre, class), rows.clone());
        }
        rows
    }

    fn sides(&self, near: Option<ColumnCode>, class: Class) -> Sides {
        if let Some(sides) = self.known().sides.get(&(near, class)) {
            return sides.clone();
        }
        let sides = self.list(near, class);
        let mut lists = self.lists.write().unwrap_or_else(PoisonError::into_inner);
        if !lists.sides.contains_key(&(near, class)) {
            lists.make_room(size_of_val(&*sides));
            lists.sides.insert((near, class), sides.clone());
        }
        sides
    }

    /// Lists are inserted whole, so no thread that panicked has inserted a half-made one.
    fn known(&self) -> RwLockReadGuard<'_, Lists> {
        self.lists.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn list(&self, near: Option<ColumnCode>, class: Class) -> Sides {
        let near = near.map(ColumnState::of);
        let mut sides = Vec::new();
        let split = self.census.split();
        let empty = Strip::empty(split.board().height());
        self.grow(&empty, split.side_width(), class, &mut |side| {
            if let Some(demand) = side.demand_past(near.as_ref()) {
                sides.push((SideState(side.code), demand));
            }
        });
        sides.into()
    }

    /// Calls `visit` with every strip of `more` more columns with the stones of `class`, in the
    /// order of the codes.
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
    use crate::index::Index;

    #[test]
    fn a_finder_finds_what_the_index_ranks() {
        find([("4x3", 1), ("5x3", 5), ("4x4", 31), ("6x3", 97), ("7x3", 997), ("8x2", 31)]);
    }

    #[test]
    #[ignore = "takes a minute: make test-long"]
    fn a_finder_finds_all_that_the_index_ranks() {
        find([("5x3", 1), ("4x4", 1), ("6x3", 7), ("7x3", 31), ("8x2", 7), ("1x6", 1)]);
    }

    /// Finds one in `step` of the positions of some boards, their mirror images and their children.
    fn find(boards: [(&str, usize); 6]) {
        for (board, step) in boards {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let mut finder = Finder::new(index.board()).unwrap();
            // On some of these boards, lists are forgotten and made again.
            finder.lists.get_mut().unwrap().most_bytes = 1 << 12;
            for tier in index.census().tiers() {
                for offset in (0..index.census().stored_cells(tier)).step_by(step) {
                    let cell = index.cell_at(tier, offset).unwrap();
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
