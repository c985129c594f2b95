//! What can be seen of a position without a search: threats, that the game is over, or that only
//! one move is possible.
//!
//! ```text
//!     a four on the board, or a full one    it is over
//!     the mover can make a four             the mover wins with the next ply
//!     the opponent threatens two            the mover loses with the one after it
//!     the opponent threatens one            the mover must move there
//! ```

use super::{Column, Outcome, Player, Position, Status, winning_cells_of};

impl Position {
    /// The columns in which a stone of this player would make a four, whoever is to move.
    pub fn threats(&self, player: Player) -> impl Iterator<Item = Column> + '_ {
        let board = self.board();
        let [winning] = winning_cells_of(board, [self.stones(player)]);
        board.columns().filter(move |column| {
            let free = board.column_mask(*column) & !self.occupied();
            // The lowest free cell of the column.
            winning & free & free.wrapping_neg() != 0
        })
    }

    /// Whether a position is quiet: neither player has a four, or can make one with a single stone.
    pub fn is_quiet(&self) -> bool {
        let threatens = |player| self.threats(player).next().is_some();
        !matches!(self.status(), Status::Won(_)) && !Player::BOTH.into_iter().any(threatens)
    }
}

/// What is seen of a position at once.
pub(crate) enum Sight {
    /// How it ends, and after how many plies.
    Over { outcome: Outcome, plies: u8 },
    /// The only move that does not lose at once.
    Forced(Column),
    /// Nothing: no player has a stone that makes a four.
    Quiet,
}

impl Sight {
    /// What is seen of a position that a game can reach.
    pub(crate) fn of(position: &Position) -> Sight {
        let mover = position.mover();
        let over = |outcome, plies| Sight::Over { outcome, plies };
        if let Some(outcome) = position.ending() {
            return over(outcome, 0);
        }
        if position.threats(mover).next().is_some() {
            return over(Outcome::Win, 1);
        }
        let mut threats = position.threats(mover.other());
        match (threats.next(), threats.next()) {
            (Some(_), Some(_)) => over(Outcome::Loss, 2),
            (Some(forced), None) => Sight::Forced(forced),
            (None, _) => Sight::Quiet,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Moves, fours};
    use crate::random::games;

    /// The slow twin plays every move.
    fn threats_by_playing(position: &Position, player: Player) -> Vec<Column> {
        let makes_four = |column: &Column| {
            let landing = position.play_unchecked(*column).occupied() ^ position.occupied();
            fours(position.board(), position.stones(player) | landing) & landing != 0
        };
        let open = position.board().columns().filter(|column| position.has_room(*column));
        open.filter(makes_four).collect()
    }

    proptest::proptest! {
        #[test]
        fn threats_are_the_stones_that_make_a_four(game in games()) {
            let mut position = Position::empty(game.board());
            let columns = game.into_iter().map(Some).chain([None]);
            for column in columns {
                let mut is_quiet = true;
                for player in Player::BOTH {
                    let threats: Vec<Column> = position.threats(player).collect();
                    let by_playing = threats_by_playing(&position, player);
                    is_quiet &= by_playing.is_empty() && position.status() != Status::Won(player);
                    proptest::prop_assert_eq!(threats, by_playing);
                }
                proptest::prop_assert_eq!(position.is_quiet(), is_quiet);
                position = column.map_or(position, |column| position.play_unchecked(column));
            }
        }
    }

    fn threatened(moves: &str) -> [Vec<usize>; 2] {
        let game = Moves::parse(Board::STANDARD, moves).unwrap();
        let position = game.position();
        Player::BOTH.map(|player| position.threats(player).map(|c| c.index() + 1).collect())
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
    fn a_won_game_is_not_quiet_even_if_nobody_can_make_another_four() {
        // The four is on top of its column.
        let moves = "111716171";
        assert!(threatened(moves).iter().all(Vec::is_empty));
        let game = Moves::parse(Board::STANDARD, moves).unwrap();
        assert!(!game.position().is_quiet());
    }
}
