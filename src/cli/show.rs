//! `strong4 show`: a position as a drawing, a key and codes.

use std::io;

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use strong4::board::{Board, Moves, Player, Position, Status};
use strong4::tromp::{Key, column_code, naive_bits, naive_code};

use super::color::{colored, in_color};
use super::lines::{Workers, answer_lines};
use super::output::Output;
use super::{BoardArg, Exit, Global};

const EXAMPLES: &str = "\
Examples:
  strong4 show 4453
  strong4 show --key 4433219977345 --json
  strong4 show 222 --board 4x3
  printf '4453\\n44\\n' | strong4 show -";

/// Draw a position, and print its key and its codes
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Show {
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    board: BoardArg,
    /// Print one JSON object per position
    #[arg(long)]
    json: bool,
}

/// The two ways to name a position.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Asked {
    /// Moves from the empty board, as columns from 1 at the left, such as 4453,
    /// or '' for none; - reads such games from standard input, one per line,
    /// and answers each with a line
    #[arg(value_name = "MOVES|-")]
    moves: Option<String>,
    /// Show the position with this key, in guard form
    #[arg(long, value_name = "KEY", allow_negative_numbers = true)]
    key: Option<Key>,
}

/// A position, as JSON. The numbers are exact; those beyond 2^53 need a reader
/// that keeps whole numbers whole.
#[derive(Serialize)]
struct Record {
    moves: Option<String>,
    board: String,
    tier: u8,
    mover: &'static str,
    status: &'static str,
    key: u64,
    naive: u128,
}

impl Show {
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let board = self.board.board;
        let (moves, position) = match (&self.asked.moves, self.asked.key) {
            (Some(dash), _) if dash == "-" => {
                let nothing = Workers::new(|| ());
                return answer_lines(io::stdin().lock(), &nothing, |(), line| {
                    self.answer(board, line)
                });
            }
            (Some(text), _) => {
                let moves = Moves::parse(board, text)?;
                let position = *moves.position();
                (Some(moves), position)
            }
            (None, Some(key)) => (None, key.decode(board).context("--key")?),
            (None, None) => unreachable!("the parser asks for one of the two"),
        };
        let mut out = Output::new();
        if self.json {
            out.line(json(moves.as_ref(), &position)?)?;
        } else {
            out.line(report(&position, in_color(global.color)))?;
        }
        out.finish()?;
        Ok(Exit::Fine)
    }

    fn answer(&self, board: Board, line: &str) -> anyhow::Result<String> {
        let moves = Moves::parse(board, line.trim())?;
        if self.json {
            return Ok(json(Some(&moves), moves.position())?);
        }
        Ok(summary(&moves))
    }
}

fn json(moves: Option<&Moves>, position: &Position) -> serde_json::Result<String> {
    serde_json::to_string(&Record {
        moves: moves.map(Moves::to_string),
        board: position.board().to_string(),
        tier: position.tier().0,
        mover: position.mover().ordinal(),
        status: match position.status() {
            Status::Open => "open",
            Status::Won(_) => "won",
            Status::Full => "full",
        },
        key: Key::of(position).0,
        naive: naive_code(position),
    })
}

/// All there is to say about a position, below a drawing of it.
fn report(position: &Position, color: bool) -> String {
    let board = position.board();
    let drawing = position.to_string();
    let drawing = if color { colored(&drawing) } else { drawing };
    let codes =
        board.columns().map(|column| format!("{:b}", column_code(position, column).marker()));
    format!(
        "{drawing}\n\n\
         {state}\n\
         board    {board}\n\
         tier     {tier}\n\
         key      {key} (guard form, {key_bits} bits)\n\
         columns  {codes} (marker form, top to bottom)\n\
         naive    {naive} (3^{cells} codes, {naive_bits} bits)",
        state = state(position),
        tier = position.tier(),
        key = Key::of(position),
        key_bits = board.width() * board.column_bits(),
        codes = codes.collect::<Vec<_>>().join(" "),
        naive = naive_code(position),
        cells = board.cells(),
        naive_bits = naive_bits(board),
    )
}

/// The same on one line, without the drawing.
fn summary(moves: &Moves) -> String {
    let position = moves.position();
    let (tier, key, naive) = (position.tier(), Key::of(position), naive_code(position));
    let moves = if moves.columns().is_empty() { "''".to_owned() } else { moves.to_string() };
    format!("{moves}: tier {tier}, {}, key {key}, naive {naive}", state(position))
}

pub(super) fn state(position: &Position) -> String {
    let named = |player: Player| format!("{}, the {} player,", player.letter(), player.ordinal());
    match position.status() {
        Status::Open => format!("{} is to move", named(position.mover())),
        Status::Won(winner) => format!("{} has won", named(winner)),
        Status::Full => "the board is full, and nobody has won".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(board: &str, moves: &str) -> Moves {
        Moves::parse(board.parse().unwrap(), moves).unwrap()
    }

    #[test]
    fn finished_games_say_how_they_ended() {
        assert!(summary(&game("7x6", "1212121")).contains("X, the first player, has won"));
        assert!(summary(&game("2x2", "1221")).contains("nobody has won"));
        assert!(summary(&game("2x2", "")).starts_with("'': tier 0, X, the first player, is"));
    }
}
