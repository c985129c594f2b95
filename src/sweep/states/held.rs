//! How many states of each class tiles hold beside each centre: the sizes of all tiles follow from it.
//!
//! A look at every state beside every centre tells it exactly. That takes three seconds of one thread on 7x6,
//! and minutes on larger boards. So on these, some states of each class are looked at, evenly among all,
//! and as large a part of the class is taken to be held.
//!
//! Which ones are looked at depends on the board alone, so all machines agree on all sizes.

use std::sync::Arc;

use crate::board::Player;
use crate::index::{Census, CentreId, Class, SideSample};

use super::order::{GroupEnds, Scope};
use super::threats::groups;

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
    /// Looks at about so many states, if there are as many.
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
    pub(crate) fn beside(&self, centre: CentreId) -> Box<[Held]> {
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
    use crate::index::Lister;
    use crate::sweep::states::OrderedSide;

    use super::*;

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
                let held = sizes.beside(centre);
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
                let beside = |centre| sizes.beside(centre).into_iter().flat_map(of).map(f64::from);
                sizes.census.centres().flat_map(beside).sum()
            };
            for of in [|held: Held| held.by_mover, |held: Held| held.handed_on] {
                let ratio = sum(&some, of) / sum(&all, of);
                assert!((0.97..1.03).contains(&ratio), "{board}: {ratio}");
            }
        }
    }
}
