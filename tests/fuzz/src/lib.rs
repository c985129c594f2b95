//! What the targets share: boards, a bound on memory, checksums that fit, and seeds.
//!
//! Each target takes any bytes. If they contain checksums, the same bytes are tried again with
//! checksums that [fit], so that the parsers behind them are reached too.

pub mod boards;
pub mod bounded;
pub mod files;
pub mod fit;
pub mod seeds;

#[global_allocator]
static ALLOCATOR: bounded::Bounded = bounded::Bounded;
