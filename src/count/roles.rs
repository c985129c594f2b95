//! Types of sides, as far as one centre distinguishes them.
//!
//! Types differ beside some centre or other. Beside one given centre, with and without its top
//! stone, many give the same answers: they play one **role**. On 7x6 the 2,182 types play about 500
//! roles beside a full centre.
//!
//! Roles are numbered as types are, with those of one class side by side.

use std::hash::Hash;
use std::ops::Range;

use crate::order::{OrderType, QuickMap, SideTypes};

/// One of the roles that types play beside a centre.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Role(pub(super) u32);

impl Role {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Roles, or other things, with the same number of stones and the same surplus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Class {
    pub(super) stones: usize,
    pub(super) surplus: i32,
    pub(super) members: Range<usize>,
}

/// The roles of all types of a side. Their classes are those of the types.
pub(super) struct Roles {
    /// Indexed by type.
    of: Vec<Role>,
    /// For each role, a type that plays it.
    types: Vec<OrderType>,
    /// Indexed by role.
    class_of: Vec<u32>,
    classes: Vec<Class>,
}

impl Roles {
    /// Types of one class play one role if `answers` is the same for them.
    pub(super) fn new<A: Hash + Eq>(
        types: &SideTypes,
        mut answers: impl FnMut(OrderType) -> A,
    ) -> Roles {
        let mut roles = Roles {
            of: Vec::with_capacity(types.len()),
            types: Vec::new(),
            class_of: Vec::new(),
            classes: Vec::with_capacity(types.classes().len()),
        };
        for (at, class) in (0..).zip(types.classes()) {
            let start = roles.types.len();
            let mut known: QuickMap<A, Role> = QuickMap::default();
            for kind in class.types.clone().map(|kind| OrderType(kind as u32)) {
                let role = *known.entry(answers(kind)).or_insert_with(|| {
                    roles.types.push(kind);
                    roles.class_of.push(at);
                    Role(roles.types.len() as u32 - 1)
                });
                roles.of.push(role);
            }
            let members = start..roles.types.len();
            roles.classes.push(Class { stones: class.stones, surplus: class.surplus, members });
        }
        roles
    }

    /// The role that a type plays.
    pub(super) fn of(&self, kind: OrderType) -> Role {
        self.of[kind.index()]
    }

    /// A type that plays this role.
    pub(super) fn example(&self, role: Role) -> OrderType {
        self.types[role.index()]
    }

    /// All roles.
    pub(super) fn all(&self) -> impl Iterator<Item = Role> + use<> {
        (0..self.types.len() as u32).map(Role)
    }

    /// Number of roles.
    pub(super) fn len(&self) -> usize {
        self.types.len()
    }

    /// The number of a role's class.
    pub(super) fn class_number(&self, role: Role) -> usize {
        self.class_of[role.index()] as usize
    }

    /// The stones and the surplus of a role.
    pub(super) fn class_of(&self, role: Role) -> &Class {
        &self.classes[self.class_number(role)]
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
