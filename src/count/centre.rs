//! All positions with one centre column, counted.

use std::collections::BTreeMap;
use std::ops::Range;

use super::beside::{Beside, Breakable, Group, Shown};
use super::face::{Face, Hand, View};
use super::pairing::for_each_face;
use super::partners::{Partners, Share, sum_of};
use super::runs;
use super::sides::Sides;
use crate::board::{Board, Player, Tier};
use crate::order::{OrderType, Orders, SideTypes};

/// What is the same for all centres.
pub(super) struct Ground<'a> {
    pub(super) board: Board,
    pub(super) orders: &'a Orders,
    pub(super) left: &'a Sides,
    /// `None` where both sides are equally wide and draw from one table.
    pub(super) right: Option<&'a Sides>,
    pub(super) up_to: Tier,
}

/// Counts by tier; differences on the way may wrap around, the totals fit.
#[derive(Clone)]
pub(super) struct Tally {
    pub(super) live: Vec<u64>,
    pub(super) terminal: Vec<u64>,
}

impl Tally {
    pub(super) fn new(up_to: Tier) -> Tally {
        let none = vec![0; up_to.stones() + 1];
        Tally { live: none.clone(), terminal: none }
    }

    pub(super) fn plus(mut self, other: Tally) -> Tally {
        let add = |into: &mut [u64], from: Vec<u64>| {
            into.iter_mut().zip(from).for_each(|(into, from)| *into = into.wrapping_add(from));
        };
        add(&mut self.live, other.live);
        add(&mut self.terminal, other.terminal);
        self
    }
}

/// One centre column, and which sides can stand beside it together.
pub(super) struct Centre<'a> {
    ground: &'a Ground<'a>,
    stones: usize,
    surplus: i32,
    top: Option<Player>,
    has_room: bool,
    /// The partners of left sides among right ones.
    pub(super) partners: Partners,
    /// The same without the centre's top stone.
    pub(super) below: Option<Partners>,
    /// The right class that each class becomes without a stone of either player.
    lifted_classes: [Vec<Option<usize>>; 2],
}

/// Counts the positions with the centre column `id`.
pub(super) fn count(ground: &Ground, id: usize) -> Tally {
    let columns = ground.orders.columns();
    let code = columns.codes[id];
    let mut tally = Tally::new(ground.up_to);
    let Some(room) = ground.up_to.stones().checked_sub(code.stones()) else { return tally };
    let lifted = columns.lifted[id];
    let partners = |of_left| {
        let below = lifted.map(|(player, below)| {
            Partners::new(ground.orders, &[below], code.surplus() - player.sign(), of_left)
        });
        (Partners::new(ground.orders, &[id], code.surplus(), of_left), below)
    };
    let (left_types, right_types) = (ground.orders.left(), ground.orders.right());
    let (with_centre, below) = partners(true);
    let from_right = ground.right.map(|_| partners(false));
    let merged = |(partners, below): (&Partners, &Option<Partners>), types| {
        partners.merged(below.as_ref(), types)
    };
    let left_kinds = merged((&with_centre, &below), left_types);
    let right_kinds = match &from_right {
        Some((partners, below)) => merged((partners, below), right_types),
        None => left_kinds.clone(),
    };
    let centre = Centre {
        ground,
        stones: code.stones(),
        surplus: code.surplus(),
        top: code.top(),
        has_room: code.stones() < ground.board.height(),
        partners: with_centre,
        below,
        lifted_classes: Player::BOTH.map(|player| {
            let lifted = |class| runs::class_without(right_types, class, player);
            (0..right_types.classes().len()).map(lifted).collect()
        }),
    };
    let right_sides = ground.right.unwrap_or(ground.left);
    let left_view = View::new(ground.board, code, Hand::Left, right_sides.width());
    let right_view = View::new(ground.board, code, Hand::Right, ground.left.width());
    let left = Beside::new(ground.left, &left_view, room, left_kinds);
    let right = Beside::new(right_sides, &right_view, room, right_kinds);
    let left_shown = left.shown(left_types);
    let right_shown = match ground.right {
        Some(_) => right.shown(right_types),
        None => left_shown.mirrored(ground.board.height()),
    };
    let pass = Pass {
        centre: &centre,
        partners: &centre.partners,
        below: centre.below.as_ref(),
        mine: left_types,
        theirs: right_types,
        // Where the right is the left in a mirror, what one side adds counts twice.
        times: if from_right.is_some() { 1 } else { 2 },
        first: true,
    };
    pass.run(&left, &left_shown, &right_shown, &mut tally);
    if let Some((partners, below)) = &from_right {
        let (mine, theirs) = (right_types, left_types);
        let below = below.as_ref();
        let pass = Pass { centre: &centre, partners, below, mine, theirs, times: 1, first: false };
        pass.run(&right, &right_shown, &left_shown, &mut tally);
    }
    let mut both = vec![0; tally.terminal.len()];
    runs::made_from_both_sides(&centre, &left, &right, &mut both);
    for (terminal, both) in tally.terminal.iter_mut().zip(both) {
        *terminal = terminal.wrapping_sub(both);
    }
    tally
}

impl Centre<'_> {
    pub(super) fn right_types(&self) -> &SideTypes {
        self.ground.orders.right()
    }

    /// The right classes that make positions of this balance of colours with a
    /// left side of this type.
    pub(super) fn right_classes(&self, left: OrderType, balance: i32) -> Range<usize> {
        let surplus = balance - self.surplus - self.ground.orders.left().class_of(left).surplus;
        self.right_types().classes_of(surplus..=surplus)
    }

    /// The tier of positions with a left side of this type and a right side of
    /// this class, if they are counted at all.
    pub(super) fn tier_of(&self, left: OrderType, class: usize) -> Option<usize> {
        let left = self.ground.orders.left().class_of(left).stones;
        let tier = left + self.stones + self.right_types().classes()[class].stones;
        (tier <= self.ground.up_to.stones()).then_some(tier)
    }

    /// The right class that is left when a stone of `player` is lifted.
    pub(super) fn class_without(&self, class: usize, player: Player) -> Option<usize> {
        self.lifted_classes[player.index()][class]
    }
}

/// One side of the centre asked about its moves, the other side standing still.
struct Pass<'a> {
    centre: &'a Centre<'a>,
    partners: &'a Partners,
    below: Option<&'a Partners>,
    mine: &'a SideTypes,
    theirs: &'a SideTypes,
    /// How often the moves on this side count.
    times: u64,
    /// Only the first pass counts the positions and the moves in the centre.
    first: bool,
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
    fn run(&self, mine: &Beside, shown: &Shown, others: &Shown, tally: &mut Tally) {
        let terms = self.terms(mine);
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
    fn terms(&self, mine: &Beside) -> Terms {
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
        let Centre { stones, surplus, top, has_room, ground, .. } = *self.centre;
        let up_to = ground.up_to.stones();
        let mine = self.mine.class_of(group.kind);
        let matching = -mine.surplus - surplus;
        for at in self.theirs.classes_of(matching..=matching + 1) {
            let class = &self.theirs.classes()[at];
            let balance = class.surplus - matching;
            let tier = mine.stones + stones + class.stones;
            if totals[at] == 0 || tier > up_to {
                continue;
            }
            let mover = if balance == 0 { Player::First } else { Player::Second };
            let live = self.partners.sum(group.kind, at, class, sums, totals[at]);
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
            if let Some(below) = self.below.filter(|_| self.first && top == Some(mover.other())) {
                let arrived = sides * below.sum(group.kind, at, class, sums, totals[at]);
                tally.terminal[tier] = tally.terminal[tier].wrapping_sub(arrived);
            }
        }
    }

    fn count_term(&self, term: &Term, times: i64, sums: &[u32], totals: &[u64], tally: &mut Tally) {
        let Centre { stones, surplus, ground, .. } = *self.centre;
        let lifted = || term.lifted.iter().flatten();
        let Some(one) = lifted().next() else { return };
        // One of the stones lies off the side again, so it is the mover's turn back then.
        let before = self.mine.class_of(*one);
        let balance = i32::from(term.last == Player::Second);
        let matching = balance - before.surplus - surplus;
        for at in self.theirs.classes_of(matching..=matching) {
            let class = &self.theirs.classes()[at];
            let tier = before.stones + 1 + stones + class.stones;
            if totals[at] == 0 || tier > ground.up_to.stones() {
                continue;
            }
            let below = term.centre.zip(self.below);
            let all = lifted().all(|kind| self.partners.share(*kind, at) == Share::All)
                && below.is_none_or(|(kind, below)| below.share(kind, at) == Share::All);
            let number = if all {
                totals[at]
            } else {
                sum_of(&class.types, sums, |word| {
                    let lifted = lifted().map(|kind| self.partners.word(*kind, word));
                    let below = below.map(|(kind, below)| below.word(kind, word));
                    lifted.chain(below).fold(u64::MAX, |both, word| both & word)
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
