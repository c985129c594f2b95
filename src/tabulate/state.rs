//! How far a run has come: `solving.json` in the scratch folder.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::board::{Board, Tier, TierRange};
use crate::sweep::{CentreSweep, Scope, TierWork};
use crate::table::{FORMAT_VERSION, replace_file};

use super::{Request, TabulateError};

const NAME: &str = "solving.json";

/// A checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct State {
    format: u32,
    board: String,
    first: u8,
    last: u8,
    /// Does the run sweep every cell?
    every_cell: bool,
    /// Seconds that the run took so far.
    pub seconds: f64,
    /// Batches that have been solved.
    pub solved: usize,
    tiers: Vec<TierState>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct TierState {
    tier: u8,
    /// Bytes of the growing table, if it has one.
    length: Option<u64>,
    first_wins: u64,
    first_holds: u64,
    live: u64,
    seconds: f64,
}

impl State {
    pub fn new(
        request: &Request,
        tiers: TierRange,
        sweep: &CentreSweep,
        lengths: &[(Tier, u64)],
        seconds: f64,
    ) -> State {
        let tier = |tier: Tier| {
            let work = sweep.work()[tier.stones()];
            let [first_wins, first_holds, live] = work.tally();
            let length =
                lengths.iter().find(|(there, _)| *there == tier).map(|(_, length)| *length);
            let seconds = work.seconds;
            TierState { tier: tier.0, length, first_wins, first_holds, live, seconds }
        };
        State {
            format: FORMAT_VERSION,
            board: request.board.to_string(),
            first: tiers.first().0,
            last: tiers.last().0,
            every_cell: request.scope == Scope::EveryCell,
            seconds,
            solved: sweep.solved(),
            tiers: tiers.into_iter().map(tier).collect(),
        }
    }

    /// The state of a run in this folder, if there is one.
    pub fn read(scratch: &Path) -> Result<Option<State>, TabulateError> {
        let path = scratch.join(NAME);
        let failed = |reason: String| TabulateError::State { path: path.clone(), reason };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error.to_string())),
        };
        let state: State =
            serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
        let sane = state.format == FORMAT_VERSION
            && state.board.parse::<Board>().is_ok_and(|board| {
                let range = TierRange::new(Tier(state.first), Tier(state.last));
                range.is_ok_and(|range| {
                    range.within(board).is_ok()
                        && state.tiers.iter().map(|tier| Tier(tier.tier)).eq(range)
                })
            });
        if sane { Ok(Some(state)) } else { Err(failed("it is of another version".to_owned())) }
    }

    /// The tiers of the run, if it is the one that is asked for.
    pub fn of(&self, request: &Request, tiers: TierRange) -> Result<TierRange, TabulateError> {
        let found = TierRange::new(Tier(self.first), Tier(self.last)).expect("checked when read");
        let inside = tiers.first() <= found.first() && found.last() <= tiers.last();
        let every_cell = request.scope == Scope::EveryCell;
        if self.board == request.board.to_string() && inside && self.every_cell == every_cell {
            return Ok(found);
        }
        Err(TabulateError::Unfinished {
            board: self.board.parse().expect("checked when read"),
            found,
            every_cell: self.every_cell,
            scratch: request.scratch.clone(),
        })
    }

    pub fn work(&self) -> Vec<TierWork> {
        let board: Board = self.board.parse().expect("checked when read");
        let mut work = vec![TierWork::default(); board.cells() + 1];
        for tier in &self.tiers {
            let tally = [tier.first_wins, tier.first_holds, tier.live];
            work[usize::from(tier.tier)] = TierWork::new(tally, tier.seconds);
        }
        work
    }

    pub fn lengths(&self) -> Vec<(Tier, u64)> {
        let length = |tier: &TierState| Some((Tier(tier.tier), tier.length?));
        self.tiers.iter().filter_map(length).collect()
    }

    pub fn write(&self, scratch: &Path) -> Result<(), TabulateError> {
        let text = serde_json::to_string_pretty(self).expect("numbers and names");
        Ok(replace_file(&scratch.join(NAME), text.as_bytes())?)
    }

    /// Nothing is left to be done.
    pub fn remove(scratch: &Path) -> Result<(), TabulateError> {
        let path = scratch.join(NAME);
        let failed = |error: io::Error| TabulateError::State {
            path: path.clone(),
            reason: error.to_string(),
        };
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        }
    }
}
