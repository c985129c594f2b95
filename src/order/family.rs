//! Families of partial boards, and how their stones can be lifted.
//!
//! A *member* is the stones of some columns, wherever those columns are: its number of stones, its
//! surplus, and the members that remain when a top stone of the first or of the second player is
//! lifted. The order of moves depends on nothing else. Members are listed by number of stones, so
//! lifts lead to earlier members.

use std::ops::Range;

use super::steps::Steps;
use crate::board::Player;
use crate::tromp::ColumnCode;

/// Partial boards listed by number of stones, with their lifts.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Family {
    stones: Vec<u8>,
    surplus: Vec<i8>,
    lifts: [Lists; 2],
}

/// A list of lists, end to end.
#[derive(Clone, PartialEq, Eq, Default)]
struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.ends.push(self.items.len() as u32);
    }

    fn get(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..self.ends[index] as usize]
    }
}

impl Family {
    /// Adds a member; the lifts of each player's stones lead to earlier ones.
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
        self.lifts[0].push(first);
        self.lifts[1].push(second);
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
    pub(super) fn lifts(&self, member: usize, player: Player) -> &[u32] {
        self.lifts[player.index()].get(member)
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
        let mut lifts = [Vec::new(), Vec::new()];
        for (member, &rank) in sets.by_stones.iter().enumerate() {
            steps.reach(member, sets.by_stones.len());
            sets.unrank(rank, &mut set);
            lifts.iter_mut().for_each(Vec::clear);
            for place in 0..size {
                // Lifting equal columns leads to equal sets, so once is enough.
                if place > 0 && set[place] == set[place - 1] {
                    continue;
                }
                if let Some((player, below)) = columns.lifted[set[place]] {
                    lifted.clone_from(&set);
                    lifted[place] = below;
                    lifts[player.index()].push(sets.member(&mut lifted));
                }
            }
            let stones = set.iter().map(|id| columns.codes[*id].stones() as u8).sum();
            let surplus = set.iter().map(|id| columns.codes[*id].surplus() as i8).sum();
            let [first, second] = lifts.each_ref().map(|lifts| lifts.iter().copied());
            family.push(stones, surplus, first, second);
        }
        steps.finish();
        (family, sets)
    }

    /// Adds the members of a family whose lifts are members that are here already.
    pub(super) fn append(&mut self, other: &Family) {
        self.stones.extend_from_slice(&other.stones);
        self.surplus.extend_from_slice(&other.surplus);
        for (lists, others) in self.lifts.iter_mut().zip(&other.lifts) {
            let before = lists.items.len() as u32;
            lists.ends.extend(others.ends.iter().map(|end| before + end));
            lists.items.extend_from_slice(&others.items);
        }
    }
}

/// Partial boards by number of stones, whose lifts are earlier ones.
pub(super) trait Members: Sync {
    /// How many there are.
    fn len(&self) -> usize;

    fn stones(&self, member: usize) -> u8;

    fn surplus(&self, member: usize) -> i8;

    /// Adds to the list all members that lifting a top stone of `player` leads to.
    fn list_lifts(&self, member: usize, player: Player, list: &mut Vec<u32>);

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

    fn list_lifts(&self, member: usize, player: Player, list: &mut Vec<u32>) {
        list.extend_from_slice(self.lifts(member, player));
    }
}

/// The states that a column can be in, and the state below the top stone of each.
pub(crate) struct Columns {
    pub(crate) codes: Vec<ColumnCode>,
    pub(crate) lifted: Vec<Option<(Player, usize)>>,
}

impl Columns {
    pub(crate) fn new(codes: Vec<ColumnCode>) -> Columns {
        let lifted = codes.iter().map(|code| {
            let below = code.lifted()?;
            let at = codes.binary_search(&below).expect("columns are closed under lifting");
            Some((code.top()?, at))
        });
        Columns { lifted: lifted.collect(), codes }
    }

    /// The number of a column state.
    pub(crate) fn find(&self, code: ColumnCode) -> Option<usize> {
        self.codes.binary_search(&code).ok()
    }

    /// Number of column states.
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }
}

/// Multisets of columns, numbered.
///
/// The multiset with column ids `a <= b <= c` has rank
/// `C(a, 1) + C(b + 1, 2) + C(c + 2, 3)`, the usual number of a combination.
pub(crate) struct ColumnSets {
    /// `binomial[i][x]` = C(x + i, i + 1)
    binomial: Vec<Vec<u32>>,
    /// Ranks by number of stones.
    by_stones: Vec<u32>,
    /// The inverse of `by_stones`; `u32::MAX` for sets with too many stones.
    member_of: Vec<u32>,
}

impl ColumnSets {
    /// The number of multisets of `size` out of `columns`.
    pub(crate) fn number(columns: usize, size: usize) -> u128 {
        (1..=size as u128).fold(1, |product, i| product * (columns as u128 + i - 1) / i)
    }

    /// The number of columns of each set.
    pub(crate) fn size(&self) -> usize {
        self.binomial.len()
    }

    fn new(columns: &Columns, size: usize, up_to: u8) -> ColumnSets {
        let binomial = (0..size)
            .map(|i| {
                let choose = |x: usize| match x {
                    0 => 0,
                    _ => ColumnSets::number(x, i + 1) as u32,
                };
                (0..columns.len()).map(choose).collect()
            })
            .collect();
        let mut sets = ColumnSets { binomial, by_stones: Vec::new(), member_of: Vec::new() };
        let total = ColumnSets::number(columns.len(), size) as u32;
        let mut set = vec![0; size];
        let mut stones = Vec::with_capacity(total as usize);
        for rank in 0..total {
            sets.unrank(rank, &mut set);
            stones.push(set.iter().map(|id| columns.codes[*id].stones() as u8).sum::<u8>());
        }
        sets.by_stones = (0..total).filter(|rank| stones[*rank as usize] <= up_to).collect();
        sets.by_stones.sort_by_key(|rank| stones[*rank as usize]);
        sets.member_of = vec![u32::MAX; total as usize];
        for (member, rank) in sets.by_stones.iter().enumerate() {
            sets.member_of[*rank as usize] = member as u32;
        }
        sets
    }

    /// The member with these columns, in any order; `u32::MAX` if they have too many stones. Sorts
    /// `ids`.
    pub(crate) fn member(&self, ids: &mut [usize]) -> u32 {
        ids.sort_unstable();
        let rank: u32 = ids.iter().enumerate().map(|(i, id)| self.binomial[i][*id]).sum();
        self.member_of[rank as usize]
    }

    /// The columns with this rank, in order.
    fn unrank(&self, mut rank: u32, ids: &mut [usize]) {
        for i in (0..ids.len()).rev() {
            let id = self.binomial[i].partition_point(|below| *below <= rank) - 1;
            rank -= self.binomial[i][id];
            ids[i] = id;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multisets_are_numbered_without_gaps() {
        let codes = (1..16).filter_map(ColumnCode::from_marker).collect();
        let columns = Columns::new(codes);
        for size in 0..4 {
            let sets = ColumnSets::new(&columns, size, u8::MAX);
            assert_eq!(sets.by_stones.len() as u128, ColumnSets::number(15, size));
            let mut ids = vec![0; size];
            for (member, rank) in sets.by_stones.iter().enumerate() {
                sets.unrank(*rank, &mut ids);
                assert!(ids.is_sorted());
                ids.reverse();
                assert_eq!(sets.member(&mut ids), member as u32);
            }
        }
    }
}
