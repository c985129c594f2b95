//! Four in a row, in all four directions, on a bitboard.
//!
//! A line of four is the same word shifted onto itself. Let `d` be the distance from one cell to
//! the next along the line. Then `x & x>>d` marks the cells that start a pair, and a pair that
//! starts a pair two steps on is a four. The spare bit above each column keeps lines from running
//! over the edge.

use super::Board;

/// The distances, in bits, between neighbours along the four kinds of line:
/// vertical, falling to the right, flat, rising to the right.
fn directions(board: Board) -> [u32; 4] {
    let h = board.height() as u32;
    [1, h, h + 1, h + 2]
}

/// Whether `stones`, cells of the board, hold four in a row anywhere.
pub fn has_four(board: Board, stones: u64) -> bool {
    directions(board).into_iter().any(|d| four_starts(stones, d) != 0)
}

/// The cells that complete four in a row with three of these stones, occupied or not; bits outside
/// the board may be among them. Several boards side by side take little longer than one, if it is
/// compiled for wide registers, and so it is always inlined.
#[inline(always)]
pub(crate) fn winning_cells_of<const N: usize>(board: Board, stones: [u64; N]) -> [u64; N] {
    let mut cells = [0; N];
    // On tall boards a line of four would not fit in the word, so there is none.
    for distance in directions(board).into_iter().filter(|d| 3 * d < u64::BITS) {
        for (cells, stones) in cells.iter_mut().zip(stones) {
            *cells |= fourths(stones, distance);
        }
    }
    cells
}

/// The cells that complete a four along one kind of line.
#[inline(always)]
fn fourths(stones: u64, distance: u32) -> u64 {
    let up = |steps: u32| stones << (steps * distance);
    let down = |steps: u32| stones >> (steps * distance);
    let (above, below) = (up(1) & up(2), down(1) & down(2));
    above & (up(3) | down(1)) | below & (down(3) | up(1))
}

/// The cells of all fours in `stones`.
pub(crate) fn fours(board: Board, stones: u64) -> u64 {
    let cells = directions(board).into_iter().map(|d| {
        let starts = four_starts(stones, d);
        let shift = |by: u32| starts.checked_shl(by).unwrap_or(0);
        starts | shift(d) | shift(2 * d) | shift(3 * d)
    });
    cells.fold(0, |all, cells| all | cells) & board.mask()
}

/// The first cells of the fours along one kind of line.
fn four_starts(stones: u64, distance: u32) -> u64 {
    // On boards of one row or column some distances exceed the word, so there is no such line.
    let shift = |word: u64, by: u32| word.checked_shr(by).unwrap_or(0);
    let pairs = stones & shift(stones, distance);
    pairs & shift(pairs, 2 * distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin walks every line of every cell.
    fn has_four_by_walking(board: Board, stones: u64) -> bool {
        let at = |column: i32, row: i32| {
            let inside = (0..board.width() as i32).contains(&column)
                && (0..board.height() as i32).contains(&row);
            inside && stones >> (column * board.column_bits() as i32 + row) & 1 == 1
        };
        let cells = (0..board.width() as i32)
            .flat_map(|column| (0..board.height() as i32).map(move |row| (column, row)));
        cells.into_iter().any(|(column, row)| {
            [(0, 1), (1, 0), (1, 1), (1, -1)]
                .into_iter()
                .any(|(dc, dr)| (0..4).all(|i| at(column + i * dc, row + i * dr)))
        })
    }

    proptest::proptest! {
        #[test]
        fn shifting_finds_the_same_fours_as_walking(
            width in 1u64..=12, height in 1u64..=12, a: u64, b: u64,
        ) {
            if let Ok(board) = Board::new(width, height) {
                // Both a half-full and a three-quarters-full board.
                for stones in [a & board.mask(), (a | b) & board.mask()] {
                    for (column, row) in
                        board.columns().flat_map(|c| (0..board.height()).map(move |r| (c, r)))
                    {
                        let cell = board.cell(column, row);
                        if !has_four(board, stones & !cell) {
                            let [wins] = winning_cells_of(board, [stones & !cell]);
                            let wins = wins & cell != 0;
                            proptest::prop_assert_eq!(wins, has_four(board, stones | cell));
                        }
                    }
                    proptest::prop_assert_eq!(
                        has_four(board, stones),
                        has_four_by_walking(board, stones)
                    );
                }
            }
        }

        #[test]
        fn without_a_stone_of_it_a_four_is_none(
            width in 1u64..=9, height in 1u64..=7, a: u64, b: u64, bit in 0u32..64,
        ) {
            let Ok(board) = Board::new(width, height) else { return Ok(()) };
            let stones = (a | b) & board.mask();
            let cells = fours(board, stones);
            proptest::prop_assert_eq!(cells & !stones, 0);
            proptest::prop_assert_eq!(cells != 0, has_four(board, stones));
            proptest::prop_assert_eq!(fours(board, cells), cells);
            // A stone is part of a four if removing it removes a four.
            let without = stones & !(1u64 << bit);
            let is_needed = fours(board, without) != cells;
            proptest::prop_assert_eq!(cells >> bit & 1 == 1, is_needed);
        }
    }
}
