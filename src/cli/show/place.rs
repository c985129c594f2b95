//! `strong4 show --place`: where tables have a position, or would have it.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use strong4::board::{Board, Player, Position, Tier, letter};
use strong4::index::{Class, Tile};
use strong4::probe::{LookUp, LookUps, Skipped, Stored, TableCell};
use strong4::query::JsonInteger;
use strong4::table::{CellPlace, Horizon};

use crate::cli::input::args::TablesArg;
use crate::cli::output::numbers::counted;
use crate::cli::output::record;

/// The board, and whether look-ups are to be shown.
#[derive(Args)]
pub(super) struct PlaceArg {
    /// Columns and rows of the board [default: 7x6, or the board whose tables are in DIR]
    #[arg(long, value_name = "WxH")]
    board: Option<Board>,
    /// Tell where a table has the position: tile, row, column, block and bits, and what they
    /// mean if the table is there; or why it is not looked up
    #[arg(long)]
    place: bool,
    /// Folder of the tables for --place [default: tables/WxH]
    #[arg(long, value_name = "DIR", requires = "place")]
    tables: Option<PathBuf>,
}

impl PlaceArg {
    /// The board, and what looks positions up, if that was asked for.
    pub(super) fn look_ups(&self) -> anyhow::Result<(Board, Option<LookUps>)> {
        if !self.place {
            return Ok((self.board.unwrap_or(Board::STANDARD), None));
        }
        let (board, folder) =
            TablesArg { board: self.board, tables: self.tables.clone() }.find()?;
        let look_ups = LookUps::new(board)?;
        Ok((board, Some(folder.iter().fold(look_ups, |known, folder| known.with_tables(folder)))))
    }
}

/// A look-up, as JSON. Null means absent.
pub(super) fn to_record(LookUp { skipped, stored }: &LookUp) -> impl Serialize + use<> {
    let cell = stored.map(|stored| stored.ranked.cell);
    let class = |class: Class| [class.stones(), class.first_stones()];
    record! {
        skipped: skipped.map(name),
        forced: match skipped {
            Some(Skipped::Forced(column)) => Some(column.number()),
            _ => None,
        },
        mirrored: stored.map(|stored| stored.ranked.mirrored),
        centre: cell.map(|cell| cell.tile.centre.index()),
        left: cell.map(|cell| class(cell.tile.left)),
        right: cell.map(|cell| class(cell.tile.right)),
        row: cell.map(|cell| cell.row),
        column: cell.map(|cell| cell.column),
        outcome: stored.map(|stored| outcome_record(&stored.outcome)),
        score: stored.map(|stored| score_record(&stored.score)),
    }
}

/// A cell of a table of outcomes, as JSON.
fn outcome_record(cell: &TableCell<[bool; 2]>) -> impl Serialize + use<> {
    let bits = cell.place.map(|place| [0, 1].map(|plane| place.bit(plane)));
    record! {
        horizon: cell.horizon.0,
        block: cell.place.map(block_record),
        bytes: bits.map(|bits| bits.map(|(byte, _)| byte)),
        bit: bits.map(|[(_, bit), _]| bit),
        first_wins: cell.value.map(|[wins, _]| wins),
        first_holds: cell.value.map(|[_, holds]| holds),
    }
}

/// A cell of a table of scores, as JSON.
fn score_record(cell: &TableCell<u8>) -> impl Serialize + use<> {
    record! {
        horizon: cell.horizon.0,
        block: cell.place.map(block_record),
        byte: cell.place.map(CellPlace::byte),
        ply: cell.value,
    }
}

/// A place in a block, as JSON.
fn block_record(CellPlace { number, shape, row, column }: CellPlace) -> impl Serialize + use<> {
    let number = JsonInteger::from(number.0);
    record! { number, rows: shape.rows, width: shape.width, row, column }
}

fn name(skipped: Skipped) -> &'static str {
    match skipped {
        Skipped::Finished => "finished",
        Skipped::Full => "full",
        Skipped::Won => "won",
        Skipped::Lost => "lost",
        Skipped::Forced(_) => "forced",
    }
}

/// All there is to say about a look-up, a line for each thing.
pub(super) fn report(position: &Position, look_up: &LookUp) -> String {
    let mut lines = vec![format!("look-up  {}", why(position, look_up.skipped))];
    if let Some(Stored { ranked, outcome, score }) = look_up.stored {
        let (quiet, tier) = (look_up.skipped.is_none(), position.tier());
        lines.push(format!("image    {}", image(ranked.mirrored)));
        lines.push(format!("tile     {}", tile(ranked.cell.tile)));
        lines.push(format!("cell     row {}, column {}", ranked.cell.row, ranked.cell.column));
        let bits = |place: CellPlace| {
            let [(wins, bit), (holds, _)] = [0, 1].map(|plane| place.bit(plane));
            format!("bit {bit} of bytes {wins} and {holds}")
        };
        lines.push(format!("outcome  {}", cell_text(outcome.place, outcome.horizon, bits)));
        lines.extend(outcome.value.map(|bits| {
            let [wins, holds] = bits.map(u8::from);
            format!("bits     {wins} {holds}: {}", outcome_meaning(bits, quiet))
        }));
        let byte = |place: CellPlace| format!("byte {}", place.byte());
        lines.push(format!("score    {}", cell_text(score.place, score.horizon, byte)));
        lines.extend(
            score.value.map(|ply| format!("byte     {ply}: {}", score_meaning(ply, tier, quiet))),
        );
    }
    lines.join("\n")
}

/// The same in a few words.
pub(super) fn summary(position: &Position, look_up: &LookUp) -> String {
    if look_up.skipped.is_some() {
        return why(position, look_up.skipped);
    }
    let Some(Stored { ranked, outcome, .. }) = look_up.stored else {
        unreachable!("what is looked up has a cell")
    };
    let cell = ranked.cell;
    let block = match outcome.place {
        Some(place) => format!("block {}", place.number.0),
        None => "no block".to_owned(),
    };
    let bits = outcome.value.map(|bits| format!(", {}", outcome_meaning(bits, true)));
    format!(
        "{}, {}, row {}, column {}, {block}{}",
        image(ranked.mirrored),
        tile(cell.tile),
        cell.row,
        cell.column,
        bits.unwrap_or_default()
    )
}

fn why(position: &Position, skipped: Option<Skipped>) -> String {
    let mover = position.mover();
    let [mover, other] = [mover, mover.other()].map(Player::letter);
    match skipped {
        None => "quiet: nobody can make four with the next stone".to_owned(),
        Some(Skipped::Finished) => format!("none: {other} has made four, and {mover} has lost"),
        Some(Skipped::Full) => "none: the board is full, a draw".to_owned(),
        Some(Skipped::Won) => format!("none: {mover} makes four with the next stone, and wins"),
        Some(Skipped::Lost) => format!("none: {other} threatens two fours, and wins"),
        Some(Skipped::Forced(column)) => format!(
            "none: {other} threatens four, so {mover} must play {}: look up what follows",
            letter(column)
        ),
    }
}

fn image(mirrored: bool) -> &'static str {
    if mirrored { "the mirror image" } else { "the position itself" }
}

fn tile(Tile { centre, left, right }: Tile) -> String {
    let [left, right] = [left, right].map(|class| (class.stones(), class.first_stones()));
    format!("centre {}, left class {left:?}, right class {right:?}", centre.index())
}

fn cell_text(
    place: Option<CellPlace>,
    horizon: Horizon,
    bits: impl Fn(CellPlace) -> String,
) -> String {
    let Some(place) = place else {
        return format!("no block: {} cells or fewer are empty", horizon.0);
    };
    let CellPlace { number, shape, row, column } = place;
    format!(
        "block {} ({}, width {}), row {row}, column {column}: {}",
        number.0,
        counted(shape.rows as u64, "row", "rows"),
        shape.width,
        bits(place)
    )
}

fn outcome_meaning(bits: [bool; 2], quiet: bool) -> &'static str {
    match (quiet, bits) {
        (false, _) => "means nothing, for the position is not quiet",
        (_, [true, true]) => "X wins",
        (_, [false, true]) => "a draw",
        (_, [false, false]) => "O wins",
        (_, [true, false]) => "X wins and loses, which cannot be",
    }
}

fn score_meaning(ply: u8, tier: Tier, quiet: bool) -> String {
    match (quiet, ply) {
        (false, _) => "means nothing, for the position is not quiet".to_owned(),
        (_, 0) => "a draw".to_owned(),
        (_, ply) => {
            let winner = if ply % 2 == 1 { Player::First } else { Player::Second };
            let left = usize::from(ply) - tier.stones();
            format!("{} makes four with ply {ply}, in {left} plies", winner.letter())
        }
    }
}
