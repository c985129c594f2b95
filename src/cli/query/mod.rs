//! `strong4 query`: what a position is worth, and each move from it.

mod bulk;
mod record;
mod report;
mod sources;

pub use report::{draw, verdict};
pub use sources::{Experts, with_experts};

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use strong4::board::{Board, Moves, Position, parse_drawing, validate};
use strong4::query::{Answer, Question};
use strong4::tromp::Key;

use super::color::in_color;
use super::duration;
use super::lines::answer_lines;
use super::output::Output;
use super::tables::TablesArg;
use super::{Exit, Global};

const EXAMPLES: &str = "\
Examples:
  strong4 query 3145175534244665
  strong4 query 6436777131311127722 --json
  printf '3145175534244665 6\\n' | strong4 query --bulk -";

/// Tell what a position is worth, and each move from it
///
/// Win, draw or loss; how many moves it takes if both play their best; the best
/// moves and a best line. The score is how many stones the winner has left when the
/// game ends, counting the one that wins: positive if the player to move wins,
/// negative if the other one does, 0 for a draw.
///
/// Answers come from the openings that are built in, from tables where there are
/// some, and from a search.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Query {
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    tables: TablesArg,
    /// Print one JSON object per position
    #[arg(long)]
    json: bool,
    /// Ask only for win, draw or loss: no distances and no line
    #[arg(long)]
    outcome: bool,
    /// Take no longer than this for a position, such as 2s, 500ms or 1m, and tell what
    /// is known by then: bounds on the score, if there was no time for more
    #[arg(long, value_name = "TIME", value_parser = duration::parse, allow_hyphen_values = true)]
    limit: Option<Duration>,
}

/// The ways to name positions.
#[derive(Args)]
#[group(multiple = false)]
struct Asked {
    /// Moves from the empty board, as columns from 1 at the left, such as 4453, the
    /// empty board if there are none; for - such games are read from standard input,
    /// one per line, and each is answered with a line
    #[arg(value_name = "MOVES|-")]
    moves: Option<String>,
    /// The position with this key, in guard form
    #[arg(long, value_name = "KEY", allow_negative_numbers = true)]
    key: Option<Key>,
    /// The position drawn in FILE, or on standard input if that is -: rows from the top,
    /// of X, O and . for an empty cell
    #[arg(long, value_name = "FILE")]
    board_file: Option<PathBuf>,
    /// Check the scores in FILE, or on standard input if that is -, which has moves and
    /// a score on each line; exit code 1 if one is wrong
    #[arg(long, value_name = "FILE")]
    bulk: Option<PathBuf>,
}

/// A position, and the moves that led to it, if they are known.
struct Asking {
    moves: Option<Moves>,
    position: Position,
}

impl Query {
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        with_experts(&self.tables, global.quiet, |board, experts| {
            let asking = self.asking(board)?;
            self.answer(board, experts, asking, global)
        })
    }

    /// The single position that is asked for, if it is one.
    fn asking(&self, board: Board) -> anyhow::Result<Option<Asking>> {
        let Asked { moves, key, board_file, bulk } = &self.asked;
        if bulk.is_some() || moves.as_deref() == Some("-") {
            return Ok(None);
        }
        if let Some(key) = key {
            let position = key.decode(board).context("--key")?;
            return Ok(Some(Asking { moves: None, position }));
        }
        if let Some(file) = board_file {
            let position = drawn(board, file).with_context(|| name(file))?;
            return Ok(Some(Asking { moves: None, position }));
        }
        Asking::of_moves(board, moves.as_deref().unwrap_or_default()).map(Some)
    }

    fn answer(
        &self,
        board: Board,
        experts: &Experts,
        asking: Option<Asking>,
        global: &Global,
    ) -> anyhow::Result<Exit> {
        let question = Question { outcome_only: self.outcome, limit: self.limit };
        if let Some(file) = &self.asked.bulk {
            return bulk::check(board, experts, file, question, self.json);
        }
        let Some(asking) = asking else {
            return answer_lines(io::stdin().lock(), experts, |expert, line| {
                if line.trim().is_empty() {
                    bail!("an empty line: expected moves, such as 4453");
                }
                let asking = Asking::of_moves(board, line.trim())?;
                let answer = expert.answer(&asking.position, question)?;
                self.line(&asking, &answer)
            });
        };
        let answer = experts.alone(|expert| {
            expert.search_on(rayon::current_num_threads());
            expert.answer(&asking.position, question)
        })?;
        let mut out = Output::new();
        if self.json {
            out.line(self.line(&asking, &answer)?)?;
        } else {
            out.line(report::report(&answer, in_color(global.color)))?;
        }
        out.finish()?;
        Ok(Exit::Fine)
    }

    fn line(&self, asking: &Asking, answer: &Answer) -> anyhow::Result<String> {
        if self.json {
            return Ok(record::json(asking.moves.as_ref(), answer)?);
        }
        Ok(report::summary(asking.moves.as_ref(), answer))
    }
}

impl Asking {
    fn of_moves(board: Board, text: &str) -> anyhow::Result<Asking> {
        let moves = Moves::parse(board, text)?;
        let position = *moves.position();
        Ok(Asking { moves: Some(moves), position })
    }
}

/// Reads a file, or standard input if its name is `-`.
fn read_text(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    match is_input(file) {
        true => io::stdin().lock().read_to_end(&mut bytes).map(drop),
        false => fs::read(file).map(|read| bytes = read),
    }
    .context("can not read")?;
    // What is no text is no move either, and told where it stands.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn is_input(file: &Path) -> bool {
    file == Path::new("-")
}

/// The file, as messages name it.
fn name(file: &Path) -> String {
    if is_input(file) { "standard input".to_owned() } else { file.display().to_string() }
}

fn drawn(board: Board, file: &Path) -> anyhow::Result<Position> {
    let position = parse_drawing(board, &read_text(file)?)?;
    validate(&position).context("no game leads to this board")?;
    Ok(position)
}
