//! `strong4 review`: a game, move by move.

mod report;

use std::time::Duration;

use anyhow::bail;
use clap::Args;
use strong4::Solver;
use strong4::board::Moves;
use strong4::picture;
use strong4::query::{Question, ReviewRecord};

use super::interrupt::given_up;
use super::output::{json, print};
use super::{Exit, Global};
use crate::cli::input::args::{TablesArg, with_solver};
use crate::cli::input::asked::Notation;
use crate::cli::input::lines::{Answers, answer_lines, lines_of_input, meter_of_lines};
use crate::cli::output::drawing::in_color;
use crate::cli::output::numbers::duration;
use crate::cli::output::progress::Meter;

const EXAMPLES: &str = "\
Examples:
  strong4 review 44444265
  strong4 review 4,4,4,3,5 --json
  strong4 review 1212121 --svg > game.svg";

/// Print the value of each move of a game, and where the game was decided
///
/// Prints a line for each move: who made it, its value for that player, the value of the
/// best moves, and what the move gave away, if anything. The game may be finished or still
/// open.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Review {
    /// The moves of the game, as columns counted from 1 at the left, such as 4453; - reads a
    /// game from each line of standard input and prints one line per answer
    #[arg(value_name = "MOVES|-", required = true)]
    moves: Vec<String>,
    #[command(flatten)]
    tables: TablesArg,
    /// Print one JSON object per game
    #[arg(long, conflicts_with = "svg")]
    json: bool,
    /// Print a picture, as SVG: the stones with the numbers of their moves, and a plot of
    /// the score
    #[arg(long)]
    svg: bool,
    /// Time limit per position, such as 2s, 500ms or 1h
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    limit: Option<Duration>,
}

impl Review {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        with_solver(&self.tables, global.quiet, |solver| {
            if self.moves == ["-"] {
                if self.svg {
                    bail!("--svg draws one game");
                }
                let answers = Lines { review: self, solver };
                let meter = meter_of_lines("reviewing", "games", global);
                return answer_lines(lines_of_input(), &answers, &meter);
            }
            let game = Moves::parse_loose(solver.board(), &self.moves.join(" "))?;
            let review = {
                let meter = Meter::start("reviewing".to_owned(), global.quiet);
                solver.review(&game, self.question(), &meter)?
            };
            print(if self.json {
                vec![json(&ReviewRecord::of(&game, &review))]
            } else if self.svg {
                vec![picture::of_review(&review)]
            } else {
                report::lines(&game, &review, in_color(global.color))
            })?;
            Ok(Exit::Fine)
        })
    }

    fn question(&self) -> Question<'static> {
        Question { limit: self.limit, stop: Some(given_up()), ..Question::default() }
    }
}

/// Games, one per line.
struct Lines<'r> {
    review: &'r Review,
    solver: &'r Solver,
}

impl Answers for Lines<'_> {
    fn json(&self) -> bool {
        self.review.json
    }

    fn answer(&self, line: &str) -> anyhow::Result<Option<String>> {
        let Some(asked) = Notation::Moves.read(self.solver.board(), line)? else { return Ok(None) };
        let game = asked.moves;
        let Some(game) = game else { bail!("a position without moves") };
        let review = self.solver.review(&game, self.review.question(), &())?;
        Ok(Some(if self.review.json {
            json(&ReviewRecord::of(&game, &review))
        } else {
            report::summary(&game, &review)
        }))
    }
}
