//! The bit rows of a tile: which right sides complete a four with a left side,
//! which do so with one more stone, and which can be filled in turn with it. One
//! row for each face, reach and move-order type that the tile has, panel by panel.

use std::ops::Range;

use crate::board::Player;
use crate::index::Tile;

use super::crossing::{CrossingLines, bits};
use super::kernels::Finish;
use super::labels::{Front, Kinds};
use super::matrix::or_into;
use super::panels::{PANEL, Panels, width};
use super::sides::CentreSides;
use super::transpose::transpose_block;

/// The bit rows of a tile, in memory that serves one tile after the other.
#[derive(Default)]
pub(super) struct TileMasks {
    faces: Numbered,
    /// By player.
    reaches: [Numbered; 2],
    types: Numbered,
    /// The types of the columns.
    kinds: Numbered,
    /// For each panel: the columns that there are.
    columns: Vec<u64>,
    /// For each panel and face, the columns that complete a four of either player.
    fours: Vec<u64>,
    /// By player, for each panel and reach: the columns with which one more stone of
    /// his completes a four.
    within_reach: [Vec<u64>; 2],
    /// For each panel and type.
    in_turn: Vec<u64>,

    // What these are made of.
    /// For each panel, then now or after one more stone, then player, then demand:
    /// the columns that meet it.
    met: Vec<u64>,
    /// For each type of rows, the types of columns that go with it.
    compatible: Vec<bool>,
    of_kind: Vec<u64>,
}

/// Numbers for the few labels that a tile has, in the order in which they come.
#[derive(Default)]
struct Numbered {
    /// By row.
    numbers: Vec<u32>,
    labels: Vec<u32>,
    /// By label; 0 if it has none yet, else one more than it.
    number_of: Vec<u32>,
}

impl Numbered {
    fn number(&mut self, labels: impl Iterator<Item = u32>) {
        for label in self.labels.drain(..) {
            self.number_of[label as usize] = 0;
        }
        self.numbers.clear();
        self.numbers.extend(labels.map(|label| {
            if label as usize >= self.number_of.len() {
                self.number_of.resize(label as usize + 1, 0);
            }
            let number = &mut self.number_of[label as usize];
            if *number == 0 {
                self.labels.push(label);
                *number = self.labels.len() as u32;
            }
            *number - 1
        }));
    }
}

impl TileMasks {
    /// The bit rows of another tile.
    pub fn prepare(
        &mut self,
        kinds: &Kinds,
        sides: &CentreSides,
        tile: Tile,
        panels: Panels,
        mover: Player,
    ) {
        let (left, right) = (sides.left(), sides.right());
        let rows = left.order.ranks_held(tile.left, mover);
        let columns = right.order.ranks_held(tile.right, mover);
        let lines = sides.lines();
        self.faces.number(left.labels.fronts(tile.left, rows.clone()).map(|front| front.face));
        self.types.number(left.labels.types(tile.left, rows.clone()));
        self.kinds.number(right.labels.types(tile.right, columns.clone()));
        self.find_columns(panels);
        self.find_met(lines, right.labels.fronts(tile.right, columns), panels);
        self.find_fours(lines, sides, panels);
        self.find_within_reach(lines, sides, tile, panels, mover, rows);
        self.find_in_turn(kinds, sides, tile, panels);
    }

    /// The bit rows of what this player, who is not to move, has within reach from free
    /// states of a tile that has been prepared.
    pub fn prepare_quiet(
        &mut self,
        sides: &CentreSides,
        tile: Tile,
        panels: Panels,
        waiting: Player,
    ) {
        let free = sides.left().order.free(tile.left);
        self.find_within_reach(sides.lines(), sides, tile, panels, waiting, [0..free, 0..0]);
    }

    /// What it takes to finish some rows of a panel.
    pub fn of(
        &self,
        panels: Panels,
        panel: usize,
        rows: Range<usize>,
        mover: Player,
    ) -> Finish<'_> {
        let of_panel =
            |words, labels: &Numbered| of_panel(words, labels.labels.len(), panels, panel);
        Finish {
            fours: of_panel(&self.fours, &self.faces),
            within_reach: of_panel(&self.within_reach[mover.index()], &self.reaches[mover.index()]),
            in_turn: of_panel(&self.in_turn, &self.types),
            columns: &self.columns[panel * width(PANEL)..][..panels.width(panel)],
            faces: &self.faces.numbers[rows.clone()],
            reaches: &self.reaches[mover.index()].numbers[rows.clone()],
            types: &self.types.numbers[rows],
        }
    }

    fn find_columns(&mut self, panels: Panels) {
        self.columns.clear();
        for panel in 0..panels.count() {
            let columns = panels.columns(panel).len();
            let words =
                (0..panels.width(panel)).map(|word| ones(columns.saturating_sub(64 * word)));
            self.columns.extend(words);
        }
    }

    fn find_met<'a>(
        &mut self,
        lines: CrossingLines,
        mut fronts: impl Iterator<Item = &'a Front>,
        panels: Panels,
    ) {
        let demands = lines.demands();
        self.met.clear();
        for panel in 0..panels.count() {
            let width = panels.width(panel);
            let start = self.met.len();
            self.met.resize(start + 4 * demands * width, 0);
            for first in panels.columns(panel).step_by(64) {
                let columns = (panels.columns(panel).end - first).min(64);
                let mut blocks = [[0; 64]; 4];
                for (column, front) in fronts.by_ref().take(columns).enumerate() {
                    for (block, met) in blocks.iter_mut().zip(when_and_whose(front.met)) {
                        block[column] = met;
                    }
                }
                let word = (first - panels.columns(panel).start) / 64;
                for (number, block) in blocks.iter_mut().enumerate() {
                    transpose_block(block);
                    let met = &mut self.met[start + number * demands * width..];
                    let met = met.iter_mut().skip(word).step_by(width).take(demands);
                    met.zip(block).for_each(|(met, row)| *met = *row);
                }
            }
        }
    }

    fn find_fours(&mut self, lines: CrossingLines, sides: &CentreSides, panels: Panels) {
        let TileMasks { faces, fours, met, .. } = self;
        fours.clear();
        for panel in 0..panels.count() {
            let met = Met::of(met, lines, panels, panel);
            for face in &faces.labels {
                let start = fours.len();
                fours.resize(start + met.width, 0);
                for (player, demanded) in
                    Player::BOTH.into_iter().zip(sides.left().labels.face(*face))
                {
                    met.add(When::Now, player, demanded, &mut fours[start..]);
                }
            }
        }
    }

    fn find_within_reach(
        &mut self,
        lines: CrossingLines,
        sides: &CentreSides,
        tile: Tile,
        panels: Panels,
        player: Player,
        rows: [Range<usize>; 2],
    ) {
        let TileMasks { reaches, within_reach, met, .. } = self;
        let labels = &sides.left().labels;
        let (reaches, within_reach) =
            (&mut reaches[player.index()], &mut within_reach[player.index()]);
        reaches.number(labels.fronts(tile.left, rows).map(|front| front.reaches[player.index()]));
        within_reach.clear();
        for panel in 0..panels.count() {
            let met = Met::of(met, lines, panels, panel);
            for reach in &reaches.labels {
                let start = within_reach.len();
                within_reach.resize(start + met.width, 0);
                let [here, there] = labels.reach(player, *reach);
                met.add(When::Now, player, here, &mut within_reach[start..]);
                met.add(When::After, player, there, &mut within_reach[start..]);
            }
        }
    }

    fn find_in_turn(&mut self, kinds: &Kinds, sides: &CentreSides, tile: Tile, panels: Panels) {
        let TileMasks { compatible, types, kinds: of_columns, .. } = self;
        let centre = sides.left().labels.centre;
        compatible.clear();
        for left in &types.labels {
            compatible.extend(
                of_columns.labels.iter().map(|right| {
                    kinds.compatible(centre, (tile.left, *left), (tile.right, *right))
                }),
            );
        }
        let kinds = of_columns.labels.len();
        self.in_turn.clear();
        for panel in 0..panels.count() {
            let width = panels.width(panel);
            self.of_kind.clear();
            self.of_kind.resize(kinds * width, 0);
            let columns = &of_columns.numbers[panels.columns(panel)];
            for (column, kind) in columns.iter().enumerate() {
                self.of_kind[*kind as usize * width + column / 64] |= 1 << (column % 64);
            }
            for compatible in compatible.chunks_exact(kinds.max(1)) {
                let start = self.in_turn.len();
                self.in_turn.resize(start + width, 0);
                let row = &mut self.in_turn[start..];
                let of_kinds = compatible.iter().zip(self.of_kind.chunks_exact(width));
                of_kinds.filter(|(goes, _)| **goes).for_each(|(_, of_kind)| or_into(row, of_kind));
            }
        }
    }
}

/// Is a demand met as things stand, or after one more stone?
#[derive(Clone, Copy)]
enum When {
    Now,
    After,
}

/// The columns of a panel that meet demands.
#[derive(Clone, Copy)]
struct Met<'a> {
    words: &'a [u64],
    demands: usize,
    width: usize,
}

impl<'a> Met<'a> {
    fn of(all: &'a [u64], lines: CrossingLines, panels: Panels, panel: usize) -> Met<'a> {
        let demands = lines.demands();
        let words = of_panel(all, 4 * demands, panels, panel);
        Met { words, demands, width: panels.width(panel) }
    }

    /// Adds the columns that meet one of these demands to a bit row.
    fn add(self, when: When, player: Player, demanded: u64, to: &mut [u64]) {
        let first = (2 * when as usize + player.index()) * self.demands;
        for demand in bits(demanded) {
            or_into(to, &self.words[(first + demand) * self.width..][..self.width]);
        }
    }
}

/// The demands that a column meets, by [`When`] and player.
fn when_and_whose(met: [[u64; 2]; 2]) -> [u64; 4] {
    let [[first_now, first_after], [second_now, second_after]] = met;
    [first_now, second_now, first_after, second_after]
}

/// Of bit rows that stand panel by panel, so many for each, those of one panel.
fn of_panel(words: &[u64], rows: usize, panels: Panels, panel: usize) -> &[u64] {
    &words[panel * rows * width(PANEL)..][..rows * panels.width(panel)]
}

/// A word with so many ones at its low end.
fn ones(number: usize) -> u64 {
    if number >= 64 { u64::MAX } else { (1 << number) - 1 }
}
