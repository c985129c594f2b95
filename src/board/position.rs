//! A position, and the moves that lead from one to the next.
//!
//! A position is two bitboards, one for each player's stones. Whose move it is and how high the
//! columns are follows from them, so there is no state that could disagree.

use super::{Board, Column, Outcome, Player, Tier, has_four};

/// Stones on a board, each resting on the bottom or on another stone.
///
/// A `Position` made by playing moves is one that a game reaches. Those from stones, keys and
/// drawings are checked as far as their constructors say; [`validate`](Position::validate) checks
/// the rest.
///
/// ```
/// use strong4::board::{Board, Position, Status};
///
/// let board = Board::STANDARD;
/// let middle = board.column(4).unwrap();
/// let position = Position::empty(board).play(middle)?;
/// assert_eq!(position.column_height(middle), 1);
/// assert_eq!(position.status(), Status::Open);
/// assert_eq!(position.mirror(), position);
/// assert_eq!(position.children().count(), 7);
/// # Ok::<(), strong4::board::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    board: Board,
    stones: [u64; 2],
}

/// Whether a game is still going on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// The mover has a move to make.
    Open,
    /// This player has four in a row.
    Won(Player),
    /// The board is full and nobody has four in a row.
    Full,
}

impl Status {
    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Won(_) => "won",
            Status::Full => "full",
        }
    }
}

/// Why a move was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The column is one of a wider board.
    #[error("{board} has no column {column}")]
    NoColumn {
        /// The column.
        column: Column,
        /// The board of the game.
        board: Board,
    },
    /// The column has no room.
    #[error("column {0} is full")]
    ColumnFull(Column),
    /// A player has already won.
    #[error("the game is over: the {} player has four in a row", .0.ordinal())]
    GameOver(Player),
}

impl Position {
    /// The empty board.
    pub fn empty(board: Board) -> Position {
        Position { board, stones: [0; 2] }
    }

    /// A position with these stones, which the caller guarantees to rest on each other.
    pub(crate) fn from_stones_unchecked(board: Board, first: u64, second: u64) -> Position {
        Position { board, stones: [first, second] }
    }

    /// The board that it is on.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The bits of the stones of `player`.
    pub fn stones(&self, player: Player) -> u64 {
        self.stones[player.index()]
    }

    /// The bits of all stones.
    pub fn occupied(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    /// The number of stones, as a tier.
    pub fn tier(&self) -> Tier {
        Tier(self.occupied().count_ones() as u8)
    }

    /// Whose move it is.
    pub fn mover(&self) -> Player {
        self.tier().mover()
    }

    /// Number of stones in `column`; 0 if the board has no such column.
    pub fn column_height(&self, column: Column) -> usize {
        (self.occupied() & self.board.column_mask(column)).count_ones() as usize
    }

    /// Whether there is room for another stone in `column`.
    pub fn has_room(&self, column: Column) -> bool {
        self.board.has_column(column) && self.column_height(column) < self.board.height()
    }

    /// Whose stone lies in `column`, `row` rows above the bottom.
    pub fn stone_at(&self, column: Column, row: usize) -> Option<Player> {
        let cell = self.board.cell(column, row);
        Player::BOTH.into_iter().find(|player| self.stones(*player) & cell != 0)
    }

    /// Whose stone lies on top of `column`.
    pub fn top(&self, column: Column) -> Option<Player> {
        self.column_height(column).checked_sub(1).and_then(|row| self.stone_at(column, row))
    }

    /// Open, won or full.
    pub fn status(&self) -> Status {
        // At most one player can have a four, and it is usually the last mover.
        match Player::BOTH.into_iter().find(|p| has_four(self.board, self.stones(*p))) {
            Some(winner) => Status::Won(winner),
            None if self.occupied() == self.board.mask() => Status::Full,
            None => Status::Open,
        }
    }

    /// How a game that is over has ended for the mover; `None` while it is open.
    pub(crate) fn ending(&self) -> Option<Outcome> {
        match self.status() {
            Status::Won(winner) if winner == self.mover() => Some(Outcome::Win),
            Status::Won(_) => Some(Outcome::Loss),
            Status::Full => Some(Outcome::Draw),
            Status::Open => None,
        }
    }

    /// The position after the mover drops a stone into `column`.
    pub fn play(&self, column: Column) -> Result<Position, MoveError> {
        let board = self.board;
        if !board.has_column(column) {
            return Err(MoveError::NoColumn { column, board });
        }
        if let Status::Won(winner) = self.status() {
            return Err(MoveError::GameOver(winner));
        }
        if !self.has_room(column) {
            return Err(MoveError::ColumnFull(column));
        }
        Ok(self.play_unchecked(column))
    }

    /// The same, for callers that know that `column` has room and nobody has won.
    pub(crate) fn play_unchecked(&self, column: Column) -> Position {
        let mut next = *self;
        next.stones[self.mover().index()] |= self.board.cell(column, self.column_height(column));
        next
    }

    /// The position without the top stone of `column`, whichever player's it is; `None` if the
    /// column is empty. It undoes a move if that stone was the last one; no game may reach what it
    /// returns otherwise, which [`validate`](Position::validate) finds out.
    pub fn lift(&self, column: Column) -> Option<Position> {
        let row = self.column_height(column).checked_sub(1)?;
        let cell = self.board.cell(column, row);
        Some(Position { board: self.board, stones: self.stones.map(|stones| stones & !cell) })
    }

    /// The positions that one move leads to, with the move; none once a player has won.
    pub fn children(&self) -> impl Iterator<Item = (Column, Position)> + '_ {
        let is_won = matches!(self.status(), Status::Won(_));
        let open = self.board.columns().filter(move |column| !is_won && self.has_room(*column));
        open.map(|column| (column, self.play_unchecked(column)))
    }

    /// The positions that the moves from an open one lead to, those nearest to the centre first.
    pub(crate) fn children_from_centre(&self) -> impl Iterator<Item = (Column, Position)> + '_ {
        let open = self.board.centre_first().into_iter().filter(|column| self.has_room(*column));
        open.map(|column| (column, self.play_unchecked(column)))
    }

    /// The position with left and right exchanged; its value is the same.
    pub fn mirror(&self) -> Position {
        let board = self.board;
        let bits = board.column_bits();
        let flip = |stones: u64| {
            board.columns().zip(board.columns().rev()).fold(0, |mirrored, (column, image)| {
                let content = stones >> (column.index() * bits) & board.column_mask(Column(0));
                mirrored | content << (image.index() * bits)
            })
        };
        Position { board, stones: self.stones.map(flip) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::games;

    #[test]
    fn columns_of_a_wider_board_are_refused() {
        let (board, wide) = (Board::STANDARD, Board::new(12, 4).unwrap());
        let empty = Position::empty(board);
        for column in wide.columns().skip(board.width()) {
            assert_eq!(empty.play(column), Err(MoveError::NoColumn { column, board }));
            assert!(!empty.has_room(column));
            assert_eq!((empty.column_height(column), empty.top(column)), (0, None));
            assert_eq!((empty.stone_at(column, 0), empty.lift(column)), (None, None));
        }
        let error = empty.play(wide.column(9).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "7x6 has no column 9");
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_played_the_stones_stay_on_the_board(
            width in 1u64..=32, height in 1u64..=63,
            columns in proptest::collection::vec(0u8..32, 0..80),
        ) {
            let Ok(board) = Board::new(width, height) else { return Ok(()) };
            let mut position = Position::empty(board);
            for column in columns.into_iter().map(Column) {
                let played = position.play(column);
                proptest::prop_assert_eq!(
                    played.is_ok(),
                    position.children().any(|(open, child)| (open, Ok(child)) == (column, played)));
                position = played.unwrap_or(position);
                let [first, second] = Player::BOTH.map(|player| position.stones(player));
                proptest::prop_assert_eq!(
                    Position::from_stones(board, first, second), Ok(position));
            }
        }

        #[test]
        fn any_two_words_are_a_position_or_refused(
            width in 1u64..=12, height in 1u64..=12, first: u64, second: u64, sparse: bool,
        ) {
            let Ok(board) = Board::new(width, height) else { return Ok(()) };
            let bottom = board.columns().fold(0, |bottom, column| bottom | board.cell(column, 0));
            let mask = if sparse { bottom } else { u64::MAX };
            let [first, second] = [first & mask, second & !first & mask];
            if let Ok(position) = Position::from_stones(board, first, second) {
                proptest::prop_assert_eq!(position.occupied() & !board.mask(), 0);
                proptest::prop_assert!(position.tier() <= board.last_tier());
            } else {
                let position = Position::from_stones_unchecked(board, first, second);
                proptest::prop_assert!(position.validate().is_err());
            }
        }

        #[test]
        fn mirroring_twice_is_nothing_and_commutes_with_playing(game in games()) {
            let board = game.board();
            let mut position = Position::empty(board);
            for column in &game {
                proptest::prop_assert_eq!(position.mirror().mirror(), position);
                let next = position.play(column).unwrap();
                proptest::prop_assert_eq!(
                    position.mirror().play(board.mirrored(column).unwrap()), Ok(next.mirror()));
                proptest::prop_assert_eq!(next.lift(column), Some(position));
                position = next;
            }
        }
    }
}
