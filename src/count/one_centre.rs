//! Counts all positions with one centre column.

use super::centre::{Centre, Shared};
use super::face::Hand;
use super::pass::Pass;
use super::runs;
use super::side_groups::SideGroups;
use super::totals::Totals;

/// Counts the positions with the centre column `id`.
pub(super) fn positions(shared: &Shared, id: usize) -> Totals {
    let mut totals = Totals::new(shared.up_to);
    let Some(centre) = Centre::new(shared, id) else { return totals };
    let mut partners = centre.partners(Hand::Left);
    let [left_view, right_view] = centre.views();
    let left = SideGroups::new(shared.left, &left_view, centre.room, &centre.left_types);
    let left_shown = left.shown();
    let height = shared.board.height();
    if shared.right.is_none() {
        // What one side adds counts twice, because the right side mirrors the left.
        let pass = Pass { centre: &centre, times: 2, first: true };
        pass.run(&mut partners, &left, &left_shown, &left_shown.mirrored(height), &mut totals);
        runs::made_from_both_sides(&centre, &mut partners, &left, None, &mut totals);
    } else {
        let right =
            SideGroups::new(centre.right_sides(), &right_view, centre.room, centre.right_types());
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
