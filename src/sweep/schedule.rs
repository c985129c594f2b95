//! In which order centres are solved.
//!
//! A stone on a side stays beside the same centre; a stone in the centre leads
//! to a centre with one stone more. So each centre is solved by itself, all its
//! tiers, once those with one stone more have been, of which nothing is needed
//! but what is kept for it.
//!
//! One centre column can be left in one way only, so its states are a tree:
//!
//! ```text
//!                     empty
//!                 X           O
//!              XX   XO     OX   OO        the last stone on the right
//!               …    …      …    …
//! ```
//!
//! Solved from the leaves up, depth first, there is never more kept than a few
//! siblings along one path. Two columns lead to a centre in several ways, but
//! such boards have thousands of centres with small tiles each: there all
//! centres with the same number of stones are a *batch*, to be solved side by
//! side.

use crate::board::Player;
use crate::index::{Census, CentreId};

/// Centres that can be solved side by side, after all batches before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The centres, of two mirror images the one that is stored.
    pub centres: Vec<CentreId>,
    /// Earlier batches, by number, that nobody needs any more afterwards.
    pub done_with: Vec<usize>,
}

/// All batches of a board.
pub fn batches(census: &Census) -> Vec<Batch> {
    match census.split().centre_width() {
        1 => depth_first(census),
        _ => by_stones(census),
    }
}

/// The centres that a stone of this player leads to, as they are stored.
pub(super) fn next_centres(
    census: &Census,
    centre: CentreId,
    player: Player,
) -> impl Iterator<Item = CentreId> + '_ {
    let next = census.centre(centre).after(player, census.board().height());
    next.filter_map(|(_, next)| census.find_centre(next))
        .map(|next| next.min(census.reversed(next)))
}

fn depth_first(census: &Census) -> Vec<Batch> {
    let roots = census.centres().filter(|centre| census.centre_class(*centre).stones() == 0);
    let mut batches = Vec::new();
    roots.for_each(|root| {
        visit(census, root, &mut batches);
    });
    batches
}

/// Adds the batches of a centre and of all that follow from it; the number of its own.
fn visit(census: &Census, centre: CentreId, batches: &mut Vec<Batch>) -> usize {
    let next = Player::BOTH.map(|player| next_centres(census, centre, player));
    let next = next.into_iter().flatten();
    let done_with = next.map(|next| visit(census, next, batches)).collect();
    batches.push(Batch { centres: vec![centre], done_with });
    batches.len() - 1
}

fn by_stones(census: &Census) -> Vec<Batch> {
    let stored = census.centres().filter(|centre| *centre <= census.reversed(*centre));
    let stones = |centre: &CentreId| census.centre_class(*centre).stones();
    let most = census.centres().map(|centre| stones(&centre)).max().unwrap_or(0);
    let mut layers = vec![Vec::new(); most + 1];
    stored.for_each(|centre| layers[stones(&centre)].push(centre));
    let layers = layers.into_iter().rev().enumerate();
    let batch = |(number, centres): (usize, _)| Batch {
        centres,
        done_with: number.checked_sub(1).into_iter().collect(),
    };
    layers.map(batch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_centre_comes_after_those_it_needs_and_before_they_are_done_with() {
        for board in ["7x6", "6x4", "5x3", "4x4", "3x3", "2x5", "1x7", "12x1"] {
            let census = Census::new(board.parse().unwrap()).unwrap();
            let mut solved = HashSet::new();
            let mut kept: Vec<Vec<CentreId>> = Vec::new();
            for Batch { centres, done_with } in batches(&census) {
                for (centre, player) in
                    centres.iter().flat_map(|c| Player::BOTH.map(|player| (c, player)))
                {
                    let needed = next_centres(&census, *centre, player);
                    needed.for_each(|c| assert!(kept.iter().any(|batch| batch.contains(&c))));
                }
                for centre in &centres {
                    assert!(solved.insert(*centre), "{centre:?} of {board} twice");
                }
                kept.push(centres);
                for batch in done_with {
                    assert!(!std::mem::take(&mut kept[batch]).is_empty());
                }
            }
            let stored = census.centres().filter(|c| *c <= census.reversed(*c));
            assert_eq!(stored.collect::<HashSet<_>>(), solved);
        }
    }
}
