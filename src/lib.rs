//! strong4 solves Connect Four strongly.
#![warn(missing_docs)]

pub mod board;
pub mod columns;
pub mod count;
pub mod index;
pub mod order;
pub mod progress;
pub mod reference;
pub mod sweep;
pub mod tromp;
