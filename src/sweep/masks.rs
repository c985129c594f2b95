//! The bit rows of a tile: which right sides complete a four with a left side,
//! and which can be filled in turn with it. One row for each face and each
//! move-order type that the tile has, panel by panel.

use std::ops::Range;

use crate::board::Player;
use crate::index::{Index, Tile};
use crate::order::{OrderType, Orders};

use super::crossing::{CrossingLines, bits};
use super::kernels::Finish;
use super::labels::{Face, Labels, types_of};
use super::matrix::or_into;
use super::panels::{PANEL, Panels, width};
use super::transpose::transpose_block;

/// The bit rows of a tile, in memory that serves one tile after the other.
#[derive(Default)]
pub(super) struct TileMasks {
    /// For each row of the tile the number of its face among those of the tile.
    faces: Vec<u32>,
    /// For each row of the tile the number of its type among those of its class.
    types: Vec<u32>,
    /// For each panel and face, fours of the last mover and of either player.
    fours: Vec<u64>,
    /// For each panel and type.
    in_turn: Vec<u64>,
    /// For each panel.
    columns: Vec<u64>,
    /// Number of faces and of types.
    rows: [usize; 2],

    // What these are made of.
    present: Vec<Face>,
    number_of: Vec<u32>,
    met: Vec<u64>,
    of_type: Vec<u64>,
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
        let [faces, types] = self.rows;
        Finish {
            fours: words_of(&self.fours, 2 * faces),
            in_turn: words_of(&self.in_turn, types),
            columns: words_of(&self.columns, 1),
            faces: &self.faces[rows.clone()],
            types: &self.types[rows],
            won,
        }
    }

    /// Numbers the faces that the tile has, in the order in which they come.
    fn label(&mut self, source: MaskSource, tile: Tile) {
        let all = source.labels.faces(tile.centre);
        self.present.clear();
        self.number_of.clear();
        self.number_of.resize(all.len(), u32::MAX);
        self.faces.clear();
        for face in source.labels.face_of(source.index, tile.centre, tile.left) {
            let number = &mut self.number_of[*face as usize];
            if *number == u32::MAX {
                *number = self.present.len() as u32;
                self.present.push(all[*face as usize]);
            }
            self.faces.push(*number);
        }
        self.types.clear();
        self.types.extend(source.labels.type_of(source.index, tile.centre, tile.left));
        self.rows = [self.present.len(), types_of(source.orders, tile.left).len()];
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
        self.fours.clear();
        for panel in 0..panels.count() {
            let width = panels.width(panel);
            // For each player and demand, the columns that meet it.
            let all = lines.demands() * width;
            self.met.clear();
            self.met.resize(2 * all, 0);
            for (word, states) in states[panels.columns(panel)].chunks(64).enumerate() {
                for player in Player::BOTH {
                    let mut block = [0; 64];
                    for (row, state) in block.iter_mut().zip(states) {
                        *row = lines.held(*state, player);
                    }
                    transpose_block(&mut block);
                    let met = self.met[player.index() * all..][..all].iter_mut();
                    met.skip(word).step_by(width).zip(block).for_each(|(met, row)| *met = row);
                }
            }
            for face in &self.present {
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

    fn find_in_turn(&mut self, source: MaskSource, tile: Tile, panels: Panels) {
        let MaskSource { index, orders, labels } = source;
        let census = index.census();
        let reversed = census.reversed(tile.centre);
        let kinds = labels.type_of(index, reversed, tile.right);
        let (left, right) = (types_of(orders, tile.left), types_of(orders, tile.right));
        let centre = census.centre(tile.centre);
        let columns: Option<Vec<usize>> = [centre.near(), Some(centre.far())]
            .into_iter()
            .flatten()
            .map(|code| orders.columns().find(code))
            .collect();
        let columns = columns.and_then(|columns| orders.centre(&columns));
        let columns = columns.expect("a centre of columns of the board");
        self.in_turn.clear();
        for panel in 0..panels.count() {
            let width = panels.width(panel);
            self.of_type.clear();
            self.of_type.resize(right.len() * width, 0);
            for (column, kind) in kinds[panels.columns(panel)].iter().enumerate() {
                self.of_type[*kind as usize * width + column / 64] |= 1 << (column % 64);
            }
            for left in left.clone() {
                let start = self.in_turn.len();
                self.in_turn.resize(start + width, 0);
                for (kind, of_type) in right.clone().zip(self.of_type.chunks_exact(width)) {
                    let [left, right] = [left, kind].map(|kind| OrderType(kind as u32));
                    if orders.compatible(left, columns, right) {
                        or_into(&mut self.in_turn[start..], of_type);
                    }
                }
            }
        }
    }
}

/// A word with so many ones at its low end.
fn ones(number: usize) -> u64 {
    if number >= 64 { u64::MAX } else { (1 << number) - 1 }
}
