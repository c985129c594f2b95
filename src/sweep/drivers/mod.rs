//! Sweeps: what goes through all tiers of a board, and what they start from.
//!
//! ```text
//!     forward     finds the live cells, from the empty board on
//!     solving     solves a centre, from its last tier to its first
//!     memory      solves all centres in memory
//!     folder      solves batches of centres, which hand on files to each other
//!     start       where games end, or an earlier sweep has stopped
//! ```

mod folder;
mod forward;
mod memory;
mod solving;
mod start;

pub use folder::FolderSweep;
pub use forward::{ForwardSweep, Plane};
pub use memory::{MemorySweep, Outcomes};
pub use start::{End, Start, StartTier};
