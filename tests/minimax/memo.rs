//! Minimax with a memo of positions.

use std::collections::HashMap;

use strong4::board::{Board, Outcome, Position, Status};

/// The outcomes of all live positions, for the mover.
pub fn solve(board: Board) -> HashMap<Position, Outcome> {
    let mut memo = HashMap::new();
    minimax(&Position::empty(board), &mut memo);
    memo
}

/// The outcome for the mover; all live positions that follow go into the memo.
fn minimax(position: &Position, memo: &mut HashMap<Position, Outcome>) -> Outcome {
    match position.status() {
        Status::Won(_) => return Outcome::Loss,
        Status::Open | Status::Full => {}
    }
    if let Some(outcome) = memo.get(position) {
        return *outcome;
    }
    let children: Vec<Position> = position.children().map(|(_, child)| child).collect();
    let outcomes = children.iter().map(|child| minimax(child, memo).for_other());
    let outcome = outcomes.max().unwrap_or(Outcome::Draw);
    memo.insert(*position, outcome);
    outcome
}
