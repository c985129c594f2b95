//! An answer for people.

use strong4::board::{Column, Moves, Outcome, Player, Position, Status};
use strong4::query::{Answer, Value};
use strong4::tromp::Key;

use super::record::source;
use crate::cli::color::colored;
use crate::cli::refused::named;
use crate::cli::show::state;

/// Characters of a column of the drawing.
const WIDTH: usize = 5;

/// A drawing, and in a line below it the value of each move, if the game goes on and they
/// are known.
pub fn draw(position: &Position, columns: &[Option<Value>], color: bool) -> String {
    let drawing = wide(&position.to_string());
    let drawing = if color { colored(&drawing) } else { drawing };
    if columns.is_empty() || position.status() != Status::Open {
        return drawing;
    }
    let values = columns.iter().map(|value| value.map_or(String::new(), short));
    let values: String = values.map(|value| format!("{value:>WIDTH$}")).collect();
    format!("{drawing}\n{}", values.trim_end())
}

/// A drawing with the value of each move below it, and all that is known.
pub fn report(answer: &Answer, color: bool) -> String {
    let position = &answer.position;
    let mut report = draw(position, &answer.columns, color);
    report += &format!("\n\n{}", state(position));
    let mut tell = |name: &str, what: &str| report += &format!("\n{name:<9}{what}");
    if !answer.is_over() {
        tell("value", &verdict(answer));
        tell("best", &numbers(&answer.best));
        if !answer.line.is_empty() {
            tell("line", &line(answer));
        }
        tell("source", source(answer.source));
    }
    report
}

/// The same on one line, without the drawing.
pub fn summary(moves: Option<&Moves>, answer: &Answer) -> String {
    let name = match moves {
        Some(moves) => named(&moves.to_string()),
        None => Key::of(&answer.position).to_string(),
    };
    if answer.is_over() {
        return format!("{name}: {}", state(&answer.position));
    }
    let values = answer.columns.iter().map(|value| value.map_or("-".to_owned(), short));
    let values = values.collect::<Vec<_>>().join(" ");
    let (verdict, best) = (verdict(answer), numbers(&answer.best));
    format!("{name}: {verdict}; moves {values}; best {best}")
}

/// The columns as moves are written.
pub fn letters(columns: &[Column]) -> String {
    let digit = |column: &Column| char::from_digit(column.number() as u32, 36).unwrap_or('?');
    columns.iter().map(digit).collect()
}

/// The drawing with its columns farther apart.
fn wide(drawing: &str) -> String {
    let row =
        |line: &str| line.split(' ').map(|cell| format!("{cell:>WIDTH$}")).collect::<String>();
    drawing.lines().map(row).collect::<Vec<_>>().join("\n")
}

/// The score of a move, or what is known of it.
fn short(value: Value) -> String {
    match (value.score(), value.outcome()) {
        (Some(score), _) if score.outcome() == Outcome::Win => format!("+{score}"),
        (Some(score), _) => score.to_string(),
        (None, Some(Outcome::Win)) => "win".to_owned(),
        (None, Some(Outcome::Loss)) => "loss".to_owned(),
        (None, _) => "?".to_owned(),
    }
}

/// Who wins and when.
pub fn verdict(answer: &Answer) -> String {
    let position = &answer.position;
    match (answer.value, answer.value.outcome()) {
        (_, Some(Outcome::Draw)) => "a draw, score 0".to_owned(),
        (Value::Exact(_), Some(outcome)) => {
            let plies = answer.plies(answer.value).map_or(0, |plies| plies.0);
            let moves = if plies == 1 { "ply" } else { "plies" };
            let (winner, score) = (winner(position, outcome), short(answer.value));
            format!("the {winner} player wins in {plies} {moves}, score {score}")
        }
        (Value::Exact(_), None) => unreachable!("a score is an outcome"),
        (Value::Between(between), Some(outcome)) => {
            format!("the {} player wins; score {between} (bounds)", winner(position, outcome))
        }
        (Value::Between(between), None) => format!("not settled; score {between} (bounds)"),
    }
}

fn winner(position: &Position, outcome: Outcome) -> &'static str {
    let winner: Player =
        if outcome == Outcome::Win { position.mover() } else { position.mover().other() };
    winner.ordinal()
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
