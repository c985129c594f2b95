//! In which order centres are solved, and which of them at a time.
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
//! centres with the same number of stones are solved side by side.
//!
//! What is solved, and published, as one is a *batch*: a centre, or as many as it takes to
//! be worth a file. Which batches a batch [needs](Batch::needs) is a graph: whatever order
//! respects it will do, on one machine or on many.

use crate::board::Player;
use crate::index::{Census, CentreId};

/// Centres that are solved together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The centres, of two mirror images the one that is stored. Those of a round can be
    /// solved side by side, after the rounds before.
    pub rounds: Vec<Vec<CentreId>>,
    /// Earlier batches, by number, that must have been solved before.
    pub needs: Vec<usize>,
}

impl Batch {
    /// All its centres.
    pub fn centres(&self) -> impl Iterator<Item = CentreId> + '_ {
        self.rounds.iter().flatten().copied()
    }
}

/// All batches of a board, each after those that it needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    batches: Vec<Batch>,
    /// By batch, those that need it.
    readers: Vec<Vec<usize>>,
    /// By centre; mirror images are in the same.
    batch_of: Vec<Option<usize>>,
}

impl Schedule {
    /// Batches that each weigh so much at least, but for the last one.
    pub(super) fn new(census: &Census, weight: impl Fn(CentreId) -> u64, least: u64) -> Schedule {
        let rounds = match census.split().centre_width() {
            1 => depth_first(census),
            _ => by_stones(census),
        };
        let mut batches: Vec<Batch> = Vec::new();
        let mut batch_of = vec![None; census.centres().count()];
        let mut heavy = true;
        let mut sum = 0;
        for round in rounds {
            if heavy {
                batches.push(Batch { rounds: Vec::new(), needs: Vec::new() });
                sum = 0;
            }
            for centre in &round {
                for centre in [*centre, census.reversed(*centre)] {
                    batch_of[centre.index()] = Some(batches.len() - 1);
                }
                sum += weight(*centre);
            }
            heavy = sum >= least;
            batches.last_mut().expect("one was begun").rounds.push(round);
        }
        let mut readers = vec![Vec::new(); batches.len()];
        for (number, batch) in batches.iter_mut().enumerate() {
            let next = |centre| {
                Player::BOTH.into_iter().flat_map(move |p| next_centres(census, centre, p))
            };
            let needs = batch.centres().flat_map(next);
            let needs = needs.map(|next| batch_of[next.index()].expect("a centre of some round"));
            let mut needs: Vec<usize> = needs.filter(|need| *need != number).collect();
            needs.sort_unstable();
            needs.dedup();
            needs.iter().for_each(|need| readers[*need].push(number));
            batch.needs = needs;
        }
        Schedule { batches, readers, batch_of }
    }

    /// All batches.
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The batches that need this one.
    pub fn readers(&self, batch: usize) -> &[usize] {
        &self.readers[batch]
    }

    /// The batch of a centre, or of its mirror image.
    pub(crate) fn batch_of(&self, centre: CentreId) -> usize {
        self.batch_of[centre.index()].expect("a centre of some round")
    }

    /// The batches that nobody needs any more once this one is done, if they are done in
    /// the order of their numbers.
    pub(crate) fn done_with(&self, batch: usize) -> impl Iterator<Item = usize> + '_ {
        let needs = self.batches[batch].needs.iter().copied();
        needs.filter(move |need| self.readers[*need].last() == Some(&batch))
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

/// A round for each centre.
fn depth_first(census: &Census) -> Vec<Vec<CentreId>> {
    let roots = census.centres().filter(|centre| census.centre_class(*centre).stones() == 0);
    let mut rounds = Vec::new();
    roots.for_each(|root| visit(census, root, &mut rounds));
    rounds
}

/// Adds all centres that follow from one, and then itself.
fn visit(census: &Census, centre: CentreId, rounds: &mut Vec<Vec<CentreId>>) {
    let next = Player::BOTH.map(|player| next_centres(census, centre, player));
    next.into_iter().flatten().for_each(|next| visit(census, next, rounds));
    rounds.push(vec![centre]);
}

/// A round for each number of stones.
fn by_stones(census: &Census) -> Vec<Vec<CentreId>> {
    let stored = census.centres().filter(|centre| *centre <= census.reversed(*centre));
    let stones = |centre: &CentreId| census.centre_class(*centre).stones();
    let most = census.centres().map(|centre| stones(&centre)).max().unwrap_or(0);
    let mut layers = vec![Vec::new(); most + 1];
    stored.for_each(|centre| layers[stones(&centre)].push(centre));
    layers.reverse();
    layers
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_centre_comes_after_those_it_needs_and_before_they_are_done_with() {
        let boards = ["7x6", "6x4", "5x3", "4x4", "3x3", "2x5", "1x7", "12x1"];
        for (board, least) in boards.into_iter().flat_map(|b| [0, 5, 40].map(|least| (b, least))) {
            let census = Census::new(board.parse().unwrap()).unwrap();
            let schedule = Schedule::new(&census, |_| 1, least);
            let mut solved = HashSet::new();
            let mut kept = HashSet::new();
            for (number, batch) in schedule.batches().iter().enumerate() {
                assert!(batch.needs.iter().all(|need| kept.contains(need)));
                for round in &batch.rounds {
                    let next = |centre: &CentreId| {
                        Player::BOTH.map(|player| next_centres(&census, *centre, player).collect())
                    };
                    let needed: Vec<[Vec<CentreId>; 2]> = round.iter().map(next).collect();
                    for needed in needed.iter().flatten().flatten() {
                        assert!(solved.contains(needed));
                        let of = schedule.batch_of(*needed);
                        assert!(of == number || batch.needs.contains(&of));
                    }
                    round.iter().for_each(|c| assert!(solved.insert(*c), "{c:?} of {board} twice"));
                }
                let is_last = number + 1 == schedule.batches().len();
                assert!(is_last || batch.centres().count() as u64 >= least);
                kept.insert(number);
                schedule.done_with(number).for_each(|batch| assert!(kept.remove(&batch)));
            }
            assert!(kept.iter().all(|batch| schedule.readers(*batch).is_empty()));
            let stored = census.centres().filter(|c| *c <= census.reversed(*c));
            assert_eq!(stored.collect::<HashSet<_>>(), solved);
        }
    }
}
