//! The index of the board of the original game, along random games.

use std::sync::LazyLock;

use proptest::prelude::*;
use strong4::board::{Board, Position, Status};
use strong4::inside::index::{Child, Index};

static INDEX: LazyLock<Index> = LazyLock::new(|| Index::new(Board::STANDARD).unwrap());

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn rank_unrank_and_children_agree_with_play(
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
            let offset = index.offset(ranked.cell);
            prop_assert_eq!(index.cell_at(position.tier(), offset), Some(ranked.cell));

            let played = if ranked.mirrored { Board::STANDARD.mirrored(column).unwrap() } else { column };
            let child = index.child(ranked.cell, played);
            match position.play(column) {
                Err(_) => prop_assert_eq!(child, Child::Full),
                Ok(next) if next.status() == Status::Open => {
                    prop_assert_eq!(child, Child::Cell(index.rank(&next).unwrap().cell));
                    let Child::Cell(cell) = child else { unreachable!() };
                    let mut parents = index.parents(cell);
                    prop_assert!(parents.any(|(_, parent)| parent == ranked.cell));
                    position = next;
                }
                Ok(next) if next.status() == Status::Full => break,
                Ok(_) => {
                    prop_assert_eq!(child, Child::Four);
                    break;
                }
            }
        }
    }
}
