//! What can be seen of a position without a search: that it is over, or that only one move is
//! possible.
//!
//! ```text
//!     a four on the board, or a full one    it is over
//!     the mover can make a four             he wins with the next ply
//!     his opponent threatens two            he loses with the one after it
//!     his opponent threatens one            he must move there
//! ```

use super::{Column, Outcome, Position, Status, threats};

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
    pub fn of(position: &Position) -> Sight {
        let mover = position.mover();
        let over = |outcome, plies| Sight::Over { outcome, plies };
        match position.status() {
            Status::Won(winner) if winner == mover => return over(Outcome::Win, 0),
            Status::Won(_) => return over(Outcome::Loss, 0),
            Status::Full => return over(Outcome::Draw, 0),
            Status::Open => {}
        }
        if threats(position, mover).next().is_some() {
            return over(Outcome::Win, 1);
        }
        let mut threats = threats(position, mover.other());
        match (threats.next(), threats.next()) {
            (Some(_), Some(_)) => over(Outcome::Loss, 2),
            (Some(forced), None) => Sight::Forced(forced),
            (None, _) => Sight::Quiet,
        }
    }
}
