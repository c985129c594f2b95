//! In which order the states of a side stand in tiles, and which of them do.
//!
//! Beside a centre, a state of a side may let the first player complete a four
//! with the next stone, or the second, or both, using only stones of this side and
//! the centre. The states of a class are grouped by that:
//!
//! ```text
//!     free     first threatens     second threatens     both
//!              new      old        new      old
//! ```
//!
//! Of those with threats, the ones that a stone in the centre may answer come first, so
//! that whole blocks of the others need no look at moves in the centre. Otherwise,
//! states of a group keep the order of their codes. Tiles hold the states with which
//! the player to move does not win at once:
//!
//! ```text
//!     first to move      free │ second threatens
//!     second to move     free │ first threatens
//! ```
//!
//! So the tiles of two successive tiers begin with the same free states, in the
//! same order. A move on the other side leaves a threat of the opponent standing,
//! so only the free states look at the children of such a move: row `i` of the
//! tile at row `i` of the child.
//!
//! An *old* threat was there before the last stone in the centre, and its owner
//! would not have dropped that stone. So the tiles that are handed on to the
//! centre before hold the free states and those with new threats of the player
//! who has just moved, and tiles begin with these, too.
//!
//! The sizes of all tiles follow from how many states of each class they hold beside each centre. A
//! look at every state tells it exactly. That takes three seconds of one thread on 7x6, and minutes
//! on larger boards. So on all but small boards, some states of each class are looked at, evenly
//! among all, and as large a part of the class is taken to be held. Which ones are looked at depends
//! on the board alone, so all machines agree on all sizes.

use std::ops::Range;
use std::sync::Arc;

use crate::board::Player;
use crate::index::{ByClass, Census, CentreId, Class, SideSample, SideState, Split};

use super::threats::{Group, groups};

/// The order of all states of a side beside one centre.
#[derive(Debug)]
pub(in crate::sweep) struct SideOrder {
    scope: Scope,
    /// By class slot, where each group ends.
    ends: Box<[GroupEnds]>,
    /// The states in the order in which they stand, by their numbers in the order of the codes.
    numbers: ByClass<u32>,
    /// By number, where the state stands.
    ranks: ByClass<u32>,
}

/// Where the states of a class stand in tiles, which hold the first of them, then a later range.
#[derive(Clone)]
pub(in crate::sweep) struct Places {
    first: u32,
    then: Range<u32>,
}

impl Places {
    /// Where the state of this rank among all of its class stands in the tiles.
    #[inline]
    pub(crate) fn of_rank(&self, rank: u32) -> Option<u32> {
        if rank < self.first {
            Some(rank)
        } else {
            self.then.contains(&rank).then(|| rank - self.then.start + self.first)
        }
    }
}

/// Where each group of a class ends.
#[derive(Debug)]
pub(super) struct GroupEnds([u32; Group::COUNT]);

impl SideOrder {
    /// Puts the states beside a centre in order, by the [group](super::threats::groups) of each.
    pub(crate) fn new(split: Split, scope: Scope, groups: &ByClass<u8>) -> SideOrder {
        let len = |class| groups.of(class).len();
        let ends = Class::all(split.side_cells()).map(|class| GroupEnds::of(groups.of(class)));
        let ends: Box<[GroupEnds]> = ends.collect();
        let ranks = ByClass::new(split, len, |class, ranks| {
            let mut next = ends[class.slot()].starts();
            for (rank, group) in ranks.iter_mut().zip(groups.of(class)) {
                let next = &mut next[usize::from(*group)];
                *rank = *next;
                *next += 1;
            }
        });
        let numbers = ByClass::new(split, len, |class, numbers| {
            for (number, rank) in (0..).zip(ranks.of(class)) {
                numbers[*rank as usize] = number;
            }
        });
        SideOrder { scope, ends, numbers, ranks }
    }

    /// Bytes that it takes for this many states.
    pub(crate) fn bytes(split: Split, states: usize) -> usize {
        states * 2 * size_of::<u32>() + Class::slots(split.side_cells()) * size_of::<GroupEnds>()
    }

    /// How many states of a class the tiles hold when this player is to move.
    pub(crate) fn len(&self, class: Class, mover: Player) -> usize {
        let ends = self.ends(class);
        match self.scope {
            Scope::EveryCell => self.all_numbers(class).len(),
            Scope::InDoubt => ends.held(mover),
        }
    }

    /// Number of states common to the tiles of both players, which begin with them.
    pub(crate) fn shared(&self, class: Class) -> usize {
        match self.scope {
            Scope::EveryCell => self.all_numbers(class).len(),
            Scope::InDoubt => self.free(class),
        }
    }

    /// How many states are free; tiles begin with them.
    pub(crate) fn free(&self, class: Class) -> usize {
        self.ends(class).free()
    }

    /// Number of states of a tile, counted from its first, that are read beside the centres from
    /// which a stone of this player leads here.
    pub(crate) fn handed_on(&self, class: Class, last_mover: Player) -> usize {
        let ends = self.ends(class);
        match self.scope {
            Scope::EveryCell => self.all_numbers(class).len(),
            Scope::InDoubt => ends.handed_on(last_mover),
        }
    }

    /// Where the states that the tiles hold stand among all of their class.
    pub(crate) fn ranks_held(&self, class: Class, mover: Player) -> [Range<usize>; 2] {
        let ends = self.ends(class);
        match self.scope {
            Scope::EveryCell => [0..self.all_numbers(class).len(), 0..0],
            Scope::InDoubt => [0..ends.free(), ends.threats(mover.other())],
        }
    }

    /// The numbers of all states of a class, in the order in which they stand.
    pub(crate) fn all_numbers(&self, class: Class) -> &[u32] {
        self.numbers.of(class)
    }

    /// Where a state, by its number, stands in the tiles when this player is to move.
    pub(crate) fn place(&self, class: Class, number: usize, mover: Player) -> Option<u32> {
        self.places(class, mover).of_rank(self.ranks.of(class)[number])
    }

    /// Where the states of a class stand among all of it, by their numbers.
    pub(crate) fn all_ranks(&self, class: Class) -> &[u32] {
        self.ranks.of(class)
    }

    /// Where the states of a class stand in the tiles when this player is to move.
    pub(crate) fn places(&self, class: Class, mover: Player) -> Places {
        let [first, then] = self.ranks_held(class, mover);
        let end = |ranks: &Range<usize>| ranks.end as u32;
        Places { first: end(&first), then: then.start as u32..end(&then) }
    }

    /// The numbers of the states that the tiles hold when this player is to move, in
    /// the order in which they stand.
    #[cfg(test)]
    pub(crate) fn numbers(&self, class: Class, mover: Player) -> impl Iterator<Item = u32> + '_ {
        let ranks = self.ranks_held(class, mover);
        ranks.into_iter().flat_map(move |ranks| &self.all_numbers(class)[ranks]).copied()
    }

    fn ends(&self, class: Class) -> &GroupEnds {
        self.ends.get(class.slot()).unwrap_or(const { &GroupEnds([0; Group::COUNT]) })
    }
}

impl GroupEnds {
    /// The ends in a class with states of these groups.
    pub(super) fn of(groups: &[u8]) -> GroupEnds {
        let mut ends = [0; Group::COUNT];
        groups.iter().for_each(|group| ends[usize::from(*group)] += 1);
        let mut end = 0;
        for size in &mut ends {
            end += *size;
            *size = end;
        }
        GroupEnds(ends)
    }

    /// Where each group begins.
    fn starts(&self) -> [u32; Group::COUNT] {
        std::array::from_fn(|group| self.start(group))
    }

    fn start(&self, group: usize) -> u32 {
        group.checked_sub(1).map_or(0, |before| self.0[before])
    }

    fn free(&self) -> usize {
        self.0[Group::FREE] as usize
    }

    /// How many states the tiles hold when this player is to move.
    pub(super) fn held(&self, mover: Player) -> usize {
        self.free() + self.threats(mover.other()).len()
    }

    /// How many of those are read beside the centres from which a stone of this player leads here.
    pub(super) fn handed_on(&self, last_mover: Player) -> usize {
        self.free() + self.groups(Group::new_threats(last_mover)).len()
    }

    /// The states with which only this player threatens.
    fn threats(&self, player: Player) -> Range<usize> {
        self.groups(Group::threats(player))
    }

    /// Where the states of these groups stand.
    fn groups(&self, groups: Range<usize>) -> Range<usize> {
        self.start(groups.start) as usize..self.start(groups.end) as usize
    }
}

/// The states of a side beside a centre, in order.
pub(in crate::sweep) struct OrderedSide {
    pub split: Split,
    pub centre: CentreId,
    pub order: SideOrder,
    rows: ByClass<SideState>,
}

impl OrderedSide {
    /// Puts the rows of a centre in order.
    pub(crate) fn new(
        census: &Census,
        centre: CentreId,
        scope: Scope,
        rows: ByClass<SideState>,
    ) -> OrderedSide {
        let split = census.split();
        let order = SideOrder::new(split, scope, &groups(census, centre, &rows));
        OrderedSide { split, centre, order, rows }
    }

    /// The states of a class, in the order of their codes.
    pub(crate) fn states(&self, class: Class) -> &[SideState] {
        self.rows.of(class)
    }

    /// The states of all classes.
    pub(crate) fn all_states(&self) -> &[SideState] {
        self.rows.all()
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        OrderedSide::bytes_of(self.split, self.all_states().len())
    }

    /// Bytes that this many states take.
    pub(crate) fn bytes_of(split: Split, states: usize) -> usize {
        states * size_of::<SideState>() + SideOrder::bytes(split, states)
    }
}

/// Which cells a sweep works on.
///
/// If the player to move can complete a four using only stones of one side and
/// the centre, that player wins, whatever stands on the other side. So that row, or column,
/// of every tile needs no cells: on 7x6 this saves half of all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scope {
    /// Those that one side and the centre alone do not decide.
    #[default]
    InDoubt,
    /// All of them: the slow way, which counts won positions itself.
    EveryCell,
}

/// How many states of a class a tile holds, by who is to move, and how many of them are
/// handed on to centres with one stone less. The sizes of tiles depend on nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::sweep) struct Held {
    pub by_mover: [u32; 2],
    pub handed_on: [u32; 2],
}

/// How many states tiles hold beside all centres.
pub(in crate::sweep) struct HeldSizes {
    census: Arc<Census>,
    /// The states that are looked at, unless tiles hold all.
    sample: Option<SideSample>,
}

impl HeldSizes {
    /// Looks at about this many states, or at all if there are fewer.
    pub(crate) fn new(census: &Arc<Census>, scope: Scope, states: u64) -> HeldSizes {
        let rows = |centre| census.centre_rows(centre) as u64;
        let all: u64 = census.centres().map(rows).sum();
        let sample = match scope {
            Scope::InDoubt => Some(SideSample::new(census, all.div_ceil(states.max(1)))),
            Scope::EveryCell => None,
        };
        HeldSizes { census: census.clone(), sample }
    }

    /// The numbers beside a centre, by class slot.
    pub(crate) fn of_centre(&self, centre: CentreId) -> Box<[Held]> {
        let census = &self.census;
        let classes = Class::all(census.split().side_cells());
        let size = |class| census.class_size(centre, class) as u64;
        let Some(sample) = &self.sample else {
            return classes
                .map(|class| Held::new(|_| size(class) as u32, |_| size(class) as u32))
                .collect();
        };
        let groups = groups(census, centre, &sample.rows(centre));
        let of = |class| {
            let (ends, size) = (GroupEnds::of(groups.of(class)), size(class));
            let of_all = |number: usize| match groups.of(class).len() as u64 {
                0 => size as u32,
                looks => ((2 * size * number as u64 + looks) / (2 * looks)) as u32,
            };
            Held::new(|mover| of_all(ends.held(mover)), |last| of_all(ends.handed_on(last)))
        };
        classes.map(of).collect()
    }
}

impl Held {
    /// What is held when a player is to move, and what is handed on when one has moved.
    fn new(by_mover: impl FnMut(Player) -> u32, handed_on: impl FnMut(Player) -> u32) -> Held {
        Held { by_mover: Player::BOTH.map(by_mover), handed_on: Player::BOTH.map(handed_on) }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::{Board, has_four};
    use crate::index::{CentreId, Index, Lister};

    use crate::sweep::states::OrderedSide;

    use super::super::threats::groups;
    use super::*;

    /// The slow twin: the board with an empty other side, a stone at a time.
    fn by_stones(index: &Index, centre: CentreId, class: Class, number: usize) -> [bool; 2] {
        let census = index.census();
        let (split, board) = (census.split(), index.board());
        let state = index.rows(centre, class)[number];
        let centre = census.centre(centre);
        let shift = |place| split.column(place).index() * board.column_bits();
        let near = centre.near().map(|near| (crate::index::Place::Near, near));
        let centres = near.into_iter().chain([(crate::index::Place::Far, centre.far())]);
        let sides = split
            .side_columns()
            .map(|column| (crate::index::Place::Left(column), state.column(split, column)));
        let columns: Vec<_> = sides.chain(centres).map(|(p, code)| (shift(p), code)).collect();
        Player::BOTH.map(|player| {
            let stones = columns.iter().map(|(at, code)| code.stones_of(player) << at).sum::<u64>();
            let open = columns.iter().filter(|(_, code)| code.stones() < board.height());
            open.into_iter().any(|(at, code)| has_four(board, stones | 1 << (at + code.stones())))
        })
    }

    #[test]
    fn tiles_hold_what_the_player_to_move_does_not_win_at_once() {
        for board in ["7x3", "5x4", "4x5", "6x3", "9x2", "3x6", "2x7", "1x8"] {
            let board: Board = board.parse().unwrap();
            let index = Index::new(board).unwrap();
            let census = index.census();
            let lister = Lister::new(census);
            for centre in census.centres() {
                let groups = groups(census, centre, &lister.rows(centre));
                let order = SideOrder::new(census.split(), Scope::InDoubt, &groups);
                let all = SideOrder::new(census.split(), Scope::EveryCell, &groups);
                for class in census.classes(centre) {
                    let rows = census.class_size(centre, class);
                    let threats: Vec<[bool; 2]> =
                        (0..rows).map(|number| by_stones(&index, centre, class, number)).collect();
                    for mover in Player::BOTH {
                        let numbers: Vec<u32> = order.numbers(class, mover).collect();
                        let expected = threats.iter().filter(|t| !t[mover.index()]).count();
                        assert_eq!(order.len(class, mover), expected);
                        assert_eq!(numbers.len(), expected);
                        let free = order.free(class);
                        assert!(numbers[..free].is_sorted());
                        for (place, number) in numbers.iter().enumerate() {
                            let threats = threats[*number as usize];
                            let expected = |player| player != mover && place >= free;
                            assert_eq!(threats, Player::BOTH.map(expected));
                            let found = order.place(class, *number as usize, mover);
                            assert_eq!(found, Some(place as u32));
                        }
                        for (number, threats) in threats.iter().enumerate() {
                            let found = order.place(class, number, mover);
                            assert_eq!(found.is_some(), !threats[mover.index()]);
                            assert!(all.place(class, number, mover).is_some());
                        }
                        assert_eq!(all.len(class, mover), rows);
                    }
                }
            }
        }
    }

    fn sizes(board: &str, scope: Scope, states: u64) -> HeldSizes {
        HeldSizes::new(&Arc::new(Census::new(board.parse().unwrap()).unwrap()), scope, states)
    }

    #[test]
    fn a_look_at_all_states_counts_what_tiles_hold() {
        let boards = ["7x3", "5x4", "4x5", "6x3", "9x2", "3x6", "2x7", "1x8"];
        let scopes = [Scope::InDoubt, Scope::EveryCell];
        for (board, scope) in boards.into_iter().flat_map(|b| scopes.map(|scope| (b, scope))) {
            let sizes = sizes(board, scope, u64::MAX);
            let census = &sizes.census;
            let lister = Lister::new(census);
            for centre in census.centres() {
                let order = OrderedSide::new(census, centre, scope, lister.rows(centre)).order;
                let held = sizes.of_centre(centre);
                for class in Class::all(census.split().side_cells()) {
                    let held = held[class.slot()];
                    let expected = Held::new(
                        |mover| order.len(class, mover) as u32,
                        |last_mover| order.handed_on(class, last_mover) as u32,
                    );
                    assert_eq!(held, expected, "{board}, {scope:?}");
                }
            }
        }
    }

    /// Compares sums over all classes.
    #[test]
    fn a_look_at_some_tells_about_as_much() {
        for board in ["7x4", "6x4", "8x3", "5x5", "4x6"] {
            let [all, some] = [u64::MAX, 0].map(|states| sizes(board, Scope::InDoubt, states));
            let sum = |sizes: &HeldSizes, of: fn(Held) -> [u32; 2]| -> f64 {
                let beside =
                    |centre| sizes.of_centre(centre).into_iter().flat_map(of).map(f64::from);
                sizes.census.centres().flat_map(beside).sum()
            };
            for of in [|held: Held| held.by_mover, |held: Held| held.handed_on] {
                let ratio = sum(&some, of) / sum(&all, of);
                assert!((0.97..1.03).contains(&ratio), "{board}: {ratio}");
            }
        }
    }
}
