//! Announces long preparations before positions are counted.

use strong4::board::{Board, Tier};
use strong4::columns::column_states;
use strong4::count::MOST_STATES;
use strong4::tromp::ColumnCode;

use crate::cli::output::numbers::rough;
use crate::cli::output::say;

/// Nanoseconds for each state of a side, and for each set of columns sorted by move order:
/// measured on 32x1, and on 8x6 and 6x8.
const STATE_NANOS: f64 = 150.0;
const SET_NANOS: f64 = 3000.0;
/// Nanoseconds for each pair of a centre and a type while sides are sorted, over all rounds.
/// With `TYPES_FOR_TWICE` types a pair takes twice as long, because the data it is compared
/// with no longer fits the caches. Measured on 2x13, 3x12, 5x8, 5x9 and 5x10.
const PAIR_NANOS: f64 = 2000.0;
const TYPES_FOR_TWICE: f64 = 15_000.0;
/// Shorter times are not announced.
const SHORT: f64 = 4.0;

/// Says how long it takes to prepare to count the tiers up to one, if that is long.
pub(crate) fn tell_long_count(board: Board, up_to: Tier, quiet: bool) {
    let columns = columns_up_to(board, up_to);
    let (left, right) = ((board.width() - 1) / 2, board.width() / 2);
    let states = columns.powi(right as i32);
    // Boards of four columns are counted without sides, and the largest ones are refused.
    if board.width() == 4 || states > MOST_STATES as f64 {
        return;
    }
    // Left and right sides are sorted separately if they differ.
    let sorted = if left == right { &[right][..] } else { &[left, right] };
    let pairs = |side: &usize| {
        let types = types(columns, *side);
        columns * types * PAIR_NANOS * (1.0 + types / TYPES_FOR_TWICE)
    };
    let nanos = states * STATE_NANOS
        + column_sets(columns, right) * SET_NANOS
        + sorted.iter().map(pairs).sum::<f64>();
    // Sides with more stones are skipped, but their number is not known here.
    let how = if up_to == board.last_tier() { "about" } else { "at most" };
    let seconds = nanos / 1e9;
    if seconds > SHORT && !quiet {
        say(format_args!("preparing to count {board} takes {how} {}", rough(seconds)));
    }
}

/// The approximate number of types of sides with this many columns. Single columns hardly share
/// types. With two columns, a type has about 29 states on boards of 8 rows or more. Wider sides
/// have only a few types per state of a column.
fn types(columns: f64, side: usize) -> f64 {
    match side {
        0 => 1.0,
        1 => columns,
        2 => 0.035 * columns * columns,
        _ => 25.0 * columns,
    }
}

/// Multisets of this many columns.
fn column_sets(states: f64, columns: usize) -> f64 {
    (0..columns).map(|n| (states + n as f64) / (n as f64 + 1.0)).product()
}

/// States of a column with at most this many stones; 0 if the column is too tall, and the board is
/// refused.
fn columns_up_to(board: Board, up_to: Tier) -> f64 {
    let fits = |code: &&ColumnCode| code.stones() <= up_to.stones();
    column_states(board).map_or(0.0, |states| states.iter().filter(fits).count() as f64)
}

#[cfg(test)]
mod tests {
    use strong4::order::{Orders, Widths};

    use super::*;

    #[test]
    fn columns_have_states_unless_they_are_too_tall() {
        let states = |board: &str| {
            let board: Board = board.parse().unwrap();
            columns_up_to(board, board.last_tier())
        };
        assert_eq!(["7x6", "3x20"].map(states), [103.0, 0.0]);
    }

    #[test]
    fn sets_of_columns_have_no_order() {
        let sets = |columns| column_sets(103.0, columns);
        assert_eq!([0, 1, 2].map(sets), [1.0, 103.0, 103.0 * 104.0 / 2.0]);
    }

    #[test]
    fn types_are_about_as_many_as_there_are() {
        for (board, left, centre) in [("3x8", 1, 1), ("5x7", 2, 1), ("7x5", 3, 1), ("2x4", 0, 1)] {
            let board: Board = board.parse().unwrap();
            let widths = Widths { left, centre, right: board.width() - left - centre };
            let orders = Orders::new(board, widths, board.last_tier(), &()).unwrap();
            let guess = types(columns_up_to(board, board.last_tier()), left);
            let of_each = orders.left().len() as f64 / guess;
            assert!((0.5..2.0).contains(&of_each), "{board}: {of_each} of {guess}");
        }
    }
}
