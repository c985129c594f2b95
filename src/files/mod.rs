//! The files that runs leave behind, and how little may happen to them.
//!
//! ```text
//!     disk       writes files: each is there whole or not at all, whenever the power fails
//!     reading    opens regular files and lists folders; waits for nobody
//!     lock       work that only one process should do
//!     sealed     working files: labelled, checksummed, known by the run that they belong to
//! ```

#[cfg(feature = "tables")]
mod disk;
#[cfg(feature = "tables")]
mod lock;
mod reading;

#[cfg(feature = "tables")]
pub(crate) mod sealed;

#[cfg(test)]
pub(crate) use disk::Change;
#[cfg(feature = "tables")]
pub(crate) use disk::{Disk, DiskFile, name_of_temporary, read_start, temporary, try_again};
#[cfg(feature = "tables")]
pub(crate) use lock::{Lock, is_locked};
pub(crate) use reading::{
    NotAFile, entries_in, if_there, names_in, open, read_exact_at, remove_all,
};

/// The program and its version, as stored in the files that it writes.
pub const PROGRAM: &str = concat!("strong4 ", env!("CARGO_PKG_VERSION"));

/// The bytes that it takes in a file, padded with zeros.
pub(crate) const PROGRAM_BYTES: usize = 32;

const _: () = assert!(PROGRAM.len() <= PROGRAM_BYTES);

/// The number in the four bytes from here on, the lowest byte first.
pub(crate) fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]))
}

/// The number in the eight bytes from here on, the lowest byte first.
pub(crate) fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]))
}
