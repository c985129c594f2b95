//! Types of sides, as far as one centre distinguishes them.
//!
//! Types differ beside some centre or other. Beside one given centre, with and without its top
//! stone, many give the same answers: they have one **local type**. On 7x6 the 2,182 types have
//! in the median about 700 local types beside a centre, full or not, and 2,013 beside the empty
//! one.
//!
//! Local types are numbered as types are, with those of one class side by side.

use std::hash::Hash;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::order::{OrderType, SideTypes};

/// Local types, or other things, with the same number of stones and the same surplus.
pub(super) use crate::order::TypeClass as Class;

/// What one centre distinguishes of a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct LocalType(pub(super) u32);

impl LocalType {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The local types of all types of a side. Their classes are those of the types.
pub(super) struct LocalTypes {
    /// Indexed by type.
    of: Vec<LocalType>,
    /// For each local type, a type that has it.
    types: Vec<OrderType>,
    /// Indexed by local type.
    class_of: Vec<u32>,
    classes: Vec<Class>,
}

impl LocalTypes {
    /// Types of one class have one local type if `answers` is the same for them.
    pub(super) fn new<A: Hash + Eq>(
        types: &SideTypes,
        mut answers: impl FnMut(OrderType) -> A,
    ) -> LocalTypes {
        let mut local_types = LocalTypes {
            of: Vec::with_capacity(types.len()),
            types: Vec::new(),
            class_of: Vec::new(),
            classes: Vec::with_capacity(types.classes().len()),
        };
        for (at, class) in (0..).zip(types.classes()) {
            let start = local_types.types.len();
            let mut known: FxHashMap<A, LocalType> = FxHashMap::default();
            for kind in class.members.clone().map(|kind| OrderType(kind as u32)) {
                let local_type = *known.entry(answers(kind)).or_insert_with(|| {
                    local_types.types.push(kind);
                    local_types.class_of.push(at);
                    LocalType(local_types.types.len() as u32 - 1)
                });
                local_types.of.push(local_type);
            }
            let members = start..local_types.types.len();
            local_types.classes.push(Class { members, ..*class });
        }
        local_types
    }

    /// The local type of a type.
    pub(super) fn of(&self, kind: OrderType) -> LocalType {
        self.of[kind.index()]
    }

    /// A type that has this local type.
    pub(super) fn example(&self, local_type: LocalType) -> OrderType {
        self.types[local_type.index()]
    }

    /// All local types.
    pub(super) fn all(&self) -> impl Iterator<Item = LocalType> + use<> {
        (0..self.types.len() as u32).map(LocalType)
    }

    /// Number of local types.
    pub(super) fn len(&self) -> usize {
        self.types.len()
    }

    /// The number of a local type's class.
    pub(super) fn class_number(&self, local_type: LocalType) -> usize {
        self.class_of[local_type.index()] as usize
    }

    /// The stones and the surplus of a local type.
    pub(super) fn class_of(&self, local_type: LocalType) -> &Class {
        &self.classes[self.class_number(local_type)]
    }

    /// All classes, by surplus, then by stones.
    pub(super) fn classes(&self) -> &[Class] {
        &self.classes
    }
}

/// The numbers of the classes with this surplus in an ordered list of classes.
pub(super) fn of_surplus(classes: &[Class], surplus: i32) -> Range<usize> {
    let before = |bound: i32| classes.partition_point(|class| class.surplus < bound);
    before(surplus)..before(surplus + 1)
}
