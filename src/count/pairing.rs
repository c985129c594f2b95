//! For each face of one side, the sides of the other that it may stand beside.
//!
//! Given many faces of one side, we want for each of them how many sides of
//! every type on the other side close no four with it. Faces that have lines in
//! common share the work: they are walked in order as a tree that branches on
//! one line after the other, and going down by a line takes away the sides that
//! this line forbids.
//!
//! ```text
//!     all sides of the other hand
//!      └ those not near on line 7 ─┬ nor near on line 3 ─ face {far 7, far 3}
//!                                  └ nor far on line 2 ── face {far 7, near 2}
//! ```

use std::ops::Range;

use super::beside::Shown;
use super::face::Face;

/// How many sides of each type may stand beside a face.
type Sums = Vec<u32>;

/// Calls `visit` with each of `targets`, which are sorted by their bits, and the
/// number of sides by type among `others` that close no four with it.
pub(super) fn for_each_face(
    targets: &[Face],
    others: &Shown,
    types: usize,
    mut visit: impl FnMut(Face, &Sums),
) {
    debug_assert!(targets.is_sorted_by_key(|face| face.bits()));
    let others = Others::new(others);
    let mut root = Level { prefix: 0, bit: u128::BITS, sums: vec![0; types] };
    for (kind, sides) in &others.groups {
        root.sums[*kind as usize] += sides;
    }
    let mut path = vec![root];
    // Levels that were left are kept for their buffers.
    let mut spare: Vec<Level> = Vec::new();
    for face in targets {
        let bits = face.bits();
        while let Some(last) = path.last()
            && last.prefix != bits.checked_shr(last.bit).map_or(0, |above| above << last.bit)
        {
            spare.extend(path.pop());
        }
        while let Some(last) = path.last()
            && let Some(bit) = (bits & !last.prefix).checked_ilog2()
        {
            let mut next = spare.pop().unwrap_or_default();
            next.descend(last, bit, &others);
            path.push(next);
        }
        visit(*face, &path.last().expect("the root stays").sums);
    }
}

/// The other sides, the way that going down the tree wants them.
struct Others {
    /// By bit: what else the faces that it takes away forbid, and their groups.
    forbidden_by: Vec<Vec<(u128, Range<u32>)>>,
    /// Type and number of sides, face by face.
    groups: Vec<(u32, u32)>,
}

impl Others {
    fn new(shown: &Shown) -> Others {
        let mut others = Others { forbidden_by: vec![Vec::new(); 128], groups: Vec::new() };
        for (face, groups) in &shown.faces {
            let start = others.groups.len() as u32;
            let present = shown.groups[groups.clone()].iter().filter(|group| group.sides > 0);
            others.groups.extend(present.map(|group| (group.kind.0, group.sides)));
            let range = start..others.groups.len() as u32;
            let forbids = face.forbids();
            for (bit, list) in others.forbidden_by.iter_mut().enumerate() {
                if forbids >> bit & 1 == 1 {
                    list.push((forbids, range.clone()));
                }
            }
        }
        others
    }
}

/// A place on the way down the tree.
#[derive(Default)]
struct Level {
    /// The bits of the faces below it, as far as they have been branched on.
    prefix: u128,
    /// The last bit branched on; 128 at the root.
    bit: u32,
    sums: Sums,
}

impl Level {
    /// Becomes the level below `above` that `bit` leads to.
    fn descend(&mut self, above: &Level, bit: u32, others: &Others) {
        self.prefix = above.prefix | 1 << bit;
        self.bit = bit;
        self.sums.clone_from(&above.sums);
        for (forbids, groups) in &others.forbidden_by[bit as usize] {
            // Those that clash with a line further up are gone already.
            if forbids & above.prefix == 0 {
                for (kind, sides) in &others.groups[groups.start as usize..groups.end as usize] {
                    self.sums[*kind as usize] -= sides;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::beside::Group;
    use super::*;
    use crate::order::OrderType;

    proptest::proptest! {
        #[test]
        fn sums_are_those_of_asking_every_pair(
            targets in proptest::collection::vec((0u64..64, 0u64..64), 0..40),
            others in proptest::collection::vec((0u64..64, 0u64..64, 0u32..5, 1u32..9), 0..40),
        ) {
            let face = |near: u64, far: u64| Face { near: near << 40, far: (near & far) << 40 };
            let mut targets: Vec<Face> = targets.into_iter().map(|(n, f)| face(n, f)).collect();
            targets.sort_by_key(|face| face.bits());
            let mut shown = Shown { faces: Vec::new(), groups: Vec::new() };
            for (at, (near, far, kind, sides)) in others.into_iter().enumerate() {
                shown.faces.push((face(near, far), at..at + 1));
                let kind = OrderType(kind);
                shown.groups.push(Group { kind, sides, open: 0, lifted: [0; 2] });
            }
            let mut visited = 0;
            for_each_face(&targets, &shown, 5, |target, sums| {
                assert_eq!(target, targets[visited]);
                visited += 1;
                let mut expected = vec![0; 5];
                for ((other, _), group) in shown.faces.iter().zip(&shown.groups) {
                    if target.near & other.far | target.far & other.near == 0 {
                        expected[group.kind.index()] += group.sides;
                    }
                }
                assert_eq!(sums, &expected);
            });
            assert_eq!(visited, targets.len());
        }
    }
}
