//! An answer as a picture: the position, with the value of each move below its column.

use strong4::query::Answer;

use super::report::verdict_with;
use crate::cli::board_svg::{colour_name, draw, middle, size, state_in_colours, title};
use crate::cli::drawing::short;
use crate::cli::svg::{Anchor, Picture};

const EDGE: f64 = 20.0;
const HEAD: f64 = 56.0;
const VALUES: f64 = 24.0;
/// Room for the lines above the board.
const LEAST_WIDTH: f64 = 360.0;

/// The picture, as SVG.
pub fn picture(answer: &Answer) -> String {
    let position = &answer.position;
    let [width, height] = size(position.board());
    let whole = (width + 2.0 * EDGE).max(LEAST_WIDTH);
    let mut picture = Picture::new(whole, HEAD + height + VALUES + EDGE);
    let at = [(whole - width) / 2.0, HEAD];
    picture.title(&title(position));
    picture.text([EDGE, 24.0], Anchor::Start, "heading", state_in_colours(position));
    if !answer.is_over() {
        picture.text([EDGE, 42.0], Anchor::Start, "", verdict_with(answer, colour_name));
    }
    draw(&mut picture, at, position, &answer.best, |_, _| None);
    for column in position.board().columns() {
        if let Some(value) = answer.columns[column.index()] {
            let class = if answer.best.contains(&column) { "heading" } else { "" };
            let below = [middle(at, column), HEAD + height + 12.0];
            picture.text(below, Anchor::Middle, class, short(value));
        }
    }
    picture.finish()
}
