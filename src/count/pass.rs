//! What the sides of one hand contribute, face by face.
//!
//! Every side asks the other hand how many sides go with it. That gives the live positions, the
//! moves out of them on this side, and the moves into them. Subtracting the latter gives the moves
//! into terminal positions. If several of these lead to the same position, all but one are
//! subtracted too: those are [`spare`](super::spare).

use std::collections::BTreeMap;

use super::centre::Centre;
use super::centre::Partners;
use super::face::Face;
use super::pairing::{Others, for_each_face};
use super::rows::{RowId, Weight, Weights};
use super::side_groups::{Group, Shown, SideGroups};
use super::spare::spare_last_moves;
use super::totals::Totals;
use crate::board::Player;

/// The moves of one side of the centre, while the other side stays as it is.
pub(super) struct Pass<'a> {
    pub(super) centre: &'a Centre<'a>,
    /// The factor by which the moves on this side count.
    pub(super) times: u64,
    /// Only the first pass counts the positions and the moves in the centre.
    pub(super) first: bool,
}

/// A face, with what the sides of that face ask the other sides that fit it.
struct Target<'a> {
    face: Face,
    groups: &'a [Group],
    spare: &'a [(RowId, i64)],
}

impl Pass<'_> {
    /// Adds up what the sides of one hand contribute.
    pub(super) fn run(
        &self,
        partners: &mut Partners,
        mine: &SideGroups,
        shown: &Shown,
        others: &Shown,
        totals: &mut Totals,
    ) {
        let spare = spare_last_moves(mine, partners);
        let mut targets: BTreeMap<u128, Target> = BTreeMap::new();
        for (face, groups) in &shown.faces {
            let groups = &shown.groups[groups.clone()];
            targets.insert(face.bits(), Target { face: *face, groups, spare: &[] });
        }
        for (face, rows) in &spare {
            let target = Target { face: *face, groups: &[], spare: &[] };
            targets.entry(face.bits()).or_insert(target).spare = rows;
        }
        let mut pairs = Others::new();
        for (face, groups) in &others.faces {
            let groups = others.groups[groups.clone()].iter().filter(|group| group.sides > 0);
            pairs.push(*face, groups.map(|group| (group.local_type.0, group.sides)));
        }
        let targets: Vec<Target> = targets.into_values().collect();
        let faces = targets.iter().map(|target| target.face);
        let (mut weights, mut by_class) = (Weights::default(), Vec::new());
        for_each_face(faces, pairs, partners.rows.members(), |number, sums| {
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
        let once = |counts: bool| if counts { sides } else { 0 };
        for (balance, mover) in Player::BOTH.into_iter().enumerate() {
            let moves = u64::from(group.open).wrapping_sub(group.lifted[mover.index()].into());
            let ended = moves.wrapping_mul(self.times).wrapping_add(once(self.first && has_room));
            let weight = Weight { live: once(self.first), ended };
            weights.add(partners.now(group.local_type, balance), weight);
            // The moves in the centre that led here end no game.
            if self.first && code.top() == Some(mover.other()) {
                weights.add_ended(partners.before(group.local_type), -(sides as i64));
            }
        }
    }
}
