//! A review as a picture: the stones with the numbers of their moves, marking those that changed
//! the outcome, and the score for red, the first player, over time.

use super::board::{CELL, EDGE, begun, colour_name, draw, size};
use super::pen::{Anchor, Axis, Picture};
use crate::board::{Column, Player, Position};
use crate::query::Review;

const HEAD: f64 = 40.0;
const CHART: f64 = 150.0;
const LEAST_WIDTH: f64 = 420.0;

const SCORE: &str = "#1d4ed8";
const MISTAKE: &str = "#c2410c";

/// A review: the last position with the numbers of the moves on their stones, and the score over
/// time.
pub fn of_review(review: &Review) -> String {
    let position = &review.last.position;
    let [width, height] = size(position.board());
    let whole = (width + 2.0 * EDGE).max(LEAST_WIDTH);
    let mut picture = begun(position, whole, HEAD + height + CHART + 3.0 * EDGE);
    let number = |column: Column, row: usize| {
        let at = review.moves.iter().position(|reviewed| {
            reviewed.column == column && reviewed.position.column_height(column) == row
        })?;
        Some(format!("{}{}", at + 1, if review.moves[at].is_mistake() { "?" } else { "" }))
    };
    draw(&mut picture, [(whole - width) / 2.0, HEAD], position, &[], number);
    chart(&mut picture, review, [EDGE + CELL, HEAD + height + EDGE], whole - EDGE);
    picture.finish()
}

/// The score of each position for the first player, where known, in order.
fn chart(picture: &mut Picture, review: &Review, [left, top]: [f64; 2], right: f64) {
    let for_first = |position: &Position, score: i32| match position.mover() {
        Player::First => score,
        Player::Second => -score,
    };
    let before = review.moves.iter().map(|m| (&m.position, m.best_worth));
    let values = before.chain([(&review.last.position, review.last.value)]);
    let scores: Vec<(usize, i32)> = (0..)
        .zip(values)
        .filter_map(|(at, (p, value))| Some((at, for_first(p, value.score()?.get()))))
        .collect();
    let most = scores.iter().map(|(_, score)| score.abs()).max().unwrap_or(0).max(1);
    let bottom = top + CHART;
    let last = review.moves.len().max(1) as f64;
    let across = Axis::linear([0.0, last], [left, right]);
    let up = Axis::linear([-f64::from(most), f64::from(most)], [bottom, top]);
    let levels = [-most, 0, most].map(|score| {
        (f64::from(score), if score == 0 { "0".to_owned() } else { format!("{score:+}") })
    });
    picture.levels(&across, &up, &levels);
    let step = review.moves.len().div_ceil(12).max(1);
    let marks: Vec<(f64, String)> = (0..=review.moves.len())
        .step_by(step)
        .map(|number| (number as f64, number.to_string()))
        .collect();
    picture.bottom(&across, &up, &marks);
    let place = |at: usize, score: i32| [across.place(at as f64), up.place(f64::from(score))];
    let points: Vec<[f64; 2]> = scores.iter().map(|(at, score)| place(*at, *score)).collect();
    picture.dotted_curve(&points, SCORE);
    for (at, score) in &scores {
        if at.checked_sub(1).is_some_and(|before| review.moves[before].is_mistake()) {
            picture.disc(place(*at, *score), 4.0, MISTAKE);
        }
    }
    let scores = format!("score for {} after each move", colour_name(Player::First));
    picture.text([left, bottom + 34.0], Anchor::Start, "", scores);
    picture.disc([left + 190.0, bottom + 30.0], 4.0, MISTAKE);
    picture.text([left + 200.0, bottom + 34.0], Anchor::Start, "", "and ?: a mistake");
}
