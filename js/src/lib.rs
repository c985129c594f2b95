//! The solver as WebAssembly: questions and answers are texts of JSON.
//!
//! ```text
//!     JavaScript                                  this module
//!
//!     bytes_for(length)         ───────────────►  where to put the question
//!     ask()                     ───────────────►  answers it
//!     host.grow(from, length)   ◄───────────────  what is known so far, if that was asked for
//!     host.tell(from, length)   ◄───────────────  the answer
//!     host.now()                ◄───────────────  milliseconds, for limits
//! ```
//!
//! The first question opens a board. Answers are the records that the command line prints, and
//! errors are `{"error": …}` in its words. A question that is being answered cannot be stopped:
//! JavaScript ends the whole module and starts another one. `package` in this folder does that,
//! and has a method for each question.

use std::cell::RefCell;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use strong4::Solver;
use strong4::board::{Board, Moves, Position};
use strong4::query::{Level, Opponent, Question, Record, ReviewRecord};
use strong4::tromp::Key;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    safe fn now() -> f64;
    safe fn grow(from: *const u8, length: usize);
    safe fn tell(from: *const u8, length: usize);
}

thread_local! {
    /// The bytes of the question.
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SOLVER: RefCell<Option<Solver>> = const { RefCell::new(None) };
}

/// Where to put a question of this length, before [`ask`].
#[unsafe(no_mangle)]
pub extern "C" fn bytes_for(length: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.resize(length, 0);
        question.as_mut_ptr()
    })
}

/// Answers the question that has been put there.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    let question = QUESTION.take();
    let answer = serde_json::from_slice(&question).map_err(|error| error.to_string());
    let answer = answer.and_then(|asked| SOLVER.with_borrow_mut(|solver| answer_to(solver, asked)));
    let answer = answer.unwrap_or_else(|error| json(&json!({ "error": error })));
    tell(answer.as_ptr(), answer.len());
}

fn json(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("numbers, texts and lists of them")
}

/// A question, in the names of the methods of the package.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Asked {
    /// Comes first.
    Open {
        board: String,
        openings: bool,
        search_memory: usize,
    },
    /// Everything about a position.
    Analyze {
        of: Named,
        limit: Option<f64>,
        growing: bool,
    },
    Score {
        of: Named,
        limit: Option<f64>,
    },
    Outcome {
        of: Named,
        limit: Option<f64>,
    },
    MoveScores {
        of: Named,
        limit: Option<f64>,
    },
    BestMove {
        of: Named,
        limit: Option<f64>,
        level: Option<String>,
        seed: u32,
    },
    Review {
        of: Named,
        limit: Option<f64>,
    },
}

/// A position: by moves, by a key, or drawn.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Named {
    Moves(String),
    Key(String),
    Drawing(String),
}

impl Named {
    /// The position, and the moves that lead there if they are known.
    fn on(&self, board: Board) -> Result<(Position, Option<Moves>), String> {
        match self {
            Named::Moves(text) => {
                let moves = Moves::parse_loose(board, text).map_err(words)?;
                Ok((*moves.position(), Some(moves)))
            }
            Named::Key(text) => {
                let key: Key = text.parse().map_err(words)?;
                Ok((key.decode(board).map_err(words)?, None))
            }
            Named::Drawing(text) => Ok((Position::from_drawing(board, text).map_err(words)?, None)),
        }
    }
}

fn answer_to(opened: &mut Option<Solver>, asked: Asked) -> Result<String, String> {
    if let Asked::Open { board, openings, search_memory } = asked {
        strong4::clock::set(|| Duration::from_secs_f64(now() / 1000.0));
        let board: Board = board.parse().map_err(words)?;
        let builder = Solver::builder(board).search_memory(search_memory);
        let builder = if openings { builder } else { builder.without_openings() };
        *opened = Some(builder.build().map_err(words)?);
        let (version, columns, rows) = (env!("CARGO_PKG_VERSION"), board.width(), board.height());
        return Ok(json(&json!({ "version": version, "columns": columns, "rows": rows })));
    }
    let solver = opened.as_ref().ok_or("no board has been opened")?;
    let board = solver.board();
    match asked {
        Asked::Open { .. } => unreachable!("it was answered above"),
        Asked::Analyze { of, limit, growing } => {
            let (position, moves) = of.on(board)?;
            let record = |answer: &_| {
                let record = Record::of(answer);
                moves.as_ref().map_or(record.clone(), |moves| record.with_moves(moves))
            };
            let mut before: Option<Record> = None;
            let grown = |answer: &_| {
                let record = record(answer);
                // The time is no news.
                let is_new = before.as_ref().is_none_or(|before| {
                    *before != Record { micros: before.micros, ..record.clone() }
                });
                if growing && is_new {
                    let known = json(&record);
                    grow(known.as_ptr(), known.len());
                    before = Some(record);
                }
            };
            let answer = solver.watch(&position, within(limit)?, grown);
            Ok(json(&record(&answer.map_err(words)?)))
        }
        Asked::Score { of, limit } => {
            let score = solver.score_with(&of.on(board)?.0, within(limit)?).map_err(words)?;
            Ok(json(&score.get()))
        }
        Asked::Outcome { of, limit } => {
            let outcome = solver.outcome_with(&of.on(board)?.0, within(limit)?);
            Ok(json(&outcome.map_err(words)?.name()))
        }
        Asked::MoveScores { of, limit } => {
            let scores =
                solver.move_scores_with(&of.on(board)?.0, within(limit)?).map_err(words)?;
            Ok(json(&scores.iter().map(|score| score.map(|score| score.get())).collect::<Vec<_>>()))
        }
        Asked::BestMove { of, limit, level, seed } => {
            let (position, question) = (of.on(board)?.0, within(limit)?);
            let column = match level {
                None => solver.best_move_with(&position, question),
                Some(level) => {
                    let level: Level = level.parse().map_err(|error| format!("level: {error}"))?;
                    solver.choose(&mut Opponent::new(level, seed.into()), &position, question)
                }
            };
            Ok(json(&column.map_err(words)?.map(|column| column.number())))
        }
        Asked::Review { of, limit } => {
            let game = of.on(board)?.1.ok_or("a position without moves")?;
            let review = solver.review(&game, within(limit)?, &()).map_err(words)?;
            Ok(json(&ReviewRecord::of(&game, &review)))
        }
    }
}

/// A question with a limit in seconds.
fn within(limit: Option<f64>) -> Result<Question<'static>, String> {
    let limit = limit.map(|seconds| Duration::try_from_secs_f64(seconds).map_err(words));
    Ok(Question { limit: limit.transpose()?, ..Question::default() })
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
