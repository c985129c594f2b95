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
//! A [`Request`] becomes a `job`, which all that works on it borrows: one census, one set of sizes,
//! one listener. A module imports only modules above it in this drawing:
//!
//! ```text
//!     names        the files of a run, and claims on its work
//!     error        why there are no tables
//!     estimate     the time, memory and disk space that it takes
//!     listener     what is said while it lasts     request    the tables that are wanted
//!     plan         the batches of a run in parts, for many machines
//!     pieces       the file with the results of a batch, how it is written, and a ledger of all
//!     free_space   the free bytes on the disks of a run
//!     job          a request, and everything that follows from it
//!     preflight    refuses requests that cannot succeed
//!     assembly     tables put together from all pieces, and the manifest that lists them
//!     folders      how processes enter folders, leave and remove them
//!     run          batch after batch, by a worker and a publisher
//!     steps        looks at the folders, decides what to do next, and does it
//!     parts        the parts of a plan, one by one
//!     planes       outcomes in numbers alone, if need be one plane at a time
//!     scores       the same once more for each ply after which games are cut off, and tables of
//!                  scores from all of them
//!     status       the progress of a run, from its files
//! ```
//!
//! A sweep that ends above the empty board leaves its first tier among the working files,
//! and the next one starts from there.

mod assembly;
mod error;
mod estimate;
mod folders;
mod free_space;
mod job;
mod listener;
mod names;
mod parts;
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

use crate::files::Disk;

use job::Job;

pub use error::TabulateError;
pub use estimate::Estimate;
#[cfg(fuzzing)]
pub(crate) use folders::{fuzz_plan_file, fuzz_run_file};
pub use listener::{Beginning, Listener};
pub use parts::{PartEnd, begin_plan, plan, tabulate_part, tabulate_planned};
#[cfg(fuzzing)]
pub(crate) use pieces::fuzz_piece;
pub use plan::{Part, Plan, Planned};
pub use request::{HORIZON, Request, Tabulated, Wanted};
pub use status::{CutStatus, PlanStatus, RunStatus, cut_status, run_status};

/// Makes the requested tables of a board. Resumes a run that was stopped, and joins one that is
/// under way.
pub fn tabulate(request: &Request, listener: &dyn Listener) -> Result<Tabulated, TabulateError> {
    let disk = Disk::default();
    let job = Job::new(&disk, request, listener)?;
    match request.wanted {
        Wanted::Outcomes => steps::tabulate_job(&job),
        Wanted::Scores => scores::tabulate_scores(&disk, &job),
        Wanted::Counts => planes::tabulate_counts(&job),
    }
}

/// The approximate cost of a request from the beginning. Lists no states.
pub fn estimate(request: &Request) -> Result<Estimate, TabulateError> {
    let disk = Disk::default();
    let job = Job::new(&disk, request, &())?;
    match request.wanted {
        Wanted::Outcomes => job.estimate(job.tiers),
        Wanted::Scores => scores::estimate_scores(&job),
        Wanted::Counts => planes::estimate_counts(&job),
    }
}
