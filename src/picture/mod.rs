//! Positions, answers, reviews and the marks of players as SVG pictures, for files and notebooks.
//!
//! ```text
//!     Red, the first player, is to move        the state, in the colours of the stones
//!     red wins in 39 plies, score +1           the verdict, if it is known
//!     ┌─────────────┐
//!     │ . . . . . . │                          the board
//!     │ . . o x . . │
//!     └─────────────┘
//!       1 2 3 4 5 6                            columns; the best ones stand out
//!      -3-3-2+1-2-3                            and what a move there is worth
//! ```

mod board;
pub(crate) mod pen;
#[cfg(feature = "tables")]
mod reports;
mod review;

use board::{EDGE, begun, colour_name, draw, middle, size};
use pen::Anchor;

use crate::board::{Column, Position};
use crate::query::Answer;
use crate::query::words::{short, verdict};

#[cfg(feature = "tables")]
pub use reports::of_reports;
pub use review::of_review;

/// Room for a line of text above the board.
const LINE: f64 = 18.0;
/// Room for the values below it.
const VALUES: f64 = 24.0;
/// Room for the longest line above it.
const LEAST_WIDTH: f64 = 360.0;

/// A position: its stones, and who is to move or has won.
///
/// ```
/// use strong4::board::{Board, Moves};
///
/// let game = Moves::parse(Board::STANDARD, "4453")?;
/// let picture = strong4::picture::of_position(game.position());
/// assert!(picture.starts_with("<svg") && picture.contains("Red, the first player, is to move"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of_position(position: &Position) -> String {
    with_texts(position, None, &[], |_| None)
}

/// An answer: the position with the value of each move below its column.
pub fn of_answer(answer: &Answer) -> String {
    let verdict = (!answer.is_over()).then(|| verdict(answer, colour_name));
    with_texts(&answer.position, verdict, &answer.best, |column| {
        answer.columns[column.index()].map(short)
    })
}

/// The picture of a position with a second line above and texts below the columns.
fn with_texts(
    position: &Position,
    verdict: Option<String>,
    best: &[Column],
    below: impl Fn(Column) -> Option<String>,
) -> String {
    let board = position.board();
    let [width, height] = size(board);
    let head = EDGE + LINE + if verdict.is_some() { LINE } else { 0.0 };
    let texts: Vec<(Column, String)> =
        board.columns().filter_map(|column| Some((column, below(column)?))).collect();
    let foot = if texts.is_empty() { 0.0 } else { VALUES };
    let whole = (width + 2.0 * EDGE).max(LEAST_WIDTH);
    let mut picture = begun(position, whole, head + height + foot + EDGE);
    let at = [(whole - width) / 2.0, head];
    if let Some(verdict) = verdict {
        picture.text([EDGE, 24.0 + LINE], Anchor::Start, "", verdict);
    }
    draw(&mut picture, at, position, best, |_, _| None);
    for (column, text) in texts {
        let class = if best.contains(&column) { "heading" } else { "" };
        let below = [middle(at, column), head + height + 12.0];
        picture.text(below, Anchor::Middle, class, text);
    }
    picture.finish()
}
