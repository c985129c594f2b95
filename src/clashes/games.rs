//! Positions of random games.

use crate::board::{Board, Column, Position, Status};
use crate::random::SplitMix64;

/// Positions with fewer stones are skipped: there are few, and all games share them.
const FIRST_STONES: usize = 8;

/// The positions of one game after the other, except those that are over.
pub(super) struct Games {
    random: SplitMix64,
    position: Position,
}

impl Games {
    pub(super) fn new(board: Board, random: SplitMix64) -> Games {
        Games { random, position: Position::empty(board) }
    }

    fn step(&mut self) {
        let board = self.position.board();
        let column = loop {
            let column = Column(self.random.below(board.width() as u64) as u8);
            if self.position.has_room(column) {
                break column;
            }
        };
        self.position = self.position.play_unchecked(column);
        if self.position.status() != Status::Open {
            self.position = Position::empty(board);
        }
    }
}

impl Iterator for Games {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        loop {
            self.step();
            if self.position.tier().stones() >= FIRST_STONES {
                return Some(self.position);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_open_and_follow_from_each_other() {
        let positions: Vec<Position> =
            Games::new(Board::STANDARD, SplitMix64(1)).take(2000).collect();
        let mut games = 0;
        for pair in positions.windows(2) {
            assert_eq!((pair[0].status(), pair[0].validate()), (Status::Open, Ok(())));
            let follows = pair[0].children().any(|(_, child)| child == pair[1]);
            assert!(follows || pair[1].tier().stones() == FIRST_STONES);
            games += usize::from(!follows);
        }
        assert!(games > 50);
    }
}
