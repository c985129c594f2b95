//! `strong4 index`: how many cells the index of each tier has, and how full they are.

use clap::Args;
use strong4::board::Tier;
use strong4::count::count;
use strong4::index::Census;

use super::input::args::{BoardArg, TiersArg};
use super::output::numbers::grouped;
use super::output::progress::Meter;
use super::output::table::summed;
use super::output::{json, print, record};
use super::solve::estimate::tell_long_count;
use super::{Exit, Global};
use strong4::query::JsonInteger;

const EXAMPLES: &str = "\
Examples:
  strong4 index                           # all of 7x6
  strong4 index --board 5x4 --live
  strong4 index --board 5x4 --tiers 8 --json";

/// Print the size of the index of each tier
///
/// The index gives each position without four in a row a cell in a matrix, its tile. The
/// row is that of its left side, the column that of its right side. Mirror images have the
/// same value, so of two tiles that mirror each other only one is stored. Some cells
/// belong to positions that no game reaches; --live counts the others.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Index {
    #[command(flatten)]
    board: BoardArg,
    #[command(flatten)]
    tiers: TiersArg,
    /// Also count the live positions, and their share of the cells
    #[arg(long)]
    live: bool,
    /// Print one JSON object per tier
    #[arg(long)]
    json: bool,
}

/// One tier.
struct TierSize {
    tier: u8,
    /// Stored tiles.
    tiles: u64,
    /// Cells of both mirror images.
    cells: u64,
    /// Stored cells.
    stored: u64,
    live: Option<u64>,
}

impl Index {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let board = self.board.board;
        let tiers = self.tiers.of(board)?;
        let (census, mut sizes) = {
            let _meter = Meter::start(format!("indexing {board}"), global.quiet);
            let census = Census::new(board)?;
            let sizes = tiers.iter().map(|tier| TierSize::of(&census, tier));
            let sizes: Vec<TierSize> = sizes.collect();
            (census, sizes)
        };
        if self.live {
            tell_long_count(board, tiers.last(), global.quiet);
            let meter = Meter::start(format!("counting {board}"), global.quiet);
            for (size, counted) in sizes.iter_mut().zip(count(board, tiers, &meter)?) {
                size.live = Some(counted.live);
            }
        }
        print(if self.json {
            sizes.iter().map(TierSize::json).collect()
        } else {
            [vec![header(&census), String::new()], table(&sizes, self.live)].concat()
        })?;
        Ok(Exit::Fine)
    }
}

impl TierSize {
    fn of(census: &Census, tier: Tier) -> TierSize {
        let mut size = TierSize { tier: tier.get(), tiles: 0, cells: 0, stored: 0, live: None };
        for tile in census.tiles(tier) {
            let cells = census.tile_cells(tile);
            size.tiles += 1;
            size.cells += census.tile_images(tile) * cells;
            size.stored += cells;
        }
        size
    }

    fn json(&self) -> String {
        let TierSize { tier, tiles, cells, stored, live } = *self;
        let [tiles, cells, stored] = [tiles, cells, stored].map(JsonInteger::from);
        match live.map(JsonInteger::from) {
            None => json(&record! { tier, tiles, cells, stored }),
            Some(live) => json(&record! {
                tier, tiles, cells, stored, live,
            }),
        }
    }
}

/// The figures common to all tiers.
fn header(census: &Census) -> String {
    let split = census.split();
    let classes: usize = census.centres().map(|centre| census.classes(centre).count()).sum();
    format!(
        "board          {board}, cut {side} + {centre} + {side}\n\
         column states  {columns}\n\
         centres        {centres}\n\
         rows           {rows}, over all centres\n\
         classes        {classes}, over all centres\n\
         largest class  {largest} rows",
        board = census.board(),
        side = split.side_width(),
        centre = split.centre_width(),
        columns = grouped(census.column_states() as u64),
        centres = grouped(census.centres().len() as u64),
        rows = grouped(census.rows()),
        classes = grouped(classes as u64),
        largest = grouped(census.largest_class() as u64),
    )
}

fn table(sizes: &[TierSize], live: bool) -> Vec<String> {
    let of_live = if live { ["live", "live %"] } else { ["", ""] };
    let head = ["tier", "tiles", "cells", "stored", of_live[0], of_live[1]];
    let name = |size: &TierSize| size.tier.to_string();
    summed(head, sizes, name, |name, sizes| {
        let sum = |part: fn(&TierSize) -> u64| sizes.iter().map(part).sum::<u64>();
        let [tiles, cells, stored] = [sum(|s| s.tiles), sum(|s| s.cells), sum(|s| s.stored)];
        let live: Option<u64> = sizes.iter().map(|size| size.live).sum();
        let share = live.filter(|_| cells > 0).map(|live| 100.0 * live as f64 / cells as f64);
        let share = share.map_or(String::new(), |share| format!("{share:.1}"));
        let [tiles, cells, stored] = [tiles, cells, stored].map(grouped);
        [name, tiles, cells, stored, live.map(grouped).unwrap_or_default(), share]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_get_large_numbers_as_they_are() {
        let size = TierSize { tier: 4, tiles: 1, cells: 1 << 54, stored: 1 << 53, live: None };
        assert_eq!(
            size.json(),
            "{\"tier\":4,\"tiles\":1,\"cells\":\"18014398509481984\",\
             \"stored\":9007199254740992}"
        );
    }
}
