//! What the search needs to know of a board, as masks and distances.
//!
//! The standard board has a type of its own, whose masks are compile-time constants. All other
//! boards share one type that carries its masks along. The search is compiled once for each.
//!
//! Some stones' colour no longer matters. A line is *open* for a player if it holds a free cell and
//! no stone of the other player. A stone on no open line of its player is *dead*: it only blocks.
//! If there is nothing that it alone blocks, it may as well belong to the other player, and
//! positions that differ only in such stones have the same value.

use std::ops::Deref;

use crate::board::Board;

/// The masks and distances of a board.
///
/// Cells are bits as drawn at [`Board`]: column by column, one spare bit on top of each. Rows are
/// named by their distance from the top row: of each two cells on top of each other, counted from
/// the top, the higher one is *upper* and the lower one *lower*. On boards of even height, the
/// upper cells are those that players call even, and the lower ones odd.
#[derive(Clone, Copy, Debug)]
pub(super) struct Masks {
    /// Bits of a column: its rows and one more.
    pub(super) column_bits: u32,
    /// Number of cells.
    pub(super) cells: u32,
    /// All cells.
    pub(super) board: u64,
    /// The bottom cell of each column.
    pub(super) bottom: u64,
    /// The cells of the top row, the third from the top, and so on.
    pub(super) upper: u64,
    /// All ones where lines leave the column, all zeros on boards too narrow for that.
    sideways: u64,
    /// The distances of neighbours along falling, flat and rising lines.
    distances: [u32; 3],
}

/// A board, whose masks the compiler may know.
pub(super) trait Shape: Copy + Send + Sync + Deref<Target = Masks> {
    /// One word per column.
    type Words: AsRef<[u64]> + AsMut<[u64]> + Default;

    /// The cells of the column that `cell` lies in.
    #[inline(always)]
    fn column_of(self, cell: u64) -> u64 {
        self.column(cell.trailing_zeros() / self.column_bits)
    }

    /// The cells of the column with this index.
    #[inline(always)]
    fn column(self, index: u32) -> u64 {
        let bits = self.column_bits;
        ((1 << (bits - 1)) - 1) << (index * bits)
    }

    /// `cells` moved up by this many rows, without those that leave the board.
    #[inline(always)]
    fn raised(self, cells: u64, rows: u32) -> u64 {
        let bits = self.column_bits;
        if rows + 1 >= bits {
            return 0;
        }
        // All rows from `rows` on. Bits from the column before would be below these.
        cells << rows & ((self.bottom << (bits - 1)).wrapping_sub(self.bottom << rows))
    }

    /// `cells` moved down by this many rows, without those that leave the board.
    #[inline(always)]
    fn lowered(self, cells: u64, rows: u32) -> u64 {
        let bits = self.column_bits;
        if rows + 1 >= bits {
            return 0;
        }
        cells >> rows & ((self.bottom << (bits - 1 - rows)).wrapping_sub(self.bottom))
    }

    /// How near `cell` is to the middle of the board.
    #[inline(always)]
    fn centrality(self, cell: u64) -> i32 {
        let column = (cell.trailing_zeros() / self.column_bits) as i32;
        let width = (self.cells / (self.column_bits - 1)) as i32;
        -(2 * column + 1 - width).abs() / 2
    }

    /// Cells, free or not, that complete or would complete a four of `stones`.
    #[inline(always)]
    fn winning(self, stones: u64) -> u64 {
        let upright = stones << 1 & stones << 2 & stones << 3;
        let [falling, flat, rising] = self.distances;
        let aside =
            completes(stones, falling) | completes(stones, flat) | completes(stones, rising);
        upright | aside & self.sideways
    }

    /// Whether `stones` hold a four.
    #[inline(always)]
    fn has_four(self, stones: u64) -> bool {
        let four = |distance: u32| {
            let pairs = stones & stones >> distance;
            pairs & pairs >> (2 * distance)
        };
        let [falling, flat, rising] = self.distances;
        four(1) | (four(falling) | four(flat) | four(rising)) & self.sideways != 0
    }

    /// The cells of all fours in `cells` that hold some of `free`, which is part of `cells`.
    #[inline(always)]
    fn cells_of_open_fours(self, cells: u64, free: u64) -> u64 {
        let taken = cells & !free;
        let fours = |distance: u32| {
            let pairs = cells & cells >> distance;
            let closed = taken & taken >> distance;
            let starts = pairs & pairs >> (2 * distance) & !(closed & closed >> (2 * distance));
            let halves = starts | starts << distance;
            halves | halves << (2 * distance)
        };
        let [falling, flat, rising] = self.distances;
        fours(1) | (fours(falling) | fours(flat) | fours(rising)) & self.sideways
    }
}

/// The cells that complete a four along one kind of line.
#[inline(always)]
fn completes(stones: u64, distance: u32) -> u64 {
    let below = stones << distance & stones << (2 * distance);
    let above = stones >> distance & stones >> (2 * distance);
    below & (stones << (3 * distance) | stones >> distance)
        | above & (stones >> (3 * distance) | stones << distance)
}

/// The 7x6 board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standard;

impl Shape for Standard {
    type Words = [u64; 8];
}

impl Deref for Standard {
    type Target = Masks;

    #[inline(always)]
    fn deref(&self) -> &Masks {
        const BOTTOM: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;
        &Masks {
            column_bits: 7,
            cells: 42,
            board: 0x3f * BOTTOM,
            bottom: BOTTOM,
            upper: 0b10_1010 * BOTTOM,
            sideways: !0,
            distances: [6, 7, 8],
        }
    }
}

/// Any board.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnyShape(Masks);

impl AnyShape {
    pub(super) fn new(board: Board) -> AnyShape {
        let height = board.height();
        let upper_rows = (0..height).rev().step_by(2).fold(0u64, |rows, row| rows | 1 << row);
        // Three steps along a line must stay within the word. On a board too tall for that, such
        // lines do not exist, because it is too narrow.
        let wide = board.width() >= 4;
        let column_bits = board.column_bits() as u32;
        AnyShape(Masks {
            column_bits,
            cells: board.cells() as u32,
            board: board.mask(),
            bottom: board.columns().fold(0, |cells, column| cells | board.cell(column, 0)),
            upper: board.columns().fold(0, |cells, column| {
                cells | upper_rows << (column.index() * board.column_bits())
            }),
            sideways: if wide { !0 } else { 0 },
            distances: if wide { [column_bits - 1, column_bits, column_bits + 1] } else { [1; 3] },
        })
    }
}

impl Shape for AnyShape {
    type Words = [u64; 32];
}

impl Deref for AnyShape {
    type Target = Masks;

    #[inline(always)]
    fn deref(&self) -> &Masks {
        &self.0
    }
}

/// Stones of the first player that can all be turned into the second's together without opening or
/// closing a line for anyone.
///
/// Turning dead stones closes no line of the first player. It would open a line for the second
/// player if only turned stones block it. So dead stones on lines of otherwise only the second
/// player's stones, free cells and dead stones stay as they are, and every other line keeps the
/// stone that blocks it.
#[inline(always)]
pub(super) fn colourless<S: Shape>(shape: S, first: u64, second: u64, free: u64) -> u64 {
    let dead = first & !shape.cells_of_open_fours(first | free, free);
    dead & !shape.cells_of_open_fours(second | free | dead, free)
}
