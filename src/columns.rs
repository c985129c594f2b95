//! The states that a column can be in.
//!
//! A column never holds four of a colour on top of each other, and never more stones of one player
//! than the other can have answered elsewhere. The second rule matters on narrow boards. On 1x63 it
//! allows one column of each height, where the first rule alone allows far too many to list.

use crate::board::{Board, Player};
use crate::too_large::BoardTooLarge;
use crate::tromp::ColumnCode;

/// The largest number of states that are listed.
const MOST_STATES: usize = 1 << 16;

/// All states of a column that a game without a four can contain, in the order of their codes. The
/// list contains, with each state, the one below its top stone.
pub(crate) fn column_states(board: Board) -> Result<Vec<ColumnCode>, BoardTooLarge> {
    let elsewhere = (board.cells() - board.height()) as i32;
    let answered = -elsewhere..=elsewhere + 1;
    let mut states = Vec::new();
    let mut open = vec![ColumnCode::EMPTY];
    while let Some(code) = open.pop() {
        if states.len() == MOST_STATES {
            return Err(BoardTooLarge::Column { board, limit: MOST_STATES });
        }
        states.push(code);
        if code.stones() < board.height() {
            let taller = Player::BOTH.map(|player| code.dropped_unchecked(player));
            let possible =
                |code: &ColumnCode| !code.has_four() && answered.contains(&code.surplus());
            open.extend(taller.into_iter().filter(possible));
        }
    }
    states.sort_unstable();
    Ok(states)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(width: u64, height: u64) -> usize {
        column_states(Board::new(width, height).unwrap()).unwrap().len()
    }

    #[test]
    fn columns_without_four_in_a_row_follow_the_tribonacci_numbers() {
        assert_eq!(count(7, 6), 103);
        let grown: Vec<usize> = (1..=8).map(|height| count(6, height)).collect();
        assert_eq!(grown, [3, 7, 15, 29, 55, 103, 191, 353]);
    }

    #[test]
    fn a_lonely_column_alternates() {
        let columns = column_states(Board::new(1, 63).unwrap()).unwrap();
        assert!(columns.iter().map(|code| code.stones()).eq(0..64));
        assert!(columns.iter().all(|code| (0..=1).contains(&code.surplus())));
    }
}
