//! One centre column, and what is beside it.

use super::face::{Hand, View};
use super::local_types::LocalTypes;
use super::partners::{Middle, Pairs, Partners};
use super::sides::Sides;
use crate::board::{Board, Tier};
use crate::order::Orders;
use crate::tromp::ColumnCode;

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

    /// The right sides that go with each left one, or the left sides that go with each right one.
    pub(super) fn partners(&self, hand: Hand) -> Partners {
        let (left, right) = (&self.left_types, self.right_types());
        let (mine, theirs, of_left) = match hand {
            Hand::Left => (left, right, true),
            Hand::Right => (right, left, false),
        };
        let pairs = Pairs { mine, theirs, of_left };
        Partners::new(self.shared.orders, &self.middle, &pairs, self.shared.up_to.stones())
    }
}
