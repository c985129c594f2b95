//! What a plan takes, as text and as JSON.

use strong4::board::Board;
use strong4::json_integer::JsonInteger;
use strong4::memory::Bytes;
use strong4::tabulate::{Part, Planned};

use crate::cli::duration::rough;
use crate::cli::numbers::{counted, grouped, rounded};
use crate::cli::output::{json, record};
use crate::cli::table::aligned;

/// The plan as JSON. Times are those of one core.
pub fn to_json(board: Board, planned: &Planned) -> String {
    let Planned { tiers, plan, alone } = planned;
    let part = |part: &Part| {
        record! {
            part: part.number,
            stage: part.stage,
            batches: part.batches.len(),
            cells: JsonInteger::from(part.cells),
            core_seconds: rounded(seconds(part.nanoseconds), 3),
            memory: JsonInteger::from(part.memory),
            needs: part.needs.clone(),
        }
    };
    json(&record! {
        board: board.to_string(),
        first: tiers.first().get(),
        last: tiers.last().get(),
        cells: JsonInteger::from(alone.cells),
        threads: rayon::current_num_threads(),
        core_seconds: rounded(seconds(plan.nanoseconds()), 3),
        longest_path: rounded(seconds(plan.longest_path()), 3),
        handed_on: JsonInteger::from(plan.handed_on()),
        scratch: JsonInteger::from(plan.scratch()),
        scratch_alone: JsonInteger::from(alone.scratch),
        tables: JsonInteger::from(alone.tables),
        stages: plan.stages().count(),
        parts: plan.parts().iter().map(part).collect::<Vec<_>>(),
    })
}

/// The plan as lines: what each stage takes, and then the whole.
pub fn text(board: Board, planned: &Planned) -> Vec<String> {
    let Planned { tiers, plan, alone } = planned;
    let threads = rayon::current_num_threads();
    let on_a_part = |nanoseconds: u64| rough(seconds(nanoseconds) / threads as f64);
    let most_memory = |parts: &[Part]| parts.iter().map(|part| part.memory).max().unwrap_or(0);
    let head = ["stage", "parts", "batches", "core hours", "longest part", "memory"];
    let mut rows = vec![head.map(str::to_owned)];
    for (number, stage) in (1..).zip(plan.stages()) {
        let batches = stage.iter().map(|part| part.batches.len() as u64).sum();
        let longest = stage.iter().map(|part| part.nanoseconds).max().unwrap_or(0);
        rows.push([
            format!("{number}"),
            grouped(stage.len() as u64),
            grouped(batches),
            hours(stage.iter().map(|part| part.nanoseconds).sum()),
            on_a_part(longest),
            Bytes(most_memory(stage)).to_string(),
        ]);
    }
    let (parts, stages) = (plan.parts().len(), plan.stages().count());
    let path = plan.longest_path();
    let at_once = plan.nanoseconds() as f64 / path.max(1) as f64;
    let mut lines = aligned(&rows);
    lines.extend([
        String::new(),
        format!("run            tiers {tiers} of {board}: {} cells", grouped(alone.cells)),
        format!(
            "plan           {} in {}, {} each",
            counted(parts as u64, "part", "parts"),
            counted(stages as u64, "stage", "stages"),
            counted(threads as u64, "core", "cores")
        ),
        format!("core hours     {}", hours(plan.nanoseconds())),
        format!("longest path   {}, so {at_once:.1} parts at once at most", on_a_part(path)),
        format!("memory         {} a part at most", Bytes(most_memory(plan.parts()))),
        format!("handed on      {}, written once and read once", Bytes(plan.handed_on())),
        format!(
            "working files  {} stage by stage, {} on one machine",
            Bytes(plan.scratch()),
            Bytes(alone.scratch)
        ),
        format!("tables         {}, twice at the end", Bytes(alone.tables)),
    ]);
    lines
}

/// Hours to a hundredth.
fn hours(nanoseconds: u64) -> String {
    format!("{:.2}", seconds(nanoseconds) / 3600.0)
}

fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 * 1e-9
}
