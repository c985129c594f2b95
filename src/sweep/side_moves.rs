//! All moves on the sides beside one centre, found once for all its tiles.

use rayon::prelude::*;

use crate::board::Player;
use crate::index::{CentreId, Class, Index};

use super::places::side_moves;

/// Where the children of a class are, by a stone of the first or the second player.
type OfClass = [Box<[u32]>; 2];

/// The moves on both sides of a centre.
pub(super) struct SideMoves {
    /// For each state so many places; see [`side_moves`].
    per_row: usize,
    /// By class slot.
    left: Vec<OfClass>,
    /// None, if the centre looks the same from the right.
    right: Option<Vec<OfClass>>,
}

/// Rows of a centre from which on several threads share them.
const WORTH_SHARING: usize = 1 << 14;

impl SideMoves {
    /// Finds the moves beside a centre.
    pub fn new(index: &Index, centre: CentreId) -> SideMoves {
        let census = index.census();
        let reversed = census.reversed(centre);
        SideMoves {
            per_row: census.split().side_width(),
            left: of_side(index, centre),
            right: (reversed != centre).then(|| of_side(index, reversed)),
        }
    }

    /// How many places each state has.
    pub fn per_row(&self) -> usize {
        self.per_row
    }

    /// The children of left states of a class that is not full.
    pub fn left(&self, class: Class, player: Player) -> &[u32] {
        &self.left[class.slot()][player.index()]
    }

    /// The children of right states of a class that is not full.
    pub fn right(&self, class: Class, player: Player) -> &[u32] {
        &self.right.as_ref().unwrap_or(&self.left)[class.slot()][player.index()]
    }
}

fn of_side(index: &Index, centre: CentreId) -> Vec<OfClass> {
    let split = index.census().split();
    let of_class = |class: Class| {
        Player::BOTH.map(|player| {
            let mut places = Vec::new();
            if class.stones() < split.side_cells() {
                let children = index.rows(centre, class.plus(Class::one(player)));
                side_moves(split, player, index.rows(centre, class), children, &mut places);
            }
            places.into()
        })
    };
    let classes: Vec<Class> = Class::all(split.side_cells()).collect();
    if index.census().centre_rows(centre) < WORTH_SHARING {
        return classes.into_iter().map(of_class).collect();
    }
    classes.into_par_iter().map(of_class).collect()
}
