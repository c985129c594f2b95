//! The index of the board of the original game, along random games.

use std::sync::LazyLock;

use proptest::prelude::*;
use strong4::board::{Board, Position, Status};
use strong4::inside::index::Index;

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
