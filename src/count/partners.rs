//! The local types of the other side that go with each local type of a side, beside one centre.

use super::local_types::{LocalType, LocalTypes};
use super::rows::{RowId, Rows, Setting};
use crate::board::Player;
use crate::order::{CentreSet, OrderType, Orders, Rest};

/// The partners of one side's local types beside one centre, as rows.
pub(super) struct Partners {
    pub(super) rows: Rows,
    /// By balance of colours in the position, 0 or 1, and by local type.
    now: [Vec<RowId>; 2],
    /// By local type: the partners before the centre's top stone was dropped, if that was the last
    /// move.
    before: Vec<RowId>,
}

/// A centre, as far as it matters to the order of moves.
#[derive(Clone, Copy)]
pub(super) struct Middle {
    pub(super) set: Option<CentreSet>,
    /// The centre without its top stone, and the player whose stone that is.
    pub(super) lifted: Option<(Player, Option<CentreSet>)>,
    pub(super) stones: usize,
    pub(super) surplus: i32,
}

impl Middle {
    /// The centre with the column `id`.
    pub(super) fn new(orders: &Orders, id: usize) -> Middle {
        let columns = orders.columns();
        let code = columns.codes[id];
        let lifted = columns.lifted[id].map(|(player, below)| (player, orders.centre(&[below])));
        let set = orders.centre(&[id]);
        Middle { set, lifted, stones: code.stones(), surplus: code.surplus() }
    }

    /// The rests that this centre, with and without its top stone, and a right side make for left
    /// sides.
    fn rests(&self, orders: &Orders, right: OrderType) -> [Option<Rest>; 2] {
        let before = self.lifted.and_then(|(_, below)| below);
        [self.set, before].map(|set| orders.rest(set?, right))
    }

    /// The local types of left and of right sides; the latter only if the right side does not
    /// mirror the left.
    pub(super) fn local_types(
        &self,
        orders: &Orders,
        symmetric: bool,
    ) -> (LocalTypes, Option<LocalTypes>) {
        // Right sides that make equal rests are alike.
        let right = LocalTypes::new(orders.right(), |kind| self.rests(orders, kind));
        if symmetric {
            return (right, None);
        }
        let rests: Vec<_> =
            right.all().map(|local_type| self.rests(orders, right.example(local_type))).collect();
        let left = LocalTypes::new(orders.left(), |kind| {
            let surplus = orders.left().class_of(kind).surplus + self.surplus;
            let meets = right.classes().iter().filter(|c| (0..=1).contains(&(c.surplus + surplus)));
            let mut answers: Vec<u64> = Vec::new();
            let mut at = 0;
            for rest in meets.flat_map(|class| &rests[class.members.clone()]) {
                for answer in rest.map(|rest| rest.is_some_and(|rest| orders.fits(kind, rest))) {
                    if at % 64 == 0 {
                        answers.push(0);
                    }
                    answers[at / 64] |= u64::from(answer) << (at % 64);
                    at += 1;
                }
            }
            answers
        });
        (left, Some(right))
    }
}

/// The sides that ask, and those that are asked.
pub(super) struct Pairs<'a> {
    pub(super) mine: &'a LocalTypes,
    pub(super) theirs: &'a LocalTypes,
    /// Whether left sides ask, and right ones are asked.
    pub(super) of_left: bool,
}

impl Partners {
    /// Asks for all pairs of local types with this centre between them.
    pub(super) fn new(orders: &Orders, middle: &Middle, pairs: &Pairs, up_to: usize) -> Partners {
        let Pairs { mine, theirs, of_left } = *pairs;
        let mut rows = Rows::new(theirs.classes().to_vec(), up_to);
        // The rests of the right sides are looked up once.
        let right = if of_left { theirs } else { mine };
        let rests: Vec<_> =
            right.all().map(|local_type| middle.rests(orders, right.example(local_type))).collect();
        let fits = |local_type: LocalType, partner: usize, at: usize| {
            let (left, right) = if of_left {
                (mine.example(local_type), partner)
            } else {
                (theirs.example(LocalType(partner as u32)), local_type.index())
            };
            rests[right][at].is_some_and(|rest| orders.fits(left, rest))
        };
        let mut ask = |balance: i32, lifted: usize| {
            let ask = |local_type| {
                let class = mine.class_of(local_type);
                let setting = Setting {
                    stones: class.stones + middle.stones - lifted,
                    surplus: balance - class.surplus - middle.surplus,
                };
                rows.ask(setting, |partner| fits(local_type, partner, lifted))
            };
            mine.all().map(ask).collect()
        };
        let now = [ask(0, 0), ask(1, 0)];
        let before = match middle.lifted {
            Some((Player::First, _)) => ask(1, 1),
            Some((Player::Second, _)) => ask(0, 1),
            None => Vec::new(),
        };
        Partners { rows, now, before }
    }

    /// The partners of a local type with which it makes positions of this balance.
    pub(super) fn now(&self, local_type: LocalType, balance: usize) -> RowId {
        self.now[balance][local_type.index()]
    }

    /// The partners of a local type that the centre's top stone can have joined, if there is such a
    /// stone. Its question is that of the rows of a side with one stone less.
    pub(super) fn before(&self, local_type: LocalType) -> RowId {
        self.before[local_type.index()]
    }
}
