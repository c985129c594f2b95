//! Lists and samples, compared with what is known of them.

use strong4::Solver;
use strong4::board::{Board, Outcome, Tier};
use strong4::inside::reference::Reference;
use strong4::sample::{Leaving, Listing, list};

#[test]
fn lists_are_as_long_as_the_reference_says() {
    let tiers = "0..8".parse().unwrap();
    let reference = Reference::built_in();
    let listing = Listing::new(Board::STANDARD, tiers, Leaving::default()).unwrap();
    for count in reference.get(Board::STANDARD, tiers).unwrap() {
        let listed = listing.within(count.tier, 0..listing.cells(count.tier)).count() as u64;
        assert_eq!(listed, count.live, "tier {}", count.tier);
    }
}

/// Tromp's data set, "Connect-4" in the UCI Machine Learning Repository: 8 plies, nobody has won
/// yet, and the next move is not forced. Won, lost and drawn are for the first player.
#[test]
fn the_classical_data_set_is_a_list() {
    let leaving = Leaving { forced: true, mirror_images: true };
    let solver = Solver::new(Board::STANDARD);
    let (mut won, mut lost, mut drawn) = (0, 0, 0);
    for game in list(Board::STANDARD, "8".parse().unwrap(), leaving).unwrap() {
        assert_eq!(game.position().tier(), Tier::new(8).unwrap());
        match solver.score(game.position()).unwrap().outcome() {
            Outcome::Win => won += 1,
            Outcome::Loss => lost += 1,
            Outcome::Draw => drawn += 1,
        }
    }
    assert_eq!((won, lost, drawn), (44_473, 16_635, 6_449));
    assert_eq!(won + lost + drawn, 67_557);
}
