//! Solving a board for good: tables of all its tiers, on disk.
//!
//! The sweep goes batch by batch of centres, in a
//! `FolderSweep`. Each batch publishes its results as files of
//! its own, which appear whole or not at all:
//!
//! ```text
//!     run/007.piece            its blocks of the tables of all tiers, and its counts
//!     scratch/7x6/007-012.kept what it hands on to batch 12, until that is done
//! ```
//!
//! A batch is done when its piece exists and is sound. Nothing is edited in place, and nothing
//! needs repair after a stop: the same command looks at what exists, and does the rest. Several
//! processes may do so at once; a *claim* on a batch keeps them from doing the same.
//!
//! A [`Request`] becomes a `job`, which everything else borrows: one census, one set of sizes, one
//! listener. The modules, from what happens first to what happens last:
//!
//! ```text
//!     estimate     the time, memory and disk space that it takes
//!     preflight    refuses requests that cannot succeed
//!     folders      names, claims and locks: how processes enter folders, leave and remove them
//!     steps        looks at the folders, decides what to do next, and does it
//!     run          batch after batch, by a worker, a publisher, and a ledger of what is done
//!     pieces       the file with the results of a batch, and how it is written
//!     assembly     tables put together from all pieces, and the manifest that lists them
//!     scores       the same once more for each ply after which games are cut off, and tables
//!                  of scores from all of them
//!     planes       outcomes in numbers alone, if need be one plane at a time
//!     plan         a run in parts, for many machines
//!     status       the progress of a run, from its files
//! ```
//!
//! A sweep that ends above the empty board leaves its first tier among the working files,
//! and the next one starts from there.

mod assembly;
mod error;
mod estimate;
mod folders;
mod job;
mod listener;
mod pieces;
mod plan;
mod planes;
mod preflight;
mod request;
mod run;
mod scores;
mod status;
mod steps;
#[cfg(test)]
mod tests;

pub use error::TabulateError;
pub use estimate::Estimate;
#[cfg(fuzzing)]
pub(crate) use folders::{fuzz_plan_file, fuzz_run_file};
pub use listener::{Beginning, Listener};
#[cfg(fuzzing)]
pub(crate) use pieces::fuzz_piece;
pub use plan::{Part, PartEnd, Plan, Planned, begin_plan, plan, tabulate_part, tabulate_planned};
pub use planes::{estimate_counts, tabulate_counts};
pub use request::{CHECKPOINT, HORIZON, Request, Tabulated};
pub use scores::{estimate_scores, tabulate_scores};
pub use status::{CutStatus, PlanStatus, RunStatus, cut_status, run_status};
pub use steps::{estimate, tabulate};
