//! The sides beside one centre, grouped by the face that they show.
//!
//! Sides that show the same face and are of the same type count alike, so a
//! group says how many there are. It also says what is needed to count moves:
//! how many of their columns have room, and of how many other sides, showing
//! this face, lifting a top stone makes a side of this type.
//!
//! Sides with a four on their own, or together with the centre, show no face.
//! They matter only where two or more top stones could have made that four, see
//! [`super::runs`]; they are picked out here, on the way.

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

/// A side that holds a four which lifting any of several top stones breaks.
///
/// It is not one face that counts but several: that of each lifted side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Breakable {
    pub(super) stones: usize,
    pub(super) last: Player,
    /// The side without one of its top stones: its face and type.
    pub(super) lifted: Vec<(Face, OrderType)>,
    /// The face and type of the whole side, where lifting the top stone of the
    /// centre breaks the four too.
    pub(super) centre: Option<(Face, OrderType)>,
}

/// What the columns of a side look like from one centre.
struct Looks {
    lines: [Vec<Lines>; 3],
    tops: [Vec<Lines>; 3],
    centre_top: Lines,
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
            centre_top: view.lines_of_centre_top(),
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
    /// The lines that the near column, and that both columns continue.
    lines: (Lines, Lines),
}

impl Inner {
    /// Does the near column continue this line, and does the far one after it?
    pub(super) fn continues(&self, line: Lines) -> (bool, bool) {
        (self.lines.0 & line != 0, self.lines.1 & line != 0)
    }
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
    /// By face.
    pub(super) inners: Vec<Inner>,
}

impl<'a> Beside<'a> {
    pub(super) fn new(sides: &'a Sides, view: &'a View) -> Beside<'a> {
        let looks = Looks::new(sides, view);
        let mut inners: Vec<Inner> = (sides.inners().iter().enumerate())
            .map(|(tuple, ids)| {
                let lines = looks.inner(ids);
                Inner { face: view.face(lines.0, lines.1), tuple, lines }
            })
            .collect();
        inners.sort_by_key(|inner| inner.face);
        Beside { sides, view, looks, inners }
    }

    /// The third columns that close no four with this inner tuple.
    pub(super) fn open_thirds(&self, inner: &Inner) -> impl Iterator<Item = usize> + '_ {
        let closed_by = inner.lines.1;
        (0..self.sides.thirds())
            .filter(move |third| closed_by & self.looks.third(self.sides, *third) == 0)
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
        for third in self.open_thirds(inner) {
            for outer in sides.outers_with_third(third) {
                let Some(kind) = sides.type_of(tuple, outer) else { continue };
                let group = tally.of(kind);
                group.sides += 1;
                group.open += inner_open + sides.outer_open(outer);
                for (player, lifted) in inner_lifts.into_iter().flatten() {
                    if let Some(kind) = sides.type_of(lifted, outer) {
                        tally.of(kind).lifted[player.index()] += 1;
                    }
                }
                for place in 0..sides.outer_width() {
                    let Some((player, lifted)) = sides.lift_outer(outer, place) else { continue };
                    if let Some(kind) = sides.type_of(tuple, lifted) {
                        tally.of(kind).lifted[player.index()] += 1;
                    }
                }
            }
        }
    }

    /// Calls `found` with each side that holds a four that two or more top
    /// stones could have made, the centre's counted in.
    pub(super) fn breakable(&self, mut found: impl FnMut(Breakable)) {
        let sides = self.sides;
        // Only a side of four or more columns can hold a four of its own.
        let four_inside_possible = sides.width() >= 4;
        for inner in &self.inners {
            let near_top = self.lines_of_top(inner.tuple, 1);
            let far_top = self.lines_of_top(inner.tuple, 2);
            for third in 0..sides.thirds() {
                let closed = inner.lines.1 & self.looks.third(sides, third);
                if closed == 0 && !four_inside_possible {
                    continue;
                }
                // A quick look before the slow one: on how many tops do all fours lie?
                let tops = [near_top, far_top, self.looks.tops[2][third], self.looks.centre_top];
                let on_all = tops.into_iter().filter(|top| closed & !top == 0).count();
                if on_all < 2 {
                    continue;
                }
                for outer in sides.outers_with_third(third) {
                    if let Some(side) = self.breakable_side(inner, third, outer, closed) {
                        found(side);
                    }
                }
            }
        }
    }

    fn breakable_side(&self, inner: &Inner, third: usize, outer: usize, closed: Lines) -> Option<Breakable> {
        let sides = self.sides;
        let entry = sides.entry(inner.tuple, outer);
        if entry == Entry::TooManyStones || closed == 0 && entry != Entry::FourInside {
            return None;
        }
        let mut last = None;
        let mut lifted = Vec::new();
        for distance in [1, 2] {
            let Some((player, tuple)) = sides.lift_inner(inner.tuple, distance) else { continue };
            let (near, both) = self.looks.inner(&sides.inners()[tuple]);
            if both & self.looks.third(sides, third) != 0 {
                continue;
            }
            if let Some(kind) = sides.type_of(tuple, outer) {
                last = Some(player);
                lifted.push((self.view.face(near, both), kind));
            }
        }
        for place in 0..sides.outer_width() {
            let Some((player, outer)) = sides.lift_outer(outer, place) else { continue };
            let third = sides.third_of(outer);
            if inner.lines.1 & self.looks.third(sides, third) != 0 {
                continue;
            }
            if let Some(kind) = sides.type_of(inner.tuple, outer) {
                last = Some(player);
                lifted.push((inner.face, kind));
            }
        }
        let centre = match entry {
            Entry::Type(kind) if closed & !self.looks.centre_top == 0 => {
                Some((inner.face.without(self.looks.centre_top), kind))
            }
            _ => None,
        };
        if lifted.len() + usize::from(centre.is_some()) < 2 {
            return None;
        }
        let stones = |ids: &[usize]| -> usize {
            ids.iter().map(|id| sides.columns.codes[*id].stones()).sum()
        };
        let stones = stones(&sides.inners()[inner.tuple]) + sides.outer_stones(outer);
        Some(Breakable { stones, last: last?, lifted, centre })
    }
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
