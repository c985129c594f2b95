//! One centre column, and the local types of either side that go with each other beside it.

use super::local_types::{LocalType, LocalTypes};
use super::reach::{Hand, View};
use super::rows::{RowId, Rows, Setting};
use super::sides::Sides;
use crate::board::{Board, Player, Tier};
use crate::order::{CentreSet, OrderType, Orders, Rest};
use crate::tromp::ColumnCode;

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
struct Middle {
    set: Option<CentreSet>,
    /// The centre without its top stone, and the player whose stone that is.
    lifted: Option<(Player, Option<CentreSet>)>,
    stones: usize,
    surplus: i32,
}

impl Middle {
    /// The centre with the column `id`.
    fn new(orders: &Orders, id: usize) -> Middle {
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
    fn local_types(&self, orders: &Orders, symmetric: bool) -> (LocalTypes, Option<LocalTypes>) {
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

impl Partners {
    /// The right sides that go with each left one, or the left sides that go with each right one.
    pub(super) fn new(centre: &Centre, hand: Hand) -> Partners {
        let (orders, middle) = (centre.shared.orders, &centre.middle);
        let (left, right) = (&centre.left_types, centre.right_types());
        let (mine, theirs) = match hand {
            Hand::Left => (left, right),
            Hand::Right => (right, left),
        };
        let mut rows = Rows::new(theirs.classes().to_vec(), centre.shared.up_to.stones());
        // The rests of the right sides are looked up once.
        let rests: Vec<_> =
            right.all().map(|local_type| middle.rests(orders, right.example(local_type))).collect();
        let fits = |local_type: LocalType, partner: usize, at: usize| {
            let (left, right) = match hand {
                Hand::Left => (mine.example(local_type), partner),
                Hand::Right => (theirs.example(LocalType(partner as u32)), local_type.index()),
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

/// What is the same for all centres.
pub(super) struct Shared<'a> {
    pub(super) board: Board,
    pub(super) orders: &'a Orders,
    pub(super) left: &'a Sides,
    /// `None` if both sides are equally wide and share one table.
    pub(super) right: Option<&'a Sides>,
    pub(super) up_to: Tier,
}

/// One centre column, and which sides can be beside it together.
pub(super) struct Centre<'a> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) code: ColumnCode,
    /// The number of stones that the sides may have.
    pub(super) room: usize,
    middle: Middle,
    pub(super) left_types: LocalTypes,
    /// `None` if the right side mirrors the left.
    right_types: Option<LocalTypes>,
}

impl<'a> Centre<'a> {
    /// The centre with the column `id`; `None` if it has too many stones.
    pub(super) fn new(shared: &'a Shared<'a>, id: usize) -> Option<Centre<'a>> {
        let code = shared.orders.columns().codes[id];
        let room = shared.up_to.stones().checked_sub(code.stones())?;
        let middle = Middle::new(shared.orders, id);
        let (left_types, right_types) = middle.local_types(shared.orders, shared.right.is_none());
        Some(Centre { shared, code, room, middle, left_types, right_types })
    }

    /// How the columns of the left side look from here, and those of the right.
    pub(super) fn views(&self) -> [View; 2] {
        let view =
            |hand, other: &Sides| View::new(self.shared.board, self.code, hand, other.width());
        [view(Hand::Left, self.right_sides()), view(Hand::Right, self.shared.left)]
    }

    pub(super) fn right_types(&self) -> &LocalTypes {
        self.right_types.as_ref().unwrap_or(&self.left_types)
    }

    pub(super) fn right_sides(&self) -> &'a Sides {
        self.shared.right.unwrap_or(self.shared.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Widths;

    #[test]
    fn types_of_7x6_have_few_local_types_beside_most_centres() {
        let board = Board::STANDARD;
        let widths = Widths { left: 3, centre: 1, right: 3 };
        let orders = Orders::new(board, widths, board.last_tier(), &()).unwrap();
        let number = |id: usize| Middle::new(&orders, id).local_types(&orders, true).0.len();
        let middle = |of: &dyn Fn(usize) -> bool| {
            let mut numbers: Vec<usize> = (0..103)
                .filter(|id| of(orders.columns().codes[*id].stones()))
                .map(number)
                .collect();
            numbers.sort_unstable();
            numbers[numbers.len() / 2]
        };
        assert_eq!(orders.left().len(), 2182);
        assert_eq!([middle(&|_| true), middle(&|stones| stones == 6)], [681, 667]);
        assert_eq!(middle(&|stones| stones == 0), 2013);
    }
}
