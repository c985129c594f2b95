//! A position as a line of comma-separated values or of JSON.

use serde::Serialize;
use strong4::board::{Board, Moves, Position};
use strong4::query::JsonInteger;
use strong4::query::Question;
use strong4::search::Score;
use strong4::tromp::Key;
use strong4::{Solver, SolverError};

use crate::cli::interrupt::given_up;

/// A position, a game that leads to it, and its scores if requested.
pub(super) struct Record {
    pub game: Moves,
    pub scores: Option<Scores>,
}

#[derive(Serialize)]
struct Fields<'a> {
    tier: u8,
    moves: String,
    key: JsonInteger,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    move_scores: Option<&'a [Option<i32>]>,
}

/// The names of the values; moves are named as in `query --csv`.
pub(super) fn head(board: Board, with_scores: bool) -> String {
    let mut head = "tier,moves,key".to_owned();
    if with_scores {
        head += ",score";
        head.extend(board.columns().map(|column| format!(",move{column}")));
    }
    head
}

impl Record {
    pub(super) fn csv(&self) -> String {
        let position = self.game.position();
        let mut row = format!("{},{},{}", position.tier(), self.game, Key::of(position));
        if let Some(Scores { score, moves }) = &self.scores {
            row += &format!(",{score}");
            let column = |score: &Option<i32>| score.map_or(",".to_owned(), |s| format!(",{s}"));
            row.extend(moves.iter().map(column));
        }
        row
    }

    pub(super) fn json(&self) -> serde_json::Result<String> {
        let position = self.game.position();
        serde_json::to_string(&Fields {
            tier: position.tier().get(),
            moves: self.game.to_string(),
            key: Key::of(position).0.into(),
            score: self.scores.as_ref().map(|scores| scores.score),
            move_scores: self.scores.as_ref().map(|scores| &scores.moves[..]),
        })
    }
}

/// The value of a position for the player to move.
pub(super) struct Scores {
    pub score: i32,
    /// Each move, for the player who makes it; none where the column is full.
    pub moves: Vec<Option<i32>>,
}

/// Finds the scores of a live position.
pub(super) fn scores(solver: &Solver, position: &Position) -> Result<Scores, SolverError> {
    // There are enough positions to keep all threads busy.
    let question = Question { stop: Some(given_up()), threads: Some(1), ..Question::default() };
    let moves = solver.move_scores_with(position, question)?.into_iter();
    let moves: Vec<Option<i32>> = moves.map(|score| score.map(Score::get)).collect();
    // Without a legal move the board is full, and the game is a draw.
    let score = moves.iter().flatten().copied().max().unwrap_or(0);
    Ok(Scores { score, moves })
}
