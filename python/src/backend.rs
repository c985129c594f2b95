//! A stand-in for the solver of the library, over its experts.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use strong4::board::{Board, Position};
use strong4::index::Finder;
use strong4::oracle::Oracle;
use strong4::progress::Progress;
use strong4::query::{Answer, Expert, QueryError, Question, Value};
use strong4::search::Score;
use strong4::table::{Inventory, TableError, Tables, board_in};

#[derive(Debug)]
pub enum SolverError {
    Stopped,
    Query(QueryError),
    Table(TableError),
    NoTables(String),
    OtherBoard(String),
    Other(String),
}

#[derive(Clone)]
pub struct Solver(Arc<Shared>);

struct Shared {
    board: Board,
    tables: Option<(&'static Finder, &'static Tables<'static>)>,
    pool: rayon::ThreadPool,
    idle: Mutex<Vec<Expert<'static>>>,
}

impl Solver {
    pub fn new(
        board: Board,
        folder: Option<&Path>,
        threads: usize,
    ) -> Result<Solver, SolverError> {
        let other = |error: &dyn std::fmt::Display| SolverError::Other(error.to_string());
        let tables = match folder {
            None => None,
            Some(folder) => {
                if let Some(found) = board_in(folder).filter(|found| *found != board) {
                    return Err(SolverError::OtherBoard(format!(
                        "{} holds tables of {found}, not of {board}: give --board {found}, or \
                         another folder",
                        folder.display()
                    )));
                }
                let inventory = Inventory::of(folder, board).map_err(SolverError::Table)?;
                if inventory.tables.is_empty() {
                    return Err(SolverError::NoTables(format!(
                        "there are no tables of {board} in {}",
                        folder.display()
                    )));
                }
                let finder = Box::leak(Box::new(Finder::new(board).map_err(|e| other(&e))?));
                let tables = Box::leak(Box::new(Tables::open(folder, finder.census())));
                Some((&*finder, &*tables))
            }
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|e| other(&e))?;
        Ok(Solver(Arc::new(Shared { board, tables, pool, idle: Mutex::default() })))
    }

    fn with_expert<R>(
        &self,
        stop: &'static AtomicBool,
        work: impl FnOnce(&mut Expert<'static>) -> R,
    ) -> R {
        let idle = self.0.idle.lock().unwrap().pop();
        let expert = idle.unwrap_or_else(|| {
            let expert = Expert::new(self.0.board);
            match self.0.tables {
                Some((finder, tables)) => expert.with_tables(Oracle::new(finder, tables)),
                None => expert,
            }
        });
        let mut expert = expert.stopped_by(stop);
        let done = work(&mut expert);
        self.0.idle.lock().unwrap().push(expert);
        done
    }

    pub fn score(
        &self,
        position: &Position,
        stop: &'static AtomicBool,
    ) -> Result<Score, SolverError> {
        self.with_expert(stop, |expert| {
            let (value, _) =
                expert.value(position, Question::default()).map_err(SolverError::Query)?;
            exact(value)
        })
    }

    pub fn scores(
        &self,
        position: &Position,
        stop: &'static AtomicBool,
    ) -> Result<Vec<Option<Score>>, SolverError> {
        self.with_expert(stop, |expert| {
            let moves = expert.moves(position, Question::default()).map_err(SolverError::Query)?;
            moves.into_iter().map(|value| value.map(exact).transpose()).collect()
        })
    }

    pub fn answer(
        &self,
        position: &Position,
        stop: &'static AtomicBool,
    ) -> Result<Answer, SolverError> {
        self.with_expert(stop, |expert| {
            let answer =
                expert.answer(position, Question::default()).map_err(SolverError::Query)?;
            if stop.load(Relaxed) { Err(SolverError::Stopped) } else { Ok(answer) }
        })
    }

    pub fn scores_of(
        &self,
        positions: &[Position],
        progress: &dyn Progress,
        stop: &'static AtomicBool,
    ) -> Result<Vec<Score>, SolverError> {
        self.each(positions, progress, stop, |position| self.score(position, stop))
    }

    pub fn move_scores_of(
        &self,
        positions: &[Position],
        progress: &dyn Progress,
        stop: &'static AtomicBool,
    ) -> Result<Vec<Vec<Option<Score>>>, SolverError> {
        self.each(positions, progress, stop, |position| self.scores(position, stop))
    }

    fn each<R: Send>(
        &self,
        positions: &[Position],
        progress: &dyn Progress,
        stop: &'static AtomicBool,
        work: impl Fn(&Position) -> Result<R, SolverError> + Sync,
    ) -> Result<Vec<R>, SolverError> {
        let done = AtomicUsize::new(0);
        let one = |position| {
            if stop.load(Relaxed) {
                return Err(SolverError::Stopped);
            }
            let found = work(position);
            let done = done.fetch_add(1, Relaxed) + 1;
            progress.advance(done as u64, positions.len() as u64);
            found
        };
        self.0.pool.install(|| positions.par_iter().with_max_len(16).map(one).collect())
    }
}

fn exact(value: Value) -> Result<Score, SolverError> {
    value.score().ok_or(SolverError::Stopped)
}
