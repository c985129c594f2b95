//! Last moves of a side that are counted too often.
//!
//! Positions in which `k` top stones of a side and the centre can have been the last move are
//! counted `k` times. The `k - 1` to subtract are found from sets of such stones: pairs, minus
//! triples, plus sets of four.
//!
//! All stones of a set can have been the last if the other side fits the reaches *and* is a partner
//! of every side without one of them. So a set adds to one reach, the joined reaches of the lifted
//! sides, and to one row, their common partners. If the other side would also fit the unlifted
//! side, there is no four, and the same number is subtracted again for the reach of that side.
//!
//! ```text
//!     far near  C  near       near and far stone of the left can both have been the last
//!      X   X    X   X
//!                             without near:   a reach that continues nothing
//!                             without far:    one that continues the line by near
//!                             joined:         near            fits the right: add
//!                             unlifted:       near and far    does not: nothing to subtract
//! ```

use super::centre::Partners;
use super::reach::{Lines, Reach};
use super::rows::{RowId, Weights};
use super::side_groups::{Inner, OpenOuters, SideGroups};
use crate::board::Player;

/// Which sets of stones count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sets {
    All,
    /// Those with the centre's top stone, if the centre and the side hold a four by themselves.
    /// They add up to 1 for each such position that this stone and one of the side can have made,
    /// and to 0 for others.
    CentreOfOwnFour,
}

/// By reach and row: surplus last moves, summed over all sides.
pub(super) type Spare = Vec<(Reach, Vec<(RowId, i64)>)>;

/// All surplus last moves of these sides and the centre.
pub(super) fn spare_last_moves(
    side_groups: &SideGroups,
    of: Sets,
    partners: &mut Partners,
) -> Spare {
    let mut finder = Finder {
        side_groups,
        of,
        partners,
        times: 1,
        reaches: Reaches::default(),
        last_moves: Vec::new(),
    };
    let mut found: Spare = Vec::new();
    let mut open = OpenOuters::default();
    for same_reach in side_groups.inners.chunk_by(|a, b| a.reach == b.reach) {
        for inner in same_reach {
            finder.times = inner.times.into();
            for last in Player::BOTH {
                let tops = Tops::new(side_groups, inner, last);
                if of == Sets::All {
                    finder.across(inner, &tops, &mut open);
                    finder.on_one_side(inner, &tops);
                }
                if of == Sets::All || tops.centre != 0 {
                    finder.beside_centre(inner, &tops);
                }
            }
        }
        finder.reaches.drain_into(&mut found);
    }
    found.sort_by_key(|(reach, _)| reach.bits());
    found
        .chunk_by(|a, b| a.0 == b.0)
        .map(|same| (same[0].0, same.iter().flat_map(|(_, rows)| rows).copied().collect()))
        .collect()
}

/// The places of top stones, as bits of a set.
const NEAR: usize = 1;
const FAR: usize = 2;
const CENTRE: usize = 4;
const OUTER: usize = 8;

/// A top stone of an inner column.
#[derive(Clone, Copy)]
struct Top {
    /// The lines that it lies on.
    lines: Lines,
    /// The tuple without it.
    tuple: usize,
    reach: Reach,
    /// The lines that near and far column still continue.
    both: Lines,
}

/// The top stones of one player that could have come last, as seen from one inner tuple.
struct Tops {
    last: Player,
    near: Option<Top>,
    far: Option<Top>,
    /// The lines of the centre's top stone, if it is this player's.
    centre: Lines,
    /// By set: the reaches without each stone of the set, joined.
    joined: [Reach; 16],
}

impl Tops {
    fn new(side_groups: &SideGroups, inner: &Inner, last: Player) -> Tops {
        let lifted = |distance| {
            let (player, tuple) = side_groups.sides.lift_inner(inner.tuple, distance)?;
            (player == last).then(|| {
                let (near, both) = side_groups.lines(tuple);
                let reach = side_groups.view.reach(near, both);
                Top { lines: side_groups.lines_of_top(inner.tuple, distance), tuple, reach, both }
            })
        };
        let [near, far] = [1, 2].map(lifted);
        let centre =
            side_groups.view.lines_of_centre_top() & side_groups.view.lines_of_player(last);
        let one = |top: Option<Top>| top.map_or(Reach::default(), |top| top.reach);
        let reaches = [one(near), one(far), inner.reach.without(centre), inner.reach];
        let mut joined = [Reach::default(); 16];
        for set in 1..16usize {
            let rest = joined[set & (set - 1)];
            joined[set] = rest.or(reaches[set.trailing_zeros() as usize]);
        }
        Tops { last, near, far, centre, joined }
    }

    /// The inner stones, with their bits.
    fn inner(&self) -> impl Iterator<Item = (usize, Top)> + use<> {
        [(NEAR, self.near), (FAR, self.far)].into_iter().filter_map(|(at, top)| Some((at, top?)))
    }
}

struct Finder<'a> {
    side_groups: &'a SideGroups<'a>,
    of: Sets,
    partners: &'a mut Partners,
    /// How often the current side counts.
    times: i64,
    reaches: Reaches,
    /// Of the current side: the places of its last moves, and its partners without each of those
    /// stones.
    last_moves: Vec<(usize, RowId)>,
}

impl Finder<'_> {
    /// Fours that involve the other side: on the near column, and perhaps on the far one.
    fn across(&mut self, inner: &Inner, tops: &Tops, open: &mut OpenOuters) {
        let present = tops.inner().map(|(at, _)| at).sum::<usize>()
            + if tops.centre == 0 { 0 } else { CENTRE };
        // All sets whose reaches have less than the whole reach.
        let mut sets: [(usize, usize); 4] = [(0, 0); 4];
        let mut number = 0;
        for set in [NEAR | FAR, NEAR | CENTRE, FAR | CENTRE, NEAR | FAR | CENTRE] {
            if set & !present == 0 && tops.joined[set] != inner.reach {
                sets[number] = (set, self.reaches.find(tops.joined[set]));
                number += 1;
            }
        }
        if number == 0 {
            return;
        }
        let whole = self.reaches.find(inner.reach);
        let side_groups = self.side_groups;
        let mut rows = [None; 3];
        for outer in open.of(side_groups, inner) {
            let outer = *outer as usize;
            let Some(local_type) = side_groups.local_type(inner.tuple, outer) else { continue };
            for (at, top) in tops.inner() {
                rows[at / 2] = self.lifted(top.tuple, outer, tops.last);
            }
            if tops.centre != 0 {
                rows[2] = Some(self.partners.before(local_type));
            }
            for (set, reach) in &sets[..number] {
                let rows = (0..3).filter(|at| set >> at & 1 == 1).filter_map(|at| rows[at]);
                let row = rows.reduce(|a, b| self.partners.rows.both(a, b));
                let row = row.expect("sets have two stones or three");
                let times = if set.count_ones() == 2 { self.times } else { -self.times };
                self.reaches.weights[*reach].add_ended(row, times);
                self.reaches.weights[whole].add_ended(row, -times);
            }
        }
    }

    /// Fours of the centre and the side's three columns next to it.
    fn beside_centre(&mut self, inner: &Inner, tops: &Tops) {
        let side_groups = self.side_groups;
        // Two of the top stones lie on all lines that are completed, so an inner one or the
        // centre's does.
        let inner_tops = tops.inner().fold(tops.centre, |lines, (_, top)| lines | top.lines);
        if inner.both & inner_tops == 0 {
            return;
        }
        for third in side_groups.sides.thirds() {
            let closed = inner.both & side_groups.third(third);
            if closed == 0 || closed & !inner_tops != 0 {
                continue;
            }
            let all = tops.inner().map(|(_, top)| top.lines);
            let all = all.chain([tops.centre, side_groups.top_of_third(third)]);
            if all.filter(|top| closed & !top == 0).count() < 2 {
                continue;
            }
            for outer in side_groups.sides.outers(third, inner.room) {
                self.holding_four(inner, tops, outer, closed);
            }
        }
    }

    /// Fours on the side's own columns.
    fn on_one_side(&mut self, inner: &Inner, tops: &Tops) {
        let side_groups = self.side_groups;
        for outer in side_groups.sides.fours(inner.tuple) {
            let outer = *outer as usize;
            let closed = inner.both & side_groups.third(side_groups.sides.third_of(outer));
            if closed == 0 && side_groups.sides.outer_stones(outer) <= inner.room {
                self.holding_four(inner, tops, outer, 0);
            }
        }
    }

    /// A side that has a four without the other side. `closed` are the lines on which it completes
    /// one with the centre.
    fn holding_four(&mut self, inner: &Inner, tops: &Tops, outer: usize, closed: Lines) {
        let side_groups = self.side_groups;
        let sides = side_groups.sides;
        let third = side_groups.third(sides.third_of(outer));
        self.last_moves.clear();
        for (at, top) in tops.inner() {
            if top.both & third == 0 {
                self.last_moves
                    .extend(self.lifted(top.tuple, outer, tops.last).map(|row| (at, row)));
            }
        }
        if tops.centre != 0 && closed != 0 && closed & !tops.centre == 0 {
            let local_type = side_groups.local_type(inner.tuple, outer);
            self.last_moves
                .extend(local_type.map(|local_type| (CENTRE, self.partners.before(local_type))));
        }
        for (player, outer) in sides.lift_outers(outer) {
            if player == tops.last && inner.both & side_groups.third(sides.third_of(outer)) == 0 {
                let row = self.lifted(inner.tuple, outer, tops.last);
                self.last_moves.extend(row.map(|row| (OUTER, row)));
            }
        }
        for set in (0u32..1 << self.last_moves.len()).filter(|set| set.count_ones() >= 2) {
            let chosen = (0..self.last_moves.len()).filter(|at| set >> at & 1 == 1);
            let chosen = chosen.map(|at| self.last_moves[at]);
            let (at, row) = chosen
                .reduce(|(a, row), (b, other)| (a | b, self.partners.rows.both(row, other)))
                .expect("sets have two stones or more");
            if self.of == Sets::CentreOfOwnFour && at & CENTRE == 0 {
                continue;
            }
            let reach = self.reaches.find(tops.joined[at]);
            let times = if set.count_ones() % 2 == 0 { self.times } else { -self.times };
            self.reaches.weights[reach].add_ended(row, times);
        }
    }

    /// The partners of a side without a stone of `last`, if it then holds no four itself.
    fn lifted(&self, tuple: usize, outer: usize, last: Player) -> Option<RowId> {
        let balance = usize::from(last == Player::Second);
        Some(self.partners.now(self.side_groups.local_type(tuple, outer)?, balance))
    }
}

/// The few reaches that come up for sides of one reach.
#[derive(Default)]
struct Reaches {
    reaches: Vec<Reach>,
    /// By reach, and buffers for more.
    weights: Vec<Weights>,
}

impl Reaches {
    fn find(&mut self, reach: Reach) -> usize {
        let known = self.reaches.iter().position(|known| *known == reach);
        known.unwrap_or_else(|| {
            self.reaches.push(reach);
            if self.weights.len() < self.reaches.len() {
                self.weights.push(Weights::default());
            }
            self.reaches.len() - 1
        })
    }

    fn drain_into(&mut self, found: &mut Spare) {
        for (reach, weights) in self.reaches.drain(..).zip(&mut self.weights) {
            let mut rows = Vec::new();
            weights.drain(|row, weight| rows.push((row, weight.ended as i64)));
            if !rows.is_empty() {
                found.push((reach, rows));
            }
        }
    }
}
