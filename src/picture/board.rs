//! A position in a picture: stones in a frame, with names of columns below and text on stones.

use super::pen::{Anchor, Picture};
use crate::board::{Board, Column, Player, Position, Status, fours, letter};
use crate::query::words::state;

pub(super) const EDGE: f64 = 20.0;
/// The side of a cell.
pub(super) const CELL: f64 = 44.0;
const STONE: f64 = 18.0;

const FRAME: &str = "#1e3a8a";
const EMPTY: &str = "#fff";
const MARK: &str = "#16a34a";

/// The colours of the players' stones.
const STONES: [&str; 2] = ["#dc2626", "#facc15"];

/// The colour of a player's stones, in words.
pub(super) fn colour_name(player: Player) -> String {
    ["red", "yellow"][player.index()].to_owned()
}

/// A picture of this size with its title, which says which colour is whose, and a line that says
/// who is to move or has won.
pub(super) fn begun(position: &Position, width: f64, height: f64) -> Picture {
    let mut picture = Picture::new(width, height);
    let ([first, second], board) = (Player::BOTH.map(colour_name), position.board());
    picture.title(&format!(
        "Connect Four on {board}: the first player is {first}, the second is {second}"
    ));
    let state = state(position, colour_name);
    let state = state[..1].to_uppercase() + &state[1..];
    picture.text([EDGE, 24.0], Anchor::Start, "heading", state);
    picture
}

/// The size of a board in a picture, with the names of its columns.
pub(super) fn size(board: Board) -> [f64; 2] {
    [CELL * board.width() as f64, CELL * (board.height() as f64 + 0.6)]
}

/// The middle of a column.
pub(super) fn middle([left, _]: [f64; 2], column: Column) -> f64 {
    left + CELL * (column.index() as f64 + 0.5)
}

/// Draws a position with its upper left corner at a place. Marks a four, and the `best` columns
/// below.
pub(super) fn draw(
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
                Some(player) => STONES[player.index()],
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
