//! The bit rows of a tile: which right sides complete a four with a left side,
//! and which can be filled in turn with it. One row for each face and each
//! move-order type that the tile has, panel by panel.

use std::ops::Range;

use crate::board::Player;
use crate::index::{Index, SideState, Tile};
use crate::order::{OrderType, Orders};

use super::crossing::{CrossingLines, bits};
use super::kernels::Finish;
use super::labels::Labels;
use super::matrix::or_into;
use super::panels::{PANEL, Panels, width};
use super::transpose::transpose_block;

/// The bit rows of a tile, in memory that serves one tile after the other.
#[derive(Default)]
pub(super) struct TileMasks {
    /// For each row of the tile the number of its face among those of the tile.
    faces: Vec<u32>,
    /// For each row of the tile the number of its type among those of the tile.
    types: Vec<u32>,
    /// For each panel and face, fours of the last mover and of either player.
    fours: Vec<u64>,
    /// For each panel and type.
    in_turn: Vec<u64>,
    /// For each panel.
    columns: Vec<u64>,

    // What these are made of.
    faces_here: Numbering,
    types_here: Numbering,
    kinds_here: Numbering,
    /// For each column of the tile the number of its type among those of the tile.
    kinds: Vec<u32>,
    /// For each type of rows, the types of columns that go with it.
    compatible: Vec<bool>,
    met: Vec<u64>,
    of_kind: Vec<u64>,
}

/// Numbers for the few labels that a tile has, in the order in which they come.
#[derive(Default)]
struct Numbering {
    /// By label; 0 if it has none yet, else one more than it.
    number_of: Vec<u32>,
    labels: Vec<u32>,
}

impl Numbering {
    /// Writes the number of each label into `numbers`.
    fn number(&mut self, labels: &[u32], numbers: &mut Vec<u32>) {
        for label in self.labels.drain(..) {
            self.number_of[label as usize] = 0;
        }
        numbers.clear();
        numbers.extend(labels.iter().map(|label| {
            if *label as usize >= self.number_of.len() {
                self.number_of.resize(*label as usize + 1, 0);
            }
            let number = &mut self.number_of[*label as usize];
            if *number == 0 {
                self.labels.push(*label);
                *number = self.labels.len() as u32;
            }
            *number - 1
        }));
    }
}

/// What masks are made from.
#[derive(Clone, Copy)]
pub(super) struct MaskSource<'a> {
    pub index: &'a Index,
    pub orders: &'a Orders,
    pub labels: &'a Labels,
}

impl TileMasks {
    /// The bit rows of another tile.
    pub fn prepare(&mut self, source: MaskSource, tile: Tile, panels: Panels, last_mover: Player) {
        self.label(source, tile);
        self.find_columns(panels);
        self.find_fours(source, tile, panels, last_mover);
        self.find_in_turn(source, tile, panels);
    }

    /// What it takes to finish some rows of a panel.
    pub fn of<'a>(
        &'a self,
        panels: Panels,
        panel: usize,
        rows: Range<usize>,
        won: u64,
    ) -> Finish<'a> {
        let words_of = |words: &'a [u64], rows: usize| {
            &words[panel * rows * width(PANEL)..][..rows * panels.width(panel)]
        };
        Finish {
            fours: words_of(&self.fours, 2 * self.faces_here.labels.len()),
            in_turn: words_of(&self.in_turn, self.types_here.labels.len()),
            columns: words_of(&self.columns, 1),
            faces: &self.faces[rows.clone()],
            types: &self.types[rows],
            won,
        }
    }

    /// Numbers the faces and types that the tile has.
    fn label(&mut self, MaskSource { index, labels, .. }: MaskSource, tile: Tile) {
        let reversed = index.census().reversed(tile.centre);
        self.faces_here.number(labels.face_of(index, tile.centre, tile.left), &mut self.faces);
        self.types_here.number(labels.type_of(index, tile.centre, tile.left), &mut self.types);
        self.kinds_here.number(labels.type_of(index, reversed, tile.right), &mut self.kinds);
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

    fn find_fours(&mut self, source: MaskSource, tile: Tile, panels: Panels, last_mover: Player) {
        let census = source.index.census();
        let lines = CrossingLines::of(census.split());
        let states = source.index.rows(census.reversed(tile.centre), tile.right);
        let faces = source.labels.faces(tile.centre);
        self.fours.clear();
        for panel in 0..panels.count() {
            let width = panels.width(panel);
            self.find_met(lines, &states[panels.columns(panel)], width);
            let all = lines.demands() * width;
            for face in &self.faces_here.labels {
                let face = &faces[*face as usize];
                let start = self.fours.len();
                self.fours.resize(start + 2 * width, 0);
                let (own, either) = self.fours[start..].split_at_mut(width);
                for demand in bits(face[last_mover.index()]) {
                    or_into(own, &self.met[last_mover.index() * all + demand * width..][..width]);
                }
                either.copy_from_slice(own);
                let mover = last_mover.other();
                for demand in bits(face[mover.index()]) {
                    or_into(either, &self.met[mover.index() * all + demand * width..][..width]);
                }
            }
        }
    }

    /// For each player and demand, the columns of a panel that meet it.
    fn find_met(&mut self, lines: CrossingLines, states: &[SideState], width: usize) {
        let demands = lines.demands();
        self.met.clear();
        self.met.resize(2 * demands * width, 0);
        for (word, states) in states.chunks(64).enumerate() {
            // The demands of both players fit into 64 bits, unless columns are very high.
            for first in (0..2 * demands).step_by(64) {
                let mut block = [0; 64];
                for (row, state) in block.iter_mut().zip(states) {
                    let [held, others] =
                        Player::BOTH.map(|player| u128::from(lines.held(*state, player)));
                    *row = ((held | others << demands) >> first) as u64;
                }
                transpose_block(&mut block);
                let met = self.met.iter_mut().skip(first * width + word).step_by(width);
                met.zip(block).for_each(|(met, row)| *met = row);
            }
        }
    }

    fn find_in_turn(&mut self, source: MaskSource, tile: Tile, panels: Panels) {
        let MaskSource { orders, labels, .. } = source;
        let centre = labels.columns(tile.centre);
        let (lefts, rights) = (labels.types(tile.left), labels.types(tile.right));
        let kind_of =
            |all: &Range<usize>, label: u32| OrderType((all.start + label as usize) as u32);
        self.compatible.clear();
        for left in &self.types_here.labels {
            let left = kind_of(&lefts, *left);
            let goes_with = |right: &u32| orders.compatible(left, centre, kind_of(&rights, *right));
            self.compatible.extend(self.kinds_here.labels.iter().map(goes_with));
        }
        let kinds = self.kinds_here.labels.len();
        self.in_turn.clear();
        for panel in 0..panels.count() {
            let width = panels.width(panel);
            self.of_kind.clear();
            self.of_kind.resize(kinds * width, 0);
            for (column, kind) in self.kinds[panels.columns(panel)].iter().enumerate() {
                self.of_kind[*kind as usize * width + column / 64] |= 1 << (column % 64);
            }
            for compatible in self.compatible.chunks_exact(kinds) {
                let start = self.in_turn.len();
                self.in_turn.resize(start + width, 0);
                let row = &mut self.in_turn[start..];
                let of_kinds = compatible.iter().zip(self.of_kind.chunks_exact(width));
                of_kinds.filter(|(goes, _)| **goes).for_each(|(_, of_kind)| or_into(row, of_kind));
            }
        }
    }
}

/// A word with so many ones at its low end.
fn ones(number: usize) -> u64 {
    if number >= 64 { u64::MAX } else { (1 << number) - 1 }
}
