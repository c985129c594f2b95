//! strong4 solves Connect Four strongly.
#![warn(missing_docs)]

pub mod board;
pub mod index;
pub mod sweep;
pub mod tromp;
