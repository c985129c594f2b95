//! Pairs of partial boards, each seen as one.
//!
//! There may be a hundred million, so their predecessors are not listed but found when they are needed:
//! lifting a stone of a pair is lifting one of either part.

use std::iter::repeat_n;

use super::family::{Family, Members};
use super::lists::Lists;
use crate::board::Player;

/// All pairs of members of two families up to a number of stones, ordered by number of stones.
pub(super) struct Pairs<'a> {
    a: &'a Family,
    b: &'a Family,
    pairs: Vec<(u32, u32)>,
    /// The number of each pair: by member of `a`, for the members of `b` that have few enough
    /// stones for it, which are the first ones.
    numbers: Lists,
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

    /// The number of each pair, by member of `a`, then by member of `b`.
    pub(super) fn into_numbers(self) -> Lists {
        self.numbers
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
        let beside = self.numbers.get(i);
        let in_a = self.a.predecessors(i, player).iter().map(|i| self.numbers.get(*i as usize)[j]);
        let in_b = self.b.predecessors(j, player).iter().map(|j| beside[*j as usize]);
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
    fn pairs_are_as_many_as_were_said() {
        let columns = Columns::new((1..32).filter_map(ColumnCode::from_marker).collect());
        let steps = Steps::new("", 1, &());
        let [one, two] = [1, 2].map(|size| Family::of_columns(&columns, size, u8::MAX, &steps).0);
        for up_to in [0, 1, 5, 11, 12, 40] {
            let pairs = Pairs::new(&one, &two, up_to);
            assert_eq!(Pairs::number(&one, &two, up_to), pairs.len() as u64, "{up_to}");
        }
    }

    #[test]
    fn predecessors_of_pairs_are_all_pairs_that_lack_a_top_stone() {
        let columns = Columns::new((1..32).filter_map(ColumnCode::from_marker).collect());
        let steps = Steps::new("", 1, &());
        let [one, two] = [1, 2].map(|size| Family::of_columns(&columns, size, u8::MAX, &steps).0);
        let all = [5, u8::MAX].map(|up_to| Pairs::new(&one, &two, up_to));
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
