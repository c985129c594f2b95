//! `strong4 plan`: a run in parts, for many machines.

mod make;
mod report;
mod script;
mod slurm;

use std::path::PathBuf;

use clap::Args;
use strong4::board::TierRange;
use strong4::sweep::{Cpu, Scope};
use strong4::table::default_folder;
use strong4::tabulate::{Plan as Parts, Planned, Request, begin_plan, plan};

use super::numbers::{counted, whole};
use super::output::{Output, print, say};
use super::{BoardArg, Exit, Global};
use script::Script;

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
pub struct Plan {
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
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let board = self.board.board;
        let tables = self.tables.clone().unwrap_or_else(|| default_folder(board));
        let scratch = self.scratch.clone().unwrap_or_else(|| tables.join("scratch"));
        let request = Request {
            board,
            tiers: TierRange::all(board),
            tables,
            scratch,
            memory: None,
            cpu: Cpu::widest(),
            scope: Scope::InDoubt,
            cut: None,
            horizon: None,
        };
        if self.slurm || self.make {
            return self.begin(&request, global);
        }
        let planned = plan(&request, self.parts)?;
        print(if self.json {
            vec![report::to_json(board, &planned)]
        } else {
            report::text(board, &planned)
        })?;
        Ok(Exit::Fine)
    }

    /// Begins the run, and prints what leads to its tables.
    fn begin(&self, request: &Request, global: &Global) -> anyhow::Result<Exit> {
        // What cannot be written in a script is told before anything is begun.
        let script = Script::new(request)?;
        let begun = begin_plan(request, self.parts, &())?;
        let mut out = Output::new();
        if let Some(planned) = &begun {
            let text = if self.slurm { slurm::text } else { make::text };
            out.text(text(&script, planned))?;
        } else {
            out.line("# All tables are there.")?;
        }
        out.finish()?;
        if !global.quiet {
            match &begun {
                Some(planned) => say(format_args!("{}", begun_words(request, planned))),
                None => say(format_args!("all tables are in {}", request.tables.display())),
            }
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
