//! How the outcomes of a tile lie in words: panels of 512 columns, in which a
//! row of both planes is two cache lines.
//!
//! Two planes say all about a cell, always from the first player's view:
//!
//! ```text
//!     first wins     1 0 0
//!     first holds    1 1 0        holds: does not lose
//!                    │ │ └ the second player wins
//!                    │ └ a draw
//!                    └ the first player wins
//! ```
//!
//! So one rule serves both planes: the first player takes the best of the
//! children, which is OR; the second the worst, which is AND. Neither plane
//! looks at the other, so a sweep may work on [one alone](Planes): it takes
//! half of the memory, and half of what is handed on.
//!
//! A panel holds 512 columns of all rows of the tile. The last panel of a tile
//! is narrower: 1, 2, 4 or 8 words, as few as hold its columns, so that no row
//! straddles a cache line without need. Bits after the last column are 0.
//!
//! ```text
//!     panel 0                  panel 1                  …   last
//!     row 0   wins 8, holds 8  row 0   wins 8, holds 8      row 0   wins 2, holds 2
//!     row 1   wins 8, holds 8  row 1   wins 8, holds 8      row 1   wins 2, holds 2
//!     …                        …                            …
//! ```

use std::fmt;
use std::ops::Range;

/// Outcome planes of a tile, unless a sweep works on one alone.
pub(crate) const PLANES: usize = 2;

/// The outcome planes that a sweep works on. One alone says how games end in which draws count as
/// losses of one of the players: as those of the first, if it is the plane of that player's wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Planes {
    /// Where the first player wins, and where that player does not lose.
    #[default]
    Both,
    /// Only where the first player wins.
    Wins,
    /// Only where the first player does not lose.
    Holds,
}

impl Planes {
    /// How many they are.
    pub(crate) fn count(self) -> usize {
        if self == Planes::Both { PLANES } else { 1 }
    }

    /// The number of the only one.
    pub(crate) fn number(self) -> Option<u8> {
        match self {
            Planes::Both => None,
            Planes::Wins => Some(0),
            Planes::Holds => Some(1),
        }
    }

    /// The words of each that stand for draws.
    pub(in crate::sweep) fn drawn(self) -> &'static [u64] {
        match self {
            Planes::Both => &[0, u64::MAX],
            Planes::Wins => &[0],
            Planes::Holds => &[u64::MAX],
        }
    }
}

impl fmt::Display for Planes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Planes::Both => "both",
            Planes::Wins => "wins",
            Planes::Holds => "holds",
        })
    }
}

/// Columns of every panel but the last; lines of every block handed on but the last. With
/// `--cfg small_panels`, which `make test-long` sets, boards that are small enough for plain
/// minimax have many of both.
pub(crate) const PANEL: usize = if cfg!(small_panels) { 64 } else { 512 };

/// Words of a cache line; tiles start at one.
pub(in crate::sweep) const LINE: usize = 8;

/// The rows and columns of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sweep) struct MatrixShape {
    pub rows: usize,
    pub columns: usize,
}

/// The panels of a tile of some shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sweep) struct Panels {
    pub shape: MatrixShape,
    /// The number of planes.
    pub planes: usize,
}

impl Panels {
    /// Those of both planes.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn of_both(shape: MatrixShape) -> Panels {
        Panels { shape, planes: PLANES }
    }

    /// The same of a tile with this many rows and columns.
    pub(crate) fn part(self, rows: usize, columns: usize) -> Panels {
        Panels { shape: MatrixShape { rows, columns }, ..self }
    }

    /// The same of a tile with this many rows.
    pub(crate) fn with_rows(self, rows: usize) -> Panels {
        self.part(rows, self.shape.columns)
    }

    /// Words of a row of all planes in a panel.
    pub(crate) fn row(self, panel: usize) -> usize {
        self.planes * self.width(panel)
    }

    /// Number of panels.
    pub(crate) fn count(self) -> usize {
        self.shape.columns.div_ceil(PANEL)
    }

    /// The columns in a panel.
    pub(crate) fn columns(self, panel: usize) -> Range<usize> {
        block(self.shape.columns, panel)
    }

    /// Words of a row of one plane in a panel.
    pub(crate) fn width(self, panel: usize) -> usize {
        width(self.columns(panel).len())
    }

    /// The words of a panel among those of the tile.
    pub(crate) fn words_of(self, panel: usize) -> Range<usize> {
        let start = panel * self.shape.rows * self.planes * width(PANEL);
        start..start + self.shape.rows * self.row(panel)
    }

    /// Words of the tile.
    pub(crate) fn words(self) -> usize {
        self.count().checked_sub(1).map_or(0, |last| self.words_of(last).end)
    }

    /// Bytes of the tile.
    pub(crate) fn bytes(self) -> usize {
        size_of::<u64>() * self.words()
    }

    /// Words from this tile to the next: whole cache lines.
    pub(crate) fn padded_words(self) -> usize {
        self.words().next_multiple_of(LINE)
    }

    /// The words of some rows of a panel among those of the tile.
    pub(crate) fn words_of_rows(self, panel: usize, rows: Range<usize>) -> Range<usize> {
        let (start, row) = (self.words_of(panel).start, self.row(panel));
        start + rows.start * row..start + rows.end * row
    }
}

/// The `number`th run of [`PANEL`] out of `all`.
pub(in crate::sweep) fn block(all: usize, number: usize) -> Range<usize> {
    number * PANEL..((number + 1) * PANEL).min(all)
}

/// Words of a row of one plane that holds this many columns of a panel.
pub(crate) const fn width(columns: usize) -> usize {
    columns.div_ceil(64).next_power_of_two()
}

/// A row of a panel with ones in the first columns, this many; or all ones, if there are fewer.
pub(in crate::sweep) fn first_columns(columns: usize) -> [u64; LINE] {
    std::array::from_fn(|word| match columns.saturating_sub(64 * word) {
        columns @ 0..64 => (1 << columns) - 1,
        _ => u64::MAX,
    })
}

/// The most blocks of [`PANEL`] lines that are packed together, in a frame: more save little.
pub(in crate::sweep) const MOST_BLOCKS: usize = 8;

/// The blocks of a frame, if it has many, when more would take more bytes than this before they are
/// packed.
pub(in crate::sweep) const FEW_BLOCKS: usize = 4;
const MANY_BYTES: usize = 1 << 23;

/// The blocks that share a frame in a tile like this, however many rows it has.
pub(in crate::sweep) fn blocks_in_frame(panels: Panels) -> usize {
    (MANY_BYTES / panels.with_rows(PANEL).bytes().max(1)).clamp(FEW_BLOCKS, MOST_BLOCKS)
}

/// Whether these lines are too few to be compressed, though they wait long.
pub(in crate::sweep) fn is_plain_for_long(lines: Panels) -> bool {
    lines.bytes() < 1 << 12
}

/// Whether these lines are too few to be packed in memory.
pub(in crate::sweep) fn is_plain_in_memory(lines: Panels) -> bool {
    lines.bytes() < 1 << 16
}

/// The outcome planes of a tile in borrowed words.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct PanelTile<'a> {
    pub panels: Panels,
    pub words: &'a [u64],
}

impl<'a> PanelTile<'a> {
    /// Some rows of a panel.
    pub(crate) fn rows(self, panel: usize, rows: Range<usize>) -> &'a [u64] {
        &self.words[self.panels.words_of_rows(panel, rows)]
    }

    /// All rows of a panel.
    pub(crate) fn panel(self, panel: usize) -> &'a [u64] {
        &self.words[self.panels.words_of(panel)]
    }

    /// The bit of a cell in a plane.
    pub(crate) fn bit(self, plane: usize, row: usize, column: usize) -> bool {
        let panel = column / PANEL;
        let (width, column) = (self.panels.width(panel), column % PANEL);
        let words = self.rows(panel, row..row + 1);
        words[plane * width + column / 64] >> (column % 64) & 1 == 1
    }

    /// The bits of a cell in both planes. One alone stands for the other, too: there are no draws.
    pub(crate) fn bits(self, row: usize, column: usize) -> [bool; PLANES] {
        [0, self.panels.planes - 1].map(|plane| self.bit(plane, row, column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_cover_the_columns_and_follow_each_other() {
        let columns = [0, 1, 63, 64, 65, 130, 256, 257, 511, 512, 513, 700, 1024, 5000];
        for (columns, planes) in columns.into_iter().flat_map(|c| [(c, 1), (c, 2)]) {
            let panels = Panels { shape: MatrixShape { rows: 7, columns }, planes };
            let (mut column, mut word) = (0, 0);
            for panel in 0..panels.count() {
                assert_eq!(panels.columns(panel).start, column);
                assert_eq!(panels.words_of(panel).start, word);
                column = panels.columns(panel).end;
                word = panels.words_of(panel).end;
                assert!(panels.columns(panel).len() <= 64 * panels.width(panel));
            }
            assert_eq!(column, columns);
            assert_eq!(word, panels.words());
        }
    }
}
