//! An answer as comma-separated values.

use strong4::board::{Board, Column, Moves, letters};
use strong4::query::{Answer, Value};
use strong4::tromp::Key;

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
pub(super) fn row(moves: Option<&Moves>, answer: &Answer) -> String {
    let value = answer.value;
    let (over, plies) = (answer.is_over(), answer.plies(value).map(|plies| plies.get()));
    let columns = answer.columns.iter().map(|value| value.map_or_else(String::new, short));
    let best: Vec<String> = answer.best.iter().map(Column::to_string).collect();
    [
        moves.map(Moves::to_string).unwrap_or_default(),
        Key::of(&answer.position).to_string(),
        if over { "over" } else { value.category().unwrap_or_default() }.to_owned(),
        if over {
            "0".to_owned()
        } else {
            plies.map_or_else(String::new, |plies| plies.to_string())
        },
        value.score().map_or_else(String::new, |score| score.to_string()),
        value.lower().to_string(),
        value.upper().to_string(),
        columns.collect::<Vec<_>>().join(","),
        best.join(" "),
        letters(&answer.line),
        answer.source.name().to_owned(),
        answer.time.as_micros().to_string(),
        String::new(),
    ]
    .join(",")
}

/// A row with only the line and the reason why there is no answer, which a comment does not have.
pub(super) fn refusal(board: Board, line: &str, reason: &str) -> String {
    let empty = ",".repeat(head(board).matches(',').count() - 1);
    format!("{}{empty},{}", csv_cell(line), csv_cell(reason))
}

/// The score of a move, or else its outcome, if known.
fn short(value: Value) -> String {
    match value.score() {
        Some(score) => score.to_string(),
        None => value.category().unwrap_or_default().to_owned(),
    }
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
