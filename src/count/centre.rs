//! One centre column, and what stands beside it.

use std::ops::Range;

use super::face::{Hand, View};
use super::partners::Fits;
use super::sides::Sides;
use crate::board::{Board, Player, Tier};
use crate::order::{OrderType, Orders, SideTypes};
use crate::tromp::ColumnCode;

/// What is the same for all centres.
pub(super) struct Ground<'a> {
    pub(super) board: Board,
    pub(super) orders: &'a Orders,
    pub(super) left: &'a Sides,
    /// `None` where both sides are equally wide and draw from one table.
    pub(super) right: Option<&'a Sides>,
    pub(super) up_to: Tier,
}

/// One centre column, and which sides can stand beside it together.
pub(super) struct Centre<'a> {
    pub(super) ground: &'a Ground<'a>,
    pub(super) code: ColumnCode,
    /// Stones that the sides may have.
    pub(super) room: usize,
    /// Which right sides go with each left one.
    pub(super) fits: Fits,
    /// Which left sides go with each right one, where the right is not the left in a mirror.
    pub(super) fits_of_right: Option<Fits>,
    /// The right class that each class becomes without a stone of either player.
    lifted_classes: [Vec<Option<usize>>; 2],
}

impl<'a> Centre<'a> {
    /// The centre with the column `id`; `None` if it has too many stones.
    pub(super) fn new(ground: &'a Ground<'a>, id: usize) -> Option<Centre<'a>> {
        let code = ground.orders.columns().codes[id];
        let room = ground.up_to.stones().checked_sub(code.stones())?;
        let right_types = ground.orders.right();
        let lifted_classes = Player::BOTH.map(|player| {
            let lifted = |class| right_types.class_without(class, player);
            (0..right_types.classes().len()).map(lifted).collect()
        });
        let fits = |of_left| Fits::new(ground.orders, id, of_left);
        let fits_of_right = ground.right.map(|_| fits(false));
        Some(Centre { ground, code, room, fits: fits(true), fits_of_right, lifted_classes })
    }

    /// How the columns of the left side look from here, and those of the right.
    pub(super) fn views(&self) -> [View; 2] {
        let view =
            |hand, other: &Sides| View::new(self.ground.board, self.code, hand, other.width());
        [view(Hand::Left, self.right_sides()), view(Hand::Right, self.ground.left)]
    }

    pub(super) fn left_types(&self) -> &'a SideTypes {
        self.ground.orders.left()
    }

    pub(super) fn right_types(&self) -> &'a SideTypes {
        self.ground.orders.right()
    }

    pub(super) fn right_sides(&self) -> &'a Sides {
        self.ground.right.unwrap_or(self.ground.left)
    }

    /// The right classes that make positions of this balance of colours with a
    /// left side of this type.
    pub(super) fn right_classes(&self, left: OrderType, balance: i32) -> Range<usize> {
        let surplus = balance - self.code.surplus() - self.left_types().class_of(left).surplus;
        self.right_types().classes_of(surplus..=surplus)
    }

    /// The tier of positions with a left side of this type and a right side of
    /// this class, if they are counted at all.
    pub(super) fn tier_of(&self, left: OrderType, class: usize) -> Option<usize> {
        let sides =
            self.left_types().class_of(left).stones + self.right_types().classes()[class].stones;
        (sides <= self.room).then_some(sides + self.code.stones())
    }

    /// The right class that is left when a stone of `player` is lifted.
    pub(super) fn class_without(&self, class: usize, player: Player) -> Option<usize> {
        self.lifted_classes[player.index()][class]
    }
}
