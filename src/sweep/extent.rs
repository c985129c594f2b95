//! What of a board a sweep works on: its sides, listed when they are needed, and how much it is.

use std::ops::Deref;
use std::sync::Arc;

use crate::index::Census;

use super::listing::Listing;
use super::scope::Scope;
use super::sizes::Sizes;

/// What of a board a sweep works on. Sweeps that follow each other may share one.
pub struct Extent {
    listing: Listing,
    sizes: Sizes,
}

impl Extent {
    /// Without a look at a single state.
    pub fn new(census: &Arc<Census>, scope: Scope) -> Extent {
        Extent { listing: Listing::new(census, scope), sizes: Sizes::rough(census, scope) }
    }

    /// With batches of this many cells at least. Sweeps of the same board that share files must
    /// have the same.
    pub(crate) fn with_batches_of(self, cells: u64) -> Extent {
        Extent { sizes: self.sizes.with_batches_of(cells), ..self }
    }

    /// The sides beside all centres.
    pub(super) fn listing(&self) -> &Listing {
        &self.listing
    }
}

/// How much that is.
impl Deref for Extent {
    type Target = Sizes;

    fn deref(&self) -> &Sizes {
        &self.sizes
    }
}
