//! An answer in plain text.

use strong4::board::{Column, letters};
use strong4::query::Answer;
use strong4::query::words::{self, short};

use crate::cli::input::asked::Asked;
use crate::cli::output::drawing::Drawing;
use crate::cli::show::state;

/// A drawing with the value of each move below it, and everything known about the position.
pub(super) fn report(answer: &Answer, color: bool) -> String {
    let position = &answer.position;
    let values = &answer.columns;
    let mut report = Drawing { position, last: None, values, color }.draw();
    report += &format!("\n\n{}", state(position));
    let mut tell = |name: &str, what: &str| report += &format!("\n{name:<9}{what}");
    if !answer.is_over() {
        tell("value", &verdict(answer));
        tell("best", &best(answer));
        if !answer.line.is_empty() {
            tell("line", &line(answer));
        }
        tell("source", answer.source.name());
    }
    report
}

/// The same on one line, without the drawing.
pub(super) fn summary(asked: &Asked, answer: &Answer) -> String {
    let name = asked.name();
    if answer.is_over() {
        return format!("{name}: {}", state(&answer.position));
    }
    let values = answer.columns.iter().map(|value| value.map_or("-".to_owned(), short));
    let values = values.collect::<Vec<_>>().join(" ");
    let (verdict, best) = (verdict(answer), best(answer));
    format!("{name}: {verdict}; moves {values}; best {best}")
}

/// Who wins and when.
pub(crate) fn verdict(answer: &Answer) -> String {
    words::verdict(answer, |player| format!("the {} player", player.ordinal()))
}

/// The best moves.
pub(crate) fn best(answer: &Answer) -> String {
    let columns = &answer.best;
    if columns.is_empty() {
        return "not known".to_owned();
    }
    columns.iter().map(Column::to_string).collect::<Vec<_>>().join(" ")
}

fn line(answer: &Answer) -> String {
    let more = if answer.line_ends() { "" } else { " …" };
    format!("{}{more}", letters(&answer.line))
}
