//! Solving a board for good: tables of all its tiers, on disk.
//!
//! The sweep goes batch by batch of centres, in a
//! [`FolderSweep`](crate::sweep::FolderSweep). Each batch publishes its results as files of
//! its own, which appear whole or not at all:
//!
//! ```text
//!     run/007.piece            its blocks of the tables of all tiers, and its counts
//!     scratch/7x6/007-012.kept what it hands on to batch 12, until that is done
//! ```
//!
//! A batch is done when its piece is there and sound. So there is nothing to be edited in
//! place, and nothing to be put right after a stop: whoever gives the same command looks
//! what is there, and does the rest. Several processes may do so at once; a *claim* on a
//! batch keeps them from doing the same.
//!
//! The `ledger` knows what is done and what can be done next, a `worker` solves one batch
//! after the other, and a `recorder` writes the `piece`. The `publisher` publishes it while
//! the next batch is being solved. When all pieces are there, the `assembly` puts the tables
//! together, in the order of the batches or in a `table_order` of their own, from the last tier
//! down, each with the digest of the one after it.
//!
//! `tabulating` leads from a request to its tables. `scores` asks for one such run after the
//! other, of games that are cut off.
//!
//! For many machines, a `plan` cuts a run into parts of batches, and its `plan_file` says into how
//! many. The `ground` tells what each part needs and what of it is there, and `planned` leads from
//! there to one part, or to the tables.
//!
//! A sweep that ends above the empty board leaves its first tier among the working files,
//! and the next one starts from there.

mod admission;
mod assembly;
mod claim;
mod entry;
mod error;
mod estimate;
mod ground;
mod ledger;
mod leftovers;
mod names;
mod piece;
mod plan;
mod plan_file;
mod planned;
mod publisher;
mod recorder;
mod report;
mod request;
mod run;
mod run_file;
mod score_tables;
mod scores;
mod status;
mod table_order;
mod tabulating;
#[cfg(test)]
mod tests;
mod worker;

pub use error::TabulateError;
pub use estimate::Estimate;
pub use ground::Planned;
#[cfg(fuzzing)]
pub(crate) use piece::fuzz_piece;
pub use plan::{Part, Plan};
pub use planned::{PartEnd, begin_plan, plan, tabulate_part, tabulate_planned};
pub use request::{Beginning, HORIZON, Listener, Request, Tabulated};
#[cfg(fuzzing)]
pub(crate) use run_file::fuzz_run_file;
pub use scores::{estimate_scores, tabulate_scores};
pub use status::{CutStatus, PlanStatus, RunStatus, cut_status, run_status};
pub use tabulating::{estimate, tabulate};
