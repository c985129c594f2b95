//! Folds the outcomes of children into a tile, and finishes it.
//!
//! Mostly one thread does so. If that left others without work, since the tile is a large part of its
//! tier, they share it: each takes a strip of rows at a time, and then, of children whose rows are our
//! columns, a panel.
//!
//! ```text
//!     strip     the rows that a thread works on
//!     folder    the thread
//! ```

mod folder;
mod strip;

pub(in crate::sweep) use folder::Blocks;
pub(super) use folder::{Folding, finish_rows};

use rayon::prelude::*;

use crate::files::sealed::WorkingFileError;

use crate::sweep::bits::{MOST_BLOCKS, PANEL};
use crate::sweep::kernels::CellCounts;
use crate::sweep::work::{Clock, WorkTimes};

use folder::Folder;
use strip::Strip;

/// Blocks of 512 rows that a strip has at least, so that most frames are opened by one thread; tests
/// have many strips.
const STRIP_BLOCKS: usize = if cfg!(any(test, small_panels)) { 1 } else { MOST_BLOCKS };

impl Folding<'_> {
    /// The rows of a strip, if threads share the tile.
    fn strip(&self) -> Option<usize> {
        let (rows, words) = (self.panels.shape.rows, self.panels.words());
        let share = rows.div_ceil(words.div_ceil(self.share.max(1)));
        let share = share.next_multiple_of(STRIP_BLOCKS * PANEL);
        (share < rows).then_some(share)
    }

    /// Has threads share work on parts of the tile.
    fn share<T: Send>(
        &self,
        clock: &mut Clock,
        parts: Vec<T>,
        work: impl Fn(&mut Folder, T) -> Result<CellCounts, WorkingFileError> + Sync,
    ) -> Result<CellCounts, WorkingFileError> {
        let is_on = clock.is_on();
        let work = |part| {
            self.blocks.with(|blocks| {
                let mut clock = Clock::of(is_on);
                let tally = work(&mut Folder::new(self, blocks, &mut clock), part)?;
                Ok((tally, clock.take()))
            })
        };
        let none = || (CellCounts::default(), WorkTimes::default());
        let plus = |(a, b): (CellCounts, WorkTimes), (c, d)| Ok((a.plus(c), b.plus(d)));
        let (tally, times) =
            parts.into_par_iter().with_max_len(1).map(work).try_reduce(none, plus)?;
        clock.add(times);
        clock.start();
        Ok(tally)
    }

    /// Folds all children, and finishes the tile.
    pub(super) fn tile(
        self,
        words: &mut [u64],
        clock: &mut Clock,
    ) -> Result<CellCounts, WorkingFileError> {
        let (panels, by_panel) = (self.panels, self.is_folded_by_panel());
        let all = 0..panels.count();
        let Some(rows) = self.strip() else {
            return self.blocks.with(|blocks| {
                let mut folder = Folder::new(&self, blocks, clock);
                let tally = folder.strip(Strip::Tile(&mut *words))?;
                folder.turn_to_another_part();
                all.filter(|_| by_panel).try_fold(tally, |tally, panel| {
                    Ok(tally.plus(folder.panel(panel, &mut words[panels.words_of(panel)])?))
                })
            });
        };
        let strips = Strip::all(panels, &mut *words, rows);
        let tally = self.share(clock, strips, |folder, strip| folder.strip(strip))?;
        if !by_panel {
            return Ok(tally);
        }
        let mut rest = words;
        let part = |panel| {
            let len = panels.words_of(panel).len();
            (panel, rest.split_off_mut(..len).expect("a panel of the tile"))
        };
        let parts = all.map(part).collect();
        Ok(tally.plus(self.share(clock, parts, |folder, (panel, to)| folder.panel(panel, to))?))
    }
}
