//! All positions with one centre column, counted.

use super::beside::Beside;
use super::centre::{Centre, Ground};
use super::pass::Pass;
use super::runs;
use crate::board::Tier;

/// Counts by tier; differences on the way may wrap around, the totals fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tally {
    pub(super) live: Vec<u64>,
    pub(super) terminal: Vec<u64>,
}

impl Tally {
    pub(super) fn new(up_to: Tier) -> Tally {
        let none = vec![0; up_to.stones() + 1];
        Tally { live: none.clone(), terminal: none }
    }

    pub(super) fn plus(mut self, other: Tally) -> Tally {
        let add = |into: &mut [u64], from: Vec<u64>| {
            into.iter_mut().zip(from).for_each(|(into, from)| *into = into.wrapping_add(from));
        };
        add(&mut self.live, other.live);
        add(&mut self.terminal, other.terminal);
        self
    }
}

/// Counts the positions with the centre column `id`.
pub(super) fn positions(ground: &Ground, id: usize) -> Tally {
    let mut tally = Tally::new(ground.up_to);
    let Some(centre) = Centre::new(ground, id) else { return tally };
    let (left_types, right_types) = (centre.left_types(), centre.right_types());
    let left_kinds = centre.fits.merged(left_types);
    let right_kinds = match &centre.fits_of_right {
        Some(fits) => fits.merged(right_types),
        None => left_kinds.clone(),
    };
    let [left_view, right_view] = centre.views();
    let left = Beside::new(ground.left, &left_view, centre.room, left_kinds);
    let right = Beside::new(centre.right_sides(), &right_view, centre.room, right_kinds);
    let left_shown = left.shown(left_types);
    let right_shown = match ground.right {
        Some(_) => right.shown(right_types),
        None => left_shown.mirrored(ground.board.height()),
    };
    let pass = Pass {
        centre: &centre,
        fits: &centre.fits,
        mine: left_types,
        theirs: right_types,
        // Where the right is the left in a mirror, what one side adds counts twice.
        times: if ground.right.is_some() { 1 } else { 2 },
        first: true,
    };
    pass.run(&left, &left_shown, &right_shown, &mut tally);
    if let Some(fits) = &centre.fits_of_right {
        let (mine, theirs) = (right_types, left_types);
        let pass = Pass { centre: &centre, fits, mine, theirs, times: 1, first: false };
        pass.run(&right, &right_shown, &left_shown, &mut tally);
    }
    let mut both = vec![0; tally.terminal.len()];
    runs::made_from_both_sides(&centre, &left, &right, &mut both);
    for (terminal, both) in tally.terminal.iter_mut().zip(both) {
        *terminal = terminal.wrapping_sub(both);
    }
    tally
}
