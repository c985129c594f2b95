//! Families of partial boards, and how their stones can be lifted.
//!
//! A *member* is the stones of some columns, wherever those columns are: its number of stones, its
//! surplus, and the members that remain when a top stone of the first or of the second player is
//! lifted. The order of moves depends on nothing else. Members are listed by number of stones, so
//! predecessors lead to earlier members.
//!
//! *Pairs* of partial boards are each seen as one. There may be a hundred million, so their
//! predecessors are not listed but found when they are needed: lifting a stone of a pair is lifting
//! one of either part.

use std::iter::repeat_n;
use std::ops::Range;

use super::column_sets::{ColumnSets, Columns};
use super::steps::Steps;
use crate::board::Player;

/// Partial boards listed by number of stones, with their predecessors.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Family {
    stones: Vec<u8>,
    surplus: Vec<i8>,
    predecessors: [Lists; 2],
}

impl Family {
    /// Adds a member; the predecessors of each player's stones lead to earlier ones.
    pub(super) fn push(
        &mut self,
        stones: u8,
        surplus: i8,
        first: impl IntoIterator<Item = u32>,
        second: impl IntoIterator<Item = u32>,
    ) {
        debug_assert!(self.stones.last().is_none_or(|last| *last <= stones));
        self.stones.push(stones);
        self.surplus.push(surplus);
        self.predecessors[0].push(first);
        self.predecessors[1].push(second);
    }

    /// The most stones that a member has.
    pub(super) fn most_stones(&self) -> u8 {
        self.stones.last().copied().unwrap_or(0)
    }

    /// How many members have at most this many stones.
    pub(super) fn with_at_most(&self, stones: u8) -> usize {
        self.stones.partition_point(|of_member| *of_member <= stones)
    }

    /// The members with this many stones.
    pub(super) fn with_stones(&self, stones: u8) -> Range<usize> {
        stones.checked_sub(1).map_or(0, |fewer| self.with_at_most(fewer))..self.with_at_most(stones)
    }

    /// All members that lifting a top stone of `player` leads to.
    pub(super) fn predecessors(&self, member: usize, player: Player) -> &[u32] {
        self.predecessors[player.index()].get(member)
    }

    /// All multisets of `size` of these columns that have at most `up_to` stones.
    pub(super) fn of_columns(
        columns: &Columns,
        size: usize,
        up_to: u8,
        steps: &Steps,
    ) -> (Family, ColumnSets) {
        let sets = ColumnSets::new(columns, size, up_to);
        let mut family = Family::default();
        let (mut set, mut lifted) = (vec![0; size], Vec::with_capacity(size));
        let mut predecessors = [Vec::new(), Vec::new()];
        for member in 0..sets.len() {
            sets.list(member, &mut set);
            predecessors.iter_mut().for_each(Vec::clear);
            for place in 0..size {
                // Lifting equal columns leads to equal sets, so once is enough.
                if place > 0 && set[place] == set[place - 1] {
                    continue;
                }
                if let Some((player, below)) = columns.lifted[set[place]] {
                    lifted.clone_from(&set);
                    lifted[place] = below;
                    predecessors[player.index()].push(sets.member(&mut lifted));
                }
            }
            let stones = set.iter().map(|id| columns.codes[*id].stones() as u8).sum();
            let surplus = set.iter().map(|id| columns.codes[*id].surplus() as i8).sum();
            let [first, second] =
                predecessors.each_ref().map(|predecessors| predecessors.iter().copied());
            family.push(stones, surplus, first, second);
            steps.pass(member, sets.len());
        }
        steps.finish();
        (family, sets)
    }

    /// Adds the members of a family whose predecessors are members that are here already.
    pub(super) fn append(&mut self, other: &Family) {
        self.stones.extend_from_slice(&other.stones);
        self.surplus.extend_from_slice(&other.surplus);
        for (lists, others) in self.predecessors.iter_mut().zip(&other.predecessors) {
            lists.append(others);
        }
    }
}

/// Partial boards by number of stones, whose predecessors are earlier ones.
pub(super) trait Members: Sync {
    /// How many there are.
    fn len(&self) -> usize;

    fn stones(&self, member: usize) -> u8;

    fn surplus(&self, member: usize) -> i8;

    /// Adds to the list all members that lifting a top stone of `player` leads to.
    fn list_predecessors(&self, member: usize, player: Player, list: &mut Vec<u32>);

    /// One member for each number of stones and surplus that occurs, each lifting to its
    /// neighbours: a rest whose stones can be lifted in any order.
    fn flattened(&self) -> Family {
        let mut classes: Vec<(u8, i8)> =
            (0..self.len()).map(|i| (self.stones(i), self.surplus(i))).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut flat = Family::default();
        for (stones, surplus) in &classes {
            let [first, second] = Player::BOTH.map(|player| {
                let below = stones.checked_sub(1).map(|s| (s, surplus - player.sign() as i8));
                below.and_then(|class| classes.binary_search(&class).ok()).map(|at| at as u32)
            });
            flat.push(*stones, *surplus, first, second);
        }
        flat
    }
}

impl Members for Family {
    fn len(&self) -> usize {
        self.stones.len()
    }

    fn stones(&self, member: usize) -> u8 {
        self.stones[member]
    }

    fn surplus(&self, member: usize) -> i8 {
        self.surplus[member]
    }

    fn list_predecessors(&self, member: usize, player: Player, list: &mut Vec<u32>) {
        list.extend_from_slice(self.predecessors(member, player));
    }
}

/// A list of lists.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Lists {
    /// Where each list ends.
    ends: Vec<u32>,
    /// All items, list after list.
    pub(super) items: Vec<u32>,
}

impl Lists {
    /// No lists yet, and memory for this many with this many items in all.
    pub(super) fn with_capacity(lists: usize, items: usize) -> Lists {
        Lists { ends: Vec::with_capacity(lists), items: Vec::with_capacity(items) }
    }

    pub(super) fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.ends.push(self.items.len() as u32);
    }

    /// Adds copies of other lists, in order.
    pub(super) fn append(&mut self, other: &Lists) {
        let before = self.items.len() as u32;
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.items.extend_from_slice(&other.items);
    }

    pub(super) fn get(&self, index: usize) -> &[u32] {
        &self.items[self.range(index)]
    }

    pub(super) fn get_mut(&mut self, index: usize) -> &mut [u32] {
        let range = self.range(index);
        &mut self.items[range]
    }

    fn range(&self, index: usize) -> Range<usize> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[index] as usize
    }
}

/// All pairs of members of two families up to a number of stones, ordered by number of stones.
pub(super) struct Pairs<'a> {
    a: &'a Family,
    b: &'a Family,
    pairs: Vec<(u32, u32)>,
    /// The number of each pair: by member of `a`, for the members of `b` that have few enough
    /// stones for it, which are the first ones.
    pub(super) numbers: Lists,
}

impl<'a> Pairs<'a> {
    pub(super) fn new(a: &'a Family, b: &'a Family, up_to: u8) -> Pairs<'a> {
        let most = a.most_stones().saturating_add(b.most_stones());
        let number = Pairs::number(a, b, up_to) as usize;
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(number);
        for stones in 0..=most.min(up_to) {
            let in_a = (0..a.len()).take_while(|i| a.stones(*i) <= stones);
            for i in in_a {
                let in_b = b.with_stones(stones - a.stones(i));
                pairs.extend(in_b.map(|j| (i as u32, j as u32)));
            }
        }
        let mut numbers = Lists::with_capacity(a.len(), number);
        (0..a.len()).for_each(|i| numbers.push(repeat_n(0, fitting(a, i, b, up_to))));
        for ((i, j), number) in pairs.iter().zip(0..) {
            numbers.get_mut(*i as usize)[*j as usize] = number;
        }
        Pairs { a, b, pairs, numbers }
    }

    /// How many pairs there would be.
    pub(super) fn number(a: &Family, b: &Family, up_to: u8) -> u64 {
        (0..a.len()).map(|i| fitting(a, i, b, up_to) as u64).sum()
    }

    fn parts(&self, pair: usize) -> (usize, usize) {
        let (i, j) = self.pairs[pair];
        (i as usize, j as usize)
    }
}

impl Members for Pairs<'_> {
    fn len(&self) -> usize {
        self.pairs.len()
    }

    fn stones(&self, pair: usize) -> u8 {
        let (i, j) = self.parts(pair);
        self.a.stones(i) + self.b.stones(j)
    }

    fn surplus(&self, pair: usize) -> i8 {
        let (i, j) = self.parts(pair);
        self.a.surplus(i) + self.b.surplus(j)
    }

    fn list_predecessors(&self, pair: usize, player: Player, list: &mut Vec<u32>) {
        let (i, j) = self.parts(pair);
        let with_i = self.numbers.get(i);
        let in_a = self.a.predecessors(i, player).iter().map(|i| self.numbers.get(*i as usize)[j]);
        let in_b = self.b.predecessors(j, player).iter().map(|j| with_i[*j as usize]);
        list.extend(in_a.chain(in_b));
    }
}

/// How many members of `b` make pairs with the member `i` of `a`.
fn fitting(a: &Family, i: usize, b: &Family, up_to: u8) -> usize {
    up_to.checked_sub(a.stones(i)).map_or(0, |room| b.with_at_most(room))
}

#[cfg(test)]
mod tests {
    use super::super::column_sets::Columns;
    use super::super::steps::Steps;
    use super::*;
    use crate::tromp::ColumnCode;

    #[test]
    fn predecessors_of_pairs_are_all_pairs_that_lack_a_top_stone() {
        let columns = Columns::new((1..32).filter_map(ColumnCode::from_marker).collect());
        let steps = Steps::new("", 1, &());
        let [one, two] = [1, 2].map(|size| Family::of_columns(&columns, size, u8::MAX, &steps).0);
        let all = [0, 1, 5, 11, 12, u8::MAX].map(|up_to| {
            let pairs = Pairs::new(&one, &two, up_to);
            assert_eq!(Pairs::number(&one, &two, up_to), pairs.len() as u64, "{up_to}");
            pairs
        });
        let each = all.iter().flat_map(|pairs| (0..pairs.len()).map(move |pair| (pairs, pair)));
        for ((pairs, pair), player) in each.flat_map(|pair| Player::BOTH.map(|p| (pair, p))) {
            let (i, j) = pairs.parts(pair);
            let mut predecessors = Vec::new();
            pairs.list_predecessors(pair, player, &mut predecessors);
            let mut predecessors: Vec<_> =
                predecessors.iter().map(|l| pairs.parts(*l as usize)).collect();
            predecessors.sort_unstable();
            let in_one = one.predecessors(i, player).iter().map(|i| (*i as usize, j));
            let in_two = two.predecessors(j, player).iter().map(|j| (i, *j as usize));
            let mut expected: Vec<_> = in_one.chain(in_two).collect();
            expected.sort_unstable();
            assert_eq!(predecessors, expected);
            let lighter = |(i, j)| one.stones(i) + two.stones(j) + 1 == pairs.stones(pair);
            assert!(predecessors.into_iter().all(lighter));
        }
    }
}
