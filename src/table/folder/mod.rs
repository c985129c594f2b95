//! A folder of tables: what is in it, whether that fits together, and who may write there.
//!
//! ```text
//!     inventory    the files, by names and lengths
//!     tables       the tables, opened when they are needed
//!     manifest     which tables there should be
//!     check        whether everything is as it was written, and scores agree with outcomes
//!     lock         who may write
//!     arguments    the board and the folder that a user means
//! ```

mod arguments;
mod check;
mod inventory;
mod lock;
mod manifest;
mod tables;

pub(crate) use arguments::folder_with_tables;
pub use arguments::{FolderError, existing, meant};
pub use check::{Checked, check};
pub(crate) use inventory::tiers_in;
pub use inventory::{Inventory, TierFile, board_of, inventory};
pub use lock::FolderLock;
pub(crate) use lock::LOCK;
#[cfg(fuzzing)]
pub(crate) use manifest::fuzz_manifest;
pub use manifest::{Manifest, ManifestTier};
pub use tables::Tables;
pub(crate) use tables::sound_tables;
