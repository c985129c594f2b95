//! A part of a planned run: which one `solve --part` means, and how it has ended.

use strong4::tabulate::PartEnd;

use super::numbers::counted;
use super::output::{json, record};

/// What is to be done of a planned run.
#[derive(Clone, Copy)]
pub enum PartArg {
    /// A part is to be solved.
    Number(usize),
    /// All parts are done, and the tables are to be put together.
    Tables,
}

impl PartArg {
    /// A number, or `tables`.
    pub fn parse(text: &str) -> Result<PartArg, String> {
        match text.parse() {
            _ if text == "tables" => Ok(PartArg::Tables),
            Ok(number) if number > 0 => Ok(PartArg::Number(number)),
            _ => Err(format!(
                "'{text}' is not a part: expected a whole number from 1, or the word tables"
            )),
        }
    }
}

/// How a part has ended, as JSON: `over` tells whether the tables are there.
pub fn to_json(part: usize, end: PartEnd) -> String {
    let (done, over) = match end {
        PartEnd::Done { parts, batches, found } => ([parts, batches, found].map(Some), false),
        PartEnd::RunIsOver => ([None; 3], true),
    };
    let [parts, batches, found] = done;
    json(&record! { part, parts, batches, found, over })
}

/// The same in words.
pub fn words(part: usize, end: PartEnd) -> String {
    match end {
        PartEnd::Done { parts, batches, found } if found == batches => {
            format!("part {part} of {parts} was done already: {}", batches_of(batches))
        }
        PartEnd::Done { parts, batches, found: 0 } => {
            format!("part {part} of {parts} is done: {}", batches_of(batches))
        }
        PartEnd::Done { parts, batches, found } => {
            let batches = batches_of(batches);
            format!("part {part} of {parts} is done: {batches}, {found} of them before")
        }
        PartEnd::RunIsOver => "nothing remains to be done: all tables are there".to_owned(),
    }
}

fn batches_of(number: usize) -> String {
    counted(number as u64, "batch", "batches")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_says_what_was_done_just_now() {
        let done = |found| PartEnd::Done { parts: 9, batches: 3, found };
        for (end, told) in [
            (done(0), "part 4 of 9 is done: 3 batches"),
            (done(1), "part 4 of 9 is done: 3 batches, 1 of them before"),
            (done(3), "part 4 of 9 was done already: 3 batches"),
            (PartEnd::RunIsOver, "nothing remains to be done: all tables are there"),
        ] {
            assert_eq!(words(4, end), told);
        }
        let record = "{\"part\":4,\"parts\":9,\"batches\":3,\"found\":1,\"over\":false}";
        assert_eq!(to_json(4, done(1)), record);
    }
}
