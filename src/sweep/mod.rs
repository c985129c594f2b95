//! Sweeps: whole tiers at once, 64 positions to a word.
//!
//! A tile of the [index](crate::index) is a bit matrix here, one bit for each
//! cell. Because a move changes only one part of a position, it does one of
//! three things to all cells of a tile:
//!
//! ```text
//!     left move      whole rows of the tile come from rows of another
//!     right move     the same for the transposed tile
//!     centre move    rows and columns that another centre allows are picked out
//! ```
//!
//! The maps keep the order of the codes, so all of them read forward. The
//! kernels work on borrowed words and know nothing of tiers.
//!
//! Forward: [`Plane`] holds one bit for each cell of a tier, and
//! [`ForwardSweep`] finds which cells are live, tier by tier from the empty
//! board. There `matrix` lays out bits in words, `transpose` turns rows into
//! columns, `compress` picks out columns, `crossing` finds fours across the
//! centre.
//!
//! Backward, [`MemorySweep`] finds how all positions end, from the full board
//! down: all tiers beside one centre, then the next centre, in the order of the
//! [`Schedule`]. [`FolderSweep`] keeps what batches of centres hand on in files, and
//! may [`Start`] from a tier that an earlier sweep has kept. An [`Observer`] sees each
//! solved tile. [`Outcomes`] keeps all of them, for small boards.
//!
//! ```text
//!     the work             scope and end: which cells are in doubt, and which tiers
//!                          sizes, footprint: how much it is, and how much memory it takes
//!                          schedule: in which order; side_by_side: several at a time
//!     the states           listing: the sides of centres, when they are needed; each is an
//!     of a side            ordered_side, in side_order, by the groups that its states fall into,
//!                          which depend on their threats
//!     beside a centre      sides: the labels of the states, which are numbers of fronts and of
//!                          order_types, and the places that moves lead to, in lists by_class
//!                          or by_state
//!     a tier beside it     beside: its tiles, whose bits lie in panels
//!     a tile               step: solves it by a plan of where its children are, with the best
//!                          kernels for the processor, and finishes it with masks, which are
//!                          made of row_labels and column_bits, by their numbering
//!     its children         next_tier: in memory, or handed_on
//!     handing on           a pile for each centre with one stone less; it grows by piling up
//!                          lines, plain or packed by repeats, and is kept, with a directory;
//!                          keep says where; handovers are the files, named in working_files
//!     showing              solved tiles, and their quiet cells, spread to where tables have them
//!     measuring            tier_work and clock
//! ```

mod aligned;
mod beside;
mod by_class;
mod by_state;
mod clock;
mod column_bits;
mod compress;
mod crossing;
mod directory;
mod end;
mod extent;
mod folder_sweep;
mod footprint;
mod forward;
mod fronts;
mod groups;
mod handed_on;
mod handovers;
mod keep;
mod kept;
mod kernels;
mod labels;
mod listing;
mod masks;
mod matrix;
mod memory_sweep;
mod next_tier;
mod numbering;
mod observer;
mod order_types;
mod ordered_side;
mod outcomes;
mod panels;
mod pile;
mod piling;
mod places;
mod plain;
mod plan;
mod plane;
mod pool;
mod repeats;
mod row_labels;
mod schedule;
mod scope;
mod side_by_side;
mod side_order;
mod sides;
mod sizes;
mod solved;
mod solving;
mod spread;
mod start;
mod step;
mod threats;
mod tier_work;
mod transpose;
mod working_files;

pub use crate::sealed::{FileFault, WorkingFileError};
pub use clock::{Work, WorkTimes};
pub use end::End;
pub use extent::Extent;
pub use folder_sweep::FolderSweep;
pub use forward::ForwardSweep;
#[cfg(fuzzing)]
pub(crate) use kept::fuzz_kept;
pub use kernels::{Cpu, CpuError, CpuForm};
pub use matrix::{BitMatrix, MatrixShape};
pub use memory_sweep::MemorySweep;
pub use observer::Observer;
pub use outcomes::Outcomes;
pub(crate) use panels::{PANEL, PLANES, width};
pub use plane::Plane;
pub use schedule::{CentreBatch, Schedule};
pub use scope::Scope;
pub(crate) use sizes::PART_ROWS;
pub use sizes::Sizes;
pub use solved::SolvedTile;
pub use start::{Start, StartTier};
pub use tier_work::TierWork;
pub(crate) use working_files::{clear, clear_unfinished, handed_on_file, is_kept};
