//! Positions with stones in one, two or three columns.
//!
//! Draws from a whole tier hardly ever meet them, and they are where an error of a hash hides best:
//! keys with few parts are the most alike, and those near the empty board may look like an entry
//! that was never written.

use std::collections::HashSet;

use crate::board::{Board, Column, Position, Status, Tier};
use crate::random::SplitMix64;

const MOST_COLUMNS: usize = 3;
/// Games played for each position that is wanted.
const TRIES: usize = 50;

/// Different live positions of a tier; fewer than wanted if there are not enough.
pub(super) fn draw(
    board: Board,
    tier: Tier,
    wanted: usize,
    random: &mut SplitMix64,
) -> Vec<Position> {
    let fewest = tier.stones().div_ceil(board.height()).max(1);
    let choices = (MOST_COLUMNS.min(board.width()) + 1).saturating_sub(fewest);
    let (mut drawn, mut positions) = (HashSet::new(), Vec::new());
    for _ in 0..TRIES * wanted {
        if positions.len() == wanted || choices == 0 {
            break;
        }
        let columns = fewest + random.below(choices as u64) as usize;
        let position = played(board, tier, columns, random);
        positions.extend(position.filter(|position| drawn.insert(*position)));
    }
    positions
}

/// A game in this many columns; `None` if a four ends it.
fn played(board: Board, tier: Tier, columns: usize, random: &mut SplitMix64) -> Option<Position> {
    let mut chosen: Vec<Column> = board.columns().collect();
    while chosen.len() > columns {
        chosen.swap_remove(random.below(chosen.len() as u64) as usize);
    }
    let mut position = Position::empty(board);
    while position.tier() < tier {
        let open: Vec<Column> =
            chosen.iter().copied().filter(|column| position.has_room(*column)).collect();
        let column = open[random.below(open.len() as u64) as usize];
        position = position.play_unchecked(column);
        if matches!(position.status(), Status::Won(_)) {
            return None;
        }
    }
    Some(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::validate;

    #[test]
    fn positions_are_live_different_and_in_few_columns() {
        let board = Board::STANDARD;
        for stones in 0..=18 {
            let drawn = draw(board, Tier(stones), 20, &mut SplitMix64(5));
            let different: HashSet<&Position> = drawn.iter().collect();
            assert_eq!(different.len(), drawn.len());
            for position in &drawn {
                let used = board.columns().filter(|column| position.column_height(*column) > 0);
                assert!(used.count() <= 3);
                assert_eq!(position.tier(), Tier(stones));
                assert_eq!(validate(position), Ok(()));
                assert!(!matches!(position.status(), Status::Won(_)));
            }
            let expected = match stones {
                0 => 1..=1,
                1 => 7..=7,
                18 => 0..=20,
                _ => 20..=20,
            };
            assert!(expected.contains(&drawn.len()), "tier {stones}: {}", drawn.len());
        }
        assert!(draw(board, Tier(19), 20, &mut SplitMix64(5)).is_empty());
        assert_eq!(draw("1x3".parse().unwrap(), Tier(2), 4, &mut SplitMix64(5)).len(), 1);
    }
}
