//! Families of partial boards, and how their stones can be lifted.
//!
//! A *member* is the stones of some columns, wherever those columns are: its number of stones, its
//! surplus, and the members that remain when a top stone of the first or of the second player is
//! lifted. The order of moves depends on nothing else. Members are listed by number of stones, so
//! predecessors lead to earlier members.

use std::ops::Range;

use super::column_sets::{ColumnSets, Columns};
use super::lists::Lists;
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
