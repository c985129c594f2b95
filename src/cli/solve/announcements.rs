//! Announces a run of `solve`: what it takes, what it is about to do, and how far it is. In words
//! for people, and as events in JSON for programs.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use strong4::board::{Board, TierRange};
use strong4::memory::Bytes;
use strong4::progress::Progress;
use strong4::query::JsonInteger;
use strong4::sweep::{Planes, WorkingFileError};
use strong4::tabulate::{Beginning, Estimate, Listener};

use crate::cli::output::numbers::{grouped, rough};
use crate::cli::output::progress::{Meter, Shown};
use crate::cli::output::{json, say, say_json};

/// What a run takes, as JSON.
#[derive(Serialize)]
struct Cost {
    cells: JsonInteger,
    seconds: f64,
    memory: JsonInteger,
    scratch: JsonInteger,
    tables: JsonInteger,
}

impl Cost {
    fn of(estimate: &Estimate) -> Cost {
        let Estimate { cells, seconds, memory, scratch, tables, .. } = *estimate;
        let [cells, memory, scratch, tables] =
            [cells, memory, scratch, tables].map(JsonInteger::from);
        Cost { cells, seconds, memory, scratch, tables }
    }
}

/// What is announced to programs.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event {
    /// What a complete run takes.
    Estimate {
        board: String,
        first: u8,
        last: u8,
        #[serde(flatten)]
        cost: Cost,
        /// Bytes of tables that are removed at the end, with scores.
        #[serde(skip_serializing_if = "Option::is_none")]
        cut_tables: Option<JsonInteger>,
    },
    /// The whole work ahead.
    Intend {
        runs: usize,
        #[serde(flatten)]
        cost: Cost,
        cut_tables: JsonInteger,
    },
    /// One run.
    Begin {
        /// The part of a planned run.
        #[serde(skip_serializing_if = "Option::is_none")]
        part: Option<usize>,
        first: u8,
        last: u8,
        /// The ply after which games are cut off.
        #[serde(skip_serializing_if = "Option::is_none")]
        cut: Option<u8>,
        /// The outcome plane that it works on, if it is one alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        plane: Option<String>,
        #[serde(flatten)]
        cost: Cost,
        done: usize,
        batches: usize,
    },
    /// Score tables are about to be written.
    Merge { first: u8, last: u8 },
}

/// The cost of a run as JSON.
pub(crate) fn in_json(board: Board, tiers: TierRange, estimate: &Estimate) -> String {
    json(&Event::Estimate {
        board: board.to_string(),
        first: tiers.first().get(),
        last: tiers.last().get(),
        cost: Cost::of(estimate),
        cut_tables: (estimate.cut_tables > 0).then(|| estimate.cut_tables.into()),
    })
}

/// Reports what is about to happen, and how it goes.
pub(crate) struct Announcer {
    /// The board of the run.
    pub board: Board,
    /// What is shown, and how.
    pub shown: Shown,
    /// Whether the estimate has been printed already.
    pub told: bool,
    /// Shows the progress.
    pub meter: Meter,
    /// Whether there was anything to do.
    pub has_work: AtomicBool,
    /// Whether the work is to stop.
    pub is_stopped: Arc<AtomicBool>,
}

impl Progress for Announcer {
    fn advance(&self, done: u64, total: u64) {
        self.meter.advance(done, total);
    }

    fn prepare(&self, what: &'static str, done: u64, total: u64) {
        self.meter.prepare(what, done, total);
    }
}

impl Listener for Announcer {
    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    fn turns_to(&self, run: usize, runs: usize) {
        self.meter.turn_to(run, runs);
    }

    fn finds(&self, done: u64, _total: u64) {
        self.meter.find(done);
    }

    fn merges(&self, tiers: TierRange) {
        self.has_work.store(true, Ordering::Relaxed);
        if self.shown.quiet {
            return;
        }
        if self.shown.json {
            let (first, last) = (tiers.first().get(), tiers.last().get());
            return say_json(&Event::Merge { first, last });
        }
        say(format_args!("writing the score tables of tiers {tiers} of {}", self.board));
    }

    fn wrote(&self, bytes: u64) {
        self.meter.wrote(bytes);
    }

    fn keeps(&self, memory: u64, files: u64) {
        self.meter.keeps(memory, files);
    }

    fn does_again(&self, error: &WorkingFileError) {
        let WorkingFileError { file, fault } = error;
        say(format_args!("{} is rebuilt: {fault}", file.display()));
    }

    fn waits(&self, folder: &Path) {
        say(format_args!("waiting for another strong4 at work in {}", folder.display()));
    }

    fn lists_again(&self, folder: &Path) {
        say(format_args!(
            "{} is made again from the tables",
            folder.join("manifest.json").display()
        ));
    }

    fn intends(&self, estimate: &Estimate, runs: usize) {
        if self.shown.quiet {
            return;
        }
        if self.shown.json {
            let (cost, cut_tables) = (Cost::of(estimate), estimate.cut_tables.into());
            return say_json(&Event::Intend { runs, cost, cut_tables });
        }
        let board = self.board;
        say(format_args!("solving {board} in {runs} runs: {}", in_words(estimate)));
    }

    fn begins(&self, run: &Beginning) {
        self.has_work.store(true, Ordering::Relaxed);
        let Beginning { part, tiers, cut, planes, ref estimate, done: batch, batches } = *run;
        // Work of less than a second needs no announcement.
        if self.shown.quiet || (estimate.seconds < 1.0 && batch == 0) {
            return;
        }
        if self.shown.json {
            return say_json(&Event::Begin {
                part: part.map(|(part, _)| part),
                first: tiers.first().get(),
                last: tiers.last().get(),
                cut: cut.map(|ply| ply.get()),
                plane: (planes != Planes::Both).then(|| planes.to_string()),
                cost: Cost::of(estimate),
                done: batch,
                batches,
            });
        }
        if let (Some((part, parts)), board) = (part, self.board) {
            let cost = in_words(estimate);
            return say(format_args!("solving part {part} of {parts} of {board}: {cost}"));
        }
        let cut = cut.map(|ply| format!(", cut off after ply {ply}")).unwrap_or_default();
        let plane = match planes {
            Planes::Both => "",
            Planes::Wins => ", where the first player wins",
            Planes::Holds => ", where the first player does not lose",
        };
        if !self.told || planes != Planes::Both {
            let (board, cost) = (self.board, in_words(estimate));
            say(format_args!("solving tiers {tiers} of {board}{cut}{plane}: {cost}"));
        }
        if batch > 0 {
            say(format_args!("resuming after {batch} of {batches} batches"));
        }
    }
}

/// The cost of a run: `1,234 cells, about 5 min, 3.7 GiB of memory, …`.
pub(crate) fn in_words(estimate: &Estimate) -> String {
    let Estimate { cells, seconds, memory, scratch, tables, cut_tables } = *estimate;
    let [memory, scratch, tables] = [memory, scratch, tables].map(Bytes);
    let meanwhile = match cut_tables {
        0 => String::new(),
        bytes => format!(", {} of tables meanwhile", Bytes(bytes)),
    };
    let (cells, time) = (grouped(cells), rough(seconds));
    format!(
        "{cells} cells, about {time}, {memory} of memory, {scratch} of working files, {tables} of \
         tables{meanwhile}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_get_large_numbers_as_they_are() {
        let (cells, memory) = ((1 << 53) + 1, 1 << 53);
        let estimate =
            Estimate { cells, seconds: 1.5, memory, scratch: 0, tables: 0, cut_tables: 0 };
        let board: Board = "4x4".parse().unwrap();
        assert_eq!(
            in_json(board, TierRange::all(board), &estimate),
            "{\"event\":\"estimate\",\"board\":\"4x4\",\"first\":0,\"last\":16,\
             \"cells\":\"9007199254740993\",\"seconds\":1.5,\"memory\":9007199254740992,\
             \"scratch\":0,\"tables\":0}"
        );
    }

    #[test]
    fn what_a_run_takes_is_told_in_units_that_people_read() {
        let estimate = Estimate {
            cells: 1_234_567,
            seconds: 300.0,
            memory: 10_886_771 << 20,
            scratch: 8 << 30,
            tables: 500_000,
            cut_tables: 0,
        };
        assert_eq!(
            in_words(&estimate),
            "1,234,567 cells, about 5 min, 10.4 TiB of memory, 8.0 GiB of working files, 489 KiB \
             of tables"
        );
        let with_scores = Estimate { cut_tables: 3 << 30, ..estimate };
        assert!(in_words(&with_scores).ends_with(" of tables, 3.0 GiB of tables meanwhile"));
    }
}
