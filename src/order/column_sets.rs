//! Columns, and multisets of them: which columns a part of the board has, wherever they are.
//!
//! The columns of a set are numbers of states, sorted: `a <= b <= c`. Sets of one size have *ranks*
//! without gaps, like combinations:
//!
//! ```text
//!     rank of {a, b, c}  =  C(a, 1) + C(b + 1, 2) + C(c + 2, 3)
//! ```
//!
//! The *members* are the sets without too many stones, numbered by stones, then by rank.

use crate::board::Player;
use crate::tromp::ColumnCode;

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
pub(super) struct ColumnSets {
    /// `binomial[i][x]` = C(x + i, i + 1)
    binomial: Vec<Vec<u32>>,
    /// Ranks by number of stones.
    by_stones: Vec<u32>,
    /// The inverse of `by_stones`; `u32::MAX` for sets with too many stones.
    member_of: Vec<u32>,
}

impl ColumnSets {
    /// The number of multisets of `size` out of `columns`.
    pub(super) fn number(columns: usize, size: usize) -> u128 {
        (1..=size as u128).fold(1, |product, i| product * (columns as u128 + i - 1) / i)
    }

    /// The multisets of `size` of these columns, numbered by stones if they have at most `up_to`.
    pub(super) fn new(columns: &Columns, size: usize, up_to: u8) -> ColumnSets {
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
    pub(super) fn member(&self, ids: &mut [usize]) -> u32 {
        ids.sort_unstable();
        let rank: u32 = ids.iter().enumerate().map(|(i, id)| self.binomial[i][*id]).sum();
        self.member_of[rank as usize]
    }

    /// The number of members.
    pub(super) fn len(&self) -> usize {
        self.by_stones.len()
    }

    /// Writes down the columns of a member, in order.
    pub(super) fn list(&self, member: usize, ids: &mut [usize]) {
        self.unrank(self.by_stones[member], ids);
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
            assert_eq!(sets.len() as u128, ColumnSets::number(15, size));
            let mut ids = vec![0; size];
            for member in 0..sets.len() {
                sets.list(member, &mut ids);
                assert!(ids.is_sorted());
                ids.reverse();
                assert_eq!(sets.member(&mut ids), member as u32);
            }
        }
    }
}
