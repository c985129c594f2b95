//! How files say which program has written them.

/// The program and its version.
pub const PROGRAM: &str = concat!("strong4 ", env!("CARGO_PKG_VERSION"));

/// Bytes that they take in a file, zeros behind them.
pub(crate) const PROGRAM_BYTES: usize = 32;

const _: () = assert!(PROGRAM.len() <= PROGRAM_BYTES);
