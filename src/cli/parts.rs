//! How far the parts of a planned run are, and which one comes next.

use serde::Serialize;
use strong4::tabulate::PlanStatus;

use super::numbers::{counted, ranges};
use super::output::record;

/// The progress of the parts of a planned run, as JSON.
pub fn plan_record(plan: &PlanStatus) -> impl Serialize {
    let PlanStatus { parts, done, at_work, ready, waiting } = plan.clone();
    record! { parts, done, at_work, ready, waiting }
}

/// The option for what is to be done next of a planned run; none if it waits for what others do.
pub fn next_part(plan: &PlanStatus) -> String {
    match plan.ready.first() {
        Some(part) => format!(" --part {part}"),
        None if plan.done == plan.parts => " --part tables".to_owned(),
        None => String::new(),
    }
}

/// The progress of the parts of a run.
pub fn parts_told(plan: &PlanStatus) -> String {
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
}
