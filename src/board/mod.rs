//! The rules: geometry, positions, moves, fours, notation and drawing.
//!
//! Everything here works on any board whose columns, with one spare bit each, fit into a 64-bit
//! word. Nothing here knows about indices, tables or searches.

pub(crate) mod drawing;
pub(crate) mod fours;
mod geometry;
mod legal;
mod notation;
mod outcome;
mod position;
mod tactics;
mod tiers;

pub use drawing::DrawingError;
pub(crate) use drawing::DrawingSplitter;
pub(crate) use fours::{fours, has_four, winning_cells_of};
pub use geometry::{Board, BoardError, Column, Player, Tier};
pub use legal::IllegalPosition;
#[cfg(test)]
pub(crate) use legal::can_be_emptied;
pub(crate) use notation::letter;
pub use notation::{Moves, NotationError, letters};
pub use outcome::{Outcome, OutcomeCounts};
pub use position::{MoveError, Position, Status};
pub(crate) use tactics::Sight;
pub use tiers::{TierRange, TierRangeError};
