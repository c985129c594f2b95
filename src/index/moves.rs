//! Moves from cell to cell, forwards and backwards, without a board.
//!
//! A stone on the left changes only the row, and a stone on the right only the column. A stone in
//! the centre changes the centre, and both sides must be rows of the new one. A move to a state
//! that is in no list made a four. The lists do not say whether a line with cells on both sides is
//! a four:
//!
//! ```text
//!     1 centre column    b a | M | a b     M and 3 of its 4 nearest neighbours
//!     2 centre columns     a | M N | a     one column of each side
//! ```

use crate::board::{Column, Player};
use crate::tromp::ColumnCode;

use super::strip::four_across;
use super::{Cell, Index, Place, Ranked, SideColumn};

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Child {
    /// There is no room in the column.
    Full,
    /// The move makes a four, and the game is over.
    Four,
    /// The game goes on in this cell of the next tier.
    Cell(Cell),
}

impl Index {
    /// What each move of the mover leads to, by the columns of the position in the cell. The cell
    /// must not contain a four.
    pub fn children(&self, cell: Cell) -> impl Iterator<Item = (Column, Child)> + '_ {
        self.board().columns().map(move |column| (column, self.child(cell, column)))
    }

    /// What the move into one column leads to.
    pub fn child(&self, cell: Cell, column: Column) -> Child {
        let place = self.census().split().place(column);
        let code = self.column(cell, place);
        if code.stones() == self.board().height() {
            return Child::Full;
        }
        let mover = self.census().tier(cell.tile).mover();
        match self.replaced(cell, place, code.dropped_unchecked(mover)) {
            Some(Ranked { cell: child, .. }) if !self.has_crossing_four_of(child, mover) => {
                Child::Cell(child)
            }
            _ => Child::Four,
        }
    }

    /// The cells that may have come one move before this one, judged only by the colours of the top
    /// stones; not all of them need be live.
    pub fn parents(&self, cell: Cell) -> impl Iterator<Item = (Column, Cell)> + '_ {
        let last_mover = self.census().tier(cell.tile).last_mover();
        self.board().columns().filter_map(move |column| {
            let place = self.census().split().place(column);
            let code = self.column(cell, place);
            let lifted = code.lifted().filter(|_| code.top() == last_mover)?;
            let parent = self.replaced(cell, place, lifted);
            Some((column, parent.expect("taking a stone away makes no four").cell))
        })
    }

    /// Whether some player has a four with cells on both sides. No game continues from such a cell.
    pub fn has_crossing_four(&self, cell: Cell) -> bool {
        Player::BOTH.into_iter().any(|player| self.has_crossing_four_of(cell, player))
    }

    /// Whether this player has a four with cells on both sides.
    pub fn has_crossing_four_of(&self, cell: Cell, player: Player) -> bool {
        let split = self.census().split();
        let reach = (3 - split.centre_width()).min(split.side_width());
        let from_centre = || split.side_columns().rev().take(reach);
        let left = from_centre().rev().map(Place::Left as fn(SideColumn) -> Place);
        let centre = [Place::Near, Place::Far].into_iter().skip(2 - split.centre_width());
        let right = from_centre().map(Place::Right as fn(SideColumn) -> Place);

        // At most two columns of each side and one of the centre.
        let mut stones = [0; 5];
        let mut columns = 0;
        for place in left.chain(centre).chain(right) {
            stones[columns] = self.column(cell, place).stones_of(player);
            columns += 1;
        }
        stones[..columns].windows(4).any(|four| four_across(four.try_into().expect("four columns")))
    }

    /// The cell with other stones in one column, if they make no four with the centre.
    fn replaced(&self, cell: Cell, place: Place, code: ColumnCode) -> Option<Ranked> {
        let census = self.census();
        let split = census.split();
        let [left, right] = self.sides(cell);
        let centre = census.centre(cell.tile.centre);
        let mut other = cell;
        let centre = match place {
            Place::Left(column) => {
                let left = left.with_column(split, column, code);
                other.tile.left = left.class(split);
                other.row = self.row(cell.tile.centre, other.tile.left, left)?;
                return Some(self.canonical(other));
            }
            Place::Right(column) => {
                let right = right.with_column(split, column, code);
                other.tile.right = right.class(split);
                let reversed = census.reversed(cell.tile.centre);
                other.column = self.row(reversed, other.tile.right, right)?;
                return Some(self.canonical(other));
            }
            Place::Near => super::Centre::new(Some(code), centre.far()),
            Place::Far => super::Centre::new(centre.near(), code),
        };
        self.locate(census.find_centre(centre)?, left, right)
    }
}
