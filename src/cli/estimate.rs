//! How long it takes to prepare for a board, where that is long.

use strong4::board::Board;
use strong4::columns::column_states;
use strong4::count::MOST_STATES;
use strong4::index::Split;

use super::duration::rough;
use super::output::say;

/// Nanoseconds for each state of a side beside each near column: measured on boards from
/// 10x5 to 16x3, on two threads of a machine with other work.
const INDEX_NANOS: f64 = 6.0;
/// Nanoseconds for each state of a side, and for each set of columns that is sorted by move
/// order, before positions are counted: measured on 32x1, and on 8x6 and 6x8.
const STATE_NANOS: f64 = 150.0;
const SET_NANOS: f64 = 3000.0;
/// What is not worth a word.
const SHORT: f64 = 4.0;

/// Says how long the index of a board takes, if that is long.
pub fn tell_long_index(board: Board, quiet: bool) {
    let split = Split::of(board);
    let near = split.centre_width() - 1;
    tell("indexing", board, states(board, split.side_width() + near) * INDEX_NANOS, quiet);
}

/// Says how long it takes to list what is counted, if that is long.
pub fn tell_long_count(board: Board, quiet: bool) {
    let side = board.width() / 2;
    let states = states(board, side);
    // Boards of four columns are counted without such lists, and the largest ones are refused.
    if board.width() != 4 && states <= MOST_STATES as f64 {
        let nanos = states * STATE_NANOS + column_sets(board, side) * SET_NANOS;
        tell("preparing to count", board, nanos, quiet);
    }
}

/// Sets of so many columns, in which a state may be there more than once.
fn column_sets(board: Board, columns: usize) -> f64 {
    let states = states(board, 1);
    (0..columns).map(|n| (states + n as f64) / (n as f64 + 1.0)).product()
}

/// States of so many columns; none of a board whose columns are too tall, which is refused.
fn states(board: Board, columns: usize) -> f64 {
    column_states(board).map_or(0.0, |states| (states.len() as f64).powi(columns as i32))
}

fn tell(what: &str, board: Board, nanos: f64, quiet: bool) {
    let seconds = nanos / 1e9;
    if seconds > SHORT && !quiet {
        say(format_args!("{what} {board} takes some {}", rough(seconds)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_those_of_all_columns() {
        assert_eq!(states("7x6".parse().unwrap(), 3), 103f64.powi(3));
        assert_eq!(states("1x63".parse().unwrap(), 0), 1.0);
    }

    #[test]
    fn sets_of_columns_have_no_order() {
        let sets = |columns| column_sets("7x6".parse().unwrap(), columns);
        assert_eq!([0, 1, 2].map(sets), [1.0, 103.0, 103.0 * 104.0 / 2.0]);
    }
}
