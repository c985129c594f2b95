//! The sides beside one centre, grouped by their reach.
//!
//! Sides with the same reach and the same local type count alike, so a group only stores how many
//! there are. It also stores what is needed to count moves: the number of their columns with room,
//! and the number of other sides with this reach that lifting a top stone turns into a side of this
//! local type.
//!
//! Sides with a four of their own, or together with the centre, are in no group.

use super::local_types::{LocalType, LocalTypes};
use super::reach::{Lines, Reach, View};
use super::sides::{Entries, Sides};

/// Sides of one reach and one local type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Group {
    pub(super) local_type: LocalType,
    /// The number of sides.
    pub(super) sides: u32,
    /// The number of columns with room, over all these sides.
    pub(super) open: u32,
    /// The number of sides of this reach that lifting a stone of either player turns into this
    /// local type.
    pub(super) lifted: [u32; 2],
}

impl Group {
    fn empty(local_type: LocalType) -> Group {
        Group { local_type, sides: 0, open: 0, lifted: [0; 2] }
    }
}

/// All groups, by reach.
#[derive(Default)]
pub(super) struct ByReach {
    pub(super) reaches: Vec<(Reach, std::ops::Range<usize>)>,
    pub(super) groups: Vec<Group>,
}

impl ByReach {
    /// The groups of the mirror images of these sides, on the other side of the centre.
    pub(super) fn mirrored(&self, height: usize) -> ByReach {
        let reaches =
            self.reaches.iter().map(|(reach, groups)| (reach.mirrored(height), groups.clone()));
        ByReach { reaches: reaches.collect(), groups: self.groups.clone() }
    }
}

/// What the columns of a side look like from one centre.
struct Looks {
    lines: [Vec<Lines>; 3],
    tops: [Vec<Lines>; 3],
}

impl Looks {
    fn new(sides: &Sides, view: &View) -> Looks {
        let codes = &sides.columns.codes;
        let each = |look: &dyn Fn(usize, usize) -> Lines| {
            [1, 2, 3].map(|distance| (0..codes.len()).map(|id| look(id, distance)).collect())
        };
        Looks {
            lines: each(&|id, distance| view.lines(codes[id], distance)),
            tops: each(&|id, distance| view.lines_of_top(codes[id], distance)),
        }
    }

    /// The lines that the near column continues, and those that near and far column continue. A
    /// side without these columns continues none.
    fn inner(&self, sides: &Sides, tuple: usize) -> (Lines, Lines) {
        let [near, far] = [1, 2].map(|distance| {
            let id = sides.inner_column(tuple, distance);
            id.map_or(0, |id| self.lines[distance - 1][id])
        });
        (near, near & far)
    }
}

/// An inner tuple as seen from the centre.
pub(super) struct Inner {
    pub(super) reach: Reach,
    pub(super) tuple: usize,
    /// The lines that the near column continues.
    pub(super) near: Lines,
    /// The lines that near and far column continue.
    pub(super) both: Lines,
    /// The number of stones that the outer columns may have.
    pub(super) room: usize,
    /// How often its sides count.
    pub(super) times: u32,
}

/// The sides as seen from a centre, by reach, inner tuple by inner tuple.
pub(super) struct SideGroups<'a> {
    pub(super) sides: &'a Sides,
    pub(super) view: &'a View,
    pub(super) local_types: &'a LocalTypes,
    looks: Looks,
    /// By reach.
    pub(super) inners: Vec<Inner>,
}

impl<'a> SideGroups<'a> {
    /// A view of the sides with at most `room` stones.
    pub(super) fn new(
        sides: &'a Sides,
        view: &'a View,
        room: usize,
        local_types: &'a LocalTypes,
    ) -> SideGroups<'a> {
        let looks = Looks::new(sides, view);
        let mut inners: Vec<Inner> = (sides.inners())
            .filter_map(|tuple| {
                let room = room.checked_sub(sides.inner_stones(tuple))?;
                let room = room.min(sides.most_outer_stones());
                let (near, both) = looks.inner(sides, tuple);
                Some(Inner { reach: view.reach(near, both), tuple, near, both, room, times: 1 })
            })
            .collect();
        inners.sort_unstable_by_key(|inner| (inner.reach, inner.both, inner.tuple));
        SideGroups { sides, view, local_types, looks, inners }
    }

    /// Of two positions that are mirror images, keeps one and counts it twice, given the centre
    /// column, which is the near column of the other one. The other side must be one column
    /// narrower.
    pub(super) fn keep_one_of_mirror_images(&mut self, centre: usize) {
        let near = |inner: &Inner| self.sides.inner_column(inner.tuple, 1);
        self.inners.retain(|inner| near(inner) >= Some(centre));
        for inner in &mut self.inners {
            inner.times =
                if self.sides.inner_column(inner.tuple, 1) == Some(centre) { 1 } else { 2 };
        }
    }

    /// The local type of a side, if it holds no four of its own.
    pub(super) fn local_type(&self, tuple: usize, outer: usize) -> Option<LocalType> {
        self.local_type_in(self.sides.entries(tuple), outer)
    }

    /// The same, given the entries of the inner tuple.
    pub(super) fn local_type_in(&self, entries: Entries, outer: usize) -> Option<LocalType> {
        entries.of(outer).map(|kind| self.local_types.of(kind))
    }

    /// The lines that the near column of an inner tuple continues, and those that both columns
    /// continue.
    pub(super) fn lines(&self, tuple: usize) -> (Lines, Lines) {
        self.looks.inner(self.sides, tuple)
    }

    /// The lines that the third column can complete.
    pub(super) fn third(&self, third: usize) -> Lines {
        if self.sides.width() >= 3 { self.looks.lines[2][third] } else { 0 }
    }

    /// The lines on which the top stone of a third column lies.
    pub(super) fn top_of_third(&self, third: usize) -> Lines {
        self.looks.tops[2][third]
    }

    /// The lines on which the top stone of an inner column lies.
    pub(super) fn lines_of_top(&self, tuple: usize, distance: usize) -> Lines {
        let id = self.sides.inner_column(tuple, distance);
        id.map_or(0, |id| self.looks.tops[distance - 1][id])
    }

    /// All sides by reach and local type.
    pub(super) fn by_reach(&self) -> ByReach {
        self.grouped(SideGroups::count_sides)
    }

    /// The same without the numbers that moves are counted by.
    pub(super) fn by_reach_without_moves(&self) -> ByReach {
        self.grouped(|_, inner, outers, counts| {
            let entries = self.sides.entries(inner.tuple);
            for outer in outers {
                if let Some(local_type) = self.local_type_in(entries, *outer as usize) {
                    counts.of(local_type).sides += 1;
                }
            }
        })
    }

    fn grouped(&self, count: impl Fn(&Self, &Inner, &[u32], &mut LocalTypeCounts)) -> ByReach {
        let mut all = ByReach::default();
        let mut counts = LocalTypeCounts::new(self.local_types.len());
        let mut open = OpenOuters::default();
        for same_reach in self.inners.chunk_by(|a, b| a.reach == b.reach) {
            for inner in same_reach {
                count(self, inner, open.of(self, inner), &mut counts);
            }
            let start = all.groups.len();
            counts.drain_into(&mut all.groups);
            if all.groups.len() > start {
                all.reaches.push((same_reach[0].reach, start..all.groups.len()));
            }
        }
        all
    }

    fn count_sides(&self, inner: &Inner, outers: &[u32], counts: &mut LocalTypeCounts) {
        let sides = self.sides;
        let tuple = inner.tuple;
        let entries = sides.entries(tuple);
        let inner_lifts = [1, 2].map(|distance| {
            sides.lift_inner(tuple, distance).map(|(player, below)| (player, sides.entries(below)))
        });
        let inner_open = sides.inner_open(tuple);
        for outer in outers.iter().map(|outer| *outer as usize) {
            let Some(local_type) = self.local_type_in(entries, outer) else { continue };
            let group = counts.of(local_type);
            group.sides += 1;
            group.open += inner_open + sides.outer_open(outer);
            for (player, lifted) in inner_lifts.into_iter().flatten() {
                if let Some(local_type) = self.local_type_in(lifted, outer) {
                    counts.of(local_type).lifted[player.index()] += 1;
                }
            }
            for (player, lifted) in sides.lift_outers(outer) {
                if let Some(local_type) = self.local_type_in(entries, lifted) {
                    counts.of(local_type).lifted[player.index()] += 1;
                }
            }
        }
    }
}

/// The outer tuples that complete no four with an inner one and the centre, listed again only if
/// they differ from those of the previous inner tuple.
#[derive(Default)]
pub(super) struct OpenOuters {
    /// The lines that near and far column continue, and the number of stones for which there is
    /// room.
    of: Option<(Lines, usize)>,
    outers: Vec<u32>,
}

impl OpenOuters {
    pub(super) fn of(&mut self, side_groups: &SideGroups, inner: &Inner) -> &[u32] {
        let wanted = (inner.both, inner.room);
        if self.of != Some(wanted) {
            self.of = Some(wanted);
            let thirds =
                side_groups.sides.thirds().filter(|t| inner.both & side_groups.third(*t) == 0);
            let outers = thirds.flat_map(|third| side_groups.sides.outers(third, inner.room));
            self.outers.clear();
            self.outers.extend(outers.map(|outer| outer as u32));
        }
        &self.outers
    }
}

/// Counts by local type; clearing costs only as much as was counted.
struct LocalTypeCounts {
    groups: Vec<Group>,
    touched: Vec<LocalType>,
}

impl LocalTypeCounts {
    fn new(local_types: usize) -> LocalTypeCounts {
        let groups = (0..local_types as u32).map(|number| Group::empty(LocalType(number)));
        LocalTypeCounts { groups: groups.collect(), touched: Vec::new() }
    }

    fn of(&mut self, local_type: LocalType) -> &mut Group {
        let group = &mut self.groups[local_type.index()];
        if group.sides == 0 && group.lifted == [0; 2] {
            self.touched.push(local_type);
        }
        group
    }

    fn drain_into(&mut self, groups: &mut Vec<Group>) {
        self.touched.sort_unstable();
        for local_type in self.touched.drain(..) {
            let group = &mut self.groups[local_type.index()];
            groups.push(std::mem::replace(group, Group::empty(local_type)));
        }
    }
}
