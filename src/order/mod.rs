//! Move-order types: which columns can be filled together in alternating colours.
//!
//! A tier's index holds every way to pile up the right number of stones of each colour. Not all of
//! them can be played. A column `X O` (O on top) beside empty columns is fine, but `O X` would
//! require the second player to begin. Lines of four play no part in this; only the order of
//! colours matters. A board *can be filled* if its stones can be dropped one by one, in alternating
//! colours, the first player's first.
//!
//! Cut the board into **left | centre | right**. Beside each centre and each right side, a left
//! side either can be filled or not. Left sides with the same answers beside *every* centre
//! and *every* right side are of one **type**, and there are few types:
//!
//! ```text
//!     7x6, sides of 3 columns:  187,460 multisets of columns, 2,182 types,
//!                               at most 79 with the same stones and surplus
//! ```
//!
//! # How types are found
//!
//! A side's rest (centre and other side) has types too, and each kind of type needs the other: the
//! answers are to *all* rests, which are too many to list. So start with rests that can be lifted
//! in every way that their numbers allow, and sort the sides by their answers to those. Build the
//! rests from these types of sides, sort them by their answers, too, and repeat until nothing
//! changes (4 rounds on 7x6). A centre as wide as the left side is the same kind of piece, so its
//! types are those of left sides: on 6x6 there are 5,356 pairs of columns, but few types of them.
//!
//! The result is exact, by induction over the number of stones: in the last round, every member of
//! every type was seen to answer, through the types of its own predecessors, as its type does; and
//! a board's answer is built from the answers of boards with one stone less.

mod column_sets;
mod family;
mod refine;
mod side_types;
mod sorter;
mod steps;

use std::sync::Arc;

use crate::board::{Board, Tier};
use crate::columns::column_states;
use crate::memory;
use crate::progress::Progress;
use crate::too_large::BoardTooLarge;
use column_sets::ColumnSets;
use family::{Family, Lists, Members, Pairs};
use refine::Types;
use steps::Steps;

pub(crate) use column_sets::Columns;
pub(crate) use side_types::{OrderType, SideTypes, TypeClass};
pub(crate) use sorter::{Answers, RestPlace, RestWord};

/// The number of columns to the left of the centre, in it, and to the right of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Widths {
    /// Columns of the left side.
    pub left: usize,
    /// Columns of the centre.
    pub centre: usize,
    /// Columns of the right side.
    pub right: usize,
}

/// The most multisets of columns that can be sorted, which take a few hundred MB.
const MOST_SIDES: u128 = 12_000_000;

/// The most pairs of a centre and a type that can be sorted.
const MOST_PAIRS: u64 = 150_000_000;

/// About how many bytes a pair takes.
const PAIR_BYTES: u64 = 20;

/// The number of rounds after which types may only be split, which guarantees an end.
const FREE_ROUNDS: usize = 12;

/// Rounds after the first that most boards need; most others need one more.
const MORE_ROUNDS: u64 = 3;

/// The move-order types of a board, for one way to cut it in three.
pub(crate) struct Orders {
    widths: Widths,
    columns: Arc<Columns>,
    left: Arc<SideTypes>,
    right: Arc<SideTypes>,
    /// The types of left sides as they were found, with their answers.
    left_answers: Types,
    /// The rests of a left side: types of centre and right side together.
    rests: Family,
    /// The type of the rest, by centre and by right type as found.
    rest_of: Lists,
    centre_sets: ColumnSets,
    /// The number of each centre, in the order of the sets.
    centres: Vec<u32>,
}

impl Orders {
    /// The types of a board's sides, for positions with at most `up_to` stones.
    pub(crate) fn new(
        board: Board,
        widths: Widths,
        up_to: Tier,
        progress: &dyn Progress,
    ) -> Result<Orders, BoardTooLarge> {
        assert_eq!(widths.left + widths.centre + widths.right, board.width(), "the whole board");
        let up_to = up_to.0;
        let columns = Arc::new(Columns::new(column_states(board)?));
        for size in [widths.left, widths.centre, widths.right] {
            let sides = ColumnSets::number(columns.len(), size);
            if sides > MOST_SIDES {
                let list = format!("sides of {size} columns");
                return Err(BoardTooLarge::Order { board, list, found: sides, limit: MOST_SIDES });
            }
        }
        let symmetric = widths.left == widths.right;
        // Left sides, and right sides if they differ.
        let sides = if symmetric { 1 } else { 2 };
        let listing = Steps::new("listing sides", 1 + sides, progress);
        let list = |size| Family::of_columns(&columns, size, up_to, &listing);
        let (centres, centre_sets) = list(widths.centre);
        let (lefts, left_sets) = list(widths.left);
        let rights = (!symmetric).then(|| list(widths.right));

        // The rests made of a centre and `other`, sorted by the answers of `sides` to them.
        let centre_is_side = widths.centre == widths.left;
        let rests_with = |left: &Types, other: &Types, sides: &Types, steps: &Steps| {
            let centres = if centre_is_side { &left.family } else { &centres };
            let pairs = Pairs::number(centres, &other.family, up_to);
            if pairs > MOST_PAIRS {
                let list = "pairs of a centre and the type of a side".to_owned();
                let (found, limit) = (pairs.into(), MOST_PAIRS.into());
                return Err(BoardTooLarge::Order { board, list, found, limit });
            }
            let needed = pairs * PAIR_BYTES;
            if let Some(available) = memory::available().filter(|available| *available < needed) {
                let work = format!("sorting the sides of {board} by move order");
                return Err(BoardTooLarge::Memory { work, needed, available });
            }
            let pairs = Pairs::new(centres, &other.family, up_to);
            Ok((Types::new(&pairs, &sides.family, None, steps), pairs.numbers))
        };
        let first = Steps::new("sorting sides", 3 * sides, progress);
        let first_rests = |other: &Family| {
            Pairs::new(&centres.flattened(), &other.flattened(), up_to).flattened()
        };
        let mut left = Types::new(
            &lefts,
            &first_rests(rights.as_ref().map_or(&lefts, |r| &r.0)),
            None,
            &first,
        );
        let mut right = rights
            .as_ref()
            .map(|(family, _)| Types::new(family, &first_rests(&lefts), None, &first));
        let later = Steps::new("sorting sides again", 2 * sides * MORE_ROUNDS, progress);
        for round in 0.. {
            let steps = if round == 0 { &first } else { &later };
            let kept = |types| (round >= FREE_ROUNDS).then_some(types);
            let (rests, numbers) =
                rests_with(&left, right.as_ref().unwrap_or(&left), &left, steps)?;
            let new_left = Types::new(&lefts, &rests.family, kept(&left), steps);
            let sorted_again = |(family, _): &(Family, ColumnSets)| {
                let sides = right.as_ref().unwrap_or(&left);
                let (rests, _) = rests_with(&new_left, &new_left, sides, steps)?;
                Ok::<Types, BoardTooLarge>(Types::new(
                    family,
                    &rests.family,
                    right.as_ref().and_then(kept),
                    steps,
                ))
            };
            let new_right = rights.as_ref().map(sorted_again).transpose()?;
            let settled = new_left.of == left.of
                && new_left.family == left.family
                && new_right.as_ref().map(|r| (&r.of, &r.family))
                    == right.as_ref().map(|r| (&r.of, &r.family));
            left = new_left;
            right = new_right;
            if settled {
                let mut rest_of = numbers;
                rest_of.items.iter_mut().for_each(|pair| *pair = rests.of[*pair as usize]);
                let centres = match centre_is_side {
                    true => left.of.clone(),
                    false => (0..centres.len() as u32).collect(),
                };
                let left_side = Arc::new(SideTypes::new(left_sets, &left));
                let right_side = match (rights, right) {
                    (Some((_, sets)), Some(types)) => Arc::new(SideTypes::new(sets, &types)),
                    _ => left_side.clone(),
                };
                return Ok(Orders {
                    widths,
                    columns,
                    left: left_side,
                    right: right_side,
                    left_answers: left,
                    rests: rests.family,
                    rest_of,
                    centre_sets,
                    centres,
                });
            }
        }
        unreachable!("rounds go on until the types have settled")
    }

    /// How the board is cut.
    pub(crate) fn widths(&self) -> Widths {
        self.widths
    }

    /// The column states that sides are made of.
    pub(crate) fn columns(&self) -> &Arc<Columns> {
        &self.columns
    }

    /// The types of left sides.
    pub(crate) fn left(&self) -> &Arc<SideTypes> {
        &self.left
    }

    /// The types of right sides.
    pub(crate) fn right(&self) -> &Arc<SideTypes> {
        &self.right
    }

    /// The centre with these columns, in any order; `None` if it has more stones than were asked
    /// for.
    pub(crate) fn centre(&self, columns: &[usize]) -> Option<CentreSet> {
        let set = self.centre_sets.member(&mut columns.to_vec());
        self.centres.get(set as usize).map(|centre| CentreSet(*centre))
    }

    /// A centre and a right side as one rest for a left side; `None` if they have more stones than
    /// were asked for. Rests with equal numbers of stones and equal surpluses are equal exactly if
    /// they fit the same left sides.
    pub(crate) fn rest(&self, centre: CentreSet, right: OrderType) -> Option<Rest> {
        let right = self.right.found_as(right);
        self.rest_of.get(centre.0 as usize).get(right).map(|rest| Rest(*rest))
    }

    /// The answers of left sides of this type to all rests that give a board balanced colours and
    /// an odd number of stones, or an even one.
    pub(crate) fn answers(&self, left: OrderType, is_odd: bool) -> Answers<'_> {
        self.left_answers.answers.of(self.left.found_as(left), is_odd)
    }

    /// The place of the answers to a rest.
    pub(crate) fn place(&self, rest: Rest) -> RestPlace {
        self.left_answers.answers.places.of(rest.0 as usize)
    }

    /// Whether a board with a left side of this type and this rest can be filled; `false` if the
    /// colours do not balance.
    pub(crate) fn fits(&self, left: OrderType, rest: Rest) -> bool {
        self.left_answers.answer(self.left.found_as(left), &self.rests, rest.0 as usize)
    }
}

/// Everything that a left side needs to know about the centre and the right side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Rest(u32);

/// The columns of a centre, whatever their order, or all those of one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CentreSet(u32);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::can_be_emptied;
    use crate::tromp::{ColumnCode, position_of};
    use proptest::prelude::*;

    fn orders(board: Board, left: usize, centre: usize) -> Orders {
        let right = board.width() - left - centre;
        Orders::new(board, Widths { left, centre, right }, board.last_tier(), &()).unwrap()
    }

    /// Whether types and a search for an order of moves agree on these columns.
    fn agree(board: Board, orders: &Orders, split: (usize, usize), ids: &[usize]) -> bool {
        let (left, rest) = ids.split_at(split.0);
        let (centre, right) = rest.split_at(split.1);
        let left = orders.left().type_of(&mut left.to_vec()).unwrap();
        let right = orders.right().type_of(&mut right.to_vec()).unwrap();
        let codes = ids.iter().map(|id| orders.columns().codes[*id]);
        let balance: i32 = codes.clone().map(ColumnCode::surplus).sum();
        let position = position_of(board, codes);
        let reached = balance == position.tier().surplus() && can_be_emptied(&position);
        let rest = orders.rest(orders.centre(centre).unwrap(), right).unwrap();
        orders.fits(left, rest) == reached
    }

    #[test]
    fn types_tell_exactly_the_boards_that_can_be_filled() {
        for (board, split) in [
            ("1x9", (0, 1)),
            ("2x4", (0, 1)),
            ("2x4", (0, 2)),
            ("3x4", (1, 1)),
            ("3x5", (1, 1)),
            ("4x3", (1, 1)),
            ("4x3", (1, 2)),
            ("5x2", (2, 1)),
            ("6x2", (2, 1)),
            ("6x2", (2, 2)),
            ("7x2", (3, 1)),
        ] {
            let board: Board = board.parse().unwrap();
            let orders = orders(board, split.0, split.1);
            let columns = orders.columns().len();
            let mut ids = vec![0; board.width()];
            for number in 0..columns.pow(board.width() as u32) {
                ids.iter_mut().fold(number, |number, id| {
                    *id = number % columns;
                    number / columns
                });
                assert!(agree(board, &orders, split, &ids), "{board} split at {split:?}: {ids:?}");
            }
        }
    }

    #[test]
    fn types_are_few() {
        for (board, types) in [("7x3", 134), ("7x4", 339), ("7x5", 1095), ("7x6", 2182)] {
            let orders = orders(board.parse().unwrap(), 3, 1);
            assert_eq!(orders.left().len(), types, "on {board}");
        }
    }

    #[test]
    fn boards_with_too_many_sides_are_refused() {
        let board = Board::new(2, 26).unwrap();
        let split = Widths { left: 0, centre: 1, right: 1 };
        let refused = Orders::new(board, split, board.last_tier(), &()).err().unwrap();
        assert!(refused.to_string().contains("2x26"), "{refused}");
    }

    #[test]
    #[ignore = "takes some seconds: make test-long"]
    fn boards_with_too_many_pairs_are_refused() {
        let board = Board::new(2, 16).unwrap();
        let split = Widths { left: 0, centre: 1, right: 1 };
        let refused = Orders::new(board, split, board.last_tier(), &()).err().unwrap().to_string();
        assert!(
            refused.starts_with("2x16 has 380810430 pairs of a centre and the type"),
            "{refused}"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn types_tell_random_boards_of_7x6(ids in proptest::collection::vec(0usize..103, 7)) {
            static ORDERS: std::sync::LazyLock<Orders> =
                std::sync::LazyLock::new(|| orders(Board::STANDARD, 3, 1));
            prop_assert!(agree(Board::STANDARD, &ORDERS, (3, 1), &ids));
        }
    }
}
