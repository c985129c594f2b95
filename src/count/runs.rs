//! Fours across the centre that a stone of either side can have completed.
//!
//! A stone that completes a four need not be the only one that could have: of
//! `X X X X` on top of four columns each may have been the last. All fours of
//! such a position lie on one line, and the candidates are the top stones on it
//! that all its fours share:
//!
//! ```text
//!     far near  C  near far      sides add (left, right)
//!          1    o   1   1        (1, 2): candidates near | C | near far
//!      1   1    o   1            (2, 1): candidates far near | C | near
//!      1   1    o   1   1        (2, 2): candidates     near | C | near
//! ```
//!
//! A candidate counts if the position without it can be reached in turn. The
//! two sides are asked one by one elsewhere, each together with the centre; a
//! position that has candidates on both sides and none in the centre is then
//! counted twice, and those are found here.

use std::collections::HashMap;
use std::ops::Range;

use super::beside::{Beside, Inner};
use super::centre::Centre;
use super::face::{Face, Lines};
use super::partners::Share;
use crate::board::Player;
use crate::order::OrderType;

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

/// Sides with candidates, by the face that they show apart from the line.
#[derive(Default)]
struct Candidates {
    faces: Vec<(Face, Range<usize>)>,
    groups: Vec<(Kinds, u32)>,
}

/// Adds up, by tier, the positions whose four a stone of either side can have
/// completed, but none of the centre.
pub(super) fn made_from_both_sides(
    centre: &Centre,
    left: &Beside,
    right: &Beside,
    both: &mut [u64],
) {
    let (left_inners, right_inners) = (with_top_on_lines(left), with_top_on_lines(right));
    for last in Player::BOTH {
        let lines = left.view.lines_of_player(last);
        for (line, (lefts, rights)) in (0..).zip(left_inners.iter().zip(&right_inners)) {
            let line = 1 << line;
            if lines & line == 0 || lefts.is_empty() || rights.is_empty() {
                continue;
            }
            let from_top = line & left.view.lines_of_centre_top() != 0;
            for (left_shape, right_shape) in SHAPES {
                let lefts = Candidates::new(left, lefts, line, left_shape);
                if !lefts.groups.is_empty() {
                    let rights = Candidates::new(right, rights, line, right_shape);
                    pair_up(centre, Four { last, from_top }, &lefts, &rights, both);
                }
            }
        }
    }
}

/// By line: the inner tuples that continue it and have a top stone on it.
fn with_top_on_lines<'a>(beside: &'a Beside) -> Vec<Vec<&'a Inner>> {
    let mut by_line = vec![Vec::new(); Lines::BITS as usize];
    for inner in &beside.inners {
        let mut lines = inner.near & beside.lines_of_top(inner.tuple, 1)
            | inner.both & beside.lines_of_top(inner.tuple, 2);
        while lines != 0 {
            by_line[lines.trailing_zeros() as usize].push(inner);
            lines &= lines - 1;
        }
    }
    by_line
}

impl Candidates {
    /// Of the sides with these inner tuples, those that continue `line` in this shape.
    fn new(beside: &Beside, inners: &[&Inner], line: Lines, shape: Shape) -> Candidates {
        let sides = beside.sides;
        let lift = |tuple, distance, counts: bool| {
            let on_top = counts && beside.lines_of_top(tuple, distance) & line != 0;
            sides.lift_inner(tuple, distance).filter(|_| on_top).map(|(_, lifted)| lifted)
        };
        let mut inners: Vec<_> = inners
            .iter()
            .filter(|inner| (inner.both & line != 0) == shape.far)
            .map(|inner| {
                let lifted = [(1, true), (2, shape.far_shared)]
                    .map(|(distance, counts)| lift(inner.tuple, distance, counts));
                (inner.face.without(line), inner, lifted)
            })
            .filter(|(.., lifted)| lifted.iter().any(Option::is_some))
            .collect();
        inners.sort_by_key(|(face, ..)| *face);
        let mut found = Candidates::default();
        let mut all: Vec<Kinds> = Vec::new();
        for same_face in inners.chunk_by(|a, b| a.0 == b.0) {
            all.clear();
            for (_, inner, lifted) in same_face {
                for outer in beside.open_outers(inner) {
                    let Some(whole) = beside.kind(inner.tuple, outer) else { continue };
                    let lifted = lifted.map(|tuple| beside.kind(tuple?, outer));
                    all.push(Kinds { whole, lifted });
                }
            }
            all.sort_unstable();
            let start = found.groups.len();
            let groups = all.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32));
            found.groups.extend(groups);
            found.faces.push((same_face[0].0, start..found.groups.len()));
        }
        found
    }
}

#[derive(Clone, Copy)]
struct Four {
    last: Player,
    /// The top stone of the centre lies on the line.
    from_top: bool,
}

impl Four {
    /// The balance of colours in the position: 1 after the first player's move.
    fn balance(self) -> i32 {
        i32::from(self.last == Player::First)
    }
}

fn pair_up(centre: &Centre, four: Four, lefts: &Candidates, rights: &Candidates, both: &mut [u64]) {
    let types = centre.right_types();
    // Number the right kinds by class, so that each class is a stretch.
    let mut kinds: Vec<Kinds> = rights.groups.iter().map(|(kinds, _)| *kinds).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let number: HashMap<Kinds, u32> = kinds.iter().copied().zip(0..).collect();
    let numbered: Vec<(u32, u32)> =
        rights.groups.iter().map(|(kinds, sides)| (number[kinds], *sides)).collect();
    let stretches: Vec<Range<usize>> = (types.classes().iter())
        .map(|class| {
            let before = |type_at: usize| kinds.partition_point(|k| k.whole.index() < type_at);
            before(class.types.start)..before(class.types.end)
        })
        .collect();
    let mut sums = vec![0u32; kinds.len()];
    let mut totals = vec![0u64; stretches.len()];
    for (face, groups) in &lefts.faces {
        let forbidden = face.forbids();
        sums.fill(0);
        for (right, groups) in &rights.faces {
            if right.bits() & forbidden == 0 {
                for (kind, sides) in &numbered[groups.clone()] {
                    sums[*kind as usize] += sides;
                }
            }
        }
        for (total, stretch) in totals.iter_mut().zip(&stretches) {
            *total = sums[stretch.clone()].iter().map(|sides| u64::from(*sides)).sum();
        }
        for (left, sides) in &lefts.groups[groups.clone()] {
            for class in centre.right_classes(left.whole, four.balance()) {
                let Some(tier) = centre.tier_of(left.whole, class).filter(|_| totals[class] > 0)
                else {
                    continue;
                };
                let number = match Verdict::of(centre, four, left, class) {
                    Verdict::None => 0,
                    Verdict::All => totals[class],
                    Verdict::Ask => {
                        let stretch = stretches[class].clone();
                        let right = kinds[stretch.clone()].iter().zip(&sums[stretch]);
                        let counts = right.filter(|(right, _)| counts(centre, four, left, right));
                        counts.map(|(_, sides)| u64::from(*sides)).sum()
                    }
                };
                both[tier] = both[tier].wrapping_add(number.wrapping_mul(u64::from(*sides)));
            }
        }
    }
}

/// What can be told of all right sides of one class at once.
enum Verdict {
    None,
    All,
    Ask,
}

impl Verdict {
    fn of(centre: &Centre, four: Four, left: &Kinds, class: usize) -> Verdict {
        let before = centre.fits.before.as_ref().filter(|_| four.from_top);
        let from_top = before.map_or(Share::None, |before| before.share(left.whole, class));
        if from_top == Share::All {
            return Verdict::None;
        }
        let mut lefts = left.lifted.into_iter().flatten();
        let from_left = lefts.any(|kind| centre.fits.now.share(kind, class) == Share::All);
        let lifted_class = centre.class_without(class, four.last);
        let from_right = lifted_class
            .is_some_and(|class| centre.fits.now.share(left.whole, class) == Share::All);
        if from_left && from_right && from_top == Share::None { Verdict::All } else { Verdict::Ask }
    }
}

/// Can the last move have been made on either side, but not in the centre?
fn counts(centre: &Centre, four: Four, left: &Kinds, right: &Kinds) -> bool {
    let before = centre.fits.before.as_ref().filter(|_| four.from_top);
    let mut on_left = left.lifted.into_iter().flatten();
    let mut on_right = right.lifted.into_iter().flatten();
    !before.is_some_and(|before| before.has(left.whole, right.whole))
        && on_left.any(|kind| centre.fits.now.has(kind, right.whole))
        && on_right.any(|kind| centre.fits.now.has(left.whole, kind))
}
