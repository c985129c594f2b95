//! Positions to work with: some live ones of a tier, drawn by chance, or all of them.
//!
//! A position is *live* if a game can reach it and nobody has four in a row. The cells of the
//! [index](crate::index) are as good as a list of them: a number is a cell, and
//! whether it holds a live position is soon found out.
//!
//! ```text
//!     cells       every live position of a tier has a number
//!     urn         any of them, each as likely as the others
//!     sampler     the same by seed and number
//!     listing     all of them, one by one
//! ```
//!
//! Each comes as a game, [`Moves`](crate::board::Moves), that leads there: one of many, found
//! backwards from the position.

mod cells;
mod listing;
mod sampler;
mod urn;

pub use listing::{Leaving, Listing, list};
pub use sampler::{SampleError, Sampler};
pub(crate) use urn::Urn;
