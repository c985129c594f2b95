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
//! Inside a group they keep the order of their codes. Tiles hold the states that
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

use rayon::prelude::*;

use crate::board::{Player, winning_cells};
use crate::index::{Centre, CentreId, Class, Index, SideState, Split};

use super::scope::Scope;

/// Rows of a centre from which on several threads share them.
const WORTH_SHARING: usize = 1 << 14;

/// The groups of a class, in the order in which they stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Free,
    New(Player),
    Old(Player),
    Both,
}

impl Group {
    const COUNT: usize = 6;

    fn number(self) -> usize {
        match self {
            Group::Free => 0,
            Group::New(player) => 1 + 2 * player.index(),
            Group::Old(player) => 2 + 2 * player.index(),
            Group::Both => 5,
        }
    }
}

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
    /// Groups the states beside a centre.
    pub fn new(index: &Index, centre: CentreId, scope: Scope) -> SideOrder {
        let groups = Groups::new(index, centre);
        let order = |class| ClassOrder::new(index.rows(centre, class), |state| groups.of(state));
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
            Scope::InDoubt => order.free() + order.group(Group::New(last_mover)).len(),
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
        let order = self.of(class);
        let rank = order.ranks[number];
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
    fn new(states: &[SideState], group: impl Fn(SideState) -> Group) -> ClassOrder {
        let groups: Vec<u8> = states.iter().map(|state| group(*state).number() as u8).collect();
        let mut ends = [0; Group::COUNT];
        groups.iter().for_each(|group| ends[usize::from(*group)] += 1);
        let mut next = [0; Group::COUNT];
        let mut start = 0;
        for (next, end) in next.iter_mut().zip(&mut ends) {
            *next = start;
            *end += start;
            start = *end;
        }
        let mut numbers = vec![0; states.len()].into_boxed_slice();
        let mut ranks = numbers.clone();
        for ((rank, group), number) in ranks.iter_mut().zip(groups).zip(0..) {
            let next = &mut next[usize::from(group)];
            *rank = *next;
            numbers[*next as usize] = number;
            *next += 1;
        }
        ClassOrder { ends, numbers, ranks }
    }

    fn free(&self) -> usize {
        self.group(Group::Free).end
    }

    /// The states with which only this player threatens.
    fn threats(&self, player: Player) -> Range<usize> {
        self.group(Group::New(player)).start..self.group(Group::Old(player)).end
    }

    fn group(&self, group: Group) -> Range<usize> {
        let number = group.number();
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[number] as usize
    }
}

/// Something for each class of a side, by slot; on several threads where there are many
/// states.
pub(super) fn by_class<T: Send>(
    index: &Index,
    centre: CentreId,
    of_class: impl Fn(Class) -> T + Send + Sync,
) -> Vec<T> {
    let classes: Vec<Class> = Class::all(index.census().split().side_cells()).collect();
    if index.census().centre_rows(centre) < WORTH_SHARING {
        return classes.into_iter().map(of_class).collect();
    }
    classes.into_par_iter().map(of_class).collect()
}

/// How many states of a class a tile holds, by who is to move, and how many of them are
/// handed on to centres with one stone less: all that the sizes of tiles depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Held {
    pub by_mover: [u32; 2],
    pub handed_on: [u32; 2],
}

impl Held {
    /// Counts the states of a class beside a centre.
    pub fn count(index: &Index, centre: CentreId, class: Class, scope: Scope) -> Held {
        let rows = index.rows(centre, class);
        if scope == Scope::EveryCell {
            let all = [rows.len() as u32; 2];
            return Held { by_mover: all, handed_on: all };
        }
        let groups = Groups::new(index, centre);
        let mut held = Held::default();
        for state in rows {
            match groups.of(*state) {
                Group::Free => {
                    held.by_mover.iter_mut().for_each(|held| *held += 1);
                    held.handed_on.iter_mut().for_each(|held| *held += 1);
                }
                Group::New(player) => {
                    held.by_mover[player.other().index()] += 1;
                    held.handed_on[player.index()] += 1;
                }
                Group::Old(player) => held.by_mover[player.other().index()] += 1,
                Group::Both => {}
            }
        }
        held
    }
}

/// Finds the groups of states beside a centre.
struct Groups {
    split: Split,
    centre: Centre,
    /// By player, the centres from which a stone of his leads here.
    before: [Vec<Centre>; 2],
}

impl Groups {
    fn new(index: &Index, centre: CentreId) -> Groups {
        let census = index.census();
        let centre = census.centre(centre);
        let before =
            Player::BOTH.map(|player| centre.before(player).map(|(_, before)| before).collect());
        Groups { split: census.split(), centre, before }
    }

    fn of(&self, state: SideState) -> Group {
        let [first, second] = threats(self.split, state, self.centre);
        let old = |player: Player| {
            let before = &self.before[player.index()];
            before.iter().all(|before| threats(self.split, state, *before)[player.index()])
        };
        match (first, second) {
            (false, false) => Group::Free,
            (true, true) => Group::Both,
            (true, false) if old(Player::First) => Group::Old(Player::First),
            (false, true) if old(Player::Second) => Group::Old(Player::Second),
            (true, false) => Group::New(Player::First),
            (false, true) => Group::New(Player::Second),
        }
    }
}

/// Which player would complete a four with a single stone, with the stones of one
/// side and the centre alone.
fn threats(split: Split, side: SideState, centre: Centre) -> [bool; 2] {
    let board = split.board();
    let columns = split.side_columns().map(|column| side.column(split, column));
    let columns = columns.chain(centre.near()).chain([centre.far()]);
    let (mut stones, mut landing) = ([0; 2], 0);
    for (column, code) in columns.enumerate() {
        let shift = column * board.column_bits();
        for player in Player::BOTH {
            stones[player.index()] |= code.stones_of(player) << shift;
        }
        if code.stones() < board.height() {
            landing |= 1 << (shift + code.stones());
        }
    }
    stones.map(|stones| winning_cells(board, stones) & landing != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, has_four};

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
                let order = SideOrder::new(&index, centre, Scope::InDoubt);
                let all = SideOrder::new(&index, centre, Scope::EveryCell);
                for class in census.classes(centre) {
                    let rows = census.class_size(centre, class);
                    let threats: Vec<[bool; 2]> =
                        (0..rows).map(|number| by_stones(&index, centre, class, number)).collect();
                    let held = Held::count(&index, centre, class, Scope::InDoubt);
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
