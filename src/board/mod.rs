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

pub(crate) use drawing::DrawingSplitter;
pub use drawing::{DrawingError, parse_drawing};
pub(crate) use fours::{fours, has_four, winning_cells_of};
pub use geometry::{Board, BoardError, Column, Player, Tier};
#[cfg(test)]
pub(crate) use legal::can_be_emptied;
pub use legal::{IllegalPosition, game_to, validate};
pub(crate) use notation::letter;
pub use notation::{Moves, NotationError, letters};
pub use outcome::{Outcome, OutcomeCounts};
pub use position::{MoveError, Position, Status};
pub(crate) use tactics::Sight;
pub use tactics::{is_quiet, threats};
pub use tiers::{TierRange, TierRangeError};
