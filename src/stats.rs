//! How the positions of each tier end, according to a folder of tables.

use std::path::{Path, PathBuf};

use crate::board::{Board, OutcomeCounts, Tier};
use crate::plies::TierPlies;
use crate::table::{
    Fault, Inventory, Manifest, TableError, TierCounts, score_folder, table_file, table_header,
    tier_plies,
};

/// The positions of a tier by their outcome, and the cost of its table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TierStats {
    /// The tier.
    pub tier: Tier,
    /// How its positions end, for the mover.
    pub counts: TierCounts,
    /// Size of its table.
    pub bytes: u64,
    /// The time it took, if a manifest says so.
    pub seconds: Option<f64>,
}

impl TierStats {
    /// The live positions, for the mover.
    pub fn live(&self) -> OutcomeCounts {
        self.counts.live()
    }

    /// All positions, for the first player.
    pub fn all_for_first(&self) -> OutcomeCounts {
        self.counts.all_for_first(self.tier)
    }
}

/// The statistics of all tables in a folder, fewest stones first. Only headers are read; they are
/// compared with the manifest if there is one.
pub fn stats(folder: &Path, board: Board) -> Result<Vec<TierStats>, TableError> {
    let inventory = Inventory::of(folder, board)?;
    let manifest = inventory.manifest.then(|| Manifest::read(folder)).transpose()?;
    let tiers = inventory.tables.iter().map(|table| {
        let header = table_header(folder, board, table.tier)?;
        let (tier, counts, bytes) = (header.tier, header.counts, header.length);
        let listed = manifest.as_ref().and_then(|manifest| manifest.tier(tier));
        if let Some(listed) = listed.filter(|listed| listed.summary.counts != counts) {
            let what = "the outcome of its positions";
            let (expected, found) = (listed.summary.counts.to_string(), counts.to_string());
            let fault = Fault::Disagrees { tier, what, expected, found };
            return Err(TableError { file: table_file(folder, tier), fault });
        }
        Ok(TierStats { tier, counts, bytes, seconds: listed.map(|listed| listed.seconds) })
    });
    tiers.collect()
}

/// Why it is not known how soon positions are over.
#[derive(Debug, thiserror::Error)]
pub enum PliesError {
    /// There is no table of scores.
    #[error("{} does not exist", .file.display())]
    NoScores {
        /// The board.
        board: Board,
        /// The table that is missing.
        file: PathBuf,
    },
    /// A table is not sound.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The table of scores and that of outcomes contradict each other.
    #[error(
        "{} contradicts {} on the outcomes of tier {tier}: expected {} won, {} drawn and {} lost, \
         found {}, {} and {}",
        .scores.display(), .outcomes.display(), .expected.won, .expected.drawn, .expected.lost,
        .found.won, .found.drawn, .found.lost
    )]
    Disagree {
        /// The tier.
        tier: Tier,
        /// The table of scores.
        scores: PathBuf,
        /// The table of outcomes.
        outcomes: PathBuf,
        /// How the live positions end, according to the table of outcomes.
        expected: OutcomeCounts,
        /// How they end, according to the table of scores.
        found: OutcomeCounts,
    },
}

/// How soon the positions of each tier with a table in a folder are over, fewest stones first. The
/// headers of the tables of scores say so; their blocks are not read.
pub fn plies(folder: &Path, board: Board) -> Result<Vec<TierPlies>, PliesError> {
    let scores = score_folder(folder);
    let of_tier = |stats: &TierStats| match tier_plies(&scores, board, stats.tier) {
        Err(TableError { file, fault: Fault::Missing { .. } }) => {
            Err(PliesError::NoScores { board, file })
        }
        plies => agreeing(plies?, folder, stats),
    };
    stats(folder, board)?.iter().map(of_tier).collect()
}

/// The plies, if they agree with the outcomes of the tier.
fn agreeing(plies: TierPlies, folder: &Path, stats: &TierStats) -> Result<TierPlies, PliesError> {
    let (tier, expected, found) = (stats.tier, stats.live(), plies.outcomes());
    if found == expected {
        return Ok(plies);
    }
    let [scores, outcomes] = [&score_folder(folder), folder].map(|folder| table_file(folder, tier));
    Err(PliesError::Disagree { tier, scores, outcomes, expected, found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_player_moves_in_even_tiers_and_terminal_positions_are_lost() {
        let counts = TierCounts { won: 1, drawn: 2, lost: 3, terminal: 4 };
        let stats = |tier| TierStats { tier: Tier(tier), counts, bytes: 512, seconds: None };
        let outcomes = |won, drawn, lost| OutcomeCounts { won, drawn, lost };
        let (even, odd) = (stats(8), stats(9));
        assert_eq!((even.live(), even.counts.all()), (outcomes(1, 2, 3), outcomes(1, 2, 7)));
        assert_eq!((odd.live(), odd.counts.all()), (even.live(), even.counts.all()));
        assert_eq!(even.all_for_first(), outcomes(1, 2, 7));
        assert_eq!(odd.all_for_first(), outcomes(7, 2, 1));
    }
}
