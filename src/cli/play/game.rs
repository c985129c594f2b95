//! The moves of a game, and who plays which side.

use clap::ValueEnum;
use strong4::board::{Board, Column, Player, Position};

/// The player that sits at the keyboard.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Side {
    First,
    Second,
    Both,
}

/// The moves so far, and who plays which side.
pub struct Game {
    pub board: Board,
    pub moves: Vec<Column>,
    pub side: Side,
}

impl Game {
    /// The current position.
    pub fn position(&self) -> Position {
        let play = |position: Position, column: &Column| position.play_unchecked(*column);
        self.moves.iter().fold(Position::empty(self.board), play)
    }

    /// Is it the user's turn?
    pub fn is_yours(&self) -> bool {
        match self.side {
            Side::Both => true,
            Side::First => self.position().mover() == Player::First,
            Side::Second => self.position().mover() == Player::Second,
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
        self.moves.len() < before.len()
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
    use strong4::board::Moves;

    #[test]
    fn undo_goes_back_to_the_player() {
        let moves = |text| Moves::parse(Board::STANDARD, text).unwrap().columns().to_vec();
        for (side, before, after, done) in [
            (Side::First, "4453", "44", true),
            (Side::First, "445", "44", true),
            (Side::Second, "445", "4", true),
            (Side::Second, "4", "4", false),
            (Side::First, "", "", false),
            (Side::Both, "445", "44", true),
        ] {
            let mut game = Game { board: Board::STANDARD, moves: moves(before), side };
            assert_eq!((game.undo(), game.moves), (done, moves(after)), "{before}");
        }
    }
}
