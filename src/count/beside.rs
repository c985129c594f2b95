//! The sides beside one centre, grouped by the face that they show.
//!
//! Sides that show the same face and are of the same type count alike, so a
//! group says how many there are. It also says what is needed to count moves:
//! how many of their columns have room, and of how many other sides, showing
//! this face, lifting a top stone makes a side of this type.
//!
//! Sides with a four on their own, or together with the centre, show no face.
//! They matter only where two or more top stones could have made that four; they
//! are picked out here, together with the sides whose top stones could have made
//! a four across the centre.

use super::face::{Face, Lines, View};
use super::sides::{Entry, Sides};
use crate::board::Player;
use crate::order::{OrderType, SideTypes};

/// Sides of one face and one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Group {
    pub(super) kind: OrderType,
    /// How many sides.
    pub(super) sides: u32,
    /// Columns with room, over all these sides.
    pub(super) open: u32,
    /// Sides of this face that lifting a stone of either player turns into this type.
    pub(super) lifted: [u32; 2],
}

/// All sides that show a face, by face.
pub(super) struct Shown {
    pub(super) faces: Vec<(Face, std::ops::Range<usize>)>,
    pub(super) groups: Vec<Group>,
}

/// A side that holds, or helps to hold, a four that two or more last moves can
/// have made: on the side's own columns or on the centre.
///
/// It is not one face that counts but several: that of each lifted side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Breakable {
    pub(super) last: Player,
    /// The side without one of its top stones: its face and type.
    pub(super) lifted: Vec<(Face, OrderType)>,
    /// The face and type of the whole side, seen from the centre without its
    /// top stone, where that lies on the four too.
    pub(super) centre: Option<(Face, OrderType)>,
    /// The face of the whole side, if it holds no four unless the other side
    /// continues it.
    pub(super) whole: Option<Face>,
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

    /// The lines that the near column, and the lines that near and far column
    /// continue; a side without them continues none.
    fn inner(&self, tuple: &[usize]) -> (Lines, Lines) {
        let line = |distance: usize| {
            tuple.len().checked_sub(distance).map_or(0, |at| self.lines[distance - 1][tuple[at]])
        };
        (line(1), line(1) & line(2))
    }

    /// The lines that the third column can close.
    fn third(&self, sides: &Sides, third: usize) -> Lines {
        if sides.width() >= 3 { self.lines[2][third] } else { 0 }
    }
}

/// An inner tuple as it looks from the centre.
pub(super) struct Inner {
    pub(super) face: Face,
    pub(super) tuple: usize,
    /// The lines that the near column continues.
    pub(super) near: Lines,
    /// The lines that near and far column continue.
    pub(super) both: Lines,
    /// Stones that the outer columns may have.
    room: usize,
}

impl Shown {
    /// What the mirror images of these sides show from the other hand.
    pub(super) fn mirrored(&self, height: usize) -> Shown {
        let faces = self.faces.iter().map(|(face, groups)| (face.mirrored(height), groups.clone()));
        Shown { faces: faces.collect(), groups: self.groups.clone() }
    }
}

/// Looks at a side from a centre: its sides by face, inner tuple by inner tuple.
pub(super) struct Beside<'a> {
    pub(super) sides: &'a Sides,
    pub(super) view: &'a View,
    looks: Looks,
    /// For each type the one that stands for it beside this centre.
    kinds: Vec<OrderType>,
    /// By face.
    pub(super) inners: Vec<Inner>,
}

impl<'a> Beside<'a> {
    /// Looks at the sides with at most `room` stones.
    pub(super) fn new(
        sides: &'a Sides,
        view: &'a View,
        room: usize,
        kinds: Vec<OrderType>,
    ) -> Beside<'a> {
        let looks = Looks::new(sides, view);
        let mut inners: Vec<Inner> = (sides.inners().iter().enumerate())
            .filter_map(|(tuple, ids)| {
                let room = room.checked_sub(sides.inner_stones(tuple))?;
                let (near, both) = looks.inner(ids);
                Some(Inner { face: view.face(near, both), tuple, near, both, room })
            })
            .collect();
        inners.sort_unstable_by_key(|inner| (inner.face, inner.tuple));
        Beside { sides, view, looks, kinds, inners }
    }

    /// The type of a side, if it has one, as far as this centre tells types apart.
    pub(super) fn kind(&self, tuple: usize, outer: usize) -> Option<OrderType> {
        match self.sides.entry(tuple, outer) {
            Entry::Type(kind) => Some(self.kinds[kind.index()]),
            Entry::FourInside | Entry::TooManyStones => None,
        }
    }

    /// The outer tuples that close no four with this inner tuple and the centre.
    pub(super) fn open_outers(&self, inner: &Inner) -> impl Iterator<Item = usize> + '_ {
        let (closed_by, room) = (inner.both, inner.room);
        (self.sides.thirds())
            .filter(move |third| closed_by & self.looks.third(self.sides, *third) == 0)
            .flat_map(move |third| self.sides.outers(third, room))
    }

    /// The lines on which the top stone of an inner column lies.
    pub(super) fn lines_of_top(&self, tuple: usize, distance: usize) -> Lines {
        let ids = &self.sides.inners()[tuple];
        ids.len().checked_sub(distance).map_or(0, |at| self.looks.tops[distance - 1][ids[at]])
    }

    /// All sides by face and type.
    pub(super) fn shown(&self, types: &SideTypes) -> Shown {
        let mut shown = Shown { faces: Vec::new(), groups: Vec::new() };
        let mut tally = Tally::new(types.len());
        for same_face in self.inners.chunk_by(|a, b| a.face == b.face) {
            for inner in same_face {
                self.tally(inner, &mut tally);
            }
            let start = shown.groups.len();
            tally.drain_into(&mut shown.groups);
            if shown.groups.len() > start {
                shown.faces.push((same_face[0].face, start..shown.groups.len()));
            }
        }
        shown
    }

    fn tally(&self, inner: &Inner, tally: &mut Tally) {
        let sides = self.sides;
        let tuple = inner.tuple;
        let inner_lifts = [1, 2].map(|distance| sides.lift_inner(tuple, distance));
        let inner_open = sides.inner_open(tuple);
        for outer in self.open_outers(inner) {
            let Some(kind) = self.kind(tuple, outer) else { continue };
            let group = tally.of(kind);
            group.sides += 1;
            group.open += inner_open + sides.outer_open(outer);
            for (player, lifted) in inner_lifts.into_iter().flatten() {
                if let Some(kind) = self.kind(lifted, outer) {
                    tally.of(kind).lifted[player.index()] += 1;
                }
            }
            for place in 0..sides.outer_width() {
                let Some((player, lifted)) = sides.lift_outer(outer, place) else { continue };
                if let Some(kind) = self.kind(tuple, lifted) {
                    tally.of(kind).lifted[player.index()] += 1;
                }
            }
        }
    }

    /// Calls `found` with each side that two or more last moves can have given a
    /// four, alone or together with some other side, the centre's top stone
    /// counted among the last moves.
    pub(super) fn breakable(&self, mut found: impl FnMut(&Breakable)) {
        for inner in &self.inners {
            for last in Player::BOTH {
                let tops = self.tops(inner, last);
                for third in self.sides.thirds() {
                    let closed = inner.both & self.looks.third(self.sides, third);
                    if !self.may_be_breakable(&tops, third, closed) {
                        continue;
                    }
                    for outer in self.sides.outers(third, inner.room) {
                        if let Some(side) = self.breakable_side(inner, &tops, outer, closed) {
                            found(&side);
                        }
                    }
                }
            }
        }
    }

    fn tops(&self, inner: &Inner, last: Player) -> Tops {
        let lifted = |distance| {
            let (player, tuple) = self.sides.lift_inner(inner.tuple, distance)?;
            (player == last).then(|| (self.lines_of_top(inner.tuple, distance), tuple))
        };
        let centre = self.view.lines_of_centre_top() & self.view.lines_of_player(last);
        let [near, far] = [1, 2].map(lifted);
        // Without the near stone the far one tells nothing either.
        let continued = inner.face.near | inner.face.far;
        let near_lines = near.map_or(0, |(lines, _)| lines & continued);
        let far_lines = far.map_or(0, |(lines, _)| lines & inner.face.far);
        let shared = near_lines & far_lines | near_lines & centre | far_lines & centre;
        Tops { last, inner: [near, far], centre, shared }
    }

    /// A quick look at the lines, before the slow one at every side.
    fn may_be_breakable(&self, tops: &Tops, third: usize, closed: Lines) -> bool {
        // A side of four or more columns can hold a four of its own.
        if closed == 0 {
            return tops.shared != 0 || self.sides.width() >= 4;
        }
        let inner = tops.inner.map(|top| top.map_or(0, |(lines, _)| lines));
        let all = [inner[0], inner[1], self.looks.tops[2][third], tops.centre];
        all.into_iter().filter(|top| closed & !top == 0).count() >= 2
    }

    /// One side, looked at closely. `closed` are the lines on which it closes a
    /// four with the centre.
    fn breakable_side(
        &self,
        inner: &Inner,
        tops: &Tops,
        outer: usize,
        closed: Lines,
    ) -> Option<Breakable> {
        let sides = self.sides;
        let (kind, holds_four) = match sides.entry(inner.tuple, outer) {
            Entry::TooManyStones => return None,
            Entry::FourInside => (None, true),
            Entry::Type(kind) => (Some(self.kinds[kind.index()]), closed != 0),
        };
        if !holds_four && tops.shared == 0 {
            return None;
        }
        let third = self.looks.third(sides, sides.third_of(outer));
        let mut lifted = Vec::new();
        for (_, tuple) in tops.inner.into_iter().flatten() {
            let (near, both) = self.looks.inner(&sides.inners()[tuple]);
            if let (0, Some(kind)) = (both & third, self.kind(tuple, outer)) {
                lifted.push((self.view.face(near, both), kind));
            }
        }
        // Outer columns can only have made a four that the other side has no part in.
        for place in 0..if holds_four { sides.outer_width() } else { 0 } {
            let Some((player, outer)) = sides.lift_outer(outer, place) else { continue };
            let third = self.looks.third(sides, sides.third_of(outer));
            let kind = self.kind(inner.tuple, outer);
            if let (true, 0, Some(kind)) = (player == tops.last, inner.both & third, kind) {
                lifted.push((inner.face, kind));
            }
        }
        let centre = kind
            .filter(|_| tops.centre != 0 && closed & !tops.centre == 0)
            .map(|kind| (inner.face.without(tops.centre), kind));
        let enough = lifted.len() + usize::from(centre.is_some()) >= 2;
        let whole = (!holds_four).then_some(inner.face);
        enough.then_some(Breakable { last: tops.last, lifted, centre, whole })
    }
}

/// The top stones of one player that could have been the last, seen from one
/// inner tuple.
struct Tops {
    last: Player,
    /// On the near and on the far column: the lines it lies on, and the tuple without it.
    inner: [Option<(Lines, usize)>; 2],
    /// The lines of the centre's top stone, if it is this player's.
    centre: Lines,
    /// Lines of the face on which two of these stones lie.
    shared: Lines,
}

/// Counts by type, cleared at the price of what was counted.
struct Tally {
    groups: Vec<Group>,
    touched: Vec<OrderType>,
}

impl Tally {
    fn new(types: usize) -> Tally {
        let empty = |kind| Group { kind: OrderType(kind), sides: 0, open: 0, lifted: [0; 2] };
        Tally { groups: (0..types as u32).map(empty).collect(), touched: Vec::new() }
    }

    fn of(&mut self, kind: OrderType) -> &mut Group {
        let group = &mut self.groups[kind.index()];
        if group.sides == 0 && group.lifted == [0; 2] {
            self.touched.push(kind);
        }
        group
    }

    fn drain_into(&mut self, groups: &mut Vec<Group>) {
        self.touched.sort_unstable();
        for kind in self.touched.drain(..) {
            let group = &mut self.groups[kind.index()];
            groups.push(*group);
            *group = Group { kind, sides: 0, open: 0, lifted: [0; 2] };
        }
    }
}
