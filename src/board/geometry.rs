//! The size of a board, and the small numbers that go with it.
//!
//! A board of `W` columns and `H` rows is stored in one 64-bit word, column by
//! column, with one spare bit on top of each column:
//!
//! ```text
//!      6 13 20 27 34 41 48    spare bits: never hold a stone, so that a line
//!      -------------------    of stones cannot run over the edge
//!      5 12 19 26 33 40 47
//!      4 11 18 25 32 39 46
//!      3 10 17 24 31 38 45
//!      2  9 16 23 30 37 44
//!      1  8 15 22 29 36 43
//!      0  7 14 21 28 35 42    7x6: bit = column * (H + 1) + row
//! ```
//!
//! Hence the one limit on size: `W * (H + 1) <= 64`.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use crate::parse_error::ParseError;

/// The size of a board; four in a row wins on all of them.
///
/// ```
/// use strong4::board::Board;
///
/// let board: Board = "8x5".parse()?;
/// assert_eq!((board.width(), board.height(), board.cells()), (8, 5, 40));
/// assert_eq!(Board::STANDARD.to_string(), "7x6");
/// assert!("40x40".parse::<Board>().is_err());
/// # Ok::<(), strong4::board::BoardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    width: u8,
    height: u8,
}

/// Why a board size was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// Not of the form `WxH`.
    #[error("'{found}' is not a board: expected WIDTHxHEIGHT, such as 7x6")]
    Syntax {
        /// The text that was given.
        found: String,
    },
    /// A side of length zero, or more bits than a word has.
    #[error(
        "a board of {width}x{height} does not fit: both sides must be at least 1 and \
         WIDTH*(HEIGHT+1) at most 64"
    )]
    Size {
        /// Columns asked for.
        width: u64,
        /// Rows asked for.
        height: u64,
    },
}

impl Board {
    /// The board of the original game, and the default everywhere.
    pub const STANDARD: Board = Board { width: 7, height: 6 };

    /// A board of `width` columns and `height` rows, if one word can hold it.
    pub fn new(width: u64, height: u64) -> Result<Board, BoardError> {
        let fits = (1..=64).contains(&width) && (1..=64).contains(&height);
        if !fits || width * (height + 1) > 64 {
            return Err(BoardError::Size { width, height });
        }
        Ok(Board { width: width as u8, height: height as u8 })
    }

    /// Number of columns.
    pub fn width(self) -> usize {
        self.width.into()
    }

    /// Number of rows.
    pub fn height(self) -> usize {
        self.height.into()
    }

    /// Number of cells, which is also the last tier.
    pub fn cells(self) -> usize {
        self.width() * self.height()
    }

    /// The tier of full boards.
    pub fn last_tier(self) -> Tier {
        Tier(self.cells() as u8)
    }

    /// Bits per column in a bitboard and in a key: the rows and one more.
    pub fn column_bits(self) -> usize {
        self.height() + 1
    }

    /// Columns from left to right.
    pub fn columns(self) -> impl DoubleEndedIterator<Item = Column> + ExactSizeIterator {
        (0..self.width).map(Column)
    }

    /// The column with this 1-based number, if the board has it.
    pub fn column(self, number: usize) -> Option<Column> {
        (1..=self.width()).contains(&number).then(|| Column(number as u8 - 1))
    }

    /// Whether the board has this column, which may come from a wider one.
    pub fn has_column(self, column: Column) -> bool {
        column.0 < self.width
    }

    /// The bit of the cell in `column`, `row` rows above the bottom; 0 if the board has no such
    /// cell.
    pub fn cell(self, column: Column, row: usize) -> u64 {
        if self.has_column(column) && row < self.height() {
            1 << (column.index() * self.column_bits() + row)
        } else {
            0
        }
    }

    /// The columns, those nearest to the centre first; of two equally near, the left one first.
    pub(crate) fn centre_first(self) -> Vec<Column> {
        let mut columns: Vec<Column> = self.columns().collect();
        columns.sort_by_key(|column| self.distance_from_centre(*column));
        columns
    }

    /// Twice the distance of a column from the centre.
    pub(crate) fn distance_from_centre(self, column: Column) -> usize {
        (2 * column.index() + 1).abs_diff(self.width())
    }

    /// The bits of all cells of `column`, without the spare bit; 0 if the board has no such
    /// column.
    pub(crate) fn column_mask(self, column: Column) -> u64 {
        let first = (1u64 << self.height()) - 1;
        if self.has_column(column) { first << (column.index() * self.column_bits()) } else { 0 }
    }

    /// The bits of all cells.
    pub fn mask(self) -> u64 {
        self.columns().fold(0, |mask, column| mask | self.column_mask(column))
    }

    /// The mirror image of `column`, if the board has that column.
    pub fn mirrored(self, column: Column) -> Option<Column> {
        self.width.checked_sub(column.0 + 1).map(Column)
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::STANDARD
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Board, BoardError> {
        let side = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            // A number too long for u64 is a size that does not fit, not bad syntax.
            plain.then(|| digits.parse().unwrap_or(u64::MAX))
        };
        let sides = text.split_once(['x', 'X']).and_then(|(w, h)| Some((side(w)?, side(h)?)));
        let (width, height) = sides.ok_or_else(|| BoardError::Syntax { found: text.to_owned() })?;
        Board::new(width, height)
    }
}

/// A column, counted from 0 inside the program and from 1 when printed.
///
/// ```
/// use strong4::board::Board;
///
/// let middle = Board::STANDARD.column(4).unwrap();
/// assert_eq!((middle.number(), middle.index()), (4, 3));
/// assert_eq!(Board::STANDARD.column(8), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column(pub(crate) u8);

impl Column {
    /// Counted from 0, for indexing.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// Counted from 1, as people write it.
    pub fn number(self) -> usize {
        self.index() + 1
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// All positions with the same number of stones, named by that number.
///
/// ```
/// use strong4::board::{Board, Player, Position, Tier};
///
/// let first = Position::empty(Board::STANDARD).tier();
/// assert_eq!(Some(first), Tier::new(0));
/// assert_eq!((first.mover(), first.next().unwrap().mover()), (Player::First, Player::Second));
/// assert_eq!(Tier::LAST.next(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tier(pub(crate) u8);

impl Tier {
    /// The last tier of the largest board, 1x63.
    pub const LAST: Tier = Tier(63);

    /// The tier with this many stones, if some board has it.
    pub const fn new(stones: u8) -> Option<Tier> {
        if stones <= Tier::LAST.0 { Some(Tier(stones)) } else { None }
    }

    /// The number of stones in the type that stores it.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number of stones.
    pub fn stones(self) -> usize {
        self.0.into()
    }

    /// Whose move it is in this tier.
    pub fn mover(self) -> Player {
        if self.0.is_multiple_of(2) { Player::First } else { Player::Second }
    }

    /// The player who made the last move, if there was one.
    pub fn last_mover(self) -> Option<Player> {
        (self.0 > 0).then(|| self.mover().other())
    }

    /// The tier that moves lead to; `None` after the last tier of the largest board.
    pub fn next(self) -> Option<Tier> {
        Tier::new(self.0 + 1)
    }

    /// The same without the check. The result may be a tier that no board has.
    pub(crate) fn next_unchecked(self) -> Tier {
        Tier(self.0 + 1)
    }

    /// First player's stones minus second player's: 0 or 1.
    pub fn surplus(self) -> i32 {
        i32::from(self.0 % 2)
    }
}

impl TryFrom<usize> for Tier {
    type Error = ParseError;

    fn try_from(stones: usize) -> Result<Tier, ParseError> {
        u8::try_from(stones).ok().and_then(Tier::new).ok_or_else(|| {
            ParseError::new(stones, "a tier", format!("a whole number from 0 to {}", Tier::LAST))
        })
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One of the two players; the first is drawn X, the second O.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// Moves on even tiers.
    First,
    /// Moves on odd tiers.
    Second,
}

impl Player {
    /// Both players, the first first.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The opponent; `!player` is the same.
    pub fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 for the first player, 1 for the second, for indexing.
    pub fn index(self) -> usize {
        self as usize
    }

    /// What a stone of this player adds to the first player's surplus.
    pub fn sign(self) -> i32 {
        [1, -1][self.index()]
    }

    /// The player's name: "first" or "second".
    pub fn ordinal(self) -> &'static str {
        ["first", "second"][self.index()]
    }

    /// The letter that drawings use.
    pub fn letter(self) -> char {
        ['X', 'O'][self.index()]
    }
}

impl Not for Player {
    type Output = Player;

    fn not(self) -> Player {
        self.other()
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.ordinal())
    }
}

impl FromStr for Player {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Player, ParseError> {
        let mut players = Player::BOTH.into_iter();
        players
            .find(|player| player.ordinal() == text)
            .ok_or_else(|| ParseError::new(text, "a player", "first or second"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_up_to_64_bits_are_accepted_and_no_others() {
        for (width, height) in [(1, 1), (7, 6), (1, 63), (32, 1), (8, 7), (4, 15), (21, 2)] {
            let board = Board::new(width, height).unwrap();
            assert_eq!(board.to_string().parse(), Ok(board));
            assert_eq!(board.mask().count_ones() as usize, board.cells());
        }
        for (width, height) in [(0, 6), (7, 0), (7, 9), (8, 8), (1, 64), (33, 1), (u64::MAX, 2)] {
            assert_eq!(Board::new(width, height), Err(BoardError::Size { width, height }));
        }
    }

    #[test]
    fn text_that_is_no_board_is_named_in_the_error() {
        for text in ["", "7", "7x", "x6", "7x6x5", "-7x6", "7 x6", "axb", "7*6", "+7x6"] {
            assert_eq!(text.parse::<Board>(), Err(BoardError::Syntax { found: text.to_owned() }));
        }
        let huge = "99999999999999999999x1".parse::<Board>();
        assert_eq!(huge, Err(BoardError::Size { width: u64::MAX, height: 1 }));
    }

    #[test]
    fn tiers_end_with_the_largest_board() {
        assert_eq!(Tier::LAST, Board::new(1, 63).unwrap().last_tier());
        assert_eq!((Tier::new(63), Tier::new(64)), (Some(Tier::LAST), None));
        assert_eq!((Tier(62).next(), Tier(63).next()), (Some(Tier(63)), None));
        assert_eq!(Tier::try_from(9), Ok(Tier(9)));
        assert_eq!(
            Tier::try_from(256).unwrap_err().to_string(),
            "'256' is not a tier: expected a whole number from 0 to 63"
        );
    }

    #[test]
    fn players_are_read_as_they_are_printed() {
        for player in Player::BOTH {
            assert_eq!(player.to_string().parse(), Ok(player));
            assert_eq!((!player, !!player), (player.other(), player));
        }
        assert_eq!(
            "third".parse::<Player>().unwrap_err().to_string(),
            "'third' is not a player: expected first or second"
        );
    }

    proptest::proptest! {
        #[test]
        fn cells_and_images_of_columns_that_the_board_lacks_are_none(
            width in 1u64..=32, height in 1u64..=63, column in 0u8..32, row in 0usize..100,
        ) {
            let Ok(board) = Board::new(width, height) else { return Ok(()) };
            let column = Column(column);
            let is_cell = board.has_column(column) && row < board.height();
            let cell = board.cell(column, row);
            proptest::prop_assert_eq!(cell.count_ones(), u32::from(is_cell));
            proptest::prop_assert_eq!(cell & !board.mask(), 0);
            proptest::prop_assert_eq!(cell & !board.column_mask(column), 0);
            let image = board.mirrored(column);
            proptest::prop_assert_eq!(image.is_some(), board.has_column(column));
            if let Some(image) = image {
                proptest::prop_assert_eq!(board.mirrored(image), Some(column));
            }
        }
    }
}
