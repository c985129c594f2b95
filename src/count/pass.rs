//! What the sides of one hand contribute, reach by reach.
//!
//! Every left side asks how many right sides go with it. That gives the live positions, the moves
//! out of them on the left and in the centre, and the moves into them. Subtracting the latter gives
//! the moves into terminal positions. If several of these lead to the same position, all but one
//! are subtracted too: those are [`spare`](super::spare).
//!
//! The right side is the left in a mirror. On boards of even width it is the left *and the centre*
//! in a mirror, so moves in the centre count twice as well. Positions that a stone of either half
//! can have made are then counted with both. [`runs`](super::runs) subtracts those whose fours
//! cross the centre; a second pass, in which right sides ask, subtracts those in which the right
//! side and the centre hold a four by themselves.

use std::collections::BTreeMap;

use super::centre::{Centre, Partners};
use super::pairing::{Others, for_each_reach};
use super::reach::Reach;
use super::rows::{RowId, Weight, Weights};
use super::side_groups::{ByReach, Group, SideGroups};
use super::spare::{Sets, spare_last_moves};
use super::totals::Totals;
use crate::board::Player;

/// The positions beside one centre, and the moves that end the game.
pub(super) struct Pass<'a> {
    centre: &'a Centre<'a>,
    /// Which last moves are counted too often.
    spare: Sets,
    /// The factors by which moves on the side that asks count, and moves in the centre.
    times: u64,
    times_in_centre: u64,
}

/// A reach, with what the sides that have it ask the other sides that fit it.
struct Target<'a> {
    reach: Reach,
    groups: &'a [Group],
    spare: &'a [(RowId, i64)],
}

impl<'a> Pass<'a> {
    /// The pass in which left sides ask. Whatever their last moves add counts twice, for the sake
    /// of the right side.
    pub(super) fn of_left(centre: &'a Centre) -> Pass<'a> {
        let times_in_centre = if centre.shared.right.is_none() { 1 } else { 2 };
        Pass { centre, spare: Sets::All, times: 2, times_in_centre }
    }

    /// The pass in which right sides ask, on boards of even width. They need no groups.
    pub(super) fn of_right(centre: &'a Centre) -> Pass<'a> {
        Pass { centre, spare: Sets::CentreOfOwnFour, times: 1, times_in_centre: 0 }
    }

    /// Adds up what the sides of one hand contribute.
    pub(super) fn run(
        &self,
        partners: &mut Partners,
        mine: &SideGroups,
        by_reach: &ByReach,
        others: &ByReach,
        totals: &mut Totals,
    ) {
        let spare = spare_last_moves(mine, self.spare, partners);
        let mut targets: BTreeMap<u128, Target> = BTreeMap::new();
        for (reach, groups) in &by_reach.reaches {
            let groups = &by_reach.groups[groups.clone()];
            targets.insert(reach.bits(), Target { reach: *reach, groups, spare: &[] });
        }
        for (reach, rows) in &spare {
            let target = Target { reach: *reach, groups: &[], spare: &[] };
            targets.entry(reach.bits()).or_insert(target).spare = rows;
        }
        let mut pairs = Others::default();
        for (reach, groups) in &others.reaches {
            let groups = others.groups[groups.clone()].iter().filter(|group| group.sides > 0);
            pairs.push(*reach, groups.map(|group| (group.local_type.0, group.sides)));
        }
        let targets: Vec<Target> = targets.into_values().collect();
        let reaches = targets.iter().map(|target| target.reach);
        let (mut weights, mut by_class) = (Weights::default(), Vec::new());
        for_each_reach(reaches, pairs, partners.rows.members(), |number, sums| {
            let target = &targets[number];
            for group in target.groups {
                self.weigh(group, partners, &mut weights);
            }
            for (row, number) in target.spare {
                weights.add_ended(*row, -number * self.times as i64);
            }
            partners.rows.drain(&mut weights, sums, &mut by_class, |tier, weight, number| {
                let add = |into: &mut u64, times: u64| {
                    *into = into.wrapping_add(times.wrapping_mul(number));
                };
                add(&mut totals.live[tier], weight.live);
                if let Some(ended) = totals.terminal.get_mut(tier + 1) {
                    add(ended, weight.ended);
                }
            });
        });
    }

    /// Counts live positions, and moves from them minus moves to them, which leaves the moves that
    /// end the game.
    fn weigh(&self, group: &Group, partners: &Partners, weights: &mut Weights) {
        let code = self.centre.code;
        let has_room = code.stones() < self.centre.shared.board.height();
        let sides = u64::from(group.sides);
        for (balance, mover) in Player::BOTH.into_iter().enumerate() {
            let moves = u64::from(group.open).wrapping_sub(group.lifted[mover.index()].into());
            let in_centre = if has_room { sides * self.times_in_centre } else { 0 };
            let ended = moves.wrapping_mul(self.times).wrapping_add(in_centre);
            let weight = Weight { live: sides, ended };
            weights.add(partners.now(group.local_type, balance), weight);
            // The moves in the centre that led here end no game.
            if code.top() == Some(mover.other()) {
                let led_here = (sides * self.times_in_centre) as i64;
                weights.add_ended(partners.before(group.local_type), -led_here);
            }
        }
    }
}
