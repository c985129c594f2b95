//! An answer as comma-separated values.

use strong4::board::Board;
use strong4::query::{Record, Worth};

use crate::cli::output::csv_cell;

/// The names of the values, with one move per column of the board.
pub(super) fn head(board: Board) -> String {
    let moves: Vec<String> = board.columns().map(|column| format!("move{column}")).collect();
    format!(
        "moves,key,category,plies,score,lower,upper,{},best,line,source,micros,error",
        moves.join(",")
    )
}

/// An answer, without an error.
pub(super) fn row(record: Record) -> String {
    let Record { moves, key, worth, columns, best, line, source, micros, .. } = record;
    // The score of a move, or else its outcome, if known.
    let short = |worth: Worth| worth.score.map(text).or(worth.category.map(text));
    let columns = columns.into_iter().map(|worth| worth.and_then(short).unwrap_or_default());
    [
        moves.unwrap_or_default(),
        text(key),
        text(worth.category.unwrap_or_default()),
        worth.plies.map(text).unwrap_or_default(),
        worth.score.map(text).unwrap_or_default(),
        text(worth.lower),
        text(worth.upper),
        columns.collect::<Vec<_>>().join(","),
        best.into_iter().map(text).collect::<Vec<_>>().join(" "),
        line.unwrap_or_default(),
        text(source),
        text(micros),
        String::new(),
    ]
    .join(",")
}

fn text(value: impl ToString) -> String {
    value.to_string()
}

/// A row with only the line and the reason why there is no answer, which a comment does not have.
pub(super) fn refusal(board: Board, line: &str, reason: &str) -> String {
    let empty = ",".repeat(head(board).matches(',').count() - 1);
    format!("{}{empty},{}", csv_cell(line), csv_cell(reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_has_as_many_values_as_the_head() {
        let board = Board::STANDARD;
        assert_eq!(
            refusal(board, "x", "no").matches(',').count(),
            head(board).matches(',').count()
        );
        assert_eq!(refusal(board, "# x", ""), format!("# x{}", ",".repeat(18)));
        let quoted = refusal(board, "4,\"4", "no, not");
        assert!(
            quoted.starts_with("\"4,\"\"4\",,") && quoted.ends_with(",\"no, not\""),
            "{quoted}"
        );
    }
}
