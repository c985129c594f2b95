//! The forward sweep, compared with plain enumeration: the same sets, tier by tier.

use std::collections::HashSet;

use strong4::board::{Board, Position};
use strong4::inside::index::Index;
use strong4::inside::reference::Reference;
use strong4::inside::sweep::ForwardSweep;

use super::{cells, live_tiers, small_boards};

/// The positions of all live cells of the tier, with their mirror images.
fn live_positions(index: &Index, sweep: &ForwardSweep) -> HashSet<Position> {
    let live = cells(index, sweep.tier())
        .filter(|cell| sweep.is_live(*cell).expect("a cell of the tier"))
        .map(|cell| index.unrank(cell));
    live.flat_map(|position| [position, position.mirror()]).collect()
}

#[test]
fn live_cells_are_the_positions_that_games_reach() {
    are_reached(small_boards().chain(["3x6", "8x2"].map(|size| size.parse().unwrap())));
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn live_cells_of_larger_boards_are_the_positions_that_games_reach() {
    are_reached(["5x4", "4x5", "6x3"].into_iter().map(|size| size.parse().unwrap()));
}

fn are_reached(boards: impl Iterator<Item = Board>) {
    for board in boards {
        let index = Index::new(board).unwrap();
        let mut sweep = ForwardSweep::new(&index);
        for (stones, expected) in live_tiers(board).into_iter().enumerate() {
            assert_eq!(sweep.tier().stones(), stones);
            assert_eq!(sweep.live_positions(), expected.len() as u64, "{board}, tier {stones}");
            assert!(live_positions(&index, &sweep) == expected, "{board}, tier {stones}");
            assert_eq!(sweep.advance(), stones < board.cells());
        }
    }
}

#[test]
fn mirror_images_are_live_together() {
    let index = Index::new("7x3".parse().unwrap()).unwrap();
    let census = index.census();
    let mut sweep = ForwardSweep::new(&index);
    while sweep.advance() {
        for tile in census.tiles(sweep.tier()) {
            let [own, image] = [tile, census.mirrored(tile)]
                .map(|tile| sweep.live().tile(tile).expect("a tile of the tier"));
            let shape = own.shape();
            let cells = (0..shape.rows).flat_map(|r| (0..shape.columns).map(move |c| (r, c)));
            assert!({ cells }.all(|(r, c)| own.bit(r, c) == image.bit(c, r)));
        }
    }
}

/// The reference counts by move-order types: `strong4 count --board 7x5`.
#[test]
#[ignore = "takes minutes: make test-long"]
fn larger_boards_have_as_many_live_positions_as_were_counted() {
    for (board, last) in [("7x4", 28), ("7x5", 35), ("7x6", 18)] {
        let board: Board = board.parse().unwrap();
        let index = Index::new(board).unwrap();
        let mut sweep = ForwardSweep::new(&index);
        for count in &Reference::built_in().tiers(board).unwrap()[..=last] {
            assert_eq!(sweep.tier(), count.tier);
            assert_eq!(sweep.live_positions(), count.live, "{board}, tier {}", count.tier);
            sweep.advance();
        }
    }
}
