//! Plain minimax with a memo: the score of each position, for the mover.

use std::collections::HashMap;

use strong4::board::{Board, Position, Status};

/// The scores of all live positions.
pub fn scores(board: Board) -> HashMap<Position, i32> {
    let mut memo = HashMap::new();
    score(&Position::empty(board), &mut memo);
    memo
}

/// The score of a position; those of all live positions that follow go into the memo.
pub fn score(position: &Position, memo: &mut HashMap<Position, i32>) -> i32 {
    let empty = (position.board().cells() - position.tier().stones()) as i32;
    if let Status::Won(_) = position.status() {
        return -(empty / 2) - 1;
    }
    if let Some(score) = memo.get(position) {
        return *score;
    }
    let children: Vec<Position> = position.children().map(|(_, child)| child).collect();
    let best = children.iter().map(|child| -score(child, memo)).max().unwrap_or(0);
    memo.insert(*position, best);
    best
}
