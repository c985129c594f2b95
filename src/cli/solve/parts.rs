//! The parts of a planned run: their progress, the next one, and how one ended.

use serde::Serialize;
use strong4::tabulate::{PartEnd, PlanStatus};

use crate::cli::output::numbers::{counted, ranges};
use crate::cli::output::{json, record};

/// The progress of the parts of a planned run, as JSON.
pub(crate) fn plan_record(plan: &PlanStatus) -> impl Serialize {
    let PlanStatus { parts, done, at_work, ready, waiting } = plan.clone();
    record! { parts, done, at_work, ready, waiting }
}

/// The option for the next step of a planned run; none while other parts are running.
pub(crate) fn next_part(plan: &PlanStatus) -> String {
    match plan.ready.first() {
        Some(part) => format!(" --part {part}"),
        None if plan.done == plan.parts => " --part tables".to_owned(),
        None => String::new(),
    }
}

/// The progress of the parts of a run.
pub(crate) fn parts_told(plan: &PlanStatus) -> String {
    let PlanStatus { parts, done, at_work, ready, waiting } = plan;
    let mut line = format!("{done} of {} done", counted(*parts as u64, "part", "parts"));
    if !at_work.is_empty() {
        line += &format!(", working on {}", ranges(at_work));
    }
    if !ready.is_empty() {
        line += &format!(", ready {}", ranges(ready));
    }
    if *waiting > 0 {
        line += &format!(", {waiting} waiting");
    }
    line
}

/// What is to be done of a planned run.
#[derive(Clone, Copy)]
pub(crate) enum PartArg {
    /// A part is to be solved.
    Number(usize),
    /// All parts are done, and the tables are to be put together.
    Tables,
}

impl PartArg {
    /// A number, or `tables`.
    pub(crate) fn parse(text: &str) -> Result<PartArg, String> {
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
pub(crate) fn part_json(part: usize, end: PartEnd) -> String {
    let (done, over) = match end {
        PartEnd::Done { parts, batches, found } => ([parts, batches, found].map(Some), false),
        PartEnd::RunIsOver => ([None; 3], true),
    };
    let [parts, batches, found] = done;
    json(&record! { part, parts, batches, found, over })
}

/// The same in words.
pub(crate) fn part_words(part: usize, end: PartEnd) -> String {
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
    fn what_is_next_of_a_plan_is_what_can_be_begun() {
        let plan = |done, at_work, ready, waiting| {
            let plan = PlanStatus { parts: 9, done, at_work, ready, waiting };
            (parts_told(&plan), next_part(&plan))
        };
        for ((done, at_work, ready, waiting), told, next) in [
            (
                (0, vec![], vec![1, 2, 3], 6),
                "0 of 9 parts done, ready 1..3, 6 waiting",
                " --part 1",
            ),
            (
                (3, vec![4], vec![5, 7, 8], 2),
                "3 of 9 parts done, working on 4, ready 5, 7..8, 2 waiting",
                " --part 5",
            ),
            ((8, vec![9], vec![], 0), "8 of 9 parts done, working on 9", ""),
            ((9, vec![], vec![], 0), "9 of 9 parts done", " --part tables"),
        ] {
            assert_eq!(plan(done, at_work, ready, waiting), (told.to_owned(), next.to_owned()));
        }
    }

    #[test]
    fn a_part_says_what_was_done_just_now() {
        let done = |found| PartEnd::Done { parts: 9, batches: 3, found };
        for (end, told) in [
            (done(0), "part 4 of 9 is done: 3 batches"),
            (done(1), "part 4 of 9 is done: 3 batches, 1 of them before"),
            (done(3), "part 4 of 9 was done already: 3 batches"),
            (PartEnd::RunIsOver, "nothing remains to be done: all tables are there"),
        ] {
            assert_eq!(part_words(4, end), told);
        }
        let record = "{\"part\":4,\"parts\":9,\"batches\":3,\"found\":1,\"over\":false}";
        assert_eq!(part_json(4, done(1)), record);
    }
}
