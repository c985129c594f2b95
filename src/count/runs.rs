//! Fours across the centre that a stone of either side can have completed.
//!
//! A stone that completes a four need not be the only one that could have: of `X X X X` on top of
//! four columns, each may have come last. All fours of such a position lie on one line, and the
//! candidates are the top stones on it that all its fours share:
//!
//! ```text
//!     far near  C  near far      sides add (left, right)
//!          1    o   1   1        (1, 2): candidates near | C | near far
//!      1   1    o   1            (2, 1): candidates far near | C | near
//!      1   1    o   1   1        (2, 2): candidates     near | C | near
//! ```
//!
//! A candidate counts if the position without it can be reached in turn. Each side, together with
//! the centre, is handled elsewhere. That counts positions twice if they have candidates on both
//! sides and none in the centre; this file finds those. On boards of even width the left side is
//! handled with the centre, and the right side without it: there positions count twice if they have
//! a candidate on the right, and another one on the left or in the centre.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::centre::{Centre, Partners};
use super::local_types::{Class, LocalType};
use super::pairing::{Others, for_each_reach};
use super::reach::{Lines, Reach};
use super::rows::{RowId, Rows, Setting, Weights};
use super::side_groups::{Inner, OpenOuters, SideGroups};
use super::totals::Totals;
use crate::board::Player;

/// The stones that a side adds to the line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// The near stone.
    Near,
    /// Near and far stone, both shared by all fours.
    Both,
    /// Near and far stone; only the near one is shared by all fours.
    NearOfBoth,
}

/// The shapes of a left and a right side that make fours together; the first is the mirror image of
/// the second.
const SHAPES: [(Shape, Shape); 3] = [
    (Shape::Near, Shape::Both),
    (Shape::Both, Shape::Near),
    (Shape::NearOfBoth, Shape::NearOfBoth),
];

/// The local type of a side, and the local types that lifting its candidates leads to.
#[derive(Clone, Copy)]
struct Kind {
    whole: LocalType,
    lifted: [Option<LocalType>; 2],
}

/// All kinds of a side that came up, numbered.
#[derive(Default)]
struct Kinds {
    kinds: Vec<Kind>,
    /// By local types, those of the lifted sides combined.
    numbers: FxHashMap<(u32, u64), u32>,
}

impl Kinds {
    fn number(&mut self, kind: Kind) -> u32 {
        let [near, far] =
            kind.lifted.map(|local_type| local_type.map_or(u32::MAX, |local_type| local_type.0));
        let key = (kind.whole.0, u64::from(near) << 32 | u64::from(far));
        *self.numbers.entry(key).or_insert_with(|| {
            self.kinds.push(kind);
            self.kinds.len() as u32 - 1
        })
    }

    fn predecessors(&self, number: u32) -> impl Iterator<Item = LocalType> + use<> {
        self.kinds[number as usize].lifted.into_iter().flatten()
    }
}

/// Sides with candidates, by their reach apart from the line.
#[derive(Default)]
struct Candidates {
    reaches: Vec<(Reach, Range<usize>)>,
    /// Number of the kind, and number of sides.
    groups: Vec<(u32, u32)>,
}

/// Candidates of one side, by line and shape, and their kinds.
struct Listed {
    lines: Vec<[Candidates; 3]>,
    kinds: Kinds,
}

/// Subtracts, by tier, the positions whose four can have been completed by a stone of either side
/// but not by one of the centre. Without a `right`, that side mirrors the left. With one, the
/// centre belongs to the left: the four can have been completed by a stone of either half.
pub(super) fn made_from_both_sides(
    centre: &Centre,
    partners: &mut Partners,
    left: &SideGroups,
    right: Option<&SideGroups>,
    totals: &mut Totals,
) {
    let height = centre.shared.board.height();
    // Left sides need no candidate of their own where the centre has one for them.
    let top_of_left = if right.is_some() { left.view.lines_of_centre_top() } else { 0 };
    let left_inners = with_candidates(left, top_of_left);
    let right_inners = right.map(|right| with_candidates(right, 0));
    for last in Player::BOTH {
        let lines = left.view.lines_of_player(last);
        let lefts = Listed::new(left, &left_inners, lines, top_of_left);
        let rights = match (right, &right_inners) {
            (Some(right), Some(inners)) => Some(Listed::new(right, inners, lines, 0)),
            _ => None,
        };
        let right_kinds = rights.as_ref().map_or(&lefts.kinds, |rights| &rights.kinds);
        let mut pairs = Pairs::new(centre, partners, last, &lefts.kinds, right_kinds);
        for line in 0..lefts.lines.len() {
            pairs.from_top = 1 << line & left.view.lines_of_centre_top() != 0;
            for (at, (left_shape, right_shape)) in SHAPES.into_iter().enumerate() {
                let on_left = &lefts.lines[line][left_shape as usize];
                if on_left.reaches.is_empty() {
                    continue;
                }
                let (on_right, times, mirror) = match &rights {
                    Some(rights) => (&rights.lines[line], 1, None),
                    None => {
                        let mirrored = &lefts.lines[Reach::mirrored_line(line, height)];
                        (mirrored, times_mirrored(left, line, at), Some(height))
                    }
                };
                let on_right = &on_right[right_shape as usize];
                if times > 0 && !on_right.reaches.is_empty() {
                    pairs.take_away(on_left, (on_right, mirror), times, &mut totals.terminal);
                }
            }
        }
    }
}

/// How often a line and one of the [`SHAPES`] count if only one of two mirror images is visited: a
/// mirror turns rising lines into falling ones, and swaps the first two shapes.
fn times_mirrored(side_groups: &SideGroups, line: usize, shape: usize) -> u64 {
    let slope = side_groups.view.slope(line);
    match shape {
        0 => 2,
        1 => 0,
        _ => [1, 2, 0][slope],
    }
}

/// By line: the inner tuples that continue it and have a top stone on it, or the centre has.
fn with_candidates<'a>(side_groups: &'a SideGroups, of_centre: Lines) -> Vec<Vec<&'a Inner>> {
    let mut by_line = vec![Vec::new(); Lines::BITS as usize];
    for inner in &side_groups.inners {
        let mut lines = inner.near & (side_groups.lines_of_top(inner.tuple, 1) | of_centre)
            | inner.both & side_groups.lines_of_top(inner.tuple, 2);
        while lines != 0 {
            by_line[lines.trailing_zeros() as usize].push(inner);
            lines &= lines - 1;
        }
    }
    by_line
}

impl Listed {
    /// Of the sides with these inner tuples, those that continue one of `lines`, and have a
    /// candidate or the centre `of_centre`.
    fn new(
        side_groups: &SideGroups,
        inners: &[Vec<&Inner>],
        lines: Lines,
        of_centre: Lines,
    ) -> Listed {
        let mut listed = Listed { lines: Vec::new(), kinds: Kinds::default() };
        let mut counts: Vec<u32> = Vec::new();
        for (line, inners) in inners.iter().enumerate() {
            let line = 1 << line & lines;
            let shapes = [Shape::Near, Shape::Both, Shape::NearOfBoth];
            listed.lines.push(shapes.map(|shape| match line {
                0 => Candidates::default(),
                _ => Candidates::new(
                    side_groups,
                    inners,
                    (line, shape),
                    line & of_centre != 0,
                    &mut listed.kinds,
                    &mut counts,
                ),
            }));
        }
        listed
    }
}

impl Candidates {
    /// Of the sides with these inner tuples, those that continue a line in a shape, and have a
    /// candidate unless one of the centre is enough. `counts` is a buffer of zeros.
    fn new(
        side_groups: &SideGroups,
        inners: &[&Inner],
        (line, shape): (Lines, Shape),
        centre_is_enough: bool,
        kinds: &mut Kinds,
        counts: &mut Vec<u32>,
    ) -> Candidates {
        let sides = side_groups.sides;
        let lift = |tuple, distance, counts: bool| {
            let on_top = counts && side_groups.lines_of_top(tuple, distance) & line != 0;
            sides.lift_inner(tuple, distance).filter(|_| on_top).map(|(_, lifted)| lifted)
        };
        let mut inners: Vec<_> = inners
            .iter()
            .filter(|inner| (inner.both & line != 0) == (shape != Shape::Near))
            .map(|inner| {
                let lifted = [(1, true), (2, shape == Shape::Both)]
                    .map(|(distance, counts)| lift(inner.tuple, distance, counts));
                (inner.reach.without(line), inner, lifted)
            })
            .filter(|(.., lifted)| centre_is_enough || lifted.iter().any(Option::is_some))
            .collect();
        inners.sort_by_key(|(reach, ..)| reach.bits());
        let mut found = Candidates::default();
        let mut touched: Vec<u32> = Vec::new();
        let mut open = OpenOuters::default();
        for same_reach in inners.chunk_by(|a, b| a.0 == b.0) {
            for (_, inner, lifted) in same_reach {
                let entries = sides.entries(inner.tuple);
                let lifted = lifted.map(|tuple| tuple.map(|tuple| sides.entries(tuple)));
                for outer in open.of(side_groups, inner) {
                    let outer = *outer as usize;
                    let Some(whole) = side_groups.local_type_in(entries, outer) else { continue };
                    let lifted = lifted.map(|entries| side_groups.local_type_in(entries?, outer));
                    let kind = kinds.number(Kind { whole, lifted });
                    if counts.len() <= kind as usize {
                        counts.resize(kind as usize + 1, 0);
                    }
                    if counts[kind as usize] == 0 {
                        touched.push(kind);
                    }
                    counts[kind as usize] += inner.times;
                }
            }
            let start = found.groups.len();
            let take = |kind| (kind, std::mem::take(&mut counts[kind as usize]));
            found.groups.extend(touched.drain(..).map(take));
            found.reaches.push((same_reach[0].0, start..found.groups.len()));
        }
        found
    }
}

/// Pairs of candidates whose last move was made by one player.
struct Pairs<'a> {
    partners: &'a mut Partners,
    last: Player,
    /// The centre belongs to the left half.
    halves: bool,
    /// The top stone of the centre lies on the line.
    from_top: bool,
    left: &'a Kinds,
    right: &'a Kinds,
    /// By right kind: its place in its class.
    places: Vec<u32>,
    /// The right kinds by place.
    in_place: Vec<u32>,
    /// Rows of right kinds.
    rows: Rows,
    /// By left kind, without and with the centre's top stone on the line: the right kinds that go
    /// with it.
    known: [Vec<Option<RowId>>; 2],
    /// The same by what distinguishes them: the right local types that go with the lifted left
    /// side, and the lifted right local types that go with the whole left side.
    by_rows: FxHashMap<(RowId, RowId), RowId>,
    weights: Weights,
    totals: Vec<u64>,
}

impl<'a> Pairs<'a> {
    fn new(
        centre: &'a Centre,
        partners: &'a mut Partners,
        last: Player,
        left: &'a Kinds,
        right: &'a Kinds,
    ) -> Pairs<'a> {
        let local_types = centre.right_types();
        let class = |kind: &u32| local_types.class_number(right.kinds[*kind as usize].whole);
        let mut in_place: Vec<u32> = (0..right.kinds.len() as u32).collect();
        in_place.sort_by_key(class);
        let mut places = vec![0; in_place.len()];
        for (place, kind) in (0..).zip(&in_place) {
            places[*kind as usize] = place;
        }
        let before = |number: usize| in_place.partition_point(|kind| class(kind) < number);
        let classes = local_types.classes().iter().enumerate().map(|(number, class)| Class {
            stones: class.stones,
            surplus: class.surplus,
            members: before(number)..before(number + 1),
        });
        let rows = Rows::new(classes.collect(), centre.shared.up_to.stones());
        Pairs {
            partners,
            last,
            halves: centre.shared.right.is_some(),
            from_top: false,
            left,
            right,
            places,
            in_place,
            rows,
            known: [(); 2].map(|()| vec![None; left.kinds.len()]),
            by_rows: FxHashMap::default(),
            weights: Weights::default(),
            totals: Vec::new(),
        }
    }

    /// Subtracts the pairs of these sides, `times` times. The right sides are mirror images if the
    /// height of the board is given.
    fn take_away(
        &mut self,
        lefts: &Candidates,
        (rights, mirror): (&Candidates, Option<usize>),
        times: u64,
        terminal: &mut [u64],
    ) {
        let mut others = Others::default();
        for (reach, groups) in &rights.reaches {
            let groups = rights.groups[groups.clone()].iter();
            let reach = mirror.map_or(*reach, |height| reach.mirrored(height));
            others.push(reach, groups.map(|(kind, sides)| (self.places[*kind as usize], *sides)));
        }
        let reaches = lefts.reaches.iter().map(|(reach, _)| *reach);
        for_each_reach(reaches, others, self.in_place.len(), |number, sums| {
            let (_, groups) = &lefts.reaches[number];
            for (kind, sides) in &lefts.groups[groups.clone()] {
                let row = self.row(*kind);
                self.weights.add_ended(row, i64::from(*sides));
            }
            self.rows.drain(&mut self.weights, sums, &mut self.totals, |tier, weight, number| {
                let number = number.wrapping_mul(weight.ended).wrapping_mul(times);
                terminal[tier] = terminal[tier].wrapping_sub(number);
            });
        });
    }

    /// The right kinds with which a left kind makes positions whose last move can have been made on
    /// either side, but not in the centre; or in either half.
    fn row(&mut self, kind: u32) -> RowId {
        let known = self.known[usize::from(self.from_top)][kind as usize];
        known.unwrap_or_else(|| {
            let row = self.find(kind);
            self.known[usize::from(self.from_top)][kind as usize] = Some(row);
            row
        })
    }

    fn find(&mut self, kind: u32) -> RowId {
        // Without its last stone the position has this balance of colours.
        let balance = usize::from(self.last == Player::Second);
        let partners = &mut *self.partners;
        let whole = self.left.kinds[kind as usize].whole;
        let lifted =
            self.left.predecessors(kind).map(|local_type| partners.now(local_type, balance));
        let lifted: Vec<RowId> = lifted.collect();
        let mut from_left =
            lifted.into_iter().reduce(|a, b| partners.rows.combine(a, b, |a, b| a | b));
        if self.from_top {
            let top = partners.before(whole);
            from_left = Some(match from_left {
                None => top,
                Some(left) if self.halves => partners.rows.combine(left, top, |a, b| a | b),
                Some(left) => partners.rows.combine(left, top, |left, top| left & !top),
            });
        }
        let from_left = from_left.expect("a candidate of the side or of the centre");
        let of_whole = partners.now(whole, balance);
        if let Some(known) = self.by_rows.get(&(from_left, of_whole)) {
            return *known;
        }
        let Setting { stones, surplus } = partners.rows.setting(from_left);
        let (right, in_place) = (self.right, &self.in_place);
        let row = self.rows.ask(Setting { stones: stones + 1, surplus }, |place| {
            let kind = in_place[place];
            partners.rows.has(from_left, right.kinds[kind as usize].whole.index())
                && right
                    .predecessors(kind)
                    .any(|local_type| partners.rows.has(of_whole, local_type.index()))
        });
        self.by_rows.insert((from_left, of_whole), row);
        row
    }
}
