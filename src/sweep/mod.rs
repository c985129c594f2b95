//! Sweeps: whole tiers at once, 64 positions to a word.
//!
//! A tile of the [index](crate::index) is a bit matrix here, one bit for each cell. Because a move
//! changes only one part of a position, it does one of three things to all cells of a tile:
//!
//! ```text
//!     left move      whole rows of the tile come from rows of another
//!     right move     the same for the transposed tile
//!     centre move    rows and columns that another centre allows are picked out
//! ```
//!
//! The maps keep the order of the codes, so all of them read forward.
//!
//! [`MemorySweep`] and [`FolderSweep`] find how all positions end, from the full board down: all
//! tiers of one centre, then the next centre, in the order of the [`Schedule`]. An [`Observer`]
//! sees each solved tile.
//!
//! A module imports only modules above it in this drawing:
//!
//! ```text
//!     bits       how bits lie in words, and how they move
//!     kernels    the inner loops, for each kind of processor
//!     states     the states of a side: their order, threats, labels and moves
//!     work       how much there is to do, in which order, and what it takes
//!     handoff    what a solved centre hands on to centres with one stone less
//!     tile       the outcomes of a tile, from those of its children
//!     drivers    sweeps in memory, or with files
//! ```
//!
//! The kernels work on borrowed words and know nothing of tiers.

mod bits;
mod drivers;
mod handoff;
mod kernels;
mod states;
mod tile;
mod work;

pub use crate::cpu::Cpu;
pub use crate::files::sealed::{FileFault, WorkingFileError};
pub use bits::Planes;
pub(crate) use bits::{PANEL, PLANES, width};
pub use drivers::{End, FolderSweep, MemorySweep, Outcomes, Start, StartTier};
#[cfg(fuzzing)]
pub(crate) use handoff::fuzz_handoffs;
pub(crate) use handoff::{clear, clear_unfinished, handoff_file, handoff_label, is_kept};
pub(crate) use states::Listing;
pub use states::Scope;
pub use tile::{Observer, SolvedTile};
pub(crate) use work::{
    Allowance, CentreMemory, Footprint, Handovers, LARGE_FILES, PART_ROWS, Placement, Waits,
};
pub use work::{CentreBatch, Extent, Schedule, Sizes, TierWork, Work, WorkTimes};
