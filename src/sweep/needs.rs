//! How much memory and how much room for working files a sweep needs.

use rayon::prelude::*;

use crate::board::{Tier, TierRange};
use crate::index::{Census, CentreId};

use super::beside::Beside;
use super::by_centre::CentreSweep;
use super::schedule::{Batch, batches};

/// Bytes of each row of a centre: the state in the index, its face and its type.
const ROW_BYTES: u64 = 3 * size_of::<u32>() as u64;

impl CentreSweep<'_> {
    /// Bytes of memory that these tiers take at most: the rows of all centres, and
    /// two tiers beside one centre. What is kept comes on top, where it is in memory.
    pub fn bytes(census: &Census, tiers: TierRange) -> u64 {
        let words = |centre, tier| Beside::words(census, tier, centre) as u64;
        let of_centre = |centre| {
            let from_before = census.tiers().filter(|tier| {
                tiers.contains(*tier) || tier.0.checked_sub(1).map(Tier) == Some(tiers.last())
            });
            let words: Vec<u64> = from_before.map(|tier| words(centre, tier)).collect();
            words.windows(2).map(|two| two[0] + two[1]).max().or(words.first().copied())
        };
        let centres: Vec<CentreId> = census.centres().collect();
        let most = centres.into_par_iter().filter_map(of_centre).max().unwrap_or(0);
        most * size_of::<u64>() as u64 + census.rows() * ROW_BYTES
    }

    /// Stored cells of all tiles that are kept at the worst time, with the tiers
    /// that the sweep starts from and leaves.
    pub fn kept_cells(census: &Census, tiers: TierRange) -> u64 {
        let batches = batches(census);
        let cells_of = |centre: &CentreId| -> u64 {
            let kept = tiers.iter().filter(|tier| is_looked_at(census, *centre, *tier));
            let tiles = kept.flat_map(|tier| census.tiles_beside(tier, *centre));
            tiles.map(|tile| census.tile_cells(tile)).sum()
        };
        let of_batch = |batch: &Batch| batch.centres.par_iter().map(cells_of).sum::<u64>();
        let cells: Vec<u64> = batches.iter().map(of_batch).collect();
        let (mut now, mut most) = (0, 0);
        for (batch, cells_of_batch) in batches.iter().zip(&cells) {
            now += cells_of_batch;
            most = most.max(now);
            now -= batch.done_with.iter().map(|batch| cells[*batch]).sum::<u64>();
        }
        let starts = Some(tiers.last().next()).filter(|tier| *tier <= census.board().last_tier());
        let leaves = Some(tiers.first()).filter(|tier| *tier > Tier(0));
        most + starts.into_iter().chain(leaves).map(|tier| census.stored_cells(tier)).sum::<u64>()
    }
}

/// Does a move in the centre lead to this centre in this tier?
pub(super) fn is_looked_at(census: &Census, centre: CentreId, tier: Tier) -> bool {
    tier.last_mover().is_some_and(|player| census.centre(centre).before(player).next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn the_original_game_takes_seven_gigabytes() {
        let census = Census::new(Board::STANDARD).unwrap();
        let (largest_centre, rows) = (6_688_400_192, 49_041_161 * 12);
        let bytes = CentreSweep::bytes(&census, TierRange::all(census.board()));
        assert_eq!(bytes, largest_centre + rows);
    }
}
