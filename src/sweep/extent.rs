//! The part of a board that a sweep works on: its sides, listed when they are needed, and its size.

use std::ops::Deref;
use std::sync::Arc;

use crate::index::Census;

use super::listing::Listing;
use super::scope::Scope;
use super::sizes::Sizes;

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
