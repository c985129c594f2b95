//! The rows of a tile that one thread works on.
//!
//! A tile is panel after panel, so a strip of its rows is a piece of each panel:
//!
//! ```text
//!     panel 0    panel 1    panel 2
//!     ───────    ───────    ───────    strip 0
//!     ───────    ───────    ───────    strip 1
//! ```

use std::ops::Range;

use crate::sweep::bits::Panels;

/// Some rows of a tile, in words that are panel after panel, or in a piece of each panel.
pub(super) enum Strip<'w> {
    Tile(&'w mut [u64]),
    Rows(Range<usize>, Vec<&'w mut [u64]>),
}

impl<'w> Strip<'w> {
    /// The strips of a tile, of this many rows each.
    pub(super) fn all(panels: Panels, mut words: &'w mut [u64], rows: usize) -> Vec<Strip<'w>> {
        let all = panels.shape.rows;
        let strip = |number: usize| number * rows..((number + 1) * rows).min(all);
        let mut strips: Vec<Strip> =
            (0..all.div_ceil(rows)).map(|number| Strip::Rows(strip(number), Vec::new())).collect();
        for panel in 0..panels.count() {
            for strip in &mut strips {
                let Strip::Rows(rows, pieces) = strip else { unreachable!("they have rows") };
                let len = rows.len() * panels.row(panel);
                pieces.push(words.split_off_mut(..len).expect("the rows of the tile"));
            }
        }
        strips
    }

    /// Its rows.
    pub(super) fn rows(&self, panels: Panels) -> Range<usize> {
        match self {
            Strip::Tile(_) => 0..panels.shape.rows,
            Strip::Rows(rows, _) => rows.clone(),
        }
    }

    /// The words of some of its rows in a panel.
    pub(super) fn of(&mut self, panels: Panels, panel: usize, rows: Range<usize>) -> &mut [u64] {
        match self {
            Strip::Tile(words) => &mut words[panels.words_of_rows(panel, rows)],
            Strip::Rows(all, pieces) => {
                let row = panels.row(panel);
                &mut pieces[panel][(rows.start - all.start) * row..(rows.end - all.start) * row]
            }
        }
    }
}
