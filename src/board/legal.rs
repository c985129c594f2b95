//! Whether a game can reach a position.
//!
//! Three things are easy to check: stones rest on each other, there are as many of each colour as
//! the tier requires, and no one has a four but by the last move. That leaves the order of the
//! moves: there must be a way to lift the stones one by one, the last mover's first and then in
//! turn, down to the empty board, such that all fours are gone after the first. The search for such
//! an order remembers the column heights from which none was found. The stones are given, so the
//! set of occupied cells is its whole state.
//!
//! This is the slow and obvious way. Counting and solving use move-order types instead, and their
//! tests compare the two.

use rustc_hash::FxHashSet;

use super::{Board, Column, Moves, Player, Position, has_four};

/// Why no game reaches a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalPosition {
    /// Stones that float or overlap, or lie outside the board.
    #[error("stones that float, share a cell, or lie outside the board")]
    Stones,
    /// The first player must have as many stones as the second, or one more.
    #[error(
        "the first player (X) has {first} stones and the second (O) {second}: \
         expected equal numbers, or one more X"
    )]
    Balance {
        /// First player's stones.
        first: u32,
        /// Second player's stones.
        second: u32,
    },
    /// A game ends as soon as somebody has four in a row.
    #[error("{} has four in a row, but {} moved after that", .0.letter(), .0.other().letter())]
    MovedAfterFour(Player),
    /// Fours that no single last stone can have made.
    #[error("{} has four in a row, but not by the last move: no top stone is part of every four", .0.letter())]
    FourNotLast(Player),
    /// The colours cannot have been dropped in turn.
    #[error("no order of moves, X and O in turn, leads to these stones")]
    NoOrder,
}

impl Position {
    /// A position with these stones, one bit for each; [`Board`] says which. They must lie on the
    /// board, share no cell, and rest on each other. There must be as many of each player as the
    /// rules require, and no fours but those that the last move can have made. Whether an order of
    /// moves leads to them takes longer to find out; [`validate`](Position::validate) does.
    ///
    /// ```
    /// use strong4::board::{Board, IllegalPosition, Position};
    ///
    /// let position = Position::from_stones(Board::STANDARD, 0b01, 0b10)?;
    /// assert_eq!(position.tier().stones(), 2);
    /// let floating = Position::from_stones(Board::STANDARD, 0b10, 0);
    /// assert_eq!(floating, Err(IllegalPosition::Stones));
    /// # Ok::<(), IllegalPosition>(())
    /// ```
    pub fn from_stones(board: Board, first: u64, second: u64) -> Result<Position, IllegalPosition> {
        let position = Position::from_stones_unchecked(board, first, second);
        check_stones(&position).map(|()| position)
    }

    /// Checks that a game can reach this position.
    pub fn validate(&self) -> Result<(), IllegalPosition> {
        self.game().map(|_| ())
    }

    /// One of the games that lead to this position, always the same one.
    ///
    /// ```
    /// use strong4::board::{Board, Moves};
    ///
    /// let position = *Moves::parse(Board::STANDARD, "44534")?.position();
    /// let game = position.game()?;
    /// assert_eq!(*game.position(), position);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game(&self) -> Result<Moves, IllegalPosition> {
        check_stones(self)?;
        let (board, last_mover) = (self.board(), self.mover().other());
        let columns = if has_four(board, self.stones(last_mover)) {
            // The last stone made all the fours, and a game must lead to the position before it.
            let mut before_four = before_four(self);
            before_four.find_map(|(column, parent)| Some([drops(&parent)?, vec![column]].concat()))
        } else {
            drops(self)
        };
        let columns = columns.ok_or(IllegalPosition::NoOrder)?;
        Ok(Moves::unchecked(columns, *self))
    }
}

/// Checks all but the order of the moves.
fn check_stones(position: &Position) -> Result<(), IllegalPosition> {
    let board = position.board();
    let [first, second] = Player::BOTH.map(|player| position.stones(player));
    if first & second != 0 || !rests(board, first | second) {
        return Err(IllegalPosition::Stones);
    }
    let [first, second] = [first, second].map(u64::count_ones);
    if first != second && first != second + 1 {
        return Err(IllegalPosition::Balance { first, second });
    }
    let mover = position.mover();
    if has_four(board, position.stones(mover)) {
        return Err(IllegalPosition::MovedAfterFour(mover));
    }
    let last_mover = mover.other();
    if has_four(board, position.stones(last_mover)) && before_four(position).next().is_none() {
        return Err(IllegalPosition::FourNotLast(last_mover));
    }
    Ok(())
}

/// The positions without a four that one move of the last mover may have led from, each with the
/// move.
fn before_four(position: &Position) -> impl Iterator<Item = (Column, Position)> + '_ {
    let (board, last_mover) = (position.board(), position.mover().other());
    predecessors(position).filter(move |(_, parent)| !has_four(board, parent.stones(last_mover)))
}

/// Whether each stone rests on the bottom or on another one. A column of ones from its lowest bit
/// up, plus one, is a power of two above them.
fn rests(board: Board, occupied: u64) -> bool {
    let bottom: u64 = board.columns().map(|column| board.cell(column, 0)).sum();
    occupied & !board.mask() == 0 && (occupied + bottom) & occupied == 0
}

/// The positions that may have come just before this one, by colour alone, each with its move.
fn predecessors(position: &Position) -> impl Iterator<Item = (Column, Position)> + '_ {
    let last_mover = position.tier().last_mover();
    position
        .board()
        .columns()
        .filter(move |column| last_mover.is_some() && position.top(*column) == last_mover)
        .filter_map(|column| Some((column, position.lift(column)?)))
}

/// An order in which the stones, whether they make fours or not, can be dropped in turn.
fn drops(position: &Position) -> Option<Vec<Column>> {
    let mut lifted = Vec::with_capacity(position.tier().stones());
    let found = lift_all(position, &mut FxHashSet::default(), &mut lifted);
    lifted.reverse();
    found.then_some(lifted)
}

/// Lifts the stones in turn, the last mover's first, and appends their columns to `lifted`. Without
/// such an order, returns false and appends nothing. `dead` holds the sets of cells that no order
/// lifts. Games have at most 63 moves, so the recursion is shallow.
fn lift_all(position: &Position, dead: &mut FxHashSet<u64>, lifted: &mut Vec<Column>) -> bool {
    if position.occupied() == 0 {
        return true;
    }
    if dead.contains(&position.occupied()) {
        return false;
    }
    for (column, parent) in predecessors(position) {
        lifted.push(column);
        if lift_all(&parent, dead, lifted) {
            return true;
        }
        lifted.pop();
    }
    dead.insert(position.occupied());
    false
}

/// Whether all stones, fours or not, can be lifted in turn in some order.
#[cfg(test)]
pub(crate) fn can_be_emptied(position: &Position) -> bool {
    drops(position).is_some()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::Board;

    fn verdict(board: &str, drawing: &str) -> Result<(), IllegalPosition> {
        let board: Board = board.parse().unwrap();
        Position::from_drawing(board, drawing).unwrap().validate()
    }

    /// Finds a game to each position of a board, and plays it.
    fn replay_all(position: &Position, seen: &mut HashSet<Position>) {
        if !seen.insert(*position) {
            return;
        }
        let game = position.game().unwrap();
        let played = Moves::parse(position.board(), &game.to_string()).unwrap();
        assert_eq!((played.position(), &played), (position, &game));
        position.children().for_each(|(_, child)| replay_all(&child, seen));
    }

    #[test]
    fn the_games_found_can_be_played() {
        for (board, positions) in [("4x3", 12_031), ("3x4", 6_000), ("5x2", 4_688), ("1x5", 6)] {
            let mut seen = HashSet::new();
            replay_all(&Position::empty(board.parse().unwrap()), &mut seen);
            assert_eq!(seen.len(), positions, "{board}");
        }
    }

    #[test]
    fn each_way_to_be_no_position_has_its_name() {
        use IllegalPosition::*;
        assert_eq!(verdict("4x2", ".... XX.."), Err(Balance { first: 2, second: 0 }));
        assert_eq!(verdict("4x2", ".... OOX."), Err(Balance { first: 1, second: 2 }));
        assert_eq!(verdict("4x3", ".... OOO. XXXX"), Ok(()));
        // Seven in a row, completed by the stone in the middle.
        assert_eq!(verdict("7x2", "OOO.OOO XXXXXXX"), Ok(()));
        assert_eq!(verdict("4x3", ".... OOOO XXXX"), Err(MovedAfterFour(Player::First)));
        assert_eq!(verdict("2x2", "X. O."), Err(NoOrder));
        // Only the fourth column is part of every four, and a stone lies on it.
        let buried = "O...... OO.OOO. XXXXXXX";
        assert_eq!(verdict("7x3", buried), Err(FourNotLast(Player::First)));
        for board in ["7x6", "8x7", "1x1", "3x3"].map(|board| board.parse().unwrap()) {
            let stones = |first, second| Position::from_stones_unchecked(board, first, second);
            let spare = 1 << (board.column_bits() - 1);
            for (first, second) in [(2, 0), (1, 1), (spare, 0), (u64::MAX, 0), (1 << 63, 1)] {
                assert_eq!(stones(first, second).validate(), Err(Stones), "{first} {second}");
            }
            assert_eq!(stones(1, 0).validate(), Ok(()));
        }
    }
}
