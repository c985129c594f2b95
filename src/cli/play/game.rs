//! The moves of a game, and who plays which side.

use clap::ValueEnum;
use strong4::board::{Moves, Player};

/// The player that sits at the keyboard.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Side {
    First,
    Second,
    Both,
}

/// The moves so far, and who plays which side.
pub struct Game {
    pub moves: Moves,
    pub side: Side,
}

impl Game {
    /// Whether it is the user's turn.
    pub fn is_yours(&self) -> bool {
        let mover = self.moves.position().mover();
        match self.side {
            Side::Both => true,
            Side::First => mover == Player::First,
            Side::Second => mover == Player::Second,
        }
    }

    /// Takes back moves until it is the user's turn again; false if there are none.
    pub fn undo(&mut self) -> bool {
        let before = self.moves.clone();
        self.moves.pop();
        while !self.is_yours() {
            if self.moves.pop().is_none() {
                self.moves = before;
                return false;
            }
        }
        self.moves != before
    }

    /// Changes sides.
    pub fn swap(&mut self) {
        self.side = match self.side {
            Side::First => Side::Second,
            Side::Second => Side::First,
            Side::Both => Side::Both,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::Board;

    #[test]
    fn undo_goes_back_to_the_player() {
        let moves = |text| Moves::parse(Board::STANDARD, text).unwrap();
        for (side, before, after, done) in [
            (Side::First, "4453", "44", true),
            (Side::First, "445", "44", true),
            (Side::Second, "445", "4", true),
            (Side::Second, "4", "4", false),
            (Side::First, "", "", false),
            (Side::Both, "445", "44", true),
        ] {
            let mut game = Game { moves: moves(before), side };
            assert_eq!((game.undo(), game.moves), (done, moves(after)), "{before}");
        }
    }
}
