//! What a single stone can do: threats, and positions without any.

use super::{Column, Player, Position, has_four};

/// The columns in which a stone of this player would make a four, whoever is to move.
pub fn threats(position: &Position, player: Player) -> impl Iterator<Item = Column> + '_ {
    let board = position.board();
    let makes_four = move |column: Column| {
        let landing = position.occupied() ^ position.play_unchecked(column).occupied();
        has_four(board, position.stones(player) | landing)
    };
    board.columns().filter(|column| position.has_room(*column)).filter(move |c| makes_four(*c))
}

/// Is a position without a four quiet, so that neither player can make one with a single stone?
pub fn is_quiet(position: &Position) -> bool {
    Player::BOTH.into_iter().all(|player| threats(position, player).next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Moves};

    fn threatened(moves: &str) -> [Vec<usize>; 2] {
        let game = Moves::parse(Board::STANDARD, moves).unwrap();
        let position = game.position();
        Player::BOTH.map(|player| threats(position, player).map(|c| c.index() + 1).collect())
    }

    #[test]
    fn threats_are_seen_for_both_players_whoever_moves() {
        let columns = |first: &[usize], second: &[usize]| [first.to_vec(), second.to_vec()];
        assert_eq!(threatened("4453"), columns(&[], &[]));
        assert_eq!(threatened("112233"), columns(&[4], &[]));
        assert_eq!(threatened("445533"), columns(&[2, 6], &[]));
        assert_eq!(threatened("12121"), columns(&[1], &[]));
        assert_eq!(threatened("2121211"), columns(&[2], &[]));
    }

    #[test]
    fn a_position_is_quiet_while_nobody_could_end_it() {
        let quiet = |moves| is_quiet(Moves::parse(Board::STANDARD, moves).unwrap().position());
        assert!(quiet("") && quiet("4453") && quiet("4455"));
        assert!(!quiet("112233") && !quiet("121217"));
    }
}
