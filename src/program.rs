//! The name of the program, as stored in the files that it writes.

/// The program and its version.
pub const PROGRAM: &str = concat!("strong4 ", env!("CARGO_PKG_VERSION"));

/// The bytes that it takes in a file, padded with zeros.
pub(crate) const PROGRAM_BYTES: usize = 32;

const _: () = assert!(PROGRAM.len() <= PROGRAM_BYTES);
