//! What the sides of one hand contribute, face by face.
//!
//! For every group of sides the other hand is asked how many sides go with it.
//! From that follow the live positions; the moves out of them on this side; and
//! the moves into them, which are taken away, so that moves into terminal
//! positions are left. Where several of these lead to the same position, all but
//! one are taken away too: those are the [`Term`]s.

use std::collections::BTreeMap;

use super::beside::{Beside, Breakable, Group, Shown};
use super::centre::Centre;
use super::face::Face;
use super::pairing::for_each_face;
use super::partners::{Fits, Share, sum_of};
use super::tally::Tally;
use crate::board::Player;
use crate::order::{OrderType, SideTypes};

/// One side of the centre asked about its moves, the other side standing still.
pub(super) struct Pass<'a> {
    pub(super) centre: &'a Centre<'a>,
    pub(super) fits: &'a Fits,
    pub(super) mine: &'a SideTypes,
    pub(super) theirs: &'a SideTypes,
    /// How often the moves on this side count.
    pub(super) times: u64,
    /// Only the first pass counts the positions and the moves in the centre.
    pub(super) first: bool,
}

/// Positions in which all of some top stones can have been the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Term {
    last: Player,
    /// The types that lifting leads to; at most four stones of a side lie on one line.
    lifted: [Option<OrderType>; 4],
    /// The type of the whole side, where the centre's top stone is one of them.
    centre: Option<OrderType>,
}

/// A term for each face, and how often it counts, less how often it is taken away.
type Terms = Vec<(u128, Face, Term, i64)>;

impl Pass<'_> {
    /// Adds up what the sides of one hand contribute.
    pub(super) fn run(&self, mine: &Beside, shown: &Shown, others: &Shown, tally: &mut Tally) {
        let terms = Self::terms(mine);
        let mut targets: BTreeMap<u128, Target> = BTreeMap::new();
        for (face, groups) in &shown.faces {
            let groups = &shown.groups[groups.clone()];
            targets.insert(face.bits(), Target { face: *face, groups, terms: &[] });
        }
        for same_face in terms.chunk_by(|a, b| a.0 == b.0) {
            let (bits, face, ..) = same_face[0];
            let target = targets.entry(bits).or_insert(Target { face, groups: &[], terms: &[] });
            target.terms = same_face;
        }
        let faces: Vec<Face> = targets.values().map(|target| target.face).collect();
        let mut rest = targets.values();
        for_each_face(&faces, others, self.theirs.len(), |_, sums| {
            let target = rest.next().expect("one visit per target");
            let totals: Vec<u64> = (self.theirs.classes().iter())
                .map(|class| sums[class.types.clone()].iter().map(|sides| u64::from(*sides)).sum())
                .collect();
            for group in target.groups {
                self.count_group(group, sums, &totals, tally);
            }
            for (_, _, term, times) in target.terms {
                self.count_term(term, *times, sums, &totals, tally);
            }
        });
    }

    /// All terms, by face, equal ones taken together.
    fn terms(mine: &Beside) -> Terms {
        let mut terms: Terms = Vec::new();
        let merge = |terms: &mut Terms| {
            terms.sort_unstable_by_key(|(bits, _, term, _)| (*bits, *term));
            terms.dedup_by(|next, first| {
                let same = (next.0, next.2) == (first.0, first.2);
                if same {
                    first.3 += next.3;
                }
                same
            });
            terms.retain(|(.., times)| *times != 0);
        };
        let mut merged = 0;
        mine.breakable(|side| {
            spare_last_moves(side, |face, term, times| {
                terms.push((face.bits(), face, term, times));
            });
            // Equal terms are many: keep the list short.
            if terms.len() > 2 * merged + (1 << 16) {
                merge(&mut terms);
                merged = terms.len();
            }
        });
        merge(&mut terms);
        terms
    }

    /// Live positions; moves from them, and, taken away, moves to them: what is
    /// left are moves that end the game.
    fn count_group(&self, group: &Group, sums: &[u32], totals: &[u64], tally: &mut Tally) {
        let Centre { code, room, ground, .. } = *self.centre;
        let (stones, has_room) = (code.stones(), code.stones() < ground.board.height());
        let up_to = ground.up_to.stones();
        let mine = self.mine.class_of(group.kind);
        let matching = -mine.surplus - code.surplus();
        for at in self.theirs.classes_of(matching..=matching + 1) {
            let class = &self.theirs.classes()[at];
            let balance = class.surplus - matching;
            if totals[at] == 0 || mine.stones + class.stones > room {
                continue;
            }
            let tier = mine.stones + stones + class.stones;
            let mover = if balance == 0 { Player::First } else { Player::Second };
            let live = self.fits.now.sum(group.kind, at, class, sums, totals[at]);
            let sides = u64::from(group.sides);
            if self.first {
                tally.live[tier] = tally.live[tier].wrapping_add(sides * live);
            }
            if tier < up_to {
                let moves = u64::from(group.open).wrapping_sub(group.lifted[mover.index()].into());
                let mut edges = moves.wrapping_mul(live).wrapping_mul(self.times);
                if self.first && has_room {
                    edges = edges.wrapping_add(sides * live);
                }
                tally.terminal[tier + 1] = tally.terminal[tier + 1].wrapping_add(edges);
            }
            if let Some(before) = self
                .fits
                .before
                .as_ref()
                .filter(|_| self.first && code.top() == Some(mover.other()))
            {
                let arrived = sides * before.sum(group.kind, at, class, sums, totals[at]);
                tally.terminal[tier] = tally.terminal[tier].wrapping_sub(arrived);
            }
        }
    }

    fn count_term(&self, term: &Term, times: i64, sums: &[u32], totals: &[u64], tally: &mut Tally) {
        let Centre { code, room, .. } = *self.centre;
        let lifted = || term.lifted.iter().flatten();
        let Some(one) = lifted().next() else { return };
        // One of the stones lies off the side again, so it is the mover's turn back then.
        let mine = self.mine.class_of(*one);
        let balance = i32::from(term.last == Player::Second);
        let matching = balance - mine.surplus - code.surplus();
        for at in self.theirs.classes_of(matching..=matching) {
            let class = &self.theirs.classes()[at];
            let sides = mine.stones + 1 + class.stones;
            if totals[at] == 0 || sides > room {
                continue;
            }
            let tier = sides + code.stones();
            let centre = term.centre.zip(self.fits.before.as_ref());
            let all = lifted().all(|kind| self.fits.now.share(*kind, at) == Share::All)
                && centre.is_none_or(|(kind, before)| before.share(kind, at) == Share::All);
            let number = if all {
                totals[at]
            } else {
                sum_of(&class.types, sums, |word| {
                    let lifted = lifted().map(|kind| self.fits.now.word(*kind, word));
                    let centre = centre.map(|(kind, before)| before.word(kind, word));
                    lifted.chain(centre).fold(u64::MAX, |both, word| both & word)
                })
            };
            let number = number.wrapping_mul(self.times).wrapping_mul(times as u64);
            tally.terminal[tier] = tally.terminal[tier].wrapping_sub(number);
        }
    }
}

/// A face, with what is asked of the other sides that suit it.
struct Target<'a> {
    face: Face,
    groups: &'a [Group],
    terms: &'a [(u128, Face, Term, i64)],
}

/// One less than the number of last moves, summed over all positions with this
/// side that have any: pairs of last moves, less triples, plus fours. The moves
/// of a set can all have been the last where the other side suits the faces and
/// the types of all; and where it would suit the whole side, there is no four.
fn spare_last_moves(side: &Breakable, mut add: impl FnMut(Face, Term, i64)) {
    let lifted = side.lifted.len();
    let all = lifted + usize::from(side.centre.is_some());
    for set in (0u32..1 << all).filter(|set| set.count_ones() >= 2) {
        let mut term = Term { last: side.last, lifted: [None; 4], centre: None };
        let mut joined = Face::default();
        for (at, (face, kind)) in
            side.lifted.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1)
        {
            joined = joined.or(*face);
            term.lifted[at] = Some(*kind);
        }
        if let Some((face, kind)) = side.centre.filter(|_| set >> lifted & 1 == 1) {
            joined = joined.or(face);
            term.centre = Some(kind);
        }
        let times = if set.count_ones() % 2 == 0 { 1 } else { -1 };
        if side.whole != Some(joined) {
            add(joined, term, times);
            if let Some(whole) = side.whole {
                add(whole, term, -times);
            }
        }
    }
}
