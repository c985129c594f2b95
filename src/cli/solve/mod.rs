//! `strong4 solve`: the outcomes of all positions, tier by tier.

pub(super) mod announcements;
pub(super) mod estimate;
pub(super) mod parts;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use strong4::board::{Board, OutcomeCounts, TierRange};
use strong4::plies::TierPlies;
use strong4::query::JsonInteger;
use strong4::solve::{TierSolution, solve, solve_plies};
use strong4::stats::{self, PliesError};
use strong4::sweep::{Cpu, Scope};
use strong4::table::default_folder;
use strong4::tabulate::{
    Request, TabulateError, estimate, tabulate, tabulate_part, tabulate_planned,
};

use crate::cli::advice::command;
use crate::cli::input::args::{BoardArg, TiersArg};
use crate::cli::interrupt;
use crate::cli::output::numbers::{duration_or_zero, grouped, rounded, size};
use crate::cli::output::plies;
use crate::cli::output::progress::{Meter, Shown};
use crate::cli::output::table::summed;
use crate::cli::output::{json, print, record, say};
use crate::cli::solve::announcements::{Announcer, in_json, in_words};
use crate::cli::solve::parts::{PartArg, part_json, part_words};
use crate::cli::{Exit, Global};

const EXAMPLES: &str = "\
Examples:
  strong4 solve --board 5x4
  strong4 solve --board 5x5 --tables target/5x5 --mem 2GiB
  strong4 solve --board 6x4 --no-tables --tiers 20..24
  strong4 solve --board 5x4 --scores      # and how soon positions end
  strong4 solve --board 8x6 --estimate    # what it would take
  strong4 solve                           # all of 7x6: minutes, 7 GB of tables";

/// Runs of this many seconds or more print their estimate before anything is prepared.
const LONG: f64 = 5.0;

/// Solve all positions, tier by tier, and count their outcomes
///
/// With best play, each live position, in which nobody has four in a row, is won, drawn or
/// lost for the player to move. In terminal positions the last move made a four. The sweep
/// starts at the full board and goes down, each tier following from the next: the first
/// tiers need all others. If it is stopped, the same command resumes the work.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Solve {
    #[command(flatten)]
    board: BoardArg,
    #[command(flatten)]
    tiers: TiersArg,
    /// Print one JSON object per tier, and one per event on standard error
    #[arg(long)]
    json: bool,
    /// Folder of the tables [default: tables/WxH]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Folder of the working files [default: scratch in the folder of the tables]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Memory that may be used, such as 8GiB; a run that needs more is refused
    /// [default: what is worth it of 60 % of the available memory]
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true)]
    mem: Option<u64>,
    /// How often finished work is saved; a kill costs the work since then [default: 3min]
    #[arg(long, value_name = "TIME", value_parser = duration_or_zero, allow_hyphen_values = true)]
    checkpoint: Option<Duration>,
    /// Print what a complete run takes, and stop
    #[arg(long)]
    estimate: bool,
    /// Only count outcomes, in memory; with --scratch in files, and resumable
    #[arg(long, conflicts_with = "tables")]
    no_tables: bool,
    /// Find how soon positions end: count the wins and losses by number of plies, and write
    /// tables of the scores, which query then reads. The board is swept again for games that
    /// are cut off after ply 8, 10 and so on, so this is several times the work
    #[arg(long, conflicts_with = "every_cell")]
    scores: bool,
    /// Solve a part of a run that strong4 plan has begun, or put its tables together
    #[arg(long, value_name = "N|tables", value_parser = PartArg::parse, allow_hyphen_values = true,
        conflicts_with_all = ["no_tables", "estimate", "scores", "tiers"])]
    part: Option<PartArg>,
    /// Instruction set of the kernels [default: the widest available]
    #[arg(long, value_name = "FORM", value_parser = ["portable", "avx2", "avx512"])]
    cpu: Option<String>,
    /// Sweep every cell, even where one side of the board decides, and count the wins
    /// directly: twice the time and memory for the same tables
    #[arg(long)]
    every_cell: bool,
}

impl Solve {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let board = self.board.board;
        let tiers = self.tiers.of(board)?;
        let cpu = self.cpu.as_deref().map_or(Ok(Cpu::widest()), str::parse).context("--cpu")?;
        let scope = if self.every_cell { Scope::EveryCell } else { Scope::InDoubt };
        if self.no_tables {
            self.refuse_what_needs_working_files()?;
        }
        if self.scores && self.no_tables {
            let meter = Meter::start(format!("solving {board}"), global.quiet);
            let tiers = solve_plies(board, tiers, cpu, &meter)?;
            drop(meter);
            return self.print(tiers.iter().map(plies::to_json), || plies::table(&tiers));
        }
        let solutions = if self.no_tables && self.scratch.is_none() && !self.estimate {
            let meter = Meter::start(format!("solving {board}"), global.quiet);
            solve(board, tiers, cpu, scope, &meter)?
        } else {
            let tables = self.tables.clone().unwrap_or_else(|| default_folder(board));
            let mut request =
                Request { tiers, memory: self.mem, cpu, scope, ..Request::new(board, tables) };
            if let Some(scratch) = &self.scratch {
                request.scratch = scratch.clone();
            }
            if let Some(checkpoint) = self.checkpoint {
                request.checkpoint = checkpoint;
            }
            let request = match () {
                () if self.no_tables => request.without_tables(),
                () if self.scores => request.with_scores(),
                () => request,
            };
            if self.estimate {
                return self.print_estimate(&request);
            }
            interrupt::set_last_words(format!(
                "finished work is in {}: the same command resumes it",
                request.tables.display()
            ));
            let (quiet, json) = (global.quiet, self.json);
            let shown = Shown { quiet, parts: None, json, estimated: true };
            let told = self.tell_early(&request, shown)?;
            let meter = Meter::showing(format!("solving {board}"), shown);
            let (has_work, is_stopped) = (AtomicBool::new(false), Arc::new(AtomicBool::new(false)));
            let stop = is_stopped.clone();
            interrupt::instead_of_stopping(move || {
                stop.store(true, Ordering::Relaxed);
                if !quiet {
                    say(format_args!(
                        "stopping as soon as finished work is written; Ctrl-C again stops at once"
                    ));
                }
            });
            let listener = Announcer { board, shown, told, meter, has_work, is_stopped };
            if let Some(PartArg::Number(number)) = self.part {
                let end = or_stop(tabulate_part(&request, number, &listener))?;
                drop(listener);
                return self.print([part_json(number, end)], || vec![part_words(number, end)]);
            }
            let tabulate = if self.part.is_some() { tabulate_planned } else { tabulate };
            let tabulated = or_stop(tabulate(&request, &listener))?;
            self.tell_idle(&request, listener);
            if self.scores {
                let tiers = solved_plies(&request.tables, board, tiers)?;
                return self.print(tiers.iter().map(plies::to_json), || plies::table(&tiers));
            }
            tabulated.tiers
        };
        self.print(solutions.iter().map(to_json), || table(&solutions))
    }

    /// Refuses options that have no effect on a run in memory, and a run that knows no other way.
    fn refuse_what_needs_working_files(&self) -> anyhow::Result<()> {
        if self.scores && (self.scratch.is_some() || self.estimate) {
            bail!(
                "--scores counts in memory if there are no tables: leave out --scratch and --estimate"
            );
        }
        for (option, is_there) in
            [("--mem", self.mem.is_some()), ("--checkpoint", self.checkpoint.is_some())]
        {
            if is_there && self.scratch.is_none() && !self.estimate {
                bail!("{option} without tables needs --scratch, a folder for working files");
            }
        }
        Ok(())
    }

    /// Prints the estimate of a long run before anything is prepared. Returns whether it did.
    fn tell_early(&self, request: &Request, shown: Shown) -> anyhow::Result<bool> {
        // Most of the work may be done already.
        if shown.quiet
            || shown.json
            || self.scores
            || self.part.is_some()
            || request.tables.exists()
        {
            return Ok(false);
        }
        let Request { board, tiers, .. } = *request;
        let estimate = estimate(request)?;
        let is_long = estimate.seconds >= LONG;
        if is_long {
            say(format_args!("solving tiers {tiers} of {board}: {}", in_words(&estimate)));
        }
        Ok(is_long)
    }

    /// Ends the progress. If there was nothing to do, says what that means.
    fn tell_idle(&self, request: &Request, listener: Announcer) {
        let Announcer { shown, meter, has_work, .. } = listener;
        drop(meter);
        if self.no_tables {
            return;
        }
        if !has_work.into_inner() && !shown.quiet && !shown.json {
            let verify = command("verify", request.board, &request.tables);
            say(format_args!(
                "all tables were there; their headers and indexes are sound, their blocks were not \
                 read: '{verify}' checks every byte"
            ));
        }
    }

    /// Prints what a complete run takes.
    fn print_estimate(&self, request: &Request) -> anyhow::Result<Exit> {
        let estimate = estimate(request)?;
        let Request { board, tiers, .. } = *request;
        let rows = || vec![format!("tiers {tiers} of {board}: {}", in_words(&estimate))];
        self.print([in_json(board, tiers, &estimate)], rows)
    }

    /// Prints records or the rows of a table.
    fn print(
        &self,
        records: impl IntoIterator<Item = String>,
        rows: impl Fn() -> Vec<String>,
    ) -> anyhow::Result<Exit> {
        print(if self.json { records.into_iter().collect() } else { rows() })?;
        Ok(Exit::Fine)
    }
}

/// Ends the program if the work was stopped.
fn or_stop<T>(done: Result<T, TabulateError>) -> Result<T, TabulateError> {
    if matches!(done, Err(TabulateError::Stopped)) { interrupt::stop() } else { done }
}

/// The plies of the requested tiers.
fn solved_plies(
    tables: &Path,
    board: Board,
    tiers: TierRange,
) -> Result<Vec<TierPlies>, PliesError> {
    let all = stats::plies(tables, board)?.into_iter();
    Ok(all.filter(|plies| tiers.contains(plies.tier)).collect())
}

fn to_json(solution: &TierSolution) -> String {
    let TierSolution { tier, outcomes, terminal, seconds } = *solution;
    let OutcomeCounts { won, drawn, lost } = outcomes;
    let [won, drawn, lost, terminal, total] =
        [won, drawn, lost, terminal, solution.total()].map(JsonInteger::from);
    let (tier, seconds) = (tier.get(), rounded(seconds, 6));
    json(&record! { tier, won, drawn, lost, terminal, total, seconds })
}

fn table(solutions: &[TierSolution]) -> Vec<String> {
    let head = ["tier", "won", "drawn", "lost", "terminal", "total", "seconds"];
    let name = |solution: &TierSolution| solution.tier.to_string();
    summed(head, solutions, name, |name, solutions| {
        let sum = |part: fn(&TierSolution) -> u64| grouped(solutions.iter().map(part).sum());
        let seconds: f64 = solutions.iter().map(|solution| solution.seconds).sum();
        [
            name,
            sum(|s| s.outcomes.won),
            sum(|s| s.outcomes.drawn),
            sum(|s| s.outcomes.lost),
            sum(|s| s.terminal),
            sum(TierSolution::total),
            format!("{seconds:.3}"),
        ]
    })
}
