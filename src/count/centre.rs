//! One centre column, and what is beside it.

use super::face::{Hand, View};
use super::partners::{Middle, Pairs, Partners};
use super::roles::Roles;
use super::sides::Sides;
use crate::board::{Board, Tier};
use crate::order::Orders;
use crate::tromp::ColumnCode;

/// What is the same for all centres.
pub(super) struct Ground<'a> {
    pub(super) board: Board,
    pub(super) orders: &'a Orders,
    pub(super) left: &'a Sides,
    /// `None` if both sides are equally wide and share one table.
    pub(super) right: Option<&'a Sides>,
    pub(super) up_to: Tier,
}

/// One centre column, and which sides can be beside it together.
pub(super) struct Centre<'a> {
    pub(super) ground: &'a Ground<'a>,
    pub(super) code: ColumnCode,
    /// The number of stones that the sides may have.
    pub(super) room: usize,
    middle: Middle,
    pub(super) left_roles: Roles,
    /// `None` if the right side mirrors the left.
    right_roles: Option<Roles>,
}

impl<'a> Centre<'a> {
    /// The centre with the column `id`; `None` if it has too many stones.
    pub(super) fn new(ground: &'a Ground<'a>, id: usize) -> Option<Centre<'a>> {
        let code = ground.orders.columns().codes[id];
        let room = ground.up_to.stones().checked_sub(code.stones())?;
        let middle = Middle::new(ground.orders, id);
        let (left_roles, right_roles) = middle.roles(ground.orders, ground.right.is_none());
        Some(Centre { ground, code, room, middle, left_roles, right_roles })
    }

    /// How the columns of the left side look from here, and those of the right.
    pub(super) fn views(&self) -> [View; 2] {
        let view =
            |hand, other: &Sides| View::new(self.ground.board, self.code, hand, other.width());
        [view(Hand::Left, self.right_sides()), view(Hand::Right, self.ground.left)]
    }

    pub(super) fn right_roles(&self) -> &Roles {
        self.right_roles.as_ref().unwrap_or(&self.left_roles)
    }

    pub(super) fn right_sides(&self) -> &'a Sides {
        self.ground.right.unwrap_or(self.ground.left)
    }

    /// The right sides that go with each left one, or the left sides that go with each right one.
    pub(super) fn partners(&self, hand: Hand) -> Partners {
        let (left, right) = (&self.left_roles, self.right_roles());
        let (mine, theirs, of_left) = match hand {
            Hand::Left => (left, right, true),
            Hand::Right => (right, left, false),
        };
        let pairs = Pairs { mine, theirs, of_left };
        Partners::new(self.ground.orders, &self.middle, &pairs, self.ground.up_to.stones())
    }
}
