//! Which right columns fill the board in turn.
//!
//! One third column is given. For each left and second column, a row of bits says with which right
//! columns the four can be filled in alternating colours. Lines of four play no part in this. The
//! last stone lies on top of a column, and what lies below was filled in turn as well:
//!
//! ```text
//!     row(left, second, third)  =     row(left - top, second, third)
//!                                  or row(left, second - top, third)
//!                                  or row(left, second, third - top)
//!                                  or row(left, second, third) moved from right - top to right
//! ```
//!
//! where each top must be the last mover's. The third of these rows belongs to another third
//! column, the one with one stone less.
//!
//! There are few rows: on 4x11 the 4.9 million pairs of a left and a second column have 16,920
//! different rows beside an empty third column, and far fewer beside most others. So each pair
//! stores the number of its row, its **kind**, and the kind of a pair is looked up by the three
//! kinds that it is made from.

use std::collections::HashMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::states::{State, States};
use super::strips::{Block, Predecessors, Strips, bit, set};
use crate::board::Player;

/// The number of the row of a pair.
pub(super) type Kind = u16;

/// The kind of pairs with which no right column goes.
const NOTHING: Kind = 0;

/// Rows of each kind: see [`FillOrder::rows`].
const ROWS: usize = 4;

/// First player's stones minus second player's, by the player who moved last.
pub(super) fn balance(last: Player) -> i32 {
    match last {
        Player::First => 1,
        Player::Second => 0,
    }
}

/// The rows beside one third column.
pub(super) struct FillOrder {
    /// The number of columns with few enough stones to be beside the third one.
    columns: usize,
    /// Blocks of a row.
    blocks: usize,
    /// By second column, then by left column.
    kinds: Vec<Kind>,
    /// By kind: for each kind, the rows by last mover, then the rows that are filled in turn if the
    /// right column's top stone came last.
    rows: Vec<Block>,
}

/// Which rows of a kind to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// What can be filled in turn with an open right column.
    Open,
    /// What can be filled in turn with the right column's top stone coming last.
    RightLast,
}

impl FillOrder {
    /// The kinds of the pairs with this second column, by left column.
    pub(super) fn kinds(&self, second: usize) -> &[Kind] {
        &self.kinds[second * self.columns..][..self.columns]
    }

    /// This block of the rows of all kinds, which are `stride` blocks apart.
    pub(super) fn rows(&self, wanted: Wanted, last: Player, block: usize) -> &[Block] {
        let first = if wanted == Wanted::Open { 0 } else { 2 };
        &self.rows[(first + last.index()) * self.blocks + block..]
    }

    pub(super) fn stride(&self) -> usize {
        ROWS * self.blocks
    }

    /// The number of different rows.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.rows.len() / self.stride()
    }
}

/// Everything on which the row of a pair depends: its kinds without the top stone of the left,
/// second and third column, and the surplus of all three together, which determines the colours of
/// those stones.
#[derive(Clone, Copy, PartialEq, Eq)]
struct MadeFrom {
    kinds: [Kind; 3],
    surplus: i32,
}

impl MadeFrom {
    /// All of it in one word.
    fn word(self) -> u64 {
        let [left, second, third] = self.kinds.map(u64::from);
        left | second << 16 | third << 32 | u64::from(self.surplus as u8) << 48
    }
}

/// What rows are made of.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    pub(super) states: &'a States,
    pub(super) strips: &'a Strips,
    pub(super) predecessors: &'a Predecessors,
}

/// Computes pairs of a left and a second column one by one.
struct Maker<'a> {
    inputs: Inputs<'a>,
    third: &'a State,
    /// The rows beside the third column without its top stone.
    before: Option<&'a FillOrder>,
    /// The kinds found so far, by what they are made from. It is asked a million times per new
    /// answer.
    known: FxHashMap<u64, Kind>,
    by_rows: HashMap<(i32, Vec<Block>), Kind>,
    rows: Vec<Block>,
}

impl<'a> Inputs<'a> {
    /// The rows beside a third column, made from those beside the one without its top stone. Left
    /// and second column have at most `room` stones together.
    pub(super) fn fill_order(
        self,
        third: usize,
        before: Option<&'a FillOrder>,
        room: usize,
    ) -> FillOrder {
        let states = &self.states.open;
        let blocks = self.strips.blocks;
        let columns = states.partition_point(|state| state.stones <= room);
        let mut maker = Maker {
            inputs: self,
            third: &states[third],
            before,
            known: FxHashMap::default(),
            by_rows: HashMap::new(),
            rows: vec![Block::default(); ROWS * blocks],
        };
        let mut kinds = vec![NOTHING; columns * columns];
        // Second columns by number of stones: first all left columns with fewer, whose mirror
        // images are second columns with fewer, then those with equally many.
        let mut start = 0;
        for level in states[..columns].chunk_by(|a, b| a.stones == b.stones) {
            let seconds = start..start + level.len();
            start = seconds.end;
            let room = room - level[0].stones;
            let lefts = states.partition_point(|left| left.stones <= room);
            let fewer = lefts.min(seconds.start);
            for second in seconds.clone() {
                maker.pairs(&mut kinds, columns, second, 0..fewer);
            }
            mirror(&mut kinds, columns, seconds.clone(), 0..fewer);
            for second in seconds.clone() {
                maker.pairs(&mut kinds, columns, second, seconds.start..lefts.min(seconds.end));
            }
        }
        FillOrder { columns, blocks, kinds, rows: maker.rows }
    }
}

/// Copies the kinds of pairs to the places where left and second column are exchanged.
fn mirror(kinds: &mut [Kind], columns: usize, seconds: Range<usize>, lefts: Range<usize>) {
    // A few at a time, to stay in the cache.
    for from in seconds.clone().step_by(32) {
        let some = from..seconds.end.min(from + 32);
        for left in lefts.clone() {
            for second in some.clone() {
                kinds[left * columns + second] = kinds[second * columns + left];
            }
        }
    }
}

impl Maker<'_> {
    /// Finds the kinds of these left columns with one second column.
    fn pairs(&mut self, kinds: &mut [Kind], columns: usize, second: usize, lefts: Range<usize>) {
        let states = &self.inputs.states.open;
        let nothing = vec![NOTHING; columns];
        let (earlier, later) = kinds.split_at_mut(second * columns);
        let of_pair = &mut later[..columns];
        let second_lifted = match states[second].lift {
            Some((_, below)) => &earlier[usize::from(below) * columns..][..columns],
            None => &nothing,
        };
        let third_lifted = self.before.map_or(&nothing[..], |before| before.kinds(second));
        let surplus = self.third.surplus + states[second].surplus;
        // Neighbours are often made from the same kinds.
        let mut latest = (None, NOTHING);
        for left in lefts {
            let below = states[left].lift.map_or(NOTHING, |(_, below)| of_pair[usize::from(below)]);
            let made_from = MadeFrom {
                kinds: [below, second_lifted[left], third_lifted[left]],
                surplus: surplus + states[left].surplus,
            };
            if latest.0 != Some(made_from) {
                let kind = match self.known.get(&made_from.word()) {
                    Some(kind) => *kind,
                    None => self.kind(made_from, left, second),
                };
                latest = (Some(made_from), kind);
            }
            of_pair[left] = latest.1;
        }
    }

    /// The kind of a pair made from a new combination.
    #[cold]
    fn kind(&mut self, made_from: MadeFrom, left: usize, second: usize) -> Kind {
        let Inputs { states, strips, .. } = self.inputs;
        let blocks = strips.blocks;
        let [left, second] = [left, second].map(|number| &states.open[number]);
        let mut rows = vec![Block::default(); ROWS * blocks];
        let empty = [left, second, self.third].iter().all(|column| column.stones == 0);
        if empty {
            // Nothing can be lifted, as if the second player had moved last.
            set(&mut rows[Player::Second.index() * blocks..], strips.open[0].bit);
        }
        let sources =
            [&self.rows, &self.rows, self.before.map_or(&self.rows, |fill_order| &fill_order.rows)];
        for ((column, kind), from) in
            [left, second, self.third].into_iter().zip(made_from.kinds).zip(sources)
        {
            let Some(last) = column.top() else { continue };
            let from = &from[usize::from(kind) * ROWS * blocks..][..ROWS * blocks];
            let from = &from[last.other().index() * blocks..][..blocks];
            let to = &mut rows[last.index() * blocks..][..blocks];
            to.iter_mut().zip(from).for_each(|(to, from)| to.or(from));
        }
        self.with_moves_on_the_right(&mut rows, made_from.surplus);
        let kind = if rows.iter().all(|block| *block == Block::default()) {
            NOTHING
        } else {
            let new = self.rows.len() / (ROWS * blocks);
            let found = self.by_rows.entry((made_from.surplus, rows));
            *found.or_insert_with_key(|(_, rows)| {
                self.rows.extend_from_slice(rows);
                Kind::try_from(new).expect("there are fewer kinds: see MOST_COLUMNS")
            })
        };
        // The empty board is made from nothing, but unlike others made from nothing.
        if !empty {
            self.known.insert(made_from.word(), kind);
        }
        kind
    }

    /// Adds the right columns that are filled in turn with their top stone last. The players
    /// alternate, so columns are visited by number of stones.
    fn with_moves_on_the_right(&self, rows: &mut [Block], surplus: i32) {
        let Inputs { strips, predecessors, .. } = self.inputs;
        let blocks = strips.blocks;
        let [first, second] = Player::BOTH
            .map(|last| predecessors.onto(last, strips.of_surplus(balance(last) - surplus)));
        let (mut firsts, mut seconds) = (first.iter().peekable(), second.iter().peekable());
        loop {
            let (last, next) = match (firsts.peek(), seconds.peek()) {
                (Some(first), Some(second)) if first.stones >= second.stones => {
                    (Player::Second, seconds.next())
                }
                (Some(_), _) => (Player::First, firsts.next()),
                (None, _) => (Player::Second, seconds.next()),
            };
            let Some(lift) = next else { break };
            if bit(&rows[last.other().index() * blocks..][..blocks], lift.from) {
                set(&mut rows[(2 + last.index()) * blocks..][..blocks], lift.to);
                if !lift.closed {
                    set(&mut rows[last.index() * blocks..][..blocks], lift.to);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, can_be_emptied};
    use crate::tromp::position_of;

    struct Parts {
        board: Board,
        states: States,
        strips: Strips,
        predecessors: Predecessors,
    }

    impl Parts {
        fn new(height: u64) -> Parts {
            let board = Board::new(4, height).unwrap();
            let states = States::new(board, board.last_tier()).unwrap();
            let strips = Strips::new(&states);
            Parts { board, predecessors: Predecessors::new(&states, &strips), states, strips }
        }

        fn inputs(&self) -> Inputs<'_> {
            Inputs { states: &self.states, strips: &self.strips, predecessors: &self.predecessors }
        }

        /// Calls `check` with each third column and the rows beside it.
        fn each(
            &self,
            third: usize,
            before: Option<&FillOrder>,
            check: &impl Fn(usize, &FillOrder),
        ) {
            let room = self.board.cells() - self.states.open[third].stones;
            let fill_order = self.inputs().fill_order(third, before, room);
            check(third, &fill_order);
            for (taller, state) in self.states.open.iter().enumerate() {
                if state.lift.is_some_and(|(_, below)| usize::from(below) == third) {
                    self.each(taller, Some(&fill_order), check);
                }
            }
        }

        /// The slow twin searches for an order of moves.
        fn in_turn(&self, columns: [&State; 4]) -> bool {
            can_be_emptied(&position_of(self.board, columns.map(|column| column.code)))
        }
    }

    #[test]
    fn rows_tell_exactly_what_can_be_filled_in_turn() {
        let parts = Parts::new(3);
        let states = &parts.states.open;
        parts.each(0, None, &|third, fill_order| {
            for (number, (second, left)) in (0..).zip(pairs(states)) {
                let kind =
                    usize::from(fill_order.kinds(number / states.len())[number % states.len()]);
                let surplus = left.surplus + second.surplus + states[third].surplus;
                for (right, place) in states.iter().zip(&parts.strips.open) {
                    for last in Player::BOTH {
                        let row =
                            &fill_order.rows(Wanted::Open, last, 0)[kind * fill_order.stride()..];
                        let columns = [left, second, &states[third], right];
                        let balanced = surplus + right.surplus == balance(last);
                        if balanced {
                            assert_eq!(bit(row, place.bit), parts.in_turn(columns), "{columns:?}");
                        }
                    }
                }
            }
        });
    }

    fn pairs(states: &[State]) -> impl Iterator<Item = (&State, &State)> {
        states.iter().flat_map(move |second| states.iter().map(move |left| (second, left)))
    }

    #[test]
    fn kinds_are_few_and_fewer_beside_taller_columns() {
        has_so_many_kinds(8, 1067);
    }

    /// They fit in 16 bits.
    #[test]
    #[ignore = "takes minutes: make test-long"]
    fn kinds_of_4x12_are_few_and_fewer_beside_taller_columns() {
        has_so_many_kinds(12, 44_884);
    }

    fn has_so_many_kinds(height: u64, kinds: usize) {
        let parts = Parts::new(height);
        let room = parts.board.cells();
        let fill_order = parts.inputs().fill_order(0, None, room);
        assert_eq!(fill_order.len(), kinds);
        for taller in [1, 2] {
            assert!(parts.inputs().fill_order(taller, Some(&fill_order), room - 1).len() < kinds);
        }
    }
}
