//! The types of all sides of one width, numbered so that types of one class, which stand beside the
//! same other classes, are neighbours.

use std::collections::BTreeMap;
use std::ops::Range;

use super::column_sets::ColumnSets;
use super::family::Members;
use super::refine::Types;

/// A move-order type of a side: sides of one type can be filled beside the same centres and
/// the same other sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct OrderType(pub(crate) u32);

impl OrderType {
    /// Counted from 0, for indexing. Types of one surplus are neighbours, and among them those of
    /// one number of stones.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The types with one number of stones and one surplus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TypeClass {
    /// Number of stones.
    pub stones: usize,
    /// First player's stones minus second player's.
    pub surplus: i32,
    /// The types.
    pub members: Range<usize>,
}

/// The types of all sides of one width.
pub(crate) struct SideTypes {
    sets: ColumnSets,
    /// Indexed by member of the multisets.
    of: Vec<OrderType>,
    classes: Vec<TypeClass>,
    /// Maps the order of the types here to the order in which they were found.
    found_as: Vec<u32>,
}

impl SideTypes {
    pub(super) fn new(sets: ColumnSets, types: &Types) -> SideTypes {
        let mut found_as: Vec<u32> = (0..types.len() as u32).collect();
        let class = |found: &u32| {
            (types.family.surplus(*found as usize), types.family.stones(*found as usize))
        };
        found_as.sort_by_key(class);
        let mut renamed = vec![OrderType(0); types.len()];
        let mut ranges: BTreeMap<(i8, u8), Range<usize>> = BTreeMap::new();
        for (new, found) in found_as.iter().enumerate() {
            renamed[*found as usize] = OrderType(new as u32);
            ranges.entry(class(found)).or_insert(new..new).end = new + 1;
        }
        let classes = ranges.into_iter().map(|((surplus, stones), members)| TypeClass {
            stones: stones.into(),
            surplus: surplus.into(),
            members,
        });
        let of = types.of.iter().map(|found| renamed[*found as usize]).collect();
        SideTypes { sets, of, classes: classes.collect(), found_as }
    }

    /// The number under which a type was found.
    pub(super) fn found_as(&self, kind: OrderType) -> usize {
        self.found_as[kind.index()] as usize
    }

    /// The type of a side with these columns, in any order; `None` if it has more stones than were
    /// asked for. Sorts `columns`.
    pub(crate) fn type_of(&self, columns: &mut [usize]) -> Option<OrderType> {
        self.of.get(self.sets.member(columns) as usize).copied()
    }

    /// All classes of types, by surplus, then by stones.
    pub(crate) fn classes(&self) -> &[TypeClass] {
        &self.classes
    }

    /// The stones and the surplus of a type.
    pub(crate) fn class_of(&self, kind: OrderType) -> &TypeClass {
        let after = self.classes.partition_point(|class| class.members.start <= kind.index());
        &self.classes[after - 1]
    }

    /// Number of types.
    pub(crate) fn len(&self) -> usize {
        self.found_as.len()
    }
}
