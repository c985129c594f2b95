//! An answer in plain text, and as a picture with the value of each move below its column.

use strong4::board::{Column, Outcome, Player, Position, letters};
use strong4::query::{Answer, Value};

use crate::cli::input::asked::Asked;
use crate::cli::output::drawing::{Drawing, short};
use crate::cli::output::svg::{
    Anchor, Picture, colour_name, draw, middle, size, state_in_colours, title,
};
use crate::cli::show::state;

/// A drawing with the value of each move below it, and everything known about the position.
pub fn report(answer: &Answer, color: bool) -> String {
    let position = &answer.position;
    let values = &answer.columns;
    let mut report = Drawing { position, last: None, values, color }.draw();
    report += &format!("\n\n{}", state(position));
    let mut tell = |name: &str, what: &str| report += &format!("\n{name:<9}{what}");
    if !answer.is_over() {
        tell("value", &verdict(answer));
        tell("best", &numbers(&answer.best));
        if !answer.line.is_empty() {
            tell("line", &line(answer));
        }
        tell("source", answer.source.name());
    }
    report
}

/// The same on one line, without the drawing.
pub fn summary(asked: &Asked, answer: &Answer) -> String {
    let name = asked.name();
    if answer.is_over() {
        return format!("{name}: {}", state(&answer.position));
    }
    let values = answer.columns.iter().map(|value| value.map_or("-".to_owned(), short));
    let values = values.collect::<Vec<_>>().join(" ");
    let (verdict, best) = (verdict(answer), numbers(&answer.best));
    format!("{name}: {verdict}; moves {values}; best {best}")
}

/// Who wins and when.
pub fn verdict(answer: &Answer) -> String {
    verdict_with(answer, |player| format!("the {} player", player.ordinal()))
}

/// The same with other names of the players.
pub fn verdict_with(answer: &Answer, name: impl Fn(Player) -> String) -> String {
    let position = &answer.position;
    match (answer.value, answer.value.outcome()) {
        (_, Some(Outcome::Draw)) => "a draw, score 0".to_owned(),
        (Value::Exact(_), Some(outcome)) => {
            let plies = answer.plies(answer.value).map_or(0, |plies| plies.get());
            let moves = if plies == 1 { "ply" } else { "plies" };
            let (winner, score) = (name(winner(position, outcome)), short(answer.value));
            format!("{winner} wins in {plies} {moves}, score {score}")
        }
        (Value::Exact(_), None) => unreachable!("a score is an outcome"),
        (Value::Between(between), Some(outcome)) => {
            format!("{} wins; score {between} (bounds)", name(winner(position, outcome)))
        }
        (Value::Between(between), None) => format!("not settled; score {between} (bounds)"),
    }
}

fn winner(position: &Position, outcome: Outcome) -> Player {
    if outcome == Outcome::Win { position.mover() } else { position.mover().other() }
}

fn numbers(columns: &[Column]) -> String {
    if columns.is_empty() {
        return "not known".to_owned();
    }
    columns.iter().map(Column::to_string).collect::<Vec<_>>().join(" ")
}

fn line(answer: &Answer) -> String {
    let more = if answer.line_ends() { "" } else { " …" };
    format!("{}{more}", letters(&answer.line))
}

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
