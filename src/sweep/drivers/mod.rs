//! Sweeps: what goes through all tiers of a board, and what they start from.
//!
//! ```text
//!     forward     finds the live cells, from the empty board on
//!     memory      solves all centres in memory
//!     folder      solves batches of centres, which hand on files to each other
//!     batches     solves the centres of a batch
//!     centre      solves a centre, from its last tier to its first
//!     shared      what all centres of a sweep share
//!     start       where games end, or an earlier sweep has stopped
//! ```

mod batches;
mod centre;
mod folder;
mod forward;
mod memory;
mod shared;
mod start;

pub use folder::FolderSweep;
pub use forward::{ForwardSweep, Plane};
pub use memory::{MemorySweep, Outcomes};
pub use start::{End, Start, StartTier};
