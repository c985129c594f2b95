//! `strong4 show`: a position as a drawing, a key and codes.

mod place;

use anyhow::bail;
use clap::Args;
use serde::Serialize;
use strong4::board::{Board, Moves, Position};
use strong4::probe::LookUps;
use strong4::query::words;
use strong4::tromp::{Key, column_code, naive_bits, naive_code};

use super::output::{json, print, record};
use super::{Exit, Global};
use crate::cli::input::asked::{Asked, Notation, PositionArg, Request};
use crate::cli::input::lines::{Answers, answer_lines};
use crate::cli::output::drawing::{colored, in_color};
use place::PlaceArg;
use strong4::query::JsonInteger;

const EXAMPLES: &str = "\
Examples:
  strong4 show 4453
  strong4 show --key 4433219977345 --json
  strong4 show 222 --board 4x3
  strong4 show 4453 --place
  printf '4453\\n44\\n' | strong4 show -";

/// Draw a position, and print its key and its codes
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Show {
    #[command(flatten)]
    asked: PositionArg,
    #[command(flatten)]
    place: PlaceArg,
    /// Print one JSON object per position
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let (board, look_ups) = self.place.look_ups()?;
        let asked = match self.asked.request(board)? {
            Some(Request::One(asked)) => asked,
            Some(Request::Lines(notation, lines)) => {
                let answers = Lines { board, notation, json: self.json, look_ups };
                return answer_lines(lines, &answers, &());
            }
            None => bail!(
                "no position given: give moves, '' for the empty board, '-' for games on standard \
                 input, --key or --board-file"
            ),
        };
        let lines = if self.json {
            vec![to_json(&asked, look_ups.as_ref())?]
        } else {
            let mut lines = vec![report(&asked.position, in_color(global.color))];
            if let Some(look_ups) = &look_ups {
                lines.push(place::report(&asked.position, &look_ups.of(&asked.position)?));
            }
            lines
        };
        print(lines)?;
        Ok(Exit::Fine)
    }
}

/// Lines of positions, all in one notation.
struct Lines {
    board: Board,
    notation: Notation,
    json: bool,
    look_ups: Option<LookUps>,
}

impl Answers for Lines {
    fn named(&self) -> [&'static str; 2] {
        self.notation.named()
    }

    fn json(&self) -> bool {
        self.json
    }

    fn answer(&self, line: &str) -> anyhow::Result<Option<String>> {
        let Some(asked) = self.notation.read(self.board, line)? else { return Ok(None) };
        if self.json {
            return to_json(&asked, self.look_ups.as_ref()).map(Some);
        }
        let place = match &self.look_ups {
            None => String::new(),
            Some(look_ups) => {
                let look_up = look_ups.of(&asked.position)?;
                format!("; {}", place::summary(&asked.position, &look_up))
            }
        };
        Ok(Some(summary(&asked) + &place))
    }
}

fn to_json(asked: &Asked, look_ups: Option<&LookUps>) -> anyhow::Result<String> {
    let Asked { moves, position } = asked;
    let position_record = record! {
        moves: moves.as_ref().map(Moves::to_string),
        board: position.board().to_string(),
        tier: position.tier().get(),
        mover: position.mover().ordinal(),
        status: position.status().name(),
        key: JsonInteger::from(Key::of(position).0),
        naive: JsonInteger(naive_code(position)),
    };
    let Some(look_ups) = look_ups else { return Ok(json(&position_record)) };
    let place = place::to_record(&look_ups.of(position)?);
    Ok(json(&WithPlace { position: position_record, place }))
}

/// A position and where tables have it, as JSON.
#[derive(Serialize)]
struct WithPlace<P, Q> {
    #[serde(flatten)]
    position: P,
    place: Q,
}

/// A full description of a position, below its drawing.
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
fn summary(asked: &Asked) -> String {
    let position = &asked.position;
    let (tier, key, naive) = (position.tier(), Key::of(position), naive_code(position));
    format!("{}: tier {tier}, {}, key {key}, naive {naive}", asked.name(), state(position))
}

pub(super) fn state(position: &Position) -> String {
    words::state(position, |player| player.letter().to_string())
}
