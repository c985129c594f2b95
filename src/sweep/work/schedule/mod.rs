//! The order in which centres are solved, and which are solved together.
//!
//! A stone on a side keeps the centre; a stone in the centre leads to a centre with one stone more.
//! So each centre is solved by itself, in all its tiers, once those with one stone more have been.
//! All that it needs of them is kept for it.
//!
//! A column loses its stones in one way only, from the top, so its states are a tree:
//!
//! ```text
//!                     empty
//!                 X           O
//!              XX   XO     OX   OO        the last stone on the right
//!               …    …      …    …
//! ```
//!
//! If it is solved from the leaves up, depth first, only a few siblings along one path are kept at
//! a time. With two centre columns, each is a state of this tree, and a [`sequence`] of their pairs
//! is found that keeps little at a time.
//!
//! Centres that are solved and published together are a *batch*: one centre, or enough of them to
//! be worth a file. The batches that a batch [needs](CentreBatch::needs) form a graph. Any order
//! that respects it will do, on one machine or on many. The same holds for the centres of a batch:
//! on boards of even width, where these are many and small, several are solved side by side.

mod sequence;

use std::cmp::Reverse;

use crate::board::{Player, TierRange};
use crate::index::{Census, CentreId};

use super::sizes::Sizes;
use sequence::sequence;

/// Centres that are solved together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CentreBatch {
    /// The centres, each after those that it needs; of two mirror images the one that is stored.
    pub centres: Vec<CentreId>,
    /// Earlier batches, by number, that must have been solved.
    pub needs: Vec<usize>,
}

/// All batches of a board, each after those that it needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    batches: Vec<CentreBatch>,
    /// By batch, those that need it.
    readers: Vec<Vec<usize>>,
    /// By centre; mirror images are in the same batch.
    batch_of: Vec<Option<usize>>,
    is_in_table_order: bool,
}

/// The least cells of a batch, so that files are worth making: a tenth of a second of work. With
/// two centre columns batches are larger, and their centres are solved side by side.
fn batch_cells(census: &Census) -> u64 {
    if census.split().centre_width() == 1 { 1 << 27 } else { 1 << 29 }
}

impl Schedule {
    /// Batches that are worth a file.
    pub(super) fn of(sizes: &Sizes) -> Schedule {
        Schedule::with_batches_of(sizes, batch_cells(sizes.census()))
    }

    /// Batches of at least this many cells.
    pub(super) fn with_batches_of(sizes: &Sizes, cells: u64) -> Schedule {
        let all = TierRange::all(sizes.census().board());
        let handed_on = |centre, player| sizes.handed_on(centre, player, all).tight;
        let weight = |centre| sizes.centre_cells(centre);
        Schedule::new(sizes.census(), handed_on, weight, cells)
    }

    /// Batches that each weigh at least `least`, except the last one.
    pub(super) fn new(
        census: &Census,
        handed_on: impl Fn(CentreId, Player) -> u64,
        weight: impl Fn(CentreId) -> u64,
        least: u64,
    ) -> Schedule {
        let is_single = census.split().centre_width() == 1;
        let stored = || census.centres().filter(|centre| *centre <= census.reversed(*centre));
        let order = if is_single {
            depth_first(census)
        } else if stored().map(&weight).sum::<u64>() <= least {
            // All are one batch, whatever the order.
            stored().collect()
        } else {
            sequence(census, handed_on)
        };
        let mut parts: Vec<Vec<CentreId>> = Vec::new();
        let mut sum = least;
        for centre in order {
            if sum >= least {
                parts.push(Vec::new());
                sum = 0;
            }
            sum += weight(centre);
            parts.last_mut().expect("one was begun").push(centre);
        }
        let mut batch_of = vec![None; census.centres().count()];
        for (number, part) in parts.iter().enumerate() {
            for centre in part.iter().flat_map(|centre| [*centre, census.reversed(*centre)]) {
                batch_of[centre.index()] = Some(number);
            }
        }
        if !is_single {
            // Those with few stones need most others, so they come last.
            let stones = |centre: &CentreId| Reverse(census.centre_class(*centre).stones());
            parts.iter_mut().for_each(|part| part.sort_by_key(|centre| (stones(centre), *centre)));
        }
        let batch = |centres| CentreBatch { centres, needs: Vec::new() };
        let mut batches: Vec<CentreBatch> = parts.into_iter().map(batch).collect();
        let mut readers = vec![Vec::new(); batches.len()];
        for (number, batch) in batches.iter_mut().enumerate() {
            let next = batch.centres.iter().flat_map(|centre| census.next_centres(*centre));
            let needs = next.map(|next| batch_of[next.index()].expect("a centre of some batch"));
            let mut needs: Vec<usize> = needs.filter(|need| *need != number).collect();
            needs.sort_unstable();
            needs.dedup();
            needs.iter().for_each(|need| readers[*need].push(number));
            batch.needs = needs;
        }
        Schedule { batches, readers, batch_of, is_in_table_order: is_single }
    }

    /// All batches.
    pub fn batches(&self) -> &[CentreBatch] {
        &self.batches
    }

    /// The batches that need this one.
    pub fn readers(&self, batch: usize) -> &[usize] {
        &self.readers[batch]
    }

    /// Whether tables have their blocks in the order of batches, as on boards of odd width.
    pub(crate) fn is_in_table_order(&self) -> bool {
        self.is_in_table_order
    }

    /// The batch of a centre, or of its mirror image.
    pub(crate) fn batch_of(&self, centre: CentreId) -> usize {
        self.batch_of[centre.index()].expect("a centre of some batch")
    }
}

/// Centres of one column.
fn depth_first(census: &Census) -> Vec<CentreId> {
    let roots = census.centres().filter(|centre| census.centre_class(*centre).stones() == 0);
    let mut order = Vec::new();
    roots.for_each(|root| visit(census, root, &mut order));
    order
}

/// Adds all centres that follow from one, and then itself.
fn visit(census: &Census, centre: CentreId, order: &mut Vec<CentreId>) {
    census.next_centres(centre).for_each(|next| visit(census, next, order));
    order.push(centre);
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_centre_comes_after_those_it_needs() {
        let boards = ["7x6", "6x4", "5x3", "4x4", "3x3", "2x5", "1x7", "12x1"];
        // On the boards of even width, all centres together weigh no more than the last of these.
        let weights = [0, 5, 40, 1 << 20];
        for (board, least) in boards.into_iter().flat_map(|b| weights.map(|least| (b, least))) {
            let census = Census::new(board.parse().unwrap()).unwrap();
            let schedule = Schedule::new(&census, |_, _| 1, |_| 1, least);
            let mut solved = HashSet::new();
            for (number, batch) in schedule.batches().iter().enumerate() {
                assert!(batch.needs.iter().all(|need| *need < number));
                for centre in batch.centres.iter().copied() {
                    for needed in census.next_centres(centre) {
                        assert!(solved.contains(&needed));
                        let of = schedule.batch_of(needed);
                        assert!(of == number || batch.needs.contains(&of));
                    }
                    assert!(solved.insert(centre), "{centre:?} of {board} twice");
                }
                let is_last = number + 1 == schedule.batches().len();
                assert!(is_last || batch.centres.len() as u64 >= least);
            }
            let stored = census.centres().filter(|c| *c <= census.reversed(*c));
            assert_eq!(stored.collect::<HashSet<_>>(), solved);
        }
    }

    /// What a centre hands on to another counts as one.
    #[test]
    fn little_is_kept_at_a_time() {
        for (board, all, most) in [("7x6", 102, 12), ("6x6", 10_506, 600), ("6x5", 2970, 260)] {
            let census = Census::new(board.parse().unwrap()).unwrap();
            let schedule = Schedule::new(&census, |_, _| 1, |_| 1, 0);
            let (mut now, mut kept, mut sum) = (0, 0, 0);
            for (number, batch) in schedule.batches().iter().enumerate() {
                sum += schedule.readers(number).len();
                now += schedule.readers(number).len();
                kept = kept.max(now);
                now -= batch.needs.len();
            }
            assert!(sum == all && kept <= most, "{kept} of {sum} on {board}");
        }
    }
}
