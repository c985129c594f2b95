//! `strong4 play`: a game against the solver.

mod input;
mod table;

use std::io::{self, IsTerminal};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use strong4::board::Moves;
use strong4::query::{Level, Opponent, Question};

use super::interrupt::given_up;
use super::{Exit, Global};
use crate::cli::input::args::{TablesArg, with_solver};
use crate::cli::output::Output;
use crate::cli::output::drawing::in_color;
use crate::cli::output::numbers::duration;

use input::Input;
use table::{Game, Screen, Side, Table};

const EXAMPLES: &str = "\
Examples:
  echo 4 | strong4 play --as second
  echo 4 | strong4 play --level 2
  echo hint | strong4 play 4453 --as both";

/// Play against the solver, with hints and undo
///
/// Moves are columns counted from 1 at the left. 'help' lists the other commands: 'hint',
/// 'undo', 'swap', 'new', 'moves', 'save FILE' and 'quit'. They ignore case, and most can
/// be shortened to their first letter.
///
/// Level 1 sees only its own fours, level 2 also those of the other player. Level 3 looks
/// 4 moves ahead, level 4 looks 6, and level 5 looks to the end: it never errs, unless
/// --limit is too short. Levels 1 to 4 choose at random among moves that look alike to
/// them. Without a terminal, play reads lines from standard input.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Play {
    /// Moves to begin with, as columns counted from 1 at the left, such as 4453
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
    /// The side you play; both: you move for both sides, and the solver only gives hints
    #[arg(long = "as", value_name = "PLAYER", default_value = "first")]
    side: Side,
    /// How well the solver plays, from 1 to 5
    #[arg(long, value_name = "N", default_value = "5", allow_negative_numbers = true)]
    level: Level,
    /// Give a hint before each of your moves
    #[arg(long)]
    hints: bool,
    /// Time limit for a move of the solver or a hint, such as 2s, 500ms or 1h
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "2s",
        allow_hyphen_values = true)]
    limit: Duration,
    #[command(flatten)]
    tables: TablesArg,
}

impl Play {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        with_solver(&self.tables, global.quiet, |solver| {
            let moves = Moves::parse_loose(solver.board(), &self.moves.join(" "))?;
            let game = Game { moves, side: self.side };
            let terminal = io::stdin().is_terminal() && clears();
            let screen = Screen { clears: terminal, color: in_color(global.color) };
            let question =
                Question { limit: Some(self.limit), stop: Some(given_up()), ..Question::default() };
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let opponent = Opponent::new(self.level, since.as_nanos() as u64);
            let (hints, reply, out) = (self.hints, None, Output::new());
            let mut table = Table { game, solver, opponent, question, screen, hints, reply, out };
            table.play(Input::new(terminal)?)?;
            Ok(Exit::Fine)
        })
    }
}

/// Whether standard output can be redrawn.
fn clears() -> bool {
    io::stdout().is_terminal() && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
}
