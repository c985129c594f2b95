//! How the tables of a run are laid out.

use crate::board::{Tier, TierRange};
use crate::index::Census;
use crate::table::{Content, Horizon, Layout};

/// The layouts of the tables of a run.
pub(super) struct Layouts {
    tiers: TierRange,
    layouts: Vec<Layout>,
}

impl Layouts {
    pub fn new(census: &Census, tiers: TierRange, horizon: Horizon, content: Content) -> Layouts {
        let layout = |tier| Layout::with(census, tier, horizon, content);
        Layouts { tiers, layouts: tiers.into_iter().map(layout).collect() }
    }

    /// That of a tier of the run.
    pub fn of(&self, tier: Tier) -> &Layout {
        &self.layouts[self.number(tier)]
    }

    /// The number of a tier among those of the run.
    pub fn number(&self, tier: Tier) -> usize {
        tier.stones() - self.tiers.first().stones()
    }

    /// The number of tiers.
    pub fn count(&self) -> usize {
        self.layouts.len()
    }
}
