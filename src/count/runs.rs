//! Positions that more than one last move can have made, their four across the centre.
//!
//! A stone that completes a four need not be the only one that could have: of
//! `X X X X` on top of four columns each may have been the last. All fours of
//! such a position lie on one line, and the candidates are the top stones on it
//! that all the fours share. With one column as the centre and
//! (left, right) the number of stones that each side adds to the line:
//!
//! ```text
//!     far near  C  near far
//!          1    o   1   1      (1, 2): candidates near | C | near far
//!      1   1    o   1          (2, 1): candidates far near | C | near
//!      1   1    o   1   1      (2, 2): candidates     near | C | near
//! ```
//!
//! A candidate counts if the position without it can be reached in turn. What is
//! counted here is, over all such positions, how many last moves there are *too
//! many*: one less than the number of candidates that count.

use std::collections::HashMap;

use super::beside::Beside;
use super::centre::Centre;
use super::face::{Face, Lines};
use super::partners::Share;
use crate::board::Player;
use crate::order::{OrderType, SideTypes};

/// How many stones the left and the right side add to the line, and whether the
/// far stones are shared by all its fours.
const SHAPES: [(Shape, Shape); 3] = [
    (Shape { far: false, far_shared: false }, Shape { far: true, far_shared: true }),
    (Shape { far: true, far_shared: true }, Shape { far: false, far_shared: false }),
    (Shape { far: true, far_shared: false }, Shape { far: true, far_shared: false }),
];

#[derive(Clone, Copy)]
struct Shape {
    far: bool,
    far_shared: bool,
}

/// The type of a side, and those that lifting its candidates leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Kinds {
    whole: OrderType,
    lifted: [Option<OrderType>; 2],
}

/// Sides with the same number of candidates, by the face that they show apart
/// from the line.
#[derive(Default)]
struct Candidates {
    groups: Vec<(Face, Kinds, u32)>,
}

/// Last moves too many, by tier of the position, for fours on lines through `centre`.
pub(super) fn spare_last_moves(centre: &Centre, left: &Beside, right: &Beside, spare: &mut [u64]) {
    for player in Player::BOTH {
        let lines = left.view.lines_of_player(player);
        for line in (0..Lines::BITS).map(|bit| 1 << bit).filter(|line| lines & line != 0) {
            let from_top = line & left.view.lines_of_centre_top() != 0;
            for (left_shape, right_shape) in SHAPES {
                let rights = candidates(right, line, right_shape);
                if rights.iter().all(|list| list.groups.is_empty()) {
                    continue;
                }
                let lefts = candidates(left, line, left_shape);
                for (a, lefts) in lefts.iter().enumerate() {
                    for (b, rights) in rights.iter().enumerate() {
                        let most = a + b + usize::from(from_top);
                        if most >= 2 {
                            let four = Four { player, from_top, most };
                            pair_up(centre, four, lefts, rights, spare);
                        }
                    }
                }
            }
        }
    }
}

/// The sides that continue `line` in this shape, by number of candidates.
fn candidates(beside: &Beside, line: Lines, shape: Shape) -> [Candidates; 3] {
    let sides = beside.sides;
    let mut inners: Vec<_> = (beside.inners.iter())
        .filter(|inner| inner.continues(line) == (true, shape.far))
        .map(|inner| (inner.face.without(line), inner))
        .collect();
    inners.sort_by_key(|(face, _)| *face);
    let mut lists: [Candidates; 3] = Default::default();
    let mut tally: HashMap<Kinds, u32> = HashMap::new();
    let mut plain: Vec<u32> = vec![0; sides.types()];
    for same_face in inners.chunk_by(|a, b| a.0 == b.0) {
        let face = same_face[0].0;
        for (_, inner) in same_face {
            let on_top = |distance| beside.lines_of_top(inner.tuple, distance) & line != 0;
            let lift = |distance| sides.lift_inner(inner.tuple, distance).map(|(_, tuple)| tuple);
            let near = on_top(1).then(|| lift(1)).flatten();
            let far = (shape.far_shared && on_top(2)).then(|| lift(2)).flatten();
            for third in beside.open_thirds(inner) {
                for outer in sides.outers_with_third(third) {
                    let Some(whole) = sides.type_of(inner.tuple, outer) else { continue };
                    if near.is_none() && far.is_none() {
                        plain[whole.index()] += 1;
                        continue;
                    }
                    let lifted =
                        [near, far].map(|tuple| tuple.and_then(|tuple| sides.type_of(tuple, outer)));
                    *tally.entry(Kinds { whole, lifted }).or_default() += 1;
                }
            }
        }
        for (kind, sides) in plain.iter_mut().enumerate().filter(|(_, sides)| **sides > 0) {
            let kinds = Kinds { whole: OrderType(kind as u32), lifted: [None; 2] };
            lists[0].groups.push((face, kinds, std::mem::take(sides)));
        }
        for (kinds, sides) in tally.drain() {
            let number = kinds.lifted.into_iter().flatten().count();
            lists[number].groups.push((face, kinds, sides));
        }
    }
    lists
}

#[derive(Clone, Copy)]
struct Four {
    player: Player,
    /// The top stone of the centre lies on the line.
    from_top: bool,
    /// Candidates, if all of them count.
    most: usize,
}

impl Four {
    /// The balance of colours in the position: 1 after the first player's move.
    fn balance(self) -> i32 {
        i32::from(self.player == Player::First)
    }
}

fn pair_up(centre: &Centre, four: Four, lefts: &Candidates, rights: &Candidates, spare: &mut [u64]) {
    let types = centre.right_types();
    // Number the right kinds by class, so that each class is a stretch.
    let mut kinds: Vec<Kinds> = rights.groups.iter().map(|(_, kinds, _)| *kinds).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let number: HashMap<Kinds, u32> = kinds.iter().copied().zip(0..).collect();
    let numbered: Vec<(Face, u32, u32)> =
        rights.groups.iter().map(|(face, kinds, sides)| (*face, number[kinds], *sides)).collect();
    let stretches: Vec<std::ops::Range<usize>> = (types.classes().iter())
        .map(|class| {
            let before = |type_at: usize| kinds.partition_point(|k| k.whole.index() < type_at);
            before(class.types.start)..before(class.types.end)
        })
        .collect();
    let mut sums = vec![0u32; kinds.len()];
    for same_face in lefts.groups.chunk_by(|a, b| a.0 == b.0) {
        let forbidden = same_face[0].0.forbids();
        sums.fill(0);
        for rights in numbered.chunk_by(|a, b| a.0 == b.0) {
            if rights[0].0.bits() & forbidden == 0 {
                for (_, kind, sides) in rights {
                    sums[*kind as usize] += sides;
                }
            }
        }
        let totals: Vec<u64> = stretches
            .iter()
            .map(|stretch| sums[stretch.clone()].iter().map(|sides| u64::from(*sides)).sum())
            .collect();
        for (_, left, sides) in same_face {
            for (class, total) in totals.iter().enumerate().filter(|(_, total)| **total > 0) {
                let Some(tier) = centre.tier_of(left.whole, class, four.balance()) else { continue };
                let count = if every_candidate_counts(centre, four, left, class) {
                    (four.most as u64 - 1) * total
                } else {
                    let stretch = stretches[class].clone();
                    let right = kinds[stretch.clone()].iter().zip(&sums[stretch]);
                    right.map(|(right, sides)| {
                        let last_moves = last_moves(centre, four, left, right);
                        u64::from(last_moves.saturating_sub(1)) * u64::from(*sides)
                    }).sum()
                };
                spare[tier] = spare[tier].wrapping_add(count.wrapping_mul(u64::from(*sides)));
            }
        }
    }
}

/// Is order no obstacle, whatever the right side of this class?
fn every_candidate_counts(centre: &Centre, four: Four, left: &Kinds, class: usize) -> bool {
    let all = |share| share == Share::All;
    let lefts = left.lifted.into_iter().flatten();
    let from_left = || lefts.clone().all(|kind| all(centre.partners.share(kind, class)));
    let from_top = || {
        !four.from_top || centre.below.as_ref().is_some_and(|below| all(below.share(left.whole, class)))
    };
    let lifted_class = centre.class_without(class, four.player);
    let from_right = || lifted_class.is_some_and(|class| all(centre.partners.share(left.whole, class)));
    from_left() && from_top() && from_right()
}

/// How many of the candidates can have been the last move.
fn last_moves(centre: &Centre, four: Four, left: &Kinds, right: &Kinds) -> u32 {
    let on_left = left.lifted.into_iter().flatten().filter(|kind| centre.partners.has(*kind, right.whole));
    let on_right = right.lifted.into_iter().flatten().filter(|kind| centre.partners.has(left.whole, *kind));
    let on_top = four.from_top
        && centre.below.as_ref().is_some_and(|below| below.has(left.whole, right.whole));
    on_left.count() as u32 + on_right.count() as u32 + u32::from(on_top)
}

/// The class with one stone of `player` less.
pub(super) fn class_without(types: &SideTypes, class: usize, player: Player) -> Option<usize> {
    let class = &types.classes()[class];
    let wanted = (class.surplus - player.sign(), class.stones.checked_sub(1)?);
    types.classes().iter().position(|class| (class.surplus, class.stones) == wanted)
}
