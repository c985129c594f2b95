//! What the targets share: boards, a bound on memory, checksums that fit, and seeds.
//!
//! Each target takes whatever bytes come. Where a checksum guards what lies behind it, the
//! same bytes are tried again with checksums that [fit], so that the parsers behind it are
//! reached too.

pub mod boards;
pub mod bounded;
pub mod files;
pub mod fit;
pub mod seeds;

#[global_allocator]
static ALLOCATOR: bounded::Bounded = bounded::Bounded;
