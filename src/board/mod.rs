//! The rules: geometry, positions, moves, fours, notation and drawing.
//!
//! Everything here works on any board whose columns, with one spare bit each, fit into a 64-bit
//! word. Nothing here knows about indices, tables or searches.

mod drawing;
mod fours;
mod geometry;
mod legal;
mod notation;
mod outcome;
mod position;
mod tactics;
mod tiers;

pub use drawing::{DrawingError, DrawingSplitter, parse_drawing};
pub(crate) use fours::fours;
pub use fours::has_four;
pub(crate) use fours::winning_cells_of;
pub use geometry::{Board, BoardError, Column, NoTier, Player, PlayerError, Tier};
#[cfg(test)]
pub(crate) use legal::can_be_emptied;
pub use legal::{IllegalPosition, game_to, validate};
pub(crate) use notation::letter;
pub use notation::{Moves, NotationError, letters};
pub use outcome::{Outcome, OutcomeCounts, OutcomeError};
pub use position::{MoveError, Position, Status};
pub(crate) use tactics::Sight;
pub use tactics::{is_quiet, threats};
pub use tiers::{TierRange, TierRangeError};
