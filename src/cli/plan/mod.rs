//! `strong4 plan`: a run in parts, for many machines.

mod scripts;

use std::path::PathBuf;

use clap::Args;
use scripts::{Script, makefile, slurm_script};
use strong4::board::Board;
use strong4::memory::Bytes;
use strong4::query::JsonInteger;
use strong4::table::default_folder;
use strong4::tabulate::{Part, Plan as Parts, Planned, Request, begin_plan, plan};

use super::output::{Output, json, print, record, say};
use super::{Exit, Global};
use crate::cli::input::args::BoardArg;
use crate::cli::output::numbers::{counted, grouped, rough, rounded, whole};
use crate::cli::output::table::aligned;

const EXAMPLES: &str = "\
Examples:
  strong4 plan --board 8x6 --parts 200 --threads 8
  strong4 plan --board 5x4 --tables planned --make > 5x4.mk      # then make --file 5x4.mk
  strong4 plan --board 8x6 --threads 8 --slurm | sh              # many minutes on many nodes";

/// Cut a run into parts that many machines solve at once
///
/// A part is some batches of centres; strong4 solve --part N solves one. Parts of a stage can all
/// be solved at once, when those of the stages before are done. The tables are the same, byte
/// for byte, as on one machine. Without --slurm and --make, prints what each stage takes, and
/// begins nothing. --threads is the number of cores of each part; --slurm passes it on.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Plan {
    #[command(flatten)]
    board: BoardArg,
    /// Folder of the tables, which all machines share [default: tables/WxH]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Folder of the working files, also shared [default: scratch in the folder of the tables]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// About how many parts, from 1 to 1000; a stage has at least one [default: parts of five
    /// minutes, or what the run was planned with]
    #[arg(long, value_name = "N", value_parser = whole(1..=Parts::MOST_PARTS), allow_negative_numbers = true)]
    parts: Option<usize>,
    /// Begin the run, and print a shell script that submits all parts to Slurm
    #[arg(long, conflicts_with_all = ["make", "json"])]
    slurm: bool,
    /// Begin the run, and print a makefile with all parts
    #[arg(long, conflicts_with = "json")]
    make: bool,
    /// Print the plan as one JSON object
    #[arg(long)]
    json: bool,
}

impl Plan {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let board = self.board.board;
        let tables = self.tables.clone().unwrap_or_else(|| default_folder(board));
        let mut request = Request::new(board, tables);
        if let Some(scratch) = &self.scratch {
            request.scratch = scratch.clone();
        }
        if self.slurm || self.make {
            return self.begin(&request, global);
        }
        let planned = plan(&request, self.parts)?;
        print(if self.json { vec![to_json(board, &planned)] } else { text(board, &planned) })?;
        Ok(Exit::Fine)
    }

    /// Begins the run, and prints what leads to its tables.
    fn begin(&self, request: &Request, global: &Global) -> anyhow::Result<Exit> {
        // Refuse paths that a script cannot contain before beginning anything.
        let script = Script::new(request)?;
        let (text, remark) = match begin_plan(request, self.parts, &())? {
            Some(planned) => {
                let script_of = if self.slurm { slurm_script } else { makefile };
                (script_of(&script, &planned), begun_words(request, &planned))
            }
            None => {
                let remark = format!("all tables are in {}", request.tables.display());
                ("# All tables are there.\n".to_owned(), remark)
            }
        };
        let mut out = Output::new();
        out.text(text)?;
        out.finish()?;
        if !global.quiet {
            say(format_args!("{remark}"));
        }
        Ok(Exit::Fine)
    }
}

fn begun_words(request: &Request, planned: &Planned) -> String {
    let (parts, stages) = (planned.plan.parts().len(), planned.plan.stages().count());
    let tables = request.tables.display();
    let parts = counted(parts as u64, "part", "parts");
    let stages = counted(stages as u64, "stage", "stages");
    format!("planned {} in {parts} and {stages}, in {tables}", request.board)
}

/// The plan as JSON. Times are those of one core.
pub(super) fn to_json(board: Board, planned: &Planned) -> String {
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
        handed_on: JsonInteger::from(plan.handed_on),
        scratch: JsonInteger::from(plan.scratch),
        scratch_alone: JsonInteger::from(alone.scratch),
        tables: JsonInteger::from(alone.tables),
        stages: plan.stages().count(),
        parts: plan.parts().iter().map(part).collect::<Vec<_>>(),
    })
}

/// The plan as lines: what each stage takes, and then the whole.
pub(super) fn text(board: Board, planned: &Planned) -> Vec<String> {
    let Planned { tiers, plan, alone } = planned;
    let threads = rayon::current_num_threads();
    let on_a_part = |nanoseconds: u64| rough(seconds(nanoseconds) / threads as f64);
    let most_memory = |parts: &[Part]| parts.iter().map(|part| part.memory).max().unwrap_or(0);
    let head = ["stage", "parts", "batches", "core hours", "longest part", "memory"];
    let rows = (1..).zip(plan.stages()).map(|(number, stage)| {
        let nanoseconds = || stage.iter().map(|part| part.nanoseconds);
        [
            format!("{number}"),
            grouped(stage.len() as u64),
            grouped(stage.iter().map(|part| part.batches.len() as u64).sum()),
            hours(nanoseconds().sum()),
            on_a_part(nanoseconds().max().unwrap_or(0)),
            Bytes(most_memory(stage)).to_string(),
        ]
    });
    let (parts, stages) = (plan.parts().len(), plan.stages().count());
    let path = plan.longest_path();
    let at_once = plan.nanoseconds() as f64 / path.max(1) as f64;
    let mut lines = aligned(head, rows);
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
        format!("handed on      {}, written once and read once", Bytes(plan.handed_on)),
        format!(
            "working files  {} stage by stage, {} on one machine",
            Bytes(plan.scratch),
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
