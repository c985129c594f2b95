//! A board as part of a picture: stones in a frame, each with an optional text.

use strong4::board::{Board, Column, Player, Position, Status, fours, letter};

use super::svg::{Anchor, Picture};

/// The side of a cell.
pub const CELL: f64 = 44.0;
const STONE: f64 = 18.0;

const FRAME: &str = "#1e3a8a";
const EMPTY: &str = "#fff";
const MARK: &str = "#16a34a";

/// The size of a board in a picture, with the names of its columns.
pub fn size(board: Board) -> [f64; 2] {
    [CELL * board.width() as f64, CELL * (board.height() as f64 + 0.6)]
}

/// The middle of a column.
pub fn middle([left, _]: [f64; 2], column: Column) -> f64 {
    left + CELL * (column.index() as f64 + 0.5)
}

/// Draws a position with its upper left corner at a place. Marks a four, and the `best` columns
/// below.
pub fn draw(
    picture: &mut Picture,
    at: [f64; 2],
    position: &Position,
    best: &[Column],
    text: impl Fn(Column, usize) -> Option<String>,
) {
    let board = position.board();
    let [_, top] = at;
    let [width, _] = size(board);
    let height = CELL * board.height() as f64;
    picture.filled(at, [width, height], FRAME);
    let four = match position.status() {
        Status::Won(winner) => fours(board, position.stones(winner)),
        _ => 0,
    };
    for column in board.columns() {
        let x = middle(at, column);
        for row in 0..board.height() {
            let centre = [x, top + height - CELL * (row as f64 + 0.5)];
            let colour = match position.stone_at(column, row) {
                Some(Player::First) => "#dc2626",
                Some(Player::Second) => "#facc15",
                None => EMPTY,
            };
            picture.disc(centre, STONE, colour);
            if board.cell(column, row) & four != 0 {
                picture.ring(centre, STONE, MARK);
            }
            if let Some(text) = text(column, row) {
                let class = match position.stone_at(column, row) {
                    Some(Player::First) => "light",
                    _ => "",
                };
                picture.text([centre[0], centre[1] + 4.0], Anchor::Middle, class, text);
            }
        }
        let class = if best.contains(&column) { "heading" } else { "" };
        let below = [x, top + height + 0.4 * CELL];
        picture.text(below, Anchor::Middle, class, letter(column));
    }
}
