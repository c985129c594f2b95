//! The forward sweep, compared with plain enumeration: the same sets, tier by tier.

use std::collections::HashSet;

use strong4::board::{Board, Position};
use strong4::inside::index::{Index, IndexError};
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

/// Live positions of the tiers of a board up to the one with this many stones.
fn live(board: &str, last: usize) -> Result<Vec<u64>, IndexError> {
    let index = Index::new(board.parse::<Board>().expect("a board"))?;
    let mut sweep = ForwardSweep::new(&index);
    let mut live = vec![sweep.live_positions()];
    while sweep.tier().stones() < last && sweep.advance() {
        live.push(sweep.live_positions());
    }
    Ok(live)
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn the_7x4_board_has_1_552_044_958_live_positions() {
    assert_eq!(live("7x4", 28).unwrap().iter().sum::<u64>(), 1_552_044_958);
}

/// The sums agree with counting by move-order types: `strong4 count --board 7x5`.
#[test]
#[ignore = "takes minutes: make test-long"]
fn the_7x5_board_has_69_626_890_564_live_positions() {
    let live = live("7x5", 35).unwrap();
    assert_eq!(live[26], 8_545_183_378);
    assert_eq!(live[35], 34_075_814);
    assert_eq!(live.iter().sum::<u64>(), 69_626_890_564);
}

/// The same: `strong4 count --tiers 0..18`.
#[test]
#[ignore = "takes minutes: make test-long"]
fn the_first_tiers_of_the_original_game_have_as_many_live_positions_as_were_counted() {
    let live = live("7x6", 18).unwrap();
    assert_eq!(live[..8], [1, 7, 49, 238, 1120, 4263, 16_422, 54_131]);
    assert_eq!(live[17..], [727_586_228, 1_534_852_224]);
    assert_eq!(live.iter().sum::<u64>(), 2_890_346_693);
}
