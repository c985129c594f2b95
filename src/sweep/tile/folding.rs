//! Folds the outcomes of children into a tile, and finishes it.
//!
//! Mostly one thread does so. If that left others without work, since the tile is a large part of
//! its tier, they share it: each takes a strip of rows at a time, and then, of children whose rows
//! are our columns, a panel.
//!
//! A tile is panel after panel, so a strip of its rows is a piece of each panel:
//!
//! ```text
//!     panel 0    panel 1    panel 2
//!     ───────    ───────    ───────    strip 0
//!     ───────    ───────    ───────    strip 1
//! ```

use std::ops::Range;

use rayon::prelude::*;

use crate::cpu::Cpu;
use crate::files::sealed::WorkingFileError;

use crate::sweep::bits::{
    AlignedWords, LINE, MOST_BLOCKS, PANEL, Panels, Pool, block, first_columns, width,
};
use crate::sweep::handoff::{HandedTile, Unpacker};
use crate::sweep::kernels::{CellCounts, Children, FOUR, Fold, LOSES, Rows, finish, fold, turn};
use crate::sweep::work::{Clock, Work, WorkTimes};

use super::centre::{Child, MovePlan, Moves};
use super::masks::{TileLabels, TileMasks};
use super::waiting::{StoredTile, Unpacking};

/// Blocks of 512 rows that a strip has at least, so that most frames are opened by one thread;
/// tests have many strips.
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

/// Memory for blocks that are being folded.
#[derive(Default)]
pub(in crate::sweep) struct Blocks {
    /// Blocks of children, turned; one for each tile of children.
    turned: [AlignedWords; 3],
    /// To unpack these blocks.
    unpackers: [Unpacker; 3],
    /// To unpack blocks, and panels, of tiles of the same centre.
    unpacking: [Unpacking; 2],
    /// Rows of a panel of a centre child, put where ours are.
    gathered: AlignedWords,
    /// What has been folded and is to be turned back.
    folded: AlignedWords,
    /// Which of our rows a centre child has.
    rows: Vec<u32>,
}

/// All columns count.
const ALL: [u64; LINE] = [u64::MAX; LINE];

/// A tile whose children are being folded.
#[derive(Clone, Copy)]
pub(in crate::sweep::tile) struct Folding<'t> {
    pub cpu: Cpu,
    pub panels: Panels,
    pub labels: TileLabels<'t>,
    pub plan: &'t MovePlan<'t>,
    pub masks: &'t TileMasks,
    /// For each thread that is folding.
    pub blocks: &'t Pool<Box<Blocks>>,
    /// Threads share the tile if it has more words than this.
    pub share: usize,
}

/// A thread at work on it.
pub(super) struct Folder<'t, 's> {
    task: Folding<'t>,
    blocks: &'s mut Blocks,
    clock: &'s mut Clock,
}

impl Folding<'_> {
    /// Whose choice the children are.
    fn by(&self) -> Fold {
        Fold::of(self.labels.mover)
    }

    /// Whether children are folded by panel.
    pub(super) fn is_folded_by_panel(&self) -> bool {
        self.plan.by_rows.iter().any(Option::is_some) || self.left_is_packed()
    }

    /// The left child is unpacked panel by panel, if it must be.
    fn left_is_packed(&self) -> bool {
        matches!(
            self.plan.as_stored,
            Some(Moves { child: Child::SameCentre(StoredTile::Packed(_), _), .. })
        )
    }
}

impl<'t, 's> Folder<'t, 's> {
    /// A thread that begins with a part of the tile.
    pub(super) fn new(
        task: &Folding<'t>,
        blocks: &'s mut Blocks,
        clock: &'s mut Clock,
    ) -> Folder<'t, 's> {
        let mut folder = Folder { task: *task, blocks, clock };
        folder.turn_to_another_part();
        folder
    }

    /// Closes the frames and blocks that are open.
    pub(super) fn turn_to_another_part(&mut self) {
        self.blocks.unpackers.iter_mut().for_each(Unpacker::start);
        self.blocks.unpacking[0].start();
    }

    /// Folds children by columns, and the left one, into some rows. They are finished, unless
    /// others are folded by panel.
    pub(super) fn strip(&mut self, mut strip: Strip) -> Result<CellCounts, WorkingFileError> {
        let Folding { panels, plan, .. } = self.task;
        let is_packed = self.task.left_is_packed();
        let is_last = !self.task.is_folded_by_panel();
        let all = strip.rows(panels);
        let mut tally = CellCounts::default();
        for number in all.start / PANEL..all.end.div_ceil(PANEL) {
            let rows = block(all.end, number);
            let by_columns = self.turn_children(plan.by_columns, number, rows.len())?;
            for panel in 0..panels.count() {
                let to = strip.of(panels, panel, rows.clone());
                self.fold_columns(by_columns, panel, rows.len(), to);
                if !is_packed {
                    self.fold_as_stored(panel, rows.clone(), to)?;
                }
                self.clock.lap(Work::Fold);
                if is_last {
                    tally = tally.plus(self.finish(panel, rows.clone(), to));
                }
            }
        }
        Ok(tally)
    }

    /// Folds children by rows, and the left one if it is packed, into a panel, which is then
    /// finished.
    pub(super) fn panel(
        &mut self,
        panel: usize,
        to: &mut [u64],
    ) -> Result<CellCounts, WorkingFileError> {
        let Folding { panels, plan, .. } = self.task;
        let (rows, columns) = (0..panels.shape.rows, panels.columns(panel).len());
        let by_rows = self.turn_children(plan.by_rows, panel, columns)?;
        if self.task.left_is_packed() {
            self.fold_as_stored(panel, rows.clone(), to)?;
        }
        let width = panels.width(panel);
        for (moves, turned) in by_rows.iter().zip(&self.blocks.turned) {
            let Some(moves) = moves else { continue };
            let from = (width, turned.as_slice());
            fold_rows(&self.task, width, true, to, *moves, from, rows.clone(), &ALL);
        }
        self.clock.lap(Work::Fold);
        Ok(self.finish(panel, rows, to))
    }

    /// Turns a block, given by its number and its number of lines, of the children of these
    /// moves. Returns the moves that lead anywhere from there.
    fn turn_children<'m>(
        &mut self,
        all: [Option<Moves<'m>>; 3],
        number: usize,
        lines: usize,
    ) -> Result<[Option<Moves<'m>>; 3], WorkingFileError> {
        let mut some = [None; 3];
        for (slot, moves) in all.into_iter().enumerate() {
            let Some(moves) = moves else { continue };
            let leads_somewhere = match moves.child {
                Child::Nothing => {
                    self.blocks.turned[slot].resize(0);
                    moves.places.contains(&FOUR)
                }
                Child::SameCentre(child, shared) => {
                    let start = number * PANEL;
                    let end = shared.min(start + lines);
                    if start < end {
                        self.turn_stored(slot, child, number, (start..end, lines))?;
                    }
                    start < end
                }
                Child::Handed(child, places) => {
                    let places = &places[number * PANEL..][..lines];
                    self.turn_kept(slot, child, number, places)?
                }
            };
            some[slot] = leads_somewhere.then_some(moves);
        }
        self.clock.lap(Work::Turn);
        Ok(some)
    }

    /// Turns a block of a tile of the same centre: these rows, the first of this many lines.
    fn turn_stored(
        &mut self,
        slot: usize,
        child: StoredTile,
        number: usize,
        (rows, lines): (Range<usize>, usize),
    ) -> Result<(), WorkingFileError> {
        let panels = child.panels();
        let Blocks { turned, unpacking: [unpacking, _], .. } = &mut *self.blocks;
        let (tile, rows) = match child {
            StoredTile::Plain(tile) => (tile, rows),
            StoredTile::Packed(tile) => {
                self.clock.lap(Work::Turn);
                let (tile, block) = tile.block(number, unpacking)?;
                self.clock.lap(Work::Unpack);
                (tile, block.start..block.start + rows.len())
            }
        };
        for panel in 0..panels.count() {
            let rows = |panel| tile.rows(panel, rows.clone());
            let next = if panel + 1 < panels.count() { rows(panel + 1) } else { &[] };
            let from = Rows { words: rows(panel), next: Some(next) };
            turn_panel(&self.task, &mut turned[slot], panels, panel, lines, from);
        }
        Ok(())
    }

    /// Turns a block of a tile that was handed on, unless every one of our lines loses.
    fn turn_kept(
        &mut self,
        slot: usize,
        child: HandedTile,
        number: usize,
        lines: &[u32],
    ) -> Result<bool, WorkingFileError> {
        if lines.iter().all(|place| *place == LOSES) {
            return Ok(false);
        }
        let Folder { task, clock, blocks } = self;
        let Blocks { turned, unpackers, gathered, rows, .. } = &mut **blocks;
        clock.lap(Work::Turn);
        let by = task.by();
        rows.clear();
        rows.extend((0..).zip(lines).filter(|(_, place)| **place < LOSES).map(|(row, _)| row));
        let panels = child.panels(lines.len());
        let mut block = child.block(task.cpu, number, rows, &mut unpackers[slot])?;
        for panel in 0..panels.count() {
            let row = panels.row(panel);
            let to = gathered.resize(lines.len() * row);
            for (to, place) in to.chunks_exact_mut(row).zip(lines) {
                match *place {
                    LOSES => to.fill(by.lost()),
                    FOUR => to.fill(by.won()),
                    _ => {}
                }
            }
            block.next_panel(task.cpu, panels.width(panel), to)?;
            clock.lap(Work::Unpack);
            let from = Rows { words: to, next: None };
            turn_panel(task, &mut turned[slot], panels, panel, lines.len(), from);
            clock.lap(Work::Turn);
        }
        Ok(true)
    }

    /// Folds the turned children of a block by its columns and turns the result back.
    fn fold_columns(
        &mut self,
        moves: [Option<Moves>; 3],
        panel: usize,
        rows: usize,
        to: &mut [u64],
    ) {
        let Folding { cpu, panels, .. } = self.task;
        let columns = panels.columns(panel);
        let from_width = width(rows);
        let Blocks { turned, folded, .. } = &mut *self.blocks;
        let planes = panels.planes;
        let folded = folded.resize(columns.len() * planes * from_width);
        let mut keep = false;
        for (moves, turned) in moves.iter().zip(turned) {
            let Some(moves) = moves else { continue };
            let from = (from_width, turned.as_slice());
            fold_rows(&self.task, from_width, keep, folded, *moves, from, columns.clone(), &ALL);
            keep = true;
        }
        self.clock.lap(Work::Fold);
        let lost = self.task.by().lost();
        if keep {
            let to_width = panels.width(panel);
            let folded = Rows { words: folded, next: None };
            turn(cpu, [planes, from_width], folded, lost, to_width, to);
            self.clock.lap(Work::Turn);
        } else {
            to.fill(lost);
        }
    }

    /// Folds the rows of the left child, in the columns that it shares with the tile.
    fn fold_as_stored(
        &mut self,
        panel: usize,
        rows: Range<usize>,
        to: &mut [u64],
    ) -> Result<(), WorkingFileError> {
        let Folding { panels, plan, .. } = self.task;
        let Some(moves) = plan.as_stored else { return Ok(()) };
        let width = panels.width(panel);
        let (from, shared) = match moves.child {
            Child::Nothing => ((width, &[][..]), panels.shape.columns),
            Child::SameCentre(child, shared) if panel * PANEL < shared => {
                let words = match child {
                    StoredTile::Plain(tile) => tile.panel(panel),
                    StoredTile::Packed(tile) => {
                        let words = tile.panel(panel, &mut self.blocks.unpacking[1])?;
                        self.clock.lap(Work::Unpack);
                        words
                    }
                };
                ((child.panels().width(panel), words), shared)
            }
            _ => return Ok(()),
        };
        let within = first_columns(shared.saturating_sub(panel * PANEL));
        fold_rows(&self.task, width, true, to, moves, from, rows, &within);
        Ok(())
    }

    fn finish(&mut self, panel: usize, rows: Range<usize>, to: &mut [u64]) -> CellCounts {
        let Folding { cpu, labels, masks, .. } = self.task;
        let tally = finish_rows(cpu, labels, panel, rows, to, masks);
        self.clock.lap(Work::Finish);
        tally
    }
}

/// Turns some rows of a panel of a child; lines beyond them count as lost.
fn turn_panel(
    task: &Folding,
    turned: &mut AlignedWords,
    child: Panels,
    panel: usize,
    lines: usize,
    from: Rows,
) {
    let to_width = width(lines);
    let to_row = child.planes * to_width;
    let to = turned.resize(child.shape.columns * to_row);
    let columns = child.columns(panel);
    let to = &mut to[columns.start * to_row..columns.end * to_row];
    let missing = task.by().lost();
    turn(task.cpu, [child.planes, child.width(panel)], from, missing, to_width, to);
}

#[expect(clippy::too_many_arguments, reason = "those of the kernel")]
fn fold_rows(
    task: &Folding,
    width: usize,
    keep: bool,
    to: &mut [u64],
    moves: Moves,
    (from_width, from): (usize, &[u64]),
    rows: Range<usize>,
    within: &[u64; LINE],
) {
    let per_row = moves.per_row;
    let places = &moves.places[rows.start * per_row..rows.end * per_row];
    let within = &within[..width];
    let children = Children { rows: from, width: from_width, places, per_row, within };
    fold(task.cpu, task.by(), [task.panels.planes, width], keep, to, children);
}

pub(in crate::sweep::tile) fn finish_rows(
    cpu: Cpu,
    tile: TileLabels,
    panel: usize,
    rows: Range<usize>,
    to: &mut [u64],
    masks: &TileMasks,
) -> CellCounts {
    let with = masks.of(tile, panel, rows);
    let row = [tile.panels.planes, tile.panels.width(panel)];
    finish(cpu, Fold::of(tile.mover), row, to, with)
}

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
