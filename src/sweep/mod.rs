//! Sweeps: whole tiers at once, 64 positions to a word.
//!
//! A tile of the [index](crate::index) is a bit matrix here, one bit for each
//! cell. Because a move changes one part of a position only, what a move does
//! to all cells of a tile is one of three things:
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
//! board. `matrix` is how bits lie in words there, `transpose` turns rows into
//! columns, `compress` picks out columns, `crossing` finds fours across the
//! centre.
//!
//! Backward, [`MemorySweep`] finds how all positions end, from the full board
//! down: all tiers beside one centre, then the next centre, in the order of the
//! [`Schedule`], each by `solving` it. [`FolderSweep`] leaves what batches of centres hand
//! on in files, and may [`Start`] from a tier that an earlier one has left. Both work on
//! the cells that are in doubt ([`Scope`]):
//! `side_order` tells which states of a side are, by the `groups` that they fall into, and
//! [`Extent`] which states these are beside all centres; [`Sizes`] adds up how much memory and
//! room for files that takes. `sides` is what
//! is found once for a centre, `by_class` or `by_state`: the order, the `labels`, and the
//! `places` that moves lead to. `beside` holds a tier beside a centre, in which the bits of
//! a tile lie in `panels`. A tile is solved in a `step`: by a `plan` of where its children
//! are; with the `kernels` that the processor is best at; finished with `masks` that rows
//! with the same labels share, made of `row_labels` and `column_bits`. Children are found
//! in the `next_tier`, which is in memory or was `handed_on`: as a `pile` for each centre with
//! one stone less, which grows by `piling` up lines, packed where one `repeats`, and is `kept`,
//! with a `directory`. `keep` decides where it goes, and `working_files` has the names of the
//! files. An [`Observer`] sees each `solved` tile, and its quiet
//! cells, `spread` to where tables have them. [`Outcomes`] keeps all of them, for small
//! boards. `tier_work` and `clock` add up what was found and where the time went; a `pool`
//! has memory for one tile after the other.

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
mod forward;
mod groups;
mod handed_on;
mod keep;
mod kept;
mod kernels;
mod labels;
mod listing;
mod masks;
mod matrix;
mod memory_sweep;
mod next_tier;
mod observer;
mod ordered_side;
mod outcomes;
mod panels;
mod pile;
mod piling;
mod places;
mod plan;
mod plane;
mod pool;
mod repeats;
mod row_labels;
mod schedule;
mod scope;
mod side_order;
mod sides;
mod sizes;
mod solved;
mod solving;
mod spread;
mod start;
mod step;
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
pub(crate) use panels::{PANEL, PLANES};
pub use plane::Plane;
pub use schedule::{CentreBatch, Schedule};
pub use scope::Scope;
pub use sizes::Sizes;
pub use solved::SolvedTile;
pub use start::{Start, StartTier};
pub use tier_work::TierWork;
pub(crate) use working_files::{clear, clear_unfinished, handed_on_file, is_left};
