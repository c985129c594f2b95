//! The index of small boards, compared with all their positions and all their cells, and that of
//! the board of the original game, along random games.

use std::collections::HashMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use strong4::board::{Board, Position, Status};
use strong4::inside::index::{Cell, Index};

use super::{cells, live_tiers, small_boards};

fn larger_boards() -> impl Iterator<Item = Board> {
    ["5x4", "4x5", "6x3"].into_iter().map(|size| size.parse().unwrap())
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
        for (tier, live) in index.census().tiers().zip(live_tiers(board)) {
            let mut places = HashMap::new();
            for position in &live {
                let ranked = index.rank(position).expect("a live position has a cell");
                let image = index.unrank(ranked.cell);
                let expected = if ranked.mirrored { position.mirror() } else { *position };
                assert_eq!(image, expected);
                assert_eq!(index.rank(&position.mirror()).unwrap().cell, ranked.cell);
                assert_eq!(index.census().tier(ranked.cell.tile), tier);
                assert!(index.census().is_stored(ranked.cell.tile));
                assert!(index.census().is_canonical(ranked.cell));
                // Only mirror images share a cell.
                assert_eq!(*places.entry(ranked.cell).or_insert(image), image);
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
