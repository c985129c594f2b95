//! A review in plain text.

use strong4::board::{Column, Moves, Outcome, letter};
use strong4::query::words::short;
use strong4::query::{Judgement, Review, Reviewed};

use crate::cli::input::asked::game_name;
use crate::cli::output::drawing::Drawing;
use crate::cli::output::numbers::counted;
use crate::cli::output::table::aligned;
use crate::cli::query::verdict;
use crate::cli::show::state;

/// A line for each move, the final position, and the decisive move.
pub(super) fn lines(game: &Moves, review: &Review, color: bool) -> Vec<String> {
    let rows = (1..).zip(&review.moves).map(|(number, reviewed)| row(number, reviewed));
    let remarks = std::iter::once(String::new()).chain(review.moves.iter().map(remark));
    let mut lines: Vec<String> = aligned(["move", "by", "column", "worth", "best", "in"], rows)
        .into_iter()
        .zip(remarks)
        .map(|(line, remark)| format!("{line}  {remark}").trim_end().to_owned())
        .collect();
    let last = game.columns().last().copied();
    let values = &review.last.columns;
    let drawing = Drawing { position: game.position(), last, values, color }.draw();
    lines.push(format!("\n{drawing}\n\n{}", ending(review)));
    lines.extend(decision(review));
    lines
}

/// The same on one line.
pub(super) fn summary(game: &Moves, review: &Review) -> String {
    let mistakes = review.moves.iter().filter(|reviewed| reviewed.is_mistake()).count() as u64;
    let mistakes = counted(mistakes, "mistake", "mistakes");
    let decided = decision(review).map(|decided| format!("; {decided}")).unwrap_or_default();
    format!("{}: {}; {mistakes}{decided}", game_name(game), ending(review))
}

/// How the game ended, or would end.
fn ending(review: &Review) -> String {
    let position = &review.last.position;
    if review.last.is_over() {
        return state(position);
    }
    format!("{}: {}", state(position), verdict(&review.last))
}

fn row(number: usize, reviewed: &Reviewed) -> [String; 6] {
    let best: Vec<String> = reviewed.best.iter().map(Column::to_string).collect();
    [
        number.to_string(),
        reviewed.position.mover().letter().to_string(),
        letter(reviewed.column).to_string(),
        short(reviewed.worth),
        short(reviewed.best_worth),
        if best.is_empty() { "?".to_owned() } else { best.join(" ") },
    ]
}

/// The remark on a move that gave something away.
fn remark(reviewed: &Reviewed) -> String {
    match reviewed.judgement() {
        Judgement::Mistake { from, to } => format!("a {} becomes a {}", from.name(), to.name()),
        Judgement::Slower if reviewed.worth.outcome() == Some(Outcome::Win) => {
            "wins later".to_owned()
        }
        Judgement::Slower => "loses sooner".to_owned(),
        Judgement::Best | Judgement::Unknown => String::new(),
    }
}

/// The last move that changed the outcome, if any.
fn decision(review: &Review) -> Option<String> {
    let number = review.decided_by()?;
    let reviewed = &review.moves[number - 1];
    let column = letter(reviewed.column);
    let best: Vec<String> = reviewed.best.iter().map(Column::to_string).collect();
    let player = reviewed.position.mover().letter();
    let (remark, best) = (remark(reviewed), best.join(" or "));
    Some(format!(
        "decided by move {number}: {player} plays {column}, and {remark}; better was {best}"
    ))
}
