//! How much work there is, in which order it is done, and what it takes.
//!
//! ```text
//!     sizes        the cells of each tier beside each centre
//!     schedule     batches of centres, and which need which
//!     footprint    memory
//!     tasks        work that is done side by side
//!     report       what has been done: positions counted, and time spent
//! ```

mod footprint;
mod report;
mod schedule;
mod sizes;
mod tasks;

pub(super) use report::Clock;
pub use report::{TierWork, Work, WorkTimes};
pub(super) use schedule::next_centres;
pub use schedule::{CentreBatch, Schedule};
pub(crate) use sizes::PART_ROWS;
pub use sizes::Sizes;
pub(super) use tasks::run_tasks;

use std::ops::Deref;
use std::sync::Arc;

use crate::index::Census;

use crate::sweep::states::{Listing, Scope};

/// The part of a board that a sweep works on. Successive sweeps may share one.
pub struct Extent {
    listing: Listing,
    sizes: Sizes,
}

impl Extent {
    /// Made without a look at a single state.
    pub fn new(census: &Arc<Census>, scope: Scope) -> Extent {
        Extent { listing: Listing::new(census, scope), sizes: Sizes::rough(census, scope) }
    }

    /// The same with batches of at least this many cells. Sweeps of the same board that share
    /// files must agree on them.
    pub(crate) fn with_batches_of(self, cells: u64) -> Extent {
        Extent { sizes: self.sizes.with_batches_of(cells), ..self }
    }

    /// The sides beside all centres.
    pub(super) fn listing(&self) -> &Listing {
        &self.listing
    }
}

/// Its sizes.
impl Deref for Extent {
    type Target = Sizes;

    fn deref(&self) -> &Sizes {
        &self.sizes
    }
}
