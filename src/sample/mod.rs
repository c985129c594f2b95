//! Positions to work with: some live positions of a tier, drawn at random, or all of them.
//!
//! A position is *live* if a game can reach it and nobody has four in a row. The cells of the
//! index are as good as a list of them: a number stands for a cell, and whether
//! that holds a live position is quickly found out.
//!
//! ```text
//!     cells       every live position of a tier has a number
//!     urn         draws any of them, all equally likely
//!     sampler     the same by seed and number
//!     listing     all of them, one by one
//! ```
//!
//! Each position comes as a game, [`Moves`](crate::board::Moves), that leads to it: one of many,
//! found backwards from the position.

mod cells;
mod listing;
mod sampler;
mod urn;

pub use crate::index::Finder;
pub use listing::{Leaving, Listing, list};
pub use sampler::{SampleError, Sampler};
pub(crate) use urn::Urn;
