//! Right columns, and what is below their top stones.

use super::states::States;
use super::strips::Strips;
use crate::board::Player;

/// A right column of some strip, and the column without its top stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lift {
    pub(super) stones: usize,
    pub(super) closed: bool,
    pub(super) to: usize,
    pub(super) from: usize,
}

/// How the bits of right columns follow from those of columns with one stone less.
pub(super) struct Lifts {
    /// By the player on top and by strip, in order of stones.
    lists: [Vec<Vec<Lift>>; 2],
}

impl Lifts {
    pub(super) fn new(states: &States, strips: &Strips) -> Lifts {
        let mut lists = Player::BOTH.map(|_| vec![Vec::new(); strips.len()]);
        let open = states.open.iter().zip(&strips.open).map(|(s, p)| (s, p, false));
        let closed = states.closed.iter().zip(&strips.closed).map(|(s, p)| (s, p, true));
        for (state, place, closed) in open.chain(closed) {
            if let Some((player, below)) = state.lift {
                let from = strips.open[usize::from(below)].bit;
                let lift = Lift { stones: state.stones, closed, to: place.bit, from };
                lists[player.index()][place.strip].push(lift);
            }
        }
        lists.iter_mut().flatten().for_each(|list| list.sort_by_key(|lift| lift.stones));
        Lifts { lists }
    }

    pub(super) fn onto(&self, player: Player, strip: Option<usize>) -> &[Lift] {
        strip.map_or(&[], |strip| &self.lists[player.index()][strip])
    }
}
