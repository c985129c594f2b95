//! Writes the openings built into the program, from the tables of a board with scores.
//!
//! ```text
//!     cargo run --release --example openings -- tables/7x6 9 data/openings_7x6.bin
//! ```
//!
//! writes the scores of tiers 0 to 9, and of all moves along a best line. Everything is looked
//! up.

use std::cmp::Reverse;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use strong4::board::{Board, Column, Position, Status, Tier};
use strong4::inside::index::{Cell, Finder};
use strong4::inside::probe::TableProbe;
use strong4::inside::table::{
    Content, Digest, EncodedBlocks, Encoder, Horizon, Layout, Tables, TierPart, board_of,
    score_folder, table_file, table_header, tier_plies,
};
use strong4::query::Openings;
use strong4::search::Score;

/// The line is followed up to this number of stones.
const LINE_TO: Tier = Tier::new(16).unwrap();

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, last, file] = &arguments[..] else {
        bail!("expected a folder of tables, the last tier, and a file to write");
    };
    let folder = Path::new(folder);
    let board = board_of(folder).context("expected a folder of tables")?;
    let last = Tier::new(last.parse().context("expected a tier")?).unwrap();

    let finder = Arc::new(Finder::new(board)?);
    let tables = Arc::new(Tables::open(folder, finder.census()));
    let mut probe = TableProbe::new(&finder, &tables);
    let mut score = |position: &Position| -> anyhow::Result<Score> {
        Ok(probe.score(position)?.context("expected tables of scores")?.0)
    };
    let further = along_a_line(board, &mut score)?;
    let made = Path::new(file).with_extension("tables");
    let mut next = None;
    for tier in (0..=last.get()).rev().map(|stones| Tier::new(stones).unwrap()) {
        next = Some(write_table(&finder, folder, &made, tier, next, &mut score)?);
    }
    let tables = (0..=last.get()).map(|tier| fs::read(table_file(&made, Tier::new(tier).unwrap())));
    let tables = tables.collect::<Result<Vec<_>, _>>()?;
    fs::write(file, Openings::to_bytes(board, &tables, further)).with_context(|| file.clone())?;
    fs::remove_dir_all(&made).with_context(|| made.display().to_string())
}

/// Writes a table of scores of all live positions, not only of quiet ones.
fn write_table(
    finder: &Finder,
    folder: &Path,
    into: &Path,
    tier: Tier,
    next: Option<Digest>,
    score: &mut impl FnMut(&Position) -> anyhow::Result<Score>,
) -> anyhow::Result<Digest> {
    let board = finder.board();
    let layout = Layout::with(finder.census(), tier, Horizon(0), Content::Scores);
    let (mut part, mut encoder) = (TierPart::create(into, &layout)?, Encoder::default());
    for (tile, blocks) in layout.tiles() {
        let mut encoded = EncodedBlocks::default();
        for block in blocks.iter() {
            let mut words = vec![0; block.shape.words()];
            // Cells without a position repeat the ply before them, which packs well.
            let mut ply = 0;
            for (at, row) in block.rows.clone().enumerate() {
                for (in_panel, column) in block.columns.clone().enumerate() {
                    let cell = Cell { tile, row: row as u32, column: column as u32 };
                    let position = finder.unrank(cell);
                    if position.status() == Status::Open && position.validate().is_ok() {
                        let score = score(&position)?;
                        ply = match score.get() {
                            0 => 0,
                            _ => {
                                u64::from(tier.get())
                                    + u64::from(score.plies(board, tier).unwrap().get())
                            }
                        };
                    }
                    let byte = at * block.shape.row_words() * 8 + in_panel;
                    words[byte / 8] |= ply << (8 * (byte % 8));
                }
            }
            encoder.encode(block.shape, &words, &mut encoded);
        }
        part.append(blocks.first(), &encoded)?;
    }
    let plies = tier_plies(&score_folder(folder), board, tier)?;
    let terminal = table_header(folder, board, tier)?.counts.terminal;
    Ok(part.finish_scores(&plies, terminal, next)?.digest)
}

/// All moves along a best line from the empty board, with scores, up to where a search takes no
/// time. Of equally good moves, the line takes the one nearest to the middle, and of two such the
/// left one.
fn along_a_line(
    board: Board,
    score: &mut impl FnMut(&Position) -> anyhow::Result<Score>,
) -> anyhow::Result<Vec<(Position, Score)>> {
    let from_middle = |column: Column| (2 * column.index() + 1).abs_diff(board.width());
    let (mut position, mut further) = (Position::empty(board), Vec::new());
    while position.tier() < LINE_TO && position.status() == Status::Open {
        let mut best = None;
        for (column, child) in position.children() {
            let score = score(&child)?;
            if child.status() == Status::Open {
                further.push((child, score));
            }
            let rank = (-score, Reverse((from_middle(column), column)));
            if best.as_ref().is_none_or(|(most, _)| rank > *most) {
                best = Some((rank, child));
            }
        }
        position = best.context("an open position has moves")?.1;
    }
    Ok(further)
}
