//! The states of a column, numbered so that states that are treated alike are neighbours: by
//! stones, then by surplus, then by the colour on top.

use std::ops::Range;

use crate::board::{Board, Player, Tier};
use crate::columns::column_states;
use crate::too_large::BoardTooLarge;
use crate::tromp::ColumnCode;

/// One state of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State {
    pub(super) code: ColumnCode,
    pub(super) stones: usize,
    pub(super) surplus: i32,
    /// The player whose stone lies on top, and the number of the state without it.
    pub(super) lift: Option<(Player, u16)>,
}

/// All states of a column with at most this many stones.
pub(super) struct States {
    pub(super) height: usize,
    /// Columns without four in a row. Their places are their numbers.
    pub(super) open: Vec<State>,
    /// Columns whose top stone makes the only four in a row, so what lies below is open.
    pub(super) closed: Vec<State>,
}

/// Neighbours with the same number of stones, the same surplus and the same colour on top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Group {
    pub(super) stones: usize,
    pub(super) surplus: i32,
    pub(super) top: Option<Player>,
    pub(super) states: Range<usize>,
}

impl State {
    fn new(code: ColumnCode, below: Option<u16>) -> State {
        State { code, stones: code.stones(), surplus: code.surplus(), lift: code.top().zip(below) }
    }

    /// Whose stone lies on top.
    pub(super) fn top(&self) -> Option<Player> {
        self.lift.map(|(player, _)| player)
    }

    /// The number of the state without the top stone, if that is this player's.
    pub(super) fn below(&self, player: Player) -> Option<usize> {
        self.lift.filter(|(top, _)| *top == player).map(|(_, below)| below.into())
    }
}

impl States {
    pub(super) fn new(board: Board, up_to: Tier) -> Result<States, BoardTooLarge> {
        let height = board.height();
        let mut codes = column_states(board)?;
        codes.retain(|code| code.stones() <= up_to.stones());
        let order = |code: ColumnCode| (code.stones(), code.surplus(), code.top(), code.marker());
        codes.sort_by_key(|code| order(*code));
        let number = |code: ColumnCode| {
            let found = codes.binary_search_by_key(&order(code), |code| order(*code));
            found.expect("columns are closed under lifting") as u16
        };
        let open = codes.iter().map(|code| State::new(*code, code.lifted().map(number)));
        let mut closed: Vec<State> = (0..)
            .zip(&codes)
            .filter(|(_, code)| code.stones() < height.min(up_to.stones()))
            .flat_map(|(below, code)| {
                let taller = Player::BOTH.map(|player| code.dropped_unchecked(player));
                let closed = taller.into_iter().filter(|code| code.has_four());
                closed.map(move |code| State::new(code, Some(below)))
            })
            .collect();
        closed.sort_by_key(|state| order(state.code));
        Ok(States { height, open: open.collect(), closed })
    }

    /// Whether a stone of `player` fits on this column and closes it.
    pub(super) fn is_closed_by(&self, state: &State, player: Player) -> bool {
        state.stones < self.height && state.code.dropped_unchecked(player).has_four()
    }

    /// The most stones of a column.
    pub(super) fn most_stones(&self) -> usize {
        self.open.last().map_or(0, |tallest| tallest.stones)
    }
}

/// The groups of one of the two lists.
pub(super) fn groups(states: &[State]) -> Vec<Group> {
    let kind = |state: &State| (state.stones, state.surplus, state.top());
    let mut start = 0;
    let group = |alike: &[State]| {
        let (stones, surplus, top) = kind(&alike[0]);
        let states = start..start + alike.len();
        start = states.end;
        Group { stones, surplus, top, states }
    };
    states.chunk_by(|a, b| kind(a) == kind(b)).map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(height: u64, up_to: u8) -> States {
        States::new(Board::new(4, height).unwrap(), Tier(up_to)).unwrap()
    }

    #[test]
    fn columns_follow_what_lies_below_them() {
        let states = states(6, 24);
        assert_eq!(states.open.len(), 103);
        for (number, state) in states.open.iter().enumerate() {
            let below = state.code.lifted();
            assert_eq!(below.is_none(), number == 0);
            if let Some((player, below)) = state.lift {
                assert!(usize::from(below) < number);
                assert_eq!(
                    states.open[usize::from(below)].code.dropped_unchecked(player),
                    state.code
                );
            }
        }
    }

    #[test]
    fn closed_columns_have_one_four_on_top() {
        let states = states(6, 24);
        // XXXX and OOOO of 4, and those on 1 or 2 stones, the upper of the other colour.
        assert_eq!(states.closed.len(), 2 * (1 + 1 + 2));
        for state in &states.closed {
            let (player, below) = state.lift.unwrap();
            let below = &states.open[usize::from(below)];
            assert!(state.code.has_four() && states.is_closed_by(below, player));
        }
    }

    #[test]
    fn groups_cover_the_states_in_order() {
        let states = states(5, 20);
        for list in [&states.open, &states.closed] {
            let groups = groups(list);
            assert!(groups.iter().flat_map(|group| group.states.clone()).eq(0..list.len()));
        }
    }

    #[test]
    fn few_stones_need_few_states() {
        let states = states(11, 3);
        assert_eq!((states.open.len(), states.closed.len()), (1 + 2 + 4 + 8, 0));
        assert_eq!(states.most_stones(), 3);
    }
}
