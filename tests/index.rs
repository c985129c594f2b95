//! The index of small boards, compared with all their positions and all their cells, and that of
//! the board of the original game, along random games.

use std::collections::HashMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use strong4::board::{Board, Position, Status, Tier};
use strong4::inside::enumerate::Enumeration;
use strong4::inside::index::{Cell, Index};

/// Boards that are walked whole: all kinds of centres and sides, including empty sides.
fn small_boards() -> impl Iterator<Item = Board> {
    let sizes = "1x1 1x2 1x7 1x20 1x63 2x1 2x2 2x5 2x8 3x1 3x3 3x5 4x1 4x4 5x1 5x3 6x1 6x2 \
                 7x1 7x2 8x1 9x1 12x1";
    sizes.split_whitespace().map(|size| size.parse().expect("a board"))
}

fn larger_boards() -> impl Iterator<Item = Board> {
    ["5x4", "4x5", "6x3"].into_iter().map(|size| size.parse().unwrap())
}

/// All stored cells of a tier, in order.
pub fn cells(index: &Index, tier: Tier) -> impl Iterator<Item = Cell> + '_ {
    let census = index.census();
    census.tiles(tier).flat_map(move |tile| {
        let (rows, columns) = (census.tile_rows(tile) as u32, census.tile_columns(tile) as u32);
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Cell { tile, row, column }))
    })
}

/// All stored cells of a board, in order.
fn all_cells(index: &Index) -> impl Iterator<Item = Cell> {
    index.census().tiers().flat_map(|tier| cells(index, tier))
}

#[test]
fn every_live_position_has_a_cell_and_comes_back_from_it() {
    have_cells_and_come_back(small_boards());
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn every_live_position_of_larger_boards_has_a_cell() {
    have_cells_and_come_back(larger_boards());
}

fn have_cells_and_come_back(boards: impl Iterator<Item = Board>) {
    for board in boards {
        let index = Index::new(board).unwrap();
        let mut tiers = Enumeration::start(board);
        loop {
            let mut places = HashMap::new();
            for position in tiers.live() {
                let ranked = index.rank(&position).expect("a live position has a cell");
                let image = index.unrank(ranked.cell);
                let expected = if ranked.mirrored { position.mirror() } else { position };
                assert_eq!(image, expected);
                assert_eq!(index.rank(&position.mirror()).unwrap().cell, ranked.cell);
                assert_eq!(index.census().tier(ranked.cell.tile), tiers.tier());
                assert!(index.census().is_stored(ranked.cell.tile));
                assert!(index.census().is_canonical(ranked.cell));
                // Only mirror images share a cell.
                assert_eq!(*places.entry(ranked.cell).or_insert(image), image);
            }
            if !tiers.advance() {
                break;
            }
        }
    }
}

#[test]
fn every_stored_cell_holds_a_position_that_is_ranked_to_it() {
    for board in small_boards().chain(larger_boards()) {
        let index = Index::new(board).unwrap();
        for cell in all_cells(&index) {
            let position = index.unrank(cell);
            let ranked = index.rank(&position).unwrap();
            assert_eq!(ranked.mirrored, !index.census().is_canonical(cell));
            if ranked.mirrored {
                // Below the diagonal of a tile that is its own transpose.
                let mirrored = Cell { row: cell.column, column: cell.row, ..cell };
                assert_eq!(ranked.cell, mirrored);
            } else {
                assert_eq!(ranked.cell, cell);
            }
        }
    }
}

static INDEX: LazyLock<Index> = LazyLock::new(|| Index::new(Board::STANDARD).unwrap());

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn rank_and_unrank_agree_with_play(
        choices in proptest::collection::vec(0usize..7, 0..60),
    ) {
        let index = &*INDEX;
        let mut position = Position::empty(Board::STANDARD);
        for choice in choices {
            let column = Board::STANDARD.column(choice + 1).unwrap();
            let ranked = index.rank(&position).unwrap();
            let image = index.unrank(ranked.cell);
            let expected = if ranked.mirrored { position.mirror() } else { position };
            prop_assert_eq!(image, expected);
            prop_assert_eq!(index.rank(&position.mirror()).unwrap().cell, ranked.cell);
            match position.play(column) {
                Ok(next) if next.status() == Status::Open => position = next,
                _ => break,
            }
        }
    }
}
