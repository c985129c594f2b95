//! Counts all positions with one centre column.

use super::beside::Beside;
use super::centre::{Centre, Ground};
use super::face::Hand;
use super::pass::Pass;
use super::runs;
use super::totals::Totals;

/// Counts the positions with the centre column `id`.
pub(super) fn positions(ground: &Ground, id: usize) -> Totals {
    let mut totals = Totals::new(ground.up_to);
    let Some(centre) = Centre::new(ground, id) else { return totals };
    let mut partners = centre.partners(Hand::Left);
    let [left_view, right_view] = centre.views();
    let left = Beside::new(ground.left, &left_view, centre.room, &centre.left_roles);
    let left_shown = left.shown();
    let height = ground.board.height();
    if ground.right.is_none() {
        // What one side adds counts twice, because the right side mirrors the left.
        let pass = Pass { centre: &centre, times: 2, first: true };
        pass.run(&mut partners, &left, &left_shown, &left_shown.mirrored(height), &mut totals);
        runs::made_from_both_sides(&centre, &mut partners, &left, None, &mut totals);
    } else {
        let right =
            Beside::new(centre.right_sides(), &right_view, centre.room, centre.right_roles());
        let right_shown = right.shown();
        let pass = Pass { centre: &centre, times: 1, first: true };
        pass.run(&mut partners, &left, &left_shown, &right_shown, &mut totals);
        let pass = Pass { centre: &centre, times: 1, first: false };
        let mut of_right = centre.partners(Hand::Right);
        pass.run(&mut of_right, &right, &right_shown, &left_shown, &mut totals);
        runs::made_from_both_sides(&centre, &mut partners, &left, Some(&right), &mut totals);
    }
    totals
}
