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

    /// Number of members.
    pub(super) fn len(&self) -> usize {
        self.stones.len()
    }

    pub(super) fn stones(&self, member: usize) -> u8 {
        self.stones[member]
    }

    pub(super) fn surplus(&self, member: usize) -> i8 {
        self.surplus[member]
    }

    /// The most stones that a member has.
    fn most_stones(&self) -> u8 {
        self.stones.last().copied().unwrap_or(0)
    }

    /// The members with this many stones.
    fn with_stones(&self, stones: u8) -> Range<usize> {
        let before = |stones| self.stones.partition_point(|of_member| *of_member < stones);
        before(stones)..before(stones.saturating_add(1))
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

    /// The number of pairs of a member of `a` and one of `b` with at most `up_to` stones.
    pub(super) fn pairs(a: &Family, b: &Family, up_to: u8) -> u64 {
        let fitting = |stones: &u8| match up_to.checked_sub(*stones) {
            Some(room) => b.stones.partition_point(|stones| *stones <= room) as u64,
            None => 0,
        };
        a.stones.iter().map(fitting).sum()
    }

    /// All pairs of a member of `a` and one of `b`, seen as one partial board, that have at most
    /// `up_to` stones. Also the place of each pair, `a`-major, with `u32::MAX` for pairs that have
    /// more.
    pub(super) fn product(a: &Family, b: &Family, up_to: u8, steps: &Steps) -> (Family, Vec<u32>) {
        let most = a.most_stones() + b.most_stones();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for stones in 0..=most.min(up_to) {
            let in_a = (0..a.len()).take_while(|i| a.stones(*i) <= stones);
            for i in in_a {
                let in_b = b.with_stones(stones - a.stones(i));
                pairs.extend(in_b.map(|j| (i as u32, j as u32)));
            }
        }
        let mut place = vec![u32::MAX; a.len() * b.len()];
        for (at, (i, j)) in pairs.iter().enumerate() {
            place[*i as usize * b.len() + *j as usize] = at as u32;
        }
        let mut family = Family::default();
        for (at, &(i, j)) in pairs.iter().enumerate() {
            steps.reach(at, pairs.len());
            let (i, j) = (i as usize, j as usize);
            let [first, second] = Player::BOTH.map(|player| {
                let in_a = a.lifts(i, player).iter().map(|i| place[*i as usize * b.len() + j]);
                let in_b = b.lifts(j, player).iter().map(|j| place[i * b.len() + *j as usize]);
                in_a.chain(in_b)
            });
            let stones = a.stones(i) + b.stones(j);
            family.push(stones, a.surplus(i) + b.surplus(j), first, second);
        }
        steps.finish();
        (family, place)
    }

    /// One member for each number of stones and surplus that occurs, each lifting to its
    /// neighbours: a rest whose stones can be lifted in any order.
    pub(super) fn flattened(&self) -> Family {
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
    fn pairs_are_as_many_as_a_product_has() {
        let columns = Columns::new((1..32).filter_map(ColumnCode::from_marker).collect());
        let steps = Steps::new("", 1, &());
        let [one, two] = [1, 2].map(|size| Family::of_columns(&columns, size, u8::MAX, &steps).0);
        for up_to in [0, 1, 5, 11, 12, 40] {
            let (product, _) = Family::product(&one, &two, up_to, &steps);
            assert_eq!(Family::pairs(&one, &two, up_to), product.len() as u64, "{up_to}");
        }
    }

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
