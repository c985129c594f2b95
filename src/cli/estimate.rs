//! How long it takes to prepare for a board, where that is long.

use strong4::board::Board;
use strong4::columns::column_states;
use strong4::count::MOST_STATES;
use strong4::index::Split;

use super::output::say;

/// Nanoseconds for each state of a side beside each near column: measured on boards from
/// 10x5 to 16x3, on two threads of a machine with other work.
const INDEX_NANOS: f64 = 6.0;
/// Nanoseconds for each state of a side, when positions are counted.
const COUNT_NANOS: f64 = 1500.0;
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
    let states = states(board, board.width() / 2);
    // Boards of four columns are counted without such lists, and the largest ones are refused.
    if board.width() != 4 && states <= MOST_STATES as f64 {
        tell("preparing to count", board, states * COUNT_NANOS, quiet);
    }
}

/// States of so many columns; none of a board whose columns are too tall, which is refused.
fn states(board: Board, columns: usize) -> f64 {
    column_states(board).map_or(0.0, |states| (states.len() as f64).powi(columns as i32))
}

fn tell(what: &str, board: Board, nanos: f64, quiet: bool) {
    let seconds = nanos / 1e9;
    if seconds > SHORT && !quiet {
        say(format_args!("{what} {board} takes some {}", in_words(seconds)));
    }
}

/// A time that is only guessed.
fn in_words(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{seconds:.0} s"),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.0} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_guessed_in_few_digits() {
        assert_eq!([3.4, 65.0, 200.0, 7300.0].map(in_words), ["3 s", "65 s", "3 min", "2 h"]);
    }

    #[test]
    fn states_are_those_of_all_columns() {
        assert_eq!(states("7x6".parse().unwrap(), 3), 103f64.powi(3));
        assert_eq!(states("1x63".parse().unwrap(), 0), 1.0);
    }
}
