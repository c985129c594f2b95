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
//! The `ledger` knows which batches are done and which can be next, a `worker` solves one batch
//! after another, and a `recorder` writes the `piece`. The `publisher` publishes it among the other
//! `pieces` while the next batch is being solved. The `assembly` puts the tables together from all
//! pieces, in their `table_order`, and completes them from the last tier down, each with the digest
//! of the next. `counts` holds how many positions they must have.
//!
//! `tabulating` leads from a request to its tables. `scores` repeats this for one cut-off game
//! after another. A `session` makes the folders that this takes, keeps other processes out of them
//! where that is necessary, and removes them in the end.
//!
//! An `estimate` of the cost comes first; `table_bytes` estimates the tables. The progress of each
//! run, and of its tables, is a `share` of that of all work.
//!
//! For many machines, a `plan` divides the batches of a run into parts, and its `plan_file` stores
//! their number. The `ground` knows what each part needs and whether it exists, and `planned`
//! solves one part, or puts the tables together.
//!
//! A sweep that ends above the empty board leaves its first tier among the working files,
//! and the next one starts from there.

mod admission;
mod assembly;
mod claim;
mod counts;
mod error;
mod estimate;
mod ground;
mod layouts;
mod ledger;
mod leftovers;
mod names;
mod piece;
mod pieces;
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
mod session;
mod share;
mod status;
mod table_bytes;
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
#[cfg(fuzzing)]
pub(crate) use plan_file::fuzz_plan_file;
pub use planned::{PartEnd, begin_plan, plan, tabulate_part, tabulate_planned};
pub use request::{Beginning, HORIZON, Listener, Request, Tabulated};
#[cfg(fuzzing)]
pub(crate) use run_file::fuzz_run_file;
pub use scores::{estimate_scores, tabulate_scores};
pub use status::{CutStatus, PlanStatus, RunStatus, cut_status, run_status};
pub use tabulating::{estimate, tabulate};
