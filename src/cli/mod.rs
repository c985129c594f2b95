//! What the user types and reads. One file for each subcommand: arguments in,
//! one call into the library, report out. Nothing outside this folder prints.
//!
//! Data goes to standard output, everything else to standard error, where each
//! message is one line.

mod color;
mod count;
mod duration;
mod index;
mod lines;
mod numbers;
mod output;
mod play;
mod progress;
mod query;
mod refusal;
mod show;
mod solve;
mod stats;
mod status;
mod svg;
mod table;
mod tables;
mod verify;
mod zobrist;

use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Parser, Subcommand, ValueEnum};
use strong4::board::Board;

pub use output::{reader_has_gone, report_error};
pub use refusal::answer_refusal;

/// Connect Four, tier by tier: counts positions, sizes their index, shows and solves them.
#[derive(Parser)]
#[command(version)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Count(count::Count),
    Index(index::Index),
    Play(play::Play),
    Query(query::Query),
    Show(show::Show),
    Solve(solve::Solve),
    Stats(stats::Stats),
    Status(status::Status),
    Verify(verify::Verify),
    Zobrist(zobrist::Zobrist),
}

/// What every subcommand understands.
#[derive(Args)]
#[command(next_help_heading = "Everywhere")]
struct Global {
    /// Threads to work with [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Print no progress and no remarks, only errors
    #[arg(long, global = true)]
    quiet: bool,
    /// Colour the stones of drawings; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// The board that a subcommand works on.
#[derive(Args)]
struct BoardArg {
    /// Columns and rows of the board
    #[arg(long, value_name = "WxH", default_value_t = Board::STANDARD)]
    board: Board,
}

/// What the exit code says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Done.
    Fine = 0,
    /// The answer is no.
    No = 1,
    /// Bad usage, or input or output that failed.
    Bad = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

impl Cli {
    /// Does what was asked for.
    pub fn run(self) -> anyhow::Result<Exit> {
        let Cli { global, command } = self;
        if let Some(threads) = global.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build_global().with_context(|| format!("can not start {threads} threads"))?;
        }
        match command {
            Command::Count(count) => count.run(&global),
            Command::Index(index) => index.run(&global),
            Command::Play(play) => play.run(&global),
            Command::Query(query) => query.run(&global),
            Command::Show(show) => show.run(&global),
            Command::Solve(solve) => solve.run(&global),
            Command::Stats(stats) => stats.run(&global),
            Command::Status(status) => status.run(&global),
            Command::Verify(verify) => verify.run(&global),
            Command::Zobrist(zobrist) => zobrist.run(&global),
        }
    }
}

fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MAX_THREADS).contains(number));
    number.ok_or_else(|| {
        format!("'{text}' is no number of threads: expected a whole number from 1 to {MAX_THREADS}")
    })
}

const MAX_THREADS: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
