//! In which order the states of a side stand in tiles, and which of them do.
//!
//! Beside a centre, a state of a side may let the first player complete a four
//! with his next stone, or the second, or both, with the stones of this side and
//! the centre alone. The states of a class are grouped by that:
//!
//! ```text
//!     free     first threatens     second threatens     both
//!              new      old        new      old
//! ```
//!
//! Of those with threats the ones that a stone in the centre may answer come first, so
//! that for whole blocks of the others moves in the centre need not be looked at. For the
//! rest, states of a group keep the order of their codes. Tiles hold the states that
//! the player to move does not win with at once:
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
//! An *old* threat was there already before the last stone in the centre, which
//! its owner would not have dropped. So the tiles that are handed on to the
//! centre before hold the free states and those with new threats of the player
//! who has just moved, which is again how they begin.

use std::ops::Range;

use crate::board::Player;
use crate::index::{CentreId, Class, Index};

use super::by_class::by_class;
use super::groups::Group;
use super::scope::Scope;

/// The order of all states of a side beside one centre.
#[derive(Debug)]
pub(super) struct SideOrder {
    scope: Scope,
    /// By class slot.
    classes: Vec<ClassOrder>,
}

/// The order of the states of a class.
#[derive(Default, Debug)]
struct ClassOrder {
    /// Where each group ends.
    ends: [u32; Group::COUNT],
    /// The states as they stand, by their numbers in the order of the codes.
    numbers: Box<[u32]>,
    /// By number, where the state stands.
    ranks: Box<[u32]>,
}

impl SideOrder {
    /// Puts the states beside a centre in order; `groups` has the [group](super::groups::groups) of each.
    pub fn new(index: &Index, centre: CentreId, scope: Scope, groups: &[Box<[u8]>]) -> SideOrder {
        let order = |class: Class| ClassOrder::new(&groups[class.slot()]);
        SideOrder { scope, classes: by_class(index, centre, order) }
    }

    /// How many states of a class the tiles hold when this player is to move.
    pub fn len(&self, class: Class, mover: Player) -> usize {
        let order = self.of(class);
        match self.scope {
            Scope::EveryCell => order.numbers.len(),
            Scope::InDoubt => order.free() + order.threats(mover.other()).len(),
        }
    }

    /// With how many states the tiles of both players begin alike.
    pub fn shared(&self, class: Class) -> usize {
        match self.scope {
            Scope::EveryCell => self.of(class).numbers.len(),
            Scope::InDoubt => self.of(class).free(),
        }
    }

    /// How many states are free; tiles begin with them.
    pub fn free(&self, class: Class) -> usize {
        self.of(class).free()
    }

    /// How many states, from the first on, a tile is looked at for from the centres from
    /// which a stone of this player leads here.
    pub fn handed_on(&self, class: Class, last_mover: Player) -> usize {
        let order = self.of(class);
        match self.scope {
            Scope::EveryCell => order.numbers.len(),
            Scope::InDoubt => order.free() + order.groups(Group::new(last_mover)).len(),
        }
    }

    /// Where the states that the tiles hold stand among all of their class.
    pub fn ranks_held(&self, class: Class, mover: Player) -> [Range<usize>; 2] {
        let order = self.of(class);
        match self.scope {
            Scope::EveryCell => [0..order.numbers.len(), 0..0],
            Scope::InDoubt => [0..order.free(), order.threats(mover.other())],
        }
    }

    /// The numbers of all states of a class, in the order in which they stand.
    pub fn all_numbers(&self, class: Class) -> &[u32] {
        &self.of(class).numbers
    }

    /// Where a state, by its number, stands in the tiles when this player is to move.
    pub fn place(&self, class: Class, number: usize, mover: Player) -> Option<u32> {
        self.place_of_rank(class, self.of(class).ranks[number], mover)
    }

    /// Where the states of a class stand among all of it, by their numbers.
    pub fn all_ranks(&self, class: Class) -> &[u32] {
        &self.of(class).ranks
    }

    /// Where a state that stands there among all of its class does so in the tiles.
    pub fn place_of_rank(&self, class: Class, rank: u32, mover: Player) -> Option<u32> {
        let order = self.of(class);
        let [free, threats] = match self.scope {
            Scope::EveryCell => return Some(rank),
            Scope::InDoubt => [0..order.free(), order.threats(mover.other())],
        };
        let place = rank as usize;
        if free.contains(&place) {
            Some(rank)
        } else {
            threats.contains(&place).then(|| rank - threats.start as u32 + free.end as u32)
        }
    }

    /// The numbers of the states that the tiles hold when this player is to move, in
    /// the order in which they stand.
    #[cfg(test)]
    pub fn numbers(&self, class: Class, mover: Player) -> impl Iterator<Item = u32> + '_ {
        let ranks = self.ranks_held(class, mover);
        ranks.into_iter().flat_map(move |ranks| &self.of(class).numbers[ranks]).copied()
    }

    fn of(&self, class: Class) -> &ClassOrder {
        &self.classes[class.slot()]
    }
}

impl ClassOrder {
    fn new(groups: &[u8]) -> ClassOrder {
        let mut ends = [0; Group::COUNT];
        groups.iter().for_each(|group| ends[usize::from(*group)] += 1);
        let mut next = [0; Group::COUNT];
        let mut start = 0;
        for (next, end) in next.iter_mut().zip(&mut ends) {
            *next = start;
            *end += start;
            start = *end;
        }
        let mut numbers = vec![0; groups.len()].into_boxed_slice();
        let mut ranks = numbers.clone();
        for ((rank, group), number) in ranks.iter_mut().zip(groups).zip(0..) {
            let next = &mut next[usize::from(*group)];
            *rank = *next;
            numbers[*next as usize] = number;
            *next += 1;
        }
        ClassOrder { ends, numbers, ranks }
    }

    fn free(&self) -> usize {
        self.groups([Group::Free; 2]).end
    }

    /// The states with which only this player threatens.
    fn threats(&self, player: Player) -> Range<usize> {
        self.groups(Group::threats(player))
    }

    /// Where the states from one group to another stand.
    fn groups(&self, [first, last]: [Group; 2]) -> Range<usize> {
        let start = first.number().checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[last.number()] as usize
    }
}

/// How many states of a class a tile holds, by who is to move, and how many of them are
/// handed on to centres with one stone less: all that the sizes of tiles depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Held {
    pub by_mover: [u32; 2],
    pub handed_on: [u32; 2],
}

impl Held {
    /// About how many states of a class of this size are, where a side and the centre have this
    /// many cells: the more there are, the more threats. As measured on 7x5 and 7x6.
    pub fn about(size: usize, cells: usize, scope: Scope) -> Held {
        let part = |part: f64| (size as f64 * part).ceil() as u32;
        let held = (-0.0154 * cells as f64).exp();
        match scope {
            Scope::EveryCell => Held { by_mover: [size as u32; 2], handed_on: [size as u32; 2] },
            Scope::InDoubt => {
                Held { by_mover: [part(held); 2], handed_on: [part(held.powf(1.38)); 2] }
            }
        }
    }

    /// Counts the states of a class by their groups.
    pub fn count(groups: &[u8], scope: Scope) -> Held {
        if scope == Scope::EveryCell {
            let all = [groups.len() as u32; 2];
            return Held { by_mover: all, handed_on: all };
        }
        let mut sizes = [0u32; Group::COUNT];
        groups.iter().for_each(|group| sizes[usize::from(*group)] += 1);
        let size = |[first, last]: [Group; 2]| -> u32 {
            sizes[first.number()..=last.number()].iter().sum()
        };
        let free = size([Group::Free; 2]);
        Held {
            by_mover: Player::BOTH.map(|mover| free + size(Group::threats(mover.other()))),
            handed_on: Player::BOTH.map(|last_mover| free + size(Group::new(last_mover))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, has_four};
    use crate::sweep::groups::groups;

    /// The slow twin: the board with nothing on the other side, a stone at a time.
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
            for centre in census.centres() {
                let groups = groups(&index, centre);
                let order = SideOrder::new(&index, centre, Scope::InDoubt, &groups);
                let all = SideOrder::new(&index, centre, Scope::EveryCell, &groups);
                for class in census.classes(centre) {
                    let rows = census.class_size(centre, class);
                    let threats: Vec<[bool; 2]> =
                        (0..rows).map(|number| by_stones(&index, centre, class, number)).collect();
                    let held = Held::count(&groups[class.slot()], Scope::InDoubt);
                    for mover in Player::BOTH {
                        let numbers: Vec<u32> = order.numbers(class, mover).collect();
                        let expected = threats.iter().filter(|t| !t[mover.index()]).count();
                        assert_eq!(order.len(class, mover), expected);
                        assert_eq!(held.by_mover[mover.index()] as usize, expected);
                        assert_eq!(
                            held.handed_on[mover.index()] as usize,
                            order.handed_on(class, mover)
                        );
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
}
